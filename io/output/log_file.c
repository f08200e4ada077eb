// The log of a run: see log_file.h.
#include "io/output/log_file.h"

#include "io/output/finished.h"
#include "io/path.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

const char output_log_name[] = "run.log", output_log_unfinished_name[] = "run.unfinished.log";

enum { LOG_PATH_BYTES = PATH_BYTES + 32 };

static bool has(const char *directory, const char *name, char path[LOG_PATH_BYTES])
{
    struct stat about;
    snprintf(path, LOG_PATH_BYTES, "%s/%s", directory, name);
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

// A run that is resumed goes on where its log is, unless the folder's results are already its own; beside
// those of another job it has nothing to resume, and will say so.
static bool is_beside_results(const char *directory, const uint64_t *resumed_hash)
{
    char path[LOG_PATH_BYTES];
    struct output_finished finished;
    if (!resumed_hash)
        return has(directory, "run.json", path);
    if (output_finished_find(directory, &finished))
        return finished.job_hash != *resumed_hash;
    return has(directory, output_log_unfinished_name, path);
}

enum status output_log_open(const char *directory, enum log_level terminal_level,
                            const uint64_t *resumed_hash)
{
    char path[LOG_PATH_BYTES];
    const bool is_resumed = resumed_hash != NULL;
    const bool is_beside = is_beside_results(directory, resumed_hash);
    if (!is_beside && !is_resumed && has(directory, output_log_unfinished_name, path))
        unlink(path); // of a run that failed beside results that are gone
    (void)has(directory, is_beside ? output_log_unfinished_name : output_log_name, path);
    const struct log_options log = {
        .terminal_level = terminal_level, .path = path, .file_level = LOG_DETAIL, .append = is_resumed};
    return log_open(&log);
}

enum status output_log_settle(const char *directory)
{
    char from[LOG_PATH_BYTES], to[LOG_PATH_BYTES];
    (void)has(directory, output_log_name, to);
    return has(directory, output_log_unfinished_name, from) ? path_publish(from, to) : STATUS_OK;
}
