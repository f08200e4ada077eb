// Entries of one axis by their coordinates (see the header).
#include "validate/compare/coordinates.h"

#include "io/formats/propagation_file.h"
#include "io/time_units.h"
#include "io/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Largest relative rounding error of a coordinate, in single precision and otherwise.
#define ROUNDING_SINGLE 0x1p-22
#define ROUNDING_DOUBLE 1e-12
// Largest tolerance, as a share of the spacing: beyond half of it a neighbour would match.
#define TOLERANCE_MOST 0.4

// One operand's coordinates in the run's units, and the order that sorts them.
struct nodes {
    double *values;
    size_t *order;
    size_t length;
    double spacing; // least distance of neighbours; INFINITY for a single node
    double largest; // |value|
};

// ---- reading coordinates

static void free_nodes(struct nodes *nodes)
{
    free(nodes->values);
    free(nodes->order);
    *nodes = (struct nodes){0};
}

// NOAA's propagation files count time from the event, without a date (io/formats/propagation_file.h).
static bool is_since_event(const struct compare_axis *axis, int operand)
{
    enum propagation_quantity unused;
    return axis->is_time && propagation_is_noaa(axis->operands[operand].variable->base_name, &unused);
}

// The factor between such times and those of the other file, `dated`, whose date is then the event's.
static enum status event_factors(const struct compare_axis *axis, int dated,
                                 const struct compare_remarks *remarks, double *slope)
{
    char units[COMPARE_OPERANDS][DATASET_TEXT_BYTES];
    double offset;
    for (int operand = 0; operand < COMPARE_OPERANDS; operand++) {
        const char *given = axis->operands[operand].coordinate->units;
        snprintf(units[operand], sizeof units[operand], "%s", given[0] ? given : "s");
        char *since = strstr(units[operand], " since ");
        if (operand == dated && since)
            *since = '\0';
    }
    CHECK_ABOUT(units_conversion(units[COMPARE_REFERENCE], units[COMPARE_RUN], slope, &offset),
                "%s and %s: axis %s", compare_axis_path(axis, 0), compare_axis_path(axis, 1),
                axis->operands[0].name);
    compare_note(remarks->notes, "axis %s: the %s counts from the event, taken as the date of the %s",
                 axis->operands[0].name, dated == COMPARE_RUN ? "reference" : "run",
                 dated == COMPARE_RUN ? "run" : "reference");
    return STATUS_OK;
}

// Factors that take the reference's coordinates into the run's units; `shift` is the size of an offset
// between dates, whose rounding the matching must allow for.
static enum status units_factors(struct compare_axis *axis, const struct compare_remarks *remarks,
                                 double *slope, double *offset, double *shift)
{
    const struct dataset_variable *run = axis->operands[COMPARE_RUN].coordinate;
    const struct dataset_variable *reference = axis->operands[COMPARE_REFERENCE].coordinate;
    const bool has_date[2] = {time_units_have_date(run->units), time_units_have_date(reference->units)};
    *slope = 1;
    *offset = *shift = 0;
    if (has_date[0] != has_date[1] && is_since_event(axis, has_date[0] ? COMPARE_REFERENCE : COMPARE_RUN))
        return event_factors(axis, has_date[0] ? COMPARE_RUN : COMPARE_REFERENCE, remarks, slope);
    if (has_date[0] != has_date[1])
        return FAIL(STATUS_DATA,
                    "%s and %s: %s is in \"%s\" in the first and %s in \"%s\" in the second: expected a date "
                    "(\"seconds since ...\") in both or in none",
                    compare_axis_path(axis, 0), compare_axis_path(axis, 1), axis->operands[0].name,
                    run->units, axis->operands[1].name, reference->units);
    if (has_date[0]) {
        CHECK_ABOUT(time_units_conversion(reference->units, reference->calendar, run->units, run->calendar,
                                          slope, offset),
                    "%s and %s: axis %s", compare_axis_path(axis, 0), compare_axis_path(axis, 1),
                    axis->operands[0].name);
        *shift = fabs(*offset);
    } else if (run->units[0] == '\0' || reference->units[0] == '\0') {
        if (strcmp(run->units, reference->units) != 0)
            compare_note(remarks->notes, "axis %s has units (%s) in one file only: taken for both",
                         axis->operands[0].name, run->units[0] ? run->units : reference->units);
    } else if (strcmp(run->units, reference->units) != 0) {
        CHECK_ABOUT(units_conversion(reference->units, run->units, slope, offset),
                    "%s and %s: axis %s is in \"%s\" in the first and \"%s\" in the second",
                    compare_axis_path(axis, 0), compare_axis_path(axis, 1), axis->operands[0].name,
                    run->units, reference->units);
    }
    if (*slope != 1 || *offset != 0)
        compare_note(remarks->notes, "axis %s: \"%s\" of the reference converted to \"%s\"",
                     axis->operands[0].name, reference->units, run->units);
    return STATUS_OK;
}

static int by_value(const void *a, const void *b, void *context)
{
    const double *values = context;
    const size_t i = *(const size_t *)a, j = *(const size_t *)b;
    if (values[i] != values[j])
        return values[i] < values[j] ? -1 : 1;
    return i < j ? -1 : i > j;
}

// Computes order, spacing and size; refuses missing and duplicate coordinates.
static enum status examine(const struct compare_axis *axis, int operand, struct nodes *nodes)
{
    const char *path = compare_axis_path(axis, operand), *name = axis->operands[operand].name;
    nodes->order = calloc(nodes->length + 1, sizeof *nodes->order);
    if (!nodes->order)
        return FAIL(STATUS_SYSTEM, "%s: axis %s: not enough memory for %zu entries", path, name,
                    nodes->length);
    for (size_t k = 0; k < nodes->length; k++) {
        if (!isfinite(nodes->values[k]))
            return FAIL(STATUS_DATA, "%s: axis %s: entry %zu is missing, expected a coordinate", path, name,
                        k);
        nodes->order[k] = k;
        nodes->largest = fmax(nodes->largest, fabs(nodes->values[k]));
    }
    qsort_r(nodes->order, nodes->length, sizeof *nodes->order, by_value, nodes->values);
    nodes->spacing = INFINITY;
    for (size_t k = 1; k < nodes->length; k++) {
        const size_t i = nodes->order[k - 1], j = nodes->order[k];
        const double spacing = nodes->values[j] - nodes->values[i];
        if (!(spacing > 0))
            return FAIL(STATUS_DATA, "%s: axis %s: entries %zu and %zu are both %.9g, expected each once",
                        path, name, i, j, nodes->values[i]);
        nodes->spacing = fmin(nodes->spacing, spacing);
    }
    return STATUS_OK;
}

static enum status read_nodes(struct compare_axis *axis, const struct compare_remarks *remarks,
                              struct nodes nodes[COMPARE_OPERANDS], double *rounding)
{
    double slope, offset, shift;
    *rounding = 0;
    CHECK(units_factors(axis, remarks, &slope, &offset, &shift));
    for (int operand = 0; operand < COMPARE_OPERANDS; operand++) {
        const struct compare_axis_operand *s = &axis->operands[operand];
        CHECK(dataset_read_line(s->file, s->coordinate, &nodes[operand].values, &nodes[operand].length));
        for (size_t k = 0; operand == COMPARE_REFERENCE && k < nodes[operand].length; k++)
            nodes[operand].values[k] = slope * nodes[operand].values[k] + offset;
        CHECK(examine(axis, operand, &nodes[operand]));
        const bool is_single = dataset_is_single(s->coordinate);
        const double size =
            operand == COMPARE_REFERENCE ? fmax(nodes[operand].largest, shift) : nodes[operand].largest;
        *rounding = fmax(*rounding, size * (is_single ? ROUNDING_SINGLE : ROUNDING_DOUBLE));
    }
    return STATUS_OK;
}

// ---- search

// 360 degrees in the run's units if both operands are longitudes, else 0.
static enum status period_of(const struct compare_axis *axis, double *period)
{
    const struct dataset_variable *run = axis->operands[0].coordinate,
                                  *reference = axis->operands[1].coordinate;
    double slope = 1, offset;
    *period = 0;
    if (!run->is_longitude || !reference->is_longitude)
        return STATUS_OK;
    if (run->units[0] != '\0')
        CHECK_ABOUT(units_conversion("degree", run->units, &slope, &offset), "%s: axis %s",
                    compare_axis_path(axis, 0), axis->operands[0].name);
    *period = 360 * fabs(slope);
    return STATUS_OK;
}

// Maps the values to [0, period) and sorts them: a search in them is periodic.
static void wrap_nodes(struct nodes *nodes, double period, double *wrapped)
{
    for (size_t k = 0; k < nodes->length; k++)
        wrapped[k] = nodes->values[k] - period * floor(nodes->values[k] / period);
    qsort_r(nodes->order, nodes->length, sizeof *nodes->order, by_value, wrapped);
}

struct lookup {
    const double *keys; // values, or wrapped ones
    const size_t *order;
    size_t length;
    double period;
};

static double distance(const struct lookup *lookup, double a, double b)
{
    const double apart = fabs(a - b);
    return lookup->period > 0 ? fmin(apart, fabs(lookup->period - apart)) : apart;
}

// Number of sorted keys below `key`.
static size_t count_below(const struct lookup *lookup, double key)
{
    size_t low = 0, high = lookup->length;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (lookup->keys[lookup->order[middle]] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The entry nearest to `key` (length > 0).
static size_t nearest(const struct lookup *lookup, double key)
{
    const size_t n = lookup->length, at = count_below(lookup, key);
    const size_t above = lookup->order[at % n], below = lookup->order[(at + n - 1) % n];
    return distance(lookup, lookup->keys[above], key) <= distance(lookup, lookup->keys[below], key) ? above
                                                                                                    : below;
}

// ---- pairs

static const char *units_of(const struct compare_axis *axis)
{
    const char *run = axis->operands[0].coordinate->units;
    return run[0] ? run : axis->operands[1].coordinate->units;
}

// Entry `at` of operand `here` has no counterpart in the other.
static enum status refuse_entry(const struct compare_axis *axis, int here, const struct nodes *nodes,
                                size_t at, size_t other)
{
    const int there = 1 - here;
    return FAIL(
        STATUS_DATA,
        "%s: %s[%zu] is %.9g %s, which %s does not have: its nearest is %s[%zu], %.9g (%zu and %zu entries)",
        compare_axis_path(axis, here), axis->operands[here].name, at, nodes[here].values[at], units_of(axis),
        compare_axis_path(axis, there), axis->operands[there].name, other, nodes[there].values[other],
        nodes[here].length, nodes[there].length);
}

static enum status refuse_all(const struct compare_axis *axis, const struct nodes *nodes)
{
    double ends[2][2];
    for (int operand = 0; operand < COMPARE_OPERANDS; operand++) {
        ends[operand][0] = ends[operand][1] = nodes[operand].values[0];
        for (size_t k = 1; k < nodes[operand].length; k++) {
            ends[operand][0] = fmin(ends[operand][0], nodes[operand].values[k]);
            ends[operand][1] = fmax(ends[operand][1], nodes[operand].values[k]);
        }
    }
    return FAIL(STATUS_DATA,
                "%s and %s: no entry of %s in common: %zu from %.9g to %.9g in the first, %zu from %.9g to "
                "%.9g in the second (%s)",
                compare_axis_path(axis, 0), compare_axis_path(axis, 1), axis->operands[0].name,
                nodes[0].length, ends[0][0], ends[0][1], nodes[1].length, ends[1][0], ends[1][1],
                units_of(axis));
}

// Notes if the reference's entries are in another order: reversed, or from another meridian on.
static void note_order(const struct compare_axis *axis, const struct compare_remarks *remarks)
{
    const size_t *index = axis->operands[COMPARE_REFERENCE].index;
    size_t up = 0, down = 0;
    for (size_t k = 1; k < axis->count; k++) {
        up += index[k] > index[k - 1];
        down += index[k] < index[k - 1];
    }
    if (down > 0 && up == 0)
        compare_note(remarks->notes, "axis %s runs the other way in the reference: matched by value",
                     axis->operands[0].name);
    else if (down > 0)
        compare_note(remarks->notes, "axis %s is in another order in the reference: matched by value%s",
                     axis->operands[0].name,
                     axis->operands[0].coordinate && axis->operands[0].coordinate->is_longitude
                         ? " round the circle"
                         : "");
}

// Pairs of nodes that are equal within `tolerance`, in the run's order.
static enum status pair_nodes(struct compare_axis *axis, const struct nodes nodes[COMPARE_OPERANDS],
                              const struct lookup lookups[COMPARE_OPERANDS], double tolerance,
                              const struct compare_request *request, const struct compare_remarks *remarks)
{
    const bool takes_part[COMPARE_OPERANDS] = {axis->is_time || request->takes_overlap,
                                               axis->is_time ? !request->needs_all_times
                                                             : request->takes_overlap};
    CHECK(compare_axis_reserve(axis, nodes[0].length, false));
    for (int here = 0; here < COMPARE_OPERANDS; here++) {
        const struct lookup *other = &lookups[1 - here];
        for (size_t k = 0; k < nodes[here].length; k++) {
            const double key = lookups[here].keys[k];
            const size_t found = nearest(other, key);
            const bool is_near = distance(other, other->keys[found], key) <= tolerance;
            if (!is_near && !takes_part[here]) {
                *remarks->hint = axis->is_time ? COMPARE_HINT_TIME : COMPARE_HINT_OVERLAP;
                return refuse_entry(axis, here, nodes, k, found);
            }
            if (is_near && here == COMPARE_RUN)
                compare_axis_push(axis, k, found, nodes[COMPARE_RUN].values[k]);
        }
    }
    if (axis->count == 0) {
        *remarks->hint = axis->is_time ? COMPARE_HINT_TIME : COMPARE_HINT_NONE;
        return refuse_all(axis, nodes);
    }
    note_order(axis, remarks);
    return STATUS_OK;
}

// For one time of the reference: the run's nearest, or the two around it. False if it has none.
static bool find_time(struct compare_axis *axis, const struct nodes *run, const struct lookup *lookup,
                      double time, double tolerance, enum compare_time method)
{
    const size_t found = nearest(lookup, time);
    const double apart = fabs(run->values[found] - time);
    axis->upper[axis->count] = found;
    axis->operands[0].index[axis->count] = found;
    axis->weight[axis->count] = 0;
    if (apart <= tolerance)
        return true;
    const size_t at = count_below(lookup, time), n = run->length;
    if (n < 2)
        return false;
    const size_t below = lookup->order[at == 0 ? 0 : at == n ? n - 2 : at - 1];
    const size_t above = lookup->order[at == 0 ? 1 : at == n ? n - 1 : at];
    const double spacing = run->values[above] - run->values[below];
    if (method == COMPARE_TIME_NEAREST)
        return apart <= 0.5 * spacing + tolerance;
    axis->operands[0].index[axis->count] = below;
    axis->upper[axis->count] = above;
    axis->weight[axis->count] = (time - run->values[below]) / spacing;
    return at > 0 && at < n;
}

// At the reference's times, in its order.
static enum status pair_times(struct compare_axis *axis, const struct nodes nodes[COMPARE_OPERANDS],
                              const struct lookup *run, double tolerance,
                              const struct compare_request *request, const struct compare_remarks *remarks)
{
    const struct nodes *reference = &nodes[COMPARE_REFERENCE];
    size_t between = 0;
    CHECK(compare_axis_reserve(axis, reference->length, true));
    for (size_t k = 0; k < reference->length; k++) {
        const double time = reference->values[k];
        if (!find_time(axis, &nodes[COMPARE_RUN], run, time, tolerance, request->time)) {
            if (request->needs_all_times)
                return refuse_entry(axis, COMPARE_REFERENCE, nodes, k, nearest(run, time));
            continue;
        }
        between += axis->weight[axis->count] != 0;
        compare_axis_push(axis, axis->operands[0].index[axis->count], k, time);
    }
    if (axis->count == 0)
        return refuse_all(axis, nodes);
    if (between > 0)
        compare_note(remarks->notes, "the run is interpolated linearly in time at %zu of %zu times", between,
                     axis->count);
    return STATUS_OK;
}

static double tolerance_of(const struct nodes nodes[COMPARE_OPERANDS], double rounding, double share)
{
    const double spacing = fmin(nodes[0].spacing, nodes[1].spacing);
    if (isinf(spacing))
        return rounding;
    return fmin(fmax(share * spacing, rounding), TOLERANCE_MOST * spacing);
}

static enum status pair_by_coordinates(struct compare_axis *axis, const struct compare_request *request,
                                       const struct compare_remarks *remarks,
                                       struct nodes nodes[COMPARE_OPERANDS])
{
    double rounding, period, *wrapped[COMPARE_OPERANDS] = {NULL, NULL};
    CHECK(read_nodes(axis, remarks, nodes, &rounding));
    CHECK(period_of(axis, &period));
    snprintf(axis->units, sizeof axis->units, "%s", units_of(axis));
    for (int operand = 0; operand < COMPARE_OPERANDS; operand++)
        if (nodes[operand].length == 0)
            return FAIL(STATUS_DATA, "%s: axis %s has no entries", compare_axis_path(axis, operand),
                        axis->operands[operand].name);
    const double share = request->axis_tolerance > 0 ? request->axis_tolerance : COMPARE_AXIS_TOLERANCE;
    const double tolerance = tolerance_of(nodes, rounding, share);
    struct lookup lookups[COMPARE_OPERANDS];
    enum status status = STATUS_OK;
    for (int operand = 0; operand < COMPARE_OPERANDS; operand++) {
        if (period > 0) {
            wrapped[operand] = calloc(nodes[operand].length, sizeof(double));
            if (!wrapped[operand])
                status = FAIL(STATUS_SYSTEM, "%s: axis %s: not enough memory for %zu entries",
                              compare_axis_path(axis, operand), axis->operands[operand].name,
                              nodes[operand].length);
            else
                wrap_nodes(&nodes[operand], period, wrapped[operand]);
        }
        lookups[operand] = (struct lookup){period > 0 ? wrapped[operand] : nodes[operand].values,
                                           nodes[operand].order, nodes[operand].length, period};
    }
    if (status == STATUS_OK && axis->is_time && request->time != COMPARE_TIME_EXACT)
        status = pair_times(axis, nodes, &lookups[COMPARE_RUN], tolerance, request, remarks);
    else if (status == STATUS_OK)
        status = pair_nodes(axis, nodes, lookups, tolerance, request, remarks);
    free(wrapped[0]);
    free(wrapped[1]);
    return status;
}

enum status compare_coordinates_match(struct compare_axis *axis, const struct compare_request *request,
                                      const struct compare_remarks *remarks)
{
    struct nodes nodes[COMPARE_OPERANDS] = {{0}, {0}};
    const enum status status = pair_by_coordinates(axis, request, remarks, nodes);
    free_nodes(&nodes[0]);
    free_nodes(&nodes[1]);
    return status;
}
