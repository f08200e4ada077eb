// The time step of a grid: from the survey's limit, the job and its outputs; a nested grid's is a whole part
// of its parent's. Independent of the state.
#include "models/limits.h"
#include "models/tsunami/instance.h"

#include "core/log.h"

#include <math.h>
#include <stdio.h>

// Share of the linear limit that an automatic step uses, and the most that a given one may use: a margin for
// the wave's height and speed. Where the shore moves, a simple wave may be 0.87 times as high as the deepest
// still water (3√(1 + a) − 2 ≤ 0.949/0.45); for a higher one in the job, this share of its own limit. A wave
// that grows on its way, or comes from a parent, is left to the guard.
static const double automatic_share = 0.9, automatic_share_flooding = 0.45, largest_share_flooding = 0.5;
static const double wave_share = 0.9;
// vtcs2-shore overshoots where such a wave breaks.
static const double wave_share_without_cells = 0.75;
// An automatic step is shortened by up to this factor so that outputs fall on steps exactly.
static const double largest_shortening = 0.8;
static const double most_steps = 1e15;

// The speed u + c of a simple wave's crest over still water: 3√(g(d + η)) − 2√(g d) (Stoker 1957, Water
// Waves, §10.8).
static double crest_speed_m_s(double gravity_m_s2, double depth_m, double height_m)
{
    return 3 * sqrt(gravity_m_s2 * (depth_m + height_m)) - 2 * sqrt(gravity_m_s2 * depth_m);
}

// The limit for the highest wave of the job, over the water that sets the linear limit and where it enters.
static double wave_limit_s(const struct tsunami_level *t, const struct tsunami_highest *highest)
{
    const struct tsunami_survey *s = &t->survey;
    const double gravity = t->params.gravity_m_s2;
    if (!(highest->height_m > 0))
        return INFINITY;
    const double spacing_m = s->step_limit_s * sqrt(gravity * s->limit_depth_m);
    double limit_s = spacing_m / crest_speed_m_s(gravity, s->limit_depth_m, highest->height_m);
    if (!isnan(highest->depth_m))
        limit_s = fmin(limit_s, tsunami_params_spacing_m(&t->params) /
                                    crest_speed_m_s(gravity, highest->depth_m, highest->height_m));
    return (tsunami_method_has_cells(t->params.physics.method) ? wave_share : wave_share_without_cells) *
           limit_s;
}

// The limit of a constant eddy viscosity, whatever the depths are; Smagorinsky's is held to what the step can
// follow.
static double eddy_limit_s(const struct tsunami_level *t)
{
    const double spacing_m = tsunami_params_spacing_m(&t->params);
    const double viscosity_m2_s = t->params.physics.eddy_viscosity_m2_s;
    return viscosity_m2_s > 0 ? spacing_m * spacing_m / (TSUNAMI_EDDY_STEPS * viscosity_m2_s) : INFINITY;
}

// What sets the limit of an automatic step.
enum limit { LIMIT_STILL_WATER, LIMIT_WAVE, LIMIT_EDDIES };

static double automatic_limit_s(const struct tsunami_level *t, enum limit *limit)
{
    const struct tsunami_highest highest = tsunami_waves_highest(t);
    *limit = LIMIT_STILL_WATER;
    if (!tsunami_level_floods(t))
        return automatic_share * t->survey.step_limit_s;
    const double still_s = automatic_share_flooding * t->survey.step_limit_s;
    const double wave_s = wave_limit_s(t, &highest), flow_s = fmin(still_s, wave_s),
                 eddies_s = eddy_limit_s(t);
    if (wave_s < still_s)
        *limit = LIMIT_WAVE;
    if (eddies_s < flow_s)
        *limit = LIMIT_EDDIES;
    return fmin(flow_s, eddies_s);
}

double tsunami_level_time_s(const struct tsunami_level *t, int64_t step)
{
    if (!t->parent)
        return t->start_s + (double)step * t->step_s;
    return tsunami_level_time_s(t->parent, step / t->steps_per_parent) +
           (double)(step % t->steps_per_parent) * t->step_s;
}

void tsunami_level_log_step(const struct tsunami_level *t)
{
    const struct tsunami_survey *s = &t->survey;
    const struct tsunami_highest highest = tsunami_waves_highest(t);
    char wave[160] = "";
    enum limit limit;
    if (!isnan(t->params.step_s))
        return;
    (void)automatic_limit_s(t, &limit);
    if (limit == LIMIT_EDDIES) {
        log_info("%stime step %.6g s: its limit is set by physics.eddy_viscosity.value, %g m2/s", t->prefix,
                 t->step_s, t->params.physics.eddy_viscosity_m2_s);
        return;
    }
    if (limit == LIMIT_WAVE)
        snprintf(wave, sizeof wave, " and a wave %.4g m high that is given %s", highest.height_m,
                 highest.what);
    log_info("%stime step %.6g s: its limit is set by the water %.5g m deep at (%g, %g)%s", t->prefix,
             t->step_s, s->limit_depth_m, s->limit_x, s->limit_y, wave);
}

// The longest step below the limit with which the most frequent output falls on steps exactly, if that is
// little shorter: a part of its interval, or a multiple where the interval is shorter than a step. Else a
// round figure.
static double automatic_step_s(const struct tsunami_level *t, double limit_s)
{
    const struct tsunami_params *p = &t->params;
    double interval_s = p->duration_s;
    if (p->fields_every_s > 0)
        interval_s = fmin(interval_s, p->fields_every_s);
    if (p->gauges.count > 0)
        interval_s = fmin(interval_s, p->gauges_every_s);
    const double fitting_s = interval_s >= limit_s ? interval_s / ceil(interval_s / limit_s * (1 - 1e-12))
                                                   : interval_s * floor(limit_s / interval_s);
    if (fitting_s >= largest_shortening * limit_s)
        return fitting_s;
    const double unit = pow(10, floor(log10(limit_s)) - 1);
    return fmin(p->duration_s, floor(limit_s / unit) * unit);
}

static void warn_of_coarse_output(const struct tsunami_level *t, const char *key, double every_s)
{
    const double run_step_s = t->step_s * (double)t->steps_per_outermost;
    if (every_s > 0 && every_s < run_step_s * (1 - 1e-12))
        log_warning("%s%s: every %g s is shorter than the time step%s: there is a record every step, %g s",
                    t->prefix, key, every_s, t->parent ? " of the outermost grid" : "", run_step_s);
}

// The rotation adds at most this share to the height of a linear wave of c-grid-6 in a step, times the square
// of f Δt (docs/c-grid.md); and the growth of the energy, ΔE/E, that a warning reports.
static const double rotation_gain = 0.12, doubtful_gain = 0.1;

// The largest Coriolis parameter of the grid, in size.
static double most_coriolis_per_s(const struct tsunami_params *p)
{
    const struct grid_window *w = &p->window;
    if (!p->physics.has_coriolis)
        return 0;
    if (!w->is_geographic)
        return fabs(p->plane_coriolis_per_s);
    const double latitude = fmax(fabs(w->y[0]), fabs(w->y[w->ny - 1])) * acos(-1.0) / 180;
    return 2 * fabs(p->earth_rotation_rad_s) * sin(latitude);
}

static void warn_of_rotation(const struct tsunami_level *t)
{
    const struct tsunami_params *p = &t->params;
    if (!tsunami_method_is_staggered(p->physics.method))
        return;
    const double turn = most_coriolis_per_s(p) * t->step_s;
    const double gain = expm1(2 * rotation_gain * turn * turn * p->duration_s / t->step_s);
    if (gain > doubtful_gain)
        log_warning(
            "%smethod: with steps of %g s the rotation may multiply the energy of waves of a few nodes "
            "by up to %.3g in this run; a shorter time.step lessens it, vtcs2-o2 has none of it",
            t->prefix, t->step_s, 1 + gain);
}

static enum status check_given(const struct tsunami_level *t)
{
    const struct tsunami_survey *s = &t->survey;
    const double share = tsunami_level_floods(t) ? largest_share_flooding : 1;
    if (t->params.step_s > eddy_limit_s(t))
        return job_fail(
            t->job, "time.step",
            "%g s is too long for physics.eddy_viscosity.value, %g m2/s: at most %.4g s, the "
            "smallest spacing squared over 8 times the viscosity; take a shorter step or \"auto\"",
            t->params.step_s, t->params.physics.eddy_viscosity_m2_s, eddy_limit_s(t));
    if (t->params.step_s <= share * s->step_limit_s)
        return STATUS_OK;
    return job_fail(t->job, "time.step",
                    "%g s is unstable: the limit is %.4g s, set by the water %.5g m deep at (%g, %g)%s",
                    t->params.step_s, share * s->step_limit_s, s->limit_depth_m, s->limit_x, s->limit_y,
                    share < 1 ? "; where the shore moves it is half of what a wave takes from node to node"
                              : "");
}

static enum status choose_own(struct tsunami_level *t)
{
    const struct tsunami_params *p = &t->params;
    t->steps_per_parent = t->steps_per_outermost = 1;
    enum limit limit;
    t->step_s = isnan(p->step_s) ? automatic_step_s(t, automatic_limit_s(t, &limit)) : p->step_s;
    return limits_count_steps(t->job, p->duration_s, t->step_s, "s", &t->steps);
}

static enum status choose_nested(struct tsunami_level *t)
{
    const double parent_step_s = t->parent->step_s, given_s = t->params.step_s;
    double parts;
    enum limit limit;
    if (isnan(given_s)) {
        parts = fmax(1, ceil(parent_step_s / automatic_limit_s(t, &limit) * (1 - 1e-12)));
    } else {
        parts = fmax(1, nearbyint(parent_step_s / given_s));
        if (fabs(parent_step_s / given_s - parts) > 1e-9 * parts)
            return job_fail(
                t->job, "time.step",
                "%g s does not divide its parent's step, %.12g s, into equal parts; %.12g s would", given_s,
                parent_step_s, parent_step_s / ceil(parent_step_s / given_s));
    }
    if (!(parts * (double)t->parent->steps < most_steps))
        return job_fail(t->job, "time", "steps of %g s are more than can be counted", parent_step_s / parts);
    t->steps_per_parent = (int64_t)parts;
    t->steps_per_outermost = t->parent->steps_per_outermost * t->steps_per_parent;
    t->step_s = parent_step_s / parts;
    t->steps = t->parent->steps * t->steps_per_parent;
    return STATUS_OK;
}

// A viscosity that makes the steps this much shorter than the waves do is likely a wrong unit.
static const double doubtful_share = 0.1;

static void warn_of_eddies(const struct tsunami_level *t)
{
    const double eddies_s = eddy_limit_s(t), waves_s = automatic_share_flooding * t->survey.step_limit_s;
    if (tsunami_level_floods(t) && eddies_s < doubtful_share * waves_s)
        log_warning(
            "%sphysics.eddy_viscosity.value: %g m2/s holds the time step to %.3g s, where the waves allow "
            "%.3g s: is it right?",
            t->about, t->params.physics.eddy_viscosity_m2_s, eddies_s, waves_s);
}

// At a pole all longitudes are one point: no step is short enough for water there.
static enum status check_poles(const struct tsunami_level *t)
{
    const struct grid_window *w = &t->params.window;
    const double y = t->survey.limit_y;
    if (!w->is_geographic || fabs(y) < 90 - 1e-6)
        return STATUS_OK;
    return job_fail(
        t->job, "domain.latitude",
        "the grid has water at the %s pole (%g degree), where all longitudes are one point; let the "
        "latitudes end at %g degree or before",
        y > 0 ? "north" : "south", y, y > 0 ? w->y[w->ny - 2] : w->y[1]);
}

enum status tsunami_level_choose_step(struct tsunami_level *t)
{
    CHECK(check_poles(t));
    warn_of_eddies(t);
    if (!isnan(t->params.step_s))
        CHECK(check_given(t));
    CHECK(t->parent ? choose_nested(t) : choose_own(t));
    warn_of_rotation(t);
    warn_of_coarse_output(t, "output.fields", t->params.fields_every_s);
    warn_of_coarse_output(t, "output.gauges", t->params.gauges.count > 0 ? t->params.gauges_every_s : 0);
    return STATUS_OK;
}
