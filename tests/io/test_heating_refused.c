// Sources of heat that a run must refuse, each with one line: which file or key, which entry, what it is and
// what was expected.
#include "tests/support/test.h"

#include "tests/support/heating_fixture.h"

static double zeros[16 * HEATING_CELLS];

static void refused(const char *source, enum status expected, const char *message)
{
    heating_refused(source, 0.1, 100, expected, message);
}

#define BAD_JOB(source, message)  refused("{" source "}", STATUS_CONFIGURATION, message)
#define BAD_DATA(source, message) refused("{" source "}", STATUS_DATA, message)

TEST_SUITE(.setup = folder_make, .teardown = folder_remove);

// Times, factors and powers of which the product would be infinite.
TEST(numbers_that_no_source_has)
{
    double field[HEATING_CELLS] = {[3] = 1e29};
    heating_make_field("q.nc", NC_NETCDF4, NC_FLOAT, "W m-3", NULL, 0, field);
#define OF_PULSES(keys) "'maps': {'q': {'file': 'q.nc', 'amplitude': 'p'}}, 'protocols': {'p': {" keys "}}"
    BAD_JOB(OF_PULSES("'prf': '1 GHz', 'duty_cycle': 0.5, 'train': '1 s'"),
            "source.protocols.p.prf: 1 GHz is out of range: 0 to 0.02 GHz is expected");
    BAD_JOB(OF_PULSES("'on': '1e308 s'"),
            "source.protocols.p.on: 1e308 s is out of range: 0 to 1000000000000 s is expected");
    BAD_JOB(OF_PULSES("'on': '1 s', 'start': '-1e308 s'"),
            "source.protocols.p.start: -1e308 s is out of range: "
            "-1000000000000 to 1000000000000 s is expected");
    BAD_JOB(
        OF_PULSES("'on': '1 s', 'levels': [{'period': '1e308 s', 'count': 3}]"),
        "source.protocols.p.levels[0]: the period is 1e+308 s, expected more than 0 s and at most 1e+12 s");
    BAD_JOB(OF_PULSES("'on': '1 s', 'amplitude': 1e308"),
            "source.protocols.p.amplitude: 1e+308 is out of range: "
            "-1000000000000 to 1000000000000 is expected");
    BAD_JOB("'maps': {'q': {'file': 'q.nc', 'amplitude': 1e308}}",
            "source.maps.q.amplitude: 1e+308 is out of range: expected at most 1e+12 in size");
    BAD_JOB("'maps': {'q': {'file': 'q.nc', 'amplitude': -1e5}}",
            "source.maps.q.amplitude: a factor of 100000 on up to 1e+29 W m-3: expected at most 1e+30 W m-3");
    BAD_JOB(OF_PULSES("'on': '1 s', 'amplitude': 20000"),
            "source.maps.q.amplitude: a factor of 20000 on up to 1e+29 W m-3: expected at most 1e+30 W m-3");
    BAD_JOB("'maps': {'q': {'file': 'q.nc', 'amplitude': 't'}}, 'tables': {'t': {'times': ['0 s', '99 s'], "
            "'values': [-20000, 0]}}",
            "source.maps.q.amplitude: a factor of 20000 on up to 1e+29 W m-3: expected at most 1e+30 W m-3");
    BAD_JOB("'tables': {'t': {'times': ['0 s', '2 s'], 'values': [1, 1e308]}}",
            "source.tables.t.values: entry 1 is 1e+308, expected at most 1e+12 in size");
    BAD_JOB(
        "'points': {'at': [{'x': 1, 'y': 1, 'z': 1}], 'values': [[1e300]], 'units': 'GW m-3', 'times': ['0 "
        "s', '99 s']}",
        "source.points.values: row 0, point 0 is inf W m-3, expected at most 1e+30 in size");
    BAD_JOB(
        "'points': {'at': [{'x': 1, 'y': 1, 'z': 1}], 'values': [[1]], 'units': 'W m-3', 'times': ['0 s', "
        "'1e308 s']}",
        "source.points.times: 1e+308 s is out of range: at most 1e+12 s are expected");
    BAD_JOB("'points': {'at': [{'x': 1, 'y': 1, 'z': 1}], 'values': [[1e30]], 'units': 'J m-3', 'times': ['0 "
            "s', '0.01 s'], 'after_end': 'zero'}",
            "source.points.values: row 0 heats with up to 1e+31 W m-3: expected at most 1e+30");
}

TEST(factors_over_time)
{
    heating_make_field("q.nc", NC_NETCDF4, NC_FLOAT, "W m-3", NULL, 0, zeros);
    BAD_JOB("'maps': {'q': {'file': 'q.nc', 'amplitude': 'brust'}}, 'protocols': {'burst': {'on': '1 s'}}",
            "source.maps.q.amplitude: 'brust' is not one of source.protocols and source.tables (did you mean "
            "burst?)");
    BAD_JOB("'maps': {'q': {'file': 'q.nc', 'amplitude': [1, 2]}}",
            "source.maps.q.amplitude: a number, or the name of one of source.protocols or source.tables, is "
            "expected");
    BAD_JOB("'protocols': {'p': {'on': '1 s', 'levles': []}}",
            "source.protocols.p.levles: unknown key (did you mean source.protocols.p.levels?)");
    BAD_JOB("'protocols': {'p': {'start': '1 s'}}",
            "source.protocols.p.on: missing: how long a pulse is on, such as '30 s'");
    BAD_JOB("'protocols': {'p': {'on': '1 W'}}",
            "source.protocols.p.on: '1 W': W is a power, but a time in s, min or h is expected");
    BAD_JOB("'protocols': {'p': {'on': '1 s', 'levels': [{'period': '2 s', 'coutn': 3}]}}",
            "source.protocols.p.levels[0]: unknown key coutn (did you mean count)");
    BAD_JOB("'protocols': {'p': {'on': '1 s', 'levels': [{'period': 2, 'count': 3}]}}",
            "source.protocols.p.levels[0].period: a time with its unit is expected, such as '100 ms'");
    BAD_JOB("'protocols': {'p': {'on': '1 s', 'levels': [{'period': '2 s'}]}}",
            "source.protocols.p.levels[0]: count (or duration) is missing: how often it comes");
    BAD_JOB("'protocols': {'p': {'on': '1 s', 'levels': [{'period': '2 s', 'duration': '5 s'}]}}",
            "source.protocols.p.levels[0]: a duration of 5 s is not a whole number of periods of 2 s");
    BAD_JOB(
        "'protocols': {'p': {'on': '3 s', 'levels': [{'name': 'pulse', 'period': '2 s', 'count': 2}]}}",
        "source.protocols.p: level 0 (pulse): every 2 s, but what it repeats takes 3 s: they would overlap");
    BAD_JOB("'tables': {'t': {'times': ['0 s', '2 s', '1 s'], 'values': [1, 2, 3]}}",
            "source.tables.t.times: entry 2, 1 s, does not come after entry 1, 2 s: times must ascend");
    BAD_JOB("'tables': {'t': {'times': ['0 s', '2 s'], 'values': [1, 2, 3]}}",
            "source.tables.t.values: 3 values for 2 times: expected as many");
    BAD_JOB("'tables': {'t': {'times': ['0 s', '2 s'], 'values': [1, '2']}}",
            "source.tables.t.values: entry 1 is not a finite number");
    BAD_JOB("'tables': {'t': {'values': [1]}}",
            "source.tables.t.times: missing: times and values, two lists, or a file");
    BAD_JOB("'tables': {'t': {'times': ['0 s'], 'values': [1]}}, 'protocols': {'t': {'on': '1 s'}}",
            "source.tables: t: source.protocols and source.tables both have this name");
    BAD_JOB(
        "'tables': {'t': {'times': ['0 s', '9 s'], 'values': [1, 1]}}, 'maps': {'q': {'file': 'q.nc', "
        "'amplitude': 't'}}",
        "source.tables.t: ends at 9 s, the run at 10 s: define what follows by after_end, 'zero' or 'last'");
    BAD_JOB("'tables': {'t': {'times': ['1 s', '90 s'], 'values': [1, 1]}}, 'maps': {'q': {'file': 'q.nc', "
            "'amplitude': 't'}}",
            "source.tables.t: begins at 1 s, the run at 0 s: define what comes before by before_start, "
            "'zero' or 'first'");
    folder_write_text("t.txt", "0 1\n2 x\n");
    refused("{'tables': {'t': {'file': 't.txt', 'time_unit': 's'}}}", STATUS_DATA,
            "t.txt: line 2, column 2: 'x' is not a number (lines of a heading are passed over with "
            "'skip_lines')");
    BAD_JOB("'tables': {'t': {'times': ['0 s', '9 s'], 'values': [1, 1], 'skip_lines': 1}}",
            "source.tables.t.skip_lines: is about a file, and none is given");
}

#define NO_END    "would act for 0 s: after_end is 'zero', and it has no end; "
#define WITH_END  "give its end as one time more, or a record of 0 at its end"
#define TABLE(of) "'maps': {'q': {'file': 'q.nc', 'amplitude': 't'}}, 'tables': {'t': {" of "}}"
#define ROWS(of)                                                                                             \
    "'points': {'at': [{'x': 0, 'y': 0, 'z': 0}, {'x': 1, 'y': 0, 'z': 0}], 'units': 'W m-3', 'after_end': " \
    "'zero', " of "}"

static void prepares(const char *source)
{
    struct heating_trial trial = {0};
    assert_int_equal(heating_trial_create(&trial, &heating_grid, ELEMENT_F64, source), STATUS_OK);
    assert_int_equal(heating_trial_prepare(&trial, 0.1, 100), STATUS_OK);
    heating_trial_end(&trial);
}

// The last of as many values as times acts for no time where nothing follows it. It must not be left out
// without a line; a value of 0 loses nothing, and neither does one that the run never reaches.
TEST(a_last_value_without_an_end)
{
    heating_make_field("q.nc", NC_NETCDF4, NC_FLOAT, "W m-3", NULL, 0, zeros);
    BAD_JOB(TABLE("'times': ['0 s', '4 s'], 'values': [1, 2.5], 'between': 'stepwise', 'after_end': 'zero'"),
            "source.tables.t.values: the last value, entry 1, 2.5 at 4 s, " NO_END WITH_END);
    BAD_JOB(TABLE("'times': ['0 s'], 'values': [3], 'after_end': 'zero'"),
            "source.tables.t.values: the last value, entry 0, 3 at 0 s, " NO_END
            "a single value is no line: give between 'stepwise', and its end as one time more, or a value of "
            "0 at its end");
    folder_write_text("t.txt", "0 1\n4 -2\n");
    BAD_JOB(TABLE("'file': 't.txt', 'time_unit': 's', 'between': 'stepwise', 'after_end': 'zero'"),
            "t.txt: the last value, entry 1, -2 at 4 s, " NO_END WITH_END);
    BAD_JOB(ROWS("'times': ['0 s', '4 s'], 'values': [[1, 1], [0, -7]]"),
            "source.points.values: the last row, 1 at 4 s, of -7 W m-3 in point 1, " NO_END WITH_END);
    BAD_JOB(ROWS("'times': ['0 s'], 'values': [[5, 1]]"),
            "source.points.values: the last row, 0 at 0 s, of 5 W m-3 in point 0, " NO_END WITH_END);
    double values[2 * HEATING_CELLS] = {[HEATING_CELLS + 3] = 8};
    heating_make_field("s.nc", NC_NETCDF4, NC_FLOAT, "W m-3", (const double[]){0, 4}, 2, values);
    BAD_JOB("'stream': {'file': 's.nc', 'between': 'stepwise', 'after_end': 'zero', 'amplitude': -2}",
            "s.nc: the last record, 1 at 4 s, of up to -16 W m-3, would act for 0 s: "
            "source.stream.after_end is 'zero', and it has no end; " WITH_END);

    prepares("{" TABLE("'times': ['0 s', '4 s'], 'values': [1, 0], 'between': 'stepwise', 'after_end': "
                       "'zero'") "}");
    prepares("{" TABLE("'times': ['0 s', '4 s'], 'values': [1, 2], 'after_end': 'zero'") "}");
    prepares("{" TABLE("'times': ['0 s', '10 s'], 'values': [1, 2], 'between': 'stepwise', 'after_end': "
                       "'zero'") "}");
    prepares("{" TABLE("'times': ['4 s'], 'values': [2], 'before_start': 'first', 'after_end': 'zero'") "}");
    prepares("{" ROWS("'times': ['0 s', '4 s', '5 s'], 'values': [[1, 1], [0, -7]]") "}");
    values[HEATING_CELLS + 3] = 0;
    values[3] = 8;
    heating_make_field("s.nc", NC_NETCDF4, NC_FLOAT, "W m-3", (const double[]){0, 4}, 2, values);
    prepares("{'stream': {'file': 's.nc', 'between': 'stepwise', 'after_end': 'zero'}}");
}

TEST(maps)
{
    double values[HEATING_CELLS] = {0};
    BAD_JOB("'maps': {'q': {'variable': 'Q'}}", "source.maps.q.file: missing: the file with the heating");
    heating_make_field("q.nc", NC_NETCDF4, NC_FLOAT, "J m-3", NULL, 0, values);
    BAD_DATA("'maps': {'q': {'file': 'q.nc'}}", "q.nc: variable Q: units 'J m-3' are those of an energy; a "
                                                "power density is expected here, such as W m-3");
    heating_make_field("q.nc", NC_NETCDF4, NC_FLOAT, "W m-2", NULL, 0, values);
    BAD_DATA("'maps': {'q': {'file': 'q.nc'}}",
             "q.nc: variable Q: units 'W m-2' are not those of heating: expected W m-3, or convertible");
    heating_make_field("q.nc", NC_NETCDF4, NC_FLOAT, NULL, NULL, 0, values);
    BAD_DATA("'maps': {'q': {'file': 'q.nc'}}", "q.nc: variable Q has no units: give them by the key units");
    BAD_DATA("'maps': {'q': {'file': 'q.nc', 'variable': 'P'}}",
             "q.nc: no variable 'P'; volumes in the file: Q");
    values[37] = (double)NAN;
    heating_make_field("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", NULL, 0, values);
    BAD_DATA("'maps': {'q': {'file': 'q.nc'}}", "cell z 1, y 3, x 2: nan; expected a finite number");
    const int file = make_file(folder_path("other.nc"), NC_NETCDF4);
    const int shape[] = {make_dimension(file, "z", HEATING_NZ), make_dimension(file, "y", HEATING_NY + 1),
                         make_dimension(file, "x", HEATING_NX)};
    make_field(file, "Q", "W m-3", 3, shape, zeros);
    NC(nc_close(file));
    BAD_DATA("'maps': {'q': {'file': 'other.nc'}}",
             "other.nc: variable Q has 3 x 5 x 5 cells (z, y, x), the domain 3 x 4 x 5");
    const double fine_mm[] = {20, 21, 22, 23};
    const int fine = make_file(folder_path("fine.nc"), NC_NETCDF4);
    const int fine_shape[] = {make_dimension(fine, "z", HEATING_NZ),
                              make_axis(fine, "y", "mm", HEATING_NY, fine_mm),
                              make_dimension(fine, "x", HEATING_NX)};
    make_field(fine, "Q", "W m-3", 3, fine_shape, zeros);
    NC(nc_close(fine));
    BAD_DATA("'maps': {'q': {'file': 'fine.nc', 'variable': 'Q'}}",
             "fine.nc: variable Q has a spacing of 1 mm along y, the domain 2 mm");
    heating_make_field("stream.nc", NC_NETCDF4, NC_FLOAT, "W m-3", (const double[]){0, 1}, 2, zeros);
    BAD_DATA("'maps': {'q': {'file': 'stream.nc', 'variable': 'Q'}}",
             "stream.nc: variable Q (time 2, z 3, y 4, x 5) has records in time: expected z, y, x alone");
    folder_write_text("text.nc", "no netCDF file at all, but some text that is long enough");
    BAD_DATA("'maps': {'q': {'file': 'text.nc'}}", "not a netCDF file");
}

#define POINTS(at, values, more) "'points': {'at': " at ", 'values': " values ", " more "}"
#define ORIGIN                   "[{'x': 0, 'y': 0, 'z': 0}]"
#define STEPS                    "'units': 'W m-3', 'rows': 'steps', 'after_end': 'last'"

#define PRESSURE(expected)                                                                                   \
    "are those of a pressure, which is not heat, though 1 Pa has the dimension of 1 J m-3: "                 \
    "expected " expected                                                                                     \
    "; give a field of pressure as source.pressure, which computes its heat, Q = alpha p^2/(rho c)"
#define NAMELESS                                                                                             \
    "name neither an energy nor a power, and a pressure has the same dimension: write them with J or W, "    \
    "such "                                                                                                  \
    "as " POWER_OR_ENERGY
#define POWER_OR_ENERGY "W m-3 (power) or J m-3 (energy added)"

// The dimension of a pressure is that of an energy density, and that of its rate is a power density's.
TEST(a_pressure_is_no_heat)
{
    static const char *const pressures[] = {"Pa",   "kPa",     "MPa",   "hPa",          "bar",     "mbar",
                                            "atm",  "mmHg",    "psi",   "torr",         "pascals", "1e6 Pa",
                                            "Pa/s", "kPa s-1", "bar/h", "J m-3 Pa Pa-1"};
    static const char *const nameless[] = {"N m-2",     "N/m2",       "N mm-2",
                                           "dyne cm-2", "kg m-1 s-2", "kg m-1 s-3"};
    for (size_t k = 0; k < sizeof pressures / sizeof *pressures + sizeof nameless / sizeof *nameless; k++) {
        const bool is_named = k < sizeof pressures / sizeof *pressures;
        const char *unit = is_named ? pressures[k] : nameless[k - sizeof pressures / sizeof *pressures];
        char job[512], message[384];
        snprintf(job, sizeof job,
                 "{'boxes': {'at': [{'first': {'x': 0, 'y': 0, 'z': 0}, 'last': {'x': 1, 'y': 1, 'z': 1}}], "
                 "'values': [[2e6]], 'units': '%s', 'rows': 'steps'}}",
                 unit);
        snprintf(message, sizeof message, "source.boxes.units: units '%s' %s", unit,
                 is_named ? PRESSURE(POWER_OR_ENERGY) : NAMELESS);
        refused(job, STATUS_CONFIGURATION, message);
    }
    BAD_JOB(POINTS(ORIGIN, "[[1]]", "'units': 'kPa', 'rows': 'steps'"),
            "source.points.units: units 'kPa' " PRESSURE(POWER_OR_ENERGY));
    heating_make_field("p.nc", NC_NETCDF4, NC_FLOAT, "Pa", NULL, 0, zeros);
    BAD_DATA("'maps': {'q': {'file': 'p.nc'}}", "p.nc: variable Q: units 'Pa' " PRESSURE("W m-3"));
    heating_make_field("q.nc", NC_NETCDF4, NC_FLOAT, "W m-3", NULL, 0, zeros);
    BAD_JOB("'maps': {'q': {'file': 'q.nc', 'units': 'MPa s-1'}}",
            "q.nc: variable Q: units 'MPa s-1' " PRESSURE("W m-3"));
    static const double times[] = {0, 100};
    heating_make_field("s.nc", NC_NETCDF4, NC_FLOAT, "Pa", times, 2, zeros);
    BAD_DATA("'stream': {'file': 's.nc', 'variable': 'Q'}",
             "s.nc: variable Q: units 'Pa' " PRESSURE(POWER_OR_ENERGY));
}

TEST(points)
{
    BAD_JOB(POINTS("[{'x': 0, 'y': 0, 'z': 0}, {'x': 5, 'y': 0, 'z': 0}]", "[[1, 2]]", STEPS),
            "source.points: point 1: x is 5, expected a cell of the grid, a whole number from 0 to 4");
    BAD_JOB("'first_index': 1, " POINTS(ORIGIN, "[[1]]", STEPS),
            "source.points: point 0: z is 0, expected a cell of the grid, a whole number from 1 to 3");
    BAD_JOB(POINTS("[{'x': 1.5, 'y': 0, 'z': 0}]", "[[1]]", STEPS),
            "source.points: point 0: x is 1.5, expected a cell of the grid, a whole number from 0 to 4");
    BAD_JOB(POINTS("[{'x': '30 mm', 'y': '28 mm', 'z': '10 mm'}]", "[[1]]", STEPS),
            "source.points: point 0: y (m) is 0.028, expected a place within the grid, 0.019 to 0.027 m");
    BAD_JOB(POINTS("[{'x': 1, 'y': '28 mm', 'z': 0}]", "[[1]]", STEPS),
            "source.points: point 0: a cell's number beside a position: one of the two kinds is expected");
    BAD_JOB(POINTS("[{'x': 1, 'y': '22 mm', 'z': 0}]", "[[1]]", STEPS),
            "source.points: point 0: a cell's number beside a position: one of the two kinds is expected");
    BAD_JOB(
        POINTS("[{'x': 1, 'z': 0}]", "[[1]]", STEPS),
        "source.points: point 0: y: missing; a cell's number, or a position such as '12 mm', is expected");
    BAD_JOB(POINTS("[{'x': 1, 'y': 0, 'z': 0, 't': 1}]", "[[1]]", STEPS),
            "source.points: point 0: unknown key t (known are x, y, z)");
    BAD_JOB(POINTS("[]", "[[1]]", STEPS), "source.points.at: a list with at least one point is expected");
    BAD_JOB(POINTS(ORIGIN, "[[1], [1, 2]]", STEPS),
            "source.points.values: row 1 has 2 values, expected one for each point, 1");
    BAD_JOB(POINTS(ORIGIN, "[[1], ['a']]", STEPS),
            "source.points.values: row 1, point 0 is not a finite number");
    BAD_JOB(POINTS(ORIGIN, "[[1]]", "'rows': 'steps'"),
            "source.points.units: missing: W m-3 (power) or J m-3 (energy added per row)");
    BAD_JOB(POINTS(ORIGIN, "[[1]]", "'units': 'K', 'rows': 'steps'"),
            "source.points.units: units 'K' are not those of heating: expected W m-3 (power) or J m-3 "
            "(energy added), or convertible");
    BAD_JOB(POINTS(ORIGIN, "[[1]]", "'units': 'W m-3'"),
            "source.points.times: missing: a list of times, ['0 s', '30 s'], or rows: 'steps'");
    BAD_JOB(POINTS(ORIGIN, "[[1]]", "'units': 'W m-3', 'rows': 'steps'"),
            "source.points: 1 rows, one a step, end at 0.1 s, the run at 10 s (100 steps of 0.1 s): define "
            "what follows by after_end, 'zero' or 'last'");
    BAD_JOB(POINTS(ORIGIN, "[[1], [2]]", "'units': 'W m-3', 'times': ['1 s', '1 s']"),
            "source.points.times: entry 1, 1 s, does not come after entry 0, 1 s: times must ascend");
    BAD_JOB(
        POINTS(ORIGIN, "[[1], [2]]", "'units': 'W m-3', 'times': ['0 s', '5 s']"),
        "source.points: ends at 5 s, the run at 10 s: define what follows by after_end, 'zero' or 'last'");
    BAD_JOB(POINTS(ORIGIN, "[[1], [2]]", "'units': 'J m-3', 'times': ['0 s', '5 s'], 'after_end': 'zero'"),
            "source.points.times: 2 times for 2 rows of energies (J m-3): one time more is needed, the end "
            "of the last row");
    BAD_JOB(
        POINTS(ORIGIN, "[[1], [2]]", "'units': 'J m-3', 'times': ['0 s', '5 s'], 'after_end': 'last'"),
        "source.points.after_end: an energy (J m-3) is added once, it cannot be held: 'zero' is possible");
}

TEST(boxes)
{
#define BOX(first, last)                                                                                     \
    "'boxes': {'at': [{'first': {" first "}, 'last': {" last "}}], 'values': [[1]], " STEPS "}"
    BAD_JOB(BOX("'x': 3, 'y': 0, 'z': 0", "'x': 1, 'y': 2, 'z': 2"),
            "source.boxes: box 0: its first corner lies beyond its last along x: the corners are swapped");
    BAD_JOB(
        BOX("'x': 3, 'y': 0, 'z': 0", "'x': 4, 'y': 4, 'z': 2"),
        "source.boxes: box 0, corner last: y is 4, expected a cell of the grid, a whole number from 0 to 3");
    BAD_JOB(BOX("'x': '31 mm', 'y': '20 mm', 'z': '10 mm'", "'x': '32 mm', 'y': '21 mm', 'z': '11 mm'"),
            "source.boxes: box 0: no middle of a cell lies between its corners along x");
    BAD_JOB("'boxes': {'at': [{'first': {'x': 1, 'y': 1, 'z': 1}, 'lats': {}}], 'values': [[1]], " STEPS "}",
            "source.boxes.at: box 0: unknown key lats (known are first, last)");
    BAD_JOB("'boxes': {'at': [{'first': {'x': 1, 'y': 1, 'z': 1}}], 'values': [[1]], " STEPS "}",
            "source.boxes: box 0, corner last: an object {'x', 'y', 'z'} is expected");
}

TEST(lists_of_files)
{
    const double cells[] = {0, 0, 0, 1, 9, 1}, addresses[] = {3, 60}, times[] = {0, 2, 1},
                 matrix[] = {1, 2, (double)NAN, 4};
    const double corners[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 1, 1, 1};
    const int file = make_file(folder_path("lists.nc"), NC_NETCDF4);
    const int point = make_dimension(file, "point", 2), three = make_dimension(file, "three", 3);
    const int two = make_dimension(file, "two", 2), row = make_dimension(file, "row", 2);
    const double good[] = {0, 0, 0, 1, 1, 1};
    make_field(file, "cells", NULL, 2, (const int[]){point, three}, cells);
    make_field(file, "good", NULL, 2, (const int[]){point, three}, good);
    make_field(file, "places", "K", 2, (const int[]){point, three}, good);
    make_field(file, "addresses", NULL, 1, &point, addresses);
    make_field(file, "corners", NULL, 3, (const int[]){point, two, three}, corners);
    make_field(file, "times", "s", 1, &three, times);
    make_field(file, "heat", "W m-3", 2, (const int[]){row, point}, matrix);
    make_field(file, "wide", "W m-3", 2, (const int[]){two, three}, good);
    make_field(file, "huge", "W m-3", 2, (const int[]){row, point}, (const double[]){1, 2, 3, -1e39});
    NC(nc_close(file));
#define LIST(kind, at, values, more)                                                                         \
    "'" kind "': {'file': 'lists.nc', 'at': '" at "', 'values': '" values "'" more "}"
#define BY_STEP ", 'rows': 'steps', 'after_end': 'last'"
    BAD_DATA(
        LIST("points", "cells", "heat", BY_STEP),
        "lists.nc: variable cells: point 1: y is 9, expected a cell of the grid, a whole number from 0 to 3");
    BAD_DATA(LIST("points", "addresses", "heat", BY_STEP),
             "lists.nc: variable addresses: point 1: its address is 60, expected an address of the grid, a "
             "whole number from 0 to 59");
    BAD_DATA(LIST("boxes", "corners", "heat", BY_STEP),
             "lists.nc: variable corners: box 1: its first corner lies beyond its last along z: the corners "
             "are swapped");
    BAD_DATA(LIST("boxes", "cells", "heat", BY_STEP),
             "lists.nc: variable cells: expected corners [box][2][3] in the order z, y, x");
    BAD_DATA(LIST("points", "places", "heat", BY_STEP),
             "lists.nc: variable places: K is a temperature, but a length in m, km or mm is expected");
    BAD_DATA(LIST("points", "good", "heat", BY_STEP),
             "lists.nc: variable heat, row 1, point 0: missing or no finite number");
    BAD_DATA(LIST("points", "good", "huge", BY_STEP),
             "lists.nc: variable huge, row 1, point 1: -1e+39; expected at most 1e+30 in size");
    BAD_DATA(LIST("points", "good", "wide", BY_STEP),
             "lists.nc: variable wide is 2 x 3, expected [time][point] with 2 points");
    BAD_DATA(LIST("points", "good", "heat", ", 'times': 'times'"),
             "source.points.times: entry 2, 1 s, does not come after entry 1, 2 s: times must ascend");
    BAD_JOB(LIST("points", "good", "heat", ""),
            "lists.nc has no variable with the times of the rows; or give rows: 'steps'");
    BAD_JOB(LIST("points", "nowhere", "heat", BY_STEP), "lists.nc has no variable nowhere");
    BAD_JOB("'points': {'at': 'cells', 'values': 'heat'}",
            "source.points.at: a list with at least one point is expected (a variable's name needs file)");
    refused("{'points': {'file': 'absent.nc', 'at': 'a', 'values': 'b'}}", STATUS_NO_INPUT, "");
}

TEST(streams)
{
    const double times[] = {0, 4, 3, 5}, short_times[] = {0, 3, 6, 9}, late_times[] = {1, 3, 6, 11};
#define STREAM(more) "'stream': {'file': 's.nc'" more "}"
    heating_make_field("s.nc", NC_NETCDF4, NC_FLOAT, "W m-3", times, 4, zeros);
    BAD_DATA(STREAM(""),
             "s.nc: times of Q: record 2, 3 s, does not come after record 1, 4 s: times must ascend");
    heating_make_field("s.nc", NC_NETCDF4, NC_FLOAT, "W m-3", short_times, 4, zeros);
    BAD_JOB(STREAM(""),
            "s.nc: ends at 9 s, the run at 10 s: define what follows by after_end, 'zero' or 'last'");
    heating_make_field("s.nc", NC_NETCDF4, NC_FLOAT, "W m-3", late_times, 4, zeros);
    BAD_JOB(
        STREAM(""),
        "s.nc: begins at 1 s, the run at 0 s: define what comes before by before_start, 'zero' or 'first'");
    heating_make_field("s.nc", NC_NETCDF4, NC_FLOAT, "W m-3", NULL, 4, zeros);
    BAD_JOB(STREAM(""), "s.nc has no times of Q: name their variable, or give rows: 'steps'");
    BAD_JOB(STREAM(", 'rows': 'steps'"), "s.nc: 4 rows, one a step, end at 0.4 s, the run at 10 s (100 steps "
                                         "of 0.1 s): define what follows by after_end, 'zero' or 'last'");
    BAD_JOB(STREAM(", 'rows': 'steps', 'start': '1 s'"),
            "source.stream.rows: 'steps' excludes times and start: record n is step n's");
    BAD_JOB(STREAM(", 'rows': 'steps', 'between': 'linear'"),
            "source.stream.between: has no meaning where rows is 'steps': a record is one step's");
    heating_make_field("s.nc", NC_NETCDF4, NC_FLOAT, "degC", short_times, 4, zeros);
    BAD_DATA(STREAM(""), "s.nc: variable Q: units 'degC' are not those of heating: expected W m-3 (power) or "
                         "J m-3 (energy added), or convertible");
    heating_make_field("s.nc", NC_NETCDF4, NC_FLOAT, "J m-3", short_times, 4, zeros);
    BAD_JOB(
        STREAM(", 'after_end': 'zero'"),
        "source.stream.between: energies (J m-3) are added while their record lasts: 'stepwise' is expected");
    BAD_JOB(STREAM(", 'after_end': 'zero', 'between': 'stepwise'"),
            "source.stream.times: records of energies (J m-3) need one time more than records, the end of "
            "the last one");
    heating_make_field("map.nc", NC_NETCDF4, NC_FLOAT, "W m-3", NULL, 0, zeros);
    BAD_DATA("'stream': {'file': 'map.nc', 'variable': 'Q'}",
             "map.nc: variable Q (z 3, y 4, x 5) has no time axis: expected time, z, y, x");
    BAD_JOB("'stream': {'variable': 'Q'}", "source.stream.file: missing: the file with the heating");
}

// Of a double file that a run in single precision reads: netCDF-C says of such values only that some cannot
// be represented.
TEST(values_beyond_single_precision)
{
    static const int modes[] = {NC_NETCDF4, 0};
    static const struct {
        double value;
        const char *shown;
    } rows[] = {{1e39,
                 "missing, or out of the file's valid range: 1e+39; expected a finite number of at most "
                 "1e30 in size"},
                {-1e300, "-1e+300; expected a finite number of at most 1e30 in size"},
                {INFINITY, "inf; expected a finite number"},
                {-INFINITY, "-inf; expected a finite number"},
                {1e38, "e+37; expected a finite number of at most 1e30 in size"},
                {NAN, "nan; expected a finite number"}};
    double values[HEATING_CELLS] = {0};
    for (size_t m = 0; m < COUNT(modes); m++)
        for (size_t k = 0; k < COUNT(rows); k++) {
            struct heating_trial trial = {0};
            values[HEATING_CELLS - 2] = rows[k].value;
            heating_make_field("big.nc", modes[m], NC_DOUBLE, "W m-3", NULL, 0, values);
            static const char source[] = "{'maps': {'q': {'file': 'big.nc'}}}";
            heating_refused_in(ELEMENT_F32, source, 0.1, 100, STATUS_DATA, rows[k].shown);
            assert_int_equal(heating_trial_create(&trial, &heating_grid, ELEMENT_F32, source), STATUS_OK);
            assert_int_equal(heating_trial_prepare(&trial, 0.1, 100), STATUS_DATA);
            assert_has(status_message(), "big.nc: variable Q, cell z 2, y 3, x 3: ");
            heating_trial_end(&trial);
            status_clear();
        }
}
