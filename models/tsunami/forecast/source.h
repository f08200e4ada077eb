// The earthquake of a forecast: what its job's block `source` says, read as a run reads it, and where it
// lies. Before any seal.
#ifndef FATHOM_MODELS_TSUNAMI_FORECAST_SOURCE_H
#define FATHOM_MODELS_TSUNAMI_FORECAST_SOURCE_H

#include "io/job/job.h"
#include "models/tsunami/earthquake/recognise.h"
#include "models/tsunami/forecast/domain.h"
#include "models/tsunami/source_shape.h"

struct forecast_source {
    enum earthquake_format format; // EARTHQUAKE_NONE: the numbers stand in the job
    bool is_rupture;               // a finite fault or a fault table
    char name[EARTHQUAKE_NAME_BYTES], place[EARTHQUAKE_NAME_BYTES]; // "": not in the file
    char time[DATE_BYTES];       // origin, UTC, canonical (io/date.h); "": not in the file
    enum earthquake_style style; // of an earthquake as one plane
    double magnitude, moment_n_m;
    struct source_shape shape;
    struct forecast_box box; // of the faults' edges
};

// `job`: checked against the tables of keys, with source.earthquake, or a file in source.faults. Statuses and
// messages are those of a run. STATUS_DATA: the faults lie on a plane, or none
// slips.
enum status forecast_source_read(const struct job *job, struct forecast_source *source);

#endif
