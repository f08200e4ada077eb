// For tests of the whole program: a fresh folder, small input grids, job files, the program run as a child in
// that folder, and result files read back through netCDF-C. Knows the command line and the files, nothing of
// the program's inside.
//
// Every file name is relative to the test's folder. What goes wrong in here fails the test that called it.
#ifndef FATHOM_TESTS_SUPPORT_CLI_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_CLI_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct cJSON;

// ---- the folder

// cmocka set-up and tear-down of one test: a new folder under /tmp, removed with all that is in it.
int cli_setup(void **state);
int cli_teardown(void **state);

// Full path of a name; one of a few static buffers, valid for the next seven calls.
const char *cli_path(const char *name);
bool cli_exists(const char *name);
void cli_write_text(const char *name, const char *text);
// Names in a folder, those of entries "." and ".." left out.
int cli_count_entries(const char *name);
void cli_remove(const char *name); // a file or a whole folder

// ---- input grids

enum { CLI_VARIABLES_MAX = 3 };

struct cli_variable {
    const char *name, *units, *positive, *standard_name; // NULL: the attribute is left out
    double (*value)(double x, double y, double time_s);
};

// Uniform nodes x0 + i·dx, y0 + j·dy: degrees, or metres if is_plane. With records > 0 the variables have a
// time axis.
struct cli_grid {
    size_t nx, ny;
    double x0, y0, dx, dy;
    bool is_plane;
    size_t records;
    const double *times_s;
    int variable_count;
    struct cli_variable variables[CLI_VARIABLES_MAX];
};

// netCDF-4 with coordinate variables lon, lat (x, y on a plane).
void cli_write_grid(const char *name, const struct cli_grid *grid);

// The sea of most tests: 40 × 30 nodes of 0.25 degree from 140 E, 30 N; 1000 to 4500 m deep, land in the west
// and an island. As elevations, positive up.
extern const struct cli_grid cli_sea;
// A plane basin of 48 × 32 nodes of 500 m, 100 m deep with a shoal, land at its eastern side.
extern const struct cli_grid cli_basin;

// ---- jobs

// A forecast of 30 minutes on "sea.nc" (which is written, too): one fault, fields each 10 min, four kinds of
// result, output in "out". Free with cJSON_Delete.
struct cJSON *cli_sea_job(void);
// Sets a key ("output.fields.every") to a value given as JSON text; makes objects on the way. NULL removes
// the key.
void cli_set(struct cJSON *job, const char *key, const char *json);
void cli_write_job(const struct cJSON *job, const char *name);
// A gauge list of three gauges in the sea: "west" (in the open water there), "east", "south".
void cli_write_gauges(const char *name);

// ---- the program

struct cli_options {
    bool as_nobody;          // under the user nobody; only for a test that runs as root
    uint64_t file_bytes_max; // RLIMIT_FSIZE of the child; 0 = unchanged
};

struct cli_result {
    int exit_code; // −1 if a signal ended it
    int signal;
    char output[1 << 18], error[1 << 16]; // standard output and error
};

// Runs the program in the folder, with OMP_NUM_THREADS=2, and waits. The arguments end with NULL. One result
// at a time.
const struct cli_result *cli_run(const char *argument, ...) __attribute__((sentinel));
const struct cli_result *cli_run_as(const struct cli_options *options, const char *argument, ...)
    __attribute__((sentinel));
// The same for any program on the PATH.
const struct cli_result *cli_run_tool(const char *program, const char *argument, ...)
    __attribute__((sentinel));
// The same in two parts. cli_finish fails the test if the program has not ended after two minutes.
pid_t cli_start(const char *argument, ...) __attribute__((sentinel));
const struct cli_result *cli_finish(pid_t child);
// Waits until a file is there or the child has ended; false if it ended (or after a minute) without.
bool cli_wait_for(const char *name, pid_t child);
// Waits, in the same way, until one of the two checkpoints in a folder's partial/ is written anew. `before`
// is what cli_checkpoint_stamp said then.
double cli_checkpoint_stamp(const char *directory);
bool cli_wait_for_checkpoint(const char *directory, double before, pid_t child);

// The program ended with `exit_code` and one line on standard error, "fathom: …", that holds each of the
// fragments (NULL-terminated). Lines of the log before it are allowed only if `has_log`.
void cli_assert_error(const struct cli_result *result, int exit_code, bool has_log, const char *fragment, ...)
    __attribute__((sentinel));
void cli_assert_done(const struct cli_result *result);

// ---- results

// A JSON file; a number in it by its path ("memory.planned_bytes"), failing if it is not there.
struct cJSON *cli_read_json(const char *name);
double cli_json_number(const struct cJSON *json, const char *key);
double cli_run_number(const char *directory, const char *key); // of DIRECTORY/run.json

// Values of a variable as doubles (owned by the caller), their number, and optionally its shape (up to 4
// lengths).
double *cli_read_variable(const char *file, const char *variable, size_t *count, size_t *shape);
size_t cli_dimension(const char *file, const char *dimension);
bool cli_has_variable(const char *file, const char *variable);
// Attribute text; variable NULL = global. One static buffer.
const char *cli_attribute(const char *file, const char *variable, const char *attribute);

// Both files have the same dimensions and the same variables with the same bits in them. Attributes are not
// compared.
void cli_assert_same_data(const char *file, const char *expected);
// The same for several files whose records, one after the other, make up those of the expected file.
void cli_assert_same_joined(const char *const *files, int count, const char *expected);
// For every result file of a folder: *.nc of `expected` are in `directory` too, the same; and no others.
void cli_assert_same_results(const char *directory, const char *expected);

// Copies a file whole.
void cli_copy(const char *from, const char *to);
// XOR of one byte, `offset` from the start, or from the end if negative; and cutting a file short.
void cli_flip_byte(const char *name, long offset);
void cli_truncate(const char *name, double share);

#endif
