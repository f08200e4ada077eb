// The unit sources of a folder, their names and slips: see database.h. Reads no values (database_series.c
// does).
#include "models/tsunami/forecast/database.h"

#include "io/json_file.h"
#include "io/output/finished.h"
#include "io/output/output.h"
#include "io/suggest.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { RUN_JSON_BYTES_MAX = 64 << 20 };

struct database {
    char folder[PATH_BYTES];
    struct database_source *sources;
    size_t count, room;
};

// ---- names

static void make_lower(char *text)
{
    for (; *text; text++)
        *text = (char)tolower((unsigned char)*text);
}

// "ki_026_a" as "kisza26": letters of the region, number of three digits, letter of the row, in small
// letters. Other names stay.
static void canonical_name(const char *stem, char name[DATABASE_NAME_BYTES])
{
    size_t letters = 0, digits = 0;
    while (isalpha((unsigned char)stem[letters]))
        letters++;
    const char *number = stem + letters + 1;
    if (letters > 0 && stem[letters] == '_')
        digits = strspn(number, "0123456789");
    const char *row = number + digits;
    if (digits > 0 && digits < 6 && row[0] == '_' && isalpha((unsigned char)row[1]) && row[2] == '\0') {
        snprintf(name, DATABASE_NAME_BYTES, "%.*ssz%c%ld", (int)letters, stem, row[1],
                 strtol(number, NULL, 10));
        make_lower(name);
    } else {
        snprintf(name, DATABASE_NAME_BYTES, "%s", stem);
    }
}

static bool join(char path[PATH_BYTES], const char *folder, const char *name, const char *suffix)
{
    return snprintf(path, PATH_BYTES, "%s/%s%s", folder, name, suffix) < PATH_BYTES;
}

static bool has_file(const char *folder, const char *name)
{
    char path[PATH_BYTES];
    return join(path, folder, name, "") && access(path, F_OK) == 0;
}

// ---- run.json

static enum status take_slips(const cJSON *run, const char *path, struct database_source *source)
{
    const cJSON *sift =
        cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(run, "source"), "sift");
    const cJSON *only = cJSON_GetObjectItemCaseSensitive(sift, "slips");
    only = cJSON_IsObject(only) ? only->child : NULL;
    if (!only || only->next)
        return STATUS_OK; // no unit source, or several: the run as it is counts as one
    if (!cJSON_IsNumber(only) || strlen(only->string) >= DATABASE_NAME_BYTES)
        return FAIL(STATUS_DATA, "%s: source.sift.slips: expected the slip of a unit source in m", path);
    if (only->valuedouble == 0)
        return FAIL(STATUS_DATA, "%s: %s was run with a slip of 0 m: nothing to scale", path, only->string);
    snprintf(source->name, sizeof source->name, "%s", only->string);
    source->slip_m = only->valuedouble;
    return STATUS_OK;
}

static enum status read_run(struct database_source *source)
{
    char path[PATH_BYTES];
    cJSON *run;
    if (!has_file(source->path, "run.json"))
        return STATUS_OK;
    if (!join(path, source->path, "run.json", ""))
        return FAIL(STATUS_DATA, "%s: the path is too long", source->path);
    CHECK(json_file_read(path, RUN_JSON_BYTES_MAX, &run));
    const enum status status = take_slips(run, path, source);
    source->is_dispersive = cJSON_IsTrue(
        cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(run, "physics"), "dispersion"));
    cJSON_Delete(run);
    return status;
}

// ---- listing

static enum status add_source(struct database *database, const struct database_source *source)
{
    if (database->count == DATABASE_SOURCES_MAX)
        return FAIL(STATUS_DATA, "%s: more than %d unit sources", database->folder, DATABASE_SOURCES_MAX);
    if (database->count == database->room) {
        const size_t room = database->room ? 2 * database->room : 16;
        struct database_source *grown = realloc(database->sources, room * sizeof *grown);
        if (!grown)
            return FAIL(STATUS_SYSTEM, "%s: no memory for a list of %zu unit sources", database->folder,
                        room);
        database->sources = grown;
        database->room = room;
    }
    database->sources[database->count++] = *source;
    return STATUS_OK;
}

// Length of the name before NOAA's suffix, in any case of letters; 0: another suffix.
static size_t noaa_stem(const char *entry, enum propagation_quantity quantity)
{
    const char *suffix = propagation_noaa_suffix(quantity);
    const size_t length = strlen(entry), tail = strlen(suffix);
    return entry[0] != '.' && length > tail && strcasecmp(entry + length - tail, suffix) == 0 ? length - tail
                                                                                              : 0;
}

// The name of a NOAA file's source.
static void noaa_name(const char *entry, size_t stem, char name[DATABASE_NAME_BYTES])
{
    char text[DATABASE_NAME_BYTES];
    snprintf(text, sizeof text, "%.*s", (int)stem, entry);
    make_lower(text);
    canonical_name(text, name);
}

static enum status consider_noaa(struct database *database, const char *entry, size_t stem,
                                 struct database_source *source)
{
    if (stem >= DATABASE_NAME_BYTES)
        return FAIL(STATUS_DATA, "%s: the name is longer than %d characters", source->path,
                    DATABASE_NAME_BYTES - 1);
    source->form = DATABASE_NOAA;
    source->path[strlen(source->path) - strlen(entry) + stem] = '\0';
    snprintf(source->files[PROPAGATION_ETA], sizeof source->files[PROPAGATION_ETA], "%s", entry);
    noaa_name(entry, stem, source->name);
    return add_source(database, source);
}

// Adds an entry of the folder if it is a source.
static enum status consider(struct database *database, const char *entry)
{
    const size_t length = strlen(entry), stem = noaa_stem(entry, PROPAGATION_ETA);
    struct database_source source = {.slip_m = 1};
    if (entry[0] == '.' || !join(source.path, database->folder, entry, ""))
        return STATUS_OK;
    if (stem > 0)
        return consider_noaa(database, entry, stem, &source);
    if (!has_file(source.path, "fields.nc") && !has_file(source.path, "gauges.nc"))
        return STATUS_OK;
    if (length >= DATABASE_NAME_BYTES)
        return FAIL(STATUS_DATA, "%s: the name is longer than %d characters", source.path,
                    DATABASE_NAME_BYTES - 1);
    canonical_name(entry, source.name);
    CHECK(read_run(&source));
    return add_source(database, &source);
}

static int by_name(const void *a, const void *b)
{
    const struct database_source *one = a, *other = b;
    const int order = strverscmp(one->name, other->name);
    return order != 0 ? order : strcmp(one->path, other->path);
}

static int compare_name(const void *name, const void *source)
{
    return strverscmp(name, ((const struct database_source *)source)->name);
}

// Of NOAA's form: velocities belong to the source whose elevations have the same name but for its case.
static enum status consider_velocity(struct database *database, const char *entry)
{
    for (int q = PROPAGATION_U; q < PROPAGATION_QUANTITIES; q++) {
        const size_t stem = noaa_stem(entry, (enum propagation_quantity)q);
        char name[DATABASE_NAME_BYTES];
        if (stem == 0 || stem >= DATABASE_NAME_BYTES)
            continue;
        noaa_name(entry, stem, name);
        struct database_source *source =
            bsearch(name, database->sources, database->count, sizeof *database->sources, compare_name);
        if (!source || source->form != DATABASE_NOAA ||
            noaa_stem(source->files[PROPAGATION_ETA], PROPAGATION_ETA) != stem ||
            strncasecmp(source->files[PROPAGATION_ETA], entry, stem) != 0)
            continue;
        if (source->files[q][0])
            return FAIL(STATUS_DATA, "%s: %s and %s differ only in case: expected one of them",
                        database->folder, source->files[q], entry);
        snprintf(source->files[q], sizeof source->files[q], "%s", entry);
    }
    return STATUS_OK;
}

// Sorted by name.
static enum status check_names(const struct database *database)
{
    for (size_t k = 1; k < database->count; k++) {
        const struct database_source *one = &database->sources[k - 1], *other = one + 1;
        if (strcmp(one->name, other->name) == 0)
            return FAIL(STATUS_DATA, "%s: unit source %s appears twice, in %s and %s", database->folder,
                        one->name, one->form == DATABASE_NOAA ? one->files[PROPAGATION_ETA] : one->path,
                        other->form == DATABASE_NOAA ? other->files[PROPAGATION_ETA] : other->path);
    }
    return STATUS_OK;
}

// Calls take for each entry.
static enum status for_each_entry(struct database *database,
                                  enum status (*take)(struct database *database, const char *entry))
{
    DIR *folder = opendir(database->folder);
    if (!folder)
        return FAIL(STATUS_NO_INPUT, "%s: cannot be read as a folder of unit sources: %s", database->folder,
                    strerror(errno));
    enum status status = STATUS_OK;
    for (struct dirent *entry; status == STATUS_OK && (entry = readdir(folder));)
        status = take(database, entry->d_name);
    closedir(folder);
    return status;
}

static enum status list_folder(struct database *database)
{
    CHECK(for_each_entry(database, consider));
    if (database->count == 0)
        return FAIL(STATUS_DATA,
                    "%s: no unit source in it: expected result folders with fields.nc or gauges.nc, or files "
                    "NAME_ha.nc",
                    database->folder);
    qsort(database->sources, database->count, sizeof *database->sources, by_name);
    CHECK(check_names(database));
    return for_each_entry(database, consider_velocity);
}

enum status database_open(const char *folder, struct database **opened)
{
    *opened = NULL;
    struct database *database = calloc(1, sizeof *database);
    if (!database)
        return FAIL(STATUS_SYSTEM, "%s: no memory to list it", folder);
    const enum status status =
        snprintf(database->folder, sizeof database->folder, "%s", folder) < (int)sizeof database->folder
            ? list_folder(database)
            : FAIL(STATUS_NO_INPUT, "%.80s...: the path is too long", folder);
    if (status != STATUS_OK) {
        database_close(database);
        return status;
    }
    *opened = database;
    return STATUS_OK;
}

void database_close(struct database *database)
{
    if (!database)
        return;
    free(database->sources);
    free(database);
}

const char *database_folder(const struct database *database)
{
    return database->folder;
}

size_t database_count(const struct database *database)
{
    return database->count;
}

const struct database_source *database_at(const struct database *database, size_t index)
{
    return &database->sources[index];
}

static enum status fail_unknown(const struct database *database, const char *name, const char *wanted)
{
    const char *nearest = NULL, **names = calloc(database->count, sizeof *names);
    for (size_t k = 0; names && k < database->count; k++)
        names[k] = database->sources[k].name;
    if (names)
        nearest = suggest_word(wanted, names, database->count);
    free(names);
    return FAIL(STATUS_DATA, "%s: no unit source \"%.80s\"%s%s%s; it has %zu, from %s to %s",
                database->folder, name, nearest ? " (did you mean " : "", nearest ? nearest : "",
                nearest ? "?)" : "", database->count, database->sources[0].name,
                database->sources[database->count - 1].name);
}

enum status database_find(const struct database *database, const char *name, size_t *index)
{
    const struct database_source *sources = database->sources, *found = NULL;
    char wanted[DATABASE_NAME_BYTES];
    canonical_name(name, wanted);
    for (size_t k = 0; k < database->count && !found; k++)
        if (strcmp(sources[k].name, name) == 0 || strcmp(sources[k].name, wanted) == 0)
            found = &sources[k];
    if (!found)
        for (size_t k = 0; k < database->count; k++) {
            if (strcasecmp(sources[k].name, wanted) != 0)
                continue;
            if (found)
                return FAIL(STATUS_DATA,
                            "%s: unit source \"%.80s\" may be %s or %s, which differ only in case",
                            database->folder, name, found->name, sources[k].name);
            found = &sources[k];
        }
    if (!found)
        return fail_unknown(database, name, wanted);
    *index = (size_t)(found - sources);
    return STATUS_OK;
}

static enum status check_file(const cJSON *run, const struct database_source *source, const char *name)
{
    bool has_sum;
    return has_file(source->path, name) ? output_finished_check_file(run, source->path, name, &has_sum)
                                        : STATUS_OK;
}

enum status database_check_files(const struct database_source *source, bool with_fields)
{
    if (source->form == DATABASE_RESULT)
        CHECK(output_check_published(source->path));
    cJSON *run = source->form == DATABASE_RESULT ? output_finished_read(source->path) : NULL;
    enum status status = run ? check_file(run, source, "gauges.nc") : STATUS_OK;
    if (status == STATUS_OK && run && with_fields)
        status = check_file(run, source, "fields.nc");
    cJSON_Delete(run);
    return status;
}

bool database_fields_path(const struct database_source *source, enum propagation_quantity quantity,
                          char path[PATH_BYTES])
{
    if (source->form == DATABASE_NOAA && !source->files[quantity][0])
        return false;
    const char *slash = strrchr(source->path, '/'); // there is one, behind the folder
    const int length = source->form == DATABASE_NOAA
                           ? snprintf(path, PATH_BYTES, "%.*s/%s", (int)(slash - source->path), source->path,
                                      source->files[quantity])
                           : snprintf(path, PATH_BYTES, "%s/fields.nc", source->path);
    return length < PATH_BYTES && access(path, F_OK) == 0;
}
