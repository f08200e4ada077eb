// `fathom bench MODEL --table sizes`: from which size on a device is faster than a processor.
#include "bench/bench.h"

#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <stdio.h>

struct crossover {
    const struct bench_row *first, *second; // of the processor, of the device; both of the smallest size
    double from;                            // volume of the size; 0: at every size; INFINITY: at none
};

double bench_find_crossover(int count, const double *sizes, const double *first_ms, const double *second_ms)
{
    double last_gap = 0; // log(second/first) at the size after this one
    for (int k = count - 1; k >= 0; k--) {
        const double gap = log(second_ms[k] / first_ms[k]);
        if (!(first_ms[k] > 0) || !(second_ms[k] > 0))
            return NAN;
        if (gap >= 0) {
            if (k == count - 1)
                return INFINITY;
            const double low = log(sizes[k]), high = log(sizes[k + 1]);
            return exp(low + (high - low) * gap / (gap - last_gap));
        }
        last_gap = gap;
    }
    return 0;
}

static double volume_of(const struct bench_row *row)
{
    return (double)row->size[0] * (double)row->size[1] * (double)row->size[2] * (double)row->copies;
}

// Whether it is a row of the same solver, or of the same on another back end.
static bool is_alike(const struct bench_row *a, const struct bench_row *b)
{
    return a->kind == b->kind && a->method == b->method && a->precision == b->precision &&
           a->variant == b->variant && a->threads == b->threads;
}

static const struct bench_row *partner_of(const struct bench *bench, const struct bench_row *row,
                                          const struct bench_entry *entry)
{
    struct bench_row like = *row;
    like.entry = entry;
    const struct bench_row *found = bench_find_row(bench, &like);
    return found && found->has_run ? found : NULL;
}

// Of the row's series and the same on a device. The rows are in the order of their sizes.
static double find_from(const struct bench *bench, const struct bench_row *first,
                        const struct bench_entry *device)
{
    double volumes[BENCH_SIZES_MAX], ms[BENCH_SIZES_MAX], device_ms[BENCH_SIZES_MAX];
    int count = 0;
    for (int k = 0; k < bench->row_count && count < BENCH_SIZES_MAX; k++) {
        const struct bench_row *row = &bench->rows[k];
        const struct bench_row *other = partner_of(bench, row, device);
        if (row->entry != first->entry || !is_alike(row, first) || !row->has_run || !other)
            continue;
        volumes[count] = volume_of(row);
        ms[count] = row->time.step_ms;
        device_ms[count++] = other->time.step_ms;
    }
    return bench_find_crossover(count, volumes, ms, device_ms);
}

// Whether the row is the first of its series, which has several sizes.
static bool begins_series(const struct bench *bench, const struct bench_row *row)
{
    bool has_more = false;
    if (!row->has_run || row->entry->backend->has_devices || bench_is_reference(row->entry))
        return false;
    for (int k = 0; k < bench->row_count; k++) {
        const struct bench_row *other = &bench->rows[k];
        if (other == row || other->entry != row->entry || !is_alike(other, row) || !other->has_run)
            continue;
        if (other < row)
            return false;
        has_more = true;
    }
    return has_more;
}

// Numbers run over rows × entries, most of which begin no comparison; false: the last is behind.
static bool next_crossover(const struct bench *bench, int *number, struct crossover *found)
{
    while (*number < bench->row_count * bench->entry_count) {
        const struct bench_row *row = &bench->rows[*number / bench->entry_count];
        const struct bench_entry *device = &bench->entries[(*number)++ % bench->entry_count];
        if (!device->backend->has_devices || !begins_series(bench, row))
            continue;
        const struct bench_row *other = partner_of(bench, row, device);
        if (!other)
            continue;
        *found = (struct crossover){row, other, find_from(bench, row, device)};
        return true;
    }
    return false;
}

static void describe(const struct bench *bench, const struct crossover *c, char *text, size_t bytes)
{
    const struct bench_model *model = bench->model;
    snprintf(text, bytes, "%s%s%s%s%s: %s rather than %s", model->kinds ? model->kinds[c->first->kind] : "",
             model->kinds ? ", " : "", bench_method_name(bench, c->first), model->has_precisions ? ", " : "",
             model->has_precisions ? bench_precision_name(c->first) : "", c->second->entry->label,
             c->first->entry->label);
}

void bench_print_crossovers(const struct bench *bench)
{
    struct crossover c;
    const char *title = "\nfaster, from a size on (interpolated between those above)\n";
    if (!bench_has_entry(bench, true))
        printf("from which size on a device is faster: not measured: no device\n");
    for (int number = 0; next_crossover(bench, &number, &c); title = "") {
        char text[BENCH_TEXT_BYTES];
        describe(bench, &c, text, sizeof text);
        printf("%s%-60s ", title, text);
        if (c.from == 0)
            printf("at every size\n");
        else if (isinf(c.from))
            printf("at none of the sizes\n");
        else
            printf("from %.2g %s\n", c.from, bench->model->volume);
    }
}

void bench_report_crossovers(const struct bench *bench, cJSON *report)
{
    struct crossover c;
    cJSON *list = cJSON_AddArrayToObject(report, "crossovers");
    for (int number = 0; next_crossover(bench, &number, &c);) {
        char text[BENCH_TEXT_BYTES];
        cJSON *item = json_append_object(list);
        describe(bench, &c, text, sizeof text);
        cJSON_AddStringToObject(item, "faster", text);
        json_add_number(item, "from", c.from); // null: at none
    }
}
