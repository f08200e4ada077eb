// A file without a job (see the header).
#include "models/bioheat/input_check.h"

#include "io/formats/pressure_file.h"
#include "io/formats/volume.h"
#include "io/units.h"
#include "models/bioheat/body/ct.h"
#include "models/bioheat/body/domain.h"
#include "models/bioheat/body/label_tables.h"
#include "models/bioheat/initial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACE_BYTES = 96 };

// What is known of a volume's values so far.
struct look {
    struct volume *volume;
    const struct volume_info *info;
    double slope, offset; // of temperatures, to degC
    double low, high;
    size_t cells[BIOHEAT_LABELS];
    enum status (*value)(struct look *look, size_t z, size_t i, double value);
};

static const char *place(const struct volume_info *info, size_t z, size_t i, char text[PLACE_BYTES])
{
    const size_t nx = info->cells[VOLUME_X];
    snprintf(text, PLACE_BYTES, "cell (%zu, %zu, %zu) of z, y, x", z, i / nx, i % nx);
    return text;
}

// Calls `take` for each plane z, with memory for its `count` values and as many beside it.
static enum status each_plane(const char *path, const size_t cells[],
                              enum status (*take)(void *context, size_t z, double *plane, size_t count),
                              void *context)
{
    const size_t count = cells[VOLUME_Y] * cells[VOLUME_X];
    double *plane = malloc((2 * count + 1) * sizeof *plane);
    enum status status =
        plane ? STATUS_OK : FAIL(STATUS_SYSTEM, "%s: no memory for a plane of %zu values", path, count);
    for (size_t z = 0; z < cells[VOLUME_Z] && status == STATUS_OK; z++)
        status = take(context, z, plane, count);
    free(plane);
    return status;
}

static enum status take_plane(void *context, size_t z, double *plane, size_t count)
{
    struct look *look = context;
    CHECK(volume_read(look->volume, z, 1, plane, plane + count));
    for (size_t i = 0; i < count; i++)
        CHECK(look->value(look, z, i, plane[i]));
    return STATUS_OK;
}

static enum status look_through(struct volume *volume, struct look *look)
{
    look->volume = volume;
    look->info = volume_info(volume);
    look->low = INFINITY;
    look->high = -INFINITY;
    return each_plane(look->info->path, look->info->cells, take_plane, look);
}

// ---- labels

static enum status take_label(struct look *look, size_t z, size_t i, double value)
{
    char text[PLACE_BYTES];
    if (!(value >= 0 && value < BIOHEAT_LABELS && value == floor(value)))
        return FAIL(STATUS_DATA, "%s: %s: %g: expected a whole number from 0 to 255", look->info->path,
                    place(look->info, z, i, text), value);
    look->cells[(int)value]++;
    return STATUS_OK;
}

static enum status check_known(const struct look *look, const char *table)
{
    static char names[BIOHEAT_LABELS][BIOHEAT_NAME_BYTES];
    CHECK(bioheat_label_table_names(table, names));
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        if (look->cells[label] > 0 && !names[label][0])
            return FAIL(
                STATUS_DATA,
                "%s: label %d has no tissue in table %s: %zu cells; give it one in tissues.labels beside "
                "\"table\"",
                look->info->path, label, table, look->cells[label]);
    return STATUS_OK;
}

static enum status check_volume(struct volume *volume, struct look *look)
{
    CHECK(bioheat_check_places(volume_info(volume)));
    return look_through(volume, look);
}

enum status bioheat_input_labels(const struct bioheat_input *input)
{
    struct look look = {.value = take_label};
    struct volume *volume;
    CHECK(volume_open(input->path, input->variable, -1, &volume));
    enum status status = check_volume(volume, &look);
    if (status == STATUS_OK && input->table)
        status = check_known(&look, input->table);
    volume_close(volume);
    return status;
}

// ---- a CT

static enum status take_hu(struct look *look, size_t z, size_t i, double hu)
{
    char text[PLACE_BYTES];
    CHECK(bioheat_ct_check_value(look->info->path, place(look->info, z, i, text), hu));
    look->low = fmin(look->low, hu);
    look->high = fmax(look->high, hu);
    return STATUS_OK;
}

enum status bioheat_input_ct(const struct bioheat_input *input)
{
    struct look look = {.value = take_hu};
    struct volume *volume;
    CHECK(volume_open(input->path, input->variable, -1, &volume));
    enum status status = check_volume(volume, &look);
    if (status == STATUS_OK)
        status = bioheat_ct_check_range(volume_info(volume)->path, look.low, look.high);
    volume_close(volume);
    return status;
}

// ---- a start

// Void cells need no value.
static enum status take_temperature(struct look *look, size_t z, size_t i, double value)
{
    return isnan(value) ? STATUS_OK
                        : bioheat_initial_check_value(look->info, z, i, value * look->slope + look->offset);
}

enum status bioheat_input_temperature(const struct bioheat_input *input)
{
    struct look look = {.value = take_temperature};
    struct volume *volume;
    CHECK(volume_open(input->path, input->variable, 0, &volume));
    const char *units = input->units ? input->units : volume_info(volume)->units;
    enum status status = units_conversion(units, "degC", &look.slope, &look.offset);
    if (status == STATUS_OK)
        status = look_through(volume, &look);
    volume_close(volume);
    return status;
}

// ---- a pressure

struct pressure_look {
    struct pressure_file *file;
    double to_pa;
};

static enum status take_pressure(void *context, size_t z, double *plane, size_t count)
{
    const struct pressure_look *look = context;
    CHECK(pressure_file_read(look->file, z, plane, plane + count));
    return pressure_file_check(look->file, look->to_pa, z, plane);
}

static enum status look_at_pressure(struct pressure_file *file, double to_pa)
{
    const struct pressure_info *info = pressure_file_info(file);
    struct pressure_look look = {file, to_pa};
    return each_plane(info->path, info->cells, take_pressure, &look);
}

enum status bioheat_input_pressure(const struct bioheat_input *input)
{
    struct pressure_file *file;
    double to_pa, offset;
    CHECK(pressure_file_open(input->path, input->variable, &file));
    const char *units = input->units ? input->units : pressure_file_info(file)->units;
    enum status status = units_conversion(units, "Pa", &to_pa, &offset);
    if (status == STATUS_OK)
        status = look_at_pressure(file, to_pa);
    pressure_file_close(file);
    return status;
}
