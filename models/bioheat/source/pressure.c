// Heat from a field of acoustic pressure: its keys, its first pass, scaling. See private.h, and
// source_pressure_read.c for values and formula.
#include "models/bioheat/source/private.h"

#include "core/log.h"
#include "core/memory_limits.h"
#include "io/units.h"
#include "models/bioheat/body/frame.h"
#include "models/bioheat/body/order.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char pressure_key[] = "source.pressure";

void source_pressure_free(struct source_pressure *pressure)
{
    if (!pressure)
        return;
    pressure_file_close(pressure->file);
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        free(pressure->axes[axis].low);
        free(pressure->axes[axis].weight);
    }
    free(pressure);
}

// ---- the file

static enum status read_units(const struct job *job, struct source_pressure *pressure, const char *path)
{
    const struct pressure_info *info = pressure_file_info(pressure->file);
    const char *given = job_string(job, "source.pressure.units");
    struct units_override override = {.job = job, .key = "source.pressure.override"};
    const bool is_known = info->form == PRESSURE_KWAVE || info->form == PRESSURE_BABELBRAIN;
    const struct stated_units stated = {.path = info->path,
                                        .variable = info->variable,
                                        .units = info->units,
                                        .form = info->has_own_units ? NULL
                                                : is_known          ? pressure_form_name(info->form)
                                                                    : "BabelBrain"};
    if (!given && !info->units[0])
        return job_fail(job, "source.pressure.units",
                        "is missing: %s: variable %s states no units: give them, such as Pa", info->path,
                        info->variable);
    const enum status status = source_units_read_pressure(given ? given : info->units, &pressure->to_pa);
    if (status != STATUS_OK)
        return job_blame(job, given ? "source.pressure.units" : "source.pressure.file",
                         status_prefix(given ? STATUS_CONFIGURATION : status, "%s: variable %s", info->path,
                                       info->variable));
    CHECK(job_units_check(&override, "source.pressure.units", &stated));
    job_units_end(&override, path);
    return STATUS_OK;
}

// A known variable's name says what its values are.
static enum status read_kind(const struct job *job, struct source_pressure *pressure)
{
    static const char *const words[] = {[PRESSURE_AMPLITUDE] = "amplitude", [PRESSURE_RMS] = "rms"};
    const struct pressure_info *info = pressure_file_info(pressure->file);
    const char *given = job_string(job, "source.pressure.kind");
    if (!given && info->kind == PRESSURE_UNKNOWN)
        return job_fail(job, "source.pressure.kind",
                        "is missing: the name of variable %s in %s does not say what its values are: "
                        "\"amplitude\", or \"rms\" (an amplitude divided by the square root of 2)",
                        info->variable, info->path);
    if (given && info->kind != PRESSURE_UNKNOWN && strcmp(given, words[info->kind]) != 0)
        return job_fail(job, "source.pressure.kind",
                        "\"%s\" contradicts %s, whose variable %s is of kind \"%s\"", given, info->path,
                        info->variable, words[info->kind]);
    pressure->is_rms = strcmp(given ? given : words[info->kind], "rms") == 0;
    return STATUS_OK;
}

// Of a file without positions.
static enum status settle_order(const struct job *job, const struct bioheat_grid *grid,
                                struct source_pressure *pressure)
{
    static const char key[] = "source.pressure.axes";
    const struct pressure_info *info = pressure_file_info(pressure->file);
    struct order_file file = {.path = info->path,
                              .variable = info->variable,
                              .is_placed = pressure_file_is_placed(pressure->file),
                              .is_image = info->form == PRESSURE_NIFTI,
                              .is_moved = job_has(job, "source.pressure.origin")};
    struct volume_turn turn;
    pressure_file_cells(pressure->file, file.cells, file.spacing_m);
    CHECK(bioheat_order_settle(job, key, grid, &file, &pressure->is_turned, &turn));
    memcpy(pressure->is_reversed, turn.is_reversed, sizeof pressure->is_reversed);
    if (pressure->is_turned || (!file.is_placed && file.is_image))
        CHECK_KEY(job, "source.pressure.file", pressure_file_turn(pressure->file, &turn));
    return STATUS_OK;
}

static enum status open_file(const struct job *job, const struct bioheat_grid *grid, struct source_map *map)
{
    struct source_pressure *pressure = map->pressure;
    CHECK_KEY(job, "source.pressure.file",
              path_find(job_string(job, "source.pressure.file"), job_directory(job), map->path));
    CHECK_KEY(job, "source.pressure.file",
              pressure_file_open(map->path, job_string(job, "source.pressure.variable"), &pressure->file));
    CHECK(read_units(job, pressure, map->path));
    CHECK(read_kind(job, pressure));
    return settle_order(job, grid, pressure);
}

static enum status read_tissues(const struct job *job, struct source_pressure *pressure)
{
    struct bioheat_acoustics acoustics[BIOHEAT_LABELS];
    pressure->frequency_hz = job_quantity(job, "source.pressure.frequency");
    CHECK(bioheat_domain_acoustics(pressure->domain, pressure->frequency_hz, acoustics));
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        const double impedance = acoustics[label].impedance_pa_s_m;
        pressure->impedance[label] = impedance;
        if (impedance > 0)
            pressure->heat[label] =
                (pressure->is_rms ? 2 : 1) * acoustics[label].attenuation_np_m / impedance;
    }
    return STATUS_OK;
}

// ---- the first pass: is everything there, how much is it

static enum status refuse_outside(const struct bioheat_heating *heating, const struct job *job,
                                  const struct source_pressure *pressure, size_t z, size_t i)
{
    const struct bioheat_grid *grid = heating->grid;
    const struct pressure_info *info = pressure_file_info(pressure->file);
    const size_t at[BIOHEAT_AXES] = {z, i / grid->cells[BIOHEAT_X], i % grid->cells[BIOHEAT_X]};
    double at_m[BIOHEAT_AXES];
    bioheat_cell_scanner_m(grid, at, at_m);
    return job_fail(
        job, "source.pressure.outside",
        "%s: variable %s does not cover the domain's tissue: its %zu x %zu x %zu cells (z, y, x) end "
        "before the cell at (%.5g, %.5g, %.5g) mm of x, y, z%s; \"zero\" means that there is no "
        "pressure beyond them",
        info->path, info->variable, info->cells[0], info->cells[1], info->cells[2], 1e3 * at_m[BIOHEAT_X],
        1e3 * at_m[BIOHEAT_Y], 1e3 * at_m[BIOHEAT_Z], bioheat_frame_name(grid));
}

// Cells that keep their temperature take no power: that of layers of fixed faces is counted apart.
static void add_power(const struct bioheat_grid *grid, struct source_pressure *pressure, int label,
                      const size_t cell[BIOHEAT_AXES], double power_w_m3)
{
    const enum source_place place = source_place_of(grid, cell);
    const double power_w = power_w_m3 * bioheat_cell_volume_m3(grid),
                 heat_capacity_j_m3_k =
                     bioheat_domain_media(pressure->domain)->table[label].heat_capacity_j_m3_k;
    struct source_heat *heat_w = &pressure->heat_w;
    if (place == SOURCE_INSIDE)
        pressure->power_w[label] += power_w;
    else
        heat_w->heat[SOURCE_WARMS][place] += power_w;
    const double rise_k = power_w_m3 / heat_capacity_j_m3_k;
    if (rise_k > heat_w->rise[SOURCE_WARMS][place]) {
        heat_w->rise[SOURCE_WARMS][place] = rise_k;
        if (place == SOURCE_INSIDE)
            heat_w->hottest[SOURCE_WARMS] =
                (double)bioheat_index(grid, cell[BIOHEAT_Z], cell[BIOHEAT_Y], cell[BIOHEAT_X]);
    }
}

// Plane by plane: sums of a label in the order of the cells.
static enum status survey_plane(const struct bioheat_heating *heating, const struct job *job,
                                struct source_pressure *pressure, size_t z, const uint8_t *labels)
{
    const struct bioheat_grid *grid = heating->grid;
    const size_t nx = grid->cells[BIOHEAT_X], count = grid->cells[BIOHEAT_Y] * nx;
    const double to_amplitude = pressure->is_rms ? sqrt(2) : 1;
    const double *values;
    CHECK_KEY(job, "source.pressure.file", source_pressure_plane(heating, pressure, z, &values));
    for (size_t i = 0; i < count; i++) {
        const uint8_t label = labels[i];
        if (!(pressure->impedance[label] > 0)) {
            if (to_amplitude * values[i] > pressure->unsolved_pa[label])
                pressure->unsolved_pa[label] = to_amplitude * values[i];
            continue;
        }
        if (isnan(values[i])) {
            if (!pressure->is_zero_outside)
                return refuse_outside(heating, job, pressure, z, i);
            pressure->outside_cells++;
            continue;
        }
        add_power(grid, pressure, label, (size_t[]){z, i / nx, i % nx},
                  pressure->heat[label] * values[i] * values[i]);
        if (to_amplitude * values[i] > pressure->peak_pa[label]) {
            pressure->peak_pa[label] = to_amplitude * values[i];
            pressure->peak_cell[label] = z * count + i;
        }
    }
    return STATUS_OK;
}

// Before planes of it are allocated and read: a file of a few kilobytes can declare any size.
static enum status check_size(const struct bioheat_heating *heating, const struct job *job,
                              const struct source_pressure *pressure)
{
    static const double longest_m = 10;
    const struct pressure_info *info = pressure_file_info(pressure->file);
    const size_t *own = info->cells, *cells = heating->grid->cells;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (info->has_spacing[axis] && (double)own[axis] * info->spacing_m[axis] > longest_m)
            return job_blame(job, "source.pressure.file",
                             FAIL(STATUS_DATA,
                                  "%s: variable %s is %.3g m long along %s, %zu cells of %.3g mm: expected a "
                                  "field of at most %g m",
                                  info->path, info->variable, (double)own[axis] * info->spacing_m[axis],
                                  bioheat_axis_names[axis], own[axis], 1e3 * info->spacing_m[axis],
                                  longest_m));
    // Of source_pressure_doubles, in numbers that do not overflow.
    const double bytes = 8 * (3 * (double)own[BIOHEAT_Y] * (double)own[BIOHEAT_X] +
                              (double)cells[BIOHEAT_Y] * (double)cells[BIOHEAT_X]);
    const bool has_limit = job_has(job, "memory.host");
    const double given = has_limit ? (double)job_integer(job, "memory.host") : INFINITY;
    const double most = fmin(given, (double)memory_limits_find("").available);
    char needed[24], left[24];
    return bytes <= most
               ? STATUS_OK
               : job_blame(job, "source.pressure.file",
                           FAIL(STATUS_SYSTEM,
                                "%s: planes of %zu x %zu cells (y, x) need %s of memory, %s leaves %s",
                                info->path, own[BIOHEAT_Y], own[BIOHEAT_X],
                                units_format_bytes(bytes, needed, sizeof needed),
                                most < given ? "the machine" : "memory.host",
                                units_format_bytes(most, left, sizeof left)));
}

static enum status survey(struct bioheat_heating *heating, const struct job *job,
                          struct source_pressure *pressure)
{
    const size_t cells = heating->grid->cells[BIOHEAT_Y] * heating->grid->cells[BIOHEAT_X];
    char *memory = malloc(source_label_bytes(cells) + 2 * cells * sizeof(double));
    enum status status = memory ? source_pressure_hold(heating, pressure)
                                : FAIL(STATUS_SYSTEM, "no memory for a plane of labels");
    for (size_t z = 0; z < heating->grid->cells[BIOHEAT_Z] && status == STATUS_OK; z++) {
        uint8_t *labels = (uint8_t *)memory;
        status = bioheat_domain_read_labels(pressure->domain, z, labels,
                                            (double *)(void *)(memory + source_label_bytes(cells)));
        if (status == STATUS_OK)
            status = survey_plane(heating, job, pressure, z, labels);
    }
    source_pressure_let_go(pressure);
    free(memory);
    return status;
}

struct source_heat source_pressure_heat_w(const struct source_pressure *pressure)
{
    struct source_heat first = pressure->heat_w, heat_w = {0};
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        first.heat[SOURCE_WARMS][SOURCE_INSIDE] += pressure->power_w[label];
    source_heat_add(&heat_w, &first, (const double[SOURCE_SIGNS]){pressure->factor * pressure->factor, 0});
    return heat_w;
}

// Of equal intensities the first label.
double bioheat_heating_unheated(const struct bioheat_heating *heating, const char **tissue)
{
    double largest = 0;
    *tissue = "";
    for (int k = 0; k < heating->map_count; k++) {
        const struct source_pressure *pressure = heating->maps[k].pressure;
        double solved_pa = 0;
        for (int label = 0; pressure && label < BIOHEAT_LABELS; label++)
            if (pressure->impedance[label] > 0)
                solved_pa = fmax(solved_pa, pressure->peak_pa[label]);
        for (int label = 0; pressure && label < BIOHEAT_LABELS; label++) {
            const double ratio = solved_pa > 0 ? pressure->unsolved_pa[label] / solved_pa : 0;
            if (!bioheat_domain_is_unsolved_tissue(pressure->domain, label) || !(ratio * ratio > largest))
                continue;
            largest = ratio * ratio;
            *tissue = bioheat_domain_label_name(pressure->domain, label);
        }
    }
    return largest;
}

// ---- scaling

// A largest intensity of less is one of a wrong unit: kPa or W m-2 where Pa or W cm-2 is stated.
static const double least_usual_w_m2 = 100; // 0.01 W/cm2
static const char isppa_word[] = "isppa";

// Of the labels with that tissue (NULL: all), at the factor 1 of the heat: the largest amplitude, the largest
// intensity, the power.
struct totals {
    double peak_pa, isppa_w_m2, power_w;
    int peak_label;
    bool has_tissue;
};

static struct totals sum_up(const struct source_pressure *pressure, const char *tissue)
{
    struct totals totals = {.peak_label = -1};
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        const double impedance = pressure->impedance[label], peak = pressure->peak_pa[label];
        if (!(impedance > 0) ||
            (tissue && strcmp(tissue, bioheat_domain_label_name(pressure->domain, label)) != 0))
            continue;
        totals.has_tissue = true;
        totals.power_w += pressure->power_w[label];
        totals.isppa_w_m2 = fmax(totals.isppa_w_m2, peak * peak / (2 * impedance));
        if (totals.peak_label < 0 || peak > totals.peak_pa) {
            totals.peak_pa = peak;
            totals.peak_label = label;
        }
    }
    return totals;
}

static enum status read_scaling(const struct job *job, struct source_pressure *pressure)
{
    static const char *const keys[] = {"source.pressure.scale_to.peak_pressure",
                                       "source.pressure.scale_to.isppa",
                                       "source.pressure.scale_to.absorbed_power"};
    static const char block[] = "source.pressure.scale_to";
    static const double least_pa = 1e-9; // of a normalised field too; what rounding leaves is less
    const char *tissue = job_string(job, "source.pressure.scale_to.tissue"), *key = NULL;
    const struct totals totals = sum_up(pressure, tissue);
    const double found[] = {totals.peak_pa * totals.peak_pa, totals.isppa_w_m2, totals.power_w};
    pressure->factor = 1;
    if (!job_has(job, block))
        return STATUS_OK;
    if (!totals.has_tissue)
        return job_fail(job, "source.pressure.scale_to.tissue", "\"%.60s\" is no heated tissue of this job",
                        tissue);
    for (int k = 0; k < 3; k++) {
        if (!job_has(job, keys[k]))
            continue;
        if (key)
            return job_fail(job, block,
                            "has several of peak_pressure, isppa, absorbed_power: one is expected");
        key = keys[k];
        if (totals.peak_pa > 0 && !(totals.peak_pa >= least_pa))
            return job_fail(job, key,
                            "cannot be reached: the largest amplitude%s%s, %g Pa, is too small to be scaled",
                            tissue ? " in " : "", tissue ? tissue : "", totals.peak_pa);
        if (!(found[k] > 0))
            return job_fail(job, key, "cannot be reached: there is no pressure%s%s, or it gives no heat",
                            tissue ? " in " : "", tissue ? tissue : "");
        const double target = job_quantity(job, key);
        if (k == 1 && target < least_usual_w_m2)
            log_warning(
                "%s: %.40s is %.3g W/cm2, hardly an intensity of ultrasound in tissue: is W cm-2 meant?", key,
                job_string(job, key), 1e-4 * target);
        pressure->factor = sqrt((k == 0 ? target * target : target) / found[k]);
        snprintf(pressure->scaled_to, sizeof pressure->scaled_to, "%s %.40s", key + sizeof block,
                 job_string(job, key));
    }
    return key ? STATUS_OK : job_fail(job, block, "expected one of peak_pressure, isppa, absorbed_power");
}

// What the run applies at the largest amplitude: factors of the file's pressure and of its heat.
struct applied {
    double largest, pressure, heat, duty;
};

static struct applied applied_of(const struct source_map *map)
{
    const double largest = source_time_largest(map->amplitude),
                 square = map->pressure->factor * map->pressure->factor;
    return (struct applied){largest, map->pressure->factor * sqrt(fmax(0, largest)), square * largest,
                            source_time_duty(map->amplitude)};
}

bool bioheat_heating_is_silent(const struct bioheat_heating *heating)
{
    for (int k = 0; k < heating->map_count; k++)
        if (heating->maps[k].pressure && !(sum_up(heating->maps[k].pressure, NULL).peak_pa > 0))
            return true;
    return false;
}

// ---- the job

// Scanner's position (m) of the largest pressure of a label.
static void find_peak(const struct bioheat_heating *heating, const struct source_pressure *pressure,
                      int label, double at_m[BIOHEAT_AXES])
{
    size_t cell[BIOHEAT_AXES];
    bioheat_cell_at(heating->grid, pressure->peak_cell[label], cell);
    bioheat_cell_scanner_m(heating->grid, cell, at_m);
}

// read_scaling has said so of an intensity that the job states.
static void warn_of_little(const struct source_map *map, const struct totals *totals,
                           const struct applied *applied)
{
    const struct source_pressure *pressure = map->pressure;
    const double isppa_w_m2 = applied->heat * totals->isppa_w_m2;
    if (isppa_w_m2 > 0 && isppa_w_m2 < least_usual_w_m2 &&
        strncmp(pressure->scaled_to, isppa_word, sizeof isppa_word - 1) != 0)
        log_warning("%s: the largest amplitude is %.3g Pa and the largest intensity (Isppa) %.3g W/cm2, "
                    "hardly an intensity of ultrasound in tissue: are the values of %s in another unit than "
                    "%s, or not scaled?",
                    map->where, applied->pressure * totals->peak_pa, 1e-4 * isppa_w_m2, map->path,
                    pressure->to_pa == 1 ? "Pa" : "that stated");
}

static void tell(const struct bioheat_heating *heating, const struct source_map *map)
{
    const struct source_pressure *pressure = map->pressure;
    const struct totals totals = sum_up(pressure, NULL);
    const struct applied applied = applied_of(map);
    if (pressure->outside_cells > 0)
        log_warning("%s: %zu cells of tissue lie outside %s and get no heat", map->where,
                    pressure->outside_cells, map->path);
    char mean[64] = "", factor[96] = "";
    if (applied.duty < 1)
        snprintf(mean, sizeof mean, ", %.4g W/cm2 over a pulse period (Ispta)",
                 1e-4 * applied.heat * applied.duty * totals.isppa_w_m2);
    if (applied.largest != 1)
        snprintf(factor, sizeof factor, "; with the largest factor of the heat, %.6g", applied.largest);
    const struct pressure_info *info = pressure_file_info(pressure->file);
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (info->has_spacing[axis] && heating->grid->spacing_m[axis] > 1.5 * info->spacing_m[axis])
            log_warning(
                "%s: along %s the domain's cells are %.2g times as long as those of %s: the pressure is "
                "taken at their middles, not averaged",
                map->where, bioheat_axis_names[axis], heating->grid->spacing_m[axis] / info->spacing_m[axis],
                map->path);
    double at_m[BIOHEAT_AXES] = {0};
    if (totals.peak_label >= 0)
        find_peak(heating, pressure, totals.peak_label, at_m);
    if (!(totals.peak_pa > 0))
        log_warning("%s: %s has no pressure in the domain's tissue: nothing is heated", map->where,
                    map->path);
    else if (totals.peak_label >= 0)
        log_info("source.pressure: largest amplitude %.4g MPa, in %s at (%.5g, %.5g, %.5g) mm%s; largest "
                 "intensity %.4g W/cm2 (Isppa)%s; absorbed %.4g W%s",
                 1e-6 * applied.pressure * totals.peak_pa,
                 bioheat_domain_label_name(pressure->domain, totals.peak_label), 1e3 * at_m[BIOHEAT_X],
                 1e3 * at_m[BIOHEAT_Y], 1e3 * at_m[BIOHEAT_Z], bioheat_frame_name(heating->grid),
                 1e-4 * applied.heat * totals.isppa_w_m2, mean, applied.heat * totals.power_w, factor);
    warn_of_little(map, &totals, &applied);
}

// Absorbed sound heats: a factor of less than 0 would cool, and a verdict on it would be wrong. A value of a
// file is a mistake of the file.
static enum status check_factor(const struct job *job, const struct source_time *factor)
{
    static const char key[] = "source.pressure.amplitude";
    const char *what = factor->path[0] ? factor->path : "values";
    switch (factor->kind) {
    case SOURCE_CONSTANT:
        return factor->constant >= 0 ? STATUS_OK
                                     : job_fail(job, key, "%g: sound does not cool", factor->constant);
    case SOURCE_PULSES:
        return factor->given.amplitude >= 0
                   ? STATUS_OK
                   : job_fail(job, key, "source.protocols.%s: amplitude: %g: sound does not cool",
                              factor->name, factor->given.amplitude);
    case SOURCE_TABLE:
        break;
    }
    for (size_t k = 0; k < factor->axis.records; k++)
        if (!(factor->values[k] >= 0))
            return job_blame(job, key,
                             FAIL(factor->path[0] ? STATUS_DATA : STATUS_CONFIGURATION,
                                  "source.tables.%s: %s: entry %zu: %g: sound does not cool", factor->name,
                                  what, k, factor->values[k]));
    return STATUS_OK;
}

static enum status read_pressure(struct bioheat_heating *heating, const struct job *job,
                                 struct source_map *map)
{
    struct source_pressure *pressure = map->pressure;
    CHECK(open_file(job, heating->grid, map));
    CHECK(read_tissues(job, pressure));
    CHECK(check_size(heating, job, pressure));
    CHECK(source_pressure_map_axes(heating, job, pressure));
    pressure->is_zero_outside = strcmp(job_string(job, "source.pressure.outside"), "zero") == 0;
    CHECK(survey(heating, job, pressure));
    CHECK(read_scaling(job, pressure));
    CHECK(source_amplitude_read(heating, job, "source.pressure.amplitude", &map->constant, &map->amplitude));
    CHECK(check_factor(job, map->amplitude));
    source_sound_settle(map);
    CHECK(source_sound_check(job, map));
    tell(heating, map);
    return STATUS_OK;
}

enum status source_pressure_read(struct bioheat_heating *heating, const struct job *job,
                                 struct bioheat_domain *domain)
{
    if (!job_has(job, pressure_key))
        return STATUS_OK;
    if (!domain)
        return job_fail(job, pressure_key, "needs a domain with tissues");
    struct source_map *map = &heating->maps[heating->map_count];
    map->pressure = calloc(1, sizeof *map->pressure);
    if (!map->pressure)
        return FAIL(STATUS_SYSTEM, "no memory for a pressure field");
    heating->map_count++;
    map->pressure->domain = domain;
    snprintf(map->name, sizeof map->name, "pressure");
    snprintf(map->where, sizeof map->where, "%.400s: %s", job_path(job), pressure_key);
    return read_pressure(heating, job, map);
}

// ---- the report

// Of this field alone.
static double share_in_layers(const struct source_pressure *pressure)
{
    const struct source_heat heat_w = source_pressure_heat_w(pressure);
    const double *by_place_w = heat_w.heat[SOURCE_WARMS], layers_w = by_place_w[SOURCE_IN_LAYER],
                 all_w = by_place_w[SOURCE_INSIDE] + layers_w;
    return all_w > 0 ? layers_w / all_w : 0;
}

void source_pressure_describe(const struct bioheat_heating *heating, const struct source_map *map,
                              cJSON *item)
{
    const struct source_pressure *pressure = map->pressure;
    const struct pressure_info *info = pressure_file_info(pressure->file);
    const struct totals totals = sum_up(pressure, NULL);
    const struct applied applied = applied_of(map);
    double at_m[BIOHEAT_AXES];
    cJSON_AddStringToObject(item, "variable", info->variable);
    cJSON_AddStringToObject(item, "form", pressure_form_name(info->form));
    cJSON_AddStringToObject(item, "kind", pressure->is_rms ? "rms" : "amplitude");
    cJSON_AddNumberToObject(item, "frequency_hz", pressure->frequency_hz);
    cJSON_AddStringToObject(item, "interpolation", pressure->is_interpolated ? "trilinear" : "none");
    if (!pressure_file_is_placed(pressure->file))
        cJSON_AddStringToObject(item, "axes", pressure->is_turned ? "image" : "ascending");
    cJSON_AddNumberToObject(item, "cells_outside", (double)pressure->outside_cells);
    if (pressure->scaled_to[0])
        cJSON_AddStringToObject(item, "scaled_to", pressure->scaled_to);
    cJSON_AddNumberToObject(item, "pressure_factor", pressure->factor);
    if (totals.peak_label < 0)
        return;
    // Pressure, intensities and power are those at this factor of the heat.
    cJSON_AddNumberToObject(item, "largest_factor", applied.largest);
    cJSON_AddNumberToObject(item, "largest_amplitude_pa", applied.pressure * totals.peak_pa);
    cJSON_AddStringToObject(item, "largest_in",
                            bioheat_domain_label_name(pressure->domain, totals.peak_label));
    cJSON *place = cJSON_AddObjectToObject(item, "largest_at_m");
    find_peak(heating, pressure, totals.peak_label, at_m);
    for (int axis = BIOHEAT_AXES - 1; axis >= 0; axis--)
        cJSON_AddNumberToObject(place, bioheat_axis_names[axis], at_m[axis]);
    cJSON_AddNumberToObject(item, "isppa_w_m2", applied.heat * totals.isppa_w_m2);
    if (!isnan(applied.duty))
        cJSON_AddNumberToObject(item, "ispta_w_m2", applied.heat * applied.duty * totals.isppa_w_m2);
    cJSON_AddNumberToObject(item, "absorbed_power_w", applied.heat * totals.power_w);
    cJSON_AddNumberToObject(item, "fixed_layers_share", share_in_layers(pressure));
}
