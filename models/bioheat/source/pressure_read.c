// Values of a pressure field at the domain's cells, and the heat that they give. See private.h.
//
// Q = 2αI with the intensity of a plane wave I = p²/(2ρc) of the amplitude p: Q = αp²/(ρc) (Nyborg, Phys.
// Med. Biol. 26, 1107-1127, 1981). Of an effective value p_rms = p/√2: Q = 2αp_rms²/(ρc).
#include "models/bioheat/source/private.h"

#include "io/nifti_offset.h"
#include "models/bioheat/body/frame.h"

#include <math.h>
#include <stdlib.h>

// A cell of the domain that lies so close to one of the file, in cells, is that one.
static const double same_place = 1e-3;

size_t source_pressure_doubles(const struct bioheat_heating *heating, const struct source_pressure *pressure)
{
    const size_t *own = pressure_file_info(pressure->file)->cells, *cells = heating->grid->cells;
    return 3 * own[BIOHEAT_Y] * own[BIOHEAT_X] + cells[BIOHEAT_Y] * cells[BIOHEAT_X];
}

enum status source_pressure_hold(const struct bioheat_heating *heating, struct source_pressure *pressure)
{
    const size_t doubles = source_pressure_doubles(heating, pressure);
    pressure->held[0] = pressure->held[1] = SIZE_MAX;
    pressure->planes = malloc(doubles * sizeof *pressure->planes);
    return pressure->planes ? STATUS_OK
                            : FAIL(STATUS_SYSTEM, "no memory for planes of pressure, %zu values", doubles);
}

void source_pressure_let_go(struct source_pressure *pressure)
{
    free(pressure->planes);
    pressure->planes = NULL;
}

// ---- where the domain's cells lie in the file

static const char *const origin_keys[BIOHEAT_AXES] = {"source.pressure.origin.z", "source.pressure.origin.y",
                                                      "source.pressure.origin.x"};

// Cell k of the domain lies at the index `at` of the file. Half a cell beyond its outermost cells their
// values hold.
static void map_cell(struct source_pressure_axis *axis, size_t k, double at, size_t cells, bool *is_between)
{
    const double nearest = round(at), last = (double)(cells - 1);
    if (fabs(at - nearest) < same_place)
        at = nearest;
    axis->low[k] = SIZE_MAX;
    axis->weight[k] = 0;
    if (!(at >= -0.5 - same_place && at <= last + 0.5 + same_place))
        return;
    *is_between |= at != nearest;
    at = fmin(fmax(at, 0), last);
    axis->low[k] = (size_t)floor(at);
    axis->weight[k] = at - floor(at);
}

static bool is_same_grid(const struct bioheat_grid *grid, const struct pressure_info *info)
{
    bool is_same = true;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        is_same &= info->cells[axis] == grid->cells[axis] &&
                   (!info->has_spacing[axis] ||
                    fabs(info->spacing_m[axis] - grid->spacing_m[axis]) <= 1e-3 * grid->spacing_m[axis]);
    return is_same;
}

// Of a grid from a netCDF file that was made from a tilted image.
static struct nifti_frame frame_of(const struct bioheat_grid *grid)
{
    static const int axes[3] = {BIOHEAT_X, BIOHEAT_Y, BIOHEAT_Z};
    static const size_t first[BIOHEAT_AXES] = {0, 0, 0};
    struct nifti_frame frame;
    double at_m[BIOHEAT_AXES];
    bioheat_cell_scanner_m(grid, first, at_m);
    for (int x = 0; x < 3; x++) {
        frame.corner_mm[x] = 1e3 * at_m[axes[x]];
        for (int row = 0; row < 3; row++)
            frame.direction[x][row] = grid->frame.direction[axes[row]][axes[x]];
    }
    return frame;
}

// Of an image, how far it lies from that of the labels; the axes of both must have the same directions.
static enum status find_image(const struct bioheat_heating *heating, const struct job *job,
                              const struct source_pressure *pressure, double origin_m[BIOHEAT_AXES])
{
    static const int axes[3] = {BIOHEAT_X, BIOHEAT_Y, BIOHEAT_Z};
    const struct pressure_info *info = pressure_file_info(pressure->file);
    const char *labels = bioheat_domain_image_path(pressure->domain);
    double offset_mm[3], angle_degree;
    if (info->form != PRESSURE_NIFTI || !info->has_origin[0])
        return STATUS_OK;
    const bool has_tilt = !labels && heating->grid->frame.is_tilted;
    const struct nifti_frame frame = frame_of(heating->grid);
    CHECK_KEY(job, "source.pressure.file",
              labels     ? nifti_offset_of_files(info->path, labels, offset_mm, &angle_degree)
              : has_tilt ? nifti_offset_of_file(info->path, &frame, offset_mm, &angle_degree)
                         : nifti_tilt_of_file(info->path, &angle_degree));
    if (angle_degree > NIFTI_SAME_DIRECTION_DEGREE)
        return job_fail(
            job, "source.pressure.file",
            "the slices of %s are turned by %.2g degrees against %s: resample it to the grid of the labels",
            info->path, angle_degree,
            labels     ? labels
            : has_tilt ? "those of the image from which the domain was made"
                       : "x, y, z of the domain");
    for (int x = 0; x < 3 && (labels || has_tilt); x++)
        origin_m[axes[x]] = heating->grid->origin_m[axes[x]] + 1e-3 * offset_mm[x];
    return STATUS_OK;
}

// What keeps a file without positions from lying on the domain's cells.
static enum status refuse_cells(const struct job *job, const struct bioheat_grid *grid,
                                const struct pressure_info *info, int axis)
{
    for (int a = 0; a < BIOHEAT_AXES; a++)
        if (info->cells[a] == grid->cells[a] && info->has_spacing[a] &&
            fabs(info->spacing_m[a] - grid->spacing_m[a]) > 1e-3 * grid->spacing_m[a])
            return job_fail(job, origin_keys[axis],
                            "is missing: %s states no positions, and its spacing along %s is %.6g mm, the "
                            "domain's %.6g mm: is it right? Else give the position of its first cell in the "
                            "domain's coordinates",
                            info->path, bioheat_axis_names[a], 1e3 * info->spacing_m[a],
                            1e3 * grid->spacing_m[a]);
    return job_fail(
        job, origin_keys[axis],
        "is missing: %s states no positions, and its %zu x %zu x %zu cells (z, y, x) are not the "
        "domain's, %zu x %zu x %zu: give the position of its first cell in the domain's coordinates",
        info->path, info->cells[0], info->cells[1], info->cells[2], grid->cells[0], grid->cells[1],
        grid->cells[2]);
}

static enum status map_axis(const struct bioheat_heating *heating, const struct job *job,
                            struct source_pressure *pressure, int axis, double origin_m)
{
    const struct bioheat_grid *grid = heating->grid;
    const struct pressure_info *info = pressure_file_info(pressure->file);
    struct source_pressure_axis *map = &pressure->axes[axis];
    const size_t cells = grid->cells[axis];
    const double spacing_m = info->has_spacing[axis] ? info->spacing_m[axis] : grid->spacing_m[axis];
    if (!job_has(job, origin_keys[axis]) && !info->has_origin[axis] && !is_same_grid(grid, info))
        return refuse_cells(job, grid, info, axis);
    map->low = malloc((cells + 1) * sizeof *map->low);
    map->weight = malloc((cells + 1) * sizeof *map->weight);
    if (!map->low || !map->weight)
        return FAIL(STATUS_SYSTEM, "no memory for %zu places", cells);
    // Of the same spacing to a thousandth: otherwise such a difference would add up to cells.
    const bool is_alike = fabs(spacing_m - grid->spacing_m[axis]) <= 1e-5 * spacing_m;
    const double first = (grid->origin_m[axis] - origin_m) / spacing_m,
                 step = is_alike ? 1 : grid->spacing_m[axis] / spacing_m;
    for (size_t k = 0; k < cells; k++)
        map_cell(map, k, first + (double)k * step, info->cells[axis], &pressure->is_interpolated);
    return STATUS_OK;
}

// The job's position of the file's first cell, as distances along the slices of the first in ascending order.
static enum status take_origin(const struct bioheat_heating *heating, const struct job *job,
                               const struct source_pressure *pressure, double origin_m[BIOHEAT_AXES])
{
    const struct pressure_info *info = pressure_file_info(pressure->file);
    const struct bioheat_grid *grid = heating->grid;
    double given_m[BIOHEAT_AXES], along_m[BIOHEAT_AXES];
    int given = 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        given_m[axis] = origin_m[axis];
        if (job_has(job, origin_keys[axis])) {
            given_m[axis] = job_quantity(job, origin_keys[axis]);
            given++;
        }
    }
    if (given > 0 && given < BIOHEAT_AXES && grid->frame.is_tilted && !grid->frame.is_given_along_slices)
        return job_fail(job, "source.pressure.origin",
                        "needs all of x, y, z: the slices are tilted, and it is a position in scanner "
                        "coordinates");
    bioheat_slices_of_given(grid, given_m, along_m);
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        if (!job_has(job, origin_keys[axis]))
            continue;
        const double spacing_m = info->has_spacing[axis] ? info->spacing_m[axis] : grid->spacing_m[axis];
        origin_m[axis] = along_m[axis];
        if (pressure->is_turned && pressure->is_reversed[axis]) // its first cell is the last one
            origin_m[axis] -= (double)(info->cells[axis] - 1) * spacing_m;
    }
    return STATUS_OK;
}

enum status source_pressure_map_axes(const struct bioheat_heating *heating, const struct job *job,
                                     struct source_pressure *pressure)
{
    const struct pressure_info *info = pressure_file_info(pressure->file);
    double origin_m[BIOHEAT_AXES];
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        origin_m[axis] = info->has_origin[axis] ? info->origin_m[axis] : heating->grid->origin_m[axis];
    CHECK(find_image(heating, job, pressure, origin_m));
    CHECK(take_origin(heating, job, pressure, origin_m));
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        CHECK(map_axis(heating, job, pressure, axis, origin_m[axis]));
    return STATUS_OK;
}

// ---- values

// Plane z of the file: one of the two that are held, the older of which gives way.
static enum status hold_plane(struct source_pressure *pressure, size_t z, const double **plane)
{
    const size_t *cells = pressure_file_info(pressure->file)->cells,
                 count = cells[BIOHEAT_Y] * cells[BIOHEAT_X];
    int slot = pressure->held[0] == z ? 0 : 1;
    if (pressure->held[slot] != z) {
        // Planes are asked for in ascending order: the lower one is no longer needed.
        slot = pressure->held[0] == SIZE_MAX ||
                       (pressure->held[1] != SIZE_MAX && pressure->held[0] < pressure->held[1])
                   ? 0
                   : 1;
        double *values = pressure->planes + (size_t)slot * count;
        pressure->held[slot] = SIZE_MAX;
        CHECK(pressure_file_read(pressure->file, z, values, pressure->planes + 2 * count));
        CHECK(pressure_file_check(pressure->file, pressure->to_pa, z, values));
        pressure->held[slot] = z;
    }
    *plane = pressure->planes + (size_t)slot * count;
    return STATUS_OK;
}

// Weighted mean of two, exact where one has no weight, even at the end of a row.
static inline double between(const double *values, size_t step, double weight)
{
    return weight == 0 ? values[0] : values[0] + weight * (values[step] - values[0]);
}

static double in_plane(const double *plane, size_t row, double weight_y, double weight_x)
{
    const double low = between(plane, 1, weight_x);
    return weight_y == 0 ? low : low + weight_y * (between(plane + row, 1, weight_x) - low);
}

enum status source_pressure_plane(const struct bioheat_heating *heating, struct source_pressure *pressure,
                                  size_t z, const double **values)
{
    const size_t *own = pressure_file_info(pressure->file)->cells, *cells = heating->grid->cells;
    const struct source_pressure_axis *axes = pressure->axes;
    const size_t low = axes[BIOHEAT_Z].low[z], row = own[BIOHEAT_X];
    const double weight = axes[BIOHEAT_Z].weight[z];
    const double *planes[2] = {NULL, NULL};
    double *out = pressure->planes + 3 * own[BIOHEAT_Y] * own[BIOHEAT_X];
    *values = out;
    if (low != SIZE_MAX)
        CHECK(hold_plane(pressure, low, &planes[0]));
    if (low != SIZE_MAX && weight > 0)
        CHECK(hold_plane(pressure, low + 1, &planes[1]));
    for (size_t y = 0; y < cells[BIOHEAT_Y]; y++)
        for (size_t x = 0; x < cells[BIOHEAT_X]; x++) {
            const size_t j = axes[BIOHEAT_Y].low[y], i = axes[BIOHEAT_X].low[x];
            double *here = &out[y * cells[BIOHEAT_X] + x];
            *here = NAN;
            if (!planes[0] || j == SIZE_MAX || i == SIZE_MAX)
                continue;
            const double wy = axes[BIOHEAT_Y].weight[y], wx = axes[BIOHEAT_X].weight[x];
            *here = in_plane(planes[0] + j * row + i, row, wy, wx);
            if (planes[1])
                *here += weight * (in_plane(planes[1] + j * row + i, row, wy, wx) - *here);
            *here *= pressure->to_pa;
        }
    return STATUS_OK;
}

enum status source_pressure_heat(const struct bioheat_heating *heating, struct source_pressure *pressure,
                                 size_t z, const uint8_t *labels, void *heat)
{
    const size_t count = heating->grid->cells[BIOHEAT_Y] * heating->grid->cells[BIOHEAT_X];
    const double *values;
    CHECK(source_pressure_plane(heating, pressure, z, &values));
    for (size_t i = 0; i < count; i++) {
        const double p = pressure->factor * values[i], factor = pressure->heat[labels[i]];
        element_set(heating->precision, heat, i, factor > 0 && !isnan(p) ? factor * p * p : 0);
    }
    return STATUS_OK;
}
