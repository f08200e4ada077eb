// See bench/ising_ladder.h.
#include "bench/ising_ladder.h"

#include "bench/ladder/ising/lattice.h"
#include "bench/ladder/time.h"
#include "core/clock.h"
#include "core/statistics.h"
#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CELLS_MAX = 2048, WARM_SWEEPS = 20, SWEEPS_MAX = 4096, SIDES_MAX = BENCH_SIZES_MAX, RUNGS = 4 };
static const double betas[] = {0.100, 0.440, 0.900}; // those of the thesis' timings
static const int usual_sides[] = {8, 16, 32, 64, 128, 256, 512, 1024, 2048};
static const int shapes[][2] = {{4, 2}, {4, 4}, {8, 2}, {8, 4}, {16, 2}, {16, 4}, {32, 2}, {32, 4}};
enum { BETAS = 3, USUAL_SIDES = 9, SHAPES = 8 };
static const double least_s = 0.02; // of a repetition

static const char *const rung_names[RUNGS] = {[ISING_LADDER_HOST] = "serial",
                                              [ISING_LADDER_GLOBAL] = "global",
                                              [ISING_LADDER_TEXTURE] = "texture",
                                              [ISING_LADDER_STAGED] = "staged"};

struct cell {
    struct ising_ladder_setup setup;
    double sweep_ms, scatter; // NaN: not measured
};

static struct {
    unsigned tables; // that were asked for
    int side_count, cell_count;
    int sides[SIDES_MAX];
    struct cell cells[CELLS_MAX];
} all;

// ---- timing

// The serial rung by its thread's time, which other programs change little; a device by the clock.
static double now_s(const struct ising_ladder_setup *setup)
{
    struct timespec time;
    if (setup->memory != ISING_LADDER_HOST)
        return clock_now_s();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static const char *time_sweeps(struct ising_ladder *lattice, int count, double *seconds)
{
    static int32_t energy[SWEEPS_MAX], magnetisation[SWEEPS_MAX];
    const double start_s = now_s(&lattice->setup);
    const char *why = ising_ladder_advance(lattice, 0, count, energy, magnetisation);
    *seconds = now_s(&lattice->setup) - start_s;
    return why;
}

static const char *time_lattice(const struct bench *bench, struct ising_ladder *lattice, struct cell *cell)
{
    double seconds[BENCH_REPEAT_MAX], first_s;
    const char *why = time_sweeps(lattice, WARM_SWEEPS, &first_s);
    const double wanted = ceil(least_s * WARM_SWEEPS / fmax(first_s, 1e-9));
    const int count = wanted < 1 ? 1 : wanted > SWEEPS_MAX ? SWEEPS_MAX : (int)wanted;
    for (int k = 0; k < bench->repeat && !why; k++)
        why = time_sweeps(lattice, count, &seconds[k]);
    if (why)
        return why;
    const size_t repeat = (size_t)bench->repeat;
    const double median_s = statistics_percentile(seconds, repeat, 50);
    cell->sweep_ms = 1e3 * median_s / count;
    cell->scatter =
        (statistics_percentile(seconds, repeat, 75) - statistics_percentile(seconds, repeat, 25)) /
        (2 * median_s);
    return NULL;
}

static bool is_same(const struct ising_ladder_setup *a, const struct ising_ladder_setup *b)
{
    return a->memory == b->memory && a->side == b->side && a->block_x == b->block_x &&
           a->block_y == b->block_y && a->beta == b->beta;
}

static enum status time_cell(const struct bench *bench, const struct ising_ladder_setup *setup)
{
    struct ising_ladder lattice;
    if (ising_ladder_refusal(setup))
        return STATUS_OK; // the side is no multiple of the block's
    for (int k = 0; k < all.cell_count; k++)
        if (is_same(&all.cells[k].setup, setup))
            return STATUS_OK;
    if (all.cell_count == CELLS_MAX)
        return FAIL(STATUS_SOFTWARE, "bench ising: more than %d times of rungs", CELLS_MAX);
    struct cell *cell = &all.cells[all.cell_count++];
    *cell = (struct cell){.setup = *setup, .sweep_ms = NAN, .scatter = NAN};
    char text[BENCH_TEXT_BYTES];
    snprintf(text, sizeof text, "rung %s, L = %d", rung_names[setup->memory], setup->side);
    bench_show_progress(bench, text);
    const char *why = ising_ladder_open(&lattice, setup);
    if (!why)
        why = time_lattice(bench, &lattice, cell);
    ising_ladder_close(&lattice);
    bench_show_progress(bench, "");
    return why ? FAIL(STATUS_SYSTEM, "bench ising: rung %s, %d x %d: %s", rung_names[setup->memory],
                      setup->side, setup->side, why)
               : STATUS_OK;
}

// As the thesis' script chooses it: the widest block that fits into L.
static struct ising_ladder_setup setup_of(int memory, int side, double beta)
{
    const int half = side / 2;
    struct ising_ladder_setup setup = {.memory = (enum ising_ladder_memory)memory,
                                       .draws = ISING_LADDER_MINSTD,
                                       .side = side,
                                       .beta = beta,
                                       .seed = 45000};
    if (memory != ISING_LADDER_HOST) {
        setup.block_x = half < 32 ? half : 32;
        setup.block_y = half < 4 ? half : 4;
    }
    return setup;
}

static enum status time_side(const struct bench *bench, unsigned tables, int side, double beta)
{
    for (int rung = ISING_LADDER_HOST; rung < RUNGS; rung++) {
        const bool is_host = rung == ISING_LADDER_HOST;
        struct ising_ladder_setup setup = setup_of(rung, side, beta);
        if (!bench_has_entry(bench, !is_host) || (is_host && !(tables & ISING_LADDER_SIZES)))
            continue;
        if (tables & (ISING_LADDER_SOURCE | ISING_LADDER_SIZES))
            CHECK(time_cell(bench, &setup));
        for (int s = 0; (tables & ISING_LADDER_BLOCKS) && !is_host && s < SHAPES; s++) {
            setup.block_x = shapes[s][0];
            setup.block_y = shapes[s][1];
            CHECK(time_cell(bench, &setup));
        }
    }
    return STATUS_OK;
}

enum status ising_ladder_time(const struct bench *bench, unsigned tables)
{
    if (tables == ISING_LADDER_BLOCKS && !bench_has_entry(bench, true))
        return ladder_refuse_blocks(bench);
    all.tables = tables;
    all.cell_count = 0;
    all.side_count = bench->size_count > 0 ? bench->size_count : USUAL_SIDES;
    for (int k = 0; k < all.side_count; k++) {
        const struct ising_ladder_setup host = {
            .side = bench->size_count > 0 ? (int)bench->sizes[k][0] : usual_sides[k], .beta = betas[0]};
        all.sides[k] = host.side;
        if (ising_ladder_refusal(&host))
            return FAIL(STATUS_USAGE, "bench ising: --size %d: %s", host.side, ising_ladder_refusal(&host));
    }
    for (int b = 0; b < BETAS; b++)
        for (int k = 0; k < all.side_count; k++)
            CHECK(time_side(bench, tables, all.sides[k], betas[b]));
    return STATUS_OK;
}

// ---- figures

static double time_of(const struct ising_ladder_setup *setup)
{
    for (int k = 0; k < all.cell_count; k++)
        if (is_same(&all.cells[k].setup, setup))
            return all.cells[k].sweep_ms;
    return NAN;
}

static double rung_ms(int rung, int side, double beta)
{
    const struct ising_ladder_setup setup = setup_of(rung, side, beta);
    return time_of(&setup);
}

static double best_ms(int side, double beta, int *best)
{
    double least = NAN;
    for (int rung = ISING_LADDER_GLOBAL; rung < RUNGS; rung++)
        if (!(rung_ms(rung, side, beta) >= least)) {
            least = fmin(least, rung_ms(rung, side, beta));
            *best = rung;
        }
    return least;
}

// The side from which on the fastest rung on a device is faster than the serial one.
static double find_crossover(double beta)
{
    double sides[SIDES_MAX], serial_ms[SIDES_MAX], device_ms[SIDES_MAX];
    int best;
    for (int k = 0; k < all.side_count; k++) {
        sides[k] = all.sides[k];
        serial_ms[k] = rung_ms(ISING_LADDER_HOST, all.sides[k], beta);
        device_ms[k] = best_ms(all.sides[k], beta, &best);
    }
    return bench_find_crossover(all.side_count, sides, serial_ms, device_ms);
}

static void print_number(const char *format, double value)
{
    if (isfinite(value))
        printf(format, value);
    else
        printf("%10s", "-");
}

static const char no_device[] = "not measured: no device\n";

static void print_source(const struct bench *bench)
{
    printf("\nrungs of Karkoulis (2010) on a device, ms a sweep (figure 4.13)\n");
    if (!bench_has_entry(bench, true)) {
        printf("%s", no_device);
        return;
    }
    printf("%6s %6s%10s%10s%10s%10s%10s\n", "beta", "L", "block", "global", "texture", "staged", "glob/tex");
    for (int b = 0; b < BETAS; b++)
        for (int k = 0; k < all.side_count; k++) {
            const int side = all.sides[k];
            const struct ising_ladder_setup setup = setup_of(ISING_LADDER_GLOBAL, side, betas[b]);
            printf("%6.3f %6d%6d x %d", betas[b], side, setup.block_x, setup.block_y);
            for (int rung = ISING_LADDER_GLOBAL; rung < RUNGS; rung++)
                print_number("%10.4g", rung_ms(rung, side, betas[b]));
            print_number("%10.2f", rung_ms(ISING_LADDER_GLOBAL, side, betas[b]) /
                                       rung_ms(ISING_LADDER_TEXTURE, side, betas[b]));
            printf("\n");
        }
}

// A column for each side that is timed; both are compared.
static void print_side(int side, double beta, bool has_host, bool has_device)
{
    int best = ISING_LADDER_HOST;
    const double device = best_ms(side, beta, &best), serial = rung_ms(ISING_LADDER_HOST, side, beta);
    printf("%6.3f %6d", beta, side);
    if (has_host)
        print_number("%10.4g", serial);
    if (has_device)
        print_number("%10.4g", device);
    if (has_host && has_device)
        print_number("%10.3g", serial / device);
    printf("%s%s\n", has_device ? "  " : "", has_device ? rung_names[best] : "");
}

static void print_sizes(const struct bench *bench)
{
    const bool has_host = bench_has_entry(bench, false), has_device = bench_has_entry(bench, true);
    printf(
        "\nserial rung against the fastest on a device, ms a sweep (figures 4.15, 4.16)\n%6s %6s%s%s%s%s\n",
        "beta", "L", has_host ? "    serial" : "", has_device ? "    device" : "",
        has_host && has_device ? "     ratio" : "", has_device ? "  rung" : "");
    for (int b = 0; b < BETAS; b++) {
        for (int k = 0; k < all.side_count; k++)
            print_side(all.sides[k], betas[b], has_host, has_device);
        const double from = find_crossover(betas[b]);
        if (isfinite(from))
            printf("beta %.3f: the device is the faster one from L = %.2g on\n", betas[b], from);
    }
    if (!has_device)
        printf("device, ratio, rung: %s", no_device);
    if (!has_host)
        printf("serial, ratio: not measured: no processor (none is named by --backend)\n");
}

static void print_blocks(const struct bench *bench)
{
    bool has_gaps = false;
    if (!bench_has_entry(bench, true)) {
        printf("\nrungs by shape of the block, ms a sweep (figure 4.14)\n%s", no_device);
        return;
    }
    for (int rung = ISING_LADDER_GLOBAL; rung < RUNGS; rung++) {
        printf("\nrung %s by shape of the block, ms a sweep (figure 4.14)\n%6s %6s", rung_names[rung], "beta",
               "L");
        for (int s = 0; s < SHAPES; s++)
            printf("%7dx%d ", shapes[s][0], shapes[s][1]);
        printf("\n");
        for (int b = 0; b < BETAS; b++)
            for (int k = 0; k < all.side_count; k++) {
                struct ising_ladder_setup setup = setup_of(rung, all.sides[k], betas[b]);
                printf("%6.3f %6d", betas[b], all.sides[k]);
                for (int s = 0; s < SHAPES; s++) {
                    setup.block_x = shapes[s][0];
                    setup.block_y = shapes[s][1];
                    print_number("%10.4g", time_of(&setup));
                    has_gaps = has_gaps || isnan(time_of(&setup));
                }
                printf("\n");
            }
    }
    if (has_gaps)
        printf("-: L is not a multiple of twice the block's side\n");
}

void ising_ladder_print(const struct bench *bench, unsigned tables)
{
    if (tables & ISING_LADDER_SOURCE)
        print_source(bench);
    if (tables & ISING_LADDER_SIZES)
        print_sizes(bench);
    if (tables & ISING_LADDER_BLOCKS)
        print_blocks(bench);
    if (all.cell_count == 0)
        return;
    printf("\nan int a spin, helical boundary, energy and magnetisation of every sweep on the host, %d "
           "sweeps from a cold start before; serial: sites\nat random, by the thread's own time; on a device "
           "2 x 2 sites a thread, and four launches a sweep, where the thesis has two that race;\nrandom "
           "numbers: Park and Miller's, as there\n",
           WARM_SWEEPS);
}

// ---- the author's figures

// The largest gain of a rung over `global`, over all sides and temperatures.
static double best_gain(int rung, struct bench_figure *figure)
{
    double best = NAN;
    for (int b = 0; b < BETAS; b++)
        for (int k = 0; k < all.side_count; k++) {
            const double gain =
                rung_ms(ISING_LADDER_GLOBAL, all.sides[k], betas[b]) / rung_ms(rung, all.sides[k], betas[b]);
            if (isfinite(gain) && !(gain <= best)) {
                best = gain;
                snprintf(figure->what, sizeof figure->what, "the most, at L = %d, beta %.3f", all.sides[k],
                         betas[b]);
            }
        }
    return best;
}

// The number of threads of the fastest shape on the largest lattice.
static double best_threads(int rung, double beta, struct bench_figure *figure)
{
    double best = NAN, least_ms = INFINITY;
    struct ising_ladder_setup setup = setup_of(rung, all.sides[all.side_count - 1], beta);
    for (int s = 0; s < SHAPES; s++) {
        setup.block_x = shapes[s][0];
        setup.block_y = shapes[s][1];
        if (!(time_of(&setup) < least_ms))
            continue;
        least_ms = time_of(&setup);
        best = setup.block_x * setup.block_y;
        snprintf(figure->what, sizeof figure->what, "%d x %d threads, L = %d, beta %.3f", setup.block_x,
                 setup.block_y, setup.side, beta);
    }
    return best;
}

// Whether what the figure follows from was asked for and can be had; else why not.
static bool has_times(const struct bench *bench, unsigned tables, struct bench_figure *figure)
{
    const bool is_of_sizes = strcmp(figure->table, "figure-4.16") == 0;
    const unsigned needed = is_of_sizes                                 ? ISING_LADDER_SIZES
                            : strcmp(figure->table, "figure-4.14") == 0 ? ISING_LADDER_BLOCKS
                                                                        : ISING_LADDER_SOURCE;
    if (!bench_has_entry(bench, true))
        snprintf(figure->why, sizeof figure->why, "no device");
    else if (is_of_sizes && !bench_has_entry(bench, false))
        snprintf(figure->why, sizeof figure->why, "no processor (none is named by --backend)");
    else if (!(tables & needed))
        snprintf(figure->why, sizeof figure->why, "it takes --table %s too",
                 is_of_sizes ? "sizes" : "blocks");
    return figure->why[0] == '\0';
}

double ising_ladder_find_ours(const struct bench *bench, struct bench_figure *figure)
{
    const double beta = betas[1]; // near the critical one
    double ours = NAN;
    int rung = ISING_LADDER_GLOBAL;
    if (!has_times(bench, all.tables, figure))
        return NAN;
    while (rung < RUNGS && strcmp(rung_names[rung], figure->rung) != 0)
        rung++;
    if (rung < RUNGS && strcmp(figure->table, "figure-4.13") == 0)
        ours = best_gain(rung, figure);
    else if (rung < RUNGS && strcmp(figure->table, "figure-4.14") == 0)
        ours = best_threads(rung, beta, figure);
    else if (strcmp(figure->table, "figure-4.16") == 0) {
        ours = find_crossover(beta);
        snprintf(figure->what, sizeof figure->what, "the fastest against serial, beta %.3f", beta);
    }
    figure->has_rung = isfinite(ours) && ours > 0;
    if (!figure->has_rung)
        snprintf(figure->why, sizeof figure->why, "%s",
                 ours == 0 ? "the device is the faster one at every L"
                           : "the device is the faster one at no L");
    return figure->has_rung ? ours : NAN;
}

void ising_ladder_report(const struct bench *bench, cJSON *report)
{
    cJSON *ladder = cJSON_AddObjectToObject(report, "ladder"), *rows = cJSON_AddArrayToObject(ladder, "rows"),
          *crossovers = cJSON_AddArrayToObject(ladder, "crossovers");
    (void)bench;
    for (int k = 0; k < all.cell_count; k++) {
        const struct cell *cell = &all.cells[k];
        cJSON *row = json_append_object(rows);
        cJSON_AddStringToObject(row, "rung", rung_names[cell->setup.memory]);
        cJSON_AddNumberToObject(row, "side", cell->setup.side);
        cJSON_AddNumberToObject(row, "beta", cell->setup.beta);
        if (cell->setup.memory != ISING_LADDER_HOST) {
            cJSON_AddNumberToObject(row, "block_x", cell->setup.block_x);
            cJSON_AddNumberToObject(row, "block_y", cell->setup.block_y);
        }
        cJSON_AddNumberToObject(row, "sweep_ms", cell->sweep_ms);
        cJSON_AddNumberToObject(row, "scatter", cell->scatter);
    }
    for (int b = 0; b < BETAS; b++) {
        const double from = find_crossover(betas[b]);
        if (isnan(from))
            continue;
        cJSON *item = json_append_object(crossovers);
        cJSON_AddNumberToObject(item, "beta", betas[b]);
        if (isinf(from))
            cJSON_AddNullToObject(item, "from_side"); // at none
        else
            cJSON_AddNumberToObject(item, "from_side", from);
    }
}
