// Every way in which a heat job's media, tissues, start and outputs can be wrong: one line, the right exit
// code, the file or key with the place and what was expected. What is wrong with sources is tested with them.
#include "tests/support/cli_fixture.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/netcdf_maker.h"

enum { CONFIGURATION = 78, DATA = 65, NO_INPUT = 66 };
enum { NZ = 8, NY = 9, NX = 10, CELLS = NZ * NY * NX };

// ---- files: 10 × 9 × 8 cells of 1 mm; a block of bone in brain, skin around it

static uint8_t label_at(size_t z, size_t y, size_t x)
{
    if (z == 0 || y == 0 || x == 0 || z == NZ - 1 || y == NY - 1 || x == NX - 1)
        return 1;
    return z == 3 && y == 4 ? 3 : 2;
}

static double first_mm; // of all axes

static int begin_volume(const char *name, int dimensions[3])
{
    static const char *const names[] = {"z", "y", "x"};
    static const size_t lengths[] = {NZ, NY, NX};
    double values[NX];
    const int file = make_file(cli_path(name), NC_NETCDF4);
    for (size_t i = 0; i < NX; i++)
        values[i] = first_mm + (double)i;
    for (int k = 0; k < 3; k++)
        dimensions[k] = make_axis(file, names[k], "mm", lengths[k], values);
    return file;
}

// `odd` at `odd_cell` (−1: nowhere) in place of the label.
static void write_labels(const char *name, long odd_cell, double odd)
{
    int dimensions[3];
    static double values[CELLS];
    for (size_t i = 0; i < CELLS; i++)
        values[i] = (long)i == odd_cell ? odd : label_at(i / (NY * NX), i / NX % NY, i % NX);
    const int file = begin_volume(name, dimensions);
    make_field(file, "label", NULL, 3, dimensions, values);
    NC(nc_close(file));
}

struct field {
    const char *name, *units;
    double value;
};

// Fields that are the same everywhere but at one cell of the first.
static void write_fields(const char *name, const struct field *fields, int count, long odd_cell, double odd)
{
    int dimensions[3];
    static double values[CELLS];
    const int file = begin_volume(name, dimensions);
    for (int f = 0; f < count; f++) {
        for (size_t i = 0; i < CELLS; i++)
            values[i] = f == 0 && (long)i == odd_cell ? odd : fields[f].value;
        make_field(file, fields[f].name, fields[f].units, 3, dimensions, values);
    }
    NC(nc_close(file));
}

// ---- jobs

static cJSON *labels_job(void)
{
    write_labels("head.nc", -1, 0);
    cJSON *job = cJSON_Parse("{\"fathom\": 1, \"model\": \"bioheat\", \"backend\": \"openmp\", \"domain\": "
                             "{\"labels\": {\"file\": "
                             "\"head.nc\"}, \"faces\": {\"all\": {\"kind\": \"insulated\"}}}, \"tissues\": "
                             "{\"labels\": {\"1\": \"skin\", "
                             "\"2\": \"brain\", \"3\": \"cortical bone\"}}, \"time\": {\"duration\": \"5 "
                             "s\"}, \"output\": {\"directory\": "
                             "\"out\"}}");
    assert_non_null(job);
    return job;
}

static cJSON *uniform_job(void)
{
    cJSON *job = cJSON_Parse("{\"fathom\": 1, \"model\": \"bioheat\", \"backend\": \"openmp\", \"domain\": "
                             "{\"uniform\": {\"tissue\": "
                             "\"brain\", \"cells\": {\"x\": 9, \"y\": 8, \"z\": 7}, \"spacing\": \"1 mm\"}}, "
                             "\"time\": {\"duration\": \"5 "
                             "s\"}, \"output\": {\"directory\": \"out\"}}");
    assert_non_null(job);
    return job;
}

static const struct field good_fields[] = {{"density", "kg m-3", 1000},
                                           {"specific_heat", "J kg-1 K-1", 3600},
                                           {"conductivity", "W m-1 K-1", 0.5},
                                           {"w", "mL/min/kg", 500}};

static cJSON *fields_job(void)
{
    cJSON *job = cJSON_Parse("{\"fathom\": 1, \"model\": \"bioheat\", \"backend\": \"openmp\", \"domain\": "
                             "{\"fields\": {\"file\": "
                             "\"body.nc\", \"perfusion\": \"w\"}}, \"time\": {\"duration\": \"5 s\"}, "
                             "\"output\": {\"directory\": \"out\"}}");
    assert_non_null(job);
    return job;
}

static const struct cli_result *run(cJSON *job)
{
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    return cli_run("run", "-q", "--restart", "job.json", NULL);
}

struct bad {
    const char *key, *json; // what is changed in the good job
    int exit_code;
    const char *fragments[4];
};

static void expect_bad(cJSON *job, const struct bad *bad)
{
    if (bad->key)
        cli_set(job, bad->key, bad->json);
    const struct cli_result *result = run(job);
    for (int k = 0; k < 4 && bad->fragments[k]; k++)
        if (!strstr(result->error, bad->fragments[k]))
            fail_msg("%s = %s: \"%s\" does not say \"%s\"", bad->key ? bad->key : "",
                     bad->json ? bad->json : "", result->error, bad->fragments[k]);
    cli_assert_error(result, bad->exit_code, false, bad->fragments[0], NULL);
    assert_false(cli_exists("out/fields.nc"));
}

static void expect_all(cJSON *(*job)(void), const struct bad *cases, size_t count)
{
    for (size_t k = 0; k < count; k++)
        expect_bad(job(), &cases[k]);
}
#define EXPECT_ALL(job, cases) expect_all((job), (cases), sizeof(cases) / sizeof *(cases))

// ---- tests

static void the_jobs_themselves_run(void **state)
{
    (void)state;
    cli_assert_done(run(labels_job()));
    cli_assert_done(run(uniform_job()));
    write_fields("body.nc", good_fields, 4, -1, 0);
    cli_assert_done(run(fields_job()));
}

static void unstable_steps(void **state)
{
    (void)state;
    // 1 mm of brain: 3/8 h² · 1046 · 3630 / 0.51 / 3 = 0.93 s, less what perfusion takes.
    static const struct bad uniform[] = {
        {"time.step",
         "\"1 s\"",
         CONFIGURATION,
         {"time.step: 1 s is unstable: the limit is 0.92", "brain at (4, 4, 3) mm"}},
        {"time.step",
         "\"1e-300 s\"",
         CONFIGURATION,
         {"time.step: ", " s in steps of 1e-300 s would take 1e30", "steps; at most 1e+15 are possible"}}};
    EXPECT_ALL(uniform_job, uniform);
    // Brain and bone change places: bone conducts temperature better than skin.
    cJSON *job = labels_job();
    cli_set(job, "tissues.labels", "{\"1\": \"skin\", \"2\": \"cortical bone\", \"3\": \"skin\"}");
    const struct bad labels = {"time.step",
                               "\"0.99 s\"",
                               CONFIGURATION,
                               {"time.step: 0.99 s is unstable: the limit is 0.9", "cortical bone at ("}};
    expect_bad(job, &labels);
}

static void labels_and_tissues(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"tissues.labels",
         "{\"1\": \"skin\", \"3\": \"cortical bone\"}",
         DATA,
         {"head.nc: label 2 has no tissue: 328 of its cells, the first cell (1, 1, 1)", "tissues.void"}},
        {"tissues.labels", NULL, CONFIGURATION, {"tissues.labels: is missing"}},
        {"tissues.kept", "[9]", CONFIGURATION, {"tissues.kept: label 9 needs a tissue in tissues.labels"}},
        {"tissues.labels",
         "{\"1\": \"skni\"}",
         CONFIGURATION,
         {"tissues.labels.1: no tissue \"skni\"", "did you mean \"skin\""}},
        {"tissues.labels", "{\"256\": \"skin\"}", CONFIGURATION, {"\"256\" is not a label"}},
        {"tissues.labels", "{\"1\": 5}", CONFIGURATION, {"tissues.labels.1", "name of a tissue"}},
        {"tissues.labels.1",
         "{\"name\": \"gel\", \"density\": \"1000 kg m-3\"}",
         CONFIGURATION,
         {"tissues.labels.1: gel has no specific_heat"}},
        {"tissues.labels.1",
         "{\"tissue\": \"skin\", \"perfusion\": \"5 mL\"}",
         CONFIGURATION,
         {"tissues.labels.1: perfusion", "\"mL\" is not a unit of perfusion", "mL/min/kg"}},
        {"tissues.labels.1",
         "{\"tissue\": \"skin\", \"perfusion\": \"5\"}",
         CONFIGURATION,
         {"is not a unit of perfusion"}},
        {"tissues.labels.1",
         "{\"tissue\": \"skin\", \"perfusion\": \"-5 s-1\"}",
         CONFIGURATION,
         {"cannot be negative"}},
        {"tissues.labels.1",
         "{\"tissue\": \"skin\", \"densty\": \"5 kg m-3\"}",
         CONFIGURATION,
         {"did you mean \"density\""}},
        {"tissues.labels.1",
         "{\"tissue\": \"skin\", \"density\": \"0 kg m-3\"}",
         CONFIGURATION,
         {"more than 0"}},
        {"tissues.labels.1", "\"blood\"", CONFIGURATION, {"blood has no perfusion", "physics"}},
        {"tissues.labels.2",
         "\"air\"",
         CONFIGURATION,
         {"label 2 (air) is a gas (1.2 kg/m3)", "times shorter", "tissues.void", "(1, 1, 1)"}},
        {"tissues.void", "[1, 2, 3]", CONFIGURATION, {"every label of the volume is void or kept"}},
        {"tissues.void", "[300]", CONFIGURATION, {"tissues.void: expected whole numbers from 0 to 255"}},
        {"tissues.void", "3", CONFIGURATION, {"tissues.void: expected a list"}},
        {"tissues.file", "\"nowhere.json\"", NO_INPUT, {"tissues.file", "nowhere.json"}},
        {"tissues.file", "\"job.json\"", DATA, {"not a table of tissues"}},
    };
    EXPECT_ALL(labels_job, cases);
    cJSON *job = labels_job();
    cli_set(job, "tissues.kept", "[3]");
    const struct bad both = {"tissues.void", "[3]", CONFIGURATION, {"both in tissues.void and tissues.kept"}};
    expect_bad(job, &both);
}

static void values_of_label_files(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *fragment;
    } odd[] = {{2.5, "2.5: expected a whole number from 0 to 255"},
               {-1, "-1: expected a whole number from 0 to 255"},
               {256, "256: expected a whole number from 0 to 255"},
               {NAN, "has no value"},
               {9.969209968386869e+36, "has no value"}}; // netCDF's own fill value
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
        cJSON *job = labels_job();
        write_labels("head.nc", (3 * NY + 2) * NX + 5, odd[k].value);
        const struct bad bad = {
            NULL, NULL, DATA, {odd[k].fragment, "head.nc: variable label", "cell (3, 2, 5) of z, y, x"}};
        expect_bad(job, &bad);
    }
    // One cell of a label that nobody described.
    cJSON *job = labels_job();
    write_labels("head.nc", (3 * NY + 2) * NX + 5, 77);
    const struct bad bad = {
        NULL, NULL, DATA, {"label 77 has no tissue: 1 of its cells, the first cell (3, 2, 5)"}};
    expect_bad(job, &bad);
}

static void files_that_cannot_be_read(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"domain.labels.file", "\"nowhere.nc\"", NO_INPUT, {"domain.labels.file", "nowhere.nc"}},
        {"domain.labels.file", "\"job.json\"", DATA, {"job.json"}},
        {"domain.labels.variable", "\"lable\"", DATA, {"no variable \"lable\"; volumes in the file: label"}},
        {"domain.spacing", "\"2 mm\"", CONFIGURATION, {"domain.spacing: 2 mm along x, but", "says 1 mm"}},
        {"domain.labels",
         NULL,
         CONFIGURATION,
         {"domain: needs exactly one of uniform, labels, fields; it has 0"}},
        {"domain.uniform",
         "{\"tissue\": \"brain\", \"cells\": {\"x\": 5, \"y\": 5}, \"spacing\": \"1 mm\"}",
         CONFIGURATION,
         {"it has 2"}},
    };
    EXPECT_ALL(labels_job, cases);
    for (int k = 0; k < 3; k++) {
        cJSON *job = labels_job();
        cli_truncate("head.nc", 0.3 + 0.3 * k);
        const struct bad bad = {NULL, NULL, DATA, {"head.nc"}};
        expect_bad(job, &bad);
    }
}

static void grids_that_make_no_sense(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"domain.uniform.cells.x", "2147483648", CONFIGURATION, {"domain.uniform.cells.x"}},
        {"domain.uniform.cells",
         "{\"x\": 2000000000, \"y\": 2000000000, \"z\": 2000000000}",
         CONFIGURATION,
         {"2000000000 x 2000000000 x 2000000000", "at most"}},
        {"domain.uniform.cells.x",
         "4",
         CONFIGURATION,
         {"domain.faces.all.kind: fixed faces hold two layers", "4 along x"}},
        {"domain.uniform.cells", NULL, CONFIGURATION, {"domain.uniform.cells: is missing"}},
        {"domain.uniform.spacing", NULL, CONFIGURATION, {"domain.uniform.spacing: is missing"}},
        {"domain.uniform.spacing", "\"0 mm\"", CONFIGURATION, {"must be larger than 0"}},
        {"domain.uniform.spacing", "\"1 s\"", CONFIGURATION, {"domain.uniform.spacing"}},
        {"domain.uniform.spacing",
         "{\"x\": \"1 mm\", \"w\": \"1 mm\"}",
         CONFIGURATION,
         {"unknown key \"w\""}},
        {"domain.uniform.tissue", "\"brian\"", CONFIGURATION, {"did you mean \"brain\""}},
        {"domain.uniform.conductivity", "\"0.5 W\"", CONFIGURATION, {"domain.uniform.conductivity"}},
        {"domain.spacing", "\"1 mm\"", CONFIGURATION, {"domain.uniform.spacing"}},
        {"tissues.void", "[0]", CONFIGURATION, {"tissues.void: is for a volume of labels"}},
        {"domain.faces.x_low.kind",
         "\"periodic\"",
         CONFIGURATION,
         {"periodic needs the opposite face periodic too"}},
        {"domain.faces.x_low.kind",
         "\"convective\"",
         CONFIGURATION,
         {"domain.faces.x_low.transfer: is missing"}},
        {"domain.faces.x_low",
         "{\"kind\": \"convective\", \"transfer\": \"10 W m-2 K-1\"}",
         CONFIGURATION,
         {"domain.faces.x_low.outside: is missing"}},
        {"domain.faces.x_low",
         "{\"transfer\": \"10 W m-2 K-1\"}",
         CONFIGURATION,
         {"has no effect: the face is fixed"}},
        {"domain.faces.x_low.kind", "\"open\"", CONFIGURATION, {"domain.faces.x_low.kind"}},
        {"physics.contrast_limit", "8", CONFIGURATION, {"physics.contrast_limit: 8 is out of range: 1 to 5"}},
    };
    EXPECT_ALL(uniform_job, cases);
    cJSON *job = uniform_job();
    cli_set(job, "method", "\"three-colour\"");
    const struct bad coloured = {
        "domain.faces.all.kind", "\"periodic\"", CONFIGURATION, {"3 divides; there are 7 along z"}};
    expect_bad(job, &coloured);
}

static void bad_fields(void **state)
{
    (void)state;
    static const struct {
        struct field fields[4];
        double odd;
        struct bad bad;
    } cases[] = {
        {{{"density", "kg m-3", 1000},
          {"specific_heat", "J kg-1 K-1", 3600},
          {"conductivity", "W m-1 K-1", 0.5},
          {"w", "mL", 5}},
         1000,
         {NULL, NULL, DATA, {"variable w: \"mL\" is not a unit of perfusion"}}},
        {{{"density", "kg m-3", 1000},
          {"specific_heat", NULL, 3600},
          {"conductivity", "W m-1 K-1", 0.5},
          {"w", "s-1", 5}},
         1000,
         {NULL, NULL, DATA, {"specific_heat does not say its units", "domain.fields.units.specific_heat"}}},
        {{{"density", "kg", 1000},
          {"specific_heat", "J kg-1 K-1", 3600},
          {"conductivity", "W m-1 K-1", 0.5},
          {"w", "s-1", 5}},
         1000,
         {NULL, NULL, DATA, {"variable density: units \"kg\""}}},
        {{{"density", "kg m-3", 1000},
          {"specific_heat", "J kg-1 K-1", 3600},
          {"conductivity", "W m-1 K-1", 0.5},
          {"w", "s-1", 0}},
         NAN,
         {NULL, NULL, DATA, {"variable density: cell (3, 2, 5)", "has no value"}}},
        {{{"density", "kg m-3", 1000},
          {"specific_heat", "J kg-1 K-1", 3600},
          {"conductivity", "W m-1 K-1", 0.5},
          {"w", "s-1", 0}},
         -3,
         {NULL, NULL, DATA, {"cell (3, 2, 5)", "-3: expected more than 0"}}},
        // Air among tissue.
        {{{"density", "kg m-3", 1000},
          {"specific_heat", "J kg-1 K-1", 1000},
          {"conductivity", "W m-1 K-1", 0.1},
          {"w", "s-1", 0}},
         1.2,
         {NULL, NULL, DATA, {"body.nc: 1 cells are a gas", "times shorter", "cell (3, 2, 5)"}}},
        {{{"density", "kg m-3", 1000},
          {"specific_heat", "J kg-1 K-1", 1000},
          {"conductivity", "W m-1 K-1", 0},
          {"w", "s-1", 0}},
         1000,
         {NULL, NULL, DATA, {"every cell is void or kept"}}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        write_fields("body.nc", cases[k].fields, 4, (3 * NY + 2) * NX + 5, cases[k].odd);
        expect_bad(fields_job(), &cases[k].bad);
    }
    write_fields("body.nc", good_fields, 2, -1, 0);
    const struct bad absent = {NULL, NULL, DATA, {"no variable \"conductivity\""}};
    expect_bad(fields_job(), &absent);
}

static void bad_starts(void **state)
{
    (void)state;
    static const struct field warm = {"T", "degC", 37}, kelvin = {"T", "K", 310}, bare = {"T", NULL, 37},
                              wrong = {"T", "kg", 37};
    static const struct {
        const struct field *field;
        double odd;
        struct bad bad;
    } cases[] = {
        {&warm,
         NAN,
         {"initial.file", "\"T.nc\"", DATA, {"T.nc: variable T: cell (3, 2, 5) of z, y, x: no temperature"}}},
        {&warm,
         -274,
         {"initial.file", "\"T.nc\"", DATA, {"cell (3, 2, 5)", "-274 degC: colder than can be"}}},
        {&warm,
         INFINITY,
         {"initial.file", "\"T.nc\"", DATA, {"cell (3, 2, 5)", "inf degC: no finite temperature"}}},
        {&kelvin,
         -1,
         {"initial.file", "\"T.nc\"", DATA, {"cell (3, 2, 5)", "-274.15 degC: colder than can be"}}},
        {&bare, 37, {"initial.file", "\"T.nc\"", CONFIGURATION, {"initial.units", "does not say its units"}}},
        {&wrong, 37, {"initial.file", "\"T.nc\"", DATA, {"variable T: units \"kg\""}}},
        {&warm,
         37,
         {"initial.variable",
          "\"T\"",
          CONFIGURATION,
          {"initial.variable: has no effect without initial.file"}}},
        {&warm,
         37,
         {"initial",
          "{\"temperature\": \"37 degC\", \"file\": \"T.nc\"}",
          CONFIGURATION,
          {"needs one of temperature, file, from"}}},
        {&warm, 37, {"initial.temperature", "\"-300 degC\"", CONFIGURATION, {"initial.temperature"}}},
        {&warm, 37, {"initial.temperature", "\"37\"", CONFIGURATION, {"initial.temperature"}}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        write_fields("T.nc", cases[k].field, 1, (3 * NY + 2) * NX + 5, cases[k].odd);
        // Read after the header: what is said before it is no error.
        cJSON *job = labels_job();
        cli_set(job, cases[k].bad.key, cases[k].bad.json);
        const struct cli_result *result = run(job);
        for (int j = 0; j < 4 && cases[k].bad.fragments[j]; j++)
            cli_assert_error(result, cases[k].bad.exit_code, true, cases[k].bad.fragments[j], NULL);
    }
}

// Of another shape, of another spacing, and begun elsewhere than the labels.
static void starts_on_another_grid(void **state)
{
    (void)state;
    static const struct field warm = {"T", "degC", 37};
    cJSON *job = uniform_job();
    const struct bad shape = {
        "initial.file", "\"T.nc\"", DATA, {"has 8 x 9 x 10 cells (z, y, x), the domain 7 x 8 x 9"}};
    write_fields("T.nc", &warm, 1, -1, 0);
    expect_bad(job, &shape);
    job = uniform_job();
    cli_set(job, "domain.uniform",
            "{\"tissue\": \"fat\", \"cells\": {\"x\": 10, \"y\": 9, \"z\": 8}, \"spacing\": \"2 mm\"}");
    const struct bad spacing = {"initial.file",
                                "\"T.nc\"",
                                DATA,
                                {"T.nc: variable T has a spacing of 1 mm along z, the domain 2 mm"}};
    expect_bad(job, &spacing);
    job = labels_job();
    first_mm = 3;
    write_fields("moved.nc", &warm, 1, -1, 0);
    first_mm = 0;
    const struct bad moved = {
        "initial.file", "\"moved.nc\"", DATA, {"begins at z = 3 mm, the domain at 0 mm"}};
    expect_bad(job, &moved);
}

static void velocities(void **state)
{
    (void)state;
    static const struct field flow = {"v", "cm/s", 10}, wrong = {"v", "m", 1};
    write_fields("v.nc", &flow, 1, (3 * NY + 2) * NX + 5, INFINITY);
    static const struct bad cases[] = {
        {"domain.velocity",
         "{\"file\": \"v.nc\"}",
         CONFIGURATION,
         {"domain.velocity: needs at least one of x, y, z"}},
        {"domain.velocity",
         "{\"file\": \"v.nc\", \"z\": \"v\"}",
         DATA,
         {"variable v: cell (3, 2, 5)", "finite"}},
    };
    EXPECT_ALL(labels_job, cases);
    const struct bad shape = {"domain.velocity",
                              "{\"file\": \"v.nc\", \"x\": \"v\"}",
                              DATA,
                              {"domain.velocity.x", "8 x 9 x 10 cells (z, y, x), the domain 7 x 8 x 9"}};
    expect_bad(uniform_job(), &shape);
    write_fields("v.nc", &flow, 1, -1, 0);
    const struct bad fast = {"time.step", "\"0.1 s\"", CONFIGURATION, {"0.1 s is unstable"}};
    cJSON *job = labels_job();
    cli_set(job, "domain.velocity", "{\"file\": \"v.nc\", \"x\": \"v\"}");
    expect_bad(job, &fast);
    write_fields("v.nc", &wrong, 1, -1, 0);
    const struct bad units = {
        "domain.velocity", "{\"file\": \"v.nc\", \"x\": \"v\"}", DATA, {"variable v: units \"m\""}};
    expect_bad(labels_job(), &units);
}

static void bad_outputs(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"output.sensors.list",
         "[{\"name\": \"a\", \"x\": \"1 m\", \"y\": \"1 mm\", \"z\": \"1 mm\"}]",
         CONFIGURATION,
         {"output.sensors.list: sensor \"a\": x = 1 m lies outside the domain, 0 to 8 mm"}},
        {"output.sensors.list",
         "[{\"name\": \"a\", \"x\": 1, \"y\": \"1 mm\", \"z\": \"1 mm\"}]",
         CONFIGURATION,
         {"sensor \"a\": x must be a text with a unit"}},
        {"output.sensors.list",
         "[{\"x\": \"1 mm\", \"y\": \"1 mm\", \"z\": \"1 mm\"}]",
         CONFIGURATION,
         {"sensor number 1"}},
        {"output.sensors.list",
         "[{\"name\": \"a\", \"x\": \"1 mm\", \"y\": \"1 mm\", \"z\": \"1 mm\"}, {\"name\": \"a\", \"x\": "
         "\"1 mm\", \"y\": \"1 "
         "mm\", \"z\": \"1 mm\"}]",
         CONFIGURATION,
         {"sensor \"a\" is there twice"}},
        {"output.sensors.list", "[]", CONFIGURATION, {"expected a list of 1 to"}},
        {"output.sensors", "{\"every\": \"1 s\"}", CONFIGURATION, {"needs one of list and file"}},
        {"output.sensors.file", "\"job.json\"", DATA, {"fathom_sensors"}},
        {"output.fields",
         "{\"every\": \"1 s\", \"x\": [\"20 mm\", \"30 mm\"]}",
         CONFIGURATION,
         {"output.fields.x: no cell lies between 20 mm and 30 mm: they are from 0 to 8 mm"}},
        {"output.fields",
         "{\"every\": \"1 s\", \"variables\": [\"dose\"]}",
         CONFIGURATION,
         {"dose needs dose.definition"}},
        {"output.fields.x",
         "[\"2 mm\", \"3 mm\"]",
         CONFIGURATION,
         {"has no effect without output.fields.every"}},
        {"dose.lesion", "\"240 min\"", CONFIGURATION, {"has no effect without dose.definition"}},
        {"physics.contrast_limit", "2", CONFIGURATION, {"has no effect without domain.fields"}},
        {"dose.definition", "\"cem\"", CONFIGURATION, {"dose.definition"}},
        {"metod", "\"euler\"", CONFIGURATION, {"metod: unknown key (did you mean method?)"}},
    };
    EXPECT_ALL(uniform_job, cases);
}

// Kelvins taken for degrees are no error that can be known: a warning with the place.
static void kelvins_are_warned_of(void **state)
{
    (void)state;
    static const struct {
        const char *key, *json, *fragment;
    } cases[] = {{"initial.temperature", "\"310 degC\"", "initial.temperature: 310 degC; is a kelvin meant"},
                 {"physics.arterial_temperature", "\"310 degC\"", "physics.arterial_temperature: 310 degC"},
                 {"domain.faces.all",
                  "{\"kind\": \"convective\", \"transfer\": \"10 W m-2 K-1\", \"outside\": \"20 K\"}",
                  "outside: -253.15 degC"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cJSON *job = uniform_job();
        cli_set(job, cases[k].key, cases[k].json);
        const struct cli_result *result = run(job);
        cli_assert_done(result);
        assert_non_null(strstr(result->error, "warning"));
        if (!strstr(result->error, cases[k].fragment))
            fail_msg("\"%s\" does not say \"%s\"", result->error, cases[k].fragment);
    }
    // In a file: seen in the state, with place and time.
    static const struct field hot = {"T", "degC", 37};
    write_fields("T.nc", &hot, 1, (3 * NY + 2) * NX + 5, 310);
    cJSON *job = labels_job();
    cli_set(job, "initial.file", "\"T.nc\"");
    const struct cli_result *result = run(job);
    cli_assert_done(result);
    assert_non_null(strstr(result->error, "warning"));
    assert_non_null(strstr(result->error, "mm"));
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, cli_setup, cli_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(the_jobs_themselves_run),
        WITH_FOLDER(unstable_steps),
        WITH_FOLDER(labels_and_tissues),
        WITH_FOLDER(values_of_label_files),
        WITH_FOLDER(files_that_cannot_be_read),
        WITH_FOLDER(grids_that_make_no_sense),
        WITH_FOLDER(bad_fields),
        WITH_FOLDER(bad_starts),
        WITH_FOLDER(starts_on_another_grid),
        WITH_FOLDER(velocities),
        WITH_FOLDER(bad_outputs),
        WITH_FOLDER(kelvins_are_warned_of),
    };
    return cmocka_run_group_tests_name("bioheat bad input", tests, NULL, NULL);
}
