// GeoTIFF grids: one band of whole or floating-point numbers, in strips or tiles, north up. By libtiff,
// libgeotiff and PROJ; GDAL's tags for the no-data value, scale, offset and unit are followed. The sign of
// the values is nowhere stated, and metres are the unit where the file states none. Reads this format only.
//
// Memory: the axes, and one row of tiles or one strip, GRID_CHUNK_CACHE_BYTES_MOST at most.
#include "io/geo/crs.h"
#include "io/geo/tiff.h"
#include "io/grid/internal.h"
#include "io/units.h"
#include "io/xml_read.h"

#include <geo_normalize.h>
#include <geotiffio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DIRECTORIES_MOST = 64, DEFLATE_MOST = 1032, SMALL_BYTES = 1 << 20 };

struct tiff_grid {
    TIFF *tiff;
    const char *path;
    uint32_t nx, ny, columns, rows; // of the picture; of a tile, or of a strip
    uint64_t file_bytes;
    uint16_t bits, format; // of a value
    size_t value_bytes;
    bool is_tiled;
    double nodata; // NaN: none
    double slope, offset;
    unsigned char *band, *tile; // rows × nx values; one tile
    int64_t band_number;        // in `band`; −1: none
    char projection[1024];      // for geo_crs_check_scale; "": none, or unknown
};

static void close_tiff(void *state)
{
    struct tiff_grid *grid = state;
    if (grid->tiff)
        XTIFFClose(grid->tiff);
    free(grid->band);
    free(grid->tile);
    free(grid);
}

// ---- values

static double value_at(const struct tiff_grid *grid, const unsigned char *raw)
{
#define VALUE(type)                                                                                          \
    {                                                                                                        \
        type value;                                                                                          \
        memcpy(&value, raw, sizeof value);                                                                   \
        return (double)value;                                                                                \
    }
    if (grid->format == SAMPLEFORMAT_IEEEFP && grid->bits == 64)
        VALUE(double)
    if (grid->format == SAMPLEFORMAT_IEEEFP)
        VALUE(float)
    if (grid->format == SAMPLEFORMAT_INT && grid->bits == 16)
        VALUE(int16_t)
    if (grid->format == SAMPLEFORMAT_INT)
        VALUE(int32_t)
    if (grid->bits == 16)
        VALUE(uint16_t)
    VALUE(uint32_t)
#undef VALUE
}

static enum status read_tiles(struct tiff_grid *grid, uint32_t band)
{
    const size_t row_bytes = grid->nx * grid->value_bytes, tile_row = grid->columns * grid->value_bytes;
    const uint32_t first = band * grid->rows;
    const uint32_t rows = grid->ny - first < grid->rows ? grid->ny - first : grid->rows;
    for (uint32_t column = 0; column < grid->nx; column += grid->columns) {
        const uint32_t number = TIFFComputeTile(grid->tiff, column, first, 0, 0);
        const tmsize_t bytes = (tmsize_t)(grid->rows * tile_row);
        geo_tiff_clear();
        if (TIFFReadEncodedTile(grid->tiff, number, grid->tile, bytes) != bytes)
            return FAIL(STATUS_DATA, "%s: the tile at column %u, row %u is damaged: %s", grid->path, column,
                        first, geo_tiff_message());
        const size_t columns = grid->nx - column < grid->columns ? grid->nx - column : grid->columns;
        for (uint32_t k = 0; k < rows; k++)
            memcpy(grid->band + k * row_bytes + column * grid->value_bytes, grid->tile + k * tile_row,
                   columns * grid->value_bytes);
        if (grid->nx - column <= grid->columns)
            break; // the next column may be beyond 32 bits
    }
    return STATUS_OK;
}

static enum status read_strip(struct tiff_grid *grid, uint32_t band)
{
    const uint32_t first = band * grid->rows;
    const uint32_t rows = grid->ny - first < grid->rows ? grid->ny - first : grid->rows;
    const tmsize_t bytes = (tmsize_t)(rows * (size_t)grid->nx * grid->value_bytes);
    geo_tiff_clear();
    if (TIFFReadEncodedStrip(grid->tiff, band, grid->band, bytes) != bytes)
        return FAIL(STATUS_DATA, "%s: the strip from row %u on is damaged: %s", grid->path, first,
                    geo_tiff_message());
    return STATUS_OK;
}

static enum status read_row(void *state, size_t record, size_t row, double *values)
{
    struct tiff_grid *grid = state;
    (void)record; // there is one only
    const uint32_t band = (uint32_t)row / grid->rows;
    if (grid->band_number != band) {
        grid->band_number = -1;
        CHECK(grid->is_tiled ? read_tiles(grid, band) : read_strip(grid, band));
        grid->band_number = band;
    }
    const unsigned char *raw =
        grid->band + ((uint32_t)row - band * grid->rows) * (size_t)grid->nx * grid->value_bytes;
    const bool is_float = grid->format == SAMPLEFORMAT_IEEEFP && grid->bits == 32;
    const double nodata = is_float ? (double)(float)grid->nodata : grid->nodata;
    for (uint32_t k = 0; k < grid->nx; k++) {
        const double value = value_at(grid, raw + k * grid->value_bytes);
        values[k] = value == nodata ? NAN : grid->slope * value + grid->offset;
    }
    return STATUS_OK;
}

// Whole rows of a band, which is decoded once.
static enum status read_part(void *state, size_t record, const struct grid_part *part, double *values)
{
    const struct tiff_grid *grid = state;
    for (size_t k = 0; k < part->rows; k++)
        CHECK(read_row(state, record, part->row + k, values + k * grid->nx));
    return STATUS_OK;
}

static const struct grid_reader tiff_reader = {read_row, close_tiff};

// ---- the header

static enum status check_values(struct tiff_grid *grid)
{
    uint16_t samples = 1, compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(grid->tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(grid->tiff, TIFFTAG_BITSPERSAMPLE, &grid->bits);
    TIFFGetFieldDefaulted(grid->tiff, TIFFTAG_SAMPLEFORMAT, &grid->format);
    TIFFGetFieldDefaulted(grid->tiff, TIFFTAG_COMPRESSION, &compression);
    if (samples != 1)
        return FAIL(STATUS_DATA, "%s: has %u bands, expected one: take one out (gdal_translate -b 1)",
                    grid->path, samples);
    const bool is_whole = grid->format == SAMPLEFORMAT_INT || grid->format == SAMPLEFORMAT_UINT;
    if (!(is_whole && (grid->bits == 16 || grid->bits == 32)) &&
        !(grid->format == SAMPLEFORMAT_IEEEFP && (grid->bits == 32 || grid->bits == 64)))
        return FAIL(STATUS_DATA,
                    "%s: its values have %u bits (sample format %u), expected whole numbers of 16 or 32 bits "
                    "or floating-point numbers of 32 or 64 bits",
                    grid->path, grid->bits, grid->format);
    grid->value_bytes = grid->bits / 8;
    static const uint16_t known[] = {COMPRESSION_NONE,          COMPRESSION_LZW,  COMPRESSION_DEFLATE,
                                     COMPRESSION_ADOBE_DEFLATE, COMPRESSION_LZMA, COMPRESSION_ZSTD,
                                     COMPRESSION_PACKBITS};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (compression == known[k] && TIFFIsCODECConfigured(compression))
            return STATUS_OK;
    const TIFFCodec *codec = TIFFFindCODEC(compression);
    return FAIL(STATUS_DATA,
                "%s: compression %u (%s) is not read: compress it by deflate or LZW (gdal_translate -co "
                "COMPRESS=DEFLATE)",
                grid->path, compression, codec ? codec->name : "unknown");
}

// Further pictures in the file must be overviews or masks of the first.
static enum status check_pages(const struct tiff_grid *grid)
{
    enum status status = STATUS_OK;
    for (int k = 1; k < DIRECTORIES_MOST && status == STATUS_OK && TIFFReadDirectory(grid->tiff); k++) {
        uint32_t kind = 0;
        TIFFGetFieldDefaulted(grid->tiff, TIFFTAG_SUBFILETYPE, &kind);
        if (!(kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)))
            status = FAIL(STATUS_DATA,
                          "%s: holds several pictures, expected one: take one out (gdal_translate "
                          "GTIFF_DIR:1:FILE)",
                          grid->path);
    }
    if (!TIFFSetDirectory(grid->tiff, 0) && status == STATUS_OK)
        status = FAIL(STATUS_DATA, "%s: %s", grid->path, geo_tiff_message());
    return status;
}

static enum status check_size(struct tiff_grid *grid)
{
    struct stat file;
    if (stat(grid->path, &file) != 0)
        return FAIL(STATUS_NO_INPUT, "%s: cannot be read", grid->path);
    if (!TIFFGetField(grid->tiff, TIFFTAG_IMAGEWIDTH, &grid->nx) ||
        !TIFFGetField(grid->tiff, TIFFTAG_IMAGELENGTH, &grid->ny) || grid->nx < 2 || grid->ny < 2 ||
        grid->nx > INT32_MAX || grid->ny > INT32_MAX)
        return FAIL(STATUS_DATA, "%s: has %u × %u pixels, expected at least 2 × 2", grid->path, grid->nx,
                    grid->ny);
    grid->file_bytes = (uint64_t)file.st_size;
    // Deflate expands one byte to at most 1032, and nothing that is read expands further.
    const double bytes = (double)grid->nx * grid->ny * (double)grid->value_bytes;
    if (bytes > (double)grid->file_bytes * DEFLATE_MOST + SMALL_BYTES)
        return FAIL(STATUS_DATA, "%s: the header promises %u × %u values of %s, but the file has %s",
                    grid->path, grid->nx, grid->ny, UNITS_BYTES(grid->value_bytes),
                    UNITS_BYTES(grid->file_bytes));
    return STATUS_OK;
}

// The sizes of tiles or strips, and the memory for a row of them.
static enum status plan_bands(struct tiff_grid *grid, struct grid_file *file)
{
    grid->is_tiled = TIFFIsTiled(grid->tiff);
    grid->columns = grid->nx;
    grid->rows = grid->ny;
    if (grid->is_tiled) {
        TIFFGetField(grid->tiff, TIFFTAG_TILEWIDTH, &grid->columns);
        TIFFGetField(grid->tiff, TIFFTAG_TILELENGTH, &grid->rows);
    } else {
        TIFFGetFieldDefaulted(grid->tiff, TIFFTAG_ROWSPERSTRIP, &grid->rows);
        grid->rows = grid->rows > grid->ny ? grid->ny : grid->rows;
    }
    const double band = (double)grid->rows * grid->nx * (double)grid->value_bytes,
                 tile = grid->is_tiled ? (double)grid->rows * grid->columns * (double)grid->value_bytes : 0;
    if (grid->rows < 1 || grid->columns < 1 || tile > (double)grid->file_bytes * DEFLATE_MOST + SMALL_BYTES)
        return FAIL(STATUS_DATA, "%s: the header promises tiles of %u × %u pixels, but the file has %s",
                    grid->path, grid->columns, grid->rows, UNITS_BYTES(grid->file_bytes));
    if (band + tile > GRID_CHUNK_CACHE_BYTES_MOST)
        return FAIL(STATUS_DATA,
                    "%s: a %s takes %s of memory, more than %s: write it in smaller tiles (gdal_translate "
                    "-co TILED=YES)",
                    grid->path, grid->is_tiled ? "row of tiles" : "strip", UNITS_BYTES(band + tile),
                    UNITS_BYTES(GRID_CHUNK_CACHE_BYTES_MOST));
    // TIFFTileSize: what the library itself expects to fill.
    if (grid->is_tiled && (double)TIFFTileSize64(grid->tiff) != tile)
        return FAIL(STATUS_DATA, "%s: its tiles have an unusual size", grid->path);
    grid->band = malloc((size_t)band);
    grid->tile = grid->is_tiled ? malloc((size_t)tile) : NULL;
    if (!grid->band || (grid->is_tiled && !grid->tile))
        return FAIL(STATUS_SYSTEM, "%s: %s: out of memory", grid->path, UNITS_BYTES(band + tile));
    file->cache_bytes = (size_t)(band + tile);
    file->part_rows = grid->rows;
    file->part_columns = grid->nx;
    file->read_part = read_part;
    return STATUS_OK;
}

// Each tile or strip must be in the file.
static enum status check_tiles(const struct tiff_grid *grid)
{
    const uint32_t across = grid->is_tiled ? (grid->nx - 1) / grid->columns + 1 : 1;
    const uint64_t count = (uint64_t)across * ((grid->ny - 1) / grid->rows + 1);
    const uint64_t stated = grid->is_tiled ? TIFFNumberOfTiles(grid->tiff) : TIFFNumberOfStrips(grid->tiff);
    const char *what = grid->is_tiled ? "tile" : "strip";
    if (stated != count)
        return FAIL(STATUS_DATA, "%s: has %llu %ss, expected %llu", grid->path, (unsigned long long)stated,
                    what, (unsigned long long)count);
    for (uint32_t k = 0; k < count; k++) {
        const uint64_t offset = TIFFGetStrileOffset(grid->tiff, k),
                       bytes = TIFFGetStrileByteCount(grid->tiff, k);
        const unsigned column = k % across * grid->columns, row = k / across * grid->rows;
        if (offset == 0 || bytes == 0)
            return FAIL(STATUS_DATA, "%s: the %s at column %u, row %u is missing", grid->path, what, column,
                        row);
        if (offset > grid->file_bytes || bytes > grid->file_bytes - offset)
            return FAIL(STATUS_DATA,
                        "%s: the file is cut short: the %s at column %u, row %u ends at byte %llu of %llu",
                        grid->path, what, column, row, (unsigned long long)offset + bytes,
                        (unsigned long long)grid->file_bytes);
    }
    return STATUS_OK;
}

// ---- what GDAL adds

static enum status parse_number(const struct tiff_grid *grid, const char *what, const char *text,
                                double *value)
{
    char *end;
    *value = strtod(text, &end);
    while (*end == ' ')
        end++;
    if (end == text || *end)
        return FAIL(STATUS_DATA, "%s: its %s is \"%.40s\", expected a number", grid->path, what, text);
    return STATUS_OK;
}

static enum status take_item(struct tiff_grid *grid, struct grid_file *file, const char *role,
                             const char *text)
{
    double *const numbers[] = {&grid->slope, &grid->offset};
    static const char *const names[] = {"scale", "offset"};
    for (int k = 0; k < 2; k++)
        if (strcmp(role, names[k]) == 0) {
            CHECK(parse_number(grid, names[k], text, numbers[k]));
            if (!isfinite(*numbers[k]) || (k == 0 && *numbers[k] == 0))
                return FAIL(STATUS_DATA, "%s: its %s is %g", grid->path, names[k], *numbers[k]);
        }
    if (strcmp(role, "unittype") == 0 && text[0]) {
        const bool is_metre = strcmp(text, "metre") == 0 || strcmp(text, "meters") == 0;
        snprintf(file->units, sizeof file->units, "%.80s", is_metre ? "m" : text);
        file->states_units = true;
    }
    return STATUS_OK;
}

static enum status read_metadata(struct tiff_grid *grid, struct grid_file *file)
{
    const char *stored = NULL;
    struct xml_document *document = NULL;
    if (!TIFFGetField(grid->tiff, GEO_TIFF_METADATA, &stored) || !stored)
        return STATUS_OK;
    char *text = strdup(stored);
    if (!text)
        return FAIL(STATUS_SYSTEM, "%s: out of memory", grid->path);
    enum status status = xml_read(grid->path, text, &document);
    const struct xml_node *item = status == STATUS_OK ? xml_child(xml_root(document), "Item") : NULL;
    for (; item && status == STATUS_OK; item = xml_next(item))
        status = take_item(grid, file, xml_child_text(item, "role"), item->text);
    xml_free(document);
    free(text);
    return status;
}

static enum status read_nodata(struct tiff_grid *grid)
{
    const char *text = NULL;
    grid->nodata = NAN;
    if (!TIFFGetField(grid->tiff, GEO_TIFF_NODATA, &text) || !text || !text[0])
        return STATUS_OK;
    return parse_number(grid, "no-data value", text, &grid->nodata);
}

// ---- places

// From pixels to coordinates: x = x0 + column·dx, y = y0 − row·dy, of the corners of pixels (or of points).
struct place {
    double x0, y0, dx, dy;
};

static enum status read_place(const struct tiff_grid *grid, struct place *place)
{
    uint16_t scales = 0, ties = 0, cells = 0;
    double *scale = NULL, *tie = NULL, *matrix = NULL;
    (void)TIFFGetField(grid->tiff, TIFFTAG_GEOPIXELSCALE, &scales, &scale);
    (void)TIFFGetField(grid->tiff, TIFFTAG_GEOTIEPOINTS, &ties, &tie);
    (void)TIFFGetField(grid->tiff, TIFFTAG_GEOTRANSMATRIX, &cells, &matrix);
    if (scale && scales >= 2 && tie && ties >= 6) {
        *place = (struct place){tie[3] - tie[0] * scale[0], tie[4] + tie[1] * scale[1], scale[0], scale[1]};
    } else if (matrix && cells == 16) {
        *place = (struct place){matrix[3], matrix[7], matrix[0], -matrix[5]};
        if (matrix[1] != 0 || matrix[4] != 0)
            return FAIL(STATUS_DATA,
                        "%s: the picture is rotated or sheared (%g, %g), expected north up: gdalwarp turns "
                        "it",
                        grid->path, matrix[1], matrix[4]);
    } else {
        return FAIL(STATUS_DATA, "%s: %s", grid->path,
                    ties > 6 ? "is placed by control points, expected a scale and a corner: gdalwarp "
                               "makes them"
                             : "a TIFF without the place and the size of its pixels: it is no GeoTIFF");
    }
    if (!(place->dx > 0 && place->dy > 0 && isfinite(place->dx) && isfinite(place->dy) &&
          isfinite(place->x0) && isfinite(place->y0)))
        return FAIL(STATUS_DATA,
                    "%s: pixels of %g × %g from %g, %g on: expected sizes above 0, north up: gdalwarp turns "
                    "it",
                    grid->path, place->dx, place->dy, place->x0, place->y0);
    return STATUS_OK;
}

// A key that is a code; 0: it is absent, or no code.
static unsigned key_of(GTIF *keys, geokey_t key)
{
    unsigned short value = 0;
    int bytes = 0;
    tagtype_t type = TYPE_UNKNOWN;
    // A damaged file may hold a number of 8 bytes, or a text, which GTIFKeyGet would write beyond `value`.
    if (GTIFKeyInfo(keys, key, &bytes, &type) < 1 || type != TYPE_SHORT || bytes != (int)sizeof value)
        return 0;
    return GTIFKeyGet(keys, key, &value, 0, 1) == 1 ? value : 0;
}

// Of a system without a code: PROJ's definition, as libgeotiff makes it.
static void define_projection(struct tiff_grid *grid, GTIF *keys)
{
    GTIFDefn *definition = GTIFAllocDefn();
    char *text = definition && GTIFGetDefn(keys, definition) ? GTIFGetProj4Defn(definition) : NULL;
    if (text && strncmp(text, "+proj=", 6) == 0)
        snprintf(grid->projection, sizeof grid->projection, "%s", text);
    GTIFFreeMemory(text);
    GTIFFreeDefn(definition);
}

// Longitudes must count from Greenwich, whatever else the keys state.
static enum status check_meridian(const struct tiff_grid *grid, GTIF *keys)
{
    const unsigned code = key_of(keys, GeogPrimeMeridianGeoKey);
    double longitude = 0;
    int bytes = 0;
    tagtype_t type = TYPE_UNKNOWN;
    if (GTIFKeyInfo(keys, GeogPrimeMeridianLongGeoKey, &bytes, &type) == 1 && type == TYPE_DOUBLE)
        (void)GTIFKeyGet(keys, GeogPrimeMeridianLongGeoKey, &longitude, 0, 1);
    const bool is_greenwich = code == 0 || code == PM_Greenwich || (code == KvUserDefined && longitude == 0);
    return is_greenwich && longitude == 0 ? STATUS_OK
                                          : FAIL(STATUS_DATA,
                                                 "%s: its longitudes count from another meridian than "
                                                 "Greenwich (prime meridian %u, %g): gdalwarp "
                                                 "-t_srs EPSG:4326 converts it",
                                                 grid->path, code, longitude);
}

// Of a system without a code the units are those of the keys.
static enum status check_own_system(struct tiff_grid *grid, GTIF *keys, bool is_projected)
{
    const unsigned unit = key_of(keys, is_projected ? ProjLinearUnitsGeoKey : GeogAngularUnitsGeoKey);
    const unsigned expected = is_projected ? Linear_Meter : Angular_Degree;
    if (is_projected)
        define_projection(grid, keys);
    if (unit == expected || (unit == 0 && !is_projected))
        return STATUS_OK;
    return FAIL(STATUS_DATA,
                "%s: its %s system has no EPSG code and unit %u, expected %s: gdalwarp -t_srs converts it",
                grid->path, is_projected ? "projected" : "geographic", unit,
                is_projected ? "metres (9001)" : "degrees (9102)");
}

static enum status read_system(struct tiff_grid *grid, GTIF *keys, struct grid_file *file)
{
    const unsigned model = key_of(keys, GTModelTypeGeoKey);
    const bool is_projected = model == ModelTypeProjected;
    struct geo_crs crs;
    if (model == 0 || model == KvUserDefined)
        return STATUS_OK; // not stated: the job's "axes" decide
    if (!is_projected && model != ModelTypeGeographic)
        return FAIL(STATUS_DATA, "%s: its coordinates are neither geographic nor projected (model type %u)",
                    grid->path, model);
    file->file_axes = is_projected ? GRID_AXES_PLANE : GRID_AXES_GEOGRAPHIC;
    if (!is_projected)
        CHECK(check_meridian(grid, keys));
    const unsigned code = key_of(keys, is_projected ? ProjectedCSTypeGeoKey : GeographicTypeGeoKey);
    if (code == 0 || code == KvUserDefined)
        return check_own_system(grid, keys, is_projected);
    CHECK(geo_crs_find(grid->path, (int)code, &crs));
    if (crs.is_geographic == is_projected)
        return FAIL(STATUS_DATA, "%s: states %s coordinates, but EPSG:%u (%s) is %s", grid->path,
                    is_projected ? "projected" : "geographic", code, crs.name,
                    crs.is_geographic ? "geographic" : "projected");
    snprintf(file->crs, sizeof file->crs, "EPSG:%u", code);
    if (is_projected)
        snprintf(grid->projection, sizeof grid->projection, "%s", file->crs);
    return STATUS_OK;
}

static void read_vertical_unit(GTIF *keys, struct grid_file *file)
{
    static const struct {
        unsigned code;
        const char *unit;
    } units[] = {{Linear_Meter, "m"}, {Linear_Foot, "foot"}, {Linear_Foot_US_Survey, "US_survey_foot"}};
    const unsigned code = key_of(keys, VerticalUnitsGeoKey);
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (code == units[k].code) {
            snprintf(file->units, sizeof file->units, "%s", units[k].unit);
            file->states_units = true;
        }
}

static enum status read_keys(struct tiff_grid *grid, struct grid_file *file, bool *is_point)
{
    GTIF *keys = geo_tiff_keys(grid->tiff);
    if (!keys)
        return FAIL(STATUS_DATA, "%s: its GeoTIFF keys cannot be read: %s", grid->path, geo_tiff_message());
    *is_point = key_of(keys, GTRasterTypeGeoKey) == RasterPixelIsPoint;
    read_vertical_unit(keys, file);
    const enum status status = read_system(grid, keys, file);
    GTIFFree(keys);
    return status;
}

// At the corners and in the middle of the picture.
static enum status check_scale(const struct tiff_grid *grid, const struct grid_file *file)
{
    if (!grid->projection[0])
        return STATUS_OK;
    const double *x = file->x, *y = file->y, west = x[0], east = x[grid->nx - 1], south = y[0],
                 north = y[grid->ny - 1];
    const double places[][2] = {{0.5 * (west + east), 0.5 * (south + north)},
                                {west, south},
                                {east, south},
                                {west, north},
                                {east, north}};
    return geo_crs_check_scale(grid->path, grid->projection, places, sizeof places / sizeof *places);
}

static enum status read_axes(struct tiff_grid *grid, struct grid_file *file)
{
    struct place place = {0};
    bool is_point = false;
    CHECK(read_place(grid, &place));
    CHECK(read_keys(grid, file, &is_point));
    const double half = is_point ? 0 : 0.5; // nodes are the centres of pixels that are areas
    CHECK(grid_even_axis(grid->path, place.x0 + half * place.dx, place.dx, grid->nx, &file->x));
    CHECK(grid_even_axis(grid->path, place.y0 - half * place.dy, -place.dy, grid->ny, &file->y));
    return check_scale(grid, file);
}

enum status grid_open_geotiff(const struct grid_request *request, struct grid_file *file)
{
    struct tiff_grid *grid = calloc(1, sizeof *grid);
    (void)request;
    if (!grid)
        return FAIL(STATUS_SYSTEM, "%s: out of memory", file->path);
    grid_describe(file, "band_1", GRID_AS_FILE, GRID_AXES_AS_FILE);
    file->state = grid;
    file->reader = &tiff_reader;
    grid->path = file->path;
    grid->band_number = -1;
    grid->slope = 1;
    grid->tiff = geo_tiff_open(file->path, "r");
    if (!grid->tiff)
        return FAIL(STATUS_DATA, "%s: a damaged TIFF: %s", file->path, geo_tiff_message());
    CHECK(check_values(grid));
    CHECK(check_size(grid));
    CHECK(check_pages(grid));
    CHECK(plan_bands(grid, file));
    CHECK(check_tiles(grid));
    CHECK(read_nodata(grid));
    CHECK(read_axes(grid, file));
    CHECK(read_metadata(grid, file));
    file->info.nx = grid->nx;
    file->info.ny = grid->ny;
    return STATUS_OK;
}
