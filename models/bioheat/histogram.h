// Volumes of the tissues by what they got over the whole run: histograms of the largest temperature and of
// each dose, and the volumes beyond a few levels, in all tissue and in the target. Independent of files.
#ifndef FATHOM_MODELS_BIOHEAT_HISTOGRAM_H
#define FATHOM_MODELS_BIOHEAT_HISTOGRAM_H

#include "core/status.h"
#include "core/stream.h"

#include <stdint.h>

struct bioheat;
struct cJSON;

// Cumulative: the volume with a value of at least a threshold. Temperatures from 37 to 100 °C in steps of
// 0.5 K; doses from 1e-3 to 1e6 CEM43, ten a decade.
enum { HISTOGRAM_TEMPERATURES = 127, HISTOGRAM_DOSES = 91, HISTOGRAM_KINDS = 3 };
enum histogram_kind { HISTOGRAM_TEMPERATURE, HISTOGRAM_DOSE, HISTOGRAM_SECOND_DOSE };

// Levels of the volumes: 43 °C, 50 °C, 240 CEM43 of either dose.
enum bioheat_level { LEVEL_43_C, LEVEL_50_C, LEVEL_DOSE, LEVEL_SECOND_DOSE, LEVELS };

struct bioheat_volumes {
    // Owned, NULL: none. [slot][threshold]: first the cells whose value lies between this threshold and
    // the next, in the end those with at least the threshold.
    uint64_t *cells[HISTOGRAM_KINDS];
    double thresholds[HISTOGRAM_KINDS][HISTOGRAM_TEMPERATURES]; // °C, min
    uint64_t all[LEVELS], target[LEVELS], target_cells;
};

enum status bioheat_histogram_plan(struct bioheat *b);
// Whether the run has this kind, the number of its thresholds, and names for files and for people.
int bioheat_histogram_thresholds(enum histogram_kind kind);
const char *bioheat_histogram_name(enum histogram_kind kind);
double bioheat_histogram_m3(const struct bioheat *b, enum histogram_kind kind, int slot, int threshold);

// At the end of the run: begin, every cell of tissue, end.
void bioheat_histogram_begin(struct bioheat *b);
void bioheat_histogram_add(struct bioheat *b, const size_t cell[3], int slot, double largest_c,
                           double dose_min, double second_min);
void bioheat_histogram_end(struct bioheat *b);

// Static stream of histograms.nc, and its record.
enum status bioheat_histogram_stream(struct bioheat *b, struct stream *stream);
void bioheat_histogram_capture(const struct bioheat *b, double *record);

// Adds "volumes", "target" and "distributions" (which the page of a batch makes percentiles of).
void bioheat_histogram_describe(const struct bioheat *b, struct cJSON *report);

#endif
