// Maps as GeoTIFF: see geotiff.h.
#include "io/geo/geotiff.h"

#include "io/geo/crs.h"
#include "io/geo/tiff.h"
#include "io/path.h"

#include <errno.h>
#include <float.h>
#include <geotiffio.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Beyond this a classic TIFF's offsets of 32 bits could overflow.
static const double classic_bytes = 3.5e9;

enum { TILE = 256, DEFLATE_LEVEL = 6 };

struct writer {
    const struct geo_tiff *map;
    char part[PATH_BYTES];
    int part_lock; // of `part`, until it is renamed
    TIFF *tiff;
    GTIF *keys;
    double *row;        // one row of the map
    float *band, *tile; // one row of tiles: TILE × nx; one tile
};

static enum status failed(const struct writer *w)
{
    return FAIL(STATUS_IO, "%s: writing failed: %s%s%s", w->map->path, geo_tiff_message(),
                errno == ENOSPC ? ": " : "", errno == ENOSPC ? path_error_text(errno) : "");
}

// GDAL's description of the band. The texts are the program's own, without characters to escape.
static void describe_band(const struct geo_tiff *map, char *text, size_t bytes)
{
    snprintf(text, bytes,
             "<GDALMetadata>\n"
             "  <Item name=\"DESCRIPTION\" sample=\"0\" role=\"description\">%.200s</Item>\n"
             "  <Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">%.40s</Item>\n"
             "</GDALMetadata>\n",
             map->description ? map->description : "", map->units ? map->units : "");
}

static bool set_tags(struct writer *w)
{
    const struct geo_tiff *map = w->map;
    char metadata[512];
    describe_band(map, metadata, sizeof metadata);
    TIFF *t = w->tiff;
    return TIFFSetField(t, TIFFTAG_IMAGEWIDTH, (uint32_t)map->nx) &&
           TIFFSetField(t, TIFFTAG_IMAGELENGTH, (uint32_t)map->ny) &&
           TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, 32) && TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, 1) &&
           TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP) &&
           TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
           TIFFSetField(t, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) &&
           TIFFSetField(t, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) &&
           TIFFSetField(t, TIFFTAG_PREDICTOR, PREDICTOR_FLOATINGPOINT) &&
           TIFFSetField(t, TIFFTAG_ZIPQUALITY, DEFLATE_LEVEL) && TIFFSetField(t, TIFFTAG_TILEWIDTH, TILE) &&
           TIFFSetField(t, TIFFTAG_TILELENGTH, TILE) && TIFFSetField(t, GEO_TIFF_NODATA, "nan") &&
           TIFFSetField(t, GEO_TIFF_METADATA, metadata) &&
           (!map->software || TIFFSetField(t, TIFFTAG_SOFTWARE, map->software));
}

// The corner of the first pixel, and the keys of the coordinate system.
static bool set_place(struct writer *w)
{
    const struct geo_tiff *map = w->map;
    const double scale[3] = {map->x_step, map->y_step, 0};
    const double north = map->y_first + ((double)map->ny - 0.5) * map->y_step;
    const double tie[6] = {0, 0, 0, map->x_first - 0.5 * map->x_step, north, 0};
    const int code = map->crs ? map->crs : map->is_geographic ? GEO_CRS_WGS84 : 0;
    if (!TIFFSetField(w->tiff, TIFFTAG_GEOPIXELSCALE, 3, scale) ||
        !TIFFSetField(w->tiff, TIFFTAG_GEOTIEPOINTS, 6, tie))
        return false;
    if (code == 0)
        return true;
    w->keys = geo_tiff_keys(w->tiff);
    return w->keys &&
           GTIFKeySet(w->keys, GTModelTypeGeoKey, TYPE_SHORT, 1,
                      map->is_geographic ? ModelTypeGeographic : ModelTypeProjected) &&
           GTIFKeySet(w->keys, GTRasterTypeGeoKey, TYPE_SHORT, 1, RasterPixelIsArea) &&
           GTIFKeySet(w->keys, map->is_geographic ? GeographicTypeGeoKey : ProjectedCSTypeGeoKey, TYPE_SHORT,
                      1, code) &&
           (!map->is_geographic ||
            GTIFKeySet(w->keys, GeogAngularUnitsGeoKey, TYPE_SHORT, 1, Angular_Degree)) &&
           (map->is_geographic || GTIFKeySet(w->keys, ProjLinearUnitsGeoKey, TYPE_SHORT, 1, Linear_Meter)) &&
           GTIFWriteKeys(w->keys);
}

// Rows of the map from north to south into the band, which begins with row `first` of the picture.
static enum status fill_band(struct writer *w, size_t first, size_t rows)
{
    const struct geo_tiff *map = w->map;
    for (size_t k = 0; k < rows; k++) {
        const size_t row = map->ny - 1 - (first + k);
        CHECK(map->row(map->context, row, w->row));
        for (size_t i = 0; i < map->nx; i++) {
            if (isinf(w->row[i]))
                return FAIL(STATUS_DATA, "%s: the value in column %zu of row %zu is infinite", map->path, i,
                            row);
            if (fabs(w->row[i]) > FLT_MAX)
                return FAIL(STATUS_DATA,
                            "%s: the value in column %zu of row %zu is %g, beyond single precision, in which "
                            "maps are written",
                            map->path, i, row, w->row[i]);
            w->band[k * map->nx + i] = (float)w->row[i];
        }
    }
    return STATUS_OK;
}

static enum status write_band(struct writer *w, size_t first, size_t rows)
{
    const size_t nx = w->map->nx;
    for (size_t column = 0; column < nx; column += TILE) {
        const size_t columns = nx - column < TILE ? nx - column : TILE;
        for (size_t k = 0; k < (size_t)TILE * TILE; k++)
            w->tile[k] = NAN;
        for (size_t k = 0; k < rows; k++)
            memcpy(w->tile + k * TILE, w->band + k * nx + column, columns * sizeof *w->tile);
        const uint32_t number = TIFFComputeTile(w->tiff, (uint32_t)column, (uint32_t)first, 0, 0);
        errno = 0;
        if (TIFFWriteEncodedTile(w->tiff, number, w->tile,
                                 (tmsize_t)TILE * TILE * (tmsize_t)sizeof *w->tile) < 0)
            return failed(w);
    }
    return STATUS_OK;
}

static enum status write_all(struct writer *w)
{
    const struct geo_tiff *map = w->map;
    errno = 0;
    w->tiff = geo_tiff_open(w->part, geo_tiff_file_bytes(map->nx, map->ny) > classic_bytes ? "w8" : "w");
    if (!w->tiff) { // of a full disk the file is there, without its first bytes
        const int error = errno;
        return FAIL(error == ENOSPC || error == EDQUOT ? STATUS_IO : STATUS_CANNOT_CREATE,
                    "%s: cannot be created: %s", map->path,
                    error ? path_error_text(error) : geo_tiff_message());
    }
    w->row = malloc(map->nx * sizeof *w->row);
    w->band = malloc((size_t)TILE * map->nx * sizeof *w->band);
    w->tile = malloc((size_t)TILE * TILE * sizeof *w->tile);
    if (!w->row || !w->band || !w->tile)
        return FAIL(STATUS_SYSTEM, "%s: no memory for %d rows of %zu values", map->path, TILE, map->nx);
    if (!set_tags(w) || !set_place(w))
        return failed(w);
    for (size_t first = 0; first < map->ny; first += TILE) {
        const size_t rows = map->ny - first < TILE ? map->ny - first : TILE;
        CHECK(fill_band(w, first, rows));
        CHECK(write_band(w, first, rows));
    }
    errno = 0;
    return TIFFFlush(w->tiff) ? STATUS_OK : failed(w);
}

enum status geo_tiff_write(const struct geo_tiff *map)
{
    struct writer w = {.map = map};
    if (snprintf(w.part, sizeof w.part, "%s.part", map->path) >= (int)sizeof w.part)
        return FAIL(STATUS_CANNOT_CREATE, "%.80s...: the path is too long", map->path);
    if (map->nx < 1 || map->ny < 1 || map->nx > INT32_MAX || map->ny > INT32_MAX)
        return FAIL(STATUS_SOFTWARE, "%s: %zu × %zu pixels", map->path, map->nx, map->ny);
    CHECK(path_take_part(map->path, w.part, &w.part_lock));
    enum status status = write_all(&w);
    if (w.keys)
        GTIFFree(w.keys);
    if (w.tiff)
        XTIFFClose(w.tiff); // everything is flushed
    free(w.row);
    free(w.band);
    free(w.tile);
    if (status == STATUS_OK)
        status = path_publish(w.part, map->path);
    if (status != STATUS_OK)
        (void)unlink(w.part);
    path_leave_part(w.part_lock);
    return status;
}

double geo_tiff_file_bytes(size_t nx, size_t ny)
{
    const double tiles = ceil((double)nx / TILE) * ceil((double)ny / TILE);
    return tiles * TILE * TILE * sizeof(float) * 1.01 + tiles * 64 + 4096; // what cannot be compressed grows
}
