// One tsunami run: parameters, the grid's arrays, its solver and what it writes. Private to models/tsunami.
#ifndef FATHOM_MODELS_TSUNAMI_INSTANCE_H
#define FATHOM_MODELS_TSUNAMI_INSTANCE_H

#include "core/statistics.h"
#include "models/check_record.h"
#include "models/model.h"
#include "models/tsunami/params.h"

enum { TSUNAMI_ROW_BUFFERS = 6, TSUNAMI_LINES = 8, TSUNAMI_GAUGE_REACH = 3, TSUNAMI_GAUGE_FRAME = 64 };

// What one look over the bathymetry's rows tells, before anything is reserved.
struct tsunami_survey {
    size_t wet_nodes;
    double deepest_m, shallowest_m;         // of the wet nodes
    double step_limit_s;                    // min over wet nodes of (spacing to a neighbour) / √(g d)
    double limit_x, limit_y, limit_depth_m; // where
};

// What conditioning did to the bathymetry.
struct tsunami_conditioning {
    size_t changed_nodes, steep_pairs_left;
    double largest_change_m, largest_x, largest_y;
};

enum tsunami_stream {
    STREAM_FIELDS,
    STREAM_GAUGES,
    STREAM_DIAGNOSTICS,
    STREAM_MAXIMA,
    STREAM_DEFORMATION,
    STREAM_KINDS
};

struct tsunami_diagnostics {
    double volume_m3; // of water above rest
    double energy_kinetic_j, energy_potential_j;
    double max_abs_eta_m, max_speed_m_s;
    double courant; // largest (|u| + c) Δt / spacing
};

struct tsunami {
    struct tsunami_params params;
    struct tsunami_survey survey;
    struct tsunami_conditioning conditioning;
    int64_t steps;
    double step_s, start_s;
    // Arrays of the plan
    double *x_storage, *y_storage, *cos_storage, *tan_storage, *coriolis_storage;
    double *depth_m;                // [ny][pitch], positive down; wet: > wall depth
    double *rows;                   // [threads][TSUNAMI_ROW_BUFFERS][nx]: scratch
    double *line;                   // [TSUNAMI_LINES][max(nx, ny)]: scratch of conditioning
    unsigned char *new_lines;       // [nx + ny] columns, rows: of conditioning
    float *displacement_m;          // [records][ny][nx]
    float *initial[TSUNAMI_FIELDS]; // [ny][nx]
    float *deformation_m;           // [ny][nx], uplift so far
    double *sums;                   // memory of the block sums
    struct block_sum volume, kinetic, potential;
    struct tsunami_geometry geometry;
    struct tsunami_records records, no_records;
    int record_count;
    float *record_arrays[TSUNAMI_ARRIVALS_MAX + 5];
    struct tsunami_solver *solver, *reference;
    const struct tsunami_backend *backend;
    int threads;
    // Streams
    struct stream streams[STREAM_KINDS];
    enum tsunami_stream kinds[STREAM_KINDS]; // of the run's streams, in their order
    struct tsunami_crop crop;
    double *field_x, *field_y; // coordinates of the fields' nodes (owned)
    double *gauge_constants;   // owned
    const char **gauge_texts;  // owned
    size_t *gauge_nodes;       // owned: rows, then columns, for a back end that gathers by itself
    // Results
    struct tsunami_diagnostics first, last; // at the start; of the last record
    bool has_first;
    struct check_record check;
    int checks_made;
    double check_largest_m;
    int64_t check_begin_step, check_step;
    double check_x, check_y;
};

// bathymetry.c
enum status tsunami_survey(struct tsunami *t);
enum status tsunami_read_bathymetry(struct tsunami *t);
enum status tsunami_condition_bathymetry(struct tsunami *t);

// geometry.c
enum status tsunami_geometry_plan(struct tsunami *t, struct memory_plan *memory);
void tsunami_geometry_fill(struct tsunami *t);
double tsunami_cell_area_m2(const struct tsunami *t, size_t column, size_t row);

// source.c
enum status tsunami_source_plan(struct tsunami *t, struct memory_plan *memory);
enum status tsunami_source_read(struct tsunami *t);
// Whether the bottom moves between two times (start: −INFINITY to start_s).
bool tsunami_source_moves(const struct tsunami *t, double from_s, double to_s);
// Lifts the water of `solver` by what the bottom rises between two times; `keep` adds it to the deformation
// too.
enum status tsunami_source_lift(struct tsunami *t, const struct tsunami_backend *backend,
                                struct tsunami_solver *solver, double from_s, double to_s, bool keep);

// output.c
enum status tsunami_output_plan(struct tsunami *t, struct memory_plan *memory, struct model_plan *plan);
// The gauges' depths as the conditioned bathymetry has them; before the first record.
void tsunami_output_depths(struct tsunami *t);
// What a back end with a memory of its own is to make there; after its plan and tsunami_output_plan.
enum status tsunami_results_plan(struct tsunami *t, struct memory_plan *memory);
// As core/run.h has them.
enum status tsunami_capture(void *context, int64_t step, const struct frame *frame);
enum status tsunami_send(void *context, const struct frame *frame);
enum status tsunami_await(void *context, const struct frame *frame);
void tsunami_output_free(struct tsunami *t);

// diagnostics.c
enum status tsunami_diagnostics_plan(struct tsunami *t, struct memory_plan *memory);
void tsunami_diagnose(struct tsunami *t, struct tsunami_diagnostics *result);
enum status tsunami_guard(void *context, int64_t step);
// Fails with the place and the values if something was found.
enum status tsunami_judge(const struct tsunami *t, const struct tsunami_unsound *found);

// The present state to where the back end's get finds it; the records to their arrays. Before either is
// looked at.
static inline enum status tsunami_fetch(struct tsunami *t)
{
    return t->backend->fetch ? t->backend->fetch(t->solver) : STATUS_OK;
}

static inline enum status tsunami_fetch_records(struct tsunami *t)
{
    return t->backend->fetch_records ? t->backend->fetch_records(t->solver) : STATUS_OK;
}

// check.c
enum status tsunami_check_begin(void *context, int64_t step);
enum status tsunami_check_end(void *context, int64_t step);
enum status tsunami_verdict(void *instance);

// A thread's scratch rows of nx doubles.
double *tsunami_row_buffer(const struct tsunami *t, int which);

#endif
