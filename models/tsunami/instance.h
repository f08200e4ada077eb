// A tsunami run: its grids (levels), each with its parameters, arrays, solver and results. Private to
// models/tsunami.
#ifndef FATHOM_MODELS_TSUNAMI_INSTANCE_H
#define FATHOM_MODELS_TSUNAMI_INSTANCE_H

#include "models/check.h"
#include "models/instance.h"
#include "models/model.h"
#include "models/tsunami/params.h"
#include "parallel/sums.h"

struct cJSON;
struct tsunami_products;
struct tsunami_sea;

enum { TSUNAMI_ROW_BUFFERS = 6, TSUNAMI_LINES = 8, TSUNAMI_GAUGE_FRAME = 64 };
enum { TSUNAMI_LEVELS_MAX = 16, TSUNAMI_NAME_BYTES = JOB_PART_NAME_MAX + 32, TSUNAMI_LEVEL_ARRAYS_MAX = 34 };

// Statistics of the bathymetry's values, independent of the method. Sea: depth > 0; high: see
// bathymetry_check.c.
struct tsunami_relief {
    size_t sea_nodes, land_nodes, high_nodes;
    double sea_sum_m, land_sum_m; // of depths, of heights
    double deepest_m, deepest_x, deepest_y, highest_m;
};

// The largest magnitude (m) of the values of a grid of the source: at any node; where there is water; and
// where there is water that physics.wall_depth turns into land.
struct tsunami_reach {
    double most_m, on_water_m, on_shallow_m;
};

// The results of a first pass over the bathymetry's rows, before any memory is reserved.
struct tsunami_survey {
    size_t wet_nodes;
    double deepest_m, shallowest_m;         // of the nodes that are wet at rest
    double step_limit_s;                    // min over wet nodes of (spacing to a neighbour) / √(g d)
    double limit_x, limit_y, limit_depth_m; // where
    // Nodes of each edge that are wet at rest, and their mean depth.
    size_t edge_nodes[TSUNAMI_SIDES];
    double edge_depth_m[TSUNAMI_SIDES];
    struct tsunami_relief relief;
    struct tsunami_reach displacement, initial;
};

// How conditioning changed the bathymetry.
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
    // Of the whole run, with the outermost grid.
    STREAM_POINTS,
    STREAM_ZONES,
    STREAM_TRAVEL_TIME,
    STREAM_KINDS
};

struct tsunami_diagnostics {
    double volume_m3; // of water above rest
    double energy_kinetic_j, energy_potential_j;
    double max_abs_eta_m, max_speed_m_s;
    double courant; // largest (|u| + c) Δt / spacing
};

// Run-up and inundation, by the rule in level_runup.c. NaN: no land was flooded.
struct tsunami_runup {
    bool is_known;
    double highest_m, highest_x, highest_y, ground_m, time_s;
    double distance_m, distance_x, distance_y;
    double area_m2;
    size_t edge_nodes; // of the flooded ones, those on the grid's outermost rows and columns
};

// The wave at a nested grid's edges until the end of the run, and the least height that counts as a wave.
struct tsunami_edge_wave {
    bool is_known;
    double largest_m, least_m;
    double shift_m; // of the parent's surface there, caused directly by the source
};

// A part of a grid.
struct tsunami_box {
    size_t first_row, rows, first_column, columns;
};

// Parts of a source: bits.
enum tsunami_uplift_parts {
    TSUNAMI_UPLIFT_FAULTS = 1,
    TSUNAMI_UPLIFT_DISPLACEMENT = 2,
    TSUNAMI_UPLIFT_ALL = 3
};

// Kajiura's filter (source_filter.c). Shapes: what moves alike, and is filtered once.
enum {
    TSUNAMI_RECORDS_AT_ONCE = 3, // of a displacement
    TSUNAMI_FILTER_SLOTS = TSUNAMI_RECORDS_AT_ONCE + 1,
    TSUNAMI_FILTER_STAGES = 5 // factors
};

struct tsunami_filter {
    bool is_active, is_round, is_round_y;
    bool is_by_shapes;                          // else each lift is filtered as a whole
    bool is_whole_lift;                         // the present lift is: its change stands in residual_m
    int parts;                                  // that are filtered
    struct tsunami_box box;                     // outside it nothing rises
    double *depth_m;                            // [rows][columns] at the start, bounded; 0: land
    double *water_m, *residual_m, *direction_m; // [rows][columns]
    double *uplift_m;   // [rows][columns] of a lift that is filtered as a whole; NULL with shapes
    double *inverse_m2; // [2][columns]: 1 over (a cell's width × the distance to west, to east)
    double largest_sum; // of a node's weights
    // What the surface shows more than the bottom's rise, for the shapes kept: slots of records, then that of
    // the faults; each shape's number (0: none), and its weight in the present lift.
    size_t record_slots, slot_count, shapes[TSUNAMI_FILTER_SLOTS];
    double *changes_m[TSUNAMI_FILTER_SLOTS], weights[TSUNAMI_FILTER_SLOTS];
    // Of a nested grid: the parent's solutions at the nodes of the edges that it gives, by slot (the last
    // one: of a whole lift) and factor.
    size_t edge_nodes, edge_shapes[TSUNAMI_FILTER_SLOTS + 1];
    double *edges_m; // [slots + 1][stages][edge nodes]; NaN: the parent has no water there
};

// Of the outermost grid, for a field at its edges (source_field.c).
struct tsunami_field_edges {
    size_t nodes;                 // of all given edges
    struct propagation_block box; // the field's nodes round the grid, one record
    double *record;               // [box.rows][box.columns], one quantity
    double *lines;                // [2][nodes]: at the edges, at two times of the field
    struct tsunami_link *links;   // [nodes], in the box
};

// One grid of a run.
struct tsunami_level {
    char name[JOB_PART_NAME_MAX + 1];   // "" for the outermost grid
    char prefix[JOB_PART_NAME_MAX + 2]; // of its arrays' names in the plan: "", "NAME "
    char about[JOB_PART_NAME_MAX + 16]; // begins its messages: "", "nested grid NAME: "
    const struct job *job;              // its part of the job, owned if it is a nested grid
    struct tsunami_level *parent;       // NULL for the outermost grid
    struct tsunami_level *first_child, *next_sibling;
    int64_t steps_per_parent;    // of its own steps in one of its parent's; 1 for the outermost grid
    int64_t steps_per_outermost; // in one of the outermost grid's
    struct tsunami_params params;
    struct tsunami_survey survey;
    struct tsunami_conditioning conditioning;
    int64_t steps;
    double step_s, start_s;
    // The rows of this rank; the shares of all ranks (owned), NULL: the run has one, or the grid is not
    // divided: then `ranks` is one rank (run->alone), and every rank of the run computes all rows.
    struct ranks *ranks;
    struct tsunami_rows own;
    struct share *shares;
    double *row_work; // [ny] of each row: its wet nodes, or what ranks.c makes of them; owned
    // Arrays of the plan
    double *x_storage, *y_storage, *cos_storage, *tan_storage, *coriolis_storage;
    double *depth_m;                // [ny][pitch], positive down; wet: > wall depth
    double *rows;                   // [threads][TSUNAMI_ROW_BUFFERS][nx]: scratch
    double *line;                   // [TSUNAMI_LINES][max(nx, ny)]: scratch of conditioning
    unsigned char *new_lines;       // [nx + ny] columns, rows: of conditioning
    float *displacement_m;          // [records][ny][nx]
    float *initial[TSUNAMI_FIELDS]; // [ny][nx]
    double *deformation_m;          // [rows lifted][nx], uplift so far
    struct tsunami_filter filter;   // of the surface over a rising bottom
    double *uplift_m; // [ny][nx] of one lift, where the shore moves and slopes are lifted; else NULL
    // [ny][nx], whole uplift of the faults that start and rise as group_fault does; or NULL
    double *group_uplift_m;
    const struct fault *group_fault;
    bool group_is_known; // group_uplift_m is filled in, by the first lift that uses it
    // [ny][nx], where the shore moves in single precision: the part of the uplift that was lost by rounding
    // so far and is still to be added to the bottom
    float *uplift_rest_m;
    double *sums; // memory of the sums
    // Of a divided grid whose records the back end makes: [PIPELINE_FRAME_SLOTS][tsunami_diagnostics_bytes]
    void *diagnostic_parts;
    // [own rows and one beside][nx]: along the column, to the nearest node wet at the start (level_runup.c)
    float *to_water_m;
    struct tsunami_link *links;                     // [link_count], of a nested grid
    struct tsunami_given_edge given[TSUNAMI_SIDES]; // of the edges that are TSUNAMI_EDGE_GIVEN
    double
        *wave_samples[TSUNAMI_SIDES]; // [1 + SERIES_VALUES_MAX][samples] of source.edges: times (s), values
    struct tsunami_field_edges field_edges;
    size_t link_count;
    bool is_dry_edge[TSUNAMI_SIDES]; // given by the parent, but without a wet node
    // Of a nested grid's given edges: the number of wet nodes, and of fed nodes: those beside water of the
    // parent that is connected with the open sea. For each link, whether its node is fed (owned).
    size_t wet_edge_nodes, fed_edge_nodes;
    bool *is_link_fed;
    struct tsunami_edge_wave edge_wave;
    // Owned; exist between the survey and the creation of all grids, `sea` to the end of a run with points.
    // shallower_sea: also with the water that
    // the wall depth turns into land; only for an outermost grid that has a wall depth and nested grids, else
    // NULL.
    struct tsunami_sea *sea, *shallower_sea;
    struct rank_sum volume, kinetic, potential;
    struct tsunami_geometry geometry;
    struct tsunami_records records, no_records;
    int record_count;
    struct solver *solver, *reference;
    const struct tsunami_backend *backend;
    const struct tsunami_backend *reference_backend; // of the method, for the check
    int threads;
    char array_names[TSUNAMI_LEVEL_ARRAYS_MAX][TSUNAMI_NAME_BYTES]; // of a checkpoint
    // Streams
    struct stream streams[STREAM_KINDS];
    char stream_names[STREAM_KINDS][TSUNAMI_NAME_BYTES], stream_titles[STREAM_KINDS][96];
    struct tsunami_crop crop;
    struct tsunami_rows crop_rows; // of the crop's, this rank's
    double *field_x, *field_y;     // coordinates of the fields' nodes (owned)
    double *gauge_constants;       // owned
    const char **gauge_texts;      // owned
    // owned: reference levels of arrivals at the gauges: now, then at the start, then now at their corners
    double *gauge_levels_m;
    int *gauge_owners;                        // owned: the gauges' ranks
    struct tsunami_gauge_place *gauge_places; // owned: for a back end that gathers by itself
    struct tsunami_point_place *point_places; // owned: records.points.places
    // Results
    struct tsunami_diagnostics first, last; // at the start; of the last record
    struct tsunami_diagnostics largest;     // extremes of all records, kept by the run's watch
    double highest_m, fastest_m_s;          // of all steps, at the end, if maxima are recorded; else NaN
    bool has_first;
    double still_water_m3; // in the wet nodes at rest
    struct tsunami_runup runup;
    struct check_record *check; // the run's, of the outermost grid; else NULL
};

// A run: parents before their children, the outermost grid first.
struct tsunami {
    struct instance base;                             // without a solver: the levels have them
    struct ranks alone;                               // of grids that are not divided
    struct tsunami_level *levels[TSUNAMI_LEVELS_MAX]; // owned
    int level_count;
    // Of the run's streams, in their order.
    struct {
        struct tsunami_level *level;
        enum tsunami_stream kind;
    } streams[RUN_STREAMS_MAX];
    char details[TSUNAMI_LEVELS_MAX * 160]; // a line for each grid; "" for a run with one
    struct tsunami_products *products;      // owned (products.c)
};

static inline bool tsunami_level_floods(const struct tsunami_level *t)
{
    return tsunami_method_floods(t->params.physics.method);
}

// The precision of the solver's state.
static inline enum element tsunami_level_real(const struct tsunami_level *t)
{
    return t->params.backend == &tsunami_backend_reference ? ELEMENT_F64 : t->params.precision;
}

// level.c
// Creates a level from its part of the job, with its survey and step. Create a parent before its children.
enum status tsunami_level_create(const struct job *job, const char *name, struct tsunami_level *parent,
                                 struct tsunami_level **level);
void tsunami_level_destroy(struct tsunami_level *t);
enum status tsunami_level_plan(struct tsunami_level *t, struct memory_plan *memory, struct model_plan *plan);
int tsunami_level_checkpoint_arrays(struct tsunami_level *t, struct checkpoint_array *arrays);
// The rows of the same arrays; returns how many.
int tsunami_level_checkpoint_rows(struct tsunami_level *t, struct checkpoint_rows *rows);
enum status tsunami_level_prepare(struct tsunami_level *t);
enum status tsunami_level_start(struct tsunami_level *t);
enum status tsunami_level_resumed(struct tsunami_level *t);
// Advances by `count` steps, with the motion of the bottom.
enum status tsunami_level_advance(struct tsunami_level *t, int64_t first_step, int64_t count);
// Where the shore moves: changes the still depth of one row by the uplift. `bottom_m`: the change as the
// solver's lift needs it.
void tsunami_level_sink(struct tsunami_level *t, size_t row, const double *uplift_m, double *bottom_m);

// level_step.c
// Model time (s) after `step` steps of the level. At the end of a parent's step it has the same bits as the
// parent's time.
double tsunami_level_time_s(const struct tsunami_level *t, int64_t step);
// Chooses the step and the number of steps. The parent's step is a multiple of a nested grid's step.
enum status tsunami_level_choose_step(struct tsunami_level *t);
// Logs what determined an automatic step.
void tsunami_level_log_step(const struct tsunami_level *t);

// level_size.c: refuses a grid that cannot fit into memory, by its number of nodes alone (STATUS_SYSTEM).
enum status tsunami_level_check_size(const struct tsunami_level *t);

// level_idle.c: warns of each key without effect in the grid that has it and in those that inherit it.
void tsunami_warn_of_idle_keys(const struct tsunami *run);

// level_runup.c
enum status tsunami_runup_plan(struct tsunami_level *t, struct memory_plan *memory);
enum status tsunami_runup_start(struct tsunami_level *t);
enum status tsunami_runup_find(struct tsunami_level *t);
void tsunami_runup_log(const struct tsunami_level *t);
void tsunami_runup_describe(const struct tsunami_level *t, struct cJSON *report);

// level_describe.c
void tsunami_level_describe(const struct tsunami_level *t, struct cJSON *report);

// bathymetry.c
enum status tsunami_survey(struct tsunami_level *t);
enum status tsunami_read_bathymetry(struct tsunami_level *t);
enum status tsunami_condition_bathymetry(struct tsunami_level *t);

// bathymetry_check.c: whether the file's sign and unit can be right.
void tsunami_relief_add_row(struct tsunami_level *t, size_t row, const double *depth_m);
// After all rows: warns; STATUS_DATA if the sea is deeper than any on Earth.
enum status tsunami_relief_check(const struct tsunami_level *t);
// Warns of nested grids whose sea is far deeper or far shallower than their parent's.
enum status tsunami_relief_compare(const struct tsunami *run);

// geometry.c
// Declares an array on the host; its name in the plan begins with the level's prefix.
enum status tsunami_level_array(const struct tsunami_level *t, struct memory_plan *memory,
                                enum element element, size_t rows, size_t columns, void **array,
                                const char *name);
// The same of rows that this rank holds: row r of the whole array is at *array + r · columns.
enum status tsunami_level_rows(const struct tsunami_level *t, struct memory_plan *memory,
                               enum element element, struct tsunami_rows rows, size_t columns, void **array,
                               const char *name);
enum status tsunami_geometry_plan(struct tsunami_level *t, struct memory_plan *memory);
void tsunami_geometry_fill(struct tsunami_level *t);
double tsunami_cell_area_m2(const struct tsunami_level *t, size_t column, size_t row);

// source.c
// The paths of the source's input files, owned by the source; returns how many.
enum { TSUNAMI_SOURCE_INPUTS = 6 + TSUNAMI_SIDES };
int tsunami_source_inputs(const struct tsunami_source *source, const char *paths[TSUNAMI_SOURCE_INPUTS]);
// Adds "source" to the report, unless it is empty.
void tsunami_source_describe(const struct tsunami_source *source, double earth_radius_m,
                             struct cJSON *report);
// source_describe.c: adds magnitude, size, slip, largest uplift and the faults themselves, and "summary",
// lines for people. Evaluates Okada's formula some 200 000 times. Nothing without faults.
void tsunami_source_describe_faults(const struct tsunami_source *source, double earth_radius_m,
                                    struct cJSON *report);
enum status tsunami_source_plan(struct tsunami_level *t, struct memory_plan *memory);
// The rows whose uplift this rank computes: its own, or all where the bottom, edges or travel times need
// them.
struct tsunami_rows tsunami_source_rows(const struct tsunami_level *t);
enum status tsunami_source_read(struct tsunami_level *t);
// source_land.c: warns of faults and other sources that lie under land in all grids. `faults`: how many of
// the slipping faults move no water, without those under water that physics.wall_depth turns into land.
struct tsunami_on_land {
    size_t on_land, all;
};
enum status tsunami_source_warn_of_land(const struct tsunami *run, struct tsunami_on_land *faults);
// Opens the bodies of water of the outermost grid's sea in which or beside which a fault acts.
void tsunami_source_open_sea(struct tsunami_level *t);
// Adds the volumes that the faults move to the outermost grid's bodies of water (tsunami_sea_add_moved), from
// some points around each fault.
void tsunami_source_measure_sea(struct tsunami_level *t);
// Whether the grid has enough nodes across the faults of an earthquake or a file, so that its waves are not
// too low; true for all other sources.
bool tsunami_source_is_resolved(const struct tsunami *run);
// source_waves.c: waves given at the edges, and a solitary wave's depth.
enum status tsunami_waves_plan(struct tsunami_level *t, struct memory_plan *memory);
// After the survey. STATUS_CONFIGURATION: a wave is given at an edge without water.
enum status tsunami_waves_check(const struct tsunami_level *t);
// The highest wave that the job prescribes at the level's edges or as initial state: the height of a simple
// wave over still water of depth_m (NaN: a solitary wave). Height 0: no wave.
struct tsunami_highest {
    const char *what; // "at the western edge"
    double height_m, depth_m;
};
struct tsunami_highest tsunami_waves_highest(const struct tsunami_level *t);
enum status tsunami_waves_read(struct tsunami_level *t);
// After the solver's start: sets the initial state and the given edges.
enum status tsunami_source_start(struct tsunami_level *t);
// Whether uplift_rest_m is used.
bool tsunami_source_leaves_rest(const struct tsunami_level *t);
// Applies the uplift up to the start of the run.
enum status tsunami_source_lift_start(struct tsunami_level *t);
// One step of a solver with the motion of the bottom. `keep`: it is the run's solver, and the level's
// deformation, depth and records change, too.
enum status tsunami_source_step(struct tsunami_level *t, const struct tsunami_backend *backend,
                                struct solver *solver, int64_t step, bool keep);

// source_level.c: records.source_level_m, if it is recorded.
bool tsunami_source_level_is_kept(const struct tsunami_level *t);
enum status tsunami_source_level_plan(struct tsunami_level *t, struct memory_plan *memory);
// By all ranks.
enum status tsunami_source_level_start(struct tsunami_level *t);
// Copies the gauges' levels for the report, which is written after the arrays are freed. By all ranks.
enum status tsunami_source_level_note(struct tsunami_level *t);
void tsunami_source_level_rise(struct tsunami_level *t, size_t row, const double *uplift_m,
                               const double *bottom_m);

// source_uplift.c
// A time for a position of the bottom: one time (from_s = to_s; −INFINITY: before any motion), or an
// interval, for the mean position.
struct tsunami_span {
    double from_s, to_s;
};
static inline struct tsunami_span tsunami_at(double time_s)
{
    return (struct tsunami_span){time_s, time_s};
}
// Model time (s) at which the motion of the bottom ends; −INFINITY: it never moves.
double tsunami_source_end_s(const struct tsunami_source *source);
enum status tsunami_uplift_plan(struct tsunami_level *t, struct memory_plan *memory);
// Whether the bottom moves between two times (start: −INFINITY to start_s).
bool tsunami_source_moves(const struct tsunami_level *t, double from_s, double to_s);
// Computes the uplift [count] between two times at consecutive nodes of a row. The value at a node does not
// depend on the other nodes of the call.
struct tsunami_nodes {
    size_t row, first, count;
};
void tsunami_uplift(const struct tsunami_level *t, struct tsunami_nodes nodes, struct tsunami_span from,
                    struct tsunami_span to, double *uplift_m);
// The same of some parts of the source.
void tsunami_uplift_of(const struct tsunami_level *t, struct tsunami_nodes nodes, struct tsunami_span from,
                       struct tsunami_span to, int parts, double *uplift_m);
// The displacement between two positions as a sum of records, from `first` on.
struct tsunami_record_weights {
    size_t first, count;
    double weights[TSUNAMI_RECORDS_AT_ONCE];
    bool are_too_many;
};
void tsunami_uplift_records(const struct tsunami_level *t, struct tsunami_span from, struct tsunami_span to,
                            struct tsunami_record_weights *weights);
void tsunami_uplift_of_record(const struct tsunami_level *t, struct tsunami_nodes nodes, size_t record,
                              double *uplift_m);
// The smallest box that holds all that these parts lift; of a displacement the whole grid.
void tsunami_uplift_box(const struct tsunami_level *t, int parts, struct tsunami_box *box);
// Whether all faults belong to the group, and its share of a rise.
bool tsunami_uplift_is_group(const struct tsunami_level *t);
double tsunami_uplift_group_share(const struct tsunami_level *t, struct tsunami_span from,
                                  struct tsunami_span to);
// Magnitude (m) of the shift of the surface at a node by the whole source.
double tsunami_source_shift_m(const struct tsunami_level *t, size_t column, size_t row);
// Whether the rise contains a share of group_uplift_m.
bool tsunami_uplift_uses_group(const struct tsunami_level *t, struct tsunami_span from,
                               struct tsunami_span to);
// source_filter.c: what the surface shows of a rise of the bottom. After tsunami_uplift_plan.
enum status tsunami_filter_plan(struct tsunami_level *t, struct memory_plan *memory);
// With the depth at the start of the run, before any lift; parents first.
void tsunami_filter_start(struct tsunami_level *t);
// Filters what the first steps need, so that no step waits for it. A stop signal or the time limit ends it;
// the caller must then end the run.
void tsunami_filter_prepare(struct tsunami_level *t);
// Before the rows of a lift. may_stop: a stop signal or the time limit ends it; the caller must then end the
// run.
void tsunami_filter_lift(struct tsunami_level *t, struct tsunami_span from, struct tsunami_span to,
                         bool may_stop);
// Of that lift, one row: the bottom's rise [nx]; then the water's [nx], false if it is the same.
void tsunami_filter_uplift(const struct tsunami_level *t, size_t row, struct tsunami_span from,
                           struct tsunami_span to, double *uplift_m);
bool tsunami_filter_water(const struct tsunami_level *t, size_t row, const double *uplift_m, double *water_m);
// Adds to the bottom's rise at some nodes of a row what the surface shows more, if its shapes are kept
// (tsunami_filter_lift between the same positions or around them).
void tsunami_filter_change(const struct tsunami_level *t, struct tsunami_nodes nodes,
                           struct tsunami_span from, struct tsunami_span to, double *uplift_m);
// Iterations of all factors; largest_sum: of a node's weights, h² over the distance and the cell's width.
double tsunami_filter_iterations(double largest_sum);
// source_cost.c: the estimated time (s) of the source beside the steps, after tsunami_source_plan.
double tsunami_source_seconds(const struct tsunami_level *t);
// source_edges.c: corrections of the given edges for one step over a moving bottom (has_rise, rise). Called
// before the bottom moves.
enum status tsunami_source_plan_edges(struct tsunami_level *t, struct memory_plan *memory);
void tsunami_source_raise_edges(struct tsunami_level *t, int64_t step);
// After the step.
void tsunami_source_lower_edges(struct tsunami_level *t);

// output_streams.c
// Adds the level's streams to the plan.
enum status tsunami_output_plan(struct tsunami_level *t, struct memory_plan *memory, struct model_plan *plan);
// Adds a stream, which lies in t->streams, to the plan. Its records are taken after steps of the outermost
// grid.
void tsunami_output_add_stream(struct tsunami_level *t, struct model_plan *plan, enum tsunami_stream kind,
                               struct run_schedule schedule);
// Sets the gauges' depths from the conditioned bathymetry; before the first record.
void tsunami_output_depths(struct tsunami_level *t);
// Plans the results that a back end with a memory of its own computes there; after its plan and
// tsunami_output_plan.
enum status tsunami_results_plan(struct tsunami_level *t, struct memory_plan *memory);
void tsunami_output_free(struct tsunami_level *t);

// output.c: the operations of core/run.h; the context is the run.
enum status tsunami_capture(void *context, int64_t step, const struct frame *frame);
enum status tsunami_send(void *context, const struct frame *frame);
enum status tsunami_await(void *context, const struct frame *frame);

// diagnostics.c
enum status tsunami_diagnostics_plan(struct tsunami_level *t, struct memory_plan *memory);
enum status tsunami_diagnose(struct tsunami_level *t, struct tsunami_diagnostics *result);
// Of a record that the back end makes: of a divided grid this rank's part of it (solver.h).
size_t tsunami_diagnostics_bytes(const struct tsunami_level *t);
// The record of all ranks, from the parts of all. By the I/O threads of all ranks.
enum status tsunami_diagnostics_join(const struct tsunami_level *t, void *parts,
                                     double record[TSUNAMI_DIAGNOSTICS]);
// After the level's own step.
enum status tsunami_level_guard(struct tsunami_level *t, int64_t step);
// STATUS_DATA, with position and values in the message, if the state is invalid.
enum status tsunami_check_found(const struct tsunami_level *t, const struct tsunami_invalid *found);

// Call tsunami_fetch before `get`, and tsunami_fetch_records before records are read: a back end with a
// memory of its own copies them to the host.
static inline enum status tsunami_fetch(struct tsunami_level *t)
{
    return solver_fetch(&t->backend->head, t->solver);
}

static inline enum status tsunami_fetch_records(struct tsunami_level *t)
{
    return t->backend->fetch_records ? t->backend->fetch_records(t->solver) : STATUS_OK;
}

// check.c: of the outermost grid; steps are its own.
extern const struct check_operations tsunami_check;

// A thread's scratch rows of nx doubles.
double *tsunami_row_buffer(const struct tsunami_level *t, int which);

#endif
