// Two disc galaxies that meet. Knows no file, no back end. G = 1.
//
// A galaxy is made as Hernquist does (Astrophys. J. Suppl. 86, 389, 1993), from moments of the velocities, so
// it is near equilibrium, not in it, and settles within a few rotations. Halo: Hernquist's sphere (Astrophys.
// J. 356, 359, 1990), M(r) ∝ r²/(r + a)², cut off; velocities normal, isotropic, below 0.95 of the speed of
// escape, and of such a deviation that what the cut leaves has the second moment that Jeans' equation asks
// for in the field of halo and disc (Hernquist takes that moment for the deviation, and the cut then takes 6
// % of the kinetic energy away). Disc: exponential in R, sech² in z; deviation in R from Toomre's Q, the
// others and the lag of the rotation from the epicycles. The disc's own field is taken as that of its mass
// within R, a sphere's.
#include "models/nbody/initial_private.h"
#include "models/nbody/units.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;
static const double halo_cutoff = 15, disc_cutoff = 8; // in scale radii, in scale lengths
static const double disc_thickness = 0.15;             // z0 of sech²(z/z0), in scale lengths
static const double speed_limit = 0.95;                // of the speed of escape

enum { TABLE = 512 };

struct galaxy {
    size_t count, disc_count;
    double disc_mass, halo_mass; // halo_mass: within the cutoff
    double scale_length, halo_radius;
    double toomre_q;
    double spin[3][3]; // rotates the disc's frame into the orbit's
    // At radii evenly spaced in log r, from log_first in steps of log_step: the halo's normal velocities
    // before the cut, squared deviation, and the potential's depth.
    double log_first, log_step;
    double variance[TABLE], depth[TABLE];
};

struct nbody_galaxies {
    double disc_share, disc_bodies, halo_scale, toomre_q, separation, pericentre;
    double inclination[2], node[2]; // radians
    struct galaxy galaxies[2];
};

void nbody_galaxies_free(struct nbody_galaxies *galaxies)
{
    free(galaxies);
}

// ---- the field of a galaxy

static double halo_within(const struct galaxy *g, double r)
{
    const double all = halo_cutoff / (halo_cutoff + 1), part = r / (r + g->halo_radius);
    return g->halo_mass * fmin(part * part / (all * all), 1);
}

static double halo_gradient(const struct galaxy *g, double r)
{
    const double all = halo_cutoff / (halo_cutoff + 1), a = g->halo_radius;
    return r > halo_cutoff * a ? 0 : g->halo_mass / (all * all) * 2 * a * r / pow(r + a, 3);
}

static double disc_within(const struct galaxy *g, double r)
{
    const double x = r / g->scale_length;
    return g->disc_mass * (x < 1e-3 ? x * x * (0.5 - x / 3) : 1 - (1 + x) * exp(-x));
}

static double disc_gradient(const struct galaxy *g, double r)
{
    const double x = r / g->scale_length;
    return g->disc_mass / g->scale_length * x * exp(-x);
}

static double mass_within(const struct galaxy *g, double r)
{
    return halo_within(g, r) + disc_within(g, r);
}

// Mean square of a normal velocity in three dimensions, of deviation 1 on each axis, that is below `limit`:
// 3 − √(2/π) x³ e^(−x²/2) / (erf(x/√2) − √(2/π) x e^(−x²/2)), by parts from the density x² e^(−x²/2) of the
// speed.
static double cut_mean_square(double limit)
{
    const double tail = sqrt(2 / pi) * limit * exp(-0.5 * limit * limit);
    return 3 - tail * limit * limit / (erf(limit / sqrt(2)) - tail);
}

// The variance on each axis, before the cut at `limit`, that leaves a mean square of 3 `wanted` below it. At
// most (limit/1.5)², whose speeds are spread over the ball almost evenly already.
static double variance_before_cut(double wanted, double limit)
{
    double low = wanted, high = limit * limit / (1.5 * 1.5);
    if (!(wanted > 0) || !(high > low))
        return wanted;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        if (middle * cut_mean_square(limit / sqrt(middle)) < 3 * wanted)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static double halo_speed_limit(double depth)
{
    return speed_limit * sqrt(2 * depth);
}

// From the outside inwards, by trapezia in log r: ρσ² = ∫ ρ M/s² ds, and depth = M/r + ∫ M'/s ds.
static void make_table(struct galaxy *g)
{
    const double last = halo_cutoff * g->halo_radius, first = 1e-4 * g->halo_radius;
    double pressure = 0, outer = 0, before_pressure = 0, before_outer = 0;
    g->log_first = log(first);
    g->log_step = (log(last) - log(first)) / (TABLE - 1);
    for (int k = TABLE - 1; k >= 0; k--) {
        const double r = k == TABLE - 1 ? last : exp(g->log_first + k * g->log_step);
        const double mass = mass_within(g, r), density = halo_gradient(g, r) / (4 * pi * r * r);
        const double push = density * mass / r,
                     shell = halo_gradient(g, r) + disc_gradient(g, r); // times dr/r
        if (k < TABLE - 1) {
            pressure += 0.5 * (push + before_pressure) * g->log_step;
            outer += 0.5 * (shell + before_outer) * g->log_step;
        }
        before_pressure = push;
        before_outer = shell;
        g->depth[k] = mass / r + outer;
        g->variance[k] = variance_before_cut(pressure / density, halo_speed_limit(g->depth[k]));
    }
}

static double interpolate(const struct galaxy *g, const double *table, double r)
{
    const double place = fmin(fmax((log(r) - g->log_first) / g->log_step, 0), TABLE - 1.000001);
    const int k = (int)place;
    return table[k] + (place - k) * (table[k + 1] - table[k]);
}

// ---- bodies

static void sample_halo(const struct galaxy *g, struct nbody_draws *draws, struct nbody_body *body)
{
    const double root = halo_cutoff / (halo_cutoff + 1) * sqrt(nbody_draw(draws));
    const double r = g->halo_radius * root / (1 - root);
    const double deviation = sqrt(interpolate(g, g->variance, r));
    const double limit = halo_speed_limit(interpolate(g, g->depth, r));
    double speed;
    nbody_draw_direction(draws, r, body->position);
    do {
        nbody_draw_normals(draws, body->velocity);
        speed =
            deviation * sqrt(body->velocity[0] * body->velocity[0] + body->velocity[1] * body->velocity[1] +
                             body->velocity[2] * body->velocity[2]);
    } while (speed >= limit);
    for (int axis = 0; axis < NBODY_AXES; axis++)
        body->velocity[axis] *= deviation;
    body->mass = g->halo_mass / (double)(g->count - g->disc_count);
}

// Radial and azimuthal deviation, and the mean speed around, at R in the plane.
static void disc_moments(const struct galaxy *g, double radius, double *radial, double *around, double *mean)
{
    const double omega2 = mass_within(g, radius) / (radius * radius * radius);
    const double kappa2 = omega2 + (halo_gradient(g, radius) + disc_gradient(g, radius)) / (radius * radius);
    const double h = g->scale_length, ratio = kappa2 / (4 * omega2);
    const double surface = g->disc_mass / (2 * pi * h * h) * exp(-radius / h);
    const double circular2 = omega2 * radius * radius;
    *radial = fmin(3.36 * g->toomre_q * surface / sqrt(kappa2), sqrt(0.5 * circular2));
    *around = *radial * sqrt(ratio);
    const double squared = circular2 + *radial * *radial * (1 - ratio - 2 * radius / h);
    *mean = sqrt(fmax(squared, 0));
}

static void sample_disc(const struct galaxy *g, struct nbody_draws *draws, struct nbody_body *body)
{
    const double h = g->scale_length, z0 = disc_thickness * h;
    double two[2], normals[NBODY_AXES], radial, around, mean, radius;
    do { // x exp(−x) is the density of −log(u₁u₂)
        nbody_draw_two(draws, two);
        radius = -h * log(two[0] * two[1]);
    } while (radius > disc_cutoff * h);
    nbody_draw_two(draws, two);
    nbody_draw_normals(draws, normals);
    disc_moments(g, radius, &radial, &around, &mean);
    const double angle = 2 * pi * two[0], c = cos(angle), s = sin(angle);
    const double outwards = radial * normals[0], onwards = mean + around * normals[1];
    const double upwards2 = 0.5 * g->disc_mass / (h * h) * exp(-radius / h) * z0; // π Σ z0
    const double place[NBODY_AXES] = {radius * c, radius * s, z0 * atanh(2 * two[1] - 1)};
    const double speed[NBODY_AXES] = {outwards * c - onwards * s, outwards * s + onwards * c,
                                      sqrt(upwards2) * normals[2]};
    for (int i = 0; i < NBODY_AXES; i++) {
        body->position[i] = body->velocity[i] = 0;
        for (int j = 0; j < NBODY_AXES; j++) {
            body->position[i] += g->spin[i][j] * place[j];
            body->velocity[i] += g->spin[i][j] * speed[j];
        }
    }
    body->mass = g->disc_mass / (double)g->disc_count;
}

static void sample_galaxies(const struct nbody_generator *generator, struct nbody_draws *draws, size_t index,
                            struct nbody_body *body)
{
    const int k = index >= generator->groups[1].first;
    const struct galaxy *g = &generator->galaxies->galaxies[k];
    if (index - generator->groups[k].first < g->disc_count)
        sample_disc(g, draws, body);
    else
        sample_halo(g, draws, body);
}

// ---- the encounter

static enum status read_encounter(const struct job *job, struct nbody_generator *generator)
{
    static const char *const angles[2][2] = {
        {"particles.encounter.first.inclination", "particles.encounter.first.node"},
        {"particles.encounter.second.inclination", "particles.encounter.second.node"}};
    struct nbody_galaxies *made = generator->galaxies = calloc(1, sizeof *made);
    if (!made)
        return FAIL(STATUS_SYSTEM, "no memory for two galaxies");
    generator->count = (size_t)job_integer(job, "particles.encounter.count");
    generator->seed = (uint64_t)job_integer(job, "particles.encounter.seed");
    generator->mass_ratio = job_number(job, "particles.encounter.mass_ratio");
    CHECK(nbody_units_read(job, "particles.encounter.mass", 1, &generator->mass));
    CHECK(nbody_units_read(job, "particles.encounter.scale_length", 0.1, &generator->radius));
    made->disc_share = job_number(job, "particles.encounter.disc_share");
    made->disc_bodies = job_number(job, "particles.encounter.disc_bodies");
    made->halo_scale = job_number(job, "particles.encounter.halo_scale");
    made->toomre_q = job_number(job, "particles.encounter.toomre_q");
    const struct {
        const char *key;
        double fallback, *value;
    } lengths[] = {{"particles.encounter.separation", 15, &made->separation},
                   {"particles.encounter.pericentre", 3, &made->pericentre}};
    for (int k = 0; k < 2; k++) { // in scale lengths from here on
        *lengths[k].value = job_has(job, lengths[k].key)
                                ? job_reduced(job, lengths[k].key) / generator->radius
                                : lengths[k].fallback;
        made->inclination[k] = job_quantity(job, angles[k][0]) * pi / 180;
        made->node[k] = job_quantity(job, angles[k][1]) * pi / 180;
    }
    if (!(made->separation > made->pericentre))
        return job_fail(
            job, lengths[0].key,
            "the galaxies start %g scale lengths apart: more than the pericentre, %g, is expected",
            made->separation, made->pericentre);
    generator->cutoff = made->separation + 2 * halo_cutoff * made->halo_scale;
    return STATUS_OK;
}

// Rows: about x by the inclination, then about z by the node, which counts from the pericentre, at +x.
static void set_spin(struct galaxy *g, double inclination, double node)
{
    const double ci = cos(inclination), si = sin(inclination), cn = cos(node), sn = sin(node);
    const double spin[3][3] = {{cn, -sn * ci, sn * si}, {sn, cn * ci, -cn * si}, {0, si, ci}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            g->spin[i][j] = spin[i][j];
}

static void make_galaxy(const struct nbody_generator *generator, int k, double mass, double scale_length,
                        size_t count)
{
    const struct nbody_galaxies *all = generator->galaxies;
    struct galaxy *g = &generator->galaxies->galaxies[k];
    const double disc_count = nearbyint(all->disc_bodies * (double)count);
    g->count = count;
    g->disc_count = (size_t)fmin(fmax(disc_count, 1), (double)count - 1);
    g->disc_mass = all->disc_share * mass;
    g->halo_mass = mass - g->disc_mass;
    g->scale_length = scale_length;
    g->halo_radius = all->halo_scale * scale_length;
    g->toomre_q = all->toomre_q;
    set_spin(g, all->inclination[k], all->node[k]);
    make_table(g);
}

// The second about the first, on its way in: r = 2q/(1 + cos f), v = √(M/2q) (−sin f, 1 + cos f).
static enum status prepare_encounter(struct nbody_generator *generator)
{
    const struct nbody_galaxies *all = generator->galaxies;
    const double share = generator->mass_ratio / (1 + generator->mass_ratio); // the second's
    const double scale[2] = {generator->radius, generator->radius * sqrt(generator->mass_ratio)};
    const double q = all->pericentre * generator->radius, r = all->separation * generator->radius;
    // 1 + cos f, which is small for a near passage: what follows from it loses no digits.
    const double near = 2 * q / r, cosine = near - 1,
                 sine = -sqrt(near * (2 - near)); // before the pericentre
    const double speed = sqrt(generator->mass / (2 * q));
    const double second =
        fmin(fmax(nearbyint(share * (double)generator->count), 8), (double)generator->count - 8);
    const size_t counts[2] = {generator->count - (size_t)second, (size_t)second};
    generator->sample = sample_galaxies;
    generator->group_count = 2;
    for (int k = 0; k < 2; k++) {
        const double part = k == 0 ? -share : 1 - share; // of the way, from the centre of mass
        make_galaxy(generator, k, generator->mass * (k == 0 ? 1 - share : share), scale[k], counts[k]);
        generator->groups[k] = (struct nbody_group){
            .first = k == 0 ? 0 : counts[0],
            .count = counts[k],
            .kinetic = NAN,
            .position = {part * r * cosine, part * r * sine, 0},
            .velocity = {-part * speed * sine, part * speed * near, 0},
        };
    }
    return STATUS_OK;
}

const struct nbody_recipe nbody_recipe_encounter = {"particles.encounter", read_encounter, prepare_encounter,
                                                    0};
