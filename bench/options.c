// The command line of `fathom bench MODEL`: the options that all models share and a model's own, from one
// table for parsing and help.
#include "bench/bench.h"

#include "core/threads.h"
#include "io/units.h"

#include <errno.h>
#include <getopt.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMNS = 100, HELP_INDENT = 26, THREADS_MAX = 4096, FIRST_VALUE = 256 };

enum common {
    SIZE,
    METHOD,
    PRECISION,
    BACKEND,
    STEPS,
    REPEAT,
    BUDGET,
    NO_REFERENCE,
    PROCESSOR_TIME,
    WEAK,
    TRANSPORT,
    TABLE,
    THREADS,
    JSON,
    HELP,
    COMMON
};

static bool has_common(const struct bench_model *model, enum common option);

static const struct bench_option common_options[COMMON] = {
    [SIZE] = {.name = "size", .argument = "N"},
    [METHOD] = {.name = "method", .argument = "NAME", .help = "only this one; may be given several times:"},
    [PRECISION] = {.name = "precision", .argument = "NAME", .help = "only float, or only double"},
    [BACKEND] = {.name = "backend",
                 .argument = "NAME",
                 .help = "only this back end; NAME:1 is its second device; may be given several times"},
    [STEPS] = {.name = "steps",
               .argument = "N",
               .help = "steps in a repetition (as many as take 20 ms, on a device 50 ms)"},
    [REPEAT] = {.name = "repeat", .argument = "N", .help = "repetitions at most"},
    [BUDGET] = {.name = "budget",
                .argument = "S",
                .help = "seconds for the repetitions of a row; a step that takes longer may be estimated"},
    [NO_REFERENCE] = {.name = "no-reference", .help = "leave out the slow reference"},
    [PROCESSOR_TIME] = {.name = "processor-time",
                        .help = "count the processor's time, not the clock's: for one thread on a machine "
                                "that does other work too"},
    [WEAK] = {.name = "weak",
              .help = "with several ranks (mpirun -n 2 fathom bench ...): the grid of all has so many times "
                      "the rows of that of one rank"},
    [TRANSPORT] = {.name = "transport",
                   .argument = "NAME",
                   .help = "with several ranks that have GPUs: peer, nccl or mpi, as in fathom run --help"},
    [TABLE] = {.name = "table",
               .argument = "NAME",
               .help = "variants: the rows that are usual; source: the figures of the model's source beside "
                       "its programs, written anew and run here; blocks: those by the shape of their blocks; "
                       "threads: the usual rows with "
                       "1, 2, 4 ... all threads; sizes: several sizes, and from which on a device is faster "
                       "(variants)"},
    [THREADS] = {.name = "threads", .argument = "N", .help = "processor cores to use (all)"},
    [JSON] = {.name = "json", .help = "print the results as JSON"},
    [HELP] = {.name = "help", .help = "print this text"},
};

enum status bench_mistake(const struct bench *bench, const char *format, ...)
{
    char message[BENCH_NOTE_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    return FAIL(STATUS_USAGE, "bench %s: %s; see fathom bench %s --help", bench->model->name, message,
                bench->model->name);
}

// ---- help

void bench_print_wrapped(const char *text, int at, int indent, int columns)
{
    const char *gap = "";
    for (; *text != '\0'; text += strspn(text, " ")) {
        const int length = (int)strcspn(text, " \n"), blanks = (int)strlen(gap);
        if (*text == '\n' || (at > indent && at + blanks + length > columns)) {
            printf("\n%*s", indent, "");
            at = indent;
            gap = "";
        }
        text += *text == '\n';
        const int word = (int)strcspn(text, " \n");
        at += printf("%s%.*s", gap, word, text);
        text += word;
        gap = word > 0 ? " " : "";
    }
    putchar('\n');
}

static void print_option(const struct bench_option *option, const char *more)
{
    char left[64], text[1024];
    const char letter = option->name[0];
    const bool has_letter = option == &common_options[THREADS] || option == &common_options[HELP];
    snprintf(left, sizeof left, "  %c%c%c --%s %s", has_letter ? '-' : ' ', has_letter ? letter : ' ',
             has_letter ? ',' : ' ', option->name, option->argument ? option->argument : "");
    printf("%-*s", HELP_INDENT, left);
    if ((int)strlen(left) >= HELP_INDENT)
        printf("\n%*s", HELP_INDENT, "");
    snprintf(text, sizeof text, "%s%s%s", option->help ? option->help : "", option->help ? " " : "", more);
    bench_print_wrapped(text, HELP_INDENT, HELP_INDENT, HELP_COLUMNS);
}

static void join_words(const char *const *words, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; words[k] && used < bytes; k++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", k > 0 ? ", " : "", words[k]);
}

static void print_own_option(const struct bench_option *option)
{
    char more[BENCH_TEXT_BYTES] = "";
    if (option->type == BENCH_WORDS)
        join_words(option->words, more, sizeof more);
    else if (option->type == BENCH_WORD)
        snprintf(more, sizeof more, "(%s)", option->words[(int)option->initial]);
    else if (option->type != BENCH_SWITCH && option->initial > 0)
        snprintf(more, sizeof more, "(%.8g)", option->initial);
    print_option(option, more);
}

static void print_help(const struct bench_model *model)
{
    printf("Usage: fathom bench %s [OPTIONS]\n\n", model->name);
    bench_print_wrapped(model->about, 0, 0, HELP_COLUMNS);
    putchar('\n');
    bench_print_wrapped(
        "Each time is the median of several repetitions, by the device's own clock where it has "
        "one. It stands beside what a plain copy (read and written) in the same memory, and "
        "multiply-adds and inverse roots, reach alone in the same run.",
        0, 0, HELP_COLUMNS);
    printf("\nOptions:\n");
    for (int k = 0; k < COMMON; k++) {
        char more[BENCH_TEXT_BYTES] = "";
        struct bench_option option = common_options[k];
        if (k == METHOD)
            join_words(model->methods, more, sizeof more);
        else if (k == REPEAT || k == BUDGET)
            snprintf(more, sizeof more, "(%g)", k == REPEAT ? model->repeat : model->budget_s);
        if (k == SIZE)
            option.help = model->size_help;
        if (k == METHOD && model->method_option)
            option.name = model->method_option;
        if (has_common(model, (enum common)k))
            print_option(k == THREADS || k == HELP ? &common_options[k] : &option, more);
        for (int own = 0; k == PRECISION && model->options && model->options[own].name; own++)
            print_own_option(&model->options[own]);
    }
}

// ---- values

static bool read_whole(const char *text, long long least, long long most, long long *number, char **end)
{
    errno = 0;
    *number = strtoll(text, end, 10);
    return text[0] >= '0' && text[0] <= '9' && errno == 0 && *number >= least && *number <= most;
}

static enum status read_count(const struct bench *bench, const char *name, int least, int most, int *count)
{
    char *end;
    long long number;
    if (!read_whole(optarg, least, most, &number, &end) || *end != '\0')
        return bench_mistake(bench, "--%s: a whole number from %d to %d is expected, not \"%s\"", name, least,
                             most, optarg);
    *count = (int)number;
    return STATUS_OK;
}

static enum status read_number(const struct bench *bench, const char *name, double least, double most,
                               double *number)
{
    char *end;
    *number = strtod(optarg, &end);
    if (optarg[0] != '\0' && *end == '\0' && *number >= least && *number <= most)
        return STATUS_OK;
    return bench_mistake(bench, "--%s: a number from %g to %g is expected, not \"%s\"", name, least, most,
                         optarg);
}

static enum status read_word(const struct bench *bench, const char *name, const char *const *words,
                             int *index)
{
    char known[BENCH_TEXT_BYTES];
    for (*index = 0; words[*index]; ++*index)
        if (strcmp(optarg, words[*index]) == 0)
            return STATUS_OK;
    join_words(words, known, sizeof known);
    return bench_mistake(bench, "--%s: \"%s\" is not one of %s", name, optarg, known);
}

static enum status read_size(struct bench *bench)
{
    static const char *const numbers[] = {"one number", "two numbers", "three numbers"};
    const struct bench_model *model = bench->model;
    char *end = optarg - 1;
    bool is_size = true;
    if (bench->size_count == BENCH_SIZES_MAX)
        return bench_mistake(bench, "--size: at most %d at a time", BENCH_SIZES_MAX);
    long long *size = bench->sizes[bench->size_count++];
    for (int axis = 0; axis < model->axes && is_size; axis++) {
        is_size = read_whole(end + 1, model->size_least, model->size_most, &size[axis], &end) &&
                  *end == (axis == model->axes - 1 ? '\0' : 'x') &&
                  (!model->has_even_sizes || size[axis] % 2 == 0);
    }
    if (is_size)
        return STATUS_OK;
    return bench_mistake(bench, "--size: %s from %lld to %lld%s, like %s, expected, not \"%s\"",
                         numbers[model->axes - 1], model->size_least, model->size_most,
                         model->has_even_sizes ? ", even" : "", model->size_example, optarg);
}

static enum status read_backend(struct bench *bench)
{
    struct bench_entry entry = {0};
    if (strcmp(optarg, "auto") == 0)
        return bench_mistake(bench, "--backend: auto is not a back end; without --backend all are timed");
    CHECK_ABOUT(backend_read(bench->model->backends, optarg, &entry.backend, &entry.device) == STATUS_OK
                    ? STATUS_OK
                    : STATUS_USAGE,
                "bench %s: --backend", bench->model->name);
    snprintf(entry.label, sizeof entry.label, "%s", optarg);
    for (int k = 0; k < bench->entry_count; k++)
        if (bench->entries[k].backend == entry.backend && bench->entries[k].device == entry.device)
            return STATUS_OK;
    if (bench->entry_count == BENCH_ENTRIES_MAX)
        return bench_mistake(bench, "--backend: at most %d at a time", BENCH_ENTRIES_MAX);
    bench->entries[bench->entry_count++] = entry;
    bench->has_named = true;
    return STATUS_OK;
}

static const char *const shared_tables[] = {"variants", "source", "blocks", "threads", "sizes", NULL};

static enum status read_table(struct bench *bench)
{
    int index;
    CHECK(read_word(bench, "table", shared_tables, &index));
    bench->tables |= 1u << index;
    return (bench->tables & BENCH_TABLE_SIZES) && !bench->model->sizes
               ? bench_mistake(bench, "--table sizes: this model has no such table")
               : STATUS_OK;
}

// Rows of --table threads are not those of another table. The harness' tables of rows and those of rungs do
// not go together either; a model with tables of its own puts them together.
static enum status check_tables(const struct bench *bench)
{
    const struct bench_option *options = bench->model->options;
    const char *const *words = shared_tables;
    unsigned asked = bench->tables;
    bool has_own = false;
    for (int k = 0; options && options[k].name; k++)
        if (strcmp(options[k].name, "table") == 0) {
            has_own = true;
            words = options[k].words;
            asked = (unsigned)bench->value[k];
        }
    for (int k = 0; words[k]; k++) {
        const bool is_of_rungs = strcmp(words[k], "source") == 0 || strcmp(words[k], "blocks") == 0;
        const bool stands_alone = has_own ? strcmp(words[k], "threads") == 0 : !is_of_rungs;
        if ((asked & 1u << k) && stands_alone && asked != 1u << k)
            return bench_mistake(bench, "--table %s stands alone", words[k]);
    }
    return STATUS_OK;
}

// A model may have tables of its own.
static bool has_common(const struct bench_model *model, enum common option)
{
    bool has_own_tables = false;
    for (int k = 0; model->options && model->options[k].name; k++)
        has_own_tables = has_own_tables || strcmp(model->options[k].name, "table") == 0;
    return (option != PRECISION || model->has_precisions) && (option != TABLE || !has_own_tables);
}

static enum status read_threads(const struct bench *bench)
{
    int threads;
    CHECK(read_count(bench, "threads", 1, THREADS_MAX, &threads));
    omp_set_num_threads(threads);
    return threads_try(threads);
}

static enum status take_common(struct bench *bench, enum common option)
{
    static const char *const precisions[] = {"float", "double", NULL};
    const struct bench_model *model = bench->model;
    int index;
    switch (option) {
    case SIZE:
        return read_size(bench);
    case METHOD:
        CHECK(
            read_word(bench, model->method_option ? model->method_option : "method", model->methods, &index));
        bench->methods |= 1u << index;
        return STATUS_OK;
    case PRECISION:
        CHECK(read_word(bench, "precision", precisions, &index));
        bench->precisions[index] = true;
        return STATUS_OK;
    case BACKEND:
        return read_backend(bench);
    case STEPS:
        return read_count(bench, "steps", model->least_steps > 0 ? model->least_steps : 1, BENCH_STEPS_MAX,
                          &bench->steps);
    case REPEAT:
        return read_count(bench, "repeat", 1, BENCH_REPEAT_MAX, &bench->repeat);
    case BUDGET:
        return read_number(bench, "budget", 1e-3, 86400, &bench->budget_s);
    case THREADS:
        return read_threads(bench);
    case TABLE:
        return read_table(bench);
    case NO_REFERENCE:
        bench->skips_reference = true;
        return STATUS_OK;
    case PROCESSOR_TIME:
        bench->by_processor_time = true;
        return STATUS_OK;
    case WEAK:
        bench->is_weak = true;
        return STATUS_OK;
    case TRANSPORT:
        bench->transport = optarg;
        return STATUS_OK;
    default:
        bench->as_json = true;
        return STATUS_OK;
    }
}

static enum status take_own(struct bench *bench, int own)
{
    const struct bench_option *option = &bench->model->options[own];
    double *value = &bench->value[own];
    int whole = 0;
    switch (option->type) {
    case BENCH_NUMBER:
        return read_number(bench, option->name, option->least, option->most, value);
    case BENCH_COUNT:
        CHECK(read_count(bench, option->name, (int)option->least, (int)option->most, &whole));
        *value = whole;
        return STATUS_OK;
    case BENCH_QUANTITY:
        CHECK_ABOUT(units_parse_quantity(optarg, "s", value) == STATUS_OK ? STATUS_OK : STATUS_USAGE,
                    "bench %s: --%s", bench->model->name, option->name);
        return *value > 0 ? STATUS_OK
                          : bench_mistake(bench, "--%s: \"%s\" is not above 0", option->name, optarg);
    case BENCH_WORD:
    case BENCH_WORDS:
        CHECK(read_word(bench, option->name, option->words, &whole));
        *value = option->type == BENCH_WORD ? whole : (double)((unsigned)*value | 1u << whole);
        return STATUS_OK;
    default:
        *value = 1;
        return STATUS_OK;
    }
}

// ---- the command line

static struct option long_option(const struct bench_option *option, int value)
{
    return (struct option){option->name, option->argument ? required_argument : no_argument, NULL, value};
}

// getopt leaves in optopt: 0 for an unknown long option, its letter for an unknown short one, and the table's
// value for an option that lacks its value, or has one that it does not take.
static enum status report_unusable(const struct bench *bench, int reason, const char *word,
                                   const struct option *table)
{
    const char letter[3] = {'-', (char)optopt, '\0'};
    const bool is_long = strncmp(word, "--", 2) == 0;
    const char *name = is_long ? word : letter;
    if (reason == ':')
        return bench_mistake(bench, "%s needs a value", name);
    int matches = 0;
    for (; is_long && table->name; table++)
        matches += strncmp(table->name, name + 2, strcspn(name + 2, "=")) == 0;
    if (optopt == 0 && matches > 1)
        return bench_mistake(bench, "%.*s begins several options", (int)strcspn(name, "="), name);
    return bench_mistake(bench, optopt >= FIRST_VALUE ? "%.*s takes no value" : "unknown option %.*s",
                         (int)strcspn(name, "="), name);
}

int bench_read_options(struct bench *bench, int argc, char **argv)
{
    const struct bench_model *model = bench->model;
    struct option options[COMMON + BENCH_OPTIONS_MAX + 1] = {{0}};
    int count = 0, own = 0;
    enum status status = STATUS_OK;
    for (int k = 0; k < COMMON; k++)
        if (has_common(model, (enum common)k))
            options[count++] = long_option(&common_options[k], FIRST_VALUE + k);
    if (model->method_option)
        options[METHOD].name = model->method_option;
    for (; model->options && model->options[own].name; own++) {
        options[count++] = long_option(&model->options[own], FIRST_VALUE + COMMON + own);
        bench->value[own] = model->options[own].initial;
    }
    optind = 0; // anew, also in the middle of a word
    opterr = 0;
    for (int option;
         status == STATUS_OK && (option = getopt_long(argc, argv, ":t:h", options, NULL)) != -1;) {
        if (option == '?' || option == ':') {
            status = report_unusable(bench, option, argv[optind - 1], options);
            break;
        }
        const int index = option == 't' ? THREADS : option == 'h' ? HELP : option - FIRST_VALUE;
        if (index == HELP) {
            print_help(model);
            return 0;
        }
        status = index >= COMMON ? take_own(bench, index - COMMON) : take_common(bench, (enum common)index);
    }
    if (status == STATUS_OK && optind < argc)
        status = bench_mistake(bench, "\"%s\": only options are expected", argv[optind]);
    if (status == STATUS_OK)
        status = check_tables(bench);
    if (status == STATUS_OK)
        return -1;
    fprintf(stderr, "fathom: %s\n", status_message());
    return status_exit_code(status);
}
