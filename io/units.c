// Quantities with units, through udunits2: parsing, conversion, and durations written for messages.
// Independent of jobs or files.
//
// udunits2 parses and defines the units. Whether two units measure the same thing is decided here, since
// udunits2 also converts between reciprocals (Hz and s) and takes angles for pure numbers; either would hide
// a mistake in a job.
#include "io/units.h"

#include "core/progress.h"
#include "io/suggest.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <udunits2.h>

enum { UNIT_BYTES = 80, REASON_BYTES = 320, BASES = 8, KIND_WORDS = 24, TEXT_SHOWN = 60 };

static const char *const base_symbols[BASES] = {"m", "kg", "s", "A", "K", "mol", "cd", "rad"};

// What a unit measures (powers of the base units), and how: value_in_base = scale * value + offset.
struct measure {
    int powers[BASES];
    double scale;
    double offset;
    bool is_special; // a date, a logarithmic unit, or an unknown base unit: never convertible
};

// A kind of quantity: a unit that has it, its name in messages, and common units (the first three are the
// examples).
struct kind {
    const char *unit;
    const char *noun;
    const char *words[KIND_WORDS];
};

static const struct kind kinds[] = {
    {"s",
     "a time",
     {"s", "min", "h", "d", "ms", "us", "second", "seconds", "minute", "minutes", "hour", "hours", "day",
      "days", "week", "weeks", "year", "years"}},
    {"m",
     "a length",
     {"m",      "km",        "mm",         "cm",         "um",   "meter", "meters",        "metre",
      "metres", "kilometer", "kilometers", "centimeter", "foot", "feet",  "nautical_mile", "mile",
      "fathom", "inch",      "pc",         "kpc",        "AU"}},
    {"degree",
     "an angle",
     {"degree", "arcmin", "arcsec", "degrees", "degree_east", "degree_north", "degrees_east", "degrees_north",
      "arcminute", "arcminutes", "arcsecond", "arcseconds", "radian", "rad", "deg"}},
    {"m s-1", "a speed", {"m/s", "cm/s", "km/h", "knot", "knots"}},
    {"m s-2", "an acceleration", {"m/s2", "cm/s2", "gal"}},
    {"K", "a temperature", {"K", "degC", "degF", "kelvin", "celsius"}},
    {"kg", "a mass", {"kg", "g", "mg", "kilogram", "gram", "tonne", "solar_mass"}},
    {"m2", "an area", {"m2", "km2", "cm2"}},
    {"m3", "a volume", {"m3", "km3", "liter", "mL"}},
    {"kg m-3", "a density", {"kg/m3", "g/cm3"}},
    {"s-1", "a rate", {"Hz", "kHz", "MHz", "1/s", "1/min"}},
    {"N", "a force", {"N", "kN", "newton"}},
    {"Pa", "a pressure", {"Pa", "hPa", "kPa", "MPa", "GPa", "bar", "mbar", "atm", "pascal"}},
    {"J", "an energy", {"J", "kJ", "cal", "joule", "electronvolt"}},
    {"W", "a power", {"W", "kW", "mW", "watt"}},
    {"1", "a number without unit", {"1", "%", "percent"}},
};

// Common names that udunits2 lacks, added to its table so that compounds ("deg/h") work too.
static const struct {
    const char *name;
    const char *definition;
} added_names[] = {
    {"hrs", "h"},
    {"mins", "min"},
    {"min", "min"}, // a name is found in any case: "Min" would be a megainch
    {"deg", "degree"},
    {"degs", "degree"},
    {"degrees_true", "degree"},
    {"nmi", "nautical_mile"}, // else a nanomile
    {"kn", "knot"},
    {"kts", "knot"},
    {"degE", "degree_east"},
    {"deg_E", "degree_east"},
    {"degN", "degree_north"},
    {"deg_N", "degree_north"},
    {"degW", "degree_west"},
    {"deg_W", "degree_west"},
    {"deg_S", "-1 degree"},
    {"degree_S", "-1 degree"},
    {"degree_south", "-1 degree"},
    {"degrees_south", "-1 degree"},
    // The sky's: parsec (IAU 2015 B2) and astronomical unit (IAU 2012 B2), whose symbols udunits2 lacks; the
    // Sun's nominal G M, 1.3271244e20 m3 s-2 (IAU 2015 B3), over CODATA 2018's G.
    {"pc", "3.0856775814913673e16 m"},
    {"AU", "149597870700 m"},
    {"solar_mass", "1.988409870698051e30 kg"},
    {"Msun", "1.988409870698051e30 kg"},
};

// Whole texts with blanks in them, or in capitals, that real files hold; compared without case unless
// `exact`.
static const struct {
    const char *text;
    const char *unit;
    bool exact;
} aliases[] = {
    {"decimal degree", "degree", false},
    {"decimal degrees", "degree", false},
    {"decimal_degrees", "degree", false},
    {"deg C", "degC", false},
    {"deg F", "degF", false},
    {"deg K", "K", false},
    {"degree C", "degC", false},
    {"degrees C", "degC", false},
    {"degrees Celsius", "degC", false},
    {"degree Celsius", "degC", false},
    {"degS", "degree_south", true}, // exact: in names, which have no case, it would be the plural of deg
    {"M", "m", true},
    {"KM", "km", true},
    {"CM", "cm", true},
    {"M/S", "m/s", true},
    {"CM/S", "cm/s", true},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static ut_system *unit_system;
static const char *first_example; // or NULL

void units_suggest_first(const char *word)
{
    first_example = word;
}

// ---- unit system -------------------------------------------------------------------------------

static enum status add_names(ut_system *system)
{
    for (size_t k = 0; k < COUNT(added_names); k++) {
        ut_unit *unit = ut_parse(system, added_names[k].definition, UT_UTF8);
        if (unit == NULL)
            return FAIL(STATUS_SYSTEM, "the unit tables of udunits2 lack \"%s\"", added_names[k].definition);
        ut_status mapped = ut_map_name_to_unit(added_names[k].name, UT_ASCII, unit);
        ut_free(unit);
        // UT_EXISTS: a later udunits2 has the name, whose meaning is then right.
        if (mapped != UT_SUCCESS && mapped != UT_EXISTS)
            return FAIL(STATUS_SYSTEM, "udunits2 refuses the unit name \"%s\"", added_names[k].name);
    }
    return STATUS_OK;
}

static enum status open_unit_system(void)
{
    if (unit_system != NULL)
        return STATUS_OK;
    ut_set_error_message_handler(ut_ignore);
    ut_system *system = ut_read_xml(NULL);
    if (system == NULL)
        return FAIL(STATUS_SYSTEM,
                    "the unit tables of udunits2 cannot be read (Debian package libudunits2-data; the "
                    "environment variable UDUNITS2_XML_PATH, if set, must name udunits2.xml)");
    enum status status = add_names(system);
    if (status != STATUS_OK) {
        ut_free_system(system);
        return status;
    }
    unit_system = system;
    return STATUS_OK;
}

enum status units_system(struct ut_system **system)
{
    CHECK(open_unit_system());
    *system = unit_system;
    return STATUS_OK;
}

void units_release(void)
{
    if (unit_system != NULL)
        ut_free_system(unit_system);
    unit_system = NULL;
}

// ---- what a unit measures ----------------------------------------------------------------------

static void add_power(struct measure *measure, const ut_unit *basic, int power)
{
    const char *symbol = ut_get_symbol(basic, UT_ASCII);
    for (int b = 0; b < BASES; b++) {
        if (symbol != NULL && strcmp(symbol, base_symbols[b]) == 0) {
            measure->powers[b] += power;
            return;
        }
    }
    measure->is_special = true;
}

static ut_status visit_basic(const ut_unit *unit, void *context)
{
    add_power(context, unit, 1);
    return UT_SUCCESS;
}

static ut_status visit_product(const ut_unit *unit, int count, const ut_unit *const *basics,
                               const int *powers, void *context)
{
    (void)unit;
    for (int k = 0; k < count; k++)
        add_power(context, basics[k], powers[k]);
    return UT_SUCCESS;
}

static ut_status visit_special(const ut_unit *unit, double parameter, const ut_unit *underlying,
                               void *context)
{
    (void)unit;
    (void)parameter;
    (void)underlying;
    ((struct measure *)context)->is_special = true;
    return UT_SUCCESS;
}

static ut_status visit_timestamp(const ut_unit *unit, const ut_unit *time_unit, double origin, void *context)
{
    return visit_special(unit, origin, time_unit, context);
}

static ut_status visit_galilean(const ut_unit *unit, double scale, const ut_unit *underlying, double offset,
                                void *context);

static const ut_visitor measure_visitor = {visit_basic, visit_product, visit_galilean, visit_timestamp,
                                           visit_special};

// A multiple of another unit, possibly shifted (degC): value_in_underlying = scale * (value + offset).
static ut_status visit_galilean(const ut_unit *unit, double scale, const ut_unit *underlying, double offset,
                                void *context)
{
    (void)unit;
    struct measure *measure = context;
    measure->scale *= scale;
    measure->offset = scale * (measure->offset + offset);
    return ut_accept_visitor(underlying, &measure_visitor, measure);
}

static struct measure measure_of(const ut_unit *unit)
{
    struct measure measure = {.scale = 1.0};
    if (ut_accept_visitor(unit, &measure_visitor, &measure) != UT_SUCCESS)
        measure.is_special = true;
    return measure;
}

static bool same_kind(const struct measure *a, const struct measure *b)
{
    return !a->is_special && !b->is_special && memcmp(a->powers, b->powers, sizeof a->powers) == 0;
}

static const struct kind *kind_of(const struct measure *measure)
{
    for (size_t k = 0; k < COUNT(kinds); k++) {
        ut_unit *unit = ut_parse(unit_system, kinds[k].unit, UT_UTF8);
        if (unit == NULL) // a unit table of the user's own may lack it
            continue;
        struct measure known = measure_of(unit);
        ut_free(unit);
        if (same_kind(measure, &known))
            return &kinds[k];
    }
    return NULL;
}

static size_t kind_word_count(const struct kind *kind)
{
    size_t count = 0;
    while (count < KIND_WORDS && kind->words[count] != NULL)
        count++;
    return count;
}

// ---- parsing -----------------------------------------------------------------------------------

// The unit's text without blanks at the ends, each run of blanks inside made one space. False if it is too
// long.
static bool tidy_unit(const char *text, char tidy[UNIT_BYTES])
{
    size_t length = 0;
    bool is_blank_due = false;
    for (const char *c = text; *c != '\0'; c++) {
        bool is_no_break_space = (unsigned char)c[0] == 0xC2 && (unsigned char)c[1] == 0xA0;
        if (isspace((unsigned char)*c) || is_no_break_space) {
            is_blank_due = length > 0;
            c += is_no_break_space ? 1 : 0;
            continue;
        }
        if (length + 2 >= UNIT_BYTES)
            return false;
        if (is_blank_due)
            tidy[length++] = ' ';
        is_blank_due = false;
        tidy[length++] = *c;
    }
    tidy[length] = '\0';
    return true;
}

// "deg E", "degrees north": an angle's name, a blank, and a direction by its first letter or in full.
static const char *resolve_direction(const char *tidy)
{
    static const char *const angles[] = {"deg ", "degree ", "degrees "};
    static const char *const directions[][2] = {{"east", "degree_east"},
                                                {"north", "degree_north"},
                                                {"west", "degree_west"},
                                                {"south", "degree_south"}};
    for (size_t a = 0; a < COUNT(angles); a++) {
        const char *direction = tidy + strlen(angles[a]);
        if (strncasecmp(tidy, angles[a], strlen(angles[a])) != 0)
            continue;
        for (size_t d = 0; d < COUNT(directions); d++)
            if (strcasecmp(direction, directions[d][0]) == 0 ||
                (direction[1] == '\0' && tolower((unsigned char)direction[0]) == directions[d][0][0]))
                return directions[d][1];
    }
    return NULL;
}

static const char *resolve_alias(const char *tidy)
{
    const char *direction = resolve_direction(tidy);
    if (direction)
        return direction;
    for (size_t k = 0; k < COUNT(aliases); k++) {
        if (aliases[k].exact ? strcmp(tidy, aliases[k].text) == 0 : strcasecmp(tidy, aliases[k].text) == 0)
            return aliases[k].unit;
    }
    return tidy;
}

// False if the unit is not known.
static bool find_unit(const char *tidy, struct measure *measure)
{
    ut_unit *unit = ut_parse(unit_system, resolve_alias(tidy), UT_UTF8);
    if (unit == NULL)
        return false;
    *measure = measure_of(unit);
    ut_free(unit);
    return true;
}

static const char *nearest_unit(const char *tidy, const struct kind *wanted)
{
    const char *nearest = NULL;
    if (wanted != NULL)
        nearest = suggest_word(tidy, wanted->words, kind_word_count(wanted));
    for (size_t k = 0; k < COUNT(kinds) && nearest == NULL; k++)
        nearest = suggest_word(tidy, kinds[k].words, kind_word_count(&kinds[k]));
    return nearest;
}

// The first three words of the kind, but the preferred one first.
static void list_examples(const struct kind *kind, const char *words[3])
{
    size_t count = 0;
    for (size_t k = 0; k < KIND_WORDS && kind->words[k] && first_example; k++)
        if (strcmp(kind->words[k], first_example) == 0)
            words[count++] = kind->words[k];
    for (size_t k = 0; count < 3; k++)
        if (count == 0 || strcmp(kind->words[k], words[0]) != 0)
            words[count++] = kind->words[k];
}

// "a time, for instance in s, min or h", or "a quantity in W m-1 K-1".
static void describe_expected(const struct kind *wanted, const char *unit, char text[REASON_BYTES])
{
    if (wanted == NULL)
        snprintf(text, REASON_BYTES, "a quantity in %s", unit);
    else if (strcmp(wanted->unit, "1") == 0)
        snprintf(text, REASON_BYTES, "%s", wanted->noun);
    else if (wanted->words[2] == NULL)
        snprintf(text, REASON_BYTES, "%s in %s, %s or %s", wanted->noun, wanted->words[0], wanted->words[1],
                 wanted->unit);
    else {
        const char *words[3];
        list_examples(wanted, words);
        snprintf(text, REASON_BYTES, "%s in %s, %s or %s", wanted->noun, words[0], words[1], words[2]);
    }
}

// Says why `tidy` cannot be converted to `to`, the measure of `unit`. from: its own measure; NULL: unknown.
static void say_mismatch(const char *tidy, const char *unit, const struct measure *from,
                         const struct measure *to, char reason[REASON_BYTES])
{
    const struct kind *wanted = kind_of(to);
    char expected[REASON_BYTES];
    describe_expected(wanted, unit, expected);
    const char *nearest = from ? NULL : nearest_unit(tidy, wanted);
    if (nearest) {
        snprintf(reason, REASON_BYTES, "unknown unit %s (did you mean %s?)", tidy, nearest);
        return;
    }
    if (!from) {
        snprintf(reason, REASON_BYTES, "unknown unit %s (%.120s is expected)", tidy, expected);
        return;
    }
    const struct kind *kind = from->is_special ? NULL : kind_of(from);
    snprintf(reason, REASON_BYTES, "%s is %s, but %.120s is expected", tidy,
             kind != NULL       ? kind->noun
             : from->is_special ? "a date or a logarithmic unit"
                                : "another kind of quantity",
             expected);
}

// Finds `tidy` and checks that it measures what `unit` does. False with the reason.
static bool match_units(const char *tidy, const char *unit, struct measure *from, struct measure *to,
                        char reason[REASON_BYTES])
{
    char target[UNIT_BYTES]; // may be a file's own, too
    if (!tidy_unit(unit, target) || !find_unit(target, to) || to->is_special) {
        snprintf(reason, REASON_BYTES, "unit %.*s is not one to convert to", TEXT_SHOWN, unit);
        return false;
    }
    const bool is_known = find_unit(tidy, from);
    if (is_known && same_kind(from, to))
        return true;
    say_mismatch(tidy, unit, is_known ? from : NULL, to, reason);
    return false;
}

// The slope from one unit to another, as multiplier / divisor of which one is 1. Ratios of definitions carry
// rounding errors; a ratio within a few of them of a whole number is that number (arcmin to degree: exactly
// 1/60).
static void ratio_of(double from_scale, double to_scale, double *multiplier, double *divisor)
{
    double ratio = from_scale / to_scale;
    double inverse = to_scale / from_scale;
    *multiplier = ratio;
    *divisor = 1.0;
    if (fabs(ratio) >= 1.0 && fabs(ratio - round(ratio)) <= 4e-16 * fabs(ratio)) {
        *multiplier = round(ratio);
    } else if (fabs(inverse) > 1.0 && fabs(inverse - round(inverse)) <= 4e-16 * fabs(inverse)) {
        *multiplier = 1.0;
        *divisor = round(inverse);
    }
}

// One number and one unit: a number inside the unit ("24 h 30 min", "5 m @ 3") would silently become a
// factor.
static bool has_second_number(const char *tidy)
{
    for (const char *c = tidy; *c != '\0'; c++) {
        bool starts_word = c == tidy || strchr(" .*/(", c[-1]) != NULL;
        if (*c == '@' || (starts_word && (isdigit((unsigned char)*c) || *c == '-' || *c == '+'))) {
            if (c == tidy && c[0] == '1' && c[1] == '/') // "1/s" is a unit
                continue;
            return true;
        }
    }
    return false;
}

// Splits off the number. Hexadecimal, "inf" and "nan", which strtod accepts, are not numbers here.
static enum status split_number(const char *text, double *number, const char **rest)
{
    const char *start = text;
    while (isspace((unsigned char)*start))
        start++;
    const char *digits = start + (*start == '+' || *start == '-' ? 1 : 0);
    bool has_digit =
        isdigit((unsigned char)digits[0]) || (digits[0] == '.' && isdigit((unsigned char)digits[1]));
    bool is_hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    if (!has_digit || is_hexadecimal)
        return FAIL(STATUS_CONFIGURATION,
                    "\"%.*s\" does not begin with a number; write a number and a unit, as in \"24 h\"",
                    TEXT_SHOWN, text);
    char *end = NULL;
    *number = strtod(start, &end);
    if (!isfinite(*number))
        return FAIL(STATUS_CONFIGURATION, "\"%.*s\" is too large: a finite number is expected", TEXT_SHOWN,
                    text);
    if (*end == ',')
        return FAIL(STATUS_CONFIGURATION, "\"%.*s\": write decimals with a point, not a comma", TEXT_SHOWN,
                    text);
    *rest = end;
    return STATUS_OK;
}

static enum status fail_without_unit(const char *text, const char *unit)
{
    while (isspace((unsigned char)*text))
        text++;
    int length = (int)strnlen(text, TEXT_SHOWN);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    struct measure measure;
    const struct kind *kind = find_unit(unit, &measure) ? kind_of(&measure) : NULL;
    if (kind == NULL || kind->words[2] == NULL)
        return FAIL(STATUS_CONFIGURATION, "%.*s has no unit; write \"%.*s %s\"", length, text, length, text,
                    unit);
    const char *words[3];
    list_examples(kind, words);
    return FAIL(STATUS_CONFIGURATION, "%.*s has no unit; write \"%.*s %s\", \"%.*s %s\" or \"%.*s %s\"",
                length, text, length, text, words[0], length, text, words[1], length, text, words[2]);
}

static enum status parse(const char *text, const char *unit, bool is_difference, double *value)
{
    assert(text != NULL && unit != NULL && value != NULL);
    CHECK(open_unit_system());
    double number = 0.0;
    const char *rest = NULL;
    CHECK(split_number(text, &number, &rest));
    char tidy[UNIT_BYTES];
    if (!tidy_unit(rest, tidy))
        return FAIL(STATUS_CONFIGURATION, "\"%.*s...\": one number and one unit are expected", TEXT_SHOWN,
                    text);
    if (tidy[0] == '\0') {
        if (strcmp(unit, "1") != 0)
            return fail_without_unit(text, unit);
        *value = number;
        return STATUS_OK;
    }
    if (has_second_number(tidy))
        return FAIL(STATUS_CONFIGURATION, "\"%.*s\": one number and one unit are expected, as in \"90 min\"",
                    TEXT_SHOWN, text);
    struct measure from, to;
    char reason[REASON_BYTES];
    if (!match_units(tidy, unit, &from, &to, reason))
        return FAIL(STATUS_CONFIGURATION, "\"%.*s\": %s", TEXT_SHOWN, text, reason);
    double multiplier, divisor;
    ratio_of(from.scale, to.scale, &multiplier, &divisor);
    const double offset = is_difference ? 0 : (from.offset - to.offset) / to.scale;
    const double converted = number * multiplier / divisor + offset;
    if (!isfinite(converted))
        return FAIL(STATUS_CONFIGURATION, "\"%.*s\" is too large: a finite number is expected", TEXT_SHOWN,
                    text);
    *value = converted;
    return STATUS_OK;
}

enum status units_parse_quantity(const char *text, const char *unit, double *value)
{
    return parse(text, unit, false, value);
}

enum status units_parse_difference(const char *text, const char *unit, double *value)
{
    return parse(text, unit, true, value);
}

enum status units_conversion(const char *from, const char *to, double *slope, double *offset)
{
    assert(from != NULL && to != NULL && slope != NULL && offset != NULL);
    CHECK(open_unit_system());
    char tidy[UNIT_BYTES];
    if (!tidy_unit(from, tidy))
        return FAIL(STATUS_DATA, "\"%.*s...\" is not a unit", TEXT_SHOWN, from);
    struct measure from_measure, to_measure;
    char reason[REASON_BYTES];
    if (!match_units(tidy, to, &from_measure, &to_measure, reason))
        return FAIL(STATUS_DATA, "%s", reason);
    double multiplier, divisor;
    ratio_of(from_measure.scale, to_measure.scale, &multiplier, &divisor);
    *slope = multiplier / divisor;
    *offset = (from_measure.offset - to_measure.offset) / to_measure.scale + 0.0; // never -0
    return STATUS_OK;
}

enum status units_contradict(const char *given, const char *stated, bool *contradict)
{
    // Tables round: udunits2's parsec is 1.4e-7 longer than the IAU's, pc. The nearest units that differ are
    // the foot and the US survey foot, by 2e-6.
    static const double rounding = 1e-6;
    double slope, offset;
    *contradict = false;
    CHECK(units_conversion(given, given, &slope, &offset));
    if (stated == NULL || stated[0] == '\0' || strcmp(stated, "1") == 0 || strcmp(given, stated) == 0)
        return STATUS_OK;
    if (units_conversion(stated, stated, &slope, &offset) == STATUS_OK)
        *contradict = units_conversion(stated, given, &slope, &offset) != STATUS_OK ||
                      fabs(slope - 1) > rounding || fabs(offset) > rounding;
    status_clear(); // what cannot be read or converted is an answer here
    return STATUS_OK;
}

// ---- for messages --------------------------------------------------------------------------------

// Rounded to three significant digits, so that 59.96 s is seen to be a minute before the unit is chosen.
static double round_to_three_digits(double value)
{
    if (value <= 0.0)
        return 0.0;
    double step = pow(10.0, floor(log10(value)) - 2.0);
    return round(value / step) * step;
}

// "3 min 20 s" below ten of the major unit, "12.6 min" from there.
static void format_two_units(double value_s, double major_s, const char *major, double minor_s,
                             const char *minor, const char *sign, char *text, size_t bytes)
{
    double minors = round(value_s / minor_s);
    double per_major = round(major_s / minor_s);
    double majors = floor(minors / per_major);
    if (majors >= 10.0)
        snprintf(text, bytes, "%s%.3g %s", sign, value_s / major_s, major);
    else if (minors - majors * per_major > 0.0)
        snprintf(text, bytes, "%s%.0f %s %.0f %s", sign, majors, major, minors - majors * per_major, minor);
    else
        snprintf(text, bytes, "%s%.0f %s", sign, majors, major);
}

const char *units_format_duration(double seconds, char *text, size_t bytes)
{
    const double minute = 60.0, hour = 3600.0, day = 86400.0, year = 365.25 * day;
    const char *sign = seconds < 0.0 ? "-" : "";
    char years[32];
    double value = fabs(seconds);
    double rounded = round_to_three_digits(value);
    if (!isfinite(value))
        snprintf(text, bytes, "%s", isnan(value) ? "unknown" : seconds < 0.0 ? "-forever" : "forever");
    else if (value == 0.0)
        snprintf(text, bytes, "0 s");
    else if (rounded < 0.9995e-6)
        snprintf(text, bytes, "%s%.3g ns", sign, value * 1e9);
    else if (rounded < 0.9995e-3)
        snprintf(text, bytes, "%s%.3g us", sign, value * 1e6);
    else if (rounded < 0.9995)
        snprintf(text, bytes, "%s%.3g ms", sign, value * 1e3);
    else if (rounded < 59.95)
        snprintf(text, bytes, "%s%.3g s", sign, value);
    else if (rounded < 59.95 * minute)
        format_two_units(value, minute, "min", 1.0, "s", sign, text, bytes);
    else if (rounded < 47.95 * hour)
        format_two_units(value, hour, "h", minute, "min", sign, text, bytes);
    else if (rounded < 999.5 * day)
        format_two_units(value, day, "d", hour, "h", sign, text, bytes);
    else
        snprintf(text, bytes, "%s%s", sign, progress_format_years(value / year, years, sizeof years));
    return text;
}

const char *units_after(const char *units, char text[UNITS_AFTER_BYTES])
{
    const bool is_number = units[0] == '\0' || strcmp(units, "1") == 0;
    snprintf(text, UNITS_AFTER_BYTES, "%s%s", is_number ? "" : " ", is_number ? "" : units);
    return text;
}
