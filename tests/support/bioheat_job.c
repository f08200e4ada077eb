// Jobs of heat in tissue for tests (see the header).
#include "tests/support/bioheat_job.h"
#include "tests/support/netcdf_maker.h"

int bioheat_job_label(size_t z, size_t y, size_t x)
{
    if (z < 4 && y < 5 && x < 6)
        return 0;
    return z < 3 ? 1 : z < 6 ? 2 : 3;
}

static void define_axes(int file, int dimensions[3])
{
    static const char *const names[] = {"z", "y", "x"};
    static const size_t lengths[] = {BIOHEAT_JOB_Z, BIOHEAT_JOB_Y, BIOHEAT_JOB_X};
    for (int axis = 0; axis < 3; axis++) {
        int variable;
        double positions[BIOHEAT_JOB_X];
        NC(nc_def_dim(file, names[axis], lengths[axis], &dimensions[axis]));
        NC(nc_def_var(file, names[axis], NC_DOUBLE, 1, &dimensions[axis], &variable));
        NC(nc_put_att_text(file, variable, "units", 2, "mm"));
        for (size_t k = 0; k < lengths[axis]; k++)
            positions[k] = (double)k;
        NC(nc_put_var_double(file, variable, positions));
    }
}

static void write_labels(void)
{
    int file, variable, dimensions[3];
    static unsigned char labels[BIOHEAT_JOB_Z * BIOHEAT_JOB_Y * BIOHEAT_JOB_X];
    size_t k = 0;
    for (size_t z = 0; z < BIOHEAT_JOB_Z; z++)
        for (size_t y = 0; y < BIOHEAT_JOB_Y; y++)
            for (size_t x = 0; x < BIOHEAT_JOB_X; x++)
                labels[k++] = (unsigned char)bioheat_job_label(z, y, x);
    NC(nc_create(cli_path("head.nc"), NC_NETCDF4 | NC_CLOBBER, &file));
    define_axes(file, dimensions);
    NC(nc_def_var(file, "label", NC_UBYTE, 3, dimensions, &variable));
    NC(nc_put_var_uchar(file, variable, labels));
    NC(nc_close(file));
}

void bioheat_job_write_stream(size_t records, double every_s)
{
    int file, variable, time, dimensions[4];
    static float values[BIOHEAT_JOB_Z * BIOHEAT_JOB_Y * BIOHEAT_JOB_X];
    NC(nc_create(cli_path("heating.nc"), NC_NETCDF4 | NC_CLOBBER, &file));
    NC(nc_def_dim(file, "time", records, &dimensions[0]));
    define_axes(file, dimensions + 1);
    NC(nc_def_var(file, "time", NC_DOUBLE, 1, dimensions, &time));
    NC(nc_put_att_text(file, time, "units", 1, "s"));
    NC(nc_def_var(file, "q", NC_FLOAT, 4, dimensions, &variable));
    NC(nc_put_att_text(file, variable, "units", 5, "W m-3"));
    for (size_t r = 0; r < records; r++) {
        const double time_s = (double)r * every_s, focus = 8 + 3 * sin(0.3 * (double)r);
        size_t k = 0;
        for (size_t z = 0; z < BIOHEAT_JOB_Z; z++)
            for (size_t y = 0; y < BIOHEAT_JOB_Y; y++)
                for (size_t x = 0; x < BIOHEAT_JOB_X; x++) {
                    const double dz = (double)z - 9, dy = (double)y - 9, dx = (double)x - focus;
                    values[k++] =
                        (float)(2e6 * exp(-(dx * dx + dy * dy + dz * dz) / 12) / (1 + (double)(r % 3)));
                }
        NC(nc_put_vara_float(file, variable, (size_t[]){r, 0, 0, 0},
                             (size_t[]){1, BIOHEAT_JOB_Z, BIOHEAT_JOB_Y, BIOHEAT_JOB_X}, values));
        NC(nc_put_var1_double(file, time, &r, &time_s));
    }
    NC(nc_close(file));
}

void bioheat_job_write_map(void)
{
    int file, variable, dimensions[3];
    static float values[BIOHEAT_JOB_Z * BIOHEAT_JOB_Y * BIOHEAT_JOB_X];
    size_t k = 0;
    for (size_t z = 0; z < BIOHEAT_JOB_Z; z++)
        for (size_t y = 0; y < BIOHEAT_JOB_Y; y++)
            for (size_t x = 0; x < BIOHEAT_JOB_X; x++)
                values[k++] =
                    (float)(2e6 *
                            exp(-(pow((double)x - 11, 2) + pow((double)y - 9, 2) + pow((double)z - 9, 2)) /
                                12));
    NC(nc_create(cli_path("map.nc"), NC_NETCDF4 | NC_CLOBBER, &file));
    define_axes(file, dimensions);
    NC(nc_def_var(file, "q", NC_FLOAT, 3, dimensions, &variable));
    NC(nc_put_att_text(file, variable, "units", 5, "W m-3"));
    NC(nc_put_var_float(file, variable, values));
    NC(nc_close(file));
}

cJSON *bioheat_job(void)
{
    write_labels();
    return cli_json(
        "{'fathom': 1, 'model': 'bioheat', 'title': 'a piece of head', 'backend': 'openmp', 'domain': "
        "{'labels': {'file': 'head.nc'}, 'faces': {'all': {'kind': 'insulated'}}}, 'tissues': {'labels': "
        "{'1': 'skin', '2': 'cortical bone', '3': 'brain'}, 'void': [0]}, 'initial': {'temperature': '37 "
        "degC'}, 'dose': {'definition': 'kwave'}, 'time': {'duration': '24 s', 'step': '0.2 s'}, 'source': "
        "{'boxes': {'at': [{'first': {'x': 9, 'y': 7, 'z': 7}, 'last': {'x': 12, 'y': 10, 'z': 11}}],  "
        "'values': [[5e6], [0]], 'units': 'W m-3', 'times': ['0 s', '10 s'], 'after_end': 'last'}}, "
        "'output': {'directory': 'out', 'state': true, 'diagnostics': {'every': '1 s'},  'fields': {'every': "
        "'5 s', 'variables': ['temperature', 'dose', 'maximum']},  'sensors': {'every': '0.4 s', 'list': "
        "[{'name': 'focus', 'x': '10 mm', 'y': '8 mm', 'z': '9 mm'},   {'name': 'skull', 'x': '10 mm', 'y': "
        "'8 mm', 'z': '4 mm'}]}}}");
}
