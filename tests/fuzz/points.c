// Places and zones that people write: CSV, GeoJSON, lists of gauges; and the outlines of zones in results.
// The first byte says which reader and which kind of grid; the rest is the file, or the result's numbers.
#include "io/formats/zones_result.h"
#include "io/points_file.h"
#include "io/utf8.h"
#include "tests/fuzz/support/fuzz.h"

#include <math.h>
#include <netcdf.h>
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

// ---- outlines in results

static bool put_part(int file, const char *name, int dimension, size_t length, struct fuzz_bytes *bytes)
{
    double values[16];
    int variable;
    for (size_t k = 0; k < length; k++)
        values[k] = fuzz_flag(bytes) ? (double)fuzz_below(bytes, 7) : fuzz_number(bytes);
    return nc_def_var(file, name, NC_DOUBLE, 1, &dimension, &variable) == NC_NOERR &&
           nc_put_var_double(file, variable, values) == NC_NOERR;
}

static bool make_result(const char *path, struct fuzz_bytes *bytes)
{
    const size_t lengths[3] = {1 + fuzz_below(bytes, 3), 1 + fuzz_below(bytes, 4), 1 + fuzz_below(bytes, 16)};
    static const char *const names[3] = {"zone", "ring", "node"};
    static const int axes[ZONES_RESULT_PARTS] = {0, 1, 1, 2, 2};
    const bool is_geographic = fuzz_flag(bytes);
    int file, dimensions[4], variable;
    if (nc_create(path, NC_CLOBBER | NC_NETCDF4, &file) != NC_NOERR)
        return false;
    bool is_made = nc_def_dim(file, "strlen", 2, &dimensions[3]) == NC_NOERR;
    for (int k = 0; k < 3 && is_made; k++)
        is_made = nc_def_dim(file, names[k], lengths[k], &dimensions[k]) == NC_NOERR;
    const int of_names[2] = {dimensions[0], dimensions[3]};
    is_made = is_made && nc_def_var(file, "name", NC_CHAR, 2, of_names, &variable) == NC_NOERR &&
              nc_put_var_text(file, variable, "A B C ") == NC_NOERR;
    for (int k = 0; k < ZONES_RESULT_PARTS && is_made; k++) {
        const int axis = fuzz_below(bytes, 40) == 1 ? (int)fuzz_below(bytes, 3) : axes[k];
        is_made =
            put_part(file, zones_result_names[is_geographic][k], dimensions[axis], lengths[axis], bytes);
    }
    return nc_close(file) == NC_NOERR && is_made;
}

static void try_outlines(struct fuzz_bytes *bytes)
{
    const char *path = fuzz_path("zones.nc");
    struct result_file *file = NULL;
    struct zones_file zones;
    if (!make_result(path, bytes) || !fuzz_ok(result_open(path, &file)))
        return;
    if (fuzz_ok(zones_result_read(file, "", &zones))) {
        size_t rings = 0;
        FUZZ_EXPECT(zones.zone_count >= 1, "no zones");
        for (size_t k = 0; k < zones.zone_count; k++) {
            const struct zones_file_zone *zone = &zones.zones[k];
            FUZZ_EXPECT(zone->first_ring == rings && zone->ring_count > 0, "rings of zone %zu", k);
            FUZZ_EXPECT(isfinite(zone->x_range[0]) && zone->x_range[0] <= zone->x_range[1], "zone %zu", k);
            FUZZ_EXPECT(!zones.rings[rings].is_hole, "zone %zu begins with a hole", k);
            rings += zone->ring_count;
            (void)zones_file_contains(&zones, k, zone->x_range[0], zone->y_range[0]);
        }
        FUZZ_EXPECT(rings == zones.ring_count, "%zu rings of %zu", rings, zones.ring_count);
        for (size_t r = 0; r < rings; r++) {
            const struct zones_file_ring *ring = &zones.rings[r];
            FUZZ_EXPECT(ring->count >= 4 && ring->first + ring->count <= zones.position_count, "ring %zu", r);
        }
    }
    zones_file_free(&zones);
    result_close(file);
}

FUZZ_HARNESS(points)
{
    if (size < 1)
        return -1;
    const uint8_t kind = data[0] % 5;
    struct fuzz_bytes bytes = {data + 1, size - 1};
    if (kind == 4) {
        try_outlines(&bytes);
        return 0;
    }
    const char *path = fuzz_write("places", data + 1, size - 1);
    if (kind < 2)
        try_points(path, kind == 0);
    else
        try_zones(path, kind == 2);
    return 0;
}
