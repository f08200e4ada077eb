// What is measured on waves on land (see flood.h).
#include "validate/tsunami/flood.h"

#include "models/tsunami/axis.h"
#include "validate/tsunami/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---- the surface along x

double flood_profile_m(const struct flood_map *map, size_t record, flood_depth *depth_m, const void *context,
                       double x_m)
{
    if (map->nx < 2 || !(x_m >= map->x_m[0] && x_m <= map->x_m[map->nx - 1]))
        return NAN;
    const size_t row = map->ny / 2, i = axis_interval(map->x_m, map->nx, x_m);
    double eta[2];
    for (size_t k = 0; k < 2; k++) {
        eta[k] = flood_eta(map, record, row, i + k);
        if (isnan(eta[k]))
            eta[k] = -depth_m(context, map->x_m[i + k]);
    }
    const double share = (x_m - map->x_m[i]) / (map->x_m[i + 1] - map->x_m[i]);
    return fmax((1 - share) * eta[0] + share * eta[1], -depth_m(context, x_m));
}

// ---- run-up

// Heights at two points a distance apart, the farther one inland and wet, and the ground at the next one,
// which stayed dry: where the line through the first two meets the ground between the last two.
static double meet_ground_m(double eta_before_m, double eta_m, double before_m, double ground_m,
                            double ground_next_m, double next_m)
{
    const double fall = isnan(eta_before_m) ? 0 : (eta_before_m - eta_m) / before_m;
    const double rise = (ground_next_m - ground_m) / next_m;
    const double depth_m = fmax(0, eta_m - ground_m);
    // Surface and ground do not meet, or beyond the dry node: that one was not reached.
    const double far_m = rise + fall > 0 ? fmin(next_m, depth_m / (rise + fall)) : next_m;
    return ground_m + far_m * rise;
}

struct node {
    size_t row, column;
};

static bool step_from(const struct flood_map *map, struct node from, int east, int north, struct node *to)
{
    if ((east < 0 && from.column == 0) || (east > 0 && from.column + 1 == map->nx) ||
        (north < 0 && from.row == 0) || (north > 0 && from.row + 1 == map->ny))
        return false;
    *to = (struct node){from.row + (size_t)north, from.column + (size_t)east};
    return true;
}

// Of a node that was flooded, towards a neighbour on higher ground that was not; NaN if there is no such
// neighbour.
static double runup_from_m(const struct flood_map *map, struct node here, int east, int north)
{
    struct node next, before;
    if (!step_from(map, here, east, north, &next) || !isnan(flood_eta(map, 0, next.row, next.column)))
        return NAN;
    const double ground = -map->depth_m[here.row * map->nx + here.column],
                 ground_next = -map->depth_m[next.row * map->nx + next.column];
    if (!(ground_next > ground))
        return NAN;
    const double next_m =
        hypot(map->x_m[next.column] - map->x_m[here.column], map->y_m[next.row] - map->y_m[here.row]);
    double eta_before = NAN, before_m = next_m;
    if (step_from(map, here, -east, -north, &before)) {
        eta_before = flood_eta(map, 0, before.row, before.column);
        before_m =
            hypot(map->x_m[before.column] - map->x_m[here.column], map->y_m[before.row] - map->y_m[here.row]);
    }
    return meet_ground_m(eta_before, flood_eta(map, 0, here.row, here.column), before_m, ground, ground_next,
                         next_m);
}

static bool is_flooded(const struct flood_map *map, size_t row, size_t column, const struct flood_box *box)
{
    const double x = map->x_m[column], y = map->y_m[row];
    return x >= box->x_m[0] && x <= box->x_m[1] && y >= box->y_m[0] && y <= box->y_m[1] &&
           map->depth_m[row * map->nx + column] < 0 && flood_eta(map, 0, row, column) > 0;
}

struct flood_height flood_runup(const struct flood_map *map, const struct flood_box *box)
{
    static const int directions[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    struct flood_height height = {NAN, NAN, NAN, NAN};
    for (size_t j = 0; j < map->ny; j++)
        for (size_t i = 0; i < map->nx; i++) {
            if (!is_flooded(map, j, i, box))
                continue;
            const double level = flood_eta(map, 0, j, i);
            if (!(level <= height.level_m))
                height = (struct flood_height){level, height.continued_m, map->x_m[i], map->y_m[j]};
            for (int d = 0; d < 4; d++)
                height.continued_m =
                    fmax(height.continued_m,
                         runup_from_m(map, (struct node){j, i}, directions[d][0], directions[d][1]));
        }
    return height;
}

// Ground and largest elevation at a point, bilinear; of the elevation over the nodes that were wet. false:
// outside, or the nearest node was never wet (η is NaN then, the ground is given).
struct sample {
    double ground_m, eta_m;
};

static bool sample_at(const struct flood_map *map, double x_m, double y_m, struct sample *sample)
{
    const double column = (x_m - map->x_m[0]) / (map->x_m[1] - map->x_m[0]),
                 row = (y_m - map->y_m[0]) / (map->y_m[1] - map->y_m[0]);
    *sample = (struct sample){NAN, NAN};
    if (!(column >= 0 && column < (double)(map->nx - 1) && row >= 0 && row < (double)(map->ny - 1)))
        return false;
    const size_t i = (size_t)column, j = (size_t)row;
    double weights = 0, eta = 0;
    sample->ground_m = 0;
    for (size_t k = 0; k < 4; k++) {
        const size_t a = k & 1, b = k >> 1;
        const double weight =
            (a ? column - (double)i : (double)i + 1 - column) * (b ? row - (double)j : (double)j + 1 - row);
        const double value = flood_eta(map, 0, j + b, i + a);
        sample->ground_m -= weight * map->depth_m[(j + b) * map->nx + i + a];
        weights += isnan(value) ? 0 : weight;
        eta += isnan(value) ? 0 : weight * value;
    }
    const bool is_wet = !isnan(flood_eta(map, 0, (size_t)(row + 0.5), (size_t)(column + 0.5)));
    sample->eta_m = is_wet && weights > 0 ? eta / weights : (double)NAN;
    return is_wet;
}

struct flood_height flood_runup_along(const struct flood_map *map, double x_m, double y_m, double east,
                                      double north, double length_m)
{
    const struct flood_height none = {NAN, NAN, NAN, NAN};
    if (map->nx < 2 || map->ny < 2)
        return none;
    const double step_m = map->x_m[1] - map->x_m[0];
    struct sample before = {NAN, NAN}, here = {NAN, NAN}, next;
    for (double s = 0; s <= length_m; s += step_m) {
        if (!sample_at(map, x_m + s * east, y_m + s * north, &next)) {
            if (isnan(here.eta_m) || isnan(next.ground_m))
                return none;
            const double continued =
                meet_ground_m(before.eta_m, here.eta_m, step_m, here.ground_m, next.ground_m, step_m);
            return (struct flood_height){here.eta_m, continued, x_m + (s - step_m) * east,
                                         y_m + (s - step_m) * north};
        }
        before = here;
        here = next;
    }
    return none; // wet to the line's end
}

// ---- series

enum status flood_read_gauge(const struct validation_run *run, const char *job, const char *file,
                             const char *gauge, struct case_series *series)
{
    double depth_m;
    CHECK(case_read_gauge_of(run, job, file, gauge, series, &depth_m));
    for (size_t k = 0; k < series->count; k++)
        series->value[k] = isnan(series->value[k]) ? -depth_m : series->value[k];
    return STATUS_OK;
}

void flood_subtract_rest(struct case_series *series, double before_s)
{
    double sum = 0;
    size_t count = 0;
    while (count < series->count && series->time_s[count] < before_s)
        sum += series->value[count++];
    for (size_t k = 0; k < series->count && count > 0; k++)
        series->value[k] -= sum / (double)count;
}

static enum status draw_gauge(struct validation_run *run, const struct flood_gauge *gauge,
                              const struct case_series *observed, const struct case_series *computed)
{
    char time_label[VALIDATION_NAME_BYTES], label[VALIDATION_NAME_BYTES];
    struct validation_picture *picture;
    snprintf(time_label, sizeof time_label, "time (%s)", gauge->time_unit ? gauge->time_unit : "s");
    snprintf(label, sizeof label, "elevation (%s)", gauge->unit);
    CHECK(validation_picture(run, gauge->label, time_label, label, gauge->source, &picture));
    CHECK(case_series_draw(run, picture, gauge->reference ? gauge->reference : "laboratory", true, observed,
                           gauge->begin_s, gauge->end_s));
    return case_series_draw(run, picture, "Fathom", false, computed, gauge->begin_s, gauge->end_s);
}

enum status flood_measure_gauge(struct validation_run *run, const struct flood_gauge *gauge,
                                const struct case_series *observed, const struct case_series *computed)
{
    double squares = 0, low = INFINITY, high = -INFINITY;
    size_t count = 0;
    for (size_t k = 0; k < observed->count; k++) {
        if (!(observed->time_s[k] >= gauge->begin_s && observed->time_s[k] <= gauge->end_s))
            continue;
        const double difference = observed->value[k] - case_series_at(computed, observed->time_s[k]);
        squares += difference * difference; // NaN, a gauge fallen dry or a run too short: fails below
        low = fmin(low, observed->value[k]);
        high = fmax(high, observed->value[k]);
        count++;
    }
    if (count < 2)
        return FAIL(STATUS_DATA, "%s: the record has %zu samples between %g and %g s", gauge->label, count,
                    gauge->begin_s, gauge->end_s);
    CHECK(validation_compare(run, gauge->peak_tolerance, gauge->unit, gauge->source,
                             case_series_peak(computed, gauge->begin_s, gauge->end_s).value, high,
                             "%s, largest", gauge->label));
    const double rms = sqrt(squares / (double)count), range = high - low;
    const bool is_judged = gauge->rms_tolerance != NULL; // else shown as a share, which is what is judged
    CHECK(validation_compare(run, gauge->rms_tolerance, is_judged ? gauge->unit : "of the range",
                             gauge->source, is_judged ? rms : rms / range, is_judged ? range : (double)NAN,
                             "%s, rms of the difference", gauge->label));
    return draw_gauge(run, gauge, observed, computed);
}

// ---- mass

enum status flood_measure_mass(struct validation_run *run, const char *job, const char *quantity,
                               double scale_m3)
{
    double start_m3, end_m3;
    CHECK(tsunami_read_volumes(run, job, &start_m3, &end_m3));
    return validation_compare(run, "mass-closed", "1", FLOOD_MASS_SOURCE, (end_m3 - start_m3) / scale_m3, 0,
                              "%s", quantity);
}

// What flows through the first column of a record, m3/s, and what lies above rest in the half cells west of
// it.
static double flow_m3_s(const struct flood_map *map, size_t record, double depth_m, double *west_m3)
{
    const double dx = map->x_m[1] - map->x_m[0], dy = map->y_m[1] - map->y_m[0];
    double flow = 0, west = 0;
    for (size_t j = 0; j < map->ny; j++) {
        const double eta = flood_eta(map, record, j, 0), u = map->u_m_s[(record * map->ny + j) * map->nx];
        if (isnan(eta))
            continue;
        flow += (depth_m + eta) * u * dy;
        west += 0.5 * eta * dx * dy;
    }
    *west_m3 = west;
    return flow;
}

enum status flood_measure_inflow(struct validation_run *run, const char *job, const char *quantity,
                                 const struct flood_map *maps, flood_depth *depth_m, const void *context)
{
    double start_m3, end_m3, inflow = 0, gross = 0, before = 0, west[2] = {0, 0};
    CHECK(tsunami_read_volumes(run, job, &start_m3, &end_m3));
    if (maps->nx < 2 || maps->ny < 2 || maps->records < 2)
        return FAIL(STATUS_DATA, "fields.nc of the job %s is too small to measure what flows in", job);
    const double depth = depth_m(context, maps->x_m[0]);
    for (size_t k = 0; k < maps->records; k++) {
        const double flow = flow_m3_s(maps, k, depth, &west[k > 0]);
        if (k > 0) {
            const double volume = 0.5 * (before + flow) * (maps->time_s[k] - maps->time_s[k - 1]);
            inflow += volume;
            gross += fabs(volume);
        }
        before = flow;
    }
    const double gained = end_m3 - start_m3 - (west[1] - west[0]);
    return validation_compare(run, "mass-inflow", "1",
                              FLOOD_MASS_SOURCE ", what flows through the western edge",
                              (gained - inflow) / gross, 0, "%s", quantity);
}
