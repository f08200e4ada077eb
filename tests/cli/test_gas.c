// A gas job from end to end: its files, read by other programs too; diagnostics that follow from the
// particles; what run.json states about stages, lists, regions and energy; checks, the same bits, and a run
// that starts from another's end; what ends a run.
#include "tests/support/gas_job.h"
#include "tests/support/numbers.h"
#include "tests/support/particle_results.h"
#include "tests/support/test.h"

enum { N = GAS_JOB_PARTICLES, FRAMES = GAS_JOB_FRAMES, RECORDS = GAS_JOB_RECORDS, AXES = GAS_JOB_AXES };

#define REGIONS                                                                                              \
    "{'name': 'cells', 'regions': {'columns': 10, 'rows': 10, 'near': 2, 'far': 4, "                         \
    "'order': 1}}"

// ---- files

static const struct particle_results files = {N, FRAMES, RECORDS, 0.0625, 0.03125};

TEST(test_files)
{
    cli_run_job(gas_job());
    assert_particle_files(&files);
    const double *masses = cli_read_values("out/trajectory.nc", "mass", N),
                 *all = cli_read_values("out/trajectory.nc", "coordinates", FRAMES * N * AXES),
                 *velocities = cli_read_values("out/trajectory.nc", "velocities", FRAMES * N * AXES);
    for (size_t k = 0; k < N; k++)
        assert_true(masses[k] == 1);
    for (size_t k = 2; k < FRAMES * N * AXES; k += AXES)
        assert_true(all[k] == 0 && velocities[k] == 0); // a plane
}

TEST(test_other_programs_read_them)
{
    cli_run_job(cli_change(gas_job(), "output.structure = {'every': 0.125, 'bins': 40, 'speed_bins': 30}"));
    cli_assert_tool(cli_run_tool(
        "/usr/bin/python3", "-W", "ignore", "-c",
        "import sys\n"
        "try:\n"
        "    import numpy, xarray, netCDF4\n"
        "    from mdtraj.formats import NetCDFTrajectoryFile\n"
        "    from scipy.io import netcdf_file\n"
        "except ImportError as missing:\n"
        "    print(missing); sys.exit(77)\n"
        "t = xarray.open_dataset('out/trajectory.nc', decode_times=False)\n"
        "d = xarray.open_dataset('out/diagnostics.nc')\n" // decoded: a time of reduced units has no calendar
        "s = xarray.open_dataset('out/structure.nc')\n"
        "f = xarray.open_dataset('out/final.nc')\n"
        "assert t.coordinates.dims == ('frame', 'atom', 'spatial')\n"
        "assert d.momentum.dims == ('time', 'spatial')\n"
        "assert s.radial_distribution.dims == ('time', 'radius')\n"
        "assert float(s.radial_distribution.sel(radius=0.5, method='nearest')[0]) == 0\n"
        "assert s.speed_density.shape == (3, 30) and s.maxwell.shape == (30,)\n"
        "assert float(abs(t.coordinates[-1] - f.coordinates).max()) == 0\n"
        "assert netCDF4.Dataset('out/trajectory.nc').data_model == 'NETCDF3_64BIT_OFFSET'\n"
        "x = netcdf_file('out/trajectory.nc', mmap=False).variables['coordinates']\n" // a reader of its own
        "assert (x[2] == t.coordinates[2].values).all()\n"
        "m = NetCDFTrajectoryFile('out/trajectory.nc')\n"
        "assert m.n_atoms == 400 and len(m) == 5\n"
        "xyz, time, lengths, angles = m.read()\n"
        "assert numpy.allclose(xyz, t.coordinates.values, rtol=1e-6)\n",
        NULL));
}

TEST(test_some_particles_in_single)
{
    assert_some_particles(gas_job(), &files);
}

// ---- diagnostics: from the particles of a frame and the potentials' formulas alone

struct law {
    double (*potential)(double r);
    bool is_periodic;
    double gravity, stiffness;       // downwards; of the walls
    double degrees, set_temperature; // of freedom; 0: no thermostat
};

static double lennard_jones_whole(double r)
{
    return 4 * (pow(r, -12) - pow(r, -6));
}

static double lennard_jones(double r)
{
    return r < 2.5 ? lennard_jones_whole(r) - lennard_jones_whole(2.5) : 0;
}

static double force_shifted(double r)
{
    const double slope = -4 * (12 * pow(2.5, -13) - 6 * pow(2.5, -7));
    return r < 2.5 ? lennard_jones(r) - (r - 2.5) * slope : 0;
}

// A = 0.1, A₂ = 3, R = 3.1, r_c = 1.6.
static double condensing_at(double s)
{
    const double end = 1.6 * 1.6;
    return 0.05 * log(s) + (s < end ? 1.55 * (1 / s - 1 / end) + 1.5 * log(s / end) : 0);
}

static double condensing(double r)
{
    return condensing_at(r * r);
}

static double softened(double r)
{
    return condensing_at(r * r + 0.2 * 0.2);
}

static double logarithm(double r)
{
    return 0.3 * log(r);
}

struct sums {
    double kinetic, potential, virial, momentum[2];
};

// −r dU/dr, numerically.
static double virial_of(double (*potential)(double r), double r)
{
    const double h = 1e-6 * r;
    return -r * (potential(r + h) - potential(r - h)) / (2 * h);
}

static struct sums sum_particles(const struct law *law, const double *x, const double *v, double box)
{
    struct sums sums = {.kinetic = 0};
    for (size_t i = 0; i < N; i++) {
        const double *xi = x + AXES * i, *vi = v + AXES * i;
        sums.kinetic += 0.5 * (vi[0] * vi[0] + vi[1] * vi[1]);
        sums.potential += law->gravity * xi[1];
        for (size_t k = 0; k < 2; k++) {
            const double depth = fmax(fmax(-xi[k], xi[k] - box), 0);
            sums.momentum[k] += vi[k];
            sums.potential += law->stiffness * depth * depth / 2;
        }
        for (size_t j = 0; j < i; j++) {
            const double *xj = x + AXES * j;
            double r[2] = {xi[0] - xj[0], xi[1] - xj[1]};
            for (size_t k = 0; k < 2 && law->is_periodic; k++)
                r[k] -= box * round(r[k] / box);
            const double distance = hypot(r[0], r[1]);
            sums.potential += law->potential(distance);
            sums.virial += virial_of(law->potential, distance);
        }
    }
    return sums;
}

// Of each record that a frame of the trajectory stands beside. `potential_tolerance`: of the pairs' sum.
static void assert_diagnostics(const char *name, const struct law *law, double potential_tolerance)
{
    static const char *const scalars[] = {"energy_kinetic", "energy_potential", "temperature",
                                          "pressure",       "energy_total",     "energy_change"};
    enum { KINETIC, POTENTIAL, TEMPERATURE, PRESSURE, TOTAL, CHANGE, SCALARS };
    const double box = sqrt(N / 0.5), area = box * box;
    double *s[SCALARS];
    print_message("%s\n", name);
    for (size_t k = 0; k < SCALARS; k++)
        s[k] = cli_read_values("out/diagnostics.nc", scalars[k], RECORDS);
    double *momentum = cli_read_values("out/diagnostics.nc", "momentum", (size_t)RECORDS * 2),
           *x = cli_read_values("out/trajectory.nc", "coordinates", FRAMES * N * AXES),
           *v = cli_read_values("out/trajectory.nc", "velocities", FRAMES * N * AXES);
    for (size_t f = 0; f < FRAMES; f++) {
        const size_t r = 2 * f;
        const struct sums sums = sum_particles(law, x + f * N * AXES, v + f * N * AXES, box);
        const double temperature = 2 * sums.kinetic / law->degrees,
                     ideal = law->set_temperature > 0 ? law->set_temperature : temperature;
        assert_near("kinetic energy", s[KINETIC][r], sums.kinetic, 1e-12 * sums.kinetic);
        assert_near("potential energy", s[POTENTIAL][r], sums.potential, potential_tolerance);
        assert_near("temperature", s[TEMPERATURE][r], temperature, 1e-12);
        assert_near("pressure", s[PRESSURE][r], N * ideal / area + sums.virial / (2 * area),
                    fmax(potential_tolerance, 1e-5) / area);
        assert_near("total energy", s[TOTAL][r], s[KINETIC][r] + s[POTENTIAL][r], 1e-15 * N);
        assert_near("energy change", s[CHANGE][r], (s[TOTAL][r] - s[TOTAL][0]) / N, 1e-15);
        for (size_t k = 0; k < 2; k++)
            assert_near("momentum", momentum[2 * r + k], sums.momentum[k], 1e-11);
    }
}

TEST(test_diagnostics_follow_from_the_particles)
{
#define CONDENSING(softening)                                                                                \
    "{'name': 'condensing', 'attraction': 0.1, 'attraction2': 3, 'softening': " softening ", 'cut_off': "    \
    "1.6}"
    static const char thermostat[] = "{'thermostat': {'name': 'langevin', 'temperature': 1.2}}";
    static const struct {
        struct gas_job_system system;
        struct law law;
        double tolerance;
    } cases[] = {
        {{"walls", "{'name': 'lennard-jones'}", NULL, "'reflect'", "{'name': 'cells'}"},
         {lennard_jones, false, 0, 0, 2 * N, 0},
         1e-10},
        {{"periodic", "{'name': 'lj-force-shifted'}", NULL, "'periodic'", "{'name': 'cells'}"},
         {force_shifted, true, 0, 0, 2 * N - 2, 0},
         1e-10},
        {{"Langevin", "{'name': 'lennard-jones'}", thermostat, "'periodic'", "{'name': 'all-pairs'}"},
         {lennard_jones, true, 0, 0, 2 * N, 1.2},
         1e-10},
        {{"gravity and soft walls", CONDENSING("0.2"), "{'gravity': [0, -0.4]}", "'soft'",
          "{'name': 'all-pairs'}"},
         {softened, false, 0.4, 50, 2 * N, 0},
         1e-9},
        {{"condensing by regions", CONDENSING("0"), "{'gravity': [0, -0.4]}", "'reflect'", REGIONS},
         {condensing, false, 0.4, 0, 2 * N, 0},
         0.3},
        {{"ln r by regions", "{'name': 'log', 'attraction': 0.3}", NULL, "'reflect'", REGIONS},
         {logarithm, false, 0, 0, 2 * N, 0},
         0.3},
    };
    static const char *const backends[] = {"reference", "openmp"};
    cJSON *job = gas_job();
    for (size_t b = 0; b < 2; b++)
        for (size_t k = 0; k < COUNT(cases); k++) {
            cli_change(job, "backend = '%s'", backends[b]);
            gas_job_set(job, &cases[k].system);
            cli_run_job(job);
            assert_diagnostics(cases[k].system.name, &cases[k].law, cases[k].tolerance);
        }
}

// ---- run.json

static void assert_phases(const cJSON *report, bool has_lists, bool has_regions)
{
    static const char *const names[] = {"move_s", "sort_s", "lists_s", "force_s", "regions_s"};
    const cJSON *phases = cJSON_GetObjectItem(report, "phases");
    double total = 0;
    for (size_t k = 0; k < 5; k++) {
        const double seconds = cli_json_number(phases, names[k]);
        assert_true(seconds >= 0);
        total += seconds;
    }
    cli_expect_number(phases, "timed_steps", GAS_JOB_STEPS);
    assert_true(cli_json_number(phases, "move_s") > 0 && cli_json_number(phases, "force_s") > 0);
    assert_true((cli_json_number(phases, "lists_s") > 0) == has_lists);
    assert_true((cli_json_number(phases, "regions_s") > 0) == has_regions);
    assert_true(total <= 1.05 * cli_json_number(report, "timings.total_s"));
}

TEST(test_phases_lists_and_regions)
{
    cJSON *job = gas_job();
    cli_run_job(job);
    cJSON *report = cli_read_json("out/run.json");
    assert_phases(report, true, false);
    assert_string_equal(cli_text(report, "method"), "cells");
    assert_string_equal(cli_text(report, "potential"), "lennard-jones");
    cli_expect_number(report, "particles.count", N);
    cli_expect_number(report, "cut_off", 2.5);
    assert_true(cli_json_number(report, "lists.rebuilds") >= 1);
    // Of an even fluid: density times the area within r_c + skin, less what the walls cut off.
    const double reach = 2.5 + cli_json_number(report, "skin");
    assert_true(cli_json_number(report, "lists.mean") > 0.6 * 0.5 * 3.14 * reach * reach);
    assert_true(cli_json_number(report, "lists.mean") < 0.5 * 3.15 * reach * reach);
    assert_true(cli_json_number(report, "lists.largest") <= cli_json_number(report, "neighbours_at_most"));
    assert_null(cJSON_GetObjectItem(report, "regions"));

    const struct gas_job_system regions = {"regions", "{'name': 'log', 'softening': 0.2}",
                                           "{'limiters': {'mean_energy': 3, 'speed_jump': 1.01}}",
                                           "'a-priori'", REGIONS};
    double errors[2], limited[2];
    for (int order = 0; order < 2; order++) {
        gas_job_set(job, &regions);
        cli_set(job, "method.regions.order", order == 0 ? "0" : "1");
        cli_run_job(job);
        report = cli_read_json("out/run.json");
        assert_phases(report, true, true); // lists: the multipoles
        errors[order] = cli_json_number(report, "regions.force_error.rms");
        assert_true(cli_json_number(report, "regions.force_error.largest") >= errors[order]);
        assert_true(cli_json_number(report, "regions.force_error.samples") == 64);
        assert_true(cli_json_number(report, "regions.near_cells") == 2);
        assert_true(cli_json_number(report, "regions.far_cells") == 4);
        cli_expect_number(report, "regions.order", order);
        limited[0] = cli_json_number(report, "limiters.energy");
        limited[1] = cli_json_number(report, "limiters.jumps");
        assert_true(limited[0] > 0 && limited[1] > 0);
        cli_expect_number(report, "diagnostics.end.limited", limited[0] + limited[1]);
        assert_null(cJSON_GetObjectItem(report, "lists"));
    }
    if (!(errors[1] > 0 && errors[1] < 2e-3 && errors[0] > 5 * errors[1]))
        fail_msg("errors of the regions: %g of order 0, %g of order 1", errors[0], errors[1]);
}

// The straight line through the records, and their largest change.
TEST(test_energy_in_the_summary)
{
    cli_run_job(gas_job());
    double *change = cli_read_values("out/diagnostics.nc", "energy_change", RECORDS),
           *times = cli_read_values("out/diagnostics.nc", "time", RECORDS),
           *kinetic = cli_read_values("out/diagnostics.nc", "energy_kinetic", RECORDS), largest = 0;
    double mean_time = 0, mean_change = 0, squares = 0, products = 0;
    size_t at = 0;
    for (size_t k = 0; k < RECORDS; k++) {
        mean_time += times[k] / RECORDS;
        mean_change += change[k] / RECORDS;
        if (fabs(change[k]) > largest) {
            largest = fabs(change[k]);
            at = k;
        }
    }
    for (size_t k = 0; k < RECORDS; k++) {
        squares += (times[k] - mean_time) * (times[k] - mean_time);
        products += (times[k] - mean_time) * (change[k] - mean_change);
    }
    cJSON *report = cli_read_json("out/run.json");
    assert_true(largest > 0 && largest < 0.01);
    cli_expect_number(report, "diagnostics.records.largest_energy_change", largest);
    cli_expect_number(report, "diagnostics.records.largest_energy_change_time", times[at]);
    assert_near("drift", cli_json_number(report, "diagnostics.records.energy_drift"),
                products / squares * 0.25, 1e-12 * largest);
    cli_expect_number(report, "diagnostics.start.energy_kinetic", kinetic[0]);
    cli_expect_number(report, "diagnostics.end.energy_kinetic", kinetic[RECORDS - 1]);
    cli_expect_number(report, "diagnostics.end.time", 0.25);
}

// ---- checks

TEST(test_reference_steps)
{
    static const char *const precisions[] = {"single", "double"};
    static const struct gas_job_system checked[] = {
        {"lists", "{'name': 'lennard-jones'}", "{'thermostat': {'name': 'langevin', 'temperature': 1}}",
         "'periodic'", "{'name': 'cells'}"},
        {"regions", "{'name': 'log', 'softening': 0.2}",
         "{'thermostat': {'name': 'bussi', 'temperature': 2}}", "'reflect'", REGIONS},
    };
    cJSON *job = cli_change(gas_job(), "check = {'reference_steps': 4}");
    for (size_t m = 0; m < 2; m++)
        for (size_t p = 0; p < 2; p++) {
            cli_change(job, "precision = '%s'", precisions[p]);
            gas_job_set(job, &checked[m]);
            cli_run_job(job);
            cJSON *report = cli_read_json("out/run.json");
            const double largest = cli_json_number(report, "reference_check.largest_difference");
            assert_true(largest < (p == 0 ? 1e-5 : 1e-11));
            assert_true(largest > (p == 0 ? 1e-10 : 0)); // single precision is another computation
            assert_true(cli_json_number(report, "reference_check.steps") == 4);
            const cJSON *quantity = cli_item(report, "reference_check.quantities.0");
            assert_true(cli_json_number(quantity, "particle") < N);
            assert_null(cJSON_GetObjectItem(quantity, "body"));
        }
    cli_save_job(cli_change(job, "precision = 'single'"));
    assert_has(cli_do("run job.json")->error, "at particle ");
    cli_assert_error(cli_try(cli_change(job, "check.tolerance = 1e-12")), CHECK_FAILED, false, "check",
                     "of particle ", "the reference's", "allowed: 1e-12");
    assert_true(cli_exists("out/run.json")); // with its verdict
}

TEST(test_reference_file)
{
    cJSON *job = cli_change(gas_job(), "output.directory = 'first'");
    cli_run_job(job);
    cli_run_job(cli_change(job, "output.directory = 'out'; precision = 'single'; check = {'reference_file': "
                                "'first/trajectory.nc', 'variables': {'coordinates': '1e-4'}}"));
    cli_assert_error(cli_try(cli_change(job, "check.variables.coordinates = '1e-11'")), CHECK_FAILED, false,
                     "coordinates", "differs", "first/trajectory.nc");
}

// ---- the same bits

static const struct gas_job_system moving[] = {
    {"lists", "{'name': 'lennard-jones'}", "{'thermostat': {'name': 'langevin', 'temperature': 1}}",
     "'periodic'", "{'name': 'cells', 'skin': 0.05}"},
    {"every pair", "{'name': 'real-gas', 'repulsion_everywhere': true}", "{'limiters': {'mean_energy': 3}}",
     "'damped'", "{'name': 'all-pairs'}"},
    {"regions", "{'name': 'log', 'softening': 0.2}", "{'thermostat': {'name': 'bussi', 'temperature': 2}}",
     "'reflect'", REGIONS},
};

TEST(test_threads_change_no_bit)
{
    cJSON *job = cli_change(gas_job(), "output.structure = {'every': 0.125, 'cluster_distance': 1.2}");
    for (size_t k = 0; k < 3; k++) {
        gas_job_set(job, &moving[k]);
        cli_set_text(job, "precision", k == 1 ? "double" : "single");
        cli_save_job(job);
        cli_do("run -q -t 1 -o one job.json");
        cli_do("run -q -t 3 -o three job.json");
        cli_assert_same_results("one", "three");
    }
}

static void expect_threads(const char *option, double expected)
{
    cli_do("run -q --restart %s job.json", option);
    cJSON *report = cli_read_json("out/run.json");
    cli_expect_number(report, "threads", expected);
}

// The fixture offers two; a small system takes one, unless the command line gives their number.
TEST(test_small_systems_take_one_thread)
{
    cJSON *job = cli_change(gas_job(), "time.duration = 0.0078125; delete output.fields");
    cli_save_job(cli_change(job, "output.diagnostics.every = 0.0078125"));
    expect_threads("", 1);
    expect_threads("-t3", 3);
    cli_save_job(cli_change(job, "particles.lattice.count = 9000"));
    expect_threads("", 2);
    expect_threads("-t1", 1);
    cli_save_job(cli_change(job, "particles.lattice.count = 1000; method.name = 'all-pairs'"));
    expect_threads("", 2);
}

// Diagnostics, structure and checks look at the particles and leave them as they are.
TEST(test_diagnostics_change_no_bit)
{
    static const char *const backends[] = {"reference", "openmp"};
    cJSON *job = gas_job();
    for (size_t b = 0; b < 2; b++)
        for (size_t k = 0; k < 3; k++) {
            gas_job_set(job, &moving[k]);
            cli_run_job(cli_change(job,
                                   "backend = '%s'; output.directory = 'little'; output.diagnostics.every = "
                                   "0.25; delete output.structure; delete check",
                                   backends[b]));
            cli_run_job(cli_change(job, "output.directory = 'much'; output.diagnostics.every = 0.0078125; "
                                        "output.structure = {'every': 0.015625, 'cluster_distance': 1.2}; "
                                        "check = {'reference_steps': 5, 'tolerance': 1e-4}"));
            cli_assert_same_data("much/final.nc", "little/final.nc");
            cli_assert_same_data("much/trajectory.nc", "little/trajectory.nc");
        }
}

// Half of the way, and from its end on: by every pair the bits of the way in a piece; with cells, which sum
// in the order of their last sort, the same to rounding.
TEST(test_final_is_a_start)
{
    static const struct gas_job_system systems[] = {
        {"every pair", "{'name': 'lennard-jones'}", NULL, "'reflect'", "{'name': 'all-pairs'}"},
        {"cells", "{'name': 'lennard-jones'}", NULL, "'reflect'", "{'name': 'cells'}"},
    };
    cJSON *job = gas_job();
    for (size_t m = 0; m < 2; m++) {
        gas_job_set(job, &systems[m]);
        cli_run_job(cli_change(job, "particles = {'lattice': {'count': 400, 'temperature': 1.5, 'mass': "
                                    "2.5}}; time.duration = 0.25; output.directory = 'whole'"));
        cli_run_job(cli_change(job, "time.duration = 0.125; output.directory = 'first'"));
        cli_run_job(
            cli_change(job, "particles = {'file': {'file': 'first/final.nc'}}; output.directory = 'second'"));
        static const char *const names[] = {"coordinates", "velocities", "mass"};
        for (size_t v = 0; v < 3; v++) {
            const size_t count = v < 2 ? N * AXES : N;
            double *whole = cli_read_values("whole/final.nc", names[v], count),
                   *second = cli_read_values("second/final.nc", names[v], count);
            for (size_t k = 0; k < count; k++)
                assert_near(names[v], second[k], whole[k], m == 0 ? 0 : 1e-9);
        }
    }
}

// ---- texts

TEST(test_texts)
{
    cJSON *job = gas_job();
    cli_save_job(job);
    assert_has(cli_do("run job.json")->error, "a small fluid: openmp back end",
               "32 steps of 0.0078125 time units (0.25 time units)",
               "100.0 %, model time 0.25 of 0.25 time units", "particle-steps/s");
    assert_has(cli_do("plan --arrays job.json")->output, "0.25 time units in 32 steps",
               "trajectory.nc, final.nc, diagnostics.nc, run.json", "particle-steps/s)",
               "lists, positions x");
    cli_save_job(cli_change(job, "output = {'directory': 'out', 'final': false}"));
    const struct cli_result *result = cli_do("plan job.json"); // diagnostics are always written
    assert_has(result->output, "diagnostics.nc, run.json");
    cli_assert_error(cli_try(cli_change(job, "units = 'si'")), CONFIGURATION, false, "units");
}

// Mirrors in a field, with too long a step; reported once. Not of walls that take energy away.
TEST(test_warns_of_the_energy)
{
    cJSON *job = gas_job();
    gas_job_set(job, &(struct gas_job_system){"mirrors", "{'name': 'none'}", "{'gravity': [0, -2]}",
                                              "'flip-and-mirror'", NULL});
    cli_change(job, "time = {'duration': 20, 'step': 0.5}; output = {'directory': 'out'}");
    for (int k = 0; k < 2; k++) {
        const struct cli_result *result = cli_try(job);
        cli_assert_done(result);
        const char *first = strstr(result->error, "the energy has changed by");
        assert_true((first != NULL) == (k == 0));
        if (first)
            assert_null(strstr(first + 1, "the energy has changed by"));
        assert_int_equal(cli_count(cli_read_json("out/run.json"), "warnings"), k == 0);
        cli_change(job, "domain.walls = 'damped'; domain.damping = 0.5");
    }
}

// ---- what ends a run

static void expect_end(cJSON *job, const char *what, const char *who)
{
    static const char *const backends[] = {"reference", "openmp"};
    for (size_t b = 0; b < 2; b++) {
        cli_change(job, "backend = '%s'", backends[b]);
        const struct cli_result *result = cli_try(job);
        if (result->exit_code != DATA || !strstr(result->error, what) || !strstr(result->error, who))
            fail_msg("%s: exit code %d: %s", backends[b], result->exit_code, result->error);
        assert_false(cli_exists("out/final.nc"));
    }
}

TEST(test_a_step_too_far_ends_the_run)
{
    cJSON *job = cli_change(
        gas_job(),
        "particles.lattice = {'count': 400, 'temperature': 1e4}; time = {'duration': 1, 'step': 0.1}");
    expect_end(job, "went further in one step", "after step 1 (time 0.1) particle ");
}

TEST(test_crowded_lists_end_the_run)
{
    cli_assert_error(cli_try(cli_change(gas_job(), "method.neighbours = 5")), DATA, true, "after step 0",
                     "has more neighbours than its list holds", "method.neighbours");
}

TEST_MAIN(cli_setup, cli_teardown)
