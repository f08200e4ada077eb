// Tables of a report's page: see page.h.
#include "report/html.h"
#include "report/page.h"

#include <math.h>

static void begin(FILE *page, const char *class, const char *const *headings, size_t count)
{
    fprintf(page, "<div class=\"card scroll\"><table class=\"%s\"><thead><tr>", class);
    for (size_t k = 0; k < count; k++)
        fprintf(page, "<th>%s</th>", headings[k]);
    fputs("</tr></thead><tbody>\n", page);
}

void report_table_begin(FILE *page, const char *const *headings, size_t count)
{
    begin(page, "gauges", headings, count);
}

void report_table_sortable(FILE *page, const char *const *headings, size_t count)
{
    begin(page, "gauges sortable", headings, count);
}

void report_table_value(FILE *page, double key, const char *text, const char *under)
{
    if (isfinite(key))
        fprintf(page, "<td data-sort=\"%.9g\">", key);
    else
        fputs("<td data-sort=\"\">", page);
    html_text(page, text);
    html_small(page, under);
    fputs("</td>", page);
}

void report_table_time(FILE *page, const struct report *report, double time_s, const char *text)
{
    if (isfinite(time_s))
        fprintf(page, "<td data-sort=\"%.9g\">", time_s);
    else
        fputs("<td data-sort=\"\">", page);
    html_text(page, text);
    report_page_clock(page, report, time_s, "<small>", "</small>");
    fputs("</td>", page);
}

void report_table_end(FILE *page, const char *note)
{
    fputs("</tbody></table></div>\n", page);
    if (note)
        fprintf(page, "<p class=\"soft\">%s</p>\n", note);
}

void report_table_row(FILE *page, const char *text, const char *under)
{
    html_within(page, "<tr><th scope=\"row\">", text, "");
    html_small(page, under);
    fputs("</th>", page);
}

void report_table_cell(FILE *page, const char *text, const char *under)
{
    html_within(page, "<td>", text, "");
    html_small(page, under);
    fputs("</td>", page);
}

void report_table_number(FILE *page, const char *format, double value)
{
    char text[64];
    snprintf(text, sizeof text, format, value);
    report_table_cell(page, isfinite(value) ? text : "–", "");
}
