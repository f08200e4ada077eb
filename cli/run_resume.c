// Resuming a run (see the header).
#include "cli/run_resume.h"

#include "cli/run_finished.h"
#include "core/log.h"
#include "io/checkpoint.h"
#include "io/job/record.h"
#include "io/kept.h"
#include "parallel/launch.h"
#include "version.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum status run_resume_hash_inputs(const struct session *s, struct run_outcome *outcome)
{
    for (int k = 0; k < s->plan.input_count; k++)
        if (s->has_input_hashes)
            outcome->input_hashes[k] = s->input_hashes[k];
        else
            CHECK(kept_hash(s->plan.input_files[k], &outcome->input_hashes[k]));
    outcome->input_hash = job_record_input_hash(outcome->input_hashes, s->plan.input_count);
    return STATUS_OK;
}

// The files of a stopped run may be hours of work: they are discarded only on request, even if damaged.
enum status run_resume_check_leftover(const struct session *s)
{
    char path[PATH_BYTES];
    struct checkpoint_header header;
    struct output_finished finished;
    if (output_finished_find(s->directory, &finished)) // killed during clean-up: its results are complete
        return STATUS_OK;
    enum status status = output_find_complete(&s->output, &s->job_hash, NULL, path);
    if (status == STATUS_CANNOT_CREATE)
        return status;
    if (status == STATUS_NO_INPUT) { // no checkpoint: nothing can be resumed
        status_clear();
        return STATUS_OK;
    }
    if (status == STATUS_OK)
        status = checkpoint_verify(path, &header);
    if (status != STATUS_OK)
        return status_prefix(STATUS_CANNOT_CREATE,
                             "%s holds a stopped run that cannot be resumed (use --restart to discard it)",
                             s->directory);
    return FAIL(STATUS_CANNOT_CREATE,
                "%s holds a stopped run (step %lld, model time %g %s): use --resume to continue it, or "
                "--restart to discard it",
                s->directory, (long long)header.step, header.time_s,
                s->plan.time_unit ? s->plan.time_unit : "s");
}

static struct job_record record_of(const struct session *s, const struct run_outcome *outcome)
{
    return (struct job_record){.identity = s->identity,
                               .files = s->plan.input_files,
                               .hashes = outcome->input_hashes,
                               .count = s->plan.input_count,
                               .id = outcome->run_id[0] ? outcome->run_id : NULL};
}

enum status run_resume_keep_record(const struct session *s, struct run_outcome *outcome)
{
    char path[PATH_BYTES];
    CHECK(job_record_new_id(outcome->run_id));
    const struct job_record record = record_of(s, outcome);
    CHECK(output_record_path(s->directory, path));
    return job_record_write(path, &record);
}

// Job and inputs must be this run's; else the message states the differences.
static enum status check_hashes(const struct session *s, const struct run_outcome *outcome,
                                const struct checkpoint_header *header, const char *path)
{
    char record_path[PATH_BYTES], job[JOB_RECORD_TEXT_BYTES], inputs[JOB_RECORD_TEXT_BYTES];
    const struct job_record now = record_of(s, outcome);
    if (header->job_hash == outcome->job_hash && header->input_hash == outcome->input_hash)
        return STATUS_OK;
    CHECK(output_record_path(s->directory, record_path));
    job_record_compare(record_path, header->job_hash, header->input_hash, &now, job, inputs);
    if (header->job_hash != outcome->job_hash)
        return FAIL(STATUS_CONFIGURATION,
                    "%s belongs to another job: %s was changed since%s%s%s; use --restart to start again",
                    path, job_path(s->job), job[0] ? " (" : "", job, job[0] ? ")" : "");
    return FAIL(STATUS_CONFIGURATION,
                "%s belongs to other input files: one was changed since%s%s%s; use --restart to start again",
                path, inputs[0] ? " (" : "", inputs, inputs[0] ? ")" : "");
}

// Whether a checkpoint is this run's.
static enum status check_belongs(const struct session *s, const struct run_outcome *outcome,
                                 const struct checkpoint_header *header, const char *path)
{
    CHECK(check_hashes(s, outcome, header, path));
    if (strcmp(header->backend, s->plan.backend) != 0)
        return FAIL(STATUS_CONFIGURATION, "%s was made by the back end %s, this run uses %s", path,
                    header->backend, s->plan.backend);
    if (strcmp(header->version, FATHOM_VERSION) != 0)
        log_warning("the checkpoint was made by version %s, this is %s: results may differ", header->version,
                    FATHOM_VERSION);
    if (strcmp(header->instruction_set, s->plan.instruction_set) != 0)
        log_warning("the checkpoint was made with instruction set %s, this machine runs %s: results may "
                    "differ in the last bits",
                    header->instruction_set, s->plan.instruction_set);
    return STATUS_OK;
}

enum status run_resume_find(const struct session *s, const struct run_outcome *outcome,
                            struct checkpoint_header *header, char path[PATH_BYTES])
{
    const enum status status =
        output_find_complete(&s->output, &outcome->job_hash, &outcome->input_hash, path);
    if (status == STATUS_DATA)
        return status_append(status, "it cannot be resumed; --restart starts again");
    CHECK(status);
    CHECK(checkpoint_verify(path, header));
    return check_belongs(s, outcome, header, path);
}

const char *run_resume_command(const struct session *s)
{
    enum { SHOWN_MAX = 400 }; // the most that fits in a message; a command is never cut
    static char command[SHOWN_MAX + 64];
    char launcher[32];
    snprintf(command, sizeof command, "%sfathom %s", launch_words(launcher, sizeof launcher),
             strlen(s->resume_arguments) <= SHOWN_MAX ? s->resume_arguments
                                                      : "... (the same command, with --resume)");
    return command;
}

// Whether the folder was removed, or both checkpoints if there was one.
static bool is_removed(const struct session *s, bool has_checkpoint)
{
    static const char *const names[] = {"partial/checkpoint.a", "partial/checkpoint.b"};
    char path[PATH_BYTES + 32];
    if (access(s->directory, F_OK) != 0 && errno == ENOENT)
        return true;
    bool is_missing = has_checkpoint;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(path, sizeof path, "%s/%s", s->directory, names[k]);
        is_missing &= access(path, F_OK) != 0 && errno == ENOENT;
    }
    return is_missing;
}

enum status run_resume_report_leftover(const struct session *s, const struct run_outcome *outcome,
                                       int64_t first_step, bool is_in_batch, enum status status)
{
    const int64_t written = outcome->pipeline.checkpoint_step, step = written >= 0 ? written : first_step;
    if (status == STATUS_OK || status == STATUS_STOPPED)
        return status;
    if (is_removed(s, step >= 0)) {
        status_clear(); // failures to open files follow from this
        return FAIL(STATUS_IO, "%s was removed while the run wrote to it, with its checkpoints: run it again",
                    s->directory);
    }
    if (step < 0)
        return status;
    if (is_in_batch) // which resumes the run itself
        return status_append(status, "the state of step %lld is kept", (long long)step);
    if (status == STATUS_DATA) // a resume would most likely fail again
        return status_append(status,
                             "the state of step %lld is kept in %s/partial, for the same job (%s); a "
                             "changed one begins again with --restart",
                             (long long)step, s->directory, run_resume_command(s));
    return status_append(status, "the state of step %lld is kept in %s/partial, continue%s with: %s",
                         (long long)step, s->directory,
                         status == STATUS_CHECK_FAILED ? ", after raising the limit," : "",
                         run_resume_command(s));
}
