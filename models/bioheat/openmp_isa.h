// Operations of the fast CPU version on one row of cells, compiled once per instruction set
// (cmake/compile_options.cmake) and chosen at run time by openmp.c. A row is [x]; its arrays are in the run's
// precision, hence void *.
#ifndef FATHOM_MODELS_BIOHEAT_OPENMP_ISA_H
#define FATHOM_MODELS_BIOHEAT_OPENMP_ISA_H

#include "models/bioheat/solver.h"
#include "models/isa.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Rows of θ have HEAT_PAD elements before them, the last two of which, and the two after the row's end,
// mirror or wrap the row itself. Cells of a row are taken in groups; one that is of one tissue, with all its
// neighbours, has its label as code.
enum { HEAT_GROUP = 16, HEAT_PAD = 16, HEAT_CODE_MIXED = 0x100, HEAT_CODE_SKIP = 0x200 };

// Labels in use are numbered from 0: the media. The last one is VOID and stands for missing cells. The tables
// of up to HEAT_FEW media fit a few registers.
enum { HEAT_FEW = 8 };

enum heat_neighbour { HEAT_M2, HEAT_M1, HEAT_P1, HEAT_P2, HEAT_NEIGHBOURS };

// Steps after which a block of summed rates goes into the total.
enum { HEAT_DOSE_BLOCK = 64 };

// The output of a row: the new temperatures; their change, for the cells of one colour; the implicit change.
enum heat_mode { HEAT_NEXT, HEAT_CHANGE, HEAT_IMPLICIT };

// Constant during a run. `scale` = 1/Δ² of each axis, 0 along an axis of one cell.
struct heat_view {
    size_t nx, first, last; // cells first … last − 1 of a row are updated
    double scale[BIOHEAT_AXES];
    double step_s, arterial_theta_k, contrast_limit;
    enum heat_mode mode;
    bool is_quadratic; // faces between two media: BIOHEAT_QUADRATIC
    bool has_perfusion;
    bool is_periodic_x;
    // Labels: tables by medium, in the run's precision. `stride`: HEAT_FEW, or more.
    int media, stride;
    const void *pair; // [media][stride]: two-point conductivity
    const void *gain; // Δt/ρc; 0 where the temperature is fixed
    const void *perfusion;
    const void *resistance; // 1/2k; infinite: void
    const void *near[BIOHEAT_AXES], *far[BIOHEAT_AXES],
        *loss;         // of a group of one tissue: a step's share of the sums
    const void *share; // of such a group: 1/(1 + ½ Δt d), three-colour
};

// The rows about a row, along z and y.
struct heat_row {
    size_t z, y;
    const void *at, *near[BIOHEAT_X][HEAT_NEIGHBOURS];
    const uint8_t *media, *near_media[BIOHEAT_X][HEAT_NEIGHBOURS]; // labels; with two beyond either end
    const uint16_t *codes;                                         // of its groups
    // Fields: k of the row with two elements before and after it, of the rows about it, ρc, perfusion or
    // NULL.
    const void *k, *near_k[BIOHEAT_X][HEAT_NEIGHBOURS], *heat_capacity, *perfusion;
    // (optional) Further heat, W/m³, and its share of d, W/m³/K.
    const void *extra, *extra_diagonal;
    bool is_wall[BIOHEAT_X][2]; // the row lies at this side of the domain, which is not periodic
    void *out; // θ after the step; three-colour: what the row's cells would change by, all colours
};

struct heat_dose_row {
    const void *theta, *before;
    void *block;   // sums of rates since the last flush; the sign bit remembers that 43 °C was reached
    double *total; // sums before it
    double weight; // of this step: ½ at first, then 1
    bool is_flushed;
    double turn_k, least_k, most_k;
    bool remembers, counts_all;
};

// The rows of a stage of rkl2 (rkl2.h), and what it does with them. `change` is that of the stage before,
// with the step's points and boxes; `first` that of the start, which stage 1 keeps there.
struct heat_stage_row {
    double last_weight, earlier_weight, rate, first_rate;
    bool is_first;
    const void *start, *last, *earlier, *change;
    void *first, *out; // out may be `earlier`
};

struct heat_functions {
    const char *instruction_set;
    void (*label_row[2])(const struct heat_view *view, const struct heat_row *row);
    void (*field_row[2])(const struct heat_view *view, const struct heat_row *row);
    // extra[i] += amplitude · layer[i]; `is_first`: = instead.
    void (*add_layer[2])(size_t count, double amplitude, const void *layer, bool is_first, void *extra);
    // theta[i] += change[i] for the cells with x ≡ colour (mod 3), of first … last − 1.
    void (*add_colour[2])(size_t first, size_t last, size_t colour, const void *change, void *theta);
    // Cells first … last − 1 of a stage.
    void (*stage_row[2])(size_t first, size_t last, const struct heat_stage_row *row);
    void (*dose_row[2])(size_t count, const struct heat_dose_row *row);
    // rkl2: of a step from the temperatures row->before to row->theta, by the mean of the rate between them.
    void (*mean_dose_row[2])(size_t count, const struct heat_dose_row *row);
    void (*reported_row[2])(size_t count, const struct heat_dose_row *row, double minutes, double *dose_min);
    void (*maximum_row[2])(size_t count, const void *theta, double time_s, void *largest, void *largest_at);
};

ISA_TABLES(heat_functions);

#endif
