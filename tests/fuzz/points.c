// Places and zones that people write: CSV, GeoJSON, lists of gauges. The first byte says which reader and
// which kind of grid; the rest is the file.
#include "io/points_file.h"
#include "io/utf8.h"
#include "io/zones_file.h"
#include "tests/fuzz/support/fuzz.h"

#include <math.h>
#include <string.h>

static void check_name(const char *name)
{
    FUZZ_EXPECT(name[0] && strnlen(name, POINTS_NAME_BYTES) < POINTS_NAME_BYTES, "a name without its end");
    for (const char *c = name; *c; c += utf8_length(c))
        FUZZ_EXPECT(utf8_length(c) > 0 && (unsigned char)*c >= ' ', "a name that is no text");
}

static void check_position(bool is_geographic, double x, double y)
{
    FUZZ_EXPECT(isfinite(x) && isfinite(y), "%g %g", x, y);
    FUZZ_EXPECT(!is_geographic || (fabs(y) <= 90 && fabs(x) <= 360), "%g %g", x, y);
}

static void try_points(const char *path, bool is_geographic)
{
    struct points_file points;
    if (fuzz_ok(points_file_read(path, is_geographic, &points))) {
        FUZZ_EXPECT(points.count >= 1 && points.count <= POINTS_MAX, "%zu points", points.count);
        for (size_t k = 0; k < points.count; k++) {
            check_name(points.points[k].name);
            check_position(is_geographic, points.points[k].x, points.points[k].y);
        }
    } else {
        FUZZ_EXPECT(points.count == 0 && !points.points, "something is left");
    }
    points_file_free(&points);
}

static void try_zones(const char *path, bool is_geographic)
{
    struct zones_file zones;
    if (fuzz_ok(zones_file_read(path, NULL, is_geographic, &zones))) {
        FUZZ_EXPECT(zones.zone_count >= 1 && zones.ring_count >= zones.zone_count, "%zu zones of %zu rings",
                    zones.zone_count, zones.ring_count);
        for (size_t k = 0; k < zones.zone_count; k++) {
            const struct zones_file_zone *zone = &zones.zones[k];
            check_name(zone->name);
            check_position(is_geographic, zone->x_range[0], zone->y_range[0]);
            check_position(is_geographic, zone->x_range[1], zone->y_range[1]);
            FUZZ_EXPECT(!zones_file_contains(&zones, k, zone->x_range[0], zone->y_range[0] - 1),
                        "outside its box");
            for (int i = 0; i < 9; i++)
                (void)zones_file_contains(&zones, k, 90.0 * i - 360, zone->y_range[i % 2]);
        }
    } else {
        FUZZ_EXPECT(zones.zone_count == 0 && !zones.zones && !zones.rings && !zones.positions,
                    "something is left");
    }
    zones_file_free(&zones);
}

FUZZ_HARNESS(points)
{
    if (size < 1)
        return -1;
    const uint8_t kind = data[0] % 4;
    const char *path = fuzz_write("places", data + 1, size - 1);
    if (kind < 2)
        try_points(path, kind == 0);
    else
        try_zones(path, kind == 2);
    return 0;
}
