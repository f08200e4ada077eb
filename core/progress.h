// Progress of a run: one line on a terminal, rewritten in place, or plain lines at intervals in a log.
// Independent of models. After progress_start no allocation; an update that draws nothing reads the clock
// once. Used by one thread at a time.
#ifndef FATHOM_CORE_PROGRESS_H
#define FATHOM_CORE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress_options {
    bool enabled;
    int descriptor;    // where to draw, usually standard error
    double duration_s; // model time at the end, counted from the start of the model time, > 0
    // NULL: seconds, shown as "2 h 05 min". Else the model's own: "sweeps" is shown as "40 of 100 sweeps".
    const char *time_unit;
    const char *time_name; // before the time in a plain line; NULL: "model time"
    // Unit of the rate, without prefix: "node-steps/s" is shown as "345 Mnode-steps/s". NULL = no rate.
    const char *work_unit;
    double seconds_between_lines; // when not on a terminal; 0 = 5
    // Nothing is shown before this time has passed, and nothing at all if the work ends before it; 0: shown
    // from the start. If it is not 0, the environment variable FATHOM_PROGRESS_PATIENCE_S overrides it, for
    // tests.
    double patience_s;
};

// What a line shows. A NaN rate or remaining time is left out.
struct progress_view {
    double fraction; // 0 … 1
    double model_time_s, duration_s;
    const char *time_unit, *time_name;
    double rate_per_s;
    const char *work_unit;
    double remaining_s;
};

struct progress {
    struct progress_options options;
    bool is_terminal, is_utf8, is_broken, has_drawn;
    bool is_part;            // options.patience_s was given
    double start_s, drawn_s; // by the monotonic clock
    double start_fraction;   // done before the run was resumed
    double work, drawn_work, rate_per_s;
    struct progress_view view;
};

// Starts the display. A resumed run starts at model_time_s > 0; what had been done before counts in the
// percentage but not in the rate and in the remaining time. The bar is drawn in UTF-8 if the program has
// called setlocale(LC_CTYPE, "") and the locale is a UTF-8 one.
void progress_start(struct progress *progress, const struct progress_options *options, double model_time_s);

// Call as often as convenient: draws at most ten times a second on a terminal. `work` in units since
// progress_start.
void progress_update(struct progress *progress, double model_time_s, double work);

// Draws the last line and ends it. `outcome`: "done", "stopped".
void progress_finish(struct progress *progress, const char *outcome);

// ---- The texts, without terminal or clock. All return `text`, always terminated.

// The terminal's line, at most `columns` wide, without control characters: percentage, bar, model time, rate,
// remaining time; parts that do not fit are left out, the rate first, then the model time, then the remaining
// time, then the bar.
char *progress_format_line(const struct progress_view *view, size_t columns, bool utf8, char *text,
                           size_t bytes);

// The plain line: "45.2 %, model time 10 h 48 min of 24 h, 345 Mnode-steps/s, 1 min 20 s left".
char *progress_format_plain(const struct progress_view *view, char *text, size_t bytes);

// "0.25 s", "42 s", "3 min 20 s", "26 h 30 min", "5 d 04 h", "250 years", "20 Myr"; a time that is not
// a number is "unknown".
char *progress_format_duration(double seconds, char *text, size_t bytes);

// Years of 365.25 days: "250 years", "12.5 kyr", "20 Myr", "13.8 Gyr".
char *progress_format_years(double years, char *text, size_t bytes);

// Three digits, an SI prefix (k … E) and the unit: "345 Mnode-steps/s", "1.20 knode-steps/s", "0.50
// node-steps/s".
char *progress_format_rate(double rate_per_s, const char *unit, char *text, size_t bytes);

#endif
