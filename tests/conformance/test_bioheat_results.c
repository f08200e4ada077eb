// Results of heat in tissue that a back end makes where its state lies (maps, sensors, diagnostics, the
// guard's findings) have the bits of those that the host makes from the same state, for every variable, crop,
// stride and type. The model is driven as a run drives it, and asked twice: through the back end, and through
// the host's own way with the state fetched.
//
// With the argument "cuda" on the GPU; without it on a stand-in that has frames of its own beside the
// processor's solver and makes them late: then it is the model's part that is tested.
#include "tests/support/test.h"

#include "models/bioheat/bioheat.h"
#include "models/bioheat/instance.h"
#include "tests/support/bioheat_job.h"
#include "tests/support/cuda_test.h"
#include "tests/support/result_ways.h"
#include "tests/support/statuses.h"

#include <cjson/cJSON.h>

STAND_IN_INSTANCE(bioheat);

// ---- a model as a run has it

struct setting {
    const char *precision, *element; // "single" or "double": of the solver, of the output
    const char *fields;              // output.fields
    const char *method, *dose;
    bool is_large; // several blocks of the sums, the last one not full
};

struct run {
    struct result_ways ways;
    struct bioheat *bioheat;         // the instance
    struct bioheat_backend host_way; // the same back end without results of its own
};

static void write_job(const struct setting *setting)
{
    cJSON *job = bioheat_job();
    // With a lesion dose so low that there is a lesion.
    cli_change(job,
               "backend = '%s'; precision = '%s'; method = '%s'; dose.definition = '%s'; dose.lesion = '0.01 "
               "min'; time.step = '0.1 s'; output.fields = %s; output.precision = '%s'",
               apart->head.name, setting->precision, setting->method, setting->dose, setting->fields,
               setting->element);
    if (strcmp(setting->dose, "kwave") == 0)
        cli_change(job, "delete dose.definition; dose.definitions = ['kwave', 'iso']");
    cli_set(job, "source.boxes.values", "[[1.2e7], [0]]");
    cli_set(
        job, "output.sensors.list",
        "[{'name': 'focus', 'x': '10 mm', 'y': '8 mm', 'z': '9 mm'}, {'name': 'skull', 'x': '10.3 mm', "
        "'y': '8.9 mm', 'z': '4.45 mm'}, {'name': 'edge', 'x': '11.6 mm', 'y': '8.2 mm', 'z': '-0.4 mm'}]");
    if (setting->is_large) {
        cli_set(job, "domain",
                "{'uniform': {'tissue': 'brain', 'cells': {'x': 37, 'y': 29, 'z': 23}, 'spacing': '1 mm'}, "
                "'faces': {'all': {'kind': 'insulated'}}}");
        cli_set(job, "tissues", NULL);
    }
    cli_write_job(job, "job.json");
}

static const enum bioheat_stream kinds[BIOHEAT_RESULTS] = {BIOHEAT_STREAM_FIELDS, BIOHEAT_STREAM_SENSORS,
                                                           BIOHEAT_STREAM_DIAGNOSTICS};

// What was compared was a heated volume: in each variable of maps and sensors values differ.
static void expect_heat(const struct result_ways *w, const struct stream_variable *variable,
                        const struct ways_values *values)
{
    (void)w;
    assert_true(variable->rank == 0 || values->high > values->low);
}

static enum status host_capture(struct result_ways *w, int64_t step, struct frame *frame)
{
    struct run *r = (struct run *)w;
    use_backend(&r->host_way);
    const enum status status = bioheat_capture(r->bioheat, step, frame);
    use_backend(apart);
    return status;
}

static struct run *run_open(const struct setting *setting)
{
    struct run *r = calloc(1, sizeof *r);
    assert_non_null(r);
    write_job(setting);
    model_run_create(&r->ways.run, &bioheat_model);
    present = r->bioheat = r->ways.run.instance;
    model_run_start(&r->ways.run);
    assert_ptr_equal(r->bioheat->backend, apart);
    r->host_way = *apart;
    r->host_way.plan_results = NULL;
    r->host_way.capture = NULL;
    r->host_way.head.send = NULL;
    r->host_way.guard = NULL;
    r->ways.host_capture = host_capture;
    r->ways.expect = expect_heat;
    memset(r->ways.stream, 0xff, sizeof r->ways.stream);
    for (int s = 0; s < r->ways.run.plan.stream_count; s++)
        r->ways.stream[r->bioheat->base.streams[s].kind] = s;
    for (int k = 0; k < BIOHEAT_RESULTS; k++)
        r->ways.kinds[r->ways.kind_count++] = kinds[k];
    return r;
}

static void run_close(struct run *r)
{
    model_run_destroy(&r->ways.run);
    free(r);
}

// ---- the two ways

static void check_setting(const struct setting *setting)
{
    char about[200];
    snprintf(about, sizeof about, "%s %s, dose %s, output %s, %s", setting->precision, setting->method,
             setting->dose, setting->element, setting->fields);
    struct run *r = run_open(setting);
    ways_compare(&r->ways, about);
    run_close(r);
}

TEST(every_result_has_the_hosts_bits)
{
    static const char *const precisions[] = {"single", "double"}, *const elements[] = {"single", "double"};
    static const char *const methods[] = {"euler", "euler-in-place", "three-colour", "source-three-colour"};
    static const char *const doses[] = {"kwave", "iso", "none", "kwave"};
    static const char *const crops[] = {
        "", ", 'stride': 2", ", 'stride': 3, 'x': ['3 mm', '17 mm']",
        ", 'x': ['5 mm', '19 mm'], 'y': ['2 mm', '15 mm'], 'z': ['4 mm', '12 mm']"};
    char fields[256];
    for (int p = 0; p < 2; p++)
        for (int e = 0; e < 2; e++)
            for (int c = 0; c < 4; c++) {
                snprintf(fields, sizeof fields,
                         "{'every': '1 s', 'variables': ['temperature', 'dose', 'maximum']%s}", crops[c]);
                const char *method = c == 1 && p == e ? "rkl2" : methods[c];
                check_setting(
                    &(struct setting){precisions[p], elements[e], fields, method, doses[c], c % 2 == 1});
            }
    for (int p = 0; p < 2; p++)
        check_setting(&(struct setting){precisions[p], "single", "{'every': '1 s', 'variables': ['maximum']}",
                                        "euler", "kwave", false});
}

// A frame that a checkpoint or the end cuts short carries the records that it has.
TEST(a_frame_may_be_sent_before_it_is_full)
{
    struct run *r =
        run_open(&(struct setting){"single", "single", "{'every': '1 s'}", "euler", "kwave", false});
    ways_check_partial_frame(&r->ways, BIOHEAT_STREAM_SENSORS);
    run_close(r);
}

TEST(the_last_diagnostics_are_the_reports)
{
    struct run *r =
        run_open(&(struct setting){"double", "single", "{'every': '1 s'}", "euler", "kwave", false});
    struct bioheat *b = r->bioheat;
    double first[BIOHEAT_DIAGNOSTIC_VALUES];
    assert_true(b->has_first && b->first[BIOHEAT_HEAT_J] == 0 && b->first[BIOHEAT_SOURCE_W] == 0);
    memcpy(first, b->first, sizeof first);
    struct frame *frame = ways_frame(&r->ways, BIOHEAT_STREAM_DIAGNOSTICS, 0);
    ways_capture(&r->ways, frame, 0);
    assert_ok(ways_fetch(&r->ways, frame));
    assert_memory_equal(b->last, first, sizeof first); // record 0 is the state at the start
    assert_ok(r->ways.run.simulation.advance(r->bioheat, 0, 20));
    frame->records = 0;
    ways_capture(&r->ways, frame, 20);
    assert_ok(ways_fetch(&r->ways, frame));
    assert_memory_equal(b->first, first, sizeof first);
    assert_true(b->last[BIOHEAT_HEAT_J] > 0);
    // 4 x 4 x 5 cells of 1 mm³ get 12 MW/m³; the hottest one is among them.
    assert_true(fabs(b->last[BIOHEAT_SOURCE_W] - 0.96) < 1e-12);
    assert_true(b->last[BIOHEAT_DIAGNOSTIC_X] > 8.9e-3 && b->last[BIOHEAT_DIAGNOSTIC_X] < 12.1e-3);
    assert_memory_equal(b->last, frame->data, BIOHEAT_DIAGNOSTIC_VALUES * sizeof(double));
    run_close(r);
}

// ---- the guard

static void plant(struct run *r, size_t z, size_t y, size_t x, double theta_k)
{
    struct bioheat *b = r->bioheat;
    assert_ok(instance_fetch(&b->base));
    b->backend->set(b->base.solver, z, y, x, 1, &theta_k);
    assert_ok(solver_touch(&b->backend->head, b->base.solver, false));
}

static void expect_found(struct run *r, int64_t step, size_t z, size_t y, size_t x)
{
    struct bioheat_nonfinite found = {.step = -1};
    assert_ok(apart->guard(r->bioheat->base.solver, step, &found));
    assert_ok(apart->finish(r->bioheat->base.solver, &found));
    if (found.step != step || found.cell[BIOHEAT_Z] != z || found.cell[BIOHEAT_Y] != y ||
        found.cell[BIOHEAT_X] != x)
        fail_msg("found at step %lld, cell [%zu][%zu][%zu]", (long long)found.step, found.cell[BIOHEAT_Z],
                 found.cell[BIOHEAT_Y], found.cell[BIOHEAT_X]);
    assert_true(isfinite(found.temperature_c) == 0);
}

static void check_guard(const char *precision)
{
    struct run *r =
        run_open(&(struct setting){precision, "single", "{'every': '1 s'}", "euler", "kwave", true});
    struct bioheat_nonfinite found = {.step = -1};
    assert_ok(r->ways.run.simulation.advance(r->bioheat, 0, 12));
    assert_ok(apart->guard(r->bioheat->base.solver, 12, &found));
    assert_ok(apart->finish(r->bioheat->base.solver, &found));
    assert_true(found.step == -1);
    plant(r, 20, 3, 30, NAN);
    plant(r, 11, 20, 8, INFINITY); // the first in index order
    plant(r, 11, 20, 9, NAN);
    expect_found(r, 12, 11, 20, 8);
    // It stays: neither a later look nor a state made well changes what is reported, with every frame.
    plant(r, 20, 3, 30, 0);
    plant(r, 11, 20, 8, 0);
    plant(r, 11, 20, 9, 0);
    assert_ok(apart->guard(r->bioheat->base.solver, 13, &found));
    assert_ok(apart->finish(r->bioheat->base.solver, &found));
    assert_true(found.step == 12 && found.cell[BIOHEAT_Z] == 11 && found.cell[BIOHEAT_X] == 8);
    struct frame *frame = ways_frame(&r->ways, BIOHEAT_STREAM_FIELDS, 0);
    ways_capture(&r->ways, frame, 13);
    assert_int_equal(ways_fetch(&r->ways, frame), STATUS_DATA);
    assert_non_null(strstr(status_message(), "became non-finite by step 12 "));
    assert_non_null(strstr(status_message(), "cell [11][20][8]"));
    run_close(r);
}

TEST(the_guard_names_the_first_unsound_cell)
{
    check_guard("single");
    check_guard("double");
}

// ---- the stand-in

// The processor's solver, with frames of its own that arrive a little late.
STAND_IN_OPERATIONS(bioheat, bioheat_nonfinite);

static enum status stand_in_plan_results(struct solver *solver, const struct bioheat_wanted *wanted,
                                         struct memory_plan *plan, const char *prefix)
{
    (void)solver;
    (void)plan;
    (void)prefix;
    const size_t element = element_bytes(wanted->element), *count = wanted->crop.count;
    const bool has_second = present->params.physics.second_dose != BIOHEAT_DOSE_OFF;
    size_t fields = 0;
    for (int f = 0; f < BIOHEAT_FIELD_COUNT; f++)
        fields += wanted->fields[f] ? 1 : 0;
    const size_t bytes[BIOHEAT_RESULTS] = {
        [BIOHEAT_RESULT_FIELDS] = fields * count[BIOHEAT_Z] * count[BIOHEAT_Y] * count[BIOHEAT_X] * element,
        [BIOHEAT_RESULT_SENSORS] = (has_second ? 3 : 2) * wanted->sensor_count * element,
        [BIOHEAT_RESULT_DIAGNOSTICS] = BIOHEAT_DIAGNOSTICS * sizeof(double)};
    late_frames_forget();
    stand_in_found = (struct bioheat_nonfinite){.step = -1};
    for (int r = 0; r < BIOHEAT_RESULTS; r++)
        late_frames_make(r, wanted->slots[r], wanted->frame_records[r], bytes[r]);
    assert_ptr_equal(wanted->sensors, present->sensor_places);
    assert_true(wanted->lesion_dose_min == 0.01);
    return STATUS_OK;
}

static enum status stand_in_capture(struct solver *solver, enum bioheat_result result, int slot,
                                    size_t record, int64_t step, const double *amplitudes)
{
    (void)amplitudes;
    assert_ptr_equal(solver, present->base.solver);
    char *place = late_frames_record((int)result, slot, record);
    double last[BIOHEAT_DIAGNOSTIC_VALUES], values[BIOHEAT_DIAGNOSTIC_VALUES];
    const bool is_diagnostics = result == BIOHEAT_RESULT_DIAGNOSTICS;
    struct frame frame = {.slot = slot, .data = is_diagnostics ? (void *)values : place};
    while (present->base.streams[frame.stream].kind != (int)kinds[result])
        frame.stream++;
    memcpy(last, present->last, sizeof last);
    use_backend(&bioheat_backend_openmp);
    const enum status status = bioheat_capture(present, step, &frame);
    use_backend(apart);
    memcpy(present->last, last, sizeof last); // that comes with the frame
    if (is_diagnostics) {
        values[BIOHEAT_SOURCE_W] = 0; // the model's to fill in
        memcpy(place, values, late_frames_record_bytes((int)result));
    }
    return status;
}

// By the host's guard, whose finding it takes from its message: the model's way to it is tested, not a second
// search.
static enum status stand_in_guard(struct solver *solver, int64_t step, struct bioheat_nonfinite *found)
{
    if (stand_in_found.step < 0) {
        use_backend(&bioheat_backend_openmp);
        const enum status status = bioheat_guard(present, step);
        use_backend(apart);
        if (status != STATUS_OK) {
            struct bioheat_nonfinite *f = &stand_in_found;
            const char *place = strstr(status_message(), "cell [");
            assert_non_null(place);
            assert_int_equal(sscanf(place, "cell [%zu][%zu][%zu]", &f->cell[BIOHEAT_Z], &f->cell[BIOHEAT_Y],
                                    &f->cell[BIOHEAT_X]),
                             3);
            f->step = step;
            bioheat_backend_openmp.get(solver, f->cell[BIOHEAT_Z], f->cell[BIOHEAT_Y], f->cell[BIOHEAT_X], 1,
                                       &f->temperature_c);
            status_clear();
        }
    }
    *found = stand_in_found;
    return STATUS_OK;
}

STAND_IN_SUITE(bioheat, (void)0);
