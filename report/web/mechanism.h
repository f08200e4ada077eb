// The mechanism of an earthquake as the usual ball: the lower half of the focal sphere in equal-area
// projection, with the quadrants of compression dark. As SVG. Pure geometry.
#ifndef FATHOM_REPORT_WEB_MECHANISM_H
#define FATHOM_REPORT_WEB_MECHANISM_H

#include <stdbool.h>
#include <stddef.h>

enum { WEB_MECHANISM_POINTS = 122, WEB_MECHANISM_BYTES = 6000 };

// The part of the lower half sphere on the positive side of a plane through its centre: a polygon of
// WEB_MECHANISM_POINTS points x (east), y (north) in the unit disc. Returns 0 if that part is empty.
// `normal`: unit vector, north, east, down.
size_t web_mechanism_side(const double normal[3], double xy[2 * WEB_MECHANISM_POINTS]);

// The normal of the fault plane and the direction of slip, north, east, down, from angles in degrees (Aki and
// Richards 2002, section 4.5). The first motion of P is compression where both or neither make an acute
// angle with the ray.
void web_mechanism_vectors(double strike_deg, double dip_deg, double rake_deg, double normal[3],
                           double slip[3]);

// <svg …> of `size_px` pixels. False: the angles are not finite; svg is then empty.
bool web_mechanism_svg(double strike_deg, double dip_deg, double rake_deg, int size_px,
                       char svg[WEB_MECHANISM_BYTES]);

#endif
