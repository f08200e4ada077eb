// The block `source.earthquake` of a job: a magnitude and a mechanism, or a moment tensor (in the job or a
// file), as one rectangular fault; and files of finite faults for `source.faults`.
#include "models/tsunami/params_private.h"

#include "core/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char block[] = "source.earthquake";

// The key of the block with this name.
static const char *key_of(char key[64], const char *name)
{
    snprintf(key, 64, "source.earthquake.%s", name);
    return key;
}

static bool has(const struct job *job, const char *name)
{
    char key[64];
    return job_has(job, key_of(key, name));
}

static double quantity(const struct job *job, const char *name)
{
    char key[64];
    return job_quantity(job, key_of(key, name));
}

// Keys of which one form of the block has use, and the others have not.
static enum status refuse_idle(const struct job *job, const char *const *names, size_t count, const char *why)
{
    char key[64];
    for (size_t k = 0; k < count; k++)
        if (has(job, names[k]))
            return job_fail(job, key_of(key, names[k]), "has no effect: %s", why);
    return STATUS_OK;
}
#define REFUSE_IDLE(job, why, ...)                                                                           \
    refuse_idle((job), (const char *const[]){__VA_ARGS__},                                                   \
                sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), (why))

static enum status require(const struct job *job, const char *name, const char *why)
{
    char key[64];
    return has(job, name) ? STATUS_OK : job_fail(job, key_of(key, name), "missing: %s", why);
}

// ---- the mechanism

static enum status read_tensor(const struct job *job, struct tsunami_earthquake *quake)
{
    static const char *const names[] = {"tensor.mrr", "tensor.mtt", "tensor.mpp",
                                        "tensor.mrt", "tensor.mrp", "tensor.mtp"};
    struct earthquake_tensor *m = &quake->event.tensor;
    double *const values[] = {&m->rr, &m->tt, &m->pp, &m->rt, &m->rp, &m->tp};
    for (int k = 0; k < 6; k++) {
        CHECK(require(job, names[k], "a moment tensor has the six components mrr, mtt, mpp, mrt, mrp, mtp"));
        *values[k] = quantity(job, names[k]);
    }
    quake->has_event = quake->event.has_mechanism = true;
    const enum status status = earthquake_tensor_solve(m, "source.earthquake.tensor", &quake->event.solution);
    if (status == STATUS_OK)
        return STATUS_OK;
    return status_prefix(STATUS_CONFIGURATION, "%s", job_path(job));
}

static void print_plane(const struct earthquake_mechanism *plane, char text[64])
{
    snprintf(text, 64, "strike %.0f, dip %.0f, rake %.0f degree", plane->strike_deg, plane->dip_deg,
             plane->rake_deg);
}

// Of both nodal planes the one that the job names; without a name the shallower one of a reverse mechanism,
// as on a plate interface. Other mechanisms do not tell which of both slipped.
static enum status choose_plane(const struct job *job, struct tsunami_earthquake *quake)
{
    const struct earthquake_mechanism *planes = quake->event.solution.planes;
    const char *choice = job_string(job, "source.earthquake.plane");
    char first[64], second[64];
    print_plane(&planes[0], first);
    print_plane(&planes[1], second);
    const enum earthquake_style style = earthquake_style_of(planes[0].rake_deg);
    if (!choice && style != EARTHQUAKE_REVERSE)
        return job_fail(
            job, "source.earthquake.plane",
            "missing: the mechanism is %s, and either nodal plane may have slipped; give \"shallow\" (%s) "
            "or \"steep\" (%s)",
            earthquake_style_name(style), first, second);
    quake->chosen = choice && strcmp(choice, "steep") == 0;
    if (!choice)
        log_info(
            "source.earthquake: of the nodal planes %s and %s the first one, which dips less, as reverse "
            "mechanisms on plate interfaces do (source.earthquake.plane chooses)",
            first, second);
    return STATUS_OK;
}

// The tensor or the file of the job, if it has one.
static enum status read_event(const struct job *job, struct tsunami_earthquake *quake)
{
    if (!has(job, "file")) {
        CHECK(REFUSE_IDLE(job, "there is no source.earthquake.file", "event"));
        return has(job, "tensor") ? read_tensor(job, quake) : STATUS_OK;
    }
    CHECK(REFUSE_IDLE(job, "source.earthquake.file is given", "tensor"));
    CHECK_KEY(job, "source.earthquake.file",
              path_find(job_string(job, "source.earthquake.file"), job_directory(job), quake->path));
    CHECK_KEY(job, "source.earthquake.file",
              earthquake_read_event(quake->path, job_string(job, "source.earthquake.event"), &quake->event,
                                    &quake->format));
    quake->has_event = true;
    return STATUS_OK;
}

// The moment of an earthquake without a tensor: the job's, else that of the file's moment magnitude.
static enum status read_moment(const struct job *job, const struct tsunami_earthquake *quake,
                               double *moment_n_m)
{
    const struct earthquake_event *event = &quake->event;
    if (has(job, "magnitude") && has(job, "moment"))
        return job_fail(job, "source.earthquake.moment",
                        "has no effect: magnitude is given; leave out one of them");
    if (has(job, "moment") || has(job, "magnitude")) {
        *moment_n_m = has(job, "moment")
                          ? quantity(job, "moment")
                          : earthquake_moment_n_m(job_number(job, "source.earthquake.magnitude"));
        return STATUS_OK;
    }
    if (earthquake_event_lacks_moment(event))
        return job_fail(job, "source.earthquake.magnitude",
                        "missing: %g of %s is %s, not a moment magnitude: give magnitude (Mw)",
                        event->magnitude, quake->path, event->magnitude_type);
    *moment_n_m = earthquake_moment_n_m(event->magnitude);
    return STATUS_OK;
}

// Strike, dip and rake of the fault and its moment (NaN: not given); from a file, a tensor or the job itself.
static enum status read_mechanism(const struct job *job, struct tsunami_earthquake *quake,
                                  struct earthquake_request *request)
{
    CHECK(read_event(job, quake));
    request->moment_n_m = NAN;
    if (quake->event.has_mechanism) {
        static const char why[] = "the file or the tensor gives moment and mechanism";
        if (!quake->event.is_from_planes)
            CHECK(REFUSE_IDLE(job, why, "magnitude", "moment"));
        CHECK(REFUSE_IDLE(job, why, "strike", "dip", "rake"));
        CHECK(choose_plane(job, quake));
        request->mechanism = quake->event.solution.planes[quake->chosen];
        if (!quake->event.is_from_planes)
            request->moment_n_m = quake->event.solution.moment_n_m;
    } else {
        CHECK(REFUSE_IDLE(job, "strike, dip and rake give the plane", "plane"));
        static const char *const angles[] = {"strike", "dip", "rake"};
        for (int k = 0; k < 3; k++)
            CHECK(require(job, angles[k],
                          quake->path[0] ? "the file has no mechanism: give strike, dip and rake"
                                         : "give strike, dip and rake, or a moment tensor (file or tensor)"));
        request->mechanism = (struct earthquake_mechanism){quantity(job, "strike"), quantity(job, "dip"),
                                                           remainder(quantity(job, "rake"), 360)};
    }
    return isnan(request->moment_n_m) ? read_moment(job, quake, &request->moment_n_m) : STATUS_OK;
}

// ---- the place

static enum status read_point(const struct job *job, struct tsunami_earthquake *quake,
                              struct earthquake_request *request)
{
    const char *choice = job_string(job, "source.earthquake.point");
    const bool has_centroid = !isnan(quake->event.centroid.longitude_deg);
    quake->is_centroid = choice ? strcmp(choice, "centroid") == 0
                                : quake->event.has_mechanism && (has_centroid || !quake->path[0]);
    struct earthquake_point point = {NAN, NAN, NAN};
    if (quake->path[0])
        point = quake->is_centroid ? quake->event.centroid : quake->event.hypocentre;
    if (has(job, "longitude"))
        point.longitude_deg = quantity(job, "longitude");
    if (has(job, "latitude"))
        point.latitude_deg = quantity(job, "latitude");
    if (has(job, "depth"))
        point.depth_m = quantity(job, "depth");
    static const char *const names[] = {"longitude", "latitude", "depth"};
    const double values[] = {point.longitude_deg, point.latitude_deg, point.depth_m};
    for (int k = 0; k < 3; k++)
        if (isnan(values[k]))
            CHECK(require(job, names[k],
                          quake->path[0]
                              ? "the file does not give it for this point"
                              : "the place of the earthquake is its longitude, latitude and depth"));
    if (!(fabs(point.latitude_deg) <= 89))
        return job_fail(job, block, "latitude %g of the point, expected -89 to 89 degree",
                        point.latitude_deg);
    if (quake->is_centroid)
        CHECK(REFUSE_IDLE(job,
                          "a centroid is the middle of the plane (point: \"hypocentre\" may lie elsewhere)",
                          "along_strike", "down_dip"));
    quake->point = point;
    request->longitude_deg = point.longitude_deg;
    request->latitude_deg = point.latitude_deg;
    request->depth_m = point.depth_m;
    request->along_strike = quake->is_centroid ? 0.5 : job_number(job, "source.earthquake.along_strike");
    request->down_dip = quake->is_centroid ? 0.5 : job_number(job, "source.earthquake.down_dip");
    return STATUS_OK;
}

// ---- the size

static enum status read_size(const struct job *job, struct tsunami_earthquake *quake,
                             struct earthquake_request *request)
{
    const bool is_given = has(job, "length") && has(job, "width");
    quake->relation = earthquake_relation_named(job_string(job, "source.earthquake.relation"));
    if (is_given)
        CHECK(REFUSE_IDLE(job, "length and width are given", "relation", "aspect", "length_sigmas",
                          "width_sigmas", "area_sigmas"));
    if (has(job, "length") || has(job, "width"))
        CHECK(REFUSE_IDLE(job, "length or width is given", "area_sigmas",
                          has(job, "length") ? "length_sigmas" : "width_sigmas"));
    if (job_number(job, "source.earthquake.area_sigmas") != 0)
        CHECK(REFUSE_IDLE(job, "area_sigmas changes both length and width", "length_sigmas", "width_sigmas"));
    if (quake->relation != EARTHQUAKE_MUROTANI)
        CHECK(REFUSE_IDLE(job, "this relation gives length and width; only murotani's area needs it",
                          "aspect"));
    request->relation = quake->relation;
    request->aspect = job_number(job, "source.earthquake.aspect");
    request->rigidity_pa = quake->rigidity_pa = quantity(job, "rigidity");
    request->length_sigmas = job_number(job, "source.earthquake.length_sigmas");
    request->width_sigmas = job_number(job, "source.earthquake.width_sigmas");
    request->area_sigmas = job_number(job, "source.earthquake.area_sigmas");
    request->length_m = quantity(job, "length");
    request->width_m = quantity(job, "width");
    request->slip_m = quantity(job, "slip");
    request->start_s = quantity(job, "start");
    request->rise_s = quantity(job, "rise");
    return STATUS_OK;
}

// Interface thrusts slip down to some 60 km; deeper than 100 km warning centres expect no tsunami. The
// greatest earthquake below 300 km is Mw 8.3 (Sea of Okhotsk 2013, 609 km).
static const double deep_m = 1e5, moved_far_m = 5e3;

static void warn(const struct tsunami_earthquake *quake)
{
    const struct earthquake_plane *plane = &quake->plane;
    const char *title = earthquake_relation_title(quake->relation);
    const double magnitude = earthquake_magnitude(plane->moment_n_m);
    if (plane->is_scaled && !plane->size.is_in_range)
        log_warning("source.earthquake.relation: Mw %.2f lies outside the data of %s, Mw %g to %g", magnitude,
                    title, plane->size.magnitude_least, plane->size.magnitude_most);
    if (plane->is_scaled && !plane->size.is_of_style)
        log_warning("source.earthquake.relation: %s is for thrusts on a plate interface, but a rake of %.0f "
                    "degree is "
                    "%s: blaser, thingbaijam, leonard and wells-coppersmith have other styles",
                    title, plane->fault.rake_deg,
                    earthquake_style_name(earthquake_style_of(plane->fault.rake_deg)));
    if (quake->point.depth_m > deep_m)
        log_warning(
            "source.earthquake.depth: %.4g km for Mw %.2f: so deep an earthquake hardly moves the sea "
            "floor, and is no thrust on a plate interface: is the depth right?",
            1e-3 * quake->point.depth_m, magnitude);
    if (plane->is_scaled && plane->moved_down_m > 0.25 * plane->fault.width_m)
        log_warning(
            "source.earthquake.relation: by %s the plane is %.3g km wide, which does not fit below the sea "
            "floor: give another relation, or width",
            title, 1e-3 * plane->fault.width_m);
    char moved[200];
    snprintf(moved, sizeof moved,
             "the plane would break the sea floor, and was moved down by %.3g km: its upper edge lies at the "
             "sea floor, its middle at %.3g km",
             1e-3 * plane->moved_down_m, 1e-3 * plane->fault.depth_m);
    if (plane->moved_down_m > moved_far_m)
        log_warning("source.earthquake: %s, the given point at %.3g km: are depth, dip and width right?",
                    moved, 1e-3 * quake->point.depth_m);
    else if (plane->moved_down_m > 0)
        log_info("source.earthquake: %s", moved);
}

enum status tsunami_params_read_earthquake(const struct job *job, double earth_radius_m,
                                           struct tsunami_earthquake *quake, struct fault *fault)
{
    struct earthquake_request request = {.earth_radius_m = earth_radius_m};
    char about[PATH_BYTES + 64];
    snprintf(about, sizeof about, "%s: %s", job_path(job), block);
    quake->event = earthquake_event_begin();
    CHECK(read_mechanism(job, quake, &request));
    CHECK(read_point(job, quake, &request));
    CHECK(read_size(job, quake, &request));
    CHECK(earthquake_plane_of(&request, about, &quake->plane));
    quake->is_given = true;
    quake->faults = 1;
    *fault = quake->plane.fault;
    warn(quake);
    return STATUS_OK;
}

// ---- random slip

static enum status read_random_slip(const struct job *job, const struct fault *plane,
                                    struct tsunami_earthquake *quake)
{
    struct random_slip *slip = &quake->random;
    char about[PATH_BYTES + 64];
    quake->scaling = random_slip_named(job_string(job, "source.earthquake.random_slip.correlation"));
    struct random_slip_correlation correlation =
        random_slip_correlation_of(quake->scaling, plane->length_m, plane->width_m);
    if (has(job, "random_slip.along_strike"))
        correlation.along_m = round(quantity(job, "random_slip.along_strike"));
    if (has(job, "random_slip.down_dip"))
        correlation.down_m = round(quantity(job, "random_slip.down_dip"));
    if (has(job, "random_slip.hurst"))
        correlation.hurst = job_number(job, "source.earthquake.random_slip.hurst");
    if (has(job, "random_slip.along_strike") && has(job, "random_slip.down_dip") &&
        has(job, "random_slip.hurst"))
        CHECK(REFUSE_IDLE(job, "along_strike, down_dip and hurst are given", "random_slip.correlation"));
    *slip = (struct random_slip){
        .seed = (uint64_t)job_integer(job, "source.earthquake.random_slip.seed"),
        .length_m = plane->length_m,
        .width_m = plane->width_m,
        .correlation = correlation,
        .variation = job_number(job, "source.earthquake.random_slip.variation"),
        .taper = job_number(job, "source.earthquake.random_slip.taper"),
        .taper_top = job_number(job, "source.earthquake.random_slip.taper_top"),
    };
    snprintf(about, sizeof about, "%s: source.earthquake.random_slip", job_path(job));
    quake->has_random_slip = true;
    return random_slip_divide(quantity(job, "random_slip.patch"), about, slip);
}

static enum status make_patches(const struct job *job, double earth_radius_m,
                                struct tsunami_earthquake *quake, struct fault_table *table)
{
    double *values = malloc(table->count * sizeof *values);
    enum status status = values ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for %zu patches", table->count);
    if (status == STATUS_OK)
        status = random_slip_values(&quake->random, values);
    if (status == STATUS_OK)
        status = random_slip_patches(&quake->random, &quake->plane.fault, earth_radius_m, values,
                                     job_path(job), table->faults);
    free(values);
    return status;
}

enum status tsunami_params_divide_earthquake(const struct job *job, double earth_radius_m,
                                             struct tsunami_earthquake *quake, struct fault_table *table)
{
    *table = (struct fault_table){.count = 1, .is_geographic = true};
    if (has(job, "random_slip")) {
        CHECK(read_random_slip(job, &quake->plane.fault, quake));
        table->count = quake->random.along * quake->random.down;
    }
    quake->faults = table->count;
    table->faults = malloc(table->count * sizeof *table->faults);
    if (!table->faults)
        return FAIL(STATUS_SYSTEM, "no memory for %zu faults", table->count);
    table->faults[0] = quake->plane.fault;
    const enum status status =
        quake->has_random_slip ? make_patches(job, earth_radius_m, quake, table) : STATUS_OK;
    if (status != STATUS_OK)
        fault_table_free(table);
    return status;
}

enum status tsunami_params_read_rupture(const struct job *job, const char *path,
                                        struct tsunami_rupture *rupture, struct fault_table *table)
{
    struct earthquake_rupture read;
    CHECK_KEY(
        job, "source.faults",
        earthquake_read_rupture(path, job_string(job, "source.faults_reference"), &read, &rupture->format));
    rupture->is_given = rupture->format != EARTHQUAKE_TABLE && rupture->format != EARTHQUAKE_NONE;
    rupture->segments = read.segments;
    rupture->moment_n_m = read.moment_n_m;
    rupture->moved_down_m = read.moved_down_m;
    snprintf(rupture->title, sizeof rupture->title, "%s", read.title);
    snprintf(rupture->time, sizeof rupture->time, "%s", read.time);
    *table = read.faults;
    return STATUS_OK;
}
