// The parts of the report of heat in tissue: slices through the hottest cell, frames over time, sensors, the
// results of each tissue, and what the page's script shows. Internal to report/bioheat/.
#ifndef FATHOM_REPORT_BIOHEAT_REPORT_H
#define FATHOM_REPORT_BIOHEAT_REPORT_H

#include "report/contour.h"
#include "report/model.h"
#include "report/plot.h"
#include "report/style.h"
#include "report/web/volume.h"

extern const struct report_model report_bioheat;

// The sections of the page: indices in the model's list.
enum report_bioheat_section {
    HEAT_SLICES,
    HEAT_TISSUES,
    HEAT_PROFILES,
    HEAT_FRAMES,
    HEAT_SENSORS,
    HEAT_DIAGNOSTICS
};

enum heat_axis { HEAT_Z, HEAT_Y, HEAT_X, HEAT_AXES };

// Cells first … first + count − 1 along each axis.
struct heat_box {
    size_t first[HEAT_AXES], count[HEAT_AXES];
};

// The state of the report. NaN where a figure does not exist.
struct report_heat {
    double largest_c, place_mm[HEAT_AXES], at_s; // of the whole run
    bool largest_is_of_records;                  // steps between records are not included
    double end_c, end_place_mm[HEAT_AXES];       // in the last frame, if the run kept no largest temperatures
    size_t sensors;
    struct heat_anatomy *anatomy; // owned; NULL: none
};

// The volume that the pictures show. Positions in mm.
struct heat_volume {
    const struct result_file *file; // maxima.nc, or fields.nc
    const char *variable;           // its largest value is at the hottest cell
    size_t cells[HEAT_AXES];
    double *axes_mm[HEAT_AXES]; // owned
    size_t hottest[HEAT_AXES];
    double hottest_c, coolest_c; // of `variable`
    struct heat_box all, close;  // `close`: around the warm cells
    bool has_close;
    bool is_maximum; // `variable` is the largest temperature of the run; false: that of its last frame
};

// Whether the result states where it lies in a body, so that x grows to the right, y to the front, z up.
bool report_bioheat_is_oriented(const struct heat_volume *volume);
// Positions (x, y, z) of the scanner from those along the axes of the files, and back: others only where the
// slices of the image are tilted.
void report_bioheat_to_scanner(const struct heat_volume *volume, const double axes_mm[3],
                               double scanner_mm[3]);
void report_bioheat_to_axes(const struct heat_volume *volume, const double scanner_mm[3], double axes_mm[3]);

// volume.c: *is_found is false if the run kept no temperatures. Start from {0}, and call
// report_bioheat_close_volume in any case.
enum status report_bioheat_open_volume(const struct report_files *files, struct heat_volume *volume,
                                       bool *is_found);
void report_bioheat_close_volume(struct heat_volume *volume);

// Planes through a cell, with their horizontal and vertical axes. A plane with an axis of a single cell is
// left out.
struct heat_plane {
    enum heat_axis normal, across, up;
};
enum { HEAT_PLANES = 3 };
extern const struct heat_plane report_bioheat_planes[HEAT_PLANES];
bool report_bioheat_has_plane(const struct heat_volume *volume, int plane);
// "x", or of tilted slices "x′", along which the planes of pictures lie.
const char *report_bioheat_axis_name(const struct heat_volume *volume, enum heat_axis axis);
// What a caption says of tilted slices; "" of others.
const char *report_bioheat_tilt_text(const struct heat_volume *volume, char *text, size_t bytes);

// A slice of a variable: [up][across]; record −1: a static variable.
struct heat_slice {
    size_t nx, ny;
    double x_first, x_step, y_first, y_step; // mm
    float *values;                           // owned: report_bioheat_free_slice
};
enum status report_bioheat_read_slice(const struct result_file *file, const char *variable, long long record,
                                      const struct heat_volume *volume, int plane, const struct heat_box *box,
                                      struct heat_slice *slice);
void report_bioheat_free_slice(struct heat_slice *slice);

// tables.c
void report_bioheat_tissue_table(FILE *page, const struct report *report);
bool report_bioheat_has_tissues(const struct report *report);
void report_bioheat_figures(FILE *page, const struct report *report);
// slices.c
enum status report_bioheat_draw_slices(struct report *report, const struct heat_volume *volume);
// The colour scales of temperatures, and of doses (logarithmic over four decades).
struct style_scale report_bioheat_temperature_scale(const struct heat_volume *volume);
struct style_scale report_bioheat_dose_scale(const struct report *report);
// frames.c
enum status report_bioheat_draw_frames(struct report *report, const struct heat_volume *volume);
// sensors.c
enum status report_bioheat_draw_sensors(struct report *report);

// slice.c: one slice as part of a picture.
struct heat_layer {
    const struct heat_slice *slice;
    const struct style_scale *scale;
    const struct contour_points *tissues, *lesion; // lines in mm; NULL: none
    const double *cross_mm;                        // (across, up) of the hottest cell; NULL: no mark
};
// Writes the plot command, after box, axes and labels.
enum status report_bioheat_script_layer(struct plot *plot, const struct heat_layer *layer);
void report_bioheat_script_axes(struct plot *plot, const struct heat_volume *volume,
                                const struct heat_slice *slice, int plane, double width_px, double height_px,
                                bool has_x, bool has_y);
// Letters of the sides, of a volume whose axes are the body's (report_bioheat_is_oriented): x grows to the
// right, so that R is on the right, as neurologists show it.
void report_bioheat_script_letters(struct plot *plot, int plane);
#define HEAT_CONVENTION "R is on the right (neurological convention)"
// Borders between labels.
enum status report_bioheat_trace_tissues(const struct heat_slice *labels, struct contour_points *points);
enum status report_bioheat_trace_level(const struct heat_slice *slice, double level,
                                       struct contour_points *points);

// anatomy.c: an anatomical image, looked up at the positions of a result. Start from NULL, and free in any
// case. STATUS_NO_INPUT, STATUS_DATA: it is not a volume, has no positions, or lies elsewhere.
struct heat_anatomy;
enum status report_bioheat_open_anatomy(const char *path, const struct heat_volume *volume,
                                        struct heat_anatomy **anatomy);
void report_bioheat_free_anatomy(struct heat_anatomy *anatomy); // NULL: does nothing
// Grey levels 1 … 63 at the cells of a grid, 0 beyond the image; to a new array (free).
enum status report_bioheat_sample_anatomy(const struct heat_anatomy *anatomy,
                                          const struct web_volume_grid *grid, float **levels);
const char *report_bioheat_anatomy_name(const struct heat_anatomy *anatomy); // of the file
double report_bioheat_anatomy_share(const struct heat_anatomy *anatomy);     // of the volume that it covers

// web_reduce.c: fields with fewer cells, blocks of factor³ cells, so placed that the hottest cell lies in
// the middle of its block.
struct heat_reduction {
    size_t factor[HEAT_AXES], offset[HEAT_AXES]; // cell i belongs to block (i + offset)/factor
    struct web_volume_grid grid;                 // of the blocks
};
struct heat_reduction report_bioheat_reduction(const struct heat_volume *volume, size_t factor);
// The largest value of each block, NaN where it has none; to `values`, as many as the grid has. record −1: a
// static variable.
enum status report_bioheat_reduce(const struct heat_volume *volume, const struct heat_reduction *reduction,
                                  const char *variable, long long record, float *values);
// The label of the warmest cell of each block, of equally warm ones that nearest to its middle.
enum status report_bioheat_reduce_labels(const struct heat_volume *volume,
                                         const struct heat_reduction *reduction, float *values);

// web.c
enum status report_bioheat_web(struct report *report, bool has_maps, bool has_charts);
// web_marks.c: target, transducer, sensors and the hottest cell.
enum status report_bioheat_web_marks(const struct report *report, const struct heat_volume *volume,
                                     cJSON *object);
// web_charts.c: profiles through the hottest cell, sensors, and the run as a whole against time.
enum status report_bioheat_web_charts(struct report *report, const struct heat_volume *volume);

#endif
