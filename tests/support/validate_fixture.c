// See validate_fixture.h.
#include "tests/support/validate_fixture.h"

#include "cli/commands.h"
#include "io/json_file.h"
#include "tests/support/asserts.h"
#include "tests/support/cli_fixture.h"
#include "validate/case_job.h"
#include "validate/tolerances.h"

static const struct validate_change *changes;

static void change_job(const char *path, const struct validate_change *change)
{
    struct case_job job = {0};
    if (json_file_read(path, 1000000, &job.json) != STATUS_OK)
        abort();
    case_job_set(&job, change->key, "%s", change->json);
    char *text = job.status == STATUS_OK ? cJSON_Print(job.json) : NULL;
    FILE *file = fopen(path, "w");
    if (!text || !file || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
    cJSON_free(text);
    case_job_free(&job);
}

static int run_changed(int argc, char **argv)
{
    const char *path = argv[argc - 1], *name = strrchr(path, '/');
    for (int k = 0; k < VALIDATE_CHANGES_MAX && changes; k++)
        if (changes[k].job && strstr(name, changes[k].job))
            change_job(path, &changes[k]);
    return command_run(argc, argv);
}

const struct validation_record *validate_case(const char *name, const char *precision,
                                              const struct validate_change what[VALIDATE_CHANGES_MAX],
                                              struct validation_list *list)
{
    static const struct validation_program program = {run_changed};
    char path[PATH_BYTES];
    struct tolerance_table *tolerances = NULL;
    struct validation_options options = {.program = &program, .precision = precision};
    changes = what;
    status_clear();
    if (path_find(TOLERANCES_FILE, NULL, path) != STATUS_OK ||
        tolerances_read(path, &tolerances) != STATUS_OK)
        fail_msg("%s", status_message());
    options.tolerances = tolerances;
    if (validation_select(&name, 1, NULL, list) != STATUS_OK ||
        validation_run_list(list, &options) != STATUS_OK)
        fail_msg("%s", status_message());
    tolerances_free(tolerances);
    assert_int_equal(list->count, 1);
    return list->items[0].record;
}

enum { PARTS_MAX = 4 };

// Marks those of the parts A|B|... that the quantity has; returns whether it has any.
static bool mark_parts(const char *quantity, const char *parts, bool found[PARTS_MAX], int *count)
{
    char text[256];
    bool has_any = false;
    assert_in_range(snprintf(text, sizeof text, "%s", parts), 0, sizeof text - 1);
    *count = 0;
    for (char *rest = text, *part; (part = strsep(&rest, "|")); ++*count) {
        assert_true(*count < PARTS_MAX);
        if (strstr(quantity, part))
            has_any = found[*count] = true;
    }
    return has_any;
}

void validate_assert(const char *name, const char *precision,
                     const struct validate_change what[VALIDATE_CHANGES_MAX], const char *failing)
{
    struct validation_list list;
    const struct validation_record *record = validate_case(name, precision, what, &list);
    bool found[PARTS_MAX] = {false};
    int parts = 0;
    if (record->verdict != (failing ? VALIDATION_FAILED : VALIDATION_PASSED))
        fail_msg("%s: %s; %s", name, validation_verdict_name(record->verdict), record->reason);
    for (int k = 0; k < record->result_count; k++) {
        const struct validation_result *result = &record->results[k];
        const bool is_expected = failing && mark_parts(result->quantity, failing, found, &parts);
        if (result->verdict == VALIDATION_FAILED && !is_expected)
            fail_msg("%s: \"%s\" failed: %s", name, result->quantity, result->reason);
        if (is_expected && result->verdict != VALIDATION_FAILED)
            fail_msg("%s: \"%s\" did not fail: %.17g, expected %.17g", name, result->quantity,
                     result->computed, result->reference);
    }
    for (int k = 0; k < parts; k++)
        if (!found[k])
            fail_msg("%s: no result has part %d of \"%s\"", name, k + 1, failing);
    validation_list_free(&list);
}

void validate_assert_fails(const char *name, const char *precision,
                           const struct validate_change what[VALIDATE_CHANGES_MAX], const char *failing)
{
    struct validation_list list;
    const struct validation_record *record = validate_case(name, precision, what, &list);
    bool is_found = false;
    if (record->verdict != VALIDATION_FAILED)
        fail_msg("%s: %s; %s", name, validation_verdict_name(record->verdict), record->reason);
    for (int k = 0; k < record->result_count; k++)
        is_found |= record->results[k].verdict == VALIDATION_FAILED &&
                    strstr(record->results[k].quantity, failing) != NULL;
    if (!is_found)
        fail_msg("%s: \"%s\" did not fail", name, failing);
    validation_list_free(&list);
}

int validate_setup(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    setenv("TMPDIR", cli_path("."), 1);
    return 0;
}

int validate_teardown(void **state)
{
    unsetenv("TMPDIR");
    status_clear();
    return cli_teardown(state);
}
