// Units of heating: a power density or an energy density. A pressure has the dimension of an energy density
// (1 Pa = 1 J m-3). Therefore the names in the unit decide, so that a pressure field is not taken for heat.
#include "models/bioheat/source/private.h"

#include "io/units.h"

#include <ctype.h>
#include <stdio.h>

static bool converts(const char *units, const char *to, double *scale)
{
    double offset = 0;
    const bool does = units_conversion(units, to, scale, &offset) == STATUS_OK && offset == 0;
    status_clear();
    return does;
}

// The quantities of the names in a unit's text, each by itself: "kPa", "J", "m" of "kPa J-1 m".
struct unit_names {
    bool has_pressure, has_heat; // heat: an energy or a power
};

static struct unit_names read_names(const char *units)
{
    struct unit_names names = {false, false};
    for (const char *at = units; *at;) {
        char name[32];
        double scale;
        size_t length = 0;
        while (isalpha((unsigned char)at[length]) || at[length] == '_')
            length++;
        if (length > 0 && length < sizeof name) {
            snprintf(name, sizeof name, "%.*s", (int)length, at);
            names.has_pressure |= converts(name, "Pa", &scale);
            names.has_heat |= converts(name, "J", &scale) || converts(name, "W", &scale);
        }
        at += length > 0 ? length : 1;
    }
    return names;
}

// Of a unit of the right dimension: whether its names are those of heat.
static enum status check_names(const char *units, const char *expected)
{
    const struct unit_names names = read_names(units);
    if (names.has_pressure)
        return FAIL(STATUS_DATA,
                    "units \"%.60s\" are those of a pressure, which is not heat, though 1 Pa has the "
                    "dimension of 1 J m-3: expected %s; give a field of pressure as source.pressure, which "
                    "computes its heat, Q = alpha p^2/(rho c)",
                    units, expected);
    if (!names.has_heat)
        return FAIL(STATUS_DATA,
                    "units \"%.60s\" name neither an energy nor a power, and a pressure has the same "
                    "dimension: write them with J or W, such as %s",
                    units, expected);
    return STATUS_OK;
}

bool source_units_are_pressure(const char *units)
{
    double scale;
    return (converts(units, "J m-3", &scale) || converts(units, "W m-3", &scale)) &&
           read_names(units).has_pressure;
}

enum status source_units_read_pressure(const char *units, double *scale)
{
    if (converts(units, "Pa", scale) && !read_names(units).has_heat)
        return STATUS_OK;
    return FAIL(STATUS_DATA, "units \"%.60s\" are not those of a pressure: expected Pa, kPa or MPa", units);
}

enum status source_units_read(const char *units, bool *is_energy, double *scale)
{
    const char *expected = is_energy ? "W m-3 (power) or J m-3 (energy added)" : "W m-3";
    if (is_energy)
        *is_energy = false;
    if (converts(units, "W m-3", scale))
        return check_names(units, expected);
    if (!converts(units, "J m-3", scale))
        return FAIL(STATUS_DATA, "units \"%.60s\" are not those of heating: expected %s, or convertible",
                    units, expected);
    CHECK(check_names(units, expected));
    if (!is_energy)
        return FAIL(STATUS_DATA,
                    "units \"%.60s\" are those of an energy; a power density is expected here, such as W m-3",
                    units);
    *is_energy = true;
    return STATUS_OK;
}
