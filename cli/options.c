// Options of subcommands: see options.h.
#include "cli/options.h"

#include "io/job/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { OPTIONS_MAX = 64 };

// Long options that begin with `word` (without its hyphens, up to "="), listed in `names` for a message.
static int matches(const struct option *table, const char *word, char *names, size_t bytes)
{
    const size_t length = strcspn(word, "=");
    int count = 0;
    names[0] = '\0';
    for (; table->name; table++)
        if (strncmp(table->name, word, length) == 0) {
            const size_t used = strlen(names);
            snprintf(names + used, bytes - used, "%s--%s", count++ ? " or " : "", table->name);
        }
    return count;
}

static void say_unknown(const char *command, const char *word, const struct option *table)
{
    const char *known[OPTIONS_MAX];
    char names[256], name[JOB_WORD_MAX + 1];
    size_t count = 0;
    if (strncmp(word, "--", 2) == 0 && matches(table, word + 2, names, sizeof names) > 1) {
        fprintf(stderr, "fathom: %s: %s may be %s; see fathom %s --help\n", command, word, names, command);
        return;
    }
    for (const struct option *option = table; option->name && count < OPTIONS_MAX; option++)
        known[count++] = option->name;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *nearest = job_nearest_word(name + strspn(name, "-"), known, count);
    fprintf(stderr, "fathom: %s: unknown option %s%s%s%s; see fathom %s --help\n", command, word,
            nearest ? " (did you mean --" : "", nearest ? nearest : "", nearest ? "?)" : "", command);
}

// getopt leaves in optopt: 0 for an unknown long option, its letter for an unknown short one, and the table's
// value for an option that was given a value though it takes none, or lacks one.
static void say_why(int reason, char **argv, const struct option *table)
{
    const char letter[3] = {'-', (char)optopt, '\0'};
    const char *command = argv[0], *last = argv[optind - 1];
    bool has_value = false; // that it cannot have
    for (const struct option *option = table; option->name; option++)
        has_value |= option->val == optopt && strncmp(last, "--", 2) == 0 && strchr(last, '=') &&
                     strncmp(last + 2, option->name, strcspn(last + 2, "=")) == 0;
    if (reason == ':') // it is the last word
        fprintf(stderr, "fathom: %s: %s needs a value; see fathom %s --help\n", command,
                strncmp(last, "--", 2) == 0 ? last : letter, command);
    else if (has_value)
        fprintf(stderr, "fathom: %s: %.*s takes no value; see fathom %s --help\n", command,
                (int)strcspn(last, "="), last, command);
    else
        say_unknown(command, optopt ? letter : last, table);
}

int options_next(int argc, char **argv, const char *letters, const struct option *table)
{
    char with_colon[32];
    snprintf(with_colon, sizeof with_colon, ":%s", letters); // ':' for what lacks its value
    opterr = 0;
    const int option = getopt_long(argc, argv, with_colon, table, NULL);
    if (option != ':' && option != '?')
        return option;
    say_why(option, argv, table);
    return '?';
}

int options_report_failure(enum status status)
{
    fprintf(stderr, "fathom: %s\n", status_message());
    return status_exit_code(status);
}

size_t options_columns(void)
{
    enum { PLAIN = 100, LEAST = 20, MOST = 1000 };
    struct winsize size;
    const char *text = getenv("COLUMNS");
    char *end = NULL;
    const long given = text ? strtol(text, &end, 10) : 0;
    if (text && end != text && *end == '\0' && given >= LEAST && given <= MOST)
        return (size_t)given;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= LEAST)
        return size.ws_col;
    return PLAIN;
}

enum status options_record(const char *text, int64_t *record)
{
    char *end;
    const long long number = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || number < 0 || number > INT32_MAX)
        return FAIL(STATUS_USAGE, "--record %s: expected a whole number, 0 or more", text);
    *record = number;
    return STATUS_OK;
}

void options_history(int argc, char **argv, char *text, size_t bytes)
{
    time_t now = time(NULL);
    struct tm utc;
    size_t used =
        gmtime_r(&now, &utc) != NULL ? strftime(text, bytes, "%Y-%m-%dT%H:%M:%SZ: fathom", &utc) : 0;
    for (int k = 0; k < argc && used < bytes; k++) {
        const char *quote = strchr(argv[k], ' ') != NULL ? "\"" : "";
        int more = snprintf(text + used, bytes - used, " %s%s%s", quote, argv[k], quote);
        used += more > 0 ? (size_t)more : 0;
    }
}
