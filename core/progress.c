// The display of a run's progress (see the header).
#include "core/progress.h"

#include "core/clock.h"
#include "core/log.h"

#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    LINE_BYTES = 1024,
    PART_BYTES = 160,
    COLUMNS_DEFAULT = 80,
    COLUMNS_MAX = 200,
    BAR_MAX = 40,
    BAR_MIN = 8,
    DAYS_FROM_S = 100 * 3600
};

static const double terminal_interval_s = 0.1;
static const double rate_window_s = 5.0, julian_year_s = 365.25 * 86400;

// ---- texts

char *progress_format_years(double years, char *text, size_t bytes)
{
    static const char *const units[] = {"kyr", "Myr", "Gyr"};
    double value = years / 1e3;
    size_t unit = 0;
    // 999.95 would be shown as 1000.
    for (; value >= 999.95 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1e3;
    if (years < 1e4)
        snprintf(text, bytes, "%.4g years", years);
    else
        snprintf(text, bytes, "%.4g %s", value, units[unit]);
    return text;
}

char *progress_format_duration(double seconds, char *text, size_t bytes)
{
    if (!isfinite(seconds) || seconds < 0.0) {
        snprintf(text, bytes, "unknown");
        return text;
    }
    if (seconds >= 10 * julian_year_s)
        return progress_format_years(seconds / julian_year_s, text, bytes);
    if (seconds < 9.995) { // "10 s" and more in whole seconds
        snprintf(text, bytes, "%.3g s", seconds);
        return text;
    }
    // Rounded once, so that 59.7 s is "1 min" and never "60 s".
    long long whole = llround(seconds);
    if (whole >= 3600)
        whole = (whole + 30) / 60 * 60;
    // Days and hours alone would hide what part of an hour a run of a day or two has.
    const bool has_days = whole >= DAYS_FROM_S;
    if (has_days)
        whole = (whole + 1800) / 3600 * 3600;
    const long long days = has_days ? whole / 86400 : 0, hours = has_days ? whole / 3600 % 24 : whole / 3600,
                    minutes = whole / 60 % 60, rest = whole % 60;
    if (days > 0 && hours > 0)
        snprintf(text, bytes, "%lld d %02lld h", days, hours);
    else if (days > 0)
        snprintf(text, bytes, "%lld d", days);
    else if (hours > 0 && minutes > 0)
        snprintf(text, bytes, "%lld h %02lld min", hours, minutes);
    else if (hours > 0)
        snprintf(text, bytes, "%lld h", hours);
    else if (minutes > 0 && rest > 0)
        snprintf(text, bytes, "%lld min %02lld s", minutes, rest);
    else if (minutes > 0)
        snprintf(text, bytes, "%lld min", minutes);
    else
        snprintf(text, bytes, "%lld s", rest);
    return text;
}

char *progress_format_rate(double rate_per_s, const char *unit, char *text, size_t bytes)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    double value = rate_per_s;
    size_t prefix = 0;
    // 999.5 would be shown as 1000.
    while (value >= 999.5 && prefix + 1 < sizeof prefixes / sizeof prefixes[0]) {
        value /= 1000.0;
        prefix++;
    }
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    snprintf(text, bytes, "%.*f %s%s", decimals, value, prefixes[prefix], unit);
    return text;
}

static char *format_model_time(const struct progress_view *view, char *text, size_t bytes)
{
    char now[64], end[64];
    if (view->time_unit) {
        snprintf(text, bytes, "%.6g of %.6g %s", view->model_time_s, view->duration_s, view->time_unit);
        return text;
    }
    progress_format_duration(view->model_time_s, now, sizeof now);
    progress_format_duration(view->duration_s, end, sizeof end);
    snprintf(text, bytes, "%s of %s", now, end);
    return text;
}

static double clamp_fraction(double fraction)
{
    return fraction > 0.0 ? fmin(fraction, 1.0) : 0.0; // NaN becomes 0
}

// Only a run that is done shows 100 %: the figure is rounded down.
static double percent_shown(double fraction)
{
    return floor(clamp_fraction(fraction) * 1000.0) / 10.0;
}

char *progress_format_plain(const struct progress_view *view, char *text, size_t bytes)
{
    char model_time[PART_BYTES], rate[PART_BYTES + 2] = "", remaining[PART_BYTES] = "", part[PART_BYTES];
    format_model_time(view, model_time, sizeof model_time);
    if (view->work_unit && !isnan(view->rate_per_s))
        snprintf(rate, sizeof rate, ", %s",
                 progress_format_rate(view->rate_per_s, view->work_unit, part, sizeof part - 2));
    if (!isnan(view->remaining_s)) {
        char duration[64];
        snprintf(remaining, sizeof remaining, ", %s left",
                 progress_format_duration(view->remaining_s, duration, sizeof duration));
    }
    snprintf(text, bytes, "%.1f %%, %s %s%s%s", percent_shown(view->fraction),
             view->time_name ? view->time_name : "model time", model_time, rate, remaining);
    return text;
}

// The bar with eighths of a block in UTF-8, or '#' and '.'. `width` ≤ BAR_MAX.
static void format_bar(double fraction, size_t width, bool utf8, char *text, size_t bytes)
{
    static const char *const eighths[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    size_t filled = (size_t)(clamp_fraction(fraction) * (double)width * 8.0);
    size_t used = 0;
    for (size_t i = 0; i < width && used + 4 < bytes; i++) {
        size_t level = filled >= 8 ? 8 : filled;
        filled -= level;
        const char *cell = utf8 ? eighths[level] : level == 8 ? "#" : ".";
        size_t length = strlen(cell);
        memcpy(text + used, cell, length);
        used += length;
    }
    text[used] = '\0';
}

char *progress_format_line(const struct progress_view *view, size_t columns, bool utf8, char *text,
                           size_t bytes)
{
    enum { MODEL_TIME, RATE, REMAINING, PARTS };
    static const int drop_order[PARTS] = {RATE, MODEL_TIME, REMAINING};
    char parts[PARTS][PART_BYTES] = {"", "", ""};
    char duration[64], percent[16], bar[BAR_MAX * 4 + 1];
    format_model_time(view, parts[MODEL_TIME], PART_BYTES);
    if (view->work_unit && !isnan(view->rate_per_s))
        progress_format_rate(view->rate_per_s, view->work_unit, parts[RATE], PART_BYTES);
    if (!isnan(view->remaining_s))
        snprintf(parts[REMAINING], PART_BYTES, "%s left",
                 progress_format_duration(view->remaining_s, duration, sizeof duration));
    int percent_columns = snprintf(percent, sizeof percent, "%5.1f %%", percent_shown(view->fraction));

    // The texts are ASCII (units too), so bytes are columns. Each part is preceded by two blanks; the bar
    // stands between two bars and two blanks.
    size_t used = (size_t)percent_columns;
    for (int i = 0; i < PARTS; i++)
        used += parts[i][0] ? 2 + strlen(parts[i]) : 0;
    for (int i = 0; i < PARTS && used + 4 + BAR_MIN > columns; i++) {
        char *part = parts[drop_order[i]];
        used -= part[0] ? 2 + strlen(part) : 0;
        part[0] = '\0';
    }
    size_t space = columns > used + 4 ? columns - used - 4 : 0;
    size_t width = space > BAR_MAX ? BAR_MAX : space;
    if (width < BAR_MIN)
        snprintf(text, bytes, "%.*s", (int)columns, percent);
    else {
        format_bar(view->fraction, width, utf8, bar, sizeof bar);
        snprintf(text, bytes, "%s  |%s|%s%s%s%s%s%s", percent, bar, parts[MODEL_TIME][0] ? "  " : "",
                 parts[MODEL_TIME], parts[RATE][0] ? "  " : "", parts[RATE], parts[REMAINING][0] ? "  " : "",
                 parts[REMAINING]);
    }
    return text;
}

// ---- the display

static size_t terminal_columns(int descriptor)
{
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return COLUMNS_DEFAULT;
    return size.ws_col > COLUMNS_MAX ? COLUMNS_MAX : size.ws_col;
}

static void draw(struct progress *progress, const char *outcome)
{
    char content[LINE_BYTES - 64], line[LINE_BYTES];
    if (progress->is_terminal) {
        // The last column stays empty: filling it makes some terminals wrap.
        size_t columns = terminal_columns(progress->options.descriptor) - 1;
        if (outcome && columns > strlen(outcome) + 2)
            columns -= strlen(outcome) + 2;
        progress_format_line(&progress->view, columns, progress->is_utf8, content, sizeof content);
        snprintf(line, sizeof line, "\r\033[K%s%s%s%s", content, outcome ? "  " : "", outcome ? outcome : "",
                 outcome ? "\n" : "");
    } else {
        progress_format_plain(&progress->view, content, sizeof content);
        snprintf(line, sizeof line, "fathom: %s%s%s\n", content, outcome ? ", " : "", outcome ? outcome : "");
    }
    bool stays_open = progress->is_terminal && !outcome;
    if (!log_transient(progress->options.descriptor, line, strlen(line), stays_open))
        progress->is_broken = true; // the terminal is closed: the run continues without a display
}

void progress_start(struct progress *progress, const struct progress_options *options, double model_time_s)
{
    *progress = (struct progress){.options = *options};
    if (!(options->seconds_between_lines > 0.0))
        progress->options.seconds_between_lines = 5.0;
    const char *terminal = getenv("TERM");
    progress->is_terminal = isatty(options->descriptor) && !(terminal && strcmp(terminal, "dumb") == 0);
    progress->is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    progress->start_s = progress->drawn_s = clock_now_s();
    progress->start_fraction = clamp_fraction(model_time_s / options->duration_s);
    progress->rate_per_s = NAN;
    progress->view = (struct progress_view){
        .fraction = progress->start_fraction,
        .model_time_s = model_time_s,
        .duration_s = options->duration_s,
        .time_unit = options->time_unit,
        .time_name = options->time_name,
        .rate_per_s = NAN,
        .work_unit = options->work_unit,
        .remaining_s = NAN,
    };
    const char *patience = getenv("FATHOM_PROGRESS_PATIENCE_S");
    if (patience && options->patience_s > 0.0)
        progress->options.patience_s = atof(patience);
    progress->is_part = options->patience_s > 0.0;
}

// The rate shown is the recent one, smoothed over a few seconds; the remaining time goes by this run's mean
// speed, which does not jump.
static void measure(struct progress *progress, double now_s)
{
    double interval_s = now_s - progress->drawn_s, elapsed_s = now_s - progress->start_s;
    if (interval_s > 0.0) {
        double rate = (progress->work - progress->drawn_work) / interval_s;
        double weight = isnan(progress->rate_per_s) ? 1.0 : 1.0 - exp(-interval_s / rate_window_s);
        double before = isnan(progress->rate_per_s) ? 0.0 : progress->rate_per_s;
        progress->rate_per_s = before + weight * (rate - before);
    }
    double done = progress->view.fraction - progress->start_fraction;
    progress->view.rate_per_s = progress->rate_per_s;
    progress->view.remaining_s = done > 0.0 ? elapsed_s * (1.0 - progress->view.fraction) / done : NAN;
    progress->drawn_s = now_s;
    progress->drawn_work = progress->work;
}

void progress_update(struct progress *progress, double model_time_s, double work)
{
    if (!progress->options.enabled || progress->is_broken)
        return;
    progress->view.model_time_s = model_time_s;
    progress->view.fraction = clamp_fraction(model_time_s / progress->options.duration_s);
    progress->work = work;
    double now_s = clock_now_s();
    double interval_s = progress->is_terminal ? terminal_interval_s : progress->options.seconds_between_lines;
    if (progress->is_part && !progress->has_drawn)
        interval_s = progress->options.patience_s;
    if (now_s - progress->drawn_s < interval_s)
        return;
    measure(progress, now_s);
    progress->has_drawn = true;
    draw(progress, NULL);
}

void progress_finish(struct progress *progress, const char *outcome)
{
    if (!progress->options.enabled || progress->is_broken || (progress->is_part && !progress->has_drawn))
        return;
    // The last line gives the whole run's mean rate and the time that it took.
    char took[64], text[128];
    double elapsed_s = clock_now_s() - progress->start_s;
    progress->view.rate_per_s = elapsed_s > 0.0 && progress->work > 0.0 ? progress->work / elapsed_s : NAN;
    progress->view.remaining_s = NAN;
    snprintf(text, sizeof text, "%.60s in %s", outcome,
             progress_format_duration(elapsed_s, took, sizeof took));
    draw(progress, text);
    progress->options.enabled = false;
}
