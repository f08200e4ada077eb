// `fathom bench MODEL`: calls the benchmark of the model.
#include "bench/bench.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "core/status.h"
#include "core/threads.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

static int report_unknown(const char *word)
{
    char names[128] = "";
    size_t used = 0;
    for (const struct bench_model *const *known = bench_list(); *known && used < sizeof names; known++)
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", (*known)->name);
    FAIL(STATUS_USAGE, "bench: \"%s\" is not a model (%s); see fathom bench --help", word, names);
    return options_report_failure(STATUS_USAGE);
}

int command_bench(int argc, char **argv)
{
    const bool wants_help = argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    const struct bench_model *model = argc >= 2 && !wants_help ? bench_find(argv[1]) : NULL;
    if (model && threads_try(omp_get_max_threads()) != STATUS_OK)
        return options_report_failure(STATUS_SYSTEM);
    if (model)
        return bench_main(model, argc - 1, argv + 1);
    if (argc >= 2 && !wants_help)
        return report_unknown(argv[1]);
    FILE *stream = wants_help ? stdout : stderr;
    fputs("Usage: fathom bench MODEL [OPTIONS]\n\nTimes each method of a model on each back end that this "
          "machine can run, and compares it with\nthe rates of the machine's memory and arithmetic.\n\n"
          "fathom bench MODEL --help shows the model's options. Models:",
          stream);
    for (const struct bench_model *const *known = bench_list(); *known; known++)
        fprintf(stream, " %s", (*known)->name);
    fputc('\n', stream);
    return wants_help ? 0 : status_exit_code(STATUS_USAGE);
}
