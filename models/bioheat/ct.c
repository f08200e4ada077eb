// Hounsfield units to properties of bone: see ct.h, which has the sources.
#include "models/bioheat/ct.h"

#include <math.h>
#include <stddef.h>

const char *const bioheat_ct_relations[BIOHEAT_CT_RELATIONS] = {
    [BIOHEAT_CT_K_PLAN] = "k-plan", [BIOHEAT_CT_MCDANNOLD] = "mcdannold2020"};

static double polynomial(const double *coefficients, size_t count, double x)
{
    double value = 0;
    for (size_t k = count; k-- > 0;)
        value = value * x + coefficients[k];
    return value;
}

static double piecewise(const double points[][2], size_t count, double x)
{
    size_t k = 1;
    while (k + 1 < count && x > points[k][0])
        k++;
    const double share = (x - points[k - 1][0]) / (points[k][0] - points[k - 1][0]);
    return points[k - 1][1] + share * (points[k][1] - points[k - 1][1]);
}

static double line(double hu)
{
    return 1.01237293 * hu + 1.01366593e3;
}

double bioheat_ct_density(enum bioheat_ct_relation relation, double hu)
{
    static const double k_plan[][2] = {{-990, 1.2}, {60, 1060}, {1000, 1530}, {1950, 2150}};
    const double density =
        relation == BIOHEAT_CT_K_PLAN ? piecewise(k_plan, sizeof k_plan / sizeof *k_plan, hu) : line(hu);
    return fmax(relation == BIOHEAT_CT_MCDANNOLD ? fmin(density, BIOHEAT_CT_DENSEST_KG_M3) : density, 1);
}

bool bioheat_ct_is_beyond(enum bioheat_ct_relation relation, double hu)
{
    return relation == BIOHEAT_CT_MCDANNOLD && line(hu) > BIOHEAT_CT_DENSEST_KG_M3;
}

static double within(double density_kg_m3)
{
    return fmin(density_kg_m3, BIOHEAT_CT_DENSEST_KG_M3);
}

double bioheat_ct_sound_speed(enum bioheat_ct_relation relation, double density_kg_m3)
{
    static const double slowness[] = {1.24e-3, -7.63e-7, 1.69e-10, 5.31e-16, -2.79e-18};
    return relation == BIOHEAT_CT_K_PLAN ? 1.33 * density_kg_m3 + 167
                                         : 1 / polynomial(slowness, 5, within(density_kg_m3));
}

double bioheat_ct_attenuation(enum bioheat_ct_relation relation, double density_kg_m3, double frequency_hz)
{
    static const double of_density[] = {5.71e3, -9.02, 5.40e-3, -1.41e-6, 1.36e-10}; // Np/m at 660 kHz
    static const double db_per_np = 8.685889638065035;                               // 20/ln 10
    return relation == BIOHEAT_CT_K_PLAN
               ? 13.3 * 100 / db_per_np * (frequency_hz / 1e6)
               : polynomial(of_density, 5, within(density_kg_m3)) * (frequency_hz / 660e3);
}
