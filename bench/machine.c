// Which back ends a benchmark has, and the rates of memory and arithmetic alone.
#include "bench/bench.h"

#include "bench/host_arithmetic.h"
#include "core/clock.h"
#include "core/statistics.h"
#include "gpu/device.h"
#include "parallel/ranks.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// Bytes read plus bytes written, per second, by a plain copy by all threads of an array well beyond the
// caches; the median.
static enum status measure_host_copy(int repeat, double *bytes_per_s)
{
    const size_t count = (size_t)32 << 20;
    double *from = NULL, *to = NULL, seconds[BENCH_REPEAT_MAX];
    static struct memory_plan plan;
    memory_plan_begin(&plan);
    CHECK(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_F64, 1, count, (void **)&from, "copy from"));
    CHECK(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_F64, 1, count, (void **)&to, "copy to"));
    CHECK(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX));
    for (int k = -1; k < repeat; k++) {
        const double begin_s = clock_now_s();
#pragma omp parallel for simd schedule(static)
        for (size_t i = 0; i < count; i++)
            to[i] = from[i] + 1.0;
        if (k >= 0)
            seconds[k] = clock_now_s() - begin_s;
    }
    *bytes_per_s = 16.0 * (double)count / statistics_median(seconds, (size_t)repeat);
    memory_plan_release(&plan);
    return STATUS_OK;
}

enum status bench_note_refusal(struct bench *bench, const char *what, enum status status)
{
    if (status != STATUS_SYSTEM || bench->has_named)
        return status;
    bench_add_note(bench, what, status_message());
    status_clear();
    return STATUS_OK;
}

static void list_entries(struct bench *bench)
{
    const struct backend_list *list = bench->model->backends;
    for (int k = 0; !bench->has_named && k < list->count; k++) {
        struct bench_entry *entry = &bench->entries[bench->entry_count];
        *entry = (struct bench_entry){.backend = list->members[k]};
        if (bench->entry_count == BENCH_ENTRIES_MAX || (bench->skips_reference && bench_is_reference(entry)))
            continue;
        snprintf(entry->label, sizeof entry->label, "%s", entry->backend->name);
        bench->entry_count++;
    }
}

// Before anything else of the back end: its own reason is the one to report, not what its libraries fail
// with later.
static enum status check_usable(struct bench *bench, const struct bench_entry *entry, bool *is_usable)
{
    char why[BENCH_NOTE_BYTES] = "";
    *is_usable = !entry->backend->is_usable || entry->backend->is_usable(entry->device, why, sizeof why);
    if (*is_usable)
        return STATUS_OK;
    if (bench->has_named)
        return FAIL(STATUS_SYSTEM, "bench %s: %s cannot be used here: %s", bench->model->name, entry->label,
                    why);
    bench_add_note(bench, entry->label, why);
    return STATUS_OK;
}

// Each rank takes the device of its number on its host, unless one was named.
static void choose_devices(struct bench *bench)
{
    for (int k = 0; k < bench->entry_count && bench->ranks->count > 1; k++) {
        struct bench_entry *entry = &bench->entries[k];
        if (entry->backend->has_devices && !strchr(entry->label, ':'))
            entry->device = bench->ranks->world.local_rank;
    }
}

static enum status choose_entries(struct bench *bench)
{
    int usable = 0;
    list_entries(bench);
    choose_devices(bench);
    for (int k = 0; k < bench->entry_count; k++) {
        bool is_usable;
        CHECK(check_usable(bench, &bench->entries[k], &is_usable));
        if (is_usable)
            bench->entries[usable++] = bench->entries[k];
    }
    bench->entry_count = usable;
    return STATUS_OK;
}

// Arithmetic limits the fast back ends; the reference is not compared with it.
static enum status measure_entry(struct bench *bench, struct bench_entry *entry)
{
    static const enum element precisions[] = {ELEMENT_F32, ELEMENT_F64};
    const struct bench_model *model = bench->model;
    const struct backend *backend = entry->backend;
    const bool is_fast_host = !backend->has_devices && !bench_is_reference(entry);
    if ((model->rates & BENCH_RATE_COPY) && backend->measure_copy)
        CHECK(bench_note_refusal(bench, entry->label,
                                 backend->measure_copy(entry->device, &entry->copy_bytes_per_s)));
    for (int kind = 0; kind < 2; kind++) {
        double *fma_per_s = &entry->arithmetic[kind].fma_per_s,
               *rsqrt_per_s = &entry->arithmetic[kind].rsqrt_per_s;
        if (is_fast_host)
            host_arithmetic_measure(precisions[kind], bench->repeat, fma_per_s, rsqrt_per_s);
        else if ((model->rates & BENCH_RATE_ARITHMETIC) && backend->measure_arithmetic)
            CHECK(bench_note_refusal(
                bench, entry->label,
                backend->measure_arithmetic(entry->device, precisions[kind], fma_per_s, rsqrt_per_s)));
    }
    if (!model->measure_draws)
        return STATUS_OK;
    return bench_note_refusal(bench, entry->label,
                              model->measure_draws(backend, entry->device, &entry->draws_per_s));
}

static enum status measure_entries(struct bench *bench)
{
    double host_copy = 0;
    for (int k = 0; k < bench->entry_count; k++) {
        struct bench_entry *entry = &bench->entries[k];
        CHECK(measure_entry(bench, entry));
        if (entry->backend->has_devices)
            continue;
        if (host_copy == 0) // one memory for all that have no devices
            CHECK(measure_host_copy(bench->repeat, &host_copy));
        entry->copy_bytes_per_s = host_copy;
    }
    return STATUS_OK;
}

// All ranks must time the same rows.
static enum status compare_entries(const struct bench *bench)
{
    int64_t counts[] = {bench->entry_count, -bench->entry_count};
    if (bench->ranks->count == 1)
        return STATUS_OK;
    CHECK(ranks_largest(bench->ranks, TRANSPORT_STEPS, counts, 2));
    return counts[0] == -counts[1]
               ? STATUS_OK
               : FAIL(STATUS_SYSTEM,
                      "bench %s: the ranks' hosts have from %lld to %lld back ends: name one with --backend",
                      bench->model->name, (long long)-counts[1], (long long)counts[0]);
}

enum status bench_find_machine(struct bench *bench)
{
    CHECK(choose_entries(bench));
    return compare_entries(bench);
}

enum status bench_measure_machine(struct bench *bench)
{
    char done = 0;
    if (bench_is_first(bench))
        CHECK(measure_entries(bench));
    return bench->ranks->count == 1 ? STATUS_OK
                                    : ranks_share_late(bench->ranks, TRANSPORT_STEPS, &done, sizeof done);
}

// ---- names

// The name in Linux' list of processors; false: it has none (some architectures), or there is no such list.
static bool read_processor(char *name, size_t bytes)
{
    char line[BENCH_TEXT_BYTES];
    FILE *file = fopen("/proc/cpuinfo", "r");
    bool is_found = false;
    while (file && !is_found && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        is_found = colon && strncmp(line, "model name", strlen("model name")) == 0;
        if (is_found)
            snprintf(name, bytes, "%.*s", (int)strcspn(colon + 1, "\n"), colon + 1);
    }
    if (file)
        fclose(file);
    return is_found;
}

void bench_report_machine(const struct bench *bench, cJSON *report)
{
    char text[BENCH_NOTE_BYTES] = "";
    struct tm utc;
    const time_t now = time(NULL);
    bool has_devices = false;
    if (gmtime_r(&now, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0)
        cJSON_AddStringToObject(report, "date", text);
    cJSON_AddStringToObject(report, "version", FATHOM_VERSION);
    cJSON_AddNumberToObject(report, "threads", omp_get_max_threads());
    cJSON_AddStringToObject(report, "clock", bench->by_processor_time ? "processor" : "wall");
    if (read_processor(text, sizeof text))
        cJSON_AddStringToObject(report, "processor", text + strspn(text, " "));
    for (int k = 0; k < bench->entry_count; k++)
        has_devices = has_devices || bench->entries[k].backend->has_devices;
    if (has_devices && gpu_describe(text, sizeof text) > 0)
        cJSON_AddStringToObject(report, "devices", text);
}
