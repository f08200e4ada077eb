// Small text files read whole, and JSON documents out of them, for files other than jobs: tables of tissues
// and faults, lists of gauges and sensors, tolerances, run.json. A job's own reader (io/job/job.h) reports
// more of mistakes. Independent of what the documents mean.
#ifndef FATHOM_IO_JSON_FILE_H
#define FATHOM_IO_JSON_FILE_H

#include "core/status.h"

#include <stddef.h>

struct cJSON;

// The whole file, with a closing 0 that `length` does not count, in a new block (free). STATUS_NO_INPUT: it
// cannot be opened; STATUS_IO; STATUS_DATA: larger than bytes_max, or it holds a zero byte.
enum status text_file_read(const char *path, size_t bytes_max, char **text, size_t *length);

// The same, parsed; cJSON_Delete. STATUS_DATA: not valid JSON, with line and column; what stands behind the
// document must be blank.
enum status json_file_read(const char *path, size_t bytes_max, struct cJSON **document);

// Writes a document, indented: under another name beside `path`, synced, renamed. STATUS_CANNOT_CREATE,
// STATUS_IO, STATUS_SYSTEM; what stood there before then stays.
enum status json_file_write(const char *path, const struct cJSON *document);

// Of an object, which may be NULL: a member, or NULL; a number, NaN if missing; a text, "" if missing.
const struct cJSON *json_member(const struct cJSON *object, const char *key);
double json_number(const struct cJSON *object, const char *key);
const char *json_text(const struct cJSON *object, const char *key);
// Appends an object to a list; it belongs to the list.
struct cJSON *json_append_object(struct cJSON *list);
// Adds a number; null if it is not finite.
void json_add_number(struct cJSON *object, const char *key, double value);

// The first key of an object that is not among the known ones, or NULL.
const char *json_unknown_key(const struct cJSON *object, const char *const *known, size_t count);

#endif
