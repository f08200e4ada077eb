// The heat that steps miss of tables and of rows of points and boxes, from the job and from files: against
// sums over every piece between two times, done here in another way; of pulses of any length, against their
// heat.
#include "tests/support/test.h"

#include "models/bioheat/source/private.h"
#include "tests/support/heating_power.h"
#include "tests/support/numbers.h"

enum { ROWS = 30, PLACES = 3 };

static double times_s[ROWS + 1], values[ROWS][PLACES];

TEST_SUITE(.setup = heating_begin, .teardown = heating_end);

// ---- rows

// The first two points lie in one cell.
static const char *const cells[PLACES] = {"{'x': 1, 'y': 2, 'z': 1}", "{'x': 1, 'y': 2, 'z': 1}",
                                          "{'x': 4, 'y': 0, 'z': 2}"};

static void make_rows(uint64_t *random)
{
    times_s[0] = next_uniform(random, 0, 0.3);
    for (int k = 0; k < ROWS; k++) {
        times_s[k + 1] = times_s[k] + next_uniform(random, 0.01, k % 5 == 0 ? 1 : 0.1);
        for (int p = 0; p < PLACES; p++)
            values[k][p] = next_uniform(random, -1e6, 4e6);
    }
}

static void write_file(bool has_end, const char *units)
{
    const int file = make_file(folder_path("rows.nc"), NC_NETCDF4),
              dimensions[] = {make_dimension(file, "row", ROWS), make_dimension(file, "point", PLACES),
                              make_dimension(file, "axis", 3)};
    static const double at[PLACES][3] = {{1, 2, 1}, {1, 2, 1}, {2, 0, 4}};
    make_axis(file, "t", "s", has_end ? ROWS + 1 : ROWS, times_s);
    make_values(file, make_variable(file, "at", NC_DOUBLE, NULL, 2, dimensions + 1), at[0]);
    make_values(file, make_variable(file, "Q", NC_DOUBLE, units, 2, dimensions), values[0]);
    NC(nc_close(file));
}

static const char *source_of_job(const char *what, bool has_end, const char *more)
{
    static char source[16384];
    size_t used = (size_t)snprintf(source, sizeof source, "{'%s': {'at': [", what);
    for (int p = 0; p < PLACES; p++)
        used += (size_t)snprintf(source + used, sizeof source - used,
                                 strcmp(what, "boxes") == 0 ? "%s{'first': %s, 'last': %s}" : "%s%s",
                                 p ? ", " : "", cells[p], cells[p]);
    used += (size_t)snprintf(source + used, sizeof source - used, "], 'times': [");
    for (int k = 0; k < ROWS + has_end; k++)
        used +=
            (size_t)snprintf(source + used, sizeof source - used, "%s'%.17g s'", k ? ", " : "", times_s[k]);
    used += (size_t)snprintf(source + used, sizeof source - used, "], 'values': [");
    for (int k = 0; k < ROWS; k++)
        used += (size_t)snprintf(source + used, sizeof source - used, "%s[%.17g, %.17g, %.17g]",
                                 k ? ", " : "", values[k][0], values[k][1], values[k][2]);
    snprintf(source + used, sizeof source - used, "], %s}}", more);
    return source;
}

struct shape {
    bool is_linear, has_end, is_energy, is_held;
};

// Power of a place at t, inside a record.
static double power_at(const struct shape *shape, double t, int place)
{
    const int last = shape->has_end ? ROWS : ROWS - 1;
    if (t < times_s[0])
        return 0;
    if (t >= times_s[last])
        return shape->is_held ? values[ROWS - 1][place] : 0;
    int k = 0;
    while (t >= times_s[k + 1])
        k++;
    const double length_s = times_s[k + 1] - times_s[k], part = (t - times_s[k]) / length_s;
    if (shape->is_linear)
        return (1 - part) * values[k][place] + part * values[k + 1][place];
    return values[k][place] / (shape->is_energy ? length_s : 1);
}

enum { PARTS = 400 };

// Heat of a place from the start of a step to each of PARTS places in it, by many small parts.
static void heat_in_step(const struct shape *shape, double from_s, double step_s, int place, double *heat)
{
    enum { FINE = 25 };
    const double part_s = step_s / (PARTS * FINE);
    double sum = 0;
    for (int i = 0; i < PARTS; i++) {
        for (int k = 0; k < FINE; k++)
            sum += power_at(shape, from_s + (i * FINE + k + 0.5) * part_s, place) * part_s;
        heat[i] = sum;
    }
}

// Of the cell that misses most; boxes may overlap.
static double missed_of(const struct shape *shape, double step_s, int64_t steps, bool are_boxes)
{
    static double heat[PLACES][PARTS];
    double most = 0;
    for (int64_t n = 0; n < steps; n++) {
        for (int p = 0; p < PLACES; p++)
            heat_in_step(shape, (double)n * step_s, step_s, p, heat[p]);
        for (int i = 0; i < PARTS; i++) {
            double own[PLACES];
            for (int p = 0; p < PLACES; p++)
                own[p] = heat[p][i] - heat[p][PARTS - 1] * (i + 1) / PARTS;
            most = fmax(most, are_boxes ? fabs(own[0]) + fabs(own[1]) + fabs(own[2])
                                        : fmax(fabs(own[0] + own[1]), fabs(own[2])));
        }
    }
    return most;
}

// In the job and in a file alike; the sums are at fault by the parts of a step.
TEST(missed_heat_of_rows_is_known_before_the_run)
{
    static const struct {
        struct shape shape;
        const char *units, *more;
    } rows[] = {
        {{.is_held = true}, "W m-3", "'before_start': 'zero', 'after_end': 'last'"},
        {{.is_linear = true}, "W m-3", "'between': 'linear', 'before_start': 'zero', 'after_end': 'zero'"},
        {{.has_end = true, .is_energy = true}, "J m-3", "'before_start': 'zero', 'after_end': 'zero'"}};
    static const double steps_s[] = {0.03, 0.11, 0.8, 7};
    uint64_t random = 7;
    for (size_t k = 0; k < COUNT(rows) * COUNT(steps_s); k++) {
        const size_t r = k / COUNT(steps_s);
        const struct shape *shape = &rows[r].shape;
        const double step_s = steps_s[k % COUNT(steps_s)];
        make_rows(&random);
        const int64_t steps = (int64_t)ceil((times_s[ROWS] + 0.5) / step_s);
        const char *more = format_text("%s, 'units': '%s'", rows[r].more, rows[r].units);
        write_file(shape->has_end, rows[r].units);
        const double points =
                         power_of(source_of_job("points", shape->has_end, more), step_s, steps).missed_j_m3,
                     boxes =
                         power_of(source_of_job("boxes", shape->has_end, more), step_s, steps).missed_j_m3,
                     exact = missed_of(shape, step_s, steps, false),
                     sum = missed_of(shape, step_s, steps, true);
        const struct bioheat_power of_file = power_of(
            format_text("{'points': {'file': 'rows.nc', 'at': 'at', 'values': 'Q', 'times': 't', %s}}",
                        rows[r].more),
            step_s, steps);
        print_message("%s, steps of %g s: points %.5f of the sum, boxes %.5f\n", rows[r].units, step_s,
                      points / exact, boxes / sum);
        assert_near("points", points / exact, 1, 0.01);
        assert_true(boxes >= sum * 0.99 && boxes <= sum * 1.3); // peaks of boxes at different times add up
        assert_true(of_file.missed_j_m3 == points && of_file.largest_w_m3 > 0);
    }
}

// The one row that is far from the others is found among thousands of steps that change.
TEST(a_burst_among_many_small_changes_is_found)
{
    enum { MANY = 4000, BURST = 3001 };
    static double many_s[MANY], power[MANY];
    for (int k = 0; k < MANY; k++) {
        many_s[k] = 0.1 * k + 0.03;
        power[k] = k == BURST ? 5e6 : 1e3 * (k % 2);
    }
    const int file = make_file(folder_path("rows.nc"), NC_NETCDF4),
              dimensions[] = {make_dimension(file, "row", MANY), make_dimension(file, "point", 1),
                              make_dimension(file, "axis", 3)};
    static const double at[3] = {1, 1, 1};
    make_axis(file, "t", "s", MANY, many_s);
    make_values(file, make_variable(file, "at", NC_DOUBLE, NULL, 2, dimensions + 1), at);
    make_values(file, make_variable(file, "Q", NC_DOUBLE, "W m-3", 2, dimensions), power);
    NC(nc_close(file));
    const double missed = power_of("{'points': {'file': 'rows.nc', 'at': 'at', 'values': 'Q', 'times': 't', "
                                   "'before_start': 'zero', 'after_end': 'zero'}}",
                                   0.1, MANY)
                              .missed_j_m3;
    assert_near("missed", missed, 5e6 * 0.1 * 0.3 * 0.7, 1e3 * 0.1);
}

// ---- pulses

// A pulse much shorter than a step that heats as much misses nearly all of its heat: it is all there before
// the step's mean power has given any, or after; at the place f, f or 1 − f, whichever is larger.
TEST(short_pulses_miss_their_heat)
{
    double field[HEATING_CELLS] = {[7] = 1e12};
    heating_make_field("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", NULL, 0, field);
    for (double on_s = 1e-18; on_s < 1e-3; on_s *= 7)
        for (int place = 0; place < 10; place++) {
            const char *source = format_text(
                "{'maps': {'q': {'file': 'q.nc', 'amplitude': 'p'}}, 'protocols': {'p': {'start': '%.17g s', "
                "'on': '%.17g s', 'amplitude': %.17g}}}",
                5 + 0.01 * place, on_s, 1e-6 / on_s);
            const double at = 0.1 * place, missed = power_of(source, 0.1, 100).missed_j_m3;
            assert_near(source, missed / 1e6, fmax(at, 1 - at), 0.02);
        }
}
