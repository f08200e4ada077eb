// Writes inputs of heat runs for launch_heat into the working directory: labels, a heating map, a stream of
// heating fields, a temperature at the start, and full fields, on a grid of 37 x 18 x 24 cells of 1 mm; and
// the pressure of sound on a coarser one.
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

enum { NZ = 37, NY = 18, NX = 24, RECORDS = 9 };
// Of the pressure: cells of 1.4 mm, the first one at -1 mm.
enum { COARSE_Z = 28, COARSE_Y = 15, COARSE_X = 19 };

static void check(int code)
{
    if (code == NC_NOERR)
        return;
    fprintf(stderr, "%s\n", nc_strerror(code));
    exit(1);
}

static int label_at(int z, int y, int x)
{
    if (z > 9 && z < 22 && y < 5 && x < 6)
        return 0;
    return z + (x > 15) < 8 ? 1 : z < 14 || z > 30 ? 2 : 3;
}

static int create_grid(const char *path, const size_t lengths[3], double first_mm, double spacing_mm,
                       int dimensions[3])
{
    static const char *const names[] = {"z", "y", "x"};
    int file;
    check(nc_create(path, NC_NETCDF4 | NC_CLOBBER, &file));
    for (int axis = 0; axis < 3; axis++) {
        int variable;
        double positions[NZ];
        check(nc_def_dim(file, names[axis], lengths[axis], &dimensions[axis]));
        check(nc_def_var(file, names[axis], NC_DOUBLE, 1, &dimensions[axis], &variable));
        check(nc_put_att_text(file, variable, "units", 2, "mm"));
        for (size_t k = 0; k < lengths[axis]; k++)
            positions[k] = first_mm + spacing_mm * (double)k;
        check(nc_put_var_double(file, variable, positions));
    }
    return file;
}

static int create(const char *path, int dimensions[3])
{
    return create_grid(path, (const size_t[]){NZ, NY, NX}, 0, 1, dimensions);
}

static double values[NZ * NY * NX];

static void fill(double value(int z, int y, int x))
{
    for (int z = 0; z < NZ; z++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++)
                values[(z * NY + y) * NX + x] = value(z, y, x);
}

static void add(int file, const int dimensions[3], const char *name, const char *units, size_t bytes)
{
    int variable;
    check(nc_def_var(file, name, NC_DOUBLE, 3, dimensions, &variable));
    check(nc_put_att_text(file, variable, "units", bytes, units));
    check(nc_put_var_double(file, variable, values));
}

static double focus(int z, int y, int x)
{
    return 3e6 * exp(-(pow(x - 11, 2) + pow(y - 9, 2) + pow(z - 17, 2)) / 20);
}

static double warm(int z, int y, int x)
{
    return 37 + 0.5 * sin(0.3 * x) * cos(0.2 * y) + 0.02 * z;
}

static double density(int z, int y, int x)
{
    return 1000 + 20 * sin(0.4 * z) + 10 * y + x;
}

static double specific_heat(int z, int y, int x)
{
    (void)y, (void)x;
    return z == 20 ? INFINITY : 3500;
}

static double conductivity(int z, int y, int x)
{
    return label_at(z, y, x) == 0 ? 0 : 0.3 + 0.1 * label_at(z, y, x) + 0.002 * x;
}

static double perfusion(int z, int y, int x)
{
    return 3e4 + 100 * z + y + x;
}

static double flow(int z, int y, int x)
{
    return 1e-4 * sin(0.5 * z + 0.3 * y + 0.2 * x);
}

static void write_labels(void)
{
    int dimensions[3], variable;
    static unsigned char labels[NZ * NY * NX];
    const int file = create("labels.nc", dimensions);
    for (int k = 0; k < NZ * NY * NX; k++)
        labels[k] = (unsigned char)label_at(k / NX / NY, k / NX % NY, k % NX);
    check(nc_def_var(file, "label", NC_UBYTE, 3, dimensions, &variable));
    check(nc_put_var_uchar(file, variable, labels));
    check(nc_close(file));
}

static void write_stream(void)
{
    int space[3], dimensions[4], time, variable;
    const int file = create("stream.nc", space);
    check(nc_def_dim(file, "time", RECORDS, dimensions));
    for (int axis = 0; axis < 3; axis++)
        dimensions[axis + 1] = space[axis];
    check(nc_def_var(file, "time", NC_DOUBLE, 1, dimensions, &time));
    check(nc_put_att_text(file, time, "units", 1, "s"));
    check(nc_def_var(file, "q", NC_DOUBLE, 4, dimensions, &variable));
    check(nc_put_att_text(file, variable, "units", 5, "W m-3"));
    fill(focus);
    for (size_t r = 0; r < RECORDS; r++) {
        const double time_s = 1.3 * (double)r;
        for (int k = 0; k < NZ * NY * NX; k++)
            values[k] *= 1 + 0.1 * (double)(r % 3);
        check(nc_put_vara_double(file, variable, (size_t[]){r, 0, 0, 0}, (size_t[]){1, NZ, NY, NX}, values));
        check(nc_put_var1_double(file, time, &r, &time_s));
    }
    check(nc_close(file));
}

static void write_pressure(void)
{
    int dimensions[3], variable;
    static double pressure_pa[COARSE_Z * COARSE_Y * COARSE_X];
    const int file =
        create_grid("pressure.nc", (const size_t[]){COARSE_Z, COARSE_Y, COARSE_X}, -1, 1.4, dimensions);
    for (int k = 0; k < COARSE_Z * COARSE_Y * COARSE_X; k++) {
        const int x = k % COARSE_X, y = k / COARSE_X % COARSE_Y, z = k / COARSE_X / COARSE_Y;
        pressure_pa[k] = 1e6 * exp(-(pow(x - 8, 2) + pow(y - 7, 2)) / 20 - pow(z - 13, 2) / 90);
    }
    check(nc_def_var(file, "p", NC_DOUBLE, 3, dimensions, &variable));
    check(nc_put_att_text(file, variable, "units", 2, "Pa"));
    check(nc_put_var_double(file, variable, pressure_pa));
    check(nc_close(file));
}

int main(void)
{
    int dimensions[3], file;
    write_labels();
    write_stream();
    write_pressure();
    file = create("map.nc", dimensions);
    fill(focus);
    add(file, dimensions, "q", "W m-3", 5);
    check(nc_close(file));
    file = create("start.nc", dimensions);
    fill(warm);
    add(file, dimensions, "t", "degC", 4);
    check(nc_close(file));
    file = create("media.nc", dimensions);
    fill(density);
    add(file, dimensions, "density", "kg m-3", 6);
    fill(specific_heat);
    add(file, dimensions, "specific_heat", "J kg-1 K-1", 10);
    fill(conductivity);
    add(file, dimensions, "conductivity", "W m-1 K-1", 9);
    fill(perfusion);
    add(file, dimensions, "perfusion", "W m-3 K-1", 9);
    fill(flow);
    add(file, dimensions, "v", "m s-1", 5);
    check(nc_close(file));
    return 0;
}
