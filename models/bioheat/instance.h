// A heat run: parameters, media, heating, solver and results. Private to models/bioheat.
#ifndef FATHOM_MODELS_BIOHEAT_INSTANCE_H
#define FATHOM_MODELS_BIOHEAT_INSTANCE_H

#include "core/statistics.h"
#include "io/formats/nifti_place.h"
#include "models/bioheat/body/frame.h"
#include "models/bioheat/carried.h"
#include "models/bioheat/chain.h"
#include "models/bioheat/params.h"
#include "models/bioheat/source/source.h"
#include "models/bioheat/tables.h"
#include "models/check.h"
#include "models/instance.h"
#include "models/model.h"
#include "parallel/sums.h"

#include <math.h>

struct cJSON;

// Scratch rows of a thread: θ; dose, largest rise, its time; the same of the reference.
enum { BIOHEAT_ROW_BUFFERS = 8, BIOHEAT_SENSOR_FRAME = 64 };

enum bioheat_stream {
    BIOHEAT_STREAM_FIELDS,
    BIOHEAT_STREAM_SENSORS,
    BIOHEAT_STREAM_DIAGNOSTICS,
    BIOHEAT_STREAM_MAXIMA,
    BIOHEAT_STREAM_STATE,
    BIOHEAT_STREAM_HISTOGRAMS,
    BIOHEAT_STREAM_KINDS
};

// A record of diagnostics.nc: the back end's values, and the position of the largest temperature (m).
enum {
    BIOHEAT_DIAGNOSTIC_X = BIOHEAT_DIAGNOSTICS,
    BIOHEAT_DIAGNOSTIC_Y,
    BIOHEAT_DIAGNOSTIC_Z,
    BIOHEAT_DIAGNOSTIC_VALUES
};

// The exposure of the cells of one label at the end of the run. exposure.c compares it with the limits.
struct bioheat_exposure {
    uint64_t cells;
    double largest_c, largest_at_s, largest_dose_min, largest_second_min; // NaN: not recorded
    size_t warmest[BIOHEAT_AXES], most_dosed[BIOHEAT_AXES];
    double lesion_m3;
    uint64_t hot_cells; // above 43 °C at any step
};

struct bioheat_exposures {
    bool is_known;
    struct bioheat_drained drained;
    double believed_k_m[BIOHEAT_SIDES]; // the gradient at convective faces that are believed (drained.c)
    // Of faces that carry off heat: the coldest that a layer, or what is outside, is kept at; NaN: none.
    double coldest_k[BIOHEAT_SIDES];
    bool has_perfusion;                         // some tissue
    struct bioheat_exposure of[BIOHEAT_LABELS]; // by label; full fields: all cells as label 0
};

// The labels in use, numbered from 0: slots of tables. Full fields: one slot, label 0.
struct bioheat_slots {
    int count;
    uint8_t labels[BIOHEAT_LABELS], slot_of[BIOHEAT_LABELS];
    const char *names[BIOHEAT_LABELS]; // for histograms.nc
};

// Extremes of all records of the diagnostics, found by the run's watch; NaN: no record, or no such value.
// They do not include extremes between two records.
struct bioheat_extremes {
    double largest_c, largest_at_s, smallest_c, hot_volume_m3, largest_dose_min, lesion_volume_m3;
};

// Temperatures beyond the range of the model.
struct bioheat_warnings {
    int64_t is_hot, is_cold; // 1: a warning was given
};

struct bioheat {
    struct instance base;
    struct bioheat_params params;
    const struct bioheat_media *media;
    struct bioheat_heating *heating;
    struct bioheat_chain *chain; // an earlier exposure, or NULL
    const struct bioheat_backend *backend;
    struct bioheat_setup setup, check_setup;
    struct share *shares; // of the planes among ranks, owned; NULL: one rank
    size_t halo;          // planes of each neighbour
    struct bioheat_physics check_physics;
    int64_t steps;
    double step_s, start_s;
    int threads, batch_steps;
    size_t terms;
    // Arrays of the plan
    double *amplitudes;              // [batch_steps][terms]
    double *last_amplitudes;         // [terms], of one step
    double *amplitudes_before;       // [terms], of the step before a batch
    double *rows;                    // [threads][BIOHEAT_ROW_BUFFERS][nx]
    double *layers_k[BIOHEAT_SIDES]; // θ that fixed faces keep beside the cells inside; NULL: not fixed
    double *sums;                    // of the block sums: heat, hot, lesion; power
    double *heated_cells;            // [points], then [boxes]: how many cells of each are heated
    double *sensor_parts;            // [sensor][corner][value]: what ranks have of them; of a divided run
    // Of a divided run whose records the back end makes, this rank's parts of sensors and diagnostics:
    // [PIPELINE_FRAME_SLOTS][records of a frame]
    void *result_parts[BIOHEAT_RESULTS];
    struct rank_sum heat, hot, lesion, power;
    // A layer's sum over the cells that it heats (W per unit of amplitude)
    struct {
        const void *values; // NULL: not known
        double total_w;
    } layer_totals[BIOHEAT_LAYERS_MAX];
    char details[768];              // for users, mostly ""
    struct bioheat_cut cut;         // the part of the source's plan that the run covers
    char dropped[600];              // why else it is not judged as passed; or ""
    char reasons[640];              // the sum in state.nc, in words
    int lacks;                      // enum bioheat_lack, but for the temperatures
    struct bioheat_carried carried; // of this run and those before it; the heat of a stream at the end
    double layers_start_c; // hottest tissue at the start in layers of fixed faces; NaN: not looked for
    // Streams
    struct stream streams[BIOHEAT_STREAM_KINDS];
    struct nifti_place place, crop_place; // of the grid, and of the fields' part, in the image it came from
    double axes_to_scanner[3][4];         // rows x, y, z of (x, y, z, 1) of the axes, m
    double *axes[BIOHEAT_AXES], *crop_axes[BIOHEAT_AXES]; // coordinates of cells (m), owned
    double *sensor_constants;                             // owned
    const char **sensor_texts;                            // owned
    struct bioheat_sensor_place *sensor_places;           // owned
    double power_w[PIPELINE_FRAME_SLOTS];                 // of the diagnostics' frames under way
    // Results
    double first[BIOHEAT_DIAGNOSTIC_VALUES], last[BIOHEAT_DIAGNOSTIC_VALUES];
    bool has_first;
    struct bioheat_exposures exposures;
    struct bioheat_slots tissues;
    struct bioheat_marks marks;
    struct bioheat_volumes volumes;
    struct bioheat_extremes extremes;
    struct bioheat_warnings warnings;
    // The check
    bool is_checking;
};

// The precision of the solver's state; media and layers are in the setup's.
static inline enum element bioheat_real(const struct bioheat *b)
{
    return b->params.body.precision;
}

static inline enum bioheat_role bioheat_role_at(const struct bioheat *b, uint64_t index)
{
    return bioheat_role_in(b->media, bioheat_real(b), index);
}

static inline double bioheat_heat_capacity_at(const struct bioheat *b, uint64_t index)
{
    const struct bioheat_media *m = b->media;
    return m->has_labels ? m->table[(*m->labels)[index]].heat_capacity_j_m3_k
                         : element_get(bioheat_real(b), *m->heat_capacity, index);
}

static inline int bioheat_tissue_slot(const struct bioheat *b, uint64_t index)
{
    return b->media->has_labels ? b->tissues.slot_of[(*b->media->labels)[index]] : 0;
}

// θ (K) of plane z at the start, before the plan; `context` is the struct bioheat.
enum status bioheat_read_start(void *context, size_t z, double *theta_k);

// A thread's scratch row of nx doubles.
double *bioheat_row_buffer(const struct bioheat *b, int which);

// The centre of a cell as text, x first: "(12.5, 3, -4) mm", and of an image " (scanner, RAS+)".
enum { BIOHEAT_PLACE_BYTES = 128 };
const char *bioheat_place(const struct bioheat_grid *grid, const size_t cell[BIOHEAT_AXES],
                          char text[BIOHEAT_PLACE_BYTES]);

// output_streams.c: adds the streams to the plan; plans the results of a back end with a memory of its own.
enum status bioheat_output_plan(struct bioheat *b, struct model_plan *plan);
enum status bioheat_results_plan(struct bioheat *b, struct memory_plan *memory);
void bioheat_output_free(struct bioheat *b);

// output_nifti.c: images of the finished results. After the streams are planned; of struct model's
// list_products and write_products.
enum status bioheat_images_plan(struct bioheat *b, struct model_plan *plan);
void bioheat_images_list(const struct bioheat *b, struct cJSON *names);
enum status bioheat_images_write(void *instance, const char *directory, struct cJSON *names);
// Name and long name of the variable of a second dose, by its definition.
extern const char *const bioheat_second_dose_texts[][2];

// output.c. As core/run.h has them.
enum status bioheat_capture(void *context, int64_t step, const struct frame *frame);
enum status bioheat_send(void *context, const struct frame *frame);
enum status bioheat_await(void *context, const struct frame *frame);

// sensors.c
enum status bioheat_sensors_plan(struct bioheat *b);
enum status bioheat_sensors_plan_parts(struct bioheat *b, struct memory_plan *memory);
// Once the media are in memory.
enum status bioheat_sensors_settle(struct bioheat *b);
// Sensors in air have no values: of a record of the stream, in place.
void bioheat_sensors_leave_out(const struct bioheat *b, void *record);
enum status bioheat_capture_sensors(struct bioheat *b, int64_t step, void *record);
// Of a divided run whose records the back end makes (solver.h): the bytes of a record's part, and the frame's
// records from the parts of all ranks. join: by the I/O threads of all ranks.
size_t bioheat_sensors_part_bytes(const struct bioheat *b);
enum status bioheat_sensors_join(struct bioheat *b, double *parts, const struct frame *frame);
void bioheat_sensors_describe(const struct bioheat *b, struct cJSON *report);

// power.c: power of the source during a step (W). layer_changed: its values were replaced.
enum status bioheat_power_plan(struct bioheat *b, struct memory_plan *memory);
enum status bioheat_power_start(struct bioheat *b);
void bioheat_power_layer_changed(struct bioheat *b, int layer);
enum status bioheat_power_find(struct bioheat *b, int64_t step, double *power_w);

// diagnostics.c
// Blocks of a sum of which this rank has elements, and this rank's elements of one of them.
size_t bioheat_block_count(const struct rank_sum *sum);
void bioheat_block_range(const struct rank_sum *sum, size_t block, uint64_t *first, uint64_t *end);
enum status bioheat_diagnostics_plan(struct bioheat *b, struct memory_plan *memory);
enum status bioheat_diagnose(struct bioheat *b, int64_t step, double values[BIOHEAT_DIAGNOSTIC_VALUES]);
// Of a record that the back end makes (solver.h): its bytes, of a divided run those of a part; and the record
// from the parts of all ranks, but for the source's power. join: by the I/O threads of all ranks.
size_t bioheat_diagnostics_bytes(const struct bioheat *b);
enum status bioheat_diagnostics_join(const struct bioheat *b, void *parts,
                                     double values[BIOHEAT_DIAGNOSTIC_VALUES]);
// Computes the positions; warns of temperatures beyond the model; STATUS_DATA: below absolute zero.
enum status bioheat_diagnostics_complete(struct bioheat *b, double values[BIOHEAT_DIAGNOSTIC_VALUES],
                                         double time_s);
enum status bioheat_guard(void *context, int64_t step);
// STATUS_DATA, with the position and the time in the message, if a value is not finite.
enum status bioheat_judge(const struct bioheat *b, const struct bioheat_nonfinite *found);

// exposure.c: the exposure of each tissue, from the state at the end.
// Adds to why the run is not judged as passed.
void bioheat_drop(struct bioheat *b, enum bioheat_lack lack, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum status bioheat_exposure_find(struct bioheat *b, int64_t step);
void bioheat_exposure_log(void *instance);
void bioheat_exposure_describe(const struct bioheat *b, struct cJSON *report);
// The temperature that passes by itself (degC).
double bioheat_exposure_level_c(const struct bioheat *b);
// Name of a label's tissue; "all cells" of full fields.
const char *bioheat_tissue_name(const struct bioheat *b, int label);
// Largest temperature and dose of all tissues, over all steps; NaN: not recorded.
double bioheat_exposure_largest_c(const struct bioheat *b, double *at_s);
double bioheat_exposure_largest_dose_min(const struct bioheat *b);
double bioheat_exposure_largest_second_min(const struct bioheat *b);
// Volume of the tissue that was above 43 °C at any step (m³); NaN: not recorded.
double bioheat_exposure_hot_m3(const struct bioheat *b);
bool bioheat_exposure_exceeds(const struct bioheat *b); // the level of a tissue; after bioheat_exposure_find
// STATUS_CHECK_FAILED, with the tissues in the message, if the job requests a verdict and a tissue exceeds a
// level.
enum status bioheat_exposure_verdict(void *instance);

// mechanical.c: the mechanical index of source.pressure. Adds to "findings", and "mechanical_safety".
// The largest of the soft tissues, in this run and those before it; 0: none is known.
double bioheat_mechanical_index(const struct bioheat *b);
void bioheat_mechanical_log(const struct bioheat *b);
void bioheat_mechanical_describe(const struct bioheat *b, struct cJSON *report);
// `thermal`, or STATUS_CHECK_FAILED, the message added to its, if the job requests a verdict and the index
// exceeds its level.
enum status bioheat_mechanical_verdict(const struct bioheat *b, enum status thermal);

// marks.c: the table per exposure.
// STATUS_CONFIGURATION: more than BIOHEAT_EXPOSURES_MAX. After the heating's plan.
enum status bioheat_marks_plan(struct bioheat *b);
int bioheat_marks_checkpoint(struct bioheat *b, struct checkpoint_array *arrays);
// Takes the marks that are due at `step`, whose state is the present one. *next: the step of the next mark.
enum status bioheat_marks_take(struct bioheat *b, int64_t step, int64_t *next);
// Times of exposure k (s of the model's clock): beginning, end of the train, end.
void bioheat_marks_times(const struct bioheat *b, int exposure, double times_s[3]);
struct bioheat_marked bioheat_marks_of(const struct bioheat *b, int exposure, int slot);
// Adds "exposures"; products.c adds the sensors' part of it.
void bioheat_marks_describe(const struct bioheat *b, struct cJSON *report);
// Adds one tissue or sensor to a list of such a table, and reads it back. A value that is not known is left
// out (NaN); an infinite dose is null.
void bioheat_marked_add(struct cJSON *list, const char *kind, const char *name,
                        const struct bioheat_marked *m);
struct bioheat_marked bioheat_marked_read(const struct cJSON *item);

// histogram.c
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

// The distance of the hottest cell of all tissue from the target, and its label; NaN and −1: not known.
double bioheat_target_distance_m(const struct bioheat *b, int *label);
// Reports the target, and warns where the hottest cell lies far from it. Nothing without a target.
void bioheat_target_log(const struct bioheat *b);

// Adds "volumes", "target" and "distributions" (which the page of a batch makes percentiles of).
void bioheat_histogram_describe(const struct bioheat *b, struct cJSON *report);

// describe.c
void bioheat_describe(void *instance, struct cJSON *report);

// check.c
extern const struct check_operations bioheat_check;

#endif
