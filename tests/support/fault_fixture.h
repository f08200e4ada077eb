// For tests of fault tables: one table file in a folder of the test program's own, and what reading must
// answer. Header only.
#ifndef FATHOM_TESTS_SUPPORT_FAULT_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_FAULT_FIXTURE_H

#include "io/units.h"
#include "models/tsunami/faults.h"
#include "tests/support/asserts.h"
#include "tests/support/folder.h"

enum { FAULT_PATH = 4096 };
static char table_path[FAULT_PATH];

// cmocka set-up and tear-down of a group, and set-up of a test.
static inline int fault_group_setup(void **state)
{
    if (folder_make(state) != 0)
        return -1;
    (void)snprintf(table_path, sizeof table_path, "%s", folder_path("table.json"));
    return 0;
}

static inline int fault_group_teardown(void **state)
{
    units_release();
    return folder_remove(state);
}

static inline int clear_status(void **state)
{
    (void)state;
    status_clear();
    return 0;
}

// In single quotes or double ones.
static inline void write_table(const char *text)
{
    folder_write_json("table.json", "%s", text);
}

static inline void assert_ok(enum status status)
{
    if (status != STATUS_OK)
        fail_msg("%s: %s", status_name(status), status_message());
}

// The failure's status, its one line and every word that it must hold (a list that ends with NULL; in
// single quotes or double ones).
static inline void assert_fails(enum status got, enum status expected, const struct fault_table *table,
                                const char *const *words)
{
    const char *message = status_message();
    if (got != expected)
        fail_msg("got %s (%s), expected %s", status_name(got), message, status_name(expected));
    assert_null(table->faults);
    assert_int_equal(table->count, 0);
    assert_null(strchr(message, '\n'));
    for (; *words != NULL; words++) {
        char word[FAULT_PATH];
        (void)snprintf(word, sizeof word, "%s", *words);
        if (strstr(message, folder_double_quotes(word)) == NULL)
            fail_msg("\"%s\" is not in the message \"%s\"", word, message);
    }
}

#endif
