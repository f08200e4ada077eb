// The tsunami's back ends as one of models/backend.h's lists. Its tables have a place of their own for what
// all back ends tell of themselves; here that is put into the common form. Knows none by name but its own
// two.
#include "models/tsunami/backends.h"

#include <assert.h>

static const struct tsunami_backend *tables[BACKENDS_MAX];
static struct backend heads[BACKENDS_MAX]; // of the same
static struct backend_list list;

static void add(const struct tsunami_backend *table)
{
    assert(list.count < BACKENDS_MAX);
    tables[list.count] = table;
    heads[list.count] = (struct backend){.name = table->name,
                                         .summary = table->summary,
                                         .rank = table->rank,
                                         .has_devices = table->has_devices,
                                         .is_usable = table->is_usable,
                                         .is_absent = table->is_absent};
    backend_register(&list, &heads[list.count]);
}

// The list, with the model's own two at its head.
const struct backend_list *tsunami_backend_list(void)
{
    if (list.count == 0) {
        add(&tsunami_backend_openmp);
        add(&tsunami_backend_reference);
    }
    return &list;
}

const struct tsunami_backend *tsunami_backend_of(const struct backend *head)
{
    return head ? tables[head - heads] : NULL;
}

void tsunami_backend_register(const struct tsunami_backend *backend)
{
    (void)tsunami_backend_list();
    add(backend);
}

void tsunami_backend_register_absent(const char *name, const char *reason)
{
    backend_register_absent(name, reason);
}

const struct tsunami_backend *tsunami_backend_at(int index)
{
    return index >= 0 && index < tsunami_backend_list()->count ? tables[index] : NULL;
}

const struct tsunami_backend *tsunami_backend_for(const struct tsunami_backend *backend,
                                                  enum tsunami_method method)
{
    return tsunami_method_floods(method) ? backend->flooding : backend;
}

const struct tsunami_backend *tsunami_backend_find(const char *name)
{
    return tsunami_backend_of(backend_find(tsunami_backend_list(), name));
}

enum status tsunami_backend_read(const char *text, const struct tsunami_backend **backend, int *device)
{
    const struct backend *head;
    const enum status status = backend_read(tsunami_backend_list(), text, &head, device);
    *backend = tsunami_backend_of(head);
    return status;
}

const char *tsunami_backend_names(void)
{
    return backend_names(tsunami_backend_list());
}
