// Histograms and volumes of the tissues: see tables.h.
#include "core/log.h"
#include "models/bioheat/instance.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static const double first_c = 37, step_c = 0.5, lesion_min = 240, level_c[] = {43, 50};
static const double decade_bins = 10, first_decade = -3;

int bioheat_histogram_thresholds(enum histogram_kind kind)
{
    return kind == HISTOGRAM_TEMPERATURE ? HISTOGRAM_TEMPERATURES : HISTOGRAM_DOSES;
}

const char *bioheat_histogram_name(enum histogram_kind kind)
{
    static const char *const names[] = {"temperature_volume", "dose_volume", "second_dose_volume"};
    return names[kind];
}

static void set_thresholds(struct bioheat_volumes *v)
{
    for (int k = 0; k < HISTOGRAM_TEMPERATURES; k++)
        v->thresholds[HISTOGRAM_TEMPERATURE][k] = first_c + step_c * k;
    for (int k = 0; k < HISTOGRAM_DOSES; k++)
        v->thresholds[HISTOGRAM_DOSE][k] = v->thresholds[HISTOGRAM_SECOND_DOSE][k] =
            pow(10, first_decade + k / decade_bins);
}

enum status bioheat_histogram_plan(struct bioheat *b)
{
    struct bioheat_volumes *v = &b->volumes;
    const struct bioheat_physics *physics = &b->params.physics;
    const bool is_kept[] = {physics->has_maximum, physics->dose != BIOHEAT_DOSE_OFF,
                            physics->second_dose != BIOHEAT_DOSE_OFF};
    set_thresholds(v);
    for (int kind = 0; kind < HISTOGRAM_KINDS && b->params.has_histograms; kind++)
        if (is_kept[kind]) {
            const size_t count =
                (size_t)b->tissues.count * (size_t)bioheat_histogram_thresholds((enum histogram_kind)kind);
            v->cells[kind] = calloc(count, sizeof *v->cells[kind]);
            if (!v->cells[kind])
                return FAIL(STATUS_SYSTEM, "no memory for histograms of %d tissues", b->tissues.count);
        }
    return STATUS_OK;
}

void bioheat_histogram_begin(struct bioheat *b)
{
    struct bioheat_volumes *v = &b->volumes;
    memset(v->all, 0, sizeof v->all);
    memset(v->target, 0, sizeof v->target);
    v->target_cells = 0;
    for (int kind = 0; kind < HISTOGRAM_KINDS; kind++)
        v->target_largest[kind] = NAN;
    for (int kind = 0; kind < HISTOGRAM_KINDS; kind++)
        if (v->cells[kind])
            memset(v->cells[kind], 0,
                   (size_t)b->tissues.count *
                       (size_t)bioheat_histogram_thresholds((enum histogram_kind)kind) *
                       sizeof *v->cells[kind]);
}

// The last threshold that is not above the value; −1: all are.
static int bin_of(const double *thresholds, int count, double value)
{
    int low = -1, high = count;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(thresholds[middle] <= value ? &low : &high) = middle;
    }
    return low;
}

static bool is_in_target(const struct bioheat_params *p, const size_t cell[BIOHEAT_AXES])
{
    double square_m2 = 0, at_m[BIOHEAT_AXES];
    if (!p->has_target)
        return false;
    bioheat_cell_scanner_m(&p->body.grid, cell, at_m);
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const double by_m = at_m[axis] - p->target_m[axis];
        square_m2 += by_m * by_m;
    }
    return square_m2 <= p->target_radius_m * p->target_radius_m * (1 + 1e-9);
}

void bioheat_histogram_add(struct bioheat *b, const size_t cell[BIOHEAT_AXES], int slot, double largest_c,
                           double dose_min, double second_min)
{
    struct bioheat_volumes *v = &b->volumes;
    const double values[] = {largest_c, dose_min, second_min};
    const bool is_target = is_in_target(&b->params, cell),
               is_beyond[LEVELS] = {largest_c >= level_c[0], largest_c >= level_c[1], dose_min >= lesion_min,
                                    second_min >= lesion_min};
    v->target_cells += is_target;
    for (int k = 0; k < LEVELS; k++) {
        v->all[k] += is_beyond[k];
        v->target[k] += is_beyond[k] && is_target;
    }
    for (int kind = 0; kind < HISTOGRAM_KINDS; kind++) {
        if (is_target)
            v->target_largest[kind] = fmax(v->target_largest[kind], values[kind]);
        const int count = bioheat_histogram_thresholds((enum histogram_kind)kind);
        const int bin = v->cells[kind] ? bin_of(v->thresholds[kind], count, values[kind]) : -1;
        if (bin >= 0)
            v->cells[kind][slot * count + bin]++;
    }
}

void bioheat_histogram_end(struct bioheat *b)
{
    for (int kind = 0; kind < HISTOGRAM_KINDS; kind++) {
        const int count = bioheat_histogram_thresholds((enum histogram_kind)kind);
        uint64_t *cells = b->volumes.cells[kind];
        for (int slot = 0; slot < b->tissues.count && cells; slot++)
            for (int k = count - 2; k >= 0; k--)
                cells[slot * count + k] += cells[slot * count + k + 1];
    }
}

double bioheat_histogram_m3(const struct bioheat *b, enum histogram_kind kind, int slot, int threshold)
{
    return (double)b->volumes.cells[kind][slot * bioheat_histogram_thresholds(kind) + threshold] *
           bioheat_cell_volume_m3(&b->params.body.grid);
}

// ---- histograms.nc

enum status bioheat_histogram_stream(struct bioheat *b, struct stream *stream)
{
    static const char *const texts[] = {
        "volume of the tissue whose largest temperature is at least the threshold",
        "volume of the tissue whose thermal dose is at least the threshold",
        "volume of the tissue whose thermal dose by the second definition is at least the threshold"};
    struct bioheat_volumes *v = &b->volumes;
    for (int slot = 0; slot < b->tissues.count; slot++)
        b->tissues.names[slot] = bioheat_tissue_name(b, b->tissues.labels[slot]);
    *stream = (struct stream){
        .name = "histograms",
        .title = "temperature-volume and dose-volume histograms of the tissues",
        .comment = "cumulative: volume with at least the threshold, over the whole run",
        .element = ELEMENT_F64,
        .records_per_frame = 1,
        .axis_count = 3,
        .axes = {{.name = "tissue", .length = (size_t)b->tissues.count},
                 {.name = "temperature",
                  .long_name = "threshold of the largest temperature",
                  .units = "degC",
                  .length = HISTOGRAM_TEMPERATURES,
                  .values = v->thresholds[HISTOGRAM_TEMPERATURE]},
                 {.name = "dose",
                  .long_name = "threshold of the thermal dose, cumulative equivalent minutes at 43 degC",
                  .units = "min",
                  .length = HISTOGRAM_DOSES,
                  .values = v->thresholds[HISTOGRAM_DOSE]}},
        .constant_count = 1,
        .constants = {{.name = "tissue_name", .long_name = "name of the tissue", .texts = b->tissues.names}}};
    const bool is_kept[] = {b->params.physics.has_maximum, b->params.physics.dose != BIOHEAT_DOSE_OFF,
                            b->params.physics.second_dose != BIOHEAT_DOSE_OFF};
    for (int kind = 0; kind < HISTOGRAM_KINDS; kind++)
        if (is_kept[kind])
            stream->variables[stream->variable_count++] =
                (struct stream_variable){.name = bioheat_histogram_name((enum histogram_kind)kind),
                                         .long_name = texts[kind],
                                         .units = "m3",
                                         .rank = 2,
                                         .axes = {0, kind == HISTOGRAM_TEMPERATURE ? 1 : 2}};
    return STATUS_OK;
}

void bioheat_histogram_capture(const struct bioheat *b, double *record)
{
    for (int kind = 0; kind < HISTOGRAM_KINDS; kind++)
        for (int slot = 0; slot < b->tissues.count && b->volumes.cells[kind]; slot++)
            for (int k = 0; k < bioheat_histogram_thresholds((enum histogram_kind)kind); k++)
                *record++ = bioheat_histogram_m3(b, (enum histogram_kind)kind, slot, k);
}

// ---- run.json

static void add_volumes(const struct bioheat *b, cJSON *object, const uint64_t cells[LEVELS])
{
    static const char *const names[] = {"at_least_43_degC_m3", "at_least_50_degC_m3", "at_least_240_cem43_m3",
                                        "at_least_240_cem43_by_second_dose_m3"};
    const struct bioheat_physics *physics = &b->params.physics;
    const bool is_known[] = {physics->has_maximum, physics->has_maximum, physics->dose != BIOHEAT_DOSE_OFF,
                             physics->second_dose != BIOHEAT_DOSE_OFF};
    for (int k = 0; k < LEVELS; k++)
        if (is_known[k])
            cJSON_AddNumberToObject(object, names[k],
                                    (double)cells[k] * bioheat_cell_volume_m3(&b->params.body.grid));
}

// The label with the hottest cell of all tissue; −1: the largest temperatures are not kept.
static int hottest_label(const struct bioheat *b)
{
    int hottest = -1;
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        const struct bioheat_exposure *e = &b->exposures.of[label];
        if (e->cells > 0 && !isnan(e->largest_c) &&
            (hottest < 0 || e->largest_c > b->exposures.of[hottest].largest_c))
            hottest = label;
    }
    return hottest;
}

double bioheat_target_distance_m(const struct bioheat *b, int *label)
{
    static const double rounding = 1e-4; // of a cell: the target is its middle
    double square_m2 = 0, at_m[BIOHEAT_AXES];
    *label = b->params.has_target && b->exposures.is_known ? hottest_label(b) : -1;
    if (*label >= 0)
        bioheat_cell_scanner_m(&b->params.body.grid, b->exposures.of[*label].warmest, at_m);
    for (int axis = 0; axis < BIOHEAT_AXES && *label >= 0; axis++) {
        const double by_m = at_m[axis] - b->params.target_m[axis];
        square_m2 += by_m * by_m;
    }
    const double distance_m = sqrt(square_m2);
    if (*label < 0)
        return NAN;
    return distance_m < rounding * b->params.body.grid.spacing_m[BIOHEAT_X] ? 0 : distance_m;
}

void bioheat_target_log(const struct bioheat *b)
{
    static const double far_m = 0.01;
    int label;
    const double distance_m = bioheat_target_distance_m(b, &label);
    if (label < 0)
        return;
    const double inside_c = b->volumes.target_largest[HISTOGRAM_TEMPERATURE],
                 inside_min = b->volumes.target_largest[HISTOGRAM_DOSE];
    char dose[32] = "";
    if (!isnan(inside_min)) // it is kept
        snprintf(dose, sizeof dose, ", %.3g CEM43", inside_min);
    const char *tissue = bioheat_tissue_name(b, label);
    if (b->volumes.target_cells == 0)
        log_warning("output.target: the target holds no tissue; the hottest cell, in %s, lies %.3g mm away",
                    tissue, 1e3 * distance_m);
    else if (distance_m > far_m && bioheat_terms(bioheat_heating_source(b->heating)) > 0)
        log_warning("the hottest cell, in %s, lies %.3g mm from the target (output.target), in which the "
                    "largest temperature is %.2f °C",
                    tissue, 1e3 * distance_m, inside_c);
    else
        log_info("target: %.2f °C%s; the hottest cell, in %s, is %.3g mm away", inside_c, dose, tissue,
                 1e3 * distance_m);
}

// null: an infinite dose.
static void add_value(cJSON *object, const char *name, double value)
{
    if (isfinite(value))
        cJSON_AddNumberToObject(object, name, value);
    else if (!isnan(value))
        cJSON_AddNullToObject(object, name);
}

static void describe_target(const struct bioheat *b, cJSON *report)
{
    static const char *const keys[] = {"z_m", "y_m", "x_m"}, *const largest[] = {"largest_temperature_degC",
                                                                                 "largest_dose_min",
                                                                                 "largest_second_dose_min"};
    const struct bioheat_params *p = &b->params;
    int label;
    const double distance_m = bioheat_target_distance_m(b, &label);
    cJSON *target = cJSON_AddObjectToObject(report, "target");
    for (int axis = BIOHEAT_X; axis >= 0; axis--)
        cJSON_AddNumberToObject(target, keys[axis], p->target_m[axis]);
    cJSON_AddNumberToObject(target, "radius_m", p->target_radius_m);
    cJSON_AddNumberToObject(target, "tissue_m3",
                            (double)b->volumes.target_cells * bioheat_cell_volume_m3(&p->body.grid));
    for (int kind = 0; kind < HISTOGRAM_KINDS; kind++)
        add_value(target, largest[kind], b->volumes.target_largest[kind]);
    add_volumes(b, target, b->volumes.target);
    if (label < 0)
        return;
    cJSON *place = cJSON_AddObjectToObject(target, "hottest_place");
    double at_m[BIOHEAT_AXES];
    bioheat_cell_scanner_m(&p->body.grid, b->exposures.of[label].warmest, at_m);
    for (int axis = BIOHEAT_X; axis >= 0; axis--)
        cJSON_AddNumberToObject(place, keys[axis], at_m[axis]);
    cJSON_AddStringToObject(target, "hottest_tissue", bioheat_tissue_name(b, label));
    cJSON_AddNumberToObject(target, "hottest_distance_m", distance_m);
}

static void describe_tissue(const struct bioheat *b, int slot, cJSON *tissues)
{
    const int label = b->tissues.labels[slot];
    const struct bioheat_exposure *e = &b->exposures.of[label];
    if (e->cells == 0)
        return;
    cJSON *item = cJSON_AddObjectToObject(tissues, bioheat_tissue_name(b, label));
    add_value(item, "largest_temperature_degC", e->largest_c);
    add_value(item, "largest_dose_min", e->largest_dose_min);
    add_value(item, "largest_second_dose_min", e->largest_second_min);
    for (int kind = 0; kind < HISTOGRAM_KINDS; kind++) {
        if (!b->volumes.cells[kind])
            continue;
        char name[64];
        snprintf(name, sizeof name, "%s_m3", bioheat_histogram_name((enum histogram_kind)kind));
        cJSON *list = cJSON_AddArrayToObject(item, name);
        for (int k = 0; k < bioheat_histogram_thresholds((enum histogram_kind)kind); k++)
            cJSON_AddItemToArray(
                list, cJSON_CreateNumber(bioheat_histogram_m3(b, (enum histogram_kind)kind, slot, k)));
    }
}

void bioheat_histogram_describe(const struct bioheat *b, cJSON *report)
{
    if (!b->exposures.is_known)
        return;
    if (b->params.physics.has_maximum || b->params.physics.dose != BIOHEAT_DOSE_OFF)
        add_volumes(b, cJSON_AddObjectToObject(report, "volumes"), b->volumes.all);
    if (b->params.has_target)
        describe_target(b, report);
    cJSON *distributions = cJSON_AddObjectToObject(report, "distributions");
    if (b->params.has_histograms) {
        cJSON *thresholds = cJSON_AddObjectToObject(distributions, "thresholds");
        cJSON_AddItemToObject(
            thresholds, "temperature_degC",
            cJSON_CreateDoubleArray(b->volumes.thresholds[HISTOGRAM_TEMPERATURE], HISTOGRAM_TEMPERATURES));
        cJSON_AddItemToObject(
            thresholds, "dose_min",
            cJSON_CreateDoubleArray(b->volumes.thresholds[HISTOGRAM_DOSE], HISTOGRAM_DOSES));
    }
    cJSON *tissues = cJSON_AddObjectToObject(distributions, "tissues");
    for (int slot = 0; slot < b->tissues.count; slot++)
        describe_tissue(b, slot, tissues);
}
