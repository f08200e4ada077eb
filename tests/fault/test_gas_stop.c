// A run of the gas that is stopped and resumed has the same bits as one without a stop: each method,
// thermostat, integrator, precision and back end (those of the host; with the argument "cuda" the GPU's),
// stopped at any step, with neighbour lists about to become stale.
#include "tests/support/cuda_test.h"
#include "tests/support/gas_job.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/stopped_run.h"
#include "tests/support/test.h"

#define CONDENSING "{'name': 'condensing', 'cut_off': 1.6, 'attraction': 0.05, 'attraction2': 2}"
#define REGIONS(order)                                                                                       \
    "{'name': 'cells', 'regions': {'columns': 9, 'rows': 9, 'near': 2, 'far': 3.5, "                         \
    "'order': " order "}}"

static const struct gas_job_system systems[] = {
    {"lists", "{'name': 'lennard-jones'}", NULL, "'periodic'", "{'name': 'cells'}"},
    {"lists, Langevin", "{'name': 'lj-force-shifted'}",
     "{'thermostat': {'name': 'langevin', 'temperature': 1.4}}", "'periodic'", "{'name': 'cells'}"},
    {"lists, walls, Euler", "{'name': 'lj-force-shifted'}", "{'gravity': [0.2, 0]}",
     "{'left': 'soft', 'right': 'damped', 'bottom': 'periodic', 'top': 'periodic'}",
     "{'name': 'cells', 'integrator': 'symplectic-euler'}"},
    {"every pair, Bussi", "{'name': 'lennard-jones'}",
     "{'thermostat': {'name': 'bussi', 'temperature': 2, 'relaxation_time': 0.2}}", "'a-priori'",
     "{'name': 'all-pairs'}"},
    {"regions, limiters", CONDENSING, "{'limiters': {'mean_energy': 3, 'speed_jump': 1.02}}", "'damped'",
     REGIONS("1")},
    {"regions of order 0, Langevin", "{'name': 'log', 'softening': 0.1}",
     "{'thermostat': {'name': 'langevin', 'temperature': 1}}", "'reflect'", REGIONS("0")},
};

static cJSON *job_of(const struct gas_job_system *system, int count, int steps)
{
    cJSON *job = cli_change(
        cli_json("{'fathom': 1, 'model': 'gas', 'title': 'stops','particles': {'lattice': {'jitter': 0.1, "
                 "'temperature': 1.5}}, 'domain': {'density': 0.6},'time': {'step': 0.00390625}, 'output': "
                 "{'fields': {'variables': ['position', 'velocity']}, 'structure': {'radius': 3, 'bins': 30, "
                 "'speed_bins': 20, 'cluster_distance': 1.2}}}"),
        "particles.lattice.count = %d", count);
    gas_job_set(job, system);
    cli_change(job, "time.duration = %g; output.fields.every = %g", steps * 0x1p-8, steps / 16 * 0x1p-8);
    const char *text = format_text("%g", steps / 8 * 0x1p-8);
    cli_change(job, "output.structure.every = %s; output.structure.from = %s; output.diagnostics.every = %g",
               text, text, 3 * 0x1p-8);
    return job;
}

// What the run counted has lost nothing at the stops either; where it counts. Nor what it found at the start.
static void compare_counts(const char *what)
{
    static const char *const blocks[] = {"lists", "lists", "limiters", "limiters"};
    static const char *const names[] = {"rebuilds", "largest", "energy", "jumps"};
    cJSON *out = cli_read_json("out/run.json"), *whole = cli_read_json("whole/run.json");
    for (size_t k = 0; k < 4; k++) {
        const cJSON *block = cJSON_GetObjectItem(whole, blocks[k]);
        if (!block)
            continue;
        const double expected = cli_json_number(block, names[k]),
                     actual = cli_json_number(cJSON_GetObjectItem(out, blocks[k]), names[k]);
        if (actual != expected || expected < 1)
            fail_msg("%s: %s %s are %g, in one piece %g", what, blocks[k], names[k], actual, expected);
    }
    if (cJSON_GetObjectItem(whole, "regions")) {
        const double expected = cli_json_number(whole, "regions.force_error.rms"),
                     actual = cli_json_number(out, "regions.force_error.rms");
        if (!(actual == expected && expected > 0))
            fail_msg("%s: the error of the regions is %g, in one piece %g", what, actual, expected);
    }
}

static void each_system(const char *backend, int count, int steps)
{
    static const char *const precisions[] = {"single", "double"};
    for (size_t s = 0; s < COUNT(systems); s++) {
        // The reference has every pair where others have lists, and is slow: half of the systems.
        if (strcmp(backend, "reference") == 0 && s % 2 == 0)
            continue;
        cJSON *job = cli_change(job_of(&systems[s], count, steps), "backend = '%s'", backend);
        // With a check against the reference under way, too: its verdict is that of the whole run.
        if (s % 3 == 0)
            cli_change(job, "check = {'reference_steps': 6, 'tolerance': 0.01}");
        for (size_t p = 0; p < 2; p++) {
            if (strcmp(backend, "cuda") != 0 && p != s % 2)
                continue;
            stopped_run(cli_change(job, "precision = '%s'", precisions[p]),
                        format_text("%s %s, %s", backend, precisions[p], systems[s].name), 2, compare_counts);
        }
    }
}

TEST(test_openmp)
{
    each_system("openmp", 600, 320);
}

TEST(test_reference)
{
    each_system("reference", 300, 64);
}

// Particles of a file, whose masses differ: they are in the checkpoints, too.
enum { COLUMNS = 20, PARTICLES = COLUMNS * COLUMNS };

static void write_particles(void)
{
    static double x[PARTICLES][3], v[PARTICLES][3], m[PARTICLES];
    for (int k = 0; k < PARTICLES; k++) {
        x[k][0] = 0.6 + 1.25 * (k % COLUMNS);
        x[k][1] = 0.6 + 1.25 * (k / COLUMNS);
        v[k][0] = sin(k);
        v[k][1] = cos(3.0 * k);
        m[k] = 1 + k % 3;
    }
    const int file = make_file(cli_path("particles.nc"), NC_NETCDF4);
    const int shape[] = {make_dimension(file, "n", PARTICLES), make_dimension(file, "axis", 3)};
    make_field(file, "position", "1", 2, shape, *x);
    make_field(file, "velocity", "1", 2, shape, *v);
    make_field(file, "mass", "1", 1, shape, m);
    NC(nc_close(file));
}

TEST(test_masses)
{
    write_particles();
    cJSON *job = cli_change(job_of(&systems[1], PARTICLES, 160), "backend = 'openmp'");
    cli_change(job, "particles = {'file': {'file': 'particles.nc'}}; domain = {'size': [25, 25], 'walls': "
                    "'periodic'}; check = {'reference_steps': 4, 'tolerance': 0.01}");
    stopped_run(job, "masses", 2, compare_counts);
}

// A device is fast: as many steps as make its run last longer than a stop takes.
CUDA_TEST(test_cuda)
{
    each_system("cuda", 2000, 2400);
}

CUDA_TEST_MAIN(cli_setup, cli_teardown)
