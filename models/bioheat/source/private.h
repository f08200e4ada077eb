// Shared by models/bioheat/source/*.c alone: see source.h.
#ifndef FATHOM_MODELS_BIOHEAT_SOURCE_PRIVATE_H
#define FATHOM_MODELS_BIOHEAT_SOURCE_PRIVATE_H

#include "io/formats/pressure_file.h"
#include "io/job/units.h"
#include "io/netcdf/dataset.h"
#include "io/netcdf/field_file.h"
#include "io/path.h"
#include "models/bioheat/body/domain.h"
#include "models/bioheat/source/axis.h"
#include "models/bioheat/source/protocol.h"
#include "models/bioheat/source/source.h"

struct cJSON;

enum { SOURCE_WHERE_BYTES = 512, SOURCE_SLOTS_MAX = 4, SOURCE_FILES_MAX = 48, SOURCE_OLD_PLANES = 3 };

// Where heat goes: into tissue whose temperature is solved; into tissue in a layer of a fixed face, where it
// warms nothing; into cells that are void or of fixed temperature.
enum source_place {
    SOURCE_INSIDE = BIOHEAT_GIVEN_SOLVED,
    SOURCE_IN_LAYER = BIOHEAT_GIVEN_LAYERS,
    SOURCE_UNSOLVED = BIOHEAT_GIVEN_UNSOLVED,
    SOURCE_PLACES = BIOHEAT_GIVEN
};

// Heat by place (J), and by how much it would warm or cool a cell at most if nothing carried it away (K); or
// the same a second (W, K/s). What warms and what cools are counted apart, both as positive numbers: cooling
// must not make the part of the heating small that is lost. Of unsolved cells no rise is counted. hottest:
// the cell inside of that rise, or -1 - z: in plane z (of a stream).
enum { SOURCE_RISES = SOURCE_IN_LAYER + 1 };
struct source_heat {
    double heat[SOURCE_SIGNS][SOURCE_PLACES], rise[SOURCE_SIGNS][SOURCE_RISES], hottest[SOURCE_SIGNS];
};

// A factor over time.
struct source_time {
    char name[JOB_PART_NAME_MAX + 1]; // "" of a plain number
    char where[SOURCE_WHERE_BYTES];   // "JOB: source.tables.NAME"
    char path[PATH_BYTES];            // of a table's file, or ""
    enum { SOURCE_CONSTANT, SOURCE_TABLE, SOURCE_PULSES } kind;
    bool is_used;
    double constant;
    // As the job gives it, and as it acts in steps of the last length that it was fitted to: the same, or
    // with the mean power of the pulses throughout each train (is_averaged; pulses.c).
    struct protocol given, protocol;
    bool is_planned, is_averaged; // planned: in the planner's words, its trains last train_s
    double train_s;
    struct source_axis axis;  // of a table; its times are times_s
    double *times_s, *values; // owned
};

// The cells of a pressure's file along one axis of the domain: of cell k, the two whose values are
// interpolated are low[k] and the next, with the weight of the latter. SIZE_MAX: none, the file ends before.
struct source_pressure_axis {
    size_t *low;
    double *weight;
};

// A pressure field, from which heat is made: Q = heat[label] p².
struct source_pressure {
    struct pressure_file *file;
    struct bioheat_domain *domain;
    double frequency_hz, to_pa;
    bool is_rms, is_zero_outside, is_interpolated;
    bool is_turned, is_reversed[BIOHEAT_AXES]; // to the grid's order, from that of the labels' file
    double heat[BIOHEAT_LABELS];      // W m-3 of a pressure of 1 Pa, of the file's kind; 0: takes no heat
    double impedance[BIOHEAT_LABELS]; // ρc, Pa s/m; 0: takes no heat
    struct source_pressure_axis axes[BIOHEAT_AXES]; // owned
    double *planes;                                 // of the plan, or of the survey: source_pressure_doubles
    size_t held[2]; // which planes of the file lie in the first two; SIZE_MAX: none
    // Of the first pass, before scaling, by label; and of all.
    double peak_pa[BIOHEAT_LABELS], power_w[BIOHEAT_LABELS]; // amplitude
    double unsolved_pa[BIOHEAT_LABELS];                      // the same of labels that take no heat
    size_t peak_cell[BIOHEAT_LABELS], outside_cells;
    struct source_heat heat_w;         // of all tissue, a second
    double factor;                     // of the pressure, by scale_to
    double largest_factor, duty_cycle; // of the heat over time (sound.c)
    char scaled_to[96];                // "", or what it was scaled to
};

// A field that keeps its shape.
struct source_map {
    char name[JOB_PART_NAME_MAX + 1];
    char where[SOURCE_WHERE_BYTES], path[PATH_BYTES];
    struct field_file *file;
    struct source_time *amplitude, constant; // either one of the heating's, or &constant
    struct source_pressure *pressure;        // or NULL; then there is no `file`; owned
    void *scratch;                           // of the plan
    struct bioheat_power power;              // of the survey, per unit of the amplitude
    bool is_surveyed;
    struct source_heat heat_w; // the same of all cells; not of a pressure
    bool has_means;            // the file's values are means of cells, not those of middles
    void *old_planes;          // of the plan, if so: SOURCE_OLD_PLANES [y][x]
};

// Points or boxes: their values over time.
struct source_rows {
    char where[SOURCE_WHERE_BYTES]; // "JOB: source.points"
    const char *key, *noun;         // "source.points", "point"
    size_t places;
    bool has_numbers; // of cells, not positions
    struct source_axis axis;
    double *times_s; // owned
    // [records][places], W m-3 or J m-3, owned: from the job; of a file from the survey to the plan, else
    // NULL.
    double *given;
    char path[PATH_BYTES];
    struct dataset *dataset;
    const struct dataset_variable *variable;
    struct netcdf_packing packing;
    double file_scale; // of the file's values to W m-3 or J m-3
    double *values;    // [records][places]: `given`, or of the plan; W m-3 or J m-3
    double *numbers;   // SOURCE_LISTED_NUMBERS of each place, owned
};

// A layer of a streamed field. It holds a piece: a record of the file, or the mean of a step where records
// are closer than steps.
struct source_slot {
    struct bioheat_heating *heating;
    int64_t piece;  // −1: none
    bool is_handed; // passed to the solver
    bool is_ordered;
    struct pipeline_order order;
    struct field_fault fault;
    double fault_time_s;
};

// Of a piece in one plane: where its record acts alone; and along the line that leads to it from the piece
// before, as a mean over the part of this line that lies in the run. If heat may be lost, else 0.
struct source_piece {
    struct source_heat alone, line;
    double size_w_m3;   // largest absolute value of a record
    double change_w_m3; // its largest difference from the record before; of a mean: missed_w_m3 (streamed.c)
};

// Of a plane in all steps so far: heat (J), rises (K), and the largest heat that a step has missed.
struct source_plane {
    struct source_heat heat_j;
    double missed_j_m3;
};

struct source_stream {
    char where[SOURCE_WHERE_BYTES], path[PATH_BYTES];
    struct field_file *file;
    struct source_axis axis;
    double *times_s; // owned
    double amplitude;
    bool is_in_memory, is_averaged;
    bool is_compared; // steps of the run may miss heat: how far records differ must be known
    int first_layer, slot_count;
    int64_t first_piece, end_piece; // of the run
    // Of the plan
    void *scratch, *record;       // record: a slab of one, in the run's precision, where records are averaged
    double *sum;                  // the same, of the mean
    void *all;                    // [pieces][z][y][x], if held in memory
    size_t slab_planes;           // of record and sum
    struct source_piece *piece_w; // of each layer (in memory: of each piece) and own plane
    struct source_plane *planes;  // own
    double *low, *high;           // of means: a slab of the least and the largest power in the step
    // If some of its heat may be lost, of means: slabs of their positive and negative parts, of each line
    // between two records; and of the record before.
    double *parts[SOURCE_SIGNS];
    void *record_before;
    int64_t last_read; // piece, on the I/O thread; -1: none
    // While running
    struct source_slot slots[SOURCE_SLOTS_MAX];
    int64_t next_piece; // to be ordered
    struct pipeline *pipeline;
    struct bioheat_layer_user user;
    double stall_s, read_s, bytes_read; // waited by the run; in the file; both of this leg of the run
    int64_t pieces_read;
};

struct bioheat_heating {
    const struct bioheat_grid *grid;
    struct bioheat_domain *domain; // NULL: all cells are tissue
    enum element precision;
    size_t first_index; // of lists of cells
    struct source_time *times;
    size_t time_count;
    struct source_map *maps;
    int map_count;
    struct source_rows points, boxes;
    size_t (*point_cells)[BIOHEAT_AXES];
    size_t *point_firsts; // of each point, the first of the list in the same cell: their heat adds up
    double *point_sums;   // [points], to add them up
    struct bioheat_box *box_cells;
    struct source_stream *stream;
    struct bioheat_source source;
    void *layers[BIOHEAT_LAYERS_MAX];
    double start_s, step_s;
    int64_t steps;
    // Over the run: of all but a stream; of the stream, once the run has ended.
    struct source_heat known_j, streamed_j;
    bool has_points_in_layers; // that warm them
    bool has_streamed;
    double warming[BIOHEAT_LABELS]; // K of 1 J/m3; 0: not tissue
    // From bioheat_heating_allow on: the ripple that mean power may hide; 0: pulses are always shared.
    double ripple_k, heat_j_m3_k;
};

// Cells in this rank's memory, and the number of the first.
static inline size_t heating_cells(const struct bioheat_heating *heating)
{
    const struct bioheat_planes held = bioheat_held(heating->grid);
    return (held.end - held.first) * heating->grid->cells[BIOHEAT_Y] * heating->grid->cells[BIOHEAT_X];
}

static inline size_t heating_first_cell(const struct bioheat_heating *heating)
{
    return bioheat_held(heating->grid).first * heating->grid->cells[BIOHEAT_Y] *
           heating->grid->cells[BIOHEAT_X];
}

// layers.c: whether there are cells in which heat is lost.
bool source_may_lose(const struct bioheat_heating *heating);
// Of a cell of tissue.
enum source_place source_place_of(const struct bioheat_grid *grid, const size_t cell[BIOHEAT_AXES]);
// How far 1 J/m3 warms each cell of a plane (K; 0: not tissue), between the domain's survey and the plan.
// Opened, read by planes, closed.
struct source_tissue {
    double *warming, *planes;
};
enum status source_tissue_open(const struct bioheat_heating *heating, struct source_tissue *tissue);
enum status source_tissue_read(const struct bioheat_heating *heating, struct source_tissue *tissue, size_t z);
void source_tissue_close(struct source_tissue *tissue);
// Power densities of cells in the order of their index, of which the mean along a line from the record
// `before` counts (NULL: the value), those that warm and those that cool apart; or both parts of a mean, as
// given. And how far 1 J/m3 warms a cell: an array; or a table by the cell's code; or from full fields; all
// NULL: as water.
struct source_cells {
    enum element real;
    const void *values, *before;
    struct source_line line;
    const double *parts[SOURCE_SIGNS]; // in place of values; or NULL
    const double *warming;
    const uint8_t *codes;
    const double *by_code;
    const struct bioheat_media *media;
    enum element media_real;
};
// Adds plane z, whose first cell is number `first` of the arrays, to a sum.
void source_add_plane(const struct bioheat_grid *grid, const struct source_cells *cells, size_t z,
                      size_t first, struct source_heat *sum);
// Adds a term to a sum, times the positive and the negative part of its factor. Rises of layers add up, an
// upper bound; of those inside the larger counts, a lower bound, unless both are of the same cell: so the
// layers' part of the heat is not made small.
void source_heat_add(struct source_heat *sum, const struct source_heat *term,
                     const double factors[SOURCE_SIGNS]);
// survey.c: reads the map once.
enum status source_map_survey(struct bioheat_heating *heating, struct source_map *map);
// streamed.c: what is known of a piece of the stream when it has been read; of a mean, whose slabs have
// `count` planes from z on.
enum status source_streamed_plan(struct bioheat_heating *heating, struct memory_plan *plan);
void source_streamed_prepare(struct bioheat_heating *heating);
void source_streamed_read(struct bioheat_heating *heating, int64_t piece, const void *values);
void source_streamed_read_mean(struct bioheat_heating *heating, int64_t piece, size_t z, size_t count);
// Of a mean, while its records are read: clears its slabs; adds record k of the window, `planes` whole planes
// of which are in the stream's slab.
void source_streamed_begin_mean(struct bioheat_heating *heating, const struct source_window *window,
                                size_t planes);
void source_streamed_add_record(struct bioheat_heating *heating, const struct source_window *window, size_t k,
                                size_t planes);

// maps.c: planes of a record into their places of a field whose plane 0 is, or would be, at `values`.
bool source_planes_read(const struct bioheat_heating *heating, struct field_file *file, size_t record,
                        struct bioheat_planes planes, void *values, void *scratch, struct field_fault *fault);

// time.c: protocols and tables of the job; then the value of a key, a number or one of their names.
enum status source_times_read(struct bioheat_heating *heating, const struct job *job);
enum status source_amplitude_read(struct bioheat_heating *heating, const struct job *job, const char *key,
                                  struct source_time *constant, struct source_time **amplitude);
enum status source_time_fit(const struct bioheat_heating *heating, struct source_time *time);
double source_time_mean(const struct source_time *time, int64_t step, double start_s, double step_s);
// The largest value, and the part of it that is the mean over a period of the innermost level (1 without one;
// NaN of a table).
double source_time_largest(const struct source_time *time);
double source_time_duty(const struct source_time *time);
void source_time_free(struct source_time *time);

// pulses.c: whether a protocol is in the planner's words; reads it.
bool source_pulses_are_given(const struct job *part);
enum status source_pulses_read(const struct job *part, struct source_time *time);
// Settles how it acts in steps of this length: each has the part of the pulses that lies in it. Their mean
// power throughout each train takes its place where steps hold whole pulses and more, and the ripple that
// this hides is within what is allowed: no beat of steps and pulses appears. Any protocol; may be repeated.
void source_pulses_fit(const struct bioheat_heating *heating, struct source_time *time, double step_s);
// The ripple (J/m³) that mean power hides or would hide: an upper bound; 0 without pulses. Of all that do:
double source_pulses_ripple_j_m3(const struct bioheat_heating *heating, const struct source_time *time);
double source_pulses_hidden_j_m3(const struct bioheat_heating *heating);
void source_pulses_describe(const struct bioheat_heating *heating, struct cJSON *source);

// last.c, after source_axis_fit: STATUS_CONFIGURATION if the last record is not 0 and would act for no time.
enum status source_last_check_table(const struct source_time *time, int64_t steps);
enum status source_last_check_rows(const struct source_rows *rows, int64_t steps);
enum status source_last_check_stream(const struct bioheat_heating *heating, int64_t steps);

// The keys before_start and after_end.
void source_beyond_read(const struct job *job, const char *before, const char *after,
                        struct source_axis *axis);

// maps.c
enum status source_maps_read(struct bioheat_heating *heating, const struct job *job);
enum status source_maps_plan(struct bioheat_heating *heating, struct memory_plan *plan);
enum status source_maps_prepare(struct bioheat_heating *heating);
// means.c: means of cells to the values of their middles, to fourth order, in place; `old` holds
// SOURCE_OLD_PLANES planes.
void source_means_to_middles(const struct bioheat_grid *grid, enum element precision, void *values,
                             void *old);
struct source_field_keys {
    const char *file, *variable, *units, *axes;
};
// Opens a field and checks its shape and units; *is_energy (NULL: power only) reports J m-3. The job
// is the override's.
enum status source_field_open(const struct bioheat_heating *heating, const struct source_field_keys *keys,
                              struct units_override *override, bool has_records, bool *is_energy,
                              char path[PATH_BYTES], struct field_file **file);
// units.c: *scale to W m-3, or to J m-3; *is_energy as above. STATUS_DATA for other units, and for
// those of a pressure.
enum status source_units_read(const char *units, bool *is_energy, double *scale);
// Whether it is a pressure's unit, which converts to J m-3.
bool source_units_are_pressure(const char *units);
// *scale to Pa. STATUS_DATA: no pressure's unit, such as J m-3, which has its dimension, or dB.
enum status source_units_read_pressure(const char *units, double *scale);

// pressure.c: the job's pressure, the last of the maps. `domain` NULL: refused.
enum status source_pressure_read(struct bioheat_heating *heating, const struct job *job,
                                 struct bioheat_domain *domain);
void source_pressure_free(struct source_pressure *pressure); // NULL: does nothing
// At the factor 1 of the heat, once it is scaled.
struct source_heat source_pressure_heat_w(const struct source_pressure *pressure);
void source_pressure_describe(const struct bioheat_heating *heating, const struct source_map *map,
                              struct cJSON *item);
// source_pressure_read.c. Numbers of its planes: two of the file, one for its order, one of the domain's
// cells.
size_t source_pressure_doubles(const struct bioheat_heating *heating, const struct source_pressure *pressure);
enum status source_pressure_map_axes(const struct bioheat_heating *heating, const struct job *job,
                                     struct source_pressure *pressure);
// The pressure (Pa, of the file's kind) at the cells of plane z: in ascending order of z, each plane of the
// file is read once. NaN outside the file. STATUS_DATA: missing, non-finite, negative, or beyond 1 GPa.
enum status source_pressure_plane(const struct bioheat_heating *heating, struct source_pressure *pressure,
                                  size_t z, const double **values);
// Memory for its planes, before the plan; and back.
enum status source_pressure_hold(const struct bioheat_heating *heating, struct source_pressure *pressure);
void source_pressure_let_go(struct source_pressure *pressure);
// Bytes of a plane of labels, so that doubles may follow.
static inline size_t source_label_bytes(size_t cells)
{
    return (cells + 7) / 8 * 8;
}
// Heat of plane z (W m-3) into `heat` [y][x] of the run's precision.
enum status source_pressure_heat(const struct bioheat_heating *heating, struct source_pressure *pressure,
                                 size_t z, const uint8_t *labels, void *heat);

// sound.c: the largest factor of the heat, once its amplitude is read. Then checks the amplitude that
// results: STATUS_CONFIGURATION above 1 GPa; warns where it is hardly one of ultrasound in tissue.
void source_sound_settle(struct source_map *map);
enum status source_sound_check(const struct job *job, const struct source_map *map);

// rows.c: values and times. places.c: where.
enum status source_points_read(struct bioheat_heating *heating, const struct job *job);
enum status source_boxes_read(struct bioheat_heating *heating, const struct job *job);
enum status source_rows_read(struct source_rows *rows, const struct job *job);
// Of a file: reads all rows into `given`, which source_rows_plan lets go. As for source_rows_read_row.
enum status source_rows_survey(struct source_rows *rows);
enum status source_rows_plan(struct source_rows *rows, struct memory_plan *plan);
enum status source_rows_prepare(struct source_rows *rows);
// A row of a file; before the plan too. STATUS_DATA: missing or non-finite.
enum status source_rows_read_row(const struct source_rows *rows, size_t row, double *values);
void source_rows_means(const struct source_rows *rows, int64_t step, double *amplitudes);
void source_rows_free(struct source_rows *rows);

// missed.c: within step `step` of the length `step_s`, the largest difference, at any time, between
// the heat given off since the step's start and that of the step's mean power (J/m³): an upper bound where
// terms overlap. 0 where no term changes.
bool source_is_steady(const struct bioheat_heating *heating, int64_t step);
double source_missed_j_m3(const struct bioheat_heating *heating, int64_t step, double step_s);
// The part of tables and rows, at little cost: of their records.
double source_missed_listed_j_m3(const struct bioheat_heating *heating, int64_t step);
enum { SOURCE_LISTED_NUMBERS = 4 };

// repeats.c: the periods of all protocols as they act in steps of this length, the longest first, and the
// blocks of steps that are alike, or (is_exact false) have every place of a period in a step between them.
enum { SOURCE_PERIODS_MAX = 64 };
struct source_period {
    double period_s, steps;
    bool is_exact;
};
struct source_repeats {
    double step_s;
    struct source_period periods[SOURCE_PERIODS_MAX];
    size_t count;
};
void source_repeats_find(const struct bioheat_heating *heating, double step_s,
                         struct source_repeats *repeats);
// Whether the steps from `step` on, before `end`, are so many blocks, at least 3, worth leaving out; of the
// periods from number `first` on. Within a block those from `next` on may repeat. Besides pulses all terms
// are constant or straight lines there: of sums of absolute values the first block or the last is largest.
struct source_repeat {
    size_t next;
    int64_t steps, times;
};
bool source_repeats_at(const struct bioheat_heating *heating, const struct source_repeats *repeats,
                       size_t first, int64_t step, int64_t end, struct source_repeat *found);

// stream.c: its file. ring.c: during the run.
enum status source_stream_read(struct bioheat_heating *heating, const struct job *job);
enum status source_stream_plan(struct bioheat_heating *heating, struct memory_plan *plan);
enum status source_stream_prepare(struct bioheat_heating *heating);
// Whether its amplitudes change only where it is switched: stepwise, with times, at most one of them in a
// step. NULL is no stream.
bool source_stream_is_switched(const struct source_stream *stream);
void source_stream_means(const struct bioheat_heating *heating, int64_t step, double *amplitudes);
// Pieces first … end − 1 act in a step.
void *source_stream_piece(const struct bioheat_heating *heating, int64_t piece);
void source_stream_pieces(const struct source_stream *stream, int64_t step, int64_t *first, int64_t *end);
// Reads a piece; false: see fault. On the I/O thread.
bool source_stream_read_piece(struct bioheat_heating *heating, int64_t piece, void *values,
                              struct source_slot *slot);
enum status source_stream_fail(const struct source_stream *stream, const struct source_slot *slot);
void source_stream_free(struct source_stream *stream);

#endif
