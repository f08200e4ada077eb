// The tissues at the beginning and the end of each exposure of a run, for the table per exposure. An exposure
// lasts from the start of a train of pulses (source.h) to the start of the next, or to the run's end.
// Independent of files.
#ifndef FATHOM_MODELS_BIOHEAT_MARKS_H
#define FATHOM_MODELS_BIOHEAT_MARKS_H

#include "core/status.h"
#include "core/stream.h"
#include "models/bioheat/source.h"

struct bioheat;
struct cJSON;

enum { BIOHEAT_EXPOSURES_MAX = 1000 };

// The tissue of a label at one moment: the largest over its cells of the temperature, of the largest
// temperature so far, and of each dose. NaN: not recorded.
struct bioheat_mark {
    double largest_c, so_far_c, dose_min, second_min;
};

// One tissue in one exposure. The peak is over every step if the largest temperature so far grew in it, else
// the larger of those at its beginning, at the end of its train and at its end.
struct bioheat_marked {
    double before_c, peak_c, after_c;
    double dose_min, second_min; // gained by the largest dose of the tissue
};

// Marks 2k, 2k + 1: beginning of exposure k, end of its train; the last: end of the run.
struct bioheat_marks {
    int exposures; // 0: no table is wanted
    int64_t taken; // in the checkpoint
    struct bioheat_trains trains;
    struct bioheat_mark *values; // [mark][slot], owned: run.json needs it after the arrays of the plan
};

// STATUS_CONFIGURATION: more than BIOHEAT_EXPOSURES_MAX. After the heating's plan.
enum status bioheat_marks_plan(struct bioheat *b);
int bioheat_marks_checkpoint(struct bioheat *b, struct checkpoint_array *arrays);
// Takes the marks that are due at `step`, whose state is the present one. *next: the step of the next mark.
enum status bioheat_marks_take(struct bioheat *b, int64_t step, int64_t *next);
// Times of exposure k (s of the model's clock): beginning, end of the train, end.
void bioheat_marks_times(const struct bioheat *b, int exposure, double times_s[3]);
struct bioheat_marked bioheat_marks_of(const struct bioheat *b, int exposure, int slot);
// Adds "exposures", with those of sensors if they are known (products.c).
void bioheat_marks_describe(const struct bioheat *b, struct cJSON *report);

#endif
