// Ritter's and Stoker's dam breaks (see dam_break.h).
#include "validate/closed/dam_break.h"

#include <assert.h>
#include <math.h>

// What the fan brings less what the bore takes, at the depth h between them; falls as h grows.
static double surplus(const struct dam_break *dam, double h)
{
    const double g = dam->gravity_m_s2;
    return 2 * (sqrt(g * dam->behind_m) - sqrt(g * h)) -
           (h - dam->before_m) * sqrt(0.5 * g * (h + dam->before_m) / (h * dam->before_m));
}

struct dam_break dam_break_new(double behind_m, double before_m, double gravity_m_s2)
{
    assert(behind_m > before_m && before_m >= 0 && gravity_m_s2 > 0);
    struct dam_break dam = {.behind_m = behind_m,
                            .before_m = before_m,
                            .gravity_m_s2 = gravity_m_s2,
                            .middle_m_s = NAN,
                            .bore_m_s = NAN};
    if (before_m == 0)
        return dam;
    double low = before_m, high = behind_m;
    for (int round = 0; round < 200 && high - low > 0; round++) {
        const double h = 0.5 * (low + high);
        if (h == low || h == high)
            break;
        if (surplus(&dam, h) > 0)
            low = h;
        else
            high = h;
    }
    dam.middle_m = 0.5 * (low + high);
    dam.middle_m_s = 2 * (sqrt(gravity_m_s2 * behind_m) - sqrt(gravity_m_s2 * dam.middle_m));
    dam.bore_m_s = dam.middle_m_s * dam.middle_m / (dam.middle_m - before_m);
    return dam;
}

struct dam_break_state dam_break_at(const struct dam_break *dam, double x_m, double t_s)
{
    assert(t_s > 0);
    const double speed = x_m / t_s, still = sqrt(dam->gravity_m_s2 * dam->behind_m);
    const int is_wet = dam->before_m > 0;
    const double fan_end = is_wet ? dam->middle_m_s - sqrt(dam->gravity_m_s2 * dam->middle_m) : 2 * still;
    if (speed <= -still)
        return (struct dam_break_state){dam->behind_m, 0};
    if (speed <= fan_end) {
        const double c = (2 * still - speed) / 3;
        return (struct dam_break_state){c * c / dam->gravity_m_s2, 2 * (still + speed) / 3};
    }
    if (is_wet && speed < dam->bore_m_s)
        return (struct dam_break_state){dam->middle_m, dam->middle_m_s};
    return (struct dam_break_state){dam->before_m, 0};
}
