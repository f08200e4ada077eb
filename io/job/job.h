// Job files: JSON, checked against a table of keys. The same table makes `run --explain` and the
// documentation. Independent of models: models give their tables. Everything here happens before the seal.
#ifndef FATHOM_IO_JOB_JOB_H
#define FATHOM_IO_JOB_JOB_H

#include "core/status.h"
#include "io/suggest.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum job_type {
    JOB_STRING,
    JOB_CHOICE, // one of the words in `choices`
    JOB_BOOLEAN,
    JOB_INTEGER,       // whole, within ±(2^53 − 1): what JSON numbers hold exactly
    JOB_NUMBER,        // dimensionless
    JOB_QUANTITY,      // text with a unit; converted to `unit`; or one of the words in `choices`
    JOB_DIFFERENCE,    // as JOB_QUANTITY, of two values: 1 degC is 1 K, and 1 degF 5/9 K
    JOB_REDUCED,       // a bare number, in units of the run's own; or text with a unit, converted to `unit`
    JOB_STRING_LIST,   // each entry is one of `choices`, if there are any
    JOB_QUANTITY_LIST, // list of texts with units
    JOB_NUMBER_MAP,    // object of free names with numbers: {"acsza1": 2.0}
    JOB_OBJECT, // an object whose keys are in the table too (to explain it, or to require keys only in it)
    JOB_BYTES,  // "2 GB", "512 MiB", to whole bytes
    // Any JSON value; the owner checks it (through job_json). `choices`, if there are any, are the forms that
    // it takes: text, number, integer, list, object, quantity; for --explain and the schema.
    JOB_ANY,
    // Object of named objects (parts), each a job of its own (job_part_open). `choices` are the keys and
    // blocks that a part may hold: "parent|domain|time.step". A key that only parts have is in the table as
    // "KEY.NAME.parent".
    JOB_PARTS,
    // Removes a shared key from this model's jobs; the help names what to use instead.
    JOB_ABSENT,
};

struct job_key {
    const char *path; // "domain.bathymetry.file"
    enum job_type type;
    const char *unit; // canonical unit for quantities: "s", "m", "degree"; NULL otherwise
    // As written in the file: 24 h, true, single; lists and maps as JSON; NULL = no default.
    const char *default_value;
    bool required; // see below
    // In `unit`, inclusive; both 0 = no limits; HUGE_VAL = open. They apply to each list entry.
    double minimum, maximum;
    const char *choices; // "single|double"; NULL = none
    const char *help;    // one line, for users
};
// A required key must be present, unless it lies in a JOB_OBJECT of the tables that is not required and is
// absent: with "output.gauges" a JOB_OBJECT, "output.gauges.file" is required only in jobs that have gauges.
// Keys of an object that is not in the tables itself ("time") are always required. A path may be in
// several tables; the last one is in force, so that a model can restrict a shared key.

struct job_key_table {
    const struct job_key *keys;
    size_t count;
};

struct job;
struct cJSON;

// Keys that every model shares (fathom, model, title, backend, precision, time, output, checkpoint, memory,
// check).
extern const struct job_key_table job_shared_keys;

enum { JOB_FILE_BYTES_MAX = 16000000 }; // larger files are data, not jobs
enum { JOB_SETTINGS_MAX = 256 };        // keys that one command line can set

// Reads and parses the file. A key that begins with // or # is a comment, and it and its value are taken out,
// in every object; so is "$schema" at the top, which an editor reads. Errors: cannot open, a folder →
// STATUS_NO_INPUT; too large, empty, not UTF-8, bad JSON (with line and column), duplicate key (with its
// path), a number too large for a double, a control character in a text, top level not an object, `fathom`
// not 1 → STATUS_CONFIGURATION. On failure *job is NULL.
enum status job_read(const char *path, struct job **job);
void job_free(struct job *job); // NULL: does nothing
// Parses a job that the program itself writes, like job_read; `name` replaces the path in messages.
enum status job_parse(const char *name, const char *json, struct job **job);

// Reads, like job_read, a document that is not a job but is written like one: `what` names it in messages
// ("queue of jobs"). The key `fathom` is not required.
enum status job_read_document(const char *path, const char *what, size_t bytes_max, struct job **document);

// Copies an object within a document ("jobs[2]") to a document of its own, which can be checked against a
// table of keys; messages name keys by their whole path. STATUS_CONFIGURATION: `object` is not an object.
enum status job_open_member(const struct job *document, const char *where, const struct cJSON *object,
                            struct job **member);

// Checks every key of the document against the tables: unknown key → its path and the nearest known key;
// wrong type; bad unit; out of range; missing required key. One line each: "tohoku.json: time.duratoin:
// unknown key (did you mean time.duration?)". STATUS_CONFIGURATION; a mistake in a table itself →
// STATUS_SOFTWARE. Keeps pointers into the tables (which must outlive the job): the getters take defaults
// from them. May be called again with other tables.
enum status job_check(struct job *job, const struct job_key_table *tables, size_t table_count);

// Puts a text or a whole number at a key, as if the file had held it (a command line's --backend); makes the
// objects on the way. Before job_check. STATUS_CONFIGURATION if something on the way is not an object.
enum status job_set_string(struct job *job, const char *key, const char *text);
enum status job_set_integer(struct job *job, const char *key, int64_t number);

// Puts any value at a key (`--set KEY=VALUE`): `text` is JSON if it can be read as JSON, else a text ("24 h"
// needs no quotes); what begins as an object, a list or a text in quotes must be JSON, and what reads as a
// number must be one of JSON (RFC 8259: no 00.5, +3, .5, 0x10). Replaces whole objects too. null takes a key
// of the tables away (job_check does it), in a part what it inherits. What is later
// found wrong with the value is reported with --set. STATUS_CONFIGURATION: a key that cannot be one,
// or what no file may hold either.
enum status job_set_json(struct job *job, const char *key, const char *text);
// Returns what is wrong with a key for job_set_json, in any model: "a key without a name"; NULL = nothing.
const char *job_key_mistake(const char *key);
// Returns key `index` of those set by job_set_json and not replaced since, in their order, and its value in
// the document (NULL: taken away); NULL beyond the last.
const char *job_setting(const struct job *job, size_t index, const struct cJSON **value);

const char *job_path(const struct job *job);      // as given
const char *job_directory(const struct job *job); // of the file, "." if none
const char *job_model(const struct job *job); // the text of "model", already after job_read; NULL without it

// Returns XXH3-64 of the document in canonical form, without the keys that cannot change a number in the
// results: title, output.directory, checkpoint, memory, check, and limits. Canonical: JSON without blanks,
// keys of each object in the order of their bytes, numbers as %.17g (minus zero as 0), in texts only \ and "
// escaped, by a backslash.
uint64_t job_hash(const struct job *job);

// Copies the document without the keys that job_hash leaves out: the identity of a run. The caller frees the
// copy by cJSON_Delete.
enum status job_identity(const struct job *job, struct cJSON **identity);

// Getters, after job_check. The key must be in a table and of a type that fits (programmer error otherwise:
// asserted). A key that is absent yields its default; without a default, `job_has` is false and the getter
// returns NAN, 0, false, NULL or an empty list.
bool job_has(const struct job *job, const char *key); // in the document itself
const char *job_string(const struct job *job,
                       const char *key); // STRING, CHOICE; QUANTITY and BYTES as written
bool job_boolean(const struct job *job, const char *key);
int64_t job_integer(const struct job *job, const char *key); // INTEGER; BYTES in bytes
double job_number(const struct job *job, const char *key);   // NUMBER, INTEGER
double job_quantity(const struct job *job,
                    const char *key); // in the table's unit; NAN when it is a word of `choices`
double job_reduced(const struct job *job, const char *key);     // REDUCED: the number, or in the table's unit
bool job_is_bare(const struct job *job, const char *key);       // REDUCED: a number, not text with a unit
size_t job_list_length(const struct job *job, const char *key); // lists and maps
const char *job_list_string(const struct job *job, const char *key,
                            size_t index); // both kinds of list, as written
double job_list_quantity(const struct job *job, const char *key, size_t index);
const char *job_map_name(const struct job *job, const char *key, size_t index); // in the order of the file
double job_map_number(const struct job *job, const char *key, size_t index);
const void *job_json(const struct job *job, const char *key); // const cJSON *, or NULL

// Fails with "FILE: KEY: message", for checks that only the owner of a key can make (STATUS_CONFIGURATION).
// In a part the key is named as it stands in the file.
enum status job_fail(const struct job *job, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Warns of a harmless mistake, with the same wording as job_fail.
void job_warn(const struct job *job, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Puts "FILE: KEY: " before a failure that was about a key. Returns `status`.
enum status job_blame(const struct job *job, const char *key, enum status status);

// Propagates a failure, saying which key it was about.
#define CHECK_KEY(job, key, expression)                                                                      \
    do {                                                                                                     \
        enum status check_key_status_ = (expression);                                                        \
        if (check_key_status_ != STATUS_OK)                                                                  \
            return job_blame((job), (key), check_key_status_);                                               \
    } while (0)

// ---- parts: the named objects under a key of type JOB_PARTS, in the order of the file. Used after
// job_check, which has checked their names: a letter, then letters, digits, - and _, at most
// JOB_PART_NAME_MAX.
enum { JOB_PART_NAME_MAX = 24 };

size_t job_part_count(const struct job *job, const char *key);
const char *job_part_name(const struct job *job, const char *key, size_t index);
// Reads a text directly in a part, before the part is opened; *text is NULL if it is missing.
// STATUS_CONFIGURATION: the value is not a text.
enum status job_part_text(const struct job *job, const char *key, size_t index, const char *name,
                          const char **text);

// The keys that a part inherits if it does not have them. Blocks are inherited key by key; null in a part
// removes the inherited value (RFC 7396).
struct job_part_rules {
    const char *inherited; // keys and blocks: "physics|output"
    const char *left_out;  // keys of these that are not inherited: "output.fields.x"
};

// Returns whether a part inherits this key from its parent. False for a whole job.
bool job_is_inherited(const struct job *job, const char *key);

// Opens part number `index` as a job, checked against the tables of the whole job; `parent` is the job itself
// or another part of it. The getters, job_fail, job_path and job_directory work on it as on the whole job.
// Both must outlive it. STATUS_CONFIGURATION: a key that a part cannot hold (with its whole path and the
// nearest that it can), and all that job_check finds.
enum status job_part_open(const struct job *job, const char *key, size_t index, const struct job *parent,
                          const struct job_part_rules *rules, struct job **part);

// The shortest decimal that reads back as the same double. Returns `text`.
const char *job_number_text(double value, char text[static 32]);

// Prints the tables: for users (a key and what it takes, its meaning below, wrapped to a width), as a JSON
// array of objects, or as a Markdown table. Write errors stay in the stream (ferror).
enum job_explain_format { JOB_EXPLAIN_TEXT, JOB_EXPLAIN_JSON, JOB_EXPLAIN_MARKDOWN };
struct job_explanation {
    enum job_explain_format format;
    // Prints only keys whose path contains these components, "output.gauges" or "gauges"; NULL: all. If there
    // is no such key, prints nothing and fails with STATUS_USAGE, naming the nearest.
    const char *part;
    size_t columns; // of a line of text; 0 = 100
};
enum status job_explain(FILE *stream, const struct job_key_table *tables, size_t table_count,
                        const struct job_explanation *explanation);

// Prints a JSON Schema (draft-07) of the jobs of one model, or of those of several, told apart by `model`.
// STATUS_SYSTEM: no memory. Write errors stay in the stream.
struct job_schema_model {
    const char *name;
    const struct job_key_table *tables;
    size_t table_count;
};
enum status job_schema(FILE *stream, const struct job_schema_model *models, size_t count);

// suggest_word, "did you mean", is declared in io/suggest.h.

#endif
