// Steps that end at the times that matter: see step_times.h.
#include "models/bioheat/step_times.h"

#include "models/bioheat/rkl2.h"

#include <math.h>

enum { LENGTHS_MAX = 256, RECORDS = BIOHEAT_STEP_RECORDS, TRIED_MAX = 512 };

// Shorter steps than this part of Euler's limit, or of the run, are not looked for; for the sake of switches
// alone, if they need not be resolved, none shorter than a twentieth at first: if none of those keeps the
// tolerance, shorter ones that cost up to `worth` times as much as the best of them. A run has no more than
// `most_resolved` steps for the sake of its switches.
static const double shortest_share = 1e-3, switch_share = 0.05, shortening = 0.9, worth = 4,
                    most_resolved = 1e8;

static const double rounding = BIOHEAT_TIME_ROUNDING;

// ---- common divisors

// The longest time of which all are multiples, to a billionth of the longest; INFINITY for none; 0: one of
// them is shorter than that.
static double common_measure_s(const double *lengths_s, size_t count)
{
    double measure_s = 0, longest_s = 0;
    for (size_t k = 0; k < count; k++)
        longest_s = fmax(longest_s, lengths_s[k]);
    for (size_t k = 0; k < count; k++) {
        double a = measure_s, b = lengths_s[k];
        if (b <= rounding * longest_s)
            return 0;
        while (b > rounding * longest_s) {
            const double rest = fabs(a - nearbyint(a / b) * b);
            a = b;
            b = rest;
        }
        measure_s = a;
    }
    if (!(measure_s > 0))
        return INFINITY;
    // Euclid's rests carry the rounding of all of them; the longest time over a whole number does not.
    return longest_s / nearbyint(longest_s / measure_s);
}

// The longest part of a common measure of at most `most_s`; 0: it has none.
static double part_of(double measure_s, double most_s)
{
    return measure_s > 0 && isfinite(measure_s) ? measure_s / ceil(measure_s / most_s * (1 - 1e-12)) : 0;
}

double bioheat_automatic_step_s(double limit_s, double duration_s, double sensors_s, double fields_s)
{
    static const double automatic_share = 0.9, largest_shortening = 0.8;
    // Records beyond the end do not count.
    const double wanted_s[] = {sensors_s > 0 && sensors_s <= duration_s ? sensors_s : duration_s,
                               fields_s > 0 && fields_s <= duration_s ? fields_s : duration_s};
    const double most_s = isfinite(limit_s) ? automatic_share * limit_s : fmin(wanted_s[0], wanted_s[1]);
    const double sets_s[][RECORDS] = {{duration_s, wanted_s[0], wanted_s[1]},
                                      {duration_s, wanted_s[0], duration_s},
                                      {duration_s, duration_s, wanted_s[1]}};
    const double longest_s = part_of(duration_s, most_s);
    for (size_t k = 0; k < sizeof sets_s / sizeof *sets_s; k++) {
        const double step_s = part_of(common_measure_s(sets_s[k], RECORDS), most_s);
        if (step_s >= largest_shortening * longest_s)
            return step_s;
    }
    return longest_s;
}

bool bioheat_step_meets_switches(struct bioheat_heating *heating, double step_s)
{
    double lengths_s[LENGTHS_MAX];
    const size_t count = bioheat_heating_switches(heating, 0, lengths_s, LENGTHS_MAX);
    for (size_t k = 0; k < count && k < LENGTHS_MAX; k++)
        if (!bioheat_step_divides(step_s, lengths_s[k]))
            return false;
    return count <= LENGTHS_MAX;
}

// ---- families of steps, each the parts of one time

struct tried {
    double step_s, cost; // stages a second, weighted
    struct bioheat_step_error error;
};

struct trials {
    const struct bioheat_step_search *search;
    struct tried tried[TRIED_MAX];
    size_t count;
    double shortest_s;
    double least_cost; // of those whose error is allowed
    double most_cost;  // dearer ones are not tried
    double measures_s[(BIOHEAT_SWITCH_LEVELS + 2) * (RECORDS + 1)];
    size_t measure_count;
};

static bool is_allowed(const struct trials *t, const struct bioheat_step_error *error)
{
    return error->method_k + error->switches_k <= t->search->tolerance_k;
}

static double cost_of(const struct trials *t, double step_s, double weight)
{
    const double limit_s = t->search->params->limit.step_s;
    return weight * (isinf(limit_s) ? BIOHEAT_RKL2_STAGES_LEAST : bioheat_rkl2_stages(step_s, limit_s)) /
           step_s;
}

static bool was_tried(struct trials *t, double measure_s)
{
    for (size_t k = 0; k < t->measure_count; k++)
        if (t->measures_s[k] == measure_s || fabs(t->measures_s[k] - measure_s) <= 1e-9 * measure_s)
            return true;
    t->measures_s[t->measure_count++] = measure_s;
    return false;
}

// The longest steps first, until one is allowed, or as dear as another that is, or too short.
static void try_parts(struct trials *t, double measure_s, double weight)
{
    const struct bioheat_step_search *s = t->search;
    double parts = ceil(measure_s / s->longest_s * (1 - 1e-12));
    while (t->count < TRIED_MAX) {
        struct tried *now = &t->tried[t->count];
        now->step_s = measure_s / parts;
        now->cost = cost_of(t, now->step_s, weight);
        if (now->cost >= t->least_cost || now->cost > t->most_cost || now->step_s < t->shortest_s)
            return;
        now->error = s->error(s->context, now->step_s);
        t->count++;
        if (is_allowed(t, &now->error)) {
            t->least_cost = now->cost;
            return;
        }
        parts = fmax(parts + 1, ceil(parts / shortening));
    }
}

// `averaged` as in bioheat_heating_switches, −1: no switches; the first `records` of end, fields and sensors.
// 0: they have none in common; INFINITY: there are none.
static double measure_of(const struct bioheat_params *p, struct bioheat_heating *heating, int averaged,
                         int records)
{
    const double wanted_s[RECORDS] = {p->duration_s, p->fields_every_s,
                                      p->sensor_count > 0 ? p->sensors_every_s : 0};
    double lengths_s[LENGTHS_MAX + RECORDS];
    const size_t found =
        averaged < 0 ? 0 : bioheat_heating_switches(heating, averaged, lengths_s, LENGTHS_MAX);
    size_t count = 0;
    if (found > LENGTHS_MAX)
        return 0;
    // What is longer than the run ends after it: a plan of many trains has steps like those of a few.
    for (size_t k = 0; k < found; k++)
        if (lengths_s[k] <= p->duration_s * (1 + 1e-9))
            lengths_s[count++] = lengths_s[k];
    for (int k = 0; k < records; k++)
        if (wanted_s[k] > 0)
            lengths_s[count++] = wanted_s[k];
    return common_measure_s(lengths_s, count);
}

double bioheat_step_between(const struct bioheat_params *p, struct bioheat_heating *heating, int records,
                            double longest_s)
{
    return part_of(measure_of(p, heating, 0, records), longest_s);
}

static void try_family(struct trials *t, int averaged, int records)
{
    const double measure_s = measure_of(t->search->params, t->search->heating, averaged, records);
    if (measure_s > 0 && isfinite(measure_s) && !was_tried(t, measure_s))
        try_parts(t, measure_s,
                  (averaged == 0  ? 1
                   : averaged > 0 ? 1.25
                                  : 1.5) *
                      ldexp(1, RECORDS - records));
}

static const struct tried *cheapest(const struct trials *t)
{
    const double tolerance_k = t->search->tolerance_k;
    const struct tried *best = NULL;
    double least_k = INFINITY;
    for (size_t k = 0; k < t->count; k++)
        if (t->tried[k].error.method_k <= tolerance_k)
            least_k = fmin(least_k, t->tried[k].error.switches_k);
    for (size_t k = 0; k < t->count; k++) {
        const struct tried *now = &t->tried[k];
        const bool is_candidate = isfinite(t->least_cost) ? is_allowed(t, &now->error)
                                                          : now->error.method_k <= tolerance_k &&
                                                                now->error.switches_k <= 1.25 * least_k;
        if (is_candidate && (!best || now->cost < best->cost))
            best = now;
    }
    for (size_t k = 0; k < t->count && isinf(least_k); k++)
        if (!best || t->tried[k].step_s < best->step_s)
            best = &t->tried[k];
    return best;
}

double bioheat_step_shortest_s(const struct bioheat_params *p)
{
    return fmax(shortest_share * fmin(p->limit.step_s, p->duration_s), p->duration_s / most_resolved);
}

static double shortest_step_s(const struct bioheat_step_search *s)
{
    const double most_s = fmin(s->params->limit.step_s, s->params->duration_s),
                 short_s = fmin(switch_share * most_s, 0.5 * s->longest_s);
    if (!s->wants_resolved && s->error(s->context, short_s).method_k <= s->tolerance_k)
        return short_s;
    return fmin(bioheat_step_shortest_s(s->params), 0.5 * s->longest_s);
}

static void try_families(struct trials *t)
{
    const struct bioheat_step_search *s = t->search;
    for (int records = RECORDS; records > 0; records--) {
        if (!s->wants_averaged)
            try_family(t, 0, records);
        if (!s->wants_resolved)
            try_family(t, -1, records);
        for (int averaged = 1; averaged <= BIOHEAT_SWITCH_LEVELS && !s->wants_resolved; averaged++)
            try_family(t, averaged, records);
    }
    // The job wants switches before the end, if it cannot have both.
    if (s->wants_resolved && isinf(t->least_cost))
        try_family(t, 0, 0);
}

double bioheat_step_search(const struct bioheat_step_search *search)
{
    struct trials trials = {.search = search,
                            .shortest_s = shortest_step_s(search),
                            .least_cost = INFINITY,
                            .most_cost = INFINITY};
    try_families(&trials);
    const double end_s = part_of(search->params->duration_s, search->longest_s);
    const struct tried *best = cheapest(&trials);
    if (isfinite(trials.least_cost) || search->wants_resolved)
        return best ? best->step_s : end_s;
    struct trials finer = {.search = search,
                           .shortest_s = trials.shortest_s / worth,
                           .least_cost = INFINITY,
                           .most_cost = best ? worth * best->cost : INFINITY};
    try_families(&finer);
    if (isfinite(finer.least_cost))
        best = cheapest(&finer);
    return best ? best->step_s : end_s;
}
