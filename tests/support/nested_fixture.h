// For tests of nested grids: a plane sea with a hump of water, jobs on it, and fields of two runs held
// against each other. Beside cli_fixture.h, whose folder it uses, in one .c file
// of a program only. Not every test uses all of it.
#ifndef FATHOM_TESTS_SUPPORT_NESTED_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_NESTED_FIXTURE_H

#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

// 72 × 54 km, on average 200 m deep; a hump of 0.1 m, 7 km wide: waves of some 30 nodes of 1 km.
static const double sea_width_m = 72000, sea_height_m = 54000;

static double sea_floor(double x, double y, double time_s)
{
    return -(200 + 30 * sin(x / 15000) * cos(y / 12000));
}

static double hump(double x, double y, double time_s)
{
    const double dx = (x - 22000) / 7000, dy = (y - 25000) / 7000;
    return 0.1 * exp(-dx * dx - dy * dy);
}

__attribute__((unused)) static void write_sea(void)
{
    struct cli_grid grid = CLI_PLANE(289, 217, 0, 0, 250, 250, {"z", "m", "up", NULL, sea_floor});
    cli_write_grid("floor.nc", &grid);
    grid.variables[0] = (struct cli_variable){"eta", "m", NULL, NULL, hump};
    cli_write_grid("hump.nc", &grid);
}

// The whole sea at a spacing, for ten minutes; three fields of all variables in double.
__attribute__((unused)) static cJSON *sea_job(const char *backend, const char *method, double spacing_m,
                                              const char *step)
{
    cJSON *job = cli_change(
        cli_json("{'fathom': 1, 'model': 'tsunami', 'precision': 'double','domain': {'bathymetry': {'file': "
                 "'floor.nc'}},'source': {'initial': {'file': 'hump.nc', 'eta': 'eta'}},'time': {'duration': "
                 "'8 min'},'output': {'precision': 'double', 'arrival': ['1 cm'], 'fields': {'every': '2 "
                 "min', 'variables': ['eta', 'u', 'v']}}}"),
        "backend = '%s'; method = '%s'; domain.spacing = '%.15g m'; time.step = '%s'", backend, method,
        spacing_m, step);
    return job;
}

// A nested grid of 20 × 20 km from (32 km, 16 km), or half as wide inside that.
__attribute__((unused)) static void nest(cJSON *job, const char *name, double spacing_m, const char *step,
                                         const char *method, const char *parent)
{
    char key[96];
    const double low = parent ? 4 : 0;
    const struct {
        const char *key, *text;
    } words[] = {
        {"domain.bathymetry.file", "floor.nc"}, {"time.step", step}, {"method", method}, {"parent", parent}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        snprintf(key, sizeof key, "nested.%s.%s", name, words[k].key);
        if (words[k].text)
            cli_set_text(job, key, "%s", words[k].text);
    }
    snprintf(key, sizeof key, "nested.%s.domain.spacing", name);
    cli_set_text(job, key, "%.15g m", spacing_m);
    char range[64];
    snprintf(key, sizeof key, "nested.%s.domain.x", name);
    snprintf(range, sizeof range, "[\"%g km\", \"%g km\"]", 32 + low, 52 - low);
    cli_set(job, key, range);
    snprintf(key, sizeof key, "nested.%s.domain.y", name);
    snprintf(range, sizeof range, "[\"%g km\", \"%g km\"]", 16 + low, 36 - low);
    cli_set(job, key, range);
}

__attribute__((unused)) static void run_job(cJSON *job, const char *directory)
{
    cli_change(job, "output.directory = '%s'", directory);
    const char *name = format_text("%s.json", directory);
    cli_write_job(job, name);
    cli_do("run -q %s", name);
}

// One variable of a run's fields, with its nodes.
struct fields {
    double *x, *y, *values;
    size_t nx, ny, records;
};

static struct fields read_fields(const char *file, const char *variable)
{
    struct fields f;
    size_t count, shape[4];
    f.x = cli_read_variable(file, "x", &f.nx, NULL);
    f.y = cli_read_variable(file, "y", &f.ny, NULL);
    f.values = cli_read_variable(file, variable, &count, shape);
    f.records = shape[0];
    assert_int_equal(count, f.records * f.ny * f.nx);
    return f;
}

// Bilinear between nodes, which are even.
static double field_at(const struct fields *f, size_t record, double x, double y)
{
    const double *values = f->values + record * f->nx * f->ny;
    const double dx = f->x[1] - f->x[0], dy = f->y[1] - f->y[0];
    const size_t i = (size_t)fmin(fmax(0, floor((x - f->x[0]) / dx + 1e-6)), (double)(f->nx - 2));
    const size_t j = (size_t)fmin(fmax(0, floor((y - f->y[0]) / dy + 1e-6)), (double)(f->ny - 2));
    const double a = (x - f->x[i]) / dx, b = (y - f->y[j]) / dy;
    const double *at = values + j * f->nx + i;
    return (1 - b) * ((1 - a) * at[0] + a * at[1]) + b * ((1 - a) * at[f->nx] + a * at[f->nx + 1]);
}

// How far two runs are from each other at the nodes of a nested grid, over all records but the first:
// elevation, and velocities as the elevation of a wave that has them, |Δu| √(d/g), as shares of the largest
// elevation there of the second run.
struct distance {
    double largest, rms;
};

__attribute__((unused)) static struct distance distance_at(const char *nodes_file, const char *one_file,
                                                           const char *other_file)
{
    static const char *const variables[] = {"eta", "u", "v"};
    struct distance d = {0};
    double scale = 0;
    for (int v = 0; v < 3; v++) {
        struct fields nodes = read_fields(nodes_file, variables[v]),
                      one = read_fields(one_file, variables[v]),
                      other = read_fields(other_file, variables[v]);
        const double seconds = v == 0 ? 1 : sqrt(200 / 9.81),
                     count = (double)((one.records - 1) * nodes.nx * nodes.ny);
        assert_true(one.records > 2 && one.records == other.records);
        for (size_t r = 1; r < one.records; r++)
            for (size_t j = 0; j < nodes.ny; j++)
                for (size_t i = 0; i < nodes.nx; i++) {
                    const double expected = seconds * field_at(&other, r, nodes.x[i], nodes.y[j]);
                    const double off = fabs(seconds * field_at(&one, r, nodes.x[i], nodes.y[j]) - expected);
                    assert_true(off >= 0); // a number
                    scale = fmax(scale, v == 0 ? fabs(expected) : 0);
                    d.largest = fmax(d.largest, off);
                    d.rms += off * off / count;
                }
    }
    return (struct distance){d.largest / scale, sqrt(d.rms) / scale};
}

#endif
