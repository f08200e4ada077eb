// The results of the members of an ensemble (maxima.nc, points.nc, zones.nc, gauges.nc), nearly as a run
// writes them, evaluated as `fathom hazard` does (models/tsunami/hazard/). What is accepted gives a file that
// opens, with probabilities from 0 to 1.
#include "models/tsunami/hazard/hazard.h"
#include "io/formats/points_result.h"
#include "io/netcdf/result.h"

#include "tests/fuzz/support/fuzz.h"

#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- files

enum { VALUES_MAX = 1024, DIMENSIONS_MAX = 4 };

struct maker {
    struct fuzz_bytes *bytes;
    int file, ids[DIMENSIONS_MAX];
    size_t lengths[DIMENSIONS_MAX];
};

// Mostly as wanted; one byte in sixteen says otherwise.
static bool is_odd(struct maker *m)
{
    return fuzz_byte(m->bytes) >= 240;
}

static void define_dimension(struct maker *m, int k, const char *name, size_t length)
{
    static const size_t odd[] = {0, 1, 7, 2000, (size_t)1 << 40};
    m->lengths[k] = is_odd(m) ? odd[fuzz_below(m->bytes, FUZZ_COUNT(odd))] : length;
    if (nc_def_dim(m->file, name, m->lengths[k], &m->ids[k]) != NC_NOERR)
        m->lengths[k] = 0;
}

// Numbers along a line, or any.
static void put_values(struct maker *m, int id, nc_type type, size_t count)
{
    static double values[VALUES_MAX];
    static char letters[VALUES_MAX];
    const double first = fuzz_flag(m->bytes) ? fuzz_number(m->bytes) : 1;
    for (size_t k = 0; k < count; k++) {
        values[k] = is_odd(m) ? fuzz_number(m->bytes) : first + (double)k;
        letters[k] = (char)('a' + k % 26);
    }
    if (type == NC_CHAR)
        (void)nc_put_var_text(m->file, id, letters);
    else
        (void)nc_put_var_double(m->file, id, values);
}

// A variable of some of the dimensions, named by their numbers.
static void put(struct maker *m, const char *name, nc_type type, const char *axes)
{
    int ids[DIMENSIONS_MAX], rank = 0, id;
    size_t count = 1;
    if (is_odd(m))
        return;
    if (is_odd(m))
        type = type == NC_CHAR ? NC_DOUBLE : NC_CHAR;
    for (const char *axis = axes; *axis; axis++) {
        const int k = is_odd(m) ? 0 : *axis - '0';
        ids[rank++] = m->ids[k];
        if (__builtin_mul_overflow(count, m->lengths[k], &count))
            count = SIZE_MAX;
    }
    if (nc_def_var(m->file, name, type, rank, ids, &id) != NC_NOERR)
        return;
    (void)nc_put_att_text(m->file, id, "units", 1, "m");
    if (count <= VALUES_MAX)
        put_values(m, id, type, count);
}

static bool begin(struct maker *m, struct fuzz_bytes *bytes, const char *name)
{
    *m = (struct maker){.bytes = bytes};
    return nc_create(fuzz_path(name), NC_NETCDF4 | NC_CLOBBER, &m->file) == NC_NOERR;
}

struct dimension {
    const char *name;
    size_t length;
};

struct variable {
    const char *name;
    nc_type type;
    const char *axes;
};

// A file of dimensions and variables alone.
static void make_file(struct fuzz_bytes *bytes, const char *name, const struct dimension *dimensions,
                      int dimension_count, const struct variable *variables, size_t count)
{
    struct maker m;
    if (!begin(&m, bytes, name))
        return;
    for (int k = 0; k < dimension_count; k++)
        define_dimension(&m, k, dimensions[k].name, dimensions[k].length);
    for (size_t k = 0; k < count; k++)
        put(&m, variables[k].name, variables[k].type, variables[k].axes);
    (void)nc_close(m.file);
}

static void make_maxima(struct fuzz_bytes *bytes)
{
    static const struct dimension dimensions[] = {{"lat", 3}, {"lon", 4}, {"threshold", 2}};
    static const struct variable variables[] = {{"lat", NC_DOUBLE, "0"},       {"lon", NC_DOUBLE, "1"},
                                                {"threshold", NC_DOUBLE, "2"}, {"depth", NC_FLOAT, "01"},
                                                {"max_eta", NC_FLOAT, "01"},   {"max_depth", NC_FLOAT, "01"},
                                                {"arrival", NC_FLOAT, "201"}};
    make_file(bytes, "maxima.nc", dimensions, FUZZ_COUNT(dimensions), variables, FUZZ_COUNT(variables));
}

static void make_points(struct fuzz_bytes *bytes)
{
    struct maker m;
    double levels[9];
    if (!begin(&m, bytes, "points.nc"))
        return;
    define_dimension(&m, 0, "point", 3);
    define_dimension(&m, 1, "name_strlen", 2);
    put(&m, "name", NC_CHAR, "01");
    put(&m, "skipped", NC_CHAR, "01");
    for (int k = 0; k < POINTS_QUANTITIES; k++)
        put(&m, points_result_names[k], NC_DOUBLE, "0");
    for (size_t k = 0; k < FUZZ_COUNT(levels); k++)
        levels[k] = is_odd(&m) ? fuzz_number(bytes) : (double)(k + 1);
    (void)nc_put_att_double(m.file, NC_GLOBAL, "threat_levels_m", NC_DOUBLE,
                            fuzz_below(bytes, FUZZ_COUNT(levels) + 1), levels);
    (void)nc_close(m.file);
}

static void make_gauges(struct fuzz_bytes *bytes)
{
    static const struct dimension dimensions[] = {{"time", 4}, {"station", 2}, {"name_strlen", 3}};
    static const struct variable variables[] = {{"time", NC_DOUBLE, "0"},
                                                {"name", NC_CHAR, "12"},
                                                {"lon", NC_DOUBLE, "1"},
                                                {"lat", NC_DOUBLE, "1"},
                                                {"eta", NC_FLOAT, "01"}};
    make_file(bytes, "gauges.nc", dimensions, FUZZ_COUNT(dimensions), variables, FUZZ_COUNT(variables));
}

// Two squares, whose nodes are mostly closed rings.
static void make_zones(struct fuzz_bytes *bytes)
{
    static const double square[2][5] = {{1, 3, 3, 1, 1}, {1, 1, 3, 3, 1}};
    static const char *const places[2] = {"node_longitude", "node_latitude"};
    static const char *const numbers[] = {"nodes", "points", "crest", "arrival", "threat", "lower_bound"};
    struct maker m;
    if (!begin(&m, bytes, "zones.nc"))
        return;
    define_dimension(&m, 0, "zone", 2);
    define_dimension(&m, 1, "node", 10);
    define_dimension(&m, 2, "name_strlen", 3);
    put(&m, "name", NC_CHAR, "02");
    for (size_t k = 0; k < FUZZ_COUNT(numbers); k++)
        put(&m, numbers[k], NC_DOUBLE, "0");
    static const char *const counts[] = {"node_count", "ring_node_count", "interior_ring"};
    for (size_t k = 0; k < FUZZ_COUNT(counts); k++) {
        const double values[2] = {is_odd(&m) ? fuzz_number(bytes) : k < 2 ? 5 : 0, k < 2 ? 5 : 0};
        int id;
        if (nc_def_var(m.file, counts[k], NC_DOUBLE, 1, &m.ids[0], &id) == NC_NOERR && m.lengths[0] == 2)
            (void)nc_put_var_double(m.file, id, values);
    }
    for (size_t k = 0; k < FUZZ_COUNT(places); k++) {
        double values[10];
        int id;
        for (size_t n = 0; n < FUZZ_COUNT(values); n++)
            values[n] = is_odd(&m) ? fuzz_number(bytes) : square[k][n % 5] + (double)(n / 5);
        if (nc_def_var(m.file, places[k], NC_DOUBLE, 1, &m.ids[1], &id) == NC_NOERR && m.lengths[1] == 10)
            (void)nc_put_var_double(m.file, id, values);
    }
    (void)nc_close(m.file);
}

// ---- the result

static void check_shares(const struct result_file *file, const char *name)
{
    double *values;
    size_t count;
    if (!result_find(file, name))
        return;
    FUZZ_EXPECT(fuzz_ok(result_read_all(file, name, &values, &count)), "%s cannot be read", name);
    for (size_t k = 0; k < count; k++)
        FUZZ_EXPECT(isnan(values[k]) || (values[k] >= -1e-9 && values[k] <= 1 + 1e-9), "%s[%zu] is %g", name,
                    k, values[k]);
    free(values);
}

static void check_result(const struct hazard_result *result)
{
    static const char *const shares[] = {"max_eta_exceedance",       "flow_depth_exceedance",
                                         "arrival_probability",      "crest_exceedance",
                                         "coastal_height_curve",     "threat_probability",
                                         "zone_crest_exceedance",    "zone_threat_probability",
                                         "zone_arrival_probability", "weight_of_members"};
    struct result_file *file = NULL;
    FUZZ_EXPECT(result->members == 2, "%zu members", result->members);
    FUZZ_EXPECT(fuzz_ok(result_open(fuzz_path("out/ensemble.nc"), &file)), "the result cannot be opened");
    for (size_t k = 0; k < FUZZ_COUNT(shares); k++)
        check_shares(file, shares[k]);
    result_close(file);
}

FUZZ_HARNESS(hazard)
{
    static const char run[] = "{\"model\": \"tsunami\", \"steps\": 10, \"step_s\": 60}";
    static void (*const makers[])(struct fuzz_bytes *) = {make_maxima, make_points, make_gauges};
    static const char *const files[] = {"maxima.nc", "points.nc", "gauges.nc"};
    struct fuzz_bytes bytes = {data, size};
    const char *folder = fuzz_folder();
    char out[256];
    const bool is_exact = fuzz_flag(&bytes);
    const size_t wanted = 1 + fuzz_below(&bytes, 7);
    fuzz_write("run.json", run, sizeof run - 1);
    for (size_t k = 0; k < FUZZ_COUNT(files); k++) {
        (void)unlink(fuzz_path(files[k]));
        if (wanted & ((size_t)1 << k))
            makers[k](&bytes);
    }
    (void)unlink(fuzz_path("zones.nc"));
    if (fuzz_flag(&bytes))
        make_zones(&bytes);
    snprintf(out, sizeof out, "%s", fuzz_path("out"));
    const struct hazard_member members[] = {{"a", folder, 0.25}, {"b", folder, 0.75}};
    const struct hazard_request request = {.members = members,
                                           .member_count = 2,
                                           .weight = 1,
                                           .directory = out,
                                           .memory_bytes = (size_t)4 << 30,
                                           .quantiles = is_exact ? HAZARD_EXACT : HAZARD_HISTOGRAM,
                                           .title = "fuzz",
                                           .source = "fuzz",
                                           .history = "fuzz"};
    struct hazard_result result;
    (void)unlink(fuzz_path("out/ensemble.nc"));
    if (fuzz_ok(hazard_make(&request, &result)))
        check_result(&result);
    fuzz_files_closed();
    return 0;
}
