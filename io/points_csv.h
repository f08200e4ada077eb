// Lists of places as tables (see points_file.h). Private to points_file.c.
#ifndef FATHOM_IO_POINTS_CSV_H
#define FATHOM_IO_POINTS_CSV_H

#include "io/points_file.h"

// Appends the places of a text, which it changes. The statuses of points_file_read.
enum status points_csv_read(const char *path, char *text, bool is_geographic, struct points_file *list);

#endif
