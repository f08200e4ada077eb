// The suite `tsunami-analytic`: jobs whose result is known in closed form, and what they share.
#include "validate/tsunami/suites.h"

#include "validate/case_job.h"

#include <stdlib.h>
#include <string.h>

enum status tsunami_read_volumes(const struct validation_run *run, const char *job, double *start_m3,
                                 double *end_m3)
{
    double *mass;
    size_t shape[4];
    CHECK(case_read_variable(run, job, "diagnostics.nc", "mass", &mass, shape));
    const bool is_good = shape[0] >= 2;
    *start_m3 = is_good ? mass[0] : 0;
    *end_m3 = is_good ? mass[shape[0] - 1] : 0;
    free(mass);
    return is_good ? STATUS_OK
                   : FAIL(STATUS_DATA, "diagnostics.nc of the job %s has no first and last line", job);
}

double tsunami_step_share(const struct validation_run *run)
{
    if (run->method_floods)
        return 0.5;
    return run->method && strcmp(run->method, "c-grid-6") == 0 ? 0.8 : 1;
}

enum status tsunami_measure_volume(struct validation_run *run, const char *job, const char *quantity)
{
    struct validation_measure measure = {
        .quantity = quantity, .unit = "m3", .source = "the volume at the start", .tolerance = "mass"};
    CHECK(tsunami_read_volumes(run, job, &measure.reference, &measure.computed));
    return validation_measure(run, &measure);
}

static const char *const sift_files[] = {"okada/sift_test_data.tt3", "sift/info_sz.dat.txt", NULL};
static const char *const alaska_files[] = {"okada/alaska1964_test_data.tt3", "okada/alaska1964.csv", NULL};
static const char *const ucsb_files[] = {"okada/tohoku_test_data.tt3", "okada/tohoku_ucsb.txt", NULL};

static const char geoclaw[] =
    "GeoClaw (clawpack/geoclaw), tests/data: deformation computed by its dtopotools";

static const struct validation_case cases[] = {
    {"step", "small plane wave over a step in depth, along x and along y: what passes, what returns",
     "Lamb (1932), Hydrodynamics, 6th ed., section 176", .run = tsunami_case_step},
    {"standing-wave", "standing wave in a closed basin: period, height, order of convergence on three grids",
     "Lamb (1932), Hydrodynamics, 6th ed., section 190", .run = tsunami_case_basin},
    {"geostrophic", "current in balance with the Earth's rotation: stays as it is for a day, on three grids",
     "Gill (1982), Atmosphere-Ocean Dynamics, section 7.6: an exact steady flow",
     .run = tsunami_case_geostrophic},
    {"bp1",
     "solitary wave, H/d 0.019, on a beach 1:19.85: run-up, profiles, series, on two grids; full size: three",
     "Synolakis (1987), J. Fluid Mech. 185, 523-545: the closed form (NTHMP's benchmark 1)",
     .run = tsunami_case_beach},
    {"thacker-canal",
     "water that swings in a parabolic canal on a rotating plane: the shore after three periods",
     "Thacker (1981), J. Fluid Mech. 107, 499-508, section 5", .run = tsunami_case_canal},
    {"thacker-plane", "a plane surface that goes round in a bowl: the shore after three periods",
     "Thacker (1981), J. Fluid Mech. 107, 499-508, section 5", .run = tsunami_case_bowl_plane},
    {"thacker-curved", "a curved surface that rises and falls in a bowl: the shore after three periods",
     "Thacker (1981), J. Fluid Mech. 107, 499-508, section 6", .run = tsunami_case_bowl_curved},
    {"stoker", "dam break over a wet bed, 1 m to 0.1 m: order of the error on four grids",
     "Stoker (1957), Water Waves, section 10.8", .run = tsunami_case_stoker},
    {"ritter", "dam break over a dry bed: order of the error on four grids",
     "Ritter (1892), Z. Ver. Deut. Ing. 36, 947-954", .run = tsunami_case_ritter},
    {"lake", "a lake at rest about dry islands over a rough bottom: 2500 steps; full size: ten thousand",
     "an exact solution: nothing moves", .run = tsunami_case_lake},
    {"okada-table2", "displacements and slopes of Okada's check cases, to every printed digit",
     "Okada (1985), Bull. Seism. Soc. Am. 75, 1135-1154, table 2", .run = tsunami_case_okada_table},
    {"okada-sift", "two of NOAA's unit sources: the sea floor's uplift as another program has it", geoclaw,
     .benchmark_files = sift_files, .run = tsunami_case_okada_file, .context = &tsunami_okada_sift},
    {"okada-alaska1964",
     "twelve faults of the Alaska earthquake of 1964: the sea floor's uplift as another program has it",
     geoclaw, .benchmark_files = alaska_files, .run = tsunami_case_okada_file,
     .context = &tsunami_okada_alaska},
    {"okada-tohoku",
     "190 subfaults of the Tohoku earthquake of 2011: the sea floor's uplift as another program has it",
     geoclaw, .benchmark_files = ucsb_files, .run = tsunami_case_okada_file, .context = &tsunami_okada_ucsb},
};

const struct validation_suite tsunami_analytic_suite = {
    "tsunami-analytic", "the tsunami model against closed forms and published values", cases,
    sizeof cases / sizeof *cases, true};
