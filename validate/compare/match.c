// Dimensions and units of two variables (see match.h). Reads coordinates and places, no values.
#include "validate/compare/match.h"

#include "io/propagation_file.h"
#include "io/time_units.h"
#include "io/units.h"
#include "validate/compare/stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---- dimensions

struct shape {
    int rank;
    struct compare_axis_side axes[DATASET_RANK_MAX];
    int partner[DATASET_RANK_MAX]; // of the other side, or −1
};

static enum status describe(const struct dataset *file, const struct dataset_variable *variable,
                            struct shape *shape)
{
    memset(shape, 0, sizeof *shape);
    shape->rank = variable->rank;
    for (int k = 0; k < variable->rank; k++) {
        struct compare_axis_side *axis = &shape->axes[k];
        *axis = (struct compare_axis_side){.file = file,
                                           .variable = variable,
                                           .dimension = k,
                                           .length = variable->lengths[k],
                                           .coordinate = dataset_coordinate(file, variable, k)};
        if (axis->coordinate)
            snprintf(axis->name, sizeof axis->name, "%s", axis->coordinate->name);
        else
            snprintf(axis->name, sizeof axis->name, "%s", variable->dimension_names[k]);
        shape->partner[k] = -1;
    }
    return STATUS_OK;
}

static enum netcdf_role role_of(const struct compare_axis_side *axis)
{
    return axis->coordinate ? axis->coordinate->role : NETCDF_ROLE_NONE;
}

static const char *base_of(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

static bool are_same_role(const struct compare_axis_side *a, const struct compare_axis_side *b)
{
    return role_of(a) != NETCDF_ROLE_NONE && role_of(a) == role_of(b);
}

static bool are_same_name(const struct compare_axis_side *a, const struct compare_axis_side *b)
{
    return strcmp(base_of(a->name), base_of(b->name)) == 0;
}

// Partners that are alike in one way, and nobody else is: time with time, lat with lat.
static void pair_alike(struct shape *run, struct shape *reference,
                       bool (*are_alike)(const struct compare_axis_side *, const struct compare_axis_side *))
{
    for (int i = 0; i < run->rank; i++) {
        int found = -1, alike = 0, rivals = 0;
        for (int j = 0; j < reference->rank; j++)
            if (run->partner[i] < 0 && reference->partner[j] < 0 &&
                are_alike(&run->axes[i], &reference->axes[j])) {
                found = j;
                alike++;
            }
        for (int k = 0; alike == 1 && k < run->rank; k++)
            rivals += run->partner[k] < 0 && are_alike(&run->axes[k], &reference->axes[found]);
        if (alike == 1 && rivals == 1) {
            run->partner[i] = found;
            reference->partner[found] = i;
        }
    }
}

// What is left, longer than one entry, in its order, if it is equally many and nothing speaks against it.
static void pair_rest(struct shape *run, struct shape *reference)
{
    int left[2][DATASET_RANK_MAX], counts[2] = {0, 0};
    const struct shape *shapes[2] = {run, reference};
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < shapes[side]->rank; k++)
            if (shapes[side]->partner[k] < 0 && shapes[side]->axes[k].length != 1)
                left[side][counts[side]++] = k;
    if (counts[0] != counts[1])
        return;
    for (int n = 0; n < counts[0]; n++) {
        const int i = left[0][n], j = left[1][n];
        const enum netcdf_role a = role_of(&run->axes[i]), b = role_of(&reference->axes[j]);
        if (a != b && a != NETCDF_ROLE_NONE && b != NETCDF_ROLE_NONE)
            continue;
        run->partner[i] = j;
        reference->partner[j] = i;
    }
}

// A coordinate without dimensions that says where along `axis` a variable lies: the moment of a single
// record.
static const struct dataset_variable *scalar_coordinate(const struct dataset *file,
                                                        const struct dataset_variable *variable,
                                                        const struct compare_axis_side *axis)
{
    char names[DATASET_TEXT_BYTES + DATASET_NAME_BYTES];
    snprintf(names, sizeof names, "%s %s", variable->coordinates, base_of(axis->name));
    char *rest = NULL;
    for (const char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        const struct dataset_variable *found = dataset_find_from(file, variable, name);
        if (!found || found == variable || found->rank != 0 || found->kind != DATASET_NUMBERS)
            continue;
        if (strcmp(found->base_name, base_of(axis->name)) == 0 ||
            (found->role != NETCDF_ROLE_NONE && found->role == role_of(axis)))
            return found;
    }
    return NULL;
}

// An axis that only one side has.
static enum status add_lonely(struct compare_match *match, int side, const struct compare_axis_side *here,
                              const struct compare_remarks *remarks)
{
    const struct compare_side *other = &match->sides[1 - side];
    const struct dataset_variable *scalar = scalar_coordinate(other->file, other->variable, here);
    if (!scalar && here->length != 1)
        return FAIL(STATUS_DATA, "%s: %s varies along %s (%zu entries), %s of %s does not",
                    dataset_path(here->file), here->variable->name, here->name, here->length,
                    other->variable->name, dataset_path(other->file));
    struct compare_axis *axis = &match->axes[match->rank++];
    axis->sides[side] = *here;
    axis->sides[1 - side] = (struct compare_axis_side){
        .file = other->file, .variable = other->variable, .dimension = -1, .length = 1, .coordinate = scalar};
    snprintf(axis->sides[1 - side].name, sizeof here->name, "%s", scalar ? scalar->name : here->name);
    if (!scalar)
        compare_note(remarks->notes, "axis %s, of one entry, is in the %s only", here->name,
                     side == COMPARE_RUN ? "run" : "reference");
    return STATUS_OK;
}

static void note_transposition(const struct shape *run, const struct compare_remarks *remarks)
{
    int before = -1;
    for (int k = 0; k < run->rank; k++) {
        if (run->partner[k] >= 0 && run->partner[k] < before) {
            compare_note(remarks->notes, "the reference has its dimensions in another order");
            return;
        }
        before = run->partner[k] >= 0 ? run->partner[k] : before;
    }
}

static enum status pair_dimensions(struct compare_match *match, const struct compare_remarks *remarks)
{
    struct shape run, reference;
    CHECK(describe(match->sides[0].file, match->sides[0].variable, &run));
    CHECK(describe(match->sides[1].file, match->sides[1].variable, &reference));
    pair_alike(&run, &reference, are_same_role);
    pair_alike(&run, &reference, are_same_name);
    pair_rest(&run, &reference);
    for (int k = 0; k < reference.rank; k++)
        if (reference.partner[k] < 0)
            CHECK(add_lonely(match, COMPARE_REFERENCE, &reference.axes[k], remarks));
    for (int k = 0; k < run.rank; k++) {
        if (run.partner[k] < 0) {
            CHECK(add_lonely(match, COMPARE_RUN, &run.axes[k], remarks));
            continue;
        }
        struct compare_axis *axis = &match->axes[match->rank++];
        axis->sides[COMPARE_RUN] = run.axes[k];
        axis->sides[COMPARE_REFERENCE] = reference.axes[run.partner[k]];
    }
    note_transposition(&run, remarks);
    return STATUS_OK;
}

static bool is_time(const struct compare_axis *axis)
{
    return role_of(&axis->sides[0]) == NETCDF_ROLE_TIME || role_of(&axis->sides[1]) == NETCDF_ROLE_TIME;
}

// ---- units of the values

static enum status match_units(struct compare_match *match, const struct compare_remarks *remarks)
{
    const struct dataset_variable *run = match->sides[0].variable, *reference = match->sides[1].variable;
    struct compare_side *side = &match->sides[COMPARE_REFERENCE];
    double slope = 1;
    if (strcmp(run->units, reference->units) == 0)
        return STATUS_OK;
    if (run->units[0] == '\0' || reference->units[0] == '\0') {
        compare_note(remarks->notes, "units (%s) are in one file only: taken for both",
                     run->units[0] ? run->units : reference->units);
        return STATUS_OK;
    }
    if (time_units_have_date(run->units) && time_units_have_date(reference->units))
        CHECK_ABOUT(time_units_conversion(reference->units, reference->calendar, run->units, run->calendar,
                                          &slope, &side->offset),
                    "%s and %s: %s", dataset_path(match->sides[0].file), dataset_path(side->file), run->name);
    else
        CHECK_ABOUT(units_conversion(reference->units, run->units, &slope, &side->offset),
                    "%s and %s: %s is in \"%s\" in the first, %s in \"%s\" in the second",
                    dataset_path(match->sides[0].file), dataset_path(side->file), run->name, run->units,
                    reference->name, reference->units);
    // A whole part of the unit (cm to m) divides: the result is correctly rounded.
    const double parts = round(1 / slope);
    if (fabs(parts) > 1 && fabs(1 / slope - parts) <= 4e-16 * fabs(parts))
        side->divisor = parts;
    else
        side->multiplier = slope;
    if (slope != 1 || side->offset != 0)
        compare_note(remarks->notes, "values of the reference converted from \"%s\" to \"%s\"",
                     reference->units, run->units);
    return STATUS_OK;
}

static enum status read_storage(struct compare_match *match, const struct compare_remarks *remarks)
{
    static const char *const names[COMPARE_SIDES] = {"run", "reference"};
    for (int side = 0; side < COMPARE_SIDES; side++) {
        struct compare_side *s = &match->sides[side];
        enum propagation_quantity unused;
        CHECK(dataset_packing(s->file, s->variable, &s->packing));
        if (propagation_is_noaa(s->variable->base_name, &unused))
            propagation_add_missing(&s->packing, dataset_is_single(s->variable));
        if (s->packing.has_steps)
            compare_note(remarks->notes, "the %s is stored packed, in steps of %g %s", names[side],
                         fabs(s->packing.scale), s->variable->units);
    }
    const bool is_single[2] = {dataset_is_single(match->sides[0].variable),
                               dataset_is_single(match->sides[1].variable)};
    if (is_single[0] != is_single[1] && !match->sides[0].packing.has_steps &&
        !match->sides[1].packing.has_steps)
        compare_note(remarks->notes, "the %s is stored in single precision, the other not",
                     names[is_single[0] ? 0 : 1]);
    return STATUS_OK;
}

enum status compare_match(const struct dataset *run_file, const struct dataset_variable *run,
                          const struct dataset *reference_file, const struct dataset_variable *reference,
                          const struct compare_request *request, const struct compare_remarks *remarks,
                          struct compare_match *match)
{
    memset(match, 0, sizeof *match);
    match->sides[COMPARE_RUN] =
        (struct compare_side){.file = run_file, .variable = run, .multiplier = 1, .divisor = 1};
    match->sides[COMPARE_REFERENCE] =
        (struct compare_side){.file = reference_file, .variable = reference, .multiplier = 1, .divisor = 1};
    CHECK(read_storage(match, remarks));
    CHECK(match_units(match, remarks));
    CHECK(pair_dimensions(match, remarks));
    for (int k = 0; k < match->rank; k++) {
        match->axes[k].is_time = is_time(&match->axes[k]);
        CHECK(compare_axis_match(&match->axes[k], request, remarks));
    }
    return STATUS_OK;
}

void compare_match_free(struct compare_match *match)
{
    for (int k = 0; k < match->rank; k++)
        compare_axis_free(&match->axes[k]);
    match->rank = 0;
}

// ---- places

struct place_check {
    double period;        // of longitudes, else 0
    double floor;         // differences below are none
    uint64_t seen, first; // pairs; the first that differs
    bool has_difference;
    double run, reference, largest;
};

// Coordinates of places carry no more than single precision, whatever they are stored as.
static void check_place(void *context, const double *run, const double *reference, size_t count)
{
    struct place_check *check = context;
    for (size_t k = 0; k < count; k++, check->seen++) {
        if (isnan(run[k]) && isnan(reference[k]))
            continue;
        double apart = fabs(run[k] - reference[k]);
        if (check->period > 0)
            apart = fabs(apart - check->period * round(apart / check->period));
        const double size = fmax(fabs(run[k]), fabs(reference[k]));
        if (apart <= check->floor + 0x1p-22 * size)
            continue;
        check->largest = fmax(check->largest, apart);
        if (check->has_difference)
            continue;
        check->has_difference = true;
        check->first = check->seen;
        check->run = run[k];
        check->reference = reference[k];
    }
}

static bool is_axis_of(const struct compare_match *match, int side, const struct dataset_variable *variable)
{
    for (int k = 0; k < match->rank; k++)
        if (match->axes[k].sides[side].coordinate == variable)
            return true;
    return false;
}

// The reference's coordinate of the same meaning, or else of the same name; NULL if it has none.
static const struct dataset_variable *find_counterpart(const struct compare_match *match,
                                                       const struct dataset_variable *run)
{
    const struct compare_side *reference = &match->sides[COMPARE_REFERENCE];
    char names[DATASET_TEXT_BYTES], *rest = NULL;
    snprintf(names, sizeof names, "%s", reference->variable->coordinates);
    for (const char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        const struct dataset_variable *found = dataset_find_from(reference->file, reference->variable, name);
        if (found && found->kind == DATASET_NUMBERS && run->role != NETCDF_ROLE_NONE &&
            found->role == run->role && !is_axis_of(match, COMPARE_REFERENCE, found))
            return found;
    }
    const struct dataset_variable *found =
        dataset_find_from(reference->file, reference->variable, run->base_name);
    return found && found->kind == DATASET_NUMBERS ? found : NULL;
}

// Which dimension of `place` is the dimension that an axis is of the variable itself; −1 for none.
static int dimension_of(const struct compare_axis_side *axis, const struct dataset_variable *place)
{
    for (int k = 0; k < place->rank && axis->dimension >= 0; k++)
        if (place->dimensions[k] == axis->variable->dimensions[axis->dimension])
            return k;
    return -1;
}

// The places of both, on the axes that are matched already. False: they cannot be put side by side, since
// they span other axes, or move with time.
static bool match_places(const struct compare_match *match, const struct dataset_variable *const variables[2],
                         struct compare_match *places)
{
    int found[COMPARE_SIDES] = {0, 0};
    memset(places, 0, sizeof *places);
    for (int side = 0; side < COMPARE_SIDES; side++)
        places->sides[side] = (struct compare_side){
            .file = match->sides[side].file, .variable = variables[side], .multiplier = 1, .divisor = 1};
    for (int k = 0; k < match->rank; k++) {
        int dimensions[COMPARE_SIDES];
        for (int side = 0; side < COMPARE_SIDES; side++) {
            dimensions[side] = dimension_of(&match->axes[k].sides[side], variables[side]);
            found[side] += dimensions[side] >= 0;
        }
        if (dimensions[0] < 0 && dimensions[1] < 0)
            continue;
        if (dimensions[0] < 0 || dimensions[1] < 0 || match->axes[k].is_time)
            return false;
        struct compare_axis *axis = &places->axes[places->rank++];
        *axis = match->axes[k]; // its arrays stay the other one's
        axis->sides[0].dimension = dimensions[0];
        axis->sides[1].dimension = dimensions[1];
    }
    return found[0] == variables[0]->rank && found[1] == variables[1]->rank;
}

static enum status judge_places(const struct compare_match *places, const struct place_check *check,
                                const struct compare_remarks *remarks)
{
    const struct dataset_variable *run = places->sides[0].variable;
    bool is_by_index = false;
    char where[COMPARE_PLACE_BYTES] = "";
    size_t entries[COMPARE_AXES_MAX], length = 0;
    compare_stream_place(places, check->first, entries);
    for (int k = 0; k < places->rank; k++) {
        is_by_index = is_by_index || places->axes[k].is_by_index;
        if (length < sizeof where)
            length += (size_t)snprintf(where + length, sizeof where - length, "%s%zu", k ? ", " : "",
                                       places->axes[k].sides[0].index[entries[k]]);
    }
    if (is_by_index)
        return FAIL(STATUS_DATA,
                    "%s and %s: the places differ: %s[%s] is %.9g %s in the first and %.9g in the second",
                    dataset_path(places->sides[0].file), dataset_path(places->sides[1].file), run->name,
                    where, check->run, run->units, check->reference);
    compare_note(remarks->notes, "%s of the same entries differs, by up to %.3g %s", run->name,
                 check->largest, run->units);
    return STATUS_OK;
}

static enum status check_coordinate(const struct compare_match *match, const struct dataset_variable *run,
                                    const struct dataset_variable *reference, size_t buffer_values,
                                    const struct compare_remarks *remarks)
{
    struct compare_match places;
    struct compare_notes unused = {0};
    const struct compare_remarks quiet = {&unused, remarks->hint};
    if (!match_places(match, (const struct dataset_variable *const[]){run, reference}, &places))
        return STATUS_OK;
    CHECK(read_storage(&places, &quiet));
    CHECK(match_units(&places, &quiet));
    const bool is_angle = run->is_longitude || strncasecmp(run->units, "deg", 3) == 0;
    struct place_check check = {.period = run->is_longitude ? 360 : 0, .floor = is_angle ? 4e-5 : 1e-6};
    CHECK(compare_stream(&places, buffer_values, check_place, &check));
    return check.has_difference ? judge_places(&places, &check, remarks) : STATUS_OK;
}

enum status compare_match_check_places(const struct compare_match *match, size_t buffer_values,
                                       const struct compare_remarks *remarks)
{
    const struct compare_side *run = &match->sides[COMPARE_RUN];
    char names[DATASET_TEXT_BYTES], *rest = NULL;
    snprintf(names, sizeof names, "%s", run->variable->coordinates);
    for (const char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        const struct dataset_variable *found = dataset_find_from(run->file, run->variable, name);
        if (!found || found->kind != DATASET_NUMBERS || found->rank == 0 ||
            is_axis_of(match, COMPARE_RUN, found))
            continue;
        const struct dataset_variable *counterpart = find_counterpart(match, found);
        if (counterpart && counterpart->rank > 0)
            CHECK(check_coordinate(match, found, counterpart, buffer_values, remarks));
    }
    return STATUS_OK;
}
