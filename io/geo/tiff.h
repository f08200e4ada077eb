// libtiff with the tags of GeoTIFF and GDAL, and its messages as text. Included by the files that read and
// write GeoTIFF only.
#ifndef FATHOM_IO_GEO_TIFF_H
#define FATHOM_IO_GEO_TIFF_H

#include <geotiff.h>
#include <xtiffio.h>

// GDAL's own tags: texts.
enum { GEO_TIFF_METADATA = 42112, GEO_TIFF_NODATA = 42113 };

// Opens a file as XTIFFOpen does. NULL: geo_tiff_message says why. Close it by XTIFFClose.
TIFF *geo_tiff_open(const char *path, const char *mode);

// The GeoTIFF keys of an open file, as GTIFNew gives them; NULL: geo_tiff_message says why. GTIFFree.
GTIF *geo_tiff_keys(TIFF *tiff);

// The libraries' first message on this thread since the last geo_tiff_clear, one line.
const char *geo_tiff_message(void);
void geo_tiff_clear(void);

#endif
