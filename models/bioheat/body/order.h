// The order of cells of a file that does not say which way its axes run. Independent of what it holds.
//
// A field without positions that accompanies a grid from an image is most probably an array of that image's
// voxels. So it is turned as the labels were, unless the key `axes` says that its axes ascend.
#ifndef FATHOM_MODELS_BIOHEAT_BODY_ORDER_H
#define FATHOM_MODELS_BIOHEAT_BODY_ORDER_H

#include "io/formats/volume.h"
#include "io/job/job.h"
#include "models/bioheat/body/media.h"

struct order_file {
    const char *path, *variable;
    size_t cells[BIOHEAT_AXES];     // as the file has them
    double spacing_m[BIOHEAT_AXES]; // NaN: it states none
    bool is_placed;                 // it has positions of its own
    bool is_image;                  // ... as an image or by its attributes; else by coordinates alone
    bool is_moved;                  // the job gives the position of its first cell
};

// Whether the file's cells are to be turned, and how; the choice is logged where it counts. `key`: such as
// "source.pressure.axes".
// STATUS_CONFIGURATION: the key has no effect, or is needed.
enum status bioheat_order_settle(const struct job *job, const char *key, const struct bioheat_grid *grid,
                                 const struct order_file *file, bool *is_turned, struct volume_turn *turn);

// The same for a volume (io/formats/volume.h), which is turned.
enum status bioheat_order_turn(const struct job *job, const char *key, const struct bioheat_grid *grid,
                               struct volume *volume);

#endif
