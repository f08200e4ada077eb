// The suite `tsunami-lab`: NTHMP's benchmarks against laboratory measurements, and against the benchmarks'
// own tables of closed forms. All cases use one set of numerical parameters (flood.h).
#include "validate/tsunami/suites.h"

static const int first = 0, second = 1, third = 2;

static const struct validation_case cases[] = {
    {"bp1", "solitary wave, H/d 0.019, on a beach 1:19.85: run-up, profiles, series",
     "NTHMP's benchmark 1: its tables of the closed form (Synolakis 1987)",
     .benchmark_files = tsunami_bp1_files, .run = tsunami_case_bp1},
    {"bp2-a", "solitary wave, H/d 0.039, over three slopes before a wall: seven gauges and the wall",
     "NTHMP's benchmark 2: closed form of the linear equations; laboratory values only for information",
     .benchmark_files = tsunami_bp2_files[0], .run = tsunami_case_bp2, .context = &first},
    {"bp2-b", "solitary wave, H/d 0.264, over three slopes before a wall: seven gauges and the wall",
     "NTHMP's benchmark 2: closed form of the linear equations; laboratory values only for information",
     .benchmark_files = tsunami_bp2_files[1], .run = tsunami_case_bp2, .context = &second},
    {"bp2-c", "solitary wave, H/d 0.696, over three slopes before a wall: seven gauges and the wall",
     "NTHMP's benchmark 2: closed form of the linear equations; laboratory values only for information",
     .benchmark_files = tsunami_bp2_files[2], .run = tsunami_case_bp2, .context = &third},
    {"bp4", "solitary waves, H/d 0.0185 and 0.30, on a beach 1:19.85: run-up and profiles",
     "NTHMP's benchmark 4: Synolakis (1987), J. Fluid Mech. 185, 523-545, laboratory",
     .benchmark_files = tsunami_bp4_files, .run = tsunami_case_bp4},
    {"bp4-table", "77 solitary waves, H/d 0.005 to 0.633, on a beach 1:19.85: run-up against wave height",
     "NTHMP's benchmark 4: Synolakis (1987), J. Fluid Mech. 185, 523-545, laboratory",
     .benchmark_files = tsunami_bp4_table_files, .run = tsunami_case_bp4_table},
    {"bp6-a", "solitary wave, H/d 0.045, about a conical island: gauges, run-up around it",
     "NTHMP's benchmark 6: Briggs et al. (1995), Pure Appl. Geophys. 144, 569-593, laboratory",
     .benchmark_files = tsunami_bp6_files[0], .run = tsunami_case_bp6, .context = &first},
    {"bp6-b", "solitary wave, H/d 0.096, about a conical island: gauges, run-up around it",
     "NTHMP's benchmark 6: Briggs et al. (1995), Pure Appl. Geophys. 144, 569-593, laboratory",
     .benchmark_files = tsunami_bp6_files[1], .run = tsunami_case_bp6, .context = &second},
    {"bp7", "the valley near Monai, 1:400: run-up in the valley, three gauges",
     "NTHMP's benchmark 7: Matsuyama and Tanaka (2001), laboratory", .benchmark_files = tsunami_bp7_files,
     .run = tsunami_case_bp7},
};

const struct validation_suite tsunami_lab_suite = {
    "tsunami-lab", "run-up on land against laboratory measurements: NTHMP's benchmarks", cases,
    sizeof cases / sizeof *cases, true};
