// Choice of a heat run's step: see step.h.
#include "models/bioheat/step.h"

#include "core/log.h"
#include "models/bioheat/body/domain.h"
#include "models/bioheat/body/frame.h"
#include "models/bioheat/rkl2.h"
#include "models/bioheat/step_times.h"
#include "models/limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The first is also what switches of the source may cost explicit methods before the run warns; the second,
// the part of a tolerance that the mean power of pulses may hide.
static const double default_tolerance_k = 0.05, hidden_share = 0.5;

// ---- the limit of explicit steps

static const char *label_name(const struct bioheat_params *p, int label, char text[static BIOHEAT_NAME_BYTES])
{
    if (label >= 0 && p->body.label_names[label][0])
        return p->body.label_names[label];
    snprintf(text, BIOHEAT_NAME_BYTES, label < 0 ? "the medium" : "label %d", label);
    return text;
}

static void describe_limit(const struct bioheat_params *p, char *text, size_t bytes)
{
    const struct bioheat_limit *limit = &p->limit;
    char name[BIOHEAT_NAME_BYTES];
    double at_m[BIOHEAT_AXES];
    bioheat_cell_scanner_m(&p->body.grid, limit->cell, at_m);
    snprintf(text, bytes, "%s at (%.5g, %.5g, %.5g) mm of x, y, z (diffusivity %.3g m2/s)",
             label_name(p, limit->label, name), 1e3 * at_m[2], 1e3 * at_m[1], 1e3 * at_m[0],
             limit->conductivity_w_m_k / limit->heat_capacity_j_m3_k);
}

static double automatic_step_s(const struct bioheat_params *p)
{
    return bioheat_automatic_step_s(p->limit.step_s, p->duration_s,
                                    p->sensor_count > 0 ? p->sensors_every_s : 0, p->fields_every_s);
}

// Of a step, as far as it is estimated.
static double allowed_k(const struct bioheat_params *p)
{
    return isnan(p->choice.tolerance_k) ? default_tolerance_k : p->choice.tolerance_k;
}

// ---- the error of rkl2

struct step_context {
    const struct bioheat_params *params;
    struct bioheat_heating *heating;
};

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

static int stages_for(const struct bioheat_params *p, double step_s)
{
    return isinf(p->limit.step_s) ? BIOHEAT_RKL2_STAGES_LEAST : bioheat_rkl2_stages(step_s, p->limit.step_s);
}

static double start_error_k(const struct bioheat_params *p, const struct bioheat_rkl2_steps *steps,
                            double step_s, int64_t count)
{
    const struct bioheat_start_rates *rates = &p->start_rates;
    const double sizes_k[BIOHEAT_RKL2_SIZES] = {rates->range_k, step_s * rates->rate_k_s,
                                                step_s * step_s * rates->bend_k_s2};
    return bioheat_rkl2_start_error(steps, step_s / p->limit.step_s, count, sizes_k);
}

// The heat that is missed at switches within steps, and the ripple that mean power hides.
static double switches_of(const struct bioheat_power *power, double heat_j_m3_k)
{
    const double j_m3 = power->missed_j_m3 + power->hidden_j_m3;
    return j_m3 > 0 || isnan(j_m3) ? j_m3 / heat_j_m3_k : 0;
}

// Of the method, of a step of `step_s`: that of the start's temperatures, plus the step times the heating
// rates times the errors (rkl2.h) of a heated half space and of perfusion, for the largest, of a heated cell,
// for its roughness, and of convective faces, for that of the cells there.
static struct bioheat_step_error error_of_step(void *context, double step_s)
{
    const struct step_context *c = context;
    const struct bioheat_params *p = c->params;
    const double limit_s = p->limit.step_s, heat = least_heat_capacity(p);
    const int64_t count = (int64_t)ceil(p->duration_s / step_s * (1 - 1e-12));
    const struct bioheat_power power = bioheat_heating_power(c->heating, step_s, count);
    if (isinf(limit_s))
        return (struct bioheat_step_error){0, switches_of(&power, heat), 0};
    const int substeps = p->physics.substeps;
    const struct bioheat_rkl2_steps steps = {stages_for(p, step_s), substeps,
                                             stages_for(p, step_s / substeps)};
    const double start_k = start_error_k(p, &steps, step_s, count);
    if (isnan(power.largest_w_m3))
        return (struct bioheat_step_error){NAN, switches_of(&power, heat), start_k};
    const struct bioheat_rkl2_errors errors =
        bioheat_rkl2_switch_errors(&steps, step_s / limit_s, dimensions_of(&p->body.grid));
    // With sub-steps smooth parts have the most of what is left, and peaks between ends of steps are missed.
    const double margin = substeps > 1 ? 2 : 1;
    const struct bioheat_start_rates *rates = &p->start_rates;
    const double loss = bioheat_rkl2_loss_error(&steps, rates->perfusion_per_s * step_s, count),
                 wall = bioheat_rkl2_loss_error(&steps, rates->wall_per_s * step_s, count);
    const double source_k =
        margin * step_s / heat *
        ((errors.face + loss) * power.largest_w_m3 + errors.cell * power.rough_w_m3 + wall * power.wall_w_m3);
    return (struct bioheat_step_error){
        .method_k = source_k + start_k, .switches_k = switches_of(&power, heat), .start_k = start_k};
}

// ---- the choice

static bool is_wanted(const struct job *job, const char *word)
{
    const char *switches = job_string(job, "time.switches");
    return switches && strcmp(switches, word) == 0;
}

// Steps are tried one length after the other, each with the source in all of its steps.
static const double most_trial_steps = 1e6;

// No automatic step is longer than an interval of records, or than 32 stages allow.
static enum status check_intervals(const struct job *job, const struct bioheat_params *p)
{
    const struct {
        const char *key;
        double every_s;
    } records[] = {{"output.fields.every", p->fields_every_s},
                   {"output.sensors.every", p->sensor_count > 0 ? p->sensors_every_s : 0}};
    const double longest_s = bioheat_rkl2_limit_s(BIOHEAT_RKL2_STAGES_MAX, p->limit.step_s);
    if (p->duration_s / longest_s > most_trial_steps)
        return job_fail(
            job, "time.duration",
            "%g s is out of range: it would take more than %.3g automatic steps, none of which is "
            "longer than %.3g s; expected at most %g: give a shorter one, or time.step",
            p->duration_s, p->duration_s / longest_s, longest_s, most_trial_steps);
    for (size_t k = 0; k < sizeof records / sizeof *records; k++)
        if (records[k].every_s > 0 && p->duration_s / records[k].every_s > most_trial_steps)
            return job_fail(
                job, records[k].key,
                "%g s: automatic steps, which are no longer than this, would be %.3g in %g s, more "
                "than %g: give a longer interval, or time.step",
                records[k].every_s, p->duration_s / records[k].every_s, p->duration_s, most_trial_steps);
    return STATUS_OK;
}

static double automatic_rkl2_step_s(const struct job *job, struct step_context *context)
{
    const struct bioheat_params *p = context->params;
    double most_s = fmin(p->duration_s, bioheat_rkl2_limit_s(BIOHEAT_RKL2_STAGES_MAX, p->limit.step_s));
    if (p->fields_every_s > 0)
        most_s = fmin(most_s, p->fields_every_s);
    if (p->sensor_count > 0)
        most_s = fmin(most_s, p->sensors_every_s);
    const struct bioheat_step_search search = {.params = p,
                                               .heating = context->heating,
                                               .error = error_of_step,
                                               .context = context,
                                               .longest_s = most_s,
                                               .tolerance_k = p->choice.tolerance_k,
                                               .wants_resolved = is_wanted(job, "resolved"),
                                               .wants_averaged = is_wanted(job, "averaged")};
    return bioheat_step_search(&search);
}

static enum status refuse_resolved(const struct job *job, const struct bioheat_heating *heating,
                                   const struct bioheat_params *p)
{
    const double between_s = bioheat_heating_shortest_switch_s(heating);
    if (isnan(p->step_s))
        return job_fail(job, "time.switches",
                        "\"resolved\": no step of %.2g s or more ends at all times at which the source is "
                        "switched, %.3g s apart: round the times, or give \"averaged\"",
                        bioheat_step_shortest_s(p), between_s);
    return job_fail(job, "time.switches",
                    "the source is switched at times that are no ends of steps of %g s, %.3g s apart: give a "
                    "step that divides them, or \"averaged\"",
                    p->physics.step_s, between_s);
}

static enum status set_rkl2_step(const struct job *job, struct step_context *context,
                                 struct bioheat_params *p)
{
    const double most_s = bioheat_rkl2_limit_s(BIOHEAT_RKL2_STAGES_MAX, p->limit.step_s);
    if (p->physics.step_s > most_s)
        return job_fail(job, "time.step", "%g s is too long: %d stages are stable up to %.4g s", p->step_s,
                        BIOHEAT_RKL2_STAGES_MAX, most_s);
    const bool meets_all = bioheat_step_meets_switches(context->heating, p->physics.step_s);
    if (is_wanted(job, "resolved") && !meets_all)
        return refuse_resolved(job, context->heating, p);
    p->choice.is_resolved = meets_all && !is_wanted(job, "averaged");
    p->physics.stages = stages_for(p, p->physics.step_s);
    p->physics.substep_stages = stages_for(p, p->physics.step_s / p->physics.substeps);
    const struct bioheat_step_error error = error_of_step(context, p->physics.step_s);
    p->choice.error_k = error.method_k + error.switches_k;
    p->choice.switch_error_k = error.switches_k;
    p->choice.start_error_k = error.start_k;
    if (error.method_k > p->choice.tolerance_k)
        return job_fail(
            job, "time.tolerance",
            "%g K: steps of %.3g s still have an error of about %.2g K: give a larger tolerance, or "
            "a step",
            p->choice.tolerance_k, p->physics.step_s, error.method_k);
    return STATUS_OK;
}

// The maps' largest values, and what they allow.
static enum status survey_source(struct bioheat_heating *heating, const struct bioheat_params *p,
                                 double tolerance_k)
{
    CHECK(bioheat_heating_survey(heating));
    bioheat_heating_allow(heating, hidden_share * tolerance_k, least_heat_capacity(p));
    return STATUS_OK;
}

enum { SUBSTEPS = 3 }; // more make the error hardly smaller (docs/bioheat.md)

static enum status choose_rkl2_step(const struct job *job, struct bioheat_heating *heating,
                                    struct bioheat_params *p)
{
    struct step_context context = {.params = p, .heating = heating};
    p->physics.substeps = job_has(job, "time.substeps") ? (int)job_integer(job, "time.substeps") : SUBSTEPS;
    p->choice.tolerance_k = !isnan(p->step_s)                ? (double)NAN
                            : job_has(job, "time.tolerance") ? job_quantity(job, "time.tolerance")
                                                             : default_tolerance_k;
    if (isnan(p->step_s))
        CHECK(check_intervals(job, p));
    CHECK(survey_source(heating, p, allowed_k(p)));
    if (!isnan(p->step_s))
        p->physics.step_s = p->step_s;
    else if (p->choice.awaits_stream)
        return job_fail(job, "time.step",
                        "auto needs the source's values before the run to estimate the error of a step, and "
                        "those of a stream are read during it: give a step");
    else
        p->physics.step_s = automatic_rkl2_step_s(job, &context);
    return set_rkl2_step(job, &context, p);
}

// Half a step times the change of the rate of warming, which is the heating's at first. It falls by at most
// all of that, and by no more than conduction takes away from what the heating alone would do; perfusion,
// which is slow, is left out. NaN: unknown.
static double explicit_curve_error_k(const struct bioheat_params *p, struct bioheat_heating *heating,
                                     double step_s)
{
    const int64_t count = (int64_t)ceil(p->duration_s / step_s * (1 - 1e-12));
    const struct bioheat_power power = bioheat_heating_power(heating, step_s, count);
    const double conducted_w_m3 = power.rough_w_m3 * p->duration_s / p->limit.step_s;
    if (isnan(power.largest_w_m3))
        return NAN;
    return 0.5 * step_s / least_heat_capacity(p) * fmin(power.largest_w_m3, conducted_w_m3);
}

static double explicit_switch_error_k(const struct bioheat_params *p, struct bioheat_heating *heating,
                                      double step_s)
{
    const int64_t count = (int64_t)ceil(p->duration_s / step_s * (1 - 1e-12));
    const struct bioheat_power power = bioheat_heating_power(heating, step_s, count);
    return switches_of(&power, least_heat_capacity(p));
}

// The automatic step, or, if switches within it cost more than is allowed, one of at least half its length
// that meets them.
static enum status settle_explicit_switches(struct bioheat_params *p, struct bioheat_heating *heating)
{
    CHECK(survey_source(heating, p, default_tolerance_k));
    const double usual_s = p->physics.step_s, usual_k = explicit_switch_error_k(p, heating, usual_s);
    p->choice.switch_error_k = usual_k;
    p->choice.is_resolved = bioheat_step_meets_switches(heating, usual_s);
    // Of a stream only the times are known.
    const bool may_miss = p->choice.awaits_stream && !p->choice.is_resolved;
    if (!isnan(p->step_s) || !(usual_k > default_tolerance_k || may_miss))
        return STATUS_OK;
    for (int records = BIOHEAT_STEP_RECORDS; records > 0; records--) {
        const double step_s = bioheat_step_between(p, heating, records, usual_s);
        if (!(step_s >= 0.5 * usual_s) || explicit_switch_error_k(p, heating, step_s) > default_tolerance_k)
            continue;
        p->physics.step_s = step_s;
        p->choice.switch_error_k = explicit_switch_error_k(p, heating, step_s);
        p->choice.is_resolved = true;
        return STATUS_OK;
    }
    return STATUS_OK;
}

static enum status choose_explicit_step(const struct job *job, struct bioheat_heating *heating,
                                        struct bioheat_params *p)
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
    if (!heating || !bioheat_heating_changes(heating))
        return STATUS_OK;
    CHECK(settle_explicit_switches(p, heating));
    p->choice.curve_error_k = explicit_curve_error_k(p, heating, p->physics.step_s);
    return STATUS_OK;
}

enum status bioheat_step_choose(const struct job *job, struct bioheat_heating *heating,
                                struct bioheat_params *p)
{
    const bool is_rkl2 = p->physics.method == BIOHEAT_RKL2;
    p->choice =
        (struct bioheat_step_choice){.tolerance_k = NAN,
                                     .error_k = NAN,
                                     .switch_error_k = NAN,
                                     .start_error_k = NAN,
                                     .curve_error_k = NAN,
                                     .awaits_stream = heating && bioheat_heating_is_streamed(heating)};
    if (is_rkl2 && !isnan(p->step_s) && job_has(job, "time.tolerance"))
        return job_fail(job, "time.tolerance", "has no effect with a step: leave time.step out or \"auto\"");
    CHECK(is_rkl2 ? choose_rkl2_step(job, heating, p) : choose_explicit_step(job, heating, p));
    if (heating)
        CHECK(bioheat_heating_check(heating, p->physics.step_s, least_heat_capacity(p)));
    CHECK(limits_count_steps(job, p->duration_s, p->physics.step_s, "s", &p->steps));
    return STATUS_OK;
}

// ---- what the run says of it

double bioheat_step_excess_k(const struct bioheat_params *p)
{
    const bool is_known = p->physics.method == BIOHEAT_RKL2 && !isnan(p->choice.error_k);
    const double missed_k = p->choice.switch_error_k, error_k = is_known ? p->choice.error_k : missed_k;
    return missed_k > 0 && error_k > allowed_k(p) ? error_k : 0;
}

double bioheat_step_error_k(const struct bioheat_params *p)
{
    if (p->physics.method == BIOHEAT_RKL2)
        return p->choice.error_k;
    return isnan(p->choice.switch_error_k) ? 0 : p->choice.switch_error_k;
}

static void warn_of_switches(const struct bioheat_params *p)
{
    const bool is_rkl2 = p->physics.method == BIOHEAT_RKL2;
    const double missed_k = p->choice.switch_error_k;
    if (bioheat_step_excess_k(p) > 0)
        log_warning("%s: the source is switched within steps of %.6g s, an error of up to about %.2g K "
                    "(allowed: %g K): %sa step that divides the times makes steps end there",
                    is_rkl2 ? "time.switches" : "time.step", p->physics.step_s, missed_k, allowed_k(p),
                    is_rkl2 ? "\"resolved\", or " : "");
}

void bioheat_step_add_streamed(struct bioheat_params *p, double missed_j_m3)
{
    const double missed_k = missed_j_m3 / least_heat_capacity(p);
    p->choice.awaits_stream = false;
    p->choice.switch_error_k += missed_k;
    p->choice.error_k += missed_k;
    if (missed_j_m3 > 0)
        warn_of_switches(p);
}

// The estimate is an upper limit, often several times too large.
static void warn_of_curve(const struct bioheat_params *p)
{
    static const double told_k = 0.5;
    if (p->choice.curve_error_k > told_k)
        log_warning("time.step: while the heat is switched, steps of %.6g s of method %s may be wrong by up "
                    "to about %.2g K: give shorter steps, or method rkl2, which chooses them by their error",
                    p->physics.step_s, bioheat_methods[p->physics.method], p->choice.curve_error_k);
}

// Records are taken at the nearest steps, and the last step is a whole one.
static void warn_of_times(const struct job *job, const struct bioheat_params *p)
{
    const struct {
        const char *key;
        double every_s;
    } records[] = {
        {"output.fields", p->fields_every_s},
        {"output.sensors", p->sensor_count > 0 ? p->sensors_every_s : 0},
        {"output.diagnostics", job_has(job, "output.diagnostics.every") ? p->diagnostics_every_s : 0}};
    const double step_s = p->physics.step_s;
    for (size_t k = 0; k < sizeof records / sizeof *records; k++) {
        const double every_s = records[k].every_s, ratio = every_s / step_s;
        if (!(every_s > 0) || bioheat_step_divides(step_s, every_s))
            continue;
        if (ratio < 1)
            log_warning("%s: every %g s is shorter than the time step: there is a record every step, %g s",
                        records[k].key, every_s, step_s);
        else
            log_warning(
                "%s: every %g s is no multiple of the step, %.6g s: records are of the nearest steps, "
                "%.6g s, %.6g s, ...",
                records[k].key, every_s, step_s, nearbyint(ratio) * step_s, nearbyint(2 * ratio) * step_s);
    }
    if (!bioheat_step_divides(step_s, p->duration_s))
        log_warning("time.duration: %g s is no multiple of the step, %.6g s: the run ends at %.6g s",
                    p->duration_s, step_s, (double)p->steps * step_s);
}

void bioheat_step_warn(const struct job *job, const struct bioheat_params *p)
{
    warn_of_switches(p);
    warn_of_curve(p);
    if (p->physics.method == BIOHEAT_RKL2 && isnan(p->choice.error_k))
        log_warning("time.step: the error of steps of %.6g s is not known before the run, because a stream's "
                    "values are read during it%s",
                    p->physics.step_s,
                    p->choice.start_error_k > 0 ? "; run.json has that of the start's temperatures" : "");
    warn_of_times(job, p);
}
