// The authors' times and rates of known sizes, in panels of their own over the size, beside the fastest of
// each back end here: a series for each program of theirs or, if these are many, for each machine.
#include "report/timings/internal.h"

#include "io/json_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AUTHORS_MOST = 6, COLOUR_HERE = 6 };

struct peer {
    const char *rung, *machine, *bound, *what;
    char name[CHART_TEXT_BYTES];
    int number;         // of its series, from 0
    double size, value; // value: NaN, or in the unit of the panel
};

// What a panel shows: the key of a peer, the unit of the picture, and ours.
struct quantity {
    const char *key, *title, *unit;
    double scale;
    bool is_least_best;
    double (*ours)(const struct timings_row *row); // NULL: ours counts something else
};

static double step_ms(const struct timings_row *row)
{
    return row->step_ms;
}

static double rate(const struct timings_row *row)
{
    return row->rate;
}

static double gflop_s(const struct timings_row *row)
{
    return row->flop_s / 1e9;
}

static const struct quantity quantities[] = {
    {"step_s", "Time of a step", "time of a step (ms)", 1e3, true, step_ms},
    {"work_per_s", "Rate", NULL, 1, false, rate},
    {"flop_s", "Arithmetic", "operations (GFLOP/s)", 1e-9, false, gflop_s},
    {"bytes_per_s", "Memory traffic", "bytes that the program reads (GB/s)", 1e-9, false, NULL},
};

struct sheet {
    const struct timings_file *file;
    struct chart *chart;
    const struct quantity *quantity;
    size_t count;
    struct peer *peers; // of the quantity
    bool by_machine;
    int series_count, group, scale;
};

// Names the peers, and numbers their series in the order of the file.
static void name_peers(struct sheet *sheet)
{
    sheet->series_count = 0;
    for (size_t k = 0; k < sheet->count; k++) {
        struct peer *peer = &sheet->peers[k];
        int programs = 0;
        size_t like = 0;
        for (size_t other = 0; other < sheet->count; other++)
            programs += strcmp(sheet->peers[other].machine, peer->machine) == 0;
        if (sheet->by_machine && programs > 1)
            snprintf(peer->name, sizeof peer->name, "author: %.120s (%d figures)", peer->machine, programs);
        else
            snprintf(peer->name, sizeof peer->name, "author: %.100s, %.100s", peer->rung, peer->machine);
        while (strcmp(sheet->peers[like].name, peer->name) != 0)
            like++;
        peer->number = like < k ? sheet->peers[like].number : sheet->series_count++;
    }
}

// ---- reading

static enum status read_peers(struct sheet *sheet, const cJSON *list)
{
    const cJSON *item;
    const struct timings_file *file = sheet->file;
    int number = 0;
    sheet->count = 0;
    cJSON_ArrayForEach(item, list)
    {
        char where[32], size[CHART_TEXT_BYTES];
        struct peer *peer = &sheet->peers[sheet->count];
        snprintf(where, sizeof where, "peers[%d]", number++);
        CHECK(timings_text(file, where, item, "rung", true, &peer->rung));
        CHECK(timings_text(file, where, item, "machine", true, &peer->machine));
        CHECK(timings_text(file, where, item, "bound", false, &peer->bound));
        CHECK(timings_text(file, where, item, "quantity", false, &peer->what));
        CHECK(timings_size(file, where, item, "size", &peer->size, size));
        CHECK(timings_number(file, where, item, sheet->quantity->key, false, &peer->value));
        peer->value *= sheet->quantity->scale;
        sheet->count += isnan(peer->value) ? 0 : 1;
    }
    return STATUS_OK;
}

// ---- panels

static enum status add_peers(const struct sheet *sheet, struct chart_panel *panel, int part)
{
    for (size_t k = 0; k < sheet->count; k++) {
        const struct peer *peer = &sheet->peers[k];
        const int number = peer->number;
        if (number / AUTHORS_MOST != part)
            continue;
        struct chart_series *series = chart_find_series(panel, peer->name);
        if (!series) {
            CHECK(chart_add_series(panel, peer->name, &series));
            series->style = CHART_ALONE;
            series->colour = number % AUTHORS_MOST;
            series->mark = 1 + number % AUTHORS_MOST % 3; // not a circle, which is ours
        }
        CHECK(chart_add_point(
            series,
            &(struct chart_point){.x = peer->size, .y = peer->value, .is_open = peer->bound[0] != '\0'}));
    }
    return STATUS_OK;
}

// Of all methods, the best at a size.
static bool is_best(const struct sheet *sheet, const struct timings_row *row, const char *kind)
{
    const struct quantity *quantity = sheet->quantity;
    const double value = quantity->ours(row);
    if (isnan(value) || row->threads > 0 || strcmp(row->kind, kind) != 0)
        return false;
    for (size_t k = 0; k < sheet->file->row_count; k++) {
        const struct timings_row *other = &sheet->file->rows[k];
        const double its = quantity->ours(other);
        if (strcmp(other->backend, row->backend) == 0 && strcmp(other->kind, kind) == 0 &&
            other->size == row->size && !(other->threads > 0) &&
            (quantity->is_least_best ? its < value : its > value))
            return false;
    }
    return true;
}

static enum status add_ours(const struct sheet *sheet, struct chart_panel *panel)
{
    const char *kind = sheet->file->row_count > 0 ? sheet->file->rows[0].kind : "";
    for (size_t k = 0; k < sheet->file->row_count && sheet->quantity->ours; k++) {
        const struct timings_row *row = &sheet->file->rows[k];
        char name[CHART_TEXT_BYTES];
        if (!is_best(sheet, row, kind))
            continue;
        snprintf(name, sizeof name, "here: the best method of %.60s%s%.60s", row->backend,
                 kind[0] ? ", " : "", kind);
        struct chart_series *series = chart_find_series(panel, name);
        if (!series) {
            CHECK(chart_add_series(panel, name, &series));
            series->colour = COLOUR_HERE + row->backend_number;
        }
        CHECK(chart_add_point(series, &(struct chart_point){.x = row->size,
                                                            .y = sheet->quantity->ours(row),
                                                            .is_open = row->is_estimate}));
    }
    return STATUS_OK;
}

static bool has_ours(const struct sheet *sheet)
{
    for (size_t k = 0; k < sheet->file->row_count && sheet->quantity->ours; k++)
        if (!isnan(sheet->quantity->ours(&sheet->file->rows[k])))
            return true;
    return false;
}

static bool has_open(const struct chart_panel *panel)
{
    for (size_t s = 0; s < panel->series_count; s++)
        for (size_t k = 0; k < panel->series[s].count; k++)
            if (panel->series[s].points[k].is_open)
                return true;
    return false;
}

static enum status add_panel(struct sheet *sheet, int part)
{
    struct chart_panel *panel;
    const struct quantity *quantity = sheet->quantity;
    const bool has_both = has_ours(sheet);
    CHECK(chart_add_panel(sheet->chart, CHART_LINES, sheet->group, &panel));
    snprintf(panel->title, sizeof panel->title, "%s: the author's%s", quantity->title,
             has_both ? " and ours" : "");
    snprintf(panel->aside, sizeof panel->aside, "the author's programs%s, whatever their method",
             sheet->by_machine ? " on each machine" : "");
    if (!quantity->ours) {
        timings_append(panel->aside, sizeof panel->aside, "; ", sheet->peers[0].what);
        timings_append(panel->aside, sizeof panel->aside, ". ",
                       "Ours counts the least traffic, and is not drawn here");
    } else if (!has_both) {
        timings_append(panel->aside, sizeof panel->aside, "; ", "ours has no such figure");
    }
    snprintf(panel->x_name, sizeof panel->x_name, "%s", sheet->file->model->counted);
    snprintf(panel->y_name, sizeof panel->y_name, "%s",
             quantity->unit ? quantity->unit : sheet->file->model->rate_name);
    panel->is_x_logarithmic = panel->is_y_logarithmic = true;
    panel->scale = sheet->scale;
    CHECK(add_peers(sheet, panel, part));
    CHECK(add_ours(sheet, panel));
    return has_open(panel) ? chart_add_note(panel, "hollow: the author's bound, or our estimate") : STATUS_OK;
}

static enum status add_quantities(struct sheet *sheet, const cJSON *list)
{
    for (size_t q = 0; q < sizeof quantities / sizeof *quantities; q++) {
        sheet->quantity = &quantities[q];
        sheet->by_machine = false;
        CHECK(read_peers(sheet, list));
        name_peers(sheet);
        sheet->by_machine = sheet->series_count > AUTHORS_MOST;
        if (sheet->by_machine)
            name_peers(sheet);
        const int series = sheet->series_count;
        sheet->scale = series > AUTHORS_MOST ? TIMINGS_SCALE_PEERS + (int)q : 0;
        for (int part = 0; part * AUTHORS_MOST < series; part++, sheet->group++)
            CHECK(add_panel(sheet, part));
    }
    return STATUS_OK;
}

enum status timings_add_peers(const struct timings_file *file, struct chart *chart, int *group)
{
    const cJSON *list = timings_any_list(file->json, "peers");
    struct sheet sheet = {.file = file, .chart = chart, .group = *group};
    if (cJSON_GetArraySize(list) == 0)
        return STATUS_OK;
    sheet.peers = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *sheet.peers);
    if (!sheet.peers)
        return FAIL(STATUS_SYSTEM, "%s: not enough memory for its peers", file->path);
    const enum status status = add_quantities(&sheet, list);
    free(sheet.peers);
    *group = sheet.group;
    return status;
}
