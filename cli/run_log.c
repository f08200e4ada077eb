// The log of a run: see run_log.h.
#include "cli/run_log.h"

#include "core/log.h"
#include "io/output/finished.h"
#include "io/path.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

const char run_log_name[] = "run.log", run_log_unfinished_name[] = "run.unfinished.log";

enum { LOG_PATH_BYTES = PATH_BYTES + 32 };

static bool has(const struct session *s, const char *name, char path[LOG_PATH_BYTES])
{
    struct stat about;
    snprintf(path, LOG_PATH_BYTES, "%s/%s", s->directory, name);
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

// A run that is resumed goes on where its log is, unless the folder's results are already its own.
static bool is_beside_results(const struct session *s, bool is_resumed)
{
    char path[LOG_PATH_BYTES];
    struct output_finished finished;
    if (!is_resumed)
        return has(s, "run.json", path);
    return has(s, run_log_unfinished_name, path) && !output_finished_find(s->directory, &finished);
}

enum status run_log_open(const struct session *s, const struct run_options *options)
{
    char path[LOG_PATH_BYTES];
    const bool is_beside = is_beside_results(s, options->resume);
    if (!is_beside && !options->resume && has(s, run_log_unfinished_name, path))
        unlink(path); // of a run that failed beside results that are gone
    (void)has(s, is_beside ? run_log_unfinished_name : run_log_name, path);
    const struct log_options log = {.terminal_level = options->quiet ? LOG_QUIET : LOG_INFO,
                                    .path = path,
                                    .file_level = LOG_DETAIL,
                                    .append = options->resume};
    return log_open(&log);
}

enum status run_log_settle(const struct session *s)
{
    char from[LOG_PATH_BYTES], to[LOG_PATH_BYTES];
    (void)has(s, run_log_name, to);
    return has(s, run_log_unfinished_name, from) ? path_publish(from, to) : STATUS_OK;
}
