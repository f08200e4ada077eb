// Names and positions of places (see the header).
#include "io/place.h"

#include "io/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status place_check(const char *about, bool is_geographic, double x, double y)
{
    if (!isfinite(x) || !isfinite(y))
        return FAIL(STATUS_DATA, "%s: the position (%g, %g) is not finite", about, x, y);
    if (is_geographic && fabs(y) > 90)
        return FAIL(STATUS_DATA, "%s: latitude %g is beyond 90 degrees%s", about, y,
                    fabs(x) <= 90 ? ": are longitude and latitude exchanged?" : "");
    if (is_geographic && fabs(x) > 360)
        return FAIL(STATUS_DATA, "%s: longitude %g is beyond 360 degrees", about, x);
    return STATUS_OK;
}

// Bytes of the blank that begins at `text`, 0: none. Spreadsheets have U+00A0, and Japanese text U+3000.
static size_t blank_length(const char *text)
{
    static const char *const blanks[] = {" ", "\t", "\xC2\xA0", "\xE3\x80\x80"};
    for (size_t k = 0; k < sizeof blanks / sizeof *blanks; k++)
        if (strncmp(text, blanks[k], strlen(blanks[k])) == 0)
            return strlen(blanks[k]);
    return 0;
}

// Characters that turn the direction of all that follows, in a table and on a terminal: U+202A to U+202E,
// U+2066 to U+2069.
static bool is_direction(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    return c[0] == 0xE2 &&
           ((c[1] == 0x80 && c[2] >= 0xAA && c[2] <= 0xAE) || (c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9));
}

enum status place_set_name(const char *about, const char *text, char name[PLACE_NAME_BYTES])
{
    size_t length = 0, filled = 0; // up to the last character that is no blank
    while (blank_length(text) > 0)
        text += blank_length(text);
    while (text[length]) {
        const size_t bytes = utf8_length(text + length), blank = blank_length(text + length);
        if (bytes == 0)
            return FAIL(STATUS_DATA, "%s: the name is not UTF-8 text", about);
        if ((unsigned char)text[length] < ' ' || text[length] == 0x7f)
            return FAIL(STATUS_DATA, "%s: the name has a control character", about);
        if (is_direction(text + length))
            return FAIL(STATUS_DATA, "%s: the name has a character that turns the direction of writing",
                        about);
        length += bytes;
        filled = blank > 0 ? filled : length;
    }
    length = filled;
    if (length == 0)
        return FAIL(STATUS_DATA, "%s: the name is empty", about);
    if (length >= PLACE_NAME_BYTES)
        return FAIL(STATUS_DATA, "%s: the name has %zu bytes, at most %d are allowed", about, length,
                    PLACE_NAME_BYTES - 1);
    memcpy(name, text, length);
    name[length] = '\0';
    return STATUS_OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

enum status place_check_names(const char *path, const void *records, size_t count, size_t record_bytes,
                              size_t same[2])
{
    const char **names = malloc((count + 1) * sizeof *names);
    if (!names)
        return FAIL(STATUS_SYSTEM, "no memory for %zu names", count);
    for (size_t k = 0; k < count; k++)
        names[k] = (const char *)records + k * record_bytes;
    qsort(names, count, sizeof *names, compare_names);
    enum status status = STATUS_OK;
    for (size_t k = 1; k < count && status == STATUS_OK; k++)
        if (strcmp(names[k - 1], names[k]) == 0) {
            const bool is_ordered = names[k - 1] < names[k];
            const char *first = names[is_ordered ? k - 1 : k], *second = names[is_ordered ? k : k - 1];
            same[0] = (size_t)(first - (const char *)records) / record_bytes;
            same[1] = (size_t)(second - (const char *)records) / record_bytes;
            status = FAIL(STATUS_DATA, "%s: the name \"%s\" appears twice", path, names[k]);
        }
    free(names);
    return status;
}
