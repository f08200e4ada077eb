// A run whose results are complete (see the header).
#include "cli/run_finished.h"

#include "cli/run_products.h"
#include "cli/run_report.h"
#include "core/log.h"
#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool run_finished_is_of(const struct output_finished *finished, const struct session *session,
                        uint64_t input_hash)
{
    return finished->job_hash == session->job_hash && finished->input_hash == input_hash;
}

static enum status status_of(int exit_code)
{
    static const enum status all[] = {
#define STATUS_VALUE(name, text, code) name,
        STATUS_LIST(STATUS_VALUE)
#undef STATUS_VALUE
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (status_exit_code(all[k]) == exit_code)
            return all[k];
    return STATUS_CHECK_FAILED;
}

// As it was judged.
static enum status verdict_of(const struct output_finished *finished)
{
    const enum status status = status_of(finished->exit_code);
    return status == STATUS_OK
               ? STATUS_OK
               : FAIL(status, "%s", finished->message[0] ? finished->message : status_text(status));
}

enum status run_finished_end(const struct output_finished *finished, struct session *session, bool print)
{
    const bool makes_products = finished->lacks_products && run_products_are_wanted(session);
    enum status verdict = verdict_of(finished);
    if (makes_products)
        CHECK(run_products_write(session, &verdict));
    CHECK(output_remove_partial(session->directory));
    if (print)
        CHECK(run_report_print(session));
    log_info("complete before: results in %s; %s", session->directory,
             makes_products ? "its products were made, nothing else was computed"
                            : "nothing was computed again");
    return verdict;
}
