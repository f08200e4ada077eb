// Where a run's time went, as a table of the report's page: run.json's "phases", of every model that has
// them.
#include "report/context.h"

#include <math.h>

void report_html_phases(FILE *page, const struct report *report, const struct report_phase *phases,
                        size_t count)
{
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(report->run, "phases");
    const double steps = report_json_number(all, "timed_steps");
    double total = 0;
    for (size_t k = 0; k < count; k++) {
        const double seconds = report_json_number(all, phases[k].key);
        total += isfinite(seconds) ? seconds : 0;
    }
    if (!(total > 0) || !(steps > 0))
        return;
    fprintf(page, "<h2>Where the time went</h2>\n<div class=\"card\"><div class=\"scroll\"><table "
                  "class=\"gauges\"><thead>"
                  "<tr><th>Phase</th><th>ms a step</th><th>Share</th></tr></thead><tbody>\n");
    for (size_t k = 0; k < count; k++) {
        const double seconds = report_json_number(all, phases[k].key);
        if (seconds > 0)
            fprintf(page, "<tr><th>%s</th><td>%.3g</td><td>%.1f %%</td></tr>\n", phases[k].text,
                    1e3 * seconds / steps, 100 * seconds / total);
    }
    fprintf(page,
            "<tr><th>all</th><td>%.3g</td><td></td></tr></tbody></table></div><p class=\"soft\">Mean of %.0f "
            "steps that were timed.</p></div>\n",
            1e3 * total / steps, steps);
}
