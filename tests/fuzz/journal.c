// The journal of a batch: read, continued, read again. The first byte says whether the lines that follow
// are the file as they stand, or get the checksums that belong to them; the last is left unfinished if no
// line feed ends it.
#include "batch/journal_file.h"

#include "tests/fuzz/support/fuzz.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { CHECKSUM_BYTES = 17 }; // 16 digits and a blank

struct seen {
    size_t records;
    double last; // "fuzz" of the last record, or 0
};

static enum status visit(void *context, const cJSON *record, size_t line)
{
    struct seen *seen = context;
    FUZZ_EXPECT(record && line == seen->records + 1, "line %zu after %zu records", line, seen->records);
    const cJSON *mark = cJSON_GetObjectItemCaseSensitive(record, "fuzz");
    seen->last = cJSON_IsNumber(mark) ? mark->valuedouble : 0;
    seen->records++;
    return STATUS_OK;
}

static const char *write_lines(const uint8_t *data, size_t size, bool is_right)
{
    char *text = malloc(size * (CHECKSUM_BYTES + 1) + 1);
    size_t length = 0;
    for (size_t at = 0; at < size;) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        const size_t bytes = end ? (size_t)(end - (data + at)) : size - at;
        if (is_right)
            length +=
                (size_t)sprintf(text + length, "%016llx ", (unsigned long long)XXH3_64bits(data + at, bytes));
        memcpy(text + length, data + at, bytes);
        length += bytes;
        if (end)
            text[length++] = '\n';
        at += bytes + (end ? 1 : 0);
    }
    const char *path = fuzz_write("journal.jsonl", text, length);
    free(text);
    return path;
}

FUZZ_HARNESS(journal)
{
    if (size < 1)
        return -1;
    struct seen before = {0}, after = {0};
    struct journal_file *journal = NULL;
    const char *path = write_lines(data + 1, size - 1, *data & 1);
    const bool is_read = fuzz_ok(journal_file_read(path, visit, &before));
    const bool is_open = fuzz_ok(journal_file_open(path, false, &journal));
    FUZZ_EXPECT(is_read == is_open,
                is_read ? "what can be read cannot be resumed" : "what cannot be read is resumed");
    if (is_open) {
        cJSON *record = cJSON_CreateObject();
        cJSON_AddNumberToObject(record, "fuzz", 42);
        FUZZ_EXPECT(fuzz_ok(journal_file_append(journal, record)), "a record cannot be written");
        cJSON_Delete(record);
    }
    journal_file_close(journal);
    if (is_open)
        FUZZ_EXPECT(fuzz_ok(journal_file_read(path, visit, &after)) && after.records == before.records + 1 &&
                        after.last == 42,
                    "%zu records, and one more is %zu", before.records, after.records);
    fuzz_files_closed();
    return 0;
}
