// The table of cases of the heat solver: grids, faces, media and sources for which every back end must agree
// with the reference. Independent of solvers; bioheat_fixture.c makes a phantom from a case.
#include "tests/support/bioheat_fixture.h"

// clang-format off
#define FIX {.kind = BIOHEAT_FIXED}
#define INS {.kind = BIOHEAT_INSULATED}
#define PER {.kind = BIOHEAT_PERIODIC}
#define AIR {.kind = BIOHEAT_CONVECTIVE, .transfer_w_m2_k = 12, .outside_theta_k = -15}
#define WET {.kind = BIOHEAT_CONVECTIVE, .transfer_w_m2_k = 900, .outside_theta_k = -5}
// The faces' columns: z low, z high, y low, y high, x low, x high.
#define FACES(a, b, c, d, e, f) {{a, b}, {c, d}, {e, f}}
#define EVEN {1e-3, 1e-3, 1e-3}
#define UNEVEN {1.3e-3, 0.9e-3, 1.1e-3}
// Name; cells along z, y, x; spacing; faces; media; whether periodic axes are multiples of 3; whether it is
// large; what else is set.
#define CASE(name, nz, ny, nx, spacing, faces_, media_, colours, is_large, ...)                              \
    {name,                                                                                                   \
     {.cells = {nz, ny, nx}, .spacing_m = spacing, .faces = faces_, .media = PHANTOM_##media_, __VA_ARGS__}, \
     colours,                                                                                                \
     is_large}
// clang-format on

const struct phantom_case phantom_cases[] = {
    CASE("uniform, fixed", 11, 13, 37, EVEN, FACES(FIX, FIX, FIX, FIX, FIX, FIX), UNIFORM, true, false),
    CASE("uniform, periodic, perfusion, a layer", 9, 12, 36, UNEVEN, FACES(PER, PER, PER, PER, PER, PER),
         UNIFORM, true, false, .has_perfusion = true, .layer_count = 1),
    CASE("uniform, insulated, two layers, points and boxes", 7, 10, 33, UNEVEN,
         FACES(INS, INS, INS, INS, INS, INS), UNIFORM, true, false, .layer_count = 2, .has_points = true,
         .has_boxes = true),
    CASE("uniform, convective", 8, 9, 50, EVEN, FACES(AIR, WET, AIR, AIR, WET, AIR), UNIFORM, true, false,
         .has_perfusion = true),
    CASE("uniform 2-D, mixed faces, points", 1, 21, 65, UNEVEN, FACES(INS, INS, AIR, FIX, PER, PER), UNIFORM,
         false, false, .has_points = true),
    CASE("uniform, velocity, mixed faces", 10, 9, 35, EVEN, FACES(INS, AIR, PER, PER, FIX, INS), UNIFORM,
         true, false, .has_velocity = true, .has_perfusion = true),
    CASE("layers, insulated, perfusion", 20, 19, 71, UNEVEN, FACES(INS, INS, INS, INS, INS, INS), LAYERS,
         true, false, .has_perfusion = true),
    CASE("layers, periodic and convective, all sources", 15, 18, 69, EVEN,
         FACES(AIR, INS, PER, PER, PER, PER), LAYERS, true, false, .has_perfusion = true, .layer_count = 2,
         .has_points = true, .has_boxes = true),
    CASE("random labels, insulated, sources", 13, 11, 43, UNEVEN, FACES(INS, INS, INS, INS, INS, INS), RANDOM,
         true, false, .has_perfusion = true, .layer_count = 1, .has_points = true, .has_boxes = true),
    CASE("random labels, periodic, velocity", 6, 9, 33, EVEN, FACES(PER, PER, PER, PER, PER, PER), RANDOM,
         true, false, .has_velocity = true, .has_perfusion = true),
    CASE("random labels, convective and fixed", 9, 8, 40, UNEVEN, FACES(WET, FIX, AIR, INS, FIX, AIR), RANDOM,
         true, false),
    CASE("a body in the void, all sources", 24, 27, 61, EVEN, FACES(INS, INS, INS, INS, INS, INS), BODY, true,
         false, .has_perfusion = true, .layer_count = 1, .has_points = true, .has_boxes = true),
    CASE("smooth fields, insulated, perfusion, sources", 12, 11, 39, UNEVEN,
         FACES(INS, INS, INS, INS, INS, INS), SMOOTH, true, false, .has_perfusion = true, .layer_count = 1,
         .has_points = true, .has_boxes = true),
    CASE("smooth fields, periodic, velocity", 9, 12, 33, EVEN, FACES(PER, PER, PER, PER, PER, PER), SMOOTH,
         true, false, .has_velocity = true),
    CASE("smooth fields, convective, fixed", 10, 13, 36, UNEVEN, FACES(WET, AIR, FIX, AIR, AIR, FIX), SMOOTH,
         true, false, .has_perfusion = true),
    CASE("fields with jumps, void and kept, insulated", 14, 12, 41, UNEVEN,
         FACES(INS, INS, INS, INS, INS, INS), JUMPS, true, false, .has_perfusion = true, .layer_count = 1,
         .has_points = true),
    CASE("fields with jumps, mixed faces, velocity", 9, 14, 34, EVEN, FACES(PER, PER, WET, FIX, INS, AIR),
         JUMPS, true, false, .has_perfusion = true, .has_velocity = true, .contrast_limit = 1.2),
    CASE("five cells", 5, 5, 5, EVEN, FACES(FIX, FIX, INS, FIX, AIR, FIX), RANDOM, true, false),
    CASE("four and three cells", 3, 4, 3, UNEVEN, FACES(PER, PER, AIR, AIR, INS, INS), LAYERS, true, false),
    CASE("two cells", 2, 2, 2, EVEN, FACES(INS, INS, INS, INS, INS, AIR), UNIFORM, true, false,
         .layer_count = 1),
    CASE("a row of fields", 1, 1, 47, EVEN, FACES(INS, INS, INS, INS, AIR, INS), SMOOTH, true, false),
    CASE("a column of labels", 33, 1, 1, EVEN, FACES(INS, AIR, INS, INS, INS, INS), LAYERS, true, false,
         .has_points = true),
    CASE("two cells, periodic", 2, 3, 17, EVEN, FACES(PER, PER, PER, PER, FIX, INS), SMOOTH, false, false),
    CASE("large, layers, mixed faces, all sources", 51, 36, 117, UNEVEN, FACES(AIR, INS, FIX, INS, PER, PER),
         LAYERS, true, true, .has_perfusion = true, .layer_count = 1, .has_points = true, .has_boxes = true),
    CASE("large, a body in the void", 45, 35, 131, EVEN, FACES(INS, INS, PER, PER, INS, INS), BODY, false,
         true, .has_perfusion = true, .layer_count = 1),
    CASE("large, fields with jumps", 40, 33, 147, UNEVEN, FACES(INS, FIX, PER, PER, AIR, INS), JUMPS, true,
         true, .has_perfusion = true, .layer_count = 1, .has_boxes = true),
};
const size_t phantom_case_count = sizeof phantom_cases / sizeof *phantom_cases;
