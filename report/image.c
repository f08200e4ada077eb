// Images as data URIs: see image.h.
#include "report/image.h"

#include "report/html.h"

#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webp/encode.h>

struct image_palette image_palette_of(const char *const *colours, size_t count, size_t steps)
{
    struct image_palette palette = {.count = steps + 1};
    for (size_t k = 0; k < steps; k++) {
        const double place = ((double)k + 0.5) / (double)steps * (double)(count - 1);
        const size_t low = place < (double)(count - 2) ? (size_t)place : count - 2;
        unsigned ends[2] = {0, 0};
        sscanf(colours[low], "#%x", &ends[0]);
        sscanf(colours[low + 1], "#%x", &ends[1]);
        palette.argb[k + 1] = 0xff000000u;
        for (int shift = 0; shift < 24; shift += 8) {
            const double a = ends[0] >> shift & 255, b = ends[1] >> shift & 255;
            palette.argb[k + 1] |= (uint32_t)(a + (b - a) * (place - (double)low) + 0.5) << shift;
        }
    }
    return palette;
}

static enum status out_of_memory(size_t nx, size_t ny)
{
    return FAIL(STATUS_SYSTEM, "report: not enough memory for an image of %zu × %zu pixels", nx, ny);
}

// Of one effort for all: the next steps take several times as long for a few per cent.
static bool encode(WebPPicture *picture, WebPMemoryWriter *writer)
{
    enum { EFFORT = 1, QUALITY = 50 };
    WebPConfig config;
    if (!WebPConfigInit(&config))
        return false;
    config.lossless = 1;
    config.method = EFFORT;
    config.quality = QUALITY;
    picture->writer = WebPMemoryWrite;
    picture->custom_ptr = writer;
    return WebPEncode(&config, picture);
}

static enum status encode_uri(const unsigned char *bytes, size_t count, char **uri)
{
    static const char lead[] = "data:image/webp;base64,";
    *uri = malloc(sizeof lead + html_base64_bytes(count));
    if (!*uri)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for an image of %zu bytes", count);
    memcpy(*uri, lead, sizeof lead);
    const size_t used = html_base64(bytes, count, *uri + sizeof lead - 1);
    (*uri)[sizeof lead - 1 + used] = '\0';
    return STATUS_OK;
}

// `argb` is not changed and stays the caller's.
static enum status pixels_uri(uint32_t *argb, int nx, int ny, char **uri)
{
    WebPPicture picture;
    WebPMemoryWriter writer;
    *uri = NULL;
    WebPMemoryWriterInit(&writer);
    if (!WebPPictureInit(&picture))
        return FAIL(STATUS_SOFTWARE, "report: libwebp is of another version than its headers");
    picture.use_argb = 1;
    picture.width = nx;
    picture.height = ny;
    picture.argb = argb;
    picture.argb_stride = nx;
    const bool is_encoded = encode(&picture, &writer);
    const enum status status =
        is_encoded ? encode_uri(writer.mem, writer.size, uri)
                   : FAIL(STATUS_SOFTWARE, "report: libwebp did not encode an image of %d × %d pixels (%d)",
                          nx, ny, (int)picture.error_code);
    WebPMemoryWriterClear(&writer);
    picture.argb = NULL; // not libwebp's
    WebPPictureFree(&picture);
    return status;
}

enum status image_uri(const unsigned char *indices, size_t nx, size_t ny, const struct image_palette *palette,
                      char **uri)
{
    uint32_t *argb = malloc((nx * ny + 1) * sizeof *argb);
    *uri = NULL;
    if (!argb)
        return out_of_memory(nx, ny);
    for (size_t j = 0; j < ny; j++) // the first row of an image is the northern one
        for (size_t i = 0; i < nx; i++)
            argb[j * nx + i] = palette->argb[indices[(ny - 1 - j) * nx + i]];
    const enum status status = pixels_uri(argb, (int)nx, (int)ny, uri);
    free(argb);
    return status;
}

enum status image_read_png(const char *path, uint32_t **argb, int *width_px, int *height_px)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    *argb = NULL;
    if (!png_image_begin_read_from_file(&image, path))
        return FAIL(STATUS_IO, "%s: cannot be read into the page: %s", path, image.message);
    image.format = PNG_FORMAT_RGBA;
    const size_t count = (size_t)image.width * image.height;
    unsigned char *bytes = malloc(PNG_IMAGE_SIZE(image) + 1);
    if (!bytes) {
        png_image_free(&image);
        return out_of_memory(image.width, image.height);
    }
    if (!png_image_finish_read(&image, NULL, bytes, 0, NULL)) {
        free(bytes);
        return FAIL(STATUS_IO, "%s: cannot be read into the page: %s", path, image.message);
    }
    *argb = malloc((count + 1) * sizeof **argb);
    for (size_t k = 0; *argb && k < count; k++) {
        const unsigned char *p = bytes + 4 * k;
        (*argb)[k] = (uint32_t)p[3] << 24 | (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
    }
    free(bytes);
    *width_px = (int)image.width;
    *height_px = (int)image.height;
    return *argb ? STATUS_OK : out_of_memory(image.width, image.height);
}

enum status image_of_png(const char *path, char **uri)
{
    uint32_t *argb;
    int width_px, height_px;
    CHECK(image_read_png(path, &argb, &width_px, &height_px));
    const enum status status = pixels_uri(argb, width_px, height_px, uri);
    free(argb);
    return status;
}
