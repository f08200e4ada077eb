// The keys of a heat job beside those that all models share. A table, nothing else.
#include "models/keys.h"
#include "models/bioheat/params.h"

#include <math.h>

#define MOST_CELLS 2147483647

// The keys of a face of the domain; their meaning stands with that of all faces.
#define FACE_KEYS(face, fallback, object_help, kind_help, transfer_help, outside_help)                       \
    BLOCK("domain.faces." face, object_help),                                                                \
        JOB_KEY("domain.faces." face ".kind", JOB_CHOICE, NULL, fallback, false, 0, 0,                       \
                "fixed|insulated|convective|periodic", kind_help),                                           \
        QUANTITY("domain.faces." face ".transfer", "W m-2 K-1", NULL, 1e-9, 1e9, transfer_help),             \
        QUANTITY("domain.faces." face ".outside", "degC", NULL, -273.15, 1e4, outside_help)
#define ONE_FACE(face)                                                                                       \
    FACE_KEYS(face, NULL, "that face alone; keys left out are as in domain.faces.all",                       \
              "as domain.faces.all.kind", "as domain.faces.all.transfer", "as domain.faces.all.outside")

// Of values over time: what holds outside their times.
#define BEYOND_TIMES(path)                                                                                   \
    OPTIONAL_CHOICE(path ".before_start", "zero|first",                                                      \
                    "where the run begins before the first time; otherwise an error"),                       \
        OPTIONAL_CHOICE(path ".after_end", "zero|last",                                                      \
                        "where the run continues after the last time; otherwise an error")

// Of a list of rows over time, for points and for boxes.
#define SOURCE_ROWS(name)                                                                                    \
    TEXT("source." name ".file", NULL,                                                                       \
         "netCDF or HDF5 file; then `at`, `values` and `times` are names of variables in it"),               \
        VALUE("source." name ".values",                                                                      \
              "matrix [time][place]: a list of rows, or a variable; negative values cool"),                  \
        TEXT("source." name ".units", NULL,                                                                  \
             "of the values: W m-3 (power), or J m-3 (energy added per row), or convertible to one of "      \
             "them; needed unless a file states it"),                                                        \
        OVERRIDE("source." name),                                                                            \
        CHOICE("source." name ".rows", "times", "times|steps",                                               \
               "steps: one row a step of the run; times: rows lie at `times`"),                              \
        VALUE("source." name ".times",                                                                       \
              "times of the rows from the run's start, [\"0 s\", \"30 s\"], or a variable (or left out: "    \
              "the coordinate of the matrix' rows); one more than rows: the end of the last"),               \
        CHOICE("source." name ".between", "stepwise", "stepwise|linear",                                     \
               "between times: a row lasts until the next one's time, or linear"),                           \
        BEYOND_TIMES("source." name)

static const struct job_key keys[] = {
    BACKEND_KEY,
    BLOCK("domain.uniform", "one medium throughout"),
    TEXT("domain.uniform.tissue", NULL,
         "a name of the table of tissues; the numbers below, where given, replace the table's"),
    QUANTITY("domain.uniform.density", "kg m-3", NULL, 1e-12, 1e12, "of the medium"),
    QUANTITY("domain.uniform.specific_heat", "J kg-1 K-1", NULL, 1e-12, 1e12, "of the medium"),
    QUANTITY("domain.uniform.conductivity", "W m-1 K-1", NULL, 1e-12, 1e12, "of heat, in the medium"),
    TEXT("domain.uniform.perfusion", NULL,
         "blood that flows through: \"559 mL/min/kg\" (per mass of tissue), \"0.01 s-1\" (volume per "
         "volume), \"10 kg m-3 s-1\" (mass per volume) or \"4e4 W m-3 K-1\" (heat); none without a tissue"),
    BLOCK("domain.uniform.cells", "size of the grid"),
    REQUIRED_WHOLE("domain.uniform.cells.x", 1, MOST_CELLS, "cells along x"),
    REQUIRED_WHOLE("domain.uniform.cells.y", 1, MOST_CELLS, "cells along y"),
    WHOLE("domain.uniform.cells.z", "1", 1, MOST_CELLS, "cells along z; 1 is a plane"),
    VALUE("domain.uniform.spacing", "distance of the cells' middles: \"1 mm\", or {\"x\": \"1 mm\", \"y\": "
                                    "..., \"z\": ...}; cell 0 lies at 0"),
    BLOCK("domain.labels", "a volume of labels, whole numbers from 0 to 255, each a tissue (block tissues)"),
    REQUIRED_TEXT("domain.labels.file", "netCDF or HDF5 (MATLAB v7.3 too); from NIfTI by fathom convert"),
    TEXT("domain.labels.variable", NULL, "which variable; may be left out if the file has only one volume"),
    BLOCK("domain.fields", "the medium's numbers, cell by cell"),
    REQUIRED_TEXT("domain.fields.file", "netCDF or HDF5 (MATLAB v7.3 too)"),
    TEXT("domain.fields.density", "density", "variable of the density"),
    TEXT("domain.fields.specific_heat", "specific_heat",
         "variable of the specific heat; a cell of infinite heat capacity keeps its temperature"),
    TEXT("domain.fields.conductivity", "conductivity",
         "variable of the conductivity; a cell of 0 is void: no heat passes to or from it"),
    TEXT("domain.fields.perfusion", NULL, "variable of the perfusion; none if left out"),
    BLOCK("domain.fields.units", "units of the variables where the file does not state them"),
    TEXT("domain.fields.units.density", NULL, "for example kg m-3"),
    TEXT("domain.fields.units.specific_heat", NULL, "for example J kg-1 K-1"),
    TEXT("domain.fields.units.conductivity", NULL, "for example W m-1 K-1"),
    TEXT("domain.fields.units.perfusion", NULL, "for example mL/min/kg, s-1, kg m-3 s-1"),
    OVERRIDE("domain.fields"),
    VALUE("domain.spacing", "distance of the cells' middles, where the file of labels or fields has no "
                            "coordinates: \"1 mm\", or {\"x\": \"1 mm\", \"y\": ..., \"z\": ...}"),
    BLOCK("domain.velocity", "velocity of blood, which carries heat along: -rho_b c_b v . grad T, upwind"),
    REQUIRED_TEXT("domain.velocity.file", "netCDF or HDF5"),
    TEXT("domain.velocity.x", NULL, "variable of its part along x; 0 if left out"),
    TEXT("domain.velocity.y", NULL, "variable of its part along y; 0 if left out"),
    TEXT("domain.velocity.z", NULL, "variable of its part along z; 0 if left out"),
    FACE_KEYS("all", "fixed", "the faces of the domain without a block of their own",
              "fixed: two layers of cells keep their temperature; insulated: no heat passes; convective: "
              "heat passes to the outside; periodic: heat that leaves enters again at the opposite face",
              "convective: heat transfer coefficient between wall and outside, \"10 W m-2 K-1\"",
              "convective: temperature of the outside, \"25 degC\""),
    ONE_FACE("x_low"),
    ONE_FACE("x_high"),
    ONE_FACE("y_low"),
    ONE_FACE("y_high"),
    ONE_FACE("z_low"),
    ONE_FACE("z_high"),
    TEXT("tissues.file", "tissues.json", "table of tissues; the program's own if left out"),
    VALUE("tissues.labels", "what each label is: {\"1\": \"skin\", \"2\": {\"tissue\": \"muscle\", "
                            "\"perfusion\": \"60 mL/min/kg\"}, \"3\": {\"name\": \"gel\", \"density\": ..., "
                            "\"specific_heat\": ..., \"conductivity\": ..., \"perfusion\": ...}}"),
    VALUE("tissues.void", "labels that exchange no heat and keep their temperature, such as air: [0]"),
    VALUE("tissues.fixed_temperature", "labels that keep their temperature, whatever heat passes: [4]; each "
                                       "needs a tissue, for its conductivity"),
    VALUE("tissues.kept", "the old name of tissues.fixed_temperature, accepted in this version"),
    CHOICE("method", "euler", "euler|euler-in-place|three-colour|source-three-colour|rkl2",
           "rkl2: second order in time, steps longer than the limit of the others, four arrays; euler: two "
           "arrays; euler-in-place: the same bits from one array; three-colour: Gauss-Seidel by "
           "colours, one array, no exact conservation; source-three-colour: its plain form, which converges "
           "to another diffusivity; for comparison"),
    {"time.step", JOB_QUANTITY, "s", "auto", false, 2.3e-308, HUGE_VAL, "auto",
     "model time of one step; auto takes the longest that is stable, with a margin, and of rkl2 the longest "
     "within time.tolerance; a longer one than is stable (rkl2: with 32 stages) is refused"},
    QUANTITY("time.tolerance", "K", NULL, 1e-9, 1000,
             "rkl2 with an automatic step: the largest error of a step that is allowed (0.05 K if left out), "
             "estimated from the heating rate; run.json has the estimate"),
    OPTIONAL_CHOICE("time.switches", "resolved|averaged",
                    "rkl2: resolved: steps end where the source is switched; averaged: a step has the "
                    "source's mean power; left out: resolved as far as that makes no step shorter than "
                    "Euler's, else averaged"),
    QUANTITY("physics.reference_temperature", "degC", "37 degC", -273.15, 1e4,
             "temperature from which the run counts; single precision is finest near it"),
    QUANTITY("physics.arterial_temperature", "degC", "37 degC", -273.15, 1e4, "of the blood that flows in"),
    QUANTITY("physics.blood_density", "kg m-3", NULL, 1e-12, 1e12, "the table's for blood if left out"),
    QUANTITY("physics.blood_specific_heat", "J kg-1 K-1", NULL, 1e-12, 1e12,
             "the table's for blood if left out"),
    FLAG("physics.perfusion", "true", "false: no blood flows, also in tissues with perfusion"),
    // Above 7.6 the four-point flux may run from cold to warm, and waves grow:
    // tests/numerics/test_heat_limits.c.
    NUMBER("physics.contrast_limit", "1.5", 1, 5,
           "fields: where the conductivities of a face's four cells differ by more than this ratio, its flux "
           "is the two-point one"),
    OPTIONAL_CHOICE("physics.interfaces", "two-point|quadratic",
                    "labels: the flux between two tissues: two-point: two half cells in series; quadratic: a "
                    "parabola on either side, a tenth of the error; left out: quadratic with rkl2, two-point "
                    "with the other methods"),
    QUANTITY("initial.temperature", "degC", NULL, -273.15, 1e4,
             "temperature at the start, the same everywhere; 37 degC by default"),
    TEXT("initial.file", NULL,
         "netCDF or HDF5 file of the temperature at the start, cell by cell, in K or degC by its units"),
    TEXT("initial.variable", NULL, "which variable; may be left out if the file has only one volume"),
    TEXT("initial.units", NULL, "degC or K, where the file does not state it"),
    OVERRIDE("initial"),
    WHOLE("initial.record", NULL, 0, 2147483647, "which record, from 0, of a file with a time axis"),
    TEXT("initial.from", NULL,
         "result folder of an earlier run, whose end is the start of this one: temperature, dose, maxima, "
         "clock"),
    CHOICE("dose.definition", "off", "off|none|kwave|iso",
           "thermal dose, equivalent minutes at 43 degC: kwave: nothing counts below 37 degC; iso: nothing "
           "below 39 degC, once 43 degC was passed R stays 0.5, above 57 degC infinite; none: no such "
           "limits; off: not kept"),
    QUANTITY("dose.lesion", "min", "240 min", 1e-9, 1e12, "dose from which tissue counts as destroyed"),
    TEXT("time.origin", NULL,
         "date and time (UTC) of the start, \"2026-03-11 05:46:24\", for the time axes of the results"),
    {"output.fields.variables", JOB_STRING_LIST, NULL, "[\"temperature\"]", false, 0, 0,
     "temperature|dose|maximum", "temperature, thermal dose, largest temperature so far"},
    QUANTITIES("output.fields.x", "m", -HUGE_VAL, HUGE_VAL, "crop of the fields: lower and upper limit"),
    QUANTITIES("output.fields.y", "m", -HUGE_VAL, HUGE_VAL, "the same along y"),
    QUANTITIES("output.fields.z", "m", -HUGE_VAL, HUGE_VAL, "the same along z"),
    FLAG("output.maxima", "true",
         "largest temperature of every cell and when it was reached, dose and lesion at the end (maxima.nc)"),
    FLAG("output.state", "false",
         "keep the state at the end (state.nc), from which another exposure can continue (initial.from)"),
    BLOCK("output.sensors", "time series at points"),
    VALUE("output.sensors.list", "[{\"name\": \"focus\", \"x\": \"10 mm\", \"y\": \"0 mm\", \"z\": \"5 "
                                 "mm\"}, ...]; each is the nearest cell"),
    TEXT("output.sensors.file", NULL, "the same list as a file: {\"fathom_sensors\": 1, \"sensors\": [...]}"),
    QUANTITY("output.sensors.every", "s", "1 s", 1e-9, HUGE_VAL, "model time between two samples"),
    ABSENT("limits", "blood and the faces carry heat away that the diagnostics do not count: no quantity is "
                     "kept that could drift"),
    FLAG("check.itrusst", NULL,
         "true: the run fails (exit code 1) unless each tissue stays within the levels of the ITRUSST "
         "consensus; false: for an ablation, where tissue is to be destroyed, the run as a whole is not "
         "judged; left out: the verdict is reported and changes no exit code but that of a batch"),
    QUANTITY("check.tolerance", "K", NULL, 0, 1000,
             "largest difference from the reference, after two steps, that passes; 1e-4 K in single and 1e-9 "
             "K in double precision if left out"),

    PARTS("source.maps", "", "heating fields that keep their shape: {\"NAME\": {file, variable, amplitude}}"),
    TEXT("source.maps.NAME.file", NULL, "netCDF or HDF5 file with the power density over z, y, x"),
    TEXT("source.maps.NAME.variable", NULL, "which variable; may be left out if there is only one field"),
    TEXT("source.maps.NAME.units", NULL,
         "unit of the values where the file does not state it: W m-3, W cm-3, ..."),
    CHOICE("source.maps.NAME.values", "middles", "middles|means",
           "what the file's values are: middles: those at the middles of the cells; means: of the cells, "
           "which the run converts to those of the middles, to fourth order"),
    OVERRIDE("source.maps.NAME"),
    {"source.maps.NAME.amplitude", JOB_ANY, NULL, "1", false, 0, 0, NULL,
     "factor: a number, or the name of one of source.protocols or source.tables"},
    PARTS("source.protocols", "", "pulse protocols, by name, averaged exactly into each step"),
    QUANTITY("source.protocols.NAME.start", "s", "0 s", -HUGE_VAL, HUGE_VAL, "when the first pulse begins"),
    QUANTITY("source.protocols.NAME.on", "s", NULL, 0, HUGE_VAL,
             "how long a pulse is on, its ramps included"),
    QUANTITY("source.protocols.NAME.ramp_up", "s", "0 s", 0, HUGE_VAL,
             "linear rise at the start of each pulse"),
    QUANTITY("source.protocols.NAME.ramp_down", "s", "0 s", 0, HUGE_VAL,
             "linear fall at the end of each pulse"),
    NUMBER("source.protocols.NAME.amplitude", "1", -HUGE_VAL, HUGE_VAL, "value while on"),
    VALUE("source.protocols.NAME.levels",
          "what is repeated, innermost first: [{\"name\": \"pulse\", \"period\": \"100 ms\", \"count\": 50}, "
          "{\"name\": \"train\", \"period\": \"10 s\", \"count\": 3}]; \"duration\" in place of count: whole "
          "periods; left out: one pulse"),
    PARTS("source.tables", "",
          "factors over time, by name: {\"NAME\": {times, values}} or {\"NAME\": {file}}"),
    QUANTITIES("source.tables.NAME.times", "s", -HUGE_VAL, HUGE_VAL,
               "times from the run's start; stepwise: one more than values gives the end of the last"),
    VALUE("source.tables.NAME.values", "the factors, a list of numbers"),
    TEXT("source.tables.NAME.file", NULL,
         "text table (times in column 1, factors in column 2) or netCDF series instead"),
    TEXT("source.tables.NAME.variable", NULL,
         "which variable of a netCDF file; may be left out if there is only one series"),
    TEXT("source.tables.NAME.time_unit", NULL,
         "unit of the file's times where it does not state it; a text table never does"),
    OVERRIDE("source.tables.NAME"),
    WHOLE("source.tables.NAME.skip_lines", "0", 0, 1e6, "lines of heading before a text table"),
    CHOICE("source.tables.NAME.between", "linear", "stepwise|linear",
           "between times: linear, or a value lasts until the next one's time"),
    BEYOND_TIMES("source.tables.NAME"),
    BLOCK("source.points", "single cells that are heated"),
    VALUE("source.points.at", "cells [{\"x\": 3, \"y\": 4, \"z\": 5}] or positions [{\"x\": \"3 mm\", ...}]; "
                              "of a file: a variable [point][3] of cells or, with a unit of length, "
                              "positions in the order z, y, x, or [point] of addresses (z ny + y) nx + x"),
    SOURCE_ROWS("points"),
    BLOCK("source.boxes", "boxes of cells that are heated evenly"),
    VALUE("source.boxes.at",
          "two corners each, both within: [{\"first\": {\"x\": 3, ...}, \"last\": {...}}], cells or "
          "positions; of a file: a variable [box][2][3] in the order z, y, x"),
    SOURCE_ROWS("boxes"),
    WHOLE("source.first_index", "0", 0, 1,
          "number of the first cell in lists of cells and addresses: 1 where they come from MATLAB"),
    BLOCK("source.stream", "a field over time, z, y, x, read from its file during the run"),
    TEXT("source.stream.file", NULL, "netCDF or HDF5 file"),
    TEXT("source.stream.variable", NULL,
         "which variable; may be left out if there is only one field over time"),
    TEXT("source.stream.units", NULL,
         "unit of the values where the file does not state it: W m-3, or J m-3 (energy added per record)"),
    CHOICE("source.stream.rows", "times", "times|steps",
           "steps: one record a step of the run; times: records lie at the file's times"),
    TEXT("source.stream.times", NULL,
         "variable of the times, where it is not the coordinate; one more than records: the end of the last"),
    TEXT("source.stream.time_unit", NULL, "unit of the times where the file does not state it"),
    OVERRIDE("source.stream"),
    QUANTITY("source.stream.start", "s", "0 s", -HUGE_VAL, HUGE_VAL,
             "when, in the run, the file's time 0 is"),
    CHOICE("source.stream.between", "linear", "stepwise|linear",
           "between times: linear, or a record lasts until the next one's time"),
    BEYOND_TIMES("source.stream"),
    NUMBER("source.stream.amplitude", "1", -HUGE_VAL, HUGE_VAL, "constant factor"),
    FLAG("source.stream.in_memory", "false", "hold all of it in memory, read before the first step"),
};

const struct job_key_table bioheat_keys = {keys, sizeof keys / sizeof *keys};
