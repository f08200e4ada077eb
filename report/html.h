// Pieces of HTML (and XML) pages, shared by reports, validations and batches. Independent of their content.
#ifndef FATHOM_REPORT_HTML_H
#define FATHOM_REPORT_HTML_H

#include "core/status.h"

#include <stdio.h>

// Writes the document from its first line to its heading; <main>, <body> and <html> stay open. The page is
// readable in light and dark mode, on paper and on a small screen; the style has tiles, cards, figures,
// tables, "scroll", "soft", "good" and "bad".
void html_begin(FILE *page, const char *title);

// The same, with further elements of <head>, which `head` writes. Returns its status.
enum status html_begin_with(FILE *page, const char *title,
                            enum status (*head)(FILE *page, const void *context), const void *context);

// The same as xml_text.
void html_text(FILE *page, const char *text);

// The same for a text that may hold long paths and lists: lines may be broken after a slash, and after a
// comma without a blank; they are not broken between a number and its unit.
void html_breakable(FILE *page, const char *text);

// html_text and html_breakable between `before` and `after`, which are HTML.
void html_within(FILE *page, const char *before, const char *text, const char *after);
void html_breakable_within(FILE *page, const char *before, const char *text, const char *after);

// "<small>text</small>", or nothing for an empty text.
void html_small(FILE *page, const char *text);

// html_text for a name such as "largest_temperature_degC" or "time.duration". If it is longer than 16 bytes,
// a line may be broken after _ . - but not before a unit of at most 3 bytes at its end.
void html_name(FILE *page, const char *name);

// The present time, "2026-01-31 12:00 UTC". Returns `text`.
enum { HTML_DATE_BYTES = 32 };
const char *html_date(char text[HTML_DATE_BYTES]);

// Base64 (RFC 4648) without line breaks: writes html_base64_bytes(count) characters, without a final 0;
// returns how many.
size_t html_base64_bytes(size_t count);
size_t html_base64(const unsigned char *bytes, size_t count, char *text);

// <img ... src="uri">, scaled by the page's style. `uri` needs no escapes; `alt` is escaped.
void html_image(FILE *page, const char *uri, int width_px, int height_px, const char *alt);

// <img ... src="data:image/png;base64,…"> of a PNG file, scaled by the page's style. `alt` is escaped.
// STATUS_IO if the file cannot be read; the element is then incomplete.
enum status html_png(FILE *page, const char *path, int width_px, int height_px, const char *alt);

#endif
