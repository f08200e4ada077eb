// The parts of `fathom report` for a run of heat in tissue: slices through the hottest cell, frames over
// time, sensors, and what each tissue got. Internal to report/.
#ifndef FATHOM_REPORT_BIOHEAT_REPORT_H
#define FATHOM_REPORT_BIOHEAT_REPORT_H

#include "report/context.h"
#include "report/contour.h"
#include "report/plot.h"
#include "report/style.h"

enum heat_axis { HEAT_Z, HEAT_Y, HEAT_X, HEAT_AXES };

// Cells first … first + count − 1 along each axis.
struct heat_box {
    size_t first[HEAT_AXES], count[HEAT_AXES];
};

// What the drawing parts need to know of the volume. Positions in mm.
struct heat_volume {
    const struct result_file *file; // maxima.nc, or fields.nc
    const char *variable;           // whose largest value makes the hottest cell
    size_t cells[HEAT_AXES];
    double *axes_mm[HEAT_AXES]; // owned
    size_t hottest[HEAT_AXES];
    double hottest_c, coolest_c; // of `variable`
    struct heat_box all, close;  // `close`: where it got warm; all of it if that is most of the volume
    bool has_close;
    bool is_maximum; // `variable` is the largest temperature of the run; false: that of its last frame
};

// volume.c: *is_there is false if the run kept no temperatures. heat_close_volume in any case, of one that
// began as {0}.
enum status heat_open_volume(const struct report_grid *grid, struct heat_volume *volume, bool *is_there);
void heat_close_volume(struct heat_volume *volume);

// Planes through a cell: what runs across and what upwards. A plane of which one axis has a single cell is
// left out.
struct heat_plane {
    enum heat_axis normal, across, up;
    const char *name; // "z = 12 mm" is made from it
};
enum { HEAT_PLANES = 3 };
extern const struct heat_plane heat_planes[HEAT_PLANES];
bool heat_has_plane(const struct heat_volume *volume, int plane);

// A slice of a variable: [up][across]; record −1: a static variable.
struct heat_slice {
    size_t nx, ny;
    double x_first, x_step, y_first, y_step; // mm
    float *values;                           // owned: heat_free_slice
};
enum status heat_read_slice(const struct result_file *file, const char *variable, long long record,
                            const struct heat_volume *volume, int plane, const struct heat_box *box,
                            struct heat_slice *slice);
void heat_free_slice(struct heat_slice *slice);

// slices.c
enum status report_draw_heat_slices(struct report *report, const struct heat_volume *volume);
// frames.c
enum status report_draw_heat_frames(struct report *report, const struct heat_volume *volume);
// sensors.c
enum status report_draw_heat_sensors(struct report *report);

// draw.c: one slice as part of a picture.
struct heat_layer {
    const struct heat_slice *slice;
    const struct style_scale *scale;
    const struct contour_points *tissues, *lesion; // lines in mm; NULL: none
    const double *cross_mm;                        // (across, up) of the hottest cell; NULL: not marked
};
// Box, axes and labels come before; writes the plot command.
enum status heat_script_layer(struct plot *plot, const struct heat_layer *layer);
void heat_script_axes(struct plot *plot, const struct heat_slice *slice, int plane, double width_px,
                      double height_px, bool has_x, bool has_y);
// Borders between labels.
enum status heat_trace_tissues(const struct heat_slice *labels, struct contour_points *points);
enum status heat_trace_level(const struct heat_slice *slice, double level, struct contour_points *points);
const char *heat_tick(double value, char *text);

#endif
