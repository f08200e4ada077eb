// From a file to a JSON document without ambiguities: one clear line for each mistake. cJSON parses. Added
// here is what it leaves open: where a mistake is and what it is, duplicate keys, encodings, sizes. Uses no
// key but `fathom`, the version of the job format.
#include "io/job/private.h"

#include "io/path.h"
#include "io/units.h"
#include "io/utf8.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { READ_BLOCK_BYTES = 1 << 16, JOB_FORMAT_VERSION = 1 };

// ---- the file as text --------------------------------------------------------------------------

struct text {
    const char *path;
    const char *what; // it is to be: "job"
    size_t bytes_max;
    char *bytes; // owned, followed by a NUL
    size_t length;
};

static enum status fail_too_large(const struct text *text, double bytes)
{
    char size[24];
    char limit[24];
    return FAIL(STATUS_CONFIGURATION, "%s: %s%s is too large for a %s (at most %s); is it a data file?",
                text->path, bytes > 0.0 ? "" : "this ",
                bytes > 0.0 ? units_format_bytes(bytes, size, sizeof size) : "file", text->what,
                units_format_bytes((double)text->bytes_max, limit, sizeof limit));
}

// Reads to the end of any kind of file (a pipe has no size).
static enum status read_stream(FILE *file, struct text *text)
{
    size_t capacity = READ_BLOCK_BYTES;
    text->bytes = malloc(capacity + 1);
    text->length = 0;
    while (text->bytes != NULL) {
        text->length += fread(text->bytes + text->length, 1, capacity - text->length, file);
        if (ferror(file))
            return FAIL(STATUS_IO, "%s cannot be read: %s", text->path, strerror(errno));
        if (text->length > text->bytes_max)
            return fail_too_large(text, 0.0);
        if (text->length < capacity) {
            text->bytes[text->length] = '\0';
            return STATUS_OK;
        }
        capacity *= 2;
        char *larger = realloc(text->bytes, capacity + 1);
        if (larger == NULL)
            break;
        text->bytes = larger;
    }
    return FAIL(STATUS_SYSTEM, "%s: no memory to read it", text->path);
}

static enum status read_text(struct text *text)
{
    const char *path = text->path;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return FAIL(path_open_status(errno), "%s cannot be opened: %s", path, strerror(errno));
    struct stat information;
    enum status status;
    if (fstat(fileno(file), &information) != 0)
        status = FAIL(STATUS_IO, "%s cannot be read: %s", path, strerror(errno));
    else if (S_ISDIR(information.st_mode))
        status = FAIL(STATUS_NO_INPUT, "%s is a folder; a %s file is expected", path, text->what);
    else if (S_ISREG(information.st_mode) && (size_t)information.st_size > text->bytes_max)
        status = fail_too_large(text, (double)information.st_size);
    else
        status = read_stream(file, text);
    fclose(file); // opened for reading: nothing can be lost
    return status;
}

// ---- where a mistake is, and what it is --------------------------------------------------------

static enum status fail_at(const struct text *text, size_t offset, const char *problem)
{
    size_t line = 1, column = 1;
    for (size_t k = 0; k < offset && k < text->length; k++) {
        if (text->bytes[k] == '\n') {
            line++;
            column = 1;
        } else if (((unsigned char)text->bytes[k] & 0xC0) != 0x80) { // columns count characters, not bytes
            column++;
        }
    }
    return FAIL(STATUS_CONFIGURATION, "%s: line %zu, column %zu: %s", text->path, line, column, problem);
}

// What cJSON does not check: encoding, control characters, texts that run over the end of their line.
static enum status check_characters(const struct text *text)
{
    bool is_in_text = false;
    size_t text_start = 0;
    for (size_t k = 0; k < text->length;) {
        const char *c = text->bytes + k;
        size_t length = *c == '\0' ? 1 : utf8_length(c);
        if (length == 0)
            return fail_at(text, k, "this character is not UTF-8; save the file with that encoding");
        if (is_in_text && (*c == '\n' || *c == '\r'))
            return fail_at(text, text_start, "this text has no closing \" on its line");
        if ((unsigned char)*c < 0x20 && (is_in_text || strchr("\t\n\r", *c) == NULL || *c == '\0'))
            return fail_at(text, k,
                           is_in_text ? "a control character (a tab?) in a text"
                                      : "a control character; is this a text file?");
        if (is_in_text && *c == '\\') {
            if (strncmp(c, "\\u0000", 6) == 0)
                return fail_at(text, k, "a text cannot hold the character \\u0000");
            length = k + 1 < text->length && (unsigned char)c[1] >= 0x20 ? 2 : 1;
        } else if (*c == '"') {
            is_in_text = !is_in_text;
            text_start = k;
        }
        k += length;
    }
    if (is_in_text)
        return fail_at(text, text_start, "this text has no closing \"");
    return STATUS_OK;
}

static bool is_of_number(char c)
{
    return isalnum((unsigned char)c) || c == '+' || c == '-' || c == '.';
}

static size_t digits_at(const char *c)
{
    return strspn(c, "0123456789");
}

// Whether the `length` characters are a number of JSON (RFC 8259, section 6). cJSON takes what strtod takes:
// 00.5, 1., 1.e5.
static bool is_json_number(const char *c, size_t length)
{
    const char *end = c + length;
    c += *c == '-';
    size_t digits = digits_at(c);
    if (digits == 0 || (digits > 1 && *c == '0'))
        return false;
    c += digits;
    if (*c == '.') {
        digits = digits_at(++c);
        if (digits == 0)
            return false;
        c += digits;
    }
    if (*c == 'e' || *c == 'E') {
        c += c[1] == '+' || c[1] == '-' ? 2 : 1;
        digits = digits_at(c);
        if (digits == 0)
            return false;
        c += digits;
    }
    return c == end;
}

static size_t number_length(const char *text)
{
    size_t length = 0;
    while (is_of_number(text[length]))
        length++;
    return length;
}

// Outside of texts nothing but a number has a digit or a minus sign.
const char *job_find_bad_number(const char *text)
{
    bool is_in_text = false;
    for (; *text; text++) {
        if (is_in_text && *text == '\\' && text[1])
            text++;
        else if (*text == '"')
            is_in_text = !is_in_text;
        else if (!is_in_text && (*text == '-' || isdigit((unsigned char)*text))) {
            const size_t length = number_length(text);
            if (!is_json_number(text, length))
                return text;
            text += length - 1;
        }
    }
    return NULL;
}

static enum status fail_number(const struct text *text, size_t start)
{
    return fail_at(text, start,
                   "JSON writes a number as 0.5, -12 or 1e-3: no zero before other digits, digits on both "
                   "sides of the point, decimal only");
}

static enum status check_numbers(const struct text *text)
{
    const char *bad = job_find_bad_number(text->bytes);
    return bad ? fail_number(text, (size_t)(bad - text->bytes)) : STATUS_OK;
}

static bool starts_with(const char *text, const char *word)
{
    return strncasecmp(text, word, strlen(word)) == 0;
}

// The mistake at `here`, of which `before` is the last character that is not blank ('\0' at the start).
static const char *name_mistake(const char *here, char before)
{
    bool is_key_expected = before == '{';
    const char *unsigned_word = here + (*here == '-' || *here == '+' ? 1 : 0);
    if (*here == '\0')
        return "the file ends too early: a } or ] is missing";
    if (before == ',' && (*here == '}' || *here == ']'))
        return "nothing follows the last comma: remove the comma";
    if (*here == '/' || *here == '#')
        return "JSON has no comments; a key that begins with // is one: \"//\": \"text\"";
    if (*here == '\'')
        return "texts and keys take double quotes (\"), not single ones";
    if (starts_with(unsigned_word, "nan") || starts_with(unsigned_word, "inf"))
        return "NaN and Infinity are not numbers in JSON";
    if (starts_with(here, "true") || starts_with(here, "false") || starts_with(here, "none"))
        return "JSON writes true, false and null, in lower case";
    if (*here == '+' || (*here == '.' && isdigit((unsigned char)here[1])))
        return "a number starts with a digit or a minus sign";
    if (*here == '\\')
        return "unknown escape: after a backslash comes one of \" \\ / b f n r t or uXXXX";
    if (is_key_expected || (isalpha((unsigned char)*here) && before == ','))
        return "a key or value in double quotes is expected";
    if (*here == ':')
        return "a colon is not expected here; is the key before it in double quotes?";
    if (before != '\0' && strchr(",:[", before) == NULL)
        return *here == '}' || *here == ']' ? "this bracket closes nothing, or the wrong one"
                                            : "a comma or a colon is missing before this";
    return "a value is expected: text in double quotes, a number, true, false, {...} or [...]";
}

static char last_before(const struct text *text, size_t offset)
{
    while (offset > 0 && isspace((unsigned char)text->bytes[offset - 1]))
        offset--;
    return offset > 0 ? text->bytes[offset - 1] : '\0';
}

// Whether the innermost bracket open at `offset` is that of an object.
static bool is_in_object(const struct text *text, size_t offset)
{
    size_t closed = 0;
    bool is_in_text = false;
    for (size_t k = offset;
         k-- > 0;) { // backwards: a quote after an odd number of backslashes is part of a text
        char c = text->bytes[k];
        if (c == '"') {
            size_t backslashes = 0;
            while (backslashes < k && text->bytes[k - 1 - backslashes] == '\\')
                backslashes++;
            is_in_text = backslashes % 2 == 0 ? !is_in_text : is_in_text;
        }
        if (is_in_text)
            continue;
        if (c == '}' || c == ']')
            closed++;
        else if ((c == '{' || c == '[') && closed-- == 0)
            return c == '{';
    }
    return false;
}

static enum status fail_syntax(const struct text *text, size_t offset)
{
    // Where a key was expected, cJSON points one past the character it found instead.
    if (offset > 0 && offset <= text->length) {
        char before = last_before(text, offset - 1);
        char found = text->bytes[offset - 1];
        if ((before == ',' || before == '{') && found != '"' && !isspace((unsigned char)found) &&
            is_in_object(text, offset - 1))
            offset--;
    }
    while (offset < text->length && isspace((unsigned char)text->bytes[offset]))
        offset++;
    // Behind the digits that cJSON took of something like 0x1.
    size_t start = offset;
    while (start > 0 && is_of_number(text->bytes[start - 1]))
        start--;
    if (start < offset && is_of_number(text->bytes[offset]) && isdigit((unsigned char)text->bytes[start]))
        if (!is_json_number(text->bytes + start, number_length(text->bytes + start)))
            return fail_number(text, start);
    const char *here = text->bytes + offset;
    if (*here == '[' || *here == '{') {
        char before = last_before(text, offset);
        if (before != '\0' && strchr(",:[", before) != NULL)
            return fail_at(text, offset, "brackets are nested too deeply (at most 1000 levels)");
    }
    return fail_at(text, offset, name_mistake(here, last_before(text, offset)));
}

bool job_is_comment(const char *key)
{
    return key[0] == '#' || strncmp(key, "//", 2) == 0;
}

// As deep as cJSON allows (1000).
static void remove_comments(cJSON *item)
{
    for (cJSON *child = item->child, *next; child != NULL; child = next) {
        next = child->next;
        if (child->string != NULL && job_is_comment(child->string))
            cJSON_Delete(cJSON_DetachItemViaPointer(item, child));
        else
            remove_comments(child);
    }
}

// What is for the reader and for editors, not for the program.
static void remove_remarks(cJSON *root)
{
    remove_comments(root);
    if (cJSON_IsObject(root))
        cJSON_DeleteItemFromObjectCaseSensitive(root, "$schema");
}

static enum status parse_text(const struct text *text, cJSON **root)
{
    size_t start =
        text->length >= 3 && memcmp(text->bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; // byte order mark
    struct text body = *text;
    body.bytes += start;
    body.length -= start;
    if (strspn(body.bytes, " \t\r\n") == body.length)
        return FAIL(STATUS_CONFIGURATION, "%s: the file is empty; a %s is a JSON object { ... }", text->path,
                    text->what);
    CHECK(check_characters(&body));
    const char *end = body.bytes;
    *root = cJSON_ParseWithLengthOpts(body.bytes, body.length + 1, &end, 1);
    if (*root != NULL) {
        remove_remarks(*root);
        return check_numbers(&body);
    }
    size_t offset = (size_t)(end - body.bytes);
    return fail_syntax(&body, offset < body.length ? offset : body.length);
}

// ---- the document ------------------------------------------------------------------------------

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// cJSON keeps both of two equal keys and returns the first, other readers the last: neither can be what was
// meant.
static enum status check_duplicates(const char *file, const cJSON *object, const char *path)
{
    size_t count = (size_t)cJSON_GetArraySize(object);
    if (count < 2)
        return STATUS_OK;
    const char **names = malloc(count * sizeof *names);
    if (names == NULL)
        return FAIL(STATUS_SYSTEM, "%s: no memory to check it", file);
    size_t k = 0;
    for (const cJSON *child = object->child; child != NULL; child = child->next)
        names[k++] = child->string;
    qsort(names, count, sizeof *names, compare_names);
    enum status status = STATUS_OK;
    for (k = 1; k < count && status == STATUS_OK; k++) {
        if (strcmp(names[k - 1], names[k]) == 0)
            status = FAIL(STATUS_CONFIGURATION, "%s: %s%s%.64s: this key appears twice; once is expected",
                          file, path, path[0] != '\0' ? "." : "", names[k]);
    }
    free(names);
    return status;
}

static bool has_control_character(const char *text)
{
    for (; *text != '\0'; text++) {
        if (iscntrl((unsigned char)*text))
            return true;
    }
    return false;
}

// The recursion is as deep as cJSON allows (1000).
enum status job_check_plain(const char *file, const cJSON *item, char path[JOB_PATH_BYTES])
{
    if (cJSON_IsNumber(item) && !isfinite(item->valuedouble))
        return FAIL(STATUS_CONFIGURATION, "%s: %s: the number is too large (at most about 1.8e308)", file,
                    path);
    if (cJSON_IsString(item) && has_control_character(item->valuestring))
        return FAIL(STATUS_CONFIGURATION, "%s: %s: a line break or another control character in the text",
                    file, path);
    if (cJSON_IsObject(item))
        CHECK(check_duplicates(file, item, path));
    size_t length = strlen(path);
    size_t index = 0;
    for (const cJSON *child = item->child; child != NULL; child = child->next, index++) {
        if (child->string != NULL && has_control_character(child->string))
            return FAIL(STATUS_CONFIGURATION, "%s: %s: a line break or another control character in a key",
                        file, path);
        // A path too long for the buffer is cut: it only serves messages.
        if (child->string != NULL)
            snprintf(path + length, JOB_PATH_BYTES - length, "%s%s", length > 0 ? "." : "", child->string);
        else
            snprintf(path + length, JOB_PATH_BYTES - length, "[%zu]", index);
        CHECK(job_check_plain(file, child, path));
        path[length] = '\0';
    }
    return STATUS_OK;
}

enum status job_check_version(const char *file, const cJSON *root)
{
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(root, "fathom");
    if (version == NULL)
        return FAIL(STATUS_CONFIGURATION,
                    "%s: fathom: missing; write \"fathom\": %d, the version of the job format", file,
                    JOB_FORMAT_VERSION);
    if (!cJSON_IsNumber(version))
        return FAIL(STATUS_CONFIGURATION,
                    "%s: fathom: %s is given; the number %d is expected, the version of the job format", file,
                    job_value_noun(version), JOB_FORMAT_VERSION);
    char number[32];
    if (version->valuedouble != JOB_FORMAT_VERSION)
        return FAIL(STATUS_CONFIGURATION,
                    "%s: fathom: this program reads version %d of the job format, not %s", file,
                    JOB_FORMAT_VERSION, job_number_text(version->valuedouble, number));
    return STATUS_OK;
}

static enum status check_root(const char *path, const char *what, const cJSON *root)
{
    char key[JOB_PATH_BYTES] = "";
    if (!cJSON_IsObject(root))
        return FAIL(STATUS_CONFIGURATION, "%s: a %s is a JSON object { ... }, not %s", path, what,
                    job_value_noun(root));
    return job_check_plain(path, root, key);
}

static enum status read_root(const char *path, const char *what, size_t bytes_max, cJSON **root)
{
    struct text text = {.path = path, .what = what, .bytes_max = bytes_max};
    enum status status = read_text(&text);
    if (status == STATUS_OK)
        status = parse_text(&text, root);
    free(text.bytes);
    CHECK(status);
    return check_root(path, what, *root);
}

static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static enum status make_document(const char *path, struct job **document)
{
    struct job *fresh = *document = calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return FAIL(STATUS_SYSTEM, "%s: no memory to read it", path);
    fresh->path = strdup(path);
    fresh->directory = directory_of(path);
    if (fresh->path == NULL || fresh->directory == NULL)
        return FAIL(STATUS_SYSTEM, "%s: no memory to read it", path);
    return STATUS_OK;
}

// After a failure there is no document.
static enum status hand_over(enum status status, struct job **document)
{
    if (status != STATUS_OK) {
        job_free(*document);
        *document = NULL;
    }
    return status;
}

enum status job_read_document(const char *path, const char *what, size_t bytes_max, struct job **document)
{
    assert(path != NULL && document != NULL);
    enum status status = make_document(path, document);
    if (status == STATUS_OK)
        status = read_root(path, what, bytes_max, &(*document)->root);
    return hand_over(status, document);
}

// What a job has beyond a document.
static enum status check_job(const char *path, struct job *job)
{
    CHECK(job_check_version(path, job->root));
    return job_hash_document(job->root, &job->hash);
}

enum status job_read(const char *path, struct job **job)
{
    CHECK(job_read_document(path, "job", JOB_FILE_BYTES_MAX, job));
    return hand_over(check_job(path, *job), job);
}

enum status job_parse(const char *name, const char *json, struct job **job)
{
    struct text text = {.path = name, .what = "job", .bytes = strdup(json), .length = strlen(json)};
    enum status status = make_document(name, job);
    if (status == STATUS_OK && text.bytes == NULL)
        status = FAIL(STATUS_SYSTEM, "%s: no memory to read it", name);
    if (status == STATUS_OK)
        status = parse_text(&text, &(*job)->root);
    if (status == STATUS_OK)
        status = check_root(name, "job", (*job)->root);
    if (status == STATUS_OK)
        status = check_job(name, *job);
    free(text.bytes);
    return hand_over(status, job);
}
