// Degrees as people write them (see the header).
#include "io/degrees.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// In UTF-8: degree sign and ordinal, prime and apostrophes, double prime and quotation marks.
static const char *const marks[3][5] = {
    {"\xC2\xB0", "\xC2\xBA", NULL},
    {"'", "\xE2\x80\xB2", "\xE2\x80\x99", "\xC2\xB4", NULL},
    {"\"", "\xE2\x80\xB3", "\xE2\x80\x9D", "''", NULL},
};
static const char minus[] = "\xE2\x88\x92"; // U+2212

char degrees_hemisphere(const char *word)
{
    static const char *const words[] = {"North", "South", "East", "West"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcasecmp(word, words[k]) == 0 || (word[0] && !word[1] && toupper(word[0]) == words[k][0]))
            return words[k][0];
    return '\0';
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

static bool take(const char **text, const char *mark)
{
    const size_t length = strlen(mark);
    if (strncmp(*text, mark, length) != 0)
        return false;
    *text += length;
    return true;
}

static bool take_mark(const char **text, int part)
{
    const char *rest = skip_blanks(*text);
    // Two apostrophes are the mark of seconds.
    for (int k = 0; marks[part][k] && !(part == 1 && strncmp(rest, "''", 2) == 0); k++)
        if (take(&rest, marks[part][k])) {
            *text = rest;
            return true;
        }
    return false;
}

static bool take_letter(const char **text, char *letter)
{
    const char word[2] = {**text, '\0'};
    const char found = degrees_hemisphere(word);
    if (!found || *letter)
        return false;
    *letter = found;
    ++*text;
    return true;
}

// Digits, with decimals or without. *has_point: of the text.
static bool take_number(const char **text, double *value, bool *has_point)
{
    const char *end = *text + strspn(*text, "0123456789");
    *has_point = *end == '.';
    if (!isdigit((unsigned char)**text))
        return false;
    end += *has_point ? 1 + strspn(end + 1, "0123456789") : 0;
    *value = strtod(*text, NULL);
    // strtod reads 1e5 and 0x10 as one number.
    if (isalpha((unsigned char)*end) && !degrees_hemisphere((const char[]){*end, '\0'}))
        return false;
    if (toupper((unsigned char)*end) == 'E' && end[1] != '\0')
        return false;
    *text = end;
    return true;
}

static bool take_parts(const char **text, struct degrees *d)
{
    static const double sizes[3] = {1, 60, 3600};
    bool has_point = false;
    for (d->parts = 0; d->parts < 3;) {
        double value;
        const char *rest = skip_blanks(*text);
        const bool is_apart = d->parts == 0 || rest > *text || !isdigit((unsigned char)(*text)[-1]);
        if (!isdigit((unsigned char)*rest))
            break;
        if (has_point || !is_apart || !take_number(&rest, &value, &has_point) ||
            (d->parts > 0 && value >= 60))
            return false;
        d->value += value / sizes[d->parts];
        (void)take_mark(&rest, d->parts++);
        *text = rest;
    }
    return d->parts > 0;
}

bool degrees_read(const char *text, struct degrees *d)
{
    *d = (struct degrees){0};
    text = skip_blanks(text);
    if (take_letter(&text, &d->hemisphere))
        text = skip_blanks(text);
    const bool is_negative = take(&text, "-") || take(&text, minus);
    d->is_signed = is_negative || take(&text, "+");
    if (!take_parts(&text, d))
        return false;
    text = skip_blanks(text);
    (void)take_letter(&text, &d->hemisphere);
    if (is_negative)
        d->value = -d->value;
    return *skip_blanks(text) == '\0';
}
