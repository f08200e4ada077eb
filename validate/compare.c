// Comparison of two result files. Bounded memory: one slice of each.
#include "validate/compare.h"

#include "io/result.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status check_alike(const struct result_file *a, const struct result_file *b, const char *name,
                               const struct result_variable **variable)
{
    const struct result_variable *in_a = result_find(a, name), *in_b = result_find(b, name);
    if (!in_a || !in_b)
        return FAIL(STATUS_DATA, "%s: has no variable %s to compare", result_path(in_a ? b : a), name);
    if (in_a->is_text || in_b->is_text)
        return FAIL(STATUS_DATA, "%s: variable %s is text, which is not compared", result_path(a), name);
    bool is_same = in_a->rank == in_b->rank;
    for (int k = 0; is_same && k < in_a->rank; k++)
        is_same = in_a->lengths[k] == in_b->lengths[k];
    if (!is_same)
        return FAIL(STATUS_DATA, "%s and %s: variable %s has another shape", result_path(a), result_path(b),
                    name);
    if (strcmp(in_a->units, in_b->units) != 0)
        return FAIL(STATUS_DATA, "%s and %s: variable %s is in \"%s\" in one and \"%s\" in the other",
                    result_path(a), result_path(b), name, in_a->units, in_b->units);
    *variable = in_a;
    return STATUS_OK;
}

// Values side by side mean nothing if they belong to other times or places: every coordinate variable of the
// dimensions that both files have must agree.
static enum status check_coordinates(const struct result_file *a, const struct result_file *b,
                                     const struct result_variable *variable)
{
    for (int k = 0; k < variable->rank; k++) {
        const char *name = variable->dimensions[k];
        const struct result_variable *in_a = result_find(a, name), *in_b = result_find(b, name);
        if (!in_a || !in_b || in_a->is_text || in_b->is_text || in_a->rank != 1 || in_b->rank != 1)
            continue;
        double *values_a = NULL, *values_b = NULL;
        size_t length_a = 0, length_b = 0, first = SIZE_MAX;
        enum status status = result_read_all(a, name, &values_a, &length_a);
        if (status == STATUS_OK)
            status = result_read_all(b, name, &values_b, &length_b);
        for (size_t i = 0; status == STATUS_OK && i < length_a && i < length_b && first == SIZE_MAX; i++)
            if (!(fabs(values_a[i] - values_b[i]) <= 1e-9 * fmax(1, fabs(values_b[i]))))
                first = i;
        if (status == STATUS_OK && first != SIZE_MAX)
            status = FAIL(STATUS_DATA, "%s and %s: %s number %zu is %.9g in one and %.9g in the other",
                          result_path(a), result_path(b), name, first + 1, values_a[first], values_b[first]);
        free(values_a);
        free(values_b);
        CHECK(status);
    }
    return STATUS_OK;
}

static enum status compare_slices(const struct result_file *a, const struct result_file *b,
                                  const struct result_variable *variable, double *values, double *reference,
                                  size_t length, struct difference *difference)
{
    size_t start[RESULT_RANK_MAX] = {0}, count[RESULT_RANK_MAX];
    memcpy(count, variable->lengths, sizeof count);
    const size_t slices = variable->rank > 0 ? variable->lengths[0] : 1;
    count[0] = 1;
    for (size_t k = 0; k < slices; k++) {
        start[0] = k;
        CHECK(result_read(a, variable->name, start, count, values));
        CHECK(result_read(b, variable->name, start, count, reference));
        difference_add_f64(difference, reference, values, length);
    }
    return STATUS_OK;
}

static enum status compare_open_files(const struct result_file *a, const struct result_file *b,
                                      const char *name, struct comparison *comparison)
{
    const struct result_variable *variable = NULL;
    CHECK(check_alike(a, b, name, &variable));
    CHECK(check_coordinates(a, b, variable));
    size_t length = 1;
    for (int k = 1; k < variable->rank; k++)
        length *= variable->lengths[k];
    comparison->rank = variable->rank;
    memcpy(comparison->shape, variable->lengths, sizeof comparison->shape);
    snprintf(comparison->units, sizeof comparison->units, "%s", variable->units);
    double *values = calloc(length, sizeof *values), *reference = calloc(length, sizeof *reference);
    enum status status =
        values && reference
            ? compare_slices(a, b, variable, values, reference, length, &comparison->difference)
            : FAIL(STATUS_SYSTEM, "no memory to compare %zu values of %s", length, name);
    free(values);
    free(reference);
    return status;
}

enum status compare_variable(const char *result_file_path, const char *reference_path, const char *variable,
                             struct comparison *comparison)
{
    memset(comparison, 0, sizeof *comparison);
    struct result_file *a = NULL, *b = NULL;
    enum status status = result_open(result_file_path, &a);
    if (status == STATUS_OK)
        status = result_open(reference_path, &b);
    if (status == STATUS_OK)
        status = compare_open_files(a, b, variable, comparison);
    result_close(a);
    result_close(b);
    return status;
}

const char *compare_place(const struct comparison *comparison, uint64_t index, char text[COMPARE_PLACE_BYTES])
{
    size_t places[4] = {0};
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
