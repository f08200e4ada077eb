// The script libraries that a page may hold: Leaflet (maps) and Chart.js (series), from the files of Debian's
// libjs-leaflet and libjs-chart.js, written into the page with their licences. A page never loads anything.
#ifndef FATHOM_REPORT_LIBRARY_H
#define FATHOM_REPORT_LIBRARY_H

#include "core/status.h"

#include <stdbool.h>
#include <stdio.h>

// Where they lie: FATHOM_JAVASCRIPT, else /usr/share/javascript.
const char *library_folder(void);

bool library_has_maps(void);   // Leaflet is installed
bool library_has_charts(void); // Chart.js is installed

// Writes <style> and <script> elements for the head of a page: the libraries asked for, and the page's own
// style and scripts (page.css, page.js; volume.js for volumes, which need no library). STATUS_IO: a file of
// the libraries cannot be read.
enum status library_write(FILE *page, bool has_maps, bool has_charts, bool has_volumes);

#endif
