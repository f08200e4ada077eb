// ensemble.nc read back: see report.h.
#include "report/hazard/report.h"

#include "models/tsunami/export/ensemble_check.h"
#include "models/tsunami/export/threat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct report_hazard_state *report_hazard_state(const struct report *report)
{
    return report->state;
}

// ---- texts

const char *report_hazard_percent(double share, char *text)
{
    if (isnan(share))
        snprintf(text, STYLE_TEXT_BYTES, "–");
    else if (share > 0 && share < 0.01)
        snprintf(text, STYLE_TEXT_BYTES, "< 1 %%");
    else if (share < 1 && share > 0.99)
        snprintf(text, STYLE_TEXT_BYTES, "> 99 %%");
    else
        snprintf(text, STYLE_TEXT_BYTES, "%.0f %%", 100 * share);
    return text;
}

const char *report_hazard_level_text(const struct report_hazard_state *state, size_t level,
                                     char text[STYLE_TEXT_BYTES])
{
    const double *m = state->thresholds_m;
    if (level == 0)
        snprintf(text, STYLE_TEXT_BYTES, "< %g m", m[0]);
    else if (level < state->threshold_count)
        snprintf(text, STYLE_TEXT_BYTES, "%g – %g m", m[level - 1], m[level]);
    else
        snprintf(text, STYLE_TEXT_BYTES, "≥ %g m", m[state->threshold_count - 1]);
    return text;
}

int report_hazard_level(const struct report_hazard_state *state, size_t point)
{
    const struct report_hazard_points *p = &state->points;
    return export_threat_of_point(
        p->coastal_m[point * HAZARD_SHOWN_PERCENTILES + HAZARD_SHOWN_PERCENTILES - 1], state->thresholds_m,
        state->threshold_count,
        p->shares[point * p->states] > 0 || p->lower_bound[point] > 0 || p->unfinished[point] > 0);
}

int report_hazard_zone_level(const struct report_hazard_state *state, size_t zone)
{
    const struct report_hazard_zones *z = &state->zones;
    const double *shares = z->shares + zone * (state->threshold_count + 2);
    return export_threat_of_zone(shares, state->threshold_count, shares[0] > 0 || z->lower_bound[zone] > 0);
}

// ---- reading

static enum status read_list(const struct result_file *file, const char *name, size_t expected,
                             double **values)
{
    size_t count;
    CHECK(result_read_all(file, name, values, &count));
    return count == expected ? STATUS_OK
                             : FAIL(STATUS_DATA, "%s: %s has %zu values, expected %zu", result_path(file),
                                    name, count, expected);
}

// A variable of `second` values for each of n places.
struct list {
    const char *name;
    size_t second;
    double **values;
};

static enum status read_lists(const struct result_file *file, size_t n, const struct list *all, size_t count)
{
    for (size_t k = 0; k < count; k++)
        CHECK(read_list(file, all[k].name, n * all[k].second, all[k].values));
    return STATUS_OK;
}

static enum status read_names(const struct result_file *file, const char *name, size_t expected,
                              char ***names)
{
    size_t count;
    CHECK(result_read_texts(file, name, names, &count));
    if (count == expected)
        return STATUS_OK;
    result_free_texts(*names, count);
    *names = NULL;
    return FAIL(STATUS_DATA, "%s: %s has %zu texts, expected %zu", result_path(file), name, count, expected);
}

// At most `most` numbers of an axis.
static enum status read_axis(const struct result_file *file, const char *name, double *values, size_t most,
                             size_t *count)
{
    double *read;
    CHECK(result_read_all(file, name, &read, count));
    const bool fits = *count > 0 && *count <= most;
    for (size_t k = 0; k < *count && fits; k++)
        values[k] = read[k];
    free(read);
    return fits ? STATUS_OK
                : FAIL(STATUS_DATA, "%s: %s has %zu values, expected 1 to %zu", result_path(file), name,
                       *count, most);
}

struct height {
    double m;
    size_t point;
};

static int by_height(const void *a, const void *b)
{
    const struct height *p = a, *q = b;
    if (p->m != q->m)
        return p->m < q->m ? 1 : -1;
    return (p->point > q->point) - (p->point < q->point);
}

static enum status order_points(struct report_hazard_points *p)
{
    struct height *heights = calloc(p->count + 1, sizeof *heights);
    p->order = calloc(p->count + 1, sizeof *p->order);
    const bool has_memory = heights && p->order;
    for (size_t k = 0; k < p->count && has_memory; k++) {
        const double m = p->coastal_m[(k + 1) * HAZARD_SHOWN_PERCENTILES - 1];
        heights[k] = (struct height){isnan(m) ? -1 : m, k};
    }
    if (has_memory)
        qsort(heights, p->count, sizeof *heights, by_height);
    for (size_t k = 0; k < p->count && has_memory; k++)
        p->order[k] = heights[k].point;
    free(heights);
    return has_memory ? STATUS_OK : FAIL(STATUS_SYSTEM, "report: not enough memory for %zu points", p->count);
}

static enum status read_points(const struct result_file *file, struct report_hazard_state *state)
{
    struct report_hazard_points *p = &state->points;
    const struct result_variable *curve = result_find(file, "coastal_height_curve"),
                                 *x = result_find(file, "point_x");
    if (!curve || !x || curve->rank != 2)
        return STATUS_OK;
    const size_t n = p->count = curve->lengths[0], curves = p->curve_count = curve->lengths[1],
                 states = p->states = state->threshold_count + 2;
    state->is_geographic = strncmp(x->units, "degree", 6) == 0;
    const struct list all[] = {{"point_x", 1, &p->x},
                               {"point_y", 1, &p->y},
                               {"weight_of_members", 1, &p->weight},
                               {"lower_bound", 1, &p->lower_bound},
                               {"unfinished", 1, &p->unfinished},
                               {"threat_probability", states, &p->shares},
                               {"coastal_height_percentile", HAZARD_SHOWN_PERCENTILES, &p->coastal_m},
                               {"crest_percentile", HAZARD_SHOWN_PERCENTILES, &p->crest_m},
                               {"coastal_height_curve", curves, &p->coastal_curve},
                               {"crest_curve", curves, &p->crest_curve},
                               {"arrival_earliest_at_point", 1, &p->earliest_s},
                               {"arrival_median_at_point", 1, &p->median_s},
                               {"arrival_probability_at_point", 1, &p->arrival}};
    CHECK(read_lists(file, n, all, sizeof all / sizeof *all));
    CHECK(read_list(file, "curve_height", curves, &p->curve_m));
    CHECK(read_names(file, "point_name", n, &p->names));
    return order_points(p);
}

static enum status read_zones(const struct result_file *file, struct report_hazard_state *state)
{
    struct report_hazard_zones *z = &state->zones;
    const struct result_variable *crest = result_find(file, "zone_crest_percentile");
    if (!crest || crest->rank != 2)
        return STATUS_OK;
    const struct list all[] = {{"zone_threat_probability", state->threshold_count + 2, &z->shares},
                               {"zone_crest_percentile", HAZARD_SHOWN_PERCENTILES, &z->crest_m},
                               {"zone_arrival_percentile", HAZARD_SHOWN_PERCENTILES, &z->arrival_s},
                               {"zone_arrival_earliest", 1, &z->earliest_s},
                               {"zone_arrival_probability", 1, &z->probability},
                               {"zone_lower_bound", 1, &z->lower_bound}};
    z->count = crest->lengths[0];
    CHECK(read_lists(file, z->count, all, sizeof all / sizeof *all));
    return read_names(file, "zone_name", z->count, &z->names);
}

static enum status read_series(const struct result_file *file, struct report_hazard_state *state)
{
    struct report_hazard_series *s = &state->series;
    const struct result_variable *v = result_find(file, "series_percentile");
    if (!v || v->rank != 3 || v->lengths[0] != HAZARD_SHOWN_PERCENTILES)
        return STATUS_OK;
    s->times = v->lengths[1];
    s->count = v->lengths[2];
    if (result_find(file, "station_x") && result_find(file, "station_y")) {
        CHECK(read_list(file, "station_x", s->count, &s->x));
        CHECK(read_list(file, "station_y", s->count, &s->y));
    }
    CHECK(read_list(file, "time", s->times, &s->times_s));
    CHECK(read_names(file, "station_name", s->count, &s->names));
    CHECK(read_list(file, "series_max_percentile", HAZARD_SHOWN_PERCENTILES * s->count, &s->largest_m));
    return read_list(file, "series_percentile", HAZARD_SHOWN_PERCENTILES * s->times * s->count,
                     &s->percentile_m);
}

static enum status open_grid(struct report *report, const char *name)
{
    struct report_hazard_state *state = report_hazard_state(report);
    const size_t length = strlen(name), tail = strlen("ensemble.nc");
    if (length < tail || strcmp(name + length - tail, "ensemble.nc") != 0 || strchr(name, '/') ||
        length - tail >= sizeof *state->grids)
        return STATUS_OK;
    if (state->grid_count == HAZARD_GRIDS_MAX_SHOWN) {
        report_warn(report, "%s: more than %d grids: it is left out", name, (int)HAZARD_GRIDS_MAX_SHOWN);
        return STATUS_OK;
    }
    const char *directory = report->options.directory;
    CHECK(report_open_file(report, directory, name, &state->files[state->grid_count]));
    if (!state->files[state->grid_count])
        return FAIL(STATUS_NO_INPUT, "%s/%s: is missing", directory, name);
    snprintf(state->grids[state->grid_count], sizeof *state->grids, "%.*s",
             (int)(length > tail ? length - tail - 1 : 0), name);
    state->grid_count++; // it is closed, whatever it holds
    CHECK(export_ensemble_check(state->files[state->grid_count - 1]));
    return export_ensemble_check_maps(state->files[state->grid_count - 1]);
}

enum status report_hazard_read(struct report *report)
{
    struct report_hazard_state *state = report_hazard_state(report);
    const cJSON *item;
    size_t percentiles;
    CHECK(open_grid(report, "ensemble.nc"));
    cJSON_ArrayForEach(item, json_member(report->run, "files"))
    {
        if (cJSON_IsString(item) && strcmp(item->valuestring, "ensemble.nc") != 0)
            CHECK(open_grid(report, item->valuestring));
    }
    const struct result_file *file = state->files[0];
    CHECK(read_axis(file, "threshold", state->thresholds_m, HAZARD_LEVELS_MAX, &state->threshold_count));
    CHECK(read_axis(file, "percentile", state->percentiles, HAZARD_SHOWN_PERCENTILES, &percentiles));
    if (percentiles != HAZARD_SHOWN_PERCENTILES)
        return FAIL(STATUS_DATA, "%s: %zu percentiles, expected %d", result_path(file), percentiles,
                    (int)HAZARD_SHOWN_PERCENTILES);
    state->is_geographic = result_find(file, "lon") != NULL;
    CHECK(read_points(file, state));
    CHECK(read_zones(file, state));
    CHECK(read_series(file, state));
    return report_hazard_read_observed(report);
}

void report_hazard_free(struct report *report)
{
    struct report_hazard_state *state = report_hazard_state(report);
    struct report_hazard_points *p = &state->points;
    struct report_hazard_zones *z = &state->zones;
    struct report_hazard_series *s = &state->series;
    double *const lists[] = {p->x,          p->y,          p->weight,       p->lower_bound,   p->unfinished,
                             p->shares,     p->coastal_m,  p->crest_m,      p->coastal_curve, p->crest_curve,
                             p->curve_m,    p->earliest_s, p->median_s,     p->arrival,       s->x,
                             s->y,          s->times_s,    s->percentile_m, s->largest_m,     s->observed_m,
                             z->shares,     z->crest_m,    z->arrival_s,    z->earliest_s,    z->probability,
                             z->lower_bound};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        free(lists[k]);
    free(p->order);
    result_free_texts(p->names, p->names ? p->count : 0);
    result_free_texts(z->names, z->names ? z->count : 0);
    result_free_texts(s->names, s->names ? s->count : 0);
    for (size_t g = 0; g < state->grid_count; g++)
        result_close(state->files[g]);
}
