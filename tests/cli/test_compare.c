// fathom compare: what belongs together and what is refused, the command line, and check.reference_file,
// which uses the same comparison. Files are written here with netCDF-C.
#include "tests/support/cli_fixture.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/test.h"

enum { MOST = 64 };

// A map eta(y, x) = 100·key(y) + key(x), where the key of a node is its coordinate (longitudes: taken round
// to 0 … 360), so that values belong to places, whatever the order.
struct map {
    const char *x_name, *y_name, *x_units, *y_units, *units;
    size_t nx, ny;
    double x[MOST], y[MOST];
    bool is_longitude;
    double scale; // of the values; 0 = 1
};

static const struct map sea = {.x_name = "lon",
                               .y_name = "lat",
                               .x_units = "degrees_east",
                               .y_units = "degrees_north",
                               .units = "m",
                               .nx = 4,
                               .ny = 3,
                               .x = {170, 175, 180, 185},
                               .y = {-5, 0, 5},
                               .is_longitude = true};

static void write_map(const char *name, const struct map *map)
{
    double values[MOST * MOST];
    const double scale = map->scale != 0 ? map->scale : 1;
    const int file = make_file(cli_path(name), NC_NETCDF4);
    const int dimensions[2] = {map->y_units ? make_axis(file, map->y_name, map->y_units, map->ny, map->y)
                                            : make_dimension(file, map->y_name, map->ny),
                               map->x_units ? make_axis(file, map->x_name, map->x_units, map->nx, map->x)
                                            : make_dimension(file, map->x_name, map->nx)};
    for (size_t j = 0; j < map->ny; j++)
        for (size_t i = 0; i < map->nx; i++) {
            const double x = map->is_longitude ? map->x[i] - 360 * floor(map->x[i] / 360) : map->x[i];
            values[j * map->nx + i] = scale * (100 * map->y[j] + x);
        }
    make_field(file, "eta", map->units, 2, dimensions, values);
    NC(nc_close(file));
}

static void assert_refused(const char *a, const char *b, const char *fragment, const char *second)
{
    cli_assert_error(cli_run("compare %s %s", a, b), 65, false, fragment, second);
}

// ---- the same nodes in another order

TEST(longitudes_and_latitudes)
{
    struct map other = sea;
    write_map("a.nc", &sea);
    // From −180 on, from north to south, under other names.
    static const double x[] = {-180, -175, 170, 175}, y[] = {5, 0, -5};
    memcpy(other.x, x, sizeof x);
    memcpy(other.y, y, sizeof y);
    other.x_name = "x";
    other.y_name = "y";
    write_map("b.nc", &other);
    cli_do("compare a.nc b.nc");
    cli_do("compare b.nc a.nc");
    // Coordinates as single precision would round them.
    other.x[2] = (double)170.00001f;
    write_map("b.nc", &other);
    cli_do("compare a.nc b.nc --absolute 0.001");
    // In kilometres and metres, packed as they come.
    struct map plane = {.x_name = "x",
                        .y_name = "y",
                        .x_units = "km",
                        .y_units = "m",
                        .units = "m",
                        .nx = 3,
                        .ny = 2,
                        .x = {1, 2, 3},
                        .y = {0, 1}};
    write_map("a.nc", &plane);
    const int file = make_file(cli_path("b.nc"), NC_NETCDF4);
    const int axes[2] = {make_axis(file, "y", "cm", 2, (double[]){100, 0}),
                         make_axis(file, "x", "m", 3, (double[]){3000, 1000, 2000})};
    make_field(file, "eta", "mm", 2, axes, (double[]){103000, 101000, 102000, 3000, 1000, 2000});
    NC(nc_close(file));
    cli_do("compare a.nc b.nc");
}

// Round the Earth, with the first meridian twice, and once.
TEST(whole_circles)
{
    struct map twice = sea, once = sea;
    twice.nx = 13;
    once.nx = 12;
    for (size_t k = 0; k < 13; k++) {
        twice.x[k] = 30 * (double)k;
        once.x[k] = 30 * (double)k - 180;
    }
    write_map("a.nc", &twice);
    write_map("b.nc", &once);
    cli_do("compare a.nc b.nc");
    cli_do("compare b.nc a.nc");
    // The first meridian, a rounding error west of it.
    once.x[6] = -1e-9;
    write_map("b.nc", &once);
    cli_do("compare a.nc b.nc --absolute 1000");
    cli_do("compare b.nc a.nc --absolute 1000");
    once.x[11] += 1;
    write_map("b.nc", &once);
    assert_refused("a.nc", "b.nc", "lon[5] is 150 degrees_east, which", "its nearest is lon[11], 151");
}

// Coordinates in single precision, whose rounding is a quarter of the spacing here.
TEST(rounded_coordinates)
{
    for (int k = 0; k < 2; k++) {
        const int file = make_file(cli_path(k ? "b.nc" : "a.nc"), NC_NETCDF4);
        const int x = make_dimension(file, "x", 4);
        make_field(file, "eta", "m", 1, &x, (double[]){1, 2, 3, 4});
        make_values(file, make_variable(file, "x", k ? NC_FLOAT : NC_DOUBLE, "m", 1, &x),
                    (double[]){4500000.2, 4500001.2, 4500002.2, 4500003.2});
        NC(nc_close(file));
    }
    cli_do("compare a.nc b.nc");
    // In double precision that much is a difference.
    const int file = make_file(cli_path("b.nc"), NC_NETCDF4);
    const int x = make_axis(file, "x", "m", 4, (double[]){4500000, 4500001, 4500002, 4500003});
    make_field(file, "eta", "m", 1, &x, (double[]){1, 2, 3, 4});
    NC(nc_close(file));
    assert_refused("a.nc", "b.nc", "x[0] is 4500000.2 m", "4500000 (4 and 4 entries)");
}

// Two axes of the same role, of which one states it in one file only: by name.
TEST(two_of_a_kind)
{
    for (int k = 0; k < 2; k++) {
        const int file = make_file(cli_path(k ? "b.nc" : "a.nc"), NC_NETCDF4);
        const int axes[2] = {make_axis(file, "here", "m", 2, (double[]){0, 1}),
                             make_axis(file, "there", "m", 3, (double[]){5, 6, 7})};
        if (k == 0)
            make_text(file, 0, "axis", "X");
        make_text(file, 1, "axis", "X");
        make_field(file, "covariance", "m2", 2, axes, (double[]){1, 2, 3, 4, 5, 6});
        NC(nc_close(file));
    }
    cli_do("compare a.nc b.nc");
    cli_do("compare b.nc a.nc");
}

TEST(transposed_without_coordinates)
{
    for (int k = 0; k < 2; k++) {
        const int file = make_file(cli_path(k ? "b.nc" : "a.nc"), NC_CLASSIC_MODEL);
        const int x = make_dimension(file, "x", 2), y = make_dimension(file, "y", 2);
        make_field(file, "eta", "m", 2, k ? (int[]){x, y} : (int[]){y, x},
                   k ? (double[]){1, 3, 2, 4} : (double[]){1, 2, 3, 4});
        NC(nc_close(file));
    }
    cli_do("compare a.nc b.nc");
}

// ---- refusals

TEST(other_grids)
{
    struct map other = sea;
    write_map("a.nc", &sea);
    other.y[1] = 0.5;
    write_map("b.nc", &other);
    assert_refused("a.nc", "b.nc", "a.nc: lat[1] is 0 degrees_north, which",
                   "b.nc does not have: its nearest is lat[1], 0.5 (3 and 3 entries); --overlap");
    cJSON *report = cli_output_json(cli_run("compare a.nc b.nc --json"));
    const cJSON *entry = cli_item(report, "variables.0");
    assert_string_equal(cli_text(entry, "verdict"), "not comparable");
    assert_has(cli_text(entry, "reason"), "lat[1] is 0");
    // Within a thousandth of the spacing, or what the user calls near.
    other.y[1] = 0.004;
    write_map("b.nc", &other);
    cli_do("compare a.nc b.nc --absolute 1");
    other.y[1] = 0.1;
    write_map("b.nc", &other);
    assert_refused("a.nc", "b.nc", "lat[1] is 0 ", "0.1 (3 and 3");
    cli_do("compare a.nc b.nc --absolute 10 --axis-tolerance 0.03");
    // One file has more.
    other = sea;
    other.nx = 6;
    other.x[4] = 190;
    other.x[5] = 195;
    write_map("b.nc", &other);
    assert_refused("a.nc", "b.nc", "b.nc: lon[4] is 190 degrees_east, which",
                   "lon[3], 185 (6 and 4 entries)");
    assert_refused("b.nc", "a.nc", "b.nc: lon[4] is 190", "a.nc does not have");
    assert_has(cli_do("compare a.nc b.nc --overlap")->output,
               "lon: 4 compared, of 4 in the run and 6 in the reference");
    other.x[0] = 171;
    write_map("b.nc", &other);
    assert_has(cli_run("compare b.nc a.nc --overlap")->output,
               "lon: 3 compared, of 6 in the run and 4 in the reference");
}

TEST(other_units)
{
    struct map other = sea;
    write_map("a.nc", &sea);
    other.units = "s";
    write_map("b.nc", &other);
    assert_refused("a.nc", "b.nc", "eta is in \"m\" in the first, eta in \"s\" in the second", "a time");
    other.units = "cm";
    other.scale = 100;
    write_map("b.nc", &other);
    cli_do("compare a.nc b.nc");
    other = sea;
    other.units = NULL;
    write_map("b.nc", &other);
    assert_has(cli_do("compare a.nc b.nc")->output, "units (m) are in one file only");
    other.units = "m";
    other.x_units = "m"; // a plane
    write_map("b.nc", &other);
    assert_refused("a.nc", "b.nc", "axis lon is in \"degrees_east\" in the first and \"m\"", "a length");
    // Unknown units are accepted if they are the same.
    other = sea;
    other.units = "parrots";
    write_map("a.nc", &other);
    write_map("b.nc", &other);
    cli_do("compare a.nc b.nc");
    other.units = "geese";
    write_map("b.nc", &other);
    assert_refused("a.nc", "b.nc", "eta is in \"parrots\" in the first, eta in \"geese\"", "eta");
}

TEST(bad_coordinates)
{
    struct map other = sea;
    write_map("a.nc", &sea);
    other.x[2] = NAN;
    write_map("b.nc", &other);
    assert_refused("a.nc", "b.nc", "b.nc: axis lon: entry 2 is missing", "lon");
    other = sea;
    other.y[2] = other.y[0];
    write_map("b.nc", &other);
    assert_refused("a.nc", "b.nc", "axis lat: entries 0 and 2 are both -5", "each once");
    // A date on one side only; dates in different calendars.
    static const char *const units[] = {"s", "days since 2000-01-01", "days since 2000-01-01"};
    for (int k = 0; k < 3; k++) {
        const int file = make_file(cli_path(k == 0 ? "a.nc" : k == 1 ? "b.nc" : "c.nc"), NC_NETCDF4);
        const int time = make_axis(file, "time", units[k], 2, (double[]){0, 1});
        make_text(file, 0, "calendar", k == 2 ? "360_day" : "standard");
        make_field(file, "eta", "m", 1, &time, (double[]){1, 2});
        NC(nc_close(file));
    }
    assert_refused("a.nc", "b.nc", "time is in \"s\" in the first and", "expected a date");
    assert_refused("b.nc", "c.nc", "calendar 360_day", "axis time");
}

TEST(other_shapes)
{
    struct map other = sea;
    write_map("a.nc", &sea);
    other.x_units = other.y_units = NULL;
    write_map("b.nc", &other);
    assert_refused("a.nc", "b.nc", "b.nc: dimension lat has no coordinates to match with lat", "--by-index");
    cli_do("compare a.nc b.nc --by-index");
    other.nx = 3;
    write_map("b.nc", &other);
    cli_assert_error(cli_run("compare a.nc b.nc --by-index"), 65, false,
                     "lon has 4 entries in the first and lon 3");
    // A line against a map.
    const int file = make_file(cli_path("b.nc"), NC_NETCDF4);
    const int x = make_axis(file, "lon", "degrees_east", 4, sea.x);
    make_field(file, "eta", "m", 1, &x, (double[]){0, 0, 0, 0});
    NC(nc_close(file));
    assert_refused("a.nc", "b.nc", "a.nc: eta varies along lat (3 entries), eta of", "b.nc does not");
    // A level of one entry does not matter.
    const int deep = make_file(cli_path("b.nc"), NC_NETCDF4);
    const int axes[3] = {make_axis(deep, "level", "m", 1, (double[]){10}),
                         make_axis(deep, "lat", "degrees_north", 1, (double[]){5}),
                         make_axis(deep, "lon", "degrees_east", 4, sea.x)};
    make_field(deep, "eta", "m", 3, axes, (double[]){670, 675, 680, 685});
    NC(nc_close(deep));
    assert_has(cli_do("compare b.nc a.nc --overlap")->output, "axis level, of one entry, is in the run only");
}

// ---- stations and curvilinear grids

// eta(station) = longitude; positions beside it, and names if there are any.
static void write_stations(const char *name, size_t count, const double *longitudes, const char *names,
                           double shift)
{
    double latitudes[MOST], shifted[MOST];
    const int file = make_file(cli_path(name), NC_NETCDF4);
    const int station = make_dimension(file, "station", count), width = make_dimension(file, "width", 2);
    for (size_t k = 0; k < count; k++) {
        latitudes[k] = 10;
        shifted[k] = longitudes[k] + shift;
    }
    make_text(file, make_field(file, "eta", "m", 1, &station, longitudes), "coordinates", "lon lat name");
    make_field(file, "lon", "degrees_east", 1, &station, shifted);
    make_field(file, "lat", "degrees_north", 1, &station, latitudes);
    if (names) {
        const int variable = make_variable(file, "name", NC_CHAR, NULL, 2, (int[]){station, width});
        make_text(file, variable, "cf_role", "timeseries_id");
        NC(nc_put_var_text(file, variable, names));
    }
    NC(nc_close(file));
}

TEST(stations)
{
    static const double forth[] = {140, 150, 160}, back[] = {160, 140, 150};
    write_stations("a.nc", 3, forth, "A B C ", 0);
    write_stations("b.nc", 3, back, "C A B ", 0);
    assert_has(cli_do("compare a.nc b.nc")->output,
               "axis station is in another order in the reference: matched by name");
    // Positions of named stations may differ (one program has the node's, the other the buoy's): it is
    // reported.
    write_stations("b.nc", 3, back, "C A B ", 0.25);
    assert_has(cli_do("compare a.nc b.nc")->output,
               "lon of the same entries differs, by up to 0.25 degrees_east");
    write_stations("b.nc", 3, back, "C A X ", 0);
    assert_refused("a.nc", "b.nc", "a.nc: station[1] is \"B\", which", "b.nc does not have; --overlap");
    write_stations("b.nc", 2, back, "C A ", 0);
    assert_has(cli_do("compare a.nc b.nc --overlap")->output,
               "station: 2 compared, of 3 in the run and 2 in the reference");
    write_stations("b.nc", 3, back, "C A A ", 0);
    assert_refused("a.nc", "b.nc", "entries 1 and 2 of station are both named \"A\"", "b.nc");
    // The place of a difference has the station's name.
    write_stations("b.nc", 3, (double[]){140, 151, 160}, "A B C ", 0);
    const struct cli_result *result = cli_run("compare a.nc b.nc");
    assert_int_equal(result->exit_code, 1);
    assert_has(result->output, "station[1] \"B\": run 150, reference 151");
    // Without names: by number, if the positions are the same, also when written round the circle.
    write_stations("a.nc", 3, forth, NULL, 0);
    write_stations("b.nc", 3, forth, NULL, -360);
    cli_do("compare a.nc b.nc");
    write_stations("b.nc", 3, back, NULL, 0);
    assert_refused("a.nc", "b.nc", "the places differ: lon[0] is 140 degrees_east", "160 in the second");
}

TEST(curvilinear)
{
    for (int k = 0; k < 3; k++) {
        static const char *const names[] = {"a.nc", "b.nc", "c.nc"};
        const int file = make_file(cli_path(names[k]), NC_NETCDF4);
        // Other programs, other names: what is left is paired in its order.
        const int axes[2] = {make_dimension(file, k == 1 ? "eta_rho" : "j", 2),
                             make_dimension(file, k == 1 ? "xi_rho" : "i", 2)};
        const int eta = make_field(file, "eta", "m", 2, axes, (double[]){1, 2, 3, 4});
        make_text(file, eta, "coordinates", "nav_lon nav_lat");
        make_field(file, "nav_lon", "degrees_east", 2, axes, (double[]){10, 11, 10.2, k == 2 ? 11.5 : 11.2});
        make_field(file, "nav_lat", "degrees_north", 2, axes, (double[]){0, 0, 1, 1});
        NC(nc_close(file));
    }
    cli_do("compare a.nc b.nc");
    assert_refused("a.nc", "c.nc", "the places differ: nav_lon[1, 1] is 11.2 degrees_east", "11.5");
}

// ---- files and command line

TEST(damaged_files)
{
    write_map("a.nc", &sea);
    cli_assert_error(cli_run("compare a.nc none.nc"), 66, false, "none.nc");
    cli_assert_error(cli_run("compare none.nc a.nc"), 66, false, "none.nc");
    cli_write_text("text.nc", "ncols 4\n");
    cli_assert_error(cli_run("compare a.nc text.nc"), 65, false, "text.nc", "not a netCDF");
    cli_copy("a.nc", "short.nc");
    cli_truncate("short.nc", 0.5);
    cli_assert_error(cli_run("compare a.nc short.nc"), 65, false, "short.nc");
    const int file = make_file(cli_path("classic.nc"), NC_CLASSIC_MODEL);
    const int x = make_axis(file, "x", "m", 4, sea.x);
    make_field(file, "eta", "m", 1, &x, sea.x);
    NC(nc_close(file));
    cli_do("compare classic.nc classic.nc");
    cli_copy("classic.nc", "short.nc");
    cli_truncate("short.nc", 0.9);
    cli_assert_error(cli_run("compare classic.nc short.nc"), 65, false, "short.nc");
}

TEST(command_line)
{
    struct map other = sea;
    other.units = "cm";
    write_map("a.nc", &sea);
    write_map("b.nc", &other);
    static const struct {
        const char *arguments;
        int code;
        const char *fragment;
    } cases[] = {
        {"--variable zeta", 65, "has no variable zeta to compare (did you mean eta?)"},
        {"--variable eta=ets", 65, "has no variable ets to compare"},
        {"--variable =eta", 64, "NAME or NAME=OTHER"},
        {"--tolerance eta", 64, "NAME=VALUE"},
        {"--tolerance eta=", 64, "NAME=VALUE"},
        {"--tolerance 'eta=1 s'", 64, "for eta in m: \"1 s\": s is a time"},
        {"--tolerance eta=-1", 64, "0 or more"},
        {"--tolerance eta=nan", 64, "finite number"},
        {"--tolerance etta=1", 64, "no such variable among those compared (did you mean eta?)"},
        {"--absolute '1 parrot'", 64, "parrot"},
        {"--relative '1 m'", 64, "--relative"},
        {"--time soon", 64, "exact, nearest or linear"},
        {"--axis-tolerance 0.5", 64, "below 0.5"},
        {"--list --quiet", 64, "would do nothing"},
        {"c.nc", 64, "compare needs two files"},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        const struct cli_result *result =
            cli_run_line(format_text("compare a.nc b.nc %s", cases[k].arguments));
        cli_assert_error(result, cases[k].code, false, cases[k].fragment);
        assert_string_equal(result->output, "");
    }
    assert_int_equal(cli_run("compare a.nc b.nc --nonsense")->exit_code, 64);
    const struct cli_result *result = cli_do("compare --help");
    for (const char *line = result->output; *line != '\0'; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 110);
    assert_has(cli_run("--help")->output, "  compare ");
}

TEST(lists)
{
    write_map("a.nc", &sea);
    const int file = make_file(cli_path("b.nc"), NC_NETCDF4);
    const int axes[2] = {make_axis(file, "lat", "degrees_north", 3, sea.y),
                         make_axis(file, "lon", "degrees_east", 4, sea.x)};
    make_field(file, "u", "m/s", 2, axes, (double[12]){0});
    NC(nc_close(file));
    assert_refused("a.nc", "b.nc", "have no variable in common", "--list");
    assert_has(cli_do("compare a.nc b.nc --list")->output, "only in the run:\n    eta\n",
               "only in the reference:\n    u\n");
    // No values are read: the difference is not seen, the axes are.
    struct map other = sea;
    other.scale = 2;
    write_map("b.nc", &other);
    assert_has(cli_do("compare a.nc b.nc --list")->output, "with eta, paired by name: lat 3, lon 4",
               "to be compared: 1 of 1 pairs; memory at most");
    other.y[0] = -6;
    write_map("b.nc", &other);
    assert_int_equal(cli_run("compare a.nc b.nc --list")->exit_code, 65);
}

// By meaning only where it is unmistakable.
TEST(standard_names)
{
    static const char name[] = "sea_surface_height_above_mean_sea_level";
    for (int k = 0; k < 3; k++) {
        static const char *const files[] = {"a.nc", "b.nc", "c.nc"};
        const int file = make_file(cli_path(files[k]), NC_NETCDF4);
        make_text(file, make_field(file, k == 0 ? "eta" : "zeta", "m", 0, NULL, &(double){1}),
                  "standard_name", name);
        if (k == 1) { // another statistic of the same
            const int highest = make_field(file, "highest", "m", 0, NULL, &(double){9});
            make_text(file, highest, "standard_name", name);
            make_text(file, highest, "cell_methods", "time: maximum");
            make_text(file, 0, "cell_methods", "time: point");
        }
        if (k == 2)
            make_text(file, make_field(file, "other", "m", 0, NULL, &(double){9}), "standard_name", name);
        NC(nc_close(file));
    }
    assert_refused("a.nc", "c.nc", "no variable in common", "c.nc");
    cli_do("compare a.nc c.nc --variable eta=zeta");
    // Without cell_methods, `eta` could be either.
    assert_refused("a.nc", "b.nc", "no variable in common", "b.nc");
    int file, eta;
    NC(nc_open(cli_path("a.nc"), NC_WRITE, &file));
    NC(nc_inq_varid(file, "eta", &eta));
    make_text(file, eta, "cell_methods", "time: point");
    NC(nc_close(file));
    assert_has(cli_do("compare a.nc b.nc")->output, "with zeta of the reference (paired by standard_name)");
}

// ---- within a run

TEST(reference_file_of_a_job)
{
    cJSON *job = cli_sea_job();
    cli_save_job(job);
    cli_do("run job.json --quiet");
    cli_copy("out/fields.nc", "fields.nc");
    cli_save_job(cli_change(job, "check.reference_file = 'fields.nc'; check.variables = {'eta': '1 mm'}"));
    cli_do("run job.json --quiet");
    (void)cli_read_json("out/run.json");
    // 2 mm off at one place.
    int file, eta;
    size_t count, shape[4];
    (void)cli_read_variable("fields.nc", "eta", &count, shape);
    NC(nc_open(cli_path("fields.nc"), NC_WRITE, &file));
    NC(nc_inq_varid(file, "eta", &eta));
    double value;
    const size_t at[3] = {shape[0] - 1, 10, 20};
    NC(nc_get_var1_double(file, eta, at, &value));
    assert_true(!isnan(value));
    value += 0.002;
    NC(nc_put_var1_double(file, eta, at, &value));
    NC(nc_close(file));
    cli_assert_error(cli_run("run job.json --quiet"), 1, true, "eta differs from",
                     format_text("(%zu, 10, 20)", at[0]), "allowed: 0.001");
    // A reference with a time that the run does not have is not a reference for this run.
    NC(nc_open(cli_path("fields.nc"), NC_WRITE, &file));
    int time;
    NC(nc_inq_varid(file, "time", &time));
    NC(nc_put_var1_double(file, time, &(size_t){shape[0] - 1}, &(double){1e6}));
    NC(nc_close(file));
    cli_assert_error(cli_run("run job.json --quiet"), 65, true, "fields.nc: time[", "is 1000000 s");
}

TEST_MAIN(cli_setup, cli_teardown)
