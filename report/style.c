// Palettes, colour scales, round steps, and values as text: see style.h.
#include "report/style.h"

#include "io/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const style_sequential[STYLE_COLOURS] = {
    "#fcfcfc", "#f4edd7", "#eedcb3", "#ebcb8f", "#eeb66e", "#f39f50", "#f28843", "#ed713e", "#e7593c",
    "#dd403e", "#d12341", "#be0549", "#a40453", "#8a0458", "#70025d", "#4d1656", "#2d1948",
};
const char *const style_travel[STYLE_COLOURS] = {
    "#f6f3c8", "#eaebb2", "#dde39d", "#cddc88", "#b4d782", "#98d183", "#7acb86", "#58c48f", "#32bb9b",
    "#0fb1a5", "#10a6aa", "#029bab", "#0591ab", "#0d86a9", "#067ca6", "#0572a3", "#0068a1",
};
const char *const style_flood[STYLE_COLOURS] = {
    "#cbebf6", "#b4dff1", "#9cd4ec", "#86c8e7", "#6fbce2", "#59b0dd", "#44a3d7", "#2f97cf", "#198ac7",
    "#017dbd", "#0370b0", "#0264a4", "#085796", "#134b87", "#193f77", "#1c3466", "#1d2954",
};
const char *const style_diverging[STYLE_COLOURS] = {
    "#003f61", "#005581", "#066ba1", "#0b83c3", "#3d9bdd", "#74b1e9", "#9fc9f4", "#cde0f6", "#f8f8f8",
    "#fcd6cd", "#fbb3a5", "#f49281", "#ea6f5f", "#d15449", "#b83834", "#982325", "#7a0a17",
};

// Rounding errors of log10 and pow must not turn 0.5 into 1, or 2 into 1.
static const double slack = 1e-9;

double style_round_up(double value)
{
    double decade = pow(10, floor(log10(value) + slack));
    static const double steps[] = {1, 2, 5, 10};
    for (size_t k = 0; k < 4; k++)
        if (value <= steps[k] * decade * (1 + slack))
            return steps[k] * decade;
    return 10 * decade;
}

double style_round_down(double value)
{
    double decade = pow(10, floor(log10(value) + slack));
    static const double steps[] = {5, 2, 1};
    for (size_t k = 0; k < 3; k++)
        if (value >= steps[k] * decade * (1 - slack))
            return steps[k] * decade;
    return decade;
}

double style_round_up_finely(double value)
{
    double decade = pow(10, floor(log10(value) + slack));
    static const double steps[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        if (value <= steps[k] * decade * (1 + slack))
            return steps[k] * decade;
    return 10 * decade;
}

double style_step(double range, int most)
{
    return style_round_up(range / most);
}

double style_step_within(double low, double high, int most)
{
    double step = style_step(high - low, most);
    // At most three reductions: a range always contains two multiples of a step of a third of the range.
    for (int k = 0; k < 3 && floor(high / step + slack) - ceil(low / step - slack) < 1; k++)
        step = style_round_down(0.6 * step);
    return step;
}

static double first_of(const double *steps, size_t count, double range, int most)
{
    for (size_t k = 0; k < count; k++)
        if (range / steps[k] <= most * (1 + slack))
            return steps[k];
    return 0;
}

double style_step_degrees(double range_degrees, int most)
{
    static const double steps[] = {1. / 3600, 2. / 3600, 5. / 3600, 10. / 3600, 20. / 3600, 30. / 3600,
                                   1. / 60,   2. / 60,   5. / 60,   10. / 60,   15. / 60,   20. / 60,
                                   30. / 60,  1,         2,         5,          10,         15,
                                   20,        30,        45,        60,         90,         180};
    double step = first_of(steps, sizeof steps / sizeof *steps, range_degrees, most);
    return step > 0 ? step : 360;
}

double style_step_time_s(double range_s, int most)
{
    static const double steps[] = {1,   2,    5,    10,   15,    30,    60,    120,   300,    600,
                                   900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 432000};
    double step = range_s >= 5 ? first_of(steps, sizeof steps / sizeof *steps, range_s, most) : 0;
    return step > 0 ? step : style_step(range_s, most);
}

struct style_time_unit style_time_unit(double duration_s)
{
    if (duration_s <= 180)
        return (struct style_time_unit){"s", 1};
    if (duration_s <= 3 * 3600)
        return (struct style_time_unit){"min", 60};
    return (struct style_time_unit){"h", 3600};
}

double style_scale_position(const struct style_scale *scale, double value)
{
    double place = NAN;
    switch (scale->kind) {
    case STYLE_LINEAR:
        place = (value - scale->low) / (scale->high - scale->low);
        break;
    case STYLE_LOG:
        place = value > scale->low ? log(value / scale->low) / log(scale->high / scale->low)
                                   : (isnan(value) ? NAN : 0);
        break;
    case STYLE_SYMMETRIC:
        place = 0.5 + 0.5 * asinh(value / scale->knee) / asinh(scale->high / scale->knee);
        break;
    }
    return place < 0 ? 0 : (place > 1 ? 1 : place);
}

static size_t linear_ticks(double low, double high, double step, double *ticks)
{
    size_t count = 0;
    for (double k = ceil(low / step - slack); k * step <= high + slack * step && count < STYLE_TICKS_MAX; k++)
        ticks[count++] = k * step + 0.0; // no minus zero
    return count;
}

// 1, 2, 5 in every decade where there is space, else 1 only.
static size_t decade_ticks(double low, double high, bool dense, double *ticks, size_t most)
{
    static const double dense_steps[] = {1, 2, 5}, sparse_steps[] = {1};
    const double *steps = dense ? dense_steps : sparse_steps;
    size_t step_count = dense ? 3 : 1, count = 0;
    for (double power = floor(log10(low) - slack); power <= log10(high) + slack; power++)
        for (size_t k = 0; k < step_count; k++) {
            double value = steps[k] * pow(10, power);
            if (value >= low * (1 - slack) && value <= high * (1 + slack) && count < most)
                ticks[count++] = value;
        }
    return count;
}

size_t style_scale_ticks(const struct style_scale *scale, double ticks[STYLE_TICKS_MAX])
{
    if (scale->kind == STYLE_LINEAR)
        return linear_ticks(scale->low, scale->high,
                            scale->tick_step > 0 ? scale->tick_step : style_step(scale->high - scale->low, 8),
                            ticks);
    if (scale->kind == STYLE_LOG)
        return decade_ticks(scale->low, scale->high, scale->high / scale->low < 1100, ticks, STYLE_TICKS_MAX);
    double positive[STYLE_TICKS_MAX / 2 - 1];
    bool dense = scale->high / scale->knee < 120;
    size_t half = decade_ticks(scale->knee, scale->high, dense, positive, STYLE_TICKS_MAX / 2 - 1);
    // Always add the end value, at which the colours saturate.
    if (half > 0 && half < STYLE_TICKS_MAX / 2 - 1 && positive[half - 1] < 0.99 * scale->high)
        positive[half++] = scale->high;
    size_t count = 0;
    for (size_t k = half; k > 0; k--)
        ticks[count++] = -positive[k - 1];
    ticks[count++] = 0;
    for (size_t k = 0; k < half; k++)
        ticks[count++] = positive[k];
    return count;
}

struct style_scale style_scale_amplitude(double low_percentile, double high_percentile)
{
    if (!(high_percentile > 0))
        return (struct style_scale){STYLE_LINEAR, 0, 1e-3, 0, 0};
    double high = style_round_up(high_percentile);
    if (!(high_percentile > 20 * low_percentile))
        return (struct style_scale){STYLE_LINEAR, 0, style_round_up_finely(high_percentile), 0, 0};
    double low = style_round_down(low_percentile > 0 ? low_percentile : high / 1000);
    if (low < high / 1000 * (1 + slack))
        low = high / 1000;
    return (struct style_scale){STYLE_LOG, low, high, 0, 0};
}

struct style_scale style_scale_elevation(double typical, double high)
{
    if (!(high > 0))
        return (struct style_scale){STYLE_LINEAR, -1e-3, 1e-3, 0, 0};
    if (!(typical < high / 4)) {
        double end = style_round_up_finely(high);
        return (struct style_scale){STYLE_LINEAR, -end, end, 0, 0};
    }
    double end = style_round_up(high);
    double knee = style_round_down(typical > end / 200 ? typical : end / 200);
    return (struct style_scale){STYLE_SYMMETRIC, -end, end, knee, 0};
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

double style_percentile(const float *values, size_t count, double fraction, double floor_value)
{
    enum { SAMPLE = 200000 };
    size_t stride = count / SAMPLE + 1;
    float *sample = malloc((count / stride + 1) * sizeof *sample);
    if (!sample)
        return NAN; // the picture then uses its default range
    size_t kept = 0;
    for (size_t k = 0; k < count; k += stride)
        if (isfinite(values[k]) && values[k] > floor_value)
            sample[kept++] = values[k];
    qsort(sample, kept, sizeof *sample, compare_floats);
    double result = kept > 0 ? sample[(size_t)(fraction * (double)(kept - 1) + 0.5)] : NAN;
    free(sample);
    return result;
}

const char *style_tick(double value, char *text)
{
    snprintf(text, STYLE_TEXT_BYTES, "%g", value);
    return text;
}

const char *style_number(double value, char *text)
{
    if (!isfinite(value))
        snprintf(text, STYLE_TEXT_BYTES, "–");
    else if (fabs(value) >= 1000 && fabs(value) < 1e7)
        snprintf(text, STYLE_TEXT_BYTES, "%.0f", value);
    else
        snprintf(text, STYLE_TEXT_BYTES, "%.3g", value);
    return text;
}

const char *style_length(double value_m, char *text)
{
    static const struct {
        double least_m, factor;
        const char *unit;
    } units[] = {{1e3, 1e-3, "km"}, {1, 1, "m"}, {0.01, 100, "cm"}, {1e-4, 1e3, "mm"}, {0, 1e6, "µm"}};
    if (!isfinite(value_m) || value_m == 0) {
        snprintf(text, STYLE_TEXT_BYTES, "%s", value_m == 0 ? "0 m" : "–");
        return text;
    }
    size_t k = 0;
    while (fabs(value_m) < units[k].least_m * (1 - slack))
        k++;
    char number[STYLE_TEXT_BYTES];
    style_number(value_m * units[k].factor, number);
    if (number[0] == '-') // the typographic minus sign
        snprintf(text, STYLE_TEXT_BYTES, "−%.40s %s", number + 1, units[k].unit);
    else
        snprintf(text, STYLE_TEXT_BYTES, "%.40s %s", number, units[k].unit);
    return text;
}

const char *style_duration(double value_s, char *text)
{
    double rounded = floor(value_s + 0.5);
    if (!isfinite(value_s))
        snprintf(text, STYLE_TEXT_BYTES, "–");
    else if (fabs(value_s) < 60)
        snprintf(text, STYLE_TEXT_BYTES, "%.3g s", value_s);
    else if (rounded < 3600)
        snprintf(text, STYLE_TEXT_BYTES, "%.0f min %02.0f s", floor(rounded / 60), fmod(rounded, 60));
    else {
        double minutes = floor(value_s / 60 + 0.5);
        snprintf(text, STYLE_TEXT_BYTES, "%.0f h %02.0f min", floor(minutes / 60), fmod(minutes, 60));
    }
    return text;
}

// Degrees with minutes and seconds where they are not whole.
static void degrees_text(double degrees, const char *hemisphere, char *text)
{
    double seconds = floor(degrees * 3600 + 0.5);
    double whole = floor(seconds / 3600), minutes = floor(fmod(seconds, 3600) / 60), rest = fmod(seconds, 60);
    if (rest > 0)
        snprintf(text, STYLE_TEXT_BYTES, "%.0f°%02.0f′%02.0f″%s", whole, minutes, rest, hemisphere);
    else if (minutes > 0)
        snprintf(text, STYLE_TEXT_BYTES, "%.0f°%02.0f′%s", whole, minutes, hemisphere);
    else
        snprintf(text, STYLE_TEXT_BYTES, "%.0f°%s", whole, hemisphere);
}

static double wrapped_longitude(double degrees)
{
    double wrapped = fmod(degrees, 360);
    return wrapped > 180 ? wrapped - 360 : (wrapped <= -180 ? wrapped + 360 : wrapped);
}

const char *style_longitude(double degrees, char *text)
{
    double wrapped = wrapped_longitude(degrees);
    bool bare = fabs(wrapped) < 1e-6 || fabs(fabs(wrapped) - 180) < 1e-6;
    degrees_text(fabs(wrapped), bare ? "" : (wrapped > 0 ? "E" : "W"), text);
    return text;
}

const char *style_latitude(double degrees, char *text)
{
    degrees_text(fabs(degrees), fabs(degrees) < 1e-6 ? "" : (degrees > 0 ? "N" : "S"), text);
    return text;
}

const char *style_position(double longitude, double latitude, char *text)
{
    return style_place(longitude, latitude, 3, text);
}

const char *style_place(double longitude, double latitude, int decimals, char *text)
{
    double wrapped = wrapped_longitude(longitude);
    if (!isfinite(longitude) || !isfinite(latitude))
        snprintf(text, STYLE_TEXT_BYTES, "–");
    else
        snprintf(text, STYLE_TEXT_BYTES, "%.*f°%s %.*f°%s", decimals, fabs(latitude),
                 latitude < 0 ? "S" : "N", decimals, fabs(wrapped), wrapped < 0 ? "W" : "E");
    return text;
}

const char *style_power(int power, char *text)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const int size = abs(power);
    size_t used = (size_t)snprintf(text, STYLE_TEXT_BYTES, "10%s", power < 0 ? "⁻" : "");
    for (int unit = size >= 100 ? 100 : size >= 10 ? 10 : 1; unit > 0; unit /= 10)
        used += (size_t)snprintf(text + used, STYLE_TEXT_BYTES - used, "%s", digits[size / unit % 10]);
    return text;
}

const char *style_decade(double value, char *text)
{
    char power_text[STYLE_TEXT_BYTES];
    const int power = value > 0 ? (int)floor(log10(value) + slack) : 0;
    const double factor = value / pow(10, power);
    if (power >= -3 && power <= 4)
        snprintf(text, STYLE_TEXT_BYTES, "%.6g", value);
    else if (fabs(factor - 1) > slack)
        snprintf(text, STYLE_TEXT_BYTES, "%.3g·%.40s", factor, style_power(power, power_text));
    else
        style_power(power, text);
    return text;
}

double style_si_prefix(double magnitude, const char **prefix)
{
    static const struct {
        double factor;
        const char *name;
    } prefixes[] = {{1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"},
                    {1e3, "k"},  {1, ""},     {1e-3, "m"}, {1e-6, "µ"}};
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
        if (fabs(magnitude) >= prefixes[k].factor) {
            *prefix = prefixes[k].name;
            return prefixes[k].factor;
        }
    *prefix = "";
    return 1;
}

// Writes one character to `piece` as gnuplot needs it between double quotes; returns its length in `source`.
// gnuplot would read a digit after an octal number as part of the number, so such a digit is also written in
// octal.
static size_t quote_character(const char *source, char piece[8])
{
    const size_t bytes = utf8_length(source);
    const bool follows_octal = piece[0] == '\\' && *source >= '0' && *source <= '9';
    if (bytes == 0)
        memcpy(piece, UTF8_REPLACEMENT, sizeof UTF8_REPLACEMENT);
    else if (bytes > 1)
        snprintf(piece, 8, "%.*s", (int)bytes, source);
    else if ((unsigned char)*source < 0x20 || *source == 0x7F)
        memcpy(piece, " ", 2);
    else if (follows_octal || strchr("\\\"'`@#$%{}^_[]", *source))
        snprintf(piece, 8, "\\%03o", (unsigned)(unsigned char)*source);
    else
        snprintf(piece, 8, "%c", *source);
    return bytes > 0 ? bytes : 1;
}

const char *style_quote(const char *source, size_t characters, char *text, size_t bytes)
{
    static const char cut[] = "…";
    size_t used = 0, taken = 0;
    char piece[8] = "";
    text[used++] = '"';
    for (const char *p = source; *p; taken++) {
        const size_t length = taken == characters ? 0 : quote_character(p, piece);
        // Leaves room for the ellipsis of a cut text, the closing quote and the terminating zero.
        if (taken == characters || used + strlen(piece) + sizeof cut + 1 > bytes) {
            memcpy(text + used, cut, sizeof cut - 1);
            used += sizeof cut - 1;
            break;
        }
        memcpy(text + used, piece, strlen(piece));
        used += strlen(piece);
        p += length;
    }
    text[used++] = '"';
    text[used] = '\0';
    return text;
}
