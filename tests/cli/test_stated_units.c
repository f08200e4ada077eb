// Units of files of the heat and N-body models: a unit in the job that contradicts the file's is refused,
// with key, value, file, variable and attribute. The job may state that the file is wrong, and then its unit
// counts. Where the file states none, the job's unit counts, too.
#include "tests/support/cli_fixture.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/test.h"

enum { NZ = 4, NY = 5, NX = 6, CELLS = NZ * NY * NX, RECORDS = 3, BODIES = 20 };

// ---- files: "data.nc", in which one variable states `units` (NULL: none)

static void values_of(double *values, size_t count, double value)
{
    for (size_t i = 0; i < count; i++)
        values[i] = value * (1 + 0.1 * sin((double)i));
}

static int begin(int dimensions[3])
{
    static const char *const names[3] = {"z", "y", "x"};
    static const size_t lengths[3] = {NZ, NY, NX};
    const int file = make_file(cli_path("data.nc"), NC_NETCDF4);
    for (int k = 0; k < 3; k++)
        dimensions[k] = make_dimension(file, names[k], lengths[k]);
    return file;
}

static void write_temperature(const char *units)
{
    int d[3];
    double values[CELLS];
    const int file = begin(d);
    values_of(values, CELLS, 40);
    make_field(file, "T", units, 3, d, values);
    NC(nc_close(file));
}

static void write_media(const char *conductivity_units, const char *perfusion_units)
{
    int d[3];
    double values[CELLS];
    const int file = begin(d);
    values_of(values, CELLS, 1000);
    make_field(file, "density", "kg m-3", 3, d, values);
    values_of(values, CELLS, 3600);
    make_field(file, "specific_heat", "J kg-1 K-1", 3, d, values);
    values_of(values, CELLS, 0.5);
    make_field(file, "conductivity", conductivity_units, 3, d, values);
    values_of(values, CELLS, 0.01);
    make_field(file, "w", perfusion_units, 3, d, values);
    NC(nc_close(file));
}

static void write_conductivity(const char *units)
{
    write_media(units, "mL/min/kg");
}

static void write_perfusion(const char *units)
{
    write_media("W m-1 K-1", units);
}

static void write_map(const char *units)
{
    int d[3];
    double values[CELLS];
    const int file = begin(d);
    values_of(values, CELLS, 5e3);
    make_field(file, "Q", units, 3, d, values);
    NC(nc_close(file));
}

// Two places, cells of the order z, y, x, and what each gives at the times.
static void write_places(const char *units, int corners)
{
    static const double cells[] = {1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3}, times[RECORDS] = {0, 1, 2};
    double power[2 * RECORDS];
    const int file = make_file(cli_path("data.nc"), NC_NETCDF4);
    const int time = make_axis(file, "time", "s", RECORDS, times);
    const int place = make_dimension(file, "place", 2), corner = make_dimension(file, "corner", 2),
              axis = make_dimension(file, "axis", 3);
    make_field(file, "at", NULL, corners + 1,
               corners == 2 ? (const int[]){place, corner, axis} : (const int[]){place, axis}, cells);
    values_of(power, 2 * RECORDS, 1e5);
    make_field(file, "power", units, 2, (const int[]){time, place}, power);
    NC(nc_close(file));
}

static void write_points(const char *units)
{
    write_places(units, 1);
}

static void write_boxes(const char *units)
{
    write_places(units, 2);
}

static void write_records(const char *units, const char *time_units)
{
    static const double times[RECORDS] = {0, 1, 2};
    int d[4];
    double values[RECORDS * CELLS];
    const int file = begin(d + 1);
    d[0] = make_axis(file, "time", time_units, RECORDS, times);
    values_of(values, RECORDS * CELLS, 5e3);
    make_field(file, "Q", units, 4, d, values);
    NC(nc_close(file));
}

static void write_stream(const char *units)
{
    write_records(units, "s since 2024-02-01");
}

static void write_stream_times(const char *units)
{
    write_records("W m-3", units);
}

// The factors state a unit, too: a drive's voltage. They are taken as bare numbers.
static void write_table(const char *units)
{
    static const double times[RECORDS] = {0, 1, 2}, factors[RECORDS] = {1, 3, 2};
    int d[3];
    double values[CELLS];
    const int file = begin(d), time = make_axis(file, "time", units, RECORDS, times);
    make_field(file, "drive", "V", 1, &time, factors);
    values_of(values, CELLS, 5e3);
    make_field(file, "Q", "W m-3", 3, d, values);
    NC(nc_close(file));
}

static void write_bodies(const char *position, const char *velocity, const char *mass)
{
    double values[3 * BODIES];
    const int file = make_file(cli_path("data.nc"), NC_NETCDF4);
    const int d[] = {make_dimension(file, "body", BODIES), make_dimension(file, "axis", 3)};
    for (int i = 0; i < 3 * BODIES; i++)
        values[i] = sin(12.9898 * (i + 1));
    make_field(file, "position", position, 2, d, values);
    make_field(file, "velocity", velocity, 2, d, values);
    values_of(values, BODIES, 2);
    make_field(file, "mass", mass, 1, d, values);
    NC(nc_close(file));
}

static void write_positions(const char *units)
{
    write_bodies(units, "km/s", "solar_mass");
}

static void write_velocities(const char *units)
{
    write_bodies("pc", units, "solar_mass");
}

static void write_masses(const char *units)
{
    write_bodies("pc", "km/s", units);
}

// ---- jobs

static cJSON *heat_job(const char *key, const char *block)
{
    cJSON *job = cli_json("{'fathom': 1, 'model': 'bioheat', 'backend': 'reference', 'domain': {'faces': "
                          "{'all': {'kind': 'insulated'}}}, 'time': {'duration': '2 s', 'step': '0.1 s'}, "
                          "'output': {'directory': 'out', 'state': true}}");
    if (strcmp(key, "domain.fields") == 0)
        cli_change(job, "domain.spacing = '1 mm'");
    else
        cli_change(
            job,
            "domain.uniform = {'tissue': 'brain', 'cells': {'x': 6, 'y': 5, 'z': 4}, 'spacing': '1 mm'}");
    cli_set(job, key, block);
    return job;
}

static cJSON *bodies_job(const char *key, const char *block)
{
    cJSON *job = cli_json(
        "{'fathom': 1, 'model': 'nbody', 'backend': 'reference', 'units': 'si', 'physics': {'softening': "
        "'0.01 pc'}, 'time': {'duration': '1 kyr', 'step': '100 yr'}, 'output': {'directory': 'out'}}");
    cli_set(job, key, block);
    return job;
}

#define FILE_OF "{\"file\": \"data.nc\""
#define ROWS    FILE_OF ", \"at\": \"at\", \"values\": \"power\", \"after_end\": \"last\"}"
#define STREAM  "{\"stream\": " FILE_OF ", \"after_end\": \"last\"}}"
#define TABLE                                                                                                \
    "{\"tables\": {\"t\": " FILE_OF                                                                          \
    ", \"variable\": \"drive\", \"after_end\": \"last\"}}, \"maps\": {\"m\": " FILE_OF                       \
    ", \"variable\": \"Q\", \"amplitude\": \"t\"}}}"
#define MEDIA FILE_OF ", \"perfusion\": \"w\"}"

static const struct block {
    cJSON *(*job)(const char *key, const char *block);
    const char *key, *json;                      // of the job's block
    const char *units_key, *override_key;        // in the job
    const char *variable, *stated, *same, *said; // the file's unit, in other words, and another one
    void (*write)(const char *units);
} blocks[] = {
    {heat_job, "initial", FILE_OF "}", "initial.units", "initial.override", "T", "degC", "Celsius", "degF",
     write_temperature},
    {heat_job, "domain.fields", MEDIA, "domain.fields.units.conductivity", "domain.fields.override",
     "conductivity", "W m-1 K-1", "W/m/K", "mW cm-1 K-1", write_conductivity},
    {heat_job, "domain.fields", MEDIA, "domain.fields.units.perfusion", "domain.fields.override", "w",
     "mL/min/kg", "ml min-1 kg-1", "s-1", write_perfusion},
    {heat_job, "source", "{\"maps\": {\"m\": " FILE_OF "}}}", "source.maps.m.units", "source.maps.m.override",
     "Q", "W m-3", "W/m^3", "kW m-3", write_map},
    {heat_job, "source.points", ROWS, "source.points.units", "source.points.override", "power", "W m-3",
     "W/m^3", "kW m-3", write_points},
    {heat_job, "source.boxes", ROWS, "source.boxes.units", "source.boxes.override", "power", "W m-3", "W/m^3",
     "mW cm-3", write_boxes},
    {heat_job, "source", STREAM, "source.stream.units", "source.stream.override", "Q", "W m-3", "W/m^3",
     "mW cm-3", write_stream},
    {heat_job, "source", STREAM, "source.stream.time_unit", "source.stream.override", "time", "s", "seconds",
     "min", write_stream_times},
    {heat_job, "source", TABLE, "source.tables.t.time_unit", "source.tables.t.override", "time", "s",
     "second", "min", write_table},
    {bodies_job, "particles.file", FILE_OF "}", "particles.file.units.position", "particles.file.override",
     "position", "pc", "parsec", "AU", write_positions},
    {bodies_job, "particles.file", FILE_OF "}", "particles.file.units.velocity", "particles.file.override",
     "velocity", "km/s", "km s-1", "m/s", write_velocities},
    {bodies_job, "particles.file", FILE_OF "}", "particles.file.units.mass", "particles.file.override",
     "mass", "solar_mass", "Msun", "1e30 kg", write_masses},
};

static void say(cJSON *job, const char *key, const char *units)
{
    cli_set(job, key, format_text("\"%s\"", units));
}

// Runs, and moves the end's state to `name`.
static void run_to(const cJSON *job, const struct block *block, const char *name)
{
    cli_assert_done(cli_rerun(job));
    assert_int_equal(
        rename(cli_path(block->job == heat_job ? "out/state.nc" : "out/final.nc"), cli_path(name)), 0);
}

TEST(another_unit_than_the_files_is_refused)
{
    for (size_t k = 0; k < COUNT(blocks); k++) {
        const struct block *block = &blocks[k];
        cJSON *job = block->job(block->key, block->json);
        block->write(block->stated);
        say(job, block->units_key, block->said);
        const bool is_series = strstr(block->units_key, "tables") != NULL; // its key comes first otherwise
        cli_assert_error(cli_rerun(job), CONFIGURATION, false,
                         is_series ? "source.tables.t" : block->units_key,
                         format_text("\"%s\" contradicts ", block->said), "data.nc",
                         format_text("variable %s", block->variable),
                         format_text("states units = \"%s\"", block->stated), "\"override\": true");
        assert_false(cli_exists("out"));
    }
}

TEST(an_override_gives_what_the_right_file_gives)
{
    for (size_t k = 0; k < COUNT(blocks); k++) {
        const struct block *block = &blocks[k];
        cJSON *job = block->job(block->key, block->json);
        block->write(block->said);
        run_to(job, block, "right.nc");
        say(job, block->units_key, block->said);
        block->write(NULL);
        run_to(job, block, "silent.nc");
        cli_assert_same_data("silent.nc", "right.nc");
        block->write(block->stated);
        cli_set(job, block->override_key, "true");
        run_to(job, block, "overridden.nc");
        cli_assert_same_data("overridden.nc", "right.nc");
        const char *warning = format_text("%s: ", block->override_key);
        const char *taken =
            format_text("read in %s, although the file states units = \"%s\"", block->said, block->stated);
        assert_true(cli_has_warning("out", warning, taken));
        // A repeated statement is no contradiction.
        say(job, block->units_key, block->same);
        cli_assert_done(cli_rerun(job));
        warning = format_text("%s: has no effect: nothing that is ", block->override_key);
        if (!cli_has_warning("out", warning, " beside it contradicts "))
            fail_msg("%s: \"%s\" for \"%s\" is taken for another unit", block->units_key, block->same,
                     block->stated);
    }
}

// 1 Pa is 1 J m-3 by its dimension alone.
TEST(a_pressure_is_no_heat_by_the_jobs_word)
{
    cJSON *job = heat_job("source.points", FILE_OF ", \"at\": \"at\", \"values\": \"power\", \"units\": \"J "
                                                   "m-3\", \"rows\": \"steps\", \"after_end\": \"zero\"}");
    write_points("Pa");
    cli_assert_error(cli_rerun(job), CONFIGURATION, false, "source.points.units: ", "\"J m-3\" contradicts ",
                     "states units = \"Pa\"");
    write_points("N m-2"); // which leaves open what is meant
    cli_assert_done(cli_rerun(job));
}

TEST(an_override_needs_a_file)
{
    static const struct {
        const char *key, *json, *message;
    } cases[] = {
        {"initial", "{'temperature': '37 degC', 'override': true}",
         "initial.override: has no effect without initial.file"},
        {"source.points",
         "{'at': [{'x': 1, 'y': 1, 'z': 1}], 'values': [[1]], 'units': 'W m-3', 'rows': 'steps', 'override': "
         "true}",
         "source.points.override: has no effect without source.points.file"},
        {"source.tables.t", "{'times': ['0 s', '9 s'], 'values': [1, 1], 'override': true}",
         "source.tables.t.override: is about a file, and none is given"},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        cli_assert_error(cli_rerun(heat_job(cases[k].key, cases[k].json)), CONFIGURATION, false,
                         cases[k].message);
    }
}

TEST(an_unknown_unit_of_the_jobs_is_its_mistake)
{
    cJSON *job = heat_job("initial", FILE_OF ", \"units\": \"kelvins per weekend\"}");
    write_temperature("K");
    cli_assert_error(cli_rerun(job), CONFIGURATION, false, "initial.units: ", "weekend");
}

TEST_MAIN(cli_setup, cli_teardown)
