// Messages to standard error and to the log file (see the header). Lines are composed on the stack and
// written with one write(2): no stdio buffer, no allocation, whole lines even when several processes share
// the terminal.
#include "core/log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { STAMP_BYTES = 40 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct log_options options = {.terminal_level = LOG_INFO, .file_level = LOG_INFO};
static int file = -1;
static size_t lost_lines;
static bool is_open;           // since log_open
static bool line_is_open;      // a progress line stands on the terminal
static bool is_muted;          // log_mute
static size_t warning_count;   // ever
static size_t forgotten_count; // of them: those of logs before this one
static size_t closed_count;    // of them: those up to log_close
static char warnings[LOG_WARNINGS_MAX][LOG_WARNING_BYTES];

static bool write_all(int descriptor, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

// Ends a text that was cut with "..." without leaving half a UTF-8 character before it.
static void mark_cut(char *text, size_t bytes)
{
    size_t end = bytes - 4;
    while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80)
        end--;
    memcpy(text + end, "...", 4);
}

static void one_line(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7F)
            *text = ' ';
}

static void stamp(char text[STAMP_BYTES], bool with_date)
{
    struct timespec now;
    struct tm utc;
    text[0] = '\0';
    if (clock_gettime(CLOCK_REALTIME, &now) != 0 || !gmtime_r(&now.tv_sec, &utc))
        return;
    size_t length = strftime(text, STAMP_BYTES, with_date ? "%Y-%m-%dT%H:%M:%S" : "%H:%M:%S", &utc);
    if (with_date)
        snprintf(text + length, STAMP_BYTES - length, ".%03dZ", (int)(now.tv_nsec / 1000000));
}

static void to_terminal(const char *prefix, const char *message)
{
    char line[LOG_LINE_BYTES + STAMP_BYTES + 64];
    char clock_text[STAMP_BYTES] = "";
    if (options.terminal_stamps)
        stamp(clock_text, false);
    int length = snprintf(line, sizeof line, "%sfathom: %s%s%s%s\n", line_is_open ? "\r\033[J" : "",
                          clock_text, clock_text[0] ? " " : "", prefix, message);
    if (length > 0 && write_all(STDERR_FILENO, line, (size_t)length))
        line_is_open = false;
}

static void to_file(const char *kind, const char *message)
{
    char line[LOG_LINE_BYTES + STAMP_BYTES + 64];
    char clock_text[STAMP_BYTES];
    stamp(clock_text, true);
    int length = snprintf(line, sizeof line, "%s %-7s %s\n", clock_text, kind, message);
    if (length <= 0 || !write_all(file, line, (size_t)length))
        lost_lines++;
}

static void message_out(enum log_level level, bool is_warning, const char *format, va_list arguments)
{
    // The caller may be reporting on errno.
    int saved_errno = errno;
    char text[LOG_LINE_BYTES];
    int length = vsnprintf(text, sizeof text, format, arguments);
    if (length < 0)
        return;
    if ((size_t)length >= sizeof text)
        mark_cut(text, sizeof text);
    one_line(text);
    pthread_mutex_lock(&lock);
    if (is_muted) {
        pthread_mutex_unlock(&lock);
        return;
    }
    if (is_warning) {
        char *kept = warnings[warning_count++ % LOG_WARNINGS_MAX];
        size_t bytes = strlen(text) + 1;
        memcpy(kept, text, bytes < LOG_WARNING_BYTES ? bytes : LOG_WARNING_BYTES);
        if (bytes > LOG_WARNING_BYTES)
            mark_cut(kept, LOG_WARNING_BYTES);
    }
    if (is_warning || level <= options.terminal_level)
        to_terminal(is_warning ? "warning: " : "", text);
    if (file >= 0 && (is_warning || level <= options.file_level))
        to_file(is_warning ? "warning" : level == LOG_DETAIL ? "detail" : "info", text);
    pthread_mutex_unlock(&lock);
    errno = saved_errno;
}

static size_t kept_count(void)
{
    const size_t count = warning_count - forgotten_count;
    return count < LOG_WARNINGS_MAX ? count : LOG_WARNINGS_MAX;
}

static const char *kept_text(size_t i)
{
    return warnings[(warning_count - kept_count() + i) % LOG_WARNINGS_MAX];
}

// Warnings from before there was a file belong to the run, too.
static void write_earlier_warnings(void)
{
    for (size_t k = 0; k < kept_count() && file >= 0; k++)
        to_file("warning", kept_text(k));
}

enum status log_open_file(const char *path, bool append, int *descriptor)
{
    // O_NONBLOCK: the opening of a FIFO would wait for a reader.
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    struct stat about;
    *descriptor = open(path, flags | (append ? 0 : O_TRUNC), 0666);
    if (*descriptor < 0 && errno == ELOOP)
        return FAIL(STATUS_CANNOT_CREATE,
                    "%s: is a symbolic link, through which another file would be written; remove it", path);
    if ((*descriptor < 0 && errno == ENXIO) ||
        (*descriptor >= 0 && fstat(*descriptor, &about) == 0 && S_ISFIFO(about.st_mode))) {
        if (*descriptor >= 0)
            (void)close(*descriptor);
        *descriptor = -1;
        return FAIL(STATUS_CANNOT_CREATE, "%s: is not a plain file; remove it", path);
    }
    if (*descriptor < 0)
        return FAIL(STATUS_CANNOT_CREATE, "%s: cannot create the log file: %s", path, strerror(errno));
    return STATUS_OK;
}

enum status log_open(const struct log_options *wanted)
{
    if (is_open)
        log_close();
    int opened = -1;
    if (wanted->path)
        CHECK(log_open_file(wanted->path, wanted->append, &opened));
    // The first time stamp makes the C library read its time zone, which allocates: do it now.
    char warm[STAMP_BYTES];
    stamp(warm, true);
    pthread_mutex_lock(&lock);
    options = *wanted;
    options.path = NULL; // the caller's; not needed again
    file = opened;
    is_open = true;
    lost_lines = 0;
    forgotten_count = closed_count;
    write_earlier_warnings();
    pthread_mutex_unlock(&lock);
    return STATUS_OK;
}

void log_mute(bool muted)
{
    pthread_mutex_lock(&lock);
    is_muted = muted;
    pthread_mutex_unlock(&lock);
}

void log_show(enum log_level level)
{
    pthread_mutex_lock(&lock);
    options.terminal_level = level;
    pthread_mutex_unlock(&lock);
}

bool log_is_shown(enum log_level level)
{
    return level <= options.terminal_level;
}

void log_close(void)
{
    pthread_mutex_lock(&lock);
    if (file >= 0 && close(file) != 0)
        lost_lines++;
    file = -1;
    is_open = false;
    closed_count = warning_count;
    options = (struct log_options){.terminal_level = LOG_INFO, .file_level = LOG_INFO};
    pthread_mutex_unlock(&lock);
}

size_t log_lost_lines(void)
{
    pthread_mutex_lock(&lock);
    size_t count = lost_lines;
    pthread_mutex_unlock(&lock);
    return count;
}

void log_info(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_out(LOG_INFO, false, format, arguments);
    va_end(arguments);
}

void log_detail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_out(LOG_DETAIL, false, format, arguments);
    va_end(arguments);
}

void log_warning(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_out(LOG_QUIET, true, format, arguments);
    va_end(arguments);
}

size_t log_warning_count(void)
{
    pthread_mutex_lock(&lock);
    size_t count = warning_count - forgotten_count;
    pthread_mutex_unlock(&lock);
    return count;
}

size_t log_warning_kept(void)
{
    pthread_mutex_lock(&lock);
    size_t count = kept_count();
    pthread_mutex_unlock(&lock);
    return count;
}

const char *log_warning_text(size_t i)
{
    pthread_mutex_lock(&lock);
    const char *text = i < kept_count() ? kept_text(i) : NULL;
    pthread_mutex_unlock(&lock);
    return text;
}

bool log_transient(int descriptor, const char *bytes, size_t count, bool stays_open)
{
    pthread_mutex_lock(&lock);
    bool written = write_all(descriptor, bytes, count);
    if (descriptor == STDERR_FILENO)
        line_is_open = written && stays_open;
    pthread_mutex_unlock(&lock);
    return written;
}
