// The order of an N-body run's pictures, and the units in which its page speaks.
#include "report/nbody/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The largest unit of which `largest` is at least `least`.
static struct nbody_unit unit_for(const struct nbody_unit *units, size_t count, double largest, double least)
{
    size_t k = count - 1;
    while (k > 0 && largest < least * units[k].size)
        k--;
    return units[k];
}

struct nbody_unit nbody_length_unit(const struct report *report, double largest)
{
    // Astronomical unit and parsec: IAU 2012 resolution B2, 2015 resolution B2.
    static const struct nbody_unit units[] = {{"m", 1},
                                              {"km", 1e3},
                                              {"AU", 1.495978707e11},
                                              {"pc", 3.0856775814913673e16},
                                              {"kpc", 3.0856775814913673e19},
                                              {"Mpc", 3.0856775814913673e22}};
    if (!report->nbody.is_si)
        return (struct nbody_unit){"", 1};
    return unit_for(units, sizeof units / sizeof *units, largest, 0.5);
}

struct nbody_unit nbody_time_unit(const struct report *report, double largest)
{
    static const double year_s = 365.25 * 86400; // Julian
    const struct nbody_unit units[] = {{"s", 1},
                                       {"h", 3600},
                                       {"d", 86400},
                                       {"a", year_s},
                                       {"ka", 1e3 * year_s},
                                       {"Ma", 1e6 * year_s},
                                       {"Ga", 1e9 * year_s}};
    if (!report->nbody.is_si)
        return (struct nbody_unit){"", 1};
    return unit_for(units, sizeof units / sizeof *units, largest, 2);
}

const char *nbody_time_text(const struct nbody_unit *unit, double time, char text[STYLE_TEXT_BYTES])
{
    snprintf(text, STYLE_TEXT_BYTES, "t = %.4g%s%s", time / unit->size, unit->name[0] ? " " : "", unit->name);
    return text;
}

enum status report_draw_nbody(struct report *report)
{
    struct report_particles bodies = {0};
    bool is_there;
    enum status status = report_open_particles(report->options.directory, &bodies, &is_there);
    if (status == STATUS_OK && is_there)
        status = report_draw_nbody_bodies(report, &bodies);
    if (status == STATUS_OK)
        status = report_draw_nbody_series(report);
    report_close_particles(&bodies);
    return status;
}
