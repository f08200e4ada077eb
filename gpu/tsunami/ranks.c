// A CUDA solver's part of a grid that is divided among ranks: after a step neighbours exchange the rows that
// the next one reads, and the flags of moving tiles, in the order of the stream. Tiles are those of the whole
// grid, of which each rank computes its rows; with the flags of all tiles beside its own it skips what one
// rank would skip, so that zeros keep their signs. The tiles of a staggered grid may be of many ranks: their
// flags go through the hosts, until all tiles move. Where devices address each other's memory, peers.c does
// without these exchanges but for the flags at the start and after lifts. Knows no arithmetic.
#include "gpu/memory.h"
#include "gpu/tsunami/flags.h"
#include "gpu/tsunami/solver.h"

#include "models/tsunami/moving.h"
#include "models/tsunami/solver.h"
#include "parallel/ranks.h"

#include <limits.h>

enum { LOW = GPU_EXCHANGE_LOW, HIGH = GPU_EXCHANGE_HIGH };

// Only where tiles are skipped.
static bool tells_flags(const struct solver *s)
{
    return !s->is_plain && !solver_is_staggered(s) && !tsunami_physics_completes_steps(s->host.setup.physics);
}

// A multiple of what an exchange moves at once.
static size_t flag_bytes(const struct solver *s)
{
    enum { UNIT = 16 };
    return (FLAG_ROWS * (size_t)(s->tile_parts * s->tile_columns) + UNIT - 1) / UNIT * UNIT;
}

// Rows that a step reads of a neighbour.
static size_t reach_of(const struct solver *s)
{
    return solver_is_staggered(s) ? (size_t)C_GRID_HALO : host_level_reach(s->host.setup.physics);
}

static size_t row_bytes(const struct solver *s)
{
    return reach_of(s) * s->host.pitch * s->host.element;
}

static bool has_neighbour(const struct solver *s, int side)
{
    const struct ranks *ranks = s->host.setup.ranks;
    return s->host.is_ring || (side == LOW ? ranks->rank > 0 : ranks->rank + 1 < ranks->count);
}

enum status solver_plan_ranks(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    struct ranks *ranks = s->host.setup.ranks;
    if (!s->host.is_divided)
        return STATUS_OK;
    const size_t flags = tells_flags(s) ? flag_bytes(s) : 0;
    const struct gpu_array arrays[] = {
        {&s->sent_flags, MEMORY_DEVICE, ELEMENT_U8, flags ? GPU_EXCHANGE_SIDES : 0, flags,
         "device flags to send"},
        {&s->received_flags, MEMORY_DEVICE, ELEMENT_U8, flags ? GPU_EXCHANGE_SIDES : 0, flags,
         "device flags received"},
    };
    size_t bytes = flags; // the rest is counted by host_level_plan
    if (solver_is_staggered(s))
        bytes = TSUNAMI_FIELDS * row_bytes(s);
    ranks->planned_step_bytes += (double)bytes * (has_neighbour(s, LOW) + has_neighbour(s, HIGH));
    CHECK(GPU_PLAN_ARRAYS(plan, prefix, arrays));
    CHECK(solver_plan_peers(s, plan, prefix));
    return gpu_exchange_plan(&s->exchange, ranks, s->host.is_ring, TSUNAMI_FIELDS * row_bytes(s) + flags,
                             plan, prefix);
}

size_t solver_step_bytes(const struct solver *s)
{
    return TSUNAMI_FIELDS * row_bytes(s) + (tells_flags(s) ? flag_bytes(s) : 0);
}

// The row of parts of tiles that a border before row `row` cuts; far below all others: none.
static int part_of_two(const struct solver *s, int row)
{
    const int part = solver_part_of(s, row);
    return solver_part_of(s, row - 1) == part ? part : INT_MIN / 2;
}

// Of the received flags of tiles in parts (not in a ring): those of this rank's own parts are kept, and those
// of a part that is of both ranks joined.
static void keep_own_parts(const struct solver *s, struct tsunami_border_flags *f)
{
    const int first = (int)s->host.own.first, end = (int)s->host.own.end;
    const int low = f->received[LOW] * s->tile_parts, high = f->received[HIGH] * s->tile_parts;
    if (has_neighbour(s, LOW)) {
        f->shared[LOW] = part_of_two(s, first) - low;
        f->first_kept[LOW] = solver_part_of(s, first - 1) + 1 - low;
        f->end_kept[LOW] = FLAG_ROWS * s->tile_parts;
    }
    if (has_neighbour(s, HIGH)) {
        f->shared[HIGH] = part_of_two(s, end) - high;
        f->end_kept[HIGH] = solver_part_of(s, end) - high;
    }
}

// The neighbour across a border has at least two whole tiles' rows (solver_least_rows): all rows of tiles
// that are told are its own or this rank's. In a ring the last row of tiles is before the first one.
static struct tsunami_border_flags border_flags(const struct solver *s)
{
    const int first = (int)s->host.own.first, end = (int)s->host.own.end, rows = s->shape.rows;
    const int lowest = first / rows, highest = (end - 1) / rows, all = s->tile_rows;
    const bool shares_lowest = first % rows != 0,
               shares_highest = end % rows != 0 && end < (int)s->host.setup.geometry->ny;
    const size_t moving = (size_t)s->moving * solver_tiles(s);
    struct tsunami_border_flags f = {
        .moving = s->device_flags + moving,
        .into = s->peers.is_used ? s->peers.device_moving + moving : s->device_flags + moving,
        .columns = s->tile_columns,
        .parts = s->tile_parts,
        .has_neighbour = {has_neighbour(s, LOW), has_neighbour(s, HIGH)},
        .sent = {lowest, highest - 1},
        .received = {(shares_lowest ? lowest - 1 : lowest - 2 + all) % all,
                     (shares_highest ? highest : highest + 1) % all},
        .shared = {shares_lowest ? 1 : -1, shares_highest ? 0 : -1},
    };
    if (s->tile_parts > 1 && !s->peers.is_used)
        keep_own_parts(s, &f);
    for (int side = 0; side < GPU_EXCHANGE_SIDES; side++) {
        if (s->peers.is_used)
            f.shared[side] = -1; // each has a flag of its own
        f.send[side] = s->sent_flags + (size_t)side * flag_bytes(s);
        f.receive[side] = s->received_flags + (size_t)side * flag_bytes(s);
    }
    return f;
}

// Rows of a field, from storage row `row` on.
static struct gpu_exchange_piece rows_of(const struct solver *s, void *field)
{
    const struct tsunami_rows own = s->host.own;
    const size_t reach = reach_of(s);
    const size_t row_0 = solver_is_staggered(s) ? (size_t)C_GRID_HALO : (size_t)TSUNAMI_HALO_ROWS;
    return (struct gpu_exchange_piece){
        .send = {host_level_row(&s->host, field, row_0 + own.first),
                 host_level_row(&s->host, field, row_0 + own.end - reach)},
        .receive = {host_level_row(&s->host, field, row_0 + own.first - reach),
                    host_level_row(&s->host, field, row_0 + own.end)},
        .bytes = row_bytes(s),
        .count = 1,
        .stride = row_bytes(s),
    };
}

static enum status exchange(struct solver *s, bool has_rows, bool has_flags)
{
    struct gpu_exchange_piece pieces[TSUNAMI_FIELDS + 1];
    const cudaStream_t stream = s->timeline->compute;
    struct tsunami_border_flags flags;
    int count = 0;
    for (int f = 0; has_rows && f < TSUNAMI_FIELDS; f++)
        pieces[count++] = rows_of(s, s->state[s->current][f]);
    if (has_flags) {
        flags = border_flags(s);
        pieces[count++] = (struct gpu_exchange_piece){.send = {flags.send[LOW], flags.send[HIGH]},
                                                      .receive = {flags.receive[LOW], flags.receive[HIGH]},
                                                      .bytes = flag_bytes(s),
                                                      .count = 1,
                                                      .stride = flag_bytes(s)};
        CUDA_CHECK(tsunami_launch_pack_flags(&flags, stream), "to pack the flags of moving tiles");
    }
    CHECK(gpu_exchange_rows(&s->exchange, pieces, count, stream));
    if (has_flags)
        CUDA_CHECK(tsunami_launch_merge_flags(&flags, stream), "to merge the flags of moving tiles");
    return STATUS_OK;
}

enum status solver_exchange_rows(struct solver *s)
{
    return s->host.is_divided ? exchange(s, true, false) : STATUS_OK;
}

enum status solver_exchange_step(struct solver *s)
{
    if (s->peers.is_used)
        return solver_settle_peers(s, 1);
    return s->host.is_divided ? exchange(s, true, tells_flags(s)) : STATUS_OK;
}

enum status solver_exchange_flags(struct solver *s)
{
    return s->host.is_divided && tells_flags(s) ? exchange(s, false, true) : STATUS_OK;
}

enum status solver_exchange_arrays(struct solver *s, void *const *arrays, int count)
{
    struct gpu_exchange_piece pieces[TSUNAMI_FIELDS];
    for (int k = 0; k < count && s->host.is_divided; k++)
        pieces[k] = rows_of(s, arrays[k]);
    return s->host.is_divided ? gpu_exchange_rows(&s->exchange, pieces, count, s->timeline->compute)
                              : STATUS_OK;
}

enum status solver_exchange_beside(struct solver *s, void *const *arrays, int count, cudaStream_t stream)
{
    struct gpu_exchange_piece pieces[TSUNAMI_FIELDS];
    for (int k = 0; k < count; k++)
        pieces[k] = rows_of(s, arrays[k]);
    return gpu_exchange_rows_beside(&s->exchange, pieces, count, stream);
}

double solver_node_bytes(const struct solver *s)
{
    return solver_is_staggered(s) && s->host.is_divided
               ? 2.0 * (double)row_bytes(s) * (has_neighbour(s, LOW) + has_neighbour(s, HIGH))
               : 0;
}

// Not whenever they are made: when that is, depends on how many steps a batch has, which each rank measures.
enum status solver_exchange_nodes(struct solver *s)
{
    return solver_is_staggered(s) ? solver_exchange_arrays(s, s->c_grid.nodes, 2) : STATUS_OK;
}

// The tiles of a staggered grid depend on the device's size: of unequal devices all take that of the largest.
enum status solver_open_ranks(struct solver *s)
{
    int64_t multiprocessors = s->multiprocessors;
    CHECK(gpu_exchange_open(&s->exchange));
    CHECK(solver_open_peers(s));
    CHECK(gpu_allgather_open(&s->dispersion.ranks.gather));
    CHECK(gpu_allgather_open(&s->edges_of_ranks.gather));
    if (!s->host.is_divided || !solver_is_staggered(s))
        return STATUS_OK;
    CHECK(ranks_largest(s->host.setup.ranks, TRANSPORT_STEPS, &multiprocessors, 1));
    s->multiprocessors = (int)multiprocessors;
    return STATUS_OK;
}

enum status solver_merge_c_flags(struct solver *s)
{
    unsigned char *const own = s->c_grid.own_moving, *const all = s->c_grid.all_moving;
    if (!s->host.is_divided || s->c_grid.all_move)
        return STATUS_OK;
    const size_t tiles = (size_t)s->c_grid.first_tiles[s->tile_columns]; // 0 in a warm-up
    CHECK(gpu_timeline_download(s->timeline, own, s->c_grid.moving, tiles));
    CHECK(gpu_timeline_finish_compute(s->timeline));
    CHECK(tsunami_moving_merge_all(s->host.setup.ranks, own, all, tiles));
    s->c_grid.all_move = true;
    for (size_t k = 0; k < tiles; k++)
        s->c_grid.all_move = s->c_grid.all_move && (all[k] || !s->c_grid.is_water[k]);
    return gpu_timeline_upload(s->timeline, s->c_grid.moving, all, tiles);
}

enum status solver_gather_counts(struct solver *s)
{
    if (!s->host.is_divided)
        return STATUS_OK;
    double counts[COUNTS];
    for (int k = 0; k < COUNTS; k++)
        counts[k] = (double)s->counts[k];
    CHECK(tsunami_gather_counts(s->host.setup.ranks, counts));
    for (int k = 0; k < COUNTS; k++)
        s->counts[k] = (unsigned long long)counts[k];
    CHECK(
        gpu_timeline_upload(s->timeline, s->device_computed, &s->counts[COUNT_COMPUTED], sizeof *s->counts));
    return gpu_timeline_finish_compute(s->timeline);
}
