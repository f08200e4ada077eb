// Coast lines and borders for maps: the shore lines of GSHHG and the borders of its WDB-II (Wessel and Smith,
// J. Geophys. Res. 101, 8741, 1996), as Debian's gmt-gshhg-* packages install them. Their binned files hold,
// for bins of equal size in degrees, rows of bins from north to south and from 0° eastwards, segments of
// points as unsigned 16-bit parts of the bin.
#ifndef FATHOM_REPORT_WEB_COAST_H
#define FATHOM_REPORT_WEB_COAST_H

#include "report/contour.h"

// Where they lie: FATHOM_GSHHG, else /usr/share/gmt-gshhg.
const char *web_coast_folder(void);

enum web_coast_kind { WEB_COAST_SHORES, WEB_COAST_BORDERS };

// Appends the lines within x[0] … x[1] (longitudes, any convention, up to 360° wide), y[0] … y[1], clipped to
// it, with the longitudes of x. The finest file that is installed and that the width of the area calls for.
// Nothing is appended if none is installed. STATUS_DATA: a file is not what GMT describes.
enum status web_coast_lines(enum web_coast_kind kind, const double x[2], const double y[2],
                            struct contour_points *lines);

#endif
