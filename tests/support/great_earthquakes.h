// Files of the great earthquakes of Tohoku 2011 and Maule 2010, for tests of sources: moment tensors of the
// Global CMT catalogue, and finite faults in the USGS' form. Files are the test's own (cli_fixture.h).
#ifndef FATHOM_TESTS_SUPPORT_GREAT_EARTHQUAKES_H
#define FATHOM_TESTS_SUPPORT_GREAT_EARTHQUAKES_H

// Tohoku 2011 as ndk (5.3118e22 N m, Mw 9.08); the tensor of Maule 2010 as CMTSOLUTION (1.8580e22 N m, 8.78).
extern const char great_tohoku_ndk[], great_maule_cmt[];

// Writes a .param of nx by ny patches, whose slip is a hill; returns its moment, the sum of its mo, in N m.
double great_write_param(const char *name, int nx, int ny, double dx_km, double dy_km, double strike,
                         double dip, double longitude, double latitude, double top_km, double most_cm);
// Made-up ones with the places and the slips of these earthquakes.
double great_write_tohoku(const char *name);
double great_write_maule(const char *name);

#endif
