// Random slip with von Kármán autocorrelation (see the header).
//
// Correlation lengths, km, of a plane of length L and width W:
//   Mai, P. M. & Beroza, G. C. (2002), J. Geophys. Res. 107(B11), 2308: a = 2.0 + L/3, b = 1.0 + W/3, H =
//     0.75; from finite faults of Mw 5.3 to 8.1.
//   Melgar, D. & Hayes, G. P. (2019), Bull. Seismol. Soc. Am. 109, 2582–2593, doi 10.1785/0120190164: a =
//     17.7 + 0.34 L, b = 6.8 + 0.40 W, H = 0.4; from the USGS' finite faults of Mw 7 to 9.
// Both as MudPy (by D. Melgar) has them; the papers' own tables were not at hand (docs/earthquakes.md).
#include "models/tsunami/earthquake/random_slip.h"

#include "core/philox.h"
#include "core/reproducible.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double degree_rad = 3.14159265358979323846 / 180.0;
static const double two_pi = 6.28318530717958647693;

static const struct {
    const char *name, *title;
    double along_km, along_part, down_km, down_part, hurst;
} scalings[RANDOM_SLIP_SCALINGS] = {
    [RANDOM_SLIP_MAI_BEROZA] = {"mai-beroza", "Mai & Beroza (2002)", 2.0, 1 / 3.0, 1.0, 1 / 3.0, 0.75},
    [RANDOM_SLIP_MELGAR_HAYES] = {"melgar-hayes", "Melgar & Hayes (2019)", 17.7, 0.34, 6.8, 0.40, 0.4},
};

const char random_slip_choices[] = "mai-beroza|melgar-hayes";

const char *random_slip_name(enum random_slip_scaling scaling)
{
    return scalings[scaling].name;
}

const char *random_slip_title(enum random_slip_scaling scaling)
{
    return scalings[scaling].title;
}

enum random_slip_scaling random_slip_named(const char *name)
{
    return strcmp(name, scalings[RANDOM_SLIP_MELGAR_HAYES].name) == 0 ? RANDOM_SLIP_MELGAR_HAYES
                                                                      : RANDOM_SLIP_MAI_BEROZA;
}

struct random_slip_correlation random_slip_correlation_of(enum random_slip_scaling scaling, double length_m,
                                                          double width_m)
{
    return (struct random_slip_correlation){
        .along_m = round(1e3 * scalings[scaling].along_km + scalings[scaling].along_part * length_m),
        .down_m = round(1e3 * scalings[scaling].down_km + scalings[scaling].down_part * width_m),
        .hurst = scalings[scaling].hurst};
}

enum status random_slip_divide(double patch_m, const char *about, struct random_slip *slip)
{
    const double size_m =
        isnan(patch_m) ? 0.5 * fmin(slip->correlation.along_m, slip->correlation.down_m) : patch_m;
    const double along = fmax(1, ceil(round(slip->length_m) / size_m)),
                 down = fmax(1, ceil(round(slip->width_m) / size_m));
    if (!(along * down <= RANDOM_SLIP_PATCHES_MAX && fmax(along, down) <= RANDOM_SLIP_ROW_MAX))
        return FAIL(
            STATUS_CONFIGURATION,
            "%s: patches of %.4g km on a plane of %.4g km by %.4g km are %.4g by %.4g; at most %d, and "
            "%d in a row, are expected",
            about, 1e-3 * size_m, 1e-3 * slip->length_m, 1e-3 * slip->width_m, along, down,
            RANDOM_SLIP_PATCHES_MAX, RANDOM_SLIP_ROW_MAX);
    slip->along = (size_t)along;
    slip->down = (size_t)down;
    return STATUS_OK;
}

// ---- the periodic grid of the field, larger than the plane

struct axis {
    size_t patches, nodes; // of the plane; of the period
    double spacing_m, correlation_m;
    double *cosines; // [nodes] of k/nodes turns
};

struct field {
    struct axis x, z;
    double *spectrum, *part;  // [z.nodes][x.nodes]
    double *real, *imaginary; // [z.nodes][x.patches]
    double *memory;
};

// Numbers of waves are 0, 1, … nodes/2, then negative ones.
static double wave_number(const struct axis *axis, size_t k)
{
    const double waves = k <= axis->nodes / 2 ? (double)k : (double)k - (double)axis->nodes;
    return two_pi * waves / ((double)axis->nodes * axis->spacing_m);
}

static struct axis axis_of(double length_m, double correlation_m, size_t patches)
{
    struct axis axis = {
        .patches = patches, .spacing_m = round(length_m) / (double)patches, .correlation_m = correlation_m};
    const double beyond = ceil(4 * correlation_m / axis.spacing_m), most = 3 * (double)patches;
    axis.nodes = patches + (size_t)fmax((double)patches, fmin(beyond, most));
    return axis;
}

static enum status allocate(const struct random_slip *slip, struct field *f)
{
    f->x = axis_of(slip->length_m, slip->correlation.along_m, slip->along);
    f->z = axis_of(slip->width_m, slip->correlation.down_m, slip->down);
    const size_t nodes = f->x.nodes * f->z.nodes, strip = f->z.nodes * f->x.nodes;
    f->memory = calloc(2 * nodes + 2 * strip + f->x.nodes + f->z.nodes, sizeof *f->memory);
    if (!f->memory)
        return FAIL(STATUS_SYSTEM, "no memory for a random slip of %zu by %zu patches", slip->along,
                    slip->down);
    f->spectrum = f->memory;
    f->part = f->spectrum + nodes;
    f->real = f->part + nodes;
    f->imaginary = f->real + strip;
    f->x.cosines = f->imaginary + strip;
    f->z.cosines = f->x.cosines + f->x.nodes;
    for (size_t k = 0; k < f->x.nodes; k++)
        f->x.cosines[k] = reproducible_cos_turns((double)k / (double)f->x.nodes);
    for (size_t k = 0; k < f->z.nodes; k++)
        f->z.cosines[k] = reproducible_cos_turns((double)k / (double)f->z.nodes);
    return STATUS_OK;
}

// The cosine transform of an even array in both directions, in place: from the spectrum to the
// autocorrelation, and, divided by the number of nodes, back. The grids are so small that the plain sums cost
// less than a second.
static void transform(struct field *f, double *values)
{
    const size_t nx = f->x.nodes, nz = f->z.nodes;
    for (size_t j = 0; j < nz; j++)
        for (size_t x = 0; x < nx; x++) {
            double sum = 0;
            for (size_t i = 0, turn = 0; i < nx; i++, turn = turn + x < nx ? turn + x : turn + x - nx)
                sum += values[j * nx + i] * f->x.cosines[turn];
            f->part[j * nx + x] = sum;
        }
    for (size_t z = 0; z < nz; z++)
        for (size_t x = 0; x < nx; x++) {
            double sum = 0;
            for (size_t j = 0, turn = 0; j < nz; j++, turn = turn + z < nz ? turn + z : turn + z - nz)
                sum += f->part[j * nx + x] * f->z.cosines[turn];
            values[z * nx + x] = sum;
        }
}

static void scale_to_one(double *values, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += values[k];
    for (size_t k = 0; k < count; k++)
        values[k] /= sum;
}

// The spectrum of the normal field, with a sum of 1.
static void make_spectrum(const struct random_slip *slip, struct field *f)
{
    const size_t nx = f->x.nodes, nz = f->z.nodes, nodes = nx * nz;
    const double square = slip->variation * slip->variation, sigma2 = reproducible_log(1 + square);
    for (size_t j = 0; j < nz; j++)
        for (size_t i = 0; i < nx; i++) {
            const double a = f->x.correlation_m * wave_number(&f->x, i),
                         b = f->z.correlation_m * wave_number(&f->z, j);
            f->spectrum[j * nx + i] = reproducible_power(1 + a * a + b * b, -(slip->correlation.hurst + 1));
        }
    scale_to_one(f->spectrum, nodes);
    transform(f, f->spectrum);
    for (size_t k = 0; k < nodes; k++)
        f->spectrum[k] = reproducible_log(fmax(1 + square * f->spectrum[k], 1e-6)) / sigma2;
    transform(f, f->spectrum);
    for (size_t k = 0; k < nodes; k++)
        f->spectrum[k] = fmax(f->spectrum[k], 0); // rounding, and traces of the cut-off
    scale_to_one(f->spectrum, nodes);
}

// Two standard normal numbers of a wave, whose number is that of its direction, not of its place in memory: a
// finer division keeps the long waves where the period is the same.
static void draw(uint64_t seed, const struct axis *x, const struct axis *z, size_t i, size_t j,
                 double numbers[2])
{
    const int64_t wave_x = i <= x->nodes / 2 ? (int64_t)i : (int64_t)i - (int64_t)x->nodes,
                  wave_z = j <= z->nodes / 2 ? (int64_t)j : (int64_t)j - (int64_t)z->nodes;
    const struct philox_counter words =
        philox4x32(philox_counter_from((uint64_t)wave_x, (uint64_t)wave_z), philox_key_from_seed(seed));
    numbers[0] = reproducible_normal_quantile(philox_double(words.v[0], words.v[1]));
    numbers[1] = reproducible_normal_quantile(philox_double(words.v[2], words.v[3]));
}

// First sum, over the waves along strike: Σ_i √S (A + iB) e^(i kx x) at the patches of each row of waves.
static void sum_along(const struct random_slip *slip, struct field *f, const double *sines)
{
    const size_t nx = f->x.nodes, nz = f->z.nodes;
    for (size_t j = 0; j < nz; j++)
        for (size_t i = 0; i < nx; i++) {
            double numbers[2];
            draw(slip->seed, &f->x, &f->z, i, j, numbers);
            const double size = sqrt(f->spectrum[j * nx + i]), a = size * numbers[0], b = size * numbers[1];
            for (size_t x = 0, turn = 0; x < f->x.patches;
                 x++, turn = turn + i < nx ? turn + i : turn + i - nx) {
                f->real[j * nx + x] += a * f->x.cosines[turn] - b * sines[turn];
                f->imaginary[j * nx + x] += a * sines[turn] + b * f->x.cosines[turn];
            }
        }
}

// Second sum, over the waves down dip; its real part has the variance ΣS = 1.
static void sum_down(const struct field *f, const double *sines, double *values)
{
    const size_t nx = f->x.nodes, nz = f->z.nodes;
    for (size_t z = 0; z < f->z.patches; z++)
        for (size_t x = 0; x < f->x.patches; x++) {
            double sum = 0;
            for (size_t j = 0, turn = 0; j < nz; j++, turn = turn + z < nz ? turn + z : turn + z - nz)
                sum += f->real[j * nx + x] * f->z.cosines[turn] - f->imaginary[j * nx + x] * sines[turn];
            values[z * f->x.patches + x] = sum;
        }
}

// The sines of an axis, in memory that is free by then.
static const double *sines_of(const struct axis *axis, double *memory)
{
    for (size_t k = 0; k < axis->nodes; k++)
        memory[k] = reproducible_sin_turns((double)k / (double)axis->nodes);
    return memory;
}

enum status random_slip_field(const struct random_slip *slip, double *values)
{
    struct field f;
    const size_t count = slip->along * slip->down;
    if (slip->variation == 0) {
        for (size_t k = 0; k < count; k++)
            values[k] = 1;
        return STATUS_OK;
    }
    CHECK(allocate(slip, &f));
    make_spectrum(slip, &f);
    sum_along(slip, &f, sines_of(&f.x, f.part));
    sum_down(&f, sines_of(&f.z, f.part), values);
    const double sigma2 = reproducible_log(1 + slip->variation * slip->variation), sigma = sqrt(sigma2);
    for (size_t k = 0; k < count; k++)
        values[k] = reproducible_exp(sigma * values[k] - 0.5 * sigma2);
    free(f.memory);
    return STATUS_OK;
}

// ---- on the plane

// Half a cosine from 0 at the edge to 1 at the part `width`; `place`: 0 … 1 from the edge.
static double ramp(double place, double width)
{
    return place < width ? 0.5 - 0.5 * reproducible_cos_turns(0.5 * place / width) : 1;
}

enum status random_slip_values(const struct random_slip *slip, double *values)
{
    const size_t count = slip->along * slip->down;
    CHECK(random_slip_field(slip, values));
    double sum = 0;
    for (size_t z = 0; z < slip->down; z++)
        for (size_t x = 0; x < slip->along; x++) {
            const double place_x = ((double)x + 0.5) / (double)slip->along,
                         place_z = ((double)z + 0.5) / (double)slip->down;
            const double part = ramp(place_x, slip->taper) * ramp(1 - place_x, slip->taper) *
                                ramp(place_z, slip->taper_top) * ramp(1 - place_z, slip->taper);
            values[z * slip->along + x] *= part;
            sum += values[z * slip->along + x];
        }
    for (size_t k = 0; k < count; k++)
        values[k] *= (double)count / sum;
    return STATUS_OK;
}

enum status random_slip_patches(const struct random_slip *slip, const struct fault *plane,
                                double earth_radius_m, const double *values, const char *about,
                                struct fault *patches)
{
    const double strike = plane->strike_deg * degree_rad, dip = plane->dip_deg * degree_rad;
    const double metres_per_degree = earth_radius_m * degree_rad;
    const double length_m = plane->length_m / (double)slip->along,
                 width_m = plane->width_m / (double)slip->down, height_m = width_m * sin(dip);
    for (size_t z = 0; z < slip->down; z++)
        for (size_t x = 0; x < slip->along; x++) {
            struct fault *patch = &patches[z * slip->along + x];
            const double along_m = ((double)x + 0.5) * length_m - 0.5 * plane->length_m,
                         down_m = ((double)z + 0.5) * width_m - 0.5 * plane->width_m,
                         out_m = down_m * cos(dip);
            *patch = *plane;
            patch->length_m = length_m;
            patch->width_m = width_m;
            patch->slip_m = plane->slip_m * values[z * slip->along + x];
            patch->depth_m = fmax(plane->depth_m + down_m * sin(dip), 0.5 * height_m);
            patch->latitude_deg =
                plane->latitude_deg + (along_m * cos(strike) - out_m * sin(strike)) / metres_per_degree;
            if (!(fabs(patch->latitude_deg) <= 89))
                return FAIL(STATUS_CONFIGURATION,
                            "%s: a patch of the plane would lie at latitude %g, expected -89 to 89", about,
                            patch->latitude_deg);
            // With the patch's own latitude, as a grid's points are placed beside a fault (okada.h).
            patch->longitude_deg =
                plane->longitude_deg + (along_m * sin(strike) + out_m * cos(strike)) /
                                           (metres_per_degree * cos(patch->latitude_deg * degree_rad));
        }
    return STATUS_OK;
}
