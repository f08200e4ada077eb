// The keys of a tsunami job beside those that all models share. A table, nothing else.
#include "models/tsunami/params.h"

#include <math.h>

// The keys of a wave at an edge; their meaning stands with the western one.
#define EDGE_KEY(side, name, type, unit, fallback, limit, help)                                              \
    {                                                                                                        \
        "source.edges." side "." name, type, unit, fallback, false, -(limit), limit, NULL, help              \
    }
#define AS_WEST(side, name, type, unit, fallback, limit)                                                     \
    EDGE_KEY(side, name, type, unit, fallback, limit, "as source.edges.west." name)
#define EDGE_FILE(side)                                                                                      \
    {"source.edges." side, JOB_OBJECT, NULL, NULL, false, 0, 0, NULL, "a wave given at that edge"},          \
    {                                                                                                        \
        "source.edges." side ".file", JOB_STRING, NULL, NULL, true, 0, 0, NULL, "its series over time"       \
    }
#define EDGE_KEYS_AS_WEST(side)                                                                              \
    EDGE_FILE(side), AS_WEST(side, "time", JOB_ANY, NULL, NULL, 0),                                          \
        AS_WEST(side, "eta", JOB_ANY, NULL, NULL, 0), AS_WEST(side, "velocity", JOB_ANY, NULL, NULL, 0),     \
        AS_WEST(side, "travelling", JOB_BOOLEAN, NULL, "false", 0),                                          \
        AS_WEST(side, "start", JOB_QUANTITY, "s", "0 s", HUGE_VAL),                                          \
        AS_WEST(side, "time_unit", JOB_STRING, NULL, NULL, 0),                                               \
        AS_WEST(side, "eta_unit", JOB_STRING, NULL, NULL, 0),                                                \
        AS_WEST(side, "velocity_unit", JOB_STRING, NULL, NULL, 0),                                           \
        AS_WEST(side, "override", JOB_BOOLEAN, NULL, "false", 0),                                            \
    {                                                                                                        \
        "source.edges." side ".skip_lines", JOB_INTEGER, NULL, "0", false, 0, 1e6, NULL,                     \
            "as source.edges.west.skip_lines"                                                                \
    }

static const struct job_key keys[] = {
    // Not the shared key's choice: more back ends may be registered than it knows, and one of several devices
    // is told by its number (params.c).
    {"backend", JOB_STRING, NULL, "auto", false, 0, 0, NULL,
     "what computes: reference (slow, plain, the specification), openmp (all cores), cuda (NVIDIA GPU; "
     "cuda:1 is the second); auto takes the fastest that this build and this machine have and that the run "
     "fits on"},
    {"domain.bathymetry.file", JOB_STRING, NULL, NULL, true, 0, 0, NULL,
     "grid of depths or elevations: netCDF, MOST .most/.corr, ESRI ASCII, Surfer 6/7, GeoClaw tt3"},
    {"domain.bathymetry.variable", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "which variable of a netCDF file; may be left out if it has only one grid"},
    {"domain.bathymetry.positive", JOB_CHOICE, NULL, NULL, false, 0, 0, "up|down",
     "up: values are elevations, down: depths; needed where the file does not say, refused where it states "
     "the opposite"},
    {"domain.bathymetry.units", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "unit of the values, where the file does not say; refused where it states another"},
    {"domain.bathymetry.override", JOB_BOOLEAN, NULL, "false", false, 0, 0, NULL,
     "true: the file is wrong about its sign or its units, and positive and units here are right; run.json "
     "keeps a warning"},
    {"domain.bathymetry.axes", JOB_CHOICE, NULL, NULL, false, 0, 0, "geographic|plane",
     "geographic: degrees east and north, plane: metres; needed where the file does not say"},
    {"domain.bathymetry.missing", JOB_QUANTITY, "m", NULL, false, -12000, 12000, NULL,
     "depth (positive down) to use where the file has no value; without it a missing value is an error"},
    {"domain.longitude", JOB_QUANTITY_LIST, "degree", NULL, false, -360, 720, NULL,
     "west and east limit, in any convention; may cross the antimeridian; all of the file if left out"},
    {"domain.latitude", JOB_QUANTITY_LIST, "degree", NULL, false, -90, 90, NULL, "south and north limit"},
    {"domain.x", JOB_QUANTITY_LIST, "m", NULL, false, -HUGE_VAL, HUGE_VAL, NULL, "limits on a plane grid"},
    {"domain.y", JOB_QUANTITY_LIST, "m", NULL, false, -HUGE_VAL, HUGE_VAL, NULL, "limits on a plane grid"},
    {"domain.spacing", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "distance of the nodes (\"4 arcmin\"; \"50 m\" on a plane): bilinear resampling; the file's own nodes "
     "if left out"},
    {"domain.edges.west", JOB_CHOICE, NULL, "open", false, 0, 0, "open|wall|periodic",
     "what the western edge does to a wave: lets it out, reflects it, or brings it back in at the other "
     "side"},
    {"domain.edges.east", JOB_CHOICE, NULL, "open", false, 0, 0, "open|wall|periodic",
     "the same, eastern edge"},
    {"domain.edges.south", JOB_CHOICE, NULL, "open", false, 0, 0, "open|wall|periodic",
     "the same, southern edge"},
    {"domain.edges.north", JOB_CHOICE, NULL, "open", false, 0, 0, "open|wall|periodic",
     "the same, northern edge"},
    {"method", JOB_CHOICE, NULL, "vtcs2-o2", false, 0, 0, "vtcs2|vtcs2-o2|muscl-hancock|vtcs2-shore",
     "vtcs2: MOST's published scheme, for parity; vtcs2-o2: the same with its missing second-order terms; "
     "muscl-hancock: finite volumes with a moving shoreline, for run-up on land; vtcs2-shore: VTCS-2 with "
     "MOST's moving shoreline, for parity with it"},
    {"physics.coriolis", JOB_BOOLEAN, NULL, "true", false, 0, 0, NULL, "the Earth's rotation"},
    {"physics.curvature", JOB_BOOLEAN, NULL, "true", false, 0, 0, NULL,
     "the sphere's terms u tan(latitude)/R in the momentum; none on a plane"},
    {"physics.coriolis_parameter", JOB_QUANTITY, "s-1", NULL, false, -0.01, 0.01, NULL,
     "f on a plane grid, for example \"1e-4 s-1\"; 0 if left out"},
    {"physics.manning_n", JOB_NUMBER, NULL, "0", false, 0, 1, NULL,
     "Manning's roughness in s m^(-1/3): 0.025 is usual for the sea floor; 0: no friction"},
    {"physics.dispersion", JOB_BOOLEAN, NULL, "false", false, 0, 0, NULL,
     "whether waves that are not much longer than the water is deep run slower than long ones "
     "(muscl-hancock): solitary waves, waves in laboratories' tanks; an ocean's tsunami hardly"},
    {"physics.wall_depth", JOB_QUANTITY, "m", "10 m", false, 1e-6, 12000, NULL,
     "shallower than this is land, and its coast a wall; has no meaning where the shore moves"},
    {"physics.minimum_depth", JOB_QUANTITY, "m", NULL, false, 1e-12, 10, NULL,
     "where the shore moves: water no deeper does not flow; a ten-thousandth of the smallest spacing if left "
     "out (vtcs2-shore: a two-hundredth)"},
    {"physics.steepness_limit", JOB_NUMBER, NULL, "2", false, 0, 100, NULL,
     "largest square root of the ratio of two neighbouring depths; steeper bottom is smoothed and the log "
     "says where; 0 leaves it as it is"},
    {"physics.gravity", JOB_QUANTITY, "m s-2", "9.81 m s-2", false, 1e-3, 100, NULL,
     "acceleration of gravity"},
    {"physics.earth_radius", JOB_QUANTITY, "m", "6371 km", false, 1, 1e9, NULL, "radius of the sphere"},
    {"physics.rotation_rate", JOB_QUANTITY, "s-1", "7.2921159e-5 s-1", false, -1, 1, NULL,
     "angular speed of the Earth, radians per second"},
    {"source.faults", JOB_ANY, NULL, NULL, false, 0, 0, NULL,
     "rectangular faults (Okada 1985): the name of a fault table, or the table itself"},
    {"source.extent", JOB_QUANTITY, "m", "1500 km", false, 0, HUGE_VAL, NULL,
     "how far from a fault its deformation is computed, faded out over the outer half; 0 = everywhere"},
    {"source.horizontal", JOB_BOOLEAN, NULL, "false", false, 0, 0, NULL,
     "add what the horizontal displacement of a slope lifts"},
    {"source.sift.table", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "NOAA's table of unit sources (info_sz.dat)"},
    {"source.sift.slips", JOB_NUMBER_MAP, NULL, NULL, false, -1000, 1000, NULL,
     "slip of each unit source, in metres per metre of the unit source: {\"acsza1\": 2.0}"},
    {"source.displacement.file", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "grid of the sea floor's uplift, positive up; with a time axis it is followed in time"},
    {"source.displacement.variable", JOB_STRING, NULL, NULL, false, 0, 0, NULL, "which variable"},
    {"source.displacement.units", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "where the file does not say; refused where it states another"},
    {"source.displacement.override", JOB_BOOLEAN, NULL, "false", false, 0, 0, NULL,
     "true: the file is wrong about its units, or in saying that its values are positive down"},
    {"source.displacement.start", JOB_QUANTITY, "s", "0 s", false, 0, HUGE_VAL, NULL,
     "when the uplift begins"},
    {"source.displacement.rise", JOB_QUANTITY, "s", "0 s", false, 0, HUGE_VAL, NULL,
     "how long it takes, for a file without a time axis; 0 is at once"},
    {"source.initial.file", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "grid of the water's state at the start"},
    {"source.initial.eta", JOB_STRING, NULL, NULL, false, 0, 0, NULL, "variable of the surface elevation"},
    {"source.initial.u", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "variable of the eastward velocity; 0 if left out"},
    {"source.initial.v", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "variable of the northward velocity; 0 if left out"},
    {"source.initial.floods_land", JOB_BOOLEAN, NULL, "false", false, 0, 0, NULL,
     "whether eta means water on land too, wherever it lies above the ground (methods whose shore moves); "
     "without it, land starts dry"},
    {"source.initial.override", JOB_BOOLEAN, NULL, "false", false, 0, 0, NULL,
     "true: the file is wrong in saying that eta is positive down"},
    {"source.solitary", JOB_OBJECT, NULL, NULL, false, 0, 0, NULL,
     "a solitary wave in the water at the start, on a plane grid"},
    {"source.solitary.height", JOB_QUANTITY, "m", NULL, true, 1e-9, 12000, NULL,
     "height H of its crest: eta = H sech^2(sqrt(3H/4d^3)(x - crest))"},
    {"source.solitary.crest", JOB_QUANTITY, "m", NULL, true, -HUGE_VAL, HUGE_VAL, NULL,
     "where its crest is, on the axis that it travels along"},
    {"source.solitary.toward", JOB_CHOICE, NULL, NULL, true, 0, 0, "west|east|south|north",
     "where it travels: east is +x, north is +y"},
    {"source.solitary.depth", JOB_QUANTITY, "m", NULL, false, 1e-9, 12000, NULL,
     "depth d that it travels on; the bathymetry's at the crest if left out"},
    {"source.solitary.velocity", JOB_CHOICE, NULL, "linear", false, 0, 0, "linear|exact",
     "linear: u = sqrt(g/d) eta; exact: u = c eta/(d + eta), c = sqrt(g(d + H)), that of the steady wave"},
    EDGE_FILE("west"),
    EDGE_KEY("west", "time", JOB_ANY, NULL, NULL, 0,
             "times: number of a text table's column, from 1 (1 if left out), or name of a netCDF variable "
             "(the coordinate if left out)"),
    EDGE_KEY("west", "eta", JOB_ANY, NULL, NULL, 0, "surface elevation: column (2 if left out) or variable"),
    EDGE_KEY("west", "velocity", JOB_ANY, NULL, NULL, 0,
             "column or variable of the velocity across the edge, positive east (north at the southern and "
             "northern edge); without it the surface is held to eta, and the velocity follows from what runs "
             "against the edge"),
    EDGE_KEY("west", "travelling", JOB_BOOLEAN, NULL, "false", 0,
             "eta is that of a wave on its way in: its velocity is 2(sqrt(g(d + eta)) - sqrt(g d)), d the "
             "edge's mean depth, and what comes back leaves"),
    EDGE_KEY("west", "start", JOB_QUANTITY, "s", "0 s", HUGE_VAL,
             "model time of the series' time 0; below 0 the run begins within the series"),
    EDGE_KEY("west", "time_unit", JOB_STRING, NULL, NULL, 0,
             "unit of the times where the file does not say it; a text table never does; refused where it "
             "states another"),
    EDGE_KEY("west", "eta_unit", JOB_STRING, NULL, NULL, 0, "the same for the elevation"),
    EDGE_KEY("west", "velocity_unit", JOB_STRING, NULL, NULL, 0, "the same for the velocity"),
    EDGE_KEY("west", "override", JOB_BOOLEAN, NULL, "false", 0,
             "true: the file is wrong about its units, and those given here are right"),
    {"source.edges.west.skip_lines", JOB_INTEGER, NULL, "0", false, 0, 1e6, NULL,
     "lines of heading before a text table"},
    EDGE_KEYS_AS_WEST("east"),
    EDGE_KEYS_AS_WEST("south"),
    EDGE_KEYS_AS_WEST("north"),
    {"nested", JOB_PARTS, NULL, NULL, false, 0, 0,
     "parent|domain|physics|method|time.step|output.fields|output.maxima|output.arrival|output.arrival_from|"
     "output.drawdown|output.deformation|output.gauges|output.diagnostics",
     "grids within this one, each driven at its edges by the one it lies in: {\"NAME\": {...}} with the keys "
     "domain, physics, method, time.step and output as here; what one does not say of physics, method and "
     "output is as in its parent, and null takes that away"},
    {"nested.NAME.parent", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "the nested grid that it lies in; the outermost grid if left out"},
    {"time.origin", JOB_STRING, NULL, NULL, false, 0, 0, NULL,
     "date and time (UTC) of the start, \"2011-03-11 05:46:24\", for the time axes of the results"},
    {"output.fields.variables", JOB_STRING_LIST, NULL, "[\"eta\"]", false, 0, 0, "eta|u|v|speed|flux",
     "elevation, eastward and northward velocity, speed, flux (speed times total depth)"},
    {"output.fields.longitude", JOB_QUANTITY_LIST, "degree", NULL, false, -360, 720, NULL,
     "crop of the fields"},
    {"output.fields.latitude", JOB_QUANTITY_LIST, "degree", NULL, false, -90, 90, NULL, "crop of the fields"},
    {"output.fields.x", JOB_QUANTITY_LIST, "m", NULL, false, -HUGE_VAL, HUGE_VAL, NULL,
     "crop on a plane grid"},
    {"output.fields.y", JOB_QUANTITY_LIST, "m", NULL, false, -HUGE_VAL, HUGE_VAL, NULL,
     "crop on a plane grid"},
    {"output.maxima", JOB_BOOLEAN, NULL, "true", false, 0, 0, NULL,
     "largest elevation, speed and flux at every node, and when the elevation was largest (maxima.nc)"},
    {"output.arrival", JOB_QUANTITY_LIST, "m", NULL, false, 1e-9, 1000, NULL,
     "thresholds of elevation whose first crossing is recorded at every node, for example [\"1 cm\", \"10 "
     "cm\"]"},
    {"output.arrival_from", JOB_CHOICE, NULL, "source", false, 0, 0, "source|still_water",
     "what arrivals and the draw-down count from: source: the level that the source leaves at a node, so "
     "that its own uplift does not count as an arrival; still_water: the sea at rest"},
    {"output.drawdown", JOB_QUANTITY, "m", NULL, false, 1e-9, 1000, NULL,
     "record when the surface first falls by this much"},
    {"output.deformation", JOB_BOOLEAN, NULL, "true", false, 0, 0, NULL,
     "write the sea floor's final uplift on the grid (deformation.nc)"},
    {"output.gauges", JOB_OBJECT, NULL, NULL, false, 0, 0, NULL, "time series at points"},
    {"output.gauges.file", JOB_STRING, NULL, NULL, true, 0, 0, NULL, "list of gauges"},
    {"output.gauges.search", JOB_ANY, NULL, NULL, false, 0, 0, NULL,
     "how far from a gauge its wet node may be: a number of nodes in each direction, or a length, for "
     "example \"5 nodes\", \"2 km\"; 3 nodes if left out"},
    {"output.gauges.every", JOB_QUANTITY, "s", "1 min", false, 1e-9, HUGE_VAL, NULL,
     "model time between two samples"},
    {"limits.volume_drift", JOB_NUMBER, NULL, NULL, false, 0, HUGE_VAL, NULL,
     "largest change of the volume of water above rest (mass in the diagnostics), as a part of what it is "
     "when the source has ended; water that leaves through an open edge counts, too"},
    {"limits.energy_growth", JOB_NUMBER, NULL, NULL, false, 0, HUGE_VAL, NULL,
     "largest growth of the energy, kinetic and potential, as a part of what it is when the source has "
     "ended; friction and open edges may take any of it"},
    {"check.tolerance", JOB_QUANTITY, "m", NULL, false, 0, 1000, NULL,
     "largest difference from the reference, after two steps, that passes: of the elevation, and of "
     "velocities as the elevation of a wave with that velocity; 1e-5 m in single and 1e-9 m in double "
     "precision if left out"},
};

const struct job_key_table tsunami_keys = {keys, sizeof keys / sizeof *keys};
