// Files that describe an earthquake, written by a test into its own folder (folder.h), read, and refused when
// one place of them is changed. What goes wrong in here fails the running test.
#ifndef FATHOM_TESTS_SUPPORT_EARTHQUAKE_FILES_H
#define FATHOM_TESTS_SUPPORT_EARTHQUAKE_FILES_H

#include "models/tsunami/earthquake/recognise.h"
#include "tests/support/earthquake_texts.h"
#include "tests/support/folder.h"
#include "tests/support/statuses.h"

#include <stdio.h>
#include <string.h>

static inline int clear_status(void **state)
{
    (void)state;
    status_clear();
    return 0;
}

static inline const char *write_text(const char *text)
{
    folder_write_text("file", text);
    return folder_path("file");
}

static inline const char *write_json(const char *text)
{
    folder_write_json("file", "%s", text);
    return folder_path("file");
}

static inline struct earthquake_rupture read_rupture(const char *path, enum earthquake_format expected)
{
    struct earthquake_rupture rupture;
    enum earthquake_format format;
    assert_ok(earthquake_read_rupture(path, NULL, &rupture, &format));
    assert_int_equal(format, expected);
    return rupture;
}

static inline struct earthquake_event read_event(const char *path, const char *wanted,
                                                 enum earthquake_format expected)
{
    struct earthquake_event event;
    enum earthquake_format format;
    assert_ok(earthquake_read_event(path, wanted, &event, &format));
    assert_int_equal(format, expected);
    return event;
}

// A file with the text, in which the first `from` is replaced by `to`.
static inline const char *write_changed(const char *text, const char *from, const char *to)
{
    const char *place = strstr(text, from);
    assert_non_null(place);
    char *changed = owned_zeros(1, strlen(text) + strlen(to) + 1);
    sprintf(changed, "%.*s%s%s", (int)(place - text), text, to, place + strlen(from));
    return write_text(changed);
}

// `text` with the first `from` replaced by `to`, as an event; the message has all fragments.
static inline void refuse_event(const char *text, const char *from, const char *to, const char *a,
                                const char *b)
{
    struct earthquake_event e;
    enum earthquake_format format;
    assert_failure(earthquake_read_event(write_changed(text, from, to), NULL, &e, &format), STATUS_DATA,
                   "/file", a, b);
}

// `text` with the first `from` replaced by `to`; the message has all fragments, and the rupture stays empty.
static inline void refuse_rupture(const char *text, const char *from, const char *to, const char *a,
                                  const char *b)
{
    struct earthquake_rupture r;
    enum earthquake_format format;
    const char *path = write_changed(text, from, to);
    assert_failure(earthquake_read_rupture(path, NULL, &r, &format), STATUS_DATA, "/file", a, b);
    assert_null(r.faults.faults);
    assert_int_equal(r.faults.count, 0);
}

#endif
