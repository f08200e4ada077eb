// Whose the folder of a run is: that all ranks see the same one, and that none writes to it after another run
// has taken it over (see output_claim). Independent of models.
#include "io/checkpoint_set.h"
#include "io/output/state.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROOF_BYTES = 32 };

// ---- the folder is still this run's

static struct output_owner owner_now(const struct output *output)
{
    struct stat about;
    char path[PATH_BYTES];
    if (output_record_path(output->request.directory, path) != STATUS_OK || stat(path, &about) != 0)
        return (struct output_owner){0};
    return (struct output_owner){(int64_t)about.st_mtim.tv_sec, (int64_t)about.st_mtim.tv_nsec};
}

// A newer record, not another one: a file system of several hosts may show an older one for a while.
bool output_is_taken_over(const struct output *output)
{
    const struct output_owner *own = &output->owner, now = owner_now(output);
    return own->seconds != 0 && (now.seconds > own->seconds ||
                                 (now.seconds == own->seconds && now.nanoseconds > own->nanoseconds));
}

enum status output_check_owner(const struct output *output)
{
    return output_is_taken_over(output)
               ? FAIL(STATUS_CANNOT_CREATE,
                      "%s: another run has taken over this folder, so this one, which was taken for lost, "
                      "writes nothing more to it",
                      output->directory)
               : STATUS_OK;
}

// ---- all ranks see the same folder

// Of each rank, as long as the ranks look: no checkpoint has segment 0, and what a killed run leaves of it is
// removed like an unfinished file of a set.
static enum status proof_path(const struct output *output, int rank, char path[PATH_BYTES])
{
    char whole[PATH_BYTES];
    CHECK(checkpoint_set_path(output->partial, 0, rank, whole));
    if (snprintf(path, PATH_BYTES, "%s.tmp", whole) >= PATH_BYTES)
        return FAIL(STATUS_CANNOT_CREATE, "%s: the path is too long (at most %d bytes)", whole,
                    PATH_BYTES - 1);
    return STATUS_OK;
}

static enum status write_proof(const char *path, const char proof[PROOF_BYTES])
{
    (void)unlink(path);
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0)
        return FAIL(STATUS_CANNOT_CREATE,
                    "%s: cannot be created: %s; every rank of a run writes its part of the checkpoints there",
                    path, path_error_text(errno));
    const bool is_written = write(file, proof, PROOF_BYTES) == PROOF_BYTES;
    if (close(file) != 0 || !is_written)
        return FAIL(STATUS_IO, "%s: cannot be written: %s", path, path_error_text(errno));
    return STATUS_OK;
}

static enum status look_for_proof(const struct output *output, int rank, const char proof[PROOF_BYTES])
{
    char path[PATH_BYTES], found[PROOF_BYTES] = "";
    CHECK(proof_path(output, rank, path));
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    const bool is_found = file >= 0 && read(file, found, sizeof found) == sizeof found &&
                          memcmp(found, proof, sizeof found) == 0;
    if (file >= 0)
        close(file); // only read from
    return is_found ? STATUS_OK
                    : FAIL(STATUS_CANNOT_CREATE,
                           "%s: rank %d sees another folder of this name than rank 0: all ranks of a run "
                           "must see the same one",
                           output->directory, rank);
}

// Rank 0 looks for a file of each other rank, whose name it has not seen before: so a file system that
// remembers names does not mislead it.
static enum status show_each_other(const struct output *output)
{
    const struct checkpoint_set *set = output->request.set;
    char path[PATH_BYTES], proof[PROOF_BYTES] = "";
    const struct output_owner now = owner_now(output);
    if (set->rank == 0)
        snprintf(proof, sizeof proof, "%lld %lld", (long long)now.seconds, (long long)now.nanoseconds);
    CHECK(set->share(set->context, proof, sizeof proof));
    CHECK(proof_path(output, set->rank, path));
    enum status status = set->rank > 0 ? write_proof(path, proof) : STATUS_OK;
    if (status == STATUS_OK)
        status = set->settle(set->context);
    for (int rank = 1; status == STATUS_OK && set->rank == 0 && rank < set->ranks; rank++)
        status = look_for_proof(output, rank, proof);
    if (status == STATUS_OK)
        status = set->settle(set->context);
    if (set->rank > 0)
        (void)unlink(path);
    return status;
}

enum status output_claim(struct sink *sink)
{
    struct output *output = sink->context;
    const struct checkpoint_set *set = output->request.set;
    if (set)
        CHECK(show_each_other(output));
    if (output->is_part)
        CHECK(path_share_directory(output->partial, &output->lock));
    output->owner = owner_now(output);
    return set ? set->share(set->context, &output->owner, sizeof output->owner) : STATUS_OK;
}

enum status output_await_ranks(const char *partial)
{
    enum { WAIT_S = 10 };
    int lock = -1;
    if (path_lock_directory(partial, WAIT_S, &lock) != STATUS_OK) {
        status_clear(); // the message of a whole run's folder
        return FAIL(STATUS_CANNOT_CREATE,
                    "%s is in use by a rank of an earlier run, which has lost its other ranks and may be "
                    "suspended: end that process first",
                    partial);
    }
    if (lock >= 0)
        close(lock);
    return STATUS_OK;
}
