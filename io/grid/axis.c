// Checks the axes of a grid, makes them ascend, and determines whether their nodes are evenly spaced apart
// from the rounding of the file's numbers. Independent of file formats.
#include "io/grid/internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

// The nodes count as evenly spaced if none is farther from its even position than this fraction of the
// spacing, or than the rounding of the numbers.
static const double even_fraction = 1e-6;
// A deviation counts as rounding only up to these fractions of the spacing. For decimals the limit is small,
// because nodes with short decimals need not be evenly spaced (0, 1, 3, 4). For single precision it is
// larger, because the rounding is known.
static const double decimal_fraction_max = 0.05, float_fraction_max = 0.45;

void grid_describe(struct grid_file *file, const char *variable, enum grid_positive positive,
                   enum grid_axes_kind axes)
{
    snprintf(file->variable, sizeof file->variable, "%s", variable);
    snprintf(file->units, sizeof file->units, "m");
    file->file_positive = positive;
    file->file_axes = axes;
}

enum status grid_even_axis(const char *path, double first, double step, size_t count, double **values)
{
    *values = malloc(count * sizeof **values);
    if (*values == NULL)
        return FAIL(STATUS_SYSTEM, "%s: an axis of %zu nodes: out of memory", path, count);
    for (size_t k = 0; k < count; k++)
        (*values)[k] = first + step * (double)k;
    return STATUS_OK;
}

static double worst_unevenness(const double *values, size_t count)
{
    double step = (values[count - 1] - values[0]) / (double)(count - 1);
    double worst = 0;
    for (size_t k = 0; k < count; k++)
        worst = fmax(worst, fabs(values[k] - (values[0] + step * (double)k)));
    return worst;
}

bool grid_is_even(const double *values, size_t count, double tolerance)
{
    double step = (values[count - 1] - values[0]) / (double)(count - 1);
    return worst_unevenness(values, count) <= fmax(tolerance, even_fraction * fabs(step));
}

static bool are_multiples(const double *values, size_t count, double per_unit)
{
    for (size_t k = 0; k < count; k++) {
        double scaled = values[k] * per_unit;
        if (fabs(scaled) > 1e11 || fabs(scaled - nearbyint(scaled)) > 1e-4)
            return false;
    }
    return true;
}

// The unit of the last decimal that all values have ("139.4139" → 1e-4), 0 if they are not decimals.
static double decimal_quantum(const double *values, size_t count)
{
    double per_unit = 1;
    for (int decimals = 0; decimals <= 10; decimals++, per_unit *= 10)
        if (are_multiples(values, count, per_unit))
            return 1 / per_unit;
    return 0;
}

// The largest distance between a node and its even position that rounding can cause: half a unit in the last
// place for the node, and half a unit for the two end nodes, which define the even positions. The factor 1.1
// allows for the arithmetic here.
static double rounding_tolerance(const double *values, size_t count, bool is_float)
{
    double step = fabs(values[count - 1] - values[0]) / (double)(count - 1);
    double largest = fmax(fabs(values[0]), fabs(values[count - 1]));
    double tolerance = even_fraction * step;
    if (is_float) {
        double ulp = ldexp((double)FLT_EPSILON, largest > 0 ? ilogb(largest) : 0);
        if (1.1 * ulp <= float_fraction_max * step)
            tolerance = fmax(tolerance, 1.1 * ulp);
    }
    double quantum = decimal_quantum(values, count);
    if (1.1 * quantum <= decimal_fraction_max * step)
        tolerance = fmax(tolerance, 1.1 * quantum);
    return tolerance;
}

// In some files the longitudes jump once by 360 degrees (…, 180, −179, … or, descending, …, −180, 179, …).
// Removes this jump, so that the axis is monotonic.
static void unwrap_longitudes(double *values, size_t count)
{
    double shift = 0;
    double previous = values[0];
    bool rises = values[1] - values[0] > 0 ? values[1] - values[0] < 180 : values[1] - values[0] < -180;
    for (size_t k = 1; k < count; k++) {
        double here = values[k];
        if (shift == 0 && rises && here < previous - 180)
            shift = 360;
        else if (shift == 0 && !rises && here > previous + 180)
            shift = -360;
        previous = here;
        values[k] = here + shift;
    }
}

void grid_reverse(double *values, size_t count)
{
    for (size_t k = 0; k < count / 2; k++) {
        double swap = values[k];
        values[k] = values[count - 1 - k];
        values[count - 1 - k] = swap;
    }
}

enum status grid_settle_axis(const char *path, const char *name, double *values, size_t count, bool is_float,
                             bool is_longitude, struct grid_axis_report *report)
{
    if (count < 2)
        return FAIL(STATUS_DATA, "%s: the %s axis has %zu node, expected at least 2", path, name, count);
    for (size_t k = 0; k < count; k++)
        if (!isfinite(values[k]))
            return FAIL(STATUS_DATA, "%s: the %s axis has a non-finite value at index %zu", path, name, k);
    if (is_longitude)
        unwrap_longitudes(values, count);
    report->is_reversed = values[1] < values[0];
    for (size_t k = 1; k < count; k++) {
        double step = report->is_reversed ? values[k - 1] - values[k] : values[k] - values[k - 1];
        if (!(step > 0))
            return FAIL(STATUS_DATA,
                        "%s: the %s axis changes its direction: %.9g is followed by %.9g at index %zu", path,
                        name, values[k - 1], values[k], k);
    }
    if (report->is_reversed)
        grid_reverse(values, count);
    report->tolerance = rounding_tolerance(values, count, is_float);
    report->is_uniform = worst_unevenness(values, count) <= report->tolerance;
    if (report->is_uniform) {
        double first = values[0], last = values[count - 1];
        double step = (last - first) / (double)(count - 1);
        for (size_t k = 1; k + 1 < count; k++)
            values[k] = first + step * (double)k;
    }
    return STATUS_OK;
}
