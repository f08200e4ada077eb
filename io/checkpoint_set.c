// Checkpoints in several files (see the header).
#include "io/checkpoint_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char table_name[] = "rows of ranks";

// The first array of a file.
struct table {
    uint64_t ranks, rank;
    struct checkpoint_rows rows[CHECKPOINT_ARRAYS_MAX];
};

static uint64_t table_bytes(int count)
{
    return 2 * sizeof(uint64_t) + (uint64_t)count * sizeof(struct checkpoint_rows);
}

static uint64_t parts_of(const struct checkpoint_rows *rows)
{
    return rows->parts > 0 ? rows->parts : 1;
}

static uint64_t bytes_of(const struct checkpoint_rows *rows)
{
    return parts_of(rows) * (rows->end - rows->first) * rows->row_bytes;
}

// ---- names

enum status checkpoint_set_path(const char *directory, int64_t segment, int rank, char path[PATH_BYTES])
{
    const int length =
        snprintf(path, PATH_BYTES, "%s/checkpoint.%04lld.%04d", directory, (long long)segment, rank);
    return length < PATH_BYTES ? STATUS_OK
                               : FAIL(STATUS_CANNOT_CREATE, "%s: the path is too long (at most %d bytes)",
                                      directory, PATH_BYTES - 1);
}

int64_t checkpoint_set_segment(const char *file)
{
    char *end;
    if (strncmp(file, "checkpoint.", 11) != 0 || file[11] < '0' || file[11] > '9')
        return -1;
    const long long segment = strtoll(file + 11, &end, 10);
    if (*end != '.' || end[1] < '0' || end[1] > '9')
        return -1;
    (void)strtoll(end + 1, &end, 10);
    return *end == '\0' || strcmp(end, ".tmp") == 0 ? (int64_t)segment : -1;
}

// ---- writing

// Whether another rank than 0 need not write an array: it is not divided, or every rank has all rows.
static bool is_of_first(const struct checkpoint_rows *rows)
{
    return rows->row_bytes == 0 || (rows->first == 0 && rows->end == rows->rows);
}

// The arrays of this rank's file; `all` begins with the table.
static int list_written(const struct checkpoint_array *arrays, int count, const struct checkpoint_set *set,
                        struct table *table, struct checkpoint_array all[CHECKPOINT_ARRAYS_MAX])
{
    int written = 1;
    all[0] = (struct checkpoint_array){table_name, table, (size_t)table_bytes(count)};
    for (int k = 0; k < count && written < CHECKPOINT_ARRAYS_MAX; k++)
        if (set->rank == 0 || !is_of_first(&set->rows[k]))
            all[written++] = arrays[k];
    return written;
}

uint64_t checkpoint_set_bytes(const struct checkpoint_array *arrays, int count,
                              const struct checkpoint_set *set)
{
    struct checkpoint_array all[CHECKPOINT_ARRAYS_MAX];
    return checkpoint_file_bytes(all, list_written(arrays, count, set, NULL, all));
}

enum status checkpoint_set_write(const char *path, const struct checkpoint_header *header,
                                 const struct checkpoint_array *arrays, int count,
                                 const struct checkpoint_set *set)
{
    struct checkpoint_array all[CHECKPOINT_ARRAYS_MAX];
    struct table table = {.ranks = (uint64_t)set->ranks, .rank = (uint64_t)set->rank};
    if (count >= CHECKPOINT_ARRAYS_MAX)
        return FAIL(STATUS_SOFTWARE, "%s: %d arrays in a checkpoint of several ranks, at most %d", path,
                    count, CHECKPOINT_ARRAYS_MAX - 1);
    memcpy(table.rows, set->rows, (size_t)count * sizeof *table.rows);
    for (int k = 0; k < count; k++) {
        const struct checkpoint_rows *rows = &set->rows[k];
        if (rows->row_bytes > 0 && arrays[k].bytes != bytes_of(rows))
            return FAIL(STATUS_SOFTWARE, "%s: array \"%s\" has %zu bytes, its rows %llu to %llu have others",
                        path, arrays[k].name, arrays[k].bytes, (unsigned long long)rows->first,
                        (unsigned long long)rows->end);
    }
    return checkpoint_write(path, header, all, list_written(arrays, count, set, &table, all));
}

// ---- one file of a set, or the one file of a run of one rank

struct file {
    char path[PATH_BYTES];
    struct checkpoint_header header;
    struct checkpoint_entry entries[CHECKPOINT_ARRAYS_MAX];
    int count;
    bool has_table;
    struct table table;
};

static enum status open_file(struct file *file, const char *path, bool verifies)
{
    snprintf(file->path, sizeof file->path, "%s", path);
    CHECK(checkpoint_inspect(path, verifies, &file->header, file->entries, &file->count));
    file->has_table = file->count > 0 && strcmp(file->entries[0].name, table_name) == 0;
    file->table = (struct table){.ranks = 1};
    if (!file->has_table)
        return STATUS_OK;
    const uint64_t bytes = file->entries[0].bytes;
    if (bytes < table_bytes(0) || bytes > sizeof file->table)
        return FAIL(STATUS_DATA, "%s: the checkpoint's table of ranks has %llu bytes", path,
                    (unsigned long long)bytes);
    return checkpoint_read_bytes(path, file->entries[0].offset, &file->table, bytes);
}

// The file of rank `rank` of the set that `first` begins.
static enum status open_other(struct file *file, const struct file *first, int rank, bool verifies)
{
    char directory[PATH_BYTES], path[PATH_BYTES];
    snprintf(directory, sizeof directory, "%s", first->path);
    char *slash = strrchr(directory, '/');
    if (slash)
        *slash = '\0';
    CHECK(checkpoint_set_path(slash ? directory : ".", first->header.segment, rank, path));
    CHECK(open_file(file, path, verifies));
    const struct checkpoint_header *its = &file->header, *ours = &first->header;
    if (its->job_hash != ours->job_hash || its->input_hash != ours->input_hash || its->step != ours->step ||
        its->segment != ours->segment || !file->has_table || file->table.rank != (uint64_t)rank ||
        file->table.ranks != first->table.ranks)
        return FAIL(STATUS_DATA, "%s: does not belong to the checkpoint %s", path, first->path);
    return STATUS_OK;
}

static enum status verify_set(struct file files[2], const char *path, struct checkpoint_header *header)
{
    CHECK(open_file(&files[0], path, true));
    for (int rank = 1; (uint64_t)rank < files[0].table.ranks; rank++) {
        const enum status status = open_other(&files[1], &files[0], rank, true);
        if (status == STATUS_NO_INPUT) // the set is not whole
            return status_prefix(STATUS_DATA, "%s: a file of the set is missing", path);
        CHECK(status);
    }
    if (header)
        *header = files[0].header;
    return STATUS_OK;
}

static struct file *two_files(const char *path)
{
    struct file *files = calloc(2, sizeof *files);
    if (!files)
        FAIL(STATUS_SYSTEM, "%s: no memory to read the checkpoint", path);
    return files;
}

enum status checkpoint_set_verify(const char *path, struct checkpoint_header *header)
{
    struct file *files = two_files(path);
    const enum status status = files ? verify_set(files, path, header) : STATUS_SYSTEM;
    free(files);
    return status;
}

// ---- reading

struct wish {
    const struct checkpoint_array *arrays;
    const struct checkpoint_rows *rows;
    int count;
    uint64_t found[CHECKPOINT_ARRAYS_MAX]; // rows of each array
};

// The rows of array `k` that a file holds.
static struct checkpoint_rows rows_in(const struct file *file, const struct wish *wish, int k)
{
    struct checkpoint_rows rows = wish->rows[k];
    if (file->has_table)
        return file->table.rows[k];
    rows.first = 0;
    rows.end = rows.rows;
    return rows;
}

static const struct checkpoint_entry *entry_of(const struct file *file, const char *name)
{
    for (int k = 0; k < file->count; k++)
        if (strcmp(file->entries[k].name, name) == 0)
            return &file->entries[k];
    return NULL;
}

// Whether rows of array `k` are still to be found.
static bool lacks_rows(const struct wish *wish, int k)
{
    const struct checkpoint_rows *mine = &wish->rows[k];
    return mine->row_bytes > 0 && wish->found[k] != mine->end - mine->first;
}

// Takes what the file has of the wanted rows of array `k`.
static enum status take_rows(const struct file *file, struct wish *wish, int k)
{
    const struct checkpoint_rows *mine = &wish->rows[k], its = rows_in(file, wish, k);
    const struct checkpoint_array *array = &wish->arrays[k];
    const struct checkpoint_entry *entry = entry_of(file, array->name);
    if (!entry || its.row_bytes != mine->row_bytes || its.rows != mine->rows ||
        parts_of(&its) != parts_of(mine) || its.first > its.end || entry->bytes != bytes_of(&its))
        return FAIL(STATUS_DATA, "%s: array \"%s\" of the checkpoint is divided otherwise than in this run",
                    file->path, array->name);
    const uint64_t first = its.first > mine->first ? its.first : mine->first,
                   end = its.end < mine->end ? its.end : mine->end;
    if (first >= end)
        return STATUS_OK;
    wish->found[k] += end - first;
    for (uint64_t part = 0; part < parts_of(&its); part++) {
        const uint64_t from = part * (its.end - its.first) + (first - its.first),
                       to = part * (mine->end - mine->first) + (first - mine->first);
        CHECK(checkpoint_read_bytes(file->path, entry->offset + from * its.row_bytes,
                                    (char *)array->data + to * its.row_bytes, (end - first) * its.row_bytes));
    }
    return STATUS_OK;
}

// Whether a file has rows that are wanted: the others need not be read.
static bool is_wanted(const struct file *file, const struct wish *wish)
{
    for (int k = 0; k < wish->count; k++) {
        const struct checkpoint_rows *mine = &wish->rows[k], *its = &file->table.rows[k];
        if (lacks_rows(wish, k) && its->first < mine->end && mine->first < its->end)
            return true;
    }
    return false;
}

static enum status take_whole(const struct file *file, const struct checkpoint_array *array)
{
    const struct checkpoint_entry *entry = entry_of(file, array->name);
    if (!entry || entry->bytes != array->bytes)
        return FAIL(STATUS_DATA, "%s: array \"%s\" of the checkpoint has %llu bytes, expected %zu",
                    file->path, array->name, (unsigned long long)(entry ? entry->bytes : 0), array->bytes);
    return checkpoint_read_bytes(file->path, entry->offset, array->data, array->bytes);
}

static enum status read_set(struct file files[2], const char *path, struct wish *wish)
{
    CHECK(open_file(&files[0], path, true));
    if (files[0].count - files[0].has_table != wish->count)
        return FAIL(STATUS_DATA, "%s: the checkpoint holds %d arrays, this run has %d", path,
                    files[0].count - files[0].has_table, wish->count);
    for (int k = 0; k < wish->count; k++)
        CHECK(wish->rows[k].row_bytes > 0 ? take_rows(&files[0], wish, k)
                                          : take_whole(&files[0], &wish->arrays[k]));
    for (int rank = 1; (uint64_t)rank < files[0].table.ranks; rank++) {
        CHECK(open_other(&files[1], &files[0], rank, false));
        if (!is_wanted(&files[1], wish))
            continue;
        CHECK(open_other(&files[1], &files[0], rank, true));
        for (int k = 0; k < wish->count; k++)
            if (lacks_rows(wish, k))
                CHECK(take_rows(&files[1], wish, k));
    }
    for (int k = 0; k < wish->count; k++)
        if (lacks_rows(wish, k))
            return FAIL(STATUS_DATA, "%s: array \"%s\" of the checkpoint lacks rows of %llu to %llu", path,
                        wish->arrays[k].name, (unsigned long long)wish->rows[k].first,
                        (unsigned long long)wish->rows[k].end);
    return STATUS_OK;
}

enum status checkpoint_set_read(const char *path, const struct checkpoint_array *arrays, int count,
                                const struct checkpoint_rows *rows)
{
    static const struct checkpoint_rows undivided[CHECKPOINT_ARRAYS_MAX];
    struct wish wish = {.arrays = arrays, .rows = rows ? rows : undivided, .count = count};
    struct file *files = two_files(path);
    const enum status status = files ? read_set(files, path, &wish) : STATUS_SYSTEM;
    free(files);
    return status;
}
