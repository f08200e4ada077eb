// Sources of heat as jobs and files describe them: where they act, in which cells, with which amplitudes in
// each step; maps with factors over time, points and boxes with rows of power or of energy; units, orders of
// axes, packed numbers.
#include "tests/support/test.h"

#include "models/bioheat/source/private.h"
#include "tests/support/heating_fixture.h"
#include "tests/support/numbers.h"
#include "tests/support/statuses.h"

static struct heating_trial trial;

static int begin(void **state)
{
    trial = (struct heating_trial){0};
    return folder_make(state);
}

static int end(void **state)
{
    heating_trial_end(&trial);
    return folder_remove(state);
}

static void open_source(const char *source, enum element precision, double step_s, int64_t steps)
{
    assert_ok(heating_trial_create(&trial, &heating_grid, precision, source));
    assert_ok(heating_trial_prepare(&trial, step_s, steps));
}

// Amplitude of one term in one step.
static double amplitude(int64_t step, size_t term)
{
    double values[64];
    const size_t terms = bioheat_terms(bioheat_heating_source(trial.heating));
    assert_in_range(term, 0, terms - 1);
    assert_in_range(terms, 1, 64);
    bioheat_heating_amplitudes(trial.heating, step, 1, values);
    return values[term];
}

static void number_cells(double *values, double scale, double offset)
{
    for (int k = 0; k < HEATING_CELLS; k++)
        values[k] = offset + scale * k;
}

// ---- maps

TEST_SUITE(.setup = begin, .teardown = end);

TEST(a_map_is_read_in_its_units)
{
    double values[HEATING_CELLS];
    number_cells(values, 0.25, -3);
    heating_make_field("single.nc", NC_NETCDF4, NC_FLOAT, "W cm-3", NULL, 0, values);
    heating_make_field("double.nc", 0, NC_DOUBLE, "kW/m^3", NULL, 0, values);
    for (int precision = ELEMENT_F32; precision <= ELEMENT_F64; precision++) {
        open_source("{'maps': {'one': {'file': 'single.nc', 'variable': 'Q', 'amplitude': 1.5},'two': "
                    "{'file': 'double.nc'}}}",
                    (enum element)precision, 0.1, 10);
        const struct bioheat_source *source = bioheat_heating_source(trial.heating);
        assert_int_equal(source->layer_count, 2);
        for (int k = 0; k < HEATING_CELLS; k++) {
            const double scales[] = {1e6, 1e3};
            for (int l = 0; l < 2; l++) {
                const double got = precision == ELEMENT_F32 ? (double)((const float *)*source->layers[l])[k]
                                                            : ((const double *)*source->layers[l])[k];
                assert_near("map", got, values[k] * scales[l], precision == ELEMENT_F32 ? 0.5 : 1e-8);
            }
        }
        for (int n = 0; n < 10; n++) {
            assert_true(amplitude(n, 0) == 1.5);
            assert_true(amplitude(n, 1) == 1);
        }
        const char *paths[48];
        assert_int_equal(bioheat_heating_inputs(trial.heating, paths), 2);
        heating_trial_end(&trial);
    }
}

// x slowest, as other programs write it, and packed in two bytes.
TEST(a_map_may_lie_in_any_order_and_be_packed)
{
    const int file = make_file(folder_path("transposed.nc"), NC_NETCDF4);
    const int x = make_dimension(file, "x", HEATING_NX), z = make_dimension(file, "z", HEATING_NZ),
              y = make_dimension(file, "y", HEATING_NY);
    const int variable = make_variable(file, "heat", NC_SHORT, "W m-3", 3, (const int[]){x, z, y});
    const double scale = 0.5, offset = 100;
    NC(nc_put_att_double(file, variable, "scale_factor", NC_DOUBLE, 1, &scale));
    NC(nc_put_att_double(file, variable, "add_offset", NC_DOUBLE, 1, &offset));
    double stored[HEATING_CELLS];
    for (int i = 0; i < HEATING_NX; i++)
        for (int k = 0; k < HEATING_NZ; k++)
            for (int j = 0; j < HEATING_NY; j++)
                stored[(i * HEATING_NZ + k) * HEATING_NY + j] = 100 * k + 10 * j + i;
    make_values(file, variable, stored);
    NC(nc_close(file));
    open_source("{'maps': {'transposed': {'file': 'transposed.nc'}}}", ELEMENT_F32, 0.1, 10);
    const float *layer = *bioheat_heating_source(trial.heating)->layers[0];
    for (int k = 0; k < HEATING_NZ; k++)
        for (int j = 0; j < HEATING_NY; j++)
            for (int i = 0; i < HEATING_NX; i++)
                assert_true(layer[(k * HEATING_NY + j) * HEATING_NX + i] ==
                            100 + 0.5f * (float)(100 * k + 10 * j + i));
}

// Coordinates that descend, as those of heads often do: cells are counted along ascending ones, as the
// domain's are.
TEST(a_map_whose_coordinates_descend_is_turned_round)
{
    static const char *const names[] = {"z", "y", "x"}, *const transposed_names[] = {"z", "x", "y"};
    static const size_t lengths[] = {HEATING_NZ, HEATING_NY, HEATING_NX};
    for (int descending = 0; descending < 8; descending++)
        for (int transposed = 0; transposed < 2; transposed++) {
            const int file = make_file(folder_path("down.nc"), NC_NETCDF4);
            int dimensions[3];
            for (int k = 0; k < 3; k++) {
                const char *const name = transposed ? transposed_names[k] : names[k];
                const int a = name[0] == 'z' ? 0 : name[0] == 'y' ? 1 : 2;
                double places[8];
                for (size_t n = 0; n < lengths[a]; n++)
                    places[(descending >> a) & 1 ? lengths[a] - 1 - n : n] =
                        1e3 * (heating_grid.origin_m[a] + (double)n * heating_grid.spacing_m[a]);
                dimensions[k] = make_axis(file, name, "mm", lengths[a], places);
            }
            double values[HEATING_CELLS];
            for (size_t z = 0; z < HEATING_NZ; z++)
                for (size_t y = 0; y < HEATING_NY; y++)
                    for (size_t x = 0; x < HEATING_NX; x++) {
                        const size_t fz = descending & 1 ? HEATING_NZ - 1 - z : z;
                        const size_t fy = descending & 2 ? HEATING_NY - 1 - y : y;
                        const size_t fx = descending & 4 ? HEATING_NX - 1 - x : x;
                        values[transposed ? (fz * HEATING_NX + fx) * HEATING_NY + fy
                                          : (fz * HEATING_NY + fy) * HEATING_NX + fx] =
                            (double)(100 * z + 10 * y + x);
                    }
            make_field(file, "Q", "W m-3", 3, dimensions, values);
            NC(nc_close(file));
            open_source("{'maps': {'down': {'file': 'down.nc', 'variable': 'Q'}}}", ELEMENT_F32, 0.1, 10);
            const float *layer = *bioheat_heating_source(trial.heating)->layers[0];
            for (int k = 0; k < HEATING_CELLS; k++) {
                const int z = k / (HEATING_NY * HEATING_NX), y = k / HEATING_NX % HEATING_NY,
                          x = k % HEATING_NX;
                assert_true(layer[k] == (float)(100 * z + 10 * y + x));
            }
            heating_trial_end(&trial);
        }
}

// A protocol of two levels and a table with a ramp, each the mean over the step.
TEST(factors_over_time_are_means_over_steps)
{
    double values[HEATING_CELLS];
    number_cells(values, 1, 0);
    heating_make_field("q.nc", NC_NETCDF4, NC_FLOAT, "W m-3", NULL, 0, values);
    folder_write_text("power.txt", "# s  factor\n0 0\n1 4\n10 4\n");
    open_source("{'protocols': {'burst': {'on': '30 ms', 'start': '200 ms', 'amplitude': 2, 'levels': "
                "[{'name': 'pulse', 'period': '100 ms', 'count': 5},{'name': 'train', 'period': '1 s', "
                "'duration': '3 s'}]}},'tables': {'ramp': {'times': ['0 s', '2 s'], 'values': [1, 5], "
                "'after_end': 'last'},'power': {'file': 'power.txt', 'time_unit': 's'},'steps': {'times': "
                "['0 s', '0.25 s', '10 s'], 'values': [7, -1], 'between': 'stepwise'}},'maps': {'a': "
                "{'file': 'q.nc', 'amplitude': 'burst'},'b': {'file': 'q.nc', 'amplitude': 'ramp'}, 'c': "
                "{'file': 'q.nc', 'amplitude': 'power'},'d': {'file': 'q.nc', 'amplitude': 'steps'}}}",
                ELEMENT_F32, 0.1, 100);
    for (int n = 0; n < 100; n++) {
        const bool is_on = n >= 2 && n < 32 && (n - 2) % 10 < 5;
        assert_near("burst", amplitude(n, 0), is_on ? 0.6 : 0, 1e-12);
        const double middle_s = 0.1 * n + 0.05;
        assert_near("ramp", amplitude(n, 1), middle_s < 2 ? 1 + 2 * middle_s : 5, 1e-12);
        assert_near("power", amplitude(n, 2), middle_s < 1 ? 4 * middle_s : 4, 1e-12);
        assert_near("steps", amplitude(n, 3), n < 2 ? 7 : n == 2 ? 3 : -1, 1e-12);
    }
    // In one call as one by one
    double all[100 * 4];
    bioheat_heating_amplitudes(trial.heating, 0, 100, all);
    for (int n = 0; n < 100; n++)
        for (size_t term = 0; term < 4; term++)
            assert_true(all[4 * n + (int)term] == amplitude(n, term));
}

// ---- points and boxes

static void assert_cell(const size_t cell[BIOHEAT_AXES], size_t z, size_t y, size_t x)
{
    if (cell[0] != z || cell[1] != y || cell[2] != x)
        fail_msg("cell z %zu, y %zu, x %zu, expected %zu, %zu, %zu", cell[0], cell[1], cell[2], z, y, x);
}

TEST(points_of_a_job_by_cells_and_positions)
{
    open_source("{'points': {'at': [{'x': 4, 'y': 0, 'z': 2}, {'x': '37.4 mm', 'y': '2.6 cm', 'z': '0.0105 "
                "m'}], 'values': [[1, 2], [3, -4]], 'units': 'W cm-3', 'times': ['0 s', '0.15 s', '1 s']}}",
                ELEMENT_F64, 0.1, 10);
    const struct bioheat_source *source = bioheat_heating_source(trial.heating);
    assert_int_equal(source->point_count, 2);
    assert_cell(source->points[0], 2, 0, 4);
    assert_cell(source->points[1], 1, 3, 2);
    const double first[] = {1e6, 2e6, 3e6}, second[] = {2e6, -1e6, -4e6};
    for (int n = 0; n < 10; n++) {
        assert_near("point 0", amplitude(n, 0), first[n > 2 ? 2 : n], 1e-6);
        assert_near("point 1", amplitude(n, 1), second[n > 2 ? 2 : n], 1e-6);
    }
}

// However an energy or a power is written.
TEST(units_of_heat)
{
    static const struct {
        const char *units;
        double w_m3; // of a row that lasts 0.1 s
    } cases[] = {{"W m-3", 1},
                 {"W/m^3", 1},
                 {"mW cm-3", 1e3},
                 {"kW/m3", 1e3},
                 {"J m-3 s-1", 1},
                 {"watt/m3", 1},
                 {"J/m3", 10},
                 {"kJ/m^3", 1e4},
                 {"J cm-3", 1e7},
                 {"cal cm-3", 4.1868e7},
                 {"cal cm-3 s-1", 4.1868e6},
                 {"erg cm-3", 1},
                 {"joules/m3", 10},
                 {"kW h m-3", 3.6e7}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char job[512];
        snprintf(job, sizeof job,
                 "{'points': {'at': [{'x': 0, 'y': 0, 'z': 0}], 'values': [[1]], 'units': '%s', 'rows': "
                 "'steps', 'after_end': 'zero'}}",
                 cases[k].units);
        open_source(job, ELEMENT_F64, 0.1, 2);
        assert_near(cases[k].units, amplitude(0, 0), cases[k].w_m3, 1e-9 * cases[k].w_m3);
        heating_trial_end(&trial);
    }
}

TEST(boxes_of_a_job_by_cells_and_positions)
{
    open_source("{'first_index': 1, 'boxes': {'at': [{'first': {'x': 1, 'y': 2, 'z': 1}, 'last': {'x': 5, "
                "'y': 2, 'z': 3}}, {'first': {'x': '31 mm', 'y': '19 mm', 'z': '10 mm'}, 'last': {'x': '41.9 "
                "mm', 'y': '24 mm', 'z': '11 mm'}}], 'values': [[50, -20], [100, 0]], 'units': 'J m-3', "
                "'rows': 'steps', 'after_end': 'zero'}}",
                ELEMENT_F64, 0.1, 3);
    const struct bioheat_source *source = bioheat_heating_source(trial.heating);
    assert_int_equal(source->box_count, 2);
    assert_cell(source->boxes[0].first, 0, 1, 0);
    assert_cell(source->boxes[0].last, 2, 1, 4);
    assert_cell(source->boxes[1].first, 0, 0, 1);
    assert_cell(source->boxes[1].last, 1, 2, 3);
    const double expected[3][2] = {{500, -200}, {1000, 0}, {0, 0}}; // energy a step / step
    for (int n = 0; n < 3; n++)
        for (size_t b = 0; b < 2; b++)
            assert_near("box", amplitude(n, b), expected[n][b], 1e-9);
}

// Energies at times that are not the steps': all of it arrives.
TEST(energies_of_rows_arrive_whole)
{
    open_source("{'points': {'at': [{'x': 0, 'y': 0, 'z': 0}], 'values': [[3], [-1], [8]], 'units': "
                "'mJ/cm^3', 'times': ['0 s', '0.33 s', '0.34 s', '2 s']}}",
                ELEMENT_F64, 0.07, 28);
    double energy = 0;
    for (int n = 0; n < 28; n++)
        energy += amplitude(n, 0) * 0.07;
    assert_near("energy", energy, (3 - 1 + 8 * 1.62 / 1.66) * 1e3, 1e-9);
}

// A netCDF or HDF5 file of lists: cells, positions, addresses; with the matrix [time][place] and its times.
TEST(lists_of_a_file)
{
    const int file = make_file(folder_path("lists.h5"), NC_NETCDF4);
    const double times[] = {0, 500, 1000};
    const int time = make_axis(file, "time", "ms", 3, times), point = make_dimension(file, "point", 2),
              three = make_dimension(file, "three", 3), two = make_dimension(file, "two", 2);
    const double cells[] = {2, 3, 4, 0, 1, 2}, positions[] = {1.2, 2.2, 3.3, 1, 2.4, 3.9},
                 addresses[] = {59, 7};
    const double matrix[] = {1, 2, 3, 4, 5, 6}, corners[] = {0, 1, 2, 2, 3, 4, 1, 1, 1, 1, 1, 1};
    make_field(file, "cells", NULL, 2, (const int[]){point, three}, cells);
    make_field(file, "positions", "cm", 2, (const int[]){point, three}, positions);
    make_field(file, "addresses", NULL, 1, &point, addresses);
    make_field(file, "corners", NULL, 3, (const int[]){point, two, three}, corners);
    make_field(file, "heat", "W m-3", 2, (const int[]){time, point}, matrix);
    NC(nc_close(file));
    static const char *const lists[] = {"cells", "positions", "addresses"};
    static const size_t expected[3][2][3] = {
        {{2, 3, 4}, {0, 1, 2}}, {{2, 1, 1}, {0, 2, 3}}, {{2, 3, 4}, {0, 1, 2}}};
    for (int l = 0; l < 3; l++) {
        char source[512];
        snprintf(source, sizeof source,
                 "{'points': {'file': 'lists.h5', 'at': '%s', 'values': 'heat', 'between': 'linear'}, "
                 "'boxes': {'file': 'lists.h5', 'at': 'corners', 'values': 'heat', 'after_end': 'last'}}",
                 lists[l]);
        open_source(source, ELEMENT_F32, 0.25, 4);
        const struct bioheat_source *s = bioheat_heating_source(trial.heating);
        for (int p = 0; p < 2; p++)
            assert_cell(s->points[p], expected[l][p][0], expected[l][p][1], expected[l][p][2]);
        assert_cell(s->boxes[0].last, 2, 3, 4);
        const double point_values[] = {1.5, 2.5, 3.5, 4.5}, box_values[] = {1, 1, 3, 3};
        for (int n = 0; n < 4; n++) {
            assert_near("point", amplitude(n, 0), point_values[n], 1e-12);
            assert_near("point", amplitude(n, 1), point_values[n] + 1, 1e-12);
            assert_near("box", amplitude(n, 2), box_values[n], 1e-12);
        }
        heating_trial_end(&trial);
    }
}

TEST(nothing_heats)
{
    open_source("{}", ELEMENT_F32, 0.1, 10);
    assert_int_equal(bioheat_terms(bioheat_heating_source(trial.heating)), 0);
    int64_t granted = 0;
    assert_ok(bioheat_heating_begin(trial.heating, NULL, (struct bioheat_layer_user){0}, 0));
    assert_ok(bioheat_heating_ready(trial.heating, 0, 10, &granted));
    assert_int_equal(granted, 10);
}

// ---- what a step's error is estimated from

static struct bioheat_power power_of(const char *source, double step_s, int64_t steps)
{
    assert_ok(heating_trial_create(&trial, &heating_grid, ELEMENT_F64, source));
    assert_ok(bioheat_heating_survey(trial.heating));
    const struct bioheat_power power = bioheat_heating_power(trial.heating, step_s, steps);
    heating_trial_end(&trial);
    return power;
}

// 2 W/cm³ in every unit, in lists and maps; as energy, 4 s long.
TEST(the_largest_power_is_the_same_in_every_unit)
{
    static const struct {
        const char *units;
        double value;
    } cases[] = {{"W m-3", 2e6},
                 {"kW m-3", 2e3},
                 {"MW/m^3", 2},
                 {"W cm-3", 2},
                 {"mW cm-3", 2e3},
                 {"W mm-3", 2e-3},
                 {"J m-3", 8e6},
                 {"kJ/m^3", 8e3},
                 {"J cm-3", 8},
                 {"J mm-3", 8e-3},
                 {"cal cm-3 s-1", 2 / 4.1868},
                 {"W/L", 2e3}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double values[HEATING_CELLS] = {[7] = cases[k].value};
        for (int list = 0; list < 2; list++) {
            char source[512];
            snprintf(source, sizeof source,
                     "{'%s': {'at': [%s], 'times': ['0 s', '4 s'], 'values': [[%.17g]], 'units': '%s', "
                     "'after_end': 'zero'}}",
                     list == 0 ? "points" : "boxes",
                     list == 0 ? "{'x': 1, 'y': 1, 'z': 1}"
                               : "{'first': {'x': 1, 'y': 1, 'z': 1}, 'last': {'x': 2, 'y': 1, 'z': 1}}",
                     cases[k].value, cases[k].units);
            const struct bioheat_power power = power_of(source, 0.5, 12);
            assert_near(cases[k].units, power.largest_w_m3 / 2e6, 1, 1e-9);
            assert_near(cases[k].units, power.rough_w_m3 / 2e6, 1, 1e-9);
            assert_near(cases[k].units, power.missed_j_m3, 0, 1e-3);
        }
        if (strchr(cases[k].units, 'J')) // a map gives power
            continue;
        heating_make_field("unit.nc", NC_NETCDF4, NC_DOUBLE, cases[k].units, NULL, 0, values);
        assert_near(cases[k].units,
                    power_of("{'maps': {'q': {'file': 'unit.nc'}}}", 0.5, 12).largest_w_m3 / 2e6, 1, 1e-9);
    }
}

// A switch at the part f of a step: until then all of the source acts, and f of it is counted on; f (1 − f)
// of its heat in a step is missed. The same from protocols, tables, and rows of power and of energy.
TEST(missed_heat_is_that_of_a_switch_within_a_step)
{
    double values[HEATING_CELLS] = {[3] = 5e5, [4] = -1e6};
    static const double ends_s[] = {4, 4.1, 4.5, 4.9};
    heating_make_field("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", NULL, 0, values);
    for (size_t k = 0; k < sizeof ends_s / sizeof *ends_s; k++) {
        const double f = ends_s[k] - 4, expected = 1e6 * f * (1 - f);
        for (int kind = 0; kind < 4; kind++) {
            char source[512];
            const char *const forms[] = {
                "{'maps': {'q': {'file': 'q.nc', 'amplitude': 'p'}}, 'protocols': {'p': {'on': '%g s'}}}",
                "{'maps': {'q': {'file': 'q.nc', 'amplitude': 't'}}, 'tables': {'t': {'between': 'stepwise', "
                "'times': ['0 s', '%g s'], 'values': [1], 'after_end': 'zero'}}}",
                "{'points': {'at': [{'x': 1, 'y': 1, 'z': 1}], 'times': ['0 s', '%g s'], 'values': [[1]], "
                "'units': 'W cm-3', 'after_end': 'zero'}}",
                "{'boxes': {'at': [{'first': {'x': 1, 'y': 1, 'z': 1}, 'last': {'x': 1, 'y': 1, 'z': 1}}], "
                "'times': ['0 s', '%g s'], 'values': [[%g]], 'units': 'J cm-3', 'after_end': 'zero'}}"};
            snprintf(source, sizeof source, forms[kind], ends_s[k], ends_s[k]);
            const double missed = power_of(source, 1, 8).missed_j_m3;
            if (missed > expected * 1.001 + 1 || missed < 0.9 * expected)
                fail_msg("source %d until %g s: %g J/m3, expected %g", kind, ends_s[k], missed, expected);
        }
    }
    // Pulses of 10 ms each 0.1 s within steps of 1 s: the ripple, 0.01 (1 − 0.1) of the heat in a second.
    const double ripple = power_of("{'maps': {'q': {'file': 'q.nc', 'amplitude': 'p'}}, 'protocols': {'p': "
                                   "{'on': '10 ms', 'levels': [{'period': '0.1 s', 'count': 80}]}}}",
                                   1, 8)
                              .missed_j_m3;
    assert_near("ripple", ripple, 9000, 1e-6);
}

// ---- pulses in the planner's words

static double random_between(double low, double high)
{
    static uint64_t state = 20261129;
    return next_uniform(&state, low, high);
}

struct plan {
    double start_s, length_s, ramp_s, period_s, pause_s, amplitude;
    int pulses, trains;
};

static struct plan random_plan(void)
{
    const double period_s = exp(random_between(log(0.02), log(9))), duty = random_between(0.05, 0.95),
                 length_s = duty * period_s;
    return (struct plan){random_between(0, 3),
                         length_s,
                         random_between(0, 1) < 0.5 ? 0 : random_between(0, 0.5) * length_s,
                         period_s,
                         random_between(0.1, 5),
                         random_between(0.2, 3),
                         (int)random_between(2, 9),
                         (int)random_between(2, 5)};
}

// 0: in words, 1: as levels.
static const char *source_of(const struct plan *p, int form)
{
    static char source[800];
    char protocol[400];
    const double train_s = p->pulses * p->period_s;
    if (form == 0)
        snprintf(protocol, sizeof protocol,
                 "'prf': '%.17g Hz', 'pulse_length': '%.17g s', 'ramp': '%.17g s', 'train': '%.17g s', "
                 "'inter_train_interval': '%.17g s', 'repetitions': %d",
                 1 / p->period_s, p->length_s, p->ramp_s, train_s, p->pause_s, p->trains);
    else
        snprintf(protocol, sizeof protocol,
                 "'on': '%.17g s', 'ramp_up': '%.17g s', 'ramp_down': '%.17g s', 'levels': [{'period': "
                 "'%.17g s', 'count': %d}, {'period': '%.17g s', 'count': %d}]",
                 p->length_s, p->ramp_s, p->ramp_s, p->period_s, p->pulses, train_s + p->pause_s, p->trains);
    snprintf(source, sizeof source,
             "{'maps': {'q': {'file': 'q.nc', 'amplitude': 'p'}}, 'protocols': {'p': {'start': '%.17g s', "
             "'amplitude': %.17g, %s}}}",
             p->start_s, p->amplitude, protocol);
    return source;
}

// The heat until t (J/m³ of 1 W/m³), pulse by pulse.
static double heat_until(const struct plan *p, double t_s)
{
    double sum = 0;
    for (int train = 0; train < p->trains; train++)
        for (int pulse = 0; pulse < p->pulses; pulse++) {
            const double t = t_s - p->start_s - train * (p->pulses * p->period_s + p->pause_s) -
                             pulse * p->period_s,
                         on = fmin(fmax(t, 0), p->length_s), r = p->ramp_s;
            const double up = fmin(on, r), down = fmax(0, on - (p->length_s - r)),
                         top = fmax(0, fmin(on, p->length_s - r) - r);
            sum += top + (r > 0 ? up * up / (2 * r) + down - down * down / (2 * r) : 0);
        }
    return p->amplitude * sum;
}

enum { PLANS = 60, CLOSE_PLANS = 24, PLAN_STEPS = 400, POINTS = 400 };
static const double most_w_m3 = 4e6, heat_j_m3_k = 4e6; // 1 K/s

static void open_plan(const struct plan *p, int form, double ripple_k, double step_s)
{
    assert_ok(heating_trial_create(&trial, &heating_grid, ELEMENT_F64, source_of(p, form)));
    assert_ok(bioheat_heating_survey(trial.heating));
    bioheat_heating_allow(trial.heating, ripple_k, heat_j_m3_k);
    assert_ok(heating_trial_prepare(&trial, step_s, PLAN_STEPS));
}

// Both forms of one plan give the same heat in each step, or, where words act by their mean power, heat that
// departs by no more than is allowed at any time; in all the same, to rounding.
TEST(words_give_the_heat_of_levels)
{
    double values[HEATING_CELLS] = {[7] = most_w_m3}, amplitudes[2][PLAN_STEPS], nearest = 0;
    int averaged = 0, shared = 0;
    heating_make_field("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", NULL, 0, values);
    for (int k = 0; k < PLANS; k++) {
        const struct plan plan = random_plan();
        const double end_s = plan.start_s + plan.trains * (plan.pulses * plan.period_s + plan.pause_s),
                     step_s = end_s / (PLAN_STEPS - 1) * exp(random_between(0, 4)),
                     allowed_k = exp(random_between(log(1e-3), log(10)));
        for (int form = 0; form < 2; form++) {
            open_plan(&plan, form, allowed_k, step_s);
            bioheat_heating_amplitudes(trial.heating, 0, PLAN_STEPS, amplitudes[form]);
            heating_trial_end(&trial);
        }
        const double total = heat_until(&plan, INFINITY);
        double words = 0, levels = 0, apart = 0;
        bool is_same = true;
        for (int n = 0; n < PLAN_STEPS; n++) {
            words += amplitudes[0][n] * step_s;
            levels += amplitudes[1][n] * step_s;
            apart = fmax(apart, fabs(words - levels));
            is_same &= fabs(amplitudes[0][n] - amplitudes[1][n]) <= 1e-12 * plan.amplitude;
            assert_near("levels", levels, heat_until(&plan, (n + 1) * step_s), 1e-12 * total);
        }
        assert_near("energy", words, total, 2e-15 * PLAN_STEPS * total);
        assert_true(apart <= allowed_k * (1 + 1e-9));
        if (!is_same)
            nearest = fmax(nearest, apart / allowed_k);
        averaged += !is_same;
        shared += is_same;
    }
    print_message("%d plans by mean power (up to %.2f of what is allowed), %d shared\n", averaged, nearest,
                  shared);
    assert_true(averaged > 5 && shared > 20 && nearest > 0.2);
}

// The estimate against 400 points of each step: of the heat that acts, and of the true one.
TEST(missed_heat_of_plans_is_a_close_bound)
{
    double values[HEATING_CELLS] = {[7] = most_w_m3}, amplitudes[PLAN_STEPS];
    heating_make_field("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", NULL, 0, values);
    for (int k = 0; k < CLOSE_PLANS; k++) {
        const struct plan plan = random_plan();
        const double end_s = plan.start_s + plan.trains * (plan.pulses * plan.period_s + plan.pause_s),
                     step_s = end_s / (PLAN_STEPS - 1) * exp(random_between(0, 4)),
                     allowed_k = k % 2 ? 0 : exp(random_between(log(1e-3), log(10)));
        open_plan(&plan, k % 4 == 3, allowed_k, step_s);
        bioheat_heating_amplitudes(trial.heating, 0, PLAN_STEPS, amplitudes);
        const struct bioheat_power power = bioheat_heating_power(trial.heating, step_s, PLAN_STEPS);
        heating_trial_end(&trial);
        double missed = 0, given = 0;
        for (int n = 0; n < PLAN_STEPS; n++) {
            for (int i = 1; i <= POINTS; i++)
                missed = fmax(missed, fabs(heat_until(&plan, (n + i / (double)POINTS) * step_s) - given -
                                           amplitudes[n] * step_s * i / POINTS));
            given += amplitudes[n] * step_s;
        }
        const double estimate = (power.missed_j_m3 + power.hidden_j_m3) / most_w_m3;
        if (missed > estimate * (1 + 1e-9) + 1e-12 || (power.hidden_j_m3 == 0 && missed < 0.9 * estimate) ||
            missed < 0.4 * estimate)
            fail_msg("plan %d: steps of %g s miss %g s, estimate %g s (mean power %g s)", k, step_s, missed,
                     estimate, power.hidden_j_m3 / most_w_m3);
    }
}

// ---- runs of very many steps

// Step by step: the heat of every step that the estimate may look at, and all amplitudes.
static void assert_same_step_by_step(const struct plan *plan, const char *source, double step_s,
                                     int64_t steps)
{
    static double amplitudes[1 << 16];
    double largest = 0, missed = 0;
    int64_t changing = 0;
    assert_in_range(steps, 1, COUNT(amplitudes));
    assert_ok(heating_trial_create(&trial, &heating_grid, ELEMENT_F64, source));
    assert_ok(bioheat_heating_survey(trial.heating));
    const struct bioheat_power power = bioheat_heating_power(trial.heating, step_s, steps);
    assert_ok(heating_trial_prepare(&trial, step_s, steps));
    bioheat_heating_amplitudes(trial.heating, 0, steps, amplitudes);
    for (int64_t n = 0; n < steps; n++) {
        largest = fmax(largest, fabs(amplitudes[n]));
        if (!source_is_steady(trial.heating, n) && (changing++ < 512 || changing % 17 == 0))
            missed = fmax(missed, source_missed_j_m3(trial.heating, n, step_s));
    }
    heating_trial_end(&trial);
    // Along a ramp each step's mean has a rounding of its own.
    const double rounding = plan->ramp_s > 0 ? 1e-12 : 0;
    assert_near("power", power.largest_w_m3, most_w_m3 * largest, rounding * most_w_m3 * plan->amplitude);
    assert_near("missed", power.missed_j_m3, missed, rounding * most_w_m3 * plan->amplitude * step_s);
}

TEST(steps_that_are_alike_may_be_left_out)
{
    double values[HEATING_CELLS] = {[7] = most_w_m3};
    heating_make_field("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", NULL, 0, values);
    for (int k = 0; k < CLOSE_PLANS; k++) {
        const struct plan plan = random_plan();
        const double end_s = plan.start_s + plan.trains * (plan.pulses * plan.period_s + plan.pause_s);
        const int64_t steps = k % 2 ? 50000 : 5000;
        assert_same_step_by_step(&plan, source_of(&plan, k % 3 == 0), end_s / (double)steps, steps);
    }
}

// Closed forms: along a slope a step misses Q dA/dt Δt²/8; where a switch leaves the fraction f of a step on,
// Q f (1 − f) Δt. At some places in a step, so that the largest is found to 5 %.
TEST(a_thousand_million_steps_are_no_matter)
{
    double values[HEATING_CELLS] = {[7] = most_w_m3};
    static const struct {
        const char *source;
        double step_s, steps, largest, missed_j_m3;
    } rows[] = {
        {"{'maps': {'q': {'file': 'q.nc', 'amplitude': 't'}}, 'tables': {'t': {'times': ['0 s', '1 h', '2 "
         "h'], "
         "'values': [0, -1, 0.25]}}}",
         1e-5, 7.2e8, 1, 1.25 / 3600 * 1e-10 / 8},
        {"{'maps': {'q': {'file': 'q.nc', 'amplitude': 'p'}}, 'protocols': {'p': {'on': '0.5 s', 'ramp_up': "
         "'0.1 "
         "s', 'amplitude': 2, 'levels': [{'period': '1 s', 'count': 1000}]}}}",
         1e-6, 1e9, 2, 20 * 1e-12 / 8},
        {"{'boxes': {'at': [{'first': {'x': 1, 'y': 1, 'z': 1}, 'last': {'x': 2, 'y': 2, 'z': 1}}], "
         "'values': "
         "[[4e6], [1e6], [0]], 'units': 'W m-3', 'times': ['0 s', '1000 s', '5000 s'], 'after_end': 'last'}}",
         3e-6, 2e9, 1, 0.75 * 2.0 / 9 * 3e-6},
    };
    heating_make_field("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", NULL, 0, values);
    for (size_t k = 0; k < COUNT(rows); k++) {
        const struct bioheat_power power = power_of(rows[k].source, rows[k].step_s, (int64_t)rows[k].steps);
        assert_near("power", power.largest_w_m3, most_w_m3 * rows[k].largest, 1e-7 * most_w_m3);
        assert_near("missed", power.missed_j_m3 / (most_w_m3 * rows[k].missed_j_m3), 0.97, 0.03 + 1e-3);
    }
}

static const char *source_of_two(double start_s)
{
    static char source[800];
    snprintf(source, sizeof source,
             "{'maps': {'q': {'file': 'q.nc', 'amplitude': 'p'}, 'r': {'file': 'q.nc', 'amplitude': 'o'}}, "
             "'protocols': {'p': {'on': '0.3 s', 'levels': [{'period': '1 s', 'count': 50000}]}, 'o': "
             "{'start': '%.17g s', 'on': '0.31 s', 'ramp_up': '0.02 s', 'levels': [{'period': '0.7 s', "
             "'count': 30}, {'period': '28 s', 'count': 1500}]}}}",
             start_s);
    return source;
}

// `least`: the part of the largest that must be found.
static void assert_like_all_steps(const char *about, const char *source, double step_s, int64_t steps,
                                  double least)
{
    double largest = 0, missed = 0, given;
    static double amplitudes[1 << 20][2];
    assert_in_range(steps, 1, COUNT(amplitudes));
    assert_ok(heating_trial_create(&trial, &heating_grid, ELEMENT_F64, source));
    assert_ok(bioheat_heating_survey(trial.heating));
    const struct bioheat_power power = bioheat_heating_power(trial.heating, step_s, steps);
    assert_ok(heating_trial_prepare(&trial, step_s, steps));
    const size_t terms = bioheat_terms(bioheat_heating_source(trial.heating));
    bioheat_heating_amplitudes(trial.heating, 0, steps, amplitudes[0]);
    for (int64_t n = 0; n < steps; n++) {
        given = 0;
        for (size_t t = 0; t < terms; t++)
            given += fabs(amplitudes[0][(size_t)n * terms + t]);
        largest = fmax(largest, given);
        if (!source_is_steady(trial.heating, n))
            missed = fmax(missed, source_missed_j_m3(trial.heating, n, step_s));
    }
    heating_trial_end(&trial);
    print_message("%s: power %.9f of the largest, missed %.9f\n", about,
                  power.largest_w_m3 / (most_w_m3 * largest), missed > 0 ? power.missed_j_m3 / missed : 1);
    const double middle = 0.5 * (1 + least), margin = 1 - middle + 1e-9;
    assert_near(about, power.largest_w_m3 / (most_w_m3 * largest), middle, margin);
    if (missed > 1e-9 * most_w_m3 * step_s)
        assert_near(about, power.missed_j_m3 / missed, middle, margin + 1e-6);
}

// Steps that divide the period, that have a small multiple in common with it, and that have none; trains of
// pulses; two protocols.
TEST(regular_pulses_are_looked_at_by_blocks)
{
    double values[HEATING_CELLS] = {[7] = most_w_m3};
    heating_make_field("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", NULL, 0, values);
    for (int k = 0; k < 6; k++) {
        struct plan plan = random_plan();
        const int way = k % 3;
        const double share = way == 0   ? 0.125
                             : way == 1 ? 3.0 / 7
                                        : 0.3141592653589793,
                     step_s = share * plan.period_s;
        // As few steps as are worth leaving out.
        plan.pulses = k % 2 ? 200 : (int)(72000 * share);
        plan.trains = k % 2 ? (int)(400 * share) : 2;
        if (k % 4 == 1) // the trains' period is a multiple of the pulses'
            plan.pause_s = 17 * plan.period_s;
        const double periods = plan.trains * (plan.pulses + plan.pause_s / plan.period_s);
        assert_like_all_steps(format_text("plan %d", k), source_of(&plan, 1), step_s,
                              (int64_t)(periods * plan.period_s / step_s) + 5, 0.97);
    }
    assert_like_all_steps("two, dividing", source_of_two(1.2), 0.1, 100000, 1 - 1e-9);
    assert_like_all_steps("two, sampled", source_of_two(1.23456), 0.0973, 100000, 0.99);
}

// 10¹² pulses. In steps of 0.4 s they begin at 0, 0.4, 0.8, 0.2 and 0.6 s of a period, of which the first 0.3
// s are heated: half of the third, 0.75 of the first.
TEST(a_million_million_pulses_are_no_matter)
{
    double values[HEATING_CELLS] = {[7] = most_w_m3};
    static const char *const source =
        "{'maps': {'q': {'file': 'q.nc', 'amplitude': 'p'}}, 'protocols': {'p': {'on': '0.3 s', 'levels': "
        "[{'period': '1 s', 'count': 1000}, {'period': '2000 s', 'count': 1000000000}]}}}";
    heating_make_field("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", NULL, 0, values);
    const struct bioheat_power shared = power_of(source, 0.4, 5000000000000),
                               whole = power_of(source, 0.1, 20000000000000);
    assert_near("power", shared.largest_w_m3, 0.75 * most_w_m3, 1e-3 * most_w_m3);
    assert_near("missed", shared.missed_j_m3, 0.1 * most_w_m3, 1e-3 * most_w_m3);
    assert_near("power", whole.largest_w_m3, most_w_m3, 0);
    assert_near("missed", whole.missed_j_m3, 0, 1e-3 * most_w_m3);
}
