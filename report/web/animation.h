// An animation of pictures: a lossy WebP file that browsers and picture viewers play, by libwebp. Independent
// of what is shown.
#ifndef FATHOM_REPORT_WEB_ANIMATION_H
#define FATHOM_REPORT_WEB_ANIMATION_H

#include "core/status.h"

#include <stddef.h>

struct web_animation {
    void *encoder; // WebPAnimEncoder; NULL before the first picture
    int width_px, height_px, time_ms, frame_ms;
};

// A picture more, read from a PNG file; all have the size of the first. STATUS_IO: it cannot be read;
// STATUS_SOFTWARE: another size, or libwebp refuses.
enum status web_animation_add(struct web_animation *animation, const char *png);

// Writes the animation, which has at least one picture, to `path`, complete or not at all, and frees it; if
// `added` is a failure, only frees it and returns that.
enum status web_animation_end(struct web_animation *animation, const char *path, enum status added);

#endif
