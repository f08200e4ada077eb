// A CUDA Ising solver's arrays: their part of the memory plan, and the copies between host and device.
#include "gpu/ising/ranks.h"
#include "gpu/memory.h"
#include "parallel/ranks.h"

// Larger mirrors are not pinned: they are copied at the start and for checkpoints only.
#define PINNED_BYTES_MAX ((size_t)1 << 30)

static size_t count_lines(const struct solver *s)
{
    return (size_t)(s->setup.physics->lattice.rows + s->setup.physics->lattice.columns);
}

enum status ising_plan_arrays(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct ising_words *l = &s->lattice.layout;
    const size_t replicas = (size_t)l->replicas, held = (size_t)l->held;
    const size_t lines = count_lines(s), pairs = 2 * ISING_DISTANCES;
    const enum memory_kind mirror =
        ising_own_words(s) * sizeof(uint32_t) > PINNED_BYTES_MAX ? MEMORY_HOST : MEMORY_PINNED;
    const struct gpu_array arrays[] = {
        {&s->words_memory, MEMORY_DEVICE, ELEMENT_I32, replicas, 2 * held * (size_t)l->words, "device spins"},
        {&s->plain.spins, MEMORY_DEVICE, ELEMENT_U8, s->way == ISING_PLAIN ? ising_plain_parts(&s->plain) : 0,
         held * ising_plain_row_bytes(&s->plain), "device spins, unpacked"},
        {&s->flipped, MEMORY_DEVICE, ELEMENT_I64, 1, replicas, "device cluster sizes"},
        {&s->measures, MEMORY_DEVICE, ELEMENT_I64, replicas, ISING_MEASURE_NUMBERS, "device measures"},
        {&s->sums, MEMORY_DEVICE, ELEMENT_I64, replicas, lines > pairs ? lines : pairs,
         "device correlations"},
        {&s->note, MEMORY_DEVICE, ELEMENT_U8, 1, GPU_NOTE_BYTES, "device note"},
        {&s->mirror_words, mirror, ELEMENT_I32, replicas, ising_own_words(s) / replicas, "mirror spins"},
        {&s->mirror_flipped, MEMORY_PINNED, ELEMENT_I64, 1, replicas, "mirror cluster sizes"},
        {&s->mirror_measures, MEMORY_PINNED, ELEMENT_I64, replicas, ISING_MEASURE_NUMBERS, "mirror measures"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

// Of several ranks, row 0 may lie before the memory that the plan has reserved.
static void point_words(struct solver *s)
{
    s->lattice.words = s->words_memory - s->lattice.first_held * s->lattice.layout.words;
}

// The own rows of each plane follow each other in the mirror.
static enum status copy_words(struct solver *s, bool to_device)
{
    const struct ising_words *l = &s->lattice.layout;
    const size_t planes = 2 * (size_t)l->replicas, own = ising_own_words(s) / planes,
                 held = (size_t)(l->held * l->words), parts = own == held ? 1 : planes,
                 bytes = planes / parts * own * sizeof(uint32_t);
    for (size_t k = 0; k < parts; k++) {
        uint32_t *device = s->words_memory + k * held + (parts > 1 ? (size_t)l->words : 0),
                 *mirror = s->mirror_words + k * own;
        CHECK(to_device ? gpu_timeline_upload(&s->timeline, device, mirror, bytes)
                        : gpu_timeline_download(&s->timeline, mirror, device, bytes));
    }
    return STATUS_OK;
}

// The cluster sizes in the mirror are those of all ranks, on the device of the first.
enum status ising_send_mirror(struct solver *s, bool has_flipped)
{
    const size_t flipped = (size_t)s->lattice.layout.replicas * sizeof *s->flipped;
    point_words(s);
    CHECK(copy_words(s, true));
    s->is_plain = false;
    CUDA_CHECK(ising_device_mask(&s->lattice, s->timeline.compute), "to clear unused bits");
    CHECK(ising_exchange_words(s));
    if (has_flipped && (!s->setup.shares || s->setup.ranks->rank == 0))
        CHECK(gpu_timeline_upload(&s->timeline, s->flipped, s->mirror_flipped, flipped));
    else
        CHECK(gpu_timeline_fill(&s->timeline, s->flipped, 0, flipped));
    return gpu_timeline_finish_compute(&s->timeline);
}

enum status ising_fetch_mirror(struct solver *s)
{
    const size_t replicas = (size_t)s->lattice.layout.replicas;
    CHECK(ising_gather(s));
    CHECK(copy_words(s, false));
    CHECK(gpu_timeline_download(&s->timeline, s->mirror_flipped, s->flipped, replicas * sizeof *s->flipped));
    CHECK(gpu_timeline_finish_compute(&s->timeline));
    return ising_device_add_ranks(s, s->mirror_flipped, replicas);
}

enum status ising_fetch_measures(struct solver *s, struct ising_measure *measures)
{
    _Static_assert(sizeof *measures == ISING_MEASURE_NUMBERS * sizeof *s->measures, "as the device has them");
    const size_t replicas = (size_t)s->lattice.layout.replicas;
    CHECK(gpu_timeline_download(&s->timeline, s->mirror_measures, s->measures, replicas * sizeof *measures));
    CHECK(gpu_timeline_finish_compute(&s->timeline));
    CHECK(ising_device_add_ranks(s, (int64_t *)s->mirror_measures, replicas * ISING_MEASURE_NUMBERS));
    for (size_t k = 0; k < replicas; k++)
        measures[k] = s->mirror_measures[k];
    return STATUS_OK;
}

// Copies `count` numbers of each replica to its row of `to`, from column `first` on.
static enum status fetch_sums(struct solver *s, int64_t *to, size_t first, size_t length,
                              const long long *from, size_t from_length, size_t count)
{
    CUDA_CHECK(cudaMemcpy2DAsync(to + first, length * sizeof *to, from, from_length * sizeof *from,
                                 count * sizeof *to, (size_t)s->lattice.layout.replicas,
                                 cudaMemcpyDeviceToHost, s->timeline.compute),
               "a copy from the device");
    return STATUS_OK;
}

enum status ising_fetch_correlations(struct solver *s, size_t distances, const int64_t *distance,
                                     int64_t *correlations)
{
    const size_t length = ising_correlations_length(&s->setup.physics->lattice, distances);
    CHECK(ising_gather(s));
    for (size_t first = 0; first < distances; first += ISING_DISTANCES) {
        struct ising_device_distances part = {.count = 0};
        for (; part.count < ISING_DISTANCES && first + (size_t)part.count < distances; part.count++)
            part.distance[part.count] = distance[first + (size_t)part.count];
        const size_t count = (size_t)part.count;
        if (s->setup.shares)
            CHECK(ising_correlate_ranks(s, &part));
        else
            CUDA_CHECK(ising_device_correlate(&s->lattice, &part, s->sums, s->timeline.compute),
                       "the correlations");
        for (size_t axis = 0; axis < 2; axis++)
            CHECK(fetch_sums(s, correlations, axis * distances + first, length, s->sums + axis * count,
                             2 * count, count));
    }
    CUDA_CHECK(ising_device_add_lines(&s->lattice, s->sums, s->timeline.compute), "the sums of rows");
    CHECK(fetch_sums(s, correlations, 2 * distances, length, s->sums, count_lines(s), count_lines(s)));
    CHECK(gpu_timeline_finish_compute(&s->timeline));
    return ising_device_add_ranks(s, correlations, (size_t)s->lattice.layout.replicas * length);
}
