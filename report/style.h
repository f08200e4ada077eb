// Palettes, colour scales, round steps, and values as text. Pure functions over numbers: use no files, no
// gnuplot process, no model.
#ifndef FATHOM_REPORT_STYLE_H
#define FATHOM_REPORT_STYLE_H

#include <stdbool.h>
#include <stddef.h>

enum { STYLE_TICKS_MAX = 32, STYLE_TEXT_BYTES = 64 };

// Colours at equal steps, along paths in CIE L*C*h of even lightness: equal steps of the data appear equal,
// also in black and white. "#rrggbb".
enum { STYLE_COLOURS = 17 };
extern const char *const style_sequential[STYLE_COLOURS]; // L* 99 (white) → 14: amplitudes, nothing to much
extern const char *const style_travel[STYLE_COLOURS]; // L* 95 → 42: times; light enough for lines on top
extern const char
    *const style_flood[STYLE_COLOURS]; // L* 91 → 18, blue: water on land; no white, the colour of the sea
extern const char *const style_diverging[STYLE_COLOURS]; // L* 25 (blue) → 97.5 (white) → 25 (red): elevations

// The nearest of 1, 2, 5 × 10ⁿ not below (round_up) or not above (round_down) a positive value.
double style_round_up(double value);
double style_round_down(double value);

// The same with more steps in a decade (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8): the end of a linear scale.
double style_round_up_finely(double value);

// A step of 1, 2, 5 × 10ⁿ that divides `range` (> 0) into at most `most` parts.
double style_step(double range, int most);

// The same step; or, if fewer than two of its multiples lie in low … high, the next smaller step with two: so
// there are two ticks.
double style_step_within(double low, double high, int most);

// The same for degrees (down to arc seconds through 30, 20, 15, 10, 5, 2, 1 minutes), and for times in s (1,
// 2, 5, 10, 15, 30 s and min, 1, 2, 3, 6, 12 h, days).
double style_step_degrees(double range_degrees, int most);
double style_step_time_s(double range_s, int most);

// The unit for a time axis of that length.
struct style_time_unit {
    const char *name; // "s", "min", "h"
    double seconds;
};
struct style_time_unit style_time_unit(double duration_s);

// Colour scales: a value's position between the first and the last colour. LINEAR: low … high. LOG: low > 0,
// smaller values are drawn as `low`. SYMMETRIC: −high … high, linear near 0 and logarithmic beyond `knee`
// (inverse hyperbolic sine).
enum style_scale_kind { STYLE_LINEAR, STYLE_LOG, STYLE_SYMMETRIC };
struct style_scale {
    enum style_scale_kind kind;
    double low, high, knee;
    double tick_step; // LINEAR: of the colour bar; 0 = a round number
};

// Limited to 0 … 1; NaN stays NaN.
double style_scale_position(const struct style_scale *scale, double value);

// Round values for the ticks of the colour bar, ascending; they include the ends of the scale if these are
// round. Returns how many.
size_t style_scale_ticks(const struct style_scale *scale, double ticks[STYLE_TICKS_MAX]);

// A scale for values ≥ 0, from a low percentile of the values above 0 and a high one: logarithmic over at
// most three decades if the two differ by more than a factor of 20, else linear from 0. If there are no
// values: 0 … 1 mm.
struct style_scale style_scale_amplitude(double low_percentile, double high_percentile);

// A symmetric scale for frames with the largest magnitude `high` and waves of the `typical` height: linear if
// the two differ by less than a factor of 4.
struct style_scale style_scale_elevation(double typical, double high);

// The value that a fraction (0 … 1) of the entries does not exceed. Only finite entries above `floor` count;
// NaN if there are none. For more than 200 000 entries an evenly spaced sample is used.
double style_percentile(const float *values, size_t count, double fraction, double floor);

// Texts, each written to `text` (STYLE_TEXT_BYTES) and returned. Not a number → "–".
const char *style_length(double value_m, char *text);    // "7.24 m", "12.3 cm", "4 mm", "1.2 km"
const char *style_duration(double value_s, char *text);  // "3 h 25 min", "12 min 5 s", "22.5 s"
const char *style_longitude(double degrees, char *text); // "150°E", "150°30′W", "180°"; any convention
const char *style_latitude(double degrees, char *text);  // "30°N", "0°"
const char *style_position(double longitude, double latitude, char *text); // "38.711°N 148.694°E"
const char *style_place(double longitude, double latitude, int decimals,
                        char *text);                // the same with so many decimals
const char *style_tick(double value, char *text);   // "%g"
const char *style_power(int power, char *text);     // of ten: "10⁻⁶"
const char *style_decade(double value, char *text); // on a logarithmic axis: "0.02", "5000", "2·10⁶"
const char *style_number(double value, char *text); // three significant digits, if possible without exponent

// SI prefix for a magnitude: 3.2e15 → factor 1e15, "P". From 1e-6 to 1e18; 1, "" otherwise.
double style_si_prefix(double magnitude, const char **prefix);

// Any text as a double-quoted gnuplot string. Control characters become blanks, invalid UTF-8 becomes
// "\uFFFD". Characters with a meaning in gnuplot (quotes, backslash, backtick, @) are written in octal, four
// bytes each; a single-quoted string is not possible, because gnuplot 5.4 reads three single quotes in a row
// as two strings. The text is cut to `characters` (UTF-8) or to `bytes` (at least 8), with "…".
const char *style_quote(const char *source, size_t characters, char *text, size_t bytes);

#endif
