// Which coordinate a netCDF variable is: see role.h. Works on texts, calls no library.
#include "io/netcdf/role.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcasecmp(word, *words) == 0)
            return true;
    return false;
}

#define IS_ONE_OF(word, ...) is_one_of((word), (const char *const[]){__VA_ARGS__, NULL})

// "degrees_east", "degree_E", "deg E", "degreesN": 'e', 'w', 'n', 's'; 0 where the units name no direction.
static char direction_of(const char *units)
{
    static const char *const angles[] = {"degrees", "degree", "degs", "deg"};
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        const size_t length = strlen(angles[k]);
        if (strncasecmp(units, angles[k], length) != 0)
            continue;
        const char *rest = units + length + strspn(units + length, " _");
        if (strlen(rest) == 1 || IS_ONE_OF(rest, "east", "west", "north", "south")) {
            const char letter = (char)tolower((unsigned char)rest[0]);
            return strchr("ewns", letter) ? letter : '\0';
        }
    }
    return '\0';
}

bool netcdf_is_longitude(const struct netcdf_traits *traits)
{
    const char direction = direction_of(traits->units);
    if (direction)
        return direction == 'e' || direction == 'w';
    return IS_ONE_OF(traits->standard_name, "longitude", "grid_longitude") ||
           IS_ONE_OF(traits->name, "lon", "lons", "longitude", "longitudes");
}

bool netcdf_is_latitude(const struct netcdf_traits *traits)
{
    const char direction = direction_of(traits->units);
    if (direction)
        return direction == 'n' || direction == 's';
    return IS_ONE_OF(traits->standard_name, "latitude", "grid_latitude") ||
           IS_ONE_OF(traits->name, "lat", "lats", "latitude", "latitudes");
}

enum netcdf_role netcdf_role_of(const struct netcdf_traits *traits)
{
    const char *standard_name = traits->standard_name, *axis = traits->axis, *name = traits->name;
    if (netcdf_is_longitude(traits))
        return NETCDF_ROLE_X;
    if (netcdf_is_latitude(traits))
        return NETCDF_ROLE_Y;
    if (strcmp(standard_name, "time") == 0 || strcasecmp(axis, "T") == 0)
        return NETCDF_ROLE_TIME;
    if (strcmp(standard_name, "projection_x_coordinate") == 0 || strcasecmp(axis, "X") == 0)
        return NETCDF_ROLE_X;
    if (strcmp(standard_name, "projection_y_coordinate") == 0 || strcasecmp(axis, "Y") == 0)
        return NETCDF_ROLE_Y;
    if (strcasecmp(axis, "Z") == 0 || (traits->rank == 1 && traits->positive[0] != '\0'))
        return NETCDF_ROLE_Z;
    if (traits->rank > 1)
        return NETCDF_ROLE_NONE;
    if (strstr(traits->units, " since ") || IS_ONE_OF(name, "time", "t"))
        return NETCDF_ROLE_TIME;
    if (IS_ONE_OF(name, "x", "easting", "eastings"))
        return NETCDF_ROLE_X;
    if (IS_ONE_OF(name, "y", "northing", "northings"))
        return NETCDF_ROLE_Y;
    return IS_ONE_OF(name, "z", "lev", "level") ? NETCDF_ROLE_Z : NETCDF_ROLE_NONE;
}
