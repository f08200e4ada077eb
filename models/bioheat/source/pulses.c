// A pulse protocol in the planner's words: pulses at a repetition frequency (prf, duty_cycle, pulse_length)
// in trains, and trains at intervals. The words follow Martin et al., ITRUSST consensus on standardised
// reporting for transcranial ultrasound stimulation, Brain Stimulation 17(3), 607–615, 2024: pulse duration,
// pulse repetition frequency, pulse train duration, pulse train repetition interval (from start to start).
// The arithmetic is in protocol.c.
#include "models/bioheat/source/private.h"

#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

// To which the words of a job may contradict each other: numbers are written with few digits.
static const double agreement = 1e-6;

static const char *const words[] = {
    "prf",         "duty_cycle", "pulse_length", "train", "inter_train_interval", "train_repetition_interval",
    "repetitions", "ramp"};
enum { WORDS = sizeof words / sizeof *words };

bool source_pulses_are_given(const struct job *part)
{
    bool is_given = false;
    for (size_t k = 0; k < WORDS; k++)
        is_given |= job_has(part, words[k]);
    return is_given;
}

static enum status refuse_other_words(const struct job *part)
{
    static const char *const others[] = {"on", "ramp_up", "ramp_down", "levels"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (job_has(part, others[k]))
            return job_fail(
                part, others[k],
                "is given beside prf, duty_cycle, pulse_length, train ...: describe a protocol by "
                "on and levels, or by these words");
    return STATUS_OK;
}

static bool differ(double a, double b)
{
    return !(fabs(a - b) <= agreement * fmax(fabs(a), fabs(b)));
}

// Frequency and length of the pulses from two of the three words; *prf_hz is 0 if the train is one pulse.
static enum status settle_pulses(const struct job *part, double train_s, double *prf_hz, double *length_s)
{
    double prf = job_quantity(part, "prf"), length = job_quantity(part, "pulse_length"),
           duty = job_has(part, "duty_cycle") ? job_number(part, "duty_cycle") : (double)NAN;
    const int known = !isnan(prf) + !isnan(length) + !isnan(duty);
    *prf_hz = 0;
    *length_s = train_s;
    if (known == 0 || (known == 1 && duty == 1))
        return STATUS_OK;
    if (known == 1)
        return job_fail(part,
                        !isnan(prf)      ? "prf"
                        : !isnan(length) ? "pulse_length"
                                         : "duty_cycle",
                        "is not enough: give two of prf, duty_cycle and pulse_length (none, or a duty_cycle "
                        "of 1: continuous)");
    if (prf == 0 || length == 0 || duty == 0)
        return job_fail(part,
                        prf == 0      ? "prf"
                        : length == 0 ? "pulse_length"
                                      : "duty_cycle",
                        "is 0, expected more");
    if (known == 3 && differ(prf * length, duty))
        return job_fail(part, "duty_cycle", "is %g, but prf times pulse_length, %g Hz x %g s, is %g", duty,
                        prf, length, prf * length);
    prf = isnan(prf) ? duty / length : prf;
    length = isnan(length) ? duty / prf : length;
    if (prf * length > 1 + agreement)
        return job_fail(part, job_has(part, "pulse_length") ? "pulse_length" : "duty_cycle",
                        "pulses of %g s at %g Hz would overlap: their duty cycle would be %g", length, prf,
                        prf * length);
    *prf_hz = prf;
    *length_s = fmin(length, 1 / prf);
    return STATUS_OK;
}

static enum status add_pulses(const struct job *part, struct protocol *p, double train_s)
{
    double prf_hz;
    CHECK(settle_pulses(part, train_s, &prf_hz, &p->on_s));
    p->ramp_up_s = p->ramp_down_s = job_has(part, "ramp") ? job_quantity(part, "ramp") : 0;
    if (prf_hz == 0 || !differ(prf_hz * p->on_s, 1)) {
        p->on_s = train_s; // continuous: its ramps are those of the train
        return STATUS_OK;
    }
    const double count = nearbyint(train_s * prf_hz);
    if (count < 1 || fabs(count - train_s * prf_hz) > agreement * count || count > 1e15)
        return job_fail(part, "train", "%g s is not a whole number of pulses at %g Hz: it holds %.9g",
                        train_s, prf_hz, train_s * prf_hz);
    p->levels[p->level_count++] =
        (struct protocol_level){.name = "pulse", .period_s = train_s / count, .count = (int64_t)count};
    return STATUS_OK;
}

// From the start of a train to the start of the next.
static enum status settle_interval(const struct job *part, double train_s, double *interval_s)
{
    static const char pause_key[] = "inter_train_interval", interval_key[] = "train_repetition_interval";
    const double pause_s = job_quantity(part, pause_key), given_s = job_quantity(part, interval_key);
    if (isnan(pause_s) && isnan(given_s))
        return job_fail(part, "repetitions",
                        "need inter_train_interval, the pause between trains, or train_repetition_interval, "
                        "from start to start");
    if (!isnan(pause_s) && !isnan(given_s) && differ(train_s + pause_s, given_s))
        return job_fail(part, interval_key,
                        "is %g s, but train and inter_train_interval, %g s + %g s, are %g s", given_s,
                        train_s, pause_s, train_s + pause_s);
    *interval_s = isnan(given_s) ? train_s + pause_s : given_s;
    if (*interval_s < train_s * (1 - agreement))
        return job_fail(part, interval_key, "trains of %g s every %g s would overlap", train_s, *interval_s);
    *interval_s = fmax(*interval_s, train_s);
    return STATUS_OK;
}

static enum status add_trains(const struct job *part, struct protocol *p, double train_s)
{
    const int64_t repetitions = job_has(part, "repetitions") ? job_integer(part, "repetitions") : 1;
    double interval_s = train_s;
    static const char *const intervals[] = {"inter_train_interval", "train_repetition_interval"};
    bool has_interval = false;
    for (size_t k = 0; k < 2; k++) {
        // One train that is stated may have an interval: it is the first value of a sweep over repetitions.
        if (job_has(part, intervals[k]) && !job_has(part, "repetitions"))
            return job_fail(part, intervals[k], "has no effect with one train: give repetitions");
        has_interval |= job_has(part, intervals[k]);
    }
    if (repetitions > 1 || has_interval)
        CHECK(settle_interval(part, train_s, &interval_s));
    p->levels[p->level_count++] =
        (struct protocol_level){.name = "train", .period_s = interval_s, .count = repetitions};
    return STATUS_OK;
}

enum status source_pulses_read(const struct job *part, struct source_time *time)
{
    struct protocol *p = &time->given;
    CHECK(refuse_other_words(part));
    if (!job_has(part, "train") || !(job_quantity(part, "train") > 0))
        return job_fail(part, "train", "%s: how long a train of pulses lasts, such as \"30 s\"",
                        job_has(part, "train") ? "is 0" : "missing");
    time->is_planned = true;
    time->train_s = job_quantity(part, "train");
    CHECK(add_pulses(part, p, time->train_s));
    return add_trains(part, p, time->train_s);
}

// ---- how pulses act in steps

static bool has_pulses(const struct source_time *time)
{
    return time->kind == SOURCE_PULSES && time->is_planned && time->given.level_count == 2;
}

// Of the amplitude, over a period of the pulses.
static double mean_share(const struct protocol *p)
{
    return (p->on_s - 0.5 * (p->ramp_up_s + p->ramp_down_s)) / p->levels[0].period_s;
}

// The heat that has been given off at any time of a train departs from that of the mean power by no more than
// what a pulse gives beyond the mean. So does a temperature that only rises while it is heated evenly.
double source_pulses_ripple_j_m3(const struct bioheat_heating *heating, const struct source_time *time)
{
    const struct protocol *p = &time->given;
    double most_w_m3 = 0;
    if (!has_pulses(time))
        return 0;
    for (int k = 0; k < heating->map_count; k++)
        if (heating->maps[k].amplitude == time)
            most_w_m3 += heating->maps[k].power.largest_w_m3 * fabs(p->amplitude);
    const double off = 1 - mean_share(p), ramps_s = p->ramp_up_s + p->ramp_down_s;
    return most_w_m3 * off * (p->on_s - ramps_s + 0.5 * off * ramps_s);
}

double source_pulses_hidden_j_m3(const struct bioheat_heating *heating)
{
    double sum_j_m3 = 0;
    for (size_t k = 0; k < heating->time_count; k++)
        if (heating->times[k].is_used && heating->times[k].is_averaged)
            sum_j_m3 += source_pulses_ripple_j_m3(heating, &heating->times[k]);
    return sum_j_m3;
}

static bool is_resolved(const struct protocol *p, double step_s)
{
    return bioheat_step_divides(step_s, p->start_s) && bioheat_step_divides(step_s, p->on_s) &&
           bioheat_step_divides(step_s, p->levels[0].period_s) &&
           (p->levels[1].count == 1 || bioheat_step_divides(step_s, p->levels[1].period_s));
}

// All protocols together may hide no more than is allowed.
static bool may_average(const struct bioheat_heating *heating, const struct source_time *time, double step_s)
{
    int pulsed = 0;
    for (size_t k = 0; k < heating->time_count; k++)
        pulsed += heating->times[k].is_used && has_pulses(&heating->times[k]);
    return heating->ripple_k > 0 && step_s >= time->given.levels[0].period_s * (1 - 1e-9) &&
           source_pulses_ripple_j_m3(heating, time) * pulsed <= heating->ripple_k * heating->heat_j_m3_k;
}

void source_pulses_fit(const struct bioheat_heating *heating, struct source_time *time, double step_s)
{
    struct protocol *p = &time->protocol;
    if (time->kind != SOURCE_PULSES)
        return;
    *p = time->given;
    time->is_averaged = has_pulses(time) && may_average(heating, time, step_s);
    if (!time->is_averaged)
        return;
    p->amplitude *= mean_share(p);
    p->on_s = time->train_s;
    p->ramp_up_s = p->ramp_down_s = 0;
    p->levels[0] = p->levels[1];
    p->level_count = 1;
}

void bioheat_heating_allow(struct bioheat_heating *heating, double ripple_k, double heat_j_m3_k)
{
    heating->ripple_k = ripple_k;
    heating->heat_j_m3_k = heat_j_m3_k;
}

// ---- what the run says of them

// NaN: not known.
static double ripple_k(const struct bioheat_heating *heating, const struct source_time *time)
{
    return heating->heat_j_m3_k > 0 ? source_pulses_ripple_j_m3(heating, time) / heating->heat_j_m3_k
                                    : (double)NAN;
}

void bioheat_heating_details(const struct bioheat_heating *heating, char *text, size_t bytes)
{
    for (size_t k = 0, used = 0; k < heating->time_count && used < bytes; k++) {
        const struct source_time *t = &heating->times[k];
        if (!t->is_used || !has_pulses(t) || is_resolved(&t->given, heating->step_s))
            continue;
        used += (size_t)snprintf(text + used, bytes - used,
                                 "protocol %s: steps of %.6g s do not resolve pulses of %.6g s every %.6g s: "
                                 "%s (ripple of at most "
                                 "%.2g K)\n",
                                 t->name, heating->step_s, t->given.on_s, t->given.levels[0].period_s,
                                 t->is_averaged ? "their mean power acts throughout each train"
                                                : "each step has the part of them that lies in it",
                                 ripple_k(heating, t));
    }
}

static void describe_pulses(const struct bioheat_heating *heating, const struct source_time *t, cJSON *item)
{
    const struct protocol *p = &t->given;
    if (!has_pulses(t)) {
        cJSON_AddStringToObject(item, "pulses", "continuous");
        return;
    }
    cJSON_AddNumberToObject(item, "prf_hz", 1 / p->levels[0].period_s);
    cJSON_AddNumberToObject(item, "duty_cycle", p->on_s / p->levels[0].period_s);
    cJSON_AddNumberToObject(item, "pulse_length_s", p->on_s);
    cJSON_AddNumberToObject(item, "ramp_s", p->ramp_up_s);
    cJSON_AddStringToObject(item, "pulses",
                            t->is_averaged ? "mean power: the steps do not resolve them"
                            : is_resolved(p, heating->step_s)
                                ? "resolved by the steps"
                                : "shared: each step has the part of them that lies in it");
    json_add_number(item, "ripple_k", ripple_k(heating, t));
}

void source_pulses_describe(const struct bioheat_heating *heating, cJSON *source)
{
    cJSON *list = NULL;
    for (size_t k = 0; k < heating->time_count; k++) {
        const struct source_time *t = &heating->times[k];
        const struct protocol *p = &t->given;
        if (!t->is_used || !t->is_planned || p->level_count == 0)
            continue;
        list = list ? list : cJSON_AddArrayToObject(source, "protocols");
        cJSON *item = json_append_object(list);
        const struct protocol_level *trains = &p->levels[p->level_count - 1];
        cJSON_AddStringToObject(item, "name", t->name);
        describe_pulses(heating, t, item);
        cJSON_AddNumberToObject(item, "start_s", p->start_s);
        cJSON_AddNumberToObject(item, "train_s", t->train_s);
        cJSON_AddNumberToObject(item, "train_repetition_interval_s", trains->period_s);
        cJSON_AddNumberToObject(item, "repetitions", (double)trains->count);
    }
}

struct bioheat_trains bioheat_heating_trains(const struct bioheat_heating *heating)
{
    for (size_t k = 0; k < heating->time_count; k++) {
        const struct source_time *t = &heating->times[k];
        const struct protocol *p = &t->given;
        if (!t->is_used || t->kind != SOURCE_PULSES)
            continue;
        if (p->level_count == 0)
            return (struct bioheat_trains){p->start_s, p->on_s, p->on_s, 1};
        const struct protocol_level *outermost = &p->levels[p->level_count - 1];
        return (struct bioheat_trains){
            p->start_s, t->is_planned ? t->train_s : protocol_level_duration_s(p, p->level_count - 1),
            outermost->period_s, outermost->count};
    }
    return (struct bioheat_trains){0, NAN, NAN, 1};
}
