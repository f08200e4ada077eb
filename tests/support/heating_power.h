// The source of heat of a test, released after it whatever happens, and what is known of it before a run.
#ifndef FATHOM_TESTS_SUPPORT_HEATING_POWER_H
#define FATHOM_TESTS_SUPPORT_HEATING_POWER_H

#include "tests/support/heating_fixture.h"
#include "tests/support/statuses.h"

static struct heating_trial trial;

static inline int heating_begin(void **state)
{
    trial = (struct heating_trial){0};
    return folder_make(state);
}

static inline int heating_end(void **state)
{
    heating_trial_end(&trial);
    return folder_remove(state);
}

static inline struct bioheat_power power_of(const char *source, double step_s, int64_t steps)
{
    assert_ok(heating_trial_create(&trial, &heating_grid, ELEMENT_F64, source));
    assert_ok(bioheat_heating_survey(trial.heating));
    const struct bioheat_power power = bioheat_heating_power(trial.heating, step_s, steps);
    heating_trial_end(&trial);
    return power;
}

#endif
