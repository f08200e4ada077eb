// Coefficients of scaling relations, as their papers print them, with the table and its standard deviations.
//
// Strasser, F. O., Arango, M. C. & Bommer, J. J. (2010), Seismol. Res. Lett. 81, 941–950, table 1 (interface)
//   and table 2 (intraslab): log10 L, log10 W, log10 A = a + b Mw.
// Blaser, L., Krüger, F., Ohrnberger, M. & Scherbaum, F. (2010), Bull. Seismol. Soc. Am. 100, 2914–2926,
//   table 1 (length) and table 2 (width), orthogonal regression, by slip type.
// Leonard, M. (2010), Bull. Seismol. Soc. Am. 100, 1971–1988, table 6, interplate: Mw = a + b log10 L, and
//   Mw = a + log10 A, from which the width follows as A/L; strike-slip ruptures longer than 45 km have b = 1.
//   The deviation of the area is half the range that the table gives for its a (3.73 to 4.33).
// Wells, D. L. & Coppersmith, K. J. (1994), Bull. Seismol. Soc. Am. 84, 974–1002, table 2A: subsurface
//   rupture length (RLD) and downdip rupture width (RW), by slip type.
// Thingbaijam, K. K. S., Mai, P. M. & Goda, K. (2017), Bull. Seismol. Soc. Am. 107, 2225–2246, table 1, by
//   faulting regime.
// Murotani, S., Satake, K. & Fujii, Y. (2013), Geophys. Res. Lett. 40, 5070–5074: S = 1.34e-10 M0^(2/3) (km²,
//   N m), with a standard deviation of a factor 1.54. It gives no length and no width.
#include "models/tsunami/earthquake/relations.h"

#include <math.h>
#include <string.h>

// log10 of length and width in km: a + b Mw, with the standard deviation.
struct line {
    double a, b, sigma;
};

struct regression {
    struct line length, width;
    double sigma_area;
    double magnitude_least, magnitude_most;
};

enum { STYLES = 3 };

// Indexed by enum earthquake_style.
static const struct regression strasser_interface = {
    {-2.477, 0.585, 0.180}, {-0.882, 0.351, 0.173}, 0.304, 6.3, 9.4};
static const struct regression strasser_intraslab = {
    {-2.350, 0.562, 0.146}, {-1.058, 0.356, 0.067}, 0.184, 5.9, 7.8};
static const struct regression thingbaijam_interface = {
    {-2.412, 0.583, 0.107}, {-0.880, 0.366, 0.099}, 0.150, 6.7, 9.2};
static const struct regression blaser[STYLES] = {
    [EARTHQUAKE_STRIKE_SLIP] = {{-2.69, 0.64, 0.18}, {-1.12, 0.33, 0.15}, NAN, 4.8, 9.5},
    [EARTHQUAKE_REVERSE] = {{-2.37, 0.57, 0.18}, {-1.86, 0.46, 0.17}, NAN, 4.8, 9.5},
    [EARTHQUAKE_NORMAL] = {{-1.91, 0.52, 0.18}, {-1.20, 0.36, 0.16}, NAN, 4.8, 9.5},
};
static const struct regression wells_coppersmith[STYLES] = {
    [EARTHQUAKE_STRIKE_SLIP] = {{-2.57, 0.62, 0.15}, {-0.76, 0.27, 0.14}, 0.22, 4.8, 8.1},
    [EARTHQUAKE_REVERSE] = {{-2.42, 0.58, 0.16}, {-1.61, 0.41, 0.15}, 0.26, 4.8, 7.6},
    [EARTHQUAKE_NORMAL] = {{-1.88, 0.50, 0.17}, {-1.14, 0.35, 0.12}, 0.22, 5.2, 7.3},
};
static const struct regression thingbaijam[STYLES] = {
    [EARTHQUAKE_STRIKE_SLIP] = {{-2.943, 0.681, 0.151}, {-0.543, 0.261, 0.105}, 0.184, 5.4, 8.7},
    [EARTHQUAKE_REVERSE] = {{-2.693, 0.614, 0.083}, {-1.669, 0.435, 0.087}, 0.121, 5.6, 7.9},
    [EARTHQUAKE_NORMAL] = {{-1.722, 0.485, 0.128}, {-0.829, 0.323, 0.128}, 0.181, 5.9, 8.4},
};

static const struct {
    const char *name, *title;
} names[EARTHQUAKE_RELATIONS] = {
    [EARTHQUAKE_STRASSER_INTERFACE] = {"strasser-interface", "Strasser et al. (2010), interface"},
    [EARTHQUAKE_STRASSER_INTRASLAB] = {"strasser-intraslab", "Strasser et al. (2010), intraslab"},
    [EARTHQUAKE_BLASER] = {"blaser", "Blaser et al. (2010)"},
    [EARTHQUAKE_LEONARD] = {"leonard", "Leonard (2010), interplate"},
    [EARTHQUAKE_WELLS_COPPERSMITH] = {"wells-coppersmith", "Wells & Coppersmith (1994)"},
    [EARTHQUAKE_THINGBAIJAM_INTERFACE] = {"thingbaijam-interface", "Thingbaijam et al. (2017), interface"},
    [EARTHQUAKE_THINGBAIJAM] = {"thingbaijam", "Thingbaijam et al. (2017), crust"},
    [EARTHQUAKE_MUROTANI] = {"murotani", "Murotani et al. (2013)"},
};

const char earthquake_relation_choices[] = "strasser-interface|strasser-intraslab|blaser|leonard|wells-"
                                           "coppersmith|thingbaijam-interface|thingbaijam|"
                                           "murotani";

const char *earthquake_relation_name(enum earthquake_relation relation)
{
    return names[relation].name;
}

const char *earthquake_relation_title(enum earthquake_relation relation)
{
    return names[relation].title;
}

enum earthquake_relation earthquake_relation_named(const char *name)
{
    for (int k = 0; k < EARTHQUAKE_RELATIONS; k++)
        if (strcmp(names[k].name, name) == 0)
            return (enum earthquake_relation)k;
    return EARTHQUAKE_STRASSER_INTERFACE;
}

static double value_m(struct line line, double magnitude)
{
    return 1e3 * pow(10, line.a + line.b * magnitude);
}

static struct earthquake_size size_of(const struct regression *regression, double magnitude)
{
    return (struct earthquake_size){.length_m = value_m(regression->length, magnitude),
                                    .width_m = value_m(regression->width, magnitude),
                                    .sigma_length = regression->length.sigma,
                                    .sigma_width = regression->width.sigma,
                                    .sigma_area = regression->sigma_area,
                                    .magnitude_least = regression->magnitude_least,
                                    .magnitude_most = regression->magnitude_most};
}

// Mw = 4.24 + 1.667 log10 L for dip slip, 4.17 + 1.667 log10 L for strike slip up to 45 km and 5.27 + log10 L
// beyond; Mw = 4.00 + log10 A and 3.99 + log10 A (km, km²). Both lines of strike slip meet at Mw 6.92.
static struct earthquake_size leonard_size(double magnitude, enum earthquake_style style)
{
    const bool is_strike_slip = style == EARTHQUAKE_STRIKE_SLIP;
    const double area_km2 = pow(10, magnitude - (is_strike_slip ? 3.99 : 4.00));
    double length_km = pow(10, (magnitude - (is_strike_slip ? 4.17 : 4.24)) / 1.667);
    if (is_strike_slip)
        length_km = fmax(length_km, pow(10, magnitude - 5.27));
    return (struct earthquake_size){.length_m = 1e3 * length_km,
                                    .width_m = 1e3 * area_km2 / length_km,
                                    .sigma_length = NAN,
                                    .sigma_width = NAN,
                                    .sigma_area = 0.30,
                                    .magnitude_least = NAN,
                                    .magnitude_most = NAN};
}

static struct earthquake_size murotani_size(double magnitude, double aspect)
{
    const double area_km2 = 1.34e-10 * pow(earthquake_moment_n_m(magnitude), 2.0 / 3.0);
    return (struct earthquake_size){.length_m = 1e3 * sqrt(area_km2 * aspect),
                                    .width_m = 1e3 * sqrt(area_km2 / aspect),
                                    .sigma_length = NAN,
                                    .sigma_width = NAN,
                                    .sigma_area = log10(1.54),
                                    .magnitude_least = 6.7,
                                    .magnitude_most = 9.2};
}

static struct earthquake_size choose(enum earthquake_relation relation, double magnitude,
                                     enum earthquake_style style, double aspect)
{
    switch (relation) {
    case EARTHQUAKE_STRASSER_INTRASLAB:
        return size_of(&strasser_intraslab, magnitude);
    case EARTHQUAKE_BLASER:
        return size_of(&blaser[style], magnitude);
    case EARTHQUAKE_LEONARD:
        return leonard_size(magnitude, style);
    case EARTHQUAKE_WELLS_COPPERSMITH:
        return size_of(&wells_coppersmith[style], magnitude);
    case EARTHQUAKE_THINGBAIJAM_INTERFACE:
        return size_of(&thingbaijam_interface, magnitude);
    case EARTHQUAKE_THINGBAIJAM:
        return size_of(&thingbaijam[style], magnitude);
    case EARTHQUAKE_MUROTANI:
        return murotani_size(magnitude, aspect);
    case EARTHQUAKE_STRASSER_INTERFACE:
    case EARTHQUAKE_RELATIONS:
        break;
    }
    return size_of(&strasser_interface, magnitude);
}

struct earthquake_size earthquake_relation_size(enum earthquake_relation relation, double magnitude,
                                                enum earthquake_style style, double aspect)
{
    struct earthquake_size size = choose(relation, magnitude, style, aspect);
    const bool is_interface = relation == EARTHQUAKE_STRASSER_INTERFACE ||
                              relation == EARTHQUAKE_THINGBAIJAM_INTERFACE || relation == EARTHQUAKE_MUROTANI;
    size.is_of_style = !is_interface || style == EARTHQUAKE_REVERSE;
    size.is_in_range = !(magnitude < size.magnitude_least || magnitude > size.magnitude_most);
    return size;
}
