// Finds the format of a grid file by its first bytes, and only then by its name. Reads no grid.
#include "io/grid/internal.h"
#include "io/nifti.h"
#include "io/path.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

enum { HEAD_BYTES = 4096, HEAD_WORDS = 4 };

const char *grid_format_name(enum grid_format format)
{
    static const char *const names[] = {
        [GRID_FORMAT_AUTO] = "unknown",
        [GRID_FORMAT_NETCDF] = "netCDF",
        [GRID_FORMAT_MOST] = "MOST",
        [GRID_FORMAT_ESRI_ASCII] = "ESRI ASCII",
        [GRID_FORMAT_SURFER6] = "Surfer 6",
        [GRID_FORMAT_SURFER7] = "Surfer 7",
        [GRID_FORMAT_GEOCLAW_TT3] = "GeoClaw tt3",
        [GRID_FORMAT_GEOTIFF] = "GeoTIFF",
    };
    return names[format];
}

static enum grid_format format_by_magic(const unsigned char *head, size_t length)
{
    static const struct {
        const char *magic;
        size_t bytes;
        enum grid_format format;
    } magics[] = {
        {"CDF\001", 4, GRID_FORMAT_NETCDF}, {"CDF\002", 4, GRID_FORMAT_NETCDF},
        {"CDF\005", 4, GRID_FORMAT_NETCDF}, {"\211HDF\r\n\032\n", 8, GRID_FORMAT_NETCDF},
        {"DSAA", 4, GRID_FORMAT_SURFER6},   {"DSBB", 4, GRID_FORMAT_SURFER6},
        {"DSRB", 4, GRID_FORMAT_SURFER7},   {"II*\0", 4, GRID_FORMAT_GEOTIFF},
        {"MM\0*", 4, GRID_FORMAT_GEOTIFF},  {"II+\0", 4, GRID_FORMAT_GEOTIFF},
        {"MM\0+", 4, GRID_FORMAT_GEOTIFF},
    };
    for (size_t k = 0; k < sizeof magics / sizeof magics[0]; k++)
        if (length >= magics[k].bytes && memcmp(head, magics[k].magic, magics[k].bytes) == 0)
            return magics[k].format;
    return GRID_FORMAT_AUTO;
}

// Recognises formats that other programs convert to netCDF; returns the advice.
static const char *foreign_format(const unsigned char *head, size_t length)
{
    static const struct {
        const char *magic;
        size_t bytes;
        const char *advice;
    } magics[] = {
        {"\037\213", 2, "gzip-compressed: unpack it first (gunzip)"},
        {"BZh", 3, "bzip2-compressed: unpack it first (bunzip2)"},
        {"\3757zXZ", 5, "xz-compressed: unpack it first (unxz)"},
        {"PK\003\004", 4, "a zip archive: unpack it first (unzip)"},
        {"\377\376", 2, "text in UTF-16: convert it first (iconv -f UTF-16 -t UTF-8)"},
        {"\376\377", 2, "text in UTF-16: convert it first (iconv -f UTF-16 -t UTF-8)"},
        {"GRIB", 4, "a GRIB file: convert it to netCDF first (cdo -f nc copy)"},
        {"\016\003\023\001", 4, "an HDF4 file: convert it to netCDF first (gdal_translate -of netCDF)"},
    };
    for (size_t k = 0; k < sizeof magics / sizeof magics[0]; k++)
        if (length >= magics[k].bytes && memcmp(head, magics[k].magic, magics[k].bytes) == 0)
            return magics[k].advice;
    return NULL;
}

// Splits one line into words; returns where the next line starts.
static const char *split_line(const char *text, char words[HEAD_WORDS][GRID_WORD_BYTES], size_t *count)
{
    *count = 0;
    while (*text != '\0' && *text != '\n') {
        while (*text == ' ' || *text == '\t' || *text == '\r')
            text++;
        size_t length = strcspn(text, " \t\r\n");
        if (length > 0 && *count < HEAD_WORDS) {
            size_t kept = length < GRID_WORD_BYTES ? length : GRID_WORD_BYTES - 1;
            memcpy(words[*count], text, kept);
            words[*count][kept] = '\0';
            ++*count;
        }
        text += length;
    }
    return *text == '\n' ? text + 1 : text;
}

static enum grid_format format_by_text(const char *text)
{
    static const char *const esri[] = {"ncols",     "nrows",    "xllcorner", "xllcenter", "yllcorner",
                                       "yllcenter", "cellsize", "dx",        "dy",        "nodata_value"};
    char words[HEAD_WORDS][GRID_WORD_BYTES];
    size_t count, ignored;
    double number;
    const char *rest = split_line(text, words, &count);
    if (count == 0)
        return GRID_FORMAT_AUTO;
    for (size_t k = 0; k < sizeof esri / sizeof esri[0]; k++)
        if (strcasecmp(words[0], esri[k]) == 0)
            return GRID_FORMAT_ESRI_ASCII;
    if (count >= 2 && grid_parse_number(words[0], &number) && isalpha((unsigned char)words[1][0]))
        return GRID_FORMAT_GEOCLAW_TT3;
    if (count == 2 && grid_parse_count(words[0], &ignored) && grid_parse_count(words[1], &ignored)) {
        split_line(rest, words, &count);
        if (count == 1 && grid_parse_number(words[0], &number))
            return GRID_FORMAT_MOST;
    }
    return GRID_FORMAT_AUTO;
}

static enum grid_format format_by_suffix(const char *path)
{
    static const struct {
        const char *suffix;
        enum grid_format format;
    } suffixes[] = {
        {".nc", GRID_FORMAT_NETCDF},       {".cdf", GRID_FORMAT_NETCDF},
        {".nc4", GRID_FORMAT_NETCDF},      {".most", GRID_FORMAT_MOST},
        {".corr", GRID_FORMAT_MOST},       {".asc", GRID_FORMAT_ESRI_ASCII},
        {".tt3", GRID_FORMAT_GEOCLAW_TT3}, {".dtt3", GRID_FORMAT_GEOCLAW_TT3},
    };
    const char *dot = strrchr(path, '.');
    for (size_t k = 0; dot != NULL && k < sizeof suffixes / sizeof suffixes[0]; k++)
        if (strcasecmp(dot, suffixes[k].suffix) == 0)
            return suffixes[k].format;
    return GRID_FORMAT_AUTO;
}

enum status grid_identify(const char *path, enum grid_format *format)
{
    unsigned char head[HEAD_BYTES + 1] = {0};
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return FAIL(path_open_status(errno), "%s: %s", path, strerror(errno));
    size_t length = fread(head, 1, HEAD_BYTES, stream);
    int error = ferror(stream) ? errno : 0;
    fclose(stream); // opened for reading: nothing can be lost
    if (error != 0)
        return FAIL(error == EISDIR ? STATUS_NO_INPUT : STATUS_IO, "%s: %s", path, strerror(error));
    if (length == 0)
        return FAIL(STATUS_DATA, "%s: the file is empty", path);
    *format = format_by_magic(head, length);
    const char *foreign = foreign_format(head, length);
    if (*format == GRID_FORMAT_AUTO && nifti_is(path))
        return FAIL(STATUS_DATA, "%s: this is a volume (NIfTI-1): see fathom convert --help", path);
    if (*format == GRID_FORMAT_AUTO && foreign != NULL)
        return FAIL(STATUS_DATA, "%s: this is %s", path, foreign);
    bool is_text = memchr(head, 0, length) == NULL;
    if (*format == GRID_FORMAT_AUTO && is_text)
        *format = format_by_text((const char *)head);
    if (*format == GRID_FORMAT_AUTO && is_text && head[strspn((const char *)head, " \t\r\n")] == '{' &&
        strstr((const char *)head, "\"FeatureCollection\""))
        return FAIL(
            STATUS_DATA, "%s: this is a list of GeoJSON features%s, not a grid", path,
            strstr((const char *)head, "\"mag\"")
                ? ", a feed of earthquakes: of one of them download the GeoJSON that its \"detail\" names"
                : " (of points or zones)");
    if (*format == GRID_FORMAT_AUTO)
        *format = format_by_suffix(path);
    if (*format == GRID_FORMAT_AUTO)
        return FAIL(STATUS_DATA,
                    "%s: unknown grid format: expected netCDF, MOST, ESRI ASCII, Surfer 6 or 7, GeoTIFF, or "
                    "GeoClaw tt3 with its labels",
                    path);
    return STATUS_OK;
}
