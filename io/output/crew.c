// Threads that compress: see crew.h.
#include "io/output/crew.h"

#include "io/output/deflate.h"
#include "io/output/pack.h"

#include <pthread.h>
#include <string.h>

enum {
    BLOCK = 1024, // numbers that are packed and shuffled at a time, in the fastest cache
    STACK_BYTES = 256 << 10,
    SHUFFLE = 0, // the filters' places in the file (output_define_packed)
    DEFLATE = 1,
};

struct worker {
    pthread_t thread;
    struct output_crew *crew;
    unsigned char *bytes; // of one chunk, shuffled
    void *state;          // of io/output/deflate.h
};

struct output_crew {
    pthread_mutex_t lock;
    pthread_cond_t submitted, progressed;
    int threads;
    size_t slots, room; // pieces in the ring; bytes of a result
    // Counted from the first: pieces that were submitted, taken by a thread, released; and sources that are
    // not read yet.
    size_t made, taken, released, unread;
    bool is_over;
    struct worker workers[OUTPUT_CREW_THREADS_MAX];
    bool is_done[4 * OUTPUT_CREW_THREADS_MAX];
    struct output_piece pieces[4 * OUTPUT_CREW_THREADS_MAX];
    unsigned char *results;
};

// ---- memory

// While a thread works on one piece, the next waits and another one is being written.
static size_t slots_of(int threads)
{
    return 3 * (size_t)threads + 1;
}

size_t output_crew_bytes(int threads, size_t chunk_bytes)
{
    const size_t worker =
        output_crew_aligned(chunk_bytes) + output_crew_aligned(output_deflate_state_bytes());
    return output_crew_aligned(sizeof(struct output_crew)) + (size_t)threads * worker +
           slots_of(threads) * output_crew_aligned(output_deflate_bound(chunk_bytes));
}

// ---- one piece

OUTPUT_WIDE static void shuffle(const uint32_t *words, size_t count, size_t stored_bytes,
                                unsigned char *bytes, size_t plane)
{
    const uint64_t *pairs = (const void *)words;
    if (stored_bytes == 1)
        memcpy(bytes, words, count);
    for (size_t p = 0; p < 4 && stored_bytes == 4; p++)
        for (size_t i = 0; i < count; i++)
            bytes[p * plane + i] = (unsigned char)(words[i] >> 8 * p);
    for (size_t p = 0; p < 8 && stored_bytes == 8; p++)
        for (size_t i = 0; i < count; i++)
            bytes[p * plane + i] = (unsigned char)(pairs[i] >> 8 * p);
}

static void pad(const struct output_piece *piece, unsigned char *bytes, size_t first, size_t count)
{
    const size_t stored = piece->numbers.stored_bytes, plane = piece->chunk_records * piece->chunk_elements;
    for (size_t p = 0; p < stored; p++)
        if (piece->numbers.is_deflated)
            memset(bytes + p * plane + first, piece->numbers.missing[p], count);
    for (size_t i = first; i < first + count && !piece->numbers.is_deflated; i++)
        memcpy(bytes + i * stored, piece->numbers.missing, stored);
}

// Some numbers, one after another, to the place `at` of the chunk.
static void read_block(struct output_piece *piece, const void *source, size_t count, unsigned char *bytes,
                       size_t at)
{
    _Alignas(uint64_t) uint32_t block[2 * BLOCK];
    const struct output_numbers *numbers = &piece->numbers;
    if (numbers->variable) {
        piece->is_refused |=
            !output_pack_numbers(numbers->variable, numbers->element, source, count, (int *)block);
        output_range_join(&piece->range, output_packed_range(numbers->variable, (int *)block, count));
    } else {
        memcpy(block, source, count * numbers->stored_bytes);
        output_range_extend(&piece->range, numbers->element, source, count);
    }
    if (numbers->is_deflated)
        shuffle(block, count, numbers->stored_bytes, bytes + at,
                piece->chunk_records * piece->chunk_elements);
    else
        memcpy(bytes + at * numbers->stored_bytes, block, count * numbers->stored_bytes);
}

static void read_source(struct output_piece *piece, unsigned char *bytes)
{
    const size_t element = element_bytes(piece->numbers.element);
    for (size_t r = 0; r < piece->records; r++) {
        const unsigned char *record = (const unsigned char *)piece->source + r * piece->stride;
        const size_t at = r * piece->chunk_elements;
        for (size_t i = 0; i < piece->elements; i += BLOCK) {
            const size_t count = piece->elements - i < BLOCK ? piece->elements - i : BLOCK;
            read_block(piece, record + i * element, count, bytes, at + i);
        }
        pad(piece, bytes, at + piece->elements, piece->chunk_elements - piece->elements);
    }
    pad(piece, bytes, piece->records * piece->chunk_elements,
        (piece->chunk_records - piece->records) * piece->chunk_elements);
}

// The shuffled bytes of a chunk into its result. Bytes that cannot be compressed may be stored as they are.
static void finish(const struct output_crew *crew, struct output_piece *piece, const struct worker *worker,
                   unsigned char *result)
{
    const size_t bytes = piece->chunk_records * piece->chunk_elements * piece->numbers.stored_bytes;
    piece->data = result;
    piece->bytes = bytes;
    if (!piece->numbers.is_deflated)
        return;
    piece->bytes = output_deflate(worker->state, worker->bytes, bytes, result, crew->room);
    if (piece->bytes > 0)
        return;
    memcpy(result, worker->bytes, bytes);
    piece->bytes = bytes;
    piece->left_out = 1u << DEFLATE;
}

// ---- threads

static void *work(void *argument)
{
    const struct worker *worker = argument;
    struct output_crew *crew = worker->crew;
    pthread_mutex_lock(&crew->lock);
    for (;;) {
        while (crew->taken == crew->made && !crew->is_over)
            pthread_cond_wait(&crew->submitted, &crew->lock);
        if (crew->is_over)
            break;
        const size_t slot = crew->taken++ % crew->slots;
        pthread_mutex_unlock(&crew->lock);
        struct output_piece *piece = &crew->pieces[slot];
        unsigned char *result = crew->results + slot * output_crew_aligned(crew->room);
        read_source(piece, piece->numbers.is_deflated ? worker->bytes : result);
        pthread_mutex_lock(&crew->lock);
        if (--crew->unread == 0)
            pthread_cond_signal(&crew->progressed);
        pthread_mutex_unlock(&crew->lock);
        finish(crew, piece, worker, result);
        pthread_mutex_lock(&crew->lock);
        crew->is_done[slot] = true;
        if (slot == crew->released % crew->slots)
            pthread_cond_signal(&crew->progressed);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

static enum status start(struct output_crew *crew, int threads)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return FAIL(STATUS_SYSTEM, "no memory to begin %d threads that compress", threads);
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int error = 0;
    for (; crew->threads < threads && error == 0; crew->threads += error == 0)
        error = pthread_create(&crew->workers[crew->threads].thread, &attributes, work,
                               &crew->workers[crew->threads]);
    pthread_attr_destroy(&attributes);
    return error == 0 ? STATUS_OK
                      : FAIL(STATUS_SYSTEM,
                             "thread %d of %d that compress results cannot be started: %s; fewer threads "
                             "(--threads) or a higher limit of processes (ulimit -u, pids.max) or memory "
                             "(ulimit -v) helps",
                             crew->threads + 1, threads, strerror(error));
}

enum status output_crew_open(void *memory, int threads, size_t chunk_bytes, struct output_crew **crew)
{
    struct output_crew *c = memory;
    unsigned char *next = (unsigned char *)memory + output_crew_aligned(sizeof *c);
    memset(c, 0, sizeof *c);
    *crew = NULL;
    c->slots = slots_of(threads);
    c->room = output_deflate_bound(chunk_bytes);
    for (int k = 0; k < threads; k++) {
        struct worker *worker = &c->workers[k];
        worker->crew = c;
        worker->bytes = next;
        worker->state = next + output_crew_aligned(chunk_bytes);
        next += output_crew_aligned(chunk_bytes) + output_crew_aligned(output_deflate_state_bytes());
        if (!output_deflate_begin(worker->state))
            return FAIL(STATUS_SYSTEM, "the library for compression (zlib) cannot be used");
    }
    c->results = next;
    if (pthread_mutex_init(&c->lock, NULL) != 0 || pthread_cond_init(&c->submitted, NULL) != 0 ||
        pthread_cond_init(&c->progressed, NULL) != 0)
        return FAIL(STATUS_SYSTEM, "the locks of the threads that compress cannot be made");
    const enum status status = start(c, threads);
    if (status == STATUS_OK)
        *crew = c;
    else
        output_crew_close(c);
    return status;
}

void output_crew_close(struct output_crew *crew)
{
    if (!crew)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->is_over = true;
    pthread_cond_broadcast(&crew->submitted);
    pthread_mutex_unlock(&crew->lock);
    for (int k = 0; k < crew->threads; k++)
        pthread_join(crew->workers[k].thread, NULL);
    pthread_cond_destroy(&crew->progressed);
    pthread_cond_destroy(&crew->submitted);
    pthread_mutex_destroy(&crew->lock);
}

// ---- the ring

struct output_piece *output_crew_free(struct output_crew *crew)
{
    return crew->made - crew->released < crew->slots ? &crew->pieces[crew->made % crew->slots] : NULL;
}

void output_crew_submit(struct output_crew *crew)
{
    const size_t slot = crew->made % crew->slots;
    struct output_piece *piece = &crew->pieces[slot];
    piece->range = output_range_none;
    piece->is_refused = false;
    piece->left_out = 0;
    pthread_mutex_lock(&crew->lock);
    crew->is_done[slot] = false;
    crew->made++;
    crew->unread++;
    pthread_cond_signal(&crew->submitted);
    pthread_mutex_unlock(&crew->lock);
}

const struct output_piece *output_crew_oldest(struct output_crew *crew, bool waits_for_done)
{
    const size_t slot = crew->released % crew->slots;
    if (crew->released == crew->made)
        return NULL;
    pthread_mutex_lock(&crew->lock);
    while (!crew->is_done[slot] && (waits_for_done || crew->unread > 0))
        pthread_cond_wait(&crew->progressed, &crew->lock);
    const bool is_done = crew->is_done[slot];
    pthread_mutex_unlock(&crew->lock);
    return is_done ? &crew->pieces[slot] : NULL;
}

void output_crew_release(struct output_crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    crew->released++;
    pthread_mutex_unlock(&crew->lock);
}

const struct output_piece *output_crew_refused(struct output_crew *crew)
{
    const struct output_piece *found = NULL;
    pthread_mutex_lock(&crew->lock); // what the threads wrote before they let go of it is seen now
    for (size_t k = crew->released; k < crew->made && !found; k++)
        if (crew->unread == 0 && crew->pieces[k % crew->slots].is_refused)
            found = &crew->pieces[k % crew->slots];
    pthread_mutex_unlock(&crew->lock);
    return found;
}

void output_crew_drop(struct output_crew *crew)
{
    while (output_crew_oldest(crew, true))
        output_crew_release(crew);
}
