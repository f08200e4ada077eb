// Comparison of two netCDF files (see the header): pairs the variables, and gathers the results.
#include "validate/compare/compare.h"

#include "io/formats/propagation_file.h"
#include "io/suggest.h"
#include "validate/compare/match.h"
#include "validate/compare/places.h"
#include "validate/compare/statistics.h"
#include "validate/compare/stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Memory of the program and its libraries: code, tables of units, HDF5's descriptions of files.
enum { LIBRARY_BYTES = 40 << 20 };

struct compare_session {
    struct compare_request request;
    struct dataset *run, *reference;
    struct compare_entry *entries;
    size_t count;
};

// ---- which variables

static bool is_data(const struct dataset_variable *variable)
{
    return variable->kind == DATASET_NUMBERS && !variable->is_auxiliary;
}

static bool is_taken(const struct compare_session *session, const struct dataset_variable *reference)
{
    for (size_t k = 0; k < session->count; k++)
        if (session->entries[k].reference == reference)
            return true;
    return false;
}

// Same standard_name, and the same cell_methods if both have one.
static bool mean_the_same(const struct dataset_variable *a, const struct dataset_variable *b)
{
    return a->standard_name[0] != '\0' && strcmp(a->standard_name, b->standard_name) == 0 &&
           (a->cell_methods[0] == '\0' || b->cell_methods[0] == '\0' ||
            strcmp(a->cell_methods, b->cell_methods) == 0);
}

// The reference's only variable with the meaning of `variable`, if that is the run's only one too. Variables
// with a partner of the same name do not count.
static const struct dataset_variable *find_by_meaning(const struct compare_session *session,
                                                      const struct dataset_variable *variable)
{
    const struct dataset *files[2] = {session->reference, session->run};
    const struct dataset_variable *only[2] = {NULL, NULL};
    for (int f = 0; f < 2; f++)
        for (size_t k = 0; k < dataset_count(files[f]); k++) {
            const struct dataset_variable *candidate = dataset_at(files[f], k);
            if (!is_data(candidate) || !mean_the_same(candidate, variable) ||
                dataset_find(files[1 - f], candidate->name))
                continue;
            if (only[f])
                return NULL;
            only[f] = candidate;
        }
    return only[1] == variable ? only[0] : NULL;
}

// Whether two names, Fathom's and NOAA's, mean the same quantity.
static bool are_one_quantity(const char *own, const char *noaa)
{
    enum propagation_quantity quantity;
    return propagation_is_noaa(noaa, &quantity) && strcmp(own, propagation_name(quantity)) == 0;
}

static const struct dataset_variable *find_by_noaa_name(const struct compare_session *session,
                                                        const struct dataset_variable *run)
{
    for (size_t k = 0; k < dataset_count(session->reference); k++) {
        const struct dataset_variable *reference = dataset_at(session->reference, k);
        if (is_data(reference) && (are_one_quantity(run->base_name, reference->base_name) ||
                                   are_one_quantity(reference->base_name, run->base_name)))
            return reference;
    }
    return NULL;
}

// For a variable without a partner of the same name.
static struct compare_entry find_partner(const struct compare_session *session,
                                         const struct dataset_variable *run)
{
    const struct dataset_variable *partner = find_by_meaning(session, run);
    if (partner)
        return (struct compare_entry){run, partner, COMPARE_BY_STANDARD_NAME};
    partner = find_by_noaa_name(session, run);
    return (struct compare_entry){run, partner, partner ? COMPARE_BY_NOAA_NAME : COMPARE_ONLY_IN_RUN};
}

static struct compare_entry entry_of(const struct compare_session *session,
                                     const struct dataset_variable *run)
{
    struct compare_entry entry = {run, dataset_find(session->reference, run->name), COMPARE_BY_NAME};
    if (run->kind != DATASET_NUMBERS)
        return (struct compare_entry){run, NULL, COMPARE_NO_NUMBERS};
    if (run->is_auxiliary)
        return (struct compare_entry){run, NULL, COMPARE_COORDINATE};
    if (entry.reference && entry.reference->kind != DATASET_NUMBERS)
        return (struct compare_entry){run, NULL, COMPARE_ONLY_IN_RUN};
    return entry.reference ? entry : find_partner(session, run);
}

static enum status pair_variables(struct compare_session *session)
{
    const size_t most = dataset_count(session->run) + dataset_count(session->reference);
    session->entries = calloc(most + 1, sizeof *session->entries);
    if (!session->entries)
        return FAIL(STATUS_SYSTEM, "not enough memory to pair %zu variables", most);
    for (size_t k = 0; k < dataset_count(session->run); k++)
        session->entries[session->count++] = entry_of(session, dataset_at(session->run, k));
    for (size_t k = 0; k < dataset_count(session->reference); k++) {
        const struct dataset_variable *reference = dataset_at(session->reference, k);
        if (is_data(reference) && !is_taken(session, reference))
            session->entries[session->count++] =
                (struct compare_entry){NULL, reference, COMPARE_ONLY_IN_REFERENCE};
    }
    return STATUS_OK;
}

enum status compare_open(const struct compare_request *request, struct compare_session **opened)
{
    *opened = NULL;
    struct compare_session *session = calloc(1, sizeof *session);
    if (!session)
        return FAIL(STATUS_SYSTEM, "not enough memory to compare %s", request->run_path);
    session->request = *request;
    if (session->request.buffer_values == 0)
        session->request.buffer_values = COMPARE_BUFFER_VALUES;
    enum status status = dataset_open(request->run_path, &session->run);
    if (status == STATUS_OK)
        status = dataset_open(request->reference_path, &session->reference);
    if (status == STATUS_OK)
        status = pair_variables(session);
    if (status != STATUS_OK) {
        compare_close(session);
        return status;
    }
    *opened = session;
    return STATUS_OK;
}

void compare_close(struct compare_session *session)
{
    if (!session)
        return;
    dataset_close(session->run);
    dataset_close(session->reference);
    free(session->entries);
    free(session);
}

const struct compare_entry *compare_entries(const struct compare_session *session, size_t *count)
{
    *count = session->count;
    return session->entries;
}

static enum status find_numbers(const struct dataset *file, const char *name,
                                const struct dataset_variable **found)
{
    *found = dataset_find(file, name);
    if (*found && (*found)->kind == DATASET_NUMBERS)
        return STATUS_OK;
    if (*found)
        return FAIL(STATUS_DATA, "%s: variable %s holds no plain numbers, which is not compared",
                    dataset_path(file), name);
    const char *nearest = NULL;
    const char **names = calloc(dataset_count(file) + 1, sizeof *names);
    if (names) {
        for (size_t k = 0; k < dataset_count(file); k++)
            names[k] = dataset_at(file, k)->name;
        nearest = suggest_word(name, names, dataset_count(file));
        free(names);
    }
    return FAIL(STATUS_DATA, "%s: has no variable %s to compare%s%s%s", dataset_path(file), name,
                nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "");
}

enum status compare_find(const struct compare_session *session, const char *run_name,
                         const char *reference_name, struct compare_entry *entry)
{
    *entry = (struct compare_entry){NULL, NULL, COMPARE_AS_ASKED};
    CHECK(find_numbers(session->run, run_name, &entry->run));
    if (reference_name)
        return find_numbers(session->reference, reference_name, &entry->reference);
    const struct dataset_variable *same = dataset_find(session->reference, entry->run->name);
    if (!same) {
        const struct compare_entry partner = find_partner(session, entry->run);
        if (partner.reference) {
            *entry = partner;
            return STATUS_OK;
        }
    }
    entry->pairing = COMPARE_BY_NAME;
    return find_numbers(session->reference, entry->run->name, &entry->reference);
}

size_t compare_memory_bytes(const struct compare_session *session, const struct compare_entry *entry)
{
    size_t values = 1, entries = 0;
    const struct dataset_variable *operands[2] = {entry->run, entry->reference};
    for (int operand = 0; operand < 2; operand++)
        for (int k = 0; k < operands[operand]->rank; k++)
            entries += operands[operand]->lengths[k];
    for (int k = 0; k < entry->run->rank; k++)
        if (__builtin_mul_overflow(values, entry->run->lengths[k], &values) ||
            values > session->request.buffer_values)
            values = session->request.buffer_values;
    // Each entry of an axis: its coordinate, its rank, its counterpart, and so on.
    return LIBRARY_BYTES + COMPARE_BUFFERS * values * sizeof(double) + entries * 8 * sizeof(double) +
           sizeof(struct compare_statistics) + dataset_cache_bytes(entry->run) +
           dataset_cache_bytes(entry->reference);
}

// ---- one pair of variables

static void describe_axes(const struct compare_match *match, struct comparison *comparison)
{
    comparison->axis_count = match->rank;
    for (int k = 0; k < match->rank; k++) {
        const struct compare_axis *axis = &match->axes[k];
        struct compare_axis_summary *summary = &comparison->axes[k];
        snprintf(summary->name, sizeof summary->name, "%.63s", axis->operands[COMPARE_RUN].name);
        summary->run_length = axis->operands[COMPARE_RUN].length;
        summary->reference_length = axis->operands[COMPARE_REFERENCE].length;
        summary->used = axis->count;
    }
}

// From the number of a pair to its place in the run's variable, and back to a description.
static uint64_t run_index(const struct compare_match *match, uint64_t index)
{
    size_t entries[COMPARE_AXES_MAX], places[DATASET_RANK_MAX] = {0};
    uint64_t place = 0;
    const struct dataset_variable *run = match->operands[COMPARE_RUN].variable;
    compare_stream_place(match, index, entries);
    for (int k = 0; k < match->rank; k++) {
        const struct compare_axis_operand *operand = &match->axes[k].operands[COMPARE_RUN];
        if (operand->dimension >= 0)
            places[operand->dimension] = operand->index[entries[k]];
    }
    for (int k = 0; k < run->rank; k++)
        place = place * run->lengths[k] + places[k];
    return place;
}

static struct compare_location locate(const struct compare_match *match, uint64_t index, double run,
                                      double reference)
{
    struct compare_location location = {
        .is_set = true, .rank = match->rank, .run = run, .reference = reference};
    size_t entries[COMPARE_AXES_MAX];
    compare_stream_place(match, index, entries);
    for (int k = 0; k < match->rank; k++) {
        const struct compare_axis *axis = &match->axes[k];
        const size_t at = entries[k];
        snprintf(location.axes[k].name, sizeof location.axes[k].name, "%.63s", axis->operands[0].name);
        snprintf(location.axes[k].units, sizeof location.axes[k].units, "%.63s", axis->units);
        location.axes[k].has_run = axis->operands[COMPARE_RUN].dimension >= 0;
        location.axes[k].has_reference = axis->operands[COMPARE_REFERENCE].dimension >= 0;
        location.axes[k].run_index = axis->operands[COMPARE_RUN].index[at];
        location.axes[k].reference_index = axis->operands[COMPARE_REFERENCE].index[at];
        location.axes[k].coordinate = axis->coordinates ? axis->coordinates[at] : NAN;
        location.axes[k].has_coordinate = !isnan(location.axes[k].coordinate);
        if (axis->labels)
            snprintf(location.axes[k].label, sizeof location.axes[k].label, "%.63s",
                     axis->labels[axis->operands[COMPARE_RUN].index[at]]);
    }
    return location;
}

static void conclude(const struct compare_match *match, const struct compare_statistics *s,
                     struct comparison *c)
{
    c->difference = s->difference;
    c->beyond = s->beyond;
    c->run_missing = s->run_missing;
    c->reference_missing = s->reference_missing;
    c->bias = compare_statistics_bias(s);
    c->rms = difference_rms(&s->difference);
    c->reference_rms = difference_reference_rms(&s->difference);
    c->relative_rms = c->reference_rms > 0 ? c->rms / c->reference_rms : NAN;
    c->relative_max = s->difference.compared > 0 && s->difference.max_abs_reference > 0
                          ? s->difference.max_abs / s->difference.max_abs_reference
                          : NAN;
    c->correlation = compare_statistics_correlation(s);
    if (s->difference.compared > 0) {
        c->largest = locate(match, s->largest.index, s->largest.run, s->largest.reference);
        c->difference.max_abs_index = run_index(match, s->difference.max_abs_index);
    }
    if (s->beyond > 0)
        c->first_beyond =
            locate(match, s->first_beyond.index, s->first_beyond.run, s->first_beyond.reference);
    if (s->run_missing > 0)
        c->first_run_missing = locate(match, s->first_run_missing.index, NAN, s->first_run_missing.reference);
    if (s->reference_missing > 0)
        c->first_reference_missing =
            locate(match, s->first_reference_missing.index, s->first_reference_missing.run, NAN);
    if (s->difference.mismatched > 0)
        c->difference.first_mismatch = run_index(match, s->difference.first_mismatch);
    const bool differs = s->beyond > 0 || (s->difference.mismatched > 0 && !c->limits.ignores_mask);
    c->verdict = differs ? COMPARE_DIFFERS : s->difference.compared == 0 ? COMPARE_NOTHING : COMPARE_AGREES;
}

static void consume(void *context, const double *run, const double *reference, size_t count)
{
    compare_statistics_add(context, run, reference, count);
}

static enum status run_through(const struct compare_session *session, const struct compare_match *match,
                               const struct compare_remarks *remarks, struct comparison *comparison)
{
    CHECK(compare_places_check(match, session->request.buffer_values, remarks));
    struct compare_statistics *statistics = malloc(sizeof *statistics);
    if (!statistics)
        return FAIL(STATUS_SYSTEM, "not enough memory to compare %s", match->operands[0].variable->name);
    compare_statistics_begin(
        statistics, (struct compare_tolerance){comparison->limits.absolute, comparison->limits.relative});
    const enum status status = compare_stream(match, session->request.buffer_values, consume, statistics);
    compare_statistics_end(statistics);
    if (status == STATUS_OK)
        conclude(match, statistics, comparison);
    free(statistics);
    return status;
}

enum status compare_pair(struct compare_session *session, const struct compare_entry *entry,
                         const struct compare_limits *limits, struct comparison *comparison)
{
    memset(comparison, 0, sizeof *comparison);
    comparison->rank = entry->run->rank;
    memcpy(comparison->shape, entry->run->lengths, sizeof comparison->shape);
    snprintf(comparison->units, sizeof comparison->units, "%.79s",
             entry->run->units[0] ? entry->run->units : entry->reference->units);
    const struct compare_remarks remarks = {&comparison->notes, &comparison->hint};
    struct compare_match *match = calloc(1, sizeof *match);
    if (!match)
        return FAIL(STATUS_SYSTEM, "not enough memory to compare %s", entry->run->name);
    enum status status = compare_match(session->run, entry->run, session->reference, entry->reference,
                                       &session->request, &remarks, match);
    if (status == STATUS_OK)
        describe_axes(match, comparison);
    if (status == STATUS_OK && limits) {
        comparison->limits = *limits;
        status = run_through(session, match, &remarks, comparison);
    }
    compare_match_free(match);
    free(match);
    return status == STATUS_OK ? status : status_prefix(status, "variable %s", entry->run->name);
}

enum status compare_variable(const char *result_path, const char *reference_path, const char *variable,
                             struct comparison *comparison)
{
    const struct compare_request request = {
        .run_path = result_path, .reference_path = reference_path, .needs_all_times = true};
    const struct compare_limits limits = {.absolute = INFINITY};
    struct compare_session *session;
    struct compare_entry entry;
    memset(comparison, 0, sizeof *comparison);
    CHECK(compare_open(&request, &session));
    enum status status = compare_find(session, variable, NULL, &entry);
    if (status == STATUS_OK)
        status = compare_pair(session, &entry, &limits, comparison);
    compare_close(session);
    return status;
}

const char *compare_place(const struct comparison *comparison, uint64_t index, char text[COMPARE_PLACE_BYTES])
{
    size_t places[DATASET_RANK_MAX] = {0};
    for (int k = comparison->rank - 1; k >= 0; k--) {
        places[k] = index % comparison->shape[k];
        index /= comparison->shape[k];
    }
    size_t length = (size_t)snprintf(text, COMPARE_PLACE_BYTES, "(");
    for (int k = 0; k < comparison->rank && length < COMPARE_PLACE_BYTES; k++)
        length +=
            (size_t)snprintf(text + length, COMPARE_PLACE_BYTES - length, "%s%zu", k ? ", " : "", places[k]);
    if (length < COMPARE_PLACE_BYTES)
        snprintf(text + length, COMPARE_PLACE_BYTES - length, ")");
    return text;
}
