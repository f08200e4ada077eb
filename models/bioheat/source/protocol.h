// Pulse protocols: pulses in trains, trains in repetitions, and so on, as a function of time, and its exact
// mean over any interval.
//
// The innermost level is the pulse: on for on_s, with linear ramps within that time. Level 0 repeats pulses
// every period_s, count times; level 1 repeats all of level 0 every period_s, count times; ….
#ifndef FATHOM_MODELS_BIOHEAT_SOURCE_PROTOCOL_H
#define FATHOM_MODELS_BIOHEAT_SOURCE_PROTOCOL_H

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

enum { PROTOCOL_LEVELS_MAX = 8, PROTOCOL_NAME_BYTES = 32 };

struct protocol_level {
    char name[PROTOCOL_NAME_BYTES]; // for messages: "pulse", "train"
    double period_s;                // from one's start to the next one's; > 0
    int64_t count;                  // ≥ 1
};

struct protocol {
    double start_s, on_s, ramp_up_s, ramp_down_s;
    double amplitude; // while on
    int level_count;
    struct protocol_level levels[PROTOCOL_LEVELS_MAX]; // innermost first
};

// STATUS_CONFIGURATION, naming the level: times that are not positive, ramps longer than the pulse, or
// repetitions that overlap.
enum status protocol_check(const struct protocol *protocol);

// From the start of level `level` to the end of its last pulse: level 0 is a pulse, level k + 1 all
// repetitions of levels[k].
double protocol_level_duration_s(const struct protocol *protocol, int level);

// The time of all pulses, ramps included; and the integral over all of it (amplitude × s).
double protocol_on_s(const struct protocol *protocol);
double protocol_total(const struct protocol *protocol);

// Mean over from_s … to_s > from_s. 1 × amplitude to the last bit where it is on throughout; 0 where it is
// off.
double protocol_mean(const struct protocol *protocol, double from_s, double to_s);

// The time after `time_s` until which the amplitude is constant, or rises or falls in one straight line;
// INFINITY: for good.
double protocol_linear_until(const struct protocol *protocol, double time_s);

// The time until which periods of levels[level] follow each other regularly, if they do at `time_s`; else a
// time that is not after it.
double protocol_repeats_until(const struct protocol *protocol, int level, double time_s);

// Where the integral departs most from that of a steady amplitude between two times, of which time_s is one:
// in each level, pulses that begin or end a group of them near time_s; of a ramp, where it passes the `share`
// of the amplitude. Unordered; returns their number.
enum { PROTOCOL_EDGES_MAX = (PROTOCOL_LEVELS_MAX + 1) * 16 };
size_t protocol_edges(const struct protocol *protocol, double time_s, double share,
                      double edges_s[PROTOCOL_EDGES_MAX]);

#endif
