// The tables of job keys, printed: for people, as JSON for programs, as Markdown for the documentation.
// Knows the tables and nothing of a job.
#include "io/job_private.h"

#include <math.h>
#include <string.h>

enum { VALUE_BYTES = 320 };

static const char *const type_names[] = {
    [JOB_STRING] = "string",
    [JOB_CHOICE] = "choice",
    [JOB_BOOLEAN] = "boolean",
    [JOB_INTEGER] = "integer",
    [JOB_NUMBER] = "number",
    [JOB_QUANTITY] = "quantity",
    [JOB_STRING_LIST] = "string list",
    [JOB_REDUCED] = "number, or quantity",
    [JOB_QUANTITY_LIST] = "quantity list",
    [JOB_NUMBER_MAP] = "number map",
    [JOB_OBJECT] = "object",
    [JOB_BYTES] = "bytes",
    [JOB_ANY] = "any",
    [JOB_PARTS] = "named parts",
};

// The row that counts for the path of row `k` of table `t`: the last one with it; NULL if an earlier row has
// shown it, or the model has no such key.
static const struct job_key *row_to_show(const struct job_key_table *tables, size_t table_count, size_t t,
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

// What to write: "integer", "auto | single", "quantity in s, or auto".
static const char *describe_value(const struct job_key *key, char text[VALUE_BYTES])
{
    char word[JOB_WORD_MAX + 1];
    bool has_unit = key->unit != NULL && strcmp(key->unit, "1") != 0;
    size_t used = 0;
    text[0] = '\0';
    if (key->type != JOB_CHOICE)
        used = append(text, used, type_names[key->type]);
    if (has_unit) {
        used = append(text, used, " in ");
        used = append(text, used, key->unit);
    }
    bool is_first = true;
    const char *choices = key->type == JOB_PARTS ? NULL : key->choices; // keys, and many: the help says which
    for (const char *position = choices; job_next_choice(&position, word); is_first = false) {
        used = append(text, used,
                      !is_first                      ? " | "
                      : key->type == JOB_CHOICE      ? ""
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

// A function that is called for each key to show, in order.
typedef void visit_key(const struct job_key *key, void *context);

static void visit_keys(const struct job_key_table *tables, size_t table_count, visit_key *visit,
                       void *context)
{
    for (size_t t = 0; t < table_count; t++) {
        for (size_t k = 0; k < tables[t].count; k++) {
            const struct job_key *key = row_to_show(tables, table_count, t, k);
            if (key != NULL)
                visit(key, context);
        }
    }
}

// ---- for people --------------------------------------------------------------------------------

struct text_layout {
    FILE *stream;
    int path_width, value_width, default_width;
};

static int larger(int a, size_t b)
{
    return (size_t)a > b ? a : (int)b;
}

static void measure_key(const struct job_key *key, void *context)
{
    struct text_layout *layout = context;
    char value[VALUE_BYTES];
    layout->path_width = larger(layout->path_width, strlen(key->path));
    layout->value_width = larger(layout->value_width, strlen(describe_value(key, value)));
    layout->default_width = larger(layout->default_width, strlen(describe_default(key)));
}

static void print_text(const struct job_key *key, void *context)
{
    const struct text_layout *layout = context;
    char value[VALUE_BYTES];
    char limits[JOB_LIMITS_BYTES];
    job_limits_text(key, limits);
    fprintf(layout->stream, "%-*s  %-*s  %-*s  %s%s%s%s\n", layout->path_width, key->path,
            layout->value_width, describe_value(key, value), layout->default_width, describe_default(key),
            key->help != NULL ? key->help : "", limits[0] != '\0' ? " (" : "", limits,
            limits[0] != '\0' ? ")" : "");
}

static void explain_text(FILE *stream, const struct job_key_table *tables, size_t table_count)
{
    struct text_layout layout = {stream, (int)strlen("key"), (int)strlen("value"), (int)strlen("default")};
    visit_keys(tables, table_count, measure_key, &layout);
    fprintf(stream, "%-*s  %-*s  %-*s  %s\n", layout.path_width, "key", layout.value_width, "value",
            layout.default_width, "default", "meaning");
    visit_keys(tables, table_count, print_text, &layout);
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
    bool has_entries;
};

static void print_json_string(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fprintf(stream, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            fprintf(stream, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            fputc(*text, stream);
    }
    fputc('"', stream);
}

static void print_json_member(FILE *stream, const char *name, const char *text)
{
    if (text == NULL)
        return;
    fprintf(stream, ", \"%s\": ", name);
    print_json_string(stream, text);
}

static void print_json_choices(FILE *stream, const char *choices)
{
    char word[JOB_WORD_MAX + 1];
    bool is_first = true;
    if (choices == NULL)
        return;
    fputs(", \"choices\": [", stream);
    for (const char *position = choices; job_next_choice(&position, word); is_first = false) {
        fputs(is_first ? "" : ", ", stream);
        print_json_string(stream, word);
    }
    fputc(']', stream);
}

static void print_json(const struct job_key *key, void *context)
{
    struct json_list *list = context;
    FILE *stream = list->stream;
    char number[32];
    bool is_limited = key->minimum != 0.0 || key->maximum != 0.0;
    fputs(list->has_entries ? ",\n  {\"key\": " : "\n  {\"key\": ", stream);
    list->has_entries = true;
    print_json_string(stream, key->path);
    print_json_member(stream, "type", type_names[key->type]);
    print_json_member(stream, "unit", key->unit);
    print_json_member(stream, "default", key->default_value);
    fprintf(stream, ", \"required\": %s", key->required ? "true" : "false");
    if (is_limited && isfinite(key->minimum))
        fprintf(stream, ", \"minimum\": %s", job_number_text(key->minimum, number));
    if (is_limited && isfinite(key->maximum))
        fprintf(stream, ", \"maximum\": %s", job_number_text(key->maximum, number));
    print_json_choices(stream, key->choices);
    print_json_member(stream, "help", key->help);
    fputc('}', stream);
}

void job_explain(FILE *stream, const struct job_key_table *tables, size_t table_count,
                 enum job_explain_format format)
{
    struct json_list list = {stream, false};
    switch (format) {
    case JOB_EXPLAIN_TEXT:
        explain_text(stream, tables, table_count);
        return;
    case JOB_EXPLAIN_MARKDOWN:
        fputs("| key | value | default | meaning |\n|---|---|---|---|\n", stream);
        visit_keys(tables, table_count, print_markdown, stream);
        return;
    case JOB_EXPLAIN_JSON:
        fputc('[', stream);
        visit_keys(tables, table_count, print_json, &list);
        fputs("\n]\n", stream);
        return;
    }
}
