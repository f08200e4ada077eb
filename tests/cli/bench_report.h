// What the tests of `fathom bench MODEL` share: its report, read back as JSON. Beside in_process.h. Header
// only.
#ifndef FATHOM_TESTS_CLI_BENCH_REPORT_H
#define FATHOM_TESTS_CLI_BENCH_REPORT_H

#include "tests/cli/in_process.h"

#include "cli/commands.h"
#include "tests/support/cli_results.h"
#include "tests/support/numbers.h"

#include <cjson/cJSON.h>
#include <string.h>

static inline cJSON *bench_report_of(const struct cli_result *result)
{
    cli_assert_done(result);
    cJSON *report = cJSON_Parse(result->output);
    assert_non_null(report);
    return report;
}

static inline const char *text_of(const cJSON *item, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(item, name));
    assert_non_null(text);
    return text;
}

static inline bool is_text(const cJSON *item, const char *name, const char *text)
{
    return strcmp(text_of(item, name), text) == 0;
}

#endif
