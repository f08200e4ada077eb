// A map of the page in a form that its script (page.js) draws with Leaflet: images of fields, lines, marks,
// as JSON. All positions are those of the map's own axes: degrees, longitudes continued over the
// antimeridian, or the units of a plane. Independent of models. The form of the JSON: docs/report.md, "The
// page's data".
#ifndef FATHOM_REPORT_WEB_MAP_H
#define FATHOM_REPORT_WEB_MAP_H

#include "report/map.h"

#include <cjson/cJSON.h>

// Colours of an overlay, and of a frame. Odd: a symmetric scale then has a colour for zero.
enum { WEB_MAP_STEPS = 65, WEB_MAP_FRAME_STEPS = 33 };

// Colours of levels of threat, as on the page (report/web/page.css); the last: not known.
enum { WEB_MAP_LEVELS = 7, WEB_MAP_LEVEL_UNKNOWN = WEB_MAP_LEVELS - 1 };
extern const char *const web_map_levels[WEB_MAP_LEVELS];

// How a field is drawn.
struct web_map_field {
    const char *name;           // in the list of layers
    const char *const *palette; // STYLE_COLOURS
    const struct style_scale *scale;
    map_tick_text *format;
    const char *unit;      // NULL if the tick texts have it
    double unit_size;      // values divided by this are in `unit`, as the scale; 0: 1
    const char *note;      // a sentence under the colour bar, or NULL
    bool is_on_water_only; // transparent on land at rest
};

// Adds a map to data.maps and returns it. `id` names its place in the page.
cJSON *web_map_add(cJSON *data, const char *id, const struct map_view *view);

// The layer under all others: land and water at rest.
enum status web_map_base(cJSON *map, const struct map_pair *pair);

// Adds the image of a field to the layers, of which one is shown at a time. *bytes: its size as text.
// *overlay: the layer, whose lines and names (web_map_lines) are shown and hidden with it.
enum status web_map_overlay(cJSON *map, const struct web_map_field *field, const struct map_pair *pair,
                            cJSON **overlay, size_t *bytes);
// Another image of the same layer: the field on a finer grid.
enum status web_map_inset(cJSON *overlay, const struct web_map_field *field, const struct map_pair *pair,
                          size_t *bytes);

// Adds the legend of a field to any object: kind, ends, unit, colours, ticks.
void web_map_legend(cJSON *layer, const struct web_map_field *field);

// A layer of images at several times, with a slider. Begin it, then add one frame after the other.
cJSON *web_map_frames(cJSON *map, const struct web_map_field *field);
enum status web_map_frame(cJSON *frames, const struct web_map_field *field, const struct map_pair *pair,
                          double time_s, size_t *bytes);

struct web_map_line {
    const char *name;
    const char *colour;     // of CSS
    double width, opacity;  // px; 0 … 1
    bool is_dashed, is_off; // is_off: hidden at first
    double tolerance;       // points nearer to the line without them are left out, as are lines smaller than
                            // this; units of the map
};
// Adds lines, and texts on them (labels may be NULL), to the map or to a layer of it. Nothing if `points` has
// none.
enum status web_map_lines(cJSON *parent, const struct web_map_line *line, const struct contour_points *points,
                          const struct map_labels *labels);

// Adds a mark: kind "point", "gauge", "peak" or "epicentre"; level: of threat, −1: none. Returns it, for
// web_map_row. The mark lies on the map also if its longitude is given in another convention.
cJSON *web_map_mark(cJSON *map, const char *kind, const char *name, double x, double y, int level);
// A line of a mark's pop-up.
void web_map_row(cJSON *mark, const char *name, const char *value);

// The longitude by whole turns within the map's; x itself on a plane, or where no turn brings it there.
double web_map_x(const cJSON *map, double x);

// Reduces a line to the points that matter (Douglas and Peucker 1973): keeps the first, the last, and every
// point farther than `tolerance` from the line without it. Returns how many are left. keep: count flags.
size_t web_map_simplify(const float *xy, size_t count, double tolerance, bool *keep);

#endif
