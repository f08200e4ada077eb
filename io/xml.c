// See xml.h.
#include "io/xml.h"

#include "io/utf8.h"

#include <string.h>

const char *xml_character(FILE *file, const char *text)
{
    const size_t length = utf8_length(text);
    switch (*text) {
    case '&':
        fputs("&amp;", file);
        break;
    case '<':
        fputs("&lt;", file);
        break;
    case '>':
        fputs("&gt;", file);
        break;
    case '"':
        fputs("&quot;", file);
        break;
    case '\n':
        fputs("&#10;", file);
        break;
    default:
        // U+FFFE and U+FFFF are UTF-8, but no characters of XML.
        if (length == 0 || strncmp(text, "\xEF\xBF\xBE", 3) == 0 || strncmp(text, "\xEF\xBF\xBF", 3) == 0)
            fputs(UTF8_REPLACEMENT, file);
        else if ((unsigned char)*text < 0x20 || *text == 0x7F)
            fputc(' ', file);
        else
            fprintf(file, "%.*s", (int)length, text);
    }
    return text + (length > 0 ? length : 1);
}

void xml_text(FILE *file, const char *text)
{
    while (*text)
        text = xml_character(file, text);
}

void xml_attribute(FILE *file, const char *name, const char *text)
{
    fprintf(file, " %s=\"", name);
    xml_text(file, text);
    fputc('"', file);
}
