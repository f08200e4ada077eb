// The block `output` of a heat job: fields, their crop, and sensors.
#include "models/bioheat/params.h"

#include "io/json_file.h"
#include "io/units.h"
#include "models/bioheat/body/frame.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SENSORS_FILE_BYTES_MAX = 4 << 20 };

const char *const bioheat_field_names[BIOHEAT_FIELD_COUNT] = {"temperature", "dose", "maximum"};

// ---- crop

static const char *const crop_keys[BIOHEAT_AXES] = {"output.fields.z", "output.fields.y", "output.fields.x"};

// Limits (m) along the slices. Between tilted slices a part is as long as its limits say, about the middle
// that they have in scanner coordinates.
static enum status find_limits(const struct job *job, const struct bioheat_grid *grid,
                               double limits_m[BIOHEAT_AXES][2])
{
    double middle_m[BIOHEAT_AXES], along_m[BIOHEAT_AXES];
    int given = 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const char *key = crop_keys[axis];
        limits_m[axis][0] = limits_m[axis][1] = middle_m[axis] = NAN;
        if (!job_has(job, key))
            continue;
        if (job_list_length(job, key) != 2)
            return job_fail(job, key, "needs two values, lower and upper limit");
        limits_m[axis][0] = job_list_quantity(job, key, 0);
        limits_m[axis][1] = job_list_quantity(job, key, 1);
        middle_m[axis] = 0.5 * (limits_m[axis][0] + limits_m[axis][1]);
        given++;
    }
    if (given == 0 || !grid->frame.is_tilted || grid->frame.is_given_along_slices)
        return STATUS_OK;
    if (given < BIOHEAT_AXES)
        return job_fail(job, "output.fields",
                        "needs all of x, y, z, or none: the slices are tilted, and the part lies about the "
                        "middle of the three in scanner coordinates; domain.frame: \"slices\" takes them "
                        "along the slices");
    bioheat_slices_of(grid, middle_m, along_m);
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        for (int side = 0; side < 2; side++)
            limits_m[axis][side] += along_m[axis] - middle_m[axis];
    return STATUS_OK;
}

// Cells whose middles lie within the limits (to a millionth of a spacing).
static enum status crop_axis(const struct job *job, const char *key, const struct bioheat_grid *grid,
                             int axis, const double limits_m[2], struct bioheat_crop *crop)
{
    size_t first = 0, last = grid->cells[axis] - 1;
    if (job_has(job, key)) {
        const double spacing = grid->spacing_m[axis], origin = grid->origin_m[axis];
        const double low = ceil((limits_m[0] - origin) / spacing - 1e-6);
        const double high = floor((limits_m[1] - origin) / spacing + 1e-6);
        if (!(fmax(low, 0) <= fmin(high, (double)last)))
            return job_fail(job, key, "no cell lies between %s and %s: they are from %g to %g mm",
                            job_list_string(job, key, 0), job_list_string(job, key, 1), 1e3 * origin,
                            1e3 * (origin + (double)last * spacing));
        first = (size_t)fmax(low, 0);
        last = (size_t)fmin(high, (double)last);
    }
    crop->stride[axis] = grid->cells[axis] == 1 ? 1 : (size_t)job_integer(job, "output.fields.stride");
    crop->first[axis] = first;
    crop->count[axis] = (last - first) / crop->stride[axis] + 1;
    return STATUS_OK;
}

static const char resolution_key[] = "output.fields.resolution.temperature";

static enum status read_fields(const struct job *job, struct bioheat_params *p)
{
    static const char *const followers[] = {"output.fields.variables", "output.fields.stride",
                                            "output.fields.z",         "output.fields.y",
                                            "output.fields.x",         resolution_key};
    p->fields_every_s = job_has(job, "output.fields.every") ? job_quantity(job, "output.fields.every") : 0;
    for (size_t k = 0; k < sizeof followers / sizeof *followers; k++)
        if (p->fields_every_s == 0 && job_has(job, followers[k]))
            return job_fail(job, followers[k], "has no effect without output.fields.every");
    for (size_t k = 0; k < job_list_length(job, "output.fields.variables"); k++)
        for (int f = 0; f < BIOHEAT_FIELD_COUNT; f++)
            p->fields[f] |=
                strcmp(job_list_string(job, "output.fields.variables", k), bioheat_field_names[f]) == 0;
    if (p->fields[BIOHEAT_DOSE_FIELD] && p->physics.dose == BIOHEAT_DOSE_OFF)
        return job_fail(job, "output.fields.variables", "dose needs dose.definition, such as cem43");
    p->temperature_resolution_k = job_has(job, resolution_key) ? job_quantity(job, resolution_key) : 0;
    if (p->temperature_resolution_k > 0 && !p->fields[BIOHEAT_TEMPERATURE] &&
        !p->fields[BIOHEAT_MAXIMUM_FIELD])
        return job_fail(job, resolution_key,
                        "has no effect without temperature or maximum among output.fields.variables");
    double limits_m[BIOHEAT_AXES][2];
    CHECK(find_limits(job, &p->body.grid, limits_m));
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        CHECK(crop_axis(job, crop_keys[axis], &p->body.grid, axis, limits_m[axis], &p->crop));
    return STATUS_OK;
}

// ---- sensors. `about` begins messages: "FILE" or "FILE: output.sensors.list".

// A plane needs no position along its only cell, unless it is tilted.
static enum status read_positions(const cJSON *item, const char *about, const struct bioheat_params *p,
                                  const struct bioheat_sensor *sensor, double given_m[BIOHEAT_AXES])
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const char *key = bioheat_axis_names[axis];
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(item, key);
        given_m[axis] = p->body.grid.origin_m[axis];
        if (!value && p->body.grid.cells[axis] == 1 &&
            (!p->body.grid.frame.is_tilted || p->body.grid.frame.is_given_along_slices))
            continue;
        if (!cJSON_IsString(value))
            return FAIL(STATUS_CONFIGURATION,
                        "%s: sensor \"%s\": %s must be a text with a unit, like \"12 mm\"", about,
                        sensor->name, key);
        CHECK_ABOUT(units_parse_quantity(value->valuestring, "m", &given_m[axis]), "%s: sensor \"%s\": %s",
                    about, sensor->name, key);
    }
    return STATUS_OK;
}

static enum status refuse_sensor(const cJSON *item, const char *about, const struct bioheat_params *p,
                                 const struct bioheat_sensor *sensor, int axis,
                                 const double given_m[BIOHEAT_AXES])
{
    const struct bioheat_grid *grid = &p->body.grid;
    const double origin = grid->origin_m[axis];
    const double last = origin + (double)(grid->cells[axis] - 1) * grid->spacing_m[axis];
    if (grid->frame.is_tilted && !grid->frame.is_given_along_slices)
        return FAIL(STATUS_CONFIGURATION,
                    "%s: sensor \"%s\": (%g, %g, %g) mm%s lies outside the domain, whose slices are tilted",
                    about, sensor->name, 1e3 * given_m[BIOHEAT_X], 1e3 * given_m[BIOHEAT_Y],
                    1e3 * given_m[BIOHEAT_Z], bioheat_frame_name(grid));
    const char *key = bioheat_axis_names[axis];
    return FAIL(STATUS_CONFIGURATION, "%s: sensor \"%s\": %s = %s lies outside the domain, %g to %g mm",
                about, sensor->name, key, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, key)),
                1e3 * origin, 1e3 * last);
}

static enum status place_sensor(const cJSON *item, const char *about, const struct bioheat_params *p,
                                const double given_m[BIOHEAT_AXES], struct bioheat_sensor *sensor)
{
    const struct bioheat_grid *grid = &p->body.grid;
    double along_m[BIOHEAT_AXES];
    bioheat_slices_of_given(grid, given_m, along_m);
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const double origin = grid->origin_m[axis], spacing = grid->spacing_m[axis], at = along_m[axis];
        const double last = origin + (double)(grid->cells[axis] - 1) * spacing;
        if (!(at >= origin - 0.5 * spacing * (1 + 1e-9) && at <= last + 0.5 * spacing * (1 + 1e-9)))
            return refuse_sensor(item, about, p, sensor, axis, given_m);
        const double index =
            fmin(fmax(nearbyint((at - origin) / spacing), 0), (double)(grid->cells[axis] - 1));
        sensor->cell[axis] = (size_t)index;
        sensor->along_m[axis] = p->sensors_interpolate ? at : origin + index * spacing;
    }
    bioheat_scanner_of(grid, sensor->along_m, sensor->position_m);
    return STATUS_OK;
}

static enum status read_sensor(const cJSON *item, const char *about, struct bioheat_params *p)
{
    static const char *const known[] = {"name", "x", "y", "z", "comment"};
    struct bioheat_sensor *sensor = &p->sensors[p->sensor_count];
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "name");
    if (!cJSON_IsObject(item) || !cJSON_IsString(name) || !name->valuestring[0] ||
        strlen(name->valuestring) >= BIOHEAT_NAME_BYTES)
        return FAIL(STATUS_CONFIGURATION,
                    "%s: sensor number %zu: expected {\"name\": ..., \"x\": \"10 mm\", \"y\": ..., \"z\": "
                    "...}, the name of 1 to %d characters",
                    about, p->sensor_count + 1, BIOHEAT_NAME_BYTES - 1);
    snprintf(sensor->name, sizeof sensor->name, "%s", name->valuestring);
    const char *unknown = json_unknown_key(item, known, sizeof known / sizeof *known);
    if (unknown)
        return FAIL(STATUS_CONFIGURATION, "%s: sensor \"%s\": unknown key \"%.40s\": expected name, x, y, z",
                    about, sensor->name, unknown);
    for (size_t k = 0; k < p->sensor_count; k++)
        if (strcmp(p->sensors[k].name, sensor->name) == 0)
            return FAIL(STATUS_CONFIGURATION, "%s: sensor \"%s\" is given twice", about, sensor->name);
    double given_m[BIOHEAT_AXES];
    CHECK(read_positions(item, about, p, sensor, given_m));
    CHECK(place_sensor(item, about, p, given_m, sensor));
    p->sensor_count++;
    return STATUS_OK;
}

static enum status read_list(const cJSON *list, const char *about, struct bioheat_params *p)
{
    const int count = cJSON_GetArraySize(list);
    if (!cJSON_IsArray(list) || count < 1 || count > BIOHEAT_SENSORS_MAX)
        return FAIL(STATUS_CONFIGURATION, "%s: expected a list of 1 to %d sensors", about,
                    BIOHEAT_SENSORS_MAX);
    p->sensors = calloc((size_t)count, sizeof *p->sensors);
    if (!p->sensors)
        return FAIL(STATUS_SYSTEM, "no memory for %d sensors", count);
    for (const cJSON *item = list->child; item; item = item->next)
        CHECK(read_sensor(item, about, p));
    return STATUS_OK;
}

static enum status read_sensors(const struct job *job, struct bioheat_params *p)
{
    char about[PATH_BYTES + 64];
    p->sensors_every_s = job_quantity(job, "output.sensors.every");
    p->sensors_interpolate = strcmp(job_string(job, "output.sensors.interpolation"), "trilinear") == 0;
    if (job_has(job, "output.sensors.list") == job_has(job, "output.sensors.file"))
        return job_fail(job, "output.sensors", "needs one of list and file");
    if (job_has(job, "output.sensors.list")) {
        snprintf(about, sizeof about, "%s: output.sensors.list", job_path(job));
        return read_list(job_json(job, "output.sensors.list"), about, p);
    }
    cJSON *document = NULL;
    CHECK_KEY(job, "output.sensors.file",
              path_find(job_string(job, "output.sensors.file"), job_directory(job), p->sensors_path));
    CHECK(json_file_read(p->sensors_path, SENSORS_FILE_BYTES_MAX, &document));
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(document, "fathom_sensors");
    const enum status status =
        cJSON_IsNumber(version) && version->valuedouble == 1
            ? read_list(cJSON_GetObjectItemCaseSensitive(document, "sensors"), p->sensors_path, p)
            : FAIL(STATUS_DATA, "%s: not a list of sensors: \"fathom_sensors\": 1 is missing",
                   p->sensors_path);
    cJSON_Delete(document);
    return status;
}

static void read_transducer(const struct job *job, struct bioheat_params *p)
{
    static const char *const keys[BIOHEAT_AXES] = {"output.transducer.z", "output.transducer.y",
                                                   "output.transducer.x"};
    double given_m[BIOHEAT_AXES], along_m[BIOHEAT_AXES];
    p->has_transducer = job_has(job, "output.transducer");
    if (!p->has_transducer)
        return;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        given_m[axis] = job_quantity(job, keys[axis]);
    bioheat_slices_of_given(&p->body.grid, given_m, along_m);
    bioheat_scanner_of(&p->body.grid, along_m, p->transducer_m);
}

// A tissue warmer than the level passes if its dose is within the limit, so the verdict needs the dose.
static enum status read_safety(const struct job *job, struct bioheat_params *p)
{
    if (!job_has(job, "check.itrusst"))
        return STATUS_OK;
    p->safety = job_boolean(job, "check.itrusst") ? BIOHEAT_SAFETY_CHECKED : BIOHEAT_SAFETY_IGNORED;
    if (p->safety == BIOHEAT_SAFETY_CHECKED && p->physics.dose == BIOHEAT_DOSE_OFF)
        return job_fail(
            job, "check.itrusst",
            "needs the thermal dose, but dose.definition is off: leave it out, or set it to cem43");
    return STATUS_OK;
}

// Images are made of the netCDF files, which the run must write, and whole.
static enum status read_images(const struct job *job, struct bioheat_params *p)
{
    static const char key[] = "output.nifti";
    for (size_t k = 0; k < job_list_length(job, key); k++)
        for (int image = 0; image < BIOHEAT_IMAGES; image++)
            p->images[image] |= strcmp(job_list_string(job, key, k), bioheat_image_names[image]) == 0;
    const bool needs_maxima =
        p->images[BIOHEAT_IMAGE_LARGEST] || p->images[BIOHEAT_IMAGE_DOSE] || p->images[BIOHEAT_IMAGE_LABELS];
    if (needs_maxima && !p->has_maxima)
        return job_fail(job, key, "largest_temperature, dose and labels need output.maxima: true");
    if (p->images[BIOHEAT_IMAGE_DOSE] && p->physics.dose == BIOHEAT_DOSE_OFF)
        return job_fail(job, key, "dose needs dose.definition");
    if (p->images[BIOHEAT_IMAGE_LABELS] && (job_has(job, "domain.fields") || job_has(job, "domain.ct")))
        return job_fail(job, key, "labels needs domain.labels");
    if (p->images[BIOHEAT_IMAGE_TEMPERATURE] && !(p->fields_every_s > 0 && p->fields[BIOHEAT_TEMPERATURE]))
        return job_fail(job, key,
                        "temperature needs output.fields.every, with temperature among its variables");
    if (p->images[BIOHEAT_IMAGE_TEMPERATURE] && !job_boolean(job, "output.join"))
        return job_fail(job, key, "temperature needs one file of the fields: output.join: true");
    return STATUS_OK;
}

// ---- tables

static bool wants(const struct job *job, const char *key, bool if_left_out)
{
    return job_has(job, key) ? job_boolean(job, key) : if_left_out;
}

// The cell nearest to the target, and how far its middle lies from it.
static enum status find_target(const struct job *job, const char *const keys[BIOHEAT_AXES],
                               const double along_m[BIOHEAT_AXES], const struct bioheat_params *p,
                               double *distance_m)
{
    const struct bioheat_grid *grid = &p->body.grid;
    size_t cell[BIOHEAT_AXES];
    double at_m[BIOHEAT_AXES], square_m2 = 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const double spacing_m = grid->spacing_m[axis], last_m = (double)(grid->cells[axis] - 1) * spacing_m;
        const double index = nearbyint((along_m[axis] - grid->origin_m[axis]) / spacing_m);
        if (!(index >= 0 && index <= (double)(grid->cells[axis] - 1)))
            return grid->frame.is_tilted
                       ? job_fail(job, "output.target", "(%g, %g, %g) mm%s lies outside the domain",
                                  1e3 * p->target_m[BIOHEAT_X], 1e3 * p->target_m[BIOHEAT_Y],
                                  1e3 * p->target_m[BIOHEAT_Z], bioheat_frame_name(grid))
                       : job_fail(job, keys[axis], "%s lies outside the domain, %g to %g mm",
                                  job_string(job, keys[axis]), 1e3 * grid->origin_m[axis],
                                  1e3 * (grid->origin_m[axis] + last_m));
        cell[axis] = (size_t)index;
    }
    bioheat_cell_scanner_m(grid, cell, at_m);
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        square_m2 += (at_m[axis] - p->target_m[axis]) * (at_m[axis] - p->target_m[axis]);
    *distance_m = sqrt(square_m2);
    return STATUS_OK;
}

static enum status read_target(const struct job *job, struct bioheat_params *p)
{
    static const char *const keys[BIOHEAT_AXES] = {"output.target.z", "output.target.y", "output.target.x"};
    double given_m[BIOHEAT_AXES], along_m[BIOHEAT_AXES], distance_m = 0;
    p->has_target = job_has(job, "output.target");
    if (!p->has_target)
        return STATUS_OK;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        given_m[axis] = job_quantity(job, keys[axis]);
    bioheat_slices_of_given(&p->body.grid, given_m, along_m);
    bioheat_scanner_of(&p->body.grid, along_m, p->target_m);
    p->target_radius_m = job_quantity(job, "output.target.radius");
    CHECK(find_target(job, keys, along_m, p, &distance_m));
    if (distance_m > p->target_radius_m)
        return job_fail(job, "output.target.radius",
                        "%s: no cell's middle lies so near to the target, the nearest is %.3g mm away",
                        job_string(job, "output.target.radius"), 1e3 * distance_m);
    return STATUS_OK;
}

static enum status read_tables(const struct job *job, struct bioheat_params *p)
{
    for (size_t k = 0; k < job_list_length(job, "output.products"); k++)
        p->has_csv |= strcmp(job_list_string(job, "output.products", k), "csv") == 0;
    p->has_exposures = wants(job, "output.exposures", p->has_csv);
    p->has_histograms = wants(job, "output.histograms", p->has_csv);
    return read_target(job, p);
}

enum status bioheat_params_read_outputs(const struct job *job, struct bioheat_params *p)
{
    p->output_element =
        strcmp(job_string(job, "output.precision"), "double") == 0 ? ELEMENT_F64 : ELEMENT_F32;
    CHECK(read_fields(job, p));
    p->diagnostics_every_s = job_has(job, "output.diagnostics.every")
                                 ? job_quantity(job, "output.diagnostics.every")
                             : p->fields_every_s > 0 ? p->fields_every_s
                                                     : p->duration_s / 100;
    p->has_maxima = job_boolean(job, "output.maxima");
    p->has_state = job_boolean(job, "output.state");
    CHECK(read_images(job, p));
    read_transducer(job, p);
    CHECK(read_safety(job, p));
    CHECK(read_tables(job, p));
    // A check judges the largest temperatures, whether or not they are written.
    p->physics.has_maximum = p->has_maxima || p->fields[BIOHEAT_MAXIMUM_FIELD] ||
                             p->safety == BIOHEAT_SAFETY_CHECKED || p->has_exposures || p->has_histograms ||
                             p->has_target;
    return job_has(job, "output.sensors") ? read_sensors(job, p) : STATUS_OK;
}
