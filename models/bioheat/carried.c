// What a heat run hands on to the next: see carried.h.
#include "models/bioheat/carried.h"

#include "models/bioheat/results.h"

// Beyond what any run gives, and far below the largest number.
#define MOST_J  1e30
#define MOST_K  1e15
#define MOST_AT 1e15
// 10 000 K over a micrometre
#define MOST_K_M 1e10
// Beyond any medium
#define MOST_DIFFUSIVITY 1e6
#define MOST_PERFUSION   1e6

enum {
    WARMING,
    COOLING = WARMING + BIOHEAT_GIVEN,
    LAYERS_RISE = COOLING + BIOHEAT_GIVEN,
    SOLVED_RISE,
    AT,
    DRAINED,
    RATIO = DRAINED + BIOHEAT_SIDES,
    DIFFUSIVITY = RATIO + BIOHEAT_SIDES,
    PERFUSION,
    IS_BOUND
};

static const char drained_text[] =
    "largest gradient of temperature that the heat which this face takes would cause beyond it, of this run "
    "and those before it, where it is fixed or convective with a transfer coefficient that no liquid has; "
    "else 0";
static const char ratio_text[] = "least conductivity of a cell at this border over that of the one inside "
                                 "it, 1 at most, of this run and those before it";

const struct bioheat_carried_text bioheat_carried_texts[BIOHEAT_CARRIED_NUMBERS] = {
    [WARMING + BIOHEAT_GIVEN_SOLVED] = {"warming_heat_solved",
                                        "heat of the sources, of this run and those before it, that warms "
                                        "tissue whose temperature is solved",
                                        "J", 0, MOST_J, false},
    [WARMING + BIOHEAT_GIVEN_LAYERS] = {"warming_heat_layers",
                                        "the same in tissue in layers of fixed faces, which keep their "
                                        "temperature",
                                        "J", 0, MOST_J, false},
    [WARMING + BIOHEAT_GIVEN_UNSOLVED] = {"warming_heat_unsolved",
                                          "the same in air and in cells of fixed temperature", "J", 0, MOST_J,
                                          false},
    [COOLING + BIOHEAT_GIVEN_SOLVED] = {"cooling_heat_solved",
                                        "heat that the sources take from tissue whose temperature is solved",
                                        "J", 0, MOST_J, false},
    [COOLING + BIOHEAT_GIVEN_LAYERS] = {"cooling_heat_layers", "the same in tissue in layers of fixed faces",
                                        "J", 0, MOST_J, false},
    [COOLING + BIOHEAT_GIVEN_UNSOLVED] = {"cooling_heat_unsolved",
                                          "the same in air and in cells of fixed temperature", "J", 0, MOST_J,
                                          false},
    [LAYERS_RISE] =
        {"layers_rise",
         "rise of the hottest cell in layers of fixed faces if they kept no temperature and nothing "
         "carried the heat of the sources away, of this run and those before it",
         "K", 0, MOST_K, false},
    [SOLVED_RISE] = {"solved_rise", "the same of the hottest cell of tissue whose temperature is solved", "K",
                     0, MOST_K, false},
    [AT] = {"solved_rise_index",
            "cell of the latter, (z ny + y) nx + x; negative, -1 - z: in plane z, of a stream", "1", -MOST_AT,
            MOST_AT, true},
    [DRAINED] = {"drained_z_low", drained_text, "K m-1", 0, MOST_K_M, false},
    [DRAINED + 1] = {"drained_z_high", drained_text, "K m-1", 0, MOST_K_M, false},
    [DRAINED + 2] = {"drained_y_low", drained_text, "K m-1", 0, MOST_K_M, false},
    [DRAINED + 3] = {"drained_y_high", drained_text, "K m-1", 0, MOST_K_M, false},
    [DRAINED + 4] = {"drained_x_low", drained_text, "K m-1", 0, MOST_K_M, false},
    [DRAINED + 5] = {"drained_x_high", drained_text, "K m-1", 0, MOST_K_M, false},
    [RATIO] = {"drained_ratio_z_low", ratio_text, "1", 0, 1, false},
    [RATIO + 1] = {"drained_ratio_z_high", ratio_text, "1", 0, 1, false},
    [RATIO + 2] = {"drained_ratio_y_low", ratio_text, "1", 0, 1, false},
    [RATIO + 3] = {"drained_ratio_y_high", ratio_text, "1", 0, 1, false},
    [RATIO + 4] = {"drained_ratio_x_low", ratio_text, "1", 0, 1, false},
    [RATIO + 5] = {"drained_ratio_x_high", ratio_text, "1", 0, 1, false},
    [DIFFUSIVITY] = {"drained_diffusivity", "largest diffusivity of tissue, of this run and those before it",
                     "m2 s-1", 0, MOST_DIFFUSIVITY, false},
    [PERFUSION] = {"drained_perfusion",
                   "least perfusion of tissue over its heat capacity, of this run and those before it", "s-1",
                   0, MOST_PERFUSION, false},
    [IS_BOUND] = {"layers_rise_is_bound",
                  "1: layers_rise is an upper bound of the rise by the heat in these layers anywhere; 0: it "
                  "may not be, as points and streams may move",
                  "1", 0, 1, false},
};

void bioheat_carried_write(const struct bioheat_carried *carried, double values[BIOHEAT_CARRIED_NUMBERS])
{
    const struct bioheat_given *given = &carried->given;
    for (int place = 0; place < BIOHEAT_GIVEN; place++) {
        values[WARMING + place] = given->warming_j[place];
        values[COOLING + place] = given->cooling_j[place];
    }
    values[LAYERS_RISE] = given->layers_rise_k;
    values[SOLVED_RISE] = given->solved_rise_k;
    values[AT] = given->hottest;
    values[IS_BOUND] = given->is_bound;
    for (int face = 0; face < BIOHEAT_SIDES; face++) {
        values[DRAINED + face] = carried->drained.gradient_k_m[face];
        values[RATIO + face] = carried->drained.ratio[face];
    }
    values[DIFFUSIVITY] = carried->drained.diffusivity_m2_s;
    values[PERFUSION] = fmin(carried->drained.perfusion_per_s, MOST_PERFUSION); // infinite: no tissue
}

struct bioheat_carried bioheat_carried_read(const double values[BIOHEAT_CARRIED_NUMBERS])
{
    struct bioheat_carried carried = {.given = {.is_known = true,
                                                .is_bound = values[IS_BOUND] >= 1,
                                                .layers_rise_k = values[LAYERS_RISE],
                                                .solved_rise_k = values[SOLVED_RISE],
                                                .hottest = values[AT]}};
    for (int place = 0; place < BIOHEAT_GIVEN; place++) {
        carried.given.warming_j[place] = values[WARMING + place];
        carried.given.cooling_j[place] = values[COOLING + place];
    }
    for (int face = 0; face < BIOHEAT_SIDES; face++) {
        carried.drained.gradient_k_m[face] = values[DRAINED + face];
        carried.drained.ratio[face] = values[RATIO + face];
    }
    carried.drained.diffusivity_m2_s = values[DIFFUSIVITY];
    carried.drained.perfusion_per_s = values[PERFUSION];
    return carried;
}

const char *bioheat_carried_fault(const struct bioheat_carried *carried)
{
    const struct bioheat_given *given = &carried->given;
    if ((given->warming_j[BIOHEAT_GIVEN_LAYERS] > 0) != (given->layers_rise_k > 0))
        return bioheat_carried_texts[LAYERS_RISE].name;
    if ((given->warming_j[BIOHEAT_GIVEN_SOLVED] > 0) != (given->solved_rise_k > 0))
        return bioheat_carried_texts[SOLVED_RISE].name;
    return NULL;
}
