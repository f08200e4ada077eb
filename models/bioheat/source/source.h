// The heat source of a job, and its amplitudes in each step. Independent of solvers: struct bioheat_source
// (state.h) states where the source acts, and bioheat_heating_amplitudes how strongly. Streamed fields are
// read into layers before the steps that need them.
#ifndef FATHOM_MODELS_BIOHEAT_SOURCE_SOURCE_H
#define FATHOM_MODELS_BIOHEAT_SOURCE_SOURCE_H

#include "core/memory_plan.h"
#include "core/pipeline.h"
#include "io/job/job.h"
#include "models/bioheat/body/media.h"
#include "models/bioheat/source/terms.h"

struct bioheat_domain;
struct cJSON;
struct bioheat_heating; // opaque

// The longest times of a source (s); the largest size of its factors over time, and of power densities and
// energies (W m-3, J m-3), alone and with their factor. Far beyond what a plan has, and single precision has
// room for what follows from them.
#define BIOHEAT_SOURCE_LONGEST_S      1e12
#define BIOHEAT_SOURCE_LARGEST_FACTOR 1e12
#define BIOHEAT_SOURCE_LARGEST_W_M3   1e30

// Reads and checks headers, tables and protocols, but not the values of fields, except those of a pressure,
// whose peak is found. If the job has no source, the heating has no terms. `domain`: for source.pressure,
// whose heat depends on tissues; surveyed; NULL: a job with it is refused.
enum status bioheat_heating_create(const struct job *job, const struct bioheat_grid *grid,
                                   enum element precision, struct bioheat_domain *domain,
                                   struct bioheat_heating **heating);
void bioheat_heating_destroy(struct bioheat_heating *heating);

// Returns where the source acts. Valid from creation on; the layers' arrays from reserve on.
const struct bioheat_source *bioheat_heating_source(const struct bioheat_heating *heating);

// Paths of its input files; returns how many.
int bioheat_heating_inputs(const struct bioheat_heating *heating, const char **paths);

// Reads the maps once to find their largest values, and the rows of points and boxes. Before the plan.
// STATUS_DATA as for prepare.
enum status bioheat_heating_survey(struct bioheat_heating *heating);
// Returns the largest values of the source in the first `steps` steps of `step_s`; where terms overlap, upper
// bounds. Those of a stream, which is read during the run, are not known: then power densities are NaN, and
// what is missed is that of all else. After the survey, and before the plan, which sets the run's own steps.
struct bioheat_power {
    double largest_w_m3; // power density
    double wall_w_m3;    // that of cells at convective faces
    double rough_w_m3;   // difference of a cell's power density from the mean of the cells at its faces
    // Difference, at any time within a step, of the heat given off since the step's start from the heat at
    // the step's mean power; and the ripple of pulses that the mean power of their train hides in such steps.
    double missed_j_m3, hidden_j_m3;
};
struct bioheat_power bioheat_heating_power(struct bioheat_heating *heating, double step_s, int64_t steps);
// Refuses a source whose factor makes more of it than BIOHEAT_SOURCE_LARGEST_W_M3, or that warms tissue of
// that heat capacity by more K in a step. After the choice of the step, and before the plan.
// STATUS_CONFIGURATION, with the key; STATUS_DATA as for prepare.
enum status bioheat_heating_check(struct bioheat_heating *heating, double step_s, double heat_j_m3_k);
// Pulses in the planner's words may act by the mean power of their train, if steps hold whole periods of them
// and the ripple of the temperature that this hides, in all protocols together, is at most `ripple_k` in
// tissue of that heat capacity. Without this call, and otherwise, each step has the part of the pulses that
// lies in it. After the survey, before all that depends on steps.
void bioheat_heating_allow(struct bioheat_heating *heating, double ripple_k, double heat_j_m3_k);
// Whether a factor over time acts, rows, or a stream: without, steps cannot miss a switch.
bool bioheat_heating_changes(const struct bioheat_heating *heating);
// Finds the times and periods (s) that must be multiples of the step, so that a step ends wherever the source
// is switched. averaged = 0: at every switch. averaged = 2n − 1 or 2n, up to BIOHEAT_SWITCH_LEVELS: the n
// innermost levels of pulses are replaced by their mean power, which lasts until the end of the last pulse
// (2n − 1) or of the last period (2n). Returns their number; stores the first `most`.
enum { BIOHEAT_SWITCH_LEVELS = 16 };
size_t bioheat_heating_switches(const struct bioheat_heating *heating, int averaged, double *lengths_s,
                                size_t most);
// To this part a time is a multiple of another.
#define BIOHEAT_TIME_ROUNDING 1e-9
// Whether a length is a whole number of steps, at least one, or 0.
bool bioheat_step_divides(double step_s, double length_s);
// The shortest switch time or period, at every switch; INFINITY: there are none.
double bioheat_heating_shortest_switch_s(const struct bioheat_heating *heating);

// Declares layers and buffers. `step_s` and `steps` are the run's. STATUS_CONFIGURATION if a table or file is
// shorter than the run.
enum status bioheat_heating_plan(struct bioheat_heating *heating, struct memory_plan *plan, double step_s,
                                 int64_t steps, double start_s);

// On the I/O thread, after the seal: fills the layers that do not change.
enum status bioheat_heating_prepare(struct bioheat_heating *heating);

// Computes the mean amplitudes in the steps first_step … first_step + count − 1:
// [count][bioheat_terms(source)]. They are exact for pulses shorter than a step (the fraction of the step in
// which they are on).
void bioheat_heating_amplitudes(const struct bioheat_heating *heating, int64_t first_step, int64_t count,
                                double *amplitudes);

// Whether the source is switched between two steps with these amplitudes: a term changes by more than
// half of its larger amplitude. A stepwise stream with times is switched where another of its records
// begins; one that is linear, or whose records are shorter than steps or are the steps' own, never counts
// as switched.
bool bioheat_heating_is_switched(const struct bioheat_heating *heating, const double *before,
                                 const double *after);

// Streamed fields. Call the solver's take_layer and layer_taken; either may be NULL. A solver must not read a
// layer whose amplitude is 0 in a step, because the I/O thread may be filling it. If the source is held in
// memory, a layer's pointer changes with each new record.
struct bioheat_layer_user {
    void *context;
    enum status (*take)(void *context, int layer);
    enum status (*taken)(void *context, int layer);
};
// Before the first step (of the run, or after a resume at `step`): reads the layers of the first steps and
// begins to read ahead. Constant layers are passed to the solver too. `pipeline` NULL: reads on the
// calling thread (tests).
enum status bioheat_heating_begin(struct bioheat_heating *heating, struct pipeline *pipeline,
                                  struct bioheat_layer_user user, int64_t step);
// Provides the layers for *granted steps from `step` on (1 to `wanted`). Waits for the file if necessary,
// passes new layers to the solver and begins to read ahead. STATUS_DATA, with file, record and time: a record
// that a step needs cannot be read. The layers stay valid until the next call.
enum status bioheat_heating_ready(struct bioheat_heating *heating, int64_t step, int64_t wanted,
                                  int64_t *granted);

// The trains of pulses of the first protocol in use: the repetitions of its outermost level, which an
// exposure consists of. Times from the run's start (s). Without a protocol: one, of unknown length (NaN).
struct bioheat_trains {
    double start_s, length_s, interval_s; // from start to start
    int64_t count;
};
struct bioheat_trains bioheat_heating_trains(const struct bioheat_heating *heating);
// Whether the source is meant to act before a run begins at begin_s, or when it has ended at end_s (both from
// its start): trains that lie beyond it, values of a table or of rows in the job. Then the text says so:
// "protocol plan: 3 of 10 trains". begin_s may be -INFINITY: an earlier run had what came before.
struct bioheat_cut {
    bool is_before, is_after; // neither: the run has all of it
    char text[160];           // or ""
};
struct bioheat_cut bioheat_heating_cut(const struct bioheat_heating *heating, double begin_s, double end_s,
                                       size_t steps);
// After the plan: lines, each with its newline, about pulses that steps do not resolve; or "".
void bioheat_heating_details(const struct bioheat_heating *heating, char *text, size_t bytes);

// The sound of source.pressure at the largest amplitude of its protocol, in situ, by label; 0: no sound, or
// it is not heated. False: the job has no source.pressure; then frequency_hz is NaN.
struct bioheat_sound {
    double frequency_hz, duty_cycle; // mean over a period of the pulses; NaN: unknown
    double amplitude_pa[BIOHEAT_LABELS], intensity_w_m2[BIOHEAT_LABELS]; // p^2/(2 rho c)
    size_t cell[BIOHEAT_LABELS][BIOHEAT_AXES];                           // of the largest amplitude
};
bool bioheat_heating_sound(const struct bioheat_heating *heating, struct bioheat_sound *sound);

// Heat that a source gives over the run: to tissue whose temperature is solved, to tissue in the two layers
// of cells of fixed faces, which keep their temperature, and to cells that are void or of fixed temperature
// (J), each term of the source by itself, what warms and what cools apart. Rises are those of the
// temperature of one cell by what warms it if nothing carried the heat away; of the layers an upper bound
// where terms overlap, of the cells that are solved a lower one. hottest: the latter's cell in index order,
// or -1 - z: in plane z (of a stream).
enum bioheat_given_place {
    BIOHEAT_GIVEN_SOLVED,
    BIOHEAT_GIVEN_LAYERS,
    BIOHEAT_GIVEN_UNSOLVED,
    BIOHEAT_GIVEN
};
struct bioheat_given {
    bool is_known; // else before the run has ended, because of a stream
    double warming_j[BIOHEAT_GIVEN], cooling_j[BIOHEAT_GIVEN];
    double layers_rise_k, solved_rise_k, hottest;
    // Whether the rise in the layers is an upper bound of that anywhere, whichever cells conduct heat to it:
    // each source has one shape, and of each the hottest cell is added. Points and streams may move.
    bool is_bound;
};
// Of the runs before and this one: as of one run.
struct bioheat_given bioheat_given_sum(const struct bioheat_given *before, const struct bioheat_given *own);

// The part of it that warms nothing. Shares are of the heat, cooling counted as heating, or of what warms
// alone, whichever is larger. All NaN: not known.
struct bioheat_lost {
    double layers_share;                 // of the heat in tissue
    double unsolved_share;               // of all heat
    double layers_rise_k, solved_rise_k; // largest, in the layers and in the cells that are solved
    bool is_bound;                       // the former, of the rise by the layers' heat anywhere
};
// Finds the heat of all terms but a stream, from files too. After the domain's survey and the choice of the
// step, and before the plan. STATUS_DATA as for prepare. Reads nothing where no heat can be lost.
enum status bioheat_heating_find_lost(struct bioheat_heating *heating, double step_s, int64_t steps);
struct bioheat_lost bioheat_given_lost(const struct bioheat_given *given);
struct bioheat_given bioheat_heating_given(const struct bioheat_heating *heating);
struct bioheat_lost bioheat_heating_lost(const struct bioheat_heating *heating);

// Whether there is a source.pressure, and it is zero in all tissue.
bool bioheat_heating_is_silent(const struct bioheat_heating *heating);

// The largest p² of source.pressure in cells of tissue that are void or of fixed temperature
// (bioheat_domain_is_unsolved_tissue), and get no heat, over that in the tissue that is heated; 0: none.
// *tissue: the name of the former's label, "void" without one.
double bioheat_heating_unheated(const struct bioheat_heating *heating, const char **tissue);

// The heat of a stream, and the largest that one of its steps missed (missed_j_m3 as above), by ranks: each
// counts the steps that it has taken, in its own planes. At the end the sum goes through the ranks in the
// order of their planes, from 0 on, each of which adds its own; then all take the total. Heat and rise are 0
// where none of it can be lost.
struct bioheat_streamed {
    double heat_j[2][BIOHEAT_GIVEN], rise_k[2][2], hottest[2]; // of what warms, and of what cools
    double missed_j_m3;
};
bool bioheat_heating_is_streamed(const struct bioheat_heating *heating);
bool bioheat_heating_loses_streamed(const struct bioheat_heating *heating);
void bioheat_heating_count(struct bioheat_heating *heating, int64_t first_step, int64_t count);
void bioheat_heating_add_streamed(const struct bioheat_heating *heating, struct bioheat_streamed *sum);
void bioheat_heating_set_streamed(struct bioheat_heating *heating, const struct bioheat_streamed *sum);
// Sums so far, for a checkpoint, of each own plane so many bytes. NULL before the plan's memory is reserved.
double *bioheat_heating_streamed_sums(const struct bioheat_heating *heating, size_t *bytes);

// Adds "source" to the report: terms, bytes streamed, seconds waited for the file. The energy is in the
// diagnostics.
void bioheat_heating_describe(const struct bioheat_heating *heating, struct cJSON *report);

#endif
