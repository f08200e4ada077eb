// The keys of a heat job beside those that all models share. A table, nothing else; the keys of source.* are
// in keys_source.h.
#include "models/bioheat/keys_source.h"
#include "models/bioheat/params.h"

#include <math.h>

// The keys of a face of the domain; their meaning stands with that of all faces.
#define FACE_KEYS(face, fallback, object_help, kind_help, transfer_help, outside_help)                       \
    {"domain.faces." face, JOB_OBJECT, NULL, NULL, false, 0, 0, NULL, object_help},                          \
        {"domain.faces." face ".kind",          JOB_CHOICE, NULL, fallback, false, 0, 0,                     \
         "fixed|insulated|convective|periodic", kind_help},                                                  \
        {"domain.faces." face ".transfer",                                                                   \
         JOB_QUANTITY,                                                                                       \
         "W m-2 K-1",                                                                                        \
         NULL,                                                                                               \
         false,                                                                                              \
         1e-9,                                                                                               \
         1e9,                                                                                                \
         NULL,                                                                                               \
         transfer_help},                                                                                     \
    {                                                                                                        \
        "domain.faces." face ".outside", JOB_QUANTITY, "degC", NULL, false, -273.15, 1e4, NULL, outside_help \
    }
#define ONE_FACE(face)                                                                                       \
    FACE_KEYS(face, NULL, "that face alone; what it does not say is as in domain.faces.all",                 \
              "as domain.faces.all.kind", "as domain.faces.all.transfer", "as domain.faces.all.outside")

static const struct job_key keys[] = {
    // Not the shared key's choice: more back ends may be registered than it knows, and one of several devices
    // is told by its number (params.c).
    {"backend", JOB_STRING, NULL, "auto", false, 0, 0, NULL,
     "what computes: reference (slow, plain, the specification), openmp (all cores), cuda (NVIDIA GPU; "
     "cuda:1 "
     "is the second); auto takes the fastest that this build and this machine have and that the run fits on"},
    {"domain.uniform", JOB_OBJECT, NULL, NULL, false, 0, 0, NULL, "one medium throughout"},
    {"domain.uniform.tissue", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "a name of the table of tissues; the numbers below, where given, stand before the table's"},
    {"domain.uniform.density", JOB_QUANTITY, "kg m-3", NULL, false, 1e-12, 1e12, NULL, "of the medium"},
    {"domain.uniform.specific_heat", JOB_QUANTITY, "J kg-1 K-1", NULL, false, 1e-12, 1e12, NULL,
     "of the medium"},
    {"domain.uniform.conductivity", JOB_QUANTITY, "W m-1 K-1", NULL, false, 1e-12, 1e12, NULL,
     "of heat, in the medium"},
    {"domain.uniform.perfusion", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "blood that flows through: \"559 mL/min/kg\" (per mass of tissue), \"0.01 s-1\" (volume per volume), "
     "\"10 "
     "kg m-3 s-1\" (mass per volume) or \"4e4 W m-3 K-1\" (heat); none without a tissue"},
    {"domain.uniform.cells", JOB_OBJECT, NULL, NULL, false, 0, 0, NULL, "size of the grid"},
    {"domain.uniform.cells.x", JOB_INTEGER, NULL, NULL, true, 1, 2147483647, NULL, "cells along x"},
    {"domain.uniform.cells.y", JOB_INTEGER, NULL, NULL, true, 1, 2147483647, NULL, "cells along y"},
    {"domain.uniform.cells.z", JOB_INTEGER, NULL, "1", false, 1, 2147483647, NULL,
     "cells along z; 1 is a plane"},
    {"domain.uniform.spacing", JOB_ANY, NULL, NULL, false, 0, 0, NULL,
     "distance of the cells' middles: \"1 mm\", or {\"x\": \"1 mm\", \"y\": ..., \"z\": ...}; cell 0 lies at "
     "0"},
    {"domain.labels", JOB_OBJECT, NULL, NULL, false, 0, 0, NULL,
     "a volume of labels, whole numbers from 0 to 255, each a tissue (block tissues)"},
    {"domain.labels.file", JOB_STRING, NULL, NULL, true, 0, 0, NULL,
     "netCDF or HDF5 (MATLAB v7.3 too); from NIfTI by fathom convert"},
    {"domain.labels.variable", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "which variable; may be left out if the file has only one volume"},
    {"domain.fields", JOB_OBJECT, NULL, NULL, false, 0, 0, NULL, "the medium's numbers, cell by cell"},
    {"domain.fields.file", JOB_STRING, NULL, NULL, true, 0, 0, NULL, "netCDF or HDF5 (MATLAB v7.3 too)"},
    {"domain.fields.density", JOB_STRING, NULL, "density", false, 0, 0, NULL, "variable of the density"},
    {"domain.fields.specific_heat", JOB_STRING, NULL, "specific_heat", false, 0, 0, NULL,
     "variable of the specific heat; a cell of infinite heat capacity keeps its temperature"},
    {"domain.fields.conductivity", JOB_STRING, NULL, "conductivity", false, 0, 0, NULL,
     "variable of the conductivity; a cell of 0 is void: no heat passes to or from it"},
    {"domain.fields.perfusion", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "variable of the perfusion; none if left out"},
    {"domain.fields.units", JOB_OBJECT, NULL, NULL, false, 0, 0, NULL,
     "units of the variables where the file does not say"},
    {"domain.fields.units.density", JOB_STRING, NULL, NULL, false, 0, 0, NULL, "for example kg m-3"},
    {"domain.fields.units.specific_heat", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "for example J kg-1 K-1"},
    {"domain.fields.units.conductivity", JOB_STRING, NULL, NULL, false, 0, 0, NULL, "for example W m-1 K-1"},
    {"domain.fields.units.perfusion", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "for example mL/min/kg, s-1, kg m-3 s-1"},
    {"domain.fields.override", JOB_BOOLEAN, NULL, "false", false, 0, 0, NULL,
     "true: the file is wrong about its units, and those given here are right"},
    {"domain.spacing", JOB_ANY, NULL, NULL, false, 0, 0, NULL,
     "distance of the cells' middles, where the file of labels or fields has no coordinates: \"1 mm\", or "
     "{\"x\": \"1 mm\", \"y\": ..., \"z\": ...}"},
    {"domain.velocity", JOB_OBJECT, NULL, NULL, false, 0, 0, NULL,
     "velocity of blood, which carries heat along: -rho_b c_b v . grad T, upwind"},
    {"domain.velocity.file", JOB_STRING, NULL, NULL, true, 0, 0, NULL, "netCDF or HDF5"},
    {"domain.velocity.x", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "variable of its part along x; 0 if left out"},
    {"domain.velocity.y", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "variable of its part along y; 0 if left out"},
    {"domain.velocity.z", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "variable of its part along z; 0 if left out"},
    FACE_KEYS(
        "all", "fixed", "the faces of the domain, but for those that have a block of their own",
        "fixed: two layers of cells keep their temperature; insulated: no heat passes; convective: heat "
        "passes to the outside; periodic: it comes in again at the opposite face",
        "convective: heat that passes for a kelvin between wall and outside, \"10 W m-2 K-1\"",
        "convective: temperature of the outside, \"25 degC\""),
    ONE_FACE("x_low"),
    ONE_FACE("x_high"),
    ONE_FACE("y_low"),
    ONE_FACE("y_high"),
    ONE_FACE("z_low"),
    ONE_FACE("z_high"),
    {"tissues.file", JOB_STRING, NULL, "tissues.json", false, 0, 0, NULL,
     "table of tissues; the program's own if left out"},
    {"tissues.labels", JOB_ANY, NULL, NULL, false, 0, 0, NULL,
     "what each label is: {\"1\": \"skin\", \"2\": {\"tissue\": \"muscle\", \"perfusion\": \"60 "
     "mL/min/kg\"}, \"3\": "
     "{\"name\": \"gel\", \"density\": ..., \"specific_heat\": ..., \"conductivity\": ..., \"perfusion\": "
     "...}}"},
    {"tissues.void", JOB_ANY, NULL, NULL, false, 0, 0, NULL,
     "labels that no heat passes to or from, and that keep their temperature, air above all: [0]"},
    {"tissues.kept", JOB_ANY, NULL, NULL, false, 0, 0, NULL,
     "labels that keep their temperature, whatever heat passes: [4]; each needs a tissue, for its "
     "conductivity"},
    {"method", JOB_CHOICE, NULL, "euler", false, 0, 0,
     "euler|euler-in-place|three-colour|source-three-colour",
     "euler: two arrays; euler-in-place: the same bits from one array; three-colour: Gauss-Seidel by "
     "colours, "
     "one array, no exact conservation; source-three-colour: its plain form, which converges to another "
     "diffusivity; for comparison"},
    {"physics.reference_temperature", JOB_QUANTITY, "degC", "37 degC", false, -273.15, 1e4, NULL,
     "what temperatures are counted from within the run; single precision is finest near it"},
    {"physics.arterial_temperature", JOB_QUANTITY, "degC", "37 degC", false, -273.15, 1e4, NULL,
     "of the blood that flows in"},
    {"physics.blood_density", JOB_QUANTITY, "kg m-3", NULL, false, 1e-12, 1e12, NULL,
     "the table's for blood if left out"},
    {"physics.blood_specific_heat", JOB_QUANTITY, "J kg-1 K-1", NULL, false, 1e-12, 1e12, NULL,
     "the table's for blood if left out"},
    {"physics.perfusion", JOB_BOOLEAN, NULL, "true", false, 0, 0, NULL,
     "false: no blood flows, whatever the tissues say"},
    // Above 7.6 the four-point flux may run from cold to warm, and waves grow:
    // tests/numerics/test_heat_limits.c.
    {"physics.contrast_limit", JOB_NUMBER, NULL, "1.5", false, 1, 5, NULL,
     "fields: where the conductivities of a face's four cells differ by more than this ratio, its flux is "
     "the "
     "two-point one"},
    {"initial.temperature", JOB_QUANTITY, "degC", NULL, false, -273.15, 1e4, NULL,
     "temperature at the start, the same everywhere; 37 degC by default"},
    {"initial.file", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "netCDF or HDF5 file of the temperature at the start, cell by cell, in K or degC by its units"},
    {"initial.variable", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "which variable; may be left out if the file has only one volume"},
    {"initial.units", JOB_STRING, NULL, NULL, false, 0, 0, NULL, "degC or K, where the file does not say"},
    {"initial.override", JOB_BOOLEAN, NULL, "false", false, 0, 0, NULL,
     "true: the file is wrong about its units, and those given here are right"},
    {"initial.record", JOB_INTEGER, NULL, NULL, false, 0, 2147483647, NULL,
     "which record, from 0, of a file with a time axis"},
    {"initial.from", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "result folder of an earlier run, whose end is the start of this one: temperature, dose, maxima, clock"},
    {"dose.definition", JOB_CHOICE, NULL, "off", false, 0, 0, "off|none|kwave|iso",
     "thermal dose, equivalent minutes at 43 degC: kwave: nothing counts below 37 degC; iso: nothing below "
     "39 "
     "degC, once 43 degC was passed R stays 0.5, above 57 degC infinite; none: no such limits; off: not "
     "kept"},
    {"dose.lesion", JOB_QUANTITY, "min", "240 min", false, 1e-9, 1e12, NULL,
     "dose from which tissue counts as destroyed"},
    {"time.origin", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "date and time (UTC) of the start, \"2026-03-11 05:46:24\", for the time axes of the results"},
    {"output.fields.variables", JOB_STRING_LIST, NULL, "[\"temperature\"]", false, 0, 0,
     "temperature|dose|maximum", "temperature, thermal dose, largest temperature so far"},
    {"output.fields.x", JOB_QUANTITY_LIST, "m", NULL, false, -HUGE_VAL, HUGE_VAL, NULL,
     "crop of the fields: lower and upper limit"},
    {"output.fields.y", JOB_QUANTITY_LIST, "m", NULL, false, -HUGE_VAL, HUGE_VAL, NULL, "the same along y"},
    {"output.fields.z", JOB_QUANTITY_LIST, "m", NULL, false, -HUGE_VAL, HUGE_VAL, NULL, "the same along z"},
    {"output.maxima", JOB_BOOLEAN, NULL, "true", false, 0, 0, NULL,
     "largest temperature of every cell and when it was reached, dose and lesion at the end (maxima.nc)"},
    {"output.state", JOB_BOOLEAN, NULL, "false", false, 0, 0, NULL,
     "keep the state at the end (state.nc), from which another exposure can continue (initial.from)"},
    {"output.sensors", JOB_OBJECT, NULL, NULL, false, 0, 0, NULL, "time series at points"},
    {"output.sensors.list", JOB_ANY, NULL, NULL, false, 0, 0, NULL,
     "[{\"name\": \"focus\", \"x\": \"10 mm\", \"y\": \"0 mm\", \"z\": \"5 mm\"}, ...]; each is the nearest "
     "cell"},
    {"output.sensors.file", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "the same list as a file: {\"fathom_sensors\": 1, \"sensors\": [...]}"},
    {"output.sensors.every", JOB_QUANTITY, "s", "1 s", false, 1e-9, HUGE_VAL, NULL,
     "model time between two samples"},
    {"limits", JOB_ABSENT, NULL, NULL, false, 0, 0, NULL,
     "blood and the faces carry heat away that the diagnostics do not count: no quantity is kept that could "
     "drift"},
    {"check.itrusst", JOB_BOOLEAN, NULL, NULL, false, 0, 0, NULL,
     "true: the run fails (exit code 1) unless each tissue stays within the levels of the ITRUSST consensus; "
     "false: for an ablation, where tissue is to be destroyed, the run as a whole is not judged; left out: "
     "the verdict is reported and changes no exit code but that of a batch"},
    {"check.tolerance", JOB_QUANTITY, "K", NULL, false, 0, 1000, NULL,
     "largest difference from the reference, after two steps, that passes; 1e-4 K in single and 1e-9 K in "
     "double "
     "precision if left out"},
    BIOHEAT_SOURCE_KEYS,
};

const struct job_key_table bioheat_keys = {keys, sizeof keys / sizeof *keys};
