// The box of a gas run by run.json, and as lines in a picture.
#include "report/gas/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const side_names[GAS_REPORT_SIDES] = {"left", "right", "bottom", "top"};

static void read_pair(const cJSON *list, double pair[GAS_REPORT_AXES])
{
    for (int axis = 0; axis < GAS_REPORT_AXES && cJSON_GetArraySize(list) == GAS_REPORT_AXES; axis++) {
        const cJSON *item = cJSON_GetArrayItem(list, axis);
        if (cJSON_IsNumber(item))
            pair[axis] = item->valuedouble;
    }
}

bool report_gas_read_box(const cJSON *run, struct gas_box *box)
{
    *box = (struct gas_box){.has_pair_force = strcmp(json_text(run, "potential"), "none") != 0};
    read_pair(json_member(run, "box"), box->size);
    read_pair(json_member(run, "gravity"), box->gravity);
    const double core = json_number(run, "core");
    box->core = core > 0 ? core : 0;
    for (int side = 0; side < GAS_REPORT_SIDES; side++)
        snprintf(box->walls[side], GAS_WALL_BYTES, "%s",
                 json_text(json_member(run, "walls"), side_names[side]));
    return box->size[0] > 0 && box->size[1] > 0;
}

enum status report_gas_estimate_box(const struct report_particles *particles, struct gas_box *box)
{
    enum { PIECE = 4096 };
    *box = (struct gas_box){.has_pair_force = true};
    double *positions = malloc(PIECE * PARTICLES_AXES * sizeof *positions);
    enum status status =
        positions ? STATUS_OK : FAIL(STATUS_SYSTEM, "report: not enough memory for particles");
    for (size_t k = 0; k < 2; k++)
        for (size_t first = 0; first < particles->count && status == STATUS_OK; first += PIECE) {
            const size_t length = first + PIECE < particles->count ? PIECE : particles->count - first;
            status = report_particles_read_positions(particles, k * (particles->frames - 1), first, length,
                                                     positions);
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

const char *report_gas_walls_text(const struct gas_box *box, char *text, size_t bytes)
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

bool report_gas_is_periodic(const struct gas_box *box, int axis)
{
    return is_periodic(box->walls[2 * axis]);
}

void report_gas_script_box(struct plot *plot, const struct gas_box *box)
{
    const double x = box->size[0], y = box->size[1];
    const double corners[GAS_REPORT_SIDES][4] = {{0, 0, 0, y}, {x, 0, x, y}, {0, 0, x, 0}, {0, y, x, y}};
    for (int side = 0; side < GAS_REPORT_SIDES; side++) {
        const double *c = corners[side];
        fprintf(plot->script, "set arrow %d from %.10g,%.10g to %.10g,%.10g nohead front %s\n", side + 1,
                c[0], c[1], c[2], c[3],
                is_periodic(box->walls[side]) ? "linewidth 1.2 dashtype (8,5) linecolor rgb '#555555'"
                                              : "linewidth 1.6 dashtype solid linecolor rgb '#1b1b1b'");
    }
}
