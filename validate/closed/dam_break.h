// A dam at x = 0 on a level bed, which is removed at t = 0: Ritter's solution for a dry bed in front of it,
// Stoker's for a wet one. Pure functions, independent of solvers.
//   Ritter, A. (1892), Die Fortpflanzung der Wasserwellen, Z. Ver. Deut. Ing. 36, 947-954.
//   Stoker, J. J. (1957), Water Waves, Interscience, New York, sections 10.8 and 10.9.
// With c = √(gh), depths hl behind the dam (x < 0) and hr < hl in front of it:
//   x/t ≤ −cl: rest   −cl < x/t ≤ um − cm: the fan, u = ⅔(cl + x/t), c = ⅓(2cl − x/t)
//   um − cm < x/t < s: hm, um = 2(cl − cm)   x/t > s: rest; s = um hm/(hm − hr) the bore's speed
// hm follows from the jump conditions: 2(cl − cm) = (hm − hr) √(g (hm + hr)/(2 hm hr)). For hr = 0 there is
// only the fan, up to x/t = 2cl.
#ifndef FATHOM_VALIDATE_CLOSED_DAM_BREAK_H
#define FATHOM_VALIDATE_CLOSED_DAM_BREAK_H

struct dam_break {
    double behind_m, before_m, gravity_m_s2; // hl > hr ≥ 0, g > 0
    double middle_m, middle_m_s, bore_m_s;   // hm, um, s; 0, NaN, NaN on a dry bed, which has none
};

struct dam_break dam_break_new(double behind_m, double before_m, double gravity_m_s2);

struct dam_break_state {
    double depth_m, velocity_m_s; // total depth; velocity towards +x, 0 where it is dry
};

// At t > 0.
struct dam_break_state dam_break_at(const struct dam_break *dam, double x_m, double t_s);

#endif
