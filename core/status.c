// The first failure of the process, kept in a fixed buffer: no allocation on the way to an error message.
#include "core/status.h"

#include <ctype.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 1024, ORIGIN_BYTES = 160 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char message[MESSAGE_BYTES];
static char origin[ORIGIN_BYTES];
static bool failed;

static const struct {
    const char *name;
    const char *text;
    int exit_code;
} table[] = {
#define STATUS_ROW(name, text, code) {#name, text, code},
    STATUS_LIST(STATUS_ROW)
#undef STATUS_ROW
};

const char *status_name(enum status status)
{
    return table[status].name;
}

const char *status_text(enum status status)
{
    return table[status].text;
}

int status_exit_code(enum status status)
{
    return table[status].exit_code;
}

// What a message quotes from a file may hold anything; a message is one line, and leaves a terminal as it is.
static void flatten(char *text)
{
    for (; *text; text++)
        if (iscntrl((unsigned char)*text))
            *text = '?';
}

enum status status_fail(enum status status, const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&lock);
    if (!failed) {
        failed = true;
        vsnprintf(message, sizeof message, format, arguments);
        flatten(message);
        snprintf(origin, sizeof origin, "%s:%d", file, line);
    }
    pthread_mutex_unlock(&lock);
    va_end(arguments);
    return status;
}

enum status status_prefix(enum status status, const char *format, ...)
{
    char prefix[MESSAGE_BYTES];
    char joined[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(prefix, sizeof prefix, format, arguments);
    flatten(prefix);
    va_end(arguments);
    pthread_mutex_lock(&lock);
    size_t length = strnlen(prefix, sizeof prefix);
    memcpy(joined, prefix, length);
    snprintf(joined + length, sizeof joined - length, ": %s", message);
    memcpy(message, joined, sizeof message);
    pthread_mutex_unlock(&lock);
    return status;
}

enum status status_append(enum status status, const char *format, ...)
{
    char remark[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(remark, sizeof remark, format, arguments);
    flatten(remark);
    va_end(arguments);
    pthread_mutex_lock(&lock);
    const size_t length = strnlen(message, sizeof message);
    snprintf(message + length, sizeof message - length, "%s%s", length > 0 ? "; " : "", remark);
    pthread_mutex_unlock(&lock);
    return status;
}

const char *status_message(void)
{
    return message;
}

const char *status_origin(void)
{
    return origin;
}

void status_clear(void)
{
    pthread_mutex_lock(&lock);
    failed = false;
    message[0] = '\0';
    origin[0] = '\0';
    pthread_mutex_unlock(&lock);
}
