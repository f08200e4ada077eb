// Spins from a netCDF file, our own or another's: see initial.h.
#include "models/ising/initial_private.h"

#include "io/netcdf/dataset.h"
#include "io/netcdf/netcdf.h"
#include "io/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Numbers that are read at a time, or one row if that is longer.
enum { BLOCK_NUMBERS = 1 << 16 };

static const char packed_name[] = "spins_packed", plain_name[] = "spins";

struct ising_file {
    const struct job *job;
    const struct ising_lattice *lattice;
    char path[PATH_BYTES];
    struct dataset *data;
    const struct dataset_variable *variable;
    struct netcdf_packing packing;
    bool is_packed, has_records, has_replicas;
    size_t record, row_numbers; // row_numbers: bytes, or spins, of a row
    double down;                // what a spin down is in this file, 0 or −1; NaN: none was seen so far
    double *numbers;            // [rows of a block][row_numbers]
    size_t block_rows;
};

// ---- opening

static bool is_record_dimension(const struct ising_file *file)
{
    static const char *const names[] = {"time", "record", "frame", "sweep", "sample", "configuration"};
    const char *name = file->variable->dimension_names[0];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(name, names[k]) == 0)
            return true;
    return false;
}

static enum status fail_shape(const struct ising_file *file)
{
    const struct ising_lattice *lattice = file->lattice;
    char shape[128] = "";
    for (int k = 0; k < file->variable->rank; k++)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%zu", k ? ", " : "",
                 file->variable->lengths[k]);
    return FAIL(STATUS_DATA,
                "%s: variable %s has the shape (%s): ([record, ]%lld replicas, %lld rows, %zu %s) is "
                "expected for the lattice of the job",
                file->path, file->variable->name, shape, (long long)lattice->replicas,
                (long long)lattice->rows, file->row_numbers, file->is_packed ? "bytes" : "columns");
}

// (row, column), and before them replicas and records: of three dimensions the first is that of records if it
// is called so.
static enum status settle_shape(struct ising_file *file)
{
    const struct dataset_variable *variable = file->variable;
    const struct ising_lattice *lattice = file->lattice;
    const int rank = variable->rank;
    file->row_numbers = file->is_packed ? (size_t)(lattice->columns + 7) / 8 : (size_t)lattice->columns;
    if (variable->kind != DATASET_NUMBERS)
        return FAIL(STATUS_DATA, "%s: variable %s is not numeric; spins are expected", file->path,
                    variable->name);
    if (rank < 2 || rank > 4)
        return fail_shape(file);
    file->has_records = rank == 4 || (rank == 3 && is_record_dimension(file));
    file->has_replicas = rank == 4 || (rank == 3 && !file->has_records);
    const size_t replicas = file->has_replicas ? variable->lengths[rank - 3] : 1;
    if (replicas != (size_t)lattice->replicas || variable->lengths[rank - 2] != (size_t)lattice->rows ||
        variable->lengths[rank - 1] != file->row_numbers)
        return fail_shape(file);
    return STATUS_OK;
}

// Fathom's files with eight spins a byte state the number of columns.
static enum status check_columns(const struct ising_file *file)
{
    const struct dataset_variable *columns = dataset_find(file->data, "columns");
    double *values;
    size_t count;
    if (!file->is_packed || !columns || columns->rank != 0 || columns->kind != DATASET_NUMBERS)
        return STATUS_OK;
    CHECK(dataset_read_line(file->data, columns, &values, &count));
    const double found = values[0];
    free(values);
    return found == (double)file->lattice->columns
               ? STATUS_OK
               : FAIL(STATUS_DATA,
                      "%s: its lattice has %g columns: %lld are expected for the lattice of the job",
                      file->path, found, (long long)file->lattice->columns);
}

static enum status settle_record(struct ising_file *file)
{
    static const char key[] = "start.record";
    const bool is_given = job_has(file->job, key);
    const size_t records = file->has_records ? file->variable->lengths[0] : 1;
    if (is_given && !file->has_records)
        return job_fail(file->job, key, "%s: variable %s has no records", file->path, file->variable->name);
    if (records == 0)
        return FAIL(STATUS_DATA, "%s: variable %s has no records", file->path, file->variable->name);
    file->record = is_given ? (size_t)job_integer(file->job, key) : records - 1;
    if (file->record >= records)
        return FAIL(STATUS_DATA, "%s: variable %s: record %zu was asked for, it has %zu (counted from 0)",
                    file->path, file->variable->name, file->record, records);
    return STATUS_OK;
}

static enum status open_variable(struct ising_file *file)
{
    file->variable = dataset_find(file->data, packed_name);
    file->is_packed = file->variable != NULL;
    if (!file->is_packed)
        file->variable = dataset_find(file->data, plain_name);
    if (!file->variable)
        return FAIL(STATUS_DATA, "%s: no spins: a variable %s or %s is expected", file->path, packed_name,
                    plain_name);
    CHECK(settle_shape(file));
    CHECK(check_columns(file));
    CHECK(settle_record(file));
    return dataset_packing(file->data, file->variable, &file->packing);
}

enum status ising_file_open(const struct job *job, const struct ising_lattice *lattice,
                            struct ising_file **file)
{
    static const char key[] = "start.file";
    struct ising_file *made = *file = calloc(1, sizeof *made);
    if (!made)
        return FAIL(STATUS_SYSTEM, "no memory for a file of spins");
    made->job = job;
    made->lattice = lattice;
    made->down = NAN;
    if (!job_has(job, key))
        return job_fail(job, key, "is missing: start.kind is file");
    CHECK_KEY(job, key, path_find(job_string(job, key), job_directory(job), made->path));
    CHECK_KEY(job, key, dataset_open(made->path, &made->data));
    CHECK_KEY(job, key, open_variable(made));
    return STATUS_OK;
}

void ising_file_close(struct ising_file *file)
{
    if (file)
        dataset_close(file->data);
    free(file);
}

const char *ising_file_path(const struct ising_file *file)
{
    return file->path;
}

enum status ising_file_plan(struct ising_file *file, struct memory_plan *memory)
{
    const size_t cache_bytes = dataset_cache_bytes(file->variable), rows = (size_t)file->lattice->rows;
    const size_t fitting = BLOCK_NUMBERS / file->row_numbers;
    file->block_rows = fitting < 1 ? 1 : fitting < rows ? fitting : rows;
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, file->block_rows, file->row_numbers,
                          (void **)&file->numbers, "block of the file of spins"));
    return cache_bytes > 0 ? memory_plan_add_library(memory, cache_bytes, "netCDF chunks of the spins")
                           : STATUS_OK;
}

// ---- reading

struct place {
    size_t replica, row;
};

static enum status refuse(const struct ising_file *file, struct place at, size_t column, double value,
                          const char *expected)
{
    char text[32] = "missing or not a number";
    if (!isnan(value))
        snprintf(text, sizeof text, "%g", value);
    return FAIL(STATUS_DATA,
                "%s: variable %s: replica %zu, row %zu, %s %zu (counted from 0): %s: %s is expected",
                file->path, file->variable->name, at.replica, at.row, file->is_packed ? "byte" : "column",
                column, text, expected);
}

// Rows are checked and made bytes, in their own place: eight spins each, or one.
static enum status pack_bytes(const struct ising_file *file, struct place at, double *numbers)
{
    unsigned char *bytes = (unsigned char *)numbers;
    for (size_t byte = 0; byte < file->row_numbers; byte++) {
        const double value = numbers[byte];
        if (!(value >= 0 && value <= 255 && value == floor(value)))
            return refuse(file, at, byte, value, "a byte, 0 to 255,");
        bytes[byte] = (unsigned char)value;
    }
    return STATUS_OK;
}

static enum status pack_spins(struct ising_file *file, struct place at, double *numbers)
{
    unsigned char *bytes = (unsigned char *)numbers;
    for (size_t x = 0; x < file->row_numbers; x++) {
        const double value = numbers[x];
        if (isnan(file->down) && (value == 0 || value == -1))
            file->down = value;
        if (value != 1 && value != file->down)
            return refuse(file, at, x, value,
                          isnan(file->down) ? "+1 for up, and -1 or 0 for down,"
                          : file->down == 0 ? "+1 or, as before for down, 0"
                                            : "+1 or, as before for down, -1");
        bytes[x] = value == 1;
    }
    return STATUS_OK;
}

// A row's words, which were empty.
static void take_row(const struct ising_file *file, struct place at, const unsigned char *bytes,
                     uint32_t *words)
{
    const struct ising_lattice *lattice = file->lattice;
    const size_t row_words = (size_t)ising_row_words(lattice->columns), rows = (size_t)lattice->rows;
    const size_t bits = (size_t)ising_word_bits(lattice->columns);
    for (size_t plane = 0; plane < 2; plane++) {
        uint32_t *to = words + ((at.replica * 2 + plane) * rows + at.row) * row_words;
        for (size_t bit = 0; bit < bits; bit++)
            for (size_t word = 0; word < row_words; word++) {
                const size_t x = 2 * (bit * row_words + word) + plane;
                to[word] |= (uint32_t)(file->is_packed ? bytes[x / 8] >> (7 - x % 8) & 1 : bytes[x]) << bit;
            }
    }
}

static enum status read_block(struct ising_file *file, struct place first, size_t rows, uint32_t *words)
{
    const size_t starts[] = {file->record, first.replica, first.row, 0};
    const size_t counts[] = {1, 1, rows, file->row_numbers};
    size_t start[4], count[4];
    int rank = 0;
    for (int k = 0; k < 4; k++) {
        if ((k == 0 && !file->has_records) || (k == 1 && !file->has_replicas))
            continue;
        start[rank] = starts[k];
        count[rank++] = counts[k];
    }
    CHECK(dataset_read(file->data, file->variable, &file->packing, start, count, file->numbers));
    for (size_t row = 0; row < rows; row++) {
        const struct place at = {first.replica, first.row + row};
        double *numbers = file->numbers + row * file->row_numbers;
        CHECK(file->is_packed ? pack_bytes(file, at, numbers) : pack_spins(file, at, numbers));
        take_row(file, at, (const unsigned char *)numbers, words);
    }
    return STATUS_OK;
}

enum status ising_file_read(struct ising_file *file, uint32_t *words)
{
    const struct ising_lattice *lattice = file->lattice;
    const size_t replicas = (size_t)lattice->replicas, rows = (size_t)lattice->rows;
    memset(words, 0, replicas * ising_lattice_words(lattice) * sizeof *words);
    netcdf_prepare_thread();
    for (size_t replica = 0; replica < replicas; replica++)
        for (size_t row = 0; row < rows; row += file->block_rows) {
            const struct place first = {replica, row};
            const size_t left = rows - row;
            CHECK_KEY(file->job, "start.file",
                      read_block(file, first, left < file->block_rows ? left : file->block_rows, words));
        }
    return STATUS_OK;
}
