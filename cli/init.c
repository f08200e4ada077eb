// `fathom init MODEL [FILE]`: writes a commented job to start from, one of data/starts, which runs as it is.
#include "cli/commands.h"
#include "cli/options.h"
#include "io/json_file.h"
#include "io/path.h"
#include "io/utf8.h"
#include "io/whole_file.h"
#include "models/model.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "Usage: fathom init MODEL [FILE]\n"
    "\n"
    "Writes a job to start from, with comments: a small one that runs as it is. MODEL is tsunami, bioheat,\n"
    "nbody, gas or ising; FILE is MODEL.json without it. An existing file is never replaced. The results\n"
    "go into a folder with FILE's name, without .json. An editor that knows JSON Schema (VS Code, say)\n"
    "completes and explains the keys, by \"$schema\" in the file (docs/jobs.md). The tsunami's bathymetry "
    "is\n"
    "ETOPO5 of Debian's ferret-datasets, which ./quickstart installs; the others need no data.\n"
    "\n"
    "  fathom init tsunami my-coast.json && fathom plan my-coast.json && fathom run my-coast.json\n"
    "\n"
    "Options:\n"
    "  -h, --help            print this text\n"
    "\n"
    "Exit status: 0 written; 64 wrong command line; 66 the program's data are missing; 73 the file exists\n"
    "or cannot be created; 74 writing failed.\n";

enum { START_BYTES_MAX = 1 << 20 };

// What a start leaves open, as it stands between the quotes of a text in JSON.
struct blanks {
    char *schema, *name;
};

// A text as it stands between the quotes in JSON; NULL without memory.
static char *escaped(const char *text)
{
    cJSON *item = cJSON_CreateString(text);
    char *quoted = item ? utf8_print_json_line(item) : NULL;
    cJSON_Delete(item);
    if (!quoted)
        return NULL;
    const size_t length = strlen(quoted);
    memmove(quoted, quoted + 1, length - 1);
    quoted[length - 2] = '\0';
    return quoted;
}

// The file's name without folders and .json.
static void name_of(const char *path, char name[PATH_BYTES])
{
    const char *slash = strrchr(path, '/');
    snprintf(name, PATH_BYTES, "%s", slash ? slash + 1 : path);
    const size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".json") == 0)
        name[length - 5] = '\0';
    else if (length + 8 < PATH_BYTES)
        strcat(name, "-results"); // a folder cannot have the file's name
}

static void print_filled(FILE *stream, const char *text, const struct blanks *blanks)
{
    static const char schema[] = "@SCHEMA@", name[] = "@NAME@";
    while (*text) {
        if (strncmp(text, schema, sizeof schema - 1) == 0) {
            fputs(blanks->schema, stream);
            text += sizeof schema - 1;
        } else if (strncmp(text, name, sizeof name - 1) == 0) {
            fputs(blanks->name, stream);
            text += sizeof name - 1;
        } else {
            fputc(*text++, stream);
        }
    }
}

static enum status write_job(const char *path, const char *text, const struct blanks *blanks)
{
    struct whole_file file;
    if (!blanks->schema || !blanks->name)
        return FAIL(STATUS_SYSTEM, "%s: no memory to write it", path);
    CHECK(whole_file_begin(&file, path));
    print_filled(file.stream, text, blanks);
    return whole_file_end(&file, STATUS_OK);
}

static enum status init(const char *model, const char *path)
{
    char start[64], found[PATH_BYTES], schema[PATH_BYTES], name[PATH_BYTES];
    struct blanks blanks = {0};
    char *text = NULL;
    size_t length;
    struct stat about;
    if (lstat(path, &about) == 0)
        return FAIL(STATUS_CANNOT_CREATE,
                    "%s: exists already, and is not replaced; give another name: fathom init %s FILE", path,
                    model);
    snprintf(start, sizeof start, "starts/%s.json", model);
    CHECK(path_find(start, NULL, found));
    CHECK(text_file_read(found, START_BYTES_MAX, &text, &length));
    // Beside the starts; a program without it writes a job without a schema's place, which runs too.
    char *slash = strstr(found, "starts/");
    snprintf(slash, sizeof found - (size_t)(slash - found), "schema/%s.schema.json", model);
    char *real = realpath(found, NULL);
    snprintf(schema, sizeof schema, "%s", real ? real : found);
    free(real);
    name_of(path, name);
    blanks = (struct blanks){escaped(schema), escaped(name)};
    const enum status status = write_job(path, text, &blanks);
    cJSON_free(blanks.schema);
    cJSON_free(blanks.name);
    free(text);
    return status;
}

int command_init(int argc, char **argv)
{
    const struct option_row rows[] = {{NULL}};
    char path[PATH_BYTES];
    int code;
    if (!options_read(argc, argv, help, rows, NULL, &code))
        return code;
    if (argc - optind < 1 || argc - optind > 2)
        return options_report_failure(
            FAIL(STATUS_USAGE, "init needs a model, and at most one file; see fathom init --help"));
    const char *model = argv[optind];
    if (argc - optind == 2)
        snprintf(path, sizeof path, "%s", argv[optind + 1]);
    else
        snprintf(path, sizeof path, "%s.json", model);
    enum status status = options_known_model(model);
    if (status == STATUS_OK)
        status = init(model, path);
    if (status != STATUS_OK)
        return options_report_failure(status);
    printf("%s is written. Next:\n  fathom plan %s\n  fathom run %s\n", path, path, path);
    return 0;
}
