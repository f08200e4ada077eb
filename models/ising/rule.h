// What decides a spin (state.h, DECISIONS) as numbers that the fast versions, the processor's and the GPU's,
// make once a temperature. word.inc has the arithmetic. Independent of lattices.
#ifndef FATHOM_MODELS_ISING_RULE_H
#define FATHOM_MODELS_ISING_RULE_H

#include "models/ising/random.h"
#include "models/ising/state.h"

#include <math.h>

struct ising_rule {
    struct philox_key key;
    // HEAT_BATH, or a field: a threshold for each value and number of neighbours; else two for all
    bool is_general;
    bool is_heat_bath;
    uint32_t unlike;           // all bits with J < 0: an unlike neighbour is satisfied
    uint64_t three, four;      // thresholds of spins with three or four satisfied neighbours
    uint64_t thresholds[2][5]; // [up][neighbours up]: that it flips; HEAT_BATH: that it is up
};

static inline struct ising_rule ising_rule_of(const struct ising_physics *physics, uint32_t number,
                                              double beta)
{
    const double coupling = fabs(physics->coupling);
    struct ising_rule rule;
    rule.key = ising_key(physics->seed, number);
    rule.is_heat_bath = physics->method == ISING_HEAT_BATH;
    rule.unlike = physics->coupling < 0 ? 0xffffffffu : 0;
    rule.three = ising_threshold(exp(-4 * beta * coupling));
    rule.four = ising_threshold(exp(-8 * beta * coupling));
    rule.is_general = rule.is_heat_bath || physics->field != 0;
    for (int up = 0; up < 2; up++)
        for (int neighbours = 0; neighbours < 5; neighbours++) {
            const double local = physics->coupling * (2 * neighbours - 4) + physics->field;
            const double delta = 2 * (up ? 1 : -1) * local;
            rule.thresholds[up][neighbours] = rule.is_heat_bath
                                                  ? ising_threshold(1 / (1 + exp(-2 * beta * local)))
                                              : delta <= 0 ? (uint64_t)1 << 32
                                                           : ising_threshold(exp(-beta * delta));
        }
    return rule;
}

#endif
