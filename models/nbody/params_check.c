// Whether the precision of an N-body run suffices for its bodies and its softening.
#include "models/nbody/params_private.h"

#include "models/nbody/initial.h"

#include <math.h>

// In units of the run. A pair at the distance R takes 1/R³, a cell's quadrupole 1/R⁵: in single precision,
// whose numbers end at 1e±38, 1/R³ is a number up to R ~ 1e12 and down to 1e-12, 1/R⁵ a full one up to 1e7.
// In double precision 1/R⁷ is one up to 1e30, and further out nothing of a system of size 1 is left.
struct bounds {
    double furthest, smallest, least_softening, mass, speed;
};

static struct bounds bounds_of(const struct nbody_params *p)
{
    if (p->precision == ELEMENT_F64)
        return (struct bounds){1e30, 1e-30, 1e-100, 1e30, 1e30};
    return (struct bounds){p->physics.method == NBODY_BARNES_HUT ? 1e7 : 1e12, 1e-6, 1e-12, 1e12, 1e12};
}

static const char *precision_name(const struct nbody_params *p)
{
    return p->precision == ELEMENT_F64 ? "double" : "single";
}

static const char *advice(const struct nbody_params *p)
{
    return p->units.is_si ? ""
           : p->precision == ELEMENT_F64
               ? "; choose units in which the system is of size 1"
               : "; choose units in which the system is of size 1, or precision double";
}

// One of `what`, which a file's body `body` has.
static enum status refuse(const struct job *job, const struct nbody_params *p, const char *what, size_t body,
                          double value, const char *than, double bound)
{
    const char *paths[NBODY_INPUTS_MAX];
    char who[64] = "";
    const bool has_file = nbody_initial_inputs(p->initial, paths) > 0;
    if (!has_file)
        return job_fail(job, "particles", "%s of up to %g: %s %g in %s precision%s", what, value, than, bound,
                        precision_name(p), advice(p));
    if (body != SIZE_MAX)
        snprintf(who, sizeof who, "body %zu (counted from 0): ", body);
    return FAIL(STATUS_DATA, "%s: %s%s of %g%s: %s %g in %s precision%s", paths[0], who, what, value,
                p->units.is_si ? " of the run's units" : "", than, bound, precision_name(p), advice(p));
}

static enum status check_softening(const struct job *job, const struct nbody_params *p,
                                   const struct bounds *bounds)
{
    const double softening = p->physics.softening;
    if (!isfinite(softening) || softening > bounds->furthest)
        return job_fail(job, "physics.softening", "%g of the run's units: at most %g in %s precision",
                        softening, bounds->furthest, precision_name(p));
    if (softening > 0 && softening < bounds->least_softening)
        return job_fail(job, "physics.softening",
                        "%g of the run's units: its third power is too small for %s precision; 0, or %g at "
                        "least, is expected",
                        softening, precision_name(p), bounds->least_softening);
    return STATUS_OK;
}

enum status nbody_params_check(const struct job *job, const struct nbody_params *p)
{
    const struct nbody_extent extent = nbody_initial_extent(p->initial);
    const struct bounds bounds = bounds_of(p);
    const struct nbody_units *units = &p->units;
    const double furthest = extent.largest_position / units->length, size = extent.size / units->length;
    const double fastest = extent.largest_velocity / units->velocity, mass = extent.mass / units->mass;
    CHECK(check_softening(job, p, &bounds));
    if (!(furthest <= bounds.furthest))
        return refuse(job, p, "a position", extent.furthest, furthest, "at most", bounds.furthest);
    if (!(fastest <= bounds.speed))
        return refuse(job, p, "a velocity", extent.fastest, fastest, "at most", bounds.speed);
    if (!(size >= bounds.smallest))
        return refuse(job, p, "all bodies lie within a box", SIZE_MAX, size, "at least", bounds.smallest);
    if (!(mass <= bounds.mass))
        return refuse(job, p, "a total mass", SIZE_MAX, mass, "at most", bounds.mass);
    if (!(mass >= 1 / bounds.mass))
        return refuse(job, p, "a total mass", SIZE_MAX, mass, "at least", 1 / bounds.mass);
    if (p->precision == ELEMENT_F32 && extent.offset > 1e3 * extent.length)
        job_warn(job, "particles.file",
                 "the centre of mass lies %.3g half-mass radii from the origin, where single precision is "
                 "coarse: \"centred\": true, or precision double, keeps what is small",
                 extent.offset / extent.length);
    return STATUS_OK;
}
