// Finding the checkpoint to resume from (see io/output/output.h). Independent of models.
#include "core/log.h"
#include "io/checkpoint_set.h"
#include "io/json_file.h"
#include "io/output/state.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The file of one of the two names of a checkpoint.
struct candidate {
    char path[PATH_BYTES], reason[512]; // why it cannot be used; "" if it can, or is missing
    struct checkpoint_header header;
    bool is_good;
};

// Returns why an existing file is damaged; STATUS_OK too if it is missing.
static enum status verify(struct candidate *candidate)
{
    if (!output_exists(candidate->path))
        return STATUS_OK;
    const enum status status = checkpoint_set_verify(candidate->path, &candidate->header);
    candidate->is_good = status == STATUS_OK;
    if (!candidate->is_good) {
        snprintf(candidate->reason, sizeof candidate->reason, "%s", status_message());
        status_clear(); // handled here
    }
    return status;
}

static bool is_of(const struct checkpoint_header *header, const uint64_t *job_hash,
                  const uint64_t *input_hash)
{
    return (!job_hash || header->job_hash == *job_hash) && (!input_hash || header->input_hash == *input_hash);
}

// Of two whole ones: that which belongs to the run, else the newer one, whose segment number is higher: it
// grows with every checkpoint of a run, resumed or not.
static int choose(struct candidate both[2], const uint64_t *job_hash, const uint64_t *input_hash)
{
    if (!both[0].is_good || !both[1].is_good)
        return both[1].is_good;
    const bool belongs[2] = {is_of(&both[0].header, job_hash, input_hash),
                             is_of(&both[1].header, job_hash, input_hash)};
    if (belongs[0] == belongs[1])
        return both[1].header.segment > both[0].header.segment;
    struct candidate *other = &both[belongs[0]];
    snprintf(other->reason, sizeof other->reason,
             "%.400s: is a checkpoint of another job or of other input files", other->path);
    return belongs[1];
}

// Excludes a checkpoint whose segments are incomplete.
static enum status check_kept(struct candidate *candidate, const struct output_request *request)
{
    const enum status status = output_kept_inspect(request, &candidate->header, candidate->path);
    if (status == STATUS_OK)
        return STATUS_OK;
    candidate->is_good = false;
    snprintf(candidate->reason, sizeof candidate->reason, "%s", status_message());
    status_clear(); // handled here
    return status == STATUS_IO || status == STATUS_SYSTEM ? status : STATUS_DATA;
}

struct wish {
    const char *directory;
    const uint64_t *job_hash, *input_hash; // NULL: any
    const struct output_request *request;  // NULL: the segments are not checked
};

// Without the ones that cannot be used; returns why the last of them cannot. The segments of another
// run's checkpoint are not checked.
static enum status leave_out(struct candidate both[2], const struct wish *wish)
{
    enum status failure = STATUS_OK;
    for (int tries = 0; tries < 2 && wish->request && (both[0].is_good || both[1].is_good); tries++) {
        struct candidate *best = &both[choose(both, wish->job_hash, wish->input_hash)];
        if (!is_of(&best->header, wish->job_hash, wish->input_hash))
            return failure;
        const enum status status = check_kept(best, wish->request);
        if (status == STATUS_OK)
            return failure;
        failure = status;
    }
    return failure;
}

static enum status find(const struct wish *wish, bool warns, char path[PATH_BYTES])
{
    static const char *const names[2] = {"partial/checkpoint.a", "partial/checkpoint.b"};
    struct candidate both[2] = {0};
    enum status failure = STATUS_OK;
    CHECK(output_join_path(path, wish->directory, "partial", ""));
    CHECK(output_check_partial(path));
    for (int i = 0; i < 2; i++) {
        CHECK(output_join_path(both[i].path, wish->directory, names[i], ""));
        const enum status status = verify(&both[i]);
        failure = status != STATUS_OK ? status : failure;
    }
    const enum status left_out = leave_out(both, wish);
    failure = left_out != STATUS_OK ? left_out : failure;
    if (!both[0].is_good && !both[1].is_good) {
        if (failure == STATUS_OK)
            return FAIL(STATUS_NO_INPUT,
                        "%s: no checkpoint to resume from; without --resume the run starts from the "
                        "beginning",
                        wish->directory);
        return FAIL(failure == STATUS_NO_INPUT ? STATUS_DATA
                                               : failure, // there is one, if only one that cannot be opened
                    "%s: no checkpoint can be used: %s%s%s", wish->directory, both[0].reason,
                    both[0].reason[0] && both[1].reason[0] ? "; " : "", both[1].reason);
    }
    const int best = choose(both, wish->job_hash, wish->input_hash);
    if (warns && both[1 - best].reason[0])
        log_warning("%s; going on from %s (step %lld)", both[1 - best].reason, both[best].path,
                    (long long)both[best].header.step);
    memcpy(path, both[best].path, PATH_BYTES);
    return STATUS_OK;
}

enum status output_find_checkpoint_of(const char *directory, const uint64_t *job_hash,
                                      const uint64_t *input_hash, bool warns, char path[PATH_BYTES])
{
    return find(&(struct wish){.directory = directory, .job_hash = job_hash, .input_hash = input_hash}, warns,
                path);
}

enum status output_find_complete(const struct output_request *request, const uint64_t *job_hash,
                                 const uint64_t *input_hash, char path[PATH_BYTES])
{
    return find(&(struct wish){request->directory, job_hash, input_hash, request}, true, path);
}

enum status output_find_checkpoint(const char *directory, char path[PATH_BYTES])
{
    return output_find_checkpoint_of(directory, NULL, NULL, true, path);
}

const char *output_continue_words(const char *directory)
{
    enum { JOB_BYTES_MAX = 1 << 20 };
    char path[PATH_BYTES];
    cJSON *job = NULL;
    snprintf(path, sizeof path, "%.3800s/forecast.json", directory);
    if (access(path, F_OK) == 0 && json_file_read(path, JOB_BYTES_MAX, &job) != STATUS_OK)
        status_clear();
    const bool is_forecast = job && strncmp(json_text(job, "// made by"), "fathom forecast", 15) == 0;
    cJSON_Delete(job);
    return is_forecast ? "fathom forecast, with the same arguments," : "fathom run --resume";
}
