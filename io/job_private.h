// What a job is made of, shared by the job_*.c files and by nobody else.
#ifndef FATHOM_IO_JOB_PRIVATE_H
#define FATHOM_IO_JOB_PRIVATE_H

#include "io/job.h"

#include <cjson/cJSON.h>

enum { JOB_PATH_BYTES = 256, JOB_SHOWN_BYTES = 64, JOB_LIMITS_BYTES = 80 };

// One key of the tables, with what the document says about it.
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
};

// The entry of a path, or NULL.
struct job_entry *job_find_entry(const struct job *job, const char *path);
void job_free_entries(struct job *job);

// "text", "a number", "true or false", ...: what kind of value it is, for messages.
const char *job_value_noun(const cJSON *item);

// A text for a message, cut after about JOB_SHOWN_BYTES without splitting a character.
const char *job_shown(const char *text, char shown[JOB_SHOWN_BYTES + 4]);

// The shortest decimal that reads back as the same double.
const char *job_number_text(double value, char text[32]);

// The limits of a key for people, without a unit: "at least 1", "more than 0", "1 to 8"; "" if there are
// none.
const char *job_limits_text(const struct job_key *key, char text[JOB_LIMITS_BYTES]);

// The part of a list of words "a|b|c" at *position; false at the end.
bool job_next_choice(const char **position, char word[JOB_WORD_MAX + 1]);

// XXH3-64 of the canonical form (see job_hash).
enum status job_hash_document(const cJSON *root, uint64_t *hash);

#endif
