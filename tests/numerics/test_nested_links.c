// Where a nested grid's edges lie in its parent, and what comes over: on uneven axes, on any turn of
// longitude, beside land. A state that is bilinear in the coordinates must arrive exactly.
#include "tests/support/test.h"

#include "models/tsunami/instance.h"
#include "models/tsunami/tsunami.h"
#include "tests/support/model_job.h"
#include "tests/support/netcdf_maker.h"

enum { NX = 40, NY = 30 };

// Nodes that lie 1 to 1.6 spacings apart.
static void uneven_axis(double *axis, size_t count, double first, double spacing)
{
    axis[0] = first;
    for (size_t k = 1; k < count; k++)
        axis[k] = axis[k - 1] + spacing * (1.3 + 0.3 * sin(2.0 * (double)k));
}

static void even_axis(double *axis, size_t count, double first, double spacing)
{
    for (size_t k = 0; k < count; k++)
        axis[k] = first + spacing * (double)k;
}

// Depths 100 m, land in the cells of `is_land` (NULL: none).
static void write_bottom(const char *name, bool is_geographic, const double *x, const double *y,
                         bool (*is_land)(double x, double y))
{
    double depth[NY * NX];
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            depth[j * NX + i] = is_land && is_land(x[i], y[j]) ? -5 : 100;
    const int file = make_file(folder_path("%s", name), NC_NETCDF4);
    const int dimensions[2] = {
        make_axis(file, is_geographic ? "lat" : "y", is_geographic ? "degrees_north" : "m", NY, y),
        make_axis(file, is_geographic ? "lon" : "x", is_geographic ? "degrees_east" : "m", NX, x)};
    const int variable = make_field(file, "depth", "m", 2, dimensions, depth);
    NC(nc_redef(file));
    make_text(file, variable, "positive", "down");
    NC(nc_close(file));
}

static struct job *job;
static struct memory_plan memory;

// A run of `parent` (its domain as JSON text) and, in it, "bay" (domain and what follows it), ready to step.
static struct tsunami *open_run(const char *parent, const char *bay)
{
    void *instance = NULL;
    struct model_plan plan;
    job = model_job(
        tsunami_keys,
        "{'fathom': 1, 'model': 'tsunami', 'backend': 'reference', 'precision': 'double', 'domain': %s, "
        "'source': {'initial': {'file': 'bottom.nc', 'eta': 'depth', 'override': true}}, 'time': "
        "{'duration': '1 min'}, 'output': {'directory': 'out'}, 'nested': {'bay': {'domain': %s}}}",
        parent, bay);
    assert_ok(model_create(&tsunami_model, job, &instance));
    memory_plan_begin(&memory);
    assert_ok(tsunami_model.plan(instance, &memory, &plan));
    assert_ok(memory_plan_reserve(&memory, SIZE_MAX, SIZE_MAX));
    assert_ok(tsunami_model.prepare(instance));
    assert_ok(tsunami_model.start(instance));
    return instance;
}

static void close_run(struct tsunami *run)
{
    memory_plan_release(&memory);
    model_destroy(run);
    job_free(job);
}

// η, u, v at a place of the parent.
static double bilinear(int field, double x, double y, const struct tsunami_level *parent)
{
    const struct grid_window *w = &parent->params.window;
    const double a = (x - w->x[0]) / (w->x[w->nx - 1] - w->x[0]),
                 b = (y - w->y[0]) / (w->y[w->ny - 1] - w->y[0]);
    static const double factors[TSUNAMI_FIELDS][4] = {
        {0.3, 1, -2, 1.5}, {0.1, -0.2, 0.3, 0.4}, {-0.5, 0.1, 0.2, -1}};
    const double *f = factors[field];
    return f[0] + f[1] * a + f[2] * b + f[3] * a * b;
}

static void set_parent(const struct tsunami_level *parent)
{
    const struct tsunami_geometry *g = &parent->geometry;
    double *rows[TSUNAMI_FIELDS];
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        rows[f] = tsunami_row_buffer(parent, f);
    for (size_t j = 0; j < g->ny; j++) {
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            for (size_t i = 0; i < g->nx; i++)
                rows[f][i] = bilinear(f, g->x[i], g->y[j], parent);
        parent->backend->set(parent->solver, j, 0, g->nx, rows[0], rows[1], rows[2]);
    }
    assert_ok(solver_touch(&parent->backend->head, parent->solver, false));
}

// What must lie in slot 1 of all given edges after a gather, `out` spacings beyond the nodes; turn: of the
// child's longitudes to the parent's.
static void expect_edges(const struct tsunami *run, double turn, double out)
{
    const struct tsunami_level *parent = run->levels[0], *child = run->levels[1];
    const struct tsunami_geometry *g = &child->geometry;
    set_parent(parent);
    assert_ok(child->backend->gather_edges(child->solver, 1));
    size_t links = 0;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const struct tsunami_given_edge *edge = &child->given[side];
        assert_int_equal(edge->nodes, side < TSUNAMI_SOUTH ? g->ny : g->nx);
        assert_int_equal(edge->slots, 2);
        assert_int_equal(edge->steps_per_record, child->steps_per_parent);
        for (size_t k = 0; k < edge->nodes; k++, links++) {
            double x = g->x[k < g->nx ? k : 0], y = g->y[k < g->ny ? k : 0];
            if (side == TSUNAMI_WEST)
                x = g->x[0] - out * (g->x[1] - g->x[0]);
            if (side == TSUNAMI_EAST)
                x = g->x[g->nx - 1] + out * (g->x[g->nx - 1] - g->x[g->nx - 2]);
            if (side == TSUNAMI_SOUTH)
                y = g->y[0] - out * (g->y[1] - g->y[0]);
            if (side == TSUNAMI_NORTH)
                y = g->y[g->ny - 1] + out * (g->y[g->ny - 1] - g->y[g->ny - 2]);
            const struct tsunami_link *link = &child->links[links];
            const double sum = link->weights[0] + link->weights[1] + link->weights[2] + link->weights[3];
            assert_true(fabs(sum - 1) < 1e-14);
            for (int n = 0; n < 4; n++)
                assert_true(link->weights[n] >= 0);
            assert_true(link->column + 1 < parent->geometry.nx && link->row + 1 < parent->geometry.ny);
            for (int f = 0; f < TSUNAMI_FIELDS; f++) {
                const double value = edge->values[(TSUNAMI_FIELDS + (size_t)f) * edge->nodes + k];
                const double should = bilinear(f, x + turn, y, parent);
                if (!(fabs(value - should) < 1e-11))
                    fail_msg("side %d, node %zu, field %d: %.15g, expected %.15g", side, k, f, value, should);
            }
        }
    }
    assert_int_equal(links, child->link_count);
}

TEST_SUITE(.setup = folder_make, .teardown = folder_remove);

TEST(links_hold_on_uneven_axes)
{
    double x[NX], y[NY];
    uneven_axis(x, NX, -7000, 100);
    uneven_axis(y, NY, 500, 130);
    write_bottom("bottom.nc", false, x, y, NULL);
    static const char *const methods[] = {"vtcs2", "vtcs2-o2", "muscl-hancock"};
    for (int m = 0; m < 3; m++) {
        char bay[256];
        snprintf(bay, sizeof bay,
                 "{'bathymetry': {'file': 'bottom.nc'}, 'x': ['-6333 m', '-4777 m'], 'y': ['1234 m', '2777 "
                 "m'], 'spacing': '37 m'}, 'method': '%s'",
                 methods[m]);
        struct tsunami *run = open_run("{'bathymetry': {'file': 'bottom.nc'}}", bay);
        expect_edges(run, 0, m == 2 ? 0.5 : 0);
        close_run(run);
    }
}

// A place by its longitudes, and the turn from them to the parent's.
struct place {
    const char *west, *east;
    double turn;
};

static void expect_places(const char *parent, const struct place *places, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        char bay[320];
        snprintf(bay, sizeof bay,
                 "{'bathymetry': {'file': 'bottom.nc'}, 'longitude': ['%s degree', '%s degree'], 'latitude': "
                 "['-18.1 degree', '-14.3 degree'], 'spacing': '0.1 degree'}",
                 places[k].west, places[k].east);
        struct tsunami *run = open_run(parent, bay);
        expect_edges(run, places[k].turn, 0);
        close_run(run);
    }
}

TEST(longitudes_may_be_on_any_turn)
{
    double x[NX], y[NY];
    even_axis(x, NX, 170, 0.5);
    even_axis(y, NY, -20, 0.25);
    write_bottom("bottom.nc", true, x, y, NULL);
    static const struct place places[] = {
        {"175.3", "184.2", 0}, {"-184.7", "-175.8", 360}, {"535.3", "544.2", -360}};
    expect_places("{'bathymetry': {'file': 'bottom.nc'}}", places, sizeof places / sizeof *places);
}

// A parent once round the Earth, whose columns begin at 20 degrees east: a child on either side of its seam.
TEST(a_parent_may_go_once_round)
{
    double x[NX], y[NY];
    even_axis(x, NX, 20, 9);
    even_axis(y, NY, -20, 0.25);
    write_bottom("bottom.nc", true, x, y, NULL);
    static const struct place places[] = {
        {"355", "370.5", 0}, {"-5", "10.5", 360}, {"20", "47", 0}, {"-340", "-313", 360}};
    expect_places("{'bathymetry': {'file': 'bottom.nc'}, 'edges': {'west': 'periodic', 'east': 'periodic'}}",
                  places, sizeof places / sizeof *places);
}

static bool is_coast(double x, double y)
{
    return x > 2500 && y < 1900;
}

// Only wet nodes count, by their weights; where all are dry, nothing is given.
TEST(land_gives_nothing)
{
    double x[NX], y[NY];
    even_axis(x, NX, 0, 100);
    even_axis(y, NY, 0, 100);
    write_bottom("bottom.nc", false, x, y, is_coast);
    struct tsunami *run = open_run("{'bathymetry': {'file': 'bottom.nc'}}",
                                   "{'bathymetry': {'file': 'bottom.nc'}, 'x': ['2040 m', '3040 m'], 'y': "
                                   "['1540 m', '2540 m'], 'spacing': '20 m'}");
    const struct tsunami_level *parent = run->levels[0], *child = run->levels[1];
    set_parent(parent);
    assert_ok(child->backend->gather_edges(child->solver, 0));
    const struct tsunami_given_edge *south = &child->given[TSUNAMI_SOUTH],
                                    *north = &child->given[TSUNAMI_NORTH];
    int given = 0, missing = 0, shared = 0;
    for (size_t k = 0; k < south->nodes; k++) {
        const double at = child->geometry.x[k], eta = south->values[k], y_place = child->geometry.y[0];
        // Nodes up to 2500 m are wet, those from 2600 m on land: between them the wet pair stands for all.
        const double wet = fmin(at, 2500);
        if (at >= 2600) {
            assert_true(isnan(eta));
            missing++;
        } else {
            assert_true(fabs(eta - bilinear(TSUNAMI_ETA, wet, y_place, parent)) < 1e-11);
            given++;
            shared += at > 2500;
        }
        assert_true(fabs(north->values[k] -
                         bilinear(TSUNAMI_ETA, at, child->geometry.y[child->geometry.ny - 1], parent)) <
                    1e-11);
    }
    assert_true(given > 20 && missing > 20 && shared > 2);
    close_run(run);
}

// A back end that cannot follow a shore says so, and which can.
TEST(a_method_needs_a_back_end_that_has_it)
{
    static struct tsunami_backend plain;
    double x[NX], y[NY];
    void *instance = NULL;
    plain = tsunami_backend_reference;
    plain.head.name = "plain";
    plain.flooding = NULL;
    backend_register(&tsunami_backends, &plain.head);
    even_axis(x, NX, 0, 100);
    even_axis(y, NY, 0, 100);
    write_bottom("bottom.nc", false, x, y, NULL);
    job = model_job(
        tsunami_keys,
        "{'fathom': 1, 'model': 'tsunami', 'backend': 'plain', 'domain': {'bathymetry': {'file': "
        "'bottom.nc'}}, 'source': {'initial': {'file': 'bottom.nc', 'eta': 'depth', 'override': true}}, "
        "'time': {'duration': '1 min'}, 'output': {'directory': 'out'}, 'nested': {'bay': {'method': "
        "'muscl-hancock', 'domain': {'bathymetry': {'file': 'bottom.nc'}, 'x': ['1 km', '2 km']}}}}");
    assert_failure(model_create(&tsunami_model, job, &instance), STATUS_CONFIGURATION,
                   "job.json: nested.bay.method: the back end plain cannot compute with \"muscl-hancock\"; ",
                   "reference");
    job_free(job);
}
