// The rate of a plain copy in the host's memory: see the header.
#include "bench/host_copy.h"

#include "core/clock.h"
#include "core/memory_plan.h"
#include "core/statistics.h"

enum status host_copy_rate(int repeat, double *bytes_per_s)
{
    const size_t count = (size_t)32 << 20;
    double *from = NULL, *to = NULL, seconds[HOST_COPY_REPEAT_MAX];
    static struct memory_plan plan;
    memory_plan_begin(&plan);
    CHECK(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_F64, 1, count, (void **)&from, "copy from"));
    CHECK(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_F64, 1, count, (void **)&to, "copy to"));
    CHECK(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX));
    for (int k = -1; k < repeat; k++) {
        const double begin_s = clock_now_s();
#pragma omp parallel for simd schedule(static)
        for (size_t i = 0; i < count; i++)
            to[i] = from[i] + 1.0;
        if (k >= 0)
            seconds[k] = clock_now_s() - begin_s;
    }
    *bytes_per_s = 16.0 * (double)count / statistics_median(seconds, (size_t)repeat);
    memory_plan_release(&plan);
    return STATUS_OK;
}
