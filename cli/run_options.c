// The command line of `fathom run`: options, help, and the explanation of a job's keys.
#include "cli/run_options.h"

#include "cli/options.h"
#include "io/job/suggest.h"
#include "io/units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "Usage: fathom run [OPTIONS] JOB.json\n"
    "       fathom run --explain MODEL [BLOCK|KEY]\n"
    "\n"
    "Runs a job from input files to result files. A job is a JSON file that names its model (tsunami,\n"
    "bioheat, nbody, gas or ising); --explain MODEL lists all of its keys with units, defaults and meaning,\n"
    "--explain MODEL output.gauges those of one block. Memory is worked out first and never grows; a job\n"
    "that does not fit is refused before it starts. Results appear under their names only when the run\n"
    "is complete; then they replace those of an earlier run in the same folder, and results that its\n"
    "run.json lists and this run does not write are removed.\n"
    "\n"
    "Options:\n"
    "  -o, --output DIR        results go there instead of the job's output.directory\n"
    "  -b, --backend NAME      auto, reference, openmp or cuda (cuda:1: the second device) instead of the\n"
    "                          job's backend; fathom --version lists what this build and this machine have\n"
    "  -p, --precision NAME    single or double instead of the job's precision\n"
    "  -s, --set KEY=VALUE     any key of the job, as if the file had said so; may be repeated. VALUE is\n"
    "                          JSON (0.03, true, [\"1 cm\"], {...}) or else text, which needs no quotes of\n"
    "                          its own: --set time.duration='6 h'\n"
    "  -t, --threads N         processor cores to use (all)\n"
    "      --resume            go on from the last checkpoint of a run that was stopped or killed; the\n"
    "                          result is the same, bit for bit, as if it had never been stopped\n"
    "      --restart           throw away what a stopped run left and begin again; the results of an\n"
    "                          earlier run stay until this one is complete\n"
    "      --verify N          at N moments, spread over the run, repeat two steps on the reference back\n"
    "                          end and compare; the largest differences and their places go to the terminal\n"
    "                          and to run.json; 0: none; instead of the job's check.reference_steps\n"
    "      --time-limit TIME   stop with a checkpoint after this much wall-clock time (\"8 h\")\n"
    "  -q, --quiet             only warnings and errors\n"
    "      --json              print run.json when done\n"
    "      --explain MODEL     print the keys of a job, or those of one block or name, as wide as the\n"
    "                          terminal (with --json as JSON, with --markdown as a table)\n"
    "  -h, --help              this text\n"
    "\n"
    "Ctrl-C, SIGTERM or a closed terminal (SIGHUP; not under nohup) stops after the step in hand, saves a\n"
    "checkpoint, and exits with 75. A pipe that is closed (fathom run ... | head -1) does not stop it.\n"
    "\n"
    "Exit status: 0 done; 1 ran, but failed its check; 64 wrong command line; 65 bad input data; 66 an\n"
    "input is missing; 70 internal error; 71 too much memory, or the device failed or is not there; 73\n"
    "results cannot be created; 74 reading or writing failed; 75 stopped, can be resumed; 78 a mistake in\n"
    "the job.\n";

static int say_unknown_model(const char *name)
{
    enum { NAMES = 32 };
    const char *names[NAMES];
    size_t count = 0;
    for (const struct model *const *model = model_list(); *model && count < NAMES; model++)
        names[count++] = (*model)->name;
    const char *nearest = job_nearest_word(name, names, count);
    fprintf(stderr, "fathom: there is no model \"%s\"%s%s%s; fathom --help lists them\n", name,
            nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "");
    return status_exit_code(STATUS_USAGE);
}

static int explain(const char *name, const struct job_explanation *explanation)
{
    const struct model *model = model_find(name);
    if (!model)
        return say_unknown_model(name);
    const struct job_key_table tables[] = {job_shared_keys, *model->keys};
    const enum status status = job_explain(stdout, tables, 2, explanation);
    return status == STATUS_OK ? 0 : options_report_failure(status);
}

static bool parse_threads(const char *text, int *threads)
{
    char *end;
    long value = strtol(text, &end, 10);
    *threads = (int)value;
    return *end == '\0' && value >= 1 && value <= 4096;
}

// Whole and not negative, nothing else: "1e3", "+5" and "" are no counts.
static bool read_check_steps(const char *text, int64_t *steps)
{
    const int64_t largest = 1000000000000;
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    *steps = value;
    if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && value <= largest)
        return true;
    fprintf(stderr, "fathom: --verify needs a whole number from 0 to %lld, not \"%s\"\n", (long long)largest,
            text);
    return false;
}

enum {
    OPTION_RESUME = 256,
    OPTION_RESTART,
    OPTION_VERIFY,
    OPTION_TIME_LIMIT,
    OPTION_JSON,
    OPTION_EXPLAIN,
    OPTION_MARKDOWN,
    OPTION_CONTROL
};

// What the options on the way set beside `options`.
struct explanation {
    const char *model;
    enum job_explain_format format;
};

static const struct option long_options[] = {{"output", required_argument, NULL, 'o'},
                                             {"backend", required_argument, NULL, 'b'},
                                             {"precision", required_argument, NULL, 'p'},
                                             {"set", required_argument, NULL, 's'},
                                             {"threads", required_argument, NULL, 't'},
                                             {"resume", no_argument, NULL, OPTION_RESUME},
                                             {"restart", no_argument, NULL, OPTION_RESTART},
                                             {"verify", required_argument, NULL, OPTION_VERIFY},
                                             {"time-limit", required_argument, NULL, OPTION_TIME_LIMIT},
                                             {"quiet", no_argument, NULL, 'q'},
                                             {"json", no_argument, NULL, OPTION_JSON},
                                             {"explain", required_argument, NULL, OPTION_EXPLAIN},
                                             {"markdown", no_argument, NULL, OPTION_MARKDOWN},
                                             {"control", required_argument, NULL, OPTION_CONTROL},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

static bool read_time_limit(const char *text, double *seconds)
{
    if (units_parse_quantity(text, "s", seconds) == STATUS_OK && *seconds > 0)
        return true;
    fprintf(stderr, "fathom: --time-limit: %s\n",
            status_message()[0] ? status_message() : "must be longer than 0");
    return false;
}

static bool read_threads(const char *text, int *threads)
{
    if (parse_threads(text, threads))
        return true;
    fprintf(stderr, "fathom: --threads needs a number from 1 to 4096, not \"%s\"\n", text);
    return false;
}

// One option; false if its value cannot be used, which was said.
static bool take_option(int option, struct run_options *options, struct explanation *explanation)
{
    switch (option) {
    case 'o':
        options->session.output_directory = optarg;
        return true;
    case 'b':
        options->session.backend = optarg;
        return true;
    case 'p':
        options->session.precision = optarg;
        return true;
    case 's':
        return session_add_setting(&options->session, optarg) == STATUS_OK ||
               (options_report_failure(STATUS_USAGE), false);
    case 't':
        return read_threads(optarg, &options->threads);
    case 'q':
        options->quiet = true;
        return true;
    case OPTION_RESUME:
        options->resume = true;
        return true;
    case OPTION_RESTART:
        options->restart = true;
        return true;
    case OPTION_VERIFY:
        options->session.check_steps = &options->check_steps;
        return read_check_steps(optarg, &options->check_steps);
    case OPTION_TIME_LIMIT:
        return read_time_limit(optarg, &options->time_limit_s);
    case OPTION_JSON:
        options->json = true;
        explanation->format = JOB_EXPLAIN_JSON;
        return true;
    case OPTION_MARKDOWN:
        explanation->format = JOB_EXPLAIN_MARKDOWN;
        return true;
    case OPTION_EXPLAIN:
        explanation->model = optarg;
        return true;
    case OPTION_CONTROL: // a batch's own, so not in the help
        if (run_control_open(&options->control, optarg) != STATUS_OK)
            return options_report_failure(STATUS_USAGE), false;
        options->session.device_bytes = options->control.device_bytes;
        return true;
    default: // the reason was said
        return false;
    }
}

bool run_options_read(int argc, char **argv, struct run_options *options, int *code)
{
    struct explanation explanation = {.format = JOB_EXPLAIN_TEXT};
    *options = (struct run_options){.session = {.argc = argc, .argv = argv}, .control = {.descriptor = -1}};
    *code = status_exit_code(STATUS_USAGE);
    for (int option; (option = options_next(argc, argv, "o:b:p:s:t:qh", long_options)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            *code = 0;
            return false;
        }
        if (!take_option(option, options, &explanation))
            return false;
    }
    if (explanation.model && argc - optind <= 1) {
        *code = explain(explanation.model, &(struct job_explanation){.format = explanation.format,
                                                                     .part = argv[optind],
                                                                     .columns = options_columns()});
        return false;
    }
    if (explanation.model) {
        fputs("fathom: run --explain takes a model, and at most one block or key; see fathom run --help\n",
              stderr);
        return false;
    }
    if (optind + 1 != argc || (options->resume && options->restart)) {
        fputs("fathom: run needs one job file, and at most one of --resume and --restart; see fathom run "
              "--help\n",
              stderr);
        return false;
    }
    options->session.job_path = argv[optind];
    return true;
}
