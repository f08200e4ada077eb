// Characters without a font: see glyphs.h.
#include "report/glyphs.h"

#include "io/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// The characters below are in the DejaVu fonts, which the pictures use, or are drawn without harm.
enum { FIRST_ASKED = 0x2E80, BLOCK_BITS = 8, BLOCKS_MAX = 64 };

static unsigned code_of(const char *text, size_t length)
{
    static const unsigned char masks[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    unsigned code = (unsigned char)text[0] & masks[length];
    for (size_t k = 1; k < length; k++)
        code = code << 6 | ((unsigned char)text[k] & 0x3F);
    return code;
}

static bool ask_fontconfig(unsigned code)
{
    char command[64];
    snprintf(command, sizeof command, "fc-list ':charset=%x' file 2>/dev/null", code);
    FILE *list = popen(command, "re");
    const bool has_font = list && fgetc(list) != EOF;
    if (list)
        (void)pclose(list);
    return has_font;
}

// One question for each block of 256 characters.
static bool has_font(unsigned code)
{
    static struct {
        unsigned block;
        bool has_font;
    } known[BLOCKS_MAX];
    static size_t count;
    if (code < FIRST_ASKED)
        return true;
    for (size_t k = 0; k < count; k++)
        if (known[k].block == code >> BLOCK_BITS)
            return known[k].has_font;
    if (count == BLOCKS_MAX)
        return false;
    known[count].block = code >> BLOCK_BITS;
    known[count].has_font = ask_fontconfig(code);
    return known[count++].has_font;
}

const char *glyphs_copy(const char *text, char *copy, size_t bytes)
{
    size_t used = 0;
    while (*text) {
        const size_t length = utf8_length(text), step = length > 0 ? length : 1;
        if (used + step + 1 > bytes)
            break;
        if (length == 0 || has_font(code_of(text, length))) {
            memcpy(copy + used, text, step);
            used += step;
        }
        text += step;
    }
    while (used > 0 && copy[used - 1] == ' ')
        used--;
    copy[used] = '\0';
    return copy;
}
