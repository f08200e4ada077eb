// Messages: to standard error, and to the run's log file. Fixed buffers, no allocation after log_open; safe
// to call from any thread. Independent of the subject of the messages. Errors are no messages: they are
// statuses, which the program reports at its end (core/status.h).
#ifndef FATHOM_CORE_LOG_H
#define FATHOM_CORE_LOG_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

enum log_level {
    LOG_QUIET, // warnings only
    LOG_INFO,  // and the main events of a run
    LOG_DETAIL // everything
};

enum { LOG_LINE_BYTES = 1024, LOG_WARNINGS_MAX = 32, LOG_WARNING_BYTES = 512 };

struct log_options {
    enum log_level terminal_level; // of standard error: "fathom: MESSAGE"
    bool terminal_stamps;          // with the time of day (UTC) there too
    const char *path;              // the log file, or NULL for none
    enum log_level file_level;     // its lines: "2011-03-11T05:46:24.000Z info    MESSAGE"
    bool append;                   // a resumed run continues the same file; else it is replaced
};

// Opens the log. Warnings since log_close (or the program's start) go into the file, too. Before it, and
// after log_close, messages go to standard error only, as for LOG_INFO. STATUS_CANNOT_CREATE, naming the file
// and the reason, when the file cannot be made.
enum status log_open(const struct log_options *options);

// Opens a file to append messages to, created if missing, emptied unless `append`; close it by close(2).
// A symbolic link is not followed, a FIFO is not waited for: STATUS_CANNOT_CREATE, naming the file and what
// to do.
enum status log_open_file(const char *path, bool append, int *descriptor);

// Until it is called with false: messages are neither shown nor kept. For work that a run does again, and
// says the same.
void log_mute(bool is_muted);

// The level of standard error before log_open, which sets its own; LOG_INFO by default and after log_close.
void log_show(enum log_level level);

// Closes the file.
void log_close(void);

// Returns how many lines could not be stored (disk full); they are lost without disturbing the run.
size_t log_lost_lines(void);

// Whether messages of this level are shown on standard error.
bool log_is_shown(enum log_level level);

// Writes one message as one line: control characters become blanks, text beyond LOG_LINE_BYTES becomes "...".
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_detail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// A warning is always shown ("fathom: warning: MESSAGE") and is kept for the run's report: the last
// LOG_WARNINGS_MAX.
void log_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Number of all warnings of the log, including those before log_open, until the next log is opened.
size_t log_warning_count(void);
// Number of warnings kept.
size_t log_warning_kept(void);
// Returns kept warning i, the oldest first; NULL beyond the last. The text stays valid until the next
// warning: ask when the run's threads are done.
const char *log_warning_text(size_t i);

// Writes bytes of a progress display to a file descriptor, in turn with the messages. If `stays_open` the
// bytes were a line that the next call rewrites (they did not end in a newline): a message on standard error
// first erases it. False when the descriptor does not take them.
bool log_transient(int descriptor, const char *bytes, size_t count, bool stays_open);

#endif
