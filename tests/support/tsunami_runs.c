// Runs of a tsunami solver and their comparison: see the header.
#include "tests/support/tsunami_runs.h"
#include "tests/support/asserts.h"

struct run run_new(const struct ocean_setup *setup, const struct ocean_state *start, int64_t steps,
                   bool has_history)
{
    struct run r = {.nx = setup->nx,
                    .ny = setup->ny,
                    .steps = steps,
                    .ocean = ocean_open(setup),
                    .state = state_new(setup->nx, setup->ny)};
    const size_t nodes = r.nx * r.ny;
    r.pitch = ocean_geometry(r.ocean)->pitch;
    ocean_set(r.ocean, start);
    ocean_record(r.ocean, 0);
    if (has_history) {
        r.history = array_new(nodes * (size_t)(steps + 1));
        for (int64_t step = 0; step <= steps; step++) {
            if (step > 0)
                ocean_advance(r.ocean, step - 1, 1);
            ocean_get(r.ocean, &r.state);
            memcpy(r.history + (size_t)step * nodes, r.state.eta, nodes * sizeof *r.history);
        }
    } else {
        ocean_advance(r.ocean, 0, steps / 3);
        ocean_advance(r.ocean, steps / 3, steps - steps / 3);
        ocean_get(r.ocean, &r.state);
    }
    return r;
}

enum { GIVEN_SLOTS = 5, STEPS_PER_RECORD = 60 };

void edge_give(struct tsunami_given_edge *edge, enum tsunami_side side, size_t nodes)
{
    *edge = (struct tsunami_given_edge){.nodes = side == TSUNAMI_EAST ? 1 : nodes,
                                        .slots = GIVEN_SLOTS,
                                        .steps_per_record = STEPS_PER_RECORD,
                                        .has_velocity = side != TSUNAMI_SOUTH};
    edge->values = array_new(GIVEN_SLOTS * 3 * edge->nodes);
    for (size_t slot = 0; slot < GIVEN_SLOTS; slot++)
        for (size_t k = 0; k < edge->nodes; k++) {
            double *value = edge->values + slot * 3 * edge->nodes + k;
            const double place = (double)k / (double)edge->nodes;
            const bool is_silent = side == TSUNAMI_NORTH && (slot == 3 || (place > 0.5 && place < 0.6));
            value[0] = is_silent ? NAN : 1.2 * sin(1.3 * (double)slot + (double)side) * (1 + 0.2 * place);
            value[edge->nodes] = -0.3 * cos((double)slot) + 0.1 * place;
            value[2 * edge->nodes] = -0.25 * sin(0.8 * (double)slot);
        }
}

void run_free(struct run *r)
{
    ocean_close(r->ocean);
    state_free(&r->state);
    owned_end(r->history);
}

const char *comparison_name(const struct comparison *c)
{
    static char text[160];
    snprintf(text, sizeof text, "%s: %s %s %s", c->name, c->setup->backend->head.name,
             precision_name(c->setup->precision), method_name(c->setup->method));
    return text;
}

void expect_close(const struct comparison *c, const char *what, double difference, double tolerance)
{
    if (!(difference <= tolerance))
        fail_msg("%s: %s differs by %.3e, allowed are %.0e", comparison_name(c), what, difference, tolerance);
}

void ocean_input_open(struct ocean_input *in, const struct ocean_case *c, double spacing, double *depth)
{
    *in = (struct ocean_input){.x = axis_new(c->nx, c->is_spherical ? 160 : 0, spacing, c->unevenness),
                               .y = axis_new(c->ny, c->is_spherical ? c->south : 0, spacing, c->unevenness),
                               .depth = depth,
                               .start = state_new(c->nx, c->ny)};
    in->setup = (struct ocean_setup){.is_spherical = c->is_spherical,
                                     .nx = c->nx,
                                     .ny = c->ny,
                                     .x = in->x,
                                     .y = in->y,
                                     .depth_m = depth,
                                     .has_coriolis = c->has_coriolis,
                                     .has_curvature = c->has_curvature,
                                     .plane_coriolis_per_s = 1.3e-4,
                                     .manning_n = c->manning_n,
                                     .skips_quiet_tiles = true,
                                     .has_records = true,
                                     .arrival_count = 2,
                                     .drawdown_m = 0.2,
                                     .given = in->given};
    memcpy(in->setup.edges, c->edges, sizeof in->setup.edges);
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (c->edges[side] == GIVEN)
            edge_give(&in->given[side], (enum tsunami_side)side, side <= TSUNAMI_EAST ? c->ny : c->nx);
}

void ocean_input_close(struct ocean_input *in)
{
    owned_end(in->x);
    owned_end(in->y);
    owned_end(in->depth);
    state_free(&in->start);
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        owned_end(in->given[side].values);
}

static bool floods(const struct comparison *c)
{
    return tsunami_method_floods(c->setup->method);
}

double record_difference(const struct comparison *c, const float *a, const float *b, double *largest)
{
    const struct tsunami_records *of_reference = ocean_records(c->reference->ocean),
                                 *of_fast = ocean_records(c->fast->ocean);
    double difference = 0;
    *largest = 0;
    for (size_t j = 0; j < c->fast->ny; j++)
        for (size_t i = 0; i < c->fast->nx; i++) {
            const size_t at_a = j * c->reference->pitch + i, at_b = j * c->fast->pitch + i;
            if (isnan(c->reference->state.eta[j * c->fast->nx + i]))
                continue; // land
            if (floods(c) && (isinf(of_reference->max_eta_m[at_a]) || isinf(of_fast->max_eta_m[at_b])))
                continue;
            const double value_a = (double)a[at_a], value_b = (double)b[at_b];
            assert_true(isfinite(value_a) && isfinite(value_b));
            difference = fmax(difference, fabs(value_a - value_b));
            *largest = fmax(*largest, fabs(value_a));
        }
    return difference;
}

// The first step after which the reference was beyond the threshold, by `slack`, or steps + 1. (As
// models/tsunami/state.h states where the shore moves: an arrival needs water deeper than the wet depth, and
// is a matter of the flow's depth over land; a drawdown is one of the sea.)
static int64_t first_beyond(const struct comparison *c, size_t node, double sign, double threshold,
                            double slack)
{
    const struct run *r = c->reference;
    const size_t nodes = r->nx * r->ny;
    const double depth_m = ocean_depth_m(r->ocean)[node / r->nx * r->pitch + node % r->nx];
    const bool has_shore = floods(c), is_arrival_at_shore = has_shore && sign > 0;
    const double least_m = is_arrival_at_shore ? ocean_wet_depth_m(r->ocean) + slack - depth_m : -INFINITY;
    const double ground_m = is_arrival_at_shore ? fmax(0, -depth_m) : 0;
    if (has_shore && sign < 0 && !(depth_m > 0))
        return r->steps + 1;
    for (int64_t step = 0; step <= r->steps; step++) {
        const double eta = r->history[(size_t)step * nodes + node];
        if (sign * (eta - ground_m) >= threshold + slack && eta > least_m)
            return step;
    }
    return r->steps + 1;
}

void check_passing_times(const struct comparison *c, const char *what, const float *times_s, double sign,
                         double threshold)
{
    const double slack = c->tolerance->max_eta_m, step_s = c->setup->step_s;
    size_t passed = 0;
    for (size_t k = 0; k < c->fast->nx * c->fast->ny; k++) {
        const double time_s = (double)times_s[k / c->fast->nx * c->fast->pitch + k % c->fast->nx];
        if (isnan(c->reference->state.eta[k])) {
            assert_true(isnan(time_s));
            continue;
        }
        const int64_t earliest = first_beyond(c, k, sign, threshold, -slack);
        const int64_t latest = first_beyond(c, k, sign, threshold, slack);
        const int64_t step = isnan(time_s) ? c->reference->steps + 1 : (int64_t)llround(time_s / step_s);
        passed += step <= c->reference->steps;
        if (step < earliest || step > latest)
            fail_msg("%s: %s at column %zu, row %zu is %g s, by the reference from %g to %g s",
                     comparison_name(c), what, k % c->fast->nx, k / c->fast->nx, time_s,
                     (double)earliest * step_s, (double)latest * step_s);
    }
    assert_true(passed > 50); // there was something to compare
}

void check_time_of_max(const struct comparison *c)
{
    const struct tsunami_records *r = ocean_records(c->fast->ocean),
                                 *of_reference = ocean_records(c->reference->ocean);
    const size_t nx = c->fast->nx, nodes = nx * c->fast->ny;
    for (size_t k = 0; k < nodes; k++) {
        const float time_s = r->time_of_max_s[k / nx * c->fast->pitch + k % nx];
        const double largest = (double)of_reference->max_eta_m[k / nx * c->reference->pitch + k % nx];
        if (isnan(c->reference->state.eta[k]) || isinf(largest) || isnan(time_s))
            continue; // land, or never wet: no meaning, and not written out
        const int64_t step = llround((double)time_s / c->setup->step_s);
        assert_true(step >= 0 && step <= c->reference->steps);
        const double then = c->reference->history[(size_t)step * nodes + k];
        if (!(fabs(then - largest) <= 2 * c->tolerance->max_eta_m))
            fail_msg("%s: time of the maximum at column %zu, row %zu is %g s; the reference then has %.9g m, "
                     "its maximum is %.9g m",
                     comparison_name(c), k % nx, k / nx, (double)time_s, then, largest);
    }
}

void check_times(const struct comparison *c)
{
    const struct tsunami_records *r = ocean_records(c->fast->ocean);
    check_time_of_max(c);
    for (int a = 0; a < c->setup->arrival_count; a++)
        check_passing_times(c, "arrival", r->arrival_s[a], 1, c->setup->arrival_m[a]);
    check_passing_times(c, "first draw-down", r->first_drawdown_s, -1, c->setup->drawdown_m);
}

void expect_close_state(const char *about, const double difference[3], const struct tolerance *tolerance)
{
    print_message("%-80s eta %.1e m, u %.1e, v %.1e m/s\n", about, difference[0], difference[1],
                  difference[2]);
    if (!(difference[0] <= tolerance->eta_m))
        fail_msg("%s: eta differs by %.3e m, allowed are %.0e", about, difference[0], tolerance->eta_m);
    for (int k = 1; k < 3; k++)
        if (!(difference[k] <= tolerance->velocity_m_s))
            fail_msg("%s: %c differs by %.3e m/s, allowed are %.0e", about, "euv"[k], difference[k],
                     tolerance -> velocity_m_s);
}

void compare_with_reference(const struct comparison *c, const struct ocean_ranges *expected)
{
    const struct tolerance *t = c->tolerance;
    const struct tsunami_records *r = ocean_records(c->fast->ocean), *e = ocean_records(c->reference->ocean);
    const struct {
        const char *what;
        const float *reference, *fast;
        const double *range; // of the largest, or NULL: the difference is relative to it
        double tolerance;
    } records[] = {
        {"max eta (m)", e->max_eta_m, r->max_eta_m, expected->eta_m, t->max_eta_m},
        {"max speed (m/s)", e->max_speed_m_s, r->max_speed_m_s, expected->speed_m_s, t->max_speed_m_s},
        {"max flux (of the largest)", e->max_flux_m2_s, r->max_flux_m2_s, NULL, t->max_flux},
        {"max depth (m)", e->max_depth_m, r->max_depth_m, expected->depth_m, t->max_depth}};
    double difference[3];
    state_difference(&c->reference->state, &c->fast->state, difference);
    expect_close_state(comparison_name(c), difference, t);
    for (size_t k = 0; k < (floods(c) ? 4 : 3); k++) {
        double largest, change = record_difference(c, records[k].reference, records[k].fast, &largest);
        if (records[k].range)
            assert_true(largest > records[k].range[0] && largest < records[k].range[1]);
        else
            change /= largest;
        print_message("  %s %.1e\n", records[k].what, change);
        expect_close(c, records[k].what, change, records[k].tolerance);
    }
    check_times(c);
}

const struct tsunami_backend *tsunami_backend_named(const char *name)
{
    return (const struct tsunami_backend *)backend_find(&tsunami_backends, name);
}

bool same_bits(const float *a, const float *b, size_t nx, size_t ny, size_t pitch)
{
    for (size_t j = 0; j < ny; j++)
        if (memcmp(a + j * pitch, b + j * pitch, nx * sizeof *a) != 0)
            return false;
    return true;
}

void expect_same(const char *what, const struct ocean_setup *setup, const struct run *a, const struct run *b)
{
    size_t where = 0;
    const size_t unequal = state_unequal(&a->state, &b->state, &where);
    if (unequal > 0)
        fail_msg("%s, %s %s: %zu nodes differ, the first is column %zu, row %zu", what,
                 precision_name(setup->precision), method_name(setup->method), unequal, where % a->nx,
                 where / a->nx);
    const struct tsunami_records *ra = ocean_records(a->ocean), *rb = ocean_records(b->ocean);
    const float *const pairs[][2] = {{ra->max_eta_m, rb->max_eta_m},
                                     {ra->max_speed_m_s, rb->max_speed_m_s},
                                     {ra->max_flux_m2_s, rb->max_flux_m2_s},
                                     {ra->time_of_max_s, rb->time_of_max_s},
                                     {ra->first_drawdown_s, rb->first_drawdown_s},
                                     {ra->arrival_s[0], rb->arrival_s[0]},
                                     {ra->arrival_s[1], rb->arrival_s[1]},
                                     {ra->max_depth_m, rb->max_depth_m},
                                     {ra->hazard_m2_s, rb->hazard_m2_s},
                                     {ra->inundation_s, rb->inundation_s},
                                     {ra->wet_since_s, rb->wet_since_s}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (pairs[k][0] && !same_bits(pairs[k][0], pairs[k][1], a->nx, a->ny, a->pitch))
            fail_msg("%s, %s %s: record %zu differs", what, precision_name(setup->precision),
                     method_name(setup->method), k);
}

// ---- what must change no bit, or hardly

static struct run trial_run(const struct trial *t)
{
    return run_new(&t->setup, t->start, t->steps, false);
}

void check_skipping(struct trial *t)
{
    double computed, skipped, computed_of_all, skipped_of_all;
    t->setup.skips_quiet_tiles = true;
    struct run skipping = trial_run(t);
    t->setup.skips_quiet_tiles = false;
    struct run whole = trial_run(t);
    ocean_work(skipping.ocean, &computed, &skipped);
    ocean_work(whole.ocean, &computed_of_all, &skipped_of_all);
    print_message("%s: %.0f %% of the nodes computed\n", precision_name(t->setup.precision),
                  100 * computed / computed_of_all);
    assert_true(computed < 0.8 * computed_of_all); // something was skipped
    assert_true(computed + skipped == computed_of_all + skipped_of_all);
    expect_same("quiet tiles skipped or not", &t->setup, &skipping, &whole);
    run_free(&skipping);
    run_free(&whole);
}

void check_threads(struct trial *t)
{
    t->setup.threads = 1;
    struct run one = trial_run(t);
    t->setup.threads = 2;
    struct run two = trial_run(t);
    t->setup.threads = 5;
    struct run five = trial_run(t);
    expect_same("one thread or two", &t->setup, &one, &two);
    expect_same("one thread or five", &t->setup, &one, &five);
    run_free(&one);
    run_free(&two);
    run_free(&five);
}

void check_again(struct trial *t)
{
    struct run once = trial_run(t);
    struct run again = trial_run(t);
    expect_same("a run and the same again", &t->setup, &once, &again);
    run_free(&once);
    run_free(&again);
}

// AVX2 and AVX-512 both have the fused multiply-add and give the same bits; the generic build has not, and
// rounds once more: within the tolerances of the reference.
void check_instruction_sets(struct trial *t)
{
    const char *names[INSTRUCTION_SETS_MAX];
    struct run runs[INSTRUCTION_SETS_MAX];
    const int count = instruction_sets(names);
    const struct tolerance *tolerance = &t->tolerances[t->setup.precision == ELEMENT_F64 ? 0 : 1];
    for (int k = 0; k < count; k++) {
        instruction_set_choose(names[k]);
        runs[k] = trial_run(t);
    }
    instruction_set_choose(NULL);
    double difference[3] = {0};
    if (count > 1) {
        state_difference(&runs[0].state, &runs[1].state, difference);
        assert_true(difference[0] > 0); // else both were the same build
        assert_true(difference[0] <= tolerance->eta_m);
        assert_true(difference[1] <= tolerance->velocity_m_s && difference[2] <= tolerance->velocity_m_s);
    }
    if (count > 2)
        expect_same("AVX2 or AVX-512", &t->setup, &runs[1], &runs[2]);
    for (int k = 0; k < count; k++)
        run_free(&runs[k]);
}
