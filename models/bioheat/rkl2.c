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

// ---- the error at a convective face

enum { COLUMN = 32, PARTS = 16 };

// Δt times the rates: cell 0 lies at the face, whose outside is 0; no heat passes behind the last one.
static void column_rates(double diffusion, double exchange, const double theta[COLUMN], double rates[COLUMN])
{
    for (int i = 0; i < COLUMN; i++)
        rates[i] = diffusion *
                   ((i > 0 ? theta[i - 1] - theta[i] : 0) + (i + 1 < COLUMN ? theta[i + 1] - theta[i] : 0));
    rates[0] -= exchange * theta[0];
}

static void column_step(int stages, double diffusion, double exchange, double theta[COLUMN])
{
    double first[COLUMN], rates[COLUMN], earlier[COLUMN], last[COLUMN];
    column_rates(diffusion, exchange, theta, first);
    for (int i = 0; i < COLUMN; i++) {
        earlier[i] = theta[i];
        last[i] = theta[i] + bioheat_rkl2_stage(stages, 1).rate * first[i];
    }
    for (int j = 2; j <= stages; j++) {
        const struct bioheat_rkl2_stage c = bioheat_rkl2_stage(stages, j);
        column_rates(diffusion, exchange, last, rates);
        for (int i = 0; i < COLUMN; i++) {
            const double next = theta[i] + c.last * (last[i] - theta[i]) +
                                c.earlier * (earlier[i] - theta[i]) + c.rate * rates[i] +
                                c.first_rate * first[i];
            earlier[i] = last[i];
            last[i] = next;
        }
    }
    for (int i = 0; i < COLUMN; i++)
        theta[i] = last[i];
}

double bioheat_rkl2_wall_error(const struct bioheat_rkl2_steps *steps, double diffusion, double exchange)
{
    // A part of 1/16 is stable with a quarter of the stages and one.
    const int few = (steps->stages + 3) / 4 + 1,
              fine = few > BIOHEAT_RKL2_STAGES_LEAST ? few : BIOHEAT_RKL2_STAGES_LEAST;
    double theta[COLUMN], exact[COLUMN], most = 0;
    for (int i = 0; i < COLUMN; i++)
        theta[i] = exact[i] = 1;
    for (int n = 0; n < FIRST_STEPS; n++) {
        const int parts = n == 0 ? steps->substeps : 1;
        for (int part = 0; part < parts; part++)
            column_step(n == 0 ? steps->substep_stages : steps->stages, diffusion / parts, exchange / parts,
                        theta);
        for (int part = 0; part < PARTS; part++)
            column_step(fine, diffusion / PARTS, exchange / PARTS, exact);
        for (int i = 0; i < COLUMN; i++)
            most = fmax(most, fabs(theta[i] - exact[i]));
    }
    return most;
}
