// How long a netCDF classic file must be, from its own header (CDF-1, CDF-2, CDF-5: NetCDF Users Guide, "File
// format specifications"). Written because netCDF-C offers no way to ask for a variable's place in the file.
// Reads the header only, no data.
#include "io/netcdf/netcdf.h"
#include "io/path.h"
#include "io/units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TAG_DIMENSION = 0x0A, TAG_VARIABLE = 0x0B, TAG_ATTRIBUTE = 0x0C, RANK_MAX = 1024 };

struct header {
    FILE *stream;
    uint64_t file_bytes;
    int version;     // 1, 2 or 5
    bool is_damaged; // sticky: set by the first read that fails, so that callers check once per list
    uint64_t records;
    bool has_record_count;
    uint64_t dimension_count;
    uint64_t *dimensions; // lengths; 0 is the record dimension
    uint64_t fixed_end;   // end of the last fixed-size variable
    uint64_t record_end;  // end of the last record variable's first record
    uint64_t record_bytes, record_bytes_unpadded;
    uint64_t record_variables;
};

static uint64_t read_unsigned(struct header *header, size_t bytes)
{
    unsigned char raw[8];
    if (header->is_damaged || fread(raw, 1, bytes, header->stream) != bytes) {
        header->is_damaged = true;
        return 0;
    }
    uint64_t value = 0;
    for (size_t k = 0; k < bytes; k++)
        value = value << 8 | raw[k];
    return value;
}

static uint64_t read_count(struct header *header)
{
    return read_unsigned(header, header->version == 5 ? 8 : 4);
}

// Number of entries of a list; 0 where the list is absent (two zeros).
static uint64_t read_list(struct header *header, uint64_t expected_tag)
{
    uint64_t tag = read_unsigned(header, 4);
    uint64_t count = read_count(header);
    if (tag != expected_tag && !(tag == 0 && count == 0))
        header->is_damaged = true;
    if (count > header->file_bytes) // each entry takes more than one byte: a damaged count
        header->is_damaged = true;
    return header->is_damaged ? 0 : count;
}

static void skip_padded(struct header *header, uint64_t bytes)
{
    if (header->is_damaged || bytes > header->file_bytes ||
        fseeko(header->stream, (off_t)((bytes + 3) & ~(uint64_t)3), SEEK_CUR) != 0)
        header->is_damaged = true;
}

static uint64_t type_bytes(struct header *header, uint64_t type)
{
    static const uint64_t bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    if (type == 0 || type >= sizeof bytes / sizeof bytes[0]) {
        header->is_damaged = true;
        return 0;
    }
    return bytes[type];
}

static void skip_attributes(struct header *header)
{
    uint64_t count = read_list(header, TAG_ATTRIBUTE);
    for (uint64_t k = 0; k < count && !header->is_damaged; k++) {
        skip_padded(header, read_count(header)); // the name
        uint64_t each = type_bytes(header, read_unsigned(header, 4));
        uint64_t values = read_count(header);
        if (values > header->file_bytes)
            header->is_damaged = true;
        else
            skip_padded(header, values * each);
    }
}

static enum status read_dimensions(const char *path, struct header *header)
{
    header->dimension_count = read_list(header, TAG_DIMENSION);
    header->dimensions = calloc(header->dimension_count + 1, sizeof *header->dimensions);
    if (header->dimensions == NULL)
        return FAIL(STATUS_SYSTEM, "%s: %llu dimensions: out of memory", path,
                    (unsigned long long)header->dimension_count);
    for (uint64_t k = 0; k < header->dimension_count && !header->is_damaged; k++) {
        skip_padded(header, read_count(header));
        header->dimensions[k] = read_count(header);
    }
    return STATUS_OK;
}

// Bytes of one variable (of one of its records, if it has the record dimension first).
static uint64_t variable_bytes(struct header *header, uint64_t rank, bool *is_record)
{
    uint64_t elements = 1;
    *is_record = false;
    for (uint64_t k = 0; k < rank && !header->is_damaged; k++) {
        uint64_t dimension = read_count(header);
        if (dimension >= header->dimension_count)
            header->is_damaged = true;
        else if (k == 0 && header->dimensions[dimension] == 0)
            *is_record = true;
        else if (__builtin_mul_overflow(elements, header->dimensions[dimension], &elements))
            header->is_damaged = true;
    }
    return elements;
}

static void read_variable(struct header *header)
{
    bool is_record;
    skip_padded(header, read_count(header));
    uint64_t rank = read_count(header);
    if (rank > RANK_MAX)
        header->is_damaged = true;
    uint64_t bytes = variable_bytes(header, rank, &is_record);
    skip_attributes(header);
    uint64_t each = type_bytes(header, read_unsigned(header, 4));
    read_count(header); // vsize: redundant, and wrong for variables of more than 4 GiB
    uint64_t begin = read_unsigned(header, header->version == 1 ? 4 : 8);
    uint64_t end;
    if (header->is_damaged || __builtin_mul_overflow(bytes, each, &bytes) ||
        __builtin_add_overflow(begin, bytes, &end)) {
        header->is_damaged = true;
        return;
    }
    if (is_record) {
        header->record_variables++;
        header->record_bytes += (bytes + 3) & ~(uint64_t)3;
        header->record_bytes_unpadded += bytes;
        if (end > header->record_end)
            header->record_end = end;
    } else if (bytes > 0 && end > header->fixed_end) {
        header->fixed_end = end;
    }
}

static enum status read_header(const char *path, struct header *header)
{
    header->records = read_count(header);
    header->has_record_count = header->records != (header->version == 5 ? UINT64_MAX : UINT32_MAX);
    CHECK(read_dimensions(path, header));
    skip_attributes(header);
    uint64_t variables = read_list(header, TAG_VARIABLE);
    for (uint64_t k = 0; k < variables && !header->is_damaged; k++)
        read_variable(header);
    return STATUS_OK;
}

static enum status compare_length(const char *path, const struct header *header)
{
    if (header->is_damaged)
        return FAIL(STATUS_DATA, "%s: the netCDF header is damaged, or the file ends within it", path);
    uint64_t promised = header->fixed_end;
    if (header->record_variables > 0 && header->has_record_count && header->records > 0) {
        // A single record variable is not padded between records (the format's one exception).
        uint64_t stride =
            header->record_variables == 1 ? header->record_bytes_unpadded : header->record_bytes;
        uint64_t end;
        if (__builtin_mul_overflow(stride, header->records - 1, &end) ||
            __builtin_add_overflow(end, header->record_end, &end))
            return FAIL(STATUS_DATA, "%s: the netCDF header is damaged (%llu records)", path,
                        (unsigned long long)header->records);
        if (end > promised)
            promised = end;
    }
    if (promised > header->file_bytes)
        return FAIL(STATUS_DATA, "%s: the file is truncated: its header promises %s, the last %s are missing",
                    path, UNITS_BYTES(promised), UNITS_BYTES(promised - header->file_bytes));
    return STATUS_OK;
}

enum status netcdf_check_length(const char *path)
{
    struct header header = {0};
    struct stat about;
    unsigned char magic[4] = {0};
    header.stream = fopen(path, "rb");
    if (header.stream == NULL)
        return FAIL(path_open_status(errno), "%s: %s", path, strerror(errno));
    if (fstat(fileno(header.stream), &about) != 0 || S_ISDIR(about.st_mode)) {
        fclose(header.stream);
        return FAIL(STATUS_NO_INPUT, "%s: not a readable file", path);
    }
    header.file_bytes = (uint64_t)about.st_size;
    size_t got = fread(magic, 1, sizeof magic, header.stream);
    header.version = magic[3];
    enum status status = STATUS_OK;
    if (got == sizeof magic && memcmp(magic, "CDF", 3) == 0 &&
        (header.version == 1 || header.version == 2 || header.version == 5)) {
        status = read_header(path, &header);
        if (status == STATUS_OK)
            status = compare_length(path, &header);
    }
    free(header.dimensions);
    fclose(header.stream); // opened for reading: nothing can be lost
    return status;
}
