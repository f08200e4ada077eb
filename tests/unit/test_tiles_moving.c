// models/tsunami/moving.h: whatever the shares, each rank learns of the tiles that it needs to know what the
// largest of all ranks' numbers is.
#include "tests/support/test.h"

#include "core/memory_plan.h"
#include "models/tsunami/moving.h"
#include "parallel/shares.h"
#include "tests/support/statuses.h"
#include "tests/support/thread_ranks.h"

#include <stdatomic.h>
#include <string.h>

static int begin(void **state)
{
    status_clear();
    return 0;
}

TEST_SUITE(.setup = begin, .limit_s = 120);

enum { COLUMNS = 3, HEIGHT = 8, TILE_ROWS_MAX = 64 };

static size_t rows;
static struct share shares[THREAD_RANKS_MAX];
static bool is_ring;
static atomic_int wrong, told_neighbours;

static void expect(bool is_right)
{
    if (!is_right)
        atomic_fetch_add(&wrong, 1);
}

static size_t tile_rows(void)
{
    return (rows + HEIGHT - 1) / HEIGHT;
}

static struct tsunami_rows extent(const void *solver, size_t tile_row)
{
    const size_t end = (tile_row + 1) * HEIGHT;
    (void)solver;
    return (struct tsunami_rows){tile_row * HEIGHT, end < rows ? end : rows};
}

// A rank's number of a tile: 0 where it has no row of it.
static uint8_t number_of(int rank, int turn, size_t tile)
{
    const struct tsunami_rows tile_has = extent(NULL, tile / COLUMNS);
    const bool has_rows =
        (size_t)shares[rank].first < tile_has.end && (size_t)shares[rank].end > tile_has.first;
    return has_rows ? (uint8_t)((tile * 7 + (size_t)rank * 5 + (size_t)turn * 3) % 4) : 0;
}

static void expect_needed(const struct tsunami_moving *moving, const struct ranks *ranks, int turn)
{
    for (size_t tile = 0; tile < tile_rows() * COLUMNS; tile++) {
        bool is_needed = false;
        for (ptrdiff_t d = -1; d <= 1; d++) {
            ptrdiff_t row = (ptrdiff_t)(tile / COLUMNS) + d;
            const ptrdiff_t count = (ptrdiff_t)tile_rows();
            row = is_ring ? (row + count) % count : row;
            if (row < 0 || row >= count)
                continue;
            const struct tsunami_rows has = extent(NULL, (size_t)row);
            is_needed = is_needed || ((size_t)shares[ranks->rank].first < has.end &&
                                      (size_t)shares[ranks->rank].end > has.first);
        }
        uint8_t most = 0;
        for (int r = 0; r < ranks->count; r++)
            most = number_of(r, turn, tile) > most ? number_of(r, turn, tile) : most;
        expect(!is_needed || moving->merged[tile] == most);
    }
}

static void tell(struct ranks *ranks, void *shared)
{
    const struct tsunami_geometry geometry = {
        .ny = rows, .edges = {[TSUNAMI_SOUTH] = is_ring ? TSUNAMI_EDGE_PERIODIC : TSUNAMI_EDGE_WALL}};
    const struct tsunami_setup setup = {.geometry = &geometry, .ranks = ranks, .shares = shares};
    struct memory_plan *plan = calloc(1, sizeof *plan);
    struct tsunami_moving moving;
    uint8_t own[TILE_ROWS_MAX * COLUMNS];
    (void)shared;
    memory_plan_begin(plan);
    expect(tsunami_moving_plan(&moving, &setup, COLUMNS, tile_rows(), extent, NULL, plan, "") == STATUS_OK);
    expect(memory_plan_reserve(plan, SIZE_MAX, SIZE_MAX) == STATUS_OK);
    for (int turn = 0; turn < 6; turn++) {
        const bool has_parts = moving.is_of_neighbours && turn % 2 == 1;
        for (size_t tile = 0; tile < tile_rows() * COLUMNS; tile++)
            own[tile] = has_parts && !tsunami_moving_is_told(&moving, tile / COLUMNS)
                            ? 9
                            : number_of(ranks->rank, turn, tile);
        if (has_parts) {
            expect(tsunami_moving_begin(&moving, own) == STATUS_OK);
            for (size_t tile = 0; tile < tile_rows() * COLUMNS; tile++)
                own[tile] = number_of(ranks->rank, turn, tile);
            expect(tsunami_moving_end(&moving, own) == STATUS_OK);
        } else {
            expect(tsunami_moving_merge(&moving, own) == STATUS_OK);
        }
        expect_needed(&moving, ranks, turn);
    }
    if (ranks->rank == 0)
        atomic_fetch_add(&told_neighbours, moving.is_of_neighbours);
    memory_plan_release(plan);
    free(plan);
}

TEST(test_each_rank_knows_the_tiles_that_it_needs)
{
    int cuts = 0;
    told_neighbours = 0;
    for (int count = 2; count <= 6; count++)
        for (rows = 61; rows <= 400; rows += 67, cuts++) {
            double weights[400];
            for (size_t k = 0; k < rows; k++) // unequal shares
                weights[k] = (double)(1 + k * (size_t)cuts % 11);
            assert_ok(shares_cut(
                &(struct shares_request){
                    .rows = (int64_t)rows, .ranks = count, .weights = weights, .least = 2, .what = "rows"},
                shares));
            is_ring = cuts % 5 == 4;
            wrong = 0;
            thread_ranks_run(count, tell, NULL);
            assert_int_equal(wrong, 0);
        }
    assert_in_range(told_neighbours, cuts / 3, cuts - 3); // both ways are there
}
