// Notes of a comparison (see the header).
#include "validate/compare/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void compare_note(struct compare_notes *notes, const char *format, ...)
{
    if (notes->count == COMPARE_NOTES_MAX)
        return;
    char *text = notes->texts[notes->count];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, COMPARE_NOTE_BYTES, format, arguments);
    va_end(arguments);
    for (int k = 0; k < notes->count; k++)
        if (strcmp(notes->texts[k], text) == 0)
            return;
    notes->count++;
}
