// The page of a report: one HTML file with everything in it, pictures included, readable in light and dark,
// on paper and on a small screen. Knows the report's parts (report.h); what the tables hold is
// tables.c's.
#include "report/context.h"

#include "core/status.h"
#include "io/whole_file.h"
#include "report/html.h"

#include <stdio.h>
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

static bool has_pictures(const struct report *report, enum report_section section)
{
    for (size_t k = 0; k < report->picture_count; k++)
        if (report->pictures[k].section == section)
            return true;
    return false;
}

static enum status write_section(FILE *page, const struct report *report, enum report_section section,
                                 const char *heading)
{
    if (!has_pictures(report, section) && !(section == REPORT_GRIDS && report_has_grids(report)))
        return STATUS_OK;
    fprintf(page, "<h2>%s</h2>\n", heading);
    if (section == REPORT_GAUGES && !report->heat.is_heat && !report->nbody.is_nbody && !report->gas.is_gas &&
        !report->ising.is_ising)
        report_html_gauges(page, report);
    if (section == REPORT_GRIDS)
        report_html_grids(page, report);
    for (size_t k = 0; k < report->picture_count; k++)
        if (report->pictures[k].section == section)
            CHECK(write_picture(page, report, &report->pictures[k]));
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
    const cJSON *warnings = cJSON_GetObjectItemCaseSensitive(report->run, "warnings"), *item;
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

// What a rule of the model's field says of the run, where it is exceeded: before all else.
static void write_findings(FILE *page, const struct report *report)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(report->run, "findings"))
    {
        const char *verdict = report_json_text(item, "verdict");
        if (strcmp(verdict, "exceeded") != 0)
            continue;
        fputs("<p class=\"alarm\">", page);
        html_text(page, report_json_text(item, "rule"));
        fputs(" EXCEEDED: ", page);
        html_text(page, report_json_text(item, "message"));
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
    const cJSON *program = cJSON_GetObjectItemCaseSensitive(report->run, "program");
    fprintf(page, "<footer>");
    html_text(page, cJSON_IsString(program) ? program->valuestring : "Fathom");
    fprintf(page, " · report of ");
    html_text(page, report->options.directory);
    fprintf(page, " · made %s</footer>\n</main>\n</body>\n</html>\n", date);
}

static enum status write_waves(FILE *page, const struct report *report)
{
    CHECK(write_section(page, report, REPORT_OVERVIEW, "Amplitude and arrival"));
    CHECK(
        write_section(page, report, REPORT_GRIDS, report->grid_count > 1 ? "Nested grids" : "Water on land"));
    CHECK(write_section(page, report, REPORT_SNAPSHOTS, "The wave on its way"));
    CHECK(write_section(page, report, REPORT_GAUGES, "Gauges"));
    CHECK(write_section(page, report, REPORT_MORE, "Source and other maxima"));
    return write_section(page, report, REPORT_DIAGNOSTICS, "Mass and energy");
}

static enum status write_heat(FILE *page, const struct report *report)
{
    CHECK(write_section(page, report, REPORT_OVERVIEW, "Temperature and thermal dose"));
    report_html_heat_tissues(page, report);
    CHECK(write_section(page, report, REPORT_SNAPSHOTS, "Over time"));
    CHECK(write_section(page, report, REPORT_GAUGES, "Sensors"));
    return write_section(page, report, REPORT_DIAGNOSTICS, "Heat and extremes");
}

static enum status write_nbody(FILE *page, const struct report *report)
{
    CHECK(write_section(page, report, REPORT_OVERVIEW, "Bodies"));
    CHECK(write_section(page, report, REPORT_SNAPSHOTS, "Over time"));
    CHECK(write_section(page, report, REPORT_DIAGNOSTICS, "Energy, radii, and what is conserved"));
    report_html_nbody_phases(page, report);
    return STATUS_OK;
}

static enum status write_gas(FILE *page, const struct report *report)
{
    CHECK(write_section(page, report, REPORT_OVERVIEW, "Particles"));
    CHECK(write_section(page, report, REPORT_SNAPSHOTS, "Along the outer force"));
    CHECK(write_section(page, report, REPORT_DIAGNOSTICS, "Energy, temperature and pressure"));
    CHECK(write_section(page, report, REPORT_GAUGES, "Structure and clusters"));
    report_html_gas_phases(page, report);
    return STATUS_OK;
}

static enum status write_ising(FILE *page, const struct report *report)
{
    const bool is_one = report->ising.count == 1;
    CHECK(write_section(page, report, REPORT_OVERVIEW, "Against temperature"));
    report_html_ising_results(page, report);
    CHECK(write_section(page, report, REPORT_SNAPSHOTS, is_one ? "Spins" : "Finite-size scaling"));
    CHECK(write_section(page, report, REPORT_GAUGES, "Series and thermalisation"));
    CHECK(write_section(page, report, REPORT_DIAGNOSTICS,
                        is_one ? "Autocorrelation, distributions, correlations" : "Two runs of one lattice"));
    report_html_ising_phases(page, report);
    return STATUS_OK;
}

static enum status write_model(FILE *page, const struct report *report)
{
    if (report->ising.is_ising)
        return write_ising(page, report);
    if (report->gas.is_gas)
        return write_gas(page, report);
    if (report->nbody.is_nbody)
        return write_nbody(page, report);
    return report->heat.is_heat ? write_heat(page, report) : write_waves(page, report);
}

static enum status write_all(FILE *page, const struct report *report)
{
    write_head(page, report);
    write_findings(page, report);
    report_html_figures(page, report);
    write_warnings(page, report);
    CHECK(write_model(page, report));
    report_html_run(page, report);
    write_footer(page, report);
    return STATUS_OK;
}

enum status report_write_page(const struct report *report, const char *path)
{
    struct whole_file file;
    CHECK(whole_file_begin(&file, path));
    return whole_file_end(&file, write_all(file.stream, report));
}
