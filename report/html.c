// Parts of HTML pages: see html.h.
#include "report/html.h"

#include "io/xml.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

static const char style_sheet[] =
    ":root{color-scheme:light "
    "dark;--back:#f6f7f9;--card:#fff;--text:#1c2126;--soft:#5c6670;--line:#dde2e7;--accent:#1f5f99;--good:#"
    "1d7a45;--bad:#b3261e;--warn:#fff4d6;--warntext:#5f4700}\n"
    "@media "
    "(prefers-color-scheme:dark){:root{--back:#14181c;--card:#1d2328;--text:#e6eaee;--soft:#9aa5af;--line:#"
    "343c44;--accent:#7ab8ef;--good:#6fcf97;--bad:#ff8a80;--warn:#3a3115;--warntext:#f3dc9b}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--back);color:var(--text);font:16px/1.5 system-ui,-apple-system,'Segoe "
    "UI',Roboto,'DejaVu Sans',sans-serif}\n"
    "main{max-width:1240px;margin:0 auto;padding:28px 20px 60px}\n"
    "h1{font-size:1.9rem;line-height:1.2;margin:0 0 6px;letter-spacing:-.01em}\n"
    "h2{font-size:1.25rem;margin:44px 0 14px;padding-bottom:6px;border-bottom:1px solid var(--line)}\n"
    "h3{font-size:1rem;margin:0 0 8px}\n"
    "p{margin:0 0 10px}.soft{color:var(--soft)}\n"
    // A tile is as wide as its value: a number and its unit stay on one line.
    ".tiles{display:flex;flex-wrap:wrap;gap:12px;margin:22px 0 8px}\n"
    ".tile,.card,figure{background:var(--card);border:1px solid var(--line);border-radius:10px}\n"
    ".tile{flex:1 1 148px;max-width:300px;padding:12px 16px}\n"
    ".tile b{display:block;font-size:1.3rem;line-height:1.25;font-weight:650;white-space:nowrap}\n"
    ".tile b.place{white-space:normal;font-size:1.1rem}\n"
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
    "small{display:block;color:var(--soft);font-weight:400}\n"
    ".gauges td,.gauges thead th{text-align:right;white-space:nowrap}.gauges td:nth-child(2),.gauges thead "
    "th:nth-child(-n+2){text-align:left}\n"
    ".gauges td.long{white-space:normal;min-width:8.5em}\n"
    ".card .scroll+p,.card table+p{margin-top:8px}\n"
    "td small{display:block;color:var(--soft);font-size:.85em}\n"
    ".card{overflow-x:auto}.grid .wide{grid-column:1/-1}.whole{white-space:nowrap}\n"
    "details{margin:16px 0}summary{cursor:pointer;color:var(--accent);margin:0 0 12px}\n"
    ".good{color:var(--good)}.bad{color:var(--bad)}\n"
    ".bad b{white-space:nowrap}.alarm{border:2px solid "
    "var(--bad)}p.alarm{background:#b3261e;color:#fff;border-radius:10px;padding:12px 16px;margin:16px "
    "0;font-weight:700;font-size:1.1rem}\n"
    "p.verdict{border:1px solid var(--line);border-left:6px solid;border-radius:10px;padding:9px "
    "16px;margin:16px 0;background:var(--card)}p.verdict.unknown{background:var(--warn);"
    "color:var(--warntext)}\n"
    ".warnings{background:var(--warn);color:var(--warntext);border-radius:10px;padding:12px 16px;margin:16px "
    "0}\n"
    ".warnings ul{margin:4px 0 0;padding-left:20px}\n"
    ".warned{background:var(--warn);color:var(--warntext);border:1px solid "
    "currentcolor;border-radius:6px;padding:0 6px}\n"
    "footer{margin-top:48px;color:var(--soft);font-size:.85rem}\n"
    ".scroll td:first-child{white-space:nowrap}\n"
    // In the tables of a batch only headings and long texts are wrapped.
    ".runs td{white-space:nowrap}.runs td>b{white-space:normal}.scroll .runs td.long{white-space:normal}\n"
    // Tables of many columns have a smaller font; if they are still too wide, they are scrolled, and a shade
    // at the side shows this.
    ".compact{font-size:.8rem}.compact th,.compact td{padding:5px 6px}\n"
    ".card.scroll{background:linear-gradient(90deg,var(--card) 30%,transparent) 0 0/40px 100% no-repeat "
    "local,linear-gradient(270deg,var(--card) 30%,transparent) 100% 0/40px 100% no-repeat "
    "local,linear-gradient(90deg,rgba(0,0,0,.25),transparent) 0 0/10px 100% no-repeat "
    "scroll,linear-gradient(270deg,rgba(0,0,0,.25),transparent) 100% 0/10px 100% no-repeat "
    "scroll,var(--card)}\n"
    "@media (max-width:600px){main{padding:18px 10px 40px}h1{font-size:1.45rem}.tile "
    "b{font-size:1.2rem}.scroll td{min-width:6em}}\n"
    // In print: two pictures in a row, tables in the smallest readable font, and no folded blocks. A row of
    // pictures is a line of text; by default browsers keep two lines together.
    "@page{margin:12mm 11mm;size:A4}\n"
    "@media "
    "print{:root{--back:#fff;--card:#fff;--text:#000;--soft:#444;--line:#bbb;--accent:#000;--good:#000;--bad:"
    "#b3261e;--warn:#fff;--warntext:#000}\n"
    ".bad,.alarm{print-color-adjust:exact;-webkit-print-color-adjust:exact}\n"
    "p.alarm{background:#fff;color:#b3261e;font-size:10.5pt;padding:2mm 3mm;margin:2mm "
    "0}p.verdict{padding:1mm 3mm;margin:2mm 0}\n"
    "body{font-size:9pt;line-height:1.3}main{max-width:none;padding:0;orphans:1;widows:1}h1{font-size:16pt}\n"
    "h2{font-size:12pt;margin:4mm 0 2mm;padding-bottom:.5mm;break-after:avoid}\n"
    ".tiles{gap:2mm;margin:3mm 0}\n"
    ".tile{flex-basis:23mm;max-width:50mm;padding:1.5mm 2mm}.tile b{font-size:10.5pt}\n"
    ".tile span{font-size:7.5pt}\n"
    "figure,.card,.tile,tr{break-inside:avoid}\n"
    "p,figcaption{orphans:2;widows:2}\n"
    "table{font-size:7.5pt}th,td{padding:.5mm 1.2mm}td small{display:inline;margin-left:1mm}\n"
    "figure{display:inline-block;width:49.3%;margin:0 0 1.5mm;vertical-align:top}\n"
    "figure img{max-height:105mm;object-fit:contain}figcaption{font-size:7pt;padding:1mm 2mm}\n"
    ".card{padding:2mm 3mm;margin:0 0 2mm;overflow:visible}.scroll{overflow:visible}\n"
    ".card.scroll{break-inside:auto}\n"
    ".scroll .runs td.long{min-width:26mm}.compact{font-size:6.5pt}\n"
    ".compact th,.compact td{padding:.5mm .8mm}\n"
    ".grid{display:block;columns:2;column-gap:3mm}.grid .card{margin:0 0 3mm}.grid .wide{column-span:all}\n"
    ".pictures{columns:auto}.pictures figure{width:32.6%}\n"
    ".gauges th,.gauges td{padding:.5mm .9mm}.card .scroll+p,.card table+p{margin-top:1.5mm}\n"
    "details:not([open]){display:none}footer{margin-top:3mm;font-size:7.5pt}}\n";

enum status html_begin_with(FILE *page, const char *title,
                            enum status (*head)(FILE *page, const void *context), const void *context)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
          "content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light "
          "dark\">\n"
          "<title>",
          page);
    html_text(page, title);
    fprintf(page, "</title>\n<style>\n%s</style>\n", style_sheet);
    const enum status status = head ? head(page, context) : STATUS_OK;
    fputs("</head>\n<body>\n<main>\n<h1>", page);
    html_text(page, title);
    fputs("</h1>\n", page);
    return status;
}

void html_begin(FILE *page, const char *title)
{
    (void)html_begin_with(page, title, NULL, NULL);
}

void html_text(FILE *page, const char *text)
{
    xml_text(page, text);
}

static bool is_of_name(char character)
{
    return isalnum((unsigned char)character) || (character != '\0' && strchr("_-.", character));
}

// Whether the word at `text` is a unit.
static bool is_unit(const char *text)
{
    static const char *const units[] = {
        "s",   "ms",  "µs", "min", "h",  "d",  "m",  "mm", "cm",   "km",     "µm", "m/s",    "m²/s",
        "mm³", "m³",  "°C", "K",   "W",  "J",  "B",  "kB", "MB",   "GB",     "TB", "kg",     "kiB",
        "MiB", "GiB", "Hz", "GPa", "AU", "pc", "ka", "Ma", "degC", "degree", "%",  "million"};
    const size_t length = strcspn(text, " ,;:.)");
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strlen(units[k]) == length && strncmp(units[k], text, length) == 0)
            return true;
    return false;
}

// Whether the line must not be broken at this blank: in "15 km" and "(1, 2, 3) mm", and at the second blank
// of "1 h 05 min".
static bool is_within_quantity(const char *text, const char *blank)
{
    if (*blank != ' ' || blank - text < 1)
        return false;
    if (isdigit((unsigned char)blank[-1]) || blank[-1] == ')')
        return is_unit(blank + 1);
    const char *word = blank;
    while (word > text && isalpha((unsigned char)word[-1]))
        word--;
    return isdigit((unsigned char)blank[1]) && word - text >= 2 && word[-1] == ' ' &&
           isdigit((unsigned char)word[-2]) && is_unit(word);
}

void html_breakable(FILE *page, const char *text)
{
    for (const char *p = text; *p;) {
        const bool is_in_path = *p == '/' && p > text && is_of_name(p[-1]) && is_of_name(p[1]);
        const bool is_in_list = *p == ',' && isgraph((unsigned char)p[1]); // JSON without blanks
        if (is_within_quantity(text, p)) {
            fputs("&nbsp;", page);
            p++;
        } else {
            p = xml_character(page, p);
        }
        if (is_in_path || is_in_list)
            fputs("<wbr>", page);
    }
}

void html_name(FILE *page, const char *name)
{
    enum { WHOLE_BYTES = 16, END_BYTES = 3 }; // the end is often a unit, as "m_s"
    const size_t length = strcspn(name, " ");
    for (const char *p = name; *p;) {
        const bool is_far = length > WHOLE_BYTES && (size_t)(p - name) + 1 + END_BYTES < length;
        const bool is_break =
            is_far && strchr("_.-", *p) && p > name && is_of_name(p[-1]) && is_of_name(p[1]);
        p = xml_character(page, p);
        if (is_break)
            fputs("<wbr>", page);
    }
}

void html_within(FILE *page, const char *before, const char *text, const char *after)
{
    fputs(before, page);
    html_text(page, text);
    fputs(after, page);
}

void html_breakable_within(FILE *page, const char *before, const char *text, const char *after)
{
    fputs(before, page);
    html_breakable(page, text);
    fputs(after, page);
}

void html_small(FILE *page, const char *text)
{
    if (text[0])
        html_within(page, "<small>", text, "</small>");
}

const char *html_date(char text[HTML_DATE_BYTES])
{
    const time_t now = time(NULL);
    struct tm utc;
    text[0] = '\0';
    if (gmtime_r(&now, &utc))
        strftime(text, HTML_DATE_BYTES, "%Y-%m-%d %H:%M UTC", &utc);
    return text;
}

size_t html_base64_bytes(size_t count)
{
    return (count + 2) / 3 * 4;
}

size_t html_base64(const unsigned char *bytes, size_t count, char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t used = 0;
    for (size_t k = 0; k < count; k += 3) {
        const size_t left = count - k;
        const unsigned group = (unsigned)bytes[k] << 16 | (left > 1 ? (unsigned)bytes[k + 1] << 8 : 0) |
                               (left > 2 ? (unsigned)bytes[k + 2] : 0);
        text[used++] = digits[group >> 18];
        text[used++] = digits[group >> 12 & 63];
        text[used++] = left > 1 ? digits[group >> 6 & 63] : '=';
        text[used++] = left > 2 ? digits[group & 63] : '=';
    }
    return used;
}

static bool write_base64(FILE *page, FILE *source)
{
    unsigned char bytes[3 * 4096];
    char text[4 * 4096];
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, source)) > 0;) {
        const size_t used = html_base64(bytes, count, text);
        if (fwrite(text, 1, used, page) != used)
            return false;
    }
    return !ferror(source);
}

static void begin_image(FILE *page, int width_px, int height_px, const char *alt)
{
    fprintf(page, "<img width=\"%d\" height=\"%d\" alt=\"", width_px, height_px);
    html_text(page, alt);
    fputs("\" src=\"", page);
}

void html_image(FILE *page, const char *uri, int width_px, int height_px, const char *alt)
{
    begin_image(page, width_px, height_px, alt);
    fprintf(page, "%s\">", uri);
}

enum status html_png(FILE *page, const char *path, int width_px, int height_px, const char *alt)
{
    FILE *source = fopen(path, "rbe");
    if (!source)
        return FAIL(STATUS_IO, "%s: cannot be read into the page: %s", path, strerror(errno));
    begin_image(page, width_px, height_px, alt);
    fputs("data:image/png;base64,", page);
    const bool is_written = write_base64(page, source);
    fclose(source);
    fputs("\">", page);
    return is_written ? STATUS_OK : FAIL(STATUS_IO, "%s: copying it into the page failed", path);
}
