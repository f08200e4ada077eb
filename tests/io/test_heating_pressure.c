// Heat from a pressure field: three tissues against numbers computed by hand, for amplitudes and effective
// values; between the file's cells; scaled; and files, keys and tissues that must be refused.
#include "tests/support/test.h"

#include "core/log.h"
#include "models/bioheat/body/domain.h"
#include "models/bioheat/body/tissues_private.h"
#include "models/bioheat/params.h"
#include "models/bioheat/source/source.h"
#include "tests/support/model_job.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/numbers.h"

enum { NZ = 3, NY = 4, NX = 6, CELLS = NZ * NY * NX };

// ---- a domain of three tissues and air, in layers of x: 0 skin, 1 bone, 2 brain, 3 brain, 4 and 5 air

static int label_of(size_t i)
{
    static const int labels[NX] = {1, 2, 3, 3, 0, 0};
    return labels[i % NX];
}

static int begin_file(const char *name, const size_t lengths[3], double spacing_mm, double first_mm,
                      int dimensions[3])
{
    static const char *const names[] = {"z", "y", "x"};
    const int file = make_file(folder_path("%s", name), NC_NETCDF4);
    for (int a = 0; a < 3; a++) {
        double places[16];
        for (size_t k = 0; k < lengths[a]; k++)
            places[k] = first_mm + spacing_mm * (double)k;
        dimensions[a] = make_axis(file, names[a], "mm", lengths[a], places);
    }
    return file;
}

static const size_t domain_cells[] = {NZ, NY, NX};

static int begin(void **state)
{
    const int failed = folder_make(state);
    int dimensions[3];
    double labels[CELLS];
    for (size_t i = 0; i < CELLS; i++)
        labels[i] = label_of(i);
    const int file = begin_file("labels.nc", domain_cells, 2, 10, dimensions);
    make_field(file, "label", NULL, 3, dimensions, labels);
    NC(nc_close(file));
    return failed;
}

// ---- the usual ranges

// Those of all tissues of the table but air.
TEST(usual_ranges_are_those_of_the_table)
{
    struct bioheat_tissues *table;
    assert_ok(bioheat_tissues_read(TEST_SOURCE_DIRECTORY "/data/tissues.json", &table));
    for (int k = 0; k < TISSUE_RANGES; k++) {
        const struct tissue_range *range = &tissue_ranges[k];
        double least = INFINITY, most = 0;
        for (size_t n = 0; n < table->count; n++) {
            struct bioheat_tissue *tissue = &table->tissues[n];
            if (strcmp(tissue->name, "air") == 0)
                continue;
            const double value = range->number == TISSUE_PERFUSION ? tissues_perfusion_rate(tissue)
                                                                   : *tissues_number(tissue, range->number);
            least = fmin(least, value);
            most = fmax(most, value);
        }
        assert_true(fabs(range->least - least) <= 1e-9 * least && fabs(range->most - most) <= 1e-9 * most);
    }
    bioheat_tissues_free(table);
}

TEST_SUITE(.setup = begin, .teardown = folder_remove);

// A file over the same cells.
static void write_plain(const char *name, const char *units, const double *values)
{
    int dimensions[3];
    const int file = begin_file(name, domain_cells, 2, 10, dimensions);
    make_field(file, "p", units, 3, dimensions, values);
    NC(nc_close(file));
}

static void write_even(const char *name, const char *units, double value)
{
    double values[CELLS];
    for (size_t i = 0; i < CELLS; i++)
        values[i] = value;
    write_plain(name, units, values);
}

// k-Wave's scalars, and a variable of these lengths.
static void write_kwave(const char *name, const char *variable, int rank, const size_t *lengths,
                        const double *values)
{
    static const char *const sizes[] = {"Nz", "Ny", "Nx"}, *const spacings[] = {"dz", "dy", "dx"};
    const int file = make_file(folder_path("%s", name), NC_NETCDF4);
    int dimensions[4];
    for (int a = 0; a < 3; a++) {
        const double size = (double)domain_cells[a], spacing = 2e-3;
        make_values(file, make_variable(file, sizes[a], NC_UINT64, NULL, 0, NULL), &size);
        make_values(file, make_variable(file, spacings[a], NC_FLOAT, NULL, 0, NULL), &spacing);
    }
    for (int k = 0; k < rank; k++) {
        char axis[16];
        snprintf(axis, sizeof axis, "d%d", k);
        dimensions[k] = make_dimension(file, axis, lengths[k]);
    }
    make_values(file, make_variable(file, variable, NC_FLOAT, NULL, rank, dimensions), values);
    NC(nc_close(file));
}

// ---- a run's heating, up to its layers

struct trial {
    struct job *job;
    struct bioheat_params params;
    struct bioheat_heating *heating;
    struct memory_plan plan;
};

#define TISSUES "'labels': {'1': 'skin', '2': 'cortical bone', '3': 'brain'}, 'void': [0]"

static enum status create(struct trial *t, const char *precision, const char *tissues, const char *pressure)
{
    *t = (struct trial){0};
    t->job =
        model_job(bioheat_keys,
                  "{'fathom': 1, 'model': 'bioheat', 'precision': '%s', 'backend': 'openmp', 'domain': "
                  "{'labels': {'file': 'labels.nc'}, 'faces': {'all': {'kind': 'insulated'}}}, 'tissues': "
                  "{%s, 'file': '%s/data/tissues.json'}, 'source': {'pressure': {%s}}, 'time': {'duration': "
                  "'1 s'}, 'output': {'directory': 'out'}}",
                  precision, tissues, TEST_SOURCE_DIRECTORY, pressure);
    memory_plan_begin(&t->plan);
    CHECK(bioheat_params_read(t->job, &t->params));
    return bioheat_heating_create(t->job, &t->params.body.grid, t->params.body.precision, t->params.domain,
                                  &t->heating);
}

static void end(struct trial *t)
{
    memory_plan_release(&t->plan);
    bioheat_heating_destroy(t->heating);
    bioheat_params_free(&t->params);
    job_free(t->job);
    status_clear();
}

static const void *layer_of(struct trial *t, const char *precision, const char *tissues, const char *pressure)
{
    assert_ok(create(t, precision, tissues, pressure));
    assert_ok(bioheat_heating_survey(t->heating)); // of rkl2; leaves nothing behind
    assert_ok(bioheat_domain_plan(t->params.domain, &t->plan));
    assert_ok(bioheat_heating_plan(t->heating, &t->plan, 0.1, 10, 0));
    assert_ok(memory_plan_reserve(&t->plan, SIZE_MAX, SIZE_MAX));
    memory_plan_seal(&t->plan);
    assert_ok(bioheat_domain_prepare(t->params.domain));
    assert_ok(bioheat_heating_prepare(t->heating));
    assert_int_equal(bioheat_heating_source(t->heating)->layer_count, 1);
    return *bioheat_heating_source(t->heating)->layers[0];
}

// Q of 1 MPa at 500 kHz by the table's numbers: α = 21.158·0.5, 54.553·0.5, 6.8032·0.5^1.3 Np/m; ρ = 1109,
// 1908, 1046 kg/m³; c = 1624, 2813.7, 1546.3 m/s; Q = α·10¹²/(ρc).
static const double hand_w_m3[] = {0, 5873906.728202304, 5080804.470549123, 1708239.672253702};

static void expect_hand(const char *pressure, double factor)
{
    static const char *const precisions[] = {"double", "single"};
    for (int k = 0; k < 2; k++) {
        struct trial t;
        const void *layer = layer_of(&t, precisions[k], TISSUES, pressure);
        for (size_t i = 0; i < CELLS; i++) {
            const double q = element_get(t.params.body.precision, layer, i),
                         expected = factor * hand_w_m3[label_of(i)];
            assert_near(pressure, q, expected, (k == 0 ? 1e-12 : 1e-6) * expected);
        }
        end(&t);
    }
}

TEST(three_tissues_by_hand)
{
    static double ones[CELLS];
    for (size_t i = 0; i < CELLS; i++)
        ones[i] = 1e6;
    write_even("pa.nc", "Pa", 1e6);
    write_even("mpa.nc", "MPa", 1);
    write_even("none.nc", NULL, 1e3);
    expect_hand("'file': 'pa.nc', 'kind': 'amplitude', 'frequency': '500 kHz'", 1);
    expect_hand("'file': 'pa.nc', 'kind': 'rms', 'frequency': '0.5 MHz'", 2);
    expect_hand("'file': 'mpa.nc', 'kind': 'amplitude', 'frequency': '500 kHz'", 1);
    expect_hand("'file': 'none.nc', 'units': 'kPa', 'kind': 'rms', 'frequency': '500 kHz'", 2);
    // k-Wave's own: known by name; a field, with a dimension before it, and a list.
    write_kwave("a.h5", "p_max_all", 3, domain_cells, ones);
    write_kwave("b.h5", "p_max", 4, (const size_t[]){1, NZ, NY, NX}, ones);
    write_kwave("c.h5", "p_rms", 3, (const size_t[]){1, 1, CELLS}, ones);
    expect_hand("'file': 'a.h5', 'frequency': '500 kHz'", 1);
    expect_hand("'file': 'b.h5', 'frequency': '500 kHz', 'kind': 'amplitude'", 1);
    expect_hand("'file': 'c.h5', 'frequency': '500 kHz'", 2);
}

// What it is at another frequency: brain's exponent is 1.3. And linear in attenuation, quadratic in pressure.
TEST(attenuation_follows_its_power_of_the_frequency)
{
    struct trial t;
    write_even("pa.nc", "Pa", 3e5);
    const double *layer =
        layer_of(&t, "double", TISSUES, "'file': 'pa.nc', 'kind': 'amplitude', 'frequency': '1.1 MHz'");
    assert_near("skin", layer[0], hand_w_m3[1] * 2.2 * 0.09, 1e-6);
    assert_near("brain", layer[2], hand_w_m3[3] * pow(2.2, 1.3) * 0.09, 1e-6);
    end(&t);
    layer =
        layer_of(&t, "double",
                 "'labels': {'1': 'skin', '2': {'tissue': 'cortical bone', 'attenuation': '13.3 dB/(cm "
                 "MHz^y)'}, '3': {'tissue': 'brain', 'attenuation': '2 Np/cm', 'attenuation_exponent': 1}}, "
                 "'void': [0], 'scale': {'attenuation': {'skin': 0.5}}",
                 "'file': 'pa.nc', 'kind': 'amplitude', 'frequency': '1 MHz'");
    assert_near("scaled", layer[0], hand_w_m3[1] * 0.09, 1e-6);
    // 13.3 dB/cm are 1330 ln(10)/20 = 153.12190868 Np/m
    assert_near("dB", layer[1], 153.12190868410876 * 9e10 / (1908 * 2813.7), 1e-5);
    assert_near("Np/cm", layer[2], 200 * 9e10 / (1046 * 1546.3), 1e-5);
    end(&t);
}

// ---- the file's own cells

// Linear in x, y, z: what lies between is exact. Finer, coarser, shifted; x fastest in k-Wave's.
static double linear(double z_mm, double y_mm, double x_mm)
{
    return 1e5 * (1 + 0.01 * z_mm + 0.02 * y_mm + 0.04 * x_mm);
}

TEST(between_the_cells_of_another_grid)
{
    static const struct {
        size_t lengths[3];
        double spacing_mm, first_mm;
    } grids[] = {{{8, 9, 14}, 1, 9.3}, {{3, 4, 5}, 3.7, 8}, {{3, 4, 6}, 2, 10.5}, {{3, 4, 6}, 2, 10}};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        const size_t *n = grids[g].lengths;
        double values[2000];
        int dimensions[3];
        for (size_t i = 0; i < n[0] * n[1] * n[2]; i++)
            values[i] = linear(grids[g].first_mm + grids[g].spacing_mm * (double)(i / (n[1] * n[2])),
                               grids[g].first_mm + grids[g].spacing_mm * (double)(i / n[2] % n[1]),
                               grids[g].first_mm + grids[g].spacing_mm * (double)(i % n[2]));
        const int file = begin_file("other.nc", n, grids[g].spacing_mm, grids[g].first_mm, dimensions);
        make_field(file, "p", "Pa", 3, dimensions, values);
        NC(nc_close(file));
        struct trial t;
        const double *layer = layer_of(&t, "double", TISSUES,
                                       "'file': 'other.nc', 'kind': 'amplitude', 'frequency': '500 kHz'");
        for (size_t i = 0; i < CELLS; i++) {
            // Half a cell beyond the outermost middles their values hold.
            const double first = grids[g].first_mm;
            const double p =
                linear(fmax(first, 10 + 2 * (double)(i / (NY * NX))),
                       fmax(first, 10 + 2 * (double)(i / NX % NY)), fmax(first, 10 + 2 * (double)(i % NX)));
            const double expected = 1e-12 * p * p * hand_w_m3[label_of(i)];
            assert_near("between", layer[i], expected, 1e-9 * expected);
        }
        end(&t);
    }
}

TEST(x_runs_fastest_and_a_place_may_be_given)
{
    double values[CELLS];
    struct trial t;
    for (size_t i = 0; i < CELLS; i++)
        values[i] = (double)i * 1e3;
    write_kwave("k.h5", "p_max_all", 3, domain_cells, values);
    const double *layer = layer_of(&t, "double", TISSUES, "'file': 'k.h5', 'frequency': '500 kHz'");
    for (size_t i = 0; i < CELLS; i++)
        assert_near("order", layer[i], 1e-6 * (double)(i * i) * hand_w_m3[label_of(i)], 1e-3);
    end(&t);
    // A cell further along x, beyond the file where the domain has air; one less along y, where it has none.
    layer =
        layer_of(&t, "double", TISSUES,
                 "'file': 'k.h5', 'frequency': '500 kHz', 'origin': {'x': '6 mm', 'y': '12 mm'}, 'outside': "
                 "'zero'");
    for (size_t i = 0; i < CELLS; i++) {
        const double n = (double)(i + 2 - NX);
        assert_near("moved", layer[i], i / NX % NY < 1 ? 0 : 1e-6 * n * n * hand_w_m3[label_of(i)], 1e-3);
    }
    end(&t);
}

// ---- scaling

static double scaled_w_m3(const char *scale_to, size_t cell)
{
    struct trial t;
    char pressure[512];
    snprintf(pressure, sizeof pressure,
             "'file': 'pa.nc', 'kind': 'rms', 'frequency': '500 kHz', 'scale_to': {%s}", scale_to);
    const double q = ((const double *)layer_of(&t, "double", TISSUES, pressure))[cell];
    end(&t);
    return q;
}

TEST(scaled_to_what_the_job_asks_for)
{
    double values[CELLS], power = 0;
    for (size_t i = 0; i < CELLS; i++) {
        values[i] = i == 3 * NX + 2 ? 2e5 : i % NX >= 4 ? 9e9 * 0.1 : 1e5; // brain's peak; more in air
        power += label_of(i) == 0 ? 0 : hand_w_m3[label_of(i)] * values[i] * values[i] * 1e-12 * 8e-9;
    }
    write_plain("pa.nc", "Pa", values);
    assert_near("peak", scaled_w_m3("'peak_pressure': '1.2 MPa'", 3 * NX + 2), 1.44 * hand_w_m3[3], 1e-3);
    assert_near("peak in skin", scaled_w_m3("'peak_pressure': '1.2 MPa', 'tissue': 'skin'", 0),
                1.44 * hand_w_m3[1], 1e-3);
    // 30 W/cm² in brain: Q = 2αI.
    assert_near("isppa", scaled_w_m3("'isppa': '30 W cm-2'", 3 * NX + 2), 2 * 2.762957751445371 * 3e5, 1e-3);
    assert_near("isppa in bone", scaled_w_m3("'isppa': '30 W cm-2', 'tissue': 'cortical bone'", 1),
                2 * 27.2765 * 3e5, 1e-2);
    assert_near("power", scaled_w_m3("'absorbed_power': '10 W'", 0), hand_w_m3[1] * 0.01 * 10 / power, 1e-3);
}

// ---- refusals

static void refused(enum status expected, const char *tissues, const char *pressure, const char *fragment)
{
    struct trial t;
    enum status status = create(&t, "double", tissues, pressure);
    char message[1024], wanted[512];
    snprintf(message, sizeof message, "%s", status_message());
    snprintf(wanted, sizeof wanted, "%s", fragment);
    end(&t);
    if (status != expected || !strstr(message, folder_double_quotes(wanted)) || strchr(message, '\n') ||
        strncmp(message, folder_root(), strlen(folder_root())) != 0)
        fail_msg("%s: %s: \"%s\", expected %s, \"%s\"", pressure, status_name(status), message,
                 status_name(expected), wanted);
}

#define PA "'file': 'pa.nc', 'kind': 'amplitude', 'frequency': '500 kHz'"

TEST(keys_and_tissues_that_do_not_fit)
{
    write_even("pa.nc", "Pa", 1e6);
    write_even("none.nc", NULL, 1e6);
    write_even("heat.nc", "J m-3", 1e6);
    write_even("null.nc", "Pa", 0);
    static const struct {
        const char *tissues, *pressure, *fragment;
    } rows[] = {
        {TISSUES, "'file': 'pa.nc', 'frequency': '500 kHz'",
         "source.pressure.kind: is missing: the name of variable p in "},
        {TISSUES, "'file': 'none.nc', 'kind': 'rms', 'frequency': '500 kHz'",
         "source.pressure.units: is missing: "},
        {TISSUES, PA ", 'units': 'W m-3'", "are not those of a pressure"},
        {TISSUES, PA ", 'units': 'dB'", "are not those of a pressure"},
        {TISSUES, PA ", 'units': 'kPa'", "contradicts"},
        {TISSUES, PA ", 'amplitude': -1", "source.pressure.amplitude: -1: sound does not cool"},
        {TISSUES, PA ", 'amplitude': 'p'}, 'protocols': {'p': {'on': '1 s', 'amplitude': -50}",
         "source.pressure.amplitude: source.protocols.p: amplitude: -50: sound does not cool"},
        {TISSUES,
         PA ", 'amplitude': 't'}, 'tables': {'t': {'times': ['0 s', '1 s', '2 s'], 'values': [1, -0.5, 0]}",
         "source.pressure.amplitude: source.tables.t: values: entry 1: -0.5: sound does not cool"},
        {TISSUES, PA ", 'scale_to': {}", "expected one of peak_pressure, isppa, absorbed_power"},
        {TISSUES, PA ", 'scale_to': {'isppa': '1 W cm-2', 'peak_pressure': '1 MPa'}", "has several of"},
        {TISSUES, PA ", 'scale_to': {'isppa': '1 W cm-2', 'tissue': 'liver'}",
         "'liver' is no heated tissue of this job"},
        {TISSUES, "'file': 'null.nc', 'kind': 'rms', 'frequency': '1 MHz', 'scale_to': {'isppa': '1 W cm-2'}",
         "cannot be reached: there is no pressure"},
        {"'labels': {'1': 'skin', '2': {'name': 'gel', 'density': '1000 kg m-3', 'specific_heat': '4000 J "
         "kg-1 "
         "K-1', 'conductivity': '0.5 W m-1 K-1'}, '3': 'brain'}, 'void': [0]",
         PA, "tissues.labels.2: gel has no sound_speed, which source.pressure needs; give it"},
        {"'labels': {'1': {'tissue': 'skin', 'attenuation': '0.6 dB/cm/MHz'}, '2': 'skin', '3': 'skin'}, "
         "'void': [0]",
         PA,
         "a unit with a frequency in it leaves the exponent open; expected the attenuation at 1 MHz in "
         "dB/cm"},
        {"'labels': {'1': {'tissue': 'skin', 'attenuation': '0.6 dB'}, '2': 'skin', '3': 'skin'}, 'void': "
         "[0]",
         PA, "not a unit of attenuation"},
        {"'labels': {'1': {'tissue': 'skin', 'attenuation': '-1 Np/m'}, '2': 'skin', '3': 'skin'}, 'void': "
         "[0]",
         PA, "expected 0 to 10000"},
        {"'labels': {'1': {'tissue': 'skin', 'attenuation_exponent': 7}, '2': 'skin', '3': 'skin'}, 'void': "
         "[0]",
         PA, "expected a number from 0 to 3"},
        {"'labels': {'1': {'tissue': 'skin', 'sound_speed': '1.6 m/s'}, '2': 'skin', '3': 'skin'}, 'void': "
         "[0]",
         PA, "expected 100 to 20000 m s-1"},
        {TISSUES ", 'scale': {'perfusion': {'liver': 2}}", PA, "'liver' is not a tissue of this job"},
        {TISSUES ", 'scale': {'perfusion': 20}", PA, "expected a factor from 0 to 10"},
        {TISSUES ", 'scale': {'density': 'much'}", PA, "tissues.scale.density: "},
        {"'labels': {'1': 'skin', '2': 'skin', '3': 'skin'}, 'void': [0], 'set': 'conservative'", PA,
         "tissues.set: conservative: the table has no range for any tissue of this job"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        refused(STATUS_CONFIGURATION, rows[k].tissues, rows[k].pressure, rows[k].fragment);
    folder_write_text("factors.csv", "0,1\n1,0\n2,-2\n");
    refused(STATUS_DATA, TISSUES,
            PA ", 'amplitude': 't'}, 'tables': {'t': {'file': 'factors.csv', 'time_unit': 's'}",
            "factors.csv: entry 2: -2: sound does not cool");
    refused(STATUS_DATA, TISSUES, "'file': 'heat.nc', 'kind': 'rms', 'frequency': '500 kHz'",
            "units 'J m-3' are not those of a pressure: expected Pa, kPa or MPa");
}

TEST(fields_that_do_not_fit)
{
    static double values[CELLS];
    int dimensions[3];
    static const struct {
        double value;
        const char *shown;
    } odd[] = {{NAN, "nan"}, {-3, "-3"}, {2e9, "2e+09"}};
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
        char fragment[128];
        values[NX * NY + 7] = odd[k].value;
        write_kwave("odd.h5", "p_max_all", 3, domain_cells, values);
        snprintf(fragment, sizeof fragment, "cell (1, 1, 1) of z, y, x: %s: expected a pressure",
                 odd[k].shown);
        refused(STATUS_DATA, TISSUES, "'file': 'odd.h5', 'frequency': '500 kHz'", fragment);
    }
    values[NX * NY + 7] = 0;
    static const struct {
        const char *variable;
        size_t lengths[3];
        const char *fragment;
    } kwave[] = {{"p_max", {1, 1, 5}, "record p_max_all, or let the sensor be the whole grid"},
                 {"p_max_all", {NX, NY, NZ}, "the grid 3 x 4 x 6 cells"},
                 {"p_final", {NZ, NY, NX}, "no variable p_max_all, p_max or p_rms of real numbers"}};
    for (size_t k = 0; k < sizeof kwave / sizeof *kwave; k++) {
        write_kwave("k.h5", kwave[k].variable, 3, kwave[k].lengths, values);
        refused(STATUS_DATA, TISSUES, "'file': 'k.h5', 'frequency': '500 kHz'", kwave[k].fragment);
    }
    write_kwave("k.h5", "p_rms", 3, domain_cells, values);
    refused(STATUS_CONFIGURATION, TISSUES, "'file': 'k.h5', 'frequency': '500 kHz', 'kind': 'amplitude'",
            "contradicts");
    // It is not the file that states Pa.
    write_kwave("k.h5", "p_max_all", 3, domain_cells, values);
    refused(STATUS_CONFIGURATION, TISSUES, "'file': 'k.h5', 'frequency': '500 kHz', 'units': 'MPa'",
            "files of k-Wave have Pa, and its variable p_max_all states no other units");
    write_kwave("k.h5", "p_rms", 3, domain_cells, values);
    static const size_t small[] = {NZ, NY, 3};
    const int file = begin_file("small.nc", small, 2, 10, dimensions);
    make_field(file, "p", "Pa", 3, dimensions, values);
    NC(nc_close(file));
    refused(
        STATUS_CONFIGURATION, TISSUES, "'file': 'small.nc', 'kind': 'rms', 'frequency': '500 kHz'",
        "does not cover the domain's tissue: its 3 x 4 x 3 cells (z, y, x) end before the cell at (16, 10, "
        "10) mm");
}

// A few kilobytes that declare cells without end: refused before planes of them are allocated.
static void write_declared(double spacing_m, size_t cells)
{
    static const char *const sizes[] = {"Nz", "Ny", "Nx"}, *const spacings[] = {"dz", "dy", "dx"};
    const int file = make_file(folder_path("declared.h5"), NC_NETCDF4);
    const size_t side = cells < 1000 ? cells : 1000;
    const size_t lengths[] = {3, cells, cells}, chunk[] = {1, side, side};
    int dimensions[3];
    for (int a = 0; a < 3; a++) {
        const double size = (double)lengths[a];
        make_values(file, make_variable(file, sizes[a], NC_UINT64, NULL, 0, NULL), &size);
        make_values(file, make_variable(file, spacings[a], NC_FLOAT, NULL, 0, NULL), &spacing_m);
        dimensions[a] = make_dimension(file, (const char *[]){"a", "b", "c"}[a], lengths[a]);
    }
    const int variable = make_variable(file, "p_max_all", NC_FLOAT, NULL, 3, dimensions);
    NC(nc_def_var_chunking(file, variable, NC_CHUNKED, chunk));
    NC(nc_def_var_deflate(file, variable, 1, 1, 1));
    NC(nc_close(file));
}

TEST(sizes_that_cannot_be)
{
    static const char declared[] = "'file': 'declared.h5', 'frequency': '500 kHz'";
    write_declared(2e-3, 20000);
    refused(STATUS_DATA, TISSUES, declared,
            "p_max_all is 40 m long along y, 20000 cells of 2 mm: expected a field of at most 10 m");
    write_declared(1e-6, 2000000);
    refused(STATUS_SYSTEM, TISSUES, declared,
            "planes of 2000000 x 2000000 cells (y, x) need 96 TB of memory");
    write_declared(NAN, 10);
    refused(STATUS_DATA, TISSUES, declared, "dz is nan: expected a spacing in m, above 0 and below 1");
    write_even("none.nc", "Pa", 1e-170);
    refused(STATUS_CONFIGURATION, TISSUES,
            "'file': 'none.nc', 'kind': 'rms', 'frequency': '1 MHz', 'scale_to': {'isppa': '1 W cm-2'}",
            "the largest amplitude, 1.41421e-170 Pa, is too small to be scaled");
}

TEST(a_field_of_zeros_is_told)
{
    struct trial t;
    write_even("null.nc", "Pa", 0);
    const size_t before = log_warning_kept();
    assert_ok(create(&t, "double", TISSUES, "'file': 'null.nc', 'kind': 'rms', 'frequency': '1 MHz'"));
    assert_int_equal(log_warning_kept(), before + 1);
    assert_has(log_warning_text(before), "null.nc has no pressure in the domain's tissue: nothing is heated");
    end(&t);
}

// ---- tables of tissues

TEST(tables_of_tissues_are_checked)
{
    static const struct {
        const char *number, *fragment;
    } rows[] = {
        {"'attenuation': {'value': '0.5 dB/cm', 'low': '0.6 dB/cm', 'high': '0.7 dB/cm'}",
         "attenuation: the value does not lie between 'low' and 'high'"},
        {"'perfusion': {'value': '5 s-1', 'low': '1 mL/min/kg', 'high': '9 mL/min/kg'}",
         "perfusion: the value does not lie between"},
        {"'perfusion': {'value': '5 s-1', 'low': '1 s-1'}", "perfusion: a range needs both 'low' and 'high'"},
        {"'density': {'value': '5 kg m-3', 'low': 'some', 'high': '9 kg m-3'}", "density: low: "},
        {"'density': {'value': '5 kg m-3', 'source': 'elsewhere'}",
         "density: source: 'elsewhere' is not among the table's 'sources'"},
        {"'sound_speed': '1500'", "sound_speed: "},
        {"'attenuation': 3", "attenuation: expected a text with a unit, like '0.59 dB/cm'"},
        {"'attenuation_exponent': '1.1'", "attenuation_exponent: expected a number from 0 to 3"},
        {"'attenuatoin': null", "(did you mean 'attenuation'?)"},
    };
    struct bioheat_tissues *tissues;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char fragment[256];
        snprintf(fragment, sizeof fragment, "%s", rows[k].fragment);
        folder_write_json("t.json",
                          "{'fathom_tissues': 1, 'sources': {'here': 'a book'}, 'tissues': {'gel': {%s}}}",
                          rows[k].number);
        assert_failure(bioheat_tissues_read(folder_path("t.json"), &tissues), STATUS_DATA,
                       "t.json: tissue \"gel\": ", folder_double_quotes(fragment));
    }
    folder_write_json("t.json",
                      "{'fathom_tissues': 1, 'tissues': {'gel': {'attenuation': {'value': '1 dB/cm', "
                      "'source': 'any', 'low': '0.5 dB/cm', 'high': '2 dB/cm'}}}}");
    assert_ok(bioheat_tissues_read(folder_path("t.json"), &tissues));
    const char *nearest;
    assert_near("dB/cm", bioheat_tissues_find(tissues, "gel", &nearest)->attenuation_np_m, 5 * log(10),
                1e-12);
    bioheat_tissues_free(tissues);
}
