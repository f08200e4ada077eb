// Text as UTF-8 (see the header).
#include "io/utf8.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

size_t utf8_length(const char *text)
{
    const unsigned char first = (unsigned char)text[0];
    const size_t length = first < 0x80                    ? first != 0
                          : first >= 0xC2 && first < 0xE0 ? 2
                          : first >= 0xE0 && first < 0xF0 ? 3
                          : first >= 0xF0 && first < 0xF5 ? 4
                                                          : 0;
    for (size_t k = 1; k < length; k++)
        if (!is_continuation(text[k])) // so the end of the text stops it, too
            return 0;
    const unsigned char second = length > 1 ? (unsigned char)text[1] : 0;
    // Overlong forms, the halves of UTF-16's pairs, and what lies beyond U+10FFFF.
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
        return 0;
    return length;
}

void utf8_copy(char *to, size_t bytes, const char *from)
{
    size_t used = 0;
    while (*from) {
        const size_t length = utf8_length(from), written = length > 0 ? length : strlen(UTF8_REPLACEMENT);
        if (used + written + 1 > bytes)
            break;
        memcpy(to + used, length > 0 ? from : UTF8_REPLACEMENT, written);
        used += written;
        from += length > 0 ? length : 1;
    }
    if (bytes > 0)
        to[used] = '\0';
}

// Bytes of the control character that begins at `text`: of ASCII, or U+0080 to U+009F; 0: none does.
static size_t control_length(const char *text)
{
    const unsigned char first = (unsigned char)text[0];
    if (first == 0xC2 && (unsigned char)text[1] >= 0x80 && (unsigned char)text[1] < 0xA0)
        return 2;
    return (first != 0 && first < 0x20) || first == 0x7F;
}

void utf8_copy_line(char *to, size_t bytes, const char *from)
{
    from += strspn(from, " \t\r\n");
    utf8_copy(to, bytes, from);
    size_t used = 0;
    for (const char *c = to; bytes > 0 && *c;) {
        const size_t control = control_length(c), length = control > 0 ? control : utf8_length(c);
        if (control > 0)
            to[used++] = ' ';
        else
            for (size_t k = 0; k < length; k++)
                to[used++] = c[k];
        c += length;
    }
    while (used > 0 && to[used - 1] == ' ')
        used--;
    if (bytes > 0)
        to[used] = '\0';
}

const char *utf8_escape(char *to, size_t bytes, const char *from)
{
    size_t used = 0;
    while (*from) {
        const size_t length = control_length(from) > 0 ? 0 : utf8_length(from);
        const size_t written = length > 0 ? length : strlen("\\x00");
        if (used + written + 1 > bytes)
            break;
        if (length > 0)
            memcpy(to + used, from, length);
        else
            snprintf(to + used, bytes - used, "\\x%02x", (unsigned char)*from);
        used += written;
        from += length > 0 ? length : 1;
    }
    if (bytes > 0)
        to[used] = '\0';
    return to;
}

// Returns a repaired copy and frees the text; returns the text itself if it is valid. NULL: no memory.
static char *repaired(char *text)
{
    size_t bytes = 1, wrong = 0;
    for (const char *c = text; c && *c;) {
        const size_t length = utf8_length(c);
        wrong += length == 0;
        bytes += length > 0 ? length : strlen(UTF8_REPLACEMENT);
        c += length > 0 ? length : 1;
    }
    if (wrong == 0)
        return text;
    char *copy = malloc(bytes);
    if (copy)
        utf8_copy(copy, bytes, text);
    free(text);
    return copy;
}

bool utf8_is_utf16(const char *text, size_t length)
{
    return length >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0);
}

// Only the strings and names of a document have bytes beyond ASCII, so its text can be repaired as a whole.
char *utf8_print_json(const struct cJSON *document)
{
    return repaired(cJSON_Print(document));
}

char *utf8_print_json_line(const struct cJSON *document)
{
    return repaired(cJSON_PrintUnformatted(document));
}
