// The material of each cell of a heat run, as the solvers read it. Independent of jobs and files.
#ifndef FATHOM_MODELS_BIOHEAT_BODY_MEDIA_H
#define FATHOM_MODELS_BIOHEAT_BODY_MEDIA_H

#include "core/element.h"
#include "models/bioheat/body/grid.h"

#include <math.h>

// HELD: cells of a fixed temperature (Dirichlet), which exchange heat with their neighbours. VOID: cells
// through whose faces no heat passes (their k counts as 0), for example air; their temperature is fixed.
enum bioheat_role { BIOHEAT_TISSUE, BIOHEAT_HELD, BIOHEAT_VOID };

enum { BIOHEAT_LABELS = 256, BIOHEAT_NAME_BYTES = 48 };

// The material of a cell. perfusion_w_m3_k = ρ_b c_b w: the heat that blood removes per time, volume and
// kelvin.
struct bioheat_medium {
    enum bioheat_role role;
    double conductivity_w_m_k;   // k > 0
    double heat_capacity_j_m3_k; // ρc > 0
    double perfusion_w_m3_k;     // ≥ 0
};

// The flux through a face between two labels. TWO_POINT: two half cells in series, first order. QUADRATIC: a
// parabola on either side that has two cells of its label, temperature and flux continuous; second order.
enum bioheat_interfaces { BIOHEAT_TWO_POINT, BIOHEAT_QUADRATIC };

// Either a label for each cell and a table, or three full fields. The arrays are dense [z][y][x], in host
// memory. The model plans and fills them before it calls `start`, and does not change them later. Fields are
// rounded to the precision of the run; the table is not.
struct bioheat_media {
    bool has_labels;
    const uint8_t *const *labels;                // with labels; is_used is true for each of them
    struct bioheat_medium table[BIOHEAT_LABELS]; // with labels
    bool is_used[BIOHEAT_LABELS];
    bool is_uniform; // one label throughout (or one tissue)
    const void *const *conductivity, *const *heat_capacity,
                                         *const *perfusion; // full fields; perfusion NULL: none.
    // A cell of k = 0 is VOID; one of ρc = ∞ is HELD.
    const void *const *velocity_m_s[BIOHEAT_AXES]; // of blood, or NULL: adds −ρ_b c_b v·∇T, upwind
    double blood_heat_capacity_j_m3_k;             // ρ_b c_b
    double arterial_theta_k;                       // T_a − T_ref
    // full fields: if k among the four cells of a face differs by more than this ratio, the flux is computed
    // from the two cells beside the face
    double contrast_limit;
    enum bioheat_interfaces interfaces; // labels
};

// Of the cell with that index; fields have the precision `real`.
static inline enum bioheat_role bioheat_role_in(const struct bioheat_media *m, enum element real,
                                                uint64_t index)
{
    if (m->has_labels)
        return m->table[(*m->labels)[index]].role;
    if (element_get(real, *m->conductivity, index) == 0)
        return BIOHEAT_VOID;
    return isinf(element_get(real, *m->heat_capacity, index)) ? BIOHEAT_HELD : BIOHEAT_TISSUE;
}

#endif
