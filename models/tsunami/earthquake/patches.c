// Bounds that no published model comes near; see docs/earthquakes.md.
#include "models/tsunami/earthquake/patches.h"

#include "models/tsunami/earthquake/great_circle.h"

#include <math.h>
#include <stdlib.h>

static const double degree_rad = 3.14159265358979323846 / 180.0, earth_m = 6371e3;
static const double spacing_tolerance = 0.2;
// Segments of one rupture lie tens of kilometres apart.
static const double alone_lengths = 10, alone_m = 1e5;
// Parts of models are published without the segment that has the hypocentre.
static const double hypocentre_least_m = 2e5;
// The slowest ruptures, of tsunami earthquakes, travel at some 1 km/s; a second earthquake minutes later
// (Samoa 2009) may be in the same model.
static const double slowest_m_s = 500, delay_most_s = 300;

static double distance_m(double longitude_deg, double latitude_deg, const struct fault *to)
{
    return great_circle_m(earth_m, longitude_deg, latitude_deg, to->longitude_deg, to->latitude_deg);
}

static double apart_m(const struct fault *a, const struct fault *b)
{
    return hypot(distance_m(a->longitude_deg, a->latitude_deg, b), a->depth_m - b->depth_m);
}

// ---- spacing

// Pairs of neighbours, of `total` pairs `wrong` lie another distance apart than the file states.
struct pairs {
    size_t total, wrong, first; // the first wrong pair's first patch
};

// Neighbours that lie `step` apart in the list, of lines of `line` patches.
static struct pairs count_pairs(const struct fault *faults, size_t count, size_t step, size_t line,
                                double stated_m)
{
    struct pairs pairs = {0};
    for (size_t k = 0; k + step < count; k++) {
        if (step == 1 && (k + 1) % line == 0)
            continue;
        pairs.total++;
        if (fabs(apart_m(&faults[k], &faults[k + step]) - stated_m) <= spacing_tolerance * stated_m)
            continue;
        if (pairs.wrong++ == 0)
            pairs.first = k;
    }
    return pairs;
}

static enum status check_order(const struct earthquake_patches *patches, size_t step, size_t line,
                               bool is_along, const char *path)
{
    const size_t count = patches->count;
    const struct fault *faults = patches->faults;
    const double stated_m = is_along ? faults->length_m : faults->width_m;
    const struct pairs pairs = count_pairs(faults, count, step, line, stated_m);
    const size_t a = pairs.first, b = a + step;
    if (2 * pairs.wrong <= pairs.total)
        return STATUS_OK;
    return FAIL(
        STATUS_DATA,
        "%s: %ss %zu and %zu: the centres of the patches lie %.3g km apart, but the file states %.3g km "
        "%s: expected the same within %g %% (are longitude and latitude exchanged?)",
        path, patches->row_word, patches->rows[a], patches->rows[b], 1e-3 * apart_m(&faults[a], &faults[b]),
        1e-3 * stated_m, is_along ? "along strike" : "down dip", 100 * spacing_tolerance);
}

enum status earthquake_patches_check_spacing(const struct earthquake_patches *patches, size_t along,
                                             const char *path)
{
    const size_t count = patches->count;
    if (along == 0 || count % along != 0)
        return STATUS_OK; // no grid
    const size_t down = count / along;
    const bool is_in_columns = check_order(patches, 1, down, false, path) == STATUS_OK &&
                               check_order(patches, down, down, true, path) == STATUS_OK;
    status_clear();
    if (is_in_columns)
        return STATUS_OK;
    CHECK(check_order(patches, 1, along, true, path));
    return check_order(patches, along, along, false, path);
}

// ---- all patches

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

// By latitude, then by all that tells one patch from another: of models with several time windows a patch is
// there once for each, with another start.
static int compare_patches(const void *left, const void *right)
{
    const struct fault *a = *(const struct fault *const *)left, *b = *(const struct fault *const *)right;
    const double differences[][2] = {{a->latitude_deg, b->latitude_deg},
                                     {a->longitude_deg, b->longitude_deg},
                                     {a->depth_m, b->depth_m},
                                     {a->strike_deg, b->strike_deg},
                                     {a->dip_deg, b->dip_deg},
                                     {a->rake_deg, b->rake_deg},
                                     {a->start_s, b->start_s}};
    for (size_t k = 0; k < sizeof differences / sizeof *differences; k++) {
        const int order = compare(differences[k][0], differences[k][1]);
        if (order != 0)
            return order;
    }
    return 0;
}

static size_t row_of(const struct earthquake_patches *patches, const struct fault *fault)
{
    return patches->rows[fault - patches->faults];
}

static enum status check_repeats(const struct earthquake_patches *patches, const struct fault *const *sorted,
                                 const char *path)
{
    for (size_t k = 1; k < patches->count; k++) {
        const size_t a = row_of(patches, sorted[k - 1]), b = row_of(patches, sorted[k]);
        if (compare_patches(&sorted[k - 1], &sorted[k]) == 0)
            return FAIL(
                STATUS_DATA,
                "%s: %s %zu: the same patch as %s %zu (longitude %g, latitude %g, depth %g km, rake and "
                "rupture time): expected each once",
                path, patches->row_word, a > b ? a : b, patches->row_word, a > b ? b : a,
                sorted[k]->longitude_deg, sorted[k]->latitude_deg, 1e-3 * sorted[k]->depth_m);
    }
    return STATUS_OK;
}

// The nearest of the patches that follow in this direction, as far as their latitudes are near enough.
static double nearest_m(const struct fault *const *sorted, size_t count, size_t at, bool is_up,
                        double limit_m)
{
    double nearest = INFINITY;
    for (size_t k = at; is_up ? k + 1 < count : k > 0;) {
        k = is_up ? k + 1 : k - 1;
        if (earth_m * degree_rad * fabs(sorted[k]->latitude_deg - sorted[at]->latitude_deg) > limit_m ||
            nearest <= limit_m)
            break;
        nearest = fmin(nearest, apart_m(sorted[at], sorted[k]));
    }
    return nearest;
}

static enum status check_alone(const struct earthquake_patches *patches, const struct fault *const *sorted,
                               const char *path)
{
    const size_t count = patches->count;
    for (size_t k = 0; k < count && count > 1; k++) {
        const struct fault *fault = sorted[k];
        const double limit_m = fmax(alone_m, alone_lengths * fmax(fault->length_m, fault->width_m));
        if (nearest_m(sorted, count, k, true, limit_m) <= limit_m ||
            nearest_m(sorted, count, k, false, limit_m) <= limit_m)
            continue;
        return FAIL(
            STATUS_DATA,
            "%s: %s %zu: the patch at longitude %g, latitude %g lies more than %.4g km from all others, "
            "expected one rupture: is a sign or a digit wrong?",
            path, patches->row_word, row_of(patches, fault), fault->longitude_deg, fault->latitude_deg,
            1e-3 * limit_m);
    }
    return STATUS_OK;
}

// Where the rupture began: the hypocentre, else the patch that slips first.
static struct earthquake_point begin_of(const struct earthquake_patches *patches)
{
    if (!isnan(patches->hypocentre.longitude_deg) && !isnan(patches->hypocentre.latitude_deg))
        return patches->hypocentre;
    const struct fault *first = patches->faults;
    for (size_t k = 1; k < patches->count; k++)
        if (patches->faults[k].start_s < first->start_s)
            first = &patches->faults[k];
    return (struct earthquake_point){first->longitude_deg, first->latitude_deg, first->depth_m};
}

static enum status check_hypocentre(const struct earthquake_patches *patches, const char *path)
{
    const struct earthquake_point begin = begin_of(patches);
    const struct fault *nearest = patches->faults;
    double nearest_to_m = INFINITY, extent_m = 0;
    for (size_t k = 0; k < patches->count; k++) {
        const double to_m = distance_m(begin.longitude_deg, begin.latitude_deg, &patches->faults[k]);
        if (to_m < nearest_to_m) {
            nearest_to_m = to_m;
            nearest = &patches->faults[k];
        }
    }
    for (size_t k = 0; k < patches->count; k++)
        extent_m = fmax(extent_m, apart_m(nearest, &patches->faults[k]));
    const double most_m = fmax(hypocentre_least_m, extent_m);
    if (nearest_to_m <= most_m)
        return STATUS_OK;
    return FAIL(
        STATUS_DATA,
        "%s: the hypocentre (longitude %g, latitude %g) lies %.0f km from the nearest patch (%s %zu, "
        "longitude %g, latitude %g), expected at most %.0f km: are longitude and latitude exchanged, or a "
        "sign wrong?",
        path, begin.longitude_deg, begin.latitude_deg, 1e-3 * nearest_to_m, patches->row_word,
        row_of(patches, nearest), nearest->longitude_deg, nearest->latitude_deg, 1e-3 * most_m);
}

static enum status check_times(const struct earthquake_patches *patches, const char *path)
{
    const struct earthquake_point begin = begin_of(patches);
    for (size_t k = 0; k < patches->count; k++) {
        const struct fault *fault = &patches->faults[k];
        const double to_m = distance_m(begin.longitude_deg, begin.latitude_deg, fault),
                     most_s = delay_most_s + to_m / slowest_m_s;
        if (fault->start_s > most_s)
            return FAIL(
                STATUS_DATA,
                "%s: %s %zu: a rupture time of %g s, %.0f km from where the rupture began, expected at "
                "most %.0f s (%g km/s and %g s): is it in another unit?",
                path, patches->row_word, patches->rows[k], fault->start_s, 1e-3 * to_m, most_s,
                1e-3 * slowest_m_s, delay_most_s);
    }
    return STATUS_OK;
}

enum status earthquake_patches_check(const struct earthquake_patches *patches, const char *path)
{
    const struct fault **sorted = malloc(patches->count * sizeof *sorted);
    if (!sorted)
        return FAIL(STATUS_SYSTEM, "%s: no memory for %zu patches", path, patches->count);
    for (size_t k = 0; k < patches->count; k++)
        sorted[k] = &patches->faults[k];
    qsort(sorted, patches->count, sizeof *sorted, compare_patches);
    enum status status = check_repeats(patches, sorted, path);
    if (status == STATUS_OK)
        status = check_alone(patches, sorted, path);
    free(sorted);
    CHECK(status);
    CHECK(check_hypocentre(patches, path));
    return check_times(patches, path);
}
