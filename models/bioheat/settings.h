// The checked parameters of a heat job, with units converted, files found and defaults set. body/ sets
// those of the body, params.c all others.
#ifndef FATHOM_MODELS_BIOHEAT_SETTINGS_H
#define FATHOM_MODELS_BIOHEAT_SETTINGS_H

#include "io/date.h"
#include "io/path.h"
#include "models/bioheat/body/body.h"
#include "models/bioheat/body/stability.h"
#include "models/bioheat/body/start_rates.h"
#include "models/bioheat/solver.h"

enum { BIOHEAT_SENSORS_MAX = 4096 };

struct bioheat_sensor {
    char name[BIOHEAT_NAME_BYTES];
    size_t cell[BIOHEAT_AXES];       // nearest to the position
    double along_m[BIOHEAT_AXES];    // along the slices; if not interpolated that of the cell
    bool is_in_air;                  // known once the media are in memory
    double position_m[BIOHEAT_AXES]; // the same in scanner coordinates (frame.h)
};

// Arterial temperatures (°C) that a body has, of cold to of high fever.
#define BIOHEAT_BODY_LEAST_C 35.0
#define BIOHEAT_BODY_MOST_C  40.0

// A cell of the start from a file.
struct bioheat_start_cell {
    bool is_known;
    int label;
    double temperature_c;
    size_t at[BIOHEAT_AXES];
};

// The effect of the verdict by the levels of the ITRUSST consensus (check.itrusst).
enum bioheat_safety {
    BIOHEAT_SAFETY_REPORTED, // reported, without effect on the exit code
    BIOHEAT_SAFETY_CHECKED,  // a run beyond the levels has failed
    BIOHEAT_SAFETY_IGNORED,  // no verdict: the dose is intended
};

// The images that a run makes of its results (output.nifti).
enum bioheat_image {
    BIOHEAT_IMAGE_TEMPERATURE, // of fields.nc, over time
    BIOHEAT_IMAGE_LARGEST,     // these of maxima.nc
    BIOHEAT_IMAGE_DOSE,
    BIOHEAT_IMAGE_LABELS,
    BIOHEAT_IMAGES
};

// rkl2: how its step was chosen.
struct bioheat_step_choice {
    double tolerance_k;    // NaN: none
    double error_k;        // estimate of the error of a step, at switches too; NaN: unknown
    double switch_error_k; // the part of switches of the source within steps; of a stream once it has ended
    bool awaits_stream;    // that of a stream is not yet in it
    double start_error_k;  // the part of the temperatures at the start
    double curve_error_k;  // of explicit methods, which follow the temperatures' curves by straight pieces
    bool is_resolved;      // the source's switch times are ends of steps
};

struct bioheat_domain;  // body/domain.h
struct bioheat_initial; // initial.h

struct bioheat_params {
    struct bioheat_body body;
    struct bioheat_domain *domain;
    struct bioheat_initial *initial;
    struct bioheat_physics physics;         // with the step
    struct bioheat_limit limit;             // of an explicit step, with its cause
    struct bioheat_start_rates start_rates; // rkl2
    struct bioheat_step_choice choice;
    int64_t steps;
    // Time and outputs
    double duration_s, step_s; // step_s: of the job; NaN: chosen by the stability limit
    const struct bioheat_backend *backend;
    int device;
    enum element output_element;
    double fields_every_s, diagnostics_every_s, sensors_every_s;
    double temperature_resolution_k; // of the fields; 0 = not rounded
    bool fields[BIOHEAT_FIELD_COUNT];
    struct bioheat_crop crop;
    bool sensors_interpolate;
    size_t sensor_count;
    struct bioheat_sensor *sensors;
    bool has_transducer;
    double transducer_m[BIOHEAT_AXES]; // for the report; scanner coordinates, as the target's
    bool has_maxima, has_state;
    bool images[BIOHEAT_IMAGES];
    bool has_csv, has_exposures, has_histograms; // tables as text; a table per exposure; of volumes
    bool has_target;
    double target_m[BIOHEAT_AXES], target_radius_m;
    char from_directory[PATH_BYTES]; // results of the run that this one continues; "" = none
    double lesion_dose_min;          // 240
    enum bioheat_safety safety;
    // Of a start from a file the coldest and the hottest cell of tissue but water, and of water.
    struct bioheat_start_cell start_least[2], start_most[2];
    int64_t check_steps;
    double check_tolerance_k;
    char time_origin[DATE_BYTES];                            // canonical (io/date.h); "": none
    char tissues_path[PATH_BYTES], sensors_path[PATH_BYTES]; // "" = none was read
};

#endif
