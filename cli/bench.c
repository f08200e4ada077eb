// `fathom bench MODEL`: hands over to the model's own benchmark.
#include "cli/commands.h"
#include "cli/session.h"
#include "core/status.h"
#include "core/threads.h"
#include "models/model.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

int command_bench(int argc, char **argv)
{
    const bool wants_help = argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    const struct model *model = argc >= 2 && !wants_help ? model_find(argv[1]) : NULL;
    if (model && model->bench && threads_try(omp_get_max_threads()) != STATUS_OK)
        return session_fail(STATUS_SYSTEM);
    if (model && model->bench)
        return model->bench(argc - 1, argv + 1);
    FILE *stream = wants_help ? stdout : stderr;
    fputs("Usage: fathom bench MODEL [OPTIONS]\n\nMeasures every variant of a model's solver on this "
          "machine, beside what the machine's\nmemory or arithmetic does alone. fathom bench MODEL --help "
          "shows the model's options. Models:",
          stream);
    for (const struct model *const *known = model_list(); *known; known++)
        if ((*known)->bench)
            fprintf(stream, " %s", (*known)->name);
    fputc('\n', stream);
    return wants_help ? 0 : status_exit_code(STATUS_USAGE);
}
