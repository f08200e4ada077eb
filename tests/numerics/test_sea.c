// Bodies of water joined from stretches of rows, against a plain flood fill node by node: random coasts, with
// and without edges that close on themselves.
#include "tests/support/test.h"

#include "models/tsunami/sea.h"

enum { NX = 23, NY = 17, NODES = NX * NY, TRIALS = 400 };

static const double dry_depth_m = 10;

static uint32_t state_of_random = 12345;

static uint32_t random_below(uint32_t bound)
{
    state_of_random = state_of_random * 1664525u + 1013904223u;
    return (state_of_random >> 8) % bound;
}

struct coast {
    double depth_m[NODES];
    bool is_x_periodic, is_y_periodic;
};

OWNED(own_sea, struct tsunami_sea, tsunami_sea_free);

static struct tsunami_sea *make_sea(const struct coast *coast)
{
    struct tsunami_sea *sea;
    assert_int_equal(tsunami_sea_create(NX, NY, coast->is_x_periodic, coast->is_y_periodic, &sea), STATUS_OK);
    for (size_t j = 0; j < NY; j++)
        assert_int_equal(tsunami_sea_add_row(sea, coast->depth_m + j * NX, dry_depth_m), STATUS_OK);
    return own_sea(sea);
}

static bool is_wet(const struct coast *coast, int node)
{
    return coast->depth_m[node] > dry_depth_m;
}

// Marks the body of a node, from neighbour to neighbour; returns its nodes.
static size_t fill(const struct coast *coast, int node, unsigned char *mark)
{
    static int stack[NODES];
    size_t count = 0;
    int left = 0;
    if (!is_wet(coast, node) || mark[node])
        return 0;
    mark[node] = 1;
    stack[left++] = node;
    while (left > 0) {
        const int at = stack[--left], i = at % NX, j = at / NX;
        const int steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        count++;
        for (int k = 0; k < 4; k++) {
            int x = i + steps[k][0], y = j + steps[k][1];
            if (coast->is_x_periodic)
                x = (x + NX) % NX;
            if (coast->is_y_periodic)
                y = (y + NY) % NY;
            if (x < 0 || x >= NX || y < 0 || y >= NY)
                continue;
            const int next = y * NX + x;
            if (is_wet(coast, next) && !mark[next]) {
                mark[next] = 1;
                stack[left++] = next;
            }
        }
    }
    return count;
}

static void random_coast(struct coast *coast, int trial)
{
    const uint32_t land = 20 + random_below(50); // in a hundred: about the share at which seas fall apart
    coast->is_x_periodic = trial % 2 == 1;
    coast->is_y_periodic = trial / 2 % 2 == 1;
    for (int node = 0; node < NODES; node++)
        coast->depth_m[node] = random_below(100) < land ? (double)random_below(11) : 11.0 + random_below(100);
}

static void assert_marks(const struct tsunami_sea *sea, const struct coast *coast, const unsigned char *mark)
{
    for (int node = 0; node < NODES; node++) {
        const size_t column = (size_t)(node % NX), row = (size_t)(node / NX);
        assert_int_equal(tsunami_sea_is_wet(sea, column, row), is_wet(coast, node));
        assert_int_equal(tsunami_sea_is_open(sea, column, row), mark[node]);
    }
}

TEST(bodies_are_those_of_a_flood_fill)
{
    for (int trial = 0; trial < TRIALS; trial++) {
        struct coast coast;
        unsigned char mark[NODES] = {0};
        random_coast(&coast, trial);
        struct tsunami_sea *sea = make_sea(&coast);
        assert_marks(sea, &coast, mark);
        for (int seed = 0; seed < 3; seed++) {
            const int node = (int)random_below(NODES);
            tsunami_sea_open(sea, (size_t)(node % NX), (size_t)(node / NX));
            fill(&coast, node, mark);
        }
        assert_marks(sea, &coast, mark);
    }
}

// Those of at least a part of the largest one's nodes, and those that something moves.
TEST(large_and_moved_bodies_open)
{
    for (int trial = 0; trial < TRIALS; trial++) {
        struct coast coast;
        unsigned char mark[NODES] = {0}, body[NODES], moved_mark[NODES] = {0};
        size_t sizes[NODES] = {0}, largest = 0;
        double moved[NODES], most = 0;
        random_coast(&coast, trial);
        for (int node = 0; node < NODES; node++) {
            moved[node] = random_below(20) == 0 ? random_below(1000) - 500.0 : 0;
            memset(body, 0, sizeof body);
            sizes[node] = fill(&coast, node, body);
            largest = sizes[node] > largest ? sizes[node] : largest;
            if (is_wet(&coast, node) && moved[node] * moved[node] > most * most)
                most = moved[node] < 0 ? -moved[node] : moved[node];
        }
        for (int node = 0; node < NODES; node++) {
            if (5 * sizes[node] >= largest)
                fill(&coast, node, mark);
            if (most > 0 && (moved[node] >= 0.5 * most || -moved[node] >= 0.5 * most))
                fill(&coast, node, moved_mark);
        }
        struct tsunami_sea *sea = make_sea(&coast);
        tsunami_sea_open_large(sea, 0.2);
        assert_marks(sea, &coast, mark);
        sea = make_sea(&coast);
        for (size_t j = 0; j < NY; j++)
            tsunami_sea_note_row(sea, j, moved + j * NX);
        tsunami_sea_open_moved(sea, 0.5);
        assert_marks(sea, &coast, moved_mark);
    }
}

// Water of each node's body; 0 on land.
static void find_water(const struct coast *coast, double *water_m)
{
    for (int node = 0; node < NODES; node++) {
        unsigned char body[NODES] = {0};
        fill(coast, node, body);
        water_m[node] = 0;
        for (int other = 0; other < NODES; other++)
            water_m[node] += body[other] ? coast->depth_m[other] : 0;
    }
}

// Of the bodies that shallower water joins only that with the most water stays open; one alone does too.
TEST(branches_of_a_sea_close)
{
    int alone = 0, closed = 0;
    for (int trial = 0; trial < TRIALS / 10; trial++) {
        struct coast coast, shallower;
        unsigned char mark[NODES] = {0};
        double water_m[NODES];
        random_coast(&coast, trial);
        for (int node = 0; node < NODES; node++)
            if (is_wet(&coast, node))
                coast.depth_m[node] += 1e-5 * random_below(100000); // no two bodies have the same water
            else if (random_below(100) < 60)
                coast.depth_m[node] = -1;
        shallower = coast;
        for (int node = 0; node < NODES; node++)
            shallower.depth_m[node] += coast.depth_m[node] > 0 ? dry_depth_m : 0;
        find_water(&coast, water_m);
        for (int node = 0; node < NODES; node++) {
            unsigned char body[NODES] = {0};
            double most_m = 0;
            int bodies = 0;
            fill(&shallower, node, body);
            for (int other = 0; other < NODES; other++) {
                most_m = body[other] ? fmax(most_m, water_m[other]) : most_m;
                bodies += body[other] && water_m[other] > 0 && water_m[other] != water_m[node];
            }
            mark[node] = is_wet(&coast, node) && water_m[node] == most_m;
            alone += mark[node] && bodies == 0;
            closed += is_wet(&coast, node) && !mark[node];
        }
        struct tsunami_sea *sea = make_sea(&coast), *about = make_sea(&shallower);
        tsunami_sea_open_large(sea, 0);
        tsunami_sea_close_branches(sea, about);
        assert_marks(sea, &coast, mark);
    }
    assert_true(alone > 100 && closed > 100);
}

// No water, all water, and what nothing moves.
TEST(a_sea_may_be_none)
{
    struct coast coast = {.is_x_periodic = true};
    unsigned char mark[NODES] = {0};
    struct tsunami_sea *sea = make_sea(&coast);
    tsunami_sea_open(sea, 3, 3);
    tsunami_sea_open_large(sea, 0.1);
    tsunami_sea_open_moved(sea, 0.1);
    assert_marks(sea, &coast, mark);
    for (int node = 0; node < NODES; node++)
        coast.depth_m[node] = 4000;
    sea = make_sea(&coast);
    tsunami_sea_open_moved(sea, 0.1);
    assert_marks(sea, &coast, mark);
    tsunami_sea_open_large(sea, 1);
    memset(mark, 1, sizeof mark);
    assert_marks(sea, &coast, mark);
    tsunami_sea_free(NULL);
}
