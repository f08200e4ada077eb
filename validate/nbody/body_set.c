// Bodies at random, of gravity's cases (see body_job.h).
#include "validate/nbody/body_job.h"

#include "core/element.h"
#include "core/philox.h"
#include "validate/closed/spheres.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// Three numbers of a body, each strictly between 0 and 1.
static void draw(size_t body, double numbers[3])
{
    static const uint64_t seed = 20160711;
    for (uint64_t k = 0; k < 2; k++) {
        const struct philox_counter words =
            philox4x32(philox_counter_from(k, body), philox_key_from_seed(seed));
        numbers[2 * k] = philox_double(words.v[0], words.v[1]);
        if (k == 0)
            numbers[1] = philox_double(words.v[2], words.v[3]);
    }
}

static void place(double position[3], double x, double y, double z)
{
    position[0] = element_rounded_to_single(x);
    position[1] = element_rounded_to_single(y);
    position[2] = element_rounded_to_single(z);
}

enum status body_set_plummer(struct body_set *set, size_t count)
{
    const double scale = 3 * pi / 16, share = plummer_mass(scale, 40 * scale);
    CHECK(body_set_new(set, count));
    for (size_t k = 0; k < count; k++) {
        double u[3];
        draw(k, u);
        const double radius = plummer_radius(scale, share * u[0]), height = 2 * u[1] - 1,
                     across = radius * sqrt(1 - height * height), turn = 2 * pi * u[2];
        place(&set->position[3 * k], across * cos(turn), across * sin(turn), radius * height);
        set->mass[k] = 1 / (double)count;
    }
    return STATUS_OK;
}

enum status body_set_cube(struct body_set *set, size_t count)
{
    CHECK(body_set_new(set, count));
    for (size_t k = 0; k < count; k++) {
        double u[3];
        draw(k, u);
        place(&set->position[3 * k], u[0], u[1], u[2]);
        set->mass[k] = 1 / (double)count;
    }
    return STATUS_OK;
}
