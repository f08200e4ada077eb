// Values at a window's nodes, kept from run to run (see the header).
#include "io/grid/kept.h"

#include "core/memory_plan.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 64 };

struct entry {
    struct grid_kept kept; // first: the entry is found by it
    size_t bytes;          // 0: the entry is free
    int users;
    uint64_t used_at;
    // What it is of
    struct kept_file content;
    enum grid_format format;
    char variable[GRID_NAME_BYTES];
    size_t record, nx, ny;
    double slope, offset, missing_value, outside_value;
    bool is_geographic, keeps_missing;
    double *x, *y; // in the block of `kept.values`
};

static struct entry entries[ENTRIES];
static uint64_t now;

static bool are_same_bits(double a, double b) // NaN too
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool is_of(const struct entry *e, const struct grid_kept_key *key)
{
    const struct grid_file *file = key->file;
    return e->bytes > 0 && kept_file_is_same(&e->content, &file->content) && e->format == file->info.format &&
           strcmp(e->variable, file->variable) == 0 && e->record == file->record && e->nx == key->nx &&
           e->ny == key->ny && are_same_bits(e->slope, file->slope) &&
           are_same_bits(e->offset, file->offset) && are_same_bits(e->missing_value, key->missing_value) &&
           are_same_bits(e->outside_value, key->outside_value) && e->keeps_missing == key->keeps_missing &&
           e->is_geographic == file->info.is_geographic &&
           memcmp(e->x, key->x, key->nx * sizeof *key->x) == 0 &&
           memcmp(e->y, key->y, key->ny * sizeof *key->y) == 0;
}

static void discard(struct entry *e)
{
    free(e->kept.values);
    free(e->kept.has_row);
    *e = (struct entry){0};
}

// A free entry, and space for so many bytes; NULL if either is missing.
static struct entry *make_room(size_t bytes)
{
    for (;;) {
        struct entry *vacant = NULL, *oldest = NULL;
        size_t total = 0;
        for (struct entry *e = entries; e < entries + ENTRIES; e++) {
            total += e->bytes;
            if (e->bytes == 0)
                vacant = e;
            else if (e->users == 0 && (!oldest || e->used_at < oldest->used_at))
                oldest = e;
        }
        if (vacant && total + bytes <= kept_grid_bytes_most())
            return vacant;
        if (!oldest || bytes > kept_grid_bytes_most())
            return NULL;
        discard(oldest);
    }
}

static struct entry *create(const struct grid_kept_key *key)
{
    const struct grid_file *file = key->file;
    size_t count;
    if (__builtin_mul_overflow(key->nx, key->ny, &count) ||
        __builtin_add_overflow(count, key->nx + key->ny, &count) || count > SIZE_MAX / sizeof(double))
        return NULL;
    struct entry *e = make_room(count * sizeof(double));
    if (!e)
        return NULL;
    *e = (struct entry){.content = file->content,
                        .format = file->info.format,
                        .record = file->record,
                        .nx = key->nx,
                        .ny = key->ny,
                        .slope = file->slope,
                        .offset = file->offset,
                        .missing_value = key->missing_value,
                        .outside_value = key->outside_value,
                        .keeps_missing = key->keeps_missing,
                        .is_geographic = file->info.is_geographic};
    memcpy(e->variable, file->variable, sizeof e->variable);
    e->kept.values = malloc(count * sizeof(double));
    e->kept.has_row = calloc(key->ny, sizeof *e->kept.has_row);
    if (!e->kept.values || !e->kept.has_row) {
        discard(e);
        return NULL;
    }
    e->bytes = count * sizeof(double);
    e->x = e->kept.values + key->nx * key->ny;
    e->y = e->x + key->nx;
    memcpy(e->x, key->x, key->nx * sizeof *key->x);
    memcpy(e->y, key->y, key->ny * sizeof *key->y);
    return e;
}

struct grid_kept *grid_kept_take(const struct grid_kept_key *key)
{
    struct entry *found = NULL;
    if (kept_grid_bytes_most() == 0 || !key->file->has_content)
        return NULL;
    for (struct entry *e = entries; e < entries + ENTRIES && !found; e++)
        found = is_of(e, key) ? e : NULL;
    if (!found && !memory_is_sealed)
        found = create(key);
    if (!found)
        return NULL;
    found->users++;
    found->used_at = ++now;
    return &found->kept;
}

void grid_kept_release(struct grid_kept *kept)
{
    if (kept)
        ((struct entry *)kept)->users--;
}
