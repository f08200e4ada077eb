// Heat that a source gives to the two layers of cells at fixed faces, where it warms nothing: its share for
// every kind of source against one counted here by position, the warning, and the verdict that it takes away.
#include "tests/support/bioheat_job.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/numbers.h"
#include "tests/support/stopped_run.h"
#include "tests/support/test.h"

enum { NX = BIOHEAT_JOB_X, NY = BIOHEAT_JOB_Y, NZ = BIOHEAT_JOB_Z, CELLS = NX * NY * NZ };

TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown);

// The small piece of head for 2 s in steps of 0.2 s, all faces fixed by default, with that source.
static cJSON *job_with(const char *source)
{
    return cli_change(bioheat_job(),
                      "time.duration = '2 s'; delete output.state; delete output.fields; delete "
                      "domain.faces; source = %s",
                      source);
}

static bool is_tissue(size_t z, size_t y, size_t x)
{
    return bioheat_job_label(z, y, x) != 0;
}

static bool is_in_layer(size_t z, size_t y, size_t x)
{
    return x < 2 || x + 2 >= NX || y < 2 || y + 2 >= NY || z < 2 || z + 2 >= NZ;
}

// Of all tissue, how much has its cells in the layers.
static double uniform_share(void)
{
    double all = 0, layers = 0;
    for (size_t z = 0; z < NZ; z++)
        for (size_t y = 0; y < NY; y++)
            for (size_t x = 0; x < NX; x++) {
                all += is_tissue(z, y, x);
                layers += is_tissue(z, y, x) && is_in_layer(z, y, x);
            }
    return layers / all;
}

static double tissue_cells(void)
{
    double all = 0;
    for (size_t k = 0; k < CELLS; k++)
        all += is_tissue(k / NX / NY, k / NX % NY, k % NX);
    return all;
}

static void define_space(int file, int dimensions[3])
{
    static const char *const names[] = {"z", "y", "x"};
    static const size_t lengths[] = {NZ, NY, NX};
    for (int k = 0; k < 3; k++) {
        double places[NX];
        for (size_t n = 0; n < lengths[k]; n++)
            places[n] = (double)n;
        dimensions[k] = make_axis(file, names[k], "mm", lengths[k], places);
    }
}

// The same power density in all cells (W/m³).
static void write_map(const char *name, double value)
{
    static double values[CELLS];
    int dimensions[3];
    const int file = make_file(cli_path(name), NC_NETCDF4);
    define_space(file, dimensions);
    for (size_t k = 0; k < CELLS; k++)
        values[k] = value;
    make_field(file, "q", "W m-3", 3, dimensions, values);
    NC(nc_close(file));
}

// So for each of some records.
static void write_stream(const char *name, size_t records, double every_s, const double *record_values)
{
    static double values[64 * CELLS];
    double times_s[64];
    int space[3], dimensions[4];
    assert_in_range(records, 1, COUNT(times_s));
    const int file = make_file(cli_path(name), NC_NETCDF4);
    for (size_t r = 0; r < records; r++)
        times_s[r] = (double)r * every_s;
    dimensions[0] = make_axis(file, "time", "s", records, times_s);
    define_space(file, space);
    memcpy(dimensions + 1, space, sizeof space);
    for (size_t k = 0; k < records * CELLS; k++)
        values[k] = record_values[k / CELLS];
    make_field(file, "q", "W m-3", 4, dimensions, values);
    NC(nc_close(file));
}

// Points in z, y, x, and rows of values.
static void write_points(const char *name)
{
    const int file = make_file(cli_path(name), NC_NETCDF4);
    const int time = make_axis(file, "time", "s", 3, (double[]){0, 1, 2}),
              point = make_dimension(file, "point", 2), axis = make_dimension(file, "axis", 3);
    make_field(file, "cells", NULL, 2, (int[]){point, axis}, (double[]){9, 9, 1, 9, 9, 12});
    make_field(file, "q", "W m-3", 2, (int[]){time, point}, (double[]){5e4, 1e4, 3e4, 1e4, 0, 0});
    NC(nc_close(file));
}

static const double near = 1e-12;

// Runs it: the share, and whether the warning and the verdict follow from it.
static void assert_share(const cJSON *job, double share, bool is_judged)
{
    cli_assert_done(cli_rerun(job));
    const cJSON *run = cli_read_json("out/run.json");
    assert_near("share", cli_json_number(run, "source.fixed_layers_share"), share, near);
    assert_int_equal(cli_has_warning("out", "domain.faces: ", "keep their temperature: it warms nothing"),
                     share >= 1e-3);
    // Of sources whose rise in the layers is a bound the share does not count: less than 0.1 K may pass.
    if (share > 0 && cJSON_IsTrue(cli_item(run, "source.fixed_layers_rise_is_bound")) &&
        cli_json_number(run, "source.fixed_layers_rise_k") < 0.1) {
        assert_null(strstr(cli_text(run, "findings.0.message"), "lies in layers of fixed faces"));
        return;
    }
    if (strcmp(cli_text(run, "findings.0.verdict"), is_judged ? "passed" : "not judged") != 0)
        fail_msg("%g of the heat: %s", share, cli_text(run, "findings.0.message"));
    if (!is_judged)
        assert_has(cli_text(run, "findings.0.message"), "of the source's heat lies in layers of fixed faces");
}

// Power of cells times seconds, by hand.
TEST(points_and_boxes_in_layers_are_told)
{
    static const struct {
        const char *source;
        double share;
    } rows[] = {
        // Two layers are 0, 1: one point in them, one not, one in air.
        {"{'points': {'at': [{'x': 1, 'y': 9, 'z': 9}, {'x': 12, 'y': 9, 'z': 9}, {'x': 1, 'y': 1, 'z': 1}], "
         "'values': [[3e4, 1e4, 9e4]], 'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}}",
         0.75},
        // The second layer counts, the third does not, at both ends of an axis.
        {"{'points': {'at': [{'x': 22, 'y': 9, 'z': 9}, {'x': 21, 'y': 9, 'z': 9}], 'values': [[2e4, 6e4]], "
         "'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}}",
         0.25},
        {"{'points': {'at': [{'x': 9, 'y': 9, 'z': 13}, {'x': 9, 'y': 9, 'z': 12}], 'values': [[2e4, 6e4]], "
         "'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}}",
         0.25},
        // 2 s of 1 + 1 s of 8 in all: rows of power.
        {"{'points': {'at': [{'x': 1, 'y': 9, 'z': 9}, {'x': 12, 'y': 9, 'z': 9}], 'values': [[8e4, 1e4], "
         "[0, "
         "1e4]], 'units': 'W m-3', 'times': ['0 s', '1 s'], 'after_end': 'last'}}",
         0.8},
        // Linear: 4 in the mean, beside 1.
        {"{'points': {'at': [{'x': 1, 'y': 9, 'z': 9}, {'x': 12, 'y': 9, 'z': 9}], 'values': [[8e4, 1e4], "
         "[0, "
         "1e4]], 'units': 'W m-3', 'times': ['0 s', '2 s'], 'between': 'linear'}}",
         0.8},
        // Only what lies in the run: 1 of the 4 s of the second energy.
        {"{'points': {'at': [{'x': 1, 'y': 9, 'z': 9}, {'x': 12, 'y': 9, 'z': 9}], 'values': [[0, 3e4], "
         "[4e4, "
         "0]], 'units': 'J m-3', 'times': ['0 s', '1 s', '5 s'], 'after_end': 'zero'}}",
         0.25},
        // One row a step: steps 0, 1, and eight times the last; energies likewise.
        {"{'points': {'at': [{'x': 1, 'y': 9, 'z': 9}, {'x': 12, 'y': 9, 'z': 9}], 'values': [[4e4, 1e4], "
         "[0, "
         "0], [1e4, 1e4]], 'units': 'W m-3', 'rows': 'steps', 'after_end': 'last'}}",
         12.0 / 21},
        {"{'points': {'at': [{'x': 1, 'y': 9, 'z': 9}, {'x': 12, 'y': 9, 'z': 9}], 'values': [[4e3, 1e3], "
         "[0, "
         "3e3]], 'units': 'J m-3', 'rows': 'steps', 'after_end': 'zero'}}",
         0.5},
        // Cooling is lost in the same way.
        {"{'points': {'at': [{'x': 1, 'y': 9, 'z': 9}, {'x': 12, 'y': 9, 'z': 9}], 'values': [[-1e4, 1e4]], "
         "'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}}",
         0.5},
        // Half of it; and a box of four planes, of which one is in the layer, with points beside it.
        {"{'boxes': {'at': [{'first': {'x': 0, 'y': 7, 'z': 7}, 'last': {'x': 3, 'y': 10, 'z': 11}}], "
         "'values': [[1e4]], 'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}}",
         0.5},
        {"{'boxes': {'at': [{'first': {'x': 9, 'y': 7, 'z': 10}, 'last': {'x': 10, 'y': 8, 'z': 13}}], "
         "'values': [[1e4]], 'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}, 'points': {'at': "
         "[{'x': "
         "9, 'y': 9, 'z': 9}], 'values': [[4e4]], 'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}}",
         4.0 / 20},
        // z = 3 of x, y = 0 … 5: air where y < 5; of the other row two cells in layers of x.
        {"{'boxes': {'at': [{'first': {'x': 0, 'y': 4, 'z': 3}, 'last': {'x': 5, 'y': 5, 'z': 3}}], "
         "'values': [[1e4]], 'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}}",
         2.0 / 6},
        {"{'points': {'file': 'points.nc', 'at': 'cells', 'values': 'q'}}", 8.0 / 10},
    };
    write_points("points.nc");
    for (size_t k = 0; k < COUNT(rows); k++)
        assert_share(job_with(rows[k].source), rows[k].share, false);
}

// The absolute value of a line that passes 0 is no line.
TEST(values_that_change_their_sign_do_not_cancel)
{
    static const struct {
        const char *source;
        double share;
    } rows[] = {
        // Linear through 0: 8 to -8 is 4 in the mean, and 0 to -8 in the first of two halves, too.
        {"{'points': {'at': [{'x': 1, 'y': 9, 'z': 9}, {'x': 12, 'y': 9, 'z': 9}], 'values': [[8e4, 1e4], "
         "[-8e4, 1e4]], 'units': 'W m-3', 'times': ['0 s', '2 s'], 'between': 'linear'}}",
         0.8},
        {"{'points': {'at': [{'x': 1, 'y': 9, 'z': 9}, {'x': 12, 'y': 9, 'z': 9}], 'values': [[8e4, 1e4], "
         "[-8e4, 1e4]], 'units': 'W m-3', 'times': ['-2 s', '2 s'], 'between': 'linear'}}",
         0.8},
        // 3 to -1 in 1 s is 10/8, then held.
        {"{'points': {'at': [{'x': 1, 'y': 9, 'z': 9}, {'x': 12, 'y': 9, 'z': 9}], 'values': [[3e4, 1e4], "
         "[-1e4, 1e4]], 'units': 'W m-3', 'times': ['0 s', '1 s'], 'between': 'linear', 'after_end': "
         "'last'}}",
         2.25 / 4.25},
    };
    for (size_t k = 0; k < COUNT(rows); k++)
        assert_share(job_with(rows[k].source), rows[k].share, false);
}

TEST(a_map_of_all_tissue_loses_the_layers_cells)
{
    static const char *const sources[] = {"{'maps': {'all': {'file': 'all.nc'}}}",
                                          "{'maps': {'all': {'file': 'all.nc', 'values': 'means'}}}",
                                          "{'maps': {'all': {'file': 'all.nc', 'amplitude': -0.5}}}",
                                          "{'maps': {'all': {'file': 'all.nc', 'amplitude': 'p'}, 'twice': "
                                          "{'file': 'all.nc', 'amplitude': 2}}, "
                                          "'protocols': {'p': {'on': '1 s'}}}"};
    write_map("all.nc", 1e4);
    for (size_t k = 0; k < COUNT(sources); k++)
        for (int method = 0; method < 2; method++)
            assert_share(cli_change(job_with(sources[k]), "method = '%s'", method ? "rkl2" : "euler"),
                         uniform_share(), false);
}

// A map and a box of 20 cells far from the faces: heat over the run, not the peak. The factor's mean over the
// run is `factor`.
TEST(the_share_is_that_of_the_heat_over_the_run)
{
    static const struct {
        const char *amplitude;
        double factor;
    } rows[] = {
        {"amplitude = 0.25", 0.25},
        {"amplitude = 'p'; source.protocols.p = {'on': '0.5 s', 'ramp_up': '0.2 s', 'amplitude': 3}", 0.6},
        {"amplitude = 'p'; source.protocols.p = {'prf': '10 Hz', 'duty_cycle': 0.3, 'train': '1 s', "
         "'repetitions': 2, 'inter_train_interval': '0.5 s'}",
         0.225},
        {"amplitude = 't'; source.tables.t = {'times': ['0 s', '1 s', '2 s'], 'values': [0, 2, 0]}", 1},
        {"amplitude = 't'; source.tables.t = {'times': ['0 s', '1 s', '2 s'], 'values': [-2, 2, 2]}", 1.5},
        {"amplitude = 't'; source.tables.t = {'times': ['-0.5 s', '3.5 s'], 'values': [-1, 3]}", 0.625},
        {"amplitude = 't'; source.tables.t = {'times': ['0 s', '0.4 s', '3 s'], 'values': [-1, 0.5], "
         "'between': 'stepwise'}",
         0.6},
    };
    write_map("all.nc", 1e3);
    for (size_t k = 0; k < COUNT(rows); k++) {
        cJSON *job =
            job_with("{'maps': {'all': {'file': 'all.nc'}}, 'boxes': {'at': [{'first': {'x': 9, 'y': 7, "
                     "'z': 7}, 'last': {'x': 12, 'y': 11, 'z': 7}}], 'values': [[1e5]], 'units': 'W "
                     "m-3', 'times': ['0 s'], 'after_end': 'last'}}");
        const double all = 1e3 * rows[k].factor * tissue_cells(), box = 20 * 1e5;
        assert_share(cli_change(job, "source.maps.all.%s", rows[k].amplitude),
                     uniform_share() * all / (all + box), false);
    }
}

// Records act over times, or as means of steps, or in their own step; a box beside them adds to the heat.
TEST(a_stream_is_summed_during_the_run)
{
    static const char box[] =
        "'boxes': {'at': [{'first': {'x': 9, 'y': 7, 'z': 7}, 'last': {'x': 12, 'y': 11, "
        "'z': 7}}], 'values': [[1e5]], 'units': 'W m-3', 'times': ['0 s'], "
        "'after_end': 'last'}";
    static const struct {
        const char *stream;
        double mean_w_m3;
    } rows[] = {
        {"'file': 'slow.nc'", 2e3},
        {"'file': 'slow.nc', 'in_memory': true", 2e3},
        {"'file': 'slow.nc', 'between': 'stepwise', 'after_end': 'last', 'amplitude': -1", 2e3},
        {"'file': 'fast.nc', 'amplitude': 2, 'after_end': 'last'", 2e3},
        {"'file': 'fast.nc', 'in_memory': true, 'after_end': 'last'", 1e3},
        {"'file': 'slow.nc', 'rows': 'steps', 'after_end': 'last'", (1e3 + 3e3 + 8 * 1e3) / 10},
        // 1 to -1 in the first second, -1 to 3 in the next: 1/2 and (1 + 9)/8.
        {"'file': 'signs.nc'", 875},
        {"'file': 'signs.nc', 'in_memory': true, 'amplitude': -2", 1750},
        // The run is the second half of a line of 4 s, then one of 3 s.
        {"'file': 'cut.nc', 'start': '-2 s'", 500},
        // Records of opposite sign each half step, of which some lie within steps.
        {"'file': 'waves.nc', 'after_end': 'last'", 500},
        {"'file': 'waves.nc', 'after_end': 'last', 'in_memory': true", 500},
        {"'file': 'waves.nc', 'between': 'stepwise', 'after_end': 'last'", 1e3},
    };
    double waves[41];
    double fast[41];
    for (size_t k = 0; k < COUNT(fast); k++) {
        fast[k] = k % 2 ? 2e3 : 0; // at ends of steps 0: the mean is half of it
        waves[k] = k % 2 ? -1e3 : 1e3;
    }
    write_stream("signs.nc", 3, 1, (double[]){1e3, -1e3, 3e3});
    write_stream("cut.nc", 2, 4, (double[]){1e3, -1e3});
    write_stream("waves.nc", COUNT(waves), 0.08, waves);
    write_stream("slow.nc", 3, 1, (double[]){1e3, 3e3, 1e3});
    write_stream("fast.nc", COUNT(fast), 0.05, fast);
    for (size_t k = 0; k < COUNT(rows); k++)
        for (int precision = 0; precision < 2; precision++) {
            cJSON *job = job_with("{}");
            cli_change(job, "precision = '%s'; source = {'stream': {%s}, %s}",
                       precision ? "double" : "single", rows[k].stream, box);
            const double all = rows[k].mean_w_m3 * tissue_cells(), other = 20 * 1e5;
            assert_share(job, uniform_share() * all / (all + other), false);
            cli_save_job(job);
            assert_null(strstr(cli_do("plan job.json")->error, "domain.faces"));
        }
}

// Full fields: a cell without conductivity is void, one of infinite specific heat keeps its temperature.
// Where y = 0 … 4 nothing is tissue.
TEST(full_fields_count_tissue_alone)
{
    static double conductivity[CELLS], specific_heat[CELLS], density[CELLS];
    static const char *const sources[] = {"{'maps': {'all': {'file': 'all.nc'}}}",
                                          "{'stream': {'file': 'slow.nc'}}"};
    int dimensions[3];
    double all = 0, layers = 0;
    for (size_t k = 0; k < CELLS; k++) {
        const size_t z = k / NX / NY, y = k / NX % NY, x = k % NX;
        conductivity[k] = y < 3 ? 0 : 0.5;
        specific_heat[k] = y == 3 || y == 4 ? INFINITY : 3600;
        density[k] = 1000;
        all += y > 4;
        layers += y > 4 && is_in_layer(z, y, x);
    }
    const int file = make_file(cli_path("media.nc"), NC_NETCDF4);
    define_space(file, dimensions);
    make_field(file, "density", "kg m-3", 3, dimensions, density);
    make_field(file, "specific_heat", "J kg-1 K-1", 3, dimensions, specific_heat);
    make_field(file, "conductivity", "W m-1 K-1", 3, dimensions, conductivity);
    NC(nc_close(file));
    write_map("all.nc", 1e4);
    write_stream("slow.nc", 3, 1, (double[]){1e3, 3e3, 1e3});
    for (size_t k = 0; k < COUNT(sources); k++)
        assert_share(
            cli_change(job_with(sources[k]),
                       "delete tissues; delete output.sensors; domain = {'fields': {'file': 'media.nc', "
                       "'density': 'density', 'specific_heat': 'specific_heat', 'conductivity': "
                       "'conductivity'}}"),
            layers / all, false);
}

// Sums of steps that a stopped run has taken are in its checkpoint.
static void assert_same_share(const char *what)
{
    const double share = cli_run_number("whole", "source.fixed_layers_share");
    if (!(share > 0 && cli_run_number("out", "source.fixed_layers_share") == share))
        fail_msg("%s: the share is not that of the whole run, %.17g", what, share);
}

TEST(a_stream_is_summed_across_a_stop)
{
    static const char source[] =
        "{'stream': {'file': 'slow.nc'}, 'points': {'at': [{'x': 9, 'y': 9, 'z': 9}], "
        "'values': [[1e6]], 'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}}";
    write_stream("slow.nc", 3, 20, (double[]){1e3, 3e3, 1e3});
    cJSON *job = cli_change(job_with(source), "time.duration = '40 s'");
    for (int in_memory = 0; in_memory < 2; in_memory++) {
        cli_change(job, "source.stream.in_memory = %s", in_memory ? "true" : "false");
        stopped_run(job, in_memory ? "in memory" : "streamed", 20, assert_same_share);
    }
}

// Which faces lose heat, for each kind of source; a share below 1 % is told and judged.
TEST(other_faces_lose_nothing)
{
    static const char all_sources[] =
        "{'stream': {'file': 'slow.nc', 'amplitude': 0.5}, 'maps': {'all': {'file': 'all.nc'}}, 'points': "
        "{'at': [{'x': 1, 'y': 9, 'z': 9}], 'values': [[1e3]], 'units': 'W m-3', 'times': ['0 s'], "
        "'after_end': "
        "'last'}, 'boxes': {'at': [{'first': {'x': 0, 'y': 7, 'z': 7}, 'last': {'x': 3, 'y': 10, 'z': 11}}], "
        "'values': [[1e3]], 'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}}";
    static const char *const kinds[] = {
        "{'all': {'kind': 'insulated'}}",
        "{'all': {'kind': 'convective', 'transfer': '10 W m-2 K-1', 'outside': '37 degC'}}",
        "{'all': {'kind': 'periodic'}}",
        "{'all': {'kind': 'insulated'}, 'x_low': {'kind': 'periodic'}, 'x_high': {'kind': 'periodic'}}"};
    write_stream("slow.nc", 3, 1, (double[]){1e3, 3e3, 1e3});
    write_map("all.nc", 1e3);
    for (size_t k = 0; k < COUNT(kinds); k++)
        assert_share(cli_change(job_with(all_sources), "domain.faces = %s", kinds[k]), 0, true);
    // Fixed by the job's own word: what is lost is the same.
    assert_share(cli_change(job_with("{'maps': {'all': {'file': 'all.nc'}}}"),
                            "domain.faces = {'all': {'kind': 'fixed'}}"),
                 uniform_share(), false);
    assert_share(
        cli_change(job_with("{'stream': {'file': 'slow.nc'}}"), "domain.faces = {'all': {'kind': 'fixed'}}"),
        uniform_share(), false);
    // 1 of 200 and 1 of 2000 parts.
    const char *points =
        "{'points': {'at': [{'x': 1, 'y': 9, 'z': 9}, {'x': 12, 'y': 9, 'z': 9}], 'values': [[1e2, "
        "%g]], 'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}}";
    char source[512];
    for (double others = 199; others < 2000; others += 1800) {
        snprintf(source, sizeof source, points, 1e2 * others);
        assert_share(job_with(source), 1 / (1 + others), true);
    }
}

// Cells that are listed six times, each with a sixth of the heat, are as hot as if they were listed once: in
// the rise in the layers and inside, in the step, and in the estimates of errors.
TEST(points_of_one_cell_add_up)
{
    const char *numbers[] = {"source.fixed_layers_rise_k", "source.solved_cells_rise_k", "steps",
                             "physics.step_error_estimate_k", "physics.switch_error_estimate_k"};
    double once[COUNT(numbers)];
    for (size_t listed = 1; listed <= 6; listed += 5) {
        char cells[512] = "", values[512] = "";
        for (size_t k = 0; k < listed; k++) {
            const char *comma = k > 0 ? ", " : "";
            snprintf(cells + strlen(cells), sizeof cells - strlen(cells),
                     "%s{'x': 1, 'y': 9, 'z': 9}, {'x': 12, 'y': 9, 'z': 9}", comma);
            snprintf(values + strlen(values), sizeof values - strlen(values), "%s%.17g, %.17g", comma,
                     6e5 / (double)listed, 4e6 / (double)listed);
        }
        char source[sizeof cells + sizeof values + 200];
        snprintf(source, sizeof source,
                 "{'points': {'at': [%s], 'values': [[%s]], 'units': 'W m-3', 'times': ['0 s', '1.1 s'], "
                 "'after_end': 'zero'}}",
                 cells, values);
        cJSON *job =
            cli_change(bioheat_job(),
                       "time = {'duration': '2 s'}; delete output.state; delete output.fields; delete "
                       "domain.faces; precision = 'double'; method = 'rkl2'; source = %s",
                       source);
        cli_assert_done(cli_rerun(job));
        const cJSON *run = cli_read_json("out/run.json");
        for (size_t k = 0; k < COUNT(numbers); k++)
            if (listed == 1)
                once[k] = cli_json_number(run, numbers[k]);
            else
                assert_near(numbers[k], cli_json_number(run, numbers[k]), once[k], 1e-9);
    }
    assert_true(once[0] > 0.01 && once[1] > 0.01 && once[2] > 1 && once[3] > 1e-3);
}

// Brain, of which 1 K takes so many J/m3 (data/tissues.json); a box of 14 x 10 x 4 cells inside, and one cell
// in a layer, whose share of the heat is at most 0.2 %.
static const double brain_j_m3_k = 1046 * 3630.0;

static bool is_in_box(size_t z, size_t y, size_t x)
{
    return z >= 7 && z <= 10 && y >= 4 && y <= 13 && x >= 5 && x <= 18;
}

// The same two in a map ("spot.nc"), and in two records of a stream ("spots.nc"), W/m3.
static void write_spot(double spot_w_m3, double box_w_m3)
{
    static double cells[2 * CELLS];
    int space[3], dimensions[4];
    for (size_t k = 0; k < 2 * CELLS; k++) {
        const size_t z = k % CELLS / NX / NY, y = k / NX % NY, x = k % NX;
        cells[k] = z == 9 && y == 9 && x == 1 ? spot_w_m3 : is_in_box(z, y, x) ? box_w_m3 : 0;
    }
    int file = make_file(cli_path("spot.nc"), NC_NETCDF4);
    define_space(file, space);
    make_field(file, "q", "W m-3", 3, space, cells);
    NC(nc_close(file));
    file = make_file(cli_path("spots.nc"), NC_NETCDF4);
    dimensions[0] = make_axis(file, "time", "s", 2, (double[]){0, 2});
    define_space(file, space);
    memcpy(dimensions + 1, space, sizeof space);
    make_field(file, "q", "W m-3", 4, dimensions, cells);
    NC(nc_close(file));
}

static void assert_spot(const char *source, double spot_k, double box_k, bool is_told, bool is_judged)
{
    cJSON *job = cli_change(job_with(source), "precision = 'double'; method = 'euler'");
    cli_assert_done(cli_rerun(job));
    const cJSON *run = cli_read_json("out/run.json");
    assert_near("rise of the spot", cli_json_number(run, "source.fixed_layers_rise_k"), spot_k, 1e-9);
    assert_near("rise inside", cli_json_number(run, "source.solved_cells_rise_k"), box_k, 1e-9);
    assert_true(cli_json_number(run, "source.fixed_layers_share") < 2e-3);
    assert_int_equal(cli_has_warning("out", "domain.faces: ", "keep their temperature: it warms nothing"),
                     is_told);
    const char *verdict = cli_text(run, "findings.0.verdict"),
               *expected = is_judged ? "passed" : "not judged";
    if (strcmp(verdict, expected) != 0)
        fail_msg("%s: %g K in a layer, %g K inside: %s", source, spot_k, box_k, verdict);
    if (!is_judged)
        assert_has(cli_text(run, "findings.0.message"), "enough to warm a cell there by ");
}

// What the heat of 2 s would do if nothing carried it away.
TEST(a_hot_spot_in_the_layers_is_not_judged)
{
    static const struct {
        double spot_k, box_k;
        bool is_told, is_judged;
    } rows[] = {
        {0.09, 0.09, true, true}, // negligible, and 0.18 % of the heat
        {0.09, 1, false, true},   // nothing to tell
        {0.15, 1, true, true},    // less than a fifth of the hottest
        {0.3, 1, true, false},    // more
        {1.05, 5.5, true, false}, // less than a fifth, but 1 K
        {0.95, 5.5, true, true},
    };
    static const char *const sources[] = {
        "{'maps': {'a': {'file': 'spot.nc'}}}", "{'stream': {'file': 'spots.nc'}}",
        "{'stream': {'file': 'spots.nc', 'between': 'stepwise', 'after_end': 'last', 'amplitude': 1}}", NULL};
    for (size_t k = 0; k < COUNT(rows); k++) {
        const double spot_w_m3 = rows[k].spot_k * brain_j_m3_k / 2,
                     box_w_m3 = rows[k].box_k * brain_j_m3_k / 2;
        char places[512];
        snprintf(
            places, sizeof places,
            "{'points': {'at': [{'x': 1, 'y': 9, 'z': 9}], 'values': [[%.17g]], 'units': 'W m-3', 'times': "
            "['0 s'], 'after_end': 'last'}, 'boxes': {'at': [{'first': {'x': 5, 'y': 4, 'z': 7}, 'last': "
            "{'x': 18, 'y': 13, 'z': 10}}], 'values': [[%.17g]], 'units': 'W m-3', 'times': ['0 s'], "
            "'after_end': 'last'}}",
            spot_w_m3, box_w_m3);
        write_spot(spot_w_m3, box_w_m3);
        for (size_t n = 0; n < COUNT(sources); n++)
            assert_spot(sources[n] ? sources[n] : places, rows[k].spot_k, rows[k].box_k, rows[k].is_told,
                        rows[k].is_judged);
    }
}

// A block of brain of 30 cells of 1 mm each way, of which 3 x 4 x 4 are heated from cell `first` of x on, for
// 60 s: beside the layers (cells 0, 1) and far from them, √(4Dt) = 6 mm. With insulated faces nothing is
// carried off. Of 0.5 K what was carried off leaves a pass, of 1 K it does not.
TEST(heat_that_fixed_faces_carry_off_is_not_judged)
{
    static const struct {
        size_t first;
        double heat_w_m3;
        const char *face;
        bool is_told, is_judged;
    } rows[] = {{2, 2e5, "fixed", true, true},   {2, 4e5, "fixed", true, false},
                {3, 2e5, "fixed", true, true},   {3, 4e5, "fixed", true, false},
                {13, 4e5, "fixed", false, true}, {2, 4e5, "insulated", false, true}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        cJSON *job = cli_json(
            "{'fathom': 1, 'model': 'bioheat', 'backend': 'openmp', 'domain': {'uniform': {'tissue': "
            "'brain', "
            "'cells': {'x': 30, 'y': 30, 'z': 30}, 'spacing': '1 mm'}, 'faces': {'all': {'kind': '%s'}}}, "
            "'method': 'rkl2', 'source': {'boxes': {'at': [{'first': {'x': %zu, 'y': 13, 'z': 13}, 'last': "
            "{'x': %zu, 'y': 16, 'z': 16}}], 'times': ['0 s', '60 s'], 'values': [[%g]], 'units': 'W m-3', "
            "'after_end': 'zero'}}, 'time': {'duration': '60 s'}, 'output': {'directory': 'out', 'state': "
            "true}}",
            rows[k].face, rows[k].first, rows[k].first + 2, rows[k].heat_w_m3);
        size_t count;
        cli_assert_done(cli_rerun(job));
        const cJSON *run = cli_read_json("out/run.json");
        assert_true(cli_json_number(run, "source.fixed_layers_share") == 0);
        assert_int_equal(cli_has_warning("out", "domain.faces: ", "faces carry off heat"), rows[k].is_told);
        assert_string_equal(cli_text(run, "findings.0.verdict"), rows[k].is_judged ? "passed" : "not judged");
        if (!rows[k].is_judged)
            assert_has(cli_text(run, "findings.0.message"),
                       "with more tissue beyond the faces that carry heat off, x_low most");
        assert_true(cli_read_variable("out/state.nc", "lacking", &count, NULL)[0] ==
                    (rows[k].is_judged ? 0 : 2048));
    }
}

// A dose within its level is no pass where nothing shows how warm it became beside the layers.
TEST(a_dose_alone_does_not_pass_between_fixed_faces)
{
    static const struct {
        const char *change;
        bool is_judged;
    } rows[] = {{"output.maxima = false", false},
                {"output.maxima = true", true},
                {"output.maxima = false; domain.faces = {'all': {'kind': 'insulated'}}", true}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        cli_assert_done(cli_rerun(cli_change(
            job_with(
                "{'boxes': {'at': [{'first': {'x': 11, 'y': 8, 'z': 8}, 'last': {'x': 12, 'y': 9, 'z': 8}}], "
                "'values': [[1e4]], 'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}}"),
            "dose.definition = 'cem43'; %s", rows[k].change)));
        const cJSON *run = cli_read_json("out/run.json");
        assert_string_equal(cli_text(run, "findings.0.verdict"), rows[k].is_judged ? "passed" : "not judged");
        if (!rows[k].is_judged)
            assert_has(cli_text(run, "findings.0.message"), "is not known without output.maxima");
    }
}

// Air and plates of fixed temperature take heat that nothing else gets.
TEST(heat_in_cells_that_are_not_solved_is_told)
{
    static const char places[] = "{'points': {'at': [{'x': 1, 'y': 1, 'z': 1}, {'x': 12, 'y': 9, 'z': 9}], "
                                 "'values': [[%g, %g]], 'units': "
                                 "'W m-3', 'times': ['0 s'], 'after_end': 'last'}}";
    static const double all = NX * NY * NZ, air = 120, skin = NX * NY * 3 - 90;
    const struct {
        const char *source, *change;
        double air_w_m3, tissue_w_m3, share;
    } rows[] = {
        {places, "title = 'places'", 5, 1e4, 5 / (1e4 + 5)},
        {places, "title = 'places'", 400, 9600, 0.04},
        {places, "title = 'places'", 600, 9400, 0.06},
        {places, "title = 'places'", 1000, 0, 1},
        {"{'maps': {'a': {'file': 'all.nc'}}}", "title = 'map'", 0, 0, air / all},
        {"{'stream': {'file': 'slow.nc'}}", "title = 'stream'", 0, 0, air / all},
        {"{'stream': {'file': 'slow.nc'}}", "tissues.fixed_temperature = [1]", 0, 0, (air + skin) / all},
        {"{'maps': {'a': {'file': 'all.nc'}}}", "tissues.fixed_temperature = [1]", 0, 0, (air + skin) / all},
    };
    write_map("all.nc", 1e3);
    write_stream("slow.nc", 3, 1, (double[]){1e3, 3e3, 1e3});
    for (size_t k = 0; k < COUNT(rows); k++) {
        char source[512];
        snprintf(source, sizeof source, rows[k].source, rows[k].air_w_m3, rows[k].tissue_w_m3);
        cli_assert_done(cli_rerun(cli_change(
            job_with(source), "domain.faces = {'all': {'kind': 'insulated'}}; %s", rows[k].change)));
        const cJSON *run = cli_read_json("out/run.json");
        assert_near("share", cli_json_number(run, "source.unsolved_share"), rows[k].share, near);
        assert_int_equal(cli_has_warning("out", "source: ", "void cells (air) or cells of fixed temperature"),
                         rows[k].share >= 1e-3);
        assert_string_equal(cli_text(run, "findings.0.verdict"),
                            rows[k].share < 0.05 ? "passed" : "not judged");
        if (rows[k].share >= 0.05)
            assert_has(cli_text(run, "findings.0.message"),
                       "of the source's heat lies in air or cells of fixed temperature");
    }
}

// Known before the run, so that a plan says it; `check.itrusst` then fails the run.
TEST(a_plan_tells_it_and_a_check_fails_of_it)
{
    write_points("points.nc");
    write_map("all.nc", 1e4);
    static const char *const sources[] = {
        "{'maps': {'all': {'file': 'all.nc', 'amplitude': 30}}}",
        "{'points': {'file': 'points.nc', 'at': 'cells', 'values': 'q'}}",
        "{'boxes': {'at': [{'first': {'x': 0, 'y': 7, 'z': 7}, 'last': {'x': 3, 'y': 10, 'z': 11}}], "
        "'values': "
        "[[3e5]], 'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}}"};
    for (size_t k = 0; k < COUNT(sources); k++) {
        cli_save_job(cli_change(job_with(sources[k]), "delete dose; check.itrusst = true"));
        assert_has(cli_do("plan job.json")->error,
                   "% of the heat that the source gives to tissue lies in the two layers of cells at fixed "
                   "faces, which keep their temperature: it warms nothing, and thermal safety is not judged");
        cli_assert_error(cli_run("run -q --restart job.json"), 1, true, "check.itrusst", "not judged",
                         "layers of fixed faces");
    }
}

// A block of brain of 20 cells of 1 mm each way between faces, all of it heated, and 4 cells each way in the
// middle more, for 300 s.
static cJSON *block_job(const char *face, double all_w_m3, double middle_w_m3)
{
    return cli_json(
        "{'fathom': 1, 'model': 'bioheat', 'backend': 'openmp', 'domain': {'uniform': {'tissue': 'brain', "
        "'cells': {'x': 20, 'y': 20, 'z': 20}, 'spacing': '1 mm'}, 'faces': {'all': {'kind': '%s'}}}, "
        "'method': 'rkl2', 'source': {'boxes': {'at': [{'first': {'x': 0, 'y': 0, 'z': 0}, 'last': {'x': 19, "
        "'y': 19, 'z': 19}}, {'first': {'x': 8, 'y': 8, 'z': 8}, 'last': {'x': 11, 'y': 11, 'z': 11}}], "
        "'values': [[%.17g, %.17g]], 'units': 'W m-3', 'times': ['0 s'], 'after_end': 'last'}}, 'time': "
        "{'duration': '300 s'}, 'output': {'directory': 'out'}}",
        face, all_w_m3, middle_w_m3);
}

// The heat of the layers would warm nothing by more than their hottest cell. A pass that holds with that, and
// with what the faces carry off, stays one, as with insulated faces; the sum decides. Points may move: the
// share decides.
TEST(a_pass_that_holds_with_the_rise_of_the_layers_stays_one)
{
    const double all_w_m3 = 1e3, rise_k = all_w_m3 * 300 / brain_j_m3_k, trial_w_m3 = 1e5;
    cli_assert_done(cli_rerun(block_job("fixed", all_w_m3, trial_w_m3)));
    const double found_k = cli_run_number("out", "thermal_safety.tissues.0.largest_rise_k");
    const struct {
        const char *face;
        double largest_k; // about
        bool has_point, is_judged;
    } rows[] = {{"fixed", 0.3, false, true},
                {"insulated", 0.3, false, true},
                {"fixed", 0.3, true, false},
                {"fixed", 1.96, false, false},
                {"insulated", 1.8, false, true}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        cJSON *job = block_job(rows[k].face, all_w_m3, rows[k].largest_k * trial_w_m3 / found_k);
        if (rows[k].has_point)
            cli_change(job, "source.points = {'at': [{'x': 1, 'y': 9, 'z': 9}], 'values': [[1]], 'units': "
                            "'W m-3', 'times': ['0 s'], 'after_end': 'last'}");
        cli_assert_done(cli_rerun(job));
        const cJSON *run = cli_read_json("out/run.json");
        if (strcmp(rows[k].face, "fixed") == 0) {
            assert_true(cli_json_number(run, "source.fixed_layers_share") > 0.01);
            assert_near("rise", cli_json_number(run, "source.fixed_layers_rise_k"), rise_k, 1e-4);
            assert_true(cli_json_number(run, "thermal_safety.tissues.0.largest_rise_k") < 2);
        }
        if (strcmp(cli_text(run, "findings.0.verdict"), rows[k].is_judged ? "passed" : "not judged") != 0)
            fail_msg("row %zu: %s", k, cli_text(run, "findings.0.message"));
    }
}
