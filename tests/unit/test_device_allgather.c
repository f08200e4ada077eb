// gpu/allgather: which pieces a rank sends in which order, played on the processor. The exchange between
// devices is this file's own: it notes what each rank sends and receives, and then plays all ranks together,
// turn by turn, around the ring.
#include "tests/support/test.h"

#include "gpu/allgather.h"

enum { RANKS_MOST = 9, CALLS_MOST = 4096, ROWS_MOST = 5000, ARRAYS = 3 };

struct call {
    struct gpu_exchange_piece pieces[GPU_ALLGATHER_ARRAYS_MAX];
    int count;
};

static struct call calls[RANKS_MOST][CALLS_MOST];
static int call_count[RANKS_MOST];
static uint32_t numbers[RANKS_MOST][ARRAYS][4 * ROWS_MOST];

// ---- the exchange of this test

enum status gpu_exchange_plan(struct gpu_exchange *exchange, struct ranks *ranks, bool is_ring,
                              size_t message_bytes, struct memory_plan *plan, const char *prefix)
{
    (void)plan, (void)prefix;
    assert_true(is_ring);
    *exchange = (struct gpu_exchange){.ranks = ranks, .message_bytes = message_bytes};
    return STATUS_OK;
}

enum status gpu_exchange_open(struct gpu_exchange *exchange)
{
    (void)exchange;
    return STATUS_OK;
}

void gpu_exchange_close(struct gpu_exchange *exchange)
{
    (void)exchange;
}

enum status gpu_exchange_finish(struct gpu_exchange *exchange)
{
    (void)exchange;
    return STATUS_OK;
}

enum status gpu_exchange_rows(struct gpu_exchange *exchange, const struct gpu_exchange_piece *pieces,
                              int count, cudaStream_t stream)
{
    const int rank = exchange->ranks->rank;
    struct call *call = &calls[rank][call_count[rank]++];
    size_t bytes = 0;
    (void)stream;
    assert_true(call_count[rank] < CALLS_MOST && count <= GPU_ALLGATHER_ARRAYS_MAX);
    call->count = count;
    for (int k = 0; k < count; k++) {
        call->pieces[k] = pieces[k];
        assert_true(pieces[k].count == 1 && pieces[k].bytes > 0 && pieces[k].bytes % 4 == 0);
        bytes += pieces[k].bytes;
    }
    assert_true(bytes <= exchange->message_bytes);
    return STATUS_OK;
}

// ---- all ranks together

static void deliver(int from, int to, int side, int turn)
{
    const struct call *sent = &calls[from][turn], *received = &calls[to][turn];
    const int other = GPU_EXCHANGE_SIDES - 1 - side;
    assert_int_equal(sent->count, received->count);
    for (int k = 0; k < sent->count; k++) {
        assert_int_equal(sent->pieces[k].bytes, received->pieces[k].bytes);
        memmove(received->pieces[k].receive[other], sent->pieces[k].send[side], sent->pieces[k].bytes);
    }
}

// What is received in a turn is not sent in it: the order of the ranks does not matter.
static void play(int ranks)
{
    for (int turn = 0; turn < call_count[0]; turn++)
        for (int r = 0; r < ranks; r++) {
            assert_int_equal(call_count[r], call_count[0]);
            deliver(r, (r + ranks - 1) % ranks, GPU_EXCHANGE_LOW, turn);
            deliver(r, (r + 1) % ranks, GPU_EXCHANGE_HIGH, turn);
        }
}

static uint32_t number_at(int array, size_t k)
{
    return (uint32_t)(array + 1) * 1000000u + (uint32_t)k;
}

// Rows of the first array have four numbers, and the last row is cut; one number in the second; the third has
// a row of four for each rank. Returns what a rank sends.
static double gather(int ranks, const struct share *shares, size_t message_bytes)
{
    const size_t rows = (size_t)shares[ranks - 1].end;
    const size_t lengths[ARRAYS] = {4 * rows - 3, rows, 4 * (size_t)ranks};
    double bytes = 0;
    memset(call_count, 0, sizeof call_count);
    memset(numbers, 0, sizeof numbers);
    for (int r = 0; r < ranks; r++) {
        struct ranks rank = {.rank = r, .count = ranks};
        struct gpu_allgather g = {.exchange = {.ranks = NULL}};
        const struct gpu_allgather_array arrays[ARRAYS] = {{numbers[r][0], 16, lengths[0] * 4, shares},
                                                           {numbers[r][1], 4, lengths[1] * 4, shares},
                                                           {numbers[r][2], 16, lengths[2] * 4, NULL}};
        for (int a = 0; a < ARRAYS; a++) {
            const struct share own = arrays[a].shares ? arrays[a].shares[r] : (struct share){r, r + 1};
            const size_t row = arrays[a].row_bytes / 4, end = (size_t)own.end * row;
            for (size_t k = (size_t)own.first * row; k < end && k < lengths[a]; k++)
                numbers[r][a][k] = number_at(a, k);
        }
        assert_int_equal(gpu_allgather_plan(&g, &rank, message_bytes, NULL, ""), STATUS_OK);
        assert_int_equal(gpu_allgather_rows(&g, arrays, ARRAYS, NULL), STATUS_OK);
        bytes = gpu_allgather_bytes(&g, arrays, ARRAYS);
    }
    play(ranks);
    for (int r = 0; r < ranks; r++)
        for (int a = 0; a < ARRAYS; a++) {
            for (size_t k = 0; k < lengths[a]; k++)
                assert_int_equal(numbers[r][a][k], number_at(a, k));
            assert_int_equal(numbers[r][a][lengths[a]], 0); // nothing beyond
        }
    return bytes;
}

static double sent_by_first(void)
{
    double bytes = 0;
    for (int turn = 0; turn < call_count[0]; turn++)
        for (int k = 0; k < calls[0][turn].count; k++)
            bytes += 2.0 * (double)calls[0][turn].pieces[k].bytes;
    return bytes;
}

static void cut_evenly(int ranks, int64_t rows, struct share *shares)
{
    for (int r = 0; r < ranks; r++)
        shares[r] = (struct share){rows * r / ranks, rows * (r + 1) / ranks};
}

TEST_SUITE(.setup = NULL);

TEST(test_all_rows_on_all_ranks)
{
    struct share shares[RANKS_MOST];
    for (int ranks = 2; ranks <= RANKS_MOST; ranks++)
        for (size_t message = 256; message <= 65536; message *= 16) {
            cut_evenly(ranks, 1237, shares);
            const double bytes = gather(ranks, shares, message);
            assert_true(bytes == sent_by_first());
        }
}

TEST(test_unequal_shares)
{
    const struct share two[] = {{0, 1}, {1, 300}}, three[] = {{0, 7}, {7, 700}, {700, 701}},
                       four[] = {{0, 3}, {3, 600}, {600, 602}, {602, 607}};
    for (size_t message = 128; message <= 65536; message *= 8) {
        (void)gather(2, two, message);
        (void)gather(3, three, message);
        (void)gather(4, four, message);
    }
}

// What messages can hold: each part goes about once to each other rank; of an even number of ranks in two
// pieces, of which each side brings one. Pieces overlap by a few bytes of each part, and a row that is one
// piece comes from both sides.
TEST(test_nothing_is_sent_twice)
{
    struct share shares[RANKS_MOST];
    for (int ranks = 2; ranks <= RANKS_MOST; ranks++) {
        cut_evenly(ranks, 512 * ranks - 9, shares);
        const double part = 512 * (16 + 4), bytes = gather(ranks, shares, 1 << 20);
        assert_true(bytes <= (ranks - 1) * (part + 3 * 32));
        assert_int_equal(call_count[0], ranks - 1);
    }
    cut_evenly(2, 4096, shares);
    assert_true(gather(2, shares, 4096) < 1.1 * 2048 * (16 + 4));
}

// A block of each rank, of a length that wide copies do not divide: one message for each hop.
TEST(test_equal_blocks_are_not_cut)
{
    enum { NUMBERS = 5 };
    for (int ranks = 2; ranks <= RANKS_MOST; ranks++) {
        memset(call_count, 0, sizeof call_count);
        memset(numbers, 0, sizeof numbers);
        for (int r = 0; r < ranks; r++) {
            struct ranks rank = {.rank = r, .count = ranks};
            struct gpu_allgather g = {.exchange = {.ranks = NULL}};
            const struct gpu_allgather_array array = {numbers[r][0], 4 * NUMBERS, 4 * NUMBERS * (size_t)ranks,
                                                      NULL};
            for (int k = NUMBERS * r; k < NUMBERS * (r + 1); k++)
                numbers[r][0][k] = number_at(0, (size_t)k);
            assert_int_equal(gpu_allgather_plan(&g, &rank, 4 * NUMBERS, NULL, ""), STATUS_OK);
            assert_int_equal(gpu_allgather_rows(&g, &array, 1, NULL), STATUS_OK);
        }
        assert_int_equal(call_count[0], ranks / 2);
        play(ranks);
        for (int r = 0; r < ranks; r++)
            for (int k = 0; k < NUMBERS * ranks; k++)
                assert_int_equal(numbers[r][0][k], number_at(0, (size_t)k));
    }
}
