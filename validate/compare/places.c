// Auxiliary coordinates of two matched variables (see the header).
#include "validate/compare/places.h"

#include "validate/compare/stream.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PLACE_BYTES = 96 };

struct place_check {
    double period;        // of longitudes, else 0
    double floor;         // smaller differences are ignored
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

static bool is_axis_of(const struct compare_match *match, int operand,
                       const struct dataset_variable *variable)
{
    for (int k = 0; k < match->rank; k++)
        if (match->axes[k].operands[operand].coordinate == variable)
            return true;
    return false;
}

// The reference's coordinate of the same meaning, or else of the same name; NULL if it has none.
static const struct dataset_variable *find_counterpart(const struct compare_match *match,
                                                       const struct dataset_variable *run)
{
    const struct compare_operand *reference = &match->operands[COMPARE_REFERENCE];
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

// The dimension of `place` that is also the axis' dimension of the variable; −1: none.
static int dimension_of(const struct compare_axis_operand *axis, const struct dataset_variable *place)
{
    for (int k = 0; k < place->rank && axis->dimension >= 0; k++)
        if (place->dimensions[k] == axis->variable->dimensions[axis->dimension])
            return k;
    return -1;
}

// The places of both variables, on the axes that are already matched. False: they cannot be compared, because
// they span other axes or move with time.
static bool match_places(const struct compare_match *match, const struct dataset_variable *const variables[2],
                         struct compare_match *places)
{
    int found[COMPARE_OPERANDS] = {0, 0};
    memset(places, 0, sizeof *places);
    for (int operand = 0; operand < COMPARE_OPERANDS; operand++)
        places->operands[operand] = (struct compare_operand){.file = match->operands[operand].file,
                                                             .variable = variables[operand],
                                                             .multiplier = 1,
                                                             .divisor = 1};
    for (int k = 0; k < match->rank; k++) {
        int dimensions[COMPARE_OPERANDS];
        for (int operand = 0; operand < COMPARE_OPERANDS; operand++) {
            dimensions[operand] = dimension_of(&match->axes[k].operands[operand], variables[operand]);
            found[operand] += dimensions[operand] >= 0;
        }
        if (dimensions[0] < 0 && dimensions[1] < 0)
            continue;
        if (dimensions[0] < 0 || dimensions[1] < 0 || match->axes[k].is_time)
            return false;
        struct compare_axis *axis = &places->axes[places->rank++];
        *axis = match->axes[k]; // its arrays belong to the other match
        axis->operands[0].dimension = dimensions[0];
        axis->operands[1].dimension = dimensions[1];
    }
    return found[0] == variables[0]->rank && found[1] == variables[1]->rank;
}

static enum status judge_places(const struct compare_match *places, const struct place_check *check,
                                const struct compare_remarks *remarks)
{
    const struct dataset_variable *run = places->operands[0].variable;
    bool is_by_index = false;
    char where[PLACE_BYTES] = "";
    size_t entries[COMPARE_AXES_MAX], length = 0;
    compare_stream_place(places, check->first, entries);
    for (int k = 0; k < places->rank; k++) {
        is_by_index = is_by_index || places->axes[k].is_by_index;
        if (length < sizeof where)
            length += (size_t)snprintf(where + length, sizeof where - length, "%s%zu", k ? ", " : "",
                                       places->axes[k].operands[0].index[entries[k]]);
    }
    if (is_by_index)
        return FAIL(STATUS_DATA,
                    "%s and %s: the places differ: %s[%s] is %.9g %s in the first and %.9g in the second",
                    dataset_path(places->operands[0].file), dataset_path(places->operands[1].file), run->name,
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
    CHECK(compare_match_values(&places, &quiet));
    const bool is_angle = run->is_longitude || strncasecmp(run->units, "deg", 3) == 0;
    struct place_check check = {.period = run->is_longitude ? 360 : 0, .floor = is_angle ? 4e-5 : 1e-6};
    CHECK(compare_stream(&places, buffer_values, check_place, &check));
    return check.has_difference ? judge_places(&places, &check, remarks) : STATUS_OK;
}

enum status compare_places_check(const struct compare_match *match, size_t buffer_values,
                                 const struct compare_remarks *remarks)
{
    const struct compare_operand *run = &match->operands[COMPARE_RUN];
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
