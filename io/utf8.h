// Text as UTF-8. File names and arguments may hold any bytes; JSON, HTML and the attributes of netCDF files
// must be UTF-8.
#ifndef FATHOM_IO_UTF8_H
#define FATHOM_IO_UTF8_H

#include <stdbool.h>
#include <stddef.h>

struct cJSON;

// Bytes of the character that begins at `text`, 1 … 4; 0 if no well-formed one does (RFC 3629), and at the
// end of the text.
size_t utf8_length(const char *text);

// Whether a file's beginning is the mark of UTF-16, in which spreadsheets save text.
bool utf8_is_utf16(const char *text, size_t length);

// Replaces a byte that belongs to no character.
#define UTF8_REPLACEMENT "\xEF\xBF\xBD"

// Copies as many whole characters as fit into `bytes`, '\0' included, with the replacement for every invalid
// byte.
void utf8_copy(char *to, size_t bytes, const char *from);

// The same of a name that is to stand in one line: control characters become blanks, and blanks at the ends
// are left out.
void utf8_copy_line(char *to, size_t bytes, const char *from);

// Copies for a terminal: control characters as "\\x1b", every byte that belongs to no character, too. Returns
// `to`.
const char *utf8_escape(char *to, size_t bytes, const char *from);
// The same into a text of the enclosing block, for a printf.
#define UTF8_SHOWN(text) utf8_escape((char[UTF8_SHOWN_BYTES]){0}, UTF8_SHOWN_BYTES, (text))
enum { UTF8_SHOWN_BYTES = 1024 };

// Return the document as JSON text, indented or on one line, in valid UTF-8 for any strings. The caller frees
// it by cJSON_free. NULL if there is no memory.
char *utf8_print_json(const struct cJSON *document);
char *utf8_print_json_line(const struct cJSON *document);

#endif
