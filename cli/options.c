// Options of subcommands: see options.h.
#include "cli/options.h"

#include "io/suggest.h"
#include "io/units.h"
#include "io/utf8.h"
#include "models/model.h"
#include "models/tsunami/forecast/far_field.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { OPTIONS_MAX = 40, FIRST_CODE = 256 };

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

static void report_unknown(const char *command, const char *word, const struct option *table)
{
    const char *known[OPTIONS_MAX];
    char names[256], name[SUGGEST_WORD_MAX + 1];
    size_t count = 0;
    if (strncmp(word, "--", 2) == 0 && matches(table, word + 2, names, sizeof names) > 1) {
        fprintf(stderr, "fathom: %s: %s may be %s; see fathom %s --help\n", command, word, names, command);
        return;
    }
    for (const struct option *option = table; option->name && count < sizeof known / sizeof *known; option++)
        known[count++] = option->name;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *nearest = suggest_word(name + strspn(name, "-"), known, count);
    fprintf(stderr, "fathom: %s: unknown option %s%s%s%s; see fathom %s --help\n", command, word,
            nearest ? " (did you mean --" : "", nearest ? nearest : "", nearest ? "?)" : "", command);
}

// getopt leaves in optopt: 0 for an unknown long option, its letter for an unknown short one, and the table's
// value for an option that was given a value though it takes none, or lacks one.
static void report_unusable(int reason, char **argv, const struct option *table)
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
        report_unknown(command, optopt ? letter : last, table);
}

static int next_option(int argc, char **argv, const char *letters, const struct option *table)
{
    opterr = 0;
    const int option = getopt_long(argc, argv, letters, table, NULL);
    if (option == ':' || option == '?')
        report_unusable(option, argv, table);
    return option;
}

static enum status take(const struct option_row *row, void *context)
{
    if (row->flag)
        *row->flag = true;
    else if (row->text)
        *row->text = optarg;
    else
        return row->take(context, row->name, optarg);
    return STATUS_OK;
}

bool options_read(int argc, char **argv, const char *help, const struct option_row *rows, void *context,
                  int *code)
{
    struct option table[OPTIONS_MAX + 2] = {{"help", no_argument, NULL, 'h'}};
    char letters[3 + 2 * OPTIONS_MAX] =
        ":h"; // ':': getopt distinguishes a missing value from an unknown option
    size_t count = 0, used = strlen(letters);
    for (; rows[count].name && count < OPTIONS_MAX; count++) {
        const struct option_row *row = &rows[count];
        const int code_of = row->letter ? row->letter : FIRST_CODE + (int)count;
        table[count + 1] =
            (struct option){row->name, row->flag ? no_argument : required_argument, NULL, code_of};
        if (row->letter)
            used += (size_t)snprintf(letters + used, 3, "%c%s", row->letter, row->flag ? "" : ":");
    }
    optind = 0; // main may have read options of its own
    for (int option; (option = next_option(argc, argv, letters, table)) != -1;) {
        size_t k = 0;
        *code = status_exit_code(option == 'h' ? STATUS_OK : STATUS_USAGE);
        if (option == 'h')
            fputs(help, stdout);
        if (option == 'h' || option == ':' || option == '?')
            return false;
        while (table[k + 1].val != option)
            k++;
        const enum status status = take(&rows[k], context);
        if (status != STATUS_OK) {
            *code = options_report_failure(status);
            return false;
        }
    }
    return true;
}

int options_report_failure(enum status status)
{
    char shown[4096]; // a message with every byte escaped
    const char *message = status_message()[0] ? status_message() : status_text(status);
    fprintf(stderr, "fathom: %s\n", utf8_escape(shown, sizeof shown, message));
    return status_exit_code(status);
}

// ---- values

// Digits alone: "1e3", "+5" and "" are no counts.
enum status options_count(const char *name, const char *text, int64_t least, int64_t most, int64_t *count)
{
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value < least || value > most)
        return FAIL(STATUS_USAGE, "--%s %.80s: expected a whole number from %lld to %lld", name, text,
                    (long long)least, (long long)most);
    *count = value;
    return STATUS_OK;
}

enum status options_number(const char *name, const char *text, double least, double most, double *number)
{
    char *end;
    *number = strtod(text, &end);
    if (end == text || *end != '\0' || !(*number >= least && *number <= most))
        return FAIL(STATUS_USAGE, "--%s %s: expected a number from %g to %g", name, text, least, most);
    return STATUS_OK;
}

enum status options_quantity(const char *name, const char *text, const char *unit, double *value)
{
    return units_parse_quantity(text, unit, value) == STATUS_OK ? STATUS_OK
                                                                : status_prefix(STATUS_USAGE, "--%s", name);
}

enum status options_bytes(const char *name, const char *text, size_t *bytes)
{
    double number;
    CHECK_ABOUT(units_parse_bytes(text, &number), "--%s", name);
    *bytes = number >= 1 ? (size_t)number : 1;
    return STATUS_OK;
}

enum status options_pair(const char *name, const char *text, const char *unit, bool may_be_one,
                         double pair[2])
{
    char first[128];
    const char *comma = strchr(text, ',');
    size_t length = comma != NULL ? (size_t)(comma - text) : strlen(text);
    if ((comma == NULL && !may_be_one) || length >= sizeof first)
        return FAIL(STATUS_USAGE,
                    "--%s \"%s\": expected two quantities with a comma between, such as \"10 %s,20 %s\"",
                    name, text, unit, unit);
    memcpy(first, text, length);
    first[length] = '\0';
    CHECK_ABOUT(units_parse_quantity(first, unit, &pair[0]), "--%s", name);
    pair[1] = pair[0];
    if (comma != NULL)
        CHECK_ABOUT(units_parse_quantity(comma + 1, unit, &pair[1]), "--%s", name);
    return STATUS_OK;
}

enum status options_far_field(const char *name, const char *text, double *depth_m)
{
    CHECK(options_quantity(name, text, "m", depth_m));
    return *depth_m >= FAR_FIELD_DEPTH_LEAST_M && *depth_m <= FAR_FIELD_DEPTH_MOST_M
               ? STATUS_OK
               : FAIL(STATUS_USAGE, "--%s: %.80s: expected the depth of an ocean, %g to %g m, as \"4 km\"",
                      name, text, FAR_FIELD_DEPTH_LEAST_M, FAR_FIELD_DEPTH_MOST_M);
}

enum status options_duration(const char *name, const char *text, double *seconds)
{
    CHECK(options_quantity(name, text, "s", seconds));
    return *seconds > 0 ? STATUS_OK
                        : FAIL(STATUS_USAGE, "--%s: must be longer than 0, not \"%.80s\"", name, text);
}

enum status options_choice(const char *name, const char *text, const char *const *words, int *choice)
{
    char known[128] = "";
    for (int k = 0; words[k]; k++) {
        if (strcmp(text, words[k]) == 0) {
            *choice = k;
            return STATUS_OK;
        }
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s",
                 k == 0         ? ""
                 : words[k + 1] ? ", "
                                : " or ",
                 words[k]);
    }
    return FAIL(STATUS_USAGE, "--%s %s: expected %s", name, text, known);
}

const char *options_suggestion(const char *word, const char *const *words, size_t count,
                               char text[OPTIONS_SUGGESTION_BYTES])
{
    const char *nearest = words ? suggest_word(word, words, count) : NULL;
    text[0] = '\0';
    if (nearest)
        snprintf(text, OPTIONS_SUGGESTION_BYTES, " (did you mean %s?)", nearest);
    return text;
}

enum status options_known_model(const char *name)
{
    enum { NAMES = 32 };
    const char *names[NAMES];
    char suggestion[OPTIONS_SUGGESTION_BYTES];
    size_t count = 0;
    if (model_find(name))
        return STATUS_OK;
    for (const struct model *const *model = model_list(); *model && count < NAMES; model++)
        names[count++] = (*model)->name;
    return FAIL(STATUS_USAGE, "unknown model \"%s\"%s; fathom --help lists the models", name,
                options_suggestion(name, names, count, suggestion));
}

// ---- output

enum status options_print_json(cJSON *document)
{
    char *text = utf8_print_json(document);
    cJSON_Delete(document);
    if (!text)
        return FAIL(STATUS_SYSTEM, "no memory for the result as JSON");
    puts(text);
    cJSON_free(text);
    return STATUS_OK;
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
