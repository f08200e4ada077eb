// `fathom run` that counts: the program of launch_heat's case "allocations". Exit status 70, with a line, if
// a thread of this rank that may not allocate did so after the seal, or if planned and used bytes differ.
// What MPI allocates for its messages is its own; with FATHOM_TEST_COUNTED_PEAK each rank prints it.
#include "cli/commands.h"
#include "core/memory_plan.h"
#include "gpu/device.h"
#include "parallel/launch.h"
#include "tests/fault/allocation_books.h"

#include <stdio.h>

enum { EXIT_COUNTED = 70 };

static const struct transport *module;
static struct transport counted;
static bool is_planned_used = true;
static int rank, seals;

// Undone by the caller.
static bool let_allocate(void)
{
    const bool before = memory_thread_may_allocate;
    memory_thread_may_allocate = is_in_transport = true;
    return before;
}

static void end_call(bool before)
{
    memory_thread_may_allocate = before;
    is_in_transport = false;
}

static bool counted_send(void *context, enum transport_channel channel, int to, int tag, const void *data,
                         size_t bytes, struct transport_request *request, char *why)
{
    const bool before = let_allocate(),
               is_sent = module->send(context, channel, to, tag, data, bytes, request, why);
    end_call(before);
    return is_sent;
}

static bool counted_receive(void *context, enum transport_channel channel, int from, int tag, void *data,
                            size_t bytes, struct transport_request *request, char *why)
{
    const bool before = let_allocate(),
               is_posted = module->receive(context, channel, from, tag, data, bytes, request, why);
    end_call(before);
    return is_posted;
}

static bool counted_test(void *context, struct transport_request *request, bool *is_done, char *why)
{
    const bool before = let_allocate(), is_tested = module->test(context, request, is_done, why);
    end_call(before);
    return is_tested;
}

// ---- calls that the linker sends here (--wrap)

enum status __real_launch_start(void);
enum status __wrap_launch_start(void);
void __real_memory_plan_seal(struct memory_plan *plan);
void __wrap_memory_plan_seal(struct memory_plan *plan);

enum status __wrap_launch_start(void)
{
    CHECK(__real_launch_start());
    struct ranks *ranks = launch_ranks();
    if (ranks->count == 1)
        return STATUS_OK;
    module = ranks->transport;
    counted = *module;
    counted.send = counted_send;
    counted.receive = counted_receive;
    counted.test = counted_test;
    ranks->transport = &counted;
    return STATUS_OK;
}

void __wrap_memory_plan_seal(struct memory_plan *plan)
{
    is_planned_used =
        memory_plan_is_valid(plan) && memory_plan_used_bytes(plan) == memory_plan_array_bytes(plan);
    rank = launch_ranks()->rank;
    seals++;
    __real_memory_plan_seal(plan);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return EXIT_COUNTED;
    gpu_register();
    reset_books();
    const int code = command_run(argc - 1, argv + 1);
    if (getenv("FATHOM_TEST_COUNTED_PEAK"))
        fprintf(stderr, "rank %d: %ld allocations of messages, at most %lld bytes, %lld at the end\n", rank,
                atomic_load(&transport_count), atomic_load(&transport_peak_bytes),
                atomic_load(&transport_held_bytes));
    const long forbidden = atomic_load(&forbidden_count);
    if (forbidden == 0 && is_planned_used && seals == 1)
        return code;
    fprintf(stderr,
            "rank %d: %ld allocations after the seal, the first of %zu bytes by thread %s; %d seals; planned "
            "%s\n",
            rank, forbidden, atomic_load(&forbidden_bytes), forbidden_thread, seals,
            is_planned_used ? "= used" : "!= used");
    print_forbidden_calls();
    return EXIT_COUNTED;
}
