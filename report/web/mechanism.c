// Focal mechanisms: see mechanism.h.
#include "report/web/mechanism.h"

#include <math.h>
#include <stdio.h>

static const double degree = 3.14159265358979323846 / 180;

void web_mechanism_vectors(double strike_deg, double dip_deg, double rake_deg, double normal[3],
                           double slip[3])
{
    const double s = strike_deg * degree, d = dip_deg * degree, r = rake_deg * degree;
    normal[0] = -sin(d) * sin(s);
    normal[1] = sin(d) * cos(s);
    normal[2] = -cos(d);
    slip[0] = cos(r) * cos(s) + cos(d) * sin(r) * sin(s);
    slip[1] = cos(r) * sin(s) - cos(d) * sin(r) * cos(s);
    slip[2] = -sin(r) * sin(d);
}

// Lambert's equal-area projection of the lower half: the radius is √2 sin(i/2) at the angle i from the nadir.
static void project(const double p[3], double *xy)
{
    const double level = hypot(p[0], p[1]);
    const double radius = sqrt(fmax(0, 1 - fmin(1, p[2])));
    xy[0] = level > 0 ? radius * p[1] / level : 0;
    xy[1] = level > 0 ? radius * p[0] / level : 0;
}

size_t web_mechanism_side(const double normal[3], double xy[2 * WEB_MECHANISM_POINTS])
{
    enum { HALF = WEB_MECHANISM_POINTS / 2 };
    const double level = hypot(normal[0], normal[1]);
    const bool is_level = level < 1e-9;
    if (is_level && normal[2] < 0)
        return 0;
    // Along the strike, and in the plane downwards; and the side to which the normal leans.
    const double u[3] = {is_level ? 1 : -normal[1] / level, is_level ? 0 : normal[0] / level, 0};
    const double lean[3] = {is_level ? 0 : normal[0] / level, is_level ? 1 : normal[1] / level, 0};
    double down[3] = {-normal[2] * lean[0], -normal[2] * lean[1], level};
    if (is_level) { // the whole disc: the other half of the rim
        down[0] = -lean[0];
        down[1] = -lean[1];
    }
    for (size_t k = 0; k < HALF; k++) {
        const double t = 3.14159265358979323846 * (double)k / (HALF - 1);
        double plane[3], rim[3];
        for (int c = 0; c < 3; c++) {
            plane[c] = cos(t) * u[c] + sin(t) * down[c];
            rim[c] = -cos(t) * u[c] + sin(t) * lean[c];
        }
        project(plane, xy + 2 * k);
        project(rim, xy + 2 * (HALF + k));
    }
    return WEB_MECHANISM_POINTS;
}

static int print_path(const double *xy, size_t count, double radius, char *text, size_t bytes)
{
    int used = 0;
    for (size_t k = 0; k < count && used >= 0 && (size_t)used < bytes; k++)
        used += snprintf(text + used, bytes - (size_t)used, "%s%.1f %.1f", k > 0 ? "L" : "M",
                         radius * (1 + xy[2 * k]) + 1, radius * (1 - xy[2 * k + 1]) + 1);
    return used;
}

bool web_mechanism_svg(double strike_deg, double dip_deg, double rake_deg, int size_px,
                       char svg[WEB_MECHANISM_BYTES])
{
    double vectors[2][3], xy[2 * WEB_MECHANISM_POINTS];
    const double radius = 0.5 * size_px - 1;
    svg[0] = '\0';
    if (!isfinite(strike_deg) || !isfinite(dip_deg) || !isfinite(rake_deg))
        return false;
    web_mechanism_vectors(strike_deg, dip_deg, rake_deg, vectors[0], vectors[1]);
    // Inside exactly one of the two sides, which is what the rule evenodd fills, the motion is dilatation.
    int used = snprintf(
        svg, WEB_MECHANISM_BYTES,
        "<svg class=\"mechanism\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
        "aria-label=\"Mechanism: strike %.0f, dip %.0f, rake %.0f degrees\">"
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#7a0a17\"/>"
        "<path fill=\"#fff\" fill-rule=\"evenodd\" d=\"",
        size_px, size_px, size_px, size_px, strike_deg, dip_deg, rake_deg, radius + 1, radius + 1, radius);
    for (int k = 0; k < 2; k++) {
        const size_t count = web_mechanism_side(vectors[k], xy);
        used += print_path(xy, count, radius, svg + used, (size_t)(WEB_MECHANISM_BYTES - used));
        if (used >= WEB_MECHANISM_BYTES - 200) {
            svg[0] = '\0';
            return false;
        }
        used += snprintf(svg + used, (size_t)(WEB_MECHANISM_BYTES - used), "%s", count > 0 ? "Z" : "");
    }
    snprintf(svg + used, (size_t)(WEB_MECHANISM_BYTES - used),
             "\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"none\" stroke=\"#222\"/></svg>",
             radius + 1, radius + 1, radius);
    return true;
}
