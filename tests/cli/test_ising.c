// An Ising job from end to end: its files, read by other programs too; energy and magnetisation that follow
// from the spins in them; each format, order and boundary; what run.json states; a run that starts from
// another's end; checks, and the same bits again.
#include "tests/support/ising_job.h"
#include "tests/support/test.h"

#include <netcdf.h>

enum {
    COLUMNS = ISING_JOB_COLUMNS,
    ROWS = ISING_JOB_ROWS,
    SITES = COLUMNS * ROWS,
    BYTES = (COLUMNS + 7) / 8,
    TEMPERATURES = ISING_JOB_TEMPERATURES,
    EVERY = ISING_JOB_EVERY,
    SWEEPS = TEMPERATURES * ISING_JOB_SWEEPS,
    RECORDS = SWEEPS / EVERY,
    MAPS_EVERY = 20,
    MAPS = SWEEPS / MAPS_EVERY
};

static cJSON *job_with_maps(const char *format)
{
    return cli_change(ising_job(), "output.configurations = {'every': %d, 'format': '%s'}", MAPS_EVERY,
                      format);
}

// ---- files

TEST(test_files)
{
    cli_run_job(cli_change(
        job_with_maps("packed"),
        "output.correlations = {'every': 20, 'distances': [1, 2, 4]}; analysis.reweighting = {'points': 5}"));
    static const char *const names[] = {"series",     "configurations", "results", "distributions",
                                        "reweighted", "correlations",   "final"};
    char file[64];
    for (size_t k = 0; k < COUNT(names); k++) {
        snprintf(file, sizeof file, "out/%s.nc", names[k]);
        assert_string_equal(cli_attribute(file, NULL, "Conventions"), "CF-1.8");
        if (strcmp(names[k], "final") != 0)
            assert_string_equal(cli_attribute(file, "model_time", "units"), "1"); // sweeps
    }
    double *times = cli_read_values("out/series.nc", "time", RECORDS),
           *betas = cli_read_values("out/series.nc", "beta", RECORDS),
           *maps = cli_read_values("out/configurations.nc", "spins_packed", MAPS * ROWS * BYTES),
           *last = cli_read_values("out/final.nc", "spins_packed", ROWS * BYTES),
           *clock = cli_read_values("out/final.nc", "clock", 1);
    for (int k = 0; k < RECORDS; k++) {
        assert_true(times[k] == EVERY * (k + 1));
        assert_true(betas[k] == (k < RECORDS / 2 ? 0.4 : 0.44));
    }
    assert_memory_equal(maps + (size_t)(MAPS - 1) * ROWS * BYTES, last, ROWS * BYTES * sizeof *last);
    assert_true(*clock == SWEEPS);
    static const char *const ends[] = {"results", "distributions", "reweighted", "correlations"};
    for (size_t k = 0; k < COUNT(ends); k++) {
        snprintf(file, sizeof file, "out/%s.nc", ends[k]);
        double *at = cli_read_values(file, "time", TEMPERATURES),
               *beta = cli_read_values(file, "beta", TEMPERATURES);
        assert_true(at[0] == ISING_JOB_SWEEPS && at[1] == SWEEPS && beta[0] == 0.4 && beta[1] == 0.44);
    }
}

// Eight spins up are 255, netCDF's own fill value of bytes, which readers would take for missing if the
// variable had one.
TEST(test_no_byte_is_missing)
{
    static const char *const files[] = {"out/configurations.nc", "out/final.nc"};
    cli_run_job(job_with_maps("packed"));
    for (size_t k = 0; k < COUNT(files); k++) {
        int file, variable, has_none = 0;
        assert_int_equal(nc_open(cli_path(files[k]), NC_NOWRITE, &file), NC_NOERR);
        assert_int_equal(nc_inq_varid(file, "spins_packed", &variable), NC_NOERR);
        assert_int_equal(nc_inq_var_fill(file, variable, &has_none, NULL), NC_NOERR);
        assert_int_equal(has_none, 1);
        assert_int_equal(nc_close(file), NC_NOERR);
    }
}

TEST(test_other_programs_read_them)
{
    cJSON *job = cli_change(job_with_maps("packed"), "lattice.replicas = 3");
    cli_run_job(job);
    job = job_with_maps("bytes");
    cli_run_job(cli_change(job, "lattice.replicas = 3; output.directory = 'bytes'"));
    cli_assert_tool(
        cli_run_tool("/usr/bin/python3", "-W", "ignore", "-c",
                     "import sys\n"
                     "try:\n"
                     "    import numpy, xarray, netCDF4\n"
                     "except ImportError as missing:\n"
                     "    print(missing); sys.exit(77)\n"
                     "s = xarray.open_dataset('out/series.nc')\n"
                     "c = xarray.open_dataset('out/configurations.nc')\n"
                     "b = xarray.open_dataset('bytes/configurations.nc')\n"
                     "f = xarray.open_dataset('out/final.nc')\n"
                     "assert s.energy.dims == ('time', 'replica') and s.energy.shape == (400, 3)\n"
                     "assert c.spins_packed.dims == ('time', 'replica', 'row', 'byte')\n"
                     "assert b.spins.dims == ('time', 'replica', 'row', 'column')\n"
                     "assert c.spins_packed.dtype == numpy.uint8 and b.spins.dtype == numpy.uint8\n"
                     "up = numpy.unpackbits(c.spins_packed.values, axis=-1)[..., :int(c.columns)]\n"
                     "assert (up == b.spins.values).all() and 0 < up.mean() < 1\n"
                     "assert (f.spins_packed.values == c.spins_packed.values[-1]).all()\n"
                     "assert list(c.beta.values) == [0.4, 0.44] and float(f.beta) == 0.44\n"
                     "m = 2.0 * up.mean(axis=(2, 3)) - 1\n"
                     "assert abs(m - s.magnetisation.sel(time=c.time).values).max() < 1e-15\n"
                     "v = netCDF4.Dataset('bytes/configurations.nc').variables['spins']\n"
                     "assert not numpy.ma.is_masked(v[:]) and v.flag_meanings == 'down up'\n"
                     "v = netCDF4.Dataset('out/configurations.nc').variables['spins_packed']\n"
                     "assert v[:].max() == 255 and not numpy.ma.is_masked(v[:])\n"));
}

// ---- the series from the spins: energy and magnetisation by their definitions alone

struct system {
    const char *name;
    bool is_helical;
    double coupling, field;
    const char *method;
};

static int spin_at(const double *map, int site)
{
    const unsigned byte = (unsigned)map[site / COLUMNS * BYTES + site % COLUMNS / 8];
    return byte >> (7 - site % COLUMNS % 8) & 1 ? 1 : -1;
}

static double energy_of(const struct system *system, const double *map, double *magnetisation)
{
    int bonds = 0, spins = 0;
    for (int site = 0; site < SITES; site++) {
        const int x = site % COLUMNS, y = site / COLUMNS;
        const int right = system->is_helical ? (site + 1) % SITES : y * COLUMNS + (x + 1) % COLUMNS;
        const int below = (site + COLUMNS) % SITES;
        bonds += spin_at(map, site) * (spin_at(map, right) + spin_at(map, below));
        spins += spin_at(map, site);
    }
    *magnetisation = (double)spins / SITES;
    return (-system->coupling * bonds - system->field * spins) / SITES;
}

static void check_system(const struct system *system)
{
    cJSON *job = cli_change(job_with_maps("packed"),
                            "physics.coupling = %g; physics.field = %g; lattice.boundary = '%s'",
                            system->coupling, system->field, system->is_helical ? "helical" : "periodic");
    cli_run_job(cli_change(job, "method.name = '%s'", system->method));
    double *maps = cli_read_values("out/configurations.nc", "spins_packed", MAPS * ROWS * BYTES),
           *energies = cli_read_values("out/series.nc", "energy", RECORDS),
           *magnetisations = cli_read_values("out/series.nc", "magnetisation", RECORDS);
    for (int k = 0; k < MAPS; k++) {
        double magnetisation;
        const int record = (k + 1) * MAPS_EVERY / EVERY - 1;
        const double energy = energy_of(system, maps + (size_t)k * ROWS * BYTES, &magnetisation);
        if (fabs(energies[record] - energy) > 1e-14 || magnetisations[record] != magnetisation)
            fail_msg("%s, record %d: energy %.17g, magnetisation %.17g; the spins have %.17g and %.17g",
                     system->name, record, energies[record], magnetisations[record], energy, magnetisation);
    }
}

TEST(test_series_follow_from_the_spins)
{
    static const struct system systems[] = {
        {"periodic", false, 1, 0, "metropolis"},
        {"helical, in a field", true, 1, 0.3, "heat-bath"},
        {"antiferromagnet in a field", false, -1, 0.5, "metropolis"},
        {"one site after the other", true, 0.7, -0.2, "metropolis-random"},
        {"integers", false, 1, 0, "metropolis-integer"},
        {"clusters", true, 1.1, 0, "swendsen-wang"},
        {"one cluster", false, -1, 0, "wolff"},
    };
    for (size_t k = 0; k < COUNT(systems); k++)
        check_system(&systems[k]);
}

// ---- order and start

static double first_energy_of_second_temperature(const char *order)
{
    cli_run_job(cli_change(
        ising_job(), "temperatures.beta = [0.05, 0.9]; sweeps.every = 1; temperatures.order = '%s'", order));
    double *energies = cli_read_values("out/series.nc", "energy", SWEEPS);
    const double energy = energies[ISING_JOB_SWEEPS];
    return energy;
}

// From a cold start a lattice stays ordered at once; from one of near chance it takes time.
TEST(test_orders)
{
    assert_true(first_energy_of_second_temperature("independent") < -1.9);
    assert_true(first_energy_of_second_temperature("temper") > -1.8);
}

// At infinite temperature Metropolis turns every spin at every sweep: after an even number they are as they
// were.
TEST(test_continues_from_another_runs_end)
{
    static const char *const formats[] = {"packed", "bytes"};
    for (size_t k = 0; k < 2; k++) {
        cJSON *job = cli_change(job_with_maps(formats[k]), "lattice.replicas = 2");
        cli_run_job(job);
        cli_run_job(cli_change(job, "start = {'kind': 'file', 'file': 'out/final.nc'}; temperatures.beta = "
                                    "[1e-6]; physics.coupling = 1e-6; output.directory = 'next'"));
        cli_run_job(cli_change(job, "start.file = 'out/configurations.nc'; output.directory = 'other'"));
        const char *const name = k == 0 ? "spins_packed" : "spins";
        size_t count;
        double *before = cli_read_variable("out/final.nc", name, &count, NULL),
               *after = cli_read_values("next/final.nc", name, count),
               *other = cli_read_values("other/final.nc", name, count);
        assert_memory_equal(before, after, count * sizeof *before);
        assert_memory_equal(before, other, count * sizeof *before);
        cli_remove("out");
        cli_remove("next");
        cli_remove("other");
    }
}

// ---- what is not written, run.json, checks

TEST(test_results_without_their_series)
{
    cJSON *job = ising_job();
    cli_run_job(job);
    cli_run_job(cli_change(job, "output.series = false; output.directory = 'bare'"));
    assert_true(cli_exists("out/series.nc"));
    assert_false(cli_exists("bare/series.nc"));
    assert_int_equal(cli_count_entries("bare"), cli_count_entries("out") - 1);
    cli_assert_same_data("bare/results.nc", "out/results.nc");
    cli_assert_same_data("bare/distributions.nc", "out/distributions.nc");
    cJSON *report = cli_read_json("bare/run.json");
    const cJSON *name, *files = cJSON_GetObjectItem(report, "files");
    cJSON_ArrayForEach(name, files) assert_string_not_equal(name->valuestring, "series.nc");
}

// What results.nc states about the jackknife's blocks holds for blocks of times, and for blocks of replicas.
TEST(test_blocks_are_what_they_are_called)
{
    cJSON *job = cli_change(ising_job(), "lattice.columns = 8; lattice.rows = 8; temperatures = {'beta': "
                                         "[0.3]}; sweeps = {'count': 4000, 'thermalisation': 100}");
    for (int of_replicas = 0; of_replicas < 2; of_replicas++) {
        if (of_replicas) {
            cli_change(job, "sweeps.count = 200; lattice.replicas = 64");
        }
        cli_run_job(cli_change(job, "output.directory = 'blocks%d'", of_replicas));
        const char *file = format_text("blocks%d/results.nc", of_replicas);
        double *blocks = cli_read_values(file, "blocks", 1),
               *length = cli_read_values(file, "block_length", 1),
               *measurements = cli_read_values(file, "measurements", 1);
        if (of_replicas)
            assert_true(*length == *measurements && *blocks == 64);
        else
            assert_true(*blocks >= 2 && *length < *measurements && *blocks * *length <= *measurements);
        assert_string_equal(cli_attribute(file, "block_length", "comment"),
                            "equal to `measurements` where a block is of whole replicas; else a block is of "
                            "so many measurements of all replicas");
    }
}

TEST(test_report)
{
    cli_run_job(cli_change(ising_job(), "check = {'reference_steps': 5}"));
    cJSON *report = cli_read_json("out/run.json");
    cli_expect_number(report, "lattice.columns", COLUMNS);
    cli_expect_number(report, "lattice.rows", ROWS);
    cli_expect_number(report, "steps", SWEEPS);
    cli_expect_number(report, "phases.timed_steps", SWEEPS);
    cli_expect_number(report, "phases.timed_measurements", RECORDS);
    assert_true(cli_json_number(report, "reference_check.largest_difference") == 0);
    assert_true(cli_json_number(report, "reference_check.repeated_steps") == 10);
    cli_expect_number(report, "reference_check.compared_nodes", 5 * SITES);
    assert_string_equal(cli_text(report, "time_unit"), "1");
    const cJSON *table = cJSON_GetObjectItem(report, "temperatures");
    assert_int_equal(cJSON_GetArraySize(table), TEMPERATURES);
    double *energies = cli_read_values("out/results.nc", "energy", TEMPERATURES),
           *errors = cli_read_values("out/results.nc", "energy_error", TEMPERATURES),
           *reliable = cli_read_values("out/results.nc", "is_reliable", TEMPERATURES);
    double unreliable = 0;
    for (int k = 0; k < TEMPERATURES; k++) {
        const cJSON *item = cJSON_GetArrayItem(table, k), *pair = cJSON_GetObjectItem(item, "energy");
        assert_true(cJSON_GetArrayItem(pair, 0)->valuedouble == energies[k]);
        assert_true(cJSON_GetArrayItem(pair, 1)->valuedouble == errors[k]);
        assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(item, "is_reliable")), reliable[k] != 0);
        assert_null(cJSON_GetObjectItem(item, "cluster_size"));
        unreliable += reliable[k] == 0;
    }
    cli_expect_number(report, "unreliable_temperatures", unreliable);
}

// Fewer measurements than the critical slowing down needs: reported, and written down.
TEST(test_too_few_measurements_are_reported)
{
    cJSON *job =
        cli_change(ising_job(), "lattice = {'columns': 64}; temperatures.beta = [0.4406868, 0.45]; sweeps = "
                                "{'count': 64, 'every': 2, 'thermalisation': 0}; start.kind = 'hot'");
    const struct cli_result *result = cli_try(job);
    assert_int_equal(result->exit_code, 0);
    assert_has(result->error, "warning: ", "not reliable",
               "2 of 2 temperatures, from beta = 0.4406868 to 0.45, are not");
    double *reliable = cli_read_values("out/results.nc", "is_reliable", 2);
    assert_true(reliable[0] == 0 && reliable[1] == 0);
    cJSON *report = cli_read_json("out/run.json");
    assert_true(cli_count(report, "warnings") > 0);
    assert_true(cli_json_number(report, "unreliable_temperatures") == 2);
}

// With any number of threads, and again.
TEST(test_the_same_bits_again)
{
    static const char *const methods[] = {"metropolis",    "heat-bath",          "wolff",
                                          "swendsen-wang", "metropolis-integer", "metropolis-random"};
    for (size_t k = 0; k < COUNT(methods); k++) {
        cli_save_job(cli_change(job_with_maps("packed"), "method.name = '%s'", methods[k]));
        cli_do("run -q --verify 4 job.json");
        cli_do("run -q -o one --threads 1 job.json");
        cli_do("run -q -o plain -b reference job.json");
        cli_assert_same_results("one", "out");
        cli_assert_same_results("plain", "out");
        cli_remove("out");
        cli_remove("one");
        cli_remove("plain");
    }
}

TEST(test_plan)
{
    cli_save_job(job_with_maps("packed"));
    assert_has(cli_do("plan job.json")->output, "time       800 sweeps\n",
               "configurations.nc, results.nc, distributions.nc, final.nc");
    cli_write_text("plan.json", cli_run("plan --json job.json")->output);
    cJSON *plan = cli_read_json("plan.json");
    cli_expect_number(plan, "steps", SWEEPS);
    assert_int_equal(cli_count(plan, "betas"), TEMPERATURES);
    assert_false(cli_exists("out"));
}

TEST_MAIN(cli_setup, cli_teardown)
