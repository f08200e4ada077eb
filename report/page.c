// The page of a report: one HTML file with everything in it, pictures included, readable in light and dark,
// on paper and on a small screen. The sections are those of the model (model.h).
#include "report/page.h"

#include "core/status.h"
#include "io/utf8.h"
#include "io/whole_file.h"
#include "report/html.h"
#include "report/image.h"
#include "report/library.h"
#include "report/model.h"
#include "report/tiles.h"

#include <stdlib.h>
#include <string.h>

static enum status write_picture(FILE *page, const struct report *report,
                                 const struct report_picture *picture)
{
    char path[REPORT_PATH_BYTES + 80], alt[sizeof picture->title + sizeof picture->caption + 2];
    snprintf(path, sizeof path, "%s/%s", report->pictures_directory, picture->file);
    snprintf(alt, sizeof alt, "%s. %s", picture->title, picture->caption);
    // A narrower picture would be coarse at the page's full width.
    bool is_narrow = picture->width_px < report->options.width_px * 7 / 10;
    static const char *const by[] = {"", " by-map", " by-chart"};
    char *uri;
    fprintf(page, "<figure class=\"%s%s\">", is_narrow ? "narrow" : "", by[picture->live]);
    CHECK(image_of_png(path, &uri));
    html_image(page, uri, picture->width_px, picture->height_px, alt);
    free(uri);
    html_breakable_within(page, "<figcaption>", picture->caption, "</figcaption></figure>\n");
    return STATUS_OK;
}

static bool has_pictures(const struct report *report, int section)
{
    for (size_t k = 0; k < report->picture_count; k++)
        if (report->pictures[k].section == section)
            return true;
    return false;
}

// Whether the page's script has a map, a series or a volume of this id.
static bool has_web(const struct report *report, const char *id)
{
    static const char *const lists[] = {"maps", "charts", "volumes"};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        const cJSON *item;
        cJSON_ArrayForEach(item, json_member(report->web, lists[k]))
        {
            if (strcmp(json_text(item, "id"), id) == 0)
                return true;
        }
    }
    return false;
}

// Whether the map of another section shows all that this one has.
static bool is_replaced(const struct report *report, int s)
{
    const struct report_section *section = &report->model->sections[s];
    bool is_all = has_pictures(report, s) && !section->table && !section->web;
    for (size_t k = 0; k < report->picture_count; k++)
        is_all &= report->pictures[k].section != s || report->pictures[k].live == REPORT_BY_MAP;
    return is_all;
}

static enum status write_sections(FILE *page, const struct report *report)
{
    const struct report_section *sections = report->model->sections;
    for (int s = 0; sections[s].heading; s++) {
        const struct report_section *section = &sections[s];
        const bool is_live = section->web && has_web(report, section->web);
        if (!is_live && !(section->is_shown ? section->is_shown(report) : has_pictures(report, s)))
            continue;
        const bool is_empty = is_live && !section->table && !has_pictures(report, s);
        fprintf(page, "<section%s>\n<h2>%s</h2>\n",
                is_empty                 ? " class=\"live\"" // empty on paper and without scripts
                : is_replaced(report, s) ? " class=\"by-map\""
                                         : "",
                section->heading);
        if (is_live)
            fprintf(page, "<div class=\"web\" id=\"%s\" hidden></div>\n", section->web);
        if (section->table)
            section->table(page, report);
        for (size_t k = 0; k < report->picture_count; k++)
            if (report->pictures[k].section == s)
                CHECK(write_picture(page, report, &report->pictures[k]));
        fputs("</section>\n", page);
    }
    return STATUS_OK;
}

// The warnings of the run, and those of the report.
static void write_warnings(FILE *page, const struct report *report)
{
    const cJSON *warnings = json_member(report->run, "warnings"), *item;
    if (report->warning_count == 0 && cJSON_GetArraySize(warnings) == 0)
        return;
    fprintf(page, "<div class=\"warnings\"><b>Please note</b><ul>\n");
    cJSON_ArrayForEach(item, warnings)
    {
        if (cJSON_IsString(item))
            html_within(page, "<li>", item->valuestring, "</li>\n");
    }
    for (size_t k = 0; k < report->warning_count; k++)
        html_within(page, "<li>", report->warnings[k], "</li>\n");
    fprintf(page, "</ul></div>\n");
}

static void write_finding(FILE *page, const cJSON *item, bool is_exceeded)
{
    const char *verdict = json_text(item, "verdict");
    fprintf(page, "<p class=\"%s\">",
            is_exceeded                      ? "alarm"
            : strcmp(verdict, "passed") == 0 ? "verdict good"
                                             : "verdict unknown");
    html_within(page, "", json_text(item, "rule"), " ");
    html_within(page, "", is_exceeded ? "EXCEEDED" : verdict, ": ");
    html_within(page, "", json_text(item, "message"), "</p>\n");
}

// The verdicts of the model's field (thermal safety) come first, and of these, in red, the limits that are
// exceeded.
static void write_findings(FILE *page, const struct report *report)
{
    const cJSON *findings = json_member(report->run, "findings"), *item;
    for (int pass = 0; pass < 2; pass++) {
        cJSON_ArrayForEach(item, findings)
        {
            const bool is_exceeded = strcmp(json_text(item, "verdict"), "exceeded") == 0;
            if (is_exceeded == (pass == 0))
                write_finding(page, item, is_exceeded);
        }
    }
}

static void write_footer(FILE *page, const struct report *report)
{
    char date[HTML_DATE_BYTES];
    const char *program = json_text(report->run, "program");
    html_within(page, "<footer>", program[0] ? program : "Fathom", " · report of ");
    html_text(page, report->options.directory);
    fprintf(page, " · created %s</footer>\n</main>\n</body>\n</html>\n", html_date(date));
}

// The model, the origin of the time, and the figures as tiles.
static void write_figures(FILE *page, const struct report *report)
{
    char origin[RESULT_UNITS_BYTES + 8];
    const char *name = json_text(report->run, "model");
    html_within(page, "<p class=\"soft\">", name[0] ? name : report->model->name, "");
    if (report_page_origin(report, origin, sizeof origin))
        html_within(page, " · time counts from ", origin, "");
    fputs("</p>\n<div class=\"tiles\">\n", page);
    report->model->figures(page, report);
    report_tiles_of_run(page, report);
    fputs("</div>\n", page);
}

// For the page's script. No "<" stands in it, so no text can end the element.
static enum status write_web(FILE *page, const struct report *report)
{
    if (!report->web)
        return STATUS_OK;
    char *text = utf8_print_json_line(report->web);
    if (!text)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for the page's data");
    fputs("<script type=\"application/json\" id=\"page-data\">", page);
    for (const char *p = text; *p;) {
        const size_t plain = strcspn(p, "<>&");
        fwrite(p, 1, plain, page);
        p += plain;
        if (*p)
            fprintf(page, "\\u%04x", (unsigned)(unsigned char)*p++);
    }
    fputs("</script>\n", page);
    cJSON_free(text);
    return STATUS_OK;
}

static enum status write_head(FILE *page, const void *context)
{
    const struct report *report = context;
    const bool has_maps = cJSON_GetArraySize(json_member(report->web, "maps")) > 0,
               has_charts = cJSON_GetArraySize(json_member(report->web, "charts")) > 0,
               has_volumes = cJSON_GetArraySize(json_member(report->web, "volumes")) > 0;
    return library_write(page, has_maps, has_charts, has_volumes);
}

static enum status write_all(FILE *page, const struct report *report)
{
    const char *job = report_job_title(report);
    CHECK(html_begin_with(page, job ? job : report->options.directory, write_head, report));
    write_findings(page, report);
    write_figures(page, report);
    write_warnings(page, report);
    CHECK(write_sections(page, report));
    report_page_stages(page, report);
    report_page_run(page, report);
    CHECK(write_web(page, report));
    write_footer(page, report);
    return STATUS_OK;
}

enum status report_write_page(const struct report *report, const char *path)
{
    struct whole_file file;
    CHECK(whole_file_begin(&file, path));
    return whole_file_end(&file, write_all(file.stream, report));
}
