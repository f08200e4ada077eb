// Lists of places as tables (see points_file.h). Independent of where they are kept.
#ifndef FATHOM_IO_POINTS_CSV_H
#define FATHOM_IO_POINTS_CSV_H

#include "io/place.h"

struct points_csv_row {
    char name[PLACE_NAME_BYTES];
    double x, y; // degrees or metres
    size_t line; // from 1
};

typedef enum status points_csv_take(void *context, const struct points_csv_row *row);

// Hands on the places of a text, which it changes. STATUS_DATA: without a heading or places, and for each
// fault of a row; and the statuses of `take_row`.
enum status points_csv_read(const char *path, char *text, bool is_geographic, points_csv_take *take_row,
                            void *context);

#endif
