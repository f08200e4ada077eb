// The encoding that an XML document declares, and its conversion by iconv(3): see xml_read.h.
#include "io/xml_read.h"

#include <iconv.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NAME_BYTES = 40, BYTES_OF_ONE = 4 }; // a byte of such an encoding is at most one character of UTF-8

// The value of encoding="…" in the declaration at the beginning; "" without one.
static void find_encoding(const char *text, char name[NAME_BYTES])
{
    name[0] = '\0';
    const char *end = strncmp(text, "<?xml", 5) == 0 ? strstr(text, "?>") : NULL;
    const char *at = end ? strstr(text, "encoding") : NULL;
    if (!at || at > end)
        return;
    at += strlen("encoding");
    at += strspn(at, " \t\r\n=");
    if (*at == '"' || *at == '\'')
        snprintf(name, NAME_BYTES, "%.*s", (int)strcspn(at + 1, "\"'"), at + 1);
}

static enum status convert(const char *path, const char *name, iconv_t converter, const char *text,
                           char **converted)
{
    size_t left = strlen(text), space = BYTES_OF_ONE * left;
    char *in = (char *)(uintptr_t)text, *out = malloc(space + 1);
    *converted = out;
    if (!out)
        return FAIL(STATUS_SYSTEM, "%s: no memory to convert it", path);
    if (iconv(converter, &in, &left, &out, &space) != (size_t)-1) {
        *out = '\0';
        return STATUS_OK;
    }
    free(*converted);
    *converted = NULL;
    size_t line = 1;
    for (const char *c = text; c < in; c++)
        line += *c == '\n';
    return FAIL(STATUS_DATA, "%s: line %zu: is not text in %s, which the first line declares", path, line,
                name);
}

enum status xml_to_utf8(const char *path, const char *text, char **converted)
{
    char name[NAME_BYTES];
    *converted = NULL;
    find_encoding(text, name);
    if (!name[0] || strcasecmp(name, "UTF-8") == 0 || strcasecmp(name, "US-ASCII") == 0)
        return STATUS_OK;
    // A suffix of the C library's own, "//TRANSLIT", is no part of a name.
    iconv_t converter = strchr(name, '/') ? (iconv_t)-1 : iconv_open("UTF-8", name);
    if (converter == (iconv_t)-1)
        return FAIL(STATUS_DATA, "%s: declares the encoding \"%s\", which is not known here: expected UTF-8",
                    path, name);
    const enum status status = convert(path, name, converter, text, converted);
    (void)iconv_close(converter);
    return status;
}
