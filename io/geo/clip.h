// The part of polygons on one side of a meridian (or of any line x = constant). Independent of files.
#ifndef FATHOM_IO_GEO_CLIP_H
#define FATHOM_IO_GEO_CLIP_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

// Positions, each once: the last is not the first again.
struct geo_ring {
    double (*points)[2]; // owned
    size_t count;
};

// Rings with what they bound to their left: counter-clockwise, holes clockwise. Any number of polygons.
struct geo_rings {
    struct geo_ring *rings; // owned
    size_t count;
};

void geo_rings_free(struct geo_rings *rings); // zero: does nothing
// Appends a copy of a ring. STATUS_SYSTEM.
enum status geo_rings_add(struct geo_rings *rings, const double (*points)[2], size_t count);

// What of them lies to the east of (is_east) or to the west of the line. Where rings cross it they are cut
// and joined along it, so that a hole that the line cuts becomes a notch, and a polygon may become several.
// Parts without an area vanish. clipped: empty before; geo_rings_free in any case. STATUS_SYSTEM.
enum status geo_rings_clip(const struct geo_rings *rings, double line, bool is_east,
                           struct geo_rings *clipped);

// Twice the area that a ring bounds; negative if it is clockwise.
double geo_ring_area(const struct geo_ring *ring);
// Whether a ring has the position inside; on its sides: true or false.
bool geo_ring_has(const struct geo_ring *ring, const double point[2]);

#endif
