// For tests of fault tables: one table file in a folder of the test program's own, and what reading must
// answer. Header only.
#ifndef FATHOM_TESTS_SUPPORT_FAULT_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_FAULT_FIXTURE_H

#include "io/units.h"
#include "models/tsunami/earthquake/faults.h"
#include "tests/support/asserts.h"
#include "tests/support/folder.h"
#include "tests/support/statuses.h"

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
    status_clear();
    return 0;
}

// In single quotes or double ones.
static inline void write_table(const char *text)
{
    folder_write_json("table.json", "%s", text);
}

OWNED(own_table, struct fault_table, fault_table_free);

// The test's table of a file, and of a text.
static inline const struct fault_table *read_table_file(const char *path)
{
    struct fault_table *table = own_table(owned_zeros(1, sizeof *table));
    assert_ok(fault_table_read(path, table));
    return table;
}

static inline const struct fault_table *read_table(const char *text)
{
    write_table(text);
    return read_table_file(table_path);
}

// What `call` does with `refused` must fail with this status, one line, and every word (in single quotes or
// double ones), and leave the table empty.
static struct fault_table refused;
#define assert_refused(call, status, ...)                                                                    \
    (status_clear(), assert_refused_words((call), (status), (const char *const[]){__VA_ARGS__, NULL}))
static inline void assert_refused_words(enum status got, enum status expected, const char *const *words)
{
    const char *message = status_message();
    if (got != expected)
        fail_msg("got %s (%s), expected %s", status_name(got), message, status_name(expected));
    assert_null(refused.faults);
    assert_int_equal(refused.count, 0);
    assert_null(strchr(message, '\n'));
    for (; *words != NULL; words++)
        if (strstr(message, folder_double_quotes(owned_take(strdup(*words)))) == NULL)
            fail_msg("\"%s\" is not in the message \"%s\"", *words, message);
}

// Rows of texts that are no tables, and words of the message, which names the file.
struct bad_table {
    const char *text, *words[4];
};
static inline void assert_text_refused(const struct bad_table *bad)
{
    const char *const *w = bad->words;
    write_table(bad->text);
    assert_refused(fault_table_read(table_path, &refused), STATUS_DATA, table_path, w[0], w[1], w[2]);
}

#endif
