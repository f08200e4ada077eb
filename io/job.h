// Job files: JSON, checked against a table of keys. The same table makes `run --explain` and the documentation.
// Knows no model: models hand in their tables. Everything here happens before the seal.
#ifndef FATHOM_IO_JOB_H
#define FATHOM_IO_JOB_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum job_type {
    JOB_STRING,
    JOB_CHOICE,        // one of the words in `choices`
    JOB_BOOLEAN,
    JOB_INTEGER,
    JOB_NUMBER,        // dimensionless
    JOB_QUANTITY,      // text with a unit; converted to `unit`; or one of the words in `choices`
    JOB_STRING_LIST,
    JOB_QUANTITY_LIST, // list of texts with units
    JOB_NUMBER_MAP,    // object of free names with numbers: {"acsza1": 2.0}
    JOB_OBJECT,        // an object whose keys are in the table too (only needed to explain it)
    JOB_BYTES,         // "2 GB", "512 MiB", to bytes
    JOB_ANY,           // any JSON value; the owner checks it (through job_json)
};

struct job_key {
    const char *path;          // "domain.bathymetry.file"
    enum job_type type;
    const char *unit;          // canonical unit for quantities: "s", "m", "degree"; NULL otherwise
    const char *default_value; // as it would be written in the file ("24 h", "true"); NULL = no default
    bool required;
    double minimum, maximum;   // in `unit`, inclusive; both 0 = no limits. Apply to each list entry
    const char *choices;       // "single|double"; NULL = none
    const char *help;          // one line, for people
};

struct job_key_table {
    const struct job_key *keys;
    size_t count;
};

struct job;

// Keys that every model shares (fathom, model, title, backend, precision, time, output, checkpoint, memory, check).
extern const struct job_key_table job_shared_keys;

// Reads and parses the file. Errors: cannot open → STATUS_NO_INPUT; bad JSON (with line and column), duplicate key (with
// its path), top level not an object, `fathom` not 1 → STATUS_CONFIGURATION.
enum status job_read(const char *path, struct job **job);
void job_free(struct job *job);

// Checks every key of the document against the tables: unknown key → its path and the nearest known key; wrong type;
// bad unit; out of range; missing required key. One line each: "tohoku.json: time.duratoin: unknown key (did you mean
// time.duration?)". Keeps the tables: the getters take defaults from them.
enum status job_check(struct job *job, const struct job_key_table *tables, size_t table_count);

const char *job_path(const struct job *job);      // as given
const char *job_directory(const struct job *job); // of the file, "." if none
uint64_t job_hash(const struct job *job); // XXH3 of the document in canonical form, without title, output.directory,
                                          // checkpoint, memory, and check: whatever cannot change a number in the results

// Getters, after job_check. The key must be in a table (programmer error otherwise: asserted). A key that is absent
// yields its default; without a default, `job_has` is false and the getter returns NAN, 0, false, NULL or an empty list.
bool job_has(const struct job *job, const char *key);   // in the document itself
const char *job_string(const struct job *job, const char *key);
bool job_boolean(const struct job *job, const char *key);
int64_t job_integer(const struct job *job, const char *key);
double job_number(const struct job *job, const char *key);
double job_quantity(const struct job *job, const char *key); // in the table's unit; NAN when it is a word of `choices`
size_t job_list_length(const struct job *job, const char *key); // lists and maps
const char *job_list_string(const struct job *job, const char *key, size_t index);
double job_list_quantity(const struct job *job, const char *key, size_t index);
const char *job_map_name(const struct job *job, const char *key, size_t index);
double job_map_number(const struct job *job, const char *key, size_t index);
const void *job_json(const struct job *job, const char *key); // const cJSON *, or NULL

// Fails with "FILE: KEY: message", for checks that only the owner of a key can make (STATUS_CONFIGURATION).
enum status job_fail(const struct job *job, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Prints the tables for people (aligned; key, unit, default, meaning), as JSON, or as Markdown.
enum job_explain_format { JOB_EXPLAIN_TEXT, JOB_EXPLAIN_JSON, JOB_EXPLAIN_MARKDOWN };
void job_explain(FILE *stream, const struct job_key_table *tables, size_t table_count, enum job_explain_format format);

// The known word nearest to `word` (edit distance ≤ about a third of its length), or NULL.
const char *job_nearest_word(const char *word, const char *const *words, size_t count);

#endif
