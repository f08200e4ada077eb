// Files of great earthquakes: see great_earthquakes.h.
#include "tests/support/great_earthquakes.h"

#include "tests/support/cli_fixture.h"

#include <math.h>
#include <stdio.h>

const char great_tohoku_ndk[] =
    "PDE  2011/03/11 05:46:23.0  38.32  142.37  24.4 7.9 7.9 NEAR EAST COAST OF HONSH\n"
    "M201103110546A   B:  0    0   0 S:  0    0   0 M:100  271 300 CMT: 1 TRIHD: 70.0\n"
    "CENTROID:     69.8 0.2  37.52 0.01  143.05 0.02  20.0  0.0 FIX  S-20110311234057\n"
    "29  1.730 0.006 -0.281 0.005 -1.450 0.005  2.120 0.068  4.550 0.065 -0.657 0.004\n"
    "V10   5.305 55 295   0.014  0 205  -5.319 35 115   5.312 203 10   88  25 80   90\n";
const char great_maule_cmt[] =
    " PDE 2010  2 27  6 34 15.60 -35.8500  -72.7100  44.8 7.2 8.5 NEAR COAST OF CENTRAL CH\n"
    "event name:     201002270634A\ntime shift:     60.0\nhalf duration:  60.0\n"
    "latitude:      -35.98\nlongitude:     -73.15\ndepth:          23.2\n"
    "Mrr: 1.04e+29\nMtt: -3.9e+27\nMpp: -1.0e+29\nMrt: 3.04e+28\nMrp: -1.52e+29\n"
    "Mtp: -1.19e+28\n";

double great_write_param(const char *name, int nx, int ny, double dx_km, double dy_km, double strike,
                         double dip, double longitude, double latitude, double top_km, double most_cm)
{
    static char text[200000];
    double moment_dyn_cm = 0;
    const double degree = 3.14159265358979323846 / 180;
    int used = sprintf(
        text,
        "#Total number of fault_segments=     1\n#Fault_segment =   1 nx(Along-strike)=  %d Dx= %.2fkm "
        "ny(downdip)=  %d Dy= %.2fkm\n#Boundary of Fault_segment     1. EQ in cell 9,3. Lon: %.4f   Lat: "
        "%.4f\n#Lon.  Lat.  Depth\n 0 0 0\n 0 0 0\n 0 0 0\n 0 0 0\n 0 0 0\n#Lat. Lon. depth slip rake "
        "strike dip t_rup t_ris t_fal mo\n",
        nx, dx_km, ny, dy_km, longitude, latitude);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const double along = (i - 0.5 * (nx - 1)) * dx_km, down = (j + 0.5) * dy_km;
            const double across = (down - 0.5 * ny * dy_km) * cos(dip * degree);
            const double slip_cm =
                most_cm * exp(-pow((i - 0.5 * nx) / (0.25 * nx), 2) - pow((j - 1.5) / (0.4 * ny), 2));
            const double moment = 4.1e11 * dx_km * 1e5 * dy_km * 1e5 * slip_cm;
            used +=
                sprintf(text + used, "%.6f %.6f %.6f %.6f 90 %g %g %.3f 5.4 5.4 %.9e\n",
                        latitude + (along * cos(strike * degree) - across * sin(strike * degree)) / 111.2,
                        longitude + (along * sin(strike * degree) + across * cos(strike * degree)) /
                                        (111.2 * cos(latitude * degree)),
                        top_km + down * sin(dip * degree), slip_cm, strike, dip, 0.4 * fabs(along), moment);
            moment_dyn_cm += moment;
        }
    cli_write_text(name, text);
    return 1e-7 * moment_dyn_cm;
}

double great_write_tohoku(const char *name)
{
    return great_write_param(name, 25, 13, 25, 20, 200, 10, 143, 38, 5, 3500);
}

double great_write_maule(const char *name)
{
    return great_write_param(name, 20, 9, 30, 20, 17.5, 18, -73, -36, 4, 1600);
}
