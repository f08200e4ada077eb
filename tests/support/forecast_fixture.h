// A sea, towns and earthquakes for tests of `fathom forecast`. Header only.
#ifndef FATHOM_TESTS_SUPPORT_FORECAST_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_FORECAST_FIXTURE_H

#include "tests/support/cli_fixture.h"
#include "tests/support/great_earthquakes.h"

// Land beyond a coast that runs north: west of 141 E, and east of 71 W.
static inline double forecast_with_coast(double x, double y, double time_s)
{
    (void)y, (void)time_s;
    return (x > 0 && x < 141) || (x < 0 && x > -71) ? 200 : -4000;
}

#define SEA "--bathymetry sea.nc --points towns.csv -b openmp"

static inline void forecast_write_sea(bool is_maule)
{
    const struct cli_grid grid = CLI_GLOBE(41, 41, is_maule ? -85 : 130, is_maule ? -46 : 28, 0.5, 0.5,
                                           {"z", "m", "up", NULL, forecast_with_coast});
    cli_write_grid("sea.nc", &grid);
    if (is_maule)
        cli_write_text("towns.csv", "name,longitude,latitude\nFar,-84,-30\nTalcahuano,-71.3,-36.7\n");
    else
        cli_write_text("towns.csv", "name;lon;lat\nFar;149;30\nMiyako;141.4;39.6\n\"Ōfunato\";141.3;39.1\n");
    cli_write_text("tohoku.ndk", great_tohoku_ndk);
    cli_write_text("maule.cmt", great_maule_cmt);
}

#define SHORT "forecast tohoku.ndk " SEA " --hours 0.5 --spacing 30 -q"

#endif
