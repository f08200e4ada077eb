// The command line of `fathom run`: options, help, and the explanation of a job's keys.
#include "cli/run_options.h"

#include "cli/options.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: fathom run [OPTIONS] JOB.json\n"
    "       fathom run --explain MODEL [BLOCK|KEY]\n"
    "       fathom run --explain MODEL|all --schema\n"
    "\n"
    "Runs a job, from input files to result files. A job is a JSON file that names its model (tsunami,\n"
    "bioheat, nbody, gas or ising). --explain MODEL lists all keys of its jobs with units, defaults and\n"
    "meaning; --explain MODEL output.gauges lists the keys of one block. All memory is reserved before\n"
    "the first step; a job that does not fit is refused. Results get their final names when the run is\n"
    "complete. They then replace the results of an earlier run in the same folder; results that the\n"
    "earlier run.json lists and this run does not write are removed.\n"
    "\n"
    "Options:\n"
    "  -o, --output DIR        folder of the results, instead of the job's output.directory\n"
    "  -b, --backend NAME      auto, reference, openmp or cuda (cuda:1: the second device), instead of\n"
    "                          the job's backend; fathom --version lists the back ends of this build and\n"
    "                          machine\n"
    "  -p, --precision NAME    single or double, instead of the job's precision\n"
    "  -s, --set KEY=VALUE     replace any key of the job; may be repeated. VALUE is JSON (0.03, true,\n"
    "                          [\"1 cm\"], {...}) or else text, which needs no quotes within VALUE:\n"
    "                          --set time.duration='6 h'; null takes the key away, in a nested grid\n"
    "                          what it inherits\n"
    "  -t, --threads N         number of processor cores (default: all)\n"
    "      --resume            continue a run that was stopped or killed from its last checkpoint; the\n"
    "                          results have the same bits as those of an uninterrupted run\n"
    "      --restart           discard what a stopped run left, and start again; the results of an\n"
    "                          earlier run are kept until this one is complete\n"
    "      --verify N          at N times, spread over the run, repeat two steps on the reference back\n"
    "                          end and compare. The largest differences and their places are printed and\n"
    "                          written to run.json. 0: none. Replaces the job's check.reference_steps\n"
    "      --shares 9:23       of several ranks (mpirun -n 2 fathom run): what each is to have of the work,\n"
    "                          where machines are unequal; auto: as much as it did of the first steps,\n"
    "                          which are made twice; else as much as the others\n"
    "      --transport NAME    of several ranks with a GPU each: how GPUs exchange rows: peer (each writes\n"
    "                          into the other's memory; on one host), nccl (by NVIDIA's library, between\n"
    "                          hosts, too) or mpi (through the hosts' memory); else the first of these\n"
    "                          that there is\n"
    "      --time-limit TIME   stop with a checkpoint after this wall-clock time, as \"8 h\"\n"
    "  -q, --quiet             only warnings and errors\n"
    "      --json              print run.json when done\n"
    "      --explain MODEL     print the keys of a job, or those of one block or name, as wide as the\n"
    "                          terminal (with --json as JSON, with --markdown as a table); with --schema\n"
    "                          the JSON Schema of its jobs, for editors (all: of every model's)\n"
    "  -h, --help              print this text\n"
    "\n"
    "Ctrl-C, SIGTERM or a closed terminal (SIGHUP; not under nohup) stops the run: it completes the\n"
    "current step, saves a checkpoint and exits with 75. A closed pipe (fathom run ... | head -1) does\n"
    "not stop it.\n"
    "\n"
    "Exit status: 0 done; 1 ran, but failed its check; 64 wrong command line; 65 invalid input data; 66\n"
    "an input is missing; 70 internal error; 71 too much memory, or the device is missing or failed; 73\n"
    "results cannot be created; 74 reading or writing failed; 75 stopped, can be resumed; 78 a mistake in\n"
    "the job.\n";

static int explain(const char *name, const struct job_explanation *explanation)
{
    const struct model *model = model_find(name);
    if (!model)
        return options_report_failure(options_known_model(name));
    const struct job_key_table tables[] = {job_shared_keys, *model->keys};
    const enum status status = job_explain(stdout, tables, 2, explanation);
    return status == STATUS_OK ? 0 : options_report_failure(status);
}

// The schema of one model's jobs, or of all.
static int print_schema(const char *name)
{
    enum { MODELS = 32 };
    struct job_key_table tables[MODELS][2];
    struct job_schema_model models[MODELS];
    size_t count = 0;
    const bool is_for_all = strcmp(name, "all") == 0;
    if (!is_for_all && !model_find(name))
        return options_report_failure(options_known_model(name));
    for (const struct model *const *model = model_list(); *model && count < MODELS; model++) {
        if (!is_for_all && strcmp((*model)->name, name) != 0)
            continue;
        tables[count][0] = job_shared_keys;
        tables[count][1] = *(*model)->keys;
        models[count] = (struct job_schema_model){(*model)->name, tables[count], 2};
        count++;
    }
    const enum status status = job_schema(stdout, models, count);
    return status == STATUS_OK ? 0 : options_report_failure(status);
}

struct command {
    struct run_options *options;
    const char *explained; // model
    bool as_markdown, as_schema;
    int64_t threads;
};

static enum status take_value(void *context, const char *name, const char *value)
{
    enum { THREADS_MAX = 4096 };
    struct command *command = context;
    struct run_options *options = command->options;
    if (strcmp(name, "set") == 0)
        return session_add_setting(&options->session, value);
    if (strcmp(name, "threads") == 0)
        return options_count(name, value, 1, THREADS_MAX, &command->threads);
    if (strcmp(name, "time-limit") == 0)
        return options_duration(name, value, &options->time_limit_s);
    if (strcmp(name, "verify") == 0) {
        options->session.check_steps = &options->check_steps;
        return options_count(name, value, 0, 1000000000000, &options->check_steps);
    }
    CHECK(run_control_open(&options->control, value));
    options->session.device_bytes = options->control.device_bytes;
    return STATUS_OK;
}

bool run_options_read(int argc, char **argv, struct run_options *options, int *code)
{
    struct command command = {.options = options};
    struct session_request *request = &options->session;
    const struct option_row rows[] = {
        {"output", 'o', .text = &request->output_directory},
        {"backend", 'b', .text = &request->backend},
        {"precision", 'p', .text = &request->precision},
        {"set", 's', .take = take_value},
        {"threads", 't', .take = take_value},
        {"resume", .flag = &options->resume},
        {"restart", .flag = &options->restart},
        {"verify", .take = take_value},
        {"shares", .text = &request->shares},
        {"transport", .text = &request->transport},
        {"time-limit", .take = take_value},
        {"quiet", 'q', .flag = &options->quiet},
        {"json", .flag = &options->json},
        {"explain", .text = &command.explained},
        {"markdown", .flag = &command.as_markdown},
        {"schema", .flag = &command.as_schema},
        {"control", .take = take_value}, // given by fathom batch; not in the help
        {NULL}};
    *options = (struct run_options){.session = {.argc = argc, .argv = argv}, .control = {.descriptor = -1}};
    if (!options_read(argc, argv, help, rows, &command, code))
        return false;
    options->threads = (int)command.threads;
    request->start = options->resume ? "--resume" : options->restart ? "--restart" : NULL;
    // A batch gives the number of cores that a run may use.
    options->session.has_threads =
        options->threads > 0 && options->control.descriptor < 0 && !options->control.is_of_ranks;
    enum status status = STATUS_OK;
    if (command.explained && command.as_schema && argc == optind) {
        *code = print_schema(command.explained);
        return false;
    }
    if (command.explained && !command.as_schema && argc - optind <= 1) {
        *code = explain(command.explained,
                        &(struct job_explanation){.format = command.as_markdown ? JOB_EXPLAIN_MARKDOWN
                                                            : options->json     ? JOB_EXPLAIN_JSON
                                                                                : JOB_EXPLAIN_TEXT,
                                                  .part = argv[optind],
                                                  .columns = options_columns()});
        return false;
    }
    if (command.explained || command.as_schema)
        status = FAIL(STATUS_USAGE,
                      "run --explain takes a model, and at most one block or key, or --schema; see fathom "
                      "run --help");
    else if (optind + 1 != argc || (options->resume && options->restart))
        status =
            FAIL(STATUS_USAGE,
                 "run needs one job file, and at most one of --resume and --restart; see fathom run --help");
    if (status != STATUS_OK)
        *code = options_report_failure(status);
    options->session.job_path = argv[optind];
    return status == STATUS_OK;
}
