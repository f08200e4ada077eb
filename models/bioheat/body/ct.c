// Hounsfield units to properties of bone: see ct.h, which has the sources.
#include "models/bioheat/body/ct.h"

#include <math.h>
#include <stddef.h>

const char *const bioheat_ct_relations[BIOHEAT_CT_RELATIONS] = {[BIOHEAT_CT_K_PLAN] = "k-plan",
                                                                [BIOHEAT_CT_MCDANNOLD] = "mcdannold2020",
                                                                [BIOHEAT_CT_SCHNEIDER] = "schneider1996"};

enum status bioheat_ct_check_value(const char *path, const char *place, double hu)
{
    if (hu >= BIOHEAT_CT_LOWEST_HU && hu <= BIOHEAT_CT_HIGHEST_HU)
        return STATUS_OK;
    return FAIL(STATUS_DATA,
                "%s: %s: %g HU; a CT in Hounsfield units lies between %g and %g: were slope and intercept "
                "lost, or is it padding?",
                path, place, hu, BIOHEAT_CT_LOWEST_HU, BIOHEAT_CT_HIGHEST_HU);
}

// A mask, or a CT in thousands of HU.
enum status bioheat_ct_check_range(const char *path, double low_hu, double high_hu)
{
    if (!(low_hu >= 1e-3 * BIOHEAT_CT_LOWEST_HU && high_hu <= 1e-3 * BIOHEAT_CT_HIGHEST_HU))
        return STATUS_OK;
    return FAIL(STATUS_DATA,
                "%s: all values lie between %g and %g, which are no Hounsfield units (water 0, air -1000, "
                "bone above 300): was its slope lost, or is it a mask?",
                path, low_hu, high_hu);
}

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

// Slopes and intercepts of the four pieces, of H = HU + 1000.
static double schneider(double hu)
{
    const double h = hu + 1000;
    if (h < 930)
        return 1.025793065681423 * h - 5.680404011488714;
    if (h <= 1098)
        return 0.9082709691264 * h + 103.6151457847139;
    return h < 1260 ? 0.5108369316599 * h + 539.9977189228704 : 0.6625370912451 * h + 348.8555178455294;
}

double bioheat_ct_density(enum bioheat_ct_relation relation, double hu)
{
    static const double k_plan[][2] = {{-990, 1.2}, {60, 1060}, {1000, 1530}, {1950, 2150}};
    double density = NAN;
    switch (relation) {
    case BIOHEAT_CT_K_PLAN:
        density = piecewise(k_plan, sizeof k_plan / sizeof *k_plan, hu);
        break;
    case BIOHEAT_CT_SCHNEIDER:
        density = schneider(hu);
        break;
    default:
        density = fmin(line(hu), BIOHEAT_CT_DENSEST_KG_M3);
        break;
    }
    return fmax(density, 1);
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
    switch (relation) {
    case BIOHEAT_CT_K_PLAN:
        return 1.33 * density_kg_m3 + 167;
    case BIOHEAT_CT_SCHNEIDER:
        return (density_kg_m3 + 349) / 0.893;
    default:
        return 1 / polynomial(slowness, 5, within(density_kg_m3));
    }
}

double bioheat_ct_attenuation(enum bioheat_ct_relation relation, double density_kg_m3, double frequency_hz)
{
    static const double of_density[] = {5.71e3, -9.02, 5.40e-3, -1.41e-6, 1.36e-10}; // Np/m at 660 kHz
    static const double db_per_np = 8.685889638065035;                               // 20/ln 10
    switch (relation) {
    case BIOHEAT_CT_K_PLAN:
        return 13.3 * 100 / db_per_np * (frequency_hz / 1e6);
    case BIOHEAT_CT_SCHNEIDER:
        return NAN;
    default:
        return polynomial(of_density, 5, within(density_kg_m3)) * (frequency_hz / 660e3);
    }
}
