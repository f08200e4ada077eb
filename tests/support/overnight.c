// A batch of small jobs: see overnight.h.
#include "tests/support/overnight.h"

#include "core/clock.h"
#include "tests/support/asserts.h"
#include "tests/support/bioheat_job.h"
#include "tests/support/gas_job.h"
#include "tests/support/ising_job.h"
#include "tests/support/nbody_job.h"

#include <dirent.h>
#include <ftw.h>
#include <netcdf.h>
#include <signal.h>
#include <sys/stat.h>

const char *const overnight_runs[] = {"sea-0001",   "sea-0002",   "head", "cluster",
                                      "fluid-0001", "fluid-0002", "spins"};
const size_t overnight_run_count = sizeof overnight_runs / sizeof *overnight_runs;

// ---- jobs

static void write_job(cJSON *job, const char *name, const char *const (*settings)[2], size_t count)
{
    for (size_t k = 0; k < count; k++)
        cli_set(job, settings[k][0], settings[k][1]);
    cli_write_job(job, name);
}
#define WRITE_JOB(job, name, settings) write_job(job, name, settings, sizeof(settings) / sizeof *(settings))

void overnight_write_jobs(void)
{
    static const char *const sea[][2] = {{"time.duration", "\"6000 min\""},
                                         {"output.fields.every", "\"1500 min\""},
                                         {"checkpoint.every_steps", "500"}};
    static const char *const head[][2] = {{"time.duration", "\"300 s\""},
                                          {"output.fields.every", "\"60 s\""},
                                          {"checkpoint.every_steps", "150"}};
    static const char *const cluster[][2] = {{"time.duration", "8"},
                                             {"particles.plummer.count", "512"},
                                             {"output.fields.every", "2"},
                                             {"checkpoint.every_steps", "50"}};
    static const char *const fluid[][2] = {
        {"time.duration", "8"}, {"output.fields.every", "2"}, {"checkpoint.every_steps", "100"}};
    static const char *const spins[][2] = {
        {"sweeps.count", "20000"}, {"sweeps.every", "100"}, {"checkpoint.every_steps", "2000"}};
    WRITE_JOB(cli_sea_job(), "sea.json", sea);
    WRITE_JOB(bioheat_job(), "head.json", head);
    WRITE_JOB(nbody_job(), "cluster.json", cluster);
    WRITE_JOB(gas_job(), "fluid.json", fluid);
    WRITE_JOB(ising_job(), "spins.json", spins);
}

static void write_queue(const char *file, const char *output, int retries)
{
    char text[1600];
    snprintf(text, sizeof text,
             "{\"fathom_batch\": 1, \"title\": \"Overnight\", \"output\": \"%s\", \"limits\": {\"cores\": "
             "2},\"defaults\": {\"retries\": %d, \"cores\": 1, \"pictures\": %s}, \"jobs\": [{\"name\": "
             "\"sea\", \"job\": \"sea.json\", \"sweep\": {\"physics.manning_n\": [0.02, 0.03]}},{\"name\": "
             "\"head\", \"job\": \"head.json\", \"priority\": 1},{\"name\": \"cluster\", \"job\": "
             "\"cluster.json\"},{\"name\": \"fluid\", \"job\": \"fluid.json\", \"ensemble\": "
             "{\"particles.lattice.seed\": [1, 2]}},{\"name\": \"spins\", \"job\": \"spins.json\"}]}",
             output, retries, getenv("FATHOM_OVERNIGHT_PICTURES") ? "true" : "false");
    cli_write_text(file, text);
}

void overnight_write_queues(int retries)
{
    write_queue("overnight.json", "storm", retries);
    write_queue("calm.json", "calm", retries);
}

// ---- whole files

static int whole_files;

static bool ends_with(const char *text, size_t length, const char *end)
{
    const size_t bytes = strlen(end);
    return length >= bytes && memcmp(text + length - bytes, end, bytes) == 0;
}

// Below the folder, with blanks and line feeds at the end taken away.
static char *read_trimmed(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s: cannot be opened", path);
    struct stat information;
    assert_int_equal(fstat(fileno(file), &information), 0);
    char *text = owned_zeros((size_t)information.st_size + 1, 1);
    *length = fread(text, 1, (size_t)information.st_size, file);
    fclose(file);
    while (*length > 0 && strchr(" \n\r\t", text[*length - 1]))
        --*length;
    text[*length] = '\0';
    return text;
}

static void check_text(const char *path, const char *end)
{
    size_t length;
    char *text = read_trimmed(path, &length);
    if (!ends_with(text, length, end))
        fail_msg("%s: is not whole: it does not end with %s", path, end);
}

static void check_json(const char *path)
{
    size_t length;
    char *text = read_trimmed(path, &length);
    cJSON *json = cJSON_ParseWithOpts(text, NULL, 1);
    if (!json)
        fail_msg("%s: is not whole JSON (%zu bytes)", path, length);
    cJSON_Delete(json);
}

static void check_png(const char *path)
{
    static const char end[] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', (char)0xAE, 0x42, 0x60, (char)0x82};
    size_t length;
    char *bytes = read_trimmed(path, &length);
    if (length < sizeof end || memcmp(bytes + length - sizeof end, end, sizeof end) != 0)
        fail_msg("%s: is not a whole picture", path);
}

static void check_netcdf(const char *path)
{
    int file, count;
    int code = nc_open(path, NC_NOWRITE, &file);
    if (code != NC_NOERR)
        fail_msg("%s: cannot be opened: %s", path, nc_strerror(code));
    assert_int_equal(nc_inq_nvars(file, &count), NC_NOERR);
    for (int k = 0; k < count; k++) {
        char name[NC_MAX_NAME + 1];
        int rank, dimensions[NC_MAX_VAR_DIMS];
        nc_type type;
        size_t bytes;
        assert_int_equal(nc_inq_var(file, k, name, &type, &rank, dimensions, NULL), NC_NOERR);
        assert_int_equal(nc_inq_type(file, type, NULL, &bytes), NC_NOERR);
        for (int d = 0; d < rank; d++) {
            size_t length;
            assert_int_equal(nc_inq_dimlen(file, dimensions[d], &length), NC_NOERR);
            bytes *= length;
        }
        void *values = owned_zeros(bytes + 1, 1);
        code = nc_get_var(file, k, values);
        if (code != NC_NOERR)
            fail_msg("%s: %s cannot be read: %s", path, name, nc_strerror(code));
    }
    nc_close(file);
}

static int check_file(const char *path, const struct stat *information, int kind, struct FTW *place)
{
    if (kind != FTW_F || strstr(path, "/partial/"))
        return 0;
    const size_t length = strlen(path);
    whole_files++;
    if (ends_with(path, length, ".nc"))
        check_netcdf(path);
    else if (ends_with(path, length, ".json"))
        check_json(path);
    else if (ends_with(path, length, ".png"))
        check_png(path);
    else if (ends_with(path, length, ".html"))
        check_text(path, "</html>");
    else if (ends_with(path, length, ".xml"))
        check_text(path, "</testsuites>");
    else
        whole_files--;
    return 0;
}

int overnight_assert_whole(const char *folder)
{
    whole_files = 0;
    if (cli_exists(folder))
        assert_int_equal(nftw(cli_path(folder), check_file, 16, FTW_PHYS), 0);
    return whole_files;
}

// ---- processes

bool overnight_is_alive(pid_t process)
{
    char path[64], line[512], letter = 'X';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    const bool is_read = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
    const char *behind = is_read ? strrchr(line, ')') : NULL; // the name may hold anything
    return behind && sscanf(behind + 1, " %c", &letter) == 1 && letter != 'Z' && letter != 'X';
}

int overnight_processes(pid_t except, pid_t *found, int room)
{
    DIR *processes = opendir("/proc");
    int count = 0;
    assert_non_null(processes);
    for (const struct dirent *entry; (entry = readdir(processes)) && count < room;) {
        char link[64], where[4096];
        const pid_t process = (pid_t)strtol(entry->d_name, NULL, 10);
        snprintf(link, sizeof link, "/proc/%d/cwd", (int)process);
        const ssize_t length =
            process > 0 && process != except ? readlink(link, where, sizeof where - 1) : -1;
        if (length < 0)
            continue;
        where[length] = '\0';
        if (strcmp(where, folder_root()) == 0 && overnight_is_alive(process))
            found[count++] = process;
    }
    closedir(processes);
    return count;
}

void overnight_assert_quiet(void)
{
    enum { PATIENCE_S = 60 };
    const double end_s = clock_now_s() + PATIENCE_S;
    pid_t process;
    while (overnight_processes(0, &process, 1) > 0) {
        if (clock_now_s() > end_s)
            fail_msg("process %d outlives its batch", (int)process);
        overnight_sleep(0.002);
    }
}

void overnight_sleep(double seconds)
{
    const time_t whole = (time_t)seconds;
    const struct timespec pause = {whole, (long)(1e9 * (seconds - (double)whole))};
    nanosleep(&pause, NULL);
}

// Marsaglia's xorshift, 32 bits.
double overnight_random(unsigned *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (double)*state / 4294967296.0;
}
