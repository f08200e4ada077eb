// Results that a back end makes where its state lies (maps, gauges, diagnostics, the guard's findings) have
// the bits of those that the host makes from the same state, for every variable, crop, stride and type. The
// model is driven as a run drives it, and asked twice: through the back end, and through the host's own way
// with the state fetched.
//
// With the argument "cuda" on the GPU; without it on a stand-in that has frames of its own beside the
// processor's solver and makes them late: then it is the model's part that is tested.
#include "tests/support/test.h"

#include "models/tsunami/c_grid.h"
#include "models/tsunami/instance.h"
#include "models/tsunami/tsunami.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/cuda_test.h"
#include "tests/support/result_ways.h"
#include "tests/support/statuses.h"

#include <cjson/cJSON.h>

static const struct tsunami_backend *apart; // the back end under test

// ---- a model as a run has it

struct setting {
    const char *precision, *element; // "single" or "double": of the solver, of the output
    const char *fields;              // output.fields
    const char *method;
    bool is_plane, is_fine; // fine: several blocks of the sums, the last one not full
};

struct run {
    struct result_ways ways;
    struct tsunami *whole;
    struct tsunami_level *tsunami;   // its only grid
    struct tsunami_backend host_way; // the same back end without results of its own
    bool is_cropped;                 // its maps
};

static double plane_hump(double x, double y, double time_s)
{
    const double r = hypot(x - 9000, y - 7000) / 2500;
    return 0.7 * exp(-r * r) - 0.2 * exp(-hypot(x - 15000, y - 9000) / 2000);
}

static void use_plane(cJSON *job)
{
    cli_write_grid("basin.nc", &cli_basin);
    struct cli_grid hump = cli_basin;
    hump.variables[0] = (struct cli_variable){.name = "surface", .units = "m", .value = plane_hump};
    cli_write_grid("start.nc", &hump);
    cli_write_json("gauges.json", "{'fathom_gauges': 1, 'gauges': [{'name': 'north', 'x': '5.2 km', 'y': "
                                  "'15.3 km'},{'name': 'south', 'x': '9 km', 'y': '2 km'}]}");
    cli_set(job, "domain",
            "{'bathymetry': {'file': 'basin.nc'}, 'edges': {'west': 'wall', 'north': 'wall'}}");
    cli_set(job, "source", "{'initial': {'file': 'start.nc', 'eta': 'surface'}}");
    cli_set(job, "time", "{'duration': '10 min', 'step': '5 s'}");
}

static void write_job(const struct setting *setting)
{
    cJSON *job = cli_sea_job();
    cli_write_gauges("gauges.json");
    if (setting->is_plane)
        use_plane(job);
    if (setting->is_fine) {
        cli_set_text(job, "domain.spacing", "3 arcmin");
        cli_set_text(job, "time.step", "10 s");
    }
    cli_change(job,
               "backend = '%s'; precision = '%s'; method = '%s'; output.fields = %s; output.precision = "
               "'%s'; output.gauges = {'file': 'gauges.json', 'every': '1 min'}",
               apart->head.name, setting->precision, setting->method, setting->fields, setting->element);
    cli_write_job(job, "job.json");
}

static const enum tsunami_stream kind_of[TSUNAMI_RESULTS] = {STREAM_FIELDS, STREAM_GAUGES,
                                                             STREAM_DIAGNOSTICS};

// What was compared was a wave: of each variable some values differ from zero, and of whole maps some are
// land.
static void expect_a_wave(const struct result_ways *w, const struct stream_variable *variable,
                          const struct ways_values *values)
{
    assert_true(values->nonzero > 0);
    if (variable->rank != 2 || !((const struct run *)w)->is_cropped)
        assert_true((values->missing > 0) == (variable->rank == 2));
}

static enum status host_capture(struct result_ways *w, int64_t step, struct frame *frame)
{
    struct run *r = (struct run *)w;
    r->tsunami->backend = &r->host_way;
    const enum status status = tsunami_capture(r->whole, step, frame);
    r->tsunami->backend = apart;
    return status;
}

static struct tsunami_level *present; // of the run that is open: the stand-in has no other way to it
static struct tsunami *present_run;

static struct run *run_open(const struct setting *setting)
{
    struct run *r = owned_zeros(1, sizeof *r);
    write_job(setting);
    model_run_create(&r->ways.run, &tsunami_model);
    present_run = r->whole = r->ways.run.instance;
    present = r->tsunami = r->whole->levels[0];
    model_run_start(&r->ways.run);
    assert_ptr_equal(r->tsunami->backend, apart);
    r->host_way = *apart;
    r->host_way.plan_results = NULL;
    r->host_way.capture = NULL;
    r->host_way.guard = NULL;
    r->is_cropped = strstr(setting->fields, "itude") != NULL;
    r->ways.host_capture = host_capture;
    r->ways.expect = expect_a_wave;
    memset(r->ways.stream, 0xff, sizeof r->ways.stream);
    for (int s = 0; s < r->ways.run.plan.stream_count; s++)
        r->ways.stream[r->whole->streams[s].kind] = s;
    for (int k = 0; k < TSUNAMI_RESULTS; k++)
        r->ways.kinds[r->ways.kind_count++] = kind_of[k];
    return r;
}

static void run_close(struct run *r)
{
    model_run_destroy(&r->ways.run);
}

// ---- the two ways

static void check_setting(const struct setting *setting)
{
    const char *about = format_text("%s %s, output %s, %s", setting->precision, setting->method,
                                    setting->element, setting->fields);
    struct run *r = run_open(setting);
    ways_compare(&r->ways, about);
    run_close(r);
}

TEST(every_result_has_the_hosts_bits)
{
    static const char *const precisions[] = {"single", "double"}, *const elements[] = {"single", "double"};
    static const char all[] = "'variables': ['eta', 'u', 'v', 'speed', 'flux']";
    static const char *const crops[] = {
        "", ", 'stride': 2", ", 'stride': 3, 'longitude': ['141 degree', '147.6 degree']",
        ", 'longitude': ['143 degree', '149 degree'], 'latitude': ['31 degree', '35.5 degree']"};
    for (int p = 0; p < 2; p++)
        for (int e = 0; e < 2; e++)
            for (int c = 0; c < 4; c++) {
                const char *fields = format_text("{'every': '1 min', %s%s}", all, crops[c]);
                check_setting(&(struct setting){precisions[p], elements[e], fields,
                                                c % 2 ? "vtcs2" : "vtcs2-o2", false, true});
            }
    for (int p = 0; p < 2; p++)
        check_setting(&(struct setting){precisions[p], "single",
                                        "{'every': '1 min', 'variables': ['flux', 'v']}", "vtcs2-o2", true,
                                        false});
}

static const struct tsunami_backend *apart_of_all;

// The back end under test becomes its staggered one; skips the test if it makes no results there, as the
// stand-in.
static void use_staggered(void)
{
    apart_of_all = apart;
    if (!apart->staggered || !apart->staggered->capture)
        skip();
    apart = apart->staggered;
}

static void use_nodes(void)
{
    apart = apart_of_all;
}

TEST(every_staggered_result_has_the_hosts_bits)
{
    static const char *const precisions[] = {"single", "double"};
    static const char all[] = "{'every': '1 min', 'variables': ['eta', 'u', 'v', 'speed', 'flux']}";
    use_staggered();
    for (int k = 0; k < 4; k++)
        check_setting(&(struct setting){precisions[k & 1], "double", all, "c-grid-6", k >> 1, false});
    use_nodes();
}

// A frame that a checkpoint or the end cuts short carries the records that it has.
TEST(a_frame_may_be_sent_before_it_is_full)
{
    struct run *r =
        run_open(&(struct setting){"single", "single", "{'every': '1 min'}", "vtcs2-o2", false, false});
    ways_check_partial_frame(&r->ways, STREAM_GAUGES);
    run_close(r);
}

TEST(the_last_diagnostics_are_the_reports)
{
    struct run *r =
        run_open(&(struct setting){"double", "single", "{'every': '1 min'}", "vtcs2-o2", false, false});
    struct tsunami_level *t = r->tsunami;
    assert_true(t->has_first && t->first.energy_potential_j > 0 && t->first.energy_kinetic_j == 0);
    const struct tsunami_diagnostics first = t->first;
    struct frame *frame = ways_frame(&r->ways, STREAM_DIAGNOSTICS, 0);
    ways_capture(&r->ways, frame, 0);
    assert_ok(ways_fetch(&r->ways, frame));
    assert_memory_equal(&t->last, &first, sizeof first); // record 0 is the state at the start
    assert_ok(r->ways.run.simulation.advance(r->whole, 0, 20));
    frame->records = 0;
    ways_capture(&r->ways, frame, 20);
    assert_ok(ways_fetch(&r->ways, frame));
    assert_memory_equal(&t->first, &first, sizeof first);
    assert_true(t->last.energy_kinetic_j > 0);
    assert_memory_equal(&t->last, frame->data, TSUNAMI_DIAGNOSTICS * sizeof(double));
    run_close(r);
}

// ---- the guard

static void plant(struct run *r, size_t row, size_t column, double eta_m, double u_m_s, double v_m_s)
{
    assert_ok(solver_fetch(&apart->head, r->tsunami->solver));
    assert_true(r->tsunami->depth_m[row * r->tsunami->geometry.pitch + column] >
                10); // land would stay as it is
    apart->set(r->tsunami->solver, row, column, 1, &eta_m, &u_m_s, &v_m_s);
    assert_ok(solver_touch(&apart->head, r->tsunami->solver, false));
}

static void heal(struct run *r, size_t row, size_t column)
{
    plant(r, row, column, 0, 0, 0);
}

// What the host's own guard says of the present state, or "".
static const char *hosts_word(struct run *r, int64_t step)
{
    static char text[600];
    r->tsunami->backend = &r->host_way;
    status_clear();
    const enum status status = tsunami_level_guard(r->tsunami, step);
    snprintf(text, sizeof text, "%s", status == STATUS_OK ? "" : status_message());
    r->tsunami->backend = apart;
    status_clear();
    return text;
}

// Fastest velocity along y that the limit allows at a node, times `share`.
static double limit_m_s(const struct run *r, size_t row, size_t column, double share)
{
    const struct tsunami_geometry *g = &r->tsunami->geometry;
    const double depth = r->tsunami->depth_m[row * g->pitch + column];
    const double dy = fmin(g->y_distance_m[(ptrdiff_t)row - 1], g->y_distance_m[row]);
    return share * dy / r->tsunami->step_s - sqrt(g->gravity_m_s2 * depth);
}

// What the host finds is found.
static struct tsunami_invalid expect_hosts_word(struct run *r, int64_t step)
{
    const char *host = format_text("%s", hosts_word(r, step));
    assert_true(host[0] != '\0');
    struct tsunami_invalid found = {.step = -1};
    assert_ok(apart->guard(r->tsunami->solver, step, &found));
    assert_ok(apart->finish(r->tsunami->solver, &found));
    assert_int_equal(found.step, step);
    status_clear();
    assert_int_equal(r->ways.run.simulation.finish(r->whole, step), STATUS_DATA);
    assert_string_equal(status_message(), host);
    status_clear();
    return found;
}

static void expect_found(struct run *r, int64_t step, size_t row, size_t column)
{
    const struct tsunami_invalid found = expect_hosts_word(r, step);
    assert_int_equal(found.row, row);
    assert_int_equal(found.column, column);
}

static struct run *guard_run(const char *precision)
{
    return run_open(&(struct setting){precision, "single", "{'every': '1 min'}", "vtcs2-o2", false, false});
}

static void sound(struct run *r, int64_t step)
{
    struct tsunami_invalid found = {.step = -1};
    assert_string_equal(hosts_word(r, step), "");
    assert_ok(apart->guard(r->tsunami->solver, step, &found));
    assert_ok(apart->finish(r->tsunami->solver, &found));
    assert_int_equal(found.step, -1);
}

static void check_guard(const char *precision)
{
    struct run *r = guard_run(precision);
    assert_ok(r->ways.run.simulation.advance(r->whole, 0, 12));
    sound(r, 12);
    // Right at the limit is sound, so is land; and a finding is not made of what was healed before it was
    // looked for.
    plant(r, 9, 12, 0, 0, limit_m_s(r, 9, 12, 1.0005));
    sound(r, 12);
    plant(r, 11, 22, NAN, 0, 0);
    heal(r, 11, 22);
    sound(r, 12);
    plant(r, 9, 12, 0, 0, limit_m_s(r, 9, 12, 1.002));
    expect_found(r, 12, 9, 12);
    run_close(r);

    r = guard_run(precision);
    assert_ok(r->ways.run.simulation.advance(r->whole, 0, 12));
    plant(r, 25, 20, NAN, 0, 0);
    plant(r, 17, 28, 0.5, NAN, 0); // the first in index order
    plant(r, 17, 31, 0.5, 0, -limit_m_s(r, 17, 31, 1.5));
    expect_found(r, 12, 17, 28);
    // It stays: neither a later look nor a state made well changes what is reported, with every frame.
    heal(r, 17, 28);
    struct tsunami_invalid found = {.step = -1};
    assert_ok(apart->guard(r->tsunami->solver, 13, &found));
    assert_ok(apart->finish(r->tsunami->solver, &found));
    assert_true(found.step == 12 && found.row == 17 && found.column == 28);
    struct frame *frame = ways_frame(&r->ways, STREAM_FIELDS, 0);
    ways_capture(&r->ways, frame, 13);
    assert_failure(ways_fetch(&r->ways, frame), STATUS_DATA, "became unstable by step 12 ");
    run_close(r);
}

TEST(the_guard_names_the_first_unsound_node)
{
    check_guard("single");
    check_guard("double");
}

// The velocities set at a node reach the faces about it and, from there, the nodes beside it.
TEST(the_guard_finds_unsound_nodes_of_a_staggered_grid)
{
    static const double eta_m[] = {NAN, 0, 0.5}, u_m_s[] = {0, NAN, 1e3};
    use_staggered();
    for (int k = 0; k < 6; k++) {
        struct run *r = run_open(&(struct setting){k & 1 ? "single" : "double", "single",
                                                   "{'every': '1 min'}", "c-grid-6", false, false});
        assert_ok(r->ways.run.simulation.advance(r->whole, 0, 12));
        sound(r, 12);
        plant(r, 17, 28, eta_m[k >> 1], u_m_s[k >> 1], 0);
        const struct tsunami_invalid found = expect_hosts_word(r, 12);
        assert_in_range(found.row, 17 - C_GRID_REACH, 17);
        assert_in_range(found.column, 28 - C_GRID_REACH, 28 + C_GRID_REACH);
        run_close(r);
    }
    use_nodes();
}

// ---- the stand-in

// The processor's solver, with frames of its own that arrive a little late.
STAND_IN_OPERATIONS(tsunami, tsunami_invalid);

static enum status stand_in_plan_results(struct solver *solver, const struct tsunami_wanted *wanted,
                                         struct memory_plan *plan, const char *prefix)
{
    const size_t element = element_bytes(wanted->element);
    size_t fields = 0;
    for (int f = 0; f < TSUNAMI_FIELD_COUNT; f++)
        fields += wanted->fields[f];
    const size_t bytes[TSUNAMI_RESULTS] = {
        [TSUNAMI_RESULT_FIELDS] = fields * wanted->crop.rows * wanted->crop.columns * element,
        [TSUNAMI_RESULT_GAUGES] = 3 * wanted->gauge_count * element,
        [TSUNAMI_RESULT_DIAGNOSTICS] = TSUNAMI_DIAGNOSTICS * sizeof(double)};
    late_frames_forget();
    stand_in_found = (struct tsunami_invalid){.step = -1};
    for (int r = 0; r < TSUNAMI_RESULTS; r++)
        late_frames_make(r, wanted->slots[r], wanted->frame_records[r], bytes[r]);
    for (size_t k = 0; k < wanted->gauge_count; k++) {
        const struct tsunami_gauge_place *place = &present->params.gauges.gauges[k].place;
        assert_memory_equal(wanted->gauges[k].rows, place->rows, sizeof place->rows);
        assert_memory_equal(wanted->gauges[k].columns, place->columns, sizeof place->columns);
        assert_memory_equal(wanted->gauges[k].weights, place->weights, sizeof place->weights);
        assert_int_equal(wanted->gauges[k].nearest, place->nearest);
    }
    return STATUS_OK;
}

static enum status stand_in_capture(struct solver *solver, enum tsunami_result result, int slot,
                                    size_t record)
{
    assert_ptr_equal(solver, present->solver);
    struct frame frame = {.slot = slot, .records = record, .data = late_frames_record((int)result, slot, 0)};
    while (present_run->streams[frame.stream].kind != kind_of[result])
        frame.stream++;
    assert_int_equal(stream_record_bytes(&present->streams[kind_of[result]]),
                     late_frames_record_bytes((int)result));
    const struct tsunami_diagnostics last = present->last;
    present->backend = &tsunami_backend_openmp;
    const enum status status = tsunami_capture(present_run, 0, &frame);
    present->backend = apart;
    present->last = last; // that comes with the frame
    return status;
}

// By the host's guard, whose finding it takes from its message: the model's way to it is tested, not a
// second search.
static enum status stand_in_guard(struct solver *solver, int64_t step, struct tsunami_invalid *found)
{
    double x, y;
    if (stand_in_found.step < 0 &&
        hosts_word(&(struct run){.tsunami = present, .host_way = tsunami_backend_openmp}, step)[0]) {
        const char *place = strstr(
            hosts_word(&(struct run){.tsunami = present, .host_way = tsunami_backend_openmp}, step), "at (");
        assert_non_null(place);
        assert_int_equal(sscanf(place, "at (%lf, %lf)", &x, &y), 2);
        struct tsunami_invalid *f = &stand_in_found;
        f->step = step;
        while (fabs(present->geometry.x[f->column] - x) > 1e-3)
            f->column++;
        while (fabs(present->geometry.y[f->row] - y) > 1e-3)
            f->row++;
        tsunami_backend_openmp.get(solver, f->row, f->column, 1, &f->eta_m, &f->u_m_s, &f->v_m_s);
    }
    *found = stand_in_found;
    return STATUS_OK;
}

static enum status stand_in_warm_up(struct solver *solver)
{
    return STATUS_OK;
}

STAND_IN_SUITE(tsunami, backend.head.warm_up = stand_in_warm_up);
