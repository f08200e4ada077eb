// The order of cells of files without positions: see order.h.
#include "models/bioheat/body/order.h"

#include "core/log.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Whether cells and spacings of a file are those of the grid, once turned.
static bool fits(const struct bioheat_grid *grid, const struct order_file *file, const int from[BIOHEAT_AXES])
{
    bool is_same = true;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const double spacing_m = file->spacing_m[from[axis]];
        is_same &= file->cells[from[axis]] == grid->cells[axis];
        is_same &= isnan(spacing_m) ||
                   fabs(spacing_m - grid->spacing_m[axis]) <= VOLUME_EVEN_TOLERANCE * grid->spacing_m[axis];
    }
    return is_same;
}

// The axes of the image by what they are in the scanner: "LPS" for one whose i runs to the left.
static const char *letters(const struct bioheat_order *order, char text[4])
{
    static const char upwards[BIOHEAT_AXES] = {'S', 'A', 'R'}, downwards[BIOHEAT_AXES] = {'I', 'P', 'L'};
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) // from[]: z, y, x are k, j, i
        text[BIOHEAT_X - order->from[axis]] = order->is_reversed[axis] ? downwards[axis] : upwards[axis];
    text[3] = '\0';
    return text;
}

static void tell(const char *key, const struct bioheat_grid *grid, const struct order_file *file,
                 bool is_turned)
{
    const struct bioheat_order *order = &grid->frame.order;
    char text[4];
    if (!order->is_reordered)
        return;
    log_info("%s: %s states no positions; its cells are taken in the order of %s", key, file->path,
             is_turned ? "the image's voxels i, j, k, and turned as the labels are"
                       : "ascending x (right), y (front), z (up), not of the image's voxels");
    if (grid->frame.kind == BIOHEAT_FRAME_SCANNER && is_turned)
        log_info("%s: the image's axes are %s", key, letters(order, text));
}

// The choice where the job leaves it open.
static enum status choose(const struct job *job, const char *key, const struct bioheat_grid *grid,
                          const struct order_file *file, bool *is_turned)
{
    static const int own[BIOHEAT_AXES] = {BIOHEAT_Z, BIOHEAT_Y, BIOHEAT_X};
    const struct bioheat_order *order = &grid->frame.order;
    const bool fits_image = fits(grid, file, order->from), fits_grid = fits(grid, file, own);
    *is_turned = fits_image && order->is_default;
    if (fits_image && !order->is_default)
        job_warn(job, key,
                 "is missing: %s states no positions; its cells are taken in the order of the labels' file, "
                 "ascending x, y, z; \"image\": in that of the image from which that file was made",
                 file->path);
    if (fits_image || fits_grid || !file->is_moved)
        return STATUS_OK; // a file that does not fit is refused later, unless it was moved
    return job_fail(job, key,
                    "is missing: %s does not say which way its axes run: \"image\": as the voxels i, j, k of "
                    "the image of the labels, and source.pressure.origin is the position of its first; "
                    "\"ascending\": to the right, to the front, up",
                    file->path);
}

enum status bioheat_order_settle(const struct job *job, const char *key, const struct bioheat_grid *grid,
                                 const struct order_file *file, bool *is_turned, struct volume_turn *turn)
{
    const struct bioheat_order *order = &grid->frame.order;
    const char *word = job_has(job, key) ? job_string(job, key) : NULL;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        turn->from[axis] = axis;
        turn->is_reversed[axis] = false;
    }
    *is_turned = false;
    if (file->is_placed && word)
        return job_fail(job, key, "has no effect: %s states its positions", file->path);
    if (file->is_placed && !file->is_image && grid->frame.is_tilted)
        job_warn(job, key,
                 "%s states positions along x, y, z, but no affine: they are taken for distances along the "
                 "tilted slices of the labels' image",
                 file->path);
    if (file->is_placed || !order->is_reordered)
        return STATUS_OK;
    if (word)
        *is_turned = strcmp(word, "image") == 0;
    else
        CHECK(choose(job, key, grid, file, is_turned));
    for (int axis = 0; axis < BIOHEAT_AXES && *is_turned; axis++) {
        turn->from[axis] = order->from[axis];
        turn->is_reversed[axis] = order->is_reversed[axis];
    }
    tell(key, grid, file, *is_turned);
    return STATUS_OK;
}

enum status bioheat_order_turn(const struct job *job, const char *key, const struct bioheat_grid *grid,
                               struct volume *volume)
{
    const struct volume_info *info = volume_info(volume);
    const bool is_image = volume_is_image(volume);
    struct order_file file = {
        .path = info->path, .variable = info->variable, .is_placed = volume_is_placed(volume)};
    struct volume_turn raw, turn;
    bool is_turned;
    if (file.is_placed && is_image)
        file.is_image = true;
    volume_order(volume, &raw);
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) { // an image has them in the order of its directions
        const int from = is_image ? raw.from[axis] : axis;
        file.cells[from] = info->cells[axis];
        file.spacing_m[from] = info->has_spacing[axis] ? info->spacing_m[axis] : NAN;
    }
    CHECK(bioheat_order_settle(job, key, grid, &file, &is_turned, &turn));
    if (is_turned || (is_image && !file.is_placed))
        volume_turn(volume, &turn);
    return STATUS_OK;
}
