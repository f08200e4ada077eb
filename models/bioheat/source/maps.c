// Heating fields that keep their shape: files, units, reading into layers.
#include "models/bioheat/source/private.h"

#include "core/log.h"
#include "models/bioheat/body/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct job_part_rules nothing_inherited = {.inherited = "", .left_out = ""};

// Coordinates along an axis of a file: their spacing must be the domain's. Another origin gives a warning: a
// domain without a file begins at 0, but the file may also be the wrong one.
static enum status check_axis(const struct bioheat_heating *heating, const struct field_file_info *info,
                              int axis, const double *places_m, size_t count)
{
    const struct bioheat_grid *grid = heating->grid;
    const double first_m = fmin(places_m[0], places_m[count - 1]),
                 length_m = fabs(places_m[count - 1] - places_m[0]);
    const double spacing_m = grid->spacing_m[axis],
                 own_m = count > 1 ? length_m / (double)(count - 1) : spacing_m;
    if (!(fabs(own_m - spacing_m) <= 1e-3 * spacing_m))
        return FAIL(STATUS_DATA, "%s: variable %s has a spacing of %g mm along %s, the domain %g mm",
                    info->path, info->variable, 1e3 * own_m, bioheat_axis_names[axis], 1e3 * spacing_m);
    if (!(fabs(first_m - grid->origin_m[axis]) <= 0.1 * spacing_m))
        log_warning("%s: variable %s begins at %s = %g mm, the domain at %g mm: its cells are assigned to "
                    "the domain's by index",
                    info->path, info->variable, bioheat_axis_names[axis], 1e3 * first_m,
                    1e3 * grid->origin_m[axis]);
    return STATUS_OK;
}

static enum status check_place(const struct bioheat_heating *heating, const struct field_file *file)
{
    for (int a = 0; a < BIOHEAT_AXES; a++) {
        double *values;
        size_t count;
        if (field_file_line(file, (enum field_axis)(FIELD_Z + a), NULL, NULL, "m", &values, &count) !=
            STATUS_OK) {
            status_clear(); // numbered, or in degrees: nothing to compare
            continue;
        }
        const enum status status = values && count == heating->grid->cells[a]
                                       ? check_axis(heating, field_file_info(file), a, values, count)
                                       : STATUS_OK;
        free(values);
        CHECK(status);
    }
    return STATUS_OK;
}

// "p_max_all", "sensor_data/p_rms".
static bool is_named_as_pressure(const char *variable)
{
    static const char *const names[] = {"p_max", "p_max_all", "p_min",  "p_min_all",
                                        "p_rms", "p_amp",     "p_final"};
    const char *name = strrchr(variable, '/') ? strrchr(variable, '/') + 1 : variable;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(name, names[k]) == 0)
            return true;
    return false;
}

static enum status check_field(const struct bioheat_heating *heating, struct field_file *file,
                               const char *units_given, bool *is_energy)
{
    const struct field_file_info *info = field_file_info(file);
    const size_t *cells = heating->grid->cells, *lengths = &info->lengths[FIELD_Z];
    if (memcmp(cells, lengths, BIOHEAT_AXES * sizeof *cells) != 0)
        return FAIL(
            STATUS_DATA, "%s: variable %s has %zu x %zu x %zu cells (z, y, x), the domain %zu x %zu x %zu",
            info->path, info->variable, lengths[0], lengths[1], lengths[2], cells[0], cells[1], cells[2]);
    double scale;
    const char *units = units_given ? units_given : info->units;
    if (!units_given && info->units[0] == '\0' && is_named_as_pressure(info->variable))
        return FAIL(STATUS_DATA,
                    "%s: variable %s states no units, and by its name is a pressure of k-Wave or BabelBrain, "
                    "which is not heat: give the file as source.pressure, which computes its heat, Q = alpha "
                    "p^2/(rho c); or, if its values are heat all the same, their units by the key units, "
                    "with \"override\": true",
                    info->path, info->variable);
    if (!units_given && info->units[0] == '\0')
        return FAIL(STATUS_DATA, "%s: variable %s has no units: give them by the key units", info->path,
                    info->variable);
    const enum status status = source_units_read(units, is_energy, &scale);
    if (status != STATUS_OK)
        return status_prefix(units_given ? STATUS_CONFIGURATION : status, "%s: variable %s", info->path,
                             info->variable);
    field_file_set_scale(file, scale);
    if (info->is_slow)
        log_warning("%s: variable %s: x is not its fastest axis; reading it plane by plane may take long",
                    info->path, info->variable);
    return check_place(heating, file);
}

// Of a file without positions.
static enum status settle_order(const struct bioheat_heating *heating, const struct job *job, const char *key,
                                struct field_file *field)
{
    const struct field_file_info *info = field_file_info(field);
    struct order_file file = {.path = info->path,
                              .variable = info->variable,
                              .is_placed = field_file_is_placed(field),
                              .spacing_m = {NAN, NAN, NAN}};
    struct volume_turn turn;
    bool is_turned;
    memcpy(file.cells, &info->lengths[FIELD_Z], sizeof file.cells);
    CHECK(bioheat_order_settle(job, key, heating->grid, &file, &is_turned, &turn));
    return is_turned ? field_file_turn(field, &turn) : STATUS_OK;
}

enum status source_field_open(const struct bioheat_heating *heating, const struct source_field_keys *keys,
                              struct units_override *override, bool has_records, bool *is_energy,
                              char path[PATH_BYTES], struct field_file **file)
{
    const struct job *job = override->job;
    if (!job_has(job, keys->file))
        return job_fail(job, keys->file, "missing: the file with the heating");
    CHECK_KEY(job, keys->file, path_find(job_string(job, keys->file), job_directory(job), path));
    CHECK_KEY(job, keys->file,
              field_file_open(path, job_string(job, keys->variable), has_records, heating->precision, file));
    CHECK(settle_order(heating, job, keys->axes, *file));
    const struct field_file_info *info = field_file_info(*file);
    const bool is_named = info->units[0] == '\0' && is_named_as_pressure(info->variable);
    const struct stated_units stated = {.path = info->path,
                                        .variable = info->variable,
                                        .units = is_named ? "Pa" : info->units,
                                        .form = is_named ? "k-Wave" : NULL,
                                        .is_other = is_named || source_units_are_pressure(info->units)};
    CHECK_KEY(job, keys->file, check_field(heating, *file, job_string(job, keys->units), is_energy));
    return job_units_check(override, keys->units, &stated);
}

static enum status read_map(struct bioheat_heating *heating, const struct job *job, size_t index)
{
    static const struct source_field_keys keys = {"file", "variable", "units", "axes"};
    struct source_map *map = &heating->maps[heating->map_count++];
    struct job *part;
    snprintf(map->name, sizeof map->name, "%s", job_part_name(job, "source.maps", index));
    snprintf(map->where, sizeof map->where, "%.400s: source.maps.%s", job_path(job), map->name);
    CHECK(job_part_open(job, "source.maps", index, job, &nothing_inherited, &part));
    struct units_override override = {.job = part, .key = "override"};
    enum status status = source_field_open(heating, &keys, &override, false, NULL, map->path, &map->file);
    if (status == STATUS_OK)
        job_units_end(&override, map->path);
    if (status == STATUS_OK)
        status = source_amplitude_read(heating, part, "amplitude", &map->constant, &map->amplitude);
    map->has_means = strcmp(job_string(part, "values"), "means") == 0;
    job_free(part);
    return status;
}

enum status source_maps_read(struct bioheat_heating *heating, const struct job *job)
{
    const size_t count = job_part_count(job, "source.maps");
    const size_t slots = job_has(job, "source.stream") ? SOURCE_SLOTS_MAX : 0,
                 most = BIOHEAT_LAYERS_MAX - slots - job_has(job, "source.pressure");
    if (count > most)
        return job_fail(job, "source.maps", "%zu maps, at most %zu are possible here", count, most);
    heating->maps = calloc(count + 1, sizeof *heating->maps); // with room for a pressure
    if (!heating->maps)
        return FAIL(STATUS_SYSTEM, "no memory for %zu heating maps", count);
    for (size_t k = 0; k < count; k++)
        CHECK(read_map(heating, job, k));
    return STATUS_OK;
}

static enum status plan_file(struct bioheat_heating *heating, struct source_map *map,
                             struct memory_plan *plan)
{
    const struct bioheat_grid *grid = heating->grid;
    const struct field_file_info *info = field_file_info(map->file);
    char name[MEMORY_NAME_MAX];
    if (map->has_means)
        CHECK(memory_plan_add(plan, MEMORY_HOST, heating->precision,
                              SOURCE_OLD_PLANES * grid->cells[BIOHEAT_Y], grid->cells[BIOHEAT_X],
                              &map->old_planes, "source map %s, planes of means", map->name));
    if (info->scratch_bytes)
        CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, info->scratch_bytes, &map->scratch,
                              "source map %s, a slab", map->name));
    snprintf(name, sizeof name, "netCDF chunks, source map %s", map->name);
    if (info->cache_bytes)
        CHECK(memory_plan_add_library(plan, info->cache_bytes, name));
    return STATUS_OK;
}

static enum status plan_pressure(struct bioheat_heating *heating, struct source_map *map,
                                 struct memory_plan *plan)
{
    const size_t cache_bytes = pressure_file_info(map->pressure->file)->cache_bytes;
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, 1, source_pressure_doubles(heating, map->pressure),
                          (void **)&map->pressure->planes, "source pressure, planes"));
    if (cache_bytes)
        CHECK(memory_plan_add_library(plan, cache_bytes, "netCDF chunks, source pressure"));
    return STATUS_OK;
}

// The planes of a map that are read: those held, and beside them one more for differences of means.
static struct bioheat_planes planes_of(const struct bioheat_heating *heating, const struct source_map *map)
{
    struct bioheat_planes planes = bioheat_held(heating->grid);
    if (map->has_means) {
        planes.first -= planes.first > 0;
        planes.end += planes.end < heating->grid->cells[BIOHEAT_Z];
    }
    return planes;
}

enum status source_maps_plan(struct bioheat_heating *heating, struct memory_plan *plan)
{
    const struct bioheat_grid *grid = heating->grid;
    for (int k = 0; k < heating->map_count; k++) {
        struct source_map *map = &heating->maps[k];
        const struct bioheat_planes planes = planes_of(heating, map);
        CHECK(memory_plan_add_rows(plan, MEMORY_PINNED, heating->precision,
                                   planes.first * grid->cells[BIOHEAT_Y], planes.end * grid->cells[BIOHEAT_Y],
                                   grid->cells[BIOHEAT_X], &heating->layers[k], "source %s%s",
                                   map->pressure ? "" : "map ", map->name));
        CHECK(map->pressure ? plan_pressure(heating, map, plan) : plan_file(heating, map, plan));
    }
    return STATUS_OK;
}

static enum status prepare_pressure(struct bioheat_heating *heating, struct source_map *map, void *layer)
{
    const size_t plane = heating->grid->cells[BIOHEAT_Y] * heating->grid->cells[BIOHEAT_X];
    const uint8_t *labels = *bioheat_domain_media(map->pressure->domain)->labels;
    map->pressure->held[0] = map->pressure->held[1] = SIZE_MAX;
    const struct bioheat_planes held = bioheat_held(heating->grid);
    for (size_t z = held.first; z < held.end; z++)
        CHECK_ABOUT(source_pressure_heat(heating, map->pressure, z, labels + z * plane,
                                         (char *)layer + z * plane * element_bytes(heating->precision)),
                    "%s", map->where);
    return STATUS_OK;
}

bool source_planes_read(const struct bioheat_heating *heating, struct field_file *file, size_t record,
                        struct bioheat_planes planes, void *values, void *scratch, struct field_fault *fault)
{
    const size_t *cells = heating->grid->cells, most = field_file_info(file)->slab_planes,
                 plane_bytes = cells[BIOHEAT_Y] * cells[BIOHEAT_X] * element_bytes(heating->precision);
    for (size_t z = planes.first; z < planes.end; z += most) {
        const size_t left = planes.end - z, count = left < most ? left : most;
        if (!field_file_read_planes(file, record, z, count, (char *)values + z * plane_bytes, scratch, fault))
            return false;
    }
    return true;
}

enum status source_maps_prepare(struct bioheat_heating *heating)
{
    for (int k = 0; k < heating->map_count; k++) {
        struct source_map *map = &heating->maps[k];
        struct field_fault fault;
        if (map->pressure) {
            CHECK(prepare_pressure(heating, map, heating->layers[k]));
            continue;
        }
        if (!source_planes_read(heating, map->file, 0, planes_of(heating, map), heating->layers[k],
                                map->scratch, &fault))
            return status_prefix(field_file_fail(map->file, &fault, (double)NAN), "%s", map->where);
        if (map->has_means)
            source_means_to_middles(heating->grid, heating->precision, heating->layers[k], map->old_planes);
    }
    return STATUS_OK;
}
