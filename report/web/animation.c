// Animations: see animation.h.
#include "report/web/animation.h"

#include "io/whole_file.h"
#include "report/image.h"

#include <stdint.h>
#include <stdlib.h>
#include <webp/encode.h>
#include <webp/mux.h>

static enum status begin(struct web_animation *animation, int width_px, int height_px)
{
    WebPAnimEncoderOptions options;
    if (!WebPAnimEncoderOptionsInit(&options))
        return FAIL(STATUS_SOFTWARE, "report: libwebpmux is of another version than its headers");
    options.anim_params.loop_count = 0; // for ever
    animation->encoder = WebPAnimEncoderNew(width_px, height_px, &options);
    animation->width_px = width_px;
    animation->height_px = height_px;
    return animation->encoder ? STATUS_OK : FAIL(STATUS_SYSTEM, "report: not enough memory for an animation");
}

static enum status add_pixels(struct web_animation *animation, uint32_t *argb)
{
    enum { QUALITY = 80, EFFORT = 2 };
    WebPPicture picture;
    WebPConfig config;
    if (!WebPPictureInit(&picture) || !WebPConfigInit(&config))
        return FAIL(STATUS_SOFTWARE, "report: libwebp is of another version than its headers");
    config.quality = QUALITY;
    config.method = EFFORT;
    picture.use_argb = 1;
    picture.width = animation->width_px;
    picture.height = animation->height_px;
    picture.argb = argb;
    picture.argb_stride = animation->width_px;
    const int is_added = WebPAnimEncoderAdd(animation->encoder, &picture, animation->time_ms, &config);
    picture.argb = NULL; // not libwebp's
    WebPPictureFree(&picture);
    animation->time_ms += animation->frame_ms;
    return is_added ? STATUS_OK
                    : FAIL(STATUS_SOFTWARE, "report: a picture of the animation: %s",
                           WebPAnimEncoderGetError(animation->encoder));
}

enum status web_animation_add(struct web_animation *animation, const char *png)
{
    uint32_t *argb;
    int width_px, height_px;
    CHECK(image_read_png(png, &argb, &width_px, &height_px));
    enum status status = animation->encoder ? STATUS_OK : begin(animation, width_px, height_px);
    if (status == STATUS_OK && (width_px != animation->width_px || height_px != animation->height_px))
        status = FAIL(STATUS_SOFTWARE, "%s: %d × %d pixels, expected %d × %d", png, width_px, height_px,
                      animation->width_px, animation->height_px);
    if (status == STATUS_OK)
        status = add_pixels(animation, argb);
    free(argb);
    return status;
}

static enum status write_file(const char *path, const WebPData *data)
{
    struct whole_file file;
    CHECK(whole_file_begin(&file, path));
    (void)fwrite(data->bytes, 1, data->size, file.stream); // whole_file_end notices a failure
    return whole_file_end(&file, STATUS_OK);
}

enum status web_animation_end(struct web_animation *animation, const char *path, enum status added)
{
    enum status status = added;
    WebPData data;
    WebPDataInit(&data);
    if (status == STATUS_OK && !(WebPAnimEncoderAdd(animation->encoder, NULL, animation->time_ms, NULL) &&
                                 WebPAnimEncoderAssemble(animation->encoder, &data)))
        status = FAIL(STATUS_SOFTWARE, "%s: %s", path, WebPAnimEncoderGetError(animation->encoder));
    if (status == STATUS_OK)
        status = write_file(path, &data);
    WebPDataClear(&data);
    WebPAnimEncoderDelete(animation->encoder);
    animation->encoder = NULL;
    return status;
}
