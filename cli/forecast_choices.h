// What `fathom forecast` chooses between reading an earthquake and running its job, and that job.
#ifndef FATHOM_CLI_FORECAST_CHOICES_H
#define FATHOM_CLI_FORECAST_CHOICES_H

#include "cli/forecast_options.h"
#include "io/date.h"
#include "io/path.h"
#include "io/points_file.h"
#include "models/tsunami/forecast/domain.h"
#include "models/tsunami/forecast/sea.h"
#include "models/tsunami/forecast/source.h"

struct cJSON;

struct forecast_choices {
    const struct forecast_options *options;
    struct cJSON *source_block; // of the job; owned
    struct forecast_source source;
    const char *relation; // chosen by the mechanism; NULL: that of the options, or a job's default
    struct points_file points;
    struct forecast_place *places; // [points.count], owned
    char points_path[PATH_BYTES];
    char bathymetry[PATH_BYTES];   // as the job names it
    struct forecast_domain domain; // its box is clipped to the bathymetry
    bool is_clipped;
    struct forecast_sea sea;
    size_t reached;        // points that a wave comes to
    size_t last;           // the point that it comes to last
    double last_arrival_s; // there
    double hours;
    struct forecast_spacing spacing;
    double source_nodes; // across the faults, about
    double file_spacing_arcmin;
    const char *backend; // that "auto" stands for
    int threads;
    double search_km;        // of output.points
    char origin[DATE_BYTES]; // time.origin, canonical (io/date.h); "": unknown
    char title[256];
};

// Reads the earthquake, the points and a coarse map of the bathymetry, and chooses. forecast_choices_free in
// any case. The statuses of the files' readers; STATUS_DATA: source or point outside the bathymetry, a source
// on land, no point that a wave comes to.
enum status forecast_choose(const struct forecast_options *options, struct forecast_choices *choices);
void forecast_choices_free(struct forecast_choices *choices);

// The job, for cJSON_Delete; NULL without memory.
struct cJSON *forecast_job(const struct forecast_choices *choices);

#endif
