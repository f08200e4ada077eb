// The block `output` of a heat job: fields, their crop, and sensors.
#include "models/bioheat/params.h"

#include "io/json_file.h"
#include "io/units.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SENSORS_FILE_BYTES_MAX = 4 << 20 };

const char *const bioheat_field_names[BIOHEAT_FIELD_COUNT] = {"temperature", "dose", "maximum"};

// ---- crop

// Cells whose middles lie within the limits (to a millionth of a spacing).
static enum status crop_axis(const struct job *job, const char *key, const struct bioheat_grid *grid,
                             int axis, struct bioheat_crop *crop)
{
    size_t first = 0, last = grid->cells[axis] - 1;
    if (job_has(job, key)) {
        if (job_list_length(job, key) != 2)
            return job_fail(job, key, "needs two values, lower and upper limit");
        const double spacing = grid->spacing_m[axis], origin = grid->origin_m[axis];
        const double low = ceil((job_list_quantity(job, key, 0) - origin) / spacing - 1e-6);
        const double high = floor((job_list_quantity(job, key, 1) - origin) / spacing + 1e-6);
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

static enum status read_fields(const struct job *job, struct bioheat_params *p)
{
    static const char *const crops[BIOHEAT_AXES] = {"output.fields.z", "output.fields.y", "output.fields.x"};
    static const char *const followers[] = {"output.fields.variables", "output.fields.stride",
                                            "output.fields.z", "output.fields.y", "output.fields.x"};
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
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        CHECK(crop_axis(job, crops[axis], &p->grid, axis, &p->crop));
    return STATUS_OK;
}

// ---- sensors. `about` begins messages: "FILE" or "FILE: output.sensors.list".

static enum status read_position(const cJSON *item, int axis, const char *about,
                                 const struct bioheat_params *p, struct bioheat_sensor *sensor)
{
    const struct bioheat_grid *grid = &p->grid;
    const double origin = grid->origin_m[axis], spacing = grid->spacing_m[axis];
    const double last = origin + (double)(grid->cells[axis] - 1) * spacing;
    double position = origin;
    const char *key = bioheat_axis_names[axis];
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(item, key);
    if (!value && grid->cells[axis] == 1) {
        sensor->cell[axis] = 0;
        sensor->position_m[axis] = origin;
        return STATUS_OK;
    }
    if (!cJSON_IsString(value))
        return FAIL(STATUS_CONFIGURATION, "%s: sensor \"%s\": %s must be a text with a unit, like \"12 mm\"",
                    about, sensor->name, key);
    CHECK_ABOUT(units_parse_quantity(value->valuestring, "m", &position), "%s: sensor \"%s\": %s", about,
                sensor->name, key);
    if (!(position >= origin - 0.5 * spacing * (1 + 1e-9) && position <= last + 0.5 * spacing * (1 + 1e-9)))
        return FAIL(STATUS_CONFIGURATION, "%s: sensor \"%s\": %s = %s lies outside the domain, %g to %g mm",
                    about, sensor->name, key, value->valuestring, 1e3 * origin, 1e3 * last);
    const double index =
        fmin(fmax(nearbyint((position - origin) / spacing), 0), (double)(grid->cells[axis] - 1));
    sensor->cell[axis] = (size_t)index;
    sensor->position_m[axis] = p->sensors_interpolate ? position : origin + index * spacing;
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
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        CHECK(read_position(item, axis, about, p, sensor));
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
    p->has_transducer = job_has(job, "output.transducer");
    for (int axis = 0; axis < BIOHEAT_AXES && p->has_transducer; axis++)
        p->transducer_m[axis] = job_quantity(job, keys[axis]);
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

static enum status read_target(const struct job *job, struct bioheat_params *p)
{
    static const char *const keys[BIOHEAT_AXES] = {"output.target.z", "output.target.y", "output.target.x"};
    double square_m2 = 0;
    p->has_target = job_has(job, "output.target");
    for (int axis = 0; axis < BIOHEAT_AXES && p->has_target; axis++) {
        const struct bioheat_grid *grid = &p->grid;
        const double spacing_m = grid->spacing_m[axis], last_m = (double)(grid->cells[axis] - 1) * spacing_m;
        p->target_m[axis] = job_quantity(job, keys[axis]);
        const double index = nearbyint((p->target_m[axis] - grid->origin_m[axis]) / spacing_m);
        if (!(index >= 0 && index <= (double)(grid->cells[axis] - 1)))
            return job_fail(job, keys[axis], "%s lies outside the domain, %g to %g mm",
                            job_string(job, keys[axis]), 1e3 * grid->origin_m[axis],
                            1e3 * (grid->origin_m[axis] + last_m));
        const double by_m = grid->origin_m[axis] + index * spacing_m - p->target_m[axis];
        square_m2 += by_m * by_m;
    }
    p->target_radius_m = p->has_target ? job_quantity(job, "output.target.radius") : 0;
    if (p->has_target && square_m2 > p->target_radius_m * p->target_radius_m)
        return job_fail(job, "output.target.radius",
                        "%s: no cell's middle lies so near to the target, the nearest is %.3g mm away",
                        job_string(job, "output.target.radius"), 1e3 * sqrt(square_m2));
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
