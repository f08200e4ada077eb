// Values of a netCDF file (see dataset.h): blocks as unpacked doubles with NaN where nothing is, and texts.
// Independent of what the variables mean.
#include "io/netcdf/dataset_internal.h"

#include "io/netcdf/netcdf.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_BYTES_MIN = 4 << 20, CACHE_SLOTS = 4099 };

// ---- how it is stored

bool dataset_is_single(const struct dataset_variable *variable)
{
    return variable->type == NC_FLOAT;
}

bool dataset_is_integer(const struct dataset_variable *variable)
{
    return variable->kind == DATASET_NUMBERS && variable->type != NC_FLOAT && variable->type != NC_DOUBLE;
}

// Blocks of rows touch whole chunks: with a cache smaller than a layer of them (one chunk thick along the
// first dimension) each would be read, and inflated, once per block.
size_t dataset_cache_bytes(const struct dataset_variable *variable)
{
    int storage;
    size_t chunks[DATASET_RANK_MAX];
    if (variable->rank < 1 || variable->kind != DATASET_NUMBERS ||
        nc_inq_var_chunking(variable->group, variable->id, &storage, chunks) != NC_NOERR ||
        storage != NC_CHUNKED)
        return 0;
    double chunk_bytes = (double)netcdf_type_bytes(variable->type), layer_chunks = 1;
    for (int k = 0; k < variable->rank; k++) {
        chunk_bytes *= (double)chunks[k];
        if (k > 0)
            layer_chunks *= ceil((double)variable->lengths[k] / (double)chunks[k]);
    }
    const double bytes = fmin(fmax(chunk_bytes * layer_chunks, CACHE_BYTES_MIN), DATASET_CACHE_BYTES_MAX);
    return (size_t)fmax(bytes, chunk_bytes);
}

void dataset_widen_cache(const struct dataset_variable *variable)
{
    const size_t cache_bytes = dataset_cache_bytes(variable);
    if (cache_bytes > 0) // a hint: refusal only costs time
        (void)nc_set_var_chunk_cache(variable->group, variable->id, cache_bytes, CACHE_SLOTS, 0.75f);
}

enum status dataset_packing(const struct dataset *file, const struct dataset_variable *variable,
                            struct netcdf_packing *packing)
{
    if (variable->kind != DATASET_NUMBERS)
        return FAIL(STATUS_DATA, "%s: variable %s holds no plain numbers", file->path, variable->name);
    CHECK(dataset_check_units(file, variable));
    CHECK(netcdf_packing_read(file->path, variable->group, variable->id, variable->name, packing));
    dataset_widen_cache(variable);
    return STATUS_OK;
}

// ---- values

enum status dataset_read(const struct dataset *file, const struct dataset_variable *variable,
                         const struct netcdf_packing *packing, const size_t *start, const size_t *count,
                         double *values)
{
    size_t length = 1;
    netcdf_prepare_thread(); // which may be another one than that which opened the file
    for (int k = 0; k < variable->rank; k++) {
        if (start[k] > variable->lengths[k] || count[k] > variable->lengths[k] - start[k])
            return FAIL(STATUS_DATA,
                        "%s: variable %s: entries %zu to %zu of dimension %s were asked for, it has %zu",
                        file->path, variable->name, start[k], start[k] + count[k],
                        variable->dimension_names[k], variable->lengths[k]);
        length *= count[k];
    }
    if (length == 0)
        return STATUS_OK;
    // netCDF-C requires arrays even where there are no dimensions.
    static const size_t none[DATASET_RANK_MAX];
    NC_CHECK(nc_get_vara_double(variable->group, variable->id, variable->rank > 0 ? start : none,
                                variable->rank > 0 ? count : none, values),
             file->path, variable->name);
    netcdf_unpack_all(packing, values, length);
    return STATUS_OK;
}

static enum status check_count(const struct dataset *file, const struct dataset_variable *variable,
                               size_t count)
{
    char what[DATASET_NAME_BYTES + 16];
    snprintf(what, sizeof what, "variable %s", variable->name);
    return netcdf_check_count(file->path, what, count, variable->type);
}

enum status dataset_read_line(const struct dataset *file, const struct dataset_variable *variable,
                              double **values, size_t *length)
{
    struct netcdf_packing packing;
    *values = NULL;
    *length = variable->rank == 0 ? 1 : variable->lengths[0];
    if (variable->rank > 1)
        return FAIL(STATUS_SOFTWARE, "%s: variable %s has %d dimensions, expected at most one", file->path,
                    variable->name, variable->rank);
    CHECK(dataset_packing(file, variable, &packing));
    CHECK(check_count(file, variable, *length));
    double *line = calloc(*length + 1, sizeof *line);
    if (!line)
        return FAIL(STATUS_SYSTEM, "%s: variable %s: out of memory for %zu values", file->path,
                    variable->name, *length);
    const enum status status =
        dataset_read(file, variable, &packing, (const size_t[]){0}, variable->lengths, line);
    if (status != STATUS_OK) {
        free(line);
        return status;
    }
    *values = line;
    return STATUS_OK;
}

// ---- texts

void dataset_free_texts(char **texts, size_t length)
{
    for (size_t k = 0; texts && k < length; k++)
        free(texts[k]);
    free(texts);
}

static void cut_blanks(char *text)
{
    for (size_t n = strlen(text); n > 0 && text[n - 1] == ' '; n--)
        text[n - 1] = '\0';
}

static enum status out_of_texts(const struct dataset *file, const struct dataset_variable *variable)
{
    return FAIL(STATUS_SYSTEM, "%s: variable %s: out of memory for its texts", file->path, variable->name);
}

// All at once: a call for each text costs more than its characters.
static enum status read_characters(const struct dataset *file, const struct dataset_variable *variable,
                                   char **texts)
{
    const size_t count = variable->lengths[0], width = variable->lengths[1];
    char *all = calloc(count * width + 1, 1);
    if (!all)
        return out_of_texts(file, variable);
    const int code = NC_READING(
        nc_get_vara_text(variable->group, variable->id, (const size_t[]){0, 0}, variable->lengths, all),
        file->path);
    enum status status = STATUS_OK;
    for (size_t k = 0; k < count && code == NC_NOERR && status == STATUS_OK; k++) {
        texts[k] = strndup(all + k * width, width);
        if (texts[k])
            cut_blanks(texts[k]);
        else
            status = out_of_texts(file, variable);
    }
    free(all);
    NC_CHECK(code, file->path, variable->name);
    return status;
}

// In memory of our own: a string of the library's is released by the library.
static enum status read_string(const struct dataset *file, const struct dataset_variable *variable, size_t k,
                               char **text)
{
    char *stored = NULL;
    NC_CHECK(nc_get_vara_string(variable->group, variable->id, &k, (const size_t[]){1}, &stored), file->path,
             variable->name);
    *text = strdup(stored ? stored : "");
    NC_CHECK(nc_free_string(1, &stored), file->path, variable->name);
    if (!*text)
        return out_of_texts(file, variable);
    cut_blanks(*text);
    return STATUS_OK;
}

enum status dataset_read_texts(const struct dataset *file, const struct dataset_variable *variable,
                               char ***texts, size_t *length)
{
    *texts = NULL;
    *length = 0;
    if (variable->kind != DATASET_TEXT || variable->rank != (variable->type == NC_STRING ? 1 : 2))
        return FAIL(STATUS_DATA, "%s: variable %s is not a list of texts", file->path, variable->name);
    const size_t count = variable->lengths[0], width = variable->rank == 2 ? variable->lengths[1] : 1;
    size_t characters;
    if (__builtin_mul_overflow(count, width, &characters))
        characters = SIZE_MAX;
    CHECK(check_count(file, variable, characters > count ? characters : count));
    char **read = calloc(count + 1, sizeof *read);
    if (!read)
        return FAIL(STATUS_SYSTEM, "%s: variable %s: out of memory for %zu texts", file->path, variable->name,
                    count);
    const bool is_characters = variable->type == NC_CHAR;
    enum status status = is_characters ? read_characters(file, variable, read) : STATUS_OK;
    for (size_t k = 0; !is_characters && k < count && status == STATUS_OK; k++)
        status = read_string(file, variable, k, &read[k]);
    if (status != STATUS_OK) {
        dataset_free_texts(read, count);
        return status;
    }
    *texts = read;
    *length = count;
    return STATUS_OK;
}

enum status dataset_read_labels(const struct dataset *file, const struct dataset_variable *variable,
                                char (**labels)[DATASET_TEXT_BYTES], size_t *length)
{
    char **texts;
    *labels = NULL;
    CHECK(dataset_read_texts(file, variable, &texts, length));
    char(*cut)[DATASET_TEXT_BYTES] = calloc(*length + 1, sizeof *cut);
    for (size_t k = 0; cut && k < *length; k++)
        strncat(cut[k], texts[k], DATASET_TEXT_BYTES - 1);
    dataset_free_texts(texts, *length);
    if (!cut)
        return FAIL(STATUS_SYSTEM, "%s: variable %s: out of memory for %zu texts", file->path, variable->name,
                    *length);
    *labels = cut;
    return STATUS_OK;
}
