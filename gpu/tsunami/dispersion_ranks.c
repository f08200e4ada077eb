// The dispersion's lines along y of a grid that is divided among ranks. The first and last rows of the parts
// of all lines (gpu/tsunami/dispersion_lines.cuh) are what all ranks tell each other, around a ring; each
// then solves the short system of all parts by itself, with the arithmetic of one device, and finds the
// unknowns of its own rows. Of parts that are cut by a border both ranks get all rows first. Knows no
// arithmetic.
#include "gpu/memory.h"
#include "gpu/tsunami/solver.h"
#include "parallel/ranks.h"
#include "parallel/shares.h"

#include <limits.h>
#include <stdio.h>

enum { LOW = GPU_EXCHANGE_LOW, HIGH = GPU_EXCHANGE_HIGH };

// Lines and their parts, all of them numbered from the south.
struct lines {
    int rows;
    struct dispersion_cut cut;
};

static struct lines lines_of(size_t ny, bool is_single)
{
    const int rows_max = is_single ? DISPERSION_ROWS(float) : DISPERSION_ROWS(double),
              parts_max = is_single ? DISPERSION_PARTS(float) : DISPERSION_PARTS(double);
    return (struct lines){(int)ny, dispersion_cut_of((int)ny, rows_max, parts_max)};
}

static int count_parts(const struct lines *l)
{
    return l->cut.segments * l->cut.parts;
}

// The first row of a part; of the number behind the last one, all rows. As in dispersion_block_of.
static int first_of(const struct lines *l, int part)
{
    const int segments = l->cut.segments, segment = part / l->cut.parts;
    const int begin = (int)((long long)l->rows * segment / segments);
    const int rows = (int)((long long)l->rows * (segment + 1) / segments) - begin;
    return segment == segments ? l->rows : begin + rows * (part % l->cut.parts) / l->cut.parts;
}

// The part that has a row.
static int part_of(const struct lines *l, int row)
{
    int part = 0;
    while (first_of(l, part + 1) <= row)
        part++;
    return part;
}

size_t solver_least_dispersion_rows(size_t ny)
{
    int most = 0;
    for (int single = 0; single < 2 && ny <= INT_MAX; single++) {
        const struct lines l = lines_of(ny, single);
        for (int part = 0; part < count_parts(&l); part++) {
            const int rows = first_of(&l, part + 1) - first_of(&l, part);
            most = rows > most ? rows : most;
        }
    }
    return (size_t)most;
}

// ---- the plan

// The rows of the parts that a rank has rows of; and the first of the parts that begin in its rows.
struct held {
    int first, end, first_part;
};

static struct held held_by(const struct lines *l, const struct share *share)
{
    const int first = (int)share->first, part = part_of(l, first), last = part_of(l, (int)share->end - 1);
    return (struct held){first_of(l, part), first_of(l, last + 1), part + (first_of(l, part) < first)};
}

// Sets what all ranks have to know of each other: rows beyond their own, and parts, at most.
static void set_division(struct solver *s, const struct lines *l)
{
    struct tsunami_dispersion_ranks *d = &s->dispersion.ranks;
    const int count = s->host.setup.ranks->count;
    d->beyond = 1; // the effect reads the rows beside
    for (int rank = 0; rank < count; rank++) {
        const struct share *share = &s->host.setup.shares[rank];
        const struct held held = held_by(l, share);
        const int before = (int)share->first - held.first, after = held.end - (int)share->end;
        const int next = rank + 1 < count ? held_by(l, share + 1).first_part : count_parts(l);
        d->beyond = before > d->beyond ? before : d->beyond;
        d->beyond = after > d->beyond ? after : d->beyond;
        d->parts_each = next - held.first_part > d->parts_each ? next - held.first_part : d->parts_each;
    }
    const struct held own = held_by(l, &s->host.setup.shares[s->host.setup.ranks->rank]);
    d->first = own.first;
    d->end = own.end;
    d->pitch = (s->host.setup.geometry->nx + 31) / 32 * 32;
    d->block_bytes = (size_t)d->parts_each * 2 * 3 * d->pitch * s->host.element;
}

// A block of ends each.
static struct gpu_allgather_array ends_of_ranks(const struct solver *s)
{
    const struct tsunami_dispersion_ranks *d = &s->dispersion.ranks;
    return (struct gpu_allgather_array){.data = d->ends,
                                        .row_bytes = d->block_bytes,
                                        .bytes = (size_t)s->host.setup.ranks->count * d->block_bytes};
}

// Blocks go in messages of some MiB: the exchange has several buffers of their size.
static size_t message_bytes(const struct solver *s)
{
    enum { MOST = 8 << 20 };
    const struct tsunami_dispersion_ranks *d = &s->dispersion.ranks;
    const size_t row = s->host.pitch * s->host.element,
                 rows = TSUNAMI_DISPERSION_PASSED * (size_t)d->beyond * row;
    const size_t block = d->block_bytes < MOST ? d->block_bytes : MOST;
    return rows > block ? rows : block;
}

enum status solver_plan_dispersion_ranks(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    struct tsunami_dispersion_ranks *d = &s->dispersion.ranks;
    struct ranks *ranks = s->host.setup.ranks;
    const enum element real = s->host.setup.precision;
    char name[64];
    if (!s->host.is_divided)
        return STATUS_OK;
    const struct lines l = lines_of(s->host.setup.geometry->ny, solver_is_single(s));
    set_division(s, &l);
    const struct gpu_array arrays[] = {
        {&d->slots, MEMORY_HOST, ELEMENT_I32, 1, (size_t)count_parts(&l), "dispersion slots"},
        {&d->device_slots, MEMORY_DEVICE, ELEMENT_I32, 1, (size_t)count_parts(&l), "device dispersion slots"},
        {&d->ends, MEMORY_DEVICE, real, (size_t)ranks->count * (size_t)d->parts_each * 2 * 3, d->pitch,
         "device dispersion parts"},
    };
    CHECK(GPU_PLAN_ARRAYS(plan, prefix, arrays));
    snprintf(name, sizeof name, "%sdispersion ", prefix);
    CHECK(gpu_exchange_plan(&d->gather.exchange, ranks, true, message_bytes(s), plan, name));
    // One solution along y in even steps, two in odd ones; the equations, and the solution along x.
    const struct gpu_allgather_array ends = ends_of_ranks(s);
    const double row = (double)(s->host.pitch * s->host.element), beyond = d->beyond;
    ranks->planned_step_bytes += 1.5 * gpu_allgather_bytes(&d->gather, &ends, 1) +
                                 2 * row * ((TSUNAMI_DISPERSION_PASSED + 1) * beyond + 1);
    return STATUS_OK;
}

enum status solver_start_dispersion(struct solver *s)
{
    struct tsunami_dispersion_ranks *d = &s->dispersion.ranks;
    if (!d->slots)
        return STATUS_OK;
    const struct lines l = lines_of(s->host.setup.geometry->ny, solver_is_single(s));
    for (int rank = 0; rank < s->host.setup.ranks->count; rank++) {
        const struct share *share = &s->host.setup.shares[rank];
        const int first = held_by(&l, share).first_part;
        for (int part = first; part < count_parts(&l) && first_of(&l, part) < (int)share->end; part++)
            d->slots[part] = rank * d->parts_each + part - first;
    }
    return gpu_timeline_upload(s->timeline, d->device_slots, d->slots,
                               (size_t)count_parts(&l) * sizeof *d->slots);
}

// ---- messages

// `rows` rows of the neighbours, beside the own ones.
static enum status exchange_rows(struct solver *s, void *const *arrays, int count, int rows)
{
    const struct tsunami_rows own = s->host.own;
    const size_t bytes = (size_t)rows * s->host.pitch * s->host.element,
                 first = own.first + TSUNAMI_HALO_ROWS, end = own.end + TSUNAMI_HALO_ROWS,
                 reach = (size_t)rows;
    struct gpu_exchange_piece pieces[TSUNAMI_DISPERSION_PASSED];
    for (int k = 0; k < count; k++)
        pieces[k] = (struct gpu_exchange_piece){
            .send = {host_level_row(&s->host, arrays[k], first),
                     host_level_row(&s->host, arrays[k], end - reach)},
            .receive = {host_level_row(&s->host, arrays[k], first - reach),
                        host_level_row(&s->host, arrays[k], end)},
            .bytes = bytes,
            .count = 1,
            .stride = bytes,
        };
    return gpu_exchange_rows(&s->dispersion.ranks.gather.exchange, pieces, count, s->timeline->compute);
}

static enum status launch(struct solver *s, const struct solver_dispersion_step *step,
                          enum tsunami_dispersion_stage stage, int turn)
{
    CUDA_CHECK(tsunami_launch_dispersion(step->level, step->view, stage, turn, 0, step->is_x_first,
                                         s->timeline->compute),
               "to disperse a step");
    return STATUS_OK;
}

// One solution along y of a divided grid.
static enum status solve_along_y(struct solver *s, const struct solver_dispersion_step *step, int turn)
{
    if (turn > 0) // the right-hand side has the solution along x
        CHECK(exchange_rows(s, &s->dispersion.psi[0], 1, s->dispersion.ranks.beyond));
    CHECK(launch(s, step, DISPERSION_PARTS_OF_LINES, turn));
    const struct gpu_allgather_array ends = ends_of_ranks(s);
    CHECK(gpu_allgather_rows(&s->dispersion.ranks.gather, &ends, 1, s->timeline->compute));
    return launch(s, step, DISPERSION_SOLUTION, turn);
}

enum status solver_disperse(struct solver *s, const struct solver_dispersion_step *step)
{
    const bool is_divided = s->host.is_divided;
    void *const equations[TSUNAMI_DISPERSION_PASSED] = {s->dispersion.value[1], s->dispersion.lower[1],
                                                        s->dispersion.upper[1]};
    CHECK(launch(s, step, DISPERSION_EQUATIONS, 0));
    if (is_divided)
        CHECK(exchange_rows(s, equations, TSUNAMI_DISPERSION_PASSED, s->dispersion.ranks.beyond));
    for (int turn = 0; turn < 3; turn++) {
        const bool is_along_x = step->is_x_first == (turn != 1);
        CHECK(is_divided && !is_along_x ? solve_along_y(s, step, turn)
                                        : launch(s, step, DISPERSION_SOLUTION, turn));
    }
    if (is_divided)
        CHECK(exchange_rows(s, &s->dispersion.psi[1], 1, 1));
    return launch(s, step, DISPERSION_EFFECT, 0);
}
