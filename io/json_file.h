// Reads whole small text files, and JSON documents from them: tables of tissues and faults, lists of gauges
// and sensors, tolerances, run.json. Jobs have their own reader (io/job/job.h), whose messages give more
// detail. Independent of the meaning of the documents.
#ifndef FATHOM_IO_JSON_FILE_H
#define FATHOM_IO_JSON_FILE_H

#include "core/status.h"

#include <stddef.h>

struct cJSON;

// Reads the whole file into a new block (free), with a final 0 that `length` does not count. STATUS_NO_INPUT:
// it cannot be opened; STATUS_IO; STATUS_DATA: it is larger than bytes_max, or it holds a zero byte.
enum status text_file_read(const char *path, size_t bytes_max, char **text, size_t *length);

// The same, parsed; free it by cJSON_Delete. STATUS_DATA, with line and column: it is not valid JSON, or
// other text than blanks follows the document.
enum status json_file_read(const char *path, size_t bytes_max, struct cJSON **document);

// The same of a text in memory; path: in messages.
enum status json_parse(const char *path, const char *text, struct cJSON **document);

// Writes a document, indented, under another name beside `path`, syncs and renames it. STATUS_CANNOT_CREATE,
// STATUS_IO, STATUS_SYSTEM; after a failure an existing file is unchanged.
enum status json_file_write(const char *path, const struct cJSON *document);
// The same, but its name lasts only once its folder is synced (path_place).
enum status json_file_place(const char *path, const struct cJSON *document);

// Return a member of an object, which may be NULL: the member, or NULL; a number, or NaN; a text, or "".
const struct cJSON *json_member(const struct cJSON *object, const char *key);
double json_number(const struct cJSON *object, const char *key);
const char *json_text(const struct cJSON *object, const char *key);
// Appends an object to a list; it belongs to the list.
struct cJSON *json_append_object(struct cJSON *list);
// Adds a number; null if it is not finite.
void json_add_number(struct cJSON *object, const char *key, double value);

// Returns the first key of an object that is not among the known ones, or NULL.
const char *json_unknown_key(const struct cJSON *object, const char *const *known, size_t count);

#endif
