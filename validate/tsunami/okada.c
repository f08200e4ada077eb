// The deformation of the sea floor: Okada's printed check values, and whole jobs compared with grids that
// another program computed from the same faults.
#include "models/tsunami/earthquake/okada.h"

#include "validate/case_job.h"
#include "validate/tsunami/suites.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- table 2

enum { COMPONENTS = 9 };
static const char *const component_names[COMPONENTS] = {"ux",     "uy",     "uz",     "dux/dx", "dux/dy",
                                                        "duy/dx", "duy/dy", "duz/dx", "duz/dy"};

// λ = μ, unit slip; fault x = 0 … 3, 2 wide, lower edge 4 deep.
static const struct printed {
    const char *name;
    double x, y, dip_deg, strike_slip, dip_slip;
    double values[COMPONENTS];
} table_2[] = {
    {"case 2, strike slip",
     2,
     3,
     70,
     1,
     0,
     {-8.689e-3, -4.298e-3, -2.747e-3, -1.220e-3, 2.470e-4, -8.191e-3, -5.814e-4, -5.175e-3, 2.945e-4}},
    {"case 2, dip slip",
     2,
     3,
     70,
     0,
     1,
     {-4.682e-3, -3.527e-2, -3.564e-2, -8.867e-3, -1.519e-4, 4.057e-3, -1.035e-2, 4.088e-3, 2.626e-3}},
    {"case 3, strike slip", 0, 0, 90, 1, 0, {0, 5.253e-3, 0, 0, -1.864e-2, -2.325e-3, 0, 0, 2.289e-2}},
    {"case 3, dip slip", 0, 0, 90, 0, 1, {0, 0, 0, 0, 2.748e-2, 0, 0, 0, -7.166e-2}},
    {"case 4, strike slip", 0, 0, -90, 1, 0, {0, -1.303e-3, 0, 0, 2.726e-3, 7.345e-4, 0, 0, -4.422e-3}},
    {"case 4, dip slip", 0, 0, -90, 0, 1, {0, 0, 0, 0, 5.157e-3, 0, 0, 0, -1.901e-2}},
};

// Returns one unit of the last printed digit, the fourth significant one. A printed 0 is exact; for it the
// rounding error of numbers of order 1 is allowed.
static double last_digit(double printed)
{
    return printed == 0 ? 2e-15 : pow(10, floor(log10(fabs(printed))) - 3);
}

static enum status measure_printed(struct validation_run *run, const struct printed *p)
{
    static const double degree = 3.14159265358979323846 / 180;
    const struct okada_result u =
        okada_surface(p->x, p->y, 4, p->dip_deg * degree, 3, 2, p->strike_slip, p->dip_slip, 0.25);
    const double computed[COMPONENTS] = {u.ux, u.uy, u.uz, u.ux_x, u.ux_y, u.uy_x, u.uy_y, u.uz_x, u.uz_y};
    int worst = 0;
    double largest = -1;
    for (int c = 0; c < COMPONENTS; c++) {
        double digits = fabs(computed[c] - p->values[c]) / last_digit(p->values[c]);
        digits = isnan(digits) ? (double)INFINITY : digits;
        if (digits > largest) {
            largest = digits;
            worst = c;
        }
    }
    char quantity[VALIDATION_NAME_BYTES];
    snprintf(quantity, sizeof quantity, "%s, worst of 9: %s", p->name, component_names[worst]);
    return validation_measure(run, &(struct validation_measure){.quantity = quantity,
                                                                .unit = "1",
                                                                .computed = computed[worst],
                                                                .reference = p->values[worst],
                                                                .source = "Okada (1985), table 2",
                                                                .tolerance = "okada-table2/last-digit",
                                                                .scale = last_digit(p->values[worst])});
}

enum status tsunami_case_okada_table(struct validation_run *run)
{
    for (size_t k = 0; k < sizeof table_2 / sizeof *table_2; k++)
        CHECK(measure_printed(run, &table_2[k]));
    validation_note(run, "fault 3 x 2, lower edge 4 deep, dip 70, 90 and -90 degrees; double precision");
    return STATUS_OK;
}

// ---- whole jobs

const struct tsunami_okada_file tsunami_okada_sift = {TSUNAMI_OKADA_SIFT, "okada/sift_test_data.tt3",
                                                      "sift/info_sz.dat.txt"};
const struct tsunami_okada_file tsunami_okada_alaska = {
    TSUNAMI_OKADA_ALASKA, "okada/alaska1964_test_data.tt3", "okada/alaska1964.csv"};
const struct tsunami_okada_file tsunami_okada_ucsb = {TSUNAMI_OKADA_UCSB, "okada/tohoku_test_data.tt3",
                                                      "okada/tohoku_ucsb.txt"};

// The deformation at the last time of a GeoClaw file; values[row from the north][column].
struct deformation {
    size_t nx, ny;
    double west, south, dx, dy;
    double *values; // owned
};

enum { NODES_MAX = 10000, MARGIN = 12 };

static enum status read_deformation(const char *path, struct deformation *d)
{
    double header[9], value;
    char line[256];
    *d = (struct deformation){0};
    FILE *file = fopen(path, "r");
    if (!file)
        return FAIL(STATUS_NO_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    bool is_good = true;
    for (int k = 0; k < 9 && is_good; k++) // mx, my, mt, west, south, first time, dx, dy, dt
        is_good = fgets(line, sizeof line, file) && sscanf(line, "%lf", &header[k]) == 1;
    is_good = is_good && header[0] >= 2 && header[1] >= 2 && header[0] * header[1] <= NODES_MAX &&
              header[2] >= 1 && header[2] <= 1000;
    if (is_good) {
        *d = (struct deformation){(size_t)header[0],
                                  (size_t)header[1],
                                  header[3],
                                  header[4],
                                  header[6],
                                  header[7],
                                  calloc((size_t)header[0] * (size_t)header[1], sizeof(double))};
        is_good = d->values != NULL;
        for (size_t k = 0; is_good && k < d->nx * d->ny * (size_t)header[2]; k++) {
            is_good = fscanf(file, "%lf", &value) == 1;
            d->values[k % (d->nx * d->ny)] = value; // a later time overwrites an earlier one
        }
    }
    fclose(file);
    if (is_good)
        return STATUS_OK;
    free(d->values);
    d->values = NULL;
    return FAIL(STATUS_DATA,
                "%s: is not a GeoClaw file of deformation (nine lines of header, then the numbers)", path);
}

// Writes the faults of a published table as Fathom's table, with the columns and the convention of the
// published one. The units are in the order of the columns.
static enum status write_faults(const struct validation_run *run, enum tsunami_okada_source source,
                                const char *path)
{
    static const char alaska[] =
        "{\"fathom_faults\": 1, \"reference\": \"sift\", \"columns\": [\"longitude\", \"latitude\", "
        "\"depth\", \"length\", \"width\", \"strike\", \"dip\", \"rake\", \"slip\"], \"units\": [\"degree\", "
        "\"degree\", \"km\", \"km\", \"km\", \"degree\", \"degree\", \"degree\", \"m\"], \"rows\": [";
    static const char ucsb[] =
        "{\"fathom_faults\": 1, \"reference\": \"centre\", \"columns\": [\"latitude\", \"longitude\", "
        "\"depth\", \"slip\", \"rake\", \"strike\", \"dip\", \"start\", \"rise\", \"length\", \"width\"], "
        "\"units\": [\"degree\", \"degree\", \"km\", \"cm\", \"degree\", \"degree\", \"degree\", \"s\", "
        "\"s\", \"km\", \"km\"], \"rows\": [";
    const bool is_alaska = source == TSUNAMI_OKADA_ALASKA;
    char out_path[PATH_BYTES], line[512];
    case_path(run, "faults.json", out_path);
    FILE *in = fopen(path, "r");
    if (!in)
        return FAIL(STATUS_NO_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    FILE *out = fopen(out_path, "w");
    if (!out) {
        fclose(in);
        return FAIL(STATUS_CANNOT_CREATE, "%s: %s", out_path, strerror(errno));
    }
    fputs(is_alaska ? alaska : ucsb, out);
    int rows = 0;
    while (fgets(line, sizeof line, in)) {
        double v[10];
        if (is_alaska ? sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &v[0], &v[1], &v[2], &v[3], &v[4],
                               &v[5], &v[6], &v[7], &v[8]) != 9
                      : sscanf(line, "%lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", &v[0], &v[1], &v[2], &v[3],
                               &v[4], &v[5], &v[6], &v[7], &v[8], &v[9]) != 10)
            continue; // a heading or an outline of a fault
        fprintf(out, "%s[", rows++ > 0 ? ", " : "");
        for (int k = 0; k < (is_alaska ? 9 : 8); k++)
            fprintf(out, "%s%.10g", k > 0 ? ", " : "", v[k]);
        if (!is_alaska) // both half intervals of the rise; 25 km along strike, 20 km down dip
            fprintf(out, ", %.10g, 25, 20", v[8] + v[9]);
        fputc(']', out);
    }
    fputs("]}", out);
    const bool is_bad = ferror(in) || ferror(out);
    fclose(in);
    if (fclose(out) != 0 || is_bad)
        return FAIL(STATUS_IO, "%s: writing failed", out_path);
    return rows > 0 ? STATUS_OK : FAIL(STATUS_DATA, "%s: holds no faults", path);
}

static double flat(const void *context, int variable, double x, double y)
{
    (void)context;
    (void)variable;
    (void)x;
    (void)y;
    return 4000;
}

// Writes a sea of uniform depth at the file's nodes, and at some more on every side, so that all faults lie
// inside.
static enum status write_sea(const struct validation_run *run, const struct deformation *d)
{
    const struct case_grid grid = {.is_geographic = true,
                                   .x = {d->nx + 2 * MARGIN, d->west - MARGIN * d->dx, d->dx},
                                   .y = {d->ny + 2 * MARGIN, d->south - MARGIN * d->dy, d->dy},
                                   .variable_count = 1,
                                   .variables = {{"depth", "m", "down"}},
                                   .value = flat};
    return case_write_grid(run, "sea.nc", &grid);
}

static enum status run_faults(struct validation_run *run, const struct tsunami_okada_file *file,
                              const char *path)
{
    // The radius is that of the program that made the files. After 6 minutes all subfaults have slipped.
    static const char text[] =
        "{\"fathom\": 1, \"model\": \"tsunami\", \"title\": \"Deformation of the sea floor\", \"precision\": "
        "\"double\", \"domain\": {\"bathymetry\": {\"file\": \"sea.nc\"}}, \"physics\": {\"earth_radius\": "
        "\"6367.5 km\"}, \"source\": {\"extent\": \"0 m\"}, \"time\": {\"duration\": \"6 min\"}, \"output\": "
        "{\"precision\": \"double\", \"maxima\": false, \"deformation\": true}}";
    if (file->source != TSUNAMI_OKADA_SIFT)
        CHECK(write_faults(run, file->source, path));
    struct case_job job = case_job_parse(text);
    if (file->source == TSUNAMI_OKADA_SIFT) {
        case_job_set_text(&job, "source.sift.table", path);
        case_job_set(&job, "source.sift.slips", "{\"acsza1\": 2, \"acszb1\": 3}");
    } else {
        case_job_set(&job, "source.faults", "\"faults.json\"");
    }
    return case_job_run_once(run, &job, "run", NULL, NULL);
}

// Draws the uplift along the row in which it is largest.
static enum status draw(struct validation_run *run, const struct deformation *d, const double *computed,
                        size_t row)
{
    double *both = malloc(2 * d->nx * sizeof *both);
    struct validation_picture *picture;
    char title[VALIDATION_NAME_BYTES];
    if (!both)
        return FAIL(STATUS_SYSTEM, "not enough memory for a row");
    for (size_t i = 0; i < d->nx; i++) {
        both[i] = d->values[(d->ny - 1 - row) * d->nx + i];
        both[d->nx + i] = computed[(row + MARGIN) * (d->nx + 2 * MARGIN) + i + MARGIN];
    }
    snprintf(title, sizeof title, "Uplift along %g degrees north", d->south + (double)row * d->dy);
    enum status status = validation_picture(run, title, "longitude (degrees east)", "uplift (m)",
                                            "Through the largest uplift.", &picture);
    if (status == STATUS_OK)
        status = validation_line_even(run, picture, "GeoClaw", true, d->west, d->dx, both, d->nx);
    if (status == STATUS_OK)
        status = validation_line_even(run, picture, "Fathom", false, d->west, d->dx, both + d->nx, d->nx);
    free(both);
    return status;
}

static enum status compare(struct validation_run *run, const struct deformation *d, const double *computed)
{
    double largest_m = 0, largest_computed_m = 0, worst_m = 0, worst_reference_m = 0, error_m = -1;
    size_t row = 0;
    for (size_t j = 0; j < d->ny; j++)
        for (size_t i = 0; i < d->nx; i++) {
            const double reference = d->values[(d->ny - 1 - j) * d->nx + i];
            const double value = computed[(j + MARGIN) * (d->nx + 2 * MARGIN) + i + MARGIN];
            if (fabs(reference) > largest_m) {
                largest_m = fabs(reference);
                largest_computed_m = fabs(value);
                row = j;
            }
            if (!(fabs(value - reference) <= error_m)) {
                error_m = fabs(value - reference);
                worst_m = value;
                worst_reference_m = reference;
            }
        }
    static const char source[] = "GeoClaw, tests/data";
    CHECK(validation_compare(run, "okada-files/largest", "m", source, largest_computed_m, largest_m,
                             "largest deformation"));
    CHECK(validation_measure(run, &(struct validation_measure){.quantity = "worst node of all",
                                                               .unit = "m",
                                                               .computed = worst_m,
                                                               .reference = worst_reference_m,
                                                               .source = source,
                                                               .tolerance = "okada-files/worst-node",
                                                               .scale = largest_m}));
    return draw(run, d, computed, row);
}

enum status tsunami_case_okada_file(struct validation_run *run)
{
    const struct tsunami_okada_file *file = run->validation_case->context;
    char path[PATH_BYTES];
    struct deformation d;
    double *computed = NULL;
    size_t shape[4];
    validation_benchmark_path(run, file->grid_file, path);
    CHECK(read_deformation(path, &d));
    validation_benchmark_path(run, file->source_file, path);
    enum status status = write_sea(run, &d);
    if (status == STATUS_OK)
        status = run_faults(run, file, path);
    if (status == STATUS_OK)
        status = case_read_variable(run, "run", "deformation.nc", "deformation", &computed, shape);
    if (status == STATUS_OK && (shape[0] != d.ny + 2 * MARGIN || shape[1] != d.nx + 2 * MARGIN))
        status = FAIL(STATUS_SOFTWARE, "the deformation has %zu x %zu nodes, expected %zu x %zu", shape[1],
                      shape[0], d.nx + 2 * MARGIN, d.ny + 2 * MARGIN);
    if (status == STATUS_OK)
        status = compare(run, &d, computed);
    if (status == STATUS_OK)
        status = case_note(run, "run", "sphere, %zu x %zu nodes of %g degrees compared", d.nx, d.ny, d.dx);
    free(computed);
    free(d.values);
    return status;
}
