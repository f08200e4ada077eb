// The part of `fathom bench MODEL` that all models share: see the header. Knows no model's tables.
#include "bench/common.h"

#include "core/threads.h"
#include "io/utf8.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 4096 };

// ---- the command line

bool bench_read_count(const char *text, int least, int most, int *count)
{
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    *count = (int)value;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && value >= least && value <= most;
}

enum status bench_mistake(const struct bench_common *common, const char *message)
{
    return FAIL(STATUS_USAGE, "bench %s: %s; see fathom bench %s --help", common->model, message,
                common->model);
}

enum status bench_read_word(const struct bench_common *common, const char *const *words, int count,
                            const char *message, int *place)
{
    for (*place = 0; *place < count; ++*place)
        if (strcmp(optarg, words[*place]) == 0)
            return STATUS_OK;
    return bench_mistake(common, message);
}

enum status bench_read_number(const struct bench_common *common, const char *name, double least, double most,
                              double *number)
{
    char *end, message[80];
    *number = strtod(optarg, &end);
    if (optarg[0] != '\0' && *end == '\0' && *number >= least && *number <= most)
        return STATUS_OK;
    snprintf(message, sizeof message, "--%s needs a number from %g to %g", name, least, most);
    return bench_mistake(common, message);
}

static enum status read_backend(const char *text, struct bench_common *common)
{
    struct bench_entry entry = {0};
    if (strcmp(text, "auto") == 0)
        return bench_mistake(common,
                             "--backend: \"auto\" is no back end; leave --backend out for each of them");
    CHECK_ABOUT(backend_read(common->list, text, &entry.backend, &entry.device) == STATUS_OK ? STATUS_OK
                                                                                             : STATUS_USAGE,
                "bench %s: --backend", common->model);
    snprintf(entry.label, sizeof entry.label, "%s", text);
    for (int k = 0; k < common->entry_count; k++)
        if (common->entries[k].backend == entry.backend && common->entries[k].device == entry.device)
            return STATUS_OK;
    if (common->entry_count == BENCH_ENTRIES_MAX)
        return FAIL(STATUS_USAGE, "bench %s: --backend: at most %d at a time", common->model,
                    BENCH_ENTRIES_MAX);
    common->entries[common->entry_count++] = entry;
    common->has_named = true;
    return STATUS_OK;
}

static enum status read_number(const char *name, int least, int most, const struct bench_common *common,
                               int *number)
{
    char message[80];
    if (bench_read_count(optarg, least, most, number))
        return STATUS_OK;
    snprintf(message, sizeof message, "--%s needs %d to %d", name, least, most);
    return bench_mistake(common, message);
}

static enum status take_common(int option, struct bench_common *common)
{
    int threads;
    switch (option) {
    case BENCH_BACKEND:
        return read_backend(optarg, common);
    case BENCH_STEPS:
        return read_number("steps", common->steps_least, BENCH_STEPS_MAX, common, &common->steps);
    case BENCH_REPEAT:
        return read_number("repeat", 1, BENCH_REPEAT_MAX, common, &common->repeat);
    case BENCH_NO_REFERENCE:
        common->skips_reference = true;
        return STATUS_OK;
    case 't':
        if (!bench_read_count(optarg, 1, THREADS_MAX, &threads))
            return bench_mistake(common, "--threads needs a number from 1 to 4096");
        omp_set_num_threads(threads);
        return threads_try(threads);
    default:
        common->as_json = true;
        return STATUS_OK;
    }
}

int bench_main(int argc, char **argv, struct bench_common *common, const char *help,
               const struct option *long_options, enum status (*take)(int option, void *options),
               enum status (*run)(void *options), void *options)
{
    enum status status = STATUS_OK;
    optind = 1;
    for (int option;
         status == STATUS_OK && (option = getopt_long(argc, argv, "t:h", long_options, NULL)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return 0;
        }
        if (option == '?')
            return status_exit_code(STATUS_USAGE); // getopt has said why
        status = option >= BENCH_OWN ? take(option, options) : take_common(option, common);
    }
    if (status == STATUS_OK && optind < argc)
        status = bench_mistake(common, "only options are expected");
    if (status == STATUS_OK)
        status = run(options);
    if (status != STATUS_OK)
        fprintf(stderr, "fathom: %s\n", status_message());
    return status_exit_code(status);
}

// ---- back ends

void bench_list_entries(struct bench_common *common)
{
    for (int k = 0; !common->has_named && k < common->list->count; k++) {
        const struct backend *backend = common->list->members[k];
        if (common->entry_count == BENCH_ENTRIES_MAX ||
            (common->skips_reference && strcmp(backend->name, "reference") == 0))
            continue;
        struct bench_entry *entry = &common->entries[common->entry_count++];
        *entry = (struct bench_entry){.backend = backend};
        snprintf(entry->label, sizeof entry->label, "%s", backend->name);
    }
}

void bench_add_note(struct bench_common *common, const char *what, const char *why)
{
    if (common->note_count < BENCH_NOTES_MAX)
        snprintf(common->notes[common->note_count++], BENCH_NOTE_BYTES, "%s: not measured: %s", what, why);
}

enum status bench_forgive(struct bench_common *common, const char *what, enum status status)
{
    if (status != STATUS_SYSTEM || common->has_named)
        return status;
    bench_add_note(common, what, status_message());
    status_clear();
    return STATUS_OK;
}

// Asked before anything else: what its libraries would say in mid-work is not what is wrong.
enum status bench_check_usable(struct bench_common *common, int index, bool *is_usable)
{
    const struct bench_entry *entry = &common->entries[index];
    char why[BENCH_NOTE_BYTES] = "";
    *is_usable = !entry->backend->is_usable || entry->backend->is_usable(entry->device, why, sizeof why);
    if (*is_usable)
        return STATUS_OK;
    if (common->has_named)
        return FAIL(STATUS_SYSTEM, "bench %s: %s cannot be used here: %s", common->model, entry->label, why);
    bench_add_note(common, entry->label, why);
    return STATUS_OK;
}

enum status bench_choose_entries(struct bench_common *common)
{
    int usable = 0;
    bench_list_entries(common);
    for (int k = 0; k < common->entry_count; k++) {
        bool is_usable;
        CHECK(bench_check_usable(common, k, &is_usable));
        if (is_usable)
            common->entries[usable++] = common->entries[k];
    }
    common->entry_count = usable;
    return STATUS_OK;
}

enum status bench_measure_limits(struct bench_common *common, int index,
                                 enum status (*measure)(int device, enum element precision, double *fma_per_s,
                                                        double *rsqrt_per_s),
                                 struct bench_limit limits[static 2])
{
    static const enum element precisions[2] = {ELEMENT_F32, ELEMENT_F64};
    const struct bench_entry *entry = &common->entries[index];
    for (int kind = 0; kind < 2 && measure; kind++)
        CHECK(bench_forgive(
            common, entry->label,
            measure(entry->device, precisions[kind], &limits[kind].fma_per_s, &limits[kind].rsqrt_per_s)));
    return STATUS_OK;
}

enum status bench_measure_copy(struct bench_common *common, int index,
                               enum status (*measure)(int device, double *bytes_per_s))
{
    struct bench_entry *entry = &common->entries[index];
    double bytes_per_s = 0;
    bool is_usable;
    CHECK(bench_check_usable(common, index, &is_usable));
    if (!is_usable)
        return STATUS_OK;
    for (int k = 0; !measure && k < index; k++)
        if (!common->entries[k].backend->has_devices && common->entries[k].copy_gigabytes_per_s > 0)
            entry->copy_gigabytes_per_s = common->entries[k].copy_gigabytes_per_s;
    if (entry->copy_gigabytes_per_s > 0)
        return STATUS_OK;
    if (measure)
        CHECK(bench_forgive(common, entry->label, measure(entry->device, &bytes_per_s)));
    else
        CHECK(host_copy_rate(common->repeat, &bytes_per_s));
    entry->copy_gigabytes_per_s = bytes_per_s / 1e9;
    return STATUS_OK;
}

// ---- results

void bench_print_copy_rates(const struct bench_common *common)
{
    for (int k = 0; k < common->entry_count; k++)
        if (common->entries[k].copy_gigabytes_per_s > 0)
            printf("copy rate %.1f GB/s (read + written) in the memory of %s\n",
                   common->entries[k].copy_gigabytes_per_s, common->entries[k].label);
}

void bench_print_notes(const struct bench_common *common)
{
    for (int k = 0; k < common->note_count; k++)
        printf("%s%s\n", k == 0 ? "\n" : "", common->notes[k]);
}

void bench_add_machine(cJSON *report, const struct bench_common *common, const char *instruction_set)
{
    cJSON_AddNumberToObject(report, "threads", omp_get_max_threads());
    cJSON_AddStringToObject(report, "instruction_set", instruction_set);
    cJSON_AddNumberToObject(report, "repeat", common->repeat);
}

void bench_add_copy_rates(cJSON *report, const struct bench_common *common)
{
    cJSON *copies = cJSON_AddObjectToObject(report, "copy_gb_s");
    for (int k = 0; k < common->entry_count; k++)
        if (common->entries[k].copy_gigabytes_per_s > 0)
            cJSON_AddNumberToObject(copies, common->entries[k].label,
                                    common->entries[k].copy_gigabytes_per_s);
}

void bench_add_notes(cJSON *report, const struct bench_common *common)
{
    cJSON *notes = cJSON_AddArrayToObject(report, "notes");
    for (int k = 0; k < common->note_count; k++)
        cJSON_AddItemToArray(notes, cJSON_CreateString(common->notes[k]));
}

enum status bench_print_report(cJSON *report)
{
    char *text = utf8_print_json(report);
    cJSON_Delete(report);
    if (!text)
        return FAIL(STATUS_SYSTEM, "no memory for the table as JSON");
    puts(text);
    free(text);
    return STATUS_OK;
}
