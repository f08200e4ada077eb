// How the grid of `c-grid-6` is cut into tiles on the device: by the time that their rows cost, so that the
// blocks occupy the multiprocessors in whole rounds; tiles that are all land are left out. Before the first
// step. Independent of kernels.
#include "gpu/memory.h"
#include "gpu/tsunami/solver.h"

#include <string.h>

// ROWS_LEAST: the smallest number of rows of a tile. The time of a tile is estimated as the sum of the costs
// of its rows and of COST_BEFORE, for the rows computed before its first one. COST_LAND is the cost of a row
// in which a warp has land. The unit is half the time of a row of open water.
enum { ROWS_LEAST = 2 * C_GRID_REACH, ROWS_A_TURN = 6, COST_OPEN = 2, COST_LAND = 10, COST_BEFORE = 24 };

// Computes the columns of nodes of a column of tiles. The last one has at least C_GRID_REACH nodes, because a
// step of its neighbour reads so many.
static void tile_columns(const struct solver *s, int column, int *begin, int *end)
{
    const int nodes = (int)s->host.setup.geometry->nx, size = s->shape.columns, columns = s->tile_columns;
    const int left_over = nodes % size;
    const int shift = columns > 1 && left_over > 0 && left_over < C_GRID_REACH ? C_GRID_REACH : 0;
    *begin = column * size - (column + 1 == columns ? shift : 0);
    *end = column + 1 == columns ? nodes : *begin + size - (column + 2 == columns ? shift : 0);
}

static void shape_tiles(struct solver *s)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    s->shape = (struct tile_shape){C_TILE_COLUMNS, C_TILE_ROWS};
    s->tile_columns = ((int)g->nx + C_TILE_COLUMNS - 1) / C_TILE_COLUMNS;
    s->tile_rows = (int)g->ny / ROWS_LEAST + 1; // the largest number of tiles in a column
}

enum status solver_plan_c_tiles(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    shape_tiles(s);
    const size_t tiles = solver_tiles(s);
    const struct gpu_array arrays[] = {
        {&s->c_grid.tiles, MEMORY_HOST, ELEMENT_U8, tiles, sizeof *s->c_grid.tiles, "tiles"},
        {&s->c_grid.device_tiles, MEMORY_DEVICE, ELEMENT_U8, tiles, sizeof *s->c_grid.tiles, "device tiles"},
        {&s->c_grid.moving, MEMORY_DEVICE, ELEMENT_U8, 1, tiles, "device tile is moving"},
        {&s->c_grid.awake, MEMORY_DEVICE, ELEMENT_U8, 1, tiles, "device tile is awake"},
        {&s->c_grid.has_land, MEMORY_HOST, ELEMENT_U8, (size_t)s->tile_columns, s->host.rows,
         "rows with land"},
        {&s->c_grid.has_water, MEMORY_HOST, ELEMENT_U8, (size_t)s->tile_columns, s->host.rows,
         "rows with water"},
        {&s->c_grid.first_tiles, MEMORY_HOST, ELEMENT_I32, 1, (size_t)s->tile_columns + 1, "first tiles"},
        {&s->c_grid.device_has_land, MEMORY_DEVICE, ELEMENT_U8, (size_t)s->tile_columns, s->host.rows,
         "device rows with land"},
    };
    const struct gpu_array divided[] = {
        {&s->c_grid.is_water, MEMORY_HOST, ELEMENT_U8, 1, tiles, "tile has water"},
        {&s->c_grid.own_moving, MEMORY_PINNED, ELEMENT_U8, 1, tiles, "tile is moving"},
        {&s->c_grid.all_moving, MEMORY_PINNED, ELEMENT_U8, 1, tiles, "tile is moving anywhere"},
    };
    CHECK(GPU_PLAN_ARRAYS(plan, prefix, arrays));
    return s->host.is_divided ? GPU_PLAN_ARRAYS(plan, prefix, divided) : STATUS_OK;
}

static int code_at(const struct solver *s, int column, int row)
{
    return s->c_grid.code[(ptrdiff_t)s->host.halo_offset + row * (ptrdiff_t)s->host.pitch + column];
}

// The entries of has_land and has_water for a row (from −C_GRID_HALO on) of a column of tiles.
static unsigned char *land_at(const struct solver *s, int tile_column, int row)
{
    return s->c_grid.has_land + (size_t)tile_column * s->host.rows + (size_t)(row + C_GRID_HALO);
}

static unsigned char *water_at(const struct solver *s, int tile_column, int row)
{
    return s->c_grid.has_water + (size_t)tile_column * s->host.rows + (size_t)(row + C_GRID_HALO);
}

// Whether a row has land in the columns from `begin` to `end`, or lies there so near an edge of the domain
// that values beyond the edge must be stored too.
static bool has_land_itself(const struct solver *s, int begin, int end, int row)
{
    const int open_water = C_GRID_WET | C_GRID_INNER | C_GRID_FULL | C_GRID_LINE_U | C_GRID_LINE_V |
                           2 << C_GRID_WEST | 2 << C_GRID_EAST | 2 << C_GRID_SOUTH | 2 << C_GRID_NORTH;
    const struct tsunami_geometry *g = s->host.setup.geometry;
    if (begin < C_GRID_HALO || end + C_GRID_HALO > (int)g->nx || row < C_GRID_HALO ||
        row + C_GRID_HALO >= (int)g->ny)
        return true;
    for (int i = begin; i < end; i++)
        if (code_at(s, i, row) != open_water)
            return true;
    return false;
}

// The warps that have land in a row, one bit each. A block's columns begin COLUMNS_BEYOND before the tile's;
// the stencils of a column read the codes of CODES_BESIDE columns on both sides.
static unsigned char warps_with_land(const struct solver *s, int begin, int row)
{
    enum { COLUMNS_BEYOND = 6, CODES_BESIDE = 3, WARP = 32 };
    int warps = 0;
    for (int warp = 0; warp * WARP < C_TILE_THREADS; warp++) {
        const int first = begin - COLUMNS_BEYOND + warp * WARP;
        if (has_land_itself(s, first - CODES_BESIDE, first + WARP + CODES_BESIDE + 1, row))
            warps |= 1 << warp;
    }
    return (unsigned char)warps;
}

// Marks the rows with land, and the rows whose stencils read their codes (CODES_BESIDE rows on both sides),
// and the rows in which the tiles themselves have water.
static void find_land_and_water(const struct solver *s, int tile_column)
{
    enum { CODES_BESIDE = 3 };
    const int ny = (int)s->host.setup.geometry->ny;
    int begin, end;
    tile_columns(s, tile_column, &begin, &end);
    memset(land_at(s, tile_column, -C_GRID_HALO), 0, s->host.rows);
    memset(water_at(s, tile_column, -C_GRID_HALO), 0, s->host.rows);
    for (int row = -C_GRID_HALO; row < ny + C_GRID_HALO; row++) {
        const unsigned char warps = warps_with_land(s, begin, row);
        for (int k = row - CODES_BESIDE; k <= row + CODES_BESIDE; k++)
            if (k >= -C_GRID_HALO && k < ny + C_GRID_HALO)
                *land_at(s, tile_column, k) |= warps;
        for (int i = begin; i < end && row >= 0 && row < ny && !*water_at(s, tile_column, row); i++)
            *water_at(s, tile_column, row) = (code_at(s, i, row) & C_GRID_WET) != 0;
    }
}

static int row_cost(const struct solver *s, int tile_column, int row)
{
    return *land_at(s, tile_column, row) ? COST_LAND : COST_OPEN;
}

// The end of the tile that begins with row `begin`. It costs about `most` at most, unless it then had fewer
// than ROWS_LEAST rows; its number of rows is a multiple of ROWS_A_TURN, unless it is the last one.
static int tile_end(const struct solver *s, int tile_column, int begin, int most)
{
    const int ny = (int)s->host.setup.geometry->ny;
    int end = begin, cost = COST_BEFORE;
    while (end < ny && end - begin < C_TILE_ROWS && (cost <= most || end - begin < ROWS_LEAST))
        cost += row_cost(s, tile_column, end++);
    if (end == ny)
        return ny;
    end -= (end - begin) % ROWS_A_TURN;
    if (ny - end >= ROWS_LEAST)
        return end;
    return ny - begin < 2 * ROWS_LEAST ? ny : begin + (ny - ROWS_LEAST - begin) / ROWS_A_TURN * ROWS_A_TURN;
}

static bool has_water(const struct solver *s, int tile_column, int begin, int end)
{
    return memchr(water_at(s, tile_column, begin), 1, (size_t)(end - begin)) != NULL;
}

// The number of tiles with water if no tile costs more than `most`.
static int count_tiles(const struct solver *s, int most)
{
    const int ny = (int)s->host.setup.geometry->ny;
    int count = 0;
    for (int i = 0; i < s->tile_columns; i++)
        for (int begin = 0, end; begin < ny; begin = end) {
            end = tile_end(s, i, begin, most);
            count += has_water(s, i, begin, end);
        }
    return count;
}

// The smallest limit of a tile's cost with which the blocks occupy the device once, or in the smallest number
// of whole rounds that tiles of C_TILE_ROWS rows permit. On a small grid the lowest tiles occupy only a part
// of it.
static int cost_of_tiles(const struct solver *s)
{
    const int places = s->multiprocessors * C_BLOCKS_VELOCITY(s->host.element);
    const int highest = COST_BEFORE + C_TILE_ROWS * COST_LAND;
    const int turns = (count_tiles(s, highest) + places - 1) / places;
    int least = 0, most = highest;
    while (least < most) {
        const int middle = (least + most) / 2;
        if (count_tiles(s, middle) <= turns * places)
            most = middle;
        else
            least = middle + 1;
    }
    return most;
}

// Fills the list with all tiles, ordered by columns.
static void cut_tiles(struct solver *s)
{
    const int ny = (int)s->host.setup.geometry->ny, most = cost_of_tiles(s);
    int count = 0;
    for (int i = 0; i < s->tile_columns; i++) {
        s->c_grid.first_tiles[i] = count;
        for (int begin = 0, end; begin < ny; begin = end) {
            end = tile_end(s, i, begin, most);
            struct c_grid_tile *t = &s->c_grid.tiles[count];
            *t = (struct c_grid_tile){.self = count, .column = i, .row_begin = begin, .row_end = end};
            tile_columns(s, i, &t->column_begin, &t->column_end);
            count++;
        }
    }
    s->c_grid.first_tiles[s->tile_columns] = count;
}

// The tiles of column `column` whose changes can reach the tile `t` in a step.
static struct c_grid_near tiles_near(const struct solver *s, const struct c_grid_tile *t, int column)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const bool is_periodic_x = g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC,
               is_periodic_y = g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC;
    if (is_periodic_x)
        column = (column + s->tile_columns) % s->tile_columns;
    else if (column < 0 || column >= s->tile_columns)
        return (struct c_grid_near){.tiles = 1};
    const int first = s->c_grid.first_tiles[column], tiles = s->c_grid.first_tiles[column + 1] - first;
    const struct c_grid_tile *of = s->c_grid.tiles + first;
    const int from = t->row_begin - C_GRID_REACH, to = t->row_end + C_GRID_REACH, ny = (int)g->ny;
    int low = 0, high = tiles;
    while (of[low].row_end <= from)
        low++;
    while (of[high - 1].row_begin >= to)
        high--;
    // On periodic edges the last tile lies before the first one, and the first one after the last.
    const int before = is_periodic_y && from < 0, after = is_periodic_y && to > ny;
    const int count = high - low + before + after;
    return (struct c_grid_near){first, tiles, (low - before + tiles) % tiles, count < tiles ? count : tiles};
}

// The rows of a tile that are this rank's.
static void list_tile(struct solver *s, struct c_grid_tile t)
{
    const int first = (int)s->host.own.first, end = (int)s->host.own.end;
    t.row_begin = t.row_begin > first ? t.row_begin : first;
    t.row_end = t.row_end < end ? t.row_end : end;
    if (t.row_begin < t.row_end)
        s->c_grid.tiles[s->tile_count++] = t;
}

// Of a tile of a rank, the end of the part that begins with row `begin` and costs at most `most`, unless it
// then had fewer than ROWS_LEAST rows. The rows that a neighbour reads are in short parts, and so soon done.
static int part_end(const struct solver *s, const struct c_grid_tile *t, int begin, int most)
{
    const int *const neighbours = s->exchange.neighbours;
    const int low = neighbours[GPU_EXCHANGE_LOW] >= 0 ? (int)s->host.own.first + ROWS_LEAST : 0,
              high = neighbours[GPU_EXCHANGE_HIGH] >= 0 ? (int)s->host.own.end - ROWS_LEAST : t->row_end;
    int stop = t->row_end, end = begin, cost = COST_BEFORE;
    if (begin < low && low < stop)
        stop = low;
    if (begin < high && high < stop)
        stop = high;
    while (end < stop && (cost <= most || end - begin < ROWS_LEAST))
        cost += row_cost(s, t->column, end++);
    end -= end < stop ? (end - begin) % ROWS_A_TURN : 0;
    return stop - end < ROWS_LEAST ? stop : end;
}

static int count_parts(const struct solver *s, int most)
{
    int count = 0;
    for (int k = 0; k < s->tile_count; k++) {
        const struct c_grid_tile *t = &s->c_grid.tiles[k];
        for (int begin = t->row_begin; begin < t->row_end; begin = part_end(s, t, begin, most))
            count++;
    }
    return count;
}

// A rank has a part of the tiles, which would leave places of its device empty: they are cut into parts that
// take about the same time. What is skipped is still decided for whole tiles, as by one rank.
static void cut_for_rank(struct solver *s)
{
    const int places = s->multiprocessors * C_BLOCKS_VELOCITY(s->host.element);
    const int turns = (s->tile_count + places - 1) / places, all = (int)solver_tiles(s);
    int least = 0, most = COST_BEFORE + C_TILE_ROWS * COST_LAND;
    while (least < most) {
        const int middle = (least + most) / 2, parts = count_parts(s, middle);
        if (parts <= turns * places && parts <= all)
            most = middle;
        else
            least = middle + 1;
    }
    int to = count_parts(s, most);
    const int count = s->tile_count;
    if (to > all)
        return;
    s->tile_count = to;
    for (int k = count - 1; k >= 0; k--) { // from the last on: what is overwritten has been cut
        const struct c_grid_tile tile = s->c_grid.tiles[k];
        int parts = 0;
        for (int begin = tile.row_begin; begin < tile.row_end; begin = part_end(s, &tile, begin, most))
            parts++;
        to -= parts;
        for (int part = 0, begin = tile.row_begin; part < parts; part++) {
            struct c_grid_tile *t = &s->c_grid.tiles[to + part];
            *t = tile;
            t->row_begin = begin;
            t->row_end = begin = part_end(s, &tile, begin, most);
        }
    }
}

static bool is_beside(const struct solver *s, const struct c_grid_tile *t)
{
    const int *const neighbours = s->exchange.neighbours;
    return (neighbours[GPU_EXCHANGE_LOW] >= 0 && t->row_begin < (int)s->host.own.first + C_GRID_HALO) ||
           (neighbours[GPU_EXCHANGE_HIGH] >= 0 && t->row_end > (int)s->host.own.end - C_GRID_HALO);
}

// Those beside a border come first.
static void order_for_rank(struct solver *s)
{
    int count = 0;
    for (int k = 0; k < s->tile_count; k++) {
        const struct c_grid_tile t = s->c_grid.tiles[k];
        if (!is_beside(s, &t))
            continue;
        s->c_grid.tiles[k] = s->c_grid.tiles[count];
        s->c_grid.tiles[count++] = t;
    }
    s->c_grid.tiles_beside = count;
}

static void list_tiles(struct solver *s)
{
    for (int i = 0; i < s->tile_columns; i++)
        find_land_and_water(s, i);
    cut_tiles(s);
    const int all = s->c_grid.first_tiles[s->tile_columns];
    for (int k = 0; k < all; k++)
        for (int side = 0; side < 3; side++)
            s->c_grid.tiles[k].near[side] =
                tiles_near(s, &s->c_grid.tiles[k], s->c_grid.tiles[k].column + side - 1);
    s->tile_count = 0;
    for (int k = 0; k < all; k++) {
        const struct c_grid_tile t = s->c_grid.tiles[k];
        const bool has_any = has_water(s, t.column, t.row_begin, t.row_end);
        if (s->c_grid.is_water)
            s->c_grid.is_water[k] = has_any;
        if (has_any)
            list_tile(s, t);
    }
    if (!s->host.is_divided)
        return;
    cut_for_rank(s);
    order_for_rank(s);
}

enum status solver_upload_c_tiles(struct solver *s)
{
    list_tiles(s);
    CHECK(gpu_timeline_fill(s->timeline, s->c_grid.moving, 0, solver_tiles(s)));
    CHECK(gpu_timeline_fill(s->timeline, s->c_grid.awake, 0, solver_tiles(s)));
    CHECK(gpu_timeline_upload(s->timeline, s->c_grid.device_has_land, s->c_grid.has_land,
                              (size_t)s->tile_columns * s->host.rows));
    return gpu_timeline_upload(s->timeline, s->c_grid.device_tiles, s->c_grid.tiles,
                               (size_t)s->tile_count * sizeof *s->c_grid.tiles);
}
