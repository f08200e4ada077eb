// The parts of a job, shared by the files of io/job/ only.
#ifndef FATHOM_IO_JOB_PRIVATE_H
#define FATHOM_IO_JOB_PRIVATE_H

#include "io/job/job.h"

#include <cjson/cJSON.h>

enum { JOB_PATH_BYTES = 256, JOB_SHOWN_BYTES = 64, JOB_LIMITS_BYTES = 80 };

// One key of the tables with its value in the document.
struct job_entry {
    const struct job_key *key;
    const cJSON *item; // in the document, NULL = absent
    cJSON *fallback;   // the default as JSON, owned, NULL = none
    double *values;    // owned; numbers of the item, or of the default: in the key's unit; NAN for a word of
                       // `choices`
    size_t count;      // of values, or of texts in a list
};

struct job {
    char *path;
    char *directory;
    cJSON *root;
    uint64_t hash;
    struct job_entry *entries; // NULL until job_check
    size_t entry_count;
    char **set_keys; // put in by job_set_json, in this order; owned
    size_t set_count;
    // Of a part only.
    char *prefix; // "nested.monai."; NULL: this is a whole job
    const struct job *whole;
    const struct job *parent; // whose keys it inherits: the whole job, or another part
    bool may_inherit;         // null in it takes away what it would inherit
    const cJSON *written;     // its own keys, in the whole job's document
    struct job_key *own_keys; // rows of keys that only parts have, with their paths in the part
};

// Returns the entry of a path, or NULL.
struct job_entry *job_find_entry(const struct job *job, const char *path);
void job_free_entries(struct job *job);

// Names the kind of a value for messages: "text", "a number", "true or false", ...
const char *job_value_noun(const cJSON *item);

// Copies a text for a message, cut after about JOB_SHOWN_BYTES without splitting a character.
const char *job_shown(const char *text, char shown[JOB_SHOWN_BYTES + 4]);

// Describes the limits of a key for messages, without a unit: "at least 1", "more than 0", "1 to 8"; "" if it
// has none.
const char *job_limits_text(const struct job_key *key, char text[JOB_LIMITS_BYTES]);

// Returns the rest of `path` if it is `block` or lies in it ("domain.x" in "domain" → ".x"); else NULL.
const char *job_path_below(const char *path, const char *block);

// Whether `path` is one of the paths "a|b.c" or lies in one of them; with `or_above` also if one lies in it.
bool job_path_listed(const char *path, const char *list, bool or_above);

// Returns the first number in a JSON text that RFC 8259, section 6, does not permit (cJSON reads 00.5, 1.,
// 1.e5); NULL if there is none.
const char *job_find_bad_number(const char *text);

// Removes a key from the document, and the objects that are empty without it.
enum status job_remove(struct job *job, const char *key);

// Returns a value of a document by its path; NULL if it is missing. Text after a [ is ignored.
const cJSON *job_find_item(const cJSON *root, const char *path);

// Refuses what no file may hold under any key: numbers that are too large, control characters, duplicate
// keys. `path` names the item in messages; the function extends it for members.
enum status job_check_plain(const char *file, const cJSON *item, char path[JOB_PATH_BYTES]);
// Checks the version of the job format, in `fathom`.
enum status job_check_version(const char *file, const cJSON *root);

// Checks a value (of the document, or a default) against the entry's key, and keeps its numbers in the entry.
enum status job_check_value(const struct job *job, struct job_entry *entry, const cJSON *item);

// Check a document against the entries, which then point into it: unknown keys and values; missing keys.
enum status job_check_document(struct job *job, const cJSON *document);
enum status job_check_required(const struct job *job);

// Adds an entry with its default; there must be space for it.
enum status job_add_entry(struct job *job, const struct job_key *key);

// Adds a word to a list for a message, "a, b", which ends with ", ..." if the next one does not fit. Returns
// false if the list is full. `used` is 0 at first.
enum { JOB_LIST_BYTES = 320 };
bool job_list_add(char text[JOB_LIST_BYTES], size_t *used, const char *word);
// Takes the next word of "a|b|c" at *position; false at the end.
bool job_next_choice(const char **position, char word[SUGGEST_WORD_MAX + 1]);

// XXH3-64 of the canonical form (see job_hash).
enum status job_hash_document(const cJSON *root, uint64_t *hash);

// The definition in force for the key of row `k` of table `t`: the last row with the same path. NULL if row
// `k` is not the path's first row, or the model has no such key.
const struct job_key *job_row_to_show(const struct job_key_table *tables, size_t table_count, size_t t,
                                      size_t k);

// Whether a key is a comment: it begins with // or #. The same as a regular expression, for the schema.
bool job_is_comment(const char *key);
#define JOB_COMMENT_PATTERN "^(//|#)"

#endif
