// The page of a report: one HTML file with everything in it, pictures included, readable in light and dark,
// on paper and on a small screen. The sections are those of the model (model.h).
#include "report/page.h"

#include "core/status.h"
#include "io/whole_file.h"
#include "report/html.h"
#include "report/model.h"
#include "report/tiles.h"

#include <string.h>
#include <time.h>

static enum status write_picture(FILE *page, const struct report *report,
                                 const struct report_picture *picture)
{
    char path[REPORT_PATH_BYTES + 80], alt[sizeof picture->title + sizeof picture->caption + 2];
    snprintf(path, sizeof path, "%s/%s", report->pictures_directory, picture->file);
    snprintf(alt, sizeof alt, "%s. %s", picture->title, picture->caption);
    // A picture with less than this width would be blown up and coarse at the page's full width.
    bool is_narrow = picture->width_px < report->options.width_px * 7 / 10;
    fprintf(page, "<figure%s>", is_narrow ? " class=\"narrow\"" : "");
    CHECK(html_png(page, path, picture->width_px, picture->height_px, alt));
    fprintf(page, "<figcaption>");
    html_breakable(page, picture->caption);
    fprintf(page, "</figcaption></figure>\n");
    return STATUS_OK;
}

static bool has_pictures(const struct report *report, int section)
{
    for (size_t k = 0; k < report->picture_count; k++)
        if (report->pictures[k].section == section)
            return true;
    return false;
}

static enum status write_sections(FILE *page, const struct report *report)
{
    const struct report_section *sections = report->model->sections;
    for (int s = 0; sections[s].heading; s++) {
        const struct report_section *section = &sections[s];
        if (!(section->is_shown ? section->is_shown(report) : has_pictures(report, s)))
            continue;
        fprintf(page, "<h2>%s</h2>\n", section->heading);
        if (section->table)
            section->table(page, report);
        for (size_t k = 0; k < report->picture_count; k++)
            if (report->pictures[k].section == s)
                CHECK(write_picture(page, report, &report->pictures[k]));
    }
    return STATUS_OK;
}

static void write_head(FILE *page, const struct report *report)
{
    const char *job = report_job_title(report);
    html_begin(page, job ? job : report->options.directory);
}

static void write_warning(FILE *page, const char *text)
{
    fprintf(page, "<li>");
    html_text(page, text);
    fprintf(page, "</li>\n");
}

// Those of the run itself, and those of the report.
static void write_warnings(FILE *page, const struct report *report)
{
    const cJSON *warnings = json_member(report->run, "warnings"), *item;
    if (report->warning_count == 0 && cJSON_GetArraySize(warnings) == 0)
        return;
    fprintf(page, "<div class=\"warnings\"><b>Please note</b><ul>\n");
    cJSON_ArrayForEach(item, warnings)
    {
        if (cJSON_IsString(item))
            write_warning(page, item->valuestring);
    }
    for (size_t k = 0; k < report->warning_count; k++)
        write_warning(page, report->warnings[k]);
    fprintf(page, "</ul></div>\n");
}

// Exceeded limits of the model's field (thermal safety) come before all else.
static void write_findings(FILE *page, const struct report *report)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, json_member(report->run, "findings"))
    {
        const char *verdict = json_text(item, "verdict");
        if (strcmp(verdict, "exceeded") != 0)
            continue;
        fputs("<p class=\"alarm\">", page);
        html_text(page, json_text(item, "rule"));
        fputs(" EXCEEDED: ", page);
        html_text(page, json_text(item, "message"));
        fputs("</p>\n", page);
    }
}

static void write_footer(FILE *page, const struct report *report)
{
    char date[64] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    const char *program = json_text(report->run, "program");
    fprintf(page, "<footer>");
    html_text(page, program[0] ? program : "Fathom");
    fprintf(page, " · report of ");
    html_text(page, report->options.directory);
    fprintf(page, " · created %s</footer>\n</main>\n</body>\n</html>\n", date);
}

// The model, the origin of the time, and the figures as tiles.
static void write_figures(FILE *page, const struct report *report)
{
    char origin[RESULT_UNITS_BYTES + 8];
    const char *name = json_text(report->run, "model");
    fputs("<p class=\"soft\">", page);
    html_text(page, name[0] ? name : report->model->name);
    if (report_page_origin(report, origin, sizeof origin)) {
        fputs(" · time counts from ", page);
        html_text(page, origin);
    }
    fputs("</p>\n<div class=\"tiles\">\n", page);
    report->model->figures(page, report);
    report_tiles_of_run(page, report);
    fputs("</div>\n", page);
}

static enum status write_all(FILE *page, const struct report *report)
{
    write_head(page, report);
    write_findings(page, report);
    write_figures(page, report);
    write_warnings(page, report);
    CHECK(write_sections(page, report));
    report_page_stages(page, report);
    report_page_run(page, report);
    write_footer(page, report);
    return STATUS_OK;
}

enum status report_write_page(const struct report *report, const char *path)
{
    struct whole_file file;
    CHECK(whole_file_begin(&file, path));
    return whole_file_end(&file, write_all(file.stream, report));
}
