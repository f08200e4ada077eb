// A field of acoustic pressure over z, y, x, as programs that simulate ultrasound write it; read plane by
// plane. Independent of tissue and heat.
//
// | form | recognised by | variables | positions |
// |---|---|---|---|
// | k-Wave | Nx, Ny, Nz | p_max_all, p_max, p_rms: (Nz, Ny, Nx), or a list of all cells | dx, dy, dz in m |
// | BabelBrain | p_amp, x_vec, y_vec, z_vec | p_amp and others: (x, y, z), z fastest | the vectors, in m |
// | NIfTI | its header | the only one; *FullElasticSolution* is an amplitude in Pa | its affine |
// | volume | all else | any that io/formats/volume.h reads | those of its coordinates |
//
// Facts of the first: k-Wave User Manual (Treeby, Cox & Jaros), "HDF5 file format"; of the second: the
// program itself, https://github.com/ProteusMRIgHIFU/BabelBrain.
//
// Not thread-safe (netCDF-C is not). Opening allocates; reading does not, except netCDF-C's chunk cache.
#ifndef FATHOM_IO_FORMATS_PRESSURE_FILE_H
#define FATHOM_IO_FORMATS_PRESSURE_FILE_H

#include "core/status.h"
#include "io/netcdf/volume_layout.h"

#include <stdbool.h>
#include <stddef.h>

struct pressure_file;

// Amplitudes and effective values lie between 0 and this: 200 times the largest of lithotripsy.
#define PRESSURE_MOST_PA 1e9

enum pressure_form { PRESSURE_KWAVE, PRESSURE_BABELBRAIN, PRESSURE_NIFTI, PRESSURE_VOLUME };
// What the variable's name says about its values.
enum pressure_kind { PRESSURE_UNKNOWN, PRESSURE_AMPLITUDE, PRESSURE_RMS };

struct pressure_info {
    const char *path, *variable;
    const char *units;  // of the file, or those of its form ("Pa"); "": none is known
    bool has_own_units; // false: the file itself states none
    enum pressure_form form;
    enum pressure_kind kind;
    size_t cells[VOLUME_AXES];
    // False where the file states none, and for the spacing of an axis with a single cell.
    bool has_origin[VOLUME_AXES], has_spacing[VOLUME_AXES];
    double origin_m[VOLUME_AXES], spacing_m[VOLUME_AXES];
    size_t cache_bytes; // of netCDF's chunks, for the plan
};

// `variable` NULL: the only one that the form names. STATUS_NO_INPUT. STATUS_DATA: no such variable, or one
// of complex numbers; values at some sensor points only; no spacing in a file of k-Wave's; sizes or
// coordinates that do not fit.
enum status pressure_file_open(const char *path, const char *variable, struct pressure_file **file);
void pressure_file_close(struct pressure_file *file); // NULL: does nothing
const struct pressure_info *pressure_file_info(const struct pressure_file *file);
// Of one without an origin: its cells in another order than z, y, x ascending (io/netcdf/volume_layout.h).
// STATUS_DATA: a list of points whose axes would change places.
bool pressure_file_is_placed(const struct pressure_file *file);
// The cells and spacings (NaN: none) along its z, y, x as they are in the file: k, j, i of an image.
void pressure_file_cells(const struct pressure_file *file, size_t cells[VOLUME_AXES],
                         double spacing_m[VOLUME_AXES]);
enum status pressure_file_turn(struct pressure_file *file, const struct volume_turn *turn);
// The form of a file, by its variables. STATUS_NO_INPUT, STATUS_DATA: it is no netCDF or HDF5 file.
enum status pressure_file_form(const char *path, enum pressure_form *form);
const char *pressure_form_name(enum pressure_form form);

// Reads plane z into values [y][x], as they are in the file; missing ones are NaN. `scratch`: as many.
enum status pressure_file_read(struct pressure_file *file, size_t z, double *values, double *scratch);

// Whether plane z as it was read can be one of pressures, of 0 to PRESSURE_MOST_PA when multiplied by to_pa.
// STATUS_DATA: the first value that cannot, with its cell.
enum status pressure_file_check(const struct pressure_file *file, double to_pa, size_t z,
                                const double *values);

#endif
