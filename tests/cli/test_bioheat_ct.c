// A medium from a CT (domain.ct): against full fields that were worked out by hand, and what is refused. The
// relations themselves, by hand.
#include "models/bioheat/body/ct.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/nifti_maker.h"
#include "tests/support/test.h"

enum { NX = 12, NY = 10 };

// Hounsfield units of the columns, and the densities by k-Plan's points (-990, 1.2), (60, 1060), (1000,
// 1530), (1950, 2150).
static const double hounsfield[NX] = {-1000, -401, -400, 0, 40, 299, 300, 700, 1000, 1500, 1950, 2500};
static const double density[NX] = {
    1046, 1046, 1046, 1046, 1046, 1046, 1180, 1380, 1530, 1530 + 6200.0 / 19, 2150, 2150 + 6820.0 / 19};

static size_t column(double x)
{
    return (size_t)lround(x / 0.001);
}

static bool is_bone(double x)
{
    return column(x) >= 6;
}

static double density_at(double x, double y, double time_s)
{
    return density[column(x)];
}

static double specific_heat_at(double x, double y, double time_s)
{
    return is_bone(x) ? 1313 : 3630;
}

static double conductivity_at(double x, double y, double time_s)
{
    return column(x) < 2 ? 0 : is_bone(x) ? 0.32 : 0.51;
}

static double perfusion_at(double x, double y, double time_s)
{
    return is_bone(x) ? 10 : 559;
}

// Stored as whole numbers of half a unit above -1024, as scanners do.
static void write_ct(const char *name, const double *values)
{
    static const double plain[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    struct nifti_bytes bytes = nifti_make(false, NX, NY, 1, 1, 8, 32);
    nifti_put_float(&bytes, 112, 0.5);
    nifti_put_float(&bytes, 116, -1024);
    nifti_put_sform(&bytes, plain);
    for (size_t n = 0; n < NX * NY; n++)
        nifti_put(&bytes, 352 + 4 * n, (uint64_t)(int64_t)lround(2 * (values[n % NX] + 1024)), 4);
    nifti_save(&bytes, name);
}

static void write_job(const char *domain, const char *directory)
{
    char text[2048];
    snprintf(text, sizeof text,
             "{'fathom': 1, 'model': 'bioheat', 'precision': 'double', 'domain': {%s, 'faces': {'all': "
             "{'kind': 'insulated'}}}, 'initial': {'temperature': '40 degC'}, 'source': {'boxes': {'at': "
             "[{'first': {'x': 5, 'y': 3, 'z': 0}, 'last': {'x': 8, 'y': 6, 'z': 0}}], 'values': [[2e5]], "
             "'units': 'W m-3', 'times': ['0 s', '20 s']}}, 'time': {'duration': '20 s', 'step': '0.2 s'}, "
             "'output': {'directory': '%s', 'state': true}}",
             domain, directory);
    cli_write_json("job.json", text);
}

static void run(const char *domain, const char *directory, bool has_blood)
{
    write_job(domain, directory);
    cJSON *job = cli_read_json("job.json");
    if (!has_blood)
        cli_change(job, "physics.perfusion = false");
    cli_run_job(job);
}

TEST(it_is_the_medium_of_its_hounsfield_units)
{
    const struct cli_grid fields = {
        .nx = NX,
        .ny = NY,
        .dx = 0.001,
        .dy = 0.001,
        .is_plane = true,
        .variable_count = 4,
        .variables = {{.name = "density", .units = "kg m-3", .value = density_at},
                      {.name = "specific_heat", .units = "J kg-1 K-1", .value = specific_heat_at},
                      {.name = "conductivity", .units = "W m-1 K-1", .value = conductivity_at},
                      {.name = "perfusion", .units = "mL/min/kg", .value = perfusion_at}}};
    cli_write_grid("fields.nc", &fields);
    write_ct("ct.nii", hounsfield);
    for (int has_blood = 0; has_blood < 2; has_blood++) {
        run("'ct': {'file': 'ct.nii'}", "ct", has_blood);
        run(has_blood ? "'fields': {'file': 'fields.nc', 'perfusion': 'perfusion'}"
                      : "'fields': {'file': 'fields.nc'}",
            "fields", has_blood);
        size_t count;
        const double *rise = cli_read_variable("ct/state.nc", "rise", &count, NULL);
        const double *expected = cli_read_values("fields/state.nc", "rise", count);
        double largest = 0;
        for (size_t n = 0; n < count; n++) {
            largest = fmax(largest, rise[n]);
            assert_true(isnan(expected[n]) ? isnan(rise[n]) : fabs(rise[n] - expected[n]) < 1e-9);
        }
        assert_true(largest > 3);
    }
    const cJSON *report = cli_read_json("ct/run.json");
    assert_string_equal(cli_text(report, "media.ct.relation"), "k-plan");
    assert_true(cli_json_number(report, "media.ct.range_hu.1") == 2500);
    cli_expect_number(report, "media.ct.bone_density_kg_m3.0", 1180);
    // The affine of the CT is that of the results.
    cli_do("convert ct/maxima.nc hot.nii.gz --variable max_temperature");
}

// By hand, from the coefficients in ct.h.
TEST(the_relations)
{
    static const struct {
        enum bioheat_ct_relation relation;
        double hu, density, speed, attenuation; // at 1 MHz
    } rows[] = {
        {BIOHEAT_CT_K_PLAN, 1000, 1530, 1.33 * 1530 + 167, 153.121999},
        {BIOHEAT_CT_K_PLAN, 2500, 2150 + 550 * 620.0 / 950, 1.33 * (2150 + 550 * 620.0 / 950) + 167,
         153.121999},
        {BIOHEAT_CT_K_PLAN, -1100, 1, 168.33, 153.121999},
        // (2000 - 1013.66593)/1.01237293; 1/3.49608e-4; 166/0.66
        {BIOHEAT_CT_MCDANNOLD, 974.2793616, 2000, 2860.346445, 251.515152},
        // Beyond its range those of 3000 kg/m3: 1/2.6035e-4 and 196/0.66. 3999 HU gave -18204.9 m/s.
        {BIOHEAT_CT_MCDANNOLD, 3999, 3000, 3841.027552, 296.969697},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        const double d = bioheat_ct_density(rows[k].relation, rows[k].hu);
        assert_true(fabs(d / rows[k].density - 1) < 1e-7);
        assert_true(fabs(bioheat_ct_sound_speed(rows[k].relation, d) / rows[k].speed - 1) < 1e-6);
        assert_true(fabs(bioheat_ct_attenuation(rows[k].relation, d, 1e6) / rows[k].attenuation - 1) < 1e-5);
    }
    // The line of McDannold's density, through its two points.
    assert_true(fabs(bioheat_ct_density(BIOHEAT_CT_MCDANNOLD, -1000) - 1.293) < 1e-3);
    assert_true(fabs(bioheat_ct_density(BIOHEAT_CT_MCDANNOLD, 27) - 1041) < 1e-3);
}

// A line by least squares through points (x, y), at x.
static double fitted(const double (*points)[2], size_t count, double x)
{
    double mean_x = 0, mean_y = 0, products = 0, squares = 0;
    for (size_t k = 0; k < count; k++) {
        mean_x += points[k][0] / (double)count;
        mean_y += points[k][1] / (double)count;
    }
    for (size_t k = 0; k < count; k++) {
        products += (points[k][0] - mean_x) * (points[k][1] - mean_y);
        squares += (points[k][0] - mean_x) * (points[k][0] - mean_x);
    }
    return mean_y + products / squares * (x - mean_x);
}

static void assert_density(double h, double expected)
{
    const double found = bioheat_ct_density(BIOHEAT_CT_SCHNEIDER, h - 1000);
    if (!(fabs(found / expected - 1) < 1e-12))
        fail_msg("H %g: %.15g kg/m3, expected %.15g", h, found, expected);
}

// The coefficients from the tissues that Schneider et al. (1996) tabulate, H and kg/m3, fitted here: soft
// ones without spongiosa, bones, and lung. Between the three straight lines join their ends.
TEST(schneiders_line_is_that_of_his_tissues)
{
    static const double soft[][2] = {{930, 950},   {1055, 1060}, {1037, 1040}, {1003, 1020}, {1003, 1000},
                                     {1050, 1070}, {1023, 1030}, {1055, 1060}, {1043, 1050}, {1053, 1060},
                                     {1044, 1050}, {1028, 1030}, {1042, 1050}, {1045, 1050}, {1032, 1040},
                                     {1098, 1100}, {1014, 1030}, {958, 980},   {1075, 1090}, {1054, 1060},
                                     {1032, 1040}, {1040, 1050}};
    static const double bone[][2] = {{2376, 1920}, {1903, 1610}, {1499, 1330}, {1683, 1460},
                                     {2006, 1680}, {1595, 1410}, {1763, 1520}, {1413, 1290},
                                     {1260, 1180}, {1609, 1420}, {1477, 1330}};
    static const double lung[2] = {259, 260};
    const double soft_low = fitted(soft, COUNT(soft), 930), soft_high = fitted(soft, COUNT(soft), 1098),
                 bone_low = fitted(bone, COUNT(bone), 1260);
    for (double h = 260; h < 5100; h += 7)
        assert_density(h, h < 930    ? lung[1] + (soft_low - lung[1]) * (h - lung[0]) / (930 - lung[0])
                          : h < 1098 ? fitted(soft, COUNT(soft), h)
                          : h < 1260 ? soft_high + (bone_low - soft_high) * (h - 1098) / (1260 - 1098)
                                     : fitted(bone, COUNT(bone), h));
    assert_true(bioheat_ct_density(BIOHEAT_CT_SCHNEIDER, -1000) == 1);
    // Mast's own form, in g/cm3 and mm/us: density = 0.893 c - 0.349.
    for (double c = 1.4; c < 3; c += 0.1)
        assert_true(fabs(bioheat_ct_sound_speed(BIOHEAT_CT_SCHNEIDER, 1e3 * (0.893 * c - 0.349)) - 1e3 * c) <
                    1e-9);
    assert_true(isnan(bioheat_ct_attenuation(BIOHEAT_CT_SCHNEIDER, 1900, 1e6)));
}

TEST(a_relation_without_attenuation_reports_none)
{
    write_ct("ct.nii", hounsfield);
    run("'ct': {'file': 'ct.nii', 'relation': 'schneider1996'}", "schneider", true);
    const cJSON *ct = cli_item(cli_read_json("schneider/run.json"), "media.ct");
    assert_string_equal(cli_text(ct, "relation"), "schneider1996");
    // 300 HU and 2500 HU.
    assert_true(fabs(cli_json_number(ct, "bone_density_kg_m3.0") - 1210.1537364641592) < 1e-9);
    assert_true(fabs(cli_json_number(ct, "bone_density_kg_m3.1") - 2667.7353372033795) < 1e-9);
    assert_true(fabs(cli_json_number(ct, "bone_sound_speed_m_s.0") - (1210.1537364641592 + 349) / 0.893) <
                1e-9);
    assert_null(cJSON_GetObjectItem(ct, "bone_attenuation_np_m_at_1_mhz"));
}

static const char *plan_of(const double *values, const char *relation)
{
    write_ct("ct.nii", values);
    write_job(relation, "out");
    const struct cli_result *result = cli_run("plan job.json");
    assert_int_equal(result->exit_code, 0);
    return result->error;
}

// What a lost intercept leaves: no air, and much bone; and metal.
TEST(counts_and_doubts)
{
    static const char plain[] = "'ct': {'file': 'ct.nii'}",
                      mcdannold[] = "'ct': {'file': 'ct.nii', 'relation': 'mcdannold2020'}";
    double shifted[NX], metal[NX], bone[NX];
    for (size_t k = 0; k < NX; k++) {
        shifted[k] = hounsfield[k] + 1024;
        bone[k] = fmin(hounsfield[k], 1950);
        metal[k] = k == NX - 1 ? 3999 : bone[k];
    }
    const char *error = plan_of(hounsfield, plain);
    assert_has(error, "20 cells of air (16.7 %), 40 of soft tissue (33.3 %), 60 of bone (50 %)");
    assert_null(strstr(error, "has no air"));
    error = plan_of(shifted, plain);
    assert_has(error, "has no air: no value lies below -400 HU, the smallest is 24");
    assert_has(error, "92 % of what is not air is bone");
    assert_null(strstr(plan_of(bone, mcdannold), "denser than"));
    assert_has(plan_of(metal, mcdannold), "10 cells would be denser than 3000 kg/m3");
    run(plain, "counted", true);
    const cJSON *report = cli_read_json("counted/run.json");
    cli_expect_number(report, "media.ct.air_cells", 20);
    cli_expect_number(report, "media.ct.bone_cells", 60);
}

// Air around a head is of -1000 HU, also in a head whose sinuses and skin have values in between.
TEST(air_of_other_units_is_doubted)
{
    static const char plain[] = "'ct': {'file': 'ct.nii'}",
                      doubt[] = "the most common of the values below -300 HU is about";
    static const double usual[NX] = {-1024, -1000, -1010, -310, -310, -600, 30, 40, 40, 900, 1200, 2000};
    double scaled[NX];
    assert_null(strstr(plan_of(usual, plain), doubt));
    for (size_t k = 0; k < NX; k++)
        scaled[k] = 0.5 * usual[k];
    assert_has(plan_of(scaled, plain), doubt, "about -5");
    for (size_t k = 0; k < NX; k++)
        scaled[k] = usual[k] < -900 ? -840 : usual[k];
    assert_has(plan_of(scaled, plain), doubt);
    for (size_t k = 0; k < NX; k++)
        scaled[k] = usual[k] < -900 ? -880 : usual[k];
    assert_null(strstr(plan_of(scaled, plain), doubt));
}

// Values times two, with the air as it was, as where air is set to -1000 HU: the bone is then of 800 to 3600.
TEST(bone_of_twice_its_value_is_doubted)
{
    static const char plain[] = "'ct': {'file': 'ct.nii'}", doubt[] = "of the bone has 2000 HU or more";
    static const double usual[NX] = {-1000, -1000, -100, 20, 35, 45, 60, 400, 900, 1200, 1500, 1800};
    double twice[NX];
    assert_null(strstr(plan_of(usual, plain), "warning"));
    for (size_t k = 0; k < NX; k++)
        twice[k] = fmax(-1000, 2 * usual[k]);
    assert_has(plan_of(twice, plain), doubt, "60 % of the bone", "the largest 3600 HU");
    run(plain, "dense", true);
    cli_expect_number(cli_read_json("dense/run.json"), "media.ct.dense_bone_cells", 3 * NY);
}

// A quarter of it: the densest bone has 450 HU.
TEST(bone_of_a_quarter_of_its_value_is_doubted)
{
    static const char plain[] = "'ct': {'file': 'ct.nii'}", doubt[] = "the densest bone has";
    static const double usual[NX] = {-1000, -1000, -100, 20, 35, 45, 60, 400, 900, 1200, 1500, 1800};
    double quarter[NX];
    assert_null(strstr(plan_of(usual, plain), doubt));
    for (size_t k = 0; k < NX; k++)
        quarter[k] = usual[k] > 0 ? 0.25 * usual[k] : usual[k];
    assert_has(plan_of(quarter, plain), doubt, "450 HU");
}

TEST(what_is_refused)
{
    static const double mask[NX] = {0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0}, high[NX] = {[5] = 4200},
                        padded[NX] = {[2] = -2000},
                        thousands[NX] = {-1, -1, -1, 0, 0, 0, 0.5, 1, 1.5, 0, -1, -1};
    static const struct {
        const double *values;
        const char *domain;
        int status;
        const char *fragment;
    } cases[] = {
        {mask, "'ct': {'file': 'ct.nii'}", 65,
         "all values lie between 0 and 1, which are no Hounsfield units"},
        {thousands, "'ct': {'file': 'ct.nii'}", 65, "all values lie between -1 and 1.5, which are no"},
        {high, "'ct': {'file': 'ct.nii'}", 65,
         "4200 HU; a CT in Hounsfield units lies between -1100 and 4100"},
        {padded, "'ct': {'file': 'ct.nii'}", 65, "-2000 HU"},
        {hounsfield, "'ct': {'file': 'ct.nii', 'relation': 'marsac'}", 78, "k-plan"},
        {hounsfield, "'ct': {'file': 'ct.nii', 'bone': 'bones'}", 78, "no tissue \"bones\""},
        {hounsfield, "'ct': {'file': 'ct.nii', 'air_below': 400}", 78, "not below domain.ct.bone_from"},
        {hounsfield, "'ct': {'file': 'ct.nii', 'variable': 'hu'}", 65, "has no variables"},
        {hounsfield, "'ct': {'file': 'ct.nii'}, 'labels': {'file': 'ct.nii'}", 78, "exactly one of"},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        write_ct("ct.nii", cases[k].values);
        write_job(cases[k].domain, "out");
        const struct cli_result *result = cli_run("plan job.json");
        assert_int_equal(result->exit_code, cases[k].status);
        assert_has(result->error, cases[k].fragment);
    }
}

// The planes behind an insulated face are read first; the first bad cell is named all the same.
TEST(the_first_bad_cell_is_named)
{
    enum { SIDE = 4, PLANES = 5 };
    static const double plain[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    struct nifti_bytes bytes = nifti_make(false, SIDE, SIDE, PLANES, 1, 4, 16);
    nifti_put_sform(&bytes, plain);
    for (size_t n = 0; n < SIDE * SIDE * PLANES; n++)
        nifti_put_short(&bytes, 352 + 2 * n, n == 5 ? 5000 : n == SIDE * SIDE ? 6000 : 40);
    nifti_save(&bytes, "ct.nii");
    write_job("'ct': {'file': 'ct.nii'}", "out");
    cli_assert_error(cli_run("plan job.json"), DATA, false, "ct.nii", "5000 HU");
}

TEST_MAIN(cli_setup, cli_teardown)
