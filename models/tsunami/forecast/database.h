// A propagation database: a folder of unit sources, each a wave computed once for a fault of known slip, to
// be scaled and added (models/tsunami/forecast/combine.h) or fitted to observations
// (models/tsunami/forecast/invert.h). A source is
//
//   a result folder   NAME/fields.nc with eta over time, lat, lon (and u, v), NAME/gauges.nc, NAME/run.json:
//                     at
//                     least one of the first two
//   NOAA's files      NAME_ha.nc, and if they are there NAME_ua.nc, NAME_va.nc
//                     (io/formats/propagation_file.h), where NAME
//                     may be written as in the table of unit sources (kisza26) or as in its column of files
//                     (ki_026_a): the source is then called kisza26. Large letters in the files' names are as
//                     good as small ones; the source's name has small ones
//
// Reads the files through io. Independent of jobs and of the command line. Not thread-safe.
#ifndef FATHOM_MODELS_TSUNAMI_FORECAST_DATABASE_H
#define FATHOM_MODELS_TSUNAMI_FORECAST_DATABASE_H

#include "core/status.h"
#include "io/formats/propagation_file.h"
#include "io/path.h"

#include <stdbool.h>
#include <stddef.h>

enum { DATABASE_NAME_BYTES = 64, DATABASE_SOURCES_MAX = 4096, DATABASE_SERIES_SAMPLES_MAX = 10000000 };

enum database_form { DATABASE_RESULT, DATABASE_NOAA };

struct database_source {
    char name[DATABASE_NAME_BYTES];
    enum database_form form;
    char path[PATH_BYTES]; // of the result folder; of NOAA's files without "_ha.nc"
    char files[PROPAGATION_QUANTITIES][DATABASE_NAME_BYTES + 8]; // NOAA's, as they are spelt; "" = none
    // The slip of its values in m: 1 for NOAA's; from run.json ("source.sift.slips") of a single unit source,
    // which then gives the source its name; else 1, "once the run". Never 0. Values are returned divided by
    // it.
    double slip_m;
    bool is_dispersive; // its run had physics.dispersion
};

struct database;

// Lists the sources of a folder, sorted by name, numbers in them by value (kisza9 before kisza10). Reads
// names and run.json only. The folder cannot be read → STATUS_NO_INPUT; no source in it, two of the same
// name, NOAA's files that differ only in case, a damaged run.json, a slip of 0, more than
// DATABASE_SOURCES_MAX → STATUS_DATA.
enum status database_open(const char *folder, struct database **database);
void database_close(struct database *database); // NULL: does nothing
const char *database_folder(const struct database *database);
size_t database_count(const struct database *database);
const struct database_source *database_at(const struct database *database, size_t index);

// By name, either of NOAA's spellings; else without regard to case. Unknown → STATUS_DATA, with the nearest
// known one; two that differ only in case, none of them spelt as `name` → STATUS_DATA.
enum status database_find(const struct database *database, const char *name, size_t *index);

// Compares gauges.nc and, with_fields, fields.nc of a result folder with their checksums in its run.json,
// which has them of files up to 1 GiB; fields that are compressed have their own. STATUS_DATA: a file was
// damaged or changed after its run. STATUS_NO_INPUT: files of two runs may lie there
// (output_check_published).
enum status database_check_files(const struct database_source *source, bool with_fields);

// Where a source's fields of a quantity lie; false if it has none (there is no such file).
bool database_fields_path(const struct database_source *source, enum propagation_quantity quantity,
                          char path[PATH_BYTES]);

// ---- series

// A place: by name (of a gauge in gauges.nc; NULL = none), by position (degrees, any turn of longitude; NaN =
// none), or by both.
struct database_place {
    const char *name;
    double longitude, latitude;
};

enum database_origin { DATABASE_FROM_GAUGE, DATABASE_FROM_FIELDS };

// How far a station may lie from the place and still be taken for it: without a name in common; with one,
// beyond which the name is taken for a mistake.
#define DATABASE_STATION_REACH_M 1000.0
#define DATABASE_STATION_MOST_M  100000.0

struct database_series {
    size_t samples;
    double *times_s;    // since the event, ascending; owned
    bool borrows_times; // times_s is that of another series, which is freed at the same time
    double *eta_m;      // per metre of slip; all finite; owned
    enum database_origin origin;
    char station[DATABASE_NAME_BYTES]; // from a gauge: its name; else ""
    double longitude, latitude;        // of the gauge as given, or of the place
};

// The surface at a place for one metre of slip: from gauges.nc, if a station there has the name, or lies
// within DATABASE_STATION_REACH_M; else bilinear between the four nodes of the fields around the place, all
// of which must be water at all times. Reads in blocks: memory is the series and what netCDF-C keeps of a
// file's chunks (at most DATASET_CACHE_BYTES_MAX). No such station and no position, a place outside the grid
// or beside land, more than DATABASE_SERIES_SAMPLES_MAX samples, a missing value, damaged files → STATUS_DATA
// with the reason.
enum status database_read_series(const struct database *database, size_t index,
                                 const struct database_place *place, struct database_series *series);
void database_series_free(struct database_series *series); // all zero is fine

// The same for `count` places of one source in one pass: gauges.nc is opened once, each of its chunks is read
// once, and the series from it share their times. series[count] are filled in, or all freed if one fails:
// *failed is its number. A block of values is the only further memory.
enum status database_read_places(const struct database *database, size_t index,
                                 const struct database_place *places, size_t count,
                                 struct database_series *series, size_t *failed);

#endif
