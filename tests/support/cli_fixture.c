// A folder, inputs, jobs, the program as a child, and its results: see cli_fixture.h. Knows nothing of the
// program's inside.
#include "tests/support/cli_fixture.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <netcdf.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { ARGUMENTS_MAX = 24, PATHS = 8, PATH_LENGTH = 512, NOBODY = 65534, WAIT_S = 120 };

static char folder[64];
static struct cli_result result;

#define NC(call)                                                                                             \
    do {                                                                                                     \
        int nc_status_ = (call);                                                                             \
        if (nc_status_ != NC_NOERR)                                                                          \
            fail_msg("%s:%d: netCDF: %s", __FILE__, __LINE__, nc_strerror(nc_status_));                      \
    } while (0)

// ---- the folder

static int remove_entry(const char *path, const struct stat *information, int type, struct FTW *ftw)
{
    (void)information;
    (void)type;
    (void)ftw;
    return remove(path);
}

int cli_setup(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/fathom-test-cli-XXXXXX");
    // Others may enter: some tests run the program under another user.
    return mkdtemp(folder) && chmod(folder, 0755) == 0 ? 0 : -1;
}

int cli_teardown(void **state)
{
    (void)state;
    return nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

const char *cli_path(const char *name)
{
    static char paths[PATHS][PATH_LENGTH];
    static int next;
    char *path = paths[next];
    next = (next + 1) % PATHS;
    assert_true(snprintf(path, PATH_LENGTH, "%s/%s", folder, name) < PATH_LENGTH);
    return path;
}

bool cli_exists(const char *name)
{
    return access(cli_path(name), F_OK) == 0;
}

void cli_write_text(const char *name, const char *text)
{
    FILE *file = fopen(cli_path(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

int cli_count_entries(const char *name)
{
    DIR *directory = opendir(cli_path(name));
    assert_non_null(directory);
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(directory));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return count;
}

void cli_remove(const char *name)
{
    assert_int_equal(nftw(cli_path(name), remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static char *read_whole(const char *name, size_t *length)
{
    FILE *file = fopen(cli_path(name), "rb");
    if (!file)
        fail_msg("%s: %s", name, strerror(errno));
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    assert_true(size >= 0);
    rewind(file);
    char *bytes = malloc((size_t)size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)size, file), (size_t)size);
    bytes[size] = '\0';
    fclose(file);
    *length = (size_t)size;
    return bytes;
}

static void write_whole(const char *name, const char *bytes, size_t length)
{
    FILE *file = fopen(cli_path(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

void cli_copy(const char *from, const char *to)
{
    size_t length;
    char *bytes = read_whole(from, &length);
    write_whole(to, bytes, length);
    free(bytes);
}

void cli_flip_byte(const char *name, long offset)
{
    size_t length;
    char *bytes = read_whole(name, &length);
    const size_t place = offset >= 0 ? (size_t)offset : length - (size_t)-offset;
    assert_true(place < length);
    bytes[place] = (char)(bytes[place] ^ 0x10);
    write_whole(name, bytes, length);
    free(bytes);
}

void cli_truncate(const char *name, double share)
{
    struct stat information;
    assert_int_equal(stat(cli_path(name), &information), 0);
    assert_int_equal(truncate(cli_path(name), (off_t)(share * (double)information.st_size)), 0);
}

// ---- input grids

static double sea_elevation(double x, double y, double time_s)
{
    (void)time_s;
    if (x < 140.7)
        return 200;
    if (fabs(x - 147.5) < 0.3 && fabs(y - 35) < 0.3)
        return 50;
    return -(1000 + 3500 * fmin(1, (x - 140.7) / 4));
}

const struct cli_grid cli_sea = {.nx = 40,
                                 .ny = 30,
                                 .x0 = 140,
                                 .y0 = 30,
                                 .dx = 0.25,
                                 .dy = 0.25,
                                 .variable_count = 1,
                                 .variables = {{"elevation", "m", "up", NULL, sea_elevation}}};

static double basin_elevation(double x, double y, double time_s)
{
    (void)time_s;
    if (x > 22200)
        return 5;
    return -100 + 40 * exp(-((x - 15000) * (x - 15000) + (y - 8000) * (y - 8000)) / 9e6);
}

const struct cli_grid cli_basin = {.nx = 48,
                                   .ny = 32,
                                   .dx = 500,
                                   .dy = 500,
                                   .is_plane = true,
                                   .variable_count = 1,
                                   .variables = {{"z", "m", "up", NULL, basin_elevation}}};

static void put_text(int file, int variable, const char *name, const char *text)
{
    if (text)
        NC(nc_put_att_text(file, variable, name, strlen(text), text));
}

static void define_axis(int file, const struct cli_grid *grid, bool is_x, int *dimension)
{
    static const char *const names[2][2] = {{"lat", "y"}, {"lon", "x"}};
    static const char *const units[2][2] = {{"degrees_north", "m"}, {"degrees_east", "m"}};
    static const char *const standard[2][2] = {{"latitude", "projection_y_coordinate"},
                                               {"longitude", "projection_x_coordinate"}};
    const size_t count = is_x ? grid->nx : grid->ny;
    int variable;
    NC(nc_def_dim(file, names[is_x][grid->is_plane], count, dimension));
    NC(nc_def_var(file, names[is_x][grid->is_plane], NC_DOUBLE, 1, dimension, &variable));
    put_text(file, variable, "units", units[is_x][grid->is_plane]);
    put_text(file, variable, "standard_name", standard[is_x][grid->is_plane]);
    for (size_t k = 0; k < count; k++) {
        const double value = is_x ? grid->x0 + (double)k * grid->dx : grid->y0 + (double)k * grid->dy;
        NC(nc_put_var1_double(file, variable, &k, &value));
    }
}

static void write_values(int file, int variable, const struct cli_grid *grid,
                         const struct cli_variable *description)
{
    const size_t records = grid->records > 0 ? grid->records : 1;
    double *row = malloc(grid->nx * sizeof *row);
    assert_non_null(row);
    for (size_t t = 0; t < records; t++)
        for (size_t j = 0; j < grid->ny; j++) {
            for (size_t i = 0; i < grid->nx; i++)
                row[i] = description->value(grid->x0 + (double)i * grid->dx, grid->y0 + (double)j * grid->dy,
                                            grid->records > 0 ? grid->times_s[t] : 0);
            const size_t start[3] = {t, j, 0}, count[3] = {1, 1, grid->nx};
            const int skip = grid->records > 0 ? 0 : 1;
            NC(nc_put_vara_double(file, variable, start + skip, count + skip, row));
        }
    free(row);
}

void cli_write_grid(const char *name, const struct cli_grid *grid)
{
    int file, dimensions[3], time = -1;
    NC(nc_create(cli_path(name), NC_NETCDF4 | NC_CLOBBER, &file));
    if (grid->records > 0) {
        NC(nc_def_dim(file, "time", grid->records, &dimensions[0]));
        NC(nc_def_var(file, "time", NC_DOUBLE, 1, dimensions, &time));
        put_text(file, time, "units", "seconds since 2011-03-11 05:46:24");
        NC(nc_put_var_double(file, time, grid->times_s));
    }
    define_axis(file, grid, false, &dimensions[1]);
    define_axis(file, grid, true, &dimensions[2]);
    for (int k = 0; k < grid->variable_count; k++) {
        const struct cli_variable *description = &grid->variables[k];
        int variable;
        NC(nc_def_var(file, description->name, NC_DOUBLE, time >= 0 ? 3 : 2,
                      time >= 0 ? dimensions : dimensions + 1, &variable));
        put_text(file, variable, "units", description->units);
        put_text(file, variable, "positive", description->positive);
        put_text(file, variable, "standard_name", description->standard_name);
        write_values(file, variable, grid, description);
    }
    NC(nc_close(file));
}

// ---- jobs

cJSON *cli_sea_job(void)
{
    cli_write_grid("sea.nc", &cli_sea);
    cJSON *job = cJSON_Parse(
        "{\"fathom\": 1, \"model\": \"tsunami\", \"title\": \"A small sea\", \"backend\": \"openmp\","
        "\"domain\": {\"bathymetry\": {\"file\": \"sea.nc\"}},"
        "\"source\": {\"faults\": {\"fathom_faults\": 1, \"reference\": \"centre\","
        " \"columns\": [\"longitude\", \"latitude\", \"depth\", \"length\", \"width\", \"strike\", \"dip\", "
        "\"rake\","
        "  \"slip\"],"
        " \"units\": [\"degree\", \"degree\", \"km\", \"km\", \"km\", \"degree\", \"degree\", \"degree\", "
        "\"m\"],"
        " \"rows\": [[144.5, 33.5, 20, 150, 80, 195, 14, 90, 8]]}},"
        "\"time\": {\"duration\": \"30 min\", \"step\": \"30 s\"},"
        "\"output\": {\"directory\": \"out\", \"fields\": {\"every\": \"10 min\", \"variables\": [\"eta\", "
        "\"u\", \"v\"]},"
        " \"maxima\": true, \"arrival\": [\"1 cm\", \"10 cm\"]}}");
    assert_non_null(job);
    return job;
}

void cli_set(cJSON *job, const char *key, const char *json)
{
    char path[128];
    assert_true(snprintf(path, sizeof path, "%s", key) < (int)sizeof path);
    cJSON *object = job;
    char *part = path;
    for (char *dot; (dot = strchr(part, '.')); part = dot + 1) {
        *dot = '\0';
        cJSON *next = cJSON_GetObjectItemCaseSensitive(object, part);
        object = next ? next : cJSON_AddObjectToObject(object, part);
        assert_true(cJSON_IsObject(object));
    }
    cJSON_DeleteItemFromObjectCaseSensitive(object, part);
    if (!json)
        return;
    cJSON *value = cJSON_Parse(json);
    if (!value)
        fail_msg("%s: not JSON: %s", key, json);
    assert_true(cJSON_AddItemToObject(object, part, value));
}

void cli_write_job(const cJSON *job, const char *name)
{
    char *text = cJSON_Print(job);
    assert_non_null(text);
    cli_write_text(name, text);
    free(text);
}

void cli_write_gauges(const char *name)
{
    cli_write_text(
        name, "{\"fathom_gauges\": 1, \"gauges\": [\n"
              " {\"name\": \"west\", \"longitude\": \"142.1 degree\", \"latitude\": \"33.4 degree\"},\n"
              " {\"name\": \"east\", \"longitude\": \"148.4 degree\", \"latitude\": \"34.1 degree\"},\n"
              " {\"name\": \"south\", \"longitude\": \"145 degree\", \"latitude\": \"30.5 degree\"}]}\n");
}

// ---- the program

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// In the child: whatever fails here ends it with a code that no test expects.
static void become_program(const struct cli_options *options, const char *const *arguments)
{
    const int output = open(cli_path(".output"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int error = open(cli_path(".error"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (output < 0 || error < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(error, STDERR_FILENO) < 0 ||
        chdir(folder) != 0 || setenv("OMP_NUM_THREADS", "2", 1) != 0 ||
        // Threads that wait by turning round would make thousands of small steps very slow where other tests
        // run.
        setenv("OMP_WAIT_POLICY", "passive", 1) != 0)
        _exit(120);
    if (options && options->file_bytes_max > 0) {
        const struct rlimit limit = {options->file_bytes_max, options->file_bytes_max};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
            _exit(121);
    }
    if (options && options->as_nobody && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
        _exit(122);
    execvp(arguments[0], (char *const *)arguments);
    _exit(123);
}

static pid_t start(const struct cli_options *options, const char *program, const char *first, va_list rest)
{
    const char *arguments[ARGUMENTS_MAX + 1] = {program, first};
    int count = first ? 2 : 1;
    for (const char *argument; first && (argument = va_arg(rest, const char *));) {
        assert_true(count < ARGUMENTS_MAX);
        arguments[count++] = argument;
    }
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        become_program(options, arguments);
    return child;
}

static void read_text(const char *name, char *text, size_t bytes)
{
    FILE *file = fopen(cli_path(name), "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, bytes - 1, file);
    text[length] = '\0';
    assert_true(length < bytes - 1); // all of it
    fclose(file);
}

static const struct timespec poll_interval = {0, 2000000};

const struct cli_result *cli_finish(pid_t child)
{
    const double end_s = now_s() + WAIT_S;
    int status;
    for (;;) {
        const pid_t done = waitpid(child, &status, WNOHANG);
        assert_true(done >= 0);
        if (done == child)
            break;
        if (now_s() > end_s) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            fail_msg("the program did not end within %d s", WAIT_S);
        }
        nanosleep(&poll_interval, NULL);
    }
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    read_text(".output", result.output, sizeof result.output);
    read_text(".error", result.error, sizeof result.error);
    return &result;
}

const struct cli_result *cli_run(const char *argument, ...)
{
    va_list rest;
    va_start(rest, argument);
    const pid_t child = start(NULL, FATHOM_PROGRAM, argument, rest);
    va_end(rest);
    return cli_finish(child);
}
// The build folder may be closed to the user nobody (a clone in somebody's home): the program is copied to the test's own
// folder, which is open.
static const char *program_for(const struct cli_options *options)
{
    if (!options || !options->as_nobody)
        return FATHOM_PROGRAM;
    static char copy[4096];
    snprintf(copy, sizeof copy, "%s", cli_path("program"));
    if (access(copy, X_OK) == 0)
        return copy;
    FILE *from = fopen(FATHOM_PROGRAM, "rb"), *to = fopen(copy, "wb");
    assert_non_null(from);
    assert_non_null(to);
    char block[65536];
    for (size_t length; (length = fread(block, 1, sizeof block, from)) > 0;)
        assert_int_equal(fwrite(block, 1, length, to), length);
    assert_int_equal(fclose(to), 0);
    fclose(from);
    assert_int_equal(chmod(copy, 0755), 0);
    return copy;
}

const struct cli_result *cli_run_as(const struct cli_options *options, const char *argument, ...)
{
    va_list rest;
    va_start(rest, argument);
    const pid_t child = start(options, program_for(options), argument, rest);
    va_end(rest);
    return cli_finish(child);
}

const struct cli_result *cli_run_tool(const char *program, const char *argument, ...)
{
    va_list rest;
    va_start(rest, argument);
    const pid_t child = start(NULL, program, argument, rest);
    va_end(rest);
    return cli_finish(child);
}

pid_t cli_start(const char *argument, ...)
{
    va_list rest;
    va_start(rest, argument);
    const pid_t child = start(NULL, FATHOM_PROGRAM, argument, rest);
    va_end(rest);
    return child;
}

// The child is left for cli_finish (WNOWAIT).
static bool has_ended(pid_t child)
{
    siginfo_t information = {0};
    return waitid(P_PID, (id_t)child, &information, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           information.si_pid == child;
}

bool cli_wait_for(const char *name, pid_t child)
{
    const double end_s = now_s() + 0.5 * WAIT_S;
    while (!cli_exists(name)) {
        if (has_ended(child) || now_s() > end_s)
            return cli_exists(name);
        nanosleep(&poll_interval, NULL);
    }
    return true;
}

double cli_checkpoint_stamp(const char *directory)
{
    static const char *const names[] = {"partial/checkpoint.a", "partial/checkpoint.b"};
    double stamp = 0;
    for (int k = 0; k < 2; k++) {
        char name[128];
        struct stat information;
        snprintf(name, sizeof name, "%s/%s", directory, names[k]);
        if (stat(cli_path(name), &information) ==
            0) // the inode too: two may be written within one tick of the clock
            stamp += (double)information.st_mtim.tv_sec + 1e-9 * (double)information.st_mtim.tv_nsec +
                     (double)(information.st_ino % 1000003);
    }
    return stamp;
}

bool cli_wait_for_checkpoint(const char *directory, double before, pid_t child)
{
    const double end_s = now_s() + 0.5 * WAIT_S;
    while (cli_checkpoint_stamp(directory) == before) {
        if (has_ended(child) || now_s() > end_s)
            return false;
        nanosleep(&poll_interval, NULL);
    }
    return true;
}

void cli_assert_done(const struct cli_result *r)
{
    if (r->exit_code != 0)
        fail_msg("exit code %d, signal %d, standard error:\n%s", r->exit_code, r->signal, r->error);
}

void cli_assert_error(const struct cli_result *r, int exit_code, bool has_log, const char *fragment, ...)
{
    if (r->exit_code != exit_code)
        fail_msg("exit code %d, expected %d (signal %d), standard error:\n%s", r->exit_code, exit_code,
                 r->signal, r->error);
    const size_t length = strlen(r->error);
    assert_true(length > 0 && r->error[length - 1] == '\n');
    const char *last = r->error;
    int lines = 0;
    for (const char *line = r->error; *line; line = strchr(line, '\n') + 1) {
        last = line;
        lines++;
        if (strncmp(line, "fathom: ", 8) != 0)
            fail_msg("a line does not begin with \"fathom: \":\n%s", r->error);
    }
    if (!has_log && lines != 1)
        fail_msg("%d lines on standard error, expected one:\n%s", lines, r->error);
    va_list fragments;
    va_start(fragments, fragment);
    for (const char *part = fragment; part; part = va_arg(fragments, const char *))
        if (!strstr(last, part))
            fail_msg("the message lacks \"%s\": %s", part, last);
    va_end(fragments);
}

// ---- results

cJSON *cli_read_json(const char *name)
{
    size_t length;
    char *text = read_whole(name, &length);
    cJSON *json = cJSON_Parse(text);
    if (!json)
        fail_msg("%s: not JSON: %.200s", name, text);
    free(text);
    return json;
}

double cli_json_number(const cJSON *json, const char *key)
{
    char path[128];
    assert_true(snprintf(path, sizeof path, "%s", key) < (int)sizeof path);
    char *rest = path;
    for (char *part; json && (part = strsep(&rest, "."));)
        json = cJSON_GetObjectItemCaseSensitive(json, part);
    if (!cJSON_IsNumber(json))
        fail_msg("no number \"%s\"", key);
    return json->valuedouble;
}

double cli_run_number(const char *directory, const char *key)
{
    char name[128];
    snprintf(name, sizeof name, "%s/run.json", directory);
    cJSON *json = cli_read_json(name);
    const double value = cli_json_number(json, key);
    cJSON_Delete(json);
    return value;
}

static int open_netcdf(const char *file)
{
    int id;
    const int status = nc_open(cli_path(file), NC_NOWRITE, &id);
    if (status != NC_NOERR)
        fail_msg("%s: %s", file, nc_strerror(status));
    return id;
}

// One variable: its type, shape, and bytes as stored.
struct contents {
    nc_type type;
    int rank;
    size_t shape[NC_MAX_VAR_DIMS];
    bool has_records; // the first dimension is unlimited
    size_t count, bytes;
    void *data;
};

static void read_contents(int id, int variable, struct contents *c)
{
    int dimensions[NC_MAX_VAR_DIMS], unlimited;
    NC(nc_inq_vartype(id, variable, &c->type));
    NC(nc_inq_varndims(id, variable, &c->rank));
    NC(nc_inq_vardimid(id, variable, dimensions));
    NC(nc_inq_unlimdim(id, &unlimited));
    c->count = 1;
    for (int k = 0; k < c->rank; k++) {
        NC(nc_inq_dimlen(id, dimensions[k], &c->shape[k]));
        c->count *= c->shape[k];
    }
    c->has_records = c->rank > 0 && dimensions[0] == unlimited;
    size_t size;
    NC(nc_inq_type(id, c->type, NULL, &size));
    c->bytes = c->count * size;
    c->data = calloc(c->bytes + 1, 1);
    assert_non_null(c->data);
    if (c->count > 0)
        NC(nc_get_var(id, variable, c->data));
}

static void free_contents(struct contents *c)
{
    if (c->type == NC_STRING)
        nc_free_string(c->count, c->data);
    free(c->data);
}

static bool same_bytes(const struct contents *a, const struct contents *b)
{
    if (a->type != NC_STRING)
        return memcmp(a->data, b->data, a->bytes) == 0;
    for (size_t k = 0; k < a->count; k++)
        if (strcmp(((char **)a->data)[k], ((char **)b->data)[k]) != 0)
            return false;
    return true;
}

// Appends the records of `more`; only for numbers.
static void append_records(struct contents *c, struct contents *more, const char *name)
{
    assert_true(c->type == more->type && c->rank == more->rank && c->type != NC_STRING);
    for (int k = 1; k < c->rank; k++)
        if (c->shape[k] != more->shape[k])
            fail_msg("%s: dimension %d differs", name, k);
    c->data = realloc(c->data, c->bytes + more->bytes + 1);
    assert_non_null(c->data);
    memcpy((char *)c->data + c->bytes, more->data, more->bytes);
    c->bytes += more->bytes;
    c->count += more->count;
    c->shape[0] += more->shape[0];
}

static void compare_variable(const int *ids, int count, int expected, int variable, const char *file)
{
    char name[NC_MAX_NAME + 1];
    NC(nc_inq_varname(expected, variable, name));
    struct contents want, have = {0};
    read_contents(expected, variable, &want);
    for (int k = 0; k < count; k++) {
        int id;
        struct contents part;
        if (nc_inq_varid(ids[k], name, &id) != NC_NOERR)
            fail_msg("%s lacks the variable %s", file, name);
        read_contents(ids[k], id, &part);
        if (k == 0) {
            have = part;
        } else {
            if (part.has_records)
                append_records(&have, &part, name);
            free_contents(&part);
        }
    }
    assert_int_equal(have.type, want.type);
    assert_int_equal(have.rank, want.rank);
    for (int k = 0; k < want.rank; k++)
        if (have.shape[k] != want.shape[k])
            fail_msg("%s: %s: length %zu of dimension %d, expected %zu", file, name, have.shape[k], k,
                     want.shape[k]);
    if (!same_bytes(&have, &want))
        fail_msg("%s: %s: the bits differ", file, name);
    free_contents(&have);
    free_contents(&want);
}

void cli_assert_same_joined(const char *const *files, int count, const char *expected)
{
    enum { FILES_MAX = 64 };
    int ids[FILES_MAX], wanted, have;
    assert_true(count >= 1 && count <= FILES_MAX);
    for (int k = 0; k < count; k++)
        ids[k] = open_netcdf(files[k]);
    const int id = open_netcdf(expected);
    NC(nc_inq_nvars(id, &wanted));
    assert_true(wanted > 0);
    for (int k = 0; k < count; k++) {
        NC(nc_inq_nvars(ids[k], &have));
        assert_int_equal(have, wanted);
    }
    for (int variable = 0; variable < wanted; variable++)
        compare_variable(ids, count, id, variable, files[0]);
    for (int k = 0; k < count; k++)
        NC(nc_close(ids[k]));
    NC(nc_close(id));
}

void cli_assert_same_data(const char *file, const char *expected)
{
    cli_assert_same_joined(&file, 1, expected);
}

static int each_result(const char *directory, const char *other)
{
    DIR *entries = opendir(cli_path(directory));
    assert_non_null(entries);
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(entries));) {
        const size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".nc") != 0)
            continue;
        count++;
        if (!other)
            continue;
        char file[512], expected[512];
        snprintf(expected, sizeof expected, "%s/%s", directory, entry->d_name);
        snprintf(file, sizeof file, "%s/%s", other, entry->d_name);
        cli_assert_same_data(file, expected);
    }
    closedir(entries);
    return count;
}

void cli_assert_same_results(const char *directory, const char *expected)
{
    const int count = each_result(expected, directory);
    assert_true(count > 0);
    assert_int_equal(each_result(directory, NULL), count);
}

double *cli_read_variable(const char *file, const char *variable, size_t *count, size_t *shape)
{
    const int id = open_netcdf(file);
    int var, rank, dimensions[NC_MAX_VAR_DIMS];
    if (nc_inq_varid(id, variable, &var) != NC_NOERR)
        fail_msg("%s lacks the variable %s", file, variable);
    NC(nc_inq_varndims(id, var, &rank));
    NC(nc_inq_vardimid(id, var, dimensions));
    assert_true(rank <= 4);
    *count = 1;
    for (int k = 0; k < rank; k++) {
        size_t length;
        NC(nc_inq_dimlen(id, dimensions[k], &length));
        *count *= length;
        if (shape)
            shape[k] = length;
    }
    double *values = malloc((*count + 1) * sizeof *values);
    assert_non_null(values);
    if (*count > 0)
        NC(nc_get_var_double(id, var, values));
    NC(nc_close(id));
    return values;
}

size_t cli_dimension(const char *file, const char *dimension)
{
    const int id = open_netcdf(file);
    int dim;
    size_t length;
    if (nc_inq_dimid(id, dimension, &dim) != NC_NOERR)
        fail_msg("%s lacks the dimension %s", file, dimension);
    NC(nc_inq_dimlen(id, dim, &length));
    NC(nc_close(id));
    return length;
}

bool cli_has_variable(const char *file, const char *variable)
{
    const int id = open_netcdf(file);
    int var;
    const bool is_there = nc_inq_varid(id, variable, &var) == NC_NOERR;
    NC(nc_close(id));
    return is_there;
}

const char *cli_attribute(const char *file, const char *variable, const char *attribute)
{
    static char text[1024];
    const int id = open_netcdf(file);
    int var = NC_GLOBAL;
    size_t length;
    nc_type type;
    if (variable)
        NC(nc_inq_varid(id, variable, &var));
    if (nc_inq_att(id, var, attribute, &type, &length) != NC_NOERR)
        fail_msg("%s: %s lacks the attribute %s", file, variable ? variable : "the file", attribute);
    assert_true(type == NC_CHAR && length < sizeof text);
    NC(nc_get_att_text(id, var, attribute, text));
    text[length] = '\0';
    NC(nc_close(id));
    return text;
}
