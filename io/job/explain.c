// The tables of job keys, printed: for users, as JSON for programs, as Markdown for the documentation. Uses
// the tables, and no job.
#include "io/job/private.h"

#include "io/suggest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_BYTES = 320 };

static const char *const type_names[] = {
    [JOB_STRING] = "string",
    [JOB_CHOICE] = "choice",
    [JOB_BOOLEAN] = "boolean",
    [JOB_INTEGER] = "integer",
    [JOB_NUMBER] = "number",
    [JOB_QUANTITY] = "quantity",
    [JOB_DIFFERENCE] = "difference",
    [JOB_STRING_LIST] = "string list",
    [JOB_REDUCED] = "number, or quantity",
    [JOB_QUANTITY_LIST] = "quantity list",
    [JOB_NUMBER_MAP] = "number map",
    [JOB_OBJECT] = "object",
    [JOB_BYTES] = "bytes",
    [JOB_ANY] = "any",
    [JOB_PARTS] = "named parts",
};

const struct job_key *job_row_to_show(const struct job_key_table *tables, size_t table_count, size_t t,
                                      size_t k)
{
    const char *path = tables[t].keys[k].path;
    const struct job_key *shown = NULL;
    for (size_t u = 0; u < table_count; u++) {
        for (size_t j = 0; j < tables[u].count; j++) {
            if (strcmp(tables[u].keys[j].path, path) != 0)
                continue;
            if (u < t || (u == t && j < k))
                return NULL;
            shown = &tables[u].keys[j];
        }
    }
    return shown != NULL && shown->type == JOB_ABSENT ? NULL : shown;
}

static size_t append(char *text, size_t used, const char *part)
{
    if (used < VALUE_BYTES)
        used += (size_t)snprintf(text + used, VALUE_BYTES - used, "%s", part);
    return used < VALUE_BYTES ? used : VALUE_BYTES - 1;
}

// The value that a job may give: "integer", "auto | single", "quantity in s, or auto".
static const char *describe_value(const struct job_key *key, char text[VALUE_BYTES])
{
    char word[SUGGEST_WORD_MAX + 1];
    bool has_unit = key->unit != NULL && strcmp(key->unit, "1") != 0;
    size_t used = 0;
    text[0] = '\0';
    const bool is_list_of_forms = key->type == JOB_ANY && key->choices != NULL;
    if (key->type != JOB_CHOICE && !is_list_of_forms)
        used = append(text, used, type_names[key->type]);
    if (has_unit) {
        used = append(text, used, " in ");
        used = append(text, used, key->unit);
    }
    bool is_first = true;
    // The choices of JOB_PARTS are key names, too many to print; the help text lists them.
    const char *choices = key->type == JOB_PARTS ? NULL : key->choices;
    for (const char *position = choices; job_next_choice(&position, word); is_first = false) {
        used = append(text, used,
                      !is_first                      ? " | "
                      : key->type == JOB_CHOICE      ? ""
                      : is_list_of_forms             ? ""
                      : key->type == JOB_STRING_LIST ? " of "
                                                     : ", or ");
        used = append(text, used, word);
    }
    return text;
}

static const char *describe_default(const struct job_key *key)
{
    return key->required ? "required" : key->default_value != NULL ? key->default_value : "-";
}

// The keys to show.
struct selection {
    const struct job_key_table *tables;
    size_t table_count;
    const char *part; // NULL: everything
};

// Does the path hold these parts, whole and in a row? "output.gauges.every" holds "gauges" and
// "gauges.every".
static bool holds(const char *path, const char *part)
{
    const size_t length = strlen(part);
    for (const char *at = path; at != NULL && length > 0; at = strchr(at, '.')) {
        at += *at == '.' ? 1 : 0;
        if (strncmp(at, part, length) == 0 && (at[length] == '\0' || at[length] == '.'))
            return true;
    }
    return false;
}

// A function that is called for each key to show, in order.
typedef void visit_key(const struct job_key *key, void *context);

static void visit_keys(const struct selection *selection, visit_key *visit, void *context)
{
    for (size_t t = 0; t < selection->table_count; t++) {
        for (size_t k = 0; k < selection->tables[t].count; k++) {
            const struct job_key *key = job_row_to_show(selection->tables, selection->table_count, t, k);
            if (key != NULL && (selection->part == NULL || holds(key->path, selection->part)))
                visit(key, context);
        }
    }
}

static void count_key(const struct job_key *key, void *context)
{
    (void)key;
    ++*(size_t *)context;
}

// ---- a part that no key has

struct words {
    size_t count;
    char (*texts)[SUGGEST_WORD_MAX + 1];
};

// A key's path and every block of it, with and without what stands before: output.gauges.every,
// gauges.every, every, output.gauges, gauges, output.
static void collect_parts(const struct job_key *key, void *context)
{
    struct words *words = context;
    for (const char *begin = key->path; begin != NULL; begin = strchr(begin, '.')) {
        begin += *begin == '.' ? 1 : 0;
        for (const char *end = begin + strcspn(begin, "."); end != NULL; end = strchr(end + 1, '.')) {
            if (words->texts != NULL)
                snprintf(words->texts[words->count], sizeof *words->texts, "%.*s", (int)(end - begin), begin);
            words->count++;
            if (*end == '\0')
                break;
        }
    }
}

static enum status fail_unknown_part(const struct selection *everything, const char *part)
{
    struct words words = {0};
    visit_keys(everything, collect_parts, &words);
    words.texts = calloc(words.count + 1, sizeof *words.texts);
    const char **pointers = calloc(words.count + 1, sizeof *pointers);
    const char *nearest = NULL;
    if (words.texts != NULL && pointers != NULL) {
        words.count = 0;
        visit_keys(everything, collect_parts, &words);
        for (size_t k = 0; k < words.count; k++)
            pointers[k] = words.texts[k];
        nearest = suggest_word(part, pointers, words.count);
    }
    (void)FAIL(STATUS_USAGE, "no key or block of a job is called \"%s\"%s%s%s", part,
               nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "");
    free(pointers);
    free(words.texts);
    return STATUS_USAGE;
}

// ---- for users --------------------------------------------------------------------------------

enum { COLUMNS = 100, COLUMNS_LEAST = 40, KEY_COLUMNS_MOST = 34 };

struct text_layout {
    FILE *stream;
    size_t key_columns, columns;
};

static void measure_key(const struct job_key *key, void *context)
{
    struct text_layout *layout = context;
    const size_t length = strlen(key->path);
    if (length > layout->key_columns && length <= KEY_COLUMNS_MOST)
        layout->key_columns = length;
}

// In columns of a terminal; all characters of the tables are one wide.
static size_t width_of(const char *text, size_t bytes)
{
    size_t columns = 0;
    for (size_t k = 0; k < bytes; k++)
        columns += ((unsigned char)text[k] & 0xc0) != 0x80 ? 1 : 0; // not the rest of a UTF-8 character
    return columns;
}

// A text in the right column, beginning at column `used` of the present line, and a line's end. A word that
// is longer than the column is not broken.
static void print_wrapped(const struct text_layout *layout, size_t used, const char *text)
{
    const size_t left = layout->key_columns + 2;
    const char *gap = "";
    while (*text != '\0') {
        const size_t bytes = strcspn(text, " "), width = width_of(text, bytes);
        if (used > left && used + strlen(gap) + width > layout->columns) {
            fputc('\n', layout->stream);
            used = 0;
        }
        if (used < left) {
            fprintf(layout->stream, "%*s", (int)(left - used), "");
            used = left;
            gap = "";
        }
        fprintf(layout->stream, "%s%.*s", gap, (int)bytes, text);
        used += strlen(gap) + width;
        text += bytes;
        text += strspn(text, " ");
        gap = " ";
    }
    fputc('\n', layout->stream);
}

static void print_text(const struct job_key *key, void *context)
{
    const struct text_layout *layout = context;
    char value[VALUE_BYTES], limits[JOB_LIMITS_BYTES], line[2 * VALUE_BYTES];
    const bool has_default = !key->required && key->default_value != NULL;
    job_limits_text(key, limits);
    describe_value(key, value);
    snprintf(line, sizeof line, "%s%s%s%s; %s%s", value, limits[0] != '\0' ? " (" : "", limits,
             limits[0] != '\0' ? ")" : "", has_default ? "default " : "",
             has_default     ? key->default_value
             : key->required ? "required"
                             : "optional");
    fputs(key->path, layout->stream);
    size_t used = strlen(key->path);
    if (used > layout->key_columns) {
        fputc('\n', layout->stream);
        used = 0;
    }
    print_wrapped(layout, used, line);
    if (key->help != NULL)
        print_wrapped(layout, 0, key->help);
}

static void explain_text(FILE *stream, const struct selection *selection, size_t columns)
{
    struct text_layout layout = {stream, 0, columns == 0 ? COLUMNS : columns};
    if (layout.columns < COLUMNS_LEAST)
        layout.columns = COLUMNS_LEAST;
    visit_keys(selection, measure_key, &layout);
    if (layout.key_columns > layout.columns / 2 - 2)
        layout.key_columns = layout.columns / 2 - 2;
    visit_keys(selection, print_text, &layout);
}

// ---- Markdown ----------------------------------------------------------------------------------

// A bar would end the cell.
static void print_cell(FILE *stream, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '|')
            fputc('\\', stream);
        fputc(*text, stream);
    }
}

static void print_markdown(const struct job_key *key, void *context)
{
    FILE *stream = context;
    char value[VALUE_BYTES];
    char limits[JOB_LIMITS_BYTES];
    job_limits_text(key, limits);
    fprintf(stream, "| `%s` | ", key->path);
    print_cell(stream, describe_value(key, value));
    fputs(" | ", stream);
    print_cell(stream, describe_default(key));
    fputs(" | ", stream);
    print_cell(stream, key->help != NULL ? key->help : "");
    fprintf(stream, "%s%s%s |\n", limits[0] != '\0' ? " (" : "", limits, limits[0] != '\0' ? ")" : "");
}

// ---- JSON --------------------------------------------------------------------------------------

struct json_list {
    FILE *stream;
    bool has_entries, has_failed;
};

static void add_text(cJSON *object, const char *name, const char *text)
{
    if (text != NULL)
        cJSON_AddStringToObject(object, name, text);
}

static void print_json(const struct job_key *key, void *context)
{
    struct json_list *list = context;
    cJSON *object = cJSON_CreateObject();
    const bool is_limited = key->minimum != 0.0 || key->maximum != 0.0;
    add_text(object, "key", key->path);
    add_text(object, "type", type_names[key->type]);
    add_text(object, "unit", key->unit);
    add_text(object, "default", key->default_value);
    cJSON_AddBoolToObject(object, "required", key->required);
    if (is_limited && isfinite(key->minimum))
        cJSON_AddNumberToObject(object, "minimum", key->minimum);
    if (is_limited && isfinite(key->maximum))
        cJSON_AddNumberToObject(object, "maximum", key->maximum);
    if (key->choices != NULL) {
        char word[SUGGEST_WORD_MAX + 1];
        cJSON *choices = cJSON_AddArrayToObject(object, "choices");
        for (const char *position = key->choices; job_next_choice(&position, word);)
            cJSON_AddItemToArray(choices, cJSON_CreateString(word));
    }
    add_text(object, "help", key->help);
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    list->has_failed = list->has_failed || text == NULL;
    fprintf(list->stream, "%s\n  %s", list->has_entries ? "," : "", text ? text : "");
    list->has_entries = true;
    cJSON_free(text);
}

enum status job_explain(FILE *stream, const struct job_key_table *tables, size_t table_count,
                        const struct job_explanation *explanation)
{
    const struct selection everything = {tables, table_count, NULL};
    const struct selection selection = {tables, table_count, explanation->part};
    struct json_list list = {stream, false, false};
    size_t count = 0;
    visit_keys(&selection, count_key, &count);
    if (count == 0)
        return fail_unknown_part(&everything, explanation->part);
    switch (explanation->format) {
    case JOB_EXPLAIN_TEXT:
        explain_text(stream, &selection, explanation->columns);
        break;
    case JOB_EXPLAIN_MARKDOWN:
        fputs("| key | value | default | meaning |\n|---|---|---|---|\n", stream);
        visit_keys(&selection, print_markdown, stream);
        break;
    case JOB_EXPLAIN_JSON:
        fputc('[', stream);
        visit_keys(&selection, print_json, &list);
        fputs("\n]\n", stream);
        break;
    }
    return list.has_failed ? FAIL(STATUS_SYSTEM, "no memory to explain the keys of a job") : STATUS_OK;
}
