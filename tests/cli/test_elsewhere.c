// Results of particles and spins in other programs: the periodic cell and AMBER's units of trajectories
// (MDTraj, MDAnalysis), times without a date in cdo and xarray; and files of both kinds of units, those of
// earlier versions too, read by the program itself.
#include "tests/support/gas_job.h"
#include "tests/support/ising_job.h"
#include "tests/support/nbody_job.h"
#include "tests/support/test.h"

#include <netcdf.h>

enum { TOOL_ABSENT = 127, ABSENT = 77, AXES = 3 };

// A cluster of 1000 solar masses and 2 pc, some of its crossing times.
static cJSON *si_job(void)
{
    cJSON *job = cli_change(
        nbody_job(),
        "output.directory = 'si'; units = 'si'; particles.plummer.radius = '2 pc'; particles.plummer.mass = "
        "'1000 solar_mass'; physics.softening = '0.1 pc'; time.duration = '1.6 Myr'; time.step = '0.05 Myr'; "
        "output.fields.every = '0.4 Myr'; output.diagnostics.every = '0.2 Myr'");
    return job;
}

static void run_python(const char *program)
{
    const struct cli_result *result = cli_run_tool("/usr/bin/python3", "-c", program);
    if (result->exit_code == ABSENT || result->exit_code == TOOL_ABSENT) {
        skip_because("%s", result->exit_code == ABSENT ? result->output : "there is no python3");
    }
    cli_assert_done(result);
    if (result->error[0])
        fail_msg("python3 said: %s", result->error);
}

// ---- the periodic cell

static void assert_cell(const char *walls, const double expected[AXES])
{
    enum { MOST = GAS_JOB_FRAMES * AXES };
    cli_run_job(
        cli_change(gas_job(), "delete domain.density; domain.size = [26, 31]; domain.walls = %s", walls));
    assert_int_equal(cli_has_variable("out/trajectory.nc", "cell_lengths"), expected[0] > 0);
    if (!(expected[0] > 0))
        return;
    double *lengths = cli_read_values("out/trajectory.nc", "cell_lengths", MOST),
           *angles = cli_read_values("out/trajectory.nc", "cell_angles", MOST);
    for (size_t k = 0; k < MOST; k++)
        assert_true(lengths[k] == expected[k % AXES] && angles[k] == 90);
}

// Axes with walls, and z, get empty space of the longer side, so that no image is near.
TEST(test_cell)
{
    assert_cell("\"periodic\"", (const double[AXES]){26, 31, 31});
    assert_cell("{'left': 'periodic', 'right': 'periodic', 'bottom': 'reflect', 'top': 'reflect'}",
                (const double[AXES]){26, 62, 31});
    assert_cell("\"reflect\"", (const double[AXES]){0, 0, 0});
}

// How many lie within 3 of each other, counted from final.nc and the box that the job has, and by the
// programs from the trajectory.
static const char count_neighbours[] =
    "import sys, json, warnings\n"
    "warnings.simplefilter('ignore')\n"
    "try:\n"
    "    import numpy; numpy.int = int; numpy.float = float\n" // names that older releases of MDTraj want
    "    import netCDF4, scipy\n"
    "except ImportError as missing:\n"
    "    print(missing); sys.exit(77)\n"
    "x = netCDF4.Dataset('out/final.nc')['coordinates'][:].data[:, :2]\n"
    "d = x[:, None] - x[None]\n"
    "d -= numpy.array(json.load(open('job.json'))['domain']['size']) * numpy.round(d / numpy.array([26, "
    "26]))\n"
    "count = int((numpy.hypot(d[..., 0], d[..., 1]) < 3).sum()) - len(x)\n"
    "alone = int((numpy.hypot(*(x[:, None] - x[None]).T) < 3).sum()) - len(x)\n"
    "assert count > 1.1 * alone, (count, alone)\n"
    "seen = []\n"
    "try:\n"
    "    import mdtraj\n"
    "    top = mdtraj.Topology(); chain = top.add_chain(); r = top.add_residue('X', chain)\n"
    "    for k in range(len(x)): top.add_atom('A', mdtraj.element.carbon, r)\n"
    "    t = mdtraj.load_netcdf('out/trajectory.nc', top=top)\n"
    "    pairs = numpy.array([(i, j) for i in range(len(x)) for j in range(i)])\n"
    "    near = mdtraj.compute_distances(t[-1], pairs) < 0.3\n" // it works in nanometres
    "    assert 2 * int(near.sum()) == count, (int(near.sum()), count)\n"
    "    assert abs(t.time[-1] - 0.25) < 1e-6\n"
    "    seen.append('MDTraj')\n"
    "except ImportError as missing: print('not seen:', missing)\n"
    "try:\n"
    "    import MDAnalysis\n"
    "    from MDAnalysis.lib.distances import self_capped_distance\n"
    "    u = MDAnalysis.Universe.empty(len(x), trajectory=False)\n"
    "    u.load_new('out/trajectory.nc', format='NCDF'); u.trajectory[-1]\n"
    "    near = self_capped_distance(u.atoms.positions, 3, box=u.dimensions)[0]\n"
    "    assert 2 * len(near) == count, (len(near), count)\n"
    "    assert abs(u.trajectory.time - 0.25) < 1e-6\n"
    "    seen.append('MDAnalysis')\n"
    "except ImportError as missing: print('not seen:', missing)\n"
    "if not seen: sys.exit(77)\n";

TEST(test_neighbours)
{
    cli_run_job(
        cli_change(gas_job(), "delete domain.density; domain.size = [26, 26]; domain.walls = 'periodic'"));
    run_python(count_neighbours);
}

// ---- units

// Times run_scale the trajectory's numbers are those of final.nc and of the diagnostics; by themselves they
// are about 1.
TEST(test_scales)
{
    cli_run_job(si_job());
    assert_string_equal(cli_attribute("si/trajectory.nc", "coordinates", "units"), "angstrom");
    assert_string_equal(cli_attribute("si/trajectory.nc", "velocities", "units"), "angstrom/picosecond");
    assert_string_equal(cli_attribute("si/trajectory.nc", "time", "units"), "picosecond");
    assert_string_equal(cli_attribute("si/trajectory.nc", "coordinates", "run_units"), "m");
    assert_string_equal(cli_attribute("si/trajectory.nc", "velocities", "run_units"), "m s-1");
    assert_string_equal(cli_attribute("si/trajectory.nc", "time", "run_units"), "s");
    assert_false(cli_has_variable("si/trajectory.nc", "cell_lengths"));
    const double length_m = cli_number_attribute("si/trajectory.nc", "coordinates", "run_scale", 0),
                 time_s = cli_number_attribute("si/trajectory.nc", "time", "run_scale", 0),
                 speed_m_s = cli_number_attribute("si/trajectory.nc", "velocities", "run_scale", 0);
    assert_true(length_m == 1e16 && time_s == 1e13 && speed_m_s == 1e3);
    enum { N = NBODY_JOB_BODIES * AXES, FRAMES = NBODY_JOB_FRAMES };
    static const char *const names[] = {"coordinates", "velocities"};
    const double scales[] = {length_m, speed_m_s};
    for (size_t v = 0; v < 2; v++) {
        double *all = cli_read_values("si/trajectory.nc", names[v], FRAMES * N),
               *last = cli_read_values("si/final.nc", names[v], N), squares = 0;
        for (size_t k = 0; k < N; k++) {
            const double number = all[(FRAMES - 1) * N + k];
            assert_true(fabs(number * scales[v] - last[k]) <= 4e-16 * fabs(last[k]));
            squares += number * number / N;
        }
        assert_true(squares > 1e-3 && squares < 1e3);
    }
    double *times = cli_read_values("si/trajectory.nc", "time", FRAMES),
           *others = cli_read_values("si/diagnostics.nc", "time", NBODY_JOB_RECORDS);
    for (size_t k = 0; k < FRAMES; k++)
        assert_true(fabs(times[k] * time_s - others[2 * k]) <= 4e-16 * others[2 * k]);
}

// ---- the program's own readers

// A trajectory as earlier versions wrote it: the run's numbers in the run's units.
static void make_old(const char *name, bool is_si)
{
    static const char *const variables[] = {"time", "coordinates", "velocities"};
    const char *const units[] = {is_si ? "second" : "1", is_si ? "m" : "1", is_si ? "m s-1" : "1"};
    int file;
    assert_int_equal(nc_open(cli_path(name), NC_WRITE, &file), NC_NOERR);
    for (size_t v = 0; v < 3; v++) {
        const double scale = cli_number_attribute(name, variables[v], "run_scale", 0);
        size_t count;
        int id;
        double *values = cli_read_variable(name, variables[v], &count, NULL);
        assert_int_equal(nc_inq_varid(file, variables[v], &id), NC_NOERR);
        assert_int_equal(nc_redef(file), NC_NOERR);
        assert_int_equal(nc_put_att_text(file, id, "units", strlen(units[v]), units[v]), NC_NOERR);
        assert_int_equal(nc_del_att(file, id, "run_units"), NC_NOERR);
        assert_int_equal(nc_del_att(file, id, "run_scale"), NC_NOERR);
        assert_int_equal(nc_enddef(file), NC_NOERR);
        for (size_t k = 0; k < count; k++)
            values[k] *= scale;
        assert_int_equal(nc_put_var_double(file, id, values), NC_NOERR);
    }
    assert_int_equal(nc_close(file), NC_NOERR);
}

static void go_on_from(const char *file, const char *directory, bool is_si)
{
    cli_run_job(
        cli_change(is_si ? si_job() : gas_job(),
                   "output.directory = '%s'; particles = {'file': {'file': ''}}; particles.file.file = '%s'",
                   directory, file));
}

// The old and the new file are the same to compare, to a run that starts from them and to a report.
static void assert_both_are_read(cJSON *job, const char *directory, bool is_si)
{
    const char *new = format_text("%s/trajectory.nc", directory);
    cli_run_job(job);
    cli_run_job(cli_change(job, "output.directory = 'old'"));
    const char *old = format_text("old/trajectory.nc");
    make_old(old, is_si);
    const struct cli_result *result = cli_do("compare %s %s", new, old);
    assert_null(strstr(result->output, "packed"));
    assert_has(result->output, is_si ? "coordinates (m)" : "coordinates (1)");
    go_on_from(new, "from-new", is_si);
    go_on_from(old, "from-old", is_si);
    cli_assert_same_data("from-new/final.nc", "from-old/final.nc");
    cli_do("report old --size 500x400");
    cli_do("report %s --size 500x400", directory);
    assert_has(cli_do("info %s", new)->output, is_si ? " s\n" : "time");
}

TEST(test_old_files_of_si)
{
    assert_both_are_read(si_job(), "si", true);
}

TEST(test_old_files_of_reduced_units)
{
    assert_both_are_read(gas_job(), "out", false);
}

// The time of a diagnostics file of earlier versions has units of its own.
TEST(test_old_times)
{
    cJSON *job = si_job();
    cli_run_job(job);
    cli_run_job(cli_change(job, "output.directory = 'old'"));
    int file, id;
    assert_int_equal(nc_open(cli_path("old/diagnostics.nc"), NC_WRITE, &file), NC_NOERR);
    assert_int_equal(nc_inq_varid(file, "time", &id), NC_NOERR);
    assert_int_equal(nc_put_att_text(file, id, "units", 1, "s"), NC_NOERR);
    assert_int_equal(nc_inq_varid(file, "model_time", &id), NC_NOERR);
    assert_int_equal(nc_rename_var(file, id, "unused"), NC_NOERR);
    assert_int_equal(nc_close(file), NC_NOERR);
    assert_null(
        strstr(cli_do("compare si/diagnostics.nc old/diagnostics.nc --tolerance energy_total=0")->output,
               "in one file only"));
    cli_assert_error(cli_run("report old"), 65, false,
                     "old/diagnostics.nc: was damaged or changed after its run", "run.json");
    assert_int_equal(unlink(cli_path("old/run.json")), 0); // of a version that had no sums
    cli_do("report old --size 500x400");
}

// ---- times in cdo and xarray

static void assert_cdo_times(const char *file, size_t count)
{
    const struct cli_result *result = cli_run_tool("cdo", "-s", "sinfon", file);
    if (result->exit_code == TOOL_ABSENT) {
        skip_because("there is no cdo");
    }
    cli_assert_done(result);
    if (result->error[0])
        fail_msg("cdo sinfon %s: %s", file, result->error);
    result = cli_run_tool("cdo", "-s", "outputf,%.17g,1", "-selname,model_time", format_text("%s", file));
    cli_assert_done(result);
    if (result->error[0])
        fail_msg("cdo outputf %s: %s", file, result->error);
    double *times = cli_read_values(file, "time", count);
    const char *text = result->output;
    for (size_t k = 0; k < count; k++) {
        char *end;
        assert_true(strtod(text, &end) == times[k]);
        assert_true(end != text);
        text = end;
    }
}

static void run_all(void)
{
    cJSON *const jobs[] = {gas_job(), ising_job(), si_job()};
    cli_set_text(jobs[0], "output.directory", "gas");
    cli_set_text(jobs[1], "output.directory", "ising");
    for (size_t k = 0; k < COUNT(jobs); k++) {
        cli_run_job(jobs[k]);
    }
}

TEST(test_cdo)
{
    run_all();
    assert_cdo_times("gas/diagnostics.nc", GAS_JOB_RECORDS);
    assert_cdo_times("si/diagnostics.nc", NBODY_JOB_RECORDS);
    assert_cdo_times("ising/series.nc", ISING_JOB_TEMPERATURES * ISING_JOB_MEASUREMENTS);
}

TEST(test_xarray)
{
    run_all();
    run_python(
        "import sys\n"
        "try:\n"
        "    import numpy, xarray, netCDF4\n"
        "except ImportError as missing:\n"
        "    print(missing); sys.exit(77)\n"
        "import warnings; warnings.simplefilter('error')\n"
        "year = 31556925.9747\n" // udunits' year, the tropical one
        "for name, step in (('gas', 0.03125), ('si', 0.2e6 * year)):\n"
        "    d = xarray.open_dataset(name + '/diagnostics.nc')\n"
        "    assert d.time.dtype == numpy.float64 and d.model_time.dtype == numpy.float64\n"
        "    assert numpy.allclose(d.time.values, step * numpy.arange(9), rtol=1e-12, atol=0)\n"
        "    assert (d.time.values == d.model_time.values).all()\n"
        "    assert d.model_time.units == ('s' if name == 'si' else '1') and 'units' not in d.time.attrs\n"
        "d = xarray.open_dataset('ising/series.nc')\n"
        "assert (d.time.values == d.model_time.values).all() and d.time[1] - d.time[0] == 2\n"
        "for name in ('gas', 'si'):\n"
        "    t = xarray.open_dataset(name + '/trajectory.nc')\n"
        "    assert t.coordinates.units == 'angstrom' and t.time.dtype == numpy.float64\n"
        "    times = t.time.values * t.time.run_scale\n"
        "    d = xarray.open_dataset(name + '/diagnostics.nc')\n"
        "    assert numpy.allclose(times, d.time.values[::2], rtol=1e-15, atol=0)\n");
}

TEST_MAIN(cli_setup, cli_teardown)
