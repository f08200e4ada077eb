// The stage times of a run as a table of the report's page.
#include "report/model.h"
#include "report/page.h"

#include <math.h>

void report_page_stages(FILE *page, const struct report *report)
{
    static const char *const headings[] = {"Stage", "ms per step", "Share"};
    const struct report_stage *stages = report->model->stages;
    const cJSON *all = json_member(report->run, "phases");
    const double steps = json_number(all, "timed_steps");
    double total_s = 0;
    for (size_t k = 0; stages && stages[k].key; k++)
        total_s += fmax(json_number(all, stages[k].key), 0); // a NaN is left out
    if (!(total_s > 0) || !(steps > 0))
        return;
    fputs("<h2>Stage times</h2>\n", page);
    report_table_begin(page, headings, sizeof headings / sizeof *headings);
    for (size_t k = 0; stages[k].key; k++) {
        const double seconds = json_number(all, stages[k].key);
        if (seconds > 0)
            fprintf(page, "<tr><th>%s</th><td>%.3g</td><td>%.1f %%</td></tr>\n", stages[k].text,
                    1e3 * seconds / steps, 100 * seconds / total_s);
    }
    fprintf(page, "<tr><th>all</th><td>%.3g</td><td></td></tr>\n", 1e3 * total_s / steps);
    report_table_end(page, NULL);
    fprintf(page, "<p class=\"soft\">Mean of %.0f timed steps.</p>\n", steps);
}
