// An N-body job from end to end: its files, read by other programs too; diagnostics that follow from the
// bodies; what run.json states about stages and tree; checks, units, stops and warnings; and a run that
// starts from another's end.
#include "tests/support/nbody_job.h"
#include "tests/support/numbers.h"
#include "tests/support/particle_results.h"
#include "tests/support/test.h"

enum { N = NBODY_JOB_BODIES, FRAMES = NBODY_JOB_FRAMES, RECORDS = NBODY_JOB_RECORDS, AXES = NBODY_JOB_AXES };
enum { SHARES = 7 };
static const double shares[SHARES] = {0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99};

static void use_tree(cJSON *job)
{
    cli_change(job, "method = {'name': 'barnes-hut', 'theta': 0.6}");
}

static double length_of(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

// ---- files

static const struct particle_results files = {N, FRAMES, RECORDS, 0.125, 0.0625};

TEST(test_files)
{
    cli_run_job(nbody_job());
    assert_particle_files(&files);
}

TEST(test_other_programs_read_them)
{
    cli_run_job(nbody_job());
    cli_assert_tool(cli_run_tool(
        "/usr/bin/python3", "-W", "ignore", "-c",
        "import sys\n"
        "try:\n"
        "    import numpy, xarray, netCDF4\n"
        "except ImportError as missing:\n"
        "    print(missing); sys.exit(77)\n"
        "t = xarray.open_dataset('out/trajectory.nc', decode_times=False)\n"
        "d = xarray.open_dataset('out/diagnostics.nc')\n" // decoded: a time of reduced units has no calendar
        "f = xarray.open_dataset('out/final.nc')\n"
        "assert t.coordinates.dims == ('frame', 'atom', 'spatial')\n"
        "assert d.momentum.dims == ('time', 'spatial')\n"
        "assert d.lagrangian_radius.dims == ('time', 'mass_fraction')\n"
        "assert abs(float(d.lagrangian_radius.sel(mass_fraction=0.5)[0]) - 0.77) < 0.1\n"
        "assert float(abs(t.coordinates[-1] - f.coordinates).max()) == 0\n"
        "assert (netCDF4.Dataset('out/trajectory.nc').data_model) == 'NETCDF3_64BIT_OFFSET'\n"
        "from scipy.io import netcdf_file\n" // a reader of its own
        "s = netcdf_file('out/trajectory.nc', mmap=False)\n"
        "assert s.variables['coordinates'].shape == t.coordinates.shape\n"
        "assert (s.variables['coordinates'][2] == t.coordinates[2].values).all()\n",
        NULL));
}

TEST(test_some_bodies_in_single)
{
    assert_some_particles(nbody_job(), &files);
}

// ---- diagnostics

struct bodies {
    const double *x, *v, *m; // of one frame
};

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Energies and Σ m x·a by every pair; the masses are equal.
static void sum_pairs(const struct bodies *b, double *kinetic, double *potential, double *virial)
{
    *kinetic = *potential = *virial = 0;
    for (size_t i = 0; i < N; i++) {
        const double *x = b->x + AXES * i, *v = b->v + AXES * i;
        *kinetic += 0.5 * b->m[i] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (size_t j = 0; j < i; j++) {
            const double *y = b->x + AXES * j, r[AXES] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
            const double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2],
                         d2 = r2 + nbody_job_softening * nbody_job_softening;
            *potential -= b->m[i] * b->m[j] / sqrt(d2);
            *virial -= b->m[i] * b->m[j] * r2 / (d2 * sqrt(d2)); // x·a of both
        }
    }
}

static void assert_vectors(const struct bodies *b, const double *momentum, const double *angular,
                           const double *centre, double momentum_scale)
{
    double p[AXES] = {0}, l[AXES] = {0}, c[AXES] = {0}, scale = 0;
    for (size_t i = 0; i < N; i++) {
        const double *x = b->x + AXES * i, *v = b->v + AXES * i;
        scale += b->m[i] * length_of(v);
        for (size_t k = 0; k < AXES; k++) {
            const size_t next = (k + 1) % AXES, last = (k + 2) % AXES;
            p[k] += b->m[i] * v[k];
            c[k] += b->m[i] * x[k];
            l[k] += b->m[i] * (x[next] * v[last] - x[last] * v[next]);
        }
    }
    for (size_t k = 0; k < AXES; k++) {
        assert_near("momentum", momentum[k], p[k], 1e-14);
        assert_near("angular momentum", angular[k], l[k], 1e-14);
        assert_near("centre of mass", centre[k], c[k], 1e-14);
    }
    assert_near("sum of momenta", momentum_scale, scale, 1e-14);
}

static void assert_radii(const struct bodies *b, const double *centre, const double *radii)
{
    double distances[N];
    for (size_t i = 0; i < N; i++) {
        const double *x = b->x + AXES * i, r[AXES] = {x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]};
        distances[i] = length_of(r);
    }
    qsort(distances, N, sizeof *distances, compare_numbers);
    // 600 equal masses: 6, 60, 150, 300, 450, 540 and 594 of them. Rounding may take the neighbour.
    for (size_t s = 0; s < SHARES; s++) {
        const size_t body = (size_t)lround(shares[s] * N) - 1;
        if (fabs(radii[s] - distances[body]) > 1e-13 && fabs(radii[s] - distances[body + 1]) > 1e-13)
            fail_msg("radius of %g: %.17g, expected %.17g", shares[s], radii[s], distances[body]);
    }
}

// Of each record that a frame of the trajectory stands beside.
static void assert_diagnostics(const char *name, double potential_tolerance)
{
    static const char *const scalars[] = {"energy_kinetic", "energy_potential", "virial_ratio",
                                          "momentum_scale", "energy_total",     "energy_error"};
    enum { KINETIC, POTENTIAL, VIRIAL, SCALE, TOTAL, ERROR, SCALARS };
    double *s[SCALARS];
    for (size_t k = 0; k < SCALARS; k++)
        s[k] = cli_read_values("out/diagnostics.nc", scalars[k], RECORDS);
    double *momentum = cli_read_values("out/diagnostics.nc", "momentum", RECORDS * AXES),
           *angular = cli_read_values("out/diagnostics.nc", "angular_momentum", RECORDS * AXES),
           *centre = cli_read_values("out/diagnostics.nc", "centre_of_mass", RECORDS * AXES),
           *radii = cli_read_values("out/diagnostics.nc", "lagrangian_radius", RECORDS * SHARES),
           *x = cli_read_values("out/trajectory.nc", "coordinates", FRAMES * N * AXES),
           *v = cli_read_values("out/trajectory.nc", "velocities", FRAMES * N * AXES),
           *m = cli_read_values("out/trajectory.nc", "mass", N);
    print_message("%s\n", name);
    for (size_t f = 0; f < FRAMES; f++) {
        const size_t r = 2 * f;
        const struct bodies bodies = {x + f * N * AXES, v + f * N * AXES, m};
        double kinetic, potential, virial;
        sum_pairs(&bodies, &kinetic, &potential, &virial);
        assert_near("kinetic energy", s[KINETIC][r], kinetic, 1e-14);
        assert_near("potential energy", s[POTENTIAL][r], potential, potential_tolerance);
        assert_near("virial ratio", s[VIRIAL][r], 2 * kinetic / fabs(virial),
                    fmax(1e-12, 10 * potential_tolerance));
        assert_near("total energy", s[TOTAL][r], s[KINETIC][r] + s[POTENTIAL][r], 1e-15);
        assert_near("energy error", s[ERROR][r], (s[TOTAL][r] - s[TOTAL][0]) / fabs(s[TOTAL][0]), 1e-15);
        assert_vectors(&bodies, momentum + r * AXES, angular + r * AXES, centre + r * AXES, s[SCALE][r]);
        assert_radii(&bodies, centre + r * AXES, radii + r * SHARES);
    }
}

TEST(test_diagnostics_follow_from_the_bodies)
{
    static const char *const backends[] = {"reference", "openmp"};
    cJSON *job = nbody_job();
    for (size_t b = 0; b < 2; b++) {
        cli_run_job(cli_change(job, "backend = '%s'; method = {'name': 'direct'}", backends[b]));
        assert_diagnostics(backends[b], 1e-13);
        use_tree(job);
        cli_run_job(cli_change(job, "output.diagnostics.direct_potential = false"));
        assert_diagnostics("a tree's potential", 1e-4);
        double *tree = cli_read_values("out/diagnostics.nc", "energy_potential", RECORDS);
        cli_run_job(cli_change(job, "output.diagnostics.direct_potential = true"));
        double *direct = cli_read_values("out/diagnostics.nc", "energy_potential", RECORDS);
        assert_true(fabs(tree[0] - direct[0]) > 1e-8); // else the option does nothing
        cli_change(job, "delete output.diagnostics.direct_potential");
    }
}

// ---- run.json

static double phases_of(const cJSON *report, double *tree)
{
    static const char *const names[] = {"box_s",       "sort_s",  "build_s",
                                        "summarise_s", "force_s", "integrate_s"};
    const cJSON *phases = cJSON_GetObjectItem(report, "phases");
    double total = 0;
    *tree = 0;
    for (size_t k = 0; k < 6; k++) {
        const double seconds = cli_json_number(phases, names[k]);
        assert_true(seconds >= 0);
        total += seconds;
        *tree += k < 4 ? seconds : 0;
    }
    cli_expect_number(phases, "timed_steps", NBODY_JOB_STEPS);
    assert_true(cli_json_number(phases, "force_s") > 0);
    assert_true(total <= 1.05 * cli_json_number(report, "timings.total_s"));
    return total;
}

TEST(test_phases_and_tree)
{
    static const char *const backends[] = {"reference", "openmp"};
    double cells[2], leaves[2], tree;
    cJSON *job = nbody_job();
    for (size_t b = 0; b < 2; b++) {
        cli_change(job, "backend = '%s'", backends[b]);
        use_tree(job);
        cli_run_job(job);
        cJSON *report = cli_read_json("out/run.json");
        (void)phases_of(report, &tree);
        assert_true(tree > 0);
        assert_string_equal(cli_text(report, "method"), "barnes-hut");
        assert_string_equal(cli_text(report, "multipole"), "quadrupole");
        cli_expect_number(report, "theta", 0.6);
        cells[b] = cli_json_number(report, "tree.cells");
        leaves[b] = cli_json_number(report, "tree.leaves");
        assert_true(leaves[b] > 1 && leaves[b] < cells[b]);
        assert_true(cells[b] <= cli_json_number(report, "tree.cells_planned"));
        assert_true(cli_json_number(report, "tree.cell_interactions") > N);
        assert_true(cli_json_number(report, "tree.body_interactions") > N);
    }
    assert_true(cells[0] == cells[1] && leaves[0] == leaves[1]);
    cli_run_job(cli_change(job, "delete method"));
    cJSON *report = cli_read_json("out/run.json");
    (void)phases_of(report, &tree);
    assert_null(cJSON_GetObjectItem(report, "tree"));
    assert_null(cJSON_GetObjectItem(report, "theta"));
    cli_expect_number(report, "bodies.count", N);
    cli_expect_number(report, "softening", nbody_job_softening);
    assert_string_equal(cli_text(report, "integrator"), "leapfrog");
}

TEST(test_energy_in_the_summary)
{
    cli_run_job(nbody_job());
    double *error = cli_read_values("out/diagnostics.nc", "energy_error", RECORDS),
           *kinetic = cli_read_values("out/diagnostics.nc", "energy_kinetic", RECORDS), largest = 0;
    size_t at = 0;
    for (size_t k = 0; k < RECORDS; k++)
        if (fabs(error[k]) > largest) {
            largest = fabs(error[k]);
            at = k;
        }
    cJSON *report = cli_read_json("out/run.json");
    assert_true(largest > 0 && largest < 1e-4);
    cli_expect_number(report, "diagnostics.records.largest_energy_error", largest);
    cli_expect_number(report, "diagnostics.records.largest_energy_error_time", 0.0625 * (double)at);
    cli_expect_number(report, "diagnostics.start.energy_kinetic", kinetic[0]);
    cli_expect_number(report, "diagnostics.end.energy_kinetic", kinetic[RECORDS - 1]);
    cli_expect_number(report, "diagnostics.end.time", 0.5);
}

// ---- checks

TEST(test_reference_steps)
{
    static const char *const precisions[] = {"single", "double"};
    cJSON *job = cli_change(nbody_job(), "check = {'reference_steps': 4}");
    for (size_t m = 0; m < 2; m++)
        for (size_t p = 0; p < 2; p++) {
            cli_run_job(cli_change(job, "precision = '%s'; method = %s", precisions[p],
                                   m == 0 ? "{'name': 'direct'}" : "{'name': 'barnes-hut'}"));
            cJSON *report = cli_read_json("out/run.json");
            const double largest = cli_json_number(report, "reference_check.largest_difference");
            assert_true(largest < (p == 0 ? 1e-5 : 1e-11));
            assert_true(largest > (p == 0 ? 1e-10 : 0)); // single precision is another computation
            assert_true(cli_json_number(report, "reference_check.steps") == 4);
        }
    cli_assert_error(cli_try(cli_change(job, "precision = 'single'; check.tolerance = 1e-12")), CHECK_FAILED,
                     false, "check", "of body ", "the reference's", "allowed: 1e-12");
    assert_true(cli_exists("out/run.json")); // with its verdict
}

TEST(test_reference_file)
{
    cJSON *job = cli_change(nbody_job(), "output.directory = 'first'");
    cli_run_job(job);
    cli_change(job, "output.directory = 'out'; check = {'reference_file': 'first/trajectory.nc', "
                    "'variables': {'coordinates': '1e-4'}}");
    use_tree(job);
    cli_run_job(job);
    cli_assert_error(cli_try(cli_change(job, "check.variables.coordinates = '1e-9'")), CHECK_FAILED, false,
                     "coordinates", "differs", "first/trajectory.nc");
}

TEST(test_method_of_another_machine)
{
    cli_assert_error(cli_try(cli_change(nbody_job(), "method.name = 'direct-tiled'")), CONFIGURATION, false,
                     "method.name", "openmp has no direct-tiled", "take direct");
}

// ---- the same bits

TEST(test_threads_change_no_bit)
{
    cJSON *job = nbody_job();
    for (int m = 0; m < 2; m++) {
        cli_save_job(job);
        cli_do("run -q -t 1 -o one job.json");
        cli_do("run -q -t 3 -o three job.json");
        cli_assert_same_results("one", "three");
        use_tree(job);
    }
}

// Stopped as often as possible, by a clock that advances with each reading; the check must not be lost.
TEST(test_stops_change_no_bit)
{
    cJSON *job = nbody_job();
    use_tree(job);
    cli_run_to(cli_change(job, "precision = 'single'; time.duration = 0.25; check = {'reference_steps': 2}"),
               "whole");
    cli_tick_clock(100);
    const struct cli_result *result = cli_run("run -q --time-limit '1 ms' job.json");
    int stops = 0;
    for (; result->exit_code == STOPPED; stops++) {
        assert_in_range(stops, 0, 100);
        result = cli_run("run -q --resume --time-limit '1 ms' job.json");
    }
    cli_pace_as_usual();
    cli_assert_done(result);
    assert_true(stops >= 2);
    cli_assert_same_results("out", "whole");
    static const char *const same[] = {"reference_check.largest_difference", "reference_check.steps",
                                       "diagnostics.records.largest_energy_error",
                                       "diagnostics.start.energy_total"};
    for (size_t k = 0; k < COUNT(same); k++)
        assert_true(cli_run_number("out", same[k]) == cli_run_number("whole", same[k]));
}

// Half of the way, and from its end on: the bits of the way in a piece.
TEST(test_final_is_a_start)
{
    static const char *const methods[] = {"direct", "barnes-hut"};
    cJSON *job = nbody_job();
    for (size_t m = 0; m < 2; m++) {
        cli_run_job(cli_change(job,
                               "method.name = '%s'; particles = {'plummer': {'count': 600}}; time.duration = "
                               "0.5; output.directory = 'whole'",
                               methods[m]));
        cli_run_job(cli_change(job, "time.duration = 0.25; output.directory = 'first'"));
        cli_run_job(
            cli_change(job, "particles = {'file': {'file': 'first/final.nc'}}; output.directory = 'second'"));
        static const char *const names[] = {"coordinates", "velocities"};
        for (size_t v = 0; v < 2; v++) {
            double *whole = cli_read_values("whole/final.nc", names[v], N * AXES),
                   *second = cli_read_values("second/final.nc", names[v], N * AXES);
            assert_memory_equal(second, whole, N * AXES * sizeof *whole);
        }
    }
}

// ---- units

static const double gravity_m3_kg_s2 = 6.67430e-11, solar_mass_kg = 1.32712440018e20 / 6.67430e-11,
                    parsec_m = 3.0856775814913673e16;

static double largest_of(const double *values, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(values[i]));
    return largest;
}

static void assert_scaled(const char *file, const char *variable, double scale)
{
    const char *si = format_text("si/%s", file);
    size_t count, other;
    double *expected = cli_read_variable(format_text("out/%s", file), variable, &count, NULL),
           *actual = cli_read_variable(si, variable, &other, NULL);
    const double run_scale = cli_number_attribute(si, variable, "run_scale", 1);
    assert_int_equal(count, other);
    for (size_t i = 0; i < count; i++)
        actual[i] *= run_scale;
    const double largest = largest_of(expected, count);
    for (size_t i = 0; i < count; i++)
        assert_near(variable, actual[i] / scale, expected[i], 1e-10 * largest);
}

// One cluster in both systems: a scale radius and a mass of 1, and of 2 pc and 1000 solar masses. The
// kilogram of a solar mass depends on whose G it is made with; the time unit is made with the mass that the
// run reports.
TEST(test_si_is_the_same_run)
{
    cJSON *job = cli_change(nbody_job(), "particles.plummer.radius = 1");
    cli_run_job(job);
    cli_assert_error(
        cli_try(cli_change(job, "output.directory = 'si'; units = 'si'; particles.plummer.radius = '2 pc'; "
                                "particles.plummer.mass = '1000 solar_mass'; physics.softening = '0.1 pc'")),
        CONFIGURATION, false, "has no unit");
    const double length_m = 2 * parsec_m;
    double mass_kg = 1000 * solar_mass_kg;
    double velocity_m_s = 0, time_s = 0;
    for (int round = 0; round < 2; round++) {
        velocity_m_s = sqrt(gravity_m3_kg_s2 * mass_kg / length_m);
        time_s = length_m / velocity_m_s;
        cli_run_job(cli_change(job,
                               "time.duration = '%.17g s'; time.step = '%.17g s'; output.fields.every = "
                               "'%.17g s'; output.diagnostics.every = '%.17g s'",
                               0.5 * time_s, 0.015625 * time_s, 0.125 * time_s, 0.0625 * time_s));
        const double said_kg = cli_run_number("si", "diagnostics.start.momentum_scale") /
                               cli_run_number("out", "diagnostics.start.momentum_scale") / velocity_m_s;
        assert_near("a thousand solar masses", said_kg / mass_kg, 1, 2e-4);
        double *masses = cli_read_values("si/final.nc", "mass", N);
        mass_kg = N * masses[0];
    }
    assert_scaled("trajectory.nc", "coordinates", length_m);
    assert_scaled("trajectory.nc", "velocities", velocity_m_s);
    assert_scaled("trajectory.nc", "mass", mass_kg);
    assert_scaled("trajectory.nc", "time", time_s);
    assert_scaled("diagnostics.nc", "energy_potential", mass_kg * velocity_m_s * velocity_m_s);
    assert_scaled("diagnostics.nc", "angular_momentum", mass_kg * velocity_m_s * length_m);
    assert_scaled("diagnostics.nc", "lagrangian_radius", length_m);
    assert_scaled("diagnostics.nc", "virial_ratio", 1);
    assert_string_equal(cli_attribute("si/trajectory.nc", "coordinates", "run_units"), "m");
    assert_string_equal(cli_attribute("si/trajectory.nc", "velocities", "run_units"), "m s-1");
    assert_string_equal(cli_attribute("si/final.nc", "coordinates", "units"), "m");
    assert_string_equal(cli_attribute("si/final.nc", "mass", "units"), "kg");
    assert_string_equal(cli_attribute("si/diagnostics.nc", "energy_total", "units"), "J");
    assert_string_equal(cli_attribute("si/diagnostics.nc", "model_time", "units"), "s");
}

// ---- accelerations

// Largest difference between the accelerations of one state and the sum over every pair, a_i = sum of m_j
// r/(r² + softening²)^3/2, computed here, relative to their root mean square.
static double acceleration_error(const double *x, const double *mass, const double *a, double softening,
                                 double gravity)
{
    double largest = 0, squares = 0;
    for (size_t i = 0; i < N; i++) {
        double sum[AXES] = {0}, difference[AXES];
        for (size_t j = 0; j < N; j++) {
            double r[AXES], square = softening * softening;
            for (size_t k = 0; k < AXES; k++) {
                r[k] = x[j * AXES + k] - x[i * AXES + k];
                square += r[k] * r[k];
            }
            for (size_t k = 0; k < AXES; k++)
                sum[k] += gravity * mass[j] * r[k] / (square * sqrt(square));
        }
        for (size_t k = 0; k < AXES; k++)
            difference[k] = a[i * AXES + k] - sum[k];
        largest = fmax(largest, length_of(difference));
        squares += length_of(sum) * length_of(sum);
    }
    return largest / sqrt(squares / N);
}

// A trajectory's numbers in the run's units.
static double *read_in_run_units(const char *file, const char *variable, size_t count)
{
    double *values = cli_read_values(file, variable, count);
    const double scale = cli_number_attribute(file, variable, "run_scale", 0);
    for (size_t k = 0; k < count; k++)
        values[k] *= scale;
    return values;
}

// Every frame of out/trajectory.nc, and out/final.nc. The largest error.
static double accelerations_of_run(const char *directory, double softening, double gravity)
{
    const char *trajectory = format_text("%s/trajectory.nc", directory);
    const char *final = format_text("%s/final.nc", directory);
    double *x = read_in_run_units(trajectory, "coordinates", FRAMES * N * AXES),
           *a = read_in_run_units(trajectory, "accelerations", FRAMES * N * AXES),
           *mass = cli_read_values(trajectory, "mass", N),
           *last_x = cli_read_values(final, "coordinates", N * AXES),
           *last_a = cli_read_values(final, "accelerations", N * AXES);
    double largest = acceleration_error(last_x, mass, last_a, softening, gravity);
    for (size_t frame = 0; frame < FRAMES; frame++)
        largest = fmax(largest, acceleration_error(x + frame * N * AXES, mass, a + frame * N * AXES,
                                                   softening, gravity));
    for (size_t k = 0; k < N * AXES; k++) // to the last bit where nothing is scaled
        assert_true(fabs(a[(FRAMES - 1) * N * AXES + k] - last_a[k]) <=
                    (gravity < 1 ? 4e-16 * fabs(last_a[k]) : 0));
    return largest;
}

TEST(test_accelerations)
{
    static const char *const back_ends[] = {"reference", "openmp"}, *const integrators[] = {"leapfrog",
                                                                                            "source"};
    cJSON *job = cli_change(nbody_job(), "output.fields.variables = ['acceleration']");
    for (int b = 0; b < 2; b++)
        for (int k = 0; k < 2; k++) {
            cli_run_job(cli_change(job,
                                   "backend = '%s'; method.name = 'direct'; method.integrator = '%s'; "
                                   "output.directory = 'out%d%d'",
                                   back_ends[b], integrators[k], b, k));
            char directory[16];
            snprintf(directory, sizeof directory, "out%d%d", b, k);
            assert_near("accelerations", accelerations_of_run(directory, 0.05, 1), 0, 1e-12);
            // A tree's are those that it moves the bodies by: near the sums over every pair, and not these.
            use_tree(job);
            cli_run_job(cli_change(job, "method.integrator = '%s'; output.directory = 'tree%d%d'",
                                   integrators[k], b, k));
            snprintf(directory, sizeof directory, "tree%d%d", b, k);
            const double error = accelerations_of_run(directory, 0.05, 1);
            assert_true(error > 1e-9 && error < 0.05);
        }
    assert_false(cli_has_variable("out00/trajectory.nc", "velocities"));
    assert_string_equal(cli_attribute("out00/trajectory.nc", "accelerations", "units"),
                        "angstrom/picosecond2");
    assert_string_equal(cli_attribute("out00/trajectory.nc", "accelerations", "run_units"), "1");
    // With velocities, each has its own; every 7th body, in single precision; without a trajectory the final
    // state has them.
    cli_run_job(cli_change(job, "delete method; output.fields = {'every': 0.125, 'variables': ['velocity', "
                                "'acceleration']}; output.directory = 'both'"));
    assert_near("accelerations", accelerations_of_run("both", 0.05, 1), 0, 1e-12);
    double *v = cli_read_values("both/trajectory.nc", "velocities", FRAMES * N * AXES),
           *a = cli_read_values("both/trajectory.nc", "accelerations", FRAMES * N * AXES),
           *last = cli_read_values("both/final.nc", "velocities", N * AXES);
    assert_memory_equal(v + (FRAMES - 1) * N * AXES, last, N * AXES * sizeof *last);
    cli_run_job(
        cli_change(job, "output.fields.stride = 7; output.precision = 'single'; output.directory = 'some'"));
    enum { KEPT = (N - 1) / 7 + 1 };
    double *some = cli_read_values("some/trajectory.nc", "accelerations", FRAMES * KEPT * AXES);
    for (size_t i = 0; i < FRAMES * KEPT * AXES; i++)
        assert_true(some[i] ==
                    (double)(float)a[(i / AXES / KEPT * N + i / AXES % KEPT * 7) * AXES + i % AXES]);
    cli_change(job, "output = {'directory': 'last', 'fields': {'variables': ['acceleration']}}");
    const struct cli_result *result = cli_try(job);
    cli_assert_done(result);
    assert_string_equal(result->error, "");
    cli_assert_same_data("last/final.nc", "both/final.nc");
}

// In SI units: m s-2, with the gravity of the unit's own.
TEST(test_accelerations_in_si)
{
    cli_run_job(cli_change(
        nbody_job(),
        "output.fields.variables = ['acceleration']; units = 'si'; particles.plummer.radius = '2 pc'; "
        "particles.plummer.mass = '1000 solar_mass'; physics.softening = '0.1 pc'; time = {'duration': '0.4 "
        "Myr', 'step': '0.02 Myr'}; output.fields.every = '0.1 Myr'; output.diagnostics.every = '0.1 Myr'"));
    assert_near("accelerations", accelerations_of_run("out", 0.1 * parsec_m, gravity_m3_kg_s2), 0, 1e-9);
    assert_string_equal(cli_attribute("out/trajectory.nc", "accelerations", "run_units"), "m s-2");
    assert_string_equal(cli_attribute("out/final.nc", "accelerations", "units"), "m s-2");
}

// ---- texts

TEST(test_texts)
{
    cJSON *job = nbody_job();
    use_tree(job);
    cli_save_job(job);
    assert_has(cli_do("run job.json")->error, "a small cluster: openmp back end",
               "32 steps of 0.015625 time units (0.5 time units)",
               "100.0 %, model time 0.5 of 0.5 time units", "body-steps/s");
    assert_has(cli_do("plan --arrays job.json")->output, "0.5 time units in 32 steps",
               "trajectory.nc, diagnostics.nc, final.nc, run.json", "kbody-steps/s)", "tree, cells");
    cli_change(job,
               "particles = {'plummer': {'count': 20, 'mass': '20 solar_mass', 'radius': '1 pc'}}; units = "
               "'si'; physics.softening = '0.1 pc'; time = {'duration': '20 Myr', 'step': '0.5 Myr'}");
    // A year is udunits' tropical one, and the explanation of the key reports it.
    assert_has(cli_run("run --explain nbody")->output, "365.24219878 d");
    cli_save_job(cli_change(job, "output = {'directory': 'out'}"));
    assert_has(cli_do("run job.json")->error, "model time 20 Myr of 20 Myr");
}

// Too long a step for an ellipse this slender; reported once.
TEST(test_warns_of_the_energy)
{
    cJSON *job =
        cli_change(nbody_job(), "particles = {'kepler': {'eccentricity': 0.9}}; physics.softening = 0; time "
                                "= {'duration': 20, 'step': 0.1}; output = {'directory': 'out'}");
    const struct cli_result *result = cli_try(job);
    cli_assert_done(result);
    const char *first = strstr(result->error, "the energy has changed by");
    assert_non_null(first);
    assert_null(strstr(first + 1, "the energy has changed by"));
    assert_int_equal(cli_count(cli_read_json("out/run.json"), "warnings"), 1);
}

// Bodies that leave all numbers behind: named, with the time, and no result is left.
TEST(test_a_non_finite_value_ends_the_run)
{
    static const char *const backends[] = {"reference", "openmp"};
    for (size_t b = 0; b < 2; b++) {
        cJSON *job =
            cli_change(nbody_job(),
                       "backend = '%s'; particles = {'kepler': {'semi_major_axis': 0.01}}; physics.softening "
                       "= 0; time = {'duration': 1e308, 'step': 1e307}; output = {'directory': 'out'}",
                       backends[b]);
        const struct cli_result *result = cli_try(job);
        if (result->exit_code != DATA || !strstr(result->error, "became non-finite by step") ||
            !strstr(result->error, "body 0"))
            fail_msg("%s: exit code %d: %s", backends[b], result->exit_code, result->error);
        assert_false(cli_exists("out/final.nc"));
    }
}

TEST_MAIN(cli_setup, cli_teardown)
