// Job files as text: read, hashed, checked against their model's keys, parts opened, and as far into the
// model as they go.
#include "io/job/job.h"

#include "tests/fuzz/support/model_calls.h"

FUZZ_HARNESS(job)
{
    model_calls_inputs();
    model_calls_make(fuzz_write("job.json", data, size));
    return 0;
}
