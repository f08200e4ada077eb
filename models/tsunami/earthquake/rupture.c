// What the readers of finite faults share.
#include "models/tsunami/earthquake/rupture.h"

#include "core/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATCHES_MAX = 1000000 };

static const double degree_rad = 3.14159265358979323846 / 180.0;
// Rocks of plate interfaces have 10 to 100 GPa (Bilek & Lay 1999, Nature 400, 443–446), the mantle at 650 km
// some 120 (Dziewonski & Anderson 1981, Phys. Earth Planet. Inter. 25, 297–356); beyond this a unit or a size
// is wrong.
static const double rigidity_least_pa = 5e9, rigidity_most_pa = 1.5e11;
static const double moved_far_m = 5e3; // more than rounding and half a patch
static const double moment_tolerance = 0.05, magnitude_least = 3, magnitude_most = 10;

void earthquake_rupture_begin(struct earthquake_rupture *rupture)
{
    *rupture = (struct earthquake_rupture){.faults.is_geographic = true,
                                           .hypocentre = {NAN, NAN, NAN},
                                           .moment_n_m = NAN,
                                           .row_word = "line",
                                           .header_moment_n_m = NAN,
                                           .patch_moment_n_m = NAN};
}

void earthquake_rupture_free(struct earthquake_rupture *rupture)
{
    fault_table_free(&rupture->faults);
    free(rupture->rows);
    *rupture = (struct earthquake_rupture){0};
}

struct earthquake_patches earthquake_rupture_patches(const struct earthquake_rupture *rupture, size_t first)
{
    return (struct earthquake_patches){.faults = rupture->faults.faults + first,
                                       .rows = rupture->rows + first,
                                       .count = rupture->faults.count - first,
                                       .row_word = rupture->row_word,
                                       .hypocentre = rupture->hypocentre};
}

static enum status check_patch(const struct fault *f, double moment_n_m, const char *about)
{
    const struct {
        const char *name, *unit;
        double value, least, most;
        bool is_above;
    } checks[] = {
        {"longitude", "degree", f->longitude_deg, -360, 360, false},
        {"latitude", "degree", f->latitude_deg, -89, 89, false},
        {"length", "km", 1e-3 * f->length_m, 0, 2000, true},
        {"width", "km", 1e-3 * f->width_m, 0, 1000, true},
        {"strike", "degree", f->strike_deg, -720, 720, false},
        {"dip", "degree", f->dip_deg, 0, 90, true},
        {"rake", "degree", f->rake_deg, -720, 720, false},
        {"slip", "m", f->slip_m, 0, 200, false},
        {"rupture time", "s", f->start_s, 0, 1e5, false},
        {"rise time", "s", f->rise_s, 0, 1e5, false},
        {"moment", "N m", isnan(moment_n_m) ? 0 : moment_n_m, 0, 1e25, false},
    };
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) {
        const double value = checks[k].value, least = checks[k].least;
        if (!(value <= checks[k].most && (checks[k].is_above ? value > least : value >= least)))
            return FAIL(STATUS_DATA, "%s: %s %g %s, expected %s%g to %g %s", about, checks[k].name, value,
                        checks[k].unit, checks[k].is_above ? "above " : "", least, checks[k].most,
                        checks[k].unit);
    }
    if (!(f->depth_m >= 0 && f->depth_m <= 7.5e5))
        return FAIL(STATUS_DATA, "%s: depth %g km, expected 0 (the sea floor) to 750 km, positive down",
                    about, 1e-3 * f->depth_m);
    return STATUS_OK;
}

static enum status grow(struct earthquake_rupture *r, const char *about)
{
    if (r->faults.count < r->capacity)
        return STATUS_OK;
    const size_t capacity = r->capacity == 0 ? 256 : 2 * r->capacity;
    if (r->faults.count >= PATCHES_MAX)
        return FAIL(STATUS_DATA, "%s: more than %d patches", about, PATCHES_MAX);
    struct fault *faults = realloc(r->faults.faults, capacity * sizeof *faults);
    if (!faults)
        return FAIL(STATUS_SYSTEM, "%s: no memory for %zu patches", about, capacity);
    r->faults.faults = faults;
    size_t *rows = realloc(r->rows, capacity * sizeof *rows);
    if (!rows)
        return FAIL(STATUS_SYSTEM, "%s: no memory for %zu patches", about, capacity);
    r->rows = rows;
    r->capacity = capacity;
    return STATUS_OK;
}

enum status earthquake_rupture_add(struct earthquake_rupture *rupture, const struct fault *fault,
                                   double moment_n_m, size_t row, const char *about)
{
    CHECK(check_patch(fault, moment_n_m, about));
    CHECK(grow(rupture, about));
    rupture->rows[rupture->faults.count] = row;
    struct fault *added = &rupture->faults.faults[rupture->faults.count++];
    *added = *fault;
    added->rake_deg = remainder(fault->rake_deg, 360);
    if (!isnan(moment_n_m))
        rupture->patch_moment_n_m =
            moment_n_m + (isnan(rupture->patch_moment_n_m) ? 0 : rupture->patch_moment_n_m);
    return STATUS_OK;
}

enum status earthquake_rupture_end_segment(struct earthquake_rupture *rupture, const char *about)
{
    struct fault_table *table = &rupture->faults;
    double highest_m = 0, tallest_m = 0;
    if (table->count == rupture->segment_first)
        return STATUS_OK;
    rupture->segments++;
    for (size_t k = rupture->segment_first; k < table->count; k++) {
        const struct fault *fault = &table->faults[k];
        highest_m = fmax(highest_m, -fault_top_depth_m(fault));
        tallest_m = fmax(tallest_m, fault->width_m * sin(fault->dip_deg * degree_rad));
    }
    const bool is_centre = table->faults[rupture->segment_first].reference == FAULT_CENTRE;
    if (highest_m > (is_centre ? 0.5 + 1e-9 : 1e-5) * tallest_m)
        return FAIL(STATUS_DATA,
                    "%s: the upper edge of segment %zu lies %g m above the sea floor, expected 0 or below",
                    about, rupture->segments, highest_m);
    for (size_t k = rupture->segment_first; k < table->count; k++)
        table->faults[k].depth_m += highest_m;
    if (highest_m > moved_far_m)
        log_warning(
            "%s: segment %zu would break the sea floor, and was moved down by %.3g km: is its depth right?",
            about, rupture->segments, 1e-3 * highest_m);
    else if (highest_m > 1e-3 * tallest_m)
        log_info("%s: segment %zu would break the sea floor, and was moved down by %.3g km", about,
                 rupture->segments, 1e-3 * highest_m);
    rupture->moved_down_m = fmax(rupture->moved_down_m, highest_m);
    rupture->segment_first = table->count;
    return STATUS_OK;
}

enum status earthquake_rupture_take_time(struct earthquake_rupture *rupture, const char *text,
                                         const char *about)
{
    char date[DATE_BYTES];
    if (!*text)
        return STATUS_OK;
    const enum date_kind kind = date_convert(text, date);
    if (kind == DATE_INVALID)
        return FAIL(STATUS_DATA, "%s: \"%.60s\" is not a date: expected, for example, " DATE_EXAMPLE, about,
                    text);
    if (kind == DATE_TIME)
        memcpy(rupture->time, date, sizeof date);
    return STATUS_OK;
}

static enum status check_moment(double moment, double potency_m3, const char *path)
{
    const double magnitude = earthquake_magnitude(moment);
    if (!(magnitude >= magnitude_least && magnitude <= magnitude_most))
        return FAIL(STATUS_DATA, "%s: a moment of %.3g N m is that of Mw %.1f, expected %g to %g", path,
                    moment, magnitude, magnitude_least, magnitude_most);
    const double rigidity_pa = moment / potency_m3;
    if (!(rigidity_pa >= rigidity_least_pa && rigidity_pa <= rigidity_most_pa))
        return FAIL(STATUS_DATA,
                    "%s: its moment of %.3g N m and its slips imply a rigidity of %.3g GPa, expected %g to "
                    "%g: is the slip in another unit (cm, m), or the size of the patches?",
                    path, moment, 1e-9 * rigidity_pa, 1e-9 * rigidity_least_pa, 1e-9 * rigidity_most_pa);
    return STATUS_OK;
}

static enum status check_whole(struct earthquake_rupture *rupture, const char *path)
{
    const struct fault_table *table = &rupture->faults;
    double potency_m3 = 0;
    for (size_t k = 0; k < table->count; k++)
        potency_m3 += table->faults[k].length_m * table->faults[k].width_m * fabs(table->faults[k].slip_m);
    if (table->count == 0)
        return FAIL(STATUS_DATA, "%s: no patch", path);
    if (!(potency_m3 > 0))
        return FAIL(STATUS_DATA, "%s: none of its %zu patches slips", path, table->count);
    const double header = rupture->header_moment_n_m, sum = rupture->patch_moment_n_m;
    rupture->moment_n_m = isnan(header) ? sum : header;
    if (fabs(header - sum) > moment_tolerance * header)
        log_warning("%s: its header states a moment of %.4g N m, its patches add up to %.4g N m: the "
                    "header's is shown",
                    path, header, sum);
    if (!isnan(rupture->moment_n_m))
        CHECK(check_moment(rupture->moment_n_m, potency_m3, path));
    const struct earthquake_patches patches = earthquake_rupture_patches(rupture, 0);
    return earthquake_patches_check(&patches, path);
}

enum status earthquake_rupture_finish(struct earthquake_rupture *rupture, const char *path, enum status read)
{
    if (read == STATUS_OK)
        read = check_whole(rupture, path);
    free(rupture->rows);
    rupture->rows = NULL;
    if (read != STATUS_OK)
        earthquake_rupture_free(rupture);
    return read;
}
