// Sources of heat as jobs and files describe them: where they act, in which cells, with which amplitudes in
// each step; maps with factors over time, points and boxes with rows of power or of energy; units, orders of
// axes, packed numbers.
#include "tests/support/test.h"

#include "tests/support/heating_power.h"
#include "tests/support/numbers.h"

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

TEST_SUITE(.setup = heating_begin, .teardown = heating_end);

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
