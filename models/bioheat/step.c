// Choice of a heat run's step: see step.h.
#include "models/bioheat/step.h"

#include "core/log.h"
#include "models/bioheat/media.h"
#include "models/bioheat/rkl2.h"
#include "models/limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double default_tolerance_k = 0.05;

// ---- the limit of explicit steps

static const char *label_name(const struct bioheat_params *p, int label, char text[static BIOHEAT_NAME_BYTES])
{
    if (label >= 0 && p->label_names[label][0])
        return p->label_names[label];
    snprintf(text, BIOHEAT_NAME_BYTES, label < 0 ? "the medium" : "label %d", label);
    return text;
}

static void describe_limit(const struct bioheat_params *p, char *text, size_t bytes)
{
    const struct bioheat_limit *limit = &p->limit;
    char name[BIOHEAT_NAME_BYTES];
    double mm[BIOHEAT_AXES];
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        mm[axis] = 1e3 * bioheat_position_m(&p->grid, axis, limit->cell[axis]);
    snprintf(text, bytes, "%s at (%.5g, %.5g, %.5g) mm of x, y, z (diffusivity %.3g m2/s)",
             label_name(p, limit->label, name), mm[2], mm[1], mm[0],
             limit->conductivity_w_m_k / limit->heat_capacity_j_m3_k);
}

// Steps that divide the sensors' interval are best, then those of the fields', then those of the duration.
static double automatic_step_s(const struct bioheat_params *p)
{
    const double intervals_s[] = {p->sensor_count > 0 ? p->sensors_every_s : 0, p->fields_every_s,
                                  p->duration_s};
    return fmin(bioheat_automatic_step_s(p->limit.step_s, intervals_s, 3), p->duration_s);
}

// ---- the error of rkl2

static int dimensions_of(const struct bioheat_grid *grid)
{
    int dimensions = 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        dimensions += grid->cells[axis] > 1;
    return dimensions > 0 ? dimensions : 1;
}

// The smallest ρc of tissue.
static double least_heat_capacity(const struct bioheat_params *p)
{
    const struct bioheat_media *media = bioheat_domain_media(p->domain);
    double least = media->has_labels ? INFINITY : p->limit.least_heat_capacity_j_m3_k;
    for (int label = 0; label < BIOHEAT_LABELS && media->has_labels; label++)
        if (media->is_used[label] && media->table[label].role == BIOHEAT_TISSUE)
            least = fmin(least, media->table[label].heat_capacity_j_m3_k);
    return least;
}

// Power density (W/m³) at the start in the cells at convective faces, from θ at the start.
static double wall_power_w_m3(const struct job *job, const struct bioheat_params *p)
{
    const double start_k =
        (job_has(job, "initial.temperature") ? job_quantity(job, "initial.temperature") : 37) -
        p->reference_c;
    double most = 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        for (int side = 0; side < 2; side++) {
            const struct bioheat_face *face = &p->grid.faces[axis][side];
            if (face->kind == BIOHEAT_CONVECTIVE && p->grid.cells[axis] > 1)
                most = fmax(most, face->transfer_w_m2_k * fabs(face->outside_theta_k - start_k) /
                                      p->grid.spacing_m[axis]);
        }
    return most;
}

static int stages_for(const struct bioheat_params *p, double step_s)
{
    return isinf(p->limit.step_s) ? BIOHEAT_RKL2_STAGES_LEAST : bioheat_rkl2_stages(step_s, p->limit.step_s);
}

// Of a step of `step_s`: the step times the heating rates times the errors of a heated half space, for the
// largest, and of a heated cell, for its roughness (rkl2.h); the heat of convective faces is that of single
// cells. NaN: the source's values are not known before the run.
static double error_of_step_k(const struct job *job, const struct bioheat_params *p,
                              struct bioheat_heating *heating, double step_s)
{
    const double limit_s = p->limit.step_s, wall_w_m3 = wall_power_w_m3(job, p);
    const struct bioheat_power power =
        bioheat_heating_power(heating, step_s, (int64_t)ceil(p->duration_s / step_s * (1 - 1e-12)));
    if (isinf(limit_s) || isnan(power.largest_w_m3))
        return isinf(limit_s) ? 0 : (double)NAN;
    const int substeps = p->physics.substeps;
    const struct bioheat_rkl2_steps steps = {stages_for(p, step_s), substeps,
                                             stages_for(p, step_s / substeps)};
    const struct bioheat_rkl2_errors errors =
        bioheat_rkl2_switch_errors(&steps, step_s / limit_s, dimensions_of(&p->grid));
    // With sub-steps smooth parts have the most of what is left, and peaks between ends of steps are missed.
    const double margin = substeps > 1 ? 2 : 1;
    return margin * step_s / least_heat_capacity(p) *
           fmax(errors.face * power.largest_w_m3 + errors.cell * power.rough_w_m3, errors.cell * wall_w_m3);
}

// Shorter steps than this part of Euler's limit are not looked for.
static const double shortest_share = 1e-3, shortening = 0.9;

static bool is_shortest(const struct bioheat_params *p, double step_s)
{
    return step_s <= shortest_share * fmin(p->limit.step_s, p->duration_s);
}

// The longest step of a falling sequence whose error is allowed.
static double longest_allowed_s(const struct job *job, const struct bioheat_params *p,
                                struct bioheat_heating *heating, double most_s)
{
    double step_s = most_s;
    while (!is_shortest(p, step_s) && error_of_step_k(job, p, heating, step_s) > p->choice.tolerance_k)
        step_s *= shortening;
    return step_s;
}

// ---- the times that steps of rkl2 should meet

enum { LENGTHS_MAX = 256 };

// The longest time of which all are multiples, to a billionth of the longest; INFINITY for none.
static double common_measure_s(const double *lengths_s, size_t count)
{
    double measure_s = 0, longest_s = 0;
    for (size_t k = 0; k < count; k++)
        longest_s = fmax(longest_s, lengths_s[k]);
    for (size_t k = 0; k < count; k++) {
        double a = measure_s, b = lengths_s[k];
        while (b > 1e-9 * longest_s) {
            const double rest = fabs(a - nearbyint(a / b) * b);
            a = b;
            b = rest;
        }
        measure_s = a;
    }
    return measure_s > 0 ? measure_s : INFINITY;
}

static bool is_multiple(double length_s, double step_s)
{
    const double ratio = length_s / step_s;
    return fabs(ratio - nearbyint(ratio)) <= 1e-9 * fmax(1, fabs(ratio));
}

// The longest step up to most_s that divides the lengths.
static double dividing_step_s(const double *lengths_s, size_t count, double most_s)
{
    const double measure_s = common_measure_s(lengths_s, count);
    return isinf(measure_s) ? most_s : measure_s / ceil(measure_s / most_s * (1 - 1e-12));
}

// Switch times of the source, those of its inner levels of pulses left out as far as steps as short as
// Euler's could not meet them; then the records' times and the duration, where that halves the step at most.
static double meeting_step_s(const struct bioheat_params *p, struct bioheat_heating *heating, bool wants_all,
                             double most_s, bool *is_resolved)
{
    const double wanted_s[] = {p->fields_every_s, p->sensor_count > 0 ? p->sensors_every_s : 0,
                               p->duration_s};
    double lengths_s[LENGTHS_MAX + 3], step_s = most_s;
    size_t count = 0;
    *is_resolved = false;
    for (int finest = 0; finest <= BIOHEAT_SWITCH_LEVELS && !*is_resolved; finest++) {
        count = bioheat_heating_switches(heating, finest, lengths_s, LENGTHS_MAX);
        if (count > LENGTHS_MAX)
            continue;
        step_s = dividing_step_s(lengths_s, count, most_s);
        *is_resolved = finest == 0 && (wants_all || step_s >= fmin(0.5 * most_s, 0.9 * p->limit.step_s));
        if (*is_resolved || step_s >= fmin(0.5 * most_s, 0.9 * p->limit.step_s))
            break;
        count = 0;
        step_s = most_s;
    }
    for (size_t k = 0; k < sizeof wanted_s / sizeof *wanted_s && count <= LENGTHS_MAX; k++) {
        if (!(wanted_s[k] > 0))
            continue;
        lengths_s[count] = wanted_s[k];
        const double with_s = dividing_step_s(lengths_s, count + 1, most_s);
        if (with_s >= 0.5 * step_s) {
            step_s = with_s;
            count++;
        }
    }
    return step_s;
}

// ---- the choice

static bool is_wanted(const struct job *job, const char *word)
{
    const char *switches = job_string(job, "time.switches");
    return switches && strcmp(switches, word) == 0;
}

static double automatic_rkl2_step_s(const struct job *job, struct bioheat_heating *heating,
                                    struct bioheat_params *p)
{
    double most_s = fmin(p->duration_s, bioheat_rkl2_limit_s(BIOHEAT_RKL2_STAGES_MAX, p->limit.step_s));
    if (p->fields_every_s > 0)
        most_s = fmin(most_s, p->fields_every_s);
    if (p->sensor_count > 0)
        most_s = fmin(most_s, p->sensors_every_s);
    // A step that was shortened to meet a time may have fewer stages, and so a larger error.
    for (double step_s;; most_s *= shortening) {
        most_s = longest_allowed_s(job, p, heating, most_s);
        step_s = meeting_step_s(p, heating, is_wanted(job, "resolved"), most_s, &p->choice.is_resolved);
        if (is_shortest(p, most_s) || error_of_step_k(job, p, heating, step_s) <= p->choice.tolerance_k)
            return step_s;
    }
}

// Whether a step given by the job meets all switch times.
static bool meets_switches(struct bioheat_heating *heating, double step_s)
{
    double lengths_s[LENGTHS_MAX];
    const size_t count = bioheat_heating_switches(heating, 0, lengths_s, LENGTHS_MAX);
    for (size_t k = 0; k < count && k < LENGTHS_MAX; k++)
        if (!is_multiple(lengths_s[k], step_s))
            return false;
    return count <= LENGTHS_MAX;
}

enum { SUBSTEPS = 3 }; // more make the error hardly smaller (docs/bioheat.md)

static enum status choose_rkl2_step(const struct job *job, struct bioheat_heating *heating,
                                    struct bioheat_params *p)
{
    const double most_s = bioheat_rkl2_limit_s(BIOHEAT_RKL2_STAGES_MAX, p->limit.step_s);
    CHECK(bioheat_heating_survey(heating));
    p->physics.substeps = job_has(job, "time.substeps") ? (int)job_integer(job, "time.substeps") : SUBSTEPS;
    p->choice.tolerance_k = !isnan(p->step_s)                ? (double)NAN
                            : job_has(job, "time.tolerance") ? job_quantity(job, "time.tolerance")
                                                             : default_tolerance_k;
    if (!isnan(p->step_s)) {
        p->physics.step_s = p->step_s;
        p->choice.is_resolved = meets_switches(heating, p->step_s);
    } else if (isnan(error_of_step_k(job, p, heating, p->duration_s))) {
        return job_fail(job, "time.step",
                        "auto needs the source's values before the run to estimate the error of a step, and "
                        "those of a stream or of a file of points or boxes are read during it: give a step");
    } else {
        p->physics.step_s = automatic_rkl2_step_s(job, heating, p);
    }
    if (p->physics.step_s > most_s)
        return job_fail(job, "time.step", "%g s is too long: %d stages are stable up to %.4g s", p->step_s,
                        BIOHEAT_RKL2_STAGES_MAX, most_s);
    if (is_wanted(job, "resolved") && !meets_switches(heating, p->physics.step_s))
        return job_fail(job, "time.switches",
                        "the source is switched at times that are no ends of steps of %g s: give a step that "
                        "divides them, or \"averaged\"",
                        p->physics.step_s);
    p->choice.is_resolved = p->choice.is_resolved && !is_wanted(job, "averaged");
    p->physics.stages = stages_for(p, p->physics.step_s);
    p->physics.substep_stages = stages_for(p, p->physics.step_s / p->physics.substeps);
    p->choice.error_k = error_of_step_k(job, p, heating, p->physics.step_s);
    if (p->choice.error_k > p->choice.tolerance_k)
        return job_fail(
            job, "time.tolerance",
            "%g K: steps of %.3g s still have an error of about %.2g K: give a larger tolerance, or "
            "a step",
            p->choice.tolerance_k, p->physics.step_s, p->choice.error_k);
    return STATUS_OK;
}

static enum status choose_explicit_step(const struct job *job, struct bioheat_params *p)
{
    static const char *const keys[] = {"time.tolerance", "time.switches", "time.substeps"};
    char by[192];
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (job_has(job, keys[k]))
            return job_fail(job, keys[k], "has no effect with method %s: it is for rkl2",
                            bioheat_methods[p->physics.method]);
    describe_limit(p, by, sizeof by);
    if (p->step_s > p->limit.step_s * (1 + 1e-12))
        return job_fail(job, "time.step",
                        "%g s is unstable: the limit is %.4g s, set by %s; method rkl2 takes longer steps",
                        p->step_s, p->limit.step_s, by);
    p->physics.step_s = isnan(p->step_s) ? automatic_step_s(p) : p->step_s;
    return STATUS_OK;
}

enum status bioheat_step_choose(const struct job *job, struct bioheat_heating *heating,
                                struct bioheat_params *p)
{
    const bool is_rkl2 = p->physics.method == BIOHEAT_RKL2;
    p->choice = (struct bioheat_step_choice){.tolerance_k = NAN, .error_k = NAN};
    if (is_rkl2 && !isnan(p->step_s) && job_has(job, "time.tolerance"))
        return job_fail(job, "time.tolerance", "has no effect with a step: leave time.step out or \"auto\"");
    CHECK(is_rkl2 ? choose_rkl2_step(job, heating, p) : choose_explicit_step(job, p));
    CHECK(limits_count_steps(job, p->duration_s, p->physics.step_s, "s", &p->steps));
    const struct {
        const char *key;
        double every_s;
    } records[] = {{"output.fields", p->fields_every_s},
                   {"output.sensors", p->sensor_count > 0 ? p->sensors_every_s : 0}};
    for (size_t k = 0; k < sizeof records / sizeof *records; k++)
        if (records[k].every_s > 0 && records[k].every_s < p->physics.step_s * (1 - 1e-12))
            log_warning("%s: every %g s is shorter than the time step: there is a record every step, %g s",
                        records[k].key, records[k].every_s, p->physics.step_s);
    return STATUS_OK;
}
