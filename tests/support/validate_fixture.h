// For tests of the program's own validation: runs a case by a program that does not quite do what it is asked
// to, since some of its jobs are changed behind the case's back.
#ifndef FATHOM_TESTS_SUPPORT_VALIDATE_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_VALIDATE_FIXTURE_H

#include "validate/runner.h"

enum { VALIDATE_CHANGES_MAX = 4 };

// What is set in the jobs whose file's name has this part ("": all).
struct validate_change {
    const char *job, *key, *json; // job NULL: no change
};

// Runs one case ("nbody/units") in this precision; free the list, whose only record is returned. Ends the
// test if it cannot be run.
const struct validation_record *validate_case(const char *name, const char *precision,
                                              const struct validate_change changes[VALIDATE_CHANGES_MAX],
                                              struct validation_list *list);

// The same; ends the test unless those of its results have failed, at least one, whose quantity has the part
// `failing`, and no other; NULL: none has, and the case has passed. "A|B": those with either part, and at
// least one with each.
void validate_assert(const char *name, const char *precision,
                     const struct validate_change changes[VALIDATE_CHANGES_MAX], const char *failing);

// The same; ends the test unless the case has failed, and one of the results at least whose quantity has the
// part `failing`: what else fails with it does not matter.
void validate_assert_fails(const char *name, const char *precision,
                           const struct validate_change changes[VALIDATE_CHANGES_MAX], const char *failing);

// cmocka's setup and teardown: cli_fixture.h's, and cases' folders are made in the test's own.
int validate_setup(void **state);
int validate_teardown(void **state);

#endif
