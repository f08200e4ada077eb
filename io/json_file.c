// Small text files and JSON documents: see json_file.h.
#include "io/json_file.h"

#include "io/path.h"
#include "io/units.h"
#include "io/utf8.h"
#include "io/whole_file.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPACE_BYTES = 1 << 16 };

// In pieces: what is read may be a pipe, which has no length to ask for.
static enum status read_stream(FILE *stream, const char *path, size_t bytes_max, char **text, size_t *length)
{
    size_t space = 0;
    for (size_t got = 1; got > 0; *length += got) {
        if (*length + 1 >= space) {
            space = space == 0 ? SPACE_BYTES : 2 * space;
            char *grown = realloc(*text, space);
            if (!grown)
                return FAIL(STATUS_SYSTEM, "%s: out of memory while reading it (%s)", path,
                            UNITS_BYTES(space));
            *text = grown;
        }
        got = fread(*text + *length, 1, space - 1 - *length, stream);
        if (*length + got > bytes_max)
            return FAIL(STATUS_DATA, "%s: larger than %s, the most that is expected of such a file", path,
                        UNITS_BYTES(bytes_max));
    }
    (*text)[*length] = '\0';
    return ferror(stream) ? FAIL(STATUS_IO, "%s: reading failed: %s", path, strerror(errno)) : STATUS_OK;
}

enum status text_file_read(const char *path, size_t bytes_max, char **text, size_t *length)
{
    *text = NULL;
    *length = 0;
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return FAIL(path_open_status(errno), "%s: cannot be opened: %s", path, strerror(errno));
    enum status status = read_stream(stream, path, bytes_max, text, length);
    (void)fclose(stream); // opened for reading: nothing can be lost
    if (status == STATUS_OK && utf8_is_utf16(*text, *length))
        status = FAIL(STATUS_DATA,
                      "%s: is text in UTF-16, expected UTF-8: iconv -f UTF-16 -t UTF-8 converts it", path);
    else if (status == STATUS_OK && memchr(*text, '\0', *length))
        status = FAIL(STATUS_DATA, "%s: holds binary data: expected a text file", path);
    if (status != STATUS_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

// Levels of lists and objects that are open at a place of a text.
static size_t levels_at(const char *text, const char *where)
{
    size_t levels = 0;
    bool is_in_string = false;
    for (const char *c = text; c < where; c++) {
        if (*c == '"')
            is_in_string = !is_in_string;
        else if (is_in_string)
            c += *c == '\\';
        else if (*c == '[' || *c == '{')
            levels++;
        else if ((*c == ']' || *c == '}') && levels > 0)
            levels--;
    }
    return levels;
}

static enum status fail_syntax(const char *path, const char *text, const char *where)
{
    size_t line = 1, column = 1;
    for (const char *c = text; c < where; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n' ? 1 : 0;
    }
    char why[80] = "";
    if (levels_at(text, where) >= CJSON_NESTING_LIMIT)
        snprintf(why, sizeof why, ": more than %d levels of lists and objects", CJSON_NESTING_LIMIT - 1);
    else if (where[strspn(where, " \t\r\n")] == '\0')
        snprintf(why, sizeof why, ", where it ends: is the file cut short?");
    else if (*where == '"' || (where > text && where[-1] == '"'))
        snprintf(why, sizeof why, ": a text without its end, or with a character that it cannot have");
    return FAIL(STATUS_DATA, "%s: not valid JSON at line %zu, column %zu%s", path, line, column, why);
}

// "\\u0000": a text would end there without a word.
static const char *find_nul(const char *text)
{
    for (const char *c = text; (c = strchr(c, '\\')); c += c[1] ? 2 : 1)
        if (strncmp(c, "\\u0000", 6) == 0)
            return c;
    return NULL;
}

enum status json_parse(const char *path, const char *text, struct cJSON **document)
{
    const char *end = text, *nul = find_nul(text);
    *document = NULL;
    if (nul) {
        size_t line = 1;
        for (const char *c = text; c < nul; c++)
            line += *c == '\n';
        return FAIL(STATUS_DATA, "%s: line %zu: a text with the character \\u0000, which no text can hold",
                    path, line);
    }
    *document = cJSON_ParseWithLengthOpts(text, strlen(text) + 1, &end, true);
    return *document ? STATUS_OK : fail_syntax(path, text, end);
}

enum status json_file_read(const char *path, size_t bytes_max, struct cJSON **document)
{
    char *text;
    size_t length;
    *document = NULL;
    CHECK(text_file_read(path, bytes_max, &text, &length));
    const enum status status = json_parse(path, text, document);
    free(text);
    return status;
}

static enum status write_document(const char *path, const struct cJSON *document, bool is_named_later)
{
    struct whole_file file;
    char *text = utf8_print_json(document);
    if (!text)
        return FAIL(STATUS_SYSTEM, "%s: no memory to write it", path);
    enum status status = whole_file_begin(&file, path);
    if (status == STATUS_OK) {
        file.is_named_later = is_named_later;
        (void)fprintf(file.stream, "%s\n", text);
        status = whole_file_end(&file, STATUS_OK);
    }
    free(text);
    return status;
}

enum status json_file_write(const char *path, const struct cJSON *document)
{
    return write_document(path, document, false);
}

enum status json_file_place(const char *path, const struct cJSON *document)
{
    return write_document(path, document, true);
}

const char *json_unknown_key(const struct cJSON *object, const char *const *known, size_t count)
{
    for (const cJSON *item = object->child; item; item = item->next) {
        size_t k = 0;
        while (k < count && strcmp(item->string, known[k]) != 0)
            k++;
        if (k == count)
            return item->string;
    }
    return NULL;
}

const cJSON *json_member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

double json_number(const cJSON *object, const char *key)
{
    const cJSON *item = json_member(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

const char *json_text(const cJSON *object, const char *key)
{
    const cJSON *item = json_member(object, key);
    return cJSON_IsString(item) ? item->valuestring : "";
}

void json_add_number(cJSON *object, const char *key, double value)
{
    if (isfinite(value))
        cJSON_AddNumberToObject(object, key, value);
    else
        cJSON_AddNullToObject(object, key);
}

cJSON *json_append_object(cJSON *list)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(list, object);
    return object;
}
