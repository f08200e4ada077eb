// See owned.h.
#include "tests/support/owned.h"
#include "tests/support/asserts.h"

static struct owned {
    struct owned *next;
    void (*release)(void *);
    void *what;
} * newest;

void owned_at_end(void (*release)(void *), void *what)
{
    struct owned *entry = malloc(sizeof *entry);
    assert_non_null(entry);
    *entry = (struct owned){newest, release, what};
    newest = entry;
}

void *owned_take(void *allocated)
{
    assert_non_null(allocated);
    owned_at_end(free, allocated);
    return allocated;
}

void *owned_zeros(size_t count, size_t bytes)
{
    return owned_take(calloc(count > 0 ? count : 1, bytes));
}

static void release(struct owned **link)
{
    struct owned *entry = *link;
    *link = entry->next;
    entry->release(entry->what);
    free(entry);
}

void owned_end(void *what)
{
    struct owned **link = &newest;
    while (*link && (*link)->what != what)
        link = &(*link)->next;
    if (*link)
        release(link);
    else
        assert_null(what);
}

const void *owned_mark(void)
{
    return newest;
}

void owned_release(const void *mark)
{
    while (newest && newest != mark)
        release(&newest);
}
