// Data of the solvers of heat in tissue: the grid, the media, the boundary conditions, the source, and the
// records besides the temperature. The model fills them in; every back end reads them. Independent of jobs,
// of files and of the memory plan.
//
// The equation (Pennes 1948):  ρc ∂T/∂t = ∇·(k∇T) − ρ_b c_b w (T − T_a) − ρ_b c_b v·∇T + Q.
// The state is the rise θ = T − T_ref (K): in single precision, T itself is too coarse for a slow rise.
#ifndef FATHOM_MODELS_BIOHEAT_STATE_H
#define FATHOM_MODELS_BIOHEAT_STATE_H

#include "models/bioheat/body/media.h"
#include "models/bioheat/source/terms.h"

// euler: explicit Euler with two arrays. euler-in-place: the same bits with one array. three-colour:
// Gauss–Seidel by colours (x + y + z) mod 3, with a correction that makes it consistent. source-three-colour:
// plain update in place by colours, which converges to a different diffusivity; for comparison. rkl2:
// Runge–Kutta–Legendre super-time-stepping of second order (Meyer, Balsara & Aslam, J. Comput. Phys. 257,
// 594–626, 2014): four arrays, steps beyond Euler's limit.
enum bioheat_method {
    BIOHEAT_EULER,
    BIOHEAT_EULER_IN_PLACE,
    BIOHEAT_THREE_COLOUR,
    BIOHEAT_SOURCE_THREE_COLOUR,
    BIOHEAT_RKL2
};

// Thermal dose, cumulative equivalent minutes at 43 °C (Sapareto & Dewey 1984): ∫ R^(43 − T) dt, R = 0.25
// below 43 °C, 0.5 above. PLAIN: no cut-off. KWAVE: no dose below 37 °C. ISO: no dose below 39 °C; R stays
// 0.5 where 43 °C was once reached; infinite above 57 °C.
enum bioheat_dose { BIOHEAT_DOSE_OFF, BIOHEAT_DOSE_PLAIN, BIOHEAT_DOSE_KWAVE, BIOHEAT_DOSE_ISO };

// All methods but rkl2 integrate the dose by the trapezoidal rule. Step n adds the rate at θ_n times Δt
// (times Δt/2 for n = 0); the dose reported after N steps is this sum plus Δt/2 times the rate at θ_N. So the
// dose does not depend on when in a step heat is added, and each temperature is read once. The largest rise
// reported is the largest θ_n, including θ_N.
//
// rkl2 adds, at the end of each step, Δt times the mean of the rate along the straight line from θ_n to θ_n+1
// (exact, piece by piece of the law): steps are longer, and the rate is an exponential of the temperature.
// Where the two differ by less than BIOHEAT_DOSE_NEAR_K, the mean of the two rates times 1 − x²/12 + x⁴/120
// is taken, x = ln(1/R) (θ_n+1 − θ_n) with R of their middle: the same to 1e-8, without a difference of close
// numbers. ISO: above 57 °C at either end is infinite.
#define BIOHEAT_DOSE_NEAR_K 0.0625

struct bioheat_physics {
    enum bioheat_method method;
    int stages; // rkl2: of a step, from bioheat_rkl2_stages
    // rkl2: a divided step (struct bioheat_backend) has so many equal sub-steps, each of so many stages; 0 or
    // 1: none is divided
    int substeps, substep_stages;
    enum bioheat_dose dose;
    enum bioheat_dose second_dose; // kept beside `dose`, by another definition; OFF: none
    bool has_maximum;              // the largest rise of each cell, and its time, are recorded
    double reference_c;            // T_ref (°C)
    double step_s;
};

// The variables of maps: °C, CEM43 minutes, °C.
enum bioheat_field { BIOHEAT_TEMPERATURE, BIOHEAT_DOSE_FIELD, BIOHEAT_MAXIMUM_FIELD, BIOHEAT_FIELD_COUNT };

// One record of diagnostics, in double: smallest, largest temperature (°C), the index (z·ny + y)·nx + x of
// the largest, Σ ρc θ V (J, of TISSUE cells), heat from the source (W), volume above 43 °C (m³), volume with
// a dose of 240 minutes (m³), largest dose (min). Sums in blocks of 4096 by index (core/statistics.h).
enum bioheat_diagnostic {
    BIOHEAT_SMALLEST_C,
    BIOHEAT_LARGEST_C,
    BIOHEAT_LARGEST_INDEX,
    BIOHEAT_HEAT_J,
    BIOHEAT_SOURCE_W,
    BIOHEAT_HOT_VOLUME_M3,
    BIOHEAT_LESION_VOLUME_M3,
    BIOHEAT_LARGEST_DOSE_MIN,
    BIOHEAT_DIAGNOSTICS
};

// What a run of several ranks takes of the cells around a sensor: θ (K), dose and second dose (min).
enum { BIOHEAT_CELL_NUMBERS = 3 };

// Of a rank's cells that are not VOID: least and largest θ (K), largest dose (min), index of the largest θ.
// Without such a cell infinities, the last two −∞ and +∞.
struct bioheat_own_extremes {
    double smallest_k, largest_k, largest_dose_min, largest_index;
};

// Cells of a frame of maps: first, count, stride along each axis.
struct bioheat_crop {
    size_t first[BIOHEAT_AXES], count[BIOHEAT_AXES], stride[BIOHEAT_AXES];
};

#endif
