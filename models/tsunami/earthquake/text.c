// Lines and numbers of a text in memory.
#include "models/tsunami/earthquake/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void earthquake_text_begin(struct earthquake_text *text, const char *path, char *content)
{
    const size_t mark = strncmp(content, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; // of UTF-8
    *text = (struct earthquake_text){.path = path, .next = content + mark};
    snprintf(text->about, sizeof text->about, "%s", path);
}

char *earthquake_text_line(struct earthquake_text *text)
{
    char *line = text->next;
    if (!line || !*line)
        return NULL;
    char *end = strchr(line, '\n');
    text->next = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    const size_t length = strlen(line);
    if (length > 0 && line[length - 1] == '\r')
        line[length - 1] = '\0';
    text->number++;
    snprintf(text->about, sizeof text->about, "%s: line %zu", text->path, text->number);
    return line;
}

char *earthquake_text_skip(const char *text)
{
    return (char *)(text + strspn(text, " \t"));
}

bool earthquake_text_is_blank(const char *line)
{
    return *earthquake_text_skip(line) == '\0';
}

bool earthquake_text_begins(const char *line, const char *prefix)
{
    return strncasecmp(earthquake_text_skip(line), prefix, strlen(prefix)) == 0;
}

bool earthquake_text_number(const char *text, const char **end, double *value)
{
    const char *digits = text + (*text == '+' || *text == '-');
    char *stop;
    if (!isdigit((unsigned char)digits[digits[0] == '.']) || strncasecmp(digits, "0x", 2) == 0)
        return false;
    *value = strtod(text, &stop);
    *end = stop;
    return isfinite(*value);
}

// A number that goes on is none: "1,5", "1.2.3", "1d5".
static bool goes_on(const char *end)
{
    return strchr(".,+-", *end) ? *end != '\0' && (isdigit((unsigned char)end[1]) || *end != ',')
                                : isalpha((unsigned char)*end) && isdigit((unsigned char)end[1]);
}

double earthquake_text_value(const char *line, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = line; *at; at++) {
        if (strncasecmp(at, name, length) != 0 || (at > line && isalnum((unsigned char)at[-1])))
            continue;
        const char *value = earthquake_text_skip(at + length);
        if (*value != '=' && *value != ':')
            continue;
        value = earthquake_text_skip(value + 1);
        const char *end;
        double number;
        if (earthquake_text_number(value, &end, &number) && !goes_on(end))
            return number;
    }
    return NAN;
}

size_t earthquake_text_numbers(char *line, double *numbers, char **rest)
{
    size_t count = 0;
    char *at = earthquake_text_skip(line);
    while (count < EARTHQUAKE_NUMBERS_MAX) {
        const char *end;
        double number;
        if (!earthquake_text_number(at, &end, &number) ||
            (*end && !isspace((unsigned char)*end) && *end != ','))
            break;
        numbers[count++] = number;
        at = earthquake_text_skip(end);
        if (*at == ',')
            at = earthquake_text_skip(at + 1);
    }
    *rest = at;
    return count;
}
