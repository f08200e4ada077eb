// Disk space of a batch's runs (see the header).
#include "batch/disk.h"

#include "io/path.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

static const double margin = 1.5; // members of an entry differ

// Of the files in a run's folder; NaN: it cannot be read.
static double written_bytes(const struct batch_scheduler *s, size_t run)
{
    char folder[PATH_BYTES + BATCH_NAME_MAX + 2];
    double bytes = 0;
    snprintf(folder, sizeof folder, "%s/%s", s->batch->queue->directory, batch_scheduler_job(s, run)->name);
    DIR *directory = opendir(folder);
    if (!directory)
        return NAN;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        struct stat about;
        if (fstatat(dirfd(directory), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(about.st_mode))
            bytes += (double)about.st_size;
    }
    closedir(directory);
    return bytes;
}

void batch_disk_learn(struct batch_scheduler *s, size_t run)
{
    double *share = &s->disk_shares[batch_scheduler_job(s, run)->entry];
    const double planned = s->batch->runs[run].needs.results_bytes, written = written_bytes(s, run);
    if (planned > 0 && !isnan(written))
        *share = fmax(*share, 2 * written / planned); // twice: the plan has joined files and their segments
}

double batch_disk_expected(const struct batch_scheduler *s, size_t run, double free_bytes)
{
    const struct batch_needs *needs = &s->batch->runs[run].needs;
    const double share = s->disk_shares[batch_scheduler_job(s, run)->entry];
    if (!(share > 0) || needs->disk_bytes > free_bytes)
        return needs->disk_bytes;
    return fmax(0, needs->disk_bytes - needs->results_bytes * (1 - fmin(1, margin * share)));
}
