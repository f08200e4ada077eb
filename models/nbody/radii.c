// Lagrangian radii (see the header). A radix sort, least significant digit first, of 11 bits a pass.
#include "models/nbody/radii.h"

#include "models/arrays.h"
#include "models/nbody/body_terms.h"
#include "models/nbody/state.h"

#include <math.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, PASSES = (64 + DIGIT_BITS - 1) / DIGIT_BITS };

const double nbody_lagrangian_shares[NBODY_RADII] = {0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99};

enum status nbody_radii_plan(struct nbody_radius_sorter *sorter, size_t count, struct memory_plan *plan)
{
    _Static_assert(sizeof(struct nbody_radius) == 2 * sizeof(double), "a body of the sort is two numbers");
    const struct array_row arrays[] = {
        {ELEMENT_F64, count, 2, &sorter->bodies, "distances of bodies"},
        {ELEMENT_F64, count, 2, &sorter->spare, "distances of bodies, to sort"},
        {ELEMENT_I64, PASSES, DIGITS, &sorter->histograms, "histograms of distances"},
    };
    sorter->count = count;
    return ARRAYS_PLAN(plan, "", arrays);
}

void nbody_radii_set(struct nbody_radius_sorter *sorter, size_t index, double distance, double mass)
{
    struct nbody_radius *body = &sorter->bodies[index];
    const double magnitude = fabs(distance); // NaN may have a sign
    memcpy(&body->distance_bits, &magnitude, sizeof magnitude);
    body->mass = mass;
}

static size_t digit_of(const struct nbody_radius *body, int pass)
{
    return (size_t)(body->distance_bits >> (pass * DIGIT_BITS)) & (DIGITS - 1);
}

// Counts become the places where each digit's bodies begin; false if all have the same digit.
static bool make_places(int64_t *histogram, size_t count)
{
    int64_t place = 0;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        const int64_t bodies = histogram[digit];
        if (bodies == (int64_t)count)
            return false;
        histogram[digit] = place;
        place += bodies;
    }
    return true;
}

// Returns where the sorted ones are.
static const struct nbody_radius *sort(struct nbody_radius_sorter *sorter)
{
    struct nbody_radius *bodies = sorter->bodies, *spare = sorter->spare;
    memset(sorter->histograms, 0, sizeof(int64_t) * PASSES * DIGITS);
    for (size_t i = 0; i < sorter->count; i++)
        for (int pass = 0; pass < PASSES; pass++)
            sorter->histograms[(size_t)pass * DIGITS + digit_of(&bodies[i], pass)]++;
    for (int pass = 0; pass < PASSES; pass++) {
        int64_t *places = sorter->histograms + (size_t)pass * DIGITS;
        if (!make_places(places, sorter->count))
            continue;
        for (size_t i = 0; i < sorter->count; i++)
            spare[places[digit_of(&bodies[i], pass)]++] = bodies[i];
        struct nbody_radius *const sorted = spare;
        spare = bodies;
        bodies = sorted;
    }
    return bodies;
}

void nbody_radii_find(struct nbody_radius_sorter *sorter, double total, const double *shares,
                      size_t share_count, double *radii)
{
    double inside = 0, compensation = 0; // Neumaier's
    size_t k = 0;
    const struct nbody_radius *bodies = sort(sorter);
    for (size_t i = 0; i < sorter->count && k < share_count; i++) {
        const double mass = bodies[i].mass, sum = inside + mass;
        compensation += fabs(inside) >= fabs(mass) ? (inside - sum) + mass : (mass - sum) + inside;
        inside = sum;
        for (; k < share_count && inside + compensation >= nbody_mass_of_share(shares[k], total); k++)
            memcpy(&radii[k], &bodies[i].distance_bits, sizeof radii[k]);
    }
    for (; k < share_count; k++) // only with NaN masses
        radii[k] = NAN;
}
