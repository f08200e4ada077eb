// The order of a gas run's pictures; the box by run.json; which times are shown.
#include "report/gas/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double least_growth = 3; // of the largest cluster: less is no condensation
static const char *const side_names[GAS_REPORT_SIDES] = {"left", "right", "bottom", "top"};

// ---- the box

static void read_pair(const cJSON *list, double pair[GAS_REPORT_AXES])
{
    for (int axis = 0; axis < GAS_REPORT_AXES && cJSON_GetArraySize(list) == GAS_REPORT_AXES; axis++) {
        const cJSON *item = cJSON_GetArrayItem(list, axis);
        if (cJSON_IsNumber(item))
            pair[axis] = item->valuedouble;
    }
}

bool gas_read_box(const cJSON *run, struct gas_box *box)
{
    *box = (struct gas_box){.has_pair_force = strcmp(report_json_text(run, "potential"), "none") != 0};
    read_pair(cJSON_GetObjectItemCaseSensitive(run, "box"), box->size);
    read_pair(cJSON_GetObjectItemCaseSensitive(run, "gravity"), box->gravity);
    const double core = report_json_number(run, "core");
    box->core = core > 0 ? core : 0;
    for (int side = 0; side < GAS_REPORT_SIDES; side++)
        snprintf(box->walls[side], GAS_WALL_BYTES, "%s",
                 report_json_text(cJSON_GetObjectItemCaseSensitive(run, "walls"), side_names[side]));
    return box->size[0] > 0 && box->size[1] > 0;
}

enum status gas_guess_box(const struct report_particles *particles, struct gas_box *box)
{
    enum { PIECE = 4096 };
    *box = (struct gas_box){.has_pair_force = true};
    double *positions = malloc(PIECE * PARTICLES_AXES * sizeof *positions);
    enum status status =
        positions ? STATUS_OK : FAIL(STATUS_SYSTEM, "report: not enough memory for particles");
    for (size_t k = 0; k < 2; k++)
        for (size_t first = 0; first < particles->count && status == STATUS_OK; first += PIECE) {
            const size_t length = first + PIECE < particles->count ? PIECE : particles->count - first;
            status = report_read_positions(particles, k * (particles->frames - 1), first, length, positions);
            for (size_t i = 0; i < length && status == STATUS_OK; i++)
                for (int axis = 0; axis < GAS_REPORT_AXES; axis++)
                    box->size[axis] = fmax(box->size[axis], positions[PARTICLES_AXES * i + (size_t)axis]);
        }
    free(positions);
    for (int axis = 0; axis < GAS_REPORT_AXES; axis++)
        box->size[axis] = box->size[axis] > 0 ? box->size[axis] : 1;
    return status;
}

static bool is_periodic(const char *wall)
{
    return strcmp(wall, "periodic") == 0;
}

const char *gas_walls_text(const struct gas_box *box, char *text, size_t bytes)
{
    bool is_one = true;
    size_t used = 0;
    text[0] = '\0';
    for (int side = 1; side < GAS_REPORT_SIDES; side++)
        is_one = is_one && strcmp(box->walls[side], box->walls[0]) == 0;
    if (is_one && box->walls[0][0])
        snprintf(text, bytes, is_periodic(box->walls[0]) ? "%s" : "%s walls", box->walls[0]);
    for (int side = 0; side < GAS_REPORT_SIDES && !is_one && used < bytes; side++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%s %s", side > 0 ? ", " : "", side_names[side],
                                 box->walls[side]);
    return text;
}

bool gas_is_ring(const struct gas_box *box, int axis)
{
    return is_periodic(box->walls[2 * axis]);
}

void gas_script_box(struct plot *plot, const struct gas_box *box)
{
    const double x = box->size[0], y = box->size[1];
    const double ends[GAS_REPORT_SIDES][4] = {{0, 0, 0, y}, {x, 0, x, y}, {0, 0, x, 0}, {0, y, x, y}};
    for (int side = 0; side < GAS_REPORT_SIDES; side++) {
        const double *e = ends[side];
        fprintf(plot->script, "set arrow %d from %.10g,%.10g to %.10g,%.10g nohead front %s\n", side + 1,
                e[0], e[1], e[2], e[3],
                is_periodic(box->walls[side]) ? "linewidth 1.2 dashtype (8,5) linecolor rgb '#555555'"
                                              : "linewidth 1.6 dashtype solid linecolor rgb '#1b1b1b'");
    }
}

// ---- the times shown

enum status gas_read_growth(const struct result_file *structure, struct gas_growth *growth)
{
    const struct result_variable *largest = result_find(structure, "largest_cluster"),
                                 *mean = result_find(structure, "mean_cluster");
    size_t lengths[2];
    if (!result_find(structure, "time") || !largest || largest->rank != 1 || !mean || mean->rank != 1)
        return STATUS_OK;
    CHECK(result_read_all(structure, "time", &growth->times, &growth->count));
    CHECK(result_read_all(structure, "largest_cluster", &growth->largest, &lengths[0]));
    CHECK(result_read_all(structure, "mean_cluster", &growth->mean, &lengths[1]));
    return lengths[0] == growth->count && lengths[1] == growth->count
               ? STATUS_OK
               : FAIL(STATUS_DATA, "%s: variables over time differ in length", result_path(structure));
}

void gas_free_growth(struct gas_growth *growth)
{
    free(growth->times);
    free(growth->largest);
    free(growth->mean);
    *growth = (struct gas_growth){0};
}

// All the time: a liquid, of which sizes tell nothing.
static bool is_one_cluster(const struct gas_growth *growth, double particles)
{
    bool is_one = growth->count > 0;
    for (size_t k = 0; k < growth->count; k++)
        is_one = is_one && growth->mean[k] > 0.9 * particles;
    return is_one;
}

static size_t nearest(const double *times, size_t count, double time)
{
    size_t best = 0;
    for (size_t k = 1; k < count; k++)
        if (fabs(times[k] - time) < fabs(times[best] - time))
            best = k;
    return best;
}

double gas_largest_at(const struct gas_growth *growth, double time)
{
    return growth->count > 0 ? growth->largest[nearest(growth->times, growth->count, time)] : NAN;
}

// A start without any clusters is a lattice, no gas: the growth begins with the record after it.
static size_t growth_begin(const struct gas_growth *growth)
{
    return growth->count > GAS_STAGES && growth->largest[1] > least_growth * growth->largest[0] ? 1 : 0;
}

static size_t first_not_before(const double *times, size_t count, double time)
{
    size_t k = 0;
    while (k + 1 < count && times[k] < time)
        k++;
    return k;
}

size_t gas_choose_stages(const double *times, size_t frames, const struct gas_growth *growth,
                         size_t stages[GAS_STAGES])
{
    const size_t count = frames < GAS_STAGES ? frames : GAS_STAGES, last = count - 1;
    for (size_t k = 0; k < count; k++)
        stages[k] = count > 1 ? k * (frames - 1) / last : 0;
    if (count < GAS_STAGES || !times || growth->count < 2)
        return count;
    const size_t begin = growth_begin(growth);
    const double factor = growth->largest[growth->count - 1] / growth->largest[begin];
    if (!(factor >= least_growth))
        return count;
    size_t chosen[GAS_STAGES] = {first_not_before(times, frames, growth->times[begin]),
                                 [GAS_STAGES - 1] = frames - 1};
    for (size_t k = 1; k < last; k++) {
        const double wanted = growth->largest[begin] * pow(factor, (double)k / (double)last);
        size_t r = begin;
        while (r + 1 < growth->count && growth->largest[r] < wanted)
            r++;
        chosen[k] = nearest(times, frames, growth->times[r]);
        if (chosen[k] <= chosen[k - 1] || chosen[k] >= frames - last + k)
            return count; // too few frames where they grow: evenly spread
    }
    memcpy(stages, chosen, sizeof chosen);
    return count;
}

// ---- all of it

static enum status open_structure(const struct report *report, struct result_file **file)
{
    char path[REPORT_PATH_BYTES];
    if (snprintf(path, sizeof path, "%s/structure.nc", report->options.directory) >= (int)sizeof path ||
        access(path, F_OK) != 0)
        return STATUS_OK;
    return result_open(path, file);
}

static enum status draw_all(struct report *report, const struct report_particles *particles,
                            const struct result_file *structure, struct gas_growth *growth)
{
    struct gas_box box;
    const bool has_box = gas_read_box(report->run, &box);
    const double count =
        report_json_number(cJSON_GetObjectItemCaseSensitive(report->run, "particles"), "count");
    const size_t all = count > 0 ? (size_t)count : particles->count;
    CHECK(gas_read_growth(structure, growth));
    if (is_one_cluster(growth, (double)all))
        gas_free_growth(growth);
    if (particles->frames > 0 && !has_box)
        CHECK(gas_guess_box(particles, &box));
    if (particles->frames > 0)
        CHECK(report_draw_gas_stages(report, particles, &box, growth));
    CHECK(report_draw_gas_phase(report, &box));
    CHECK(report_draw_gas_series(report, all));
    return report_draw_gas_structure(report, structure, growth);
}

enum status report_draw_gas(struct report *report)
{
    struct report_particles particles = {0};
    struct result_file *structure = NULL;
    struct gas_growth growth = {0};
    bool is_there;
    enum status status = report_open_particles(report->options.directory, &particles, &is_there);
    if (status == STATUS_OK)
        status = open_structure(report, &structure);
    if (status == STATUS_OK)
        status = draw_all(report, &particles, structure, &growth);
    gas_free_growth(&growth);
    result_close(structure);
    report_close_particles(&particles);
    return status;
}
