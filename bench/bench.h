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

// A back end on one of its devices, and what its memory and arithmetic do alone; 0: not known.
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
    int steps, repeat; // in a repetition; how many of those
    double seconds[BENCH_REPEAT_MAX];
    double step_ms; // by the median
    bool is_device_clock;
};

struct bench_row {
    const struct bench_entry *entry;
    int kind, method;       // in the model's lists
    enum element precision; // ELEMENT_F32 or ELEMENT_F64
    long long size[BENCH_AXES];
    long long copies; // of the system side by side; 1
    int variant;      // the model's own
    unsigned tables;  // 0: timed only to estimate larger rows
    double cost;      // of a step, of which only ratios count; 0: the row is never estimated
    bool has_run;     // else time.step_ms is an estimate, and nothing else is known
    struct bench_time time;
    // Of a step; 0: not known. Work is what the model counts (nodes, pairs); bytes are those that must move;
    // arithmetic_s is what the arithmetic takes at the rate that was measured alone.
    double work, bytes, operations, arithmetic_s;
    double device_bytes;               // planned
    double figures[BENCH_FIGURES_MAX]; // the model's own; NaN: none
};

// How the timing loop drives a row; 0 or false where nothing else is set.
struct bench_work {
    const struct backend *backend; // of the solver; another than the entry's only if `plan` sets it
    int warm_steps;                // before the timing; 0: 2
    int least_steps;               // a repetition is a multiple of so many; 0: 1
    int repeat_most;               // 0: from the command line
    int64_t step;                  // the next one
    bool is_device;
    bool is_device_clock; // of the last measurement
};

// ---- how a model describes itself

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
    const char *key;          // of the report; NULL: not there
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

// Where the number of a column comes from. A figure of the model's own; or the row's, of a step, ...
enum bench_source {
    BENCH_FIGURE,
    BENCH_STEP_MS,
    BENCH_STEPS,
    BENCH_REPEAT,
    BENCH_SCATTER, // half the distance between the quartiles of the repetitions, by their median
    BENCH_IS_ESTIMATE,
    BENCH_SIZE,
    BENCH_COPIES,
    BENCH_WORK,
    BENCH_BYTES,
    BENCH_OPERATIONS,
    BENCH_ARITHMETIC_S,
    BENCH_DEVICE_BYTES
};
// ... and over what it is taken.
enum bench_per { BENCH_A_STEP, BENCH_A_SECOND, BENCH_A_NANOSECOND, BENCH_A_WORK, BENCH_OF_COPY };

struct bench_column {
    const char *key;         // in the report; "error.rms": a member of the object "error"; NULL: not there
    const char *name, *unit; // the two lines above the column; name NULL: not in the table
    const char *format;      // of the number in the table
    double scale;            // table: number · scale; 0: 1
    bool is_left;            // aligned left
    bool is_flag;            // in the report true or false
    int part;                // the tables of a model have this column in part 0, or in one below it
    enum bench_source source;
    enum bench_per per;
    int index; // of the figure; of the axis
    void (*text)(const struct bench *bench, const struct bench_row *row, char *text, size_t bytes);
};

// A number in table and report, and one in the report alone; the rest names the source.
#define BENCH_COLUMN(key_, name_, unit_, format_, scale_, ...)                                               \
    {                                                                                                        \
        .key = key_, .name = name_, .unit = unit_, .format = format_, .scale = scale_, __VA_ARGS__           \
    }
#define BENCH_REPORTED(key_, ...)                                                                            \
    {                                                                                                        \
        .key = key_, __VA_ARGS__                                                                             \
    }
// In the second part of the tables, by the stages of a step.
#define BENCH_STAGE(title, number)                                                                           \
    BENCH_COLUMN("phase_ms." title, title, "ms", "%.4g", 1, .part = 1, BENCH_OWN(number))
#define BENCH_OWN(number)   .source = BENCH_FIGURE, .index = number
#define BENCH_OF(what, how) .source = BENCH_##what, .per = BENCH_##how
#define BENCH_LAST                                                                                           \
    {                                                                                                        \
        .key = NULL                                                                                          \
    }

// Rates of a device that are measured; those of the processor always are.
enum { BENCH_RATE_COPY = 1, BENCH_RATE_ARITHMETIC = 2 };

struct bench_model {
    const char *name;
    const char *about; // paragraphs of the help
    const struct backend_list *backends;
    unsigned rates; // a set of BENCH_RATE_…
    // (optional) Random words a second; leaves *words_per_s where the back end has no such measurement.
    enum status (*measure_draws)(const struct backend *backend, int device, double *words_per_s);
    // Methods, and (optional) kinds of system: names in the table and in the report. Each ends with NULL.
    const char *const *methods, *const *kinds;
    const char *method_option, *kind_key; // NULL: "method", and none
    bool has_precisions;                  // else there is one
    bool shows_kinds;                     // in the tables, not in the report alone
    // --size: `axes` whole numbers, joined by x.
    int axes;
    long long size_least, size_most, size_usual[BENCH_AXES]; // usual: if `list` is left out
    bool has_even_sizes;
    const char *size_example, *size_help;
    int least_steps; // that --steps takes; 0: 1
    int repeat;
    double budget_s;
    const struct bench_option *options;        // (optional) ends with a name of NULL
    const struct bench_column *columns;        // ends with a key and a name of NULL
    const char *const *groups, *const *parts;  // titles of the tables; end with NULL
    int (*group)(const struct bench_row *row); // (optional) the table of a row
    // (optional) In place of the method's name in the list; of "4096" or "64 x 64".
    const char *(*name_method)(const struct bench_row *row);
    void (*describe_size)(const struct bench_row *row, char *text, size_t bytes);
    // (optional) Adds the rows by bench_add_rows; left out: each kind by each method in each size asked for.
    enum status (*list)(struct bench *bench);
    // (optional) Completes a row and decides whether it is wanted; STATUS_USAGE: it was requested by name and
    // cannot be.
    enum status (*admit)(struct bench *bench, struct bench_row *row, bool *is_wanted);
    long long (*probe_size)(const struct bench_row *row); // (optional) timed to estimate larger rows
    // A row: declares the arrays and creates *solver, which the harness warms up and destroys; after the
    // reservation, sets the state and fills in bench->work; makes steps and waits for their end; after the
    // timing, checks the state and fills in the row's figures; (optional) frees what `plan` made besides,
    // whatever failed before.
    struct solver **solver;
    enum status (*plan)(struct bench *bench, struct bench_row *row, struct memory_plan *plan);
    enum status (*start)(struct bench *bench, struct bench_row *row);
    enum status (*advance)(int64_t first_step, int64_t count);
    enum status (*finish)(struct bench *bench, struct bench_row *row);
    void (*free)(void);
    // (optional) After all rows: frees what they share.
    void (*release)(void);
    // (optional) Lines above and below the tables; members of the report.
    void (*print_head)(const struct bench *bench);
    void (*print_foot)(const struct bench *bench);
    void (*report)(const struct bench *bench, struct cJSON *report);
    enum status (*judge)(const struct bench *bench); // (optional) at the end
};

extern const struct bench_model bench_tsunami, bench_bioheat, bench_nbody, bench_gas, bench_ising;

// By name, NULL if unknown; and all, ended by NULL.
const struct bench_model *bench_find(const char *name);
const struct bench_model *const *bench_list(void);

// Returns a process exit code; argv[0] is the model's name. Prints what went wrong.
int bench_main(const struct bench_model *model, int argc, char **argv);

// ---- a benchmark under way

struct bench {
    const struct bench_model *model;
    // From the command line.
    long long sizes[BENCH_SIZES_MAX][BENCH_AXES];
    int size_count;   // 0: the model's own
    unsigned methods; // asked for, a bit each; 0: all
    bool precisions[2];
    int steps; // 0: chosen
    int repeat;
    double budget_s;
    bool skips_reference, by_processor_time, as_json;
    bool has_named; // back ends were asked for by name: their failure is a failure of the benchmark
    double value[BENCH_OPTIONS_MAX];
    struct bench_work work; // of the row under way
    // Results.
    int entry_count, row_count, note_count;
    struct bench_entry entries[BENCH_ENTRIES_MAX];
    struct bench_row rows[BENCH_ROWS_MAX];
    char notes[BENCH_NOTES_MAX][BENCH_NOTE_BYTES]; // what could not be measured, and why
};

// For every entry, method of the set `methods` and precision that is asked for and that the model admits. The
// reference is in double precision only. An existing row gets the tables of the new one too.
enum status bench_add_rows(struct bench *bench, struct bench_row row, unsigned methods);
// The row of the same solver and size; NULL if it does not exist.
const struct bench_row *bench_find_row(const struct bench *bench, const struct bench_row *like);

// For messages: "openmp, float, direct, n = 4096"; and parts of it.
void bench_describe_row(const struct bench *bench, const struct bench_row *row, char *text, size_t bytes);
void bench_describe_size(const struct bench *bench, const struct bench_row *row, char *text, size_t bytes);
const char *bench_method_name(const struct bench *bench, const struct bench_row *row);
void bench_add_note(struct bench *bench, const char *what, const char *why);

// STATUS_USAGE with the message and where the help is.
enum status bench_mistake(const struct bench *bench, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

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

// ---- parts of the harness

// options.c: a process exit code if the command ends here, else −1.
int bench_read_options(struct bench *bench, int argc, char **argv);
// time.c: some steps that are not timed, then repetitions, within about the budget.
enum status bench_time(struct bench *bench, struct bench_time *time);
// machine.c: the back ends that were named, or all, without those that this machine cannot run; their rates.
enum status bench_measure_machine(struct bench *bench);
// What the machine refuses (STATUS_SYSTEM) is noted, unless back ends were asked for by name.
enum status bench_forgive(struct bench *bench, const char *what, enum status status);
// print.c
void bench_print_tables(const struct bench *bench);
enum status bench_print_report(const struct bench *bench);
// A job of the model from its text, checked against the model's keys; no file is read. End with job_free.
enum status bench_read_job(const struct bench *bench, struct job **job, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
