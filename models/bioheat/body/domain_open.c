// Which medium a job has, and the grid in the headers of its files. Reads no values but coordinates.
#include "models/bioheat/body/domain_private.h"

#include "io/units.h"
#include "models/bioheat/body/frame.h"
#include "models/bioheat/body/order.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- spacing

static enum status parse_spacing(const struct job *job, const char *key, const cJSON *item, double *spacing_m)
{
    // Beyond both ends of what files may have (bioheat_check_places).
    static const double least_m = 1e-6, most_m = 10;
    if (!cJSON_IsString(item))
        return job_fail(job, key,
                        "expected a length with its unit, like \"1 mm\", or one for each of x, y, z");
    CHECK_KEY(job, key, units_parse_quantity(item->valuestring, "m", spacing_m));
    if (!(*spacing_m > 0))
        return job_fail(job, key, "\"%s\": must be larger than 0", item->valuestring);
    if (!(*spacing_m >= least_m && *spacing_m <= most_m))
        return job_fail(job, key, "\"%s\": expected %g to %g m", item->valuestring, least_m, most_m);
    return STATUS_OK;
}

// "1 mm", or {"x": ..., "y": ..., "z": ...}; NaN where it is not given.
static enum status read_spacing(const struct job *job, const char *key, double spacing_m[BIOHEAT_AXES])
{
    const cJSON *item = job_json(job, key);
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        spacing_m[axis] = NAN;
    if (!item)
        return STATUS_OK;
    if (!cJSON_IsObject(item)) {
        CHECK(parse_spacing(job, key, item, &spacing_m[0]));
        spacing_m[1] = spacing_m[2] = spacing_m[0];
        return STATUS_OK;
    }
    for (const cJSON *member = item->child; member; member = member->next) {
        int axis = 0;
        while (axis < BIOHEAT_AXES && strcmp(bioheat_axis_names[axis], member->string) != 0)
            axis++;
        if (axis == BIOHEAT_AXES)
            return job_fail(job, key, "unknown key \"%s\": expected x, y or z", member->string);
        CHECK(parse_spacing(job, key, member, &spacing_m[axis]));
    }
    return STATUS_OK;
}

// ---- uniform

static enum status open_uniform(struct bioheat_domain *d)
{
    static const char *const cells[BIOHEAT_AXES] = {"domain.uniform.cells.z", "domain.uniform.cells.y",
                                                    "domain.uniform.cells.x"};
    struct bioheat_grid *grid = &d->body->grid;
    if (!job_has(d->job, "domain.uniform.cells"))
        return job_fail(d->job, "domain.uniform.cells", "is missing: {\"x\": ..., \"y\": ..., \"z\": ...}");
    CHECK(read_spacing(d->job, "domain.uniform.spacing", grid->spacing_m));
    char missing[16] = "";
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        grid->cells[axis] = (size_t)job_integer(d->job, cells[axis]);
        if (isnan(grid->spacing_m[axis]) && grid->cells[axis] == 1)
            grid->spacing_m[axis] = grid->spacing_m[BIOHEAT_X];
        const size_t used = strlen(missing);
        if (isnan(grid->spacing_m[axis]))
            snprintf(missing + used, sizeof missing - used, "%s%s", used > 0 ? ", " : "",
                     bioheat_axis_names[axis]);
    }
    if (missing[0])
        return job_fail(d->job, "domain.uniform.spacing", "expected a distance for %s, such as \"1 mm\"",
                        missing);
    if (job_has(d->job, "domain.spacing"))
        return job_fail(d->job, "domain.spacing",
                        "is for files; a uniform domain has domain.uniform.spacing");
    return STATUS_OK;
}

// ---- files

// The key of each variable, that of its unit, and the unit of the solvers.
static const struct {
    const char *key, *unit_key, *unit;
} inputs[INPUTS] = {
    [INPUT_LABELS] = {"domain.labels.variable", NULL, NULL},
    [INPUT_DENSITY] = {"domain.fields.density", "domain.fields.units.density", "kg m-3"},
    [INPUT_SPECIFIC_HEAT] = {"domain.fields.specific_heat", "domain.fields.units.specific_heat",
                             "J kg-1 K-1"},
    [INPUT_CONDUCTIVITY] = {"domain.fields.conductivity", "domain.fields.units.conductivity", "W m-1 K-1"},
    [INPUT_PERFUSION] = {"domain.fields.perfusion", "domain.fields.units.perfusion",
                         NULL}, // of several kinds
    [INPUT_VELOCITY] = {"domain.velocity.z", NULL, "m s-1"},
    [INPUT_VELOCITY + 1] = {"domain.velocity.y", NULL, "m s-1"},
    [INPUT_VELOCITY + 2] = {"domain.velocity.x", NULL, "m s-1"},
};

// Only the block `fields` has keys for units.
static enum status check_units(struct bioheat_domain *d, int kind)
{
    const struct volume_info *info = volume_info(d->inputs[kind].volume);
    const struct stated_units stated = {.path = info->path, .variable = info->variable, .units = info->units};
    return inputs[kind].unit_key ? job_units_check(&d->fields_override, inputs[kind].unit_key, &stated)
                                 : STATUS_OK;
}

static enum status read_units(struct bioheat_domain *d, int kind)
{
    struct domain_input *input = &d->inputs[kind];
    const struct volume_info *info = volume_info(input->volume);
    const char *own = inputs[kind].unit_key && job_has(d->job, inputs[kind].unit_key)
                          ? job_string(d->job, inputs[kind].unit_key)
                          : NULL;
    const char *units = own ? own : info->units;
    input->slope = 1;
    input->offset = 0;
    if (kind == INPUT_LABELS)
        return STATUS_OK;
    if (!units[0])
        return FAIL(STATUS_DATA, "%s: variable %s does not state its units%s%s", info->path, info->variable,
                    inputs[kind].unit_key ? "; give them by " : "",
                    inputs[kind].unit_key ? inputs[kind].unit_key : "");
    if (kind == INPUT_PERFUSION)
        CHECK_ABOUT(bioheat_perfusion_unit(units, &d->perfusion_kind, &input->slope), "%s: variable %s",
                    info->path, info->variable);
    else
        CHECK_ABOUT(units_conversion(units, inputs[kind].unit, &input->slope, &input->offset),
                    "%s: variable %s: units \"%s\"", info->path, info->variable, units);
    return STATUS_OK;
}

enum status domain_open_input(struct bioheat_domain *d, int kind)
{
    struct domain_input *input = &d->inputs[kind];
    if (input->volume || (d->has_ct && kind > INPUT_DENSITY && kind <= INPUT_PERFUSION))
        return STATUS_OK;
    CHECK_KEY(d->job, input->file_key, volume_open(input->path, input->variable, -1, &input->volume));
    return kind >= INPUT_VELOCITY
               ? bioheat_order_turn(d->job, "domain.velocity.axes", &d->body->grid, input->volume)
               : STATUS_OK;
}

void domain_close_inputs(struct bioheat_domain *d)
{
    for (int k = 0; k < INPUTS; k++) {
        volume_close(d->inputs[k].volume);
        d->inputs[k].volume = NULL;
    }
}

static enum status add_input(struct bioheat_domain *d, int kind, const char *file_key)
{
    struct domain_input *input = &d->inputs[kind];
    CHECK_KEY(d->job, file_key, path_find(job_string(d->job, file_key), job_directory(d->job), input->path));
    input->key = inputs[kind].key;
    input->file_key = file_key;
    input->variable = job_string(d->job, input->key);
    if (kind != INPUT_LABELS && nifti_is(input->path))
        return job_fail(d->job, file_key,
                        "%s is a NIfTI image, which holds one quantity; expected netCDF or HDF5 with one "
                        "variable for each",
                        input->path);
    CHECK(domain_open_input(d, kind));
    CHECK(check_units(d, kind));
    CHECK_KEY(d->job, input->key, read_units(d, kind));
    return STATUS_OK;
}

static enum status add_velocity(struct bioheat_domain *d)
{
    bool has_any = false;
    if (!job_has(d->job, "domain.velocity"))
        return STATUS_OK;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (job_has(d->job, inputs[INPUT_VELOCITY + axis].key)) {
            CHECK(add_input(d, INPUT_VELOCITY + axis, "domain.velocity.file"));
            d->media.velocity_m_s[axis] = (const void *const *)&d->velocity[axis];
            has_any = true;
        }
    return has_any ? STATUS_OK
                   : job_fail(d->job, "domain.velocity",
                              "needs at least one of x, y, z: the variables of its components");
}

// The grid, from the coordinates of the first file or the job's own spacing.
static enum status take_grid(struct bioheat_domain *d, const struct volume *volume)
{
    struct bioheat_grid *grid = &d->body->grid;
    const struct volume_info *info = volume_info(volume);
    double own_m[BIOHEAT_AXES];
    CHECK(read_spacing(d->job, "domain.spacing", own_m));
    for (int axis = BIOHEAT_AXES - 1; axis >= 0; axis--) {
        grid->cells[axis] = info->cells[axis];
        grid->origin_m[axis] = info->has_origin[axis] ? info->origin_m[axis] : 0;
        grid->spacing_m[axis] = info->has_spacing[axis] ? info->spacing_m[axis] : own_m[axis];
        if (info->has_spacing[axis] &&
            fabs(own_m[axis] - info->spacing_m[axis]) > 1e-3 * info->spacing_m[axis])
            return job_fail(d->job, "domain.spacing", "%g mm along %s, but %s has %g mm", own_m[axis] * 1e3,
                            bioheat_axis_names[axis], info->path, info->spacing_m[axis] * 1e3);
        if (isnan(grid->spacing_m[axis]) && grid->cells[axis] == 1)
            grid->spacing_m[axis] = grid->spacing_m[BIOHEAT_X]; // a plane: only volumes depend on it
        if (isnan(grid->spacing_m[axis]))
            return job_fail(d->job, "domain.spacing",
                            "is missing: %s has no coordinate along %s with a unit of length (mm, cm, m)",
                            info->path, bioheat_axis_names[axis]);
    }
    return STATUS_OK;
}

// Whatever the step would be that such cells need: the file, not the step, is wrong.
enum status bioheat_check_places(const struct volume_info *info)
{
    static const double least_m = 1e-5, most_m = 1, farthest_m = 1000;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const double spacing_m = info->spacing_m[axis],
                     origin_m = info->has_origin[axis] ? info->origin_m[axis] : 0;
        const char *name = bioheat_axis_names[axis];
        if (info->has_spacing[axis] && !(spacing_m >= least_m && spacing_m <= most_m))
            return FAIL(
                STATUS_DATA,
                "%s: its cells are %.3g mm long along %s, expected %g to %g mm: is its unit of length "
                "right?",
                info->path, 1e3 * spacing_m, name, 1e3 * least_m, 1e3 * most_m);
        if (!(fabs(origin_m) <= farthest_m))
            return FAIL(STATUS_DATA,
                        "%s: its first cell lies at %.3g m of %s, expected no more than %g m: is its offset "
                        "right?",
                        info->path, origin_m, name, farthest_m);
    }
    return STATUS_OK;
}

// The order of the cells in the labels' file, or in the image from which that was made.
static void take_order(const struct volume *volume, const struct bioheat_domain *d,
                       struct bioheat_order *order)
{
    struct volume_turn turn;
    volume_order(volume, &turn);
    order->is_default = true;
    order->is_reordered = false;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        order->from[axis] = turn.from[axis];
        order->is_reversed[axis] = turn.is_reversed[axis];
        order->is_reordered |= turn.from[axis] != axis || turn.is_reversed[axis];
    }
    if (order->is_reordered || !d->has_place || volume_is_image(volume))
        return;
    static const int axes[3] = {BIOHEAT_X, BIOHEAT_Y, BIOHEAT_Z};
    order->is_default = false;
    for (int x = 0; x < 3; x++) {
        order->from[axes[x]] = axes[(int)d->place.axes[x]];
        order->is_reversed[axes[x]] = d->place.step[x] < 0;
        order->is_reordered |= (int)d->place.axes[x] != x || d->place.step[x] < 0;
    }
}

// The image of which the grid is a part, or the whole.
static enum status take_place(struct bioheat_domain *d, const struct volume *volume)
{
    struct bioheat_frame *frame = &d->body->grid.frame;
    const bool is_along = strcmp(job_string(d->job, "domain.frame"), "slices") == 0;
    d->has_place = volume_place(volume, &d->place);
    take_order(volume, d, &frame->order);
    if (!d->has_place)
        return is_along ? job_fail(d->job, "domain.frame", "\"slices\" is for a domain from an image")
                        : STATUS_OK;
    CHECK(nifti_place_check(&d->place, volume_info(volume)->path));
    bioheat_frame_set(&d->place, frame);
    frame->is_given_along_slices = is_along;
    nifti_place_warn(&d->place, volume_info(volume)->path);
    return STATUS_OK;
}

static enum status open_fields(struct bioheat_domain *d)
{
    d->has_ct = job_has(d->job, "domain.ct");
    if (d->has_ct)
        CHECK(domain_open_ct(d));
    for (int kind = INPUT_DENSITY; kind <= INPUT_PERFUSION && !d->has_ct; kind++)
        if (kind != INPUT_PERFUSION ||
            (job_has(d->job, inputs[kind].key) && job_boolean(d->job, "physics.perfusion")))
            CHECK(add_input(d, kind, "domain.fields.file"));
    job_units_end(&d->fields_override, d->inputs[INPUT_DENSITY].path);
    d->media.conductivity = (const void *const *)&d->conductivity;
    d->media.heat_capacity = (const void *const *)&d->heat_capacity;
    if (domain_has(d, INPUT_PERFUSION))
        d->media.perfusion = (const void *const *)&d->perfusion;
    return STATUS_OK;
}

static enum status check_shapes(struct bioheat_domain *d, int first)
{
    for (int k = 0; k < INPUTS; k++)
        if (domain_has(d, k) && d->inputs[k].volume && k != first)
            CHECK_KEY(d->job, d->inputs[k].key,
                      volume_check_alike(d->inputs[k].volume, d->inputs[first].volume));
    return STATUS_OK;
}

// A uniform grid has no file to compare the velocity's with, and its origin is arbitrary.
static enum status check_velocity_cells(struct bioheat_domain *d)
{
    const struct bioheat_grid *grid = &d->body->grid;
    for (int k = INPUT_VELOCITY; k < INPUTS; k++)
        if (domain_has(d, k))
            CHECK_KEY(
                d->job, d->inputs[k].key,
                volume_check_grid(d->inputs[k].volume, "the domain", grid->cells, grid->spacing_m, NULL));
    return STATUS_OK;
}

static enum status check_size(struct bioheat_domain *d)
{
    static const double most_cells = 1e11;
    const size_t *cells = d->body->grid.cells;
    const double count = (double)cells[0] * (double)cells[1] * (double)cells[2];
    if (count > most_cells)
        return job_fail(d->job, "domain",
                        "%zu x %zu x %zu cells (z, y, x) are %.3g; at most %g can be computed", cells[0],
                        cells[1], cells[2], count, most_cells);
    return STATUS_OK;
}

static enum status open_domain(struct bioheat_domain *d)
{
    static const char *const kinds[] = {"domain.uniform", "domain.labels", "domain.fields", "domain.ct"};
    int count = 0;
    for (int k = 0; k < 4; k++)
        if (job_has(d->job, kinds[k])) {
            d->kind = k < DOMAIN_FIELDS ? (enum domain_kind)k : DOMAIN_FIELDS;
            count++;
        }
    if (count != 1)
        return job_fail(d->job, "domain", "needs exactly one of uniform, labels, fields, ct; it has %d",
                        count);
    d->media.has_labels = d->kind != DOMAIN_FIELDS;
    if (d->media.has_labels)
        d->media.labels = (const uint8_t *const *)&d->labels;
    if (d->kind == DOMAIN_LABELS)
        CHECK(add_input(d, INPUT_LABELS, "domain.labels.file"));
    else
        CHECK(d->kind == DOMAIN_UNIFORM ? open_uniform(d) : open_fields(d));
    const int first = d->kind == DOMAIN_LABELS ? INPUT_LABELS : INPUT_DENSITY;
    if (d->kind != DOMAIN_UNIFORM) {
        CHECK(take_grid(d, d->inputs[first].volume));
        CHECK_KEY(d->job, d->inputs[first].file_key,
                  bioheat_check_places(volume_info(d->inputs[first].volume)));
        CHECK(take_place(d, d->inputs[first].volume));
    }
    CHECK(add_velocity(d));
    CHECK(d->kind != DOMAIN_UNIFORM ? check_shapes(d, first) : check_velocity_cells(d));
    return check_size(d);
}

enum status bioheat_domain_open(const struct job *job, struct bioheat_body *body,
                                struct bioheat_domain **domain)
{
    struct bioheat_domain *d = *domain = calloc(1, sizeof *d);
    if (!d)
        return FAIL(STATUS_SYSTEM, "no memory for the medium");
    d->job = job;
    d->body = body;
    d->fields_override = (struct units_override){.job = job, .key = "domain.fields.override"};
    return open_domain(d);
}
