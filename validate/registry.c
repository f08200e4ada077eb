// The suites that this program has, in the order in which they are run. A model adds its suites here.
#include "validate/suite.h"

#include "validate/bioheat/suites.h"
#include "validate/gas/suites.h"
#include "validate/ising/suites.h"
#include "validate/nbody/suites.h"
#include "validate/tsunami/suites.h"

#include <assert.h>

enum { SUITES_MAX = 16 };

static const struct validation_suite *suites[SUITES_MAX] = {&tsunami_backends_suite,
                                                            &tsunami_analytic_suite,
                                                            &tsunami_lab_suite,
                                                            &tsunami_field_suite,
                                                            &bioheat_suite,
                                                            &nbody_suite,
                                                            &gas_suite,
                                                            &ising_suite};
static int suite_count = 8;

int validation_suite_count(void)
{
    return suite_count;
}

const struct validation_suite *validation_suite_at(int index)
{
    return index >= 0 && index < suite_count ? suites[index] : NULL;
}

void validation_register(const struct validation_suite *suite)
{
    assert(suite_count < SUITES_MAX);
    suites[suite_count++] = suite;
}
