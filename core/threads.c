// Threads that the system grants: see threads.h.
#include "core/threads.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct crowd {
    pthread_mutex_t lock;
    pthread_cond_t is_over_changed;
    bool is_over;
};

static void *wait_for_end(void *argument)
{
    struct crowd *crowd = argument;
    pthread_mutex_lock(&crowd->lock);
    while (!crowd->is_over)
        pthread_cond_wait(&crowd->is_over_changed, &crowd->lock);
    pthread_mutex_unlock(&crowd->lock);
    return NULL;
}

// OMP_STACKSIZE: a number and B, K, M or G, without a letter K. 0: the system's default.
static size_t stack_bytes(void)
{
    const char *text = getenv("OMP_STACKSIZE");
    char *end;
    if (!text)
        text = getenv("GOMP_STACKSIZE");
    const unsigned long long number = text ? strtoull(text, &end, 10) : 0;
    if (number == 0)
        return 0;
    end += strspn(end, " ");
    const int shift = *end == 'B' || *end == 'b'   ? 0
                      : *end == 'M' || *end == 'm' ? 20
                      : *end == 'G' || *end == 'g' ? 30
                                                   : 10;
    return (size_t)number << shift;
}

static enum status fail_at(int number, int count, int error)
{
    return FAIL(STATUS_SYSTEM,
                "thread %d of %d cannot be started: %s; fewer threads (--threads, OMP_NUM_THREADS) or a "
                "higher limit of processes (ulimit -u, pids.max) or memory (ulimit -v) helps",
                number, count, strerror(error));
}

enum status threads_try(int count)
{
    struct crowd crowd = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
    pthread_attr_t attributes;
    int started = 0, error = 0;
    pthread_t *threads = count > 1 ? malloc((size_t)(count - 1) * sizeof *threads) : NULL;
    if (count <= 1)
        return STATUS_OK;
    if (!threads || pthread_attr_init(&attributes) != 0) {
        free(threads);
        return FAIL(STATUS_SYSTEM, "no memory to begin %d threads", count);
    }
    if (stack_bytes() > 0)
        (void)pthread_attr_setstacksize(&attributes,
                                        stack_bytes()); // one that is too small is OpenMP's to refuse
    for (; started < count - 1 && error == 0; started += error == 0)
        error = pthread_create(&threads[started], &attributes, wait_for_end, &crowd);
    pthread_mutex_lock(&crowd.lock);
    crowd.is_over = true;
    pthread_cond_broadcast(&crowd.is_over_changed);
    pthread_mutex_unlock(&crowd.lock);
    for (int k = 0; k < started; k++)
        pthread_join(threads[k], NULL);
    pthread_attr_destroy(&attributes);
    free(threads);
    return error == 0 ? STATUS_OK : fail_at(started + 2, count, error);
}
