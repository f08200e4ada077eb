// `fathom plan JOB`: what a run needs, without running it: steps, arrays, files, time.
#include "cli/commands.h"
#include "cli/disk_space.h"
#include "cli/options.h"
#include "cli/plan_ranks.h"
#include "cli/run_check.h"
#include "cli/run_report.h"
#include "cli/session.h"
#include "io/json_file.h"
#include "io/path.h"
#include "io/units.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: fathom plan [OPTIONS] JOB.json\n"
    "\n"
    "Checks the job and its input files, and prints what the run will need, without running it:\n"
    "back end, time step, number of steps, memory on the host and on the device, size of the results,\n"
    "estimated time; then the grids, the source (of a tsunami's faults magnitude, size, slip and largest\n"
    "uplift), the input files and the result files.\n"
    "\n"
    "Options:\n"
    "      --arrays          list every array with its shape and size\n"
    "  -o, --output DIR      folder of the results, instead of the job's output.directory\n"
    "  -b, --backend NAME    auto, reference, openmp or cuda (cuda:1: the second device), instead of the\n"
    "                        job's backend\n"
    "  -p, --precision NAME  single or double, instead of the job's precision\n"
    "  -s, --set KEY=VALUE   replace any key of the job, as in fathom run --help; may be repeated\n"
    "  -n, --ranks N         plan a run of N ranks (mpirun -n N fathom run): what each holds and sends\n"
    "      --hosts N         hosts that these ranks are spread over, each like this one; 1 if left out\n"
    "      --shares 9:23     what each rank is to have of the work, as in fathom run --help\n"
    "      --transport NAME  how their GPUs exchange rows, as in fathom run --help: nccl needs memory\n"
    "      --json            print the plan as JSON, with every array\n"
    "  -h, --help            print this text\n"
    "\n"
    "Exit status: 0 the job can run; 65 invalid input data; 66 an input is missing; 71 too much memory,\n"
    "or the device is missing; 73 the results' folder cannot be made; 74 too little disk space; 78 a mistake "
    "in the job.\n";

// The model's description of the run, line by line.
static void print_details(const struct session *s)
{
    const char *label = "grids";
    for (const char *line = s->plan.details; line && *line; line += strcspn(line, "\n") + 1, label = "")
        printf("%-10s %.*s\n", label, (int)strcspn(line, "\n"), line);
}

// What drives the run, where the model says it ("summary" of its part of the report), line by line.
static void print_source(struct session *s)
{
    cJSON *report = cJSON_CreateObject();
    s->model->describe(s->instance, report);
    const char *label = "source";
    for (const char *line = json_text(json_member(report, "source"), "summary"); *line; label = "") {
        const size_t length = strcspn(line, "\n");
        printf("%-10s %.*s\n", label, (int)length, line);
        line += length + (line[length] == '\n');
    }
    cJSON_Delete(report);
}

// What the files will be smaller by depends on the numbers.
static bool is_compressed(const struct session *s)
{
    bool is_rounded = false;
    for (int k = 0; k < s->plan.stream_count; k++)
        is_rounded = is_rounded || stream_has_rounded(s->plan.streams[k]);
    return is_rounded || s->output.compress;
}

// Steps, memory, size of the results, time.
static void print_totals(const struct session *s)
{
    char duration[64], step[64], estimate[64], rate[64], size[24];
    const double span = (double)s->plan.steps * s->plan.step_s;
    session_format_time(s, span, duration, sizeof duration);
    if (session_counts_steps(s))
        printf("time       %s\n", duration);
    else
        printf("time       %s in %lld steps of %s\n", duration, (long long)s->plan.steps,
               session_format_step(s, step, sizeof step));
    const double host_bytes = (double)memory_plan_host_bytes(&s->memory),
                 device_bytes = (double)memory_plan_device_bytes(&s->memory),
                 program_bytes = (double)s->memory.total[MEMORY_PROGRAM];
    printf("memory     %s on the host", units_format_bytes(host_bytes, size, sizeof size));
    if (program_bytes > 0)
        printf(" (%s of it for program and libraries)", units_format_bytes(program_bytes, size, sizeof size));
    if (device_bytes > 0)
        printf(", %s on the device", units_format_bytes(device_bytes, size, sizeof size));
    printf("\nresults    %s%s", is_compressed(s) ? "up to " : "",
           units_format_bytes(s->output_bytes, size, sizeof size));
    if (s->plan.product_bytes > 0)
        printf(", up to %s of products", units_format_bytes(s->plan.product_bytes, size, sizeof size));
    printf(", and up to %s of checkpoints while it runs\n",
           units_format_bytes(3 * s->all_checkpoint_bytes, size, sizeof size));
    const double beside_s = s->plan.beside_steps_s, guess_s = session_estimate_s(s) - beside_s,
                 work = (double)s->plan.steps * s->plan.work_per_step;
    if (guess_s > 0)
        printf("estimate   about %s of steps (%.3g at an assumed %s)\n",
               units_format_duration(guess_s, estimate, sizeof estimate), work,
               progress_format_rate(work / guess_s, s->plan.work_unit, rate, sizeof rate));
    if (beside_s >= 1)
        printf("           and about %s of preparation beside the steps\n",
               units_format_duration(beside_s, estimate, sizeof estimate));
}

static void print_text(struct session *s, const struct plan_ranks *ranks, bool lists_arrays)
{
    printf("%s\n", s->title);
    printf("model      %s, %s back end (%s), %s precision\n", s->model->name, s->plan.backend,
           s->plan.instruction_set, s->plan.precision);
    if (s->backend_note[0])
        printf("           %s\n", s->backend_note);
    print_totals(s);
    plan_ranks_print(ranks);
    print_details(s);
    print_source(s);
    printf("inputs    %s", s->plan.input_count == 0 ? " none" : "");
    for (int k = 0; k < s->plan.input_count; k++)
        printf(" %s", s->plan.input_files[k]);
    printf("\nfiles      %s/: ", s->directory);
    for (int k = 0; k < s->plan.stream_count; k++)
        if (!s->plan.streams[k]->is_internal)
            printf("%s.nc, ", s->plan.streams[k]->name);
    printf("run.json\narrays     %d%s\n", s->memory.count,
           lists_arrays ? "" : ": --arrays lists them with their sizes");
    if (lists_arrays)
        memory_plan_print(&s->memory, stdout);
}

static enum status print_json(struct session *s, const struct plan_ranks *ranks)
{
    cJSON *report = cJSON_CreateObject();
    cJSON_AddStringToObject(report, "title", s->title);
    cJSON_AddStringToObject(report, "model", s->model->name);
    run_report_add_settings(report, s->job);
    cJSON_AddStringToObject(report, "backend", s->plan.backend);
    if (s->backend_note[0])
        cJSON_AddStringToObject(report, "backend_note", s->backend_note);
    cJSON_AddStringToObject(report, "instruction_set", s->plan.instruction_set);
    cJSON_AddStringToObject(report, "precision", s->plan.precision);
    cJSON_AddNumberToObject(report, "steps", (double)s->plan.steps);
    run_report_add_step(report, s);
    cJSON_AddNumberToObject(report, "estimated_s", session_estimate_s(s));
    cJSON_AddNumberToObject(report, "beside_steps_s", s->plan.beside_steps_s);
    cJSON_AddNumberToObject(report, "output_bytes", s->output_bytes);
    cJSON_AddNumberToObject(report, "product_bytes", s->plan.product_bytes);
    cJSON_AddNumberToObject(report, "checkpoint_bytes", s->all_checkpoint_bytes);
    cJSON_AddNumberToObject(report, "host_bytes", (double)memory_plan_host_bytes(&s->memory));
    cJSON_AddNumberToObject(report, "device_bytes", (double)memory_plan_device_bytes(&s->memory));
    plan_ranks_add(report, ranks);
    cJSON *arrays = cJSON_AddArrayToObject(report, "arrays");
    for (int k = 0; k < s->memory.count; k++) {
        const struct memory_array *array = &s->memory.arrays[k];
        cJSON *item = json_append_object(arrays);
        cJSON_AddStringToObject(item, "name", array->name);
        cJSON_AddStringToObject(item, "kind", memory_kind_name(array->kind));
        cJSON_AddStringToObject(item, "type", element_name(array->element));
        cJSON_AddNumberToObject(item, "rows", (double)array->rows);
        cJSON_AddNumberToObject(item, "columns", (double)array->columns);
        cJSON_AddNumberToObject(item, "bytes", (double)array->bytes);
    }
    s->model->describe(s->instance, report);
    return options_print_json(report);
}

static enum status plan(const struct session_request *request, struct plan_ranks *ranks, bool as_json,
                        bool lists_arrays)
{
    static struct session session; // larger than the stack that ulimit -s may allow
    enum status status = plan_ranks_open(request, ranks, &session);
    if (status == STATUS_OK)
        status = path_check_directory(session.directory);
    if (status == STATUS_OK)
        status = run_check_plan(&session);
    if (status == STATUS_OK) {
        if (as_json)
            status = print_json(&session, ranks);
        else
            print_text(&session, ranks, lists_arrays);
        if (status == STATUS_OK)
            status = plan_ranks_check_memory(ranks, &session);
        if (status == STATUS_OK)
            status = disk_space_check(&session, false);
    }
    plan_ranks_close(ranks, &session);
    return status;
}

static enum status add_setting(void *context, const char *name, const char *value)
{
    (void)name;
    return session_add_setting(context, value);
}

int command_plan(int argc, char **argv)
{
    struct session_request request = {0};
    struct plan_ranks ranks = {1, 1, NULL};
    const char *rank_text = "1", *host_text = "1";
    bool as_json = false, lists_arrays = false;
    int code;
    const struct option_row rows[] = {{"output", 'o', .text = &request.output_directory},
                                      {"backend", 'b', .text = &request.backend},
                                      {"precision", 'p', .text = &request.precision},
                                      {"set", 's', .take = add_setting},
                                      {"ranks", 'n', .text = &rank_text},
                                      {"hosts", .text = &host_text},
                                      {"shares", .text = &request.shares},
                                      {"transport", .text = &request.transport},
                                      {"arrays", .flag = &lists_arrays},
                                      {"json", .flag = &as_json},
                                      {NULL}};
    if (!options_read(argc, argv, help, rows, &request, &code))
        return code;
    if (optind + 1 != argc)
        return options_report_failure(FAIL(STATUS_USAGE, "plan needs one job file; see fathom plan --help"));
    request.job_path = argv[optind];
    enum status status = options_count("ranks", rank_text, 1, RANKS_MAX, &ranks.ranks);
    if (status == STATUS_OK)
        status = options_count("hosts", host_text, 1, ranks.ranks, &ranks.hosts);
    if (status == STATUS_OK)
        status = plan(&request, &ranks, as_json, lists_arrays);
    return status == STATUS_OK ? 0 : options_report_failure(status);
}
