// See the header. After hop h a rank has the parts of the h ranks before it and after it. Of an even number
// of ranks the last part would come from both sides: there each side brings every other piece of it.
//
// All ranks send pieces of the same size, although their parts differ: a piece is no longer than the shortest
// part, and a part's last pieces overlap, so that each lies within it.
#include "gpu/allgather.h"

#include <stdint.h>

enum { LOW = GPU_EXCHANGE_LOW, HIGH = GPU_EXCHANGE_HIGH };
// Of a message: large beside what an exchange takes for its flags, small beside arrays of many bodies.
static const size_t message_most = (size_t)16 << 20;
// The wide copies of an exchange.
static const size_t alignment = 16;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

// The bytes of a rank's rows.
struct part {
    size_t first, length;
};

static struct part part_of(const struct gpu_allgather_array *array, int rank)
{
    const struct share share = array->shares ? array->shares[rank] : (struct share){rank, rank + 1};
    const size_t first = (size_t)share.first * array->row_bytes,
                 end = smaller((size_t)share.end * array->row_bytes, array->bytes);
    return (struct part){first, end - first};
}

static size_t aligned_down(size_t bytes)
{
    return bytes - bytes % (bytes >= alignment ? alignment : sizeof(uint32_t));
}

// How an array is cut: pieces of `bytes` bytes, `count` of them in the longest part.
struct cutting {
    size_t bytes, count;
};

static bool comes_twice(const struct ranks *ranks, int hop)
{
    return 2 * hop == ranks->count;
}

static struct cutting cut_array(const struct ranks *ranks, const struct gpu_allgather_array *array, int hop,
                                size_t room)
{
    size_t shortest = SIZE_MAX, longest = 0;
    for (int r = 0; r < ranks->count; r++) {
        const size_t length = part_of(array, r).length;
        shortest = smaller(shortest, length);
        longest = length > longest ? length : longest;
    }
    const size_t most = shortest <= room ? shortest : aligned_down(room);
    if (most == 0)
        return (struct cutting){0, 0};
    size_t pieces = (longest + most - 1) / most;
    pieces += comes_twice(ranks, hop) ? pieces % 2 : 0; // for two sides
    const size_t bytes = aligned_down((longest + pieces - 1) / pieces + alignment - 1);
    return (struct cutting){smaller(bytes, most), pieces};
}

// For a hop. Small arrays, which come last, leave what they do not need to the larger ones. Returns the
// pieces of that which has most.
static size_t cut_arrays(const struct gpu_allgather *gather, const struct gpu_allgather_array *arrays,
                         int count, int hop, struct cutting cuttings[GPU_ALLGATHER_ARRAYS_MAX])
{
    size_t room = gather->exchange.message_bytes, most = 0;
    for (int a = count - 1; a >= 0; a--) {
        cuttings[a] = cut_array(gather->exchange.ranks, &arrays[a], hop, room / (size_t)(a + 1));
        room -= cuttings[a].bytes;
        most = cuttings[a].count > most ? cuttings[a].count : most;
    }
    return most;
}

// Exchanges of a hop, of so many pieces.
static size_t turns_of(const struct ranks *ranks, int hop, size_t pieces)
{
    return comes_twice(ranks, hop) ? (pieces + 1) / 2 : pieces;
}

static char *place_of(const struct gpu_allgather_array *array, const struct cutting *cutting, int rank,
                      size_t piece)
{
    const struct part part = part_of(array, rank);
    return (char *)array->data + part.first + smaller(piece * cutting->bytes, part.length - cutting->bytes);
}

static void set_piece(const struct ranks *ranks, const struct gpu_allgather_array *array,
                      const struct cutting *cutting, int hop, size_t turn, struct gpu_exchange_piece *piece)
{
    const int n = ranks->count, rank = ranks->rank;
    const bool twice = comes_twice(ranks, hop);
    // Of what goes down, and up.
    const size_t down = twice ? 2 * turn : turn, up = twice ? 2 * turn + 1 : turn;
    *piece =
        (struct gpu_exchange_piece){.send = {[LOW] = place_of(array, cutting, (rank + hop - 1) % n, down),
                                             [HIGH] = place_of(array, cutting, (rank + n - hop + 1) % n, up)},
                                    .receive = {[LOW] = place_of(array, cutting, (rank + n - hop) % n, up),
                                                [HIGH] = place_of(array, cutting, (rank + hop) % n, down)},
                                    .bytes = cutting->bytes,
                                    .count = 1,
                                    .stride = cutting->bytes};
}

enum status gpu_allgather_plan(struct gpu_allgather *gather, struct ranks *ranks, size_t bytes,
                               struct memory_plan *plan, const char *prefix)
{
    return gpu_exchange_plan(&gather->exchange, ranks, true, smaller(bytes, message_most), plan, prefix);
}

enum status gpu_allgather_open(struct gpu_allgather *gather)
{
    return gpu_exchange_open(&gather->exchange);
}

void gpu_allgather_close(struct gpu_allgather *gather)
{
    gpu_exchange_close(&gather->exchange);
}

enum status gpu_allgather_finish(struct gpu_allgather *gather)
{
    return gpu_exchange_finish(&gather->exchange);
}

enum status gpu_allgather_rows(struct gpu_allgather *gather, const struct gpu_allgather_array *arrays,
                               int count, cudaStream_t stream)
{
    struct cutting cuttings[GPU_ALLGATHER_ARRAYS_MAX];
    const struct ranks *ranks = gather->exchange.ranks;
    if (!ranks)
        return STATUS_OK;
    for (int hop = 1; hop <= ranks->count / 2; hop++) {
        const size_t pieces = cut_arrays(gather, arrays, count, hop, cuttings);
        for (size_t turn = 0; turn < turns_of(ranks, hop, pieces); turn++) {
            struct gpu_exchange_piece sent[GPU_ALLGATHER_ARRAYS_MAX];
            int parts = 0;
            for (int a = 0; a < count; a++)
                if (turn < turns_of(ranks, hop, cuttings[a].count))
                    set_piece(ranks, &arrays[a], &cuttings[a], hop, turn, &sent[parts++]);
            CHECK(gpu_exchange_rows(&gather->exchange, sent, parts, stream));
        }
    }
    return STATUS_OK;
}

double gpu_allgather_bytes(const struct gpu_allgather *gather, const struct gpu_allgather_array *arrays,
                           int count)
{
    struct cutting cuttings[GPU_ALLGATHER_ARRAYS_MAX];
    const struct ranks *ranks = gather->exchange.ranks;
    double bytes = 0;
    if (!ranks)
        return 0;
    for (int hop = 1; hop <= ranks->count / 2; hop++) {
        (void)cut_arrays(gather, arrays, count, hop, cuttings);
        for (int a = 0; a < count; a++)
            bytes += 2.0 * (double)(turns_of(ranks, hop, cuttings[a].count) * cuttings[a].bytes);
    }
    return bytes;
}
