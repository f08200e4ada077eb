// The page of `fathom validate --html` (see validate_page.h): readable in light and dark, on paper and on a
// small screen, nothing fetched from elsewhere.
#include "cli/validate_page.h"

#include "io/path.h"
#include "io/whole_file.h"
#include "report/html.h"
#include "report/plot.h"
#include "version.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Beside the style of html_begin.
static const char style_sheet[] =
    "<style>h3{font-size:1.05rem;margin:0 0 4px}p{margin:0 0 "
    "8px}td.n,th.n{text-align:right;white-space:nowrap}img{display:block;max-width:100%;height:auto;"
    "background:#fff;border-radius:6px;margin:12px 0 4px}.shown,.skipped,p "
    "small{color:var(--soft)}.passed{color:var(--good)}.failed{color:var(--bad);font-weight:600}</style>\n";

enum status validate_page_check(const char *directory)
{
    char pictures[PATH_BYTES];
    snprintf(pictures, sizeof pictures, "%s/pictures", directory);
    CHECK(path_make_directory(pictures));
    return plot_check_gnuplot();
}

static enum status put_picture(FILE *page, const char *pictures, const struct validation_item *item,
                               int number)
{
    const struct validation_picture *picture = &item->record->pictures[number];
    char file[VALIDATE_FILE_BYTES], path[PATH_BYTES + VALIDATE_FILE_BYTES];
    CHECK(validate_draw(pictures, item, number, file));
    snprintf(path, sizeof path, "%s/%s", pictures, file);
    CHECK(html_png(page, path, VALIDATE_PICTURE_WIDTH, validate_picture_height(picture), picture->title));
    html_within(page, "<p><small>", picture->caption, "</small></p>\n");
    return STATUS_OK;
}

static void put_number(FILE *page, double value, bool is_part)
{
    fputs("<td class=\"n\">", page);
    if (isnan(value))
        fputs("&ndash;", page);
    else if (is_part)
        fprintf(page, "%.3g %%", 100 * value);
    else
        fprintf(page, "%.6g", value);
    fputs("</td>", page);
}

static void put_result(FILE *page, const struct validation_result *r)
{
    const bool is_part = r->kind == VALIDATION_RELATIVE || r->kind == VALIDATION_RMS;
    const bool is_floor = r->kind == VALIDATION_ORDER || r->kind == VALIDATION_AT_LEAST;
    html_within(page, "<tr><td>", r->quantity, "");
    if (r->source[0])
        html_within(page, "<small>against: ", r->source, "</small>");
    fputs("</td>", page);
    put_number(page, r->computed, false);
    put_number(page, r->reference, false);
    html_within(page, "<td>", strcmp(r->unit, "1") == 0 ? "" : r->unit, "</td>");
    put_number(page, is_floor ? (double)NAN : r->error, is_part);
    put_number(page, r->tolerance, is_part);
    fprintf(page, "<td>%s%s<small>",
            r->verdict == VALIDATION_SHOWN ? "no criterion" : validation_kind_name(r->kind),
            r->kind == VALIDATION_ORDER ? " (at least)" : "");
    html_text(page, r->tolerance_source);
    fprintf(page, "</small></td><td class=\"%s\">%s", validation_verdict_name(r->verdict),
            validation_verdict_name(r->verdict));
    html_small(page, r->reason);
    fputs("</td></tr>\n", page);
}

static enum status put_case(FILE *page, const char *pictures, const struct validation_item *item)
{
    const struct validation_record *record = item->record;
    html_within(page, "<section class=\"card\"><h3>", item->validation_case->name, "");
    fprintf(page, " <span class=\"%s\">%s</span></h3><p>", validation_verdict_name(record->verdict),
            validation_verdict_name(record->verdict));
    html_text(page, item->validation_case->summary);
    html_within(page, "</p><p class=\"soft\">Against: ", item->validation_case->source, "</p>");
    if (record->reason[0]) {
        fprintf(page, "<p class=\"%s\">", validation_verdict_name(record->verdict));
        html_text(page, record->reason);
        fputs("</p>", page);
    }
    if (record->note[0]) {
        html_within(page, "<p class=\"soft\">", record->note, "");
        fprintf(page, "; %.1f s</p>", record->seconds);
    }
    if (record->result_count > 0 && record->verdict != VALIDATION_SKIPPED) {
        fputs("<div class=\"scroll\"><table><thead><tr><th>quantity</th><th class=\"n\">computed</th><th "
              "class=\"n\">reference</th><th>unit</th><th class=\"n\">error</th><th "
              "class=\"n\">allowed</th><th>kind, and its source</th><th>verdict</th></tr></thead><tbody>\n",
              page);
        for (int k = 0; k < record->result_count; k++)
            put_result(page, &record->results[k]);
        fputs("</tbody></table></div>\n", page);
    }
    enum status status = STATUS_OK;
    for (int k = 0; k < record->picture_count && status == STATUS_OK; k++)
        status = put_picture(page, pictures, item, k);
    fputs("</section>\n", page);
    return status;
}

static void put_head(FILE *page, const struct validation_list *list)
{
    const struct validation_totals t = validation_totals(list);
    char date[HTML_DATE_BYTES];
    html_begin(page, "Validation of Fathom " FATHOM_VERSION);
    fprintf(page,
            "%s<p class=\"soft\">%s</p>\n<p><span class=\"passed\">%d passed</span>, <span class=\"%s\">%d "
            "failed</span>, <span class=\"skipped\">%d skipped</span>; %d results, %d of them failed.</p>\n",
            style_sheet, html_date(date), t.passed, t.failed > 0 ? "failed" : "soft", t.failed, t.skipped,
            t.results, t.results_failed);
}

static enum status put_all(FILE *page, const char *pictures, const struct validation_list *list)
{
    const struct validation_suite *suite = NULL;
    put_head(page, list);
    for (int k = 0; k < list->count; k++) {
        const struct validation_item *item = &list->items[k];
        if (!item->record)
            continue;
        if (item->suite != suite) {
            suite = item->suite;
            html_within(page, "<h2>", suite->name, "</h2>\n<p class=\"soft\">");
            html_text(page, suite->summary);
            fputs("</p>\n", page);
        }
        CHECK(put_case(page, pictures, item));
    }
    fputs("</main>\n</body>\n</html>\n", page);
    return STATUS_OK;
}

enum status validate_page_write(const char *directory, const struct validation_list *list)
{
    char path[PATH_BYTES], pictures[PATH_BYTES];
    struct whole_file file;
    snprintf(path, sizeof path, "%s/validation.html", directory);
    snprintf(pictures, sizeof pictures, "%s/pictures", directory);
    CHECK(whole_file_begin(&file, path));
    return whole_file_end(&file, put_all(file.stream, pictures, list));
}
