// libtiff's messages and tags: see tiff.h.
#include "io/geo/tiff.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char message[200];

// The first message of a failure: later ones follow from it.
static void keep_message(const char *module, const char *format, va_list arguments)
{
    (void)module;
    if (message[0])
        return;
    vsnprintf(message, sizeof message, format, arguments);
    for (char *c = message; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    size_t length = strlen(message);
    while (length > 0 && (message[length - 1] == '.' || message[length - 1] == ' '))
        message[--length] = '\0';
}

// libgeotiff's, which it would print.
static void keep_message_of_keys(GTIF *keys, int level, const char *format, ...)
{
    va_list arguments;
    (void)keys;
    (void)level;
    va_start(arguments, format);
    keep_message(NULL, format, arguments);
    va_end(arguments);
}

static TIFFExtendProc parent_tags;

static void add_tags(TIFF *tiff)
{
    static const TIFFFieldInfo tags[] = {
        {GEO_TIFF_METADATA, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, (char *)"GDALMetadata"},
        {GEO_TIFF_NODATA, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, (char *)"GDALNoDataValue"},
    };
    if (parent_tags)
        parent_tags(tiff);
    TIFFMergeFieldInfo(tiff, tags, sizeof tags / sizeof *tags);
}

TIFF *geo_tiff_open(const char *path, const char *mode)
{
    static bool is_prepared;
    if (!is_prepared) {
        is_prepared = true;
        XTIFFInitialize();
        parent_tags = TIFFSetTagExtender(add_tags);
        TIFFSetErrorHandler(keep_message);
        TIFFSetWarningHandler(NULL);
    }
    geo_tiff_clear();
    return XTIFFOpen(path, mode);
}

GTIF *geo_tiff_keys(TIFF *tiff)
{
    geo_tiff_clear();
    return GTIFNewEx(tiff, keep_message_of_keys, NULL);
}

const char *geo_tiff_message(void)
{
    return message[0] ? message : "no reason is given";
}

void geo_tiff_clear(void)
{
    message[0] = '\0';
}
