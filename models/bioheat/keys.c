// The keys of a heat job beside those that all models share. A table, nothing else.
#include "models/keys.h"
#include "models/bioheat/body/tissues.h"
#include "models/bioheat/params.h"
#include "models/bioheat/source/source.h"

#include <math.h>

#define MOST_CELLS 2147483647
// Positions, in m.
#define FARTHEST_M 1e3
// Pulses are not repeated faster than the shortest waves of ultrasound.
#define LARGEST_PRF_HZ 2e7

// The keys of a face of the domain; their meaning is explained with domain.faces.all.
#define FACE_KEYS(face, fallback, object_help, kind_help, transfer_help, outside_help)                       \
    BLOCK("domain.faces." face, object_help),                                                                \
        JOB_KEY("domain.faces." face ".kind", JOB_CHOICE, NULL, fallback, false, 0, 0,                       \
                "fixed|insulated|convective|periodic", kind_help),                                           \
        QUANTITY("domain.faces." face ".transfer", "W m-2 K-1", NULL, 1e-9, 1e9, transfer_help),             \
        QUANTITY("domain.faces." face ".outside", "degC", NULL, -273.15, 1e4, outside_help)
#define ONE_FACE(face)                                                                                       \
    FACE_KEYS(face, NULL, "this face alone; keys that are left out are taken from domain.faces.all",         \
              "as domain.faces.all.kind", "as domain.faces.all.transfer", "as domain.faces.all.outside")

// The values outside the times of a series.
#define BEYOND_TIMES(path)                                                                                   \
    OPTIONAL_CHOICE(path ".before_start", "zero|first",                                                      \
                    "value before the first time; if left out, a run that begins earlier is refused"),       \
        OPTIONAL_CHOICE(path ".after_end", "zero|last",                                                      \
                        "value after the last time; if left out, a run that ends later is refused")

#define TISSUE_FACTOR(name, limits)                                                                          \
    FORMS("tissues.scale." name, "number|object",                                                            \
          "factor, " limits ", on the " name " of all tissues, or of those named")

// Rows of values over time, for points and for boxes.
#define SOURCE_ROWS(name)                                                                                    \
    TEXT("source." name ".file", NULL,                                                                       \
         "netCDF or HDF5 file; then `at`, `values` and `times` are names of variables in it"),               \
        FORMS("source." name ".values", "list|text",                                                         \
              "matrix [time][point or box]: a list of rows, or a variable; negative values cool"),           \
        TEXT("source." name ".units", NULL,                                                                  \
             "unit of the values: W m-3 (power), J m-3 (energy added per row), or one that converts to one " \
             "of them; needed unless a file states it"),                                                     \
        OVERRIDE("source." name),                                                                            \
        CHOICE("source." name ".rows", "times", "times|steps",                                               \
               "steps: one row per step of the run; times: the rows lie at `times`"),                        \
        FORMS("source." name ".times", "list|text",                                                          \
              "times of the rows from the run's start, [\"0 s\", \"30 s\"], or a variable; if left out, "    \
              "the coordinate of the matrix's rows; one time more than rows gives the end of the last row"), \
        CHOICE("source." name ".between", "stepwise", "stepwise|linear",                                     \
               "between times: stepwise: a row lasts until the next one's time; linear: interpolated"),      \
        BEYOND_TIMES("source." name)

#define AXES(path)                                                                                           \
    OPTIONAL_CHOICE(                                                                                         \
        path, "image|ascending",                                                                             \
        "order of the cells of a file without positions over labels from an image: image: that of "          \
        "the image's voxels i, j, k; ascending: x to the right, y to the front, z up; if left "              \
        "out, image where the file has the image's cells")

static const struct job_key keys[] = {
    BACKEND_KEY,
    BLOCK("domain.uniform", "one medium throughout"),
    TEXT("domain.uniform.tissue", NULL,
         "a name of the table of tissues; the values below, if given, replace those of the table"),
    QUANTITY("domain.uniform.density", "kg m-3", NULL, BIOHEAT_LEAST_DENSITY, BIOHEAT_MOST_DENSITY,
             "density of the medium"),
    QUANTITY("domain.uniform.specific_heat", "J kg-1 K-1", NULL, BIOHEAT_LEAST_SPECIFIC_HEAT,
             BIOHEAT_MOST_SPECIFIC_HEAT, "specific heat of the medium"),
    QUANTITY("domain.uniform.conductivity", "W m-1 K-1", NULL, BIOHEAT_LEAST_CONDUCTIVITY,
             BIOHEAT_MOST_CONDUCTIVITY, "thermal conductivity of the medium"),
    TEXT("domain.uniform.perfusion", NULL,
         "blood perfusion: \"559 mL/min/kg\" (per mass of tissue), \"0.01 s-1\" (volume per volume), \"10 kg "
         "m-3 s-1\" (mass per volume) or \"4e4 W m-3 K-1\" (heat); 0 if left out, unless a tissue is named"),
    QUANTITY("domain.uniform.sound_speed", "m s-1", NULL, 100, 20000, "sound speed, for source.pressure"),
    TEXT("domain.uniform.attenuation", NULL,
         "attenuation of sound at 1 MHz, for source.pressure: \"0.59 dB/cm\", \"6.8 Np/m\""),
    NUMBER("domain.uniform.attenuation_exponent", NULL, 0, 3,
           "its power y of the frequency, alpha = attenuation (f/1 MHz)^y"),
    BLOCK("domain.uniform.cells", "size of the grid"),
    REQUIRED_WHOLE("domain.uniform.cells.x", 1, MOST_CELLS, "cells along x"),
    REQUIRED_WHOLE("domain.uniform.cells.y", 1, MOST_CELLS, "cells along y"),
    WHOLE("domain.uniform.cells.z", "1", 1, MOST_CELLS, "cells along z; 1: a plane"),
    FORMS("domain.uniform.spacing", "quantity|object",
          "distance of the cells' centres: \"1 mm\", or {\"x\": \"1 mm\", \"y\": "
          "..., \"z\": ...}; the centre of cell 0 lies at 0"),
    BLOCK(
        "domain.labels",
        "a volume of labels, whole numbers from 0 to 255, each of which stands for a tissue (block tissues)"),
    REQUIRED_TEXT("domain.labels.file", "NIfTI-1 (.nii, .nii.gz), netCDF or HDF5 (MATLAB v7.3 too)"),
    TEXT("domain.labels.variable", NULL,
         "name of the variable; may be left out if the file has only one volume"),
    BLOCK("domain.fields", "properties of the medium, cell by cell"),
    REQUIRED_TEXT("domain.fields.file", "netCDF or HDF5 (MATLAB v7.3 too)"),
    TEXT("domain.fields.density", "density", "variable of the density"),
    TEXT("domain.fields.specific_heat", "specific_heat",
         "variable of the specific heat; a cell of infinite heat capacity keeps its temperature"),
    TEXT("domain.fields.conductivity", "conductivity",
         "variable of the conductivity; a cell with 0 is void: no heat passes to or from it"),
    TEXT("domain.fields.perfusion", NULL, "variable of the perfusion; 0 if left out"),
    BLOCK("domain.fields.units", "units of the variables, if the file does not state them"),
    TEXT("domain.fields.units.density", NULL, "for example kg m-3"),
    TEXT("domain.fields.units.specific_heat", NULL, "for example J kg-1 K-1"),
    TEXT("domain.fields.units.conductivity", NULL, "for example W m-1 K-1"),
    TEXT("domain.fields.units.perfusion", NULL, "for example mL/min/kg, s-1, kg m-3 s-1"),
    OVERRIDE("domain.fields"),
    BLOCK("domain.ct",
          "a CT or pseudo-CT in Hounsfield units (HU): air is void, soft tissue one tissue, and bone "
          "has the density that follows from its HU; heat only, not with source.pressure"),
    REQUIRED_TEXT("domain.ct.file", "NIfTI-1 (.nii, .nii.gz), netCDF or HDF5"),
    TEXT("domain.ct.variable", NULL,
         "name of the variable; may be left out if the file has only one volume, and of NIfTI-1"),
    CHOICE(
        "domain.ct.relation", "k-plan", "k-plan|mcdannold2020|schneider1996",
        "density, sound speed and attenuation of bone from its HU: k-Plan's default calibration; McDannold "
        "et al. (2020); or Schneider et al. (1996), as k-Wave's hounsfield2density, without attenuation"),
    NUMBER("domain.ct.bone_from", "300", -1000, 4000, "HU from which a cell is bone"),
    NUMBER("domain.ct.air_below", "-400", -1100, 4000, "HU below which a cell is air, which is void"),
    TEXT("domain.ct.soft_tissue", "brain", "tissue of the cells that are neither"),
    TEXT("domain.ct.bone", "cortical bone", "tissue of bone, but for its density"),
    FORMS("domain.spacing", "quantity|object",
          "distance of the cells' centres, if the file of labels or fields has no "
          "coordinates: \"1 mm\", or {\"x\": \"1 mm\", \"y\": ..., \"z\": ...}"),
    CHOICE(
        "domain.frame", "scanner", "scanner|slices",
        "positions in the job, where the domain is an image with tilted slices: scanner: x to the right, y "
        "to the front, z up, through the image's affine; slices: distances along the slices, as the axes of "
        "the netCDF results"),
    BLOCK("domain.velocity", "velocity of blood, which carries heat along: -rho_b c_b v . grad T, upwind"),
    REQUIRED_TEXT("domain.velocity.file", "netCDF or HDF5"),
    TEXT("domain.velocity.x", NULL, "variable of the component along x; 0 if left out"),
    TEXT("domain.velocity.y", NULL, "variable of the component along y; 0 if left out"),
    TEXT("domain.velocity.z", NULL, "variable of the component along z; 0 if left out"),
    AXES("domain.velocity.axes"),
    FACE_KEYS("all", "fixed", "the faces of the domain without a block of their own",
              "fixed: two layers of cells keep their temperature, so that heat which the source gives them "
              "warms nothing; insulated: no heat passes, as is best where the domain is cut out of a body; "
              "convective: heat passes to the outside; periodic: heat that leaves enters again at the "
              "opposite face",
              "convective: heat transfer coefficient between wall and outside, \"10 W m-2 K-1\"",
              "convective: temperature of the outside, \"25 degC\""),
    ONE_FACE("x_low"),
    ONE_FACE("x_high"),
    ONE_FACE("y_low"),
    ONE_FACE("y_high"),
    ONE_FACE("z_low"),
    ONE_FACE("z_high"),
    CHOICE(
        "tissues.set", "default", "default|liberal|conservative",
        "conservative: of the numbers whose range the table gives, the end that makes tissue hotter under a "
        "given pressure or power (largest attenuation; least perfusion, conductivity, heat capacity, sound "
        "speed); liberal: the other end"),
    BLOCK("tissues.scale", "factors on numbers of the tissues: {\"perfusion\": 0.7} of all, or "
                           "{\"perfusion\": {\"brain\": 0.7}} of some; after tissues.set"),
    TISSUE_FACTOR("density", "0.1 to 10"),
    TISSUE_FACTOR("specific_heat", "0.1 to 10"),
    TISSUE_FACTOR("conductivity", "0.1 to 10"),
    TISSUE_FACTOR("perfusion", "0 to 10"),
    TISSUE_FACTOR("sound_speed", "0.1 to 10"),
    TISSUE_FACTOR("attenuation", "0 to 10"),
    TEXT("tissues.file", "tissues.json", "table of tissues; if left out, the table of the program"),
    FORMS("tissues.labels", "object|text",
          "the name of a table, simnibs-charm, babelbrain or colin27, or the tissue of each label, and "
          "\"table\" "
          "for the others: {\"1\": \"skin\", \"2\": {\"tissue\": \"muscle\", "
          "\"perfusion\": \"60 mL/min/kg\"}, \"3\": {\"name\": \"gel\", \"density\": ..., "
          "\"specific_heat\": ..., \"conductivity\": ..., \"perfusion\": ...}}; "
          "\"safety_dose\": \"1 min\" is a limit of the dose, never looser than ITRUSST's"),
    FORMS("tissues.void", "list",
          "labels that exchange no heat and keep their temperature, such as air: [0]"),
    FORMS("tissues.fixed_temperature", "list",
          "labels of fixed temperature, through which heat passes: [4]; each "
          "needs a tissue, for its conductivity"),
    FORMS("tissues.kept", "list", "earlier name of tissues.fixed_temperature, accepted in this version"),
    CHOICE("method", "euler", "euler|euler-in-place|three-colour|source-three-colour|rkl2",
           "rkl2: second order in time, steps longer than the limit of the others, four arrays; euler: two "
           "arrays; euler-in-place: the same bits from one array; three-colour: Gauss-Seidel by "
           "colours, one array, no exact conservation; source-three-colour: its plain form, which converges "
           "to another diffusivity; for comparison"),
    {"time.step", JOB_QUANTITY, "s", "auto", false, 2.3e-308, HUGE_VAL, "auto",
     "model time of one step; auto takes the longest that is stable, with a margin, and of rkl2 the longest "
     "within time.tolerance; a longer one than is stable (rkl2: with 32 stages) is refused"},
    DIFFERENCE(
        "time.tolerance", "K", 1e-9, 1000,
        "rkl2 with an automatic step: the largest error at the end of any step that is allowed (0.05 K if "
        "left out), estimated from the heating rate and from how far the start is from rest; run.json has "
        "the estimate"),
    OPTIONAL_CHOICE("time.switches", "resolved|averaged",
                    "rkl2: resolved: steps end where the source is switched; averaged: a step has the "
                    "source's mean power; left out: whichever keeps time.tolerance with fewer stages, and "
                    "a warning where averaged switches exceed it"),
    WHOLE("time.substeps", NULL, 1, 16,
          "rkl2: sub-steps of the first step and of those after a switch of the source; 1: none; 3 if left "
          "out"),
    QUANTITY("physics.reference_temperature", "degC", "37 degC", -273.15, 1e4,
             "temperature from which the run counts; single precision is most accurate near it"),
    QUANTITY("physics.arterial_temperature", "degC", "37 degC", -273.15, 1e4,
             "temperature of the arterial blood"),
    QUANTITY("physics.blood_density", "kg m-3", NULL, BIOHEAT_LEAST_DENSITY, BIOHEAT_MOST_DENSITY,
             "density of blood; if left out, that of the table"),
    QUANTITY("physics.blood_specific_heat", "J kg-1 K-1", NULL, BIOHEAT_LEAST_SPECIFIC_HEAT,
             BIOHEAT_MOST_SPECIFIC_HEAT, "specific heat of blood; if left out, that of the table"),
    FLAG("physics.perfusion", "true", "false: no perfusion, also in tissues that have it"),
    // Above 7.6 the four-point flux may run from cold to warm, and waves grow:
    // tests/numerics/test_heat_limits.c.
    NUMBER("physics.contrast_limit", "1.5", 1, 5,
           "fields: if the conductivities of a face's four cells differ by more than this ratio, the "
           "two-point flux is used"),
    OPTIONAL_CHOICE("physics.interfaces", "two-point|quadratic",
                    "labels: the flux between two tissues; two-point: two half cells in series; quadratic: a "
                    "parabola on either side, about a tenth of the error of interfaces that are flat and "
                    "lie on faces of cells; if left out, quadratic with rkl2, two-point with the other "
                    "methods"),
    QUANTITY("initial.temperature", "degC", NULL, -273.15, 1e4,
             "uniform temperature at the start; if left out, 37 degC"),
    FLAG("initial.beyond_body", "false",
         "true: initial.temperature may lie outside 0 to 60 degC, as that of a phantom"),
    TEXT("initial.file", NULL,
         "netCDF or HDF5 file of the temperature at the start, cell by cell, in K or degC by its units"),
    TEXT("initial.variable", NULL, "name of the variable; may be left out if the file has only one volume"),
    TEXT("initial.units", NULL, "degC or K, if the file does not state it"),
    OVERRIDE("initial"),
    AXES("initial.axes"),
    WHOLE("initial.record", NULL, 0, 2147483647, "record of a file with a time axis, from 0"),
    TEXT("initial.from", NULL,
         "result folder of an earlier run, whose end is the start of this one: temperature, dose, maxima, "
         "time"),
    CHOICE("dose.definition", "off", "off|cem43|cem43-from-37|cem43-from-39|none|kwave|iso",
           "thermal dose in equivalent minutes at 43 degC; cem43: R is 0.5 from 43 degC on and 0.25 below; "
           "cem43-from-37: the same, but no dose below 37 degC; cem43-from-39: no dose below 39 degC, R "
           "stays 0.5 once 43 degC was reached, infinite above 57 degC; off: no dose is computed, unless "
           "check.itrusst is true; none, kwave, iso: earlier names of the three"),
    {"dose.definitions", JOB_STRING_LIST, NULL, NULL, false, 0, 0,
     "cem43|cem43-from-37|cem43-from-39|none|kwave|iso",
     "one or two definitions, kept side by side, in place of dose.definition; the first is that of fields "
     "and of the diagnostics; if left out and check.itrusst is true: [\"cem43\", \"cem43-from-39\"]"},
    QUANTITY("dose.lesion", "min", "240 min", 1e-9, 1e12, "dose from which tissue counts as destroyed"),
    TEXT("time.origin", NULL,
         "date and time of the start in UTC, never of another zone, \"2026-03-11 05:46:24\", for the time "
         "axes of the results"),
    {"output.fields.variables", JOB_STRING_LIST, NULL, "[\"temperature\"]", false, 0, 0,
     "temperature|dose|maximum", "temperature, thermal dose, largest temperature so far"},
    QUANTITY(
        "output.fields.resolution.temperature", "K", NULL, 1e-6, 1,
        "round temperature and maximum in fields.nc to multiples of this, for example \"0.01 K\": the error "
        "is at most half of it, and the file much smaller; not rounded if left out"),
    QUANTITIES("output.fields.x", "m", -HUGE_VAL, HUGE_VAL,
               "part of the domain that is stored: lower and upper limit of x"),
    QUANTITIES("output.fields.y", "m", -HUGE_VAL, HUGE_VAL, "the same for y"),
    QUANTITIES("output.fields.z", "m", -HUGE_VAL, HUGE_VAL, "the same for z"),
    FLAG("output.maxima", "true",
         "write the largest temperature of every cell and its time, and the dose and lesion at the end "
         "(maxima.nc)"),
    {"output.nifti", JOB_STRING_LIST, NULL, NULL, false, 0, 0, "temperature|largest_temperature|dose|labels",
     "images made of the results, NAME.nii.gz, which lie over the image that domain.labels was read from: "
     "largest_temperature, dose and labels at the end; temperature of all records of output.fields"},
    FLAG("output.state", "false",
         "write the state at the end (state.nc), from which another exposure can continue (initial.from)"),
    {"output.products", JOB_STRING_LIST, NULL, NULL, false, 0, 0, "csv",
     "further files, made when the run has ended: csv: the sensors, the exposures and the histograms as "
     "tables"},
    FLAG("output.exposures", NULL,
         "a table per exposure (a train of pulses, and the pause after it): temperature of each tissue "
         "before, "
         "at its peak and after, dose gained, in run.json; if left out, true with output.products"),
    FLAG("output.histograms", NULL,
         "histograms of temperature and dose by volume, of each tissue (histograms.nc, run.json); if left "
         "out, "
         "true with output.products"),
    BLOCK("output.target", "a sphere, of which run.json has the volumes beyond 43 and 50 degC and 240 min of "
                           "dose, and the distance of the hottest cell"),
    JOB_KEY("output.target.x", JOB_QUANTITY, "m", NULL, true, -FARTHEST_M, FARTHEST_M, NULL,
            "middle of the target"),
    JOB_KEY("output.target.y", JOB_QUANTITY, "m", NULL, true, -FARTHEST_M, FARTHEST_M, NULL,
            "the same along y"),
    JOB_KEY("output.target.z", JOB_QUANTITY, "m", NULL, true, -FARTHEST_M, FARTHEST_M, NULL,
            "the same along z"),
    JOB_KEY("output.target.radius", JOB_QUANTITY, "m", NULL, true, 0, FARTHEST_M, NULL,
            "radius of the target"),
    BLOCK("output.sensors", "time series at points"),
    FORMS("output.sensors.list", "list",
          "[{\"name\": \"focus\", \"x\": \"10 mm\", \"y\": \"0 mm\", \"z\": \"5 "
          "mm\"}, ...]"),
    TEXT("output.sensors.file", NULL, "the same list as a file: {\"fathom_sensors\": 1, \"sensors\": [...]}"),
    CHOICE("output.sensors.interpolation", "trilinear", "trilinear|nearest",
           "where a sensor takes its values: trilinear between the cells around it that are no air, or from "
           "the nearest cell"),
    QUANTITY("output.sensors.every", "s", "1 s", 1e-9, HUGE_VAL, "model time between two samples"),
    BLOCK("output.transducer", "position of the transducer, for the pictures of the report alone"),
    JOB_KEY("output.transducer.x", JOB_QUANTITY, "m", NULL, true, -FARTHEST_M, FARTHEST_M, NULL,
            "middle of the transducer, which may lie outside the domain"),
    JOB_KEY("output.transducer.y", JOB_QUANTITY, "m", NULL, true, -FARTHEST_M, FARTHEST_M, NULL,
            "the same along y"),
    JOB_KEY("output.transducer.z", JOB_QUANTITY, "m", NULL, true, -FARTHEST_M, FARTHEST_M, NULL,
            "the same along z"),
    ABSENT("limits", "the diagnostics do not count the heat that blood and the faces carry away, so that no "
                     "conserved quantity could drift"),
    FLAG("check.itrusst", NULL,
         "true: the run fails (exit code 1) unless each tissue stays within the levels of the ITRUSST "
         "consensus; false: for an ablation, which is meant to destroy tissue; the run as a whole is not "
         "judged; if left out, the verdict is reported, and changes only the exit code of a batch"),
    DIFFERENCE("check.tolerance", "K", 0, 1000,
               "largest difference from the reference that passes, after two steps; if left out, 1e-4 K in "
               "single and 1e-9 K in double precision"),

    PARTS("source.maps", "",
          "heating fields that keep their shape: {\"NAME\": {file, variable, amplitude, values}}; values: "
          "\"means\" where the file holds averages over the cells, as of a field binned from a finer grid"),
    TEXT("source.maps.NAME.file", NULL, "netCDF or HDF5 file with the power density over z, y, x"),
    TEXT("source.maps.NAME.variable", NULL,
         "name of the variable; may be left out if there is only one field"),
    TEXT("source.maps.NAME.units", NULL,
         "unit of the values, if the file does not state it: W m-3, W cm-3, ..."),
    CHOICE("source.maps.NAME.values", "middles", "middles|means",
           "what the file's values are: middles: those at the middles of the cells, as of a formula or an "
           "acoustic simulation on this very grid; means: averages over the cells, as of a field that was "
           "binned or resampled from a finer grid, or of absorbed energy per cell: the run converts them "
           "to those of the middles, to fourth order"),
    AXES("source.maps.NAME.axes"),
    OVERRIDE("source.maps.NAME"),
    {"source.maps.NAME.amplitude", JOB_ANY, NULL, "1", false, 0, 0, "number|text",
     "factor: a number, or the name of one of source.protocols or source.tables"},
    BLOCK("source.pressure", "a field of acoustic pressure, which heats tissue with alpha p^2/(rho c)"),
    REQUIRED_TEXT("source.pressure.file", "file of k-Wave (HDF5) or BabelBrain (HDF5, NIfTI), or any netCDF, "
                                          "HDF5 or NIfTI volume"),
    TEXT("source.pressure.variable", NULL,
         "name of the variable; may be left out if there is only one pressure (p_max_all, p_max, p_rms, "
         "p_amp) "
         "or volume"),
    TEXT("source.pressure.units", NULL,
         "unit of the values, if the file does not state it: Pa, kPa, MPa; k-Wave "
         "and BabelBrain write Pa"),
    OVERRIDE("source.pressure"),
    {"source.pressure.frequency", JOB_QUANTITY, "Hz", NULL, true, 2e4, 2e7, NULL,
     "frequency of the sound, at which each tissue's attenuation is taken"},
    OPTIONAL_CHOICE(
        "source.pressure.kind", "amplitude|rms",
        "what the values are: amplitude; or rms, the amplitude of a sine divided by the square root "
        "of 2; known of p_max_all, p_max, p_rms and p_amp"),
    AXES("source.pressure.axes"),
    BLOCK(
        "source.pressure.origin",
        "position of the file's first cell, if the file has none (k-Wave) or another; in scanner coordinates "
        "over an image (domain.frame)"),
    QUANTITY("source.pressure.origin.x", "m", NULL, -FARTHEST_M, FARTHEST_M, "along x"),
    QUANTITY("source.pressure.origin.y", "m", NULL, -FARTHEST_M, FARTHEST_M, "along y"),
    QUANTITY("source.pressure.origin.z", "m", NULL, -FARTHEST_M, FARTHEST_M, "along z"),
    CHOICE("source.pressure.outside", "refuse", "refuse|zero",
           "tissue beyond the file's cells: refuse: the job is refused; zero: it has no pressure"),
    BLOCK("source.pressure.scale_to", "multiplies the pressure so that one of these is reached"),
    QUANTITY("source.pressure.scale_to.peak_pressure", "Pa", NULL, 1e-3, 1e9, "largest amplitude in tissue"),
    QUANTITY(
        "source.pressure.scale_to.isppa", "W m-2", NULL, 1e-6, 1e12,
        "largest intensity p^2/(2 rho c) in tissue, in situ, of the amplitude during a pulse: \"30 W cm-2\""),
    QUANTITY("source.pressure.scale_to.absorbed_power", "W", NULL, 1e-9, 1e6,
             "power that all tissue absorbs during a pulse; that of the transducer is larger"),
    TEXT("source.pressure.scale_to.tissue", NULL, "the tissue in which it is reached; if left out, all"),
    {"source.pressure.amplitude", JOB_ANY, NULL, "1", false, 0, 0, "number|text",
     "factor of the heat, not of the pressure: a number, or the name of one of source.protocols or "
     "source.tables"},
    PARTS("source.protocols", "", "pulse protocols, by name, averaged exactly into each step"),
    QUANTITY("source.protocols.NAME.start", "s", "0 s", -BIOHEAT_SOURCE_LONGEST_S, BIOHEAT_SOURCE_LONGEST_S,
             "time at which the first pulse begins"),
    QUANTITY("source.protocols.NAME.on", "s", NULL, 0, BIOHEAT_SOURCE_LONGEST_S,
             "duration of a pulse, its ramps included"),
    QUANTITY("source.protocols.NAME.ramp_up", "s", "0 s", 0, BIOHEAT_SOURCE_LONGEST_S,
             "duration of the linear rise of each pulse"),
    QUANTITY("source.protocols.NAME.ramp_down", "s", "0 s", 0, BIOHEAT_SOURCE_LONGEST_S,
             "duration of the linear fall of each pulse"),
    NUMBER("source.protocols.NAME.amplitude", "1", -BIOHEAT_SOURCE_LARGEST_FACTOR,
           BIOHEAT_SOURCE_LARGEST_FACTOR, "amplitude during a pulse"),
    FORMS("source.protocols.NAME.levels", "list",
          "levels of repetition, innermost first: [{\"name\": \"pulse\", \"period\": \"100 ms\", \"count\": "
          "50}, {\"name\": \"train\", \"period\": \"10 s\", \"count\": 3}]; \"duration\" may replace count "
          "and holds whole periods; if left out, one pulse"),
    QUANTITY("source.protocols.NAME.prf", "Hz", NULL, 0, LARGEST_PRF_HZ,
             "pulse repetition frequency; in place of on and levels, two of prf, duty_cycle and pulse_length "
             "describe the pulses, and train, repetitions and an interval the trains"),
    NUMBER(
        "source.protocols.NAME.duty_cycle", NULL, 0, 1,
        "share of the time of a train in which pulses are on, 0.3 or \"30 %\": prf times pulse_length; 1, or "
        "none of the three: continuous"),
    QUANTITY("source.protocols.NAME.pulse_length", "s", NULL, 0, BIOHEAT_SOURCE_LONGEST_S,
             "duration of a pulse, its ramps included"),
    QUANTITY("source.protocols.NAME.train", "s", NULL, 0, BIOHEAT_SOURCE_LONGEST_S,
             "duration of a train: a whole number of pulses, each with the pause after it"),
    QUANTITY("source.protocols.NAME.inter_train_interval", "s", NULL, 0, BIOHEAT_SOURCE_LONGEST_S,
             "pause from the end of a train to the start of the next"),
    QUANTITY("source.protocols.NAME.train_repetition_interval", "s", NULL, 0, BIOHEAT_SOURCE_LONGEST_S,
             "time from the start of a train to the start of the next, in place of inter_train_interval"),
    WHOLE("source.protocols.NAME.repetitions", NULL, 1, 1e15, "number of trains; 1 if left out"),
    QUANTITY(
        "source.protocols.NAME.ramp", "s", NULL, 0, BIOHEAT_SOURCE_LONGEST_S,
        "duration of the linear rise, and of the fall, of the power of each pulse; of a continuous train, "
        "at its ends"),
    PARTS("source.tables", "",
          "factors over time, by name: {\"NAME\": {times, values}} or {\"NAME\": {file}}"),
    QUANTITIES(
        "source.tables.NAME.times", "s", -BIOHEAT_SOURCE_LONGEST_S, BIOHEAT_SOURCE_LONGEST_S,
        "times from the run's start; stepwise: one time more than values gives the end of the last value"),
    FORMS("source.tables.NAME.values", "list", "the factors, a list of numbers"),
    TEXT("source.tables.NAME.file", NULL,
         "text table (times in column 1, factors in column 2) or netCDF series, instead of times and values"),
    TEXT("source.tables.NAME.variable", NULL,
         "variable of a netCDF file; may be left out if there is only one series"),
    TEXT("source.tables.NAME.time_unit", NULL,
         "unit of the file's times, if the file does not state it; a text table never does"),
    OVERRIDE("source.tables.NAME"),
    WHOLE("source.tables.NAME.skip_lines", "0", 0, 1e6, "number of heading lines of a text table"),
    CHOICE("source.tables.NAME.between", "linear", "stepwise|linear",
           "between times: linear: interpolated; stepwise: a value lasts until the next one's time"),
    BEYOND_TIMES("source.tables.NAME"),
    BLOCK("source.points", "single cells that are heated"),
    FORMS("source.points.at", "list|text",
          "cells [{\"x\": 3, \"y\": 4, \"z\": 5}] or positions [{\"x\": \"3 mm\", ...}]; "
          "in a file: a variable [point][3] of cells or, with a unit of length, of "
          "positions, in the order z, y, x, or [point] of addresses (z ny + y) nx + x"),
    SOURCE_ROWS("points"),
    BLOCK("source.boxes", "boxes of cells that are heated uniformly"),
    FORMS("source.boxes.at", "list|text",
          "two corners of each box, both inside it: [{\"first\": {\"x\": 3, ...}, \"last\": {...}}], cells "
          "or positions; in a file: a variable [box][2][3] in the order z, y, x"),
    SOURCE_ROWS("boxes"),
    WHOLE("source.first_index", "0", 0, 1,
          "number of the first cell in lists of cells and addresses; 1 for lists from MATLAB"),
    BLOCK("source.stream", "a field over time, z, y, x, read from its file during the run"),
    TEXT("source.stream.file", NULL, "netCDF or HDF5 file"),
    TEXT("source.stream.variable", NULL,
         "name of the variable; may be left out if there is only one field over time"),
    TEXT("source.stream.units", NULL,
         "unit of the values, if the file does not state it: W m-3, or J m-3 (energy added per record)"),
    CHOICE("source.stream.rows", "times", "times|steps",
           "steps: one record per step of the run; times: the records lie at the file's times"),
    TEXT("source.stream.times", NULL,
         "variable of the times, if they are not the coordinate; one time more than records gives the end of "
         "the last record"),
    TEXT("source.stream.time_unit", NULL, "unit of the times, if the file does not state it"),
    OVERRIDE("source.stream"),
    QUANTITY("source.stream.start", "s", "0 s", -BIOHEAT_SOURCE_LONGEST_S, BIOHEAT_SOURCE_LONGEST_S,
             "time of the run at which the file's time is 0"),
    CHOICE("source.stream.between", "linear", "stepwise|linear",
           "between times: linear: interpolated; stepwise: a record lasts until the next one's time"),
    BEYOND_TIMES("source.stream"),
    NUMBER("source.stream.amplitude", "1", -BIOHEAT_SOURCE_LARGEST_FACTOR, BIOHEAT_SOURCE_LARGEST_FACTOR,
           "constant factor"),
    AXES("source.stream.axes"),
    FLAG("source.stream.in_memory", "false", "hold the whole field in memory, read before the first step"),
};

const struct job_key_table bioheat_keys = {keys, sizeof keys / sizeof *keys};
