// Positions in the scanner's coordinates and along the slices of the grid. Independent of files and jobs.
//
// A grid that was read from an image lies as the image's slices do. Distances along them
// (bioheat_position_m) are the positions of the netCDF axes. Positions that people give and read are the
// scanner's: x to the right, y to the front, z up (RAS+). They differ if the slices are tilted; else, and
// without an image, they are the same numbers.
#ifndef FATHOM_MODELS_BIOHEAT_BODY_FRAME_H
#define FATHOM_MODELS_BIOHEAT_BODY_FRAME_H

#include "io/formats/nifti_place.h"
#include "models/bioheat/body/media.h"

// The frame of a grid that lies so in an image.
void bioheat_frame_set(const struct nifti_place *place, struct bioheat_frame *frame);

// Positions (m), in the order z, y, x: of the scanner, from distances along the slices, and back.
void bioheat_scanner_of(const struct bioheat_grid *grid, const double slices_m[BIOHEAT_AXES],
                        double scanner_m[BIOHEAT_AXES]);
void bioheat_slices_of(const struct bioheat_grid *grid, const double scanner_m[BIOHEAT_AXES],
                       double slices_m[BIOHEAT_AXES]);
// The same of a position that the job gives: the scanner's, unless domain.frame is "slices".
void bioheat_slices_of_given(const struct bioheat_grid *grid, const double given_m[BIOHEAT_AXES],
                             double slices_m[BIOHEAT_AXES]);
// The scanner's position of a cell's middle.
void bioheat_cell_scanner_m(const struct bioheat_grid *grid, const size_t cell[BIOHEAT_AXES],
                            double scanner_m[BIOHEAT_AXES]);

// Rows x, y, z of the scanner's position from (x, y, z, 1) along the slices, m.
void bioheat_frame_affine(const struct bioheat_grid *grid, double affine[3][4]);

// What positions are called: " (scanner, RAS+)", " (the image's, orientation unknown)", or "" without an
// image.
const char *bioheat_frame_name(const struct bioheat_grid *grid);

#endif
