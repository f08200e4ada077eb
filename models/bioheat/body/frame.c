// The scanner's coordinates and those of the slices: see frame.h.
#include "models/bioheat/body/frame.h"

#include <math.h>

const char *const bioheat_axis_names[BIOHEAT_AXES] = {"z", "y", "x"};

// x, y, z of an image, as axes of the grid.
static const int axes[3] = {BIOHEAT_X, BIOHEAT_Y, BIOHEAT_Z};

// By Cramer's rule; the directions of an image are never in one plane.
static void invert(const double m[3][3], double inverse[3][3])
{
    double cofactor[3][3];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            cofactor[r][c] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
        }
    const double determinant = m[0][0] * cofactor[0][0] + m[0][1] * cofactor[0][1] + m[0][2] * cofactor[0][2];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            inverse[r][c] = cofactor[c][r] / determinant;
}

void bioheat_frame_set(const struct nifti_place *place, struct bioheat_frame *frame)
{
    // The rounding of affines in single precision is no tilt: at 300 mm from the pivot it is 0.3 µm.
    static const double rounding = 1e-6;
    double direction[3][3], pivot_mm[3];
    nifti_place_directions(place, direction, pivot_mm);
    frame->kind = place->code > 0 ? BIOHEAT_FRAME_SCANNER : BIOHEAT_FRAME_UNKNOWN;
    frame->is_tilted = false;
    for (int r = 0; r < 3; r++) {
        frame->pivot_m[axes[r]] = 1e-3 * pivot_mm[r];
        for (int x = 0; x < 3; x++) {
            frame->direction[axes[r]][axes[x]] = direction[r][x];
            frame->is_tilted |= r != x && fabs(direction[r][x]) > rounding;
        }
    }
    invert(frame->direction, frame->inverse);
}

// p + M (from − p)
static void turn(const double m[BIOHEAT_AXES][BIOHEAT_AXES], const double pivot[BIOHEAT_AXES],
                 const double from[BIOHEAT_AXES], double to[BIOHEAT_AXES])
{
    const double by[BIOHEAT_AXES] = {from[0] - pivot[0], from[1] - pivot[1], from[2] - pivot[2]};
    for (int r = 0; r < BIOHEAT_AXES; r++)
        to[r] = pivot[r] + m[r][0] * by[0] + m[r][1] * by[1] + m[r][2] * by[2];
}

static void copy(const double from[BIOHEAT_AXES], double to[BIOHEAT_AXES])
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        to[axis] = from[axis];
}

// On slices along the scanner's axes the two frames are one.
static void convert(const struct bioheat_frame *frame, const double by[BIOHEAT_AXES][BIOHEAT_AXES],
                    const double from_m[BIOHEAT_AXES], double to_m[BIOHEAT_AXES])
{
    if (frame->is_tilted)
        turn(by, frame->pivot_m, from_m, to_m);
    else
        copy(from_m, to_m);
}

void bioheat_scanner_of(const struct bioheat_grid *grid, const double slices_m[BIOHEAT_AXES],
                        double scanner_m[BIOHEAT_AXES])
{
    convert(&grid->frame, grid->frame.direction, slices_m, scanner_m);
}

void bioheat_slices_of(const struct bioheat_grid *grid, const double scanner_m[BIOHEAT_AXES],
                       double slices_m[BIOHEAT_AXES])
{
    convert(&grid->frame, grid->frame.inverse, scanner_m, slices_m);
}

void bioheat_slices_of_given(const struct bioheat_grid *grid, const double given_m[BIOHEAT_AXES],
                             double slices_m[BIOHEAT_AXES])
{
    if (grid->frame.is_given_along_slices)
        copy(given_m, slices_m);
    else
        bioheat_slices_of(grid, given_m, slices_m);
}

void bioheat_cell_scanner_m(const struct bioheat_grid *grid, const size_t cell[BIOHEAT_AXES],
                            double scanner_m[BIOHEAT_AXES])
{
    double slices_m[BIOHEAT_AXES];
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        slices_m[axis] = bioheat_position_m(grid, axis, cell[axis]);
    bioheat_scanner_of(grid, slices_m, scanner_m);
}

void bioheat_frame_affine(const struct bioheat_grid *grid, double affine[3][4])
{
    const double none[BIOHEAT_AXES] = {0, 0, 0};
    double origin_m[BIOHEAT_AXES];
    bioheat_scanner_of(grid, none, origin_m);
    for (int x = 0; x < 3; x++) {
        double unit[BIOHEAT_AXES] = {0, 0, 0}, to_m[BIOHEAT_AXES];
        unit[axes[x]] = 1;
        bioheat_scanner_of(grid, unit, to_m);
        for (int row = 0; row < 3; row++)
            affine[row][x] = to_m[axes[row]] - origin_m[axes[row]];
    }
    for (int row = 0; row < 3; row++)
        affine[row][3] = origin_m[axes[row]];
}

const char *bioheat_frame_name(const struct bioheat_grid *grid)
{
    static const char *const names[] = {[BIOHEAT_FRAME_NONE] = "",
                                        [BIOHEAT_FRAME_SCANNER] = " (scanner, RAS+)",
                                        [BIOHEAT_FRAME_UNKNOWN] = " (of the image, orientation unknown)"};
    return names[grid->frame.kind];
}
