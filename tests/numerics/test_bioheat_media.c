// What a heat job's medium, faces, start and sensors become: numbers against what the units and the tables
// say, cell by cell.
#include "tests/support/test.h"

#include "models/bioheat/body/domain_private.h"
#include "models/bioheat/body/tissues.h"
#include "models/bioheat/initial.h"
#include "models/bioheat/params.h"
#include "models/bioheat/step.h"
#include "tests/support/fresh.h"
#include "tests/support/model_job.h"
#include "tests/support/netcdf_maker.h"

enum { NZ = 5, NY = 6, NX = 7, CELLS = NZ * NY * NX };

// A job as far as its arrays.
struct made {
    struct job *job;
    struct bioheat_params params;
    struct memory_plan *plan;
};

static void read_job(const char *domain, const char *rest, struct made *made)
{
    made->job = model_job(bioheat_keys,
                          "{'fathom': 1, 'model': 'bioheat', 'backend': 'reference', 'domain': {%s}, 'time': "
                          "{'duration': '10 s'}, 'output': {'directory': 'out'}%s}",
                          domain, rest);
    assert_ok(bioheat_params_read(made->job, &made->params));
    assert_ok(bioheat_step_choose(made->job, NULL, &made->params)); // explicit: no source is needed
}

static const struct bioheat_media *prepare(struct made *made)
{
    made->plan = malloc(sizeof *made->plan);
    assert_non_null(made->plan);
    memory_plan_begin(made->plan);
    assert_ok(bioheat_domain_plan(made->params.domain, made->plan));
    assert_ok(memory_plan_reserve(made->plan, SIZE_MAX, SIZE_MAX));
    assert_ok(bioheat_domain_prepare(made->params.domain));
    return bioheat_domain_media(made->params.domain);
}

static void release(struct made *made)
{
    if (made->plan) // takes its pointers back from those who hold them
        memory_plan_release(made->plan);
    free(made->plan);
    bioheat_params_free(&made->params);
    job_free(made->job);
    *made = (struct made){0};
}

static int begin_file(const char *name, int dimensions[3])
{
    const int file = make_file(folder_path("%s", name), NC_NETCDF4);
    double x[NX];
    for (size_t i = 0; i < NX; i++)
        x[i] = 0.25 * (double)i - 1; // cm
    dimensions[0] = make_axis(file, "z", "cm", NZ, x);
    dimensions[1] = make_axis(file, "y", "cm", NY, x);
    dimensions[2] = make_axis(file, "x", "cm", NX, x);
    return file;
}

#define NEAR(value, expected) assert_true(fabs((value) - (expected)) <= 1e-12 * fabs(expected))

// ---- perfusion

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);

TEST(one_perfusion_in_four_units)
{
    // 600 mL/min/kg of 1050 kg/m3: 1e-5 m3/s/kg, 0.0105 1/s; of blood 1000 kg/m3, 4000 J/kg/K: 10.5 kg/m3/s,
    // 42000 W/m3/K.
    static const char *const texts[] = {"600 mL/min/kg", "60 mL/min/(100 g)", "0.0105 s-1",
                                        "0.63 min-1",    "10.5 kg m-3 s-1",   "42 kW m-3 K-1"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        char domain[512];
        struct made made = {0};
        snprintf(domain, sizeof domain,
                 "'uniform': {'density': '1.05 g cm-3', 'specific_heat': '3.5 kJ kg-1 K-1', 'conductivity': "
                 "'0.5 W m-1 K-1', 'perfusion': '%s', 'cells': {'x': 9, 'y': 9, 'z': 9}, 'spacing': '1 mm'}",
                 texts[k]);
        read_job(domain,
                 ", 'physics': {'blood_density': '1000 kg m-3', 'blood_specific_heat': '4000 J kg-1 K-1'}",
                 &made);
        const struct bioheat_media *media = bioheat_domain_media(made.params.domain);
        NEAR(media->table[1].perfusion_w_m3_k, 42000.0);
        NEAR(media->table[1].heat_capacity_j_m3_k, 1050 * 3500.0);
        NEAR(media->blood_heat_capacity_j_m3_k, 4e6);
        assert_true(media->is_uniform && media->has_labels && media->is_used[1]);
        release(&made);
    }
}

TEST(tissues_of_the_table)
{
    struct made made = {0};
    read_job(
        "'uniform': {'tissue': 'brain', 'cells': {'x': 9, 'y': 9}, 'spacing': {'x': '1 mm', 'y': '2 mm'}}",
        ", 'physics': {'arterial_temperature': '310.15 K', 'reference_temperature': '36 degC'}", &made);
    const struct bioheat_media *media = bioheat_domain_media(made.params.domain);
    NEAR(media->table[1].conductivity_w_m_k, 0.51);
    NEAR(media->table[1].heat_capacity_j_m3_k, 1046 * 3630.0);
    NEAR(media->table[1].perfusion_w_m3_k, 559e-6 / 60 * 1046 * 1050 * 3617);
    assert_true(fabs(media->arterial_theta_k - 1) < 1e-9);
    assert_true(made.params.body.safety_dose_min[1] == 2);
    assert_string_equal(made.params.body.label_names[1], "brain");
    // A plane: nz = 1, and the limit that of two dimensions.
    assert_int_equal(made.params.body.grid.cells[BIOHEAT_Z], 1);
    NEAR(made.params.limit.step_s,
         2 * 1046 * 3630.0 / (16 * 0.51 / 3 * (1e6 + 0.25e6) + media->table[1].perfusion_w_m3_k));
    assert_true(made.params.physics.step_s <= 0.9 * made.params.limit.step_s);
    assert_true(fabs(made.params.physics.step_s * (double)made.params.steps - 10) < 1e-9);
    release(&made);
    read_job("'uniform': {'tissue': 'brain', 'cells': {'x': 9, 'y': 9}, 'spacing': '1 mm'}",
             ", 'physics': {'perfusion': false}", &made);
    assert_true(bioheat_domain_media(made.params.domain)->table[1].perfusion_w_m3_k == 0);
    release(&made);
}

// Every tissue of the program's table can be used, but blood as a tissue, whose perfusion is not known.
TEST(the_table_is_whole)
{
    struct bioheat_tissues *tissues;
    assert_ok(bioheat_tissues_read(TEST_SOURCE_DIRECTORY "/data/tissues.json", &tissues));
    static const char *const names[] = {"water",
                                        "air",
                                        "skin",
                                        "brain",
                                        "grey matter",
                                        "white matter",
                                        "cerebrospinal fluid",
                                        "cortical bone",
                                        "trabecular bone",
                                        "muscle",
                                        "fat",
                                        "liver",
                                        "blood"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *nearest;
        const struct bioheat_tissue *tissue = bioheat_tissues_find(tissues, names[k], &nearest);
        assert_non_null(tissue);
        // Water-rich tissues, fat, bone and air: nothing living conducts temperature outside these limits.
        const double d = tissue->conductivity_w_m_k / (tissue->density_kg_m3 * tissue->specific_heat_j_kg_k);
        assert_true(strcmp(names[k], "air") == 0 ? d > 2e-5 && d < 2.5e-5 : d > 0.9e-7 && d < 1.6e-7);
        assert_int_equal(isnan(tissue->perfusion[BIOHEAT_PERFUSION_PER_MASS]),
                         strcmp(names[k], "blood") == 0);
    }
    bioheat_tissues_free(tissues);
}

// ---- labels

TEST(labels_with_their_roles)
{
    int dimensions[3];
    double values[CELLS];
    for (size_t i = 0; i < CELLS; i++)
        values[i] = i % 4 == 0 ? 200 : (double)(i % 4);
    const int file = begin_file("l.nc", dimensions);
    make_field(file, "label", NULL, 3, dimensions, values);
    NC(nc_close(file));
    struct made made = {0};
    read_job(
        "'labels': {'file': 'l.nc'}, 'faces': {'all': {'kind': 'convective', 'transfer': '10 W m-2 K-1', "
        "'outside': '25 degC'}, 'y_low': {'kind': 'insulated'}, 'z_high': {'outside': '300.15 K'}}",
        ", 'tissues': {'labels': {'1': 'skin', '2': {'tissue': 'muscle', 'name': 'calf', 'perfusion': '0 "
        "s-1'}, '3': 'cortical bone', '9': 'blood'}, 'void': [200], 'fixed_temperature': [3, 9]}",
        &made);
    const struct bioheat_media *media = prepare(&made);
    assert_true(media->has_labels && !media->is_uniform);
    for (size_t i = 0; i < CELLS; i++)
        assert_int_equal((*media->labels)[i], (int)values[i]);
    assert_true(media->is_used[1] && media->is_used[2] && media->is_used[3] && media->is_used[200] &&
                !media->is_used[9]);
    assert_int_equal(media->table[1].role, BIOHEAT_TISSUE);
    assert_int_equal(media->table[3].role, BIOHEAT_HELD);
    assert_int_equal(media->table[200].role, BIOHEAT_VOID);
    NEAR(media->table[3].conductivity_w_m_k, 0.32);
    assert_true(media->table[2].perfusion_w_m3_k == 0 && media->table[1].perfusion_w_m3_k > 0);
    assert_string_equal(made.params.body.label_names[2], "calf");
    assert_true(made.params.body.safety_dose_min[3] == 16 && isnan(made.params.body.safety_dose_min[2]));
    assert_int_equal(made.params.domain->label_cells[200], (CELLS + 3) / 4);
    // Places and faces.
    const struct bioheat_grid *grid = &made.params.body.grid;
    assert_true(fabs(grid->spacing_m[BIOHEAT_X] - 2.5e-3) < 1e-15 &&
                fabs(grid->origin_m[BIOHEAT_Z] + 1e-2) < 1e-15);
    assert_int_equal(grid->faces[BIOHEAT_Y][0].kind, BIOHEAT_INSULATED);
    assert_int_equal(grid->faces[BIOHEAT_Y][1].kind, BIOHEAT_CONVECTIVE);
    assert_true(grid->faces[BIOHEAT_X][0].transfer_w_m2_k == 10);
    assert_true(fabs(grid->faces[BIOHEAT_X][0].outside_theta_k + 12) < 1e-9);
    assert_true(fabs(grid->faces[BIOHEAT_Z][1].outside_theta_k + 10) < 1e-9);
    release(&made);
}

// ---- fields

TEST(fields_in_their_units)
{
    int dimensions[3];
    double density[CELLS], heat[CELLS], conductivity[CELLS], perfusion[CELLS], flow[CELLS];
    for (size_t i = 0; i < CELLS; i++) {
        density[i] = 0.9 + 0.001 * (double)i;                   // g/cm³
        heat[i] = i == 40 ? INFINITY : 3.0 + 0.002 * (double)i; // kJ/kg/K
        conductivity[i] = i == 50 ? 0 : 4.0 + 0.01 * (double)i; // mW/cm/K
        perfusion[i] = (double)i;                               // mL/min/kg
        flow[i] = (double)i - 20;                               // cm/s
    }
    const int file = begin_file("f.nc", dimensions);
    make_field(file, "density", "g cm-3", 3, dimensions, density);
    make_field(file, "cp", "kJ kg-1 K-1", 3, dimensions, heat);
    make_field(file, "k", NULL, 3, dimensions, conductivity);
    make_field(file, "w", "mL/min/kg", 3, dimensions, perfusion);
    make_field(file, "v", "cm/s", 3, dimensions, flow);
    NC(nc_close(file));
    for (int is_double = 0; is_double < 2; is_double++) {
        struct made made = {0};
        read_job("'fields': {'file': 'f.nc', 'specific_heat': 'cp', 'conductivity': 'k', 'perfusion': 'w', "
                 "'units': {'conductivity': 'mW cm-1 K-1'}}, 'velocity': {'file': 'f.nc', 'x': 'v'}, "
                 "'faces': {'all': {'kind': 'insulated'}}",
                 is_double ? ", 'precision': 'double'" : "", &made);
        const struct bioheat_media *media = prepare(&made);
        assert_false(media->has_labels);
        assert_null(media->velocity_m_s[BIOHEAT_Y]);
        for (size_t i = 0; i < CELLS; i++) {
            const double rho = 1e3 * density[i];
            const double expected[] = {0.1 * conductivity[i], rho * 1e3 * heat[i],
                                       perfusion[i] * 1e-6 / 60 * rho * 1050 * 3617, 0.01 * flow[i]};
            const void *const arrays[] = {*media->conductivity, *media->heat_capacity, *media->perfusion,
                                          *media->velocity_m_s[BIOHEAT_X]};
            for (int a = 0; a < 4; a++) {
                const double value =
                    is_double ? ((const double *)arrays[a])[i] : (double)((const float *)arrays[a])[i];
                const double rounding = is_double ? 1e-14 : 0x1p-24;
                if (isinf(expected[a]) ? value != expected[a]
                                       : !(fabs(value - expected[a]) <= 1.001 * rounding * fabs(expected[a])))
                    fail_msg("array %d, cell %zu: %.17g, expected %.17g", a, i, value, expected[a]);
            }
        }
        assert_int_equal(made.params.limit.label, -1);
        release(&made);
    }
}

// ---- start and sensors

struct taken {
    double theta_k[NZ * NY * NX];
    bool is_touched;
};

static void take_row(struct solver *solver, size_t z, size_t y, size_t first, size_t count,
                     const double *theta_k)
{
    struct taken *taken = (struct taken *)(void *)solver;
    for (size_t x = 0; x < count; x++)
        taken->theta_k[(z * NY + y) * NX + first + x] = theta_k[x];
}

static enum status take_touch(struct solver *solver, bool is_loaded)
{
    (void)is_loaded;
    ((struct taken *)(void *)solver)->is_touched = true;
    return STATUS_OK;
}

TEST(starts_in_kelvin_and_celsius)
{
    static const char domain[] =
        "'uniform': {'tissue': 'brain', 'cells': {'x': 7, 'y': 6, 'z': 5}, 'spacing': '2.5 mm'}";
    int dimensions[3];
    double kelvin[2 * CELLS];
    for (size_t i = 0; i < 2 * CELLS; i++)
        kelvin[i] = 310.15 + 0.25 * (double)i;
    int file = begin_file("k.nc", dimensions);
    const int time = make_axis(file, "time", "s", 2, (double[]){0, 1});
    make_field(file, "T", "K", 4, (int[]){time, dimensions[0], dimensions[1], dimensions[2]}, kelvin);
    NC(nc_close(file));
    static const char *const rests[] = {"", ", 'initial': {'temperature': '40 degC'}",
                                        ", 'initial': {'file': 'k.nc', 'record': 1}, 'precision': 'double'"};
    static const struct bioheat_backend keeper = {.head = {.touch = take_touch}, .set = take_row};
    for (int k = 0; k < 3; k++) {
        struct made made = {0};
        struct taken taken = {0};
        read_job(domain, rests[k], &made);
        made.plan = malloc(sizeof *made.plan);
        assert_non_null(made.plan);
        memory_plan_begin(made.plan);
        assert_ok(bioheat_initial_plan(made.params.initial, made.plan));
        assert_ok(memory_plan_reserve(made.plan, SIZE_MAX, SIZE_MAX));
        assert_ok(bioheat_initial_prepare(made.params.initial, &(struct bioheat_voids){NULL, NULL}));
        assert_ok(bioheat_initial_apply(made.params.initial, &keeper, (struct solver *)(void *)&taken));
        assert_true(taken.is_touched);
        for (size_t i = 0; i < CELLS; i++) {
            const double expected = k == 0 ? 0 : k == 1 ? 3 : 0.25 * (double)(CELLS + i);
            assert_true(fabs(taken.theta_k[i] - expected) < 1e-10);
        }
        release(&made);
    }
}

// Whether the cells around them are interpolated or not, the nearest one is a sensor's cell.
TEST(sensors_have_a_nearest_cell)
{
    struct made made = {0};
    folder_write_json("s.json",
                      "{'fathom_sensors': 1, 'sensors': [{'name': 'a', 'x': '3.7 mm', 'y': '0.49 cm', 'z': "
                      "'10000 um'}, {'name': 'b', 'x': '-1.2 mm', 'y': '0 m', 'z': '0 m'}]}");
    made.job = model_job(
        bioheat_keys,
        "{'fathom': 1, 'model': 'bioheat', 'domain': {'uniform': {'tissue': 'fat', 'cells': {'x': 7, 'y': 6, "
        "'z': 5}, 'spacing': '2.5 mm'}}, 'time': {'duration': '10 s'}, 'output': {'directory': 'out', "
        "'sensors': {'file': 's.json'}, 'fields': {'every': '5 s', 'stride': 2, 'x': ['2.4 mm', '13 mm']}}}");
    assert_ok(bioheat_params_read(made.job, &made.params));
    const struct bioheat_params *p = &made.params;
    assert_int_equal(p->sensor_count, 2);
    assert_true(p->sensors[0].cell[BIOHEAT_X] == 1 && p->sensors[0].cell[BIOHEAT_Y] == 2 &&
                p->sensors[0].cell[BIOHEAT_Z] == 4);
    assert_true(p->sensors_interpolate);
    assert_true(fabs(p->sensors[0].position_m[BIOHEAT_Y] - 4.9e-3) < 1e-15);
    assert_int_equal(p->sensors[1].cell[BIOHEAT_X], 0); // half a cell out is still in it
    assert_true(p->crop.first[BIOHEAT_X] == 1 && p->crop.count[BIOHEAT_X] == 3 &&
                p->crop.stride[BIOHEAT_X] == 2);
    assert_true(p->crop.first[BIOHEAT_Z] == 0 && p->crop.count[BIOHEAT_Z] == 3);
    const char *inputs[8];
    assert_int_equal(bioheat_params_inputs(p, inputs), 2);
    assert_non_null(strstr(inputs[0], "s.json"));
    release(&made);
}
