// The keys of a tsunami job beside those that all models share. A table, nothing else.
#include "models/keys.h"
#include "models/tsunami/params.h"

#include <math.h>

// The keys of a wave at an edge. The western ones have the help; the others refer to them.
#define OWN(name, help)     help
#define AS_WEST(name, help) "as source.edges.west." name
#define EDGE_KEYS(side, text)                                                                                \
    BLOCK("source.edges." side, "a wave given at that edge"),                                                \
        {"source.edges." side ".file", JOB_STRING, NULL, NULL, true, 0, 0, NULL, "its series over time"},    \
        FORMS("source.edges." side ".time", "integer|text",                                                  \
              text("time", "times: number of a text table's column, from 1 (1 if left out), or name of a "   \
                           "netCDF variable (the coordinate if left out)")),                                 \
        FORMS("source.edges." side ".eta", "integer|text",                                                   \
              text("eta", "surface elevation: column (2 if left out) or variable")),                         \
        FORMS("source.edges." side ".velocity", "integer|text",                                              \
              text("velocity", "column or variable of the velocity across the edge, positive east (north "   \
                               "at the southern and northern edge); without it the surface is held to eta, " \
                               "and the velocity follows from what runs against the edge")),                 \
        FLAG("source.edges." side ".travelling", "false",                                                    \
             text("travelling", "eta is that of a wave on its way in: its velocity is 2(sqrt(g(d + eta)) - " \
                                "sqrt(g d)), d the edge's mean depth, and what comes back leaves")),         \
        FLAG("source.edges." side ".keeps_discharge", "false",                                               \
             text("keeps_discharge", "velocity times the depth under eta is the discharge that enters, at "  \
                                     "whatever level the water inside gives the edge (muscl-hancock); "      \
                                     "without it what comes in is a wave, and both change with the level")), \
        QUANTITY(                                                                                            \
            "source.edges." side ".start", "s", "0 s", -HUGE_VAL, HUGE_VAL,                                  \
            text("start", "model time of the series' time 0; below 0 the run begins within the series")),    \
        TEXT("source.edges." side ".time_unit", NULL,                                                        \
             text("time_unit", "unit of the times where the file does not say it; a text table never does; " \
                               "refused where it states another")),                                          \
        TEXT("source.edges." side ".eta_unit", NULL, text("eta_unit", "the same for the elevation")),        \
        TEXT("source.edges." side ".velocity_unit", NULL,                                                    \
             text("velocity_unit", "the same for the velocity")),                                            \
        FLAG("source.edges." side ".override", "false",                                                      \
             text("override", "true: the file is wrong about its units, and those given here are right")),   \
        WHOLE("source.edges." side ".skip_lines", "0", 0, 1e6,                                               \
              text("skip_lines", "lines of heading before a text table"))

static const struct job_key keys[] = {
    // Not the shared key's choice: other back ends may be registered, and a device has a number (params.c).
    TEXT("backend", "auto",
         "what computes: reference (slow, plain, the specification), openmp (all cores), cuda (NVIDIA GPU; "
         "cuda:1 is the second); auto takes the fastest that this build and this machine have and that the "
         "run fits on"),
    {"domain.bathymetry.file", JOB_STRING, NULL, NULL, true, 0, 0, NULL,
     "grid of depths or elevations: netCDF, MOST .most/.corr, ESRI ASCII, Surfer 6/7, GeoClaw tt3, GeoTIFF"},
    TEXT("domain.bathymetry.variable", NULL,
         "which variable of a netCDF file; may be left out if it has only one grid"),
    {"domain.bathymetry.positive", JOB_CHOICE, NULL, NULL, false, 0, 0, "up|down",
     "up: values are elevations, down: depths; needed where the file does not say, refused where it states "
     "the opposite"},
    TEXT("domain.bathymetry.units", NULL,
         "unit of the values, where the file does not say; refused where it states another"),
    FLAG("domain.bathymetry.override", "false",
         "true: the file is wrong about its sign or its units, and positive and units here are right, or its "
         "sea is deeper than 11.5 km (12 km on a plane); run.json keeps a warning"),
    {"domain.bathymetry.axes", JOB_CHOICE, NULL, NULL, false, 0, 0, "geographic|plane",
     "geographic: degrees east and north, plane: metres; needed where the file does not say"},
    QUANTITY(
        "domain.bathymetry.missing", "m", NULL, -12000, 12000,
        "depth (positive down) to use where the file has no value; without it a missing value is an error"),
    QUANTITIES(
        "domain.longitude", "degree", -360, 720,
        "west and east limit, in any convention; may cross the antimeridian; all of the file if left out"),
    QUANTITIES("domain.latitude", "degree", -90, 90, "south and north limit"),
    QUANTITIES("domain.x", "m", -HUGE_VAL, HUGE_VAL, "limits on a plane grid"),
    QUANTITIES("domain.y", "m", -HUGE_VAL, HUGE_VAL, "limits on a plane grid"),
    TEXT("domain.crs", NULL,
         "coordinate system of the grid, \"EPSG:32654\", for GeoTIFF products; a GeoTIFF of the bathymetry "
         "states its own"),
    TEXT("domain.spacing", NULL,
         "distance of the nodes (\"4 arcmin\"; \"50 m\" on a plane): bilinear resampling; the file's own "
         "nodes if left out"),
    CHOICE("domain.edges.west", "open", "open|wall|periodic",
           "what the western edge does to a wave: lets it out, reflects it, or brings it back in at the "
           "other side"),
    CHOICE("domain.edges.east", "open", "open|wall|periodic", "the same, eastern edge"),
    CHOICE("domain.edges.south", "open", "open|wall|periodic", "the same, southern edge"),
    CHOICE("domain.edges.north", "open", "open|wall|periodic", "the same, northern edge"),
    CHOICE("method", "vtcs2-o2", "vtcs2|vtcs2-o2|c-grid-6|muscl-hancock|vtcs2-shore",
           "vtcs2: MOST's published scheme, for parity; vtcs2-o2: the same with its missing second-order "
           "terms; c-grid-6: differences of order 6 on a staggered grid, for oceans on coarse grids; "
           "muscl-hancock: finite volumes with a moving shoreline, for run-up on land; vtcs2-shore: "
           "VTCS-2 with MOST's moving shoreline, for parity with it"),
    CHOICE("limiter", "van-leer", "van-leer|mc|third-order",
           "how muscl-hancock limits the slopes in its cells: van-leer: the harmonic mean of the differences "
           "to both neighbours; mc: their mean, at most twice the smaller one, as in GeoClaw; third-order: "
           "not limited where the flow is smooth, so that a crest loses least on a long way"),
    FLAG("physics.coriolis", "true", "the Earth's rotation"),
    FLAG("physics.curvature", "true",
         "the sphere's terms u tan(latitude)/R in the momentum; none on a plane"),
    QUANTITY("physics.coriolis_parameter", "s-1", NULL, -0.01, 0.01,
             "f on a plane grid, for example \"1e-4 s-1\"; 0 if left out"),
    NUMBER("physics.manning_n", "0", 0, 1,
           "Manning's roughness in s m^(-1/3): 0.025 is usual for the sea floor; 0: no friction"),
    FLAG("physics.dispersion", "false",
         "whether waves that are not much longer than the water is deep run slower than long ones "
         "(muscl-hancock): solitary waves, waves in laboratories' tanks; an ocean's tsunami hardly"),
    BLOCK("physics.eddy_viscosity",
          "stress between waters that flow past each other (muscl-hancock): for currents in harbours, behind "
          "islands and in jets; nothing if left out"),
    CHOICE("physics.eddy_viscosity.type", NULL, "smagorinsky|constant",
           "smagorinsky: (coefficient x cell)^2 times the local strain rate; constant: value everywhere"),
    NUMBER("physics.eddy_viscosity.coefficient", "0.2", 0.01, 1, "C of smagorinsky; 0.1 to 0.3 is usual"),
    QUANTITY("physics.eddy_viscosity.value", "m2 s-1", NULL, 1e-9, 1e9,
             "the viscosity of constant; the step is at most spacing^2/(8 value)"),
    QUANTITY("physics.wall_depth", "m", "10 m", 1e-6, 12000,
             "shallower than this is land, and its coast a wall; has no meaning where the shore moves"),
    QUANTITY("physics.minimum_depth", "m", NULL, 1e-12, 10,
             "where the shore moves: water no deeper does not flow; a ten-thousandth of the smallest spacing "
             "if left out (vtcs2-shore: a two-hundredth)"),
    NUMBER("physics.steepness_limit", "2", 0, 100,
           "largest square root of the ratio of two neighbouring depths; steeper bottom is smoothed and the "
           "log says where; 0 leaves it as it is"),
    QUANTITY("physics.gravity", "m s-2", "9.81 m s-2", 1e-3, 100, "acceleration of gravity"),
    QUANTITY("physics.earth_radius", "m", "6371 km", 1, 1e9, "radius of the sphere"),
    QUANTITY("physics.rotation_rate", "s-1", "7.2921159e-5 s-1", -1, 1,
             "angular speed of the Earth, radians per second"),
    BLOCK("source.earthquake", "an earthquake as one rectangular fault (Okada 1985): magnitude and "
                               "mechanism, or a moment tensor; length, "
                               "width and slip follow from a scaling relation, docs/earthquakes.md"),
    TEXT("source.earthquake.file", NULL,
         "a moment tensor: CMTSOLUTION, ndk, QuakeML, or the USGS' event GeoJSON; its place, too"),
    TEXT("source.earthquake.event", NULL, "the name of one event of a file with several"),
    BLOCK("source.earthquake.tensor",
          "a moment tensor along r (up), t (south) and p (east); all six components, with a unit"),
    QUANTITY("source.earthquake.tensor.mrr", "N m", NULL, -1e26, 1e26,
             "component rr, for example \"1.73e22 N m\""),
    QUANTITY("source.earthquake.tensor.mtt", "N m", NULL, -1e26, 1e26, "component tt"),
    QUANTITY("source.earthquake.tensor.mpp", "N m", NULL, -1e26, 1e26, "component pp"),
    QUANTITY("source.earthquake.tensor.mrt", "N m", NULL, -1e26, 1e26, "component rt"),
    QUANTITY("source.earthquake.tensor.mrp", "N m", NULL, -1e26, 1e26, "component rp"),
    QUANTITY("source.earthquake.tensor.mtp", "N m", NULL, -1e26, 1e26, "component tp"),
    OPTIONAL_CHOICE(
        "source.earthquake.plane", "shallow|steep",
        "which nodal plane of a tensor slipped: the one that dips less or more; left out, the shallow one "
        "of a reverse mechanism, and an error for others"),
    NUMBER("source.earthquake.magnitude", NULL, 4, 9.7,
           "moment magnitude Mw: the moment is 10^(1.5 Mw + 9.1) N m = rigidity x length x width x slip"),
    QUANTITY("source.earthquake.moment", "N m", NULL, 1e15, 1e24, "the moment instead of the magnitude"),
    QUANTITY("source.earthquake.longitude", "degree", NULL, -360, 360,
             "of the point, in any convention; with a file, instead of the file's"),
    QUANTITY("source.earthquake.latitude", "degree", NULL, -89, 89, "of the point"),
    QUANTITY("source.earthquake.depth", "m", NULL, 0, 750000,
             "of the point below the sea floor, positive down; a plane that would break the sea floor is "
             "moved down"),
    QUANTITY("source.earthquake.strike", "degree", NULL, -360, 360, "of the plane, clockwise from north"),
    QUANTITY("source.earthquake.dip", "degree", NULL, 0.1, 90, "of the plane, to the right of strike"),
    QUANTITY("source.earthquake.rake", "degree", NULL, -360, 360,
             "of the slip of the upper side: 0 left-lateral, 90 thrust, -90 normal"),
    OPTIONAL_CHOICE(
        "source.earthquake.point", "hypocentre|centroid",
        "what longitude, latitude and depth belong to: hypocentre, a point of the plane; centroid, its "
        "middle; left out, centroid with a moment tensor, else hypocentre"),
    NUMBER("source.earthquake.along_strike", "0.5", 0, 1,
           "where the hypocentre lies along strike: 0 at the beginning of the plane, 1 at its end"),
    NUMBER("source.earthquake.down_dip", "0.5", 0, 1,
           "where the hypocentre lies down dip: 0 at the upper edge, 1 at the lower one"),
    {"source.earthquake.relation", JOB_CHOICE, NULL, "strasser-interface", false, 0, 0,
     "strasser-interface|strasser-intraslab|blaser|leonard|wells-coppersmith|thingbaijam-interface|"
     "thingbaijam|"
     "murotani",
     "scaling relation that gives length and width from the magnitude (and, for blaser, leonard, "
     "wells-coppersmith and "
     "thingbaijam, from the style that the rake tells)"},
    NUMBER("source.earthquake.aspect", "2", 0.5, 20,
           "length over width with murotani, which gives the area alone"),
    QUANTITY("source.earthquake.rigidity", "Pa", "40 GPa", 1e9, 2e11,
             "shear modulus of the rock, by which slip follows from the moment"),
    QUANTITY("source.earthquake.length", "m", NULL, 100, 2e6, "of the plane along strike; not scaled then"),
    QUANTITY("source.earthquake.width", "m", NULL, 100, 1e6, "of the plane down dip; not scaled then"),
    QUANTITY("source.earthquake.slip", "m", NULL, 1e-3, 200,
             "of the plane; not scaled then, and refused if it contradicts the magnitude by more than 1 % of "
             "the moment"),
    NUMBER("source.earthquake.length_sigmas", "0", -5, 5,
           "by how many standard deviations of the relation its length is exceeded: for samples of sources"),
    NUMBER("source.earthquake.width_sigmas", "0", -5, 5, "the same of its width"),
    NUMBER("source.earthquake.area_sigmas", "0", -5, 5,
           "the same of its area, by equal factors of length and width; not beside the other two"),
    BLOCK("source.earthquake.random_slip",
          "slip that varies over the plane at random, with von Karman autocorrelation; the moment stays"),
    REQUIRED_WHOLE("source.earthquake.random_slip.seed", 0, 9007199254740991.0,
                   "of the random numbers: the same seed gives the same slip on every machine"),
    CHOICE("source.earthquake.random_slip.correlation", "mai-beroza", "mai-beroza|melgar-hayes",
           "whose correlation lengths and Hurst exponent: Mai & Beroza (2002), Melgar & Hayes (2019)"),
    QUANTITY("source.earthquake.random_slip.along_strike", "m", NULL, 100, 2e6,
             "correlation length along strike, in place of theirs"),
    QUANTITY("source.earthquake.random_slip.down_dip", "m", NULL, 100, 2e6,
             "correlation length down dip, in place of theirs"),
    NUMBER("source.earthquake.random_slip.hurst", NULL, 0.05, 1, "Hurst exponent, in place of theirs"),
    NUMBER("source.earthquake.random_slip.variation", "0.85", 0, 3,
           "standard deviation of the slip over its mean, before the taper; 0: the same everywhere"),
    QUANTITY("source.earthquake.random_slip.patch", "m", NULL, 100, 1e6,
             "largest length and width of the patches; half the shorter correlation length if left out"),
    NUMBER("source.earthquake.random_slip.taper", "0.1", 0, 0.5,
           "part of the length at each end, and of the width at the lower edge, over which slip falls to 0"),
    NUMBER("source.earthquake.random_slip.taper_top", "0.1", 0, 0.5,
           "the same at the upper edge; 0: the slip reaches the trench"),
    QUANTITY("source.earthquake.start", "s", "0 s", 0, HUGE_VAL, "when the uplift begins"),
    QUANTITY("source.earthquake.rise", "s", "0 s", 0, HUGE_VAL, "how long it takes; 0 is at once"),
    FORMS("source.faults", "text|object",
          "rectangular faults (Okada 1985): the table itself, or the name of a file: a "
          "fault table, a finite fault of "
          "the USGS (.param, .fsp, FFM.geojson), or a CSV table"),
    OPTIONAL_CHOICE("source.faults_reference", "centre|top_centre|bottom_centre|top_corner|sift",
                    "where a CSV table that does not state it measures position and depth"),
    QUANTITY(
        "source.extent", "m", "1500 km", 0, HUGE_VAL,
        "how far from a fault its deformation is computed, faded out over the outer half; 0 = everywhere"),
    FLAG("source.horizontal", "false", "add what the horizontal displacement of a slope lifts"),
    {"source.filter", JOB_CHOICE, NULL, NULL, false, 0, 0, "kajiura|none",
     "kajiura: the surface shows 1/cosh(k h) of a rise of wave number k in water of depth h, for faults and "
     "displacements; none: it shows all of it; left out, faults are filtered, displacements are not"},
    TEXT("source.sift.table", NULL, "NOAA's table of unit sources (info_sz.dat)"),
    {"source.sift.slips", JOB_NUMBER_MAP, NULL, NULL, false, -1000, 1000, NULL,
     "slip of each unit source, in metres per metre of the unit source: {\"acsza1\": 2.0}"},
    TEXT("source.displacement.file", NULL,
         "grid of the sea floor's uplift, positive up; with a time axis it is followed in time"),
    TEXT("source.displacement.variable", NULL, "which variable"),
    TEXT("source.displacement.units", NULL, "where the file does not say; refused where it states another"),
    FLAG("source.displacement.override", "false",
         "true: the file is wrong about its units, or in saying that its values are positive down"),
    QUANTITY("source.displacement.start", "s", "0 s", 0, HUGE_VAL, "when the uplift begins"),
    QUANTITY("source.displacement.rise", "s", "0 s", 0, HUGE_VAL,
             "how long it takes, for a file without a time axis; 0 is at once"),
    TEXT("source.initial.file", NULL, "grid of the water's state at the start"),
    TEXT("source.initial.eta", NULL, "variable of the surface elevation"),
    TEXT("source.initial.u", NULL, "variable of the eastward velocity; 0 if left out"),
    TEXT("source.initial.v", NULL, "variable of the northward velocity; 0 if left out"),
    FLAG("source.initial.floods_land", "false",
         "whether eta means water on land too, wherever it lies above the ground (methods whose shore "
         "moves); without it, land starts dry"),
    FLAG("source.initial.override", "false", "true: the file is wrong in saying that eta is positive down"),
    BLOCK("source.solitary", "a solitary wave in the water at the start, on a plane grid"),
    {"source.solitary.height", JOB_QUANTITY, "m", NULL, true, 1e-9, 12000, NULL, "height H of its crest"},
    {"source.solitary.crest", JOB_QUANTITY, "m", NULL, true, -HUGE_VAL, HUGE_VAL, NULL,
     "where its crest is, on the axis that it travels along"},
    CHOICE("source.solitary.toward", NULL, "west|east|south|north",
           "where it travels: east is +x, north is +y"),
    QUANTITY("source.solitary.depth", "m", NULL, 1e-9, 12000,
             "depth d that it travels on; the bathymetry's at the crest if left out"),
    {"source.solitary.profile", JOB_CHOICE, NULL, "boussinesq", false, 0, 0, "boussinesq|serre",
     "boussinesq: eta = H sech^2(sqrt(3H/4d^3)(x - crest)); serre: sqrt(3H/(4d^2(d + H))) in it, the wave of "
     "permanent form of the equations with physics.dispersion, which has the exact velocity"},
    {"source.solitary.velocity", JOB_CHOICE, NULL, NULL, false, 0, 0, "linear|exact",
     "linear: u = sqrt(g/d) eta; exact: u = c eta/(d + eta), c = sqrt(g(d + H)), that of the steady wave; "
     "left "
     "out, linear, and exact with the profile serre"},
    EDGE_KEYS("west", OWN),
    EDGE_KEYS("east", AS_WEST),
    EDGE_KEYS("south", AS_WEST),
    EDGE_KEYS("north", AS_WEST),
    BLOCK("source.edges.field", "waves given along all open edges, by fields over time"),
    {"source.edges.field.file", JOB_STRING, NULL, NULL, true, 0, 0, NULL,
     "eta, u and v over time, latitude and longitude: fields.nc of a run or of fathom combine"},
    QUANTITY("source.edges.field.start", "s", "0 s", -HUGE_VAL, HUGE_VAL, "model time of the file's time 0"),
    {"nested", JOB_PARTS, NULL, NULL, false, 0, 0,
     "parent|domain|physics|method|limiter|time.step|output.fields|output.maxima|output.maxima_"
     "variables|output.arrival|output.arrival_from|"
     "output.drawdown|output.deformation|output.gauges|output.diagnostics",
     "grids within this one, each driven at its edges by the one it lies in: {\"NAME\": {...}} with the keys "
     "domain, physics, method, limiter, time.step and output as here; what one does not say of physics, "
     "method, limiter and output is as in its parent, and null takes that away"},
    TEXT("nested.NAME.parent", NULL, "the nested grid that it lies in; the outermost grid if left out"),
    TEXT("time.origin", NULL,
         "date and time of the start in UTC, never of another zone, \"2011-03-11 05:46:24\", for the time "
         "axes of the results "
         "(default: "
         "that of source.earthquake.file, if it has one)"),
    {"output.fields.variables", JOB_STRING_LIST, NULL, "[\"eta\"]", false, 0, 0, "eta|u|v|speed|flux",
     "elevation, eastward and northward velocity, speed, flux (speed times total depth)"},
    QUANTITY(
        "output.fields.resolution.elevation", "m", NULL, 1e-6, 1,
        "round eta in fields.nc to multiples of this, for example \"0.1 mm\": the error is at most half of "
        "it, and the file much smaller; not rounded if left out"),
    QUANTITY("output.fields.resolution.velocity", "m/s", NULL, 1e-6, 1,
             "the same for u, v and speed, for example \"0.1 mm/s\""),
    QUANTITIES("output.fields.longitude", "degree", -360, 720, "crop of the fields"),
    QUANTITIES("output.fields.latitude", "degree", -90, 90, "crop of the fields"),
    QUANTITIES("output.fields.x", "m", -HUGE_VAL, HUGE_VAL, "crop on a plane grid"),
    QUANTITIES("output.fields.y", "m", -HUGE_VAL, HUGE_VAL, "crop on a plane grid"),
    FLAG("output.maxima", "true",
         "largest elevation, speed and flux at every node, and when the elevation was largest (maxima.nc)"),
    {"output.maxima_variables", JOB_STRING_LIST, NULL, NULL, false, 0, 0,
     "depth|max_eta|time_of_max|max_speed|max_flux|max_depth|hazard_rating|inundation_duration|first_"
     "drawdown|"
     "arrival",
     "what maxima.nc holds; all that the run has if left out. An ensemble of many members needs max_eta and "
     "arrival at most (fathom hazard)"},
    QUANTITIES("output.arrival", "m", 1e-9, 1000,
               "thresholds of elevation whose first crossing is recorded at every node, for example [\"1 "
               "cm\", \"10 cm\"]"),
    CHOICE("output.arrival_from", "source", "source|still_water",
           "what arrivals and the draw-down count from: source: the level that the source leaves at a node, "
           "so that its own uplift does not count as an arrival; still_water: the sea at rest"),
    QUANTITY("output.drawdown", "m", NULL, 1e-9, 1000, "record when the surface first falls by this much"),
    FLAG("output.deformation", "true", "write the sea floor's final uplift on the grid (deformation.nc)"),
    {"output.products", JOB_STRING_LIST, NULL, NULL, false, 0, 0, "csv|geojson|kml|geotiff",
     "further files made of the results at the end of the run, docs/products.md: csv: points, zones, series; "
     "geojson and kml: these, contours of the maximum, isochrones; geotiff: maps"},
    BLOCK("output.gauges", "time series at points"),
    {"output.gauges.file", JOB_STRING, NULL, NULL, true, 0, 0, NULL, "list of gauges"},
    FORMS("output.gauges.search", "text",
          "how far from a gauge its wet node may be: a number of nodes in each direction, or a length, for "
          "example \"5 nodes\", \"2 km\"; 3 nodes if left out"),
    CHOICE(
        "output.gauges.interpolation", "bilinear", "bilinear|nearest",
        "where a gauge takes its values: bilinear between the wet nodes around it, or from the nearest wet "
        "node"),
    QUANTITY("output.gauges.every", "s", "1 min", 1e-9, HUGE_VAL, "model time between two samples"),
    BLOCK("output.points",
          "forecast points, such as towns: arrival, crests and troughs, coastal height, threat "
          "(points.nc), docs/points.md"),
    {"output.points.file", JOB_STRING, NULL, NULL, true, 0, 0, NULL,
     "list of places: CSV with the columns name, longitude, latitude (x, y on a plane), GeoJSON Points, or a "
     "list of gauges"},
    QUANTITY("output.points.depth", "m", "10 m", 1e-3, 12000,
             "least still depth of the node that stands for a point: the nearest wet one at least so deep"),
    QUANTITY("output.points.search", "m", "30 km", 1e-3, 1e7,
             "how far from a point that node may be; a point without one is skipped with a warning"),
    FLAG("output.points.required", "false", "true: a point that would be skipped is an error"),
    QUANTITY(
        "output.points.threshold", "m", "3 cm", 1e-6, 1000,
        "change of the surface that counts as an arrival, as a fall after a crest, and for the duration"),
    QUANTITY("output.points.green_depth", "m", "1 m", 1e-3, 1000,
             "depth h_c at the coast in Green's law: coastal height = largest height (depth/h_c)^(1/4)"),
    BLOCK("output.zones",
          "forecast zones: the largest elevation, the earliest arrival and the threat in each "
          "(zones.nc); needs maxima"),
    {"output.zones.file", JOB_STRING, NULL, NULL, true, 0, 0, NULL, "GeoJSON of Polygons and MultiPolygons"},
    TEXT("output.zones.name", "name", "the property of the features that is a zone's name"),
    QUANTITIES("output.threat_levels", "m", 1e-6, 1000,
               "heights from which points and zones have the threats 1, 2, ..., for example [\"0.3 m\", \"1 "
               "m\", \"3 m\"], which hold if left out; at most 8"),
    FLAG("output.travel_time", "false",
         "travel times of the first wave at sqrt(g depth), before the first step (travel_time.nc, and at the "
         "points)"),
    NUMBER("output.travel_time_share", "0.1", 1e-6, 1,
           "travel times start where the source shifts the surface by at least this share of its largest "
           "shift"),
    NUMBER(
        "limits.volume_drift", NULL, 0, HUGE_VAL,
        "largest change of the volume of water above rest (mass in the diagnostics), relative to its value "
        "at the end of the source; water that leaves through an open edge counts, too"),
    NUMBER("limits.energy_growth", NULL, 0, HUGE_VAL,
           "largest growth of the energy, kinetic and potential, relative to its value at the end of the "
           "source; friction and open edges may reduce the energy without limit"),
    QUANTITY("check.tolerance", "m", NULL, 0, 1000,
             "largest difference from the reference, after two steps, that passes: of the elevation, and of "
             "velocities as the elevation of a wave with that velocity; 1e-5 m in single and 1e-9 m in "
             "double precision if left out"),
};

const struct job_key_table tsunami_keys = {keys, sizeof keys / sizeof *keys};
