// The parts of the report of heat in tissue: slices through the hottest cell, frames over time, sensors, and
// the results of each tissue. Internal to report/bioheat/.
#ifndef FATHOM_REPORT_BIOHEAT_REPORT_H
#define FATHOM_REPORT_BIOHEAT_REPORT_H

#include "report/contour.h"
#include "report/model.h"
#include "report/plot.h"
#include "report/style.h"

extern const struct report_model report_bioheat;

// The sections of the page: indices in the model's list.
enum report_bioheat_section { HEAT_SLICES, HEAT_TISSUES, HEAT_FRAMES, HEAT_SENSORS, HEAT_DIAGNOSTICS };

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

// volume.c: *is_found is false if the run kept no temperatures. Start from {0}, and call
// report_bioheat_close_volume in any case.
enum status report_bioheat_open_volume(const struct report_files *files, struct heat_volume *volume,
                                       bool *is_found);
void report_bioheat_close_volume(struct heat_volume *volume);

// Planes through a cell, with their horizontal and vertical axes. A plane with an axis of a single cell is
// left out.
struct heat_plane {
    enum heat_axis normal, across, up;
    const char *name; // of the label "z = 12 mm"
};
enum { HEAT_PLANES = 3 };
extern const struct heat_plane report_bioheat_planes[HEAT_PLANES];
bool report_bioheat_has_plane(const struct heat_volume *volume, int plane);

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
void report_bioheat_script_axes(struct plot *plot, const struct heat_slice *slice, int plane, double width_px,
                                double height_px, bool has_x, bool has_y);
// Borders between labels.
enum status report_bioheat_trace_tissues(const struct heat_slice *labels, struct contour_points *points);
enum status report_bioheat_trace_level(const struct heat_slice *slice, double level,
                                       struct contour_points *points);

#endif
