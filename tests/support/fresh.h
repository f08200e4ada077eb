// Setups that many test files share: no failure is recorded from the test before, and the folder is new.
// Header only.
#ifndef FATHOM_TESTS_SUPPORT_FRESH_H
#define FATHOM_TESTS_SUPPORT_FRESH_H

#include "core/status.h"
#include "tests/support/folder.h"

static inline int fresh_status(void **state)
{
    status_clear();
    return 0;
}

static inline int fresh_folder(void **state)
{
    status_clear();
    return folder_make(state);
}

#endif
