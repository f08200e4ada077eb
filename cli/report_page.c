// The page of a report: one HTML file with everything in it, pictures included, readable in light and dark,
// on paper and on a small screen. Knows the report's parts (report.h); what the tables hold is
// report_tables.c's.
#include "cli/report_context.h"

#include "core/status.h"
#include "io/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char style_sheet[] =
    ":root{color-scheme:light dark;--back:#f6f7f9;--card:#fff;--text:#1c2126;--soft:#5c6670;--line:#dde2e7;"
    "--accent:#1f5f99;--good:#1d7a45;--bad:#b3261e;--warn:#fff4d6;--warntext:#5f4700}\n"
    "@media (prefers-color-scheme:dark){:root{--back:#14181c;--card:#1d2328;--text:#e6eaee;--soft:#9aa5af;"
    "--line:#343c44;--accent:#7ab8ef;--good:#6fcf97;--bad:#ff8a80;--warn:#3a3115;--warntext:#f3dc9b}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--back);color:var(--text);font:16px/1.5 system-ui,-apple-system,'Segoe "
    "UI',Roboto,"
    "'DejaVu Sans',sans-serif}\n"
    "main{max-width:1240px;margin:0 auto;padding:28px 20px 60px}\n"
    "h1{font-size:1.9rem;line-height:1.2;margin:0 0 6px;letter-spacing:-.01em}\n"
    "h2{font-size:1.25rem;margin:44px 0 14px;padding-bottom:6px;border-bottom:1px solid var(--line)}\n"
    "h3{font-size:1rem;margin:0 0 8px}\n"
    "p{margin:0 0 10px}.soft{color:var(--soft)}\n"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(148px,1fr));gap:12px;margin:22px 0 "
    "8px}\n"
    ".tile,.card,figure{background:var(--card);border:1px solid var(--line);border-radius:10px}\n"
    ".tile{padding:12px 16px}.tile b{display:block;font-size:1.3rem;line-height:1.25;font-weight:650}\n"
    ".tile span{color:var(--soft);font-size:.85rem;display:block}\n"
    "figure{margin:0 0 20px;overflow:hidden}\n"
    "figure img{display:block;width:100%;height:auto;background:#fff}\n"
    "figure.narrow img{max-width:760px;margin:0 auto}\n"
    "figcaption{padding:10px 16px 12px;font-size:.9rem;color:var(--soft);border-top:1px solid var(--line)}\n"
    ".card{padding:14px 16px;margin:0 0 16px}\n"
    ".scroll{overflow-x:auto}\n"
    ".grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:16px;align-"
    "items:start}\n"
    ".grid .card{margin:0;min-width:0}\n"
    "table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:5px 10px;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}\n"
    "tr:last-child>td,tr:last-child>th{border-bottom:0}\n"
    "thead th{font-weight:600;color:var(--soft);border-bottom:2px solid var(--line);vertical-align:bottom}\n"
    "tbody th{font-weight:500;color:var(--soft)}\n"
    ".gauges tbody th{color:var(--text);font-weight:600;white-space:nowrap}th "
    "small{display:block;color:var(--soft);"
    "font-weight:400}\n"
    ".gauges td,.gauges thead th{text-align:right;white-space:nowrap}"
    ".gauges td:nth-child(2),.gauges thead th:nth-child(-n+2){text-align:left}\n"
    "td{overflow-wrap:anywhere}td small{display:block;color:var(--soft);font-size:.85em}\n"
    ".good{color:var(--good)}.bad{color:var(--bad)}\n"
    ".warnings{background:var(--warn);color:var(--warntext);border-radius:10px;padding:12px 16px;margin:16px "
    "0}\n"
    ".warnings ul{margin:4px 0 0;padding-left:20px}\n"
    "footer{margin-top:48px;color:var(--soft);font-size:.85rem}\n"
    "@media (max-width:600px){main{padding:18px 10px 40px}h1{font-size:1.45rem}.tile b{font-size:1.2rem}}\n"
    "@media "
    "print{:root{--back:#fff;--card:#fff;--text:#000;--soft:#444;--line:#bbb;--accent:#000;--good:#000;"
    "--bad:#000;--warn:#fff;--warntext:#000}body{font-size:10.5pt}main{max-width:none;padding:0}"
    "figure,.card,.tile{break-inside:avoid}h2{break-after:avoid}.scroll{overflow:visible}table{font-size:8."
    "5pt}"
    "th,td{padding:3px 5px}}\n";

// Base64 (RFC 4648) of a stream, without line breaks.
static bool write_base64(FILE *page, FILE *source)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char bytes[3 * 4096];
    char text[4 * 4096];
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, source)) > 0;) {
        size_t used = 0;
        for (size_t k = 0; k < count; k += 3) {
            size_t left = count - k;
            unsigned group = (unsigned)bytes[k] << 16 | (left > 1 ? (unsigned)bytes[k + 1] << 8 : 0) |
                             (left > 2 ? (unsigned)bytes[k + 2] : 0);
            text[used++] = digits[group >> 18];
            text[used++] = digits[group >> 12 & 63];
            text[used++] = left > 1 ? digits[group >> 6 & 63] : '=';
            text[used++] = left > 2 ? digits[group & 63] : '=';
        }
        if (fwrite(text, 1, used, page) != used)
            return false;
    }
    return !ferror(source);
}

static enum status write_picture(FILE *page, const struct report *report,
                                 const struct report_picture *picture)
{
    char path[REPORT_PATH_BYTES + 80];
    snprintf(path, sizeof path, "%s/%s", report->pictures_directory, picture->file);
    FILE *source = fopen(path, "rb");
    if (!source)
        return FAIL(STATUS_IO, "%s: was drawn, but cannot be read back: %s", path, strerror(errno));
    // A picture with less than this width would be blown up and coarse at the page's full width.
    bool is_narrow = picture->width_px < report->options.width_px * 7 / 10;
    fprintf(page, "<figure%s><img width=\"%d\" height=\"%d\" alt=\"", is_narrow ? " class=\"narrow\"" : "",
            picture->width_px, picture->height_px);
    report_html_text(page, picture->title);
    fprintf(page, ". ");
    report_html_text(page, picture->caption);
    fprintf(page, "\" src=\"data:image/png;base64,");
    bool is_written = write_base64(page, source);
    fclose(source);
    fprintf(page, "\"><figcaption>");
    report_html_text(page, picture->caption);
    fprintf(page, "</figcaption></figure>\n");
    return is_written ? STATUS_OK : FAIL(STATUS_IO, "%s: copying it into the page failed", path);
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
    fprintf(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    report_html_text(page, job ? job : report->options.directory);
    fprintf(page, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>", style_sheet);
    report_html_text(page, job ? job : report->options.directory);
    fprintf(page, "</h1>\n");
}

static void write_warning(FILE *page, const char *text)
{
    fprintf(page, "<li>");
    report_html_text(page, text);
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

static void write_footer(FILE *page, const struct report *report)
{
    char date[64] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    const cJSON *program = cJSON_GetObjectItemCaseSensitive(report->run, "program");
    fprintf(page, "<footer>");
    report_html_text(page, cJSON_IsString(program) ? program->valuestring : "Fathom");
    fprintf(page, " · report of ");
    report_html_text(page, report->options.directory);
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
    report_html_figures(page, report);
    write_warnings(page, report);
    CHECK(write_model(page, report));
    report_html_run(page, report);
    write_footer(page, report);
    return STATUS_OK;
}

enum status report_write_page(const struct report *report, const char *path)
{
    char part[REPORT_PATH_BYTES + 8];
    snprintf(part, sizeof part, "%s.part", path);
    FILE *page = fopen(part, "w");
    if (!page)
        return FAIL(STATUS_CANNOT_CREATE, "%s: %s", part, strerror(errno));
    enum status status = write_all(page, report);
    if (status == STATUS_OK && (fflush(page) != 0 || ferror(page)))
        status = FAIL(STATUS_IO, "%s: writing failed: %s", part, strerror(errno));
    if (fclose(page) != 0 && status == STATUS_OK)
        status = FAIL(STATUS_IO, "%s: writing failed: %s", part, strerror(errno));
    if (status == STATUS_OK)
        status = path_publish(part, path);
    if (status != STATUS_OK)
        (void)unlink(part);
    return status;
}
