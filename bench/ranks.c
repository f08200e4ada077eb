// `mpirun -n 2 fathom bench MODEL`: each row is timed by rank 0 alone, while the others sleep, and then by
// all ranks together, in the same run. Independent of what a model exchanges.
#include "bench/bench.h"

#include "core/statistics.h"
#include "parallel/launch.h"
#include "parallel/shares.h"

#include <cjson/cJSON.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---- the start and the end

enum status bench_ranks_start(struct bench *bench)
{
    const struct bench_model *model = bench->model;
    bench->ranks = launch_ranks();
    CHECK(launch_start());
    const int count = bench->ranks->count;
    CHECK(ranks_want_transport(bench->ranks, bench->transport));
    if (bench->is_weak && count == 1)
        return bench_mistake(bench, "--weak needs several ranks: mpirun -n 2 fathom bench %s --weak",
                             model->name);
    if (count > 1 && !model->divide)
        return FAIL(STATUS_CONFIGURATION,
                    "bench %s: a run of this model cannot be divided among ranks (%d were started): start it "
                    "without the launcher",
                    model->name, count);
    return STATUS_OK;
}

bool bench_is_first(const struct bench *bench)
{
    return bench->ranks->rank == 0;
}

int bench_ranks_end(const struct bench *bench, enum status status, bool *must_leave)
{
    *must_leave = false;
    if (status != STATUS_OK) {
        ranks_fail(bench->ranks, status);
        if (launch_prints())
            fprintf(stderr, "fathom: %s\n", status_message());
    }
    const int code = status_exit_code(status);
    return bench->ranks->count == 1 ? code : launch_end(code, must_leave);
}

// ---- a row

static struct share shares[SHARES_RANKS_MAX];

struct bench_range bench_own_rows(const struct bench *bench, long long rows)
{
    if (!bench->shares)
        return (struct bench_range){0, rows};
    const struct share *own = &bench->shares[bench->ranks->rank];
    return (struct bench_range){own->first, own->end};
}

static enum status cut(const struct bench *bench, const struct bench_row *row)
{
    struct shares_request request = {0};
    CHECK(bench->model->divide(bench, row, &request));
    request.ranks = bench->ranks->count;
    return shares_cut(&request, shares);
}

// The row of all ranks, from that of one.
static enum status grow(struct bench *bench, struct bench_row *row)
{
    bool is_wanted = true;
    row->size[bench->model->slowest_axis] *= bench->ranks->count;
    for (int k = 0; k < BENCH_FIGURES_MAX; k++)
        row->figures[k] = NAN;
    return bench->model->admit ? bench->model->admit(bench, row, &is_wanted) : STATUS_OK;
}

// By rank 0, while the others sleep. What does not fit into the memory of one rank may fit into that of all.
static enum status time_alone(struct bench *bench, const struct bench_row *like, struct bench_row *row,
                              enum status (*time_row)(struct bench *bench, struct bench_row *row))
{
    static struct bench_row alone; // large
    char what[BENCH_TEXT_BYTES], done = 0;
    if (bench_is_first(bench)) {
        alone = *like;
        const enum status status = time_row(bench, &alone);
        bench_describe_row(bench, like, what, sizeof what);
        snprintf(what + strlen(what), sizeof what - strlen(what), ", by one rank");
        CHECK(bench_note_refusal(bench, what, status));
        row->alone_ms = status == STATUS_OK ? alone.time.step_ms : 0;
        row->alone_checksum = status == STATUS_OK && !bench->is_weak ? alone.checksum : 0;
    }
    return ranks_share_late(bench->ranks, TRANSPORT_STEPS, &done, sizeof done);
}

enum status bench_ranks_time(struct bench *bench, struct bench_row *row,
                             enum status (*time_row)(struct bench *bench, struct bench_row *row))
{
    static struct bench_row one; // large
    char what[BENCH_TEXT_BYTES];
    one = *row;
    if (bench->is_weak)
        CHECK(grow(bench, row));
    bench_describe_row(bench, row, what, sizeof what);
    const enum status status = cut(bench, row);
    if (status == STATUS_CONFIGURATION) { // on all ranks
        bench_add_note(bench, row->entry->label, status_message());
        status_clear();
        return STATUS_OK;
    }
    CHECK(status);
    CHECK(time_alone(bench, &one, row, time_row));
    bench->shares = shares;
    const enum status timed = time_row(bench, row);
    bench->shares = NULL;
    return ranks_have_failed(bench->ranks) ? timed : bench_note_refusal(bench, what, timed);
}

// ---- while the ranks compute together

enum status bench_ranks_agree(struct bench *bench, enum status status)
{
    int64_t worst = (int64_t)status;
    if (!bench->shares)
        return status;
    CHECK(ranks_largest(bench->ranks, TRANSPORT_STEPS, &worst, 1));
    if (worst != STATUS_OK && status == STATUS_OK)
        return FAIL((enum status)worst, "another rank has not enough memory for its rows");
    return status;
}

static enum status largest(struct bench *bench, double *seconds)
{
    int64_t ns = (int64_t)(*seconds * 1e9);
    CHECK(ranks_largest(bench->ranks, TRANSPORT_STEPS, &ns, 1));
    *seconds = (double)ns * 1e-9;
    return STATUS_OK;
}

enum status bench_ranks_slowest(struct bench *bench, double *seconds)
{
    return bench->shares ? largest(bench, seconds) : STATUS_OK;
}

enum status bench_ranks_total(struct bench *bench, struct bench_time *time)
{
    double sorted[BENCH_REPEAT_MAX];
    int64_t bytes = (int64_t)time->exchanged_bytes;
    if (!bench->shares)
        return STATUS_OK;
    CHECK(ranks_add(bench->ranks, TRANSPORT_STEPS, &bytes, 1));
    time->exchanged_bytes = (double)bytes / ((double)time->steps * time->repeat);
    memcpy(sorted, time->waited_s, (size_t)time->repeat * sizeof *sorted);
    time->exchange_ms = 1e3 * statistics_median(sorted, (size_t)time->repeat) / time->steps;
    return STATUS_OK;
}

enum status bench_ranks_check(struct bench *bench, struct bench_row *row)
{
    enum { STEPS = 3 };
    uint64_t sum = 0;
    if (bench->ranks->count == 1)
        return STATUS_OK;
    CHECK(bench->model->advance(bench->work.step, STEPS));
    bench->work.step += STEPS;
    CHECK(bench->model->checksum(bench, row, &sum));
    int64_t halves[] = {(int64_t)(sum & UINT32_MAX), (int64_t)(sum >> 32)}; // whose sums cannot overflow
    if (bench->shares)
        CHECK(ranks_add(bench->ranks, TRANSPORT_STEPS, halves, 2));
    row->checksum = (uint64_t)halves[0] + ((uint64_t)halves[1] << 32);
    return STATUS_OK;
}

// ---- results

enum status bench_ranks_check_divided(const struct bench *bench)
{
    if (bench->ranks->count == 1)
        return STATUS_OK;
    for (int k = 0; k < bench->row_count; k++)
        if (bench->rows[k].has_run)
            return STATUS_OK;
    // Of the reasons that of the back end that every machine has.
    const char *why = bench->note_count > 0 ? bench->notes[0] : "";
    for (int k = 0; k < bench->note_count; k++)
        if (strncmp(bench->notes[k], "openmp:", strlen("openmp:")) == 0)
            why = bench->notes[k];
    return FAIL(STATUS_CONFIGURATION, "bench %s: nothing was divided among %d ranks%s%s", bench->model->name,
                bench->ranks->count, why[0] ? ": " : "", why);
}

enum status bench_ranks_judge(const struct bench *bench)
{
    for (int k = 0; k < bench->row_count; k++) {
        const struct bench_row *row = &bench->rows[k];
        char what[BENCH_TEXT_BYTES];
        if (!row->has_run || row->alone_checksum == 0 || row->checksum == row->alone_checksum)
            continue;
        bench_describe_row(bench, row, what, sizeof what);
        return FAIL(STATUS_SOFTWARE, "bench %s: %s: %d ranks have other bits than one", bench->model->name,
                    what, bench->ranks->count);
    }
    return STATUS_OK;
}

const char *bench_ranks_transport(const struct bench *bench, const struct bench_row *row)
{
    const struct ranks *ranks = bench->ranks;
    if (ranks->count == 1)
        return "";
    return row->entry->backend->has_devices && ranks->used_transport ? ranks->used_transport : "mpi";
}

const char *bench_ranks_sharing(const struct bench *bench, const struct bench_row *row)
{
    const struct ranks *ranks = bench->ranks;
    const int hosts = ranks_host_count(ranks);
    if (row->entry->backend->has_devices) // each has its own, unless one was named for all (choose_devices)
        return strchr(row->entry->label, ':') && hosts < ranks->count ? "a device" : NULL;
    const bool have_too_many = omp_get_max_threads() * ranks->count > sysconf(_SC_NPROCESSORS_ONLN) * hosts;
    return ranks->is_crowded || have_too_many ? "cores" : NULL;
}

static void print_sharing(const struct bench *bench, const struct bench_entry *entry)
{
    for (int k = 0; k < bench->row_count; k++) {
        const struct bench_row *row = &bench->rows[k];
        const char *shared = row->entry == entry && row->has_run ? bench_ranks_sharing(bench, row) : NULL;
        if (!shared)
            continue;
        printf("%s: ranks have to share %s: these are no measurements of several ranks.\n", entry->label,
               shared);
        return;
    }
}

void bench_ranks_print(const struct bench *bench)
{
    const struct ranks *ranks = bench->ranks;
    if (ranks->count == 1)
        return;
    printf("%d ranks of %d threads on %d host%s, by %s. One rank: rank 0 in the same run, while the others "
           "sleep.\n",
           ranks->count, omp_get_max_threads(), ranks_host_count(ranks),
           ranks_host_count(ranks) > 1 ? "s" : "", ranks->world.library);
    printf(bench->is_weak ? "Weak scaling: sizes are those of all ranks; one rank has 1/%d of the rows. "
                            "Speed-up: of the rate.\n"
                          : "Exchanged: sent by all %d ranks to neighbours. Not hidden: the rank that waits "
                            "longest.\n",
           ranks->count);
    for (int k = 0; k < bench->entry_count; k++)
        print_sharing(bench, &bench->entries[k]);
}

void bench_ranks_report(const struct bench *bench, cJSON *report)
{
    const struct ranks *ranks = bench->ranks;
    if (ranks->count == 1)
        return;
    cJSON *parallel = cJSON_AddObjectToObject(report, "parallel");
    cJSON_AddNumberToObject(parallel, "ranks", ranks->count);
    cJSON_AddNumberToObject(parallel, "host_count", ranks_host_count(ranks));
    cJSON_AddStringToObject(parallel, "library", ranks->world.library);
    cJSON_AddStringToObject(parallel, "scaling", bench->is_weak ? "weak" : "strong");
}
