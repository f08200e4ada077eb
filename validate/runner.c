// Runs cases one after the other (see runner.h).
#include "validate/runner.h"

#include "core/clock.h"
#include "io/suggest.h"
#include "io/utf8.h"
#include "validate/isolate.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// ---- selection

static bool is_about(const struct validation_case *c, const char *backend)
{
    if (!backend || !c->backend || strcmp(backend, "auto") == 0)
        return true;
    const size_t length = strcspn(backend, ":");
    return strncmp(c->backend, backend, length) == 0 && c->backend[length] == '\0';
}

static bool is_named(const struct validation_suite *suite, const struct validation_case *c, const char *name)
{
    char full[2 * VALIDATION_NAME_BYTES];
    snprintf(full, sizeof full, "%s/%s", suite->name, c->name);
    return strcmp(name, suite->name) == 0 || strcmp(name, full) == 0;
}

// All names: suites, and SUITE/CASE.
struct name_list {
    const char **names;
    char (*texts)[2 * VALIDATION_NAME_BYTES];
    size_t count;
};

static enum status list_names(struct name_list *list)
{
    size_t most = 0;
    for (int s = 0; s < validation_suite_count(); s++)
        most += 1 + (size_t)validation_suite_at(s)->case_count;
    list->names = calloc(most + 1, sizeof *list->names);
    list->texts = calloc(most + 1, sizeof *list->texts);
    if (!list->names || !list->texts)
        return FAIL(STATUS_SYSTEM, "not enough memory for the names of %zu cases", most);
    for (int s = 0; s < validation_suite_count(); s++) {
        const struct validation_suite *suite = validation_suite_at(s);
        list->names[list->count++] = suite->name;
        for (int c = 0; c < suite->case_count; c++) {
            snprintf(list->texts[list->count], sizeof *list->texts, "%s/%s", suite->name,
                     suite->cases[c].name);
            list->names[list->count] = list->texts[list->count];
            list->count++;
        }
    }
    return STATUS_OK;
}

static enum status check_name(const char *name, const struct name_list *list)
{
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->names[k], name) == 0)
            return STATUS_OK;
    // If the name is that of a case without its suite, this case is the nearest.
    const char *nearest = NULL;
    for (size_t k = 0; k < list->count && !nearest; k++) {
        const char *slash = strchr(list->names[k], '/');
        if (slash && strcmp(slash + 1, name) == 0)
            nearest = list->names[k];
    }
    if (!nearest)
        nearest = suggest_word(name, list->names, list->count);
    if (nearest)
        return FAIL(
            STATUS_USAGE,
            "there is no suite or case \"%s\" (did you mean \"%s\"?); fathom validate --list shows them all",
            name, nearest);
    return FAIL(STATUS_USAGE, "there is no suite or case \"%s\"; fathom validate --list shows them all",
                name);
}

static enum status select_items(const char *const *names, int name_count, const char *backend,
                                struct validation_list *list, const struct name_list *known)
{
    for (int n = 0; n < name_count; n++)
        CHECK(check_name(names[n], known));
    list->items = calloc(known->count + 1, sizeof *list->items);
    if (!list->items)
        return FAIL(STATUS_SYSTEM, "not enough memory for a list of %zu cases", known->count);
    for (int s = 0; s < validation_suite_count(); s++) {
        const struct validation_suite *suite = validation_suite_at(s);
        for (int c = 0; c < suite->case_count; c++) {
            bool is_wanted = name_count == 0;
            for (int n = 0; n < name_count; n++)
                is_wanted |= is_named(suite, &suite->cases[c], names[n]);
            if (is_wanted && is_about(&suite->cases[c], backend))
                list->items[list->count++] =
                    (struct validation_item){.suite = suite, .validation_case = &suite->cases[c]};
        }
    }
    return list->count > 0 ? STATUS_OK
                           : FAIL(STATUS_USAGE, "none of the cases asked for is about the back end %s",
                                  backend ? backend : "auto");
}

enum status validation_select(const char *const *names, int name_count, const char *backend,
                              struct validation_list *list)
{
    struct name_list known = {0};
    *list = (struct validation_list){0};
    enum status status = list_names(&known);
    if (status == STATUS_OK)
        status = select_items(names, name_count, backend, list, &known);
    free(known.names);
    free(known.texts);
    if (status != STATUS_OK)
        validation_list_free(list);
    return status;
}

void validation_list_free(struct validation_list *list)
{
    for (int k = 0; k < list->count; k++)
        if (list->items[k].record)
            (void)munmap(list->items[k].record, sizeof *list->items[k].record);
    free(list->items);
    *list = (struct validation_list){0};
}

// ---- folders

static int remove_entry(const char *path, const struct stat *information, int type, struct FTW *ftw)
{
    (void)information;
    (void)type;
    (void)ftw;
    return remove(path);
}

static void remove_tree(const char *path)
{
    (void)nftw(path, remove_entry, 16,
               FTW_DEPTH | FTW_PHYS); // what cannot be removed stays in a temporary folder
}

static enum status make_base(const struct validation_options *options, char base[PATH_BYTES])
{
    if (options->keep_directory) {
        CHECK(path_make_directory(options->keep_directory));
        // The current folder may be any: the jobs' paths must not depend on it.
        if (!realpath(options->keep_directory, base))
            return FAIL(STATUS_CANNOT_CREATE, "%s: %s", options->keep_directory, strerror(errno));
        return STATUS_OK;
    }
    const char *parent = getenv("TMPDIR");
    snprintf(base, PATH_BYTES, "%s/fathom-validate-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(base))
        return FAIL(STATUS_CANNOT_CREATE, "%s: cannot create a temporary folder: %s (set TMPDIR)", base,
                    strerror(errno));
    return STATUS_OK;
}

static enum status make_case_directory(const struct validation_options *options, const char *base,
                                       const struct validation_item *item,
                                       char directory[VALIDATION_DIRECTORY_BYTES])
{
    const int length = snprintf(directory, VALIDATION_DIRECTORY_BYTES, "%s/%s/%s", base, item->suite->name,
                                item->validation_case->name);
    if (length >= VALIDATION_DIRECTORY_BYTES)
        return FAIL(STATUS_CANNOT_CREATE, "%s: the name is too long for a folder", base);
    if (options->keep_directory && access(directory, F_OK) == 0)
        return FAIL(STATUS_CANNOT_CREATE,
                    "%s: is there already, from an earlier validation: remove it, or name another folder",
                    directory);
    return path_make_directory(directory);
}

// ---- one case

// Writes what this machine or build lacks for the case; "" if nothing.
static void find_missing(const struct validation_item *item, const struct validation_options *options,
                         char *reason, size_t bytes)
{
    const struct validation_case *c = item->validation_case;
    char path[PATH_BYTES];
    reason[0] = '\0';
    for (int k = 0; c->input_files && c->input_files[k] && !reason[0]; k++)
        if (path_find(c->input_files[k], NULL, path) != STATUS_OK) {
            snprintf(reason, bytes, "%s", status_message());
            status_clear();
        }
    for (int k = 0; c->benchmark_files && c->benchmark_files[k] && !reason[0]; k++) {
        if (!options->data_directory) {
            snprintf(reason, bytes,
                     "needs the benchmark file %s: get the files with data/fetch-benchmarks DIR, and give "
                     "--data DIR",
                     c->benchmark_files[k]);
            return;
        }
        snprintf(path, sizeof path, "%s/%s", options->data_directory, c->benchmark_files[k]);
        if (access(path, R_OK) != 0)
            snprintf(reason, bytes, "needs the benchmark file %.700s: %s", path, strerror(errno));
    }
}

static int call_case(void *context)
{
    struct validation_run *run = context;
    status_clear();
    if (run->validation_case->is_double && run->precision && strcmp(run->precision, "double") != 0) {
        validation_skip(run, "its tolerances are those of double precision");
        return 0;
    }
    if (run->method && !run->suite->takes_method) {
        validation_skip(run, "its jobs take no method from --method");
        return 0;
    }
    const enum status status = run->validation_case->run(run);
    if (status != STATUS_OK && run->record->verdict == VALIDATION_SKIPPED)
        return 0; // the case found a reason to skip when it made a job
    if (status != STATUS_OK)
        snprintf(run->record->reason, sizeof run->record->reason, "%s",
                 status_message()[0] ? status_message() : status_text(status));
    return status_exit_code(status);
}

// Replaces bytes that are not valid UTF-8, and control characters, because files for other programs must
// not have them. A child may leave any bytes, and a text that was cut may end within a character.
static void clean(char *text)
{
    for (size_t length; *text; text += length > 0 ? length : 1) {
        length = utf8_length(text);
        if (length == 0)
            *text = '?';
        else if ((unsigned char)*text < 0x20 || *text == 0x7F)
            *text = ' ';
    }
}

static void clean_record(struct validation_record *record)
{
    record->reason[sizeof record->reason - 1] = record->note[sizeof record->note - 1] = '\0';
    clean(record->reason);
    clean(record->note);
    for (int k = 0; k < record->result_count; k++) {
        struct validation_result *r = &record->results[k];
        clean(r->quantity);
        clean(r->unit);
        clean(r->source);
        clean(r->tolerance_source);
        clean(r->reason);
    }
    for (int k = 0; k < record->picture_count; k++) {
        struct validation_picture *p = &record->pictures[k];
        clean(p->title);
        clean(p->caption);
    }
}

// The verdict of the case from its results and from how its process ended.
static void conclude(struct validation_record *record, const struct isolate_outcome *outcome,
                     const char *messages)
{
    const bool is_skipped = record->verdict == VALIDATION_SKIPPED;
    record->verdict = VALIDATION_FAILED;
    // A case that crashed may have overwritten the shared memory.
    const bool is_overwritten = record->result_count < 0 || record->result_count > VALIDATION_RESULTS_MAX ||
                                record->picture_count < 0 ||
                                record->picture_count > VALIDATION_PICTURES_MAX ||
                                record->number_count > VALIDATION_NUMBERS_MAX;
    if (is_overwritten || outcome->signal != 0) {
        // Only complete results: those that were counted before the crash, or none if the count is invalid.
        record->picture_count = 0;
        record->result_count = is_overwritten ? 0 : record->result_count;
        char line[VALIDATION_TEXT_BYTES];
        isolate_last_line(messages, line, sizeof line);
        snprintf(record->reason, sizeof record->reason, "crashed: signal %d (%s)%s%s", outcome->signal,
                 strsignal(outcome->signal), line[0] ? "; last message: " : "", line);
    } else if (outcome->exit_code != 0) {
        if (!record->reason[0])
            snprintf(record->reason, sizeof record->reason, "its process ended with exit code %d",
                     outcome->exit_code);
    } else if (is_skipped) {
        record->verdict = VALIDATION_SKIPPED;
    } else if (record->result_count == 0) {
        snprintf(record->reason, sizeof record->reason, "measured nothing");
    } else if (validation_count(record, VALIDATION_FAILED) == 0) {
        const bool is_empty = validation_count(record, VALIDATION_PASSED) == 0;
        record->verdict = is_empty ? VALIDATION_SKIPPED : VALIDATION_PASSED;
        if (is_empty && !record->reason[0])
            snprintf(record->reason, sizeof record->reason, "%s",
                     record->results[0].verdict == VALIDATION_SHOWN ? "nothing of it is judged"
                                                                    : record->results[0].reason);
    }
}

static enum status run_case(struct validation_item *item, const struct validation_options *options,
                            const char *base)
{
    struct validation_run run = {.suite = item->suite,
                                 .validation_case = item->validation_case,
                                 .backend = options->backend,
                                 .precision = options->precision,
                                 .method = options->method,
                                 .method_floods = options->method_floods,
                                 .data_directory = options->data_directory,
                                 .is_full = options->is_full,
                                 .program = options->program,
                                 .tolerances = options->tolerances,
                                 .record = item->record};
    find_missing(item, options, item->record->reason, sizeof item->record->reason);
    if (item->record->reason[0]) {
        item->record->verdict = VALIDATION_SKIPPED;
        return STATUS_OK;
    }
    char messages[PATH_BYTES + 32];
    struct isolate_outcome outcome;
    CHECK(make_case_directory(options, base, item, run.directory));
    snprintf(messages, sizeof messages, "%s/messages.txt", run.directory);
    const double begin_s = clock_now_s();
    enum status status = isolate_call(call_case, &run, messages, &outcome);
    item->record->seconds = clock_now_s() - begin_s;
    if (status == STATUS_OK) {
        conclude(item->record, &outcome, messages);
        clean_record(item->record);
    }
    if (!options->keep_directory)
        remove_tree(run.directory);
    return status;
}

static enum status run_item(struct validation_item *item, const struct validation_options *options,
                            const char *base)
{
    void *shared =
        mmap(NULL, sizeof *item->record, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return FAIL(STATUS_SYSTEM, "not enough memory for the results of %s/%s", item->suite->name,
                    item->validation_case->name);
    item->record = shared;
    if (options->begin)
        options->begin(options->context, item);
    enum status status = run_case(item, options, base);
    if (status != STATUS_OK) {
        (void)munmap(shared, sizeof *item->record);
        item->record = NULL; // it did not run to its end
    } else if (options->end) {
        options->end(options->context, item);
    }
    return status;
}

enum status validation_run_list(struct validation_list *list, const struct validation_options *options)
{
    char base[PATH_BYTES];
    isolate_watch_signals(); // first: from here on a signal must not leave a folder behind
    CHECK(make_base(options, base));
    enum status status = STATUS_OK;
    for (int k = 0; k < list->count && status == STATUS_OK; k++)
        status = run_item(&list->items[k], options, base);
    if (!options->keep_directory)
        remove_tree(base);
    return status;
}

struct validation_totals validation_totals(const struct validation_list *list)
{
    struct validation_totals totals = {0};
    for (int k = 0; k < list->count; k++) {
        const struct validation_record *record = list->items[k].record;
        if (!record)
            continue;
        totals.passed += record->verdict == VALIDATION_PASSED;
        totals.failed += record->verdict == VALIDATION_FAILED;
        totals.skipped += record->verdict == VALIDATION_SKIPPED;
        if (record->verdict == VALIDATION_SKIPPED)
            continue;
        totals.results += record->result_count;
        totals.results_failed += validation_count(record, VALIDATION_FAILED);
        totals.results_skipped += validation_count(record, VALIDATION_SKIPPED);
    }
    return totals;
}
