// A field of waves at the edges as checked parameters (source_field.h). Opens the file, which stays open.
#include "io/time_units.h"
#include "models/tsunami/params_private.h"
#include "models/tsunami/source_field.h"

#include <math.h>
#include <stdio.h>

static const char file_key[] = "source.edges.field.file", start_key[] = "source.edges.field.start";

static enum status open_files(const struct job *job, struct tsunami_field_wave *field)
{
    CHECK_ABOUT(path_find(job_string(job, file_key), job_directory(job), field->path), "%s: %s",
                job_path(job), file_key);
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++)
        CHECK_ABOUT(propagation_open(field->path, (enum propagation_quantity)q, &field->files[q]), "%s: %s",
                    job_path(job), file_key);
    const struct propagation_info *eta = propagation_info(field->files[0]);
    for (int q = 1; q < PROPAGATION_QUANTITIES; q++) {
        const struct propagation_info *other = propagation_info(field->files[q]);
        if (other->records != eta->records || other->rows != eta->rows || other->columns != eta->columns)
            return job_fail(job, file_key, "%s: %s has other times or places than %s", field->path,
                            other->variable, eta->variable);
    }
    if (eta->records < 2)
        return job_fail(job, file_key, "%s has one record: expected waves over time", field->path);
    return STATUS_OK;
}

// Times with a date count from the job's origin, if it has one, else from their own date.
static enum status place_in_time(const struct job *job, const struct tsunami_params *p,
                                 struct tsunami_field_wave *field)
{
    const struct propagation_info *info = propagation_info(field->files[0]);
    field->start_s = job_quantity(job, start_key);
    if (info->date[0] && p->time_origin[0]) {
        char from[320], to[320];
        double slope, offset;
        snprintf(from, sizeof from, "seconds since %s", info->date);
        snprintf(to, sizeof to, "seconds since %s", p->time_origin);
        CHECK_ABOUT(time_units_conversion(from, "", to, "", &slope, &offset), "%s: %s: %s", job_path(job),
                    file_key, field->path);
        field->start_s += offset;
    }
    const double first_s = field->start_s + info->times_s[0],
                 last_s = field->start_s + info->times_s[info->records - 1];
    if (first_s >= p->duration_s)
        return job_fail(job, start_key,
                        "the source begins after the end of the run: %s begins at %g s, the run ends at %g s",
                        field->path, first_s, p->duration_s);
    if (last_s <= 0)
        return job_fail(job, start_key, "%s ends at %g s, before the run begins", field->path, last_s);
    return STATUS_OK;
}

static enum status place_in_space(const struct job *job, const struct tsunami_params *p,
                                  struct tsunami_field_wave *field)
{
    const struct propagation_info *info = propagation_info(field->files[0]);
    const struct grid_window *w = &p->window;
    const double *x = info->longitudes, *y = info->latitudes;
    const double middle = 0.5 * (w->x[0] + w->x[w->nx - 1]);
    field->turn_deg = 360 * nearbyint((0.5 * (x[0] + x[info->columns - 1]) - middle) / 360);
    const double own[TSUNAMI_SIDES] = {w->x[0] + field->turn_deg, w->x[w->nx - 1] + field->turn_deg, w->y[0],
                                       w->y[w->ny - 1]};
    const double ends[TSUNAMI_SIDES] = {x[0], x[info->columns - 1], y[0], y[info->rows - 1]};
    const double slack = 1e-6 * fmin(x[1] - x[0], y[1] - y[0]);
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const bool is_low = side == TSUNAMI_WEST || side == TSUNAMI_SOUTH;
        if ((is_low ? ends[side] - own[side] : own[side] - ends[side]) > slack)
            return job_fail(job, file_key,
                            "the domain reaches beyond the field: its edge in the %s is at %.8g degrees, the "
                            "last nodes of %s there at %.8g",
                            tsunami_side_names[side], own[side], field->path, ends[side]);
    }
    return STATUS_OK;
}

static enum status take_edges(const struct job *job, struct tsunami_params *p)
{
    bool has_edge = false;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        if (p->source->waves[side].series)
            return job_fail(
                job, file_key,
                "the field gives the waves at all open edges, and source.edges.%s a series at one "
                "of them: leave one out",
                tsunami_side_names[side]);
        if (p->edges[side] != TSUNAMI_EDGE_OPEN)
            continue;
        p->edges[side] = TSUNAMI_EDGE_GIVEN;
        has_edge = true;
    }
    return has_edge ? STATUS_OK
                    : job_fail(job, file_key, "domain.edges leaves no edge open: nothing could come in");
}

enum status tsunami_params_read_field(const struct job *job, struct tsunami_params *p)
{
    struct tsunami_field_wave *field = &p->source->field;
    if (!job_has(job, file_key))
        return STATUS_OK;
    if (!p->window.is_geographic)
        return job_fail(job, file_key, "is for grids in degrees, and this one is in metres");
    CHECK(open_files(job, field));
    CHECK(place_in_time(job, p, field));
    CHECK(place_in_space(job, p, field));
    return take_edges(job, p);
}

void tsunami_field_free(struct tsunami_field_wave *field)
{
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++)
        propagation_close(field->files[q]);
}
