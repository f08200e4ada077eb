// `fathom bench MODEL`: times each method of a model on each back end, beside the rates that the machine's
// memory and arithmetic reach alone, in the same run. This is the harness; a model describes itself in a
// struct bench_model (bench/tsunami.c and its neighbours). Timings are never a test.
#ifndef FATHOM_BENCH_BENCH_H
#define FATHOM_BENCH_BENCH_H

#include "core/device_times.h"
#include "core/element.h"
#include "core/memory_plan.h"
#include "core/status.h"
#include "models/backend.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct cJSON;
struct job;
struct ranks;
struct share;
struct shares_request;

enum {
    BENCH_REPEAT_MAX = 101,
    BENCH_STEPS_MAX = 100000,
    BENCH_ENTRIES_MAX = 8,
    BENCH_ROWS_MAX = 1024,
    BENCH_SIZES_MAX = 16,
    BENCH_AXES = 3,
    BENCH_OPTIONS_MAX = 12,
    BENCH_FIGURES_MAX = 24,
    BENCH_LABEL_BYTES = 80,
    BENCH_TEXT_BYTES = 256,
    BENCH_NOTES_MAX = 160,
    BENCH_NOTE_BYTES = 512
};

// ---- what is timed

// A back end on one of its devices, and its measured memory and arithmetic rates; 0: not known.
struct bench_entry {
    const struct backend *backend; // in the model's list
    int device;
    char label[BENCH_LABEL_BYTES]; // as on the command line, "NAME" or "NAME:1"
    double copy_bytes_per_s;       // read and written
    struct {
        double fma_per_s, rsqrt_per_s;
    } arithmetic[2];    // [0] in single precision, [1] in double
    double draws_per_s; // random words
};

struct bench_time {
    int steps;  // in one repetition
    int repeat; // number of repetitions
    double seconds[BENCH_REPEAT_MAX];
    double step_ms; // median of the repetitions
    bool is_device_clock;
    // Of several ranks: for each repetition the time for which the rank that waited longest waited for its
    // neighbours; of a step the median of that, and the bytes that all of them sent.
    double waited_s[BENCH_REPEAT_MAX], exchange_ms, exchanged_bytes;
};

struct bench_row {
    const struct bench_entry *entry;
    int kind, method;       // in the model's lists
    enum element precision; // ELEMENT_F32 or ELEMENT_F64
    long long size[BENCH_AXES];
    long long copies; // independent copies of the system computed together; usually 1
    int variant;      // the model's own
    int threads;      // of the processor, which omp_set_num_threads sets; 0: all
    unsigned tables;  // bit set of the tables that show the row; 0: only used to extrapolate
    double cost;      // relative cost of a step, to extrapolate; 0: never
    bool has_run;     // else time.step_ms is an estimate, and nothing else is known
    struct bench_time time;
    // Each of the next four is of one step; 0: not known.
    double work;         // what the model counts: nodes, pairs
    double bytes;        // least that must be read and written
    double operations;   // floating-point operations
    double arithmetic_s; // duration of the arithmetic at the measured arithmetic rate
    double device_bytes; // planned
    // Of several ranks: a step of one rank (0: not measured); numbers made of the state after some steps,
    // of one and of all ranks (0: not known).
    double alone_ms;
    uint64_t alone_checksum, checksum;
    double figures[BENCH_FIGURES_MAX]; // the model's own; NaN: none
};

// How the timing loop drives a row; fields that the model does not set are 0 or false.
struct bench_work {
    const struct backend *backend; // of the solver; the entry's unless `plan` sets another
    int warm_steps;                // before the timing; 0: 2
    int least_steps;               // a repetition has a multiple of this number of steps; 0: 1
    int repeat_most;               // 0: from the command line
    int64_t step;                  // the next step
    bool is_device;
    bool is_device_clock;               // the last measurement was by the device's clock
    double exchanged_bytes, exchange_s; // of this rank, in the last measurement
};

// ---- how a model describes itself

// What is asked for by --table, a set; nothing: the model's usual rows.
enum bench_tables {
    BENCH_TABLE_VARIANTS = 1, // the model's usual rows
    BENCH_TABLE_SOURCE = 2,   // the authors' figures beside the rungs of their ladder (bench/ladder/ladder.h)
    BENCH_TABLE_BLOCKS = 4,   // rungs by the shape of their blocks
    BENCH_TABLE_THREADS = 8,  // the usual rows of processors with 1, 2, 4 ... all threads
    BENCH_TABLE_SIZES = 16    // the model's sizes, and from which on a device is faster than a processor
};

enum bench_argument {
    BENCH_SWITCH,
    BENCH_NUMBER,
    BENCH_COUNT,
    BENCH_QUANTITY, // with a unit of time, in seconds
    BENCH_WORD,     // one of `words`; the value is its index
    BENCH_WORDS     // may be given several times; the value is a set of bits, 0 for none
};

struct bench_option {
    const char *name, *argument; // "theta", "T"; argument NULL: none
    enum bench_argument type;
    double least, most, initial;
    const char *const *words; // ends with NULL
    const char *key;          // in the JSON report; NULL: not reported
    const char *help;
};

#define BENCH_NUMBER_OPTION(name_, argument_, type_, least_, most_, initial_, key_, help_)                   \
    {                                                                                                        \
        .name = name_, .argument = argument_, .type = type_, .least = least_, .most = most_,                 \
        .initial = initial_, .key = key_, .help = help_                                                      \
    }
#define BENCH_WORD_OPTION(name_, type_, words_, key_, help_)                                                 \
    {                                                                                                        \
        .name = name_, .argument = "NAME", .type = type_, .words = words_, .key = key_, .help = help_        \
    }

struct bench;

// Quantity shown in a column: a figure of the model's own, or a field of the row.
enum bench_source {
    BENCH_FIGURE,
    BENCH_STEP_MS,
    BENCH_STEPS,
    BENCH_REPEAT,
    BENCH_SCATTER, // half the interquartile range of the repetitions, divided by their median
    BENCH_IS_ESTIMATE,
    BENCH_SIZE,
    BENCH_COPIES,
    BENCH_WORK,
    BENCH_BYTES,
    BENCH_OPERATIONS,
    BENCH_ARITHMETIC_S,
    BENCH_DEVICE_BYTES,
    BENCH_THREADS, // of --table threads; the next two: against the same row with one thread
    BENCH_THREADS_SPEED_UP,
    BENCH_THREADS_EFFICIENCY,
    BENCH_ALONE_MS, // of several ranks
    BENCH_SPEED_UP,
    BENCH_EFFICIENCY,
    BENCH_EXCHANGED_BYTES,
    BENCH_EXCHANGE_MS,
    BENCH_HAS_SAME_BITS
};
// What it is divided by.
enum bench_per {
    BENCH_PER_STEP,
    BENCH_PER_SECOND,
    BENCH_PER_NANOSECOND,
    BENCH_PER_WORK,
    BENCH_PER_COPY // by what the copy rate allows in the time of a step
};

struct bench_column {
    const char *key;         // in the report; "error.rms": member of the object "error"; NULL: not reported
    const char *name, *unit; // the two lines above the column; name NULL: not in the table
    const char *format;      // of the number in the table
    double scale;            // table: number · scale; 0: 1
    bool is_left;            // aligned left
    bool is_flag;            // true or false in the report
    int part;                // part of the tables in which the column appears; −1: all
    enum bench_source source;
    enum bench_per per;
    int index;        // of the figure (BENCH_FIGURE) or of the axis (BENCH_SIZE)
    const char *none; // why a row that has run may lack it; NULL: its method has no such figure
    void (*text)(const struct bench *bench, const struct bench_row *row, char *text, size_t bytes);
};

// A column of the tables and the report; the last arguments name its source.
#define BENCH_COLUMN(key_, name_, unit_, format_, scale_, ...)                                               \
    {                                                                                                        \
        .key = key_, .name = name_, .unit = unit_, .format = format_, .scale = scale_, __VA_ARGS__           \
    }
// A number in the report alone.
#define BENCH_REPORTED(key_, ...)                                                                            \
    {                                                                                                        \
        .key = key_, __VA_ARGS__                                                                             \
    }
// The duration of one stage of a step, in the second part of the tables.
#define BENCH_STAGE(title, number)                                                                           \
    BENCH_COLUMN("phase_ms." title, title, "ms", "%.4g", 1, .part = 1, BENCH_OWN(number))
// Source: the model's figure of this index.
#define BENCH_OWN(number) .source = BENCH_FIGURE, .index = number
// Source: a field of the row, divided: BENCH_OF(BYTES, STEP).
#define BENCH_OF(what, unit) .source = BENCH_##what, .per = BENCH_PER_##unit
// Ends a list of columns.
#define BENCH_LAST                                                                                           \
    {                                                                                                        \
        .key = NULL                                                                                          \
    }

// One of the authors' figures, for which a row of the benchmark may be what the author timed.
struct bench_figure {
    const char *table, *rung;   // as in data/ladders/MODEL.json
    long long size[BENCH_AXES]; // of the author; a first 0: not known
    // The answer.
    bool has_rung, is_estimate;
    long long timed[BENCH_AXES]; // the row's size; a first 0: it has none of its own
    char what[BENCH_TEXT_BYTES]; // which row it is
    char why[BENCH_TEXT_BYTES];  // none is: "no device"
    bool is_unasked;             // a table that was not asked for has it
};

// Which rates are measured on a GPU (on the processor always both).
enum { BENCH_RATE_COPY = 1, BENCH_RATE_ARITHMETIC = 2 };

struct bench_model {
    const char *name;
    const char *about; // paragraphs of the help
    const struct backend_list *backends;
    unsigned rates; // a set of BENCH_RATE_…
    // (optional) Measures random words per second; leaves *words_per_s where the back end cannot measure it.
    enum status (*measure_draws)(const struct backend *backend, int device, double *words_per_s);
    const char *const *methods; // names in the tables and the report; ends with NULL
    const char *const *kinds;   // (optional) kinds of system, likewise
    const char *method_option;  // name of the command-line option; NULL: "method"
    const char *kind_key;       // of the report; NULL: not reported
    bool has_precisions;        // else there is one
    bool shows_kinds;           // in the tables, too
    int axes;                   // whole numbers of --size, joined by x
    long long size_least, size_most;
    long long size_usual[BENCH_AXES];     // if `list` is left out
    const long long (*sizes)[BENCH_AXES]; // (optional) of --table sizes, from small to large; ends with a 0
    const char *volume;                   // (with sizes) what sizes[0] · sizes[1] · … counts: "nodes"
    bool has_even_sizes;
    const char *size_example, *size_help;
    int least_steps; // smallest value of --steps; 0: 1
    int repeat;
    double budget_s;
    const struct bench_option *options;        // (optional) ends with a name of NULL
    const struct bench_column *columns;        // ends with a key and a name of NULL
    const char *const *groups, *const *parts;  // titles of the tables; end with NULL
    int (*group)(const struct bench_row *row); // (optional) the table of a row
    // (optional) Replaces the method's name.
    const char *(*name_method)(const struct bench_row *row);
    // (optional) Writes the size as text, instead of "4096" or "64 x 64".
    void (*describe_size)(const struct bench_row *row, char *text, size_t bytes);
    // (optional) Adds the rows by bench_add_rows; left out: each kind by each method in each size asked for.
    enum status (*list)(struct bench *bench);
    // (optional) Completes a row and decides whether it is wanted. STATUS_USAGE: it was requested by name but
    // is impossible.
    enum status (*admit)(struct bench *bench, struct bench_row *row, bool *is_wanted);
    // (optional) Returns the size of the smaller row that is timed to extrapolate to this one.
    long long (*probe_size)(const struct bench_row *row);
    // (optional; left out: no row can be divided among ranks) What shares_cut is to cut for the row; the
    // harness adds the ranks. STATUS_CONFIGURATION: this row cannot be divided, and why. `plan`, `start`,
    // `finish` and `checksum` are then called by all ranks together, with bench->shares.
    enum status (*divide)(const struct bench *bench, const struct bench_row *row,
                          struct shares_request *request);
    int slowest_axis; // (with divide) the size that is divided, and grows with --weak
    // (with divide) Makes a number of the present state in the rows of this rank: the sum of all ranks' is
    // that of one rank.
    enum status (*checksum)(const struct bench *bench, const struct bench_row *row, uint64_t *sum);
    // Where `plan` puts a row's solver; the harness warms it up and destroys it.
    struct solver **solver;
    // Declares the arrays of a row and creates *solver.
    enum status (*plan)(struct bench *bench, struct bench_row *row, struct memory_plan *plan);
    // Sets the state after the reservation and fills in bench->work.
    enum status (*start)(struct bench *bench, struct bench_row *row);
    // Makes `count` steps and waits for their end.
    enum status (*advance)(int64_t first_step, int64_t count);
    // Checks the state after the timing and fills in the row's figures.
    enum status (*finish)(struct bench *bench, struct bench_row *row);
    // (optional) Frees what `plan` made besides the solver; called even if an earlier function failed.
    void (*free)(void);
    // (optional) Frees, after all rows, what they share.
    void (*release)(void);
    void (*print_head)(const struct bench *bench);                   // (optional) lines above the tables
    void (*print_foot)(const struct bench *bench);                   // (optional) lines below the tables
    void (*report)(const struct bench *bench, struct cJSON *report); // (optional) adds members to the report
    enum status (*judge)(const struct bench *bench);                 // (optional) the verdict at the end
    // (optional; a model without rungs in bench/ladder/ladder.h) Returns what was timed here in place of the
    // figure: seconds for a time, else in the unit of its table. NaN: not known.
    double (*find_ours)(const struct bench *bench, struct bench_figure *figure);
};

extern const struct bench_model bench_tsunami, bench_bioheat, bench_nbody, bench_gas, bench_ising;

const struct bench_model *bench_find(const char *name); // NULL: unknown
const struct bench_model *const *bench_list(void);      // all, ended by NULL

// Runs the command; argv[0] is the model's name. Prints errors and returns a process exit code.
int bench_main(const struct bench_model *model, int argc, char **argv);

// ---- a benchmark under way

struct bench {
    const struct bench_model *model;
    // From the command line.
    long long sizes[BENCH_SIZES_MAX][BENCH_AXES];
    int size_count;     // 0: the model's own
    unsigned methods;   // bit set of the requested methods; 0: all
    bool precisions[2]; // requested: [0] single, [1] double
    int steps;          // 0: chosen by the timing loop
    int repeat;
    double budget_s;
    unsigned tables; // a set of enum bench_tables
    bool skips_reference, by_processor_time, as_json, is_weak;
    const char *transport; // between the ranks' GPUs; NULL: the fastest
    bool has_named;        // back ends were requested by name: their failure is a failure of the benchmark
    double value[BENCH_OPTIONS_MAX]; // of the model's options, in their order
    struct bench_work work;          // of the row being timed
    struct ranks *ranks;             // of this process; without a launcher one
    const struct share *shares;      // of the ranks, while they compute a row together; else NULL
    // Results.
    int entry_count, row_count, note_count;
    struct bench_entry entries[BENCH_ENTRIES_MAX];
    struct bench_row rows[BENCH_ROWS_MAX];
    char notes[BENCH_NOTES_MAX][BENCH_NOTE_BYTES]; // what could not be measured, and why
};

// Adds one row for each entry, method (of the bit set `methods`) and precision that was requested and that
// the model admits. The reference is in double precision only. An existing row is also shown in the new row's
// tables.
enum status bench_add_rows(struct bench *bench, struct bench_row row, unsigned methods);
// Returns the row of the same solver and size, or NULL.
const struct bench_row *bench_find_row(const struct bench *bench, const struct bench_row *like);

// Writes the row for messages: "openmp, float, direct, n = 4096".
void bench_describe_row(const struct bench *bench, const struct bench_row *row, char *text, size_t bytes);
void bench_describe_size(const struct bench *bench, const struct bench_row *row, char *text, size_t bytes);
const char *bench_method_name(const struct bench *bench, const struct bench_row *row);
void bench_add_note(struct bench *bench, const char *what, const char *why);

// Fails with STATUS_USAGE; adds to the message where the help is.
enum status bench_mistake(const struct bench *bench, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Whether a device is timed, or a processor by another back end than the reference.
bool bench_has_entry(const struct bench *bench, bool is_device);

static inline bool bench_is_reference(const struct bench_entry *entry)
{
    return strcmp(entry->backend->name, "reference") == 0;
}

static inline int bench_precision(const struct bench_row *row)
{
    return row->precision == ELEMENT_F32 ? 0 : 1;
}

static inline const char *bench_precision_name(const struct bench_row *row)
{
    return row->precision == ELEMENT_F32 ? "float" : "double";
}

// The rows of this rank: all, but while the ranks compute a row together.
struct bench_range {
    long long first, end;
};
struct bench_range bench_own_rows(const struct bench *bench, long long rows);

// ---- parts of the harness

// options.c: reads the command line. Returns a process exit code if the command ends here, else −1.
int bench_read_options(struct bench *bench, int argc, char **argv);
// Prints a text whose first line begins at column `at`, the others after `indent` blanks, and breaks lines at
// blanks before column `columns`.
void bench_print_wrapped(const char *text, int at, int indent, int columns);
// bench.c: what is being timed, on standard error if that is a terminal; "": nothing any more.
void bench_show_progress(const struct bench *bench, const char *what);
// time.c: makes some untimed steps, then times repetitions, within about the budget.
enum status bench_time(struct bench *bench, struct bench_time *time);
// The time from which durations are measured, by the clock or the processor's, as the command line says.
double bench_now_s(const struct bench *bench);
// ladder/tables.c; where the ladders are not compiled in, tables_none.c, which refuses. Times and prints
// the rungs of the sources, after bench_find_machine.
enum status bench_ladder_run(struct bench *bench);
// Likewise: the authors' figures beside those of rows that were timed (bench_model's find_ours), printed or,
// if `report` is not NULL, added to it; and the authors' times and rates alone, as "peers" of the report.
// Before anything is timed, _check reads the file of figures: where it cannot be read, --table source fails,
// and --table sizes gets a note.
enum status bench_ladder_check(struct bench *bench);
enum status bench_ladder_show(struct bench *bench, struct cJSON *report);
void bench_ladder_report_peers(struct bench *bench, struct cJSON *report);
// Adds the authors' names as "source" of the report, if the file of figures can be read.
void bench_ladder_report_source(struct bench *bench, struct cJSON *report);
// machine.c: fills in the entries: the back ends requested by name, or all that this machine can run; and
// measures their rates.
enum status bench_find_machine(struct bench *bench);
enum status bench_measure_machine(struct bench *bench);
// What a report says of where and when it was made: "date" (UTC), "version", "threads", "clock" (of what the
// host times: "wall" or "processor", as --processor-time says), and, as far as they are known, "processor"
// and, if devices are timed, "devices".
void bench_report_machine(const struct bench *bench, struct cJSON *report);
// ranks.c: several ranks. Starts them, if a launcher started this process; ends them, with the message of a
// failure, and returns the exit code. *must_leave: the process must then end at once.
enum status bench_ranks_start(struct bench *bench);
int bench_ranks_end(const struct bench *bench, enum status status, bool *must_leave);
bool bench_is_first(const struct bench *bench); // rank 0, or the only one
// Times a row first on rank 0, while the others sleep, and then on all ranks. `time_row` times it as
// bench->shares says.
enum status bench_ranks_time(struct bench *bench, struct bench_row *row,
                             enum status (*time_row)(struct bench *bench, struct bench_row *row));
// While the ranks compute together: the failure of any rank to reserve its memory becomes that of all;
// seconds become the slowest rank's; what was exchanged is put together. Else nothing.
enum status bench_ranks_agree(struct bench *bench, enum status status);
enum status bench_ranks_slowest(struct bench *bench, double *seconds);
enum status bench_ranks_total(struct bench *bench, struct bench_time *time);
// The state after the same few steps from the start, of one rank and of all.
enum status bench_ranks_check(struct bench *bench, struct bench_row *row);
// After all rows. STATUS_CONFIGURATION: none could be divided. STATUS_SOFTWARE: one had other bits than one
// rank.
enum status bench_ranks_check_divided(const struct bench *bench);
enum status bench_ranks_judge(const struct bench *bench);
void bench_ranks_print(const struct bench *bench);
void bench_ranks_report(const struct bench *bench, struct cJSON *report);
// What ranks of one host share in this row, so that its times are not those of several ranks: "cores", "a
// device"; NULL: nothing.
const char *bench_ranks_sharing(const struct bench *bench, const struct bench_row *row);
// How the row's ranks exchanged; "" for one.
const char *bench_ranks_transport(const struct bench *bench, const struct bench_row *row);
// Turns a refusal by the machine (STATUS_SYSTEM) into a note, unless back ends were requested by name.
enum status bench_note_refusal(struct bench *bench, const char *what, enum status status);
// crossover.c: the size from which on the second of two series of times is the shorter one, where lines
// through them in logarithms meet for the last time; sizes ascend. 0: at every size; INFINITY: at none;
// NaN: a time is not there (0 or NaN).
double bench_find_crossover(int count, const double *sizes, const double *first_ms, const double *second_ms);
// Of --table sizes, as text and as the report's "crossovers".
void bench_print_crossovers(const struct bench *bench);
void bench_report_crossovers(const struct bench *bench, struct cJSON *report);
// print.c
void bench_print_tables(const struct bench *bench);
enum status bench_print_report(struct bench *bench);
// Makes a job from its text, checked against the model's keys; reads no file. The caller frees it by
// job_free.
enum status bench_read_job(const struct bench *bench, struct job **job, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
