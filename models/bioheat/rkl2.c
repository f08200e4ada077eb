// Stages of Runge–Kutta–Legendre super-time-stepping: see rkl2.h.
#include "models/bioheat/rkl2.h"

#include <math.h>

double bioheat_rkl2_limit_s(int stages, double limit_s)
{
    return 0.25 * (double)(stages * stages + stages - 2) * limit_s;
}

int bioheat_rkl2_stages(double step_s, double limit_s)
{
    for (int stages = BIOHEAT_RKL2_STAGES_LEAST; stages <= BIOHEAT_RKL2_STAGES_MAX; stages++)
        if (step_s <= bioheat_rkl2_limit_s(stages, limit_s) * (1 + 1e-12))
            return stages;
    return 0;
}

static double weight(int j)
{
    return j < 2 ? 1.0 / 3.0 : (double)(j * j + j - 2) / (double)(2 * j * (j + 1));
}

struct bioheat_rkl2_stage bioheat_rkl2_stage(int stages, int j)
{
    const double share = 4.0 / (double)(stages * stages + stages - 2);
    struct bioheat_rkl2_stage stage = {.rate = weight(1) * share};
    if (j == 1)
        return stage;
    stage.last = (double)(2 * j - 1) / j * weight(j) / weight(j - 1);
    stage.earlier = -(double)(j - 1) / j * weight(j) / weight(j - 2);
    stage.rate = stage.last * share;
    stage.first_rate = -(1 - weight(j - 1)) * stage.rate;
    return stage;
}

struct bioheat_rkl2_stage bioheat_rkl2_stage_of_part(int stages, int parts, int j)
{
    struct bioheat_rkl2_stage stage = bioheat_rkl2_stage(stages, j);
    stage.rate /= parts;
    stage.first_rate /= parts;
    return stage;
}

struct bioheat_rkl2_difference bioheat_rkl2_difference(int stages, int parts, int j)
{
    const struct bioheat_rkl2_stage stage = bioheat_rkl2_stage_of_part(stages, parts, j);
    const double of_first = bioheat_rkl2_stage_of_part(stages, parts, 1).rate; // D_1 in parts of c_0
    const double both = stage.rate + stage.first_rate;
    if (j == 1)
        return (struct bioheat_rkl2_difference){.rate = 1};
    if (j == 2)
        return (struct bioheat_rkl2_difference){.rate = of_first * stage.rate,
                                                .last = of_first * stage.last + both};
    if (j == 3)
        return (struct bioheat_rkl2_difference){
            .rate = stage.rate, .last = stage.last, .first = of_first * stage.earlier + both};
    return (struct bioheat_rkl2_difference){
        .rate = stage.rate, .last = stage.last, .earlier = stage.earlier, .first = both};
}

// ---- the error at a switch

enum { MODES = 32, BLOCK_MODES = 12, FIRST_STEPS = 6 };
static const double pi = 3.14159265358979323846;

// The method's factor for a mode that decays at the rate z/Δt.
static double factor_of(int stages, double z)
{
    double earlier = 1, last = 1 - bioheat_rkl2_stage(stages, 1).rate * z;
    for (int j = 2; j <= stages; j++) {
        const struct bioheat_rkl2_stage c = bioheat_rkl2_stage(stages, j);
        const double next =
            1 + c.last * (last - 1) + c.earlier * (earlier - 1) - c.rate * z * last - c.first_rate * z;
        earlier = last;
        last = next;
    }
    return last;
}

// Of a mode that is heated at the rate 1/Δt: what the method has after 1 … FIRST_STEPS steps beside the exact
// solution.
static void errors_of(const struct bioheat_rkl2_steps *steps, double z, double error[FIRST_STEPS])
{
    const double exact = exp(-z), factor = factor_of(steps->stages, z);
    double exact_power = 1, power = 1;
    for (int k = 0; k < steps->substeps; k++)
        power *= factor_of(steps->substep_stages, z / steps->substeps);
    for (int n = 0; n < FIRST_STEPS; n++) {
        exact_power *= exact;
        power *= n > 0 ? factor : 1;
        error[n] = z > 1e-9 ? (exact_power - power) / z : 0;
    }
}

// z of wave number k·π/modes along an axis, whose share of the largest z is `most`.
static double mode_z(double k, int modes, double most)
{
    const double phase = k * pi / modes;
    return most * (30 - 32 * cos(phase) + 2 * cos(2 * phase)) / 64;
}

static double largest(const double values[FIRST_STEPS], double scale, double before)
{
    for (int n = 0; n < FIRST_STEPS; n++)
        before = fmax(before, fabs(values[n]) * scale);
    return before;
}

// A half space, as half of a square wave of 2·MODES cells, of height ½ about a mean that has no error: of the
// odd mode k its share of cell m from the face is sin(k (m + ½))/(MODES sin(k/2)).
static double face_error(const struct bioheat_rkl2_steps *steps, double most, double before)
{
    double of_cells[MODES / 2][FIRST_STEPS] = {{0}}, error[FIRST_STEPS];
    for (int mode = 1; mode < MODES; mode += 2) {
        const double phase = mode * pi / MODES;
        errors_of(steps, mode_z(mode, MODES, most), error);
        for (int m = 0; m < MODES / 2; m++)
            for (int n = 0; n < FIRST_STEPS; n++)
                of_cells[m][n] += error[n] * sin(phase * (m + 0.5)) / (MODES * sin(phase / 2));
    }
    for (int m = 0; m < MODES / 2; m++)
        before = largest(of_cells[m], 1, before);
    return before;
}

// One cell of a line, a plane or a volume.
static double block_error(const struct bioheat_rkl2_steps *steps, double most, int dimensions, double before)
{
    double cell[FIRST_STEPS] = {0}, error[FIRST_STEPS];
    const int y_modes = dimensions > 1 ? BLOCK_MODES : 1, z_modes = dimensions > 2 ? BLOCK_MODES : 1;
    for (int a = 0; a < BLOCK_MODES; a++)
        for (int b = 0; b < y_modes; b++)
            for (int c = 0; c < z_modes; c++) {
                double z = mode_z(a + 0.5, BLOCK_MODES, most);
                z += dimensions > 1 ? mode_z(b + 0.5, BLOCK_MODES, most) : 0;
                z += dimensions > 2 ? mode_z(c + 0.5, BLOCK_MODES, most) : 0;
                errors_of(steps, z, error);
                for (int n = 0; n < FIRST_STEPS; n++)
                    cell[n] += error[n];
            }
    return largest(cell, 1.0 / (BLOCK_MODES * y_modes * z_modes), before);
}

struct bioheat_rkl2_errors bioheat_rkl2_switch_errors(const struct bioheat_rkl2_steps *steps, double ratio,
                                                      int dimensions)
{
    const double most = 2 * ratio; // largest z, of all axes together
    const double line = block_error(steps, most / dimensions, 1, 0);
    return (struct bioheat_rkl2_errors){.cell = block_error(steps, most / dimensions, dimensions, line),
                                        .face = face_error(steps, most / dimensions, 0)};
}

// ---- the error of a start

// Samples of z, evenly apart in its logarithm from `least_z`: below it E(z) is z² times a constant; and the
// steps in which a mode of least_z reaches its largest error.
enum { SAMPLES = 200, SAMPLED_STEPS = 400 };
static const double least_z = 0.003, margin = 1.5;

// E(z) of rkl2.h.
static double decay_error(const struct bioheat_rkl2_steps *steps, double z, int64_t count)
{
    const double exact = exp(-z), factor = factor_of(steps->stages, z);
    double exact_power = 1, power = 1, most = 0;
    for (int k = 0; k < steps->substeps; k++)
        power *= factor_of(steps->substep_stages, z / steps->substeps);
    for (int64_t n = 0; n < count && n < SAMPLED_STEPS; n++) {
        exact_power *= exact;
        power *= n > 0 ? factor : 1;
        most = fmax(most, fabs(power - exact_power));
        if (fmax(fabs(power), exact_power) <= most)
            break;
    }
    return most;
}

// max E(z)/z^p for z ≤ most_z.
static void largest_errors(const struct bioheat_rkl2_steps *steps, double most_z, int64_t count,
                           double largest[BIOHEAT_RKL2_SIZES])
{
    const double first_z = fmin(least_z, 0.1 * most_z);
    for (int p = 0; p < BIOHEAT_RKL2_SIZES; p++)
        largest[p] = 0;
    for (int k = 0; k < SAMPLES; k++) {
        const double z = first_z * pow(most_z / first_z, (double)k / (SAMPLES - 1));
        double error = decay_error(steps, z, count);
        for (int p = 0; p < BIOHEAT_RKL2_SIZES; p++, error /= z)
            largest[p] = fmax(largest[p], error);
    }
}

double bioheat_rkl2_start_error(const struct bioheat_rkl2_steps *steps, double ratio, int64_t count,
                                const double sizes_k[BIOHEAT_RKL2_SIZES])
{
    double largest[BIOHEAT_RKL2_SIZES], least = INFINITY;
    largest_errors(steps, 2 * ratio, count, largest);
    for (int p = 0; p < BIOHEAT_RKL2_SIZES; p++)
        least = fmin(least, largest[p] * sizes_k[p]);
    return margin * least;
}

double bioheat_rkl2_loss_error(const struct bioheat_rkl2_steps *steps, double most_z, int64_t count)
{
    double largest[BIOHEAT_RKL2_SIZES];
    if (!(most_z > 0))
        return 0;
    largest_errors(steps, most_z, count, largest);
    return largest[1];
}
