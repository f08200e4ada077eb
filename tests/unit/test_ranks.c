// parallel/: decisions, sums and exchanges of ranks that are threads; the bits are those of one rank.
#include "tests/support/test.h"

#include "core/memory_plan.h"
#include "parallel/exchange.h"
#include "parallel/gather.h"
#include "parallel/launch.h"
#include "parallel/ring.h"
#include "parallel/sums.h"
#include "tests/support/statuses.h"
#include "tests/support/stencil.h"
#include "tests/support/thread_ranks.h"

#include <math.h>
#include <stdatomic.h>
#include <unistd.h>

static int begin(void **state)
{
    status_clear();
    return 0;
}

TEST_SUITE(.setup = begin, .limit_s = 120);

// ---- decisions

static atomic_int wrong;

static void expect(bool is_right)
{
    if (!is_right)
        atomic_fetch_add(&wrong, 1);
}

static void decide(struct ranks *ranks, void *shared)
{
    (void)shared;
    for (int turn = 0; turn < 20; turn++) {
        int64_t values[40];
        for (int k = 0; k < 40; k++)
            values[k] = (ranks->rank * 7 + k + turn) % 11;
        expect(ranks_largest(ranks, TRANSPORT_STEPS, values, 40) == STATUS_OK);
        for (int k = 0; k < 40; k++) {
            int64_t most = 0;
            for (int r = 0; r < ranks->count; r++)
                most = (r * 7 + k + turn) % 11 > most ? (r * 7 + k + turn) % 11 : most;
            expect(values[k] == most);
        }
        int64_t sums[2] = {ranks->rank + turn, -(int64_t)ranks->rank};
        expect(ranks_add(ranks, TRANSPORT_STEPS, sums, 2) == STATUS_OK);
        expect(sums[1] == -(int64_t)ranks->count * (ranks->count - 1) / 2);
        expect(sums[0] + sums[1] == (int64_t)turn * ranks->count);
        char text[8] = "";
        if (ranks->rank == 0)
            snprintf(text, sizeof text, "turn %d", turn);
        expect(ranks_share(ranks, TRANSPORT_STEPS, text, sizeof text) == STATUS_OK);
        expect(atoi(text + 5) == turn);
    }
}

TEST(test_all_ranks_decide_the_same)
{
    for (int count = 1; count <= 7; count++) {
        wrong = 0;
        thread_ranks_run(count, decide, NULL);
        assert_int_equal(wrong, 0);
    }
}

// Two ranks on each host (thread_ranks.c); the last may be alone.
static void look_for_hosts(struct ranks *ranks, void *shared)
{
    (void)shared;
    for (int r = 0; r < ranks->count; r++) {
        const struct ranks_host host = ranks_host_of(ranks, r);
        expect(host.first == r / 2 * 2);
        expect(host.count == (host.first + 1 < ranks->count ? 2 : 1));
    }
    expect(ranks_host_count(ranks) == (ranks->count + 1) / 2);
}

TEST(test_ranks_are_counted_by_hosts)
{
    for (int count = 1; count <= 7; count++) {
        wrong = 0;
        thread_ranks_run(count, look_for_hosts, NULL);
        assert_int_equal(wrong, 0);
    }
}

// Number k is known to rank k % count alone; the last two to none and to all.
enum { JOINED = 9003 };

static double joined(int64_t k)
{
    static const double odd[] = {0.0, -0.0, INFINITY, -INFINITY, -1e300, 5e-324, -5e-324};
    const int64_t which = k % 16;
    return which < 7 ? odd[which] : which == 7 ? -NAN : which == 8 ? NAN : sin((double)k) - 0.5;
}

static void join(struct ranks *ranks, void *shared)
{
    double *values = malloc(JOINED * sizeof *values);
    (void)shared;
    for (int64_t k = 0; k < JOINED; k++)
        if (k == JOINED - 1 || (k < JOINED - 2 && k % ranks->count == ranks->rank))
            values[k] = joined(k);
        else
            ranks_forget(values + k, 1);
    expect(ranks_join(ranks, TRANSPORT_STEPS, values, JOINED) == STATUS_OK);
    for (int64_t k = 0; k < JOINED; k++) {
        const double right = k == JOINED - 2 ? -0.0 : joined(k);
        expect(memcmp(&values[k], &right, sizeof right) == 0);
    }
    free(values);
}

TEST(test_values_that_one_rank_knows_are_joined)
{
    for (int count = 1; count <= 6; count++) {
        wrong = 0;
        thread_ranks_run(count, join, NULL);
        assert_int_equal(wrong, 0);
    }
}

// Of two ranks both neighbours are the same one; what goes up must not be taken for what goes down.
static void go_around(struct ranks *ranks, void *shared)
{
    const int rank = ranks->rank, count = ranks->count;
    (void)shared;
    for (int turn = 0; turn < 20; turn++) {
        const int up = 2 * rank, down = 2 * rank + 1;
        int above = -1, below = -1, seen = rank;
        const struct ring_messages messages = {&up, &down, &above, &below, sizeof up};
        expect(ring_swap(ranks, &messages) == STATUS_OK);
        expect(above == (count == 1 ? -1 : 2 * ((rank + count - 1) % count) + 1));
        expect(below == (count == 1 ? -1 : 2 * ((rank + 1) % count)));
        for (int hop = 1; hop < count; hop++) {
            int next = -1;
            expect(ring_pass(ranks, &seen, &next, sizeof seen) == STATUS_OK);
            seen = next;
            expect(seen == (rank + hop) % count);
        }
    }
}

TEST(test_neighbours_in_a_ring)
{
    for (int count = 1; count <= 6; count++) {
        wrong = 0;
        thread_ranks_run(count, go_around, NULL);
        assert_int_equal(wrong, 0);
    }
}

// Rank 0 comes late, or is lost, for which the others do not wait for ever.
static void come_late(struct ranks *ranks, void *shared)
{
    const bool is_lost = shared != NULL;
    for (int turn = 0; turn < 3; turn++) {
        int64_t data[2] = {-1, -1};
        if (ranks->rank == 0) {
            usleep(30000);
            if (is_lost)
                ranks_set_failure(ranks, 0, STATUS_IO, true, "rank 0 is lost");
            if (is_lost)
                return;
            data[0] = turn;
            data[1] = 7;
        } else if (is_lost) {
            ranks_set_failure(ranks, 0, STATUS_IO, true, "rank 0 is lost");
            expect(ranks_share_late(ranks, TRANSPORT_STEPS, data, sizeof data) == STATUS_IO);
            return;
        }
        expect(ranks_share_late(ranks, TRANSPORT_STEPS, data, sizeof data) == STATUS_OK);
        expect(data[0] == turn && data[1] == 7);
    }
}

TEST(test_the_others_rest_until_rank_0_comes)
{
    for (int count = 1; count <= 4; count++) {
        wrong = 0;
        thread_ranks_run(count, come_late, NULL);
        assert_int_equal(wrong, 0);
    }
    wrong = 0;
    thread_ranks_run(3, come_late, &wrong);
    assert_int_equal(wrong, 0);
    assert_string_equal(status_message(), "rank 0 is lost");
    status_clear();
}

static void fail_at_one(struct ranks *ranks, void *shared)
{
    int64_t value = 0;
    (void)shared;
    if (ranks->rank == 1) {
        ranks_set_failure(ranks, 2, STATUS_IO, true, "rank 2 is lost");
        expect(ranks_largest(ranks, TRANSPORT_STEPS, &value, 1) == STATUS_IO);
    }
}

TEST(test_a_wait_ends_when_a_rank_is_lost)
{
    wrong = 0;
    thread_ranks_run(3, fail_at_one, NULL); // rank 1 waits for rank 0, which has gone
    assert_int_equal(wrong, 0);
    assert_string_equal(status_message(), "rank 2 is lost");
}

// ---- sums

enum { SUM_COUNT = 5 * STATISTICS_BLOCK + 1234 };
static double values[SUM_COUNT];
static uint64_t borders[THREAD_RANKS_MAX + 1];
static double totals[THREAD_RANKS_MAX][2];

static double number(uint64_t k)
{
    return sin((double)k * 12.9898) * pow(10, (double)(k % 13) - 6);
}

static void add_up(struct ranks *ranks, void *shared)
{
    const uint64_t first = borders[ranks->rank], end = borders[ranks->rank + 1];
    struct rank_sum sums[2];
    (void)shared;
    for (int k = 0; k < 2; k++) {
        void *memory = malloc(sums_bytes(first, end));
        expect(sums_init(&sums[k], first, end, SUM_COUNT, memory, sums_bytes(first, end)) == STATUS_OK);
    }
    for (int turn = 0; turn < 2; turn++) { // the second time after a clear
        for (uint64_t i = first; i < end; i++) {
            sums_add(&sums[0], i, values[i]);
            if (i % 3 != 0) // land
                sums_add(&sums[1], i, -values[i]);
        }
        expect(sums_totals(ranks, (struct rank_sum *const[]){&sums[0], &sums[1]}, 2, totals[ranks->rank]) ==
               STATUS_OK);
        sums_clear(&sums[0]);
        sums_clear(&sums[1]);
    }
    free(sums[0].head);
    free(sums[1].head);
}

// The memory as a device fills it; what it need not set is not a number.
static void fill_memory(double *memory, uint64_t first, uint64_t end)
{
    const uint64_t first_block = first / STATISTICS_BLOCK;
    const bool is_continued = first % STATISTICS_BLOCK != 0;
    for (size_t k = 0; k < sums_bytes(first, end) / sizeof *memory; k++)
        memory[k] = k >= STATISTICS_BLOCK + (is_continued ? STATISTICS_LANES : 0) ? 0 : (double)NAN;
    for (uint64_t i = first; i < end; i++) {
        const uint64_t block = i / STATISTICS_BLOCK - first_block;
        double *const lane = memory + STATISTICS_BLOCK + block * STATISTICS_LANES + i % STATISTICS_LANES;
        if (block == 0 && is_continued)
            memory[i % STATISTICS_BLOCK] = values[i];
        else
            *lane += values[i];
    }
}

static void take_up(struct ranks *ranks, void *shared)
{
    const uint64_t first = borders[ranks->rank], end = borders[ranks->rank + 1];
    struct rank_sum sum;
    double *memory = malloc(sums_bytes(first, end));
    (void)shared;
    fill_memory(memory, first, end);
    expect(sums_take(&sum, first, end, SUM_COUNT, memory, sums_bytes(first, end)) == STATUS_OK);
    expect(sums_totals_on(ranks, TRANSPORT_FILES, (struct rank_sum *const[]){&sum}, 1, totals[ranks->rank]) ==
           STATUS_OK);
    free(memory);
}

TEST(test_sums_have_the_bits_of_one_rank)
{
    static const uint64_t cuts[][THREAD_RANKS_MAX + 1] = {
        {0, SUM_COUNT},
        {0, 4096, SUM_COUNT},                        // at a border of blocks
        {0, 1, SUM_COUNT},                           // one element
        {0, 100, 200, 300, SUM_COUNT},               // four ranks in one block
        {0, 5000, 5000, 9000, SUM_COUNT, SUM_COUNT}, // ranks without elements
        {0, 4095, 4097, 12288, 20479, 20480, SUM_COUNT},
    };
    static double land[SUM_COUNT];
    for (uint64_t k = 0; k < SUM_COUNT; k++) {
        values[k] = number(k);
        land[k] = k % 3 != 0 ? -values[k] : 0;
    }
    const double expected[2] = {statistics_block_sum(values, SUM_COUNT),
                                statistics_block_sum(land, SUM_COUNT)};
    for (size_t c = 0; c < COUNT(cuts); c++) {
        int count = 0;
        memcpy(borders, cuts[c], sizeof borders);
        while (count < THREAD_RANKS_MAX && borders[count + 1] > 0)
            count++;
        wrong = 0;
        thread_ranks_run(count, add_up, NULL);
        assert_int_equal(wrong, 0);
        for (int r = 0; r < count; r++)
            assert_memory_equal(totals[r], expected, sizeof expected);
        memset(totals, 0, sizeof totals);
        thread_ranks_run(count, take_up, NULL);
        assert_int_equal(wrong, 0);
        for (int r = 0; r < count; r++)
            assert_memory_equal(totals[r], expected, sizeof *expected);
    }
}

// ---- exchange: steps of a stencil of reach 2 on rows held with the indices of the whole grid

enum { ROWS = 61, COLUMNS = 5, STEPS = 24 };
static double whole[ROWS][COLUMNS];
static int depth_of_test;
static bool is_ring_of_test;

static void advance(struct exchange *e, double **states)
{
    const enum stencil_ends ends = !is_ring_of_test       ? STENCIL_EDGES
                                   : e->ranks->count == 1 ? STENCIL_WRAPS
                                                          : STENCIL_HOLDS;
    for (int step = 0; step < STEPS; step++) {
        const int since = step % depth_of_test;
        if (since == 0) {
            expect(exchange_begin(e) == STATUS_OK);
            expect(exchange_end(e) == STATUS_OK);
        }
        stencil_step(states, exchange_valid(e, since + 1), ROWS, COLUMNS, ends);
    }
}

static void step_rows(struct ranks *ranks, void *shared)
{
    struct share shares[THREAD_RANKS_MAX];
    struct exchange e;
    struct memory_plan *plan = calloc(1, sizeof *plan);
    double *states[2];
    (void)shared;
    expect(shares_cut(
               &(struct shares_request){
                   .rows = ROWS, .ranks = ranks->count, .least = 2 * depth_of_test, .what = "rows"},
               shares) == STATUS_OK);
    expect(exchange_begin_plan(&e, ranks, shares, ROWS, 2, depth_of_test) == STATUS_OK);
    if (is_ring_of_test)
        exchange_close_ring(&e);
    const struct share held = exchange_held(&e);
    memory_plan_begin(plan);
    for (int k = 0; k < 2; k++)
        expect(memory_plan_add_rows(plan, MEMORY_HOST, ELEMENT_F64, (size_t)held.first, (size_t)held.end,
                                    COLUMNS, (void **)&states[k], "state %d", k) == STATUS_OK);
    expect(exchange_add(&e, (void *const *)&states[0], COLUMNS * sizeof(double)) == STATUS_OK);
    expect(memory_plan_reserve(plan, SIZE_MAX, SIZE_MAX) == STATUS_OK && memory_plan_is_valid(plan));
    for (int64_t row = held.first; row < held.end; row++)
        for (int64_t c = 0; c < COLUMNS; c++) { // the halo holds nonsense until the first exchange
            const bool is_own = row >= e.own.first && row < e.own.end;
            states[0][row * COLUMNS + c] = is_own ? stencil_start(row, c) : NAN;
        }
    advance(&e, states);
    expect(exchange_is_valid(&e));
    expect(e.bytes == exchange_message_bytes(&e) * (double)e.exchanges);
    for (int64_t row = e.own.first; row < e.own.end; row++)
        memcpy(whole[row], &states[0][row * COLUMNS], sizeof whole[row]);
    memory_plan_release(plan);
    free(plan);
}

static void assert_rows_are_those_of_one_rank(bool is_ring)
{
    static double expected[ROWS][COLUMNS];
    is_ring_of_test = is_ring;
    depth_of_test = 1;
    wrong = 0;
    thread_ranks_run(1, step_rows, NULL);
    memcpy(expected, whole, sizeof whole);
    assert_true(isfinite(expected[0][0]) && expected[30][2] != stencil_start(30, 2));
    for (depth_of_test = 1; depth_of_test <= 6; depth_of_test++)
        for (int count = 2; count <= 5; count++) {
            memset(whole, 0, sizeof whole);
            thread_ranks_run(count, step_rows, NULL);
            assert_int_equal(wrong, 0);
            assert_memory_equal(whole, expected, sizeof whole);
        }
}

// ---- what fails on an I/O thread

static enum status fail_to_save(void *context, struct checkpoint_header *header,
                                const struct checkpoint_array *arrays, int array_count)
{
    (void)context, (void)header, (void)arrays, (void)array_count;
    return FAIL(STATUS_IO, "the disk is full");
}

static void save(struct ranks *ranks, void *shared)
{
    (void)shared;
    struct gather gather = {.ranks = ranks};
    struct checkpoint_header header = {0};
    const struct sink sink = gather_sink(&gather, (struct sink){.checkpoint = fail_to_save});
    if (ranks->rank != 1)
        return;
    expect(!ranks_have_failed(ranks));
    expect(sink.checkpoint(sink.context, &header, NULL, 0) == STATUS_IO);
    expect(ranks_have_failed(ranks) && ranks->failure.status == STATUS_IO && ranks->failure.rank == 1);
}

TEST(test_what_fails_on_an_io_thread_is_known_at_once)
{
    wrong = 0;
    thread_ranks_run(2, save, NULL);
    assert_int_equal(wrong, 0);
}

TEST(test_rows_have_the_bits_of_one_rank)
{
    assert_rows_are_those_of_one_rank(false);
}

TEST(test_rows_of_a_ring_have_the_bits_of_one_rank)
{
    assert_rows_are_those_of_one_rank(true);
}

// ---- launchers

static const char *const *environment;

static const char *get(const char *name)
{
    for (const char *const *at = environment; *at; at += 2)
        if (strcmp(at[0], name) == 0)
            return at[1];
    return NULL;
}

static void assert_launch(const char *const *variables, enum launch_mpi mpi, int rank, int count)
{
    environment = variables;
    const struct launch found = launch_find(get);
    assert_int_equal(found.mpi, mpi);
    if (mpi == LAUNCH_NONE)
        return;
    assert_int_equal(found.rank, rank);
    assert_int_equal(found.count, count);
}

TEST(test_launchers_are_known_by_their_environment)
{
    assert_launch((const char *[]){NULL}, LAUNCH_NONE, 0, 0);
    assert_launch(
        (const char *[]){"OMPI_COMM_WORLD_SIZE", "4", "OMPI_COMM_WORLD_RANK", "3", "PMIX_RANK", "3", NULL},
        LAUNCH_OPENMPI, 3, 4);
    assert_launch((const char *[]){"PMI_RANK", "1", "PMI_SIZE", "2", "MPI_LOCALNRANKS", "2", NULL},
                  LAUNCH_MPICH, 1, 2);
    assert_launch((const char *[]){"OMPI_COMM_WORLD_SIZE", "1", "OMPI_COMM_WORLD_RANK", "0", NULL},
                  LAUNCH_NONE, 0, 0);
    // A batch script of Slurm has tasks, but is no step of several.
    assert_launch((const char *[]){"SLURM_NTASKS", "4", "SLURM_PROCID", "0", NULL}, LAUNCH_NONE, 0, 0);
    assert_launch((const char *[]){"SLURM_STEP_ID", "0", "SLURM_STEP_NUM_TASKS", "4", "SLURM_PROCID", "2",
                                   "PMIX_RANK", "2", NULL},
                  LAUNCH_OPENMPI, 2, 4);
    assert_launch(
        (const char *[]){"SLURM_STEP_ID", "0", "SLURM_STEP_NUM_TASKS", "4", "SLURM_PROCID", "2", NULL},
        LAUNCH_UNKNOWN, 2, 4);
    assert_launch((const char *[]){"SLURM_STEP_ID", "0", "SLURM_STEP_NUM_TASKS", "1", "SLURM_PROCID", "0",
                                   "PMI_RANK", "0", NULL},
                  LAUNCH_NONE, 0, 1);
}
