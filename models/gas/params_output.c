// The blocks `output` and `check` of a gas job.
#include "models/gas/params_private.h"

#include <math.h>

static enum status read_structure(const struct job *job, struct gas_params *p)
{
    struct gas_structure *structure = &p->structure;
    const double *box = p->physics.box;
    const double half = fmin(box[GAS_X], box[GAS_Y]) / 2;
    const double spacing = sqrt(box[GAS_X] * box[GAS_Y] / (double)p->count);
    if (!job_has(job, "output.structure"))
        return STATUS_OK;
    structure->every = job_number(job, "output.structure.every");
    structure->from = job_number(job, "output.structure.from");
    structure->bins = (int)job_integer(job, "output.structure.bins");
    structure->speed_bins = (int)job_integer(job, "output.structure.speed_bins");
    structure->radius = job_has(job, "output.structure.radius") ? job_number(job, "output.structure.radius")
                                                                : fmin(half, 5 * spacing);
    structure->cluster_distance = job_has(job, "output.structure.cluster_distance")
                                      ? job_number(job, "output.structure.cluster_distance")
                                      : 1.5 * gas_core(&p->physics);
    if (structure->from > p->duration)
        return job_fail(job, "output.structure.from", "%g comes after the end of the run, %g",
                        structure->from, p->duration);
    if (structure->radius > half)
        return job_fail(job, "output.structure.radius",
                        "%g is more than half the shorter side of the box, %g", structure->radius, half);
    if (structure->cluster_distance == 0)
        return job_fail(job, "output.structure.cluster_distance",
                        "is missing: this potential has no core that defines which particles are near");
    if (structure->cluster_distance > half)
        return job_fail(job, "output.structure.cluster_distance",
                        "%g is more than half the shorter side of the box, %g", structure->cluster_distance,
                        half);
    return STATUS_OK;
}

// In direct summation in single precision positions are rounded about the box's middle: the error of the
// forces grows with the box, in units of the length over which forces change.
static double usual_tolerance(const struct gas_params *p)
{
    static const double in_double = 1e-11, in_single = 1e-5;
    const double *box = p->physics.box, core = gas_core(&p->physics);
    const double scale = core > 0 ? core : sqrt(box[GAS_X] * box[GAS_Y] / (double)p->count);
    if (p->precision == ELEMENT_F64)
        return in_double;
    return p->physics.method == GAS_ALL_PAIRS
               ? in_single * fmax(1, fmax(box[GAS_X], box[GAS_Y]) / (5 * scale))
               : in_single;
}

enum status gas_params_read_outputs(const struct job *job, struct gas_params *p)
{
    const struct particles_times times = {job_number, 1, p->duration, p->physics.step};
    CHECK(particles_params_read(job, &times, "particles", p->count, &p->outputs));
    p->check_tolerance =
        job_has(job, "check.tolerance") ? job_number(job, "check.tolerance") : usual_tolerance(p);
    if (job_has(job, "output.structure"))
        particles_params_warn_of_short(job, &times, "output.structure.every");
    return read_structure(job, p);
}
