// A source streamed from its file while a run advances: what the layers and their amplitudes amount to in
// each step against the exact mean over the step; the same bits with and without an I/O thread, held in
// memory, for any batches and from any step on; layers that are not overwritten too early; files that break
// off in mid-stream.
#include "tests/support/test.h"

#include "core/pipeline.h"
#include "tests/support/heating_fixture.h"
#include "tests/support/numbers.h"
#include "tests/support/statuses.h"

enum { RECORDS_MAX = 400, STEPS_MAX = 400 };

static struct pipeline pipeline;
static struct memory_plan pipeline_arrays;
static double times_s[RECORDS_MAX + 1];

// ---- a file whose every record is different

static double value_of(size_t record, int cell)
{
    uint64_t random = 1 + record * 1000003 + (uint64_t)cell * 7919;
    for (int k = 0; k < 3; k++)
        (void)next_uniform(&random, 0, 1);
    return (double)(float)next_uniform(&random, -1e6, 3e6); // a float: the same in both precisions
}

static void write_records(int file, int variable, size_t records)
{
    double values[HEATING_CELLS];
    const int code = nc_enddef(file);
    assert_true(code == NC_NOERR || code == NC_ENOTINDEFINE);
    for (size_t k = 0; k < records; k++) {
        for (int c = 0; c < HEATING_CELLS; c++)
            values[c] = value_of(k, c);
        const size_t start[] = {k, 0, 0, 0}, count[] = {1, HEATING_NZ, HEATING_NY, HEATING_NX};
        NC(nc_put_vara_double(file, variable, start, count, values));
    }
}

// chunk_records 0: contiguous. Times as in times_s; a time more, `ends`, if has_end.
static void make_stream(const char *name, int mode, nc_type type, const char *units, size_t records,
                        bool has_end, size_t chunk_records, int deflate)
{
    const int file = make_file(folder_path("%s", name), mode);
    int dimensions[4] = {make_axis(file, "time", "s", records, times_s)};
    const int code = nc_redef(file); // netCDF-3 wants it
    assert_true(code == NC_NOERR || code == NC_EINDEFINE);
    dimensions[1] = make_dimension(file, "z", HEATING_NZ);
    dimensions[2] = make_dimension(file, "y", HEATING_NY);
    dimensions[3] = make_dimension(file, "x", HEATING_NX);
    if (has_end)
        make_axis(file, "ends", "s", records + 1, times_s);
    const int variable = make_variable(file, "Q", type, units, 4, dimensions);
    if (chunk_records > 0) {
        const size_t chunks[] = {chunk_records, 2, HEATING_NY, 3};
        NC(nc_def_var_chunking(file, variable, NC_CHUNKED, chunks));
        NC(nc_def_var_deflate(file, variable, deflate > 0, deflate > 0, deflate));
        NC(nc_def_var_fletcher32(file, variable, 1));
    }
    write_records(file, variable, records);
    NC(nc_close(file));
}

static void even_times(size_t records, double first_s, double every_s)
{
    for (size_t k = 0; k <= records; k++)
        times_s[k] = first_s + (double)k * every_s;
}

// ---- a solver that only adds up what heats

struct solver {
    const struct bioheat_source *source;
    double copies[BIOHEAT_LAYERS_MAX][HEATING_CELLS]; // of layers, as a device has them
    bool has_copy[BIOHEAT_LAYERS_MAX], is_being_copied[BIOHEAT_LAYERS_MAX];
    int takes, takens;
    enum element precision;
};

static double layer_value(const struct solver *solver, int layer, int cell)
{
    const void *values = *solver->source->layers[layer];
    return solver->precision == ELEMENT_F32 ? (double)((const float *)values)[cell]
                                            : ((const double *)values)[cell];
}

static enum status take(void *context, int layer)
{
    struct solver *solver = context;
    assert_false(solver->is_being_copied[layer]); // `taken` goes before the layer is filled anew
    for (int c = 0; c < HEATING_CELLS; c++)
        solver->copies[layer][c] = layer_value(solver, layer, c);
    solver->has_copy[layer] = solver->is_being_copied[layer] = true;
    solver->takes++;
    return STATUS_OK;
}

static enum status taken(void *context, int layer)
{
    struct solver *solver = context;
    assert_true(solver->is_being_copied[layer]);
    solver->is_being_copied[layer] = false;
    solver->takens++;
    return STATUS_OK;
}

// How a trial is run.
struct way {
    bool has_thread, has_copies;
    int64_t batch;
    int64_t first_step;
    long pause_us; // of the run between batches
};

// Heat in each step and cell, first_step … steps − 1. Returns the status of the first call that failed;
// *failed: before which step.
static enum status run_stream(struct heating_trial *trial, enum element precision, struct way way,
                              int64_t steps, double (*heat)[HEATING_CELLS], int64_t *failed)
{
    static struct solver solver;
    double amplitudes[64 * BIOHEAT_LAYERS_MAX];
    solver = (struct solver){.source = bioheat_heating_source(trial->heating), .precision = precision};
    const struct bioheat_layer_user user = {&solver, take, taken};
    const size_t terms = bioheat_terms(solver.source);
    enum status status =
        bioheat_heating_begin(trial->heating, way.has_thread ? &pipeline : NULL,
                              way.has_copies ? user : (struct bioheat_layer_user){0}, way.first_step);
    for (int64_t n = way.first_step; n < steps && status == STATUS_OK;) {
        int64_t granted = 0;
        const int64_t wanted = steps - n < way.batch ? steps - n : way.batch;
        *failed = n;
        status = bioheat_heating_ready(trial->heating, n, wanted, &granted);
        if (status != STATUS_OK)
            break;
        assert_in_range(granted, 1, wanted);
        bioheat_heating_amplitudes(trial->heating, n, granted, amplitudes);
        if (way.pause_us > 0)
            usleep((useconds_t)way.pause_us); // the I/O thread gets ahead as far as it may
        for (int64_t s = 0; s < granted; s++)
            for (int c = 0; c < HEATING_CELLS; c++) {
                double sum = 0;
                for (int l = 0; l < solver.source->layer_count; l++) {
                    const double a = amplitudes[(size_t)s * terms + (size_t)l];
                    if (a == 0)
                        continue;
                    assert_true(!way.has_copies || solver.has_copy[l]);
                    sum += a * (way.has_copies ? solver.copies[l][c] : layer_value(&solver, l, c));
                }
                heat[n + s][c] = sum;
            }
        bioheat_heating_count(trial->heating, n, granted);
        n += granted;
    }
    return status;
}

static void no_abandon(void *context)
{
    (void)context;
}

static enum status no_finish(void *context)
{
    (void)context;
    return STATUS_OK;
}

static void start_thread(void)
{
    const struct sink sink = {.finish = no_finish, .abandon = no_abandon};
    memory_plan_begin(&pipeline_arrays);
    assert_ok(pipeline_plan(&pipeline, &pipeline_arrays, NULL, 0, NULL, 0));
    assert_ok(pipeline_start(&pipeline, sink));
}

static enum status stop_thread(void)
{
    const enum status status = pipeline_stop(&pipeline, true);
    memory_plan_release(&pipeline_arrays);
    return status;
}

// Returns the largest heat that a step has missed.
static double run_way(const char *source, enum element precision, double step_s, int64_t steps,
                      struct way way, double (*heat)[HEATING_CELLS])
{
    struct heating_trial trial = {0};
    int64_t failed = -1;
    assert_ok(heating_trial_create(&trial, &heating_grid, precision, source));
    assert_ok(heating_trial_prepare(&trial, step_s, steps));
    if (way.has_thread)
        start_thread();
    if (run_stream(&trial, precision, way, steps, heat, &failed) != STATUS_OK)
        fail_msg("step %lld: %s", (long long)failed, status_message());
    if (way.has_thread)
        assert_ok(stop_thread());
    struct bioheat_streamed sum = {0};
    bioheat_heating_add_streamed(trial.heating, &sum);
    heating_trial_end(&trial);
    return sum.missed_j_m3;
}

// ---- the exact mean

struct shape {
    size_t records;
    bool is_linear, has_end, is_energy, is_held; // is_held: after the end; else nothing
    double factor;
};

static double heat_at(const struct shape *shape, double t, int cell)
{
    const size_t last = shape->records - 1;
    const double end_s = times_s[shape->has_end ? last + 1 : last];
    if (t < times_s[0])
        return 0;
    if (t >= end_s)
        return shape->is_held ? shape->factor * value_of(last, cell) : 0;
    size_t k = 0;
    while (t >= times_s[k + 1])
        k++;
    const double span_s = times_s[k + 1] - times_s[k];
    if (shape->is_linear)
        return shape->factor *
               (value_of(k, cell) + (value_of(k + 1, cell) - value_of(k, cell)) * (t - times_s[k]) / span_s);
    return shape->factor * value_of(k, cell) / (shape->is_energy ? span_s : 1);
}

static double exact_mean(const struct shape *shape, double from_s, double to_s, int cell)
{
    double sum = 0, at_s = from_s;
    while (at_s < to_s - 1e-12) {
        double next_s = to_s;
        for (size_t k = 0; k <= shape->records; k++)
            if (times_s[k] > at_s + 1e-12 && times_s[k] < next_s)
                next_s = times_s[k];
        sum += heat_at(shape, 0.5 * (at_s + next_s), cell) * (next_s - at_s);
        at_s = next_s;
    }
    return sum / (to_s - from_s);
}

static double next_time(const struct shape *shape, double at_s, double to_s)
{
    double next_s = to_s;
    for (size_t k = 0; k <= shape->records; k++)
        if (times_s[k] > at_s + 1e-12 && times_s[k] < next_s)
            next_s = times_s[k];
    return next_s;
}

// The largest difference, at any time, of the heat since the step's begin from that of the mean power:
// between two times of the file, where the power is a straight line, at its ends and at 16 places.
static double exact_missed(const struct shape *shape, double from_s, double to_s, int cell)
{
    enum { PLACES = 16 };
    const double mean = exact_mean(shape, from_s, to_s, cell);
    double missed = 0, most = 0;
    for (double at_s = from_s, next_s; at_s < to_s - 1e-12; at_s = next_s) {
        next_s = next_time(shape, at_s, to_s);
        const double part_s = (next_s - at_s) / PLACES, first = heat_at(shape, at_s + part_s / 2, cell),
                     slope = (heat_at(shape, next_s - part_s / 2, cell) - first) / (PLACES - 1);
        for (int k = 0; k < PLACES; k++) {
            missed += (first + k * slope - mean) * part_s;
            most = fmax(most, fabs(missed));
        }
    }
    return most;
}

// An upper bound of the true one, and not far above: of many records their order is not known.
static void check_missed(const char *source, const struct shape *shape, double step_s, int64_t steps,
                         double missed)
{
    double exact = 0;
    for (int64_t n = 0; n < steps; n++)
        for (int c = 0; c < HEATING_CELLS; c++)
            exact = fmax(exact, exact_missed(shape, (double)n * step_s, (double)(n + 1) * step_s, c));
    print_message("%s, steps of %g s: miss %.4g, estimate %.4g (%.3f)\n", source, step_s, exact, missed,
                  missed / exact);
    const double rounding = 1e-6 * step_s * fabs(shape->factor);
    if (!(missed >= exact * (1 - 1e-6) - rounding) || !(missed <= exact * 3 + rounding))
        fail_msg("%s, steps of %g s miss %.9g J/m3, estimate %.9g", source, step_s, exact, missed);
}

// All ways of running it give the same bits, and these are the exact mean to rounding.
static void check_stream(const char *extra, const struct shape *shape, double step_s, int64_t steps)
{
    static double first[STEPS_MAX][HEATING_CELLS], other[STEPS_MAX][HEATING_CELLS];
    static const struct way ways[] = {
        {true, false, 50, 0, 0}, {true, true, 7, 0, 300}, {true, false, 1, 0, 0},
        {false, true, 50, 0, 0}, {true, true, 50, 0, 0},
    };
    char source[512], in_memory[512];
    snprintf(source, sizeof source, "{'stream': {'file': 'q.nc'%s}}", extra);
    snprintf(in_memory, sizeof in_memory, "{'stream': {'file': 'q.nc', 'in_memory': true%s}}", extra);
    for (int precision = ELEMENT_F32; precision <= ELEMENT_F64; precision++) {
        const enum element element = (enum element)precision;
        const double missed =
            run_way(source, element, step_s, steps, (struct way){false, false, 50, 0, 0}, first);
        check_missed(source, shape, step_s, steps, missed);
        const double tolerance = (precision == ELEMENT_F32 ? 3e6 * 1e-7 : 3e6 * 1e-13) * fabs(shape->factor) *
                                 (shape->is_energy ? 1e3 : 1);
        for (int64_t n = 0; n < steps; n++)
            for (int c = 0; c < HEATING_CELLS; c += 7)
                assert_near("heat", first[n][c],
                            exact_mean(shape, (double)n * step_s, (double)(n + 1) * step_s, c), tolerance);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            assert_true(run_way(source, element, step_s, steps, ways[w], other) == missed);
            assert_memory_equal(first, other, (size_t)steps * sizeof *first);
        }
        assert_true(run_way(in_memory, element, step_s, steps, (struct way){true, true, 20, 0, 0}, other) ==
                    missed);
        assert_memory_equal(first, other, (size_t)steps * sizeof *first);
        run_way(in_memory, element, step_s, steps, (struct way){false, false, 50, 0, 0}, other);
        assert_memory_equal(first, other, (size_t)steps * sizeof *first);
        // From any step on, as after a stop.
        for (int64_t begin = 1; begin < steps; begin += steps / 6 + 1) {
            assert_true(run_way(source, element, step_s, steps, (struct way){true, begin % 2, 16, begin, 0},
                                other) <= missed);
            assert_memory_equal(first + begin, other + begin, (size_t)(steps - begin) * sizeof *first);
        }
    }
}

// ---- records and steps in all relations

TEST(records_slower_than_steps)
{
    even_times(20, 0, 0.7);
    make_stream("q.nc", NC_NETCDF4, NC_FLOAT, "W m-3", 20, true, 0, 0);
    check_stream("", &(struct shape){.records = 20, .is_linear = true, .factor = 1}, 0.1, 133);
    check_stream(", 'between': 'stepwise', 'after_end': 'last', 'amplitude': -2",
                 &(struct shape){.records = 20, .is_held = true, .factor = -2}, 0.1, 160);
    check_stream(", 'between': 'stepwise', 'times': 'ends', 'after_end': 'zero'",
                 &(struct shape){.records = 20, .has_end = true, .factor = 1}, 0.1, 160);
}

TEST(records_about_as_fast_as_steps)
{
    even_times(60, 0, 0.13);
    make_stream("q.nc", 0, NC_DOUBLE, "W m-3", 60, true, 0, 0);
    check_stream("", &(struct shape){.records = 60, .is_linear = true, .factor = 1}, 0.1, 76);
    check_stream("", &(struct shape){.records = 60, .is_linear = true, .factor = 1}, 0.13, 59);
    check_stream("", &(struct shape){.records = 60, .is_linear = true, .factor = 1}, 0.17, 45);
    check_stream(", 'between': 'stepwise', 'times': 'ends', 'after_end': 'zero'",
                 &(struct shape){.records = 60, .has_end = true, .factor = 1}, 0.17, 48);
}

// Each step's mean is summed up from a dozen records and more, those at its ends in part.
TEST(records_faster_than_steps)
{
    even_times(300, 0, 0.009);
    make_stream("q.nc", NC_NETCDF4, NC_FLOAT, "kW m-3", 300, true, 4, 2);
    check_stream("", &(struct shape){.records = 300, .is_linear = true, .factor = 1e3}, 0.11, 24);
    check_stream(", 'between': 'stepwise', 'times': 'ends', 'after_end': 'zero'",
                 &(struct shape){.records = 300, .has_end = true, .factor = 1e3}, 0.11, 40);
}

TEST(uneven_times)
{
    uint64_t random = 99;
    times_s[0] = 0.4;
    for (int k = 1; k <= 50; k++)
        times_s[k] = times_s[k - 1] + (k % 9 == 0 ? 2.5 : next_uniform(&random, 0.05, 0.3));
    make_stream("q.nc", NC_NETCDF4, NC_FLOAT, "W m-3", 50, true, 3, 1);
    check_stream(", 'before_start': 'zero', 'after_end': 'zero'",
                 &(struct shape){.records = 50, .is_linear = true, .factor = 1}, 0.25, 120);
    check_stream(", 'before_start': 'zero', 'after_end': 'zero'",
                 &(struct shape){.records = 50, .is_linear = true, .factor = 1}, 0.04, 300);
    check_stream(", 'before_start': 'zero', 'between': 'stepwise', 'times': 'ends', 'after_end': 'last'",
                 &(struct shape){.records = 50, .has_end = true, .is_held = true, .factor = 1}, 0.11, 200);
}

// A step that ends with every record misses nothing; one that a record begins in, its change at the fraction
// f f (1 - f) of the step; where the source begins or ends, the record itself; along a line an eighth.
TEST(missed_heat_in_closed_form)
{
    static const struct {
        const char *extra;
        double step_s;
        int64_t steps;
        double share; // of the step's length times `change`
        bool is_size; // of record 0, not of the change to record 1
    } rows[] = {{", 'between': 'stepwise', 'after_end': 'last'", 0.5, 4, 0, false},
                {", 'between': 'stepwise', 'after_end': 'last'", 0.8, 2, 0.25 * 0.75, false},
                {", 'between': 'stepwise', 'after_end': 'last'", 4, 1, 0.25 * 0.75, false},
                {"", 1, 1, 0.125, false},
                {"", 0.25, 4, 0.25 * 0.125, false},
                {", 'start': '2 s', 'before_start': 'zero'", 2.5, 1, 0.8 * 0.2, true}};
    double(*heat)[HEATING_CELLS] = calloc(STEPS_MAX, sizeof *heat), change = 0, size = 0;
    even_times(2, 0, 1);
    make_stream("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", 2, false, 0, 0);
    for (int c = 0; c < HEATING_CELLS; c++) {
        change = fmax(change, fabs(value_of(1, c) - value_of(0, c)));
        size = fmax(size, fabs(value_of(0, c)));
    }
    for (size_t k = 0; k < COUNT(rows); k++) {
        const char *source = format_text("{'stream': {'file': 'q.nc'%s}}", rows[k].extra);
        const double missed = run_way(source, ELEMENT_F64, rows[k].step_s, rows[k].steps,
                                      (struct way){false, false, 8, 0, 0}, heat);
        const double own = rows[k].share * rows[k].step_s * (rows[k].is_size ? size : change),
                     line = rows[k].is_size ? 0.5 * 0.081 * rows[k].step_s * change : 0; // in the last fifth
        if (!(missed >= own - 1e-9 * change && missed <= own + line + 1e-9 * change))
            fail_msg("%s, steps of %g s miss %.9g J/m3, expected %.9g", source, rows[k].step_s, missed, own);
    }
    free(heat);
}

// Four equal records of 0.1 s, then nothing: in a step of 1 s, 0.4 times 0.6 of them, as of one pulse.
TEST(a_pause_within_a_step_counts)
{
    enum { EQUAL = 5 };
    double values[EQUAL * HEATING_CELLS], (*heat)[HEATING_CELLS] = calloc(STEPS_MAX, sizeof *heat);
    even_times(EQUAL, 0, 0.1);
    for (int k = 0; k < EQUAL * HEATING_CELLS; k++)
        values[k] = k < (EQUAL - 1) * HEATING_CELLS ? 2e6 : 0;
    heating_make_field("q.nc", NC_NETCDF4, NC_DOUBLE, "W m-3", times_s, EQUAL, values);
    const double missed = run_way("{'stream': {'file': 'q.nc', 'between': 'stepwise', 'after_end': 'zero'}}",
                                  ELEMENT_F64, 1, 2, (struct way){false, false, 8, 0, 0}, heat);
    assert_near("missed", missed, 2e6 * 0.4 * 0.6, 1e-6);
    free(heat);
}

// A file whose axes come in another order, as written from MATLAB or Fortran: transposed while it is read.
// The dimensions' names state the order.
static void make_turned(const char *const order[4], size_t records)
{
    const int file = make_file(folder_path("q.nc"), NC_NETCDF4);
    size_t stride[4] = {0}, lengths[4], start[4] = {0}, count[4], size = 1;
    int dimensions[4], time_place = 0;
    for (int k = 3; k >= 0; k--) {
        const char axis = order[k][0];
        lengths[k] = axis == 'z' ? HEATING_NZ : axis == 'y' ? HEATING_NY : axis == 'x' ? HEATING_NX : records;
        count[k] = axis == 't' ? 1 : lengths[k];
        stride[k] = axis == 't' ? 0 : size;
        size *= count[k];
        if (axis == 't')
            time_place = k;
    }
    for (int k = 0; k < 4; k++)
        dimensions[k] = k == time_place ? make_axis(file, "time", "s", records, times_s)
                                        : make_dimension(file, order[k], lengths[k]);
    const int variable = make_variable(file, "Q", NC_FLOAT, "W m-3", 4, dimensions);
    NC(nc_enddef(file));
    for (size_t r = 0; r < records; r++) {
        double values[HEATING_CELLS];
        for (int c = 0; c < HEATING_CELLS; c++) {
            const size_t z = (size_t)c / (HEATING_NY * HEATING_NX), y = (size_t)c / HEATING_NX % HEATING_NY;
            size_t place = 0;
            for (int k = 0; k < 4; k++)
                place += stride[k] * (order[k][0] == 'z'   ? z
                                      : order[k][0] == 'y' ? y
                                                           : (size_t)c % HEATING_NX);
            values[place] = value_of(r, c);
        }
        start[time_place] = r;
        NC(nc_put_vara_double(file, variable, start, count, values));
    }
    NC(nc_close(file));
}

TEST(axes_in_any_order)
{
    static const char *const orders[][4] = {
        {"t", "x", "y", "z"}, {"z", "y", "x", "t"}, {"y", "t", "z", "x"}, {"t", "z", "x", "y"}};
    even_times(25, 0, 0.3);
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        make_turned(orders[k], 25);
        check_stream("", &(struct shape){.records = 25, .is_linear = true, .factor = 1}, 0.1, 70);
    }
}

// Record n is what is added in step n, as a list of energies per step has it.
TEST(one_record_a_step)
{
    even_times(30, 0, 0.05);
    make_stream("q.nc", NC_NETCDF4, NC_DOUBLE, "J m-3", 30, true, 0, 0);
    const struct shape shape = {.records = 30, .has_end = true, .is_energy = true, .factor = 1};
    check_stream(", 'rows': 'steps', 'after_end': 'zero'", &shape, 0.05, 37);
    check_stream(", 'times': 'ends', 'between': 'stepwise', 'after_end': 'zero'", &shape, 0.02, 80);
}

// The stream is a ring of at most four layers, whatever the file's length; held in memory it is all of it.
TEST(memory_does_not_grow_with_the_file)
{
    even_times(400, 0, 0.1);
    make_stream("q.nc", NC_NETCDF4, NC_FLOAT, "W m-3", 400, false, 0, 0);
    size_t bytes[2];
    for (int held = 0; held < 2; held++) {
        struct heating_trial trial = {0};
        char source[128];
        snprintf(source, sizeof source, "{'stream': {'file': 'q.nc', 'in_memory': %s}}",
                 held ? "true" : "false");
        assert_ok(heating_trial_create(&trial, &heating_grid, ELEMENT_F32, source));
        assert_ok(heating_trial_prepare(&trial, 0.1, 399));
        bytes[held] = trial.plan.total[MEMORY_PINNED];
        heating_trial_end(&trial);
    }
    assert_true(bytes[0] == 4 * 256); // 60 floats each, aligned
    assert_true(bytes[1] >= 400 * HEATING_CELLS * sizeof(float));
}

// ---- files that break off

// Steps before the first that needs what is lost are made; then one line, naming file, record and time.
static void check_broken(const char *source, double step_s, int64_t steps, int64_t expected_step,
                         const char *message)
{
    static double heat[STEPS_MAX][HEATING_CELLS];
    for (int threads = 0; threads < 2; threads++) {
        struct heating_trial trial = {0};
        int64_t failed = -1;
        assert_ok(heating_trial_create(&trial, &heating_grid, ELEMENT_F32, source));
        assert_ok(heating_trial_prepare(&trial, step_s, steps));
        if (threads)
            start_thread();
        const struct way way = {.has_thread = threads, .has_copies = true, .batch = 50};
        assert_int_equal(run_stream(&trial, ELEMENT_F32, way, steps, heat, &failed), STATUS_DATA);
        char expected[1024];
        snprintf(expected, sizeof expected, "%s: source.stream: %s: variable Q, %s", folder_path("job.json"),
                 folder_path("q.nc"), message);
        assert_string_equal(status_message(), expected);
        assert_int_equal(failed, expected_step);
        if (threads)
            assert_ok(stop_thread()); // what was computed before is kept: the pipeline is sound
        heating_trial_end(&trial);
        status_clear();
    }
}

static void put_value(size_t record, int cell, float value)
{
    int file, variable;
    NC(nc_open(folder_path("q.nc"), NC_WRITE, &file));
    NC(nc_inq_varid(file, "Q", &variable));
    const size_t at[] = {record, (size_t)cell / (HEATING_NY * HEATING_NX),
                         (size_t)cell / HEATING_NX % HEATING_NY, (size_t)cell % HEATING_NX};
    NC(nc_put_var1_float(file, variable, at, &value));
    NC(nc_close(file));
}

TEST(a_value_that_is_no_number)
{
    even_times(40, 0, 0.5);
    make_stream("q.nc", NC_NETCDF4, NC_FLOAT, "W m-3", 40, false, 0, 0);
    put_value(17, 33, NAN);
    // Record 17 acts from 8 s on: from step 80.
    check_broken("{'stream': {'file': 'q.nc'}}", 0.1, 195, 80,
                 "record 17 (8.5 s), cell z 1, y 2, x 3: nan; expected a finite number");
    // An infinity, and a record that was never written (netCDF's fill value)
    put_value(17, 33, INFINITY);
    check_broken("{'stream': {'file': 'q.nc', 'between': 'stepwise'}}", 0.1, 195, 85,
                 "record 17 (8.5 s), cell z 1, y 2, x 3: inf; expected a finite number");
    put_value(17, 33, NC_FILL_FLOAT);
    check_broken("{'stream': {'file': 'q.nc', 'between': 'stepwise'}}", 0.1, 195, 85,
                 "record 17 (8.5 s), cell z 1, y 2, x 3: missing, or out of the file's valid range: "
                 "9.96920997e+36; expected a finite number");
}

static long long whole_bytes;

static void cut_off(void)
{
    assert_int_equal(truncate(folder_path("q.nc"), whole_bytes * 3 / 5), 0);
}

// A classic file's lost part reads as zeros: it must not pass for a source that is off.
TEST(a_file_cut_off_while_it_is_read)
{
    even_times(40, 0, 0.5);
    make_stream("whole.nc", 0, NC_FLOAT, "W m-3", 40, false, 0, 0);
    size_t length;
    char *bytes = folder_read("whole.nc", &length);
    whole_bytes = (long long)length;
    for (int threads = 0; threads < 2; threads++) {
        struct heating_trial trial = {0};
        static double heat[STEPS_MAX][HEATING_CELLS];
        int64_t failed;
        folder_write("q.nc", bytes, length);
        assert_ok(heating_trial_create(&trial, &heating_grid, ELEMENT_F32, "{'stream': {'file': 'q.nc'}}"));
        assert_ok(heating_trial_prepare(&trial, 0.1, 195));
        if (threads)
            start_thread();
        const struct way half = {.has_thread = threads, .batch = 50};
        assert_ok(run_stream(&trial, ELEMENT_F32, half, 50, heat, &failed));
        if (threads)
            assert_ok(stop_thread());
        cut_off();
        const struct way rest = {.batch = 50, .first_step = 50};
        assert_failure(run_stream(&trial, ELEMENT_F32, rest, 195, heat, &failed), STATUS_DATA,
                       "record 10 (5 s): the file was cut off while it was read");
        heating_trial_end(&trial);
        status_clear();
        // Cut off before it is opened: refused then.
        assert_int_not_equal(
            heating_trial_create(&trial, &heating_grid, ELEMENT_F32, "{'stream': {'file': 'q.nc'}}"),
            STATUS_OK);
        assert_non_null(strstr(status_message(), folder_path("q.nc")));
        heating_trial_end(&trial);
        status_clear();
    }
}

// A compressed chunk whose bytes were damaged on the disk: the file opens, and breaks where the record is
// needed.
TEST(a_damaged_chunk)
{
    even_times(40, 0, 0.5);
    make_stream("q.nc", NC_NETCDF4, NC_FLOAT, "W m-3", 40, false, 1, 0);
    // The chunk is found by its content: four floats of record 23 in a row.
    size_t length;
    char *bytes = folder_read("q.nc", &length);
    const float wanted[] = {(float)value_of(23, 0), (float)value_of(23, 1), (float)value_of(23, 2)};
    char *found = memmem(bytes, length, wanted, sizeof wanted);
    assert_non_null(found);
    found[1] ^= 0x55;
    folder_write("q.nc", bytes, length);
    check_broken("{'stream': {'file': 'q.nc'}}", 0.1, 195, 110,
                 "record 23 (11.5 s): damaged or truncated netCDF-4 file (NetCDF: HDF error)");
}

static int begin(void **state)
{
    alarm(120);
    return folder_make(state);
}

TEST_SUITE(.setup = begin, .teardown = folder_remove);
