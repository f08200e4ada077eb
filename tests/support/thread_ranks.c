// Ranks that are threads (see the header). A message is a copy in a list; a send is done at once.
#include "tests/support/thread_ranks.h"

#include "tests/support/asserts.h"

#include <pthread.h>

struct message {
    struct message *next;
    int channel, from, to, tag;
    size_t bytes;
    unsigned char data[];
};

struct waiting {
    int channel, from, to, tag;
    void *data;
    size_t bytes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct message *first;
static int rank_count;

struct member {
    int rank;
    struct transport transport;
    struct ranks ranks;
    void (*work)(struct ranks *ranks, void *shared);
    void *shared;
    pthread_t thread;
};

static bool start(void *context, struct transport_world *world, char *why)
{
    const struct member *member = context;
    (void)why;
    *world = (struct transport_world){.rank = member->rank, .count = rank_count, .local_rank = member->rank};
    snprintf(world->host, sizeof world->host, "host%d", member->rank / 2);
    snprintf(world->library, sizeof world->library, "threads");
    return true;
}

static bool send(void *context, enum transport_channel channel, int to, int tag, const void *data,
                 size_t bytes, struct transport_request *request, char *why)
{
    struct message *message = malloc(sizeof *message + bytes);
    (void)why;
    if (!message)
        abort();
    *message = (struct message){.channel = (int)channel,
                                .from = ((struct member *)context)->rank,
                                .to = to,
                                .tag = tag,
                                .bytes = bytes};
    memcpy(message->data, data, bytes);
    pthread_mutex_lock(&lock);
    struct message **end = &first;
    while (*end)
        end = &(*end)->next;
    *end = message;
    pthread_mutex_unlock(&lock);
    request->handle[0] = NULL;
    return true;
}

static bool receive(void *context, enum transport_channel channel, int from, int tag, void *data,
                    size_t bytes, struct transport_request *request, char *why)
{
    struct waiting *waiting = malloc(sizeof *waiting);
    (void)why;
    if (!waiting)
        abort();
    *waiting = (struct waiting){(int)channel, from, ((struct member *)context)->rank, tag, data, bytes};
    request->handle[0] = waiting;
    return true;
}

static bool test(void *context, struct transport_request *request, bool *is_done, char *why)
{
    struct waiting *w = request->handle[0];
    (void)context;
    *is_done = !w;
    if (!w)
        return true;
    pthread_mutex_lock(&lock);
    struct message **at = &first, *found = NULL;
    for (; *at && !found; at = found ? at : &(*at)->next)
        if ((*at)->channel == w->channel && (*at)->from == w->from && (*at)->to == w->to &&
            (*at)->tag == w->tag) {
            found = *at;
            *at = found->next;
            break;
        }
    pthread_mutex_unlock(&lock);
    const bool is_right = !found || found->bytes == w->bytes;
    if (found && is_right)
        memcpy(w->data, found->data, w->bytes);
    if (!is_right)
        snprintf(why, TRANSPORT_WHY_BYTES, "%zu bytes came, %zu were expected", found->bytes, w->bytes);
    *is_done = found;
    if (found)
        free(w);
    free(found);
    return is_right;
}

static bool cancel(void *context, struct transport_request *request)
{
    (void)context;
    free(request->handle[0]);
    return true;
}

static void end(void *context)
{
    (void)context;
}

static void *run_member(void *argument)
{
    struct member *member = argument;
    if (ranks_begin(&member->ranks, &member->transport) != STATUS_OK)
        abort();
    member->work(&member->ranks, member->shared);
    return NULL;
}

void thread_ranks_run(int count, void (*work)(struct ranks *ranks, void *shared), void *shared)
{
    static struct member members[THREAD_RANKS_MAX];
    assert_true(count <= THREAD_RANKS_MAX);
    rank_count = count;
    for (int r = 0; r < count; r++) {
        members[r] = (struct member){.rank = r, .work = work, .shared = shared};
        members[r].transport =
            (struct transport){TRANSPORT_VERSION, &members[r], start, send, receive, test, cancel, end};
        assert_int_equal(pthread_create(&members[r].thread, NULL, run_member, &members[r]), 0);
    }
    for (int r = 0; r < count; r++) {
        pthread_join(members[r].thread, NULL);
        ranks_free(&members[r].ranks);
    }
    while (first) { // what nobody received: a rank failed
        struct message *next = first->next;
        free(first);
        first = next;
    }
}
