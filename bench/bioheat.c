// `fathom bench bioheat`: each method on a block of tissues that are made here, because jobs read their label
// maps from files; outermost layers at a given temperature, and a dose that grows in every cell.
#include "bench/bench.h"

#include "models/bioheat/rkl2.h"
#include "models/bioheat/solver.h"
#include "models/solver.h"
#include "parallel/ranks.h"
#include "parallel/shares.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

enum { HOST_BATCH = 16, DEVICE_BATCH = 64, TISSUES = 5, FIELDS = 3, USUAL_CELLS = 256 };

// Floating-point operations of a cell in a step: the five-point formula along three axes as printed in the
// thesis (Brno 2013) whose figures stand in docs/performance.md (3 multiplications and 4 additions each),
// their sum, the point's factor, and the addition to the temperature. The thesis does not state how it
// counts; its 135 GFLOP/s at 68 GB/s for the same kernel are 24 operations if 12 bytes are moved.
enum { OPERATIONS = 25 };

enum media { UNIFORM, LABELS, FIELDS_OF_CELLS };

static const struct variant {
    enum media media;
    enum bioheat_method method;
    enum bioheat_dose dose;
    bool has_maximum;
} variants[] = {
    {UNIFORM, BIOHEAT_EULER, BIOHEAT_DOSE_OFF, false},
    {LABELS, BIOHEAT_EULER, BIOHEAT_DOSE_OFF, false},
    {LABELS, BIOHEAT_EULER, BIOHEAT_DOSE_KWAVE, false},
    {LABELS, BIOHEAT_EULER, BIOHEAT_DOSE_KWAVE, true},
    {FIELDS_OF_CELLS, BIOHEAT_EULER, BIOHEAT_DOSE_OFF, false},
    {FIELDS_OF_CELLS, BIOHEAT_EULER, BIOHEAT_DOSE_KWAVE, false},
    {LABELS, BIOHEAT_EULER_IN_PLACE, BIOHEAT_DOSE_OFF, false},
    {LABELS, BIOHEAT_THREE_COLOUR, BIOHEAT_DOSE_OFF, false},
    {LABELS, BIOHEAT_SOURCE_THREE_COLOUR, BIOHEAT_DOSE_OFF, false},
    {LABELS, BIOHEAT_RKL2, BIOHEAT_DOSE_OFF, false},
    {LABELS, BIOHEAT_RKL2, BIOHEAT_DOSE_KWAVE, false},
    {FIELDS_OF_CELLS, BIOHEAT_RKL2, BIOHEAT_DOSE_OFF, false},
};
static const char *const variant_names[] = {"uniform",
                                            "labels",
                                            "labels+dose",
                                            "labels+dose+maximum",
                                            "fields",
                                            "fields+dose",
                                            "labels,euler-in-place",
                                            "labels,three-colour",
                                            "labels,source-three-colour",
                                            "labels,rkl2",
                                            "labels+dose,rkl2",
                                            "fields,rkl2",
                                            NULL};
enum { VARIANT_OF_REFERENCE = 1, RKL2_STAGES = 7 };
enum figure { STAGES }; // of a step of rkl2

// Of the order of brain, skin, skull, fat, muscle.
static const struct bioheat_medium tissues[TISSUES] = {{BIOHEAT_TISSUE, 0.51, 1046.0 * 3630, 35000},
                                                       {BIOHEAT_TISSUE, 0.37, 1109.0 * 3391, 7400},
                                                       {BIOHEAT_TISSUE, 0.32, 1908.0 * 1313, 1200},
                                                       {BIOHEAT_TISSUE, 0.21, 911.0 * 2348, 1900},
                                                       {BIOHEAT_TISSUE, 0.49, 1090.0 * 3421, 2400}};
static const double spacing_m = 1e-3, reference_c = 37;

// What a solver's setup points to.
static struct {
    const struct bioheat_backend *backend;
    struct solver *solver;
    int batch_steps;
    enum element precision;
    struct bioheat_grid grid;
    struct bioheat_media media;
    struct bioheat_source source; // none
    struct bioheat_physics physics;
    uint8_t *labels;
    void *fields[FIELDS];
    double *rows; // one a thread
} now;

// ---- the tissues

static void set_up(const struct bench_row *row)
{
    const struct variant *variant = &variants[row->method];
    double fastest = 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        now.grid.cells[axis] = (size_t)row->size[axis];
        now.grid.spacing_m[axis] = spacing_m;
        now.grid.faces[axis][0].kind = now.grid.faces[axis][1].kind = BIOHEAT_FIXED;
    }
    for (int k = 0; k < TISSUES; k++)
        fastest = fmax(fastest, tissues[k].conductivity_w_m_k / tissues[k].heat_capacity_j_m3_k);
    now.precision = row->precision;
    now.media = (struct bioheat_media){.has_labels = variant->media != FIELDS_OF_CELLS,
                                       .is_uniform = variant->media == UNIFORM,
                                       .contrast_limit = 1.5};
    for (int k = 0; k < (now.media.is_uniform ? 1 : TISSUES); k++) {
        now.media.table[k + 1] = tissues[k];
        now.media.is_used[k + 1] = true;
    }
    if (variant->method == BIOHEAT_RKL2)
        now.media.interfaces = BIOHEAT_QUADRATIC;
    // Half of the stable step in the fastest tissue; of rkl2 that of so many stages.
    now.physics = (struct bioheat_physics){.method = variant->method,
                                           .dose = variant->dose,
                                           .has_maximum = variant->has_maximum,
                                           .reference_c = reference_c,
                                           .step_s = spacing_m * spacing_m / (16 * fastest)};
    if (variant->method == BIOHEAT_RKL2) {
        now.physics.stages = RKL2_STAGES;
        now.physics.step_s = bioheat_rkl2_limit_s(RKL2_STAGES, now.physics.step_s);
    }
}

static enum status plan_media(struct memory_plan *plan)
{
    const struct bioheat_planes held = bioheat_held(&now.grid);
    const size_t cells = now.grid.cells[BIOHEAT_Y] * now.grid.cells[BIOHEAT_X]; // of a plane
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, (size_t)omp_get_max_threads(),
                          now.grid.cells[BIOHEAT_X], (void **)&now.rows, "rows"));
    now.media.labels = (const uint8_t *const *)&now.labels;
    now.media.conductivity = (const void *const *)&now.fields[0];
    now.media.heat_capacity = (const void *const *)&now.fields[1];
    now.media.perfusion = (const void *const *)&now.fields[2];
    if (now.media.has_labels)
        return memory_plan_add_rows(plan, MEMORY_HOST, ELEMENT_U8, held.first, held.end, cells,
                                    (void **)&now.labels, "labels");
    for (int k = 0; k < FIELDS; k++)
        CHECK(memory_plan_add_rows(plan, MEMORY_HOST, now.precision, held.first, held.end, cells,
                                   &now.fields[k], "field %d", k));
    return STATUS_OK;
}

static void store(int field, size_t cell, double value)
{
    if (now.precision == ELEMENT_F32)
        ((float *)now.fields[field])[cell] = (float)value;
    else
        ((double *)now.fields[field])[cell] = value;
}

// Shells about the middle, like a head's; 0 … TISSUES − 1. No cell is void.
static int tissue_at(size_t z, size_t y, size_t x)
{
    static const double flatness[BIOHEAT_AXES] = {0.8, 1.2, 1};
    static const struct {
        double radius;
        int tissue;
    } shells[] = {{0.95, 4}, {0.85, 1}, {0.75, 2}, {0.7, 3}, {0.3, 0}};
    const size_t at[BIOHEAT_AXES] = {z, y, x};
    double sum = 0;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        const double u = 2 * ((double)at[axis] + 0.5) / (double)now.grid.cells[axis] - 1;
        sum += flatness[axis] * u * u;
    }
    for (size_t k = 0; k < sizeof shells / sizeof *shells; k++)
        if (sqrt(sum) > shells[k].radius)
            return shells[k].tissue;
    return 4;
}

static void fill_row(size_t z, size_t y)
{
    const size_t *n = now.grid.cells;
    size_t cell = (z * n[BIOHEAT_Y] + y) * n[BIOHEAT_X];
    for (size_t x = 0; x < n[BIOHEAT_X]; x++, cell++) {
        if (now.media.has_labels) {
            now.labels[cell] = now.media.is_uniform ? 1 : (uint8_t)(1 + tissue_at(z, y, x));
            continue;
        }
        const double wave = sin(0.05 * (double)x) * cos(0.04 * (double)y + 0.03 * (double)z);
        store(0, cell, 0.45 + 0.05 * wave);
        store(1, cell, 3.8e6 * (1 + 0.02 * wave));
        store(2, cell, 20000 * (1 + wave));
    }
}

// All threads work on rows, because a grid that a device steps through quickly takes one thread a minute.
static double *own_row(void)
{
    return now.rows + (size_t)omp_get_thread_num() * now.grid.cells[BIOHEAT_X];
}

static void fill_media(void)
{
    const struct bioheat_planes held = bioheat_held(&now.grid);
    const size_t *n = now.grid.cells;
#pragma omp parallel for collapse(2)
    for (size_t z = held.first; z < held.end; z++)
        for (size_t y = 0; y < n[BIOHEAT_Y]; y++)
            fill_row(z, y);
}

// Between 38 and 48 °C: the dose of every cell grows in every step.
static enum status set_state(void)
{
    const struct bioheat_planes own = bioheat_own(&now.grid);
    const size_t *n = now.grid.cells;
#pragma omp parallel for collapse(2)
    for (size_t z = own.first; z < own.end; z++)
        for (size_t y = 0; y < n[BIOHEAT_Y]; y++) {
            double *const row = own_row();
            for (size_t x = 0; x < n[BIOHEAT_X]; x++)
                row[x] = 6 + 5 * sin(0.03 * (double)x + 0.02 * (double)y) * cos(0.025 * (double)z);
            now.backend->set(now.solver, z, y, 0, n[BIOHEAT_X], row);
        }
    return solver_touch(&now.backend->head, now.solver, false);
}

// The result must still be one that such a start can lead to.
static enum status check_state(void)
{
    const struct bioheat_planes own = bioheat_own(&now.grid);
    const size_t *n = now.grid.cells;
    size_t invalid = 0;
    CHECK(solver_fetch(&now.backend->head, now.solver));
#pragma omp parallel for collapse(2) reduction(+ : invalid)
    for (size_t z = own.first; z < own.end; z++)
        for (size_t y = 0; y < n[BIOHEAT_Y]; y++) {
            double *const row = own_row();
            now.backend->get(now.solver, z, y, 0, n[BIOHEAT_X], row);
            for (size_t x = 0; x < n[BIOHEAT_X]; x++)
                invalid += !(row[x] > -1 && row[x] < 13);
        }
    if (invalid > 0)
        return FAIL(STATUS_SOFTWARE,
                    "%s: the benchmark became unstable: %zu cells are not between -1 and 13 K",
                    now.backend->head.name, invalid);
    return STATUS_OK;
}

// ---- a row

// The solver's setup, of all planes.
static struct bioheat_setup set_up_solver(const struct bench *bench, const struct bench_row *row)
{
    memset(&now, 0, sizeof now);
    now.backend = (const struct bioheat_backend *)row->entry->backend; // whose first member it is
    now.batch_steps = now.backend->head.fetch ? DEVICE_BATCH : HOST_BATCH;
    set_up(row);
    return (struct bioheat_setup){.grid = &now.grid,
                                  .media = &now.media,
                                  .source = &now.source,
                                  .physics = &now.physics,
                                  .precision = row->precision,
                                  .batch_steps = now.batch_steps,
                                  .device = row->entry->device,
                                  .ranks = bench->ranks,
                                  .shares = bench->shares};
}

static size_t halo_of(const struct bench *bench, const struct bioheat_setup *setup)
{
    return now.backend->halo(setup, now.grid.cells[BIOHEAT_Z] / (size_t)bench->ranks->count);
}

static enum status divide(const struct bench *bench, const struct bench_row *row,
                          struct shares_request *request)
{
    const struct bioheat_setup setup = set_up_solver(bench, row);
    char why[BENCH_NOTE_BYTES] = "";
    if (!now.backend->halo)
        return FAIL(STATUS_CONFIGURATION, "it does not divide a run among ranks");
    if (now.backend->has_method && !now.backend->has_method(&setup, why, sizeof why))
        return FAIL(STATUS_CONFIGURATION, "%s", why);
    *request = (struct shares_request){
        .rows = row->size[0], .least = (int64_t)halo_of(bench, &setup), .what = "planes along z"};
    return STATUS_OK;
}

static enum status plan(struct bench *bench, struct bench_row *row, struct memory_plan *memory)
{
    char why[BENCH_NOTE_BYTES] = "";
    struct bioheat_setup setup = set_up_solver(bench, row);
    if (now.backend->has_method && !now.backend->has_method(&setup, why, sizeof why))
        return FAIL(STATUS_SYSTEM, "%s", why);
    if (bench->shares) {
        const struct share *own = &bench->shares[bench->ranks->rank];
        const bool is_last = bench->ranks->rank + 1 == bench->ranks->count;
        setup.halo = halo_of(bench, &setup);
        now.grid.own = (struct bioheat_planes){(size_t)own->first, (size_t)own->end};
        now.grid.held = (struct bioheat_planes){now.grid.own.first - (own->first > 0 ? setup.halo : 0),
                                                now.grid.own.end + (is_last ? 0 : setup.halo)};
    }
    CHECK(plan_media(memory));
    return now.backend->plan(&setup, memory, "", &now.solver);
}

static enum status checksum(const struct bench *bench, const struct bench_row *like, uint64_t *sum)
{
    const struct bioheat_planes own = bioheat_own(&now.grid);
    const size_t *n = now.grid.cells;
    (void)bench, (void)like;
    CHECK(solver_fetch(&now.backend->head, now.solver));
    for (size_t z = own.first; z < own.end; z++)
        for (size_t y = 0; y < n[BIOHEAT_Y]; y++) {
            now.backend->get(now.solver, z, y, 0, n[BIOHEAT_X], now.rows);
            *sum += XXH3_64bits_withSeed(now.rows, n[BIOHEAT_X] * sizeof *now.rows,
                                         (uint64_t)z * n[BIOHEAT_Y] + y);
        }
    return STATUS_OK;
}

static enum status advance(int64_t first_step, int64_t count)
{
    struct bioheat_nonfinite found = {.step = -1};
    const double none = 0;
    for (int64_t done = 0; done < count;) {
        const int64_t batch = count - done < now.batch_steps ? count - done : now.batch_steps;
        CHECK(now.backend->advance(now.solver, first_step + done, batch, &none));
        done += batch;
    }
    return now.backend->finish ? now.backend->finish(now.solver, &found) : STATUS_OK;
}

static enum status start(struct bench *bench, struct bench_row *row)
{
    const bool is_reference = bench_is_reference(row->entry);
    fill_media();
    CHECK(now.backend->start(now.solver));
    CHECK(set_state());
    bench->work.warm_steps = HOST_BATCH;
    bench->work.least_steps = is_reference ? 1 : HOST_BATCH;
    bench->work.repeat_most = is_reference ? 1 : 0;
    return STATUS_OK;
}

// What a stage of rkl2 must move, of temperatures: four arrays read and one written. As differences from the
// step's start (`cuda`) the first stage and the second read one array and write one, the third reads two, the
// last four, the others three.
static double arrays_per_stage(void)
{
    const bool has_differences = strcmp(now.backend->head.name, "cuda") == 0;
    return has_differences ? (2 + 2 + 3 + 4.0 * (RKL2_STAGES - 4) + 5) / RKL2_STAGES : 5;
}

// What one pass must move: the temperature read and written; a label, or three fields read; a dose read and
// written; the largest rise read (what grows is written too, which is little). The dose of rkl2 is taken once
// a step, from two temperatures, which its last stage has at hand where it works with differences.
static double bytes_per_cell(const struct bench_row *row)
{
    const struct variant *v = &variants[row->method];
    const double real = (double)element_bytes(row->precision);
    const bool is_rkl2 = v->method == BIOHEAT_RKL2;
    const double arrays = is_rkl2 ? arrays_per_stage() : 2;
    const double dose_arrays = !is_rkl2 ? 2 : (arrays < 5 ? 2.0 : 4.0) / RKL2_STAGES;
    double bytes = arrays * real;
    bytes += v->media == FIELDS_OF_CELLS ? FIELDS * real : v->media == LABELS ? 1 : 0;
    bytes += v->dose == BIOHEAT_DOSE_OFF ? 0 : dose_arrays * real;
    return bytes + (v->has_maximum ? real : 0);
}

static enum status finish(struct bench *bench, struct bench_row *row)
{
    (void)bench;
    // rkl2: its stages count as steps do, each being one pass over the cells.
    row->work =
        (double)bioheat_cells(&now.grid) * (variants[row->method].method == BIOHEAT_RKL2 ? RKL2_STAGES : 1);
    row->bytes = row->work * bytes_per_cell(row);
    row->operations = row->work * OPERATIONS;
    return check_state();
}

// ---- the rows

// The reference takes seconds a step: one of its lines is enough.
static enum status admit(struct bench *bench, struct bench_row *row, bool *is_wanted)
{
    row->cost = bench_is_reference(row->entry)
                    ? (double)row->size[0] * (double)row->size[1] * (double)row->size[2]
                    : 0;
    if (variants[row->method].method == BIOHEAT_RKL2)
        row->figures[STAGES] = RKL2_STAGES;
    *is_wanted =
        bench->methods != 0 || !bench_is_reference(row->entry) || row->method == VARIANT_OF_REFERENCE;
    return STATUS_OK;
}

static void print_foot(const struct bench *bench)
{
    bool has_rkl2 = false;
    for (int k = 0; k < bench->row_count; k++)
        has_rkl2 = has_rkl2 || variants[bench->rows[k].method].method == BIOHEAT_RKL2;
    if (has_rkl2)
        printf(
            "rkl2: ms a step of %d stages; the rate counts stages, each of which is a pass over the cells\n",
            RKL2_STAGES);
    printf("bytes: what one pass must move; of copy: its share of the copy rate, above 100 %% where several "
           "steps share a pass\noperations: %d a cell and step\n",
           OPERATIONS);
}

static const struct bench_column columns[] = {
    BENCH_REPORTED("nz", .source = BENCH_SIZE, .index = 0),
    BENCH_REPORTED("ny", .source = BENCH_SIZE, .index = 1),
    BENCH_REPORTED("nx", .source = BENCH_SIZE, .index = 2),
    BENCH_COLUMN("cell_steps_per_s", "rate", "Gcell-steps/s", "%.4g", 1e-9, BENCH_OF(WORK, SECOND)),
    BENCH_COLUMN("bytes_per_cell", "bytes", "a cell", "%.0f", 1, BENCH_OF(BYTES, WORK)),
    BENCH_REPORTED("stages", BENCH_OWN(STAGES)),
    BENCH_REPORTED("flops_per_cell_step", BENCH_OF(OPERATIONS, WORK)),
    BENCH_LAST,
};

const struct bench_model bench_bioheat = {
    .name = "bioheat",
    .about = "Times the heat model by each back end that this machine can run, on cells of 1 mm whose "
             "outermost layers keep their temperature.\n\nVariants: uniform has one tissue; labels has five "
             "tissues in shells like a head's, with perfusion; fields has a conductivity, heat capacity and "
             "perfusion of each cell. With +dose the dose of every cell grows in every step, which is the "
             "worst case; with +maximum the largest rise is kept. The method is euler where the name gives "
             "no other; a stage of rkl2 counts as a step in rates, "
             "while its time is that of a step of 7 stages.\n\nThe bytes are those that one pass must move: "
             "the temperature read and written; a "
             "label, or three fields, read; the dose read and written; the largest rise read.",
    .backends = &bioheat_backends,
    .rates = BENCH_RATE_COPY,
    .methods = variant_names,
    .method_option = "variant",
    .has_precisions = true,
    .axes = 3,
    .size_least = 5,
    .size_most = 10000,
    .size_usual = {USUAL_CELLS, USUAL_CELLS, USUAL_CELLS},
    .sizes =
        (const long long[][BENCH_AXES]){
            {16, 16, 16}, {32, 32, 32}, {64, 64, 64}, {128, 128, 128}, {256, 256, 256}, {0}},
    .volume = "cells",
    .size_example = "256x256x256",
    .size_help = "ZxYxX cells of the grid; may be given several times (256x256x256)",
    .repeat = 7,
    .budget_s = 10,
    .columns = columns,
    .admit = admit,
    .divide = divide,
    .slowest_axis = 0,
    .checksum = checksum,
    .solver = &now.solver,
    .plan = plan,
    .start = start,
    .advance = advance,
    .finish = finish,
    .print_foot = print_foot,
};
