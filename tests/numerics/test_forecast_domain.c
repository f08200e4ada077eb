// The choices of a forecast: its box on the sphere, against great circles in closed form; spacing and
// duration by their rules; travel times over a coarse sea against a flat bottom.
#include "tests/support/folder.h"
#include "tests/support/numbers.h"
#include "tests/support/statuses.h"
#include "tests/support/test.h"

#include "io/grid/grid.h"
#include "models/tsunami/forecast/domain.h"
#include "models/tsunami/forecast/sea.h"

static const double pi = 3.14159265358979323846;

static struct forecast_box source_at(double longitude_deg, double latitude_deg)
{
    return (struct forecast_box){longitude_deg, longitude_deg, latitude_deg, latitude_deg};
}

TEST(distances_are_those_of_great_circles)
{
    const double quarter_m = 0.5 * pi * forecast_earth_radius_m;
    const struct forecast_place origin = {0, 0}, east = {90, 0}, pole = {123, 90}, west = {-90, 0},
                                across = {540, 0};
    assert_near("a quarter of the equator", forecast_distance_m(&origin, &east), quarter_m, 1);
    assert_near("to the pole", forecast_distance_m(&origin, &pole), quarter_m, 1);
    assert_near("opposite", forecast_distance_m(&east, &west), 2 * quarter_m, 1);
    assert_near("another convention", forecast_distance_m(&origin, &across), 2 * quarter_m, 1);
}

// Between places of one latitude a great circle rises to tan(top) = tan(latitude)/cos(half the difference of
// longitudes).
TEST(the_box_holds_the_great_circle)
{
    static const struct {
        double from_deg, to_deg, latitude_deg;
    } rows[] = {{140, 190, 40}, {170, -150, 40}, {-150, 170, -40}, {10, 60, -30}, {350, 30, 35}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        const struct forecast_box source = source_at(rows[k].from_deg, rows[k].latitude_deg);
        const struct forecast_place place = {rows[k].to_deg, rows[k].latitude_deg};
        struct forecast_domain domain;
        forecast_domain_of(&source, &place, 1, &domain);
        const double apart = fabs(remainder(rows[k].to_deg - rows[k].from_deg, 360)),
                     top =
                         atan(tan(rows[k].latitude_deg * pi / 180) / cos(0.5 * apart * pi / 180)) * 180 / pi,
                     way_m = forecast_distance_m(&(struct forecast_place){source.west_deg, source.south_deg},
                                                 &place),
                     margin = fmin(5, fmax(3, 0.1 * way_m / forecast_earth_radius_m * 180 / pi));
        const struct forecast_box *box = &domain.box;
        // Up to the step of a degree along the way, and whole degrees outward.
        if (top > 0)
            assert_near("its top", box->north_deg, ceil(top + margin - 0.01), 1e-9);
        else
            assert_near("its bottom", box->south_deg, floor(top - margin + 0.01), 1e-9);
        const double wide = margin / cos(top * pi / 180);
        if (!domain.ocean)
            assert_near("its width", box->east_deg - box->west_deg, apart + 2 * wide, 2);
        assert_true(forecast_box_has(box, rows[k].from_deg, rows[k].latitude_deg));
        assert_true(forecast_box_has(box, rows[k].to_deg, rows[k].latitude_deg));
        assert_true(forecast_box_has(box, rows[k].to_deg + 720, rows[k].latitude_deg));
        assert_false(forecast_box_has(box, rows[k].from_deg + 180, rows[k].latitude_deg));
    }
}

TEST(an_ocean_is_whole_for_far_places)
{
    static const struct forecast_place pacific[] = {{-71.6, -33}, {-155, 19.7}, {142, 39.6}},
                                       indian[] = {{80.2, 13}, {39.7, -4}}, near[] = {{142, 39.6}, {141, 38}};
    struct forecast_domain domain;
    const struct forecast_box honshu = {141, 145, 35, 40}, sumatra = {93, 97, 2, 8};
    forecast_domain_of(&honshu, pacific, COUNT(pacific), &domain);
    assert_string_equal(domain.ocean, "the Pacific");
    assert_int_equal(domain.farthest, 0);
    assert_true(domain.box.west_deg <= 105 && domain.box.east_deg >= 300 && domain.box.south_deg <= -65);
    assert_false(domain.is_globe);
    // Chile's longitudes are negative: the same ocean, a turn further west.
    const struct forecast_box chile = {-74, -71, -38, -34};
    const struct forecast_place japan = {142, 39.6};
    forecast_domain_of(&chile, &japan, 1, &domain);
    assert_string_equal(domain.ocean, "the Pacific");
    assert_true(domain.box.east_deg - domain.box.west_deg < 220);
    assert_true(forecast_box_has(&domain.box, 142, 39.6) && forecast_box_has(&domain.box, -72, -36));
    forecast_domain_of(&sumatra, indian, COUNT(indian), &domain);
    assert_string_equal(domain.ocean, "the Indian Ocean");
    forecast_domain_of(&honshu, near, COUNT(near), &domain);
    assert_null(domain.ocean);
    assert_near("west", domain.box.west_deg, floor(141 - 3 / cos(40 * pi / 180)), 1);
    assert_true(domain.box.east_deg - domain.box.west_deg < 20);
}

TEST(places_all_round_need_the_whole_earth)
{
    static const struct forecast_place places[] = {{3, 1}, {-3, 1}};
    const struct forecast_box source = {178, 182, -1, 1};
    struct forecast_domain domain;
    forecast_domain_of(&source, places, COUNT(places), &domain);
    assert_true(domain.is_globe);
    assert_near("a turn", domain.box.east_deg - domain.box.west_deg, 360, 0);
    // The way to a place nearly opposite leads near a pole, where the box does not follow.
    const struct forecast_place opposite = {1, 30};
    const struct forecast_box oblique = {178, 182, -40, -25};
    forecast_domain_of(&oblique, &opposite, 1, &domain);
    assert_true(domain.box.south_deg >= -75 && domain.box.north_deg <= 75);
}

TEST(a_box_is_cut_to_a_file)
{
    const struct forecast_box file = {-180, 180, -60, 60}, region = {-80, -65, -40, -10};
    struct forecast_box box = {280, 300, -50, -20};
    assert_true(forecast_box_clip(&box, &region, false));
    assert_near("west", box.west_deg, 280, 0);
    assert_near("east", box.east_deg, 295, 0);
    assert_near("south", box.south_deg, -40, 0);
    box = (struct forecast_box){170, 190, -70, 0};
    assert_true(forecast_box_clip(&box, &file, true)); // across the seam of a file that goes round
    assert_near("east", box.east_deg, 190, 0);
    assert_near("south", box.south_deg, -60, 0);
    assert_true(forecast_box_clip(&box, &file, false)); // of one that does not, one side
    assert_near("half", box.east_deg - box.west_deg, 10, 0);
    box = (struct forecast_box){10, 20, -40, -10};
    assert_false(forecast_box_clip(&box, &region, false));
}

// Work of a spacing: nodes times steps, and halving the spacing costs eight times as much.
TEST(the_spacing_is_the_finest_within_the_time)
{
    struct forecast_work work = {.box = {120, 290, -60, 60},
                                 .file_spacing_deg = 1.0 / 240,
                                 .rate_deg_per_s = 0.004,
                                 .courant = 0.8,
                                 .duration_s = 36000,
                                 .node_steps_per_s = 1e8};
    static const double within_s[] = {1, 10, 100, 1000, 1e5};
    double before = INFINITY;
    for (size_t k = 0; k < COUNT(within_s); k++) {
        work.within_s = within_s[k];
        const struct forecast_spacing s = forecast_spacing_of(&work);
        assert_true(s.is_late || s.estimate_s <= within_s[k]);
        assert_true(s.arcmin <= before);
        before = s.arcmin;
        const double steps = 36000 * 0.004 / (0.8 * s.arcmin / 60),
                     nodes = (170 * 60 / s.arcmin + 1) * (120 * 60 / s.arcmin + 1);
        assert_near("estimate", s.estimate_s, steps * nodes / 1e8, 0.02 * s.estimate_s);
    }
    // No finer than the file has anything to show.
    work.file_spacing_deg = 5.0 / 60;
    assert_near("spacing", forecast_spacing_of(&work).arcmin, 4, 0);
    assert_true(forecast_spacing_of(&work).is_files);
    work.within_s = 1e-6;
    assert_near("coarsest", forecast_spacing_of(&work).arcmin, 20, 0);
    assert_true(forecast_spacing_of(&work).is_late);
}

TEST(the_duration_is_in_half_hours)
{
    assert_near("h", forecast_duration_h(0, 4), 4, 0);
    assert_near("h", forecast_duration_h(3601, 4), 5.5, 0);
    assert_near("h", forecast_duration_h(1e6, 4), 48, 0);
}

// ---- a coarse sea

// 4000 m deep, with a wall of land at 20 to 22 degrees east, through which nothing passes.
static enum status bottom(void *context, size_t row, double *values)
{
    (void)context;
    (void)row;
    for (int i = 0; i < 121; i++)
        values[i] = i >= 80 && i <= 88 ? -100 : 4000;
    return STATUS_OK;
}

static void open_sea(struct forecast_sea *sea)
{
    double x[121], y[121];
    for (int k = 0; k < 121; k++) {
        x[k] = 0.25 * k;
        y[k] = 0.25 * k - 15;
    }
    const struct grid_write write = {.path = folder_path("sea.nc"),
                                     .variable = "depth",
                                     .units = "m",
                                     .positive = "down",
                                     .is_geographic = true,
                                     .nx = 121,
                                     .ny = 121,
                                     .x = x,
                                     .y = y,
                                     .row = bottom};
    assert_ok(grid_write_netcdf(&write));
    const struct grid_request request = {
        .path = folder_path("sea.nc"), .target_units = "m", .time_index = -1};
    const struct forecast_box box = {0, 30, -15, 15};
    struct grid_file *file;
    assert_ok(grid_open(&request, &file));
    assert_ok(forecast_sea_read(file, &box, false, 10, sea));
    grid_close(file);
}

TEST(travel_times_over_a_flat_bottom_are_distance_over_speed)
{
    struct forecast_sea sea;
    size_t starts;
    open_sea(&sea);
    const struct forecast_box source = {4.9, 5.1, -0.1, 0.1};
    assert_ok(forecast_sea_march(&sea, &source, &starts));
    assert_true(starts >= 1);
    static const struct forecast_place places[] = {{15, 0}, {5, 12}, {14, 9}, {375, 0}};
    for (size_t k = 0; k < COUNT(places); k++) {
        const double way_m = forecast_distance_m(&(struct forecast_place){5, 0}, &places[k]),
                     expected_s = way_m / sqrt(9.81 * 4000);
        assert_near("travel time", forecast_sea_time_s(&sea, &places[k]), expected_s, 0.02 * expected_s);
    }
    // The largest rate: at the highest latitude, where columns are nearest.
    const double degree_m = forecast_earth_radius_m * pi / 180, c = cos(15 * pi / 180);
    assert_near("rate", sea.rate_deg_per_s, sqrt(9.81 * 4000 * (1 / (c * c) + 1)) / degree_m, 1e-9);
    assert_true(isnan(forecast_sea_time_s(&sea, &(struct forecast_place){28, 0}))); // behind the wall
    assert_true(isnan(forecast_sea_time_s(&sea, &(struct forecast_place){200, 0})));
    forecast_sea_free(&sea);
}

TEST(a_source_on_land_starts_no_wave)
{
    struct forecast_sea sea;
    size_t starts;
    open_sea(&sea);
    const struct forecast_box source = {21, 21.05, -1, 1};
    assert_ok(forecast_sea_march(&sea, &source, &starts));
    assert_int_equal(starts, 0);
    forecast_sea_free(&sea);
}

TEST_SUITE(.setup = folder_make, .teardown = folder_remove);
