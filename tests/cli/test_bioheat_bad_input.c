// Every way in which a heat job's media, tissues, start and outputs can be wrong: one line, the right exit
// code, the file or key with the place and what was expected. What is wrong with sources is tested with them.
#include "tests/support/refusals.h"
#include "tests/support/test.h"

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
    return cli_json(
        "{'fathom': 1, 'model': 'bioheat', 'backend': 'openmp', 'domain': {'labels': {'file': 'head.nc'}, "
        "'faces': {'all': {'kind': 'insulated'}}}, 'tissues': {'labels': {'1': 'skin', '2': 'brain', '3': "
        "'cortical bone'}}, 'time': {'duration': '5 s'}, 'output': {'directory': 'out'}}");
}

static cJSON *uniform_job(void)
{
    return cli_json("{'fathom': 1, 'model': 'bioheat', 'backend': 'openmp', 'domain': {'uniform': {'tissue': "
                    "'brain', 'cells': {'x': 9, 'y': 8, 'z': 7}, 'spacing': '1 mm'}}, 'time': {'duration': "
                    "'5 s'}, 'output': {'directory': 'out'}}");
}

static const struct field good_fields[] = {{"density", "kg m-3", 1000},
                                           {"specific_heat", "J kg-1 K-1", 3600},
                                           {"conductivity", "W m-1 K-1", 0.5},
                                           {"w", "mL/min/kg", 500}};

static cJSON *fields_job(void)
{
    return cli_json(
        "{'fathom': 1, 'model': 'bioheat', 'backend': 'openmp', 'domain': {'fields': {'file': 'body.nc', "
        "'perfusion': 'w'}}, 'time': {'duration': '5 s'}, 'output': {'directory': 'out'}}");
}

// ---- tests

TEST(the_jobs_themselves_run)
{
    cli_assert_done(run(labels_job()));
    cli_assert_done(run(uniform_job()));
    write_fields("body.nc", good_fields, 4, -1, 0);
    cli_assert_done(run(fields_job()));
}

TEST(unstable_steps)
{
    // 1 mm of brain: 3/8 h² · 1046 · 3630 / 0.51 / 3 = 0.93 s, less what perfusion takes.
    static const struct bad uniform[] = {
        BAD("time.step = '1 s'", "time.step: 1 s is unstable: the limit is 0.92", "brain at (4, 4, 3) mm"),
        BAD("time.step = '1e-300 s'", "time.step: ", " s in steps of 1e-300 s would take 1e30",
            "steps; at most 1e+15 are possible")};
    EXPECT_ALL(uniform_job, uniform);
    // Brain and bone change places: bone conducts temperature better than skin.
    EXPECT_BAD(cli_change(labels_job(), "tissues.labels = {'1': 'skin', '2': 'cortical bone', '3': 'skin'}"),
               CONFIGURATION, "time.step = '0.99 s'", "time.step: 0.99 s is unstable: the limit is 0.9",
               "cortical bone at (");
}

TEST(labels_and_tissues)
{
    static const struct bad cases[] = {
        BAD_AS(DATA, "tissues.labels = {'1': 'skin', '3': 'cortical bone'}",
               "head.nc: label 2 has no tissue: 328 of its cells, the first cell (1, 1, 1)", "tissues.void"),
        BAD("delete tissues.labels", "tissues.labels: is missing"),
        BAD("tissues.fixed_temperature = [9]",
            "tissues.fixed_temperature: label 9 needs a tissue in tissues.labels"),
        BAD("tissues.kept = [3]; tissues.fixed_temperature = [3]", "tissues.kept: is the old name"),
        BAD("tissues.labels = {'1': 'skni'}", "tissues.labels.1: no tissue \"skni\"",
            "did you mean \"skin\""),
        BAD("tissues.labels = {'256': 'skin'}", "\"256\" is not a label"),
        BAD("tissues.labels = {'1': 5}", "tissues.labels.1", "name of a tissue"),
        BAD("tissues.labels.1 = {'name': 'gel', 'density': '1000 kg m-3'}",
            "tissues.labels.1: gel has no specific_heat"),
        BAD("tissues.labels.1 = {'tissue': 'skin', 'perfusion': '5 mL'}", "tissues.labels.1: perfusion",
            "\"mL\" is not a unit of perfusion", "mL/min/kg"),
        BAD("tissues.labels.1 = {'tissue': 'skin', 'perfusion': '5'}", "not a unit of perfusion"),
        BAD("tissues.labels.1 = {'tissue': 'skin', 'perfusion': '-5 s-1'}", "cannot be negative"),
        BAD("tissues.labels.1 = {'tissue': 'skin', 'densty': '5 kg m-3'}", "did you mean \"density\""),
        BAD("tissues.labels.1 = {'tissue': 'skin', 'density': '0 kg m-3'}", "more than 0"),
        BAD("tissues.labels.1 = 'blood'", "blood has no perfusion", "physics"),
        BAD("tissues.labels.2 = 'air'", "label 2 (air) is a gas (1.2 kg/m3)", "times shorter", "tissues.void",
            "(1, 1, 1)"),
        BAD("tissues.void = [1, 2, 3]", "every label of the volume is void or has a fixed temperature"),
        BAD("tissues.void = [300]", "tissues.void: expected whole numbers from 0 to 255"),
        BAD("tissues.void = 3", "tissues.void: expected a list"),
        BAD_AS(NO_INPUT, "tissues.file = 'nowhere.json'", "tissues.file", "nowhere.json"),
        BAD_AS(DATA, "tissues.file = 'job.json'", "not a table of tissues"),
        BAD("tissues.fixed_temperature = [3]; tissues.void = [3]",
            "tissues.fixed_temperature: label 3 is listed twice"),
    };
    EXPECT_ALL(labels_job, cases);
    // The old name of the key is accepted.
    const struct cli_result *result = run(cli_change(labels_job(), "tissues.kept = [3]"));
    cli_assert_done(result);
    assert_has(result->error, "tissues.kept: is now called tissues.fixed_temperature");
}

// Numbers that no matter has, so large that what follows from them would be infinite, or so small that it
// would be 0: each at its key, with the range that is expected.
TEST(numbers_beyond_all_matter)
{
    static const struct bad uniform[] = {
        BAD("domain.uniform.density = '1e308 kg m-3'",
            "domain.uniform.density: 1e308 kg m-3 is out of range: "
            "0.001 to 100000 kg m-3"),
        BAD("domain.uniform.density = '1e-12 kg m-3'",
            "domain.uniform.density: 1e-12 kg m-3 is out of range"),
        BAD("domain.uniform.specific_heat = '1e308 J kg-1 K-1'", "domain.uniform.specific_heat: 1e308"),
        BAD("domain.uniform.specific_heat = '1e-9 kJ kg-1 K-1'", "domain.uniform.specific_heat: 1e-9",
            "0.001 to 10000 kJ"),
        BAD("domain.uniform.conductivity = '1e308 W m-1 K-1'", "domain.uniform.conductivity: 1e308"),
        BAD("domain.uniform.conductivity = '1e-7 W m-1 K-1'", "1e-06 to 100000 W m-1 K-1"),
        BAD("domain.uniform.perfusion = '1e308 s-1'",
            "domain.uniform: perfusion: \"1e308 s-1\": expected 0 to 10000 s-1"),
        BAD("domain.uniform.perfusion = '1e308 mL/min/kg'",
            "perfusion: \"1e308 mL/min/kg\": expected 0 to 10"),
        BAD("domain.uniform.perfusion = '2e7 kg m-3 s-1'", "expected 0 to 1e+07 kg m-3 s-1"),
        BAD("domain.uniform.perfusion = '1e308 kW m-3 K-1'", "expected 0 to 4e+10 W m-3 K-1"),
        BAD("domain.uniform.attenuation = '1e308 dB/cm'", "domain.uniform: attenuation",
            "expected 0 to 10000"),
        BAD("domain.uniform.sound_speed = '1e308 m s-1'", "domain.uniform.sound_speed: 1e308"),
        BAD("domain.uniform.spacing = '1e308 mm'",
            "domain.uniform.spacing: \"1e308 mm\": expected 1e-06 to 10 m"),
        BAD("domain.uniform.spacing = {'x': '1 mm', 'y': '1e-300 mm', 'z': '1 mm'}",
            "domain.uniform.spacing: \"1e-300 mm\": expected 1e-06 to 10 m"),
        BAD("physics.blood_density = '1e308 kg m-3'", "physics.blood_density: 1e308"),
        BAD("physics.blood_specific_heat = '1e308 J kg-1 K-1'", "physics.blood_specific_heat: 1e308"),
        BAD("physics.arterial_temperature = '1e308 degC'", "physics.arterial_temperature: 1e308"),
        BAD("domain.faces.all = {'kind': 'convective', 'transfer': '1e308 W m-2 K-1', 'outside': '20 degC'}",
            "domain.faces.all.transfer: 1e308"),
        BAD("output.target = {'x': '1e308 m', 'y': '0 m', 'z': '0 m', 'radius': '1 mm'}",
            "output.target.x: 1e308 m is out of range: -1000 to 1000 m"),
        BAD("output.target = {'x': '0 m', 'y': '0 m', 'z': '0 m', 'radius': '1e308 m'}",
            "output.target.radius: 1e308 m is out of range: 0 to 1000 m"),
    };
    static const struct bad labels[] = {
        BAD("tissues.labels.1 = {'tissue': 'skin', 'density': '1e308 kg m-3'}",
            "tissues.labels.1: density: \"1e308 kg m-3\": expected 0.001 to 100000 kg m-3"),
        BAD("tissues.labels.1 = {'tissue': 'skin', 'specific_heat': '1e308 J kg-1 K-1'}",
            "tissues.labels.1: specific_heat: ", "expected 1 to 1e+07 J kg-1 K-1"),
        BAD("tissues.labels.1 = {'tissue': 'skin', 'conductivity': '1e308 W m-1 K-1'}",
            "tissues.labels.1: conductivity: ", "expected 1e-06 to 100000 W m-1 K-1"),
        BAD("tissues.labels.1 = {'tissue': 'skin', 'perfusion': '1e308 s-1'}",
            "tissues.labels.1: perfusion: \"1e308 s-1\": expected 0 to 10000 s-1"),
    };
    EXPECT_ALL(uniform_job, uniform);
    EXPECT_ALL(labels_job, labels);
}

TEST(values_of_label_files)
{
    static const struct {
        double value;
        const char *fragment;
    } odd[] = {{2.5, "2.5: expected a whole number from 0 to 255"},
               {-1, "-1: expected a whole number from 0 to 255"},
               {256, "256: expected a whole number from 0 to 255"},
               {NAN, "has no value"},
               {9.969209968386869e+36, "has no value"}}; // netCDF's own fill value
    for (size_t k = 0; k < COUNT(odd); k++) {
        cJSON *job = labels_job();
        write_labels("head.nc", (3 * NY + 2) * NX + 5, odd[k].value);
        EXPECT_BAD(job, DATA, NULL, odd[k].fragment, "head.nc: variable label", "cell (3, 2, 5) of z, y, x");
    }
    // One cell of a label without a description.
    cJSON *job = labels_job();
    write_labels("head.nc", (3 * NY + 2) * NX + 5, 77);
    EXPECT_BAD(job, DATA, NULL, "label 77 has no tissue: 1 of its cells, the first cell (3, 2, 5)");
}

TEST(files_that_cannot_be_read)
{
    static const struct bad cases[] = {
        BAD_AS(NO_INPUT, "domain.labels.file = 'nowhere.nc'", "domain.labels.file", "nowhere.nc"),
        BAD_AS(DATA, "domain.labels.file = 'job.json'", "job.json"),
        BAD_AS(DATA, "domain.labels.variable = 'lable'", "no variable \"lable\"; volumes in the file: label"),
        BAD("domain.spacing = '2 mm'", "domain.spacing: 2 mm along x, but", "has 1 mm"),
        BAD("delete domain.labels", "domain: needs exactly one of uniform, labels, fields, ct; it has 0"),
        BAD("domain.uniform = {'tissue': 'brain', 'cells': {'x': 5, 'y': 5}, 'spacing': '1 mm'}", "it has 2"),
    };
    EXPECT_ALL(labels_job, cases);
    for (int k = 0; k < 3; k++) {
        cJSON *job = labels_job();
        cli_truncate("head.nc", 0.3 + 0.3 * k);
        EXPECT_BAD(job, DATA, NULL, "head.nc");
    }
}

TEST(grids_that_make_no_sense)
{
    static const struct bad cases[] = {
        BAD("domain.uniform.cells.x = 2147483648", "domain.uniform.cells.x"),
        BAD("domain.uniform.cells = {'x': 2000000000, 'y': 2000000000, 'z': 2000000000}",
            "2000000000 x 2000000000 x 2000000000", "at most"),
        BAD("domain.uniform.cells.x = 4", "domain.faces.all.kind: fixed faces hold two layers", "4 along x"),
        BAD("delete domain.uniform.cells", "domain.uniform.cells: is missing"),
        BAD("delete domain.uniform.spacing",
            "domain.uniform.spacing: expected a distance for z, y, x, such as \"1 mm\""),
        BAD("domain.uniform.spacing = {'x': '1 mm', 'z': '1 mm'}", "expected a distance for y, such as"),
        BAD("domain.uniform.spacing = '0 mm'", "must be larger than 0"),
        BAD("domain.uniform.spacing = '1 s'", "domain.uniform.spacing"),
        BAD("domain.uniform.spacing = {'x': '1 mm', 'w': '1 mm'}", "unknown key \"w\""),
        BAD("domain.uniform.tissue = 'brian'", "did you mean \"brain\""),
        BAD("domain.uniform.conductivity = '0.5 W'", "domain.uniform.conductivity"),
        BAD("domain.spacing = '1 mm'", "domain.uniform.spacing"),
        BAD("tissues.void = [0]", "tissues.void: is for a volume of labels"),
        BAD("domain.faces.x_low.kind = 'periodic'", "periodic needs the opposite face periodic too"),
        BAD("domain.faces.x_low.kind = 'convective'", "domain.faces.x_low.transfer: is missing"),
        BAD("domain.faces.x_low = {'kind': 'convective', 'transfer': '10 W m-2 K-1'}",
            "domain.faces.x_low.outside: is missing"),
        BAD("domain.faces.x_low = {'transfer': '10 W m-2 K-1'}", "has no effect: the face is fixed"),
        BAD("domain.faces.x_low.kind = 'open'", "domain.faces.x_low.kind"),
        BAD("domain.faces.all = {'kind': 'convective', 'outside': '20 degC'}",
            "domain.faces.all.transfer: is missing"),
        BAD("domain.faces.all = {'kind': 'insulated', 'transfer': '10 W m-2 K-1'}",
            "domain.faces.all.transfer: has no effect: no face is convective"),
        BAD("domain.faces.all = {'outside': '20 degC'}", "domain.faces.all.outside: has no effect"),
        BAD("domain.faces = {'all': {'outside': '20 degC'}, 'x_low': {'kind': 'convective', 'transfer': '10 "
            "W "
            "m-2 K-1', 'outside': '20 degC'}}",
            "domain.faces.all.outside: has no effect"),
        BAD("physics.contrast_limit = 8", "physics.contrast_limit: 8 is out of range: 1 to 5"),
        BAD("time.step = '1 min'", "is unstable: the limit is", "method rkl2 takes longer steps"),
        BAD("time.tolerance = '0.1 K'", "time.tolerance: has no effect with method euler: it is for rkl2"),
        BAD("time.switches = 'averaged'", "time.switches: has no effect with method euler"),
        BAD("method = 'rkl2'; time.step = '1 s'; time.tolerance = '0.1 K'",
            "time.tolerance: has no effect with a step"),
        BAD("method = 'rkl2'; time.duration = '10 d'; time.step = '5 d'", "time.step: 432000 s is too long",
            "32 stages are stable up to"),
        BAD("method = 'rkl2'; domain.velocity = {'file': 'v.nc', 'x': 'v'}",
            "method: rkl2 is not stable with", "domain.velocity"),
        BAD("method = 'rkl2'; time.switches = 'sampled'", "time.switches"),
        BAD("method = 'rkl2'; time.substeps = 17", "time.substeps"),
        BAD("time.substeps = 3", "time.substeps: has no effect with method euler: it is for rkl2"),
        BAD("physics.interfaces = 'quadratic'", "has no effect without domain.labels"),
        BAD("method = 'three-colour'; domain.faces.all.kind = 'periodic'", "3 divides; there are 7 along z"),
    };
    EXPECT_ALL(uniform_job, cases);
}

TEST(bad_fields)
{
    static const struct {
        const char *units[4];
        double values[4];
        double odd; // one density
        struct bad bad;
    } cases[] = {
#define UNITS(density, specific_heat, perfusion) {density, specific_heat, "W m-1 K-1", perfusion}
#define BAD_FIELD(...)                           BAD_AS(DATA, NULL, __VA_ARGS__)
        {UNITS("kg m-3", "J kg-1 K-1", "mL"),
         {1000, 3600, 0.5, 5},
         1000,
         BAD_FIELD("variable w: \"mL\" is not a unit of perfusion")},
        {UNITS("kg m-3", NULL, "s-1"),
         {1000, 3600, 0.5, 5},
         1000,
         BAD_FIELD("specific_heat does not state its units", "domain.fields.units.specific_heat")},
        {UNITS("kg", "J kg-1 K-1", "s-1"),
         {1000, 3600, 0.5, 5},
         1000,
         BAD_FIELD("variable density: units \"kg\"")},
        {UNITS("kg m-3", "J kg-1 K-1", "s-1"),
         {1000, 3600, 0.5, 0},
         NAN,
         BAD_FIELD("variable density: cell (3, 2, 5)", "has no value")},
        {UNITS("kg m-3", "J kg-1 K-1", "s-1"),
         {1000, 3600, 0.5, 0},
         -3,
         BAD_FIELD("cell (3, 2, 5)", "-3: expected more than 0")},
        // Finite, but not in single precision.
        {UNITS("kg m-3", "J kg-1 K-1", "s-1"),
         {1000, 3600, 0.5, 0},
         1e39,
         BAD_FIELD("body.nc: variable density: cell (3, 2, 5)",
                   "1e+39: expected more than 0, and at most 1e12")},
        // Air among tissue.
        {UNITS("kg m-3", "J kg-1 K-1", "s-1"),
         {1000, 1000, 0.1, 0},
         1.2,
         BAD_FIELD("body.nc: 1 cells are a gas", "times shorter", "cell (3, 2, 5)")},
        {UNITS("kg m-3", "J kg-1 K-1", "s-1"),
         {1000, 1000, 0, 0},
         1000,
         BAD_FIELD("every cell is void or has a fixed temperature")},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct field fields[4];
        for (int f = 0; f < 4; f++)
            fields[f] = (struct field){good_fields[f].name, cases[k].units[f], cases[k].values[f]};
        write_fields("body.nc", fields, 4, (3 * NY + 2) * NX + 5, cases[k].odd);
        expect_bad(fields_job(), &cases[k].bad);
    }
    write_fields("body.nc", good_fields, 2, -1, 0);
    EXPECT_BAD(fields_job(), DATA, NULL, "no variable \"conductivity\"");
}

TEST(bad_starts)
{
    static const struct field warm = {"T", "degC", 37}, kelvin = {"T", "K", 310}, bare = {"T", NULL, 37},
                              wrong = {"T", "kg", 37};
    static const char from_file[] = "initial.file = 'T.nc'";
    static const struct {
        const struct field *field;
        double odd;
        struct bad bad;
    } cases[] = {
        {&warm, NAN,
         BAD_AS(DATA, from_file, "T.nc: variable T: cell (3, 2, 5) of z, y, x: missing or not a number")},
        {&warm, -274, BAD_AS(DATA, from_file, "cell (3, 2, 5)", "-274 degC is below absolute zero")},
        {&warm, INFINITY, BAD_AS(DATA, from_file, "cell (3, 2, 5)", "inf degC is not finite")},
        {&kelvin, -1, BAD_AS(DATA, from_file, "cell (3, 2, 5)", "-274.15 degC is below absolute zero")},
        {&warm, 1e39,
         BAD_AS(DATA, from_file, "T.nc: variable T: cell (3, 2, 5)", "1e+39 degC is above 10000 degC")},
        {&bare, 37, BAD(from_file, "initial.units", "does not state its units")},
        {&wrong, 37, BAD_AS(DATA, from_file, "variable T: units \"kg\"")},
        {&warm, 37, BAD("initial.variable = 'T'", "initial.variable: has no effect without initial.file")},
        {&warm, 37,
         BAD("initial = {'temperature': '37 degC', 'file': 'T.nc'}", "needs one of temperature, file, from")},
        {&warm, 37, BAD("initial.temperature = '-300 degC'", "initial.temperature")},
        {&warm, 37, BAD("initial.temperature = '37'", "initial.temperature")},
        {&warm, 37,
         BAD("initial.temperature = '37 K'",
             "initial.temperature: 37 K is -236.15 degC, beyond that of "
             "living tissue, 0 to 60 degC",
             "\"beyond_body\": true")},
        {&warm, 37, BAD("initial.temperature = '310.15 degC'", "310.15 degC is 310.15 degC, beyond")},
        {&warm, 37,
         BAD("output.target = {'x': -52, 'y': '1 mm', 'z': '1 mm', 'radius': '1 mm'}",
             "-52 has no unit; write \"-52 mm\", \"-52 m\" or \"-52 km\"")},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        write_fields("T.nc", cases[k].field, 1, (3 * NY + 2) * NX + 5, cases[k].odd);
        // Read after the header: what is logged before it is no error.
        cJSON *job = cli_change(labels_job(), "%s", cases[k].bad.changes);
        const struct cli_result *result = run(job);
        for (int j = 0; j < 4 && cases[k].bad.fragments[j]; j++)
            cli_assert_error(result, cases[k].bad.exit_code, true, cases[k].bad.fragments[j]);
        result = cli_run("plan job.json"); // finds the same
        for (int j = 0; j < 4 && cases[k].bad.fragments[j]; j++)
            cli_assert_error(result, cases[k].bad.exit_code, true, cases[k].bad.fragments[j]);
    }
}

// Of another shape, of another spacing, and with another origin than the labels.
TEST(starts_on_another_grid)
{
    static const struct field warm = {"T", "degC", 37};
    cJSON *job = uniform_job();
    write_fields("T.nc", &warm, 1, -1, 0);
    EXPECT_BAD(job, DATA, "initial.file = 'T.nc'", "has 8 x 9 x 10 cells (z, y, x), the domain 7 x 8 x 9");
    job = uniform_job();
    EXPECT_BAD(
        cli_change(
            job, "domain.uniform = {'tissue': 'fat', 'cells': {'x': 10, 'y': 9, 'z': 8}, 'spacing': '2 mm'}"),
        DATA, "initial.file = 'T.nc'", "T.nc: variable T has a spacing of 1 mm along z, the domain 2 mm");
    job = labels_job();
    first_mm = 3;
    write_fields("moved.nc", &warm, 1, -1, 0);
    first_mm = 0;
    EXPECT_BAD(job, DATA, "initial.file = 'moved.nc'", "begins at z = 3 mm, the domain at 0 mm");
}

TEST(velocities)
{
    static const struct field flow = {"v", "cm/s", 10}, wrong = {"v", "m", 1};
    write_fields("v.nc", &flow, 1, (3 * NY + 2) * NX + 5, INFINITY);
    static const struct bad cases[] = {
        BAD("domain.velocity = {'file': 'v.nc'}", "domain.velocity: needs at least one of x, y, z"),
        BAD_AS(DATA, "domain.velocity = {'file': 'v.nc', 'z': 'v'}", "variable v: cell (3, 2, 5)", "finite"),
    };
    EXPECT_ALL(labels_job, cases);
    EXPECT_BAD(uniform_job(), DATA, "domain.velocity = {'file': 'v.nc', 'x': 'v'}", "domain.velocity.x",
               "8 x 9 x 10 cells (z, y, x), the domain 7 x 8 x 9");
    write_fields("v.nc", &flow, 1, -1, 0);
    EXPECT_BAD(cli_change(labels_job(), "domain.velocity = {'file': 'v.nc', 'x': 'v'}"), CONFIGURATION,
               "time.step = '0.1 s'", "0.1 s is unstable");
    write_fields("v.nc", &wrong, 1, -1, 0);
    EXPECT_BAD(labels_job(), DATA, "domain.velocity = {'file': 'v.nc', 'x': 'v'}", "variable v: units \"m\"");
}

TEST(bad_outputs)
{
    static const struct bad cases[] = {
        BAD("output.sensors.list = [{'name': 'a', 'x': '1 m', 'y': '1 mm', 'z': '1 mm'}]",
            "output.sensors.list: sensor \"a\": x = 1 m lies outside the domain, 0 to 8 mm"),
        BAD("output.sensors.list = [{'name': 'a', 'x': 1, 'y': '1 mm', 'z': '1 mm'}]",
            "sensor \"a\": x must be a text with a unit"),
        BAD("output.sensors.list = [{'x': '1 mm', 'y': '1 mm', 'z': '1 mm'}]", "sensor number 1"),
        BAD("output.sensors.list = [{'name': 'a', 'x': '1 mm', 'y': '1 mm', 'z': '1 mm'}, {'name': 'a', 'x': "
            "'1 mm', 'y': '1 mm', 'z': '1 mm'}]",
            "sensor \"a\" is given twice"),
        BAD("output.sensors.list = []", "expected a list of 1 to"),
        BAD("output.sensors = {'every': '1 s'}", "needs one of list and file"),
        BAD_AS(DATA, "output.sensors.file = 'job.json'", "fathom_sensors"),
        BAD("output.fields = {'every': '1 s', 'x': ['20 mm', '30 mm']}",
            "output.fields.x: no cell lies between 20 mm and 30 mm: they are from 0 to 8 mm"),
        BAD("output.fields = {'every': '1 s', 'variables': ['dose']}", "dose needs dose.definition"),
        BAD("output.fields.x = ['2 mm', '3 mm']", "has no effect without output.fields.every"),
        BAD("dose.lesion = '240 min'", "has no effect without dose.definition"),
        BAD("physics.contrast_limit = 2", "has no effect without domain.fields"),
        BAD("dose.definition = 'cem'", "dose.definition"),
        BAD("metod = 'euler'", "metod: unknown key (did you mean method?)"),
    };
    EXPECT_ALL(uniform_job, cases);
}

// What is meant is possible: a phantom of another temperature.
TEST(a_phantom_may_have_another_temperature)
{
    cli_assert_done(
        run(cli_change(uniform_job(), "initial = {'temperature': '80 degC', 'beyond_body': true}")));
}

// A run of the tissue with these numbers of its own has the warning, or (NULL) none that holds `usual`.
static void assert_warned(const char *tissue, const char *numbers, const char *warning, const char *usual)
{
    cJSON *job = cli_change(uniform_job(), "domain.uniform.tissue = '%s'", tissue);
    cJSON *block = cJSON_GetObjectItem(cJSON_GetObjectItem(job, "domain"), "uniform"), *item;
    cJSON *own = cli_json("{%s}", numbers);
    cJSON_ArrayForEach(item, own) cli_set_text(block, item->string, item->valuestring);
    cli_assert_done(run(cli_change(job, "time.step = 'auto'")));
    const char *kept = cJSON_PrintUnformatted(cJSON_GetObjectItem(cli_read_json("out/run.json"), "warnings"));
    if (warning)
        assert_has(kept, warning);
    else
        assert_null(strstr(kept, usual));
}

// A unit that is wrong by a factor makes tissue immune to heat, or hot: the number is named, with the usual
// range. A usual number in another unit is not.
TEST(unusual_tissues_are_warned_of)
{
    static const struct {
        const char *numbers, *warning;
    } rows[] = {
        {"'perfusion': '559 s-1'", "perfusion = 559 s-1 is far from that of any tissue, 0 to 0.0155 s-1"},
        {"'perfusion': '5 mL/min/g'", NULL},
        {"'perfusion': '559 L/min/kg'", "perfusion = 9.745 s-1"},
        {"'conductivity': '51 W m-1 K-1'", "conductivity = 51 W m-1 K-1 is far from that"},
        {"'specific_heat': '3630 kJ kg-1 K-1'", "specific_heat = 3.63e+06 J kg-1 K-1 is far"},
        {"'density': '1.046 kg m-3'", "density = 1.046 kg m-3 is far"},
        {"'density': '1.046 g cm-3', 'conductivity': '0.0051 W cm-1 K-1'", NULL},
    };
    for (size_t k = 0; k < COUNT(rows); k++)
        assert_warned("brain", rows[k].numbers, rows[k].warning, "is far from");
}

// A number of another unit that some other tissue could have: beside the table's of the same tissue it shows.
TEST(numbers_far_from_the_tables_are_warned_of)
{
    static const struct {
        const char *numbers, *warning;
    } rows[] = {
        {"'attenuation': '13.3 dB/m'",
         "attenuation = 1.531 Np m-1 at 1 MHz is 0.0281 times that of cortical bone in the table"},
        {"'attenuation': '13.3 Np/m'", "attenuation = 13.3 Np m-1 at 1 MHz is 0.244 times"},
        {"'attenuation': '4.7 dB/cm'", NULL},
        {"'attenuation': '13.3 dB/cm'", NULL},
        {"'density': '1000 kg m-3', 'sound_speed': '3500 m s-1'", "density = 1000 kg m-3 is 0.524 times"},
        {"'density': '1800 kg m-3', 'sound_speed': '2500 m s-1'", NULL},
        {"'specific_heat': '4000 J kg-1 K-1'", "specific_heat = 4000 J kg-1 K-1 is 3.05 times"},
        {"'conductivity': '0.05 W m-1 K-1'", "conductivity = 0.05 W m-1 K-1 is 0.156 times"},
        {"'perfusion': '559 mL/min/kg'", "perfusion = 0.01778 s-1 is 55.9 times"},
        {"'perfusion': '0 mL/min/kg'", NULL},
        {"'perfusion': '20 mL/min/kg', 'conductivity': '0.4 W m-1 K-1'", NULL},
    };
    for (size_t k = 0; k < COUNT(rows); k++)
        assert_warned("cortical bone", rows[k].numbers, rows[k].warning, "in the table");
}

// Kelvins taken for degrees are no error that can be known: a warning with the place.
TEST(kelvins_are_warned_of)
{
    static const struct {
        const char *changes, *fragment;
    } cases[] = {
        {"physics.arterial_temperature = '310 degC'", "physics.arterial_temperature: 310 degC"},
        {"domain.faces.all = {'kind': 'convective', 'transfer': '10 W m-2 K-1', 'outside': '20 K'}",
         "outside: -253.15 degC"},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        cJSON *job = cli_change(uniform_job(), "%s", cases[k].changes);
        const struct cli_result *result = run(job);
        cli_assert_done(result);
        assert_has(result->error, "warning");
        if (!strstr(result->error, cases[k].fragment))
            fail_msg("\"%s\" does not say \"%s\"", result->error, cases[k].fragment);
    }
    // In a file: seen in the state, with place and time.
    static const struct field hot = {"T", "degC", 37};
    write_fields("T.nc", &hot, 1, (3 * NY + 2) * NX + 5, 310);
    cJSON *job = cli_change(labels_job(), "initial.file = 'T.nc'");
    const struct cli_result *result = run(job);
    cli_assert_done(result);
    assert_has(result->error, "warning", "mm");
}

TEST_MAIN(cli_setup, cli_teardown)
