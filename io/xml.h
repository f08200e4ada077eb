// Text in XML and HTML documents. Independent of their content.
#ifndef FATHOM_IO_XML_H
#define FATHOM_IO_XML_H

#include <stdio.h>

// Write the text of an element or of a quoted attribute. Escape &, <, >, ", replace invalid UTF-8 and, as XML
// permits no control characters, write these as blanks; a newline becomes &#10;.
void xml_text(FILE *file, const char *text);
// The first character of `text`; returns the position after it.
const char *xml_character(FILE *file, const char *text);
// Writes ` name="text"`.
void xml_attribute(FILE *file, const char *name, const char *text);

#endif
