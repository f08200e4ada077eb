// The file of a journal: one JSON object per line, with a checksum. A line that is synced survives a loss of
// power, one that is written a kill. Independent of the meaning of the records.
//
// A line is the 16 hexadecimal digits of the XXH3-64 of its text, a blank, the text (JSON without blanks or
// line breaks), and a line feed. If the process is killed, the last line may be incomplete: a reader ignores
// it, and a writer removes it first. A damaged line before other lines is an error: the file was changed.
#ifndef FATHOM_BATCH_JOURNAL_FILE_H
#define FATHOM_BATCH_JOURNAL_FILE_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

struct cJSON;
struct journal_file;

enum { JOURNAL_FILE_LINE_BYTES_MAX = 1 << 20, JOURNAL_FILE_BYTES_MAX = 1 << 30 };

// Calls visit(context, record, line) for each record in order, line from 1. Returns its first failure, or
// STATUS_NO_INPUT, STATUS_IO, STATUS_DATA (naming the line and the mistake).
enum status journal_file_read(const char *path,
                              enum status (*visit)(void *context, const struct cJSON *record, size_t line),
                              void *context);

// Opens a journal for appending. `replaces`: an existing journal is replaced by an empty one, synced. Else an
// existing journal is checked before anything is appended (STATUS_DATA as journal_file_read). The folder must
// exist. STATUS_CANNOT_CREATE, also if another process writes the journal, or if it is a symbolic link (a
// file elsewhere would be changed). journal_file_check checks this before the journal is opened.
enum status journal_file_check(const char *path);
enum status journal_file_open(const char *path, bool replaces, struct journal_file **journal);

// Writes the record as one line and syncs it. STATUS_IO, whose message states if the disk is full: the
// incomplete line is then removed, if the disk permits it.
enum status journal_file_append(struct journal_file *journal, const struct cJSON *record);
// Writes the record as one line, which the next line or journal_file_sync syncs with it.
enum status journal_file_write(struct journal_file *journal, const struct cJSON *record);
enum status journal_file_sync(struct journal_file *journal); // nothing, if there is no such line
void journal_file_close(struct journal_file *journal);       // NULL: does nothing

#endif
