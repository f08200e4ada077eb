// core/progress: the texts exactly, and the display on a pipe and on a pseudo-terminal.
#include "tests/support/test.h"

#include "core/log.h"
#include "core/progress.h"
#include "tests/support/test_clock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <time.h>

TEST(test_durations)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0.0, "0 s"},
                 {0.25, "0.25 s"},
                 {9.99, "9.99 s"},
                 {9.996, "10 s"},
                 {42.4, "42 s"},
                 {59.4, "59 s"},
                 {59.7, "1 min"},
                 {60.0, "1 min"},
                 {200.0, "3 min 20 s"},
                 {65.0, "1 min 05 s"},
                 {3599.4, "59 min 59 s"},
                 {3599.6, "1 h"},
                 {7500.0, "2 h 05 min"},
                 {7529.0, "2 h 05 min"},
                 {7531.0, "2 h 06 min"},
                 {86400.0, "24 h"},
                 {86399.0, "24 h"},
                 {95400.0, "26 h 30 min"},
                 {97200.0, "27 h"},
                 {172800.0, "48 h"},
                 {359990.0, "4 d 04 h"},
                 {446400.0, "5 d 04 h"},
                 {518400.0, "6 d"},
                 {NAN, "unknown"},
                 {INFINITY, "unknown"},
                 {-1.0, "unknown"},
                 {7.88940e9, "250 years"},
                 {6.311520e14, "20 Myr"},
                 {3.155760e8, "10 years"},
                 {3.0e8, "3472 d 05 h"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[64];
        assert_string_equal(progress_format_duration(cases[i].seconds, text, sizeof text), cases[i].text);
    }
}

TEST(test_rates)
{
    static const struct {
        double rate;
        const char *text;
    } cases[] = {{0.0, "0.00 steps/s"},    {0.5, "0.50 steps/s"},    {9.994, "9.99 steps/s"},
                 {9.996, "10.0 steps/s"},  {99.96, "100 steps/s"},   {999.4, "999 steps/s"},
                 {999.6, "1.00 ksteps/s"}, {3.45e8, "345 Msteps/s"}, {1.53e11, "153 Gsteps/s"},
                 {2e12, "2.00 Tsteps/s"},  {1e15, "1.00 Psteps/s"},  {1e18, "1.00 Esteps/s"},
                 {5e21, "5000 Esteps/s"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[64];
        assert_string_equal(progress_format_rate(cases[i].rate, "steps/s", text, sizeof text), cases[i].text);
    }
}

static const struct progress_view half_way = {.fraction = 0.4529,
                                              .model_time_s = 38880,
                                              .duration_s = 86400,
                                              .rate_per_s = 3.45e8,
                                              .work_unit = "node-steps/s",
                                              .remaining_s = 80};

TEST(test_plain_line)
{
    char text[256];
    assert_string_equal(progress_format_plain(&half_way, text, sizeof text),
                        "45.2 %, model time 10 h 48 min of 24 h, 345 Mnode-steps/s, 1 min 20 s left");
    struct progress_view sweeps = {.fraction = 0.4,
                                   .model_time_s = 40,
                                   .duration_s = 100,
                                   .time_unit = "sweeps",
                                   .rate_per_s = NAN,
                                   .work_unit = "flips/s",
                                   .remaining_s = NAN};
    assert_string_equal(progress_format_plain(&sweeps, text, sizeof text),
                        "40.0 %, model time 40 of 100 sweeps");
    // Not yet done is not 100 %.
    sweeps.fraction = 0.99999;
    assert_non_null(strstr(progress_format_plain(&sweeps, text, sizeof text), "99.9 %"));
    char tiny[8];
    progress_format_plain(&half_way, tiny, sizeof tiny);
    assert_string_equal(tiny, "45.2 %,");
}

TEST(test_terminal_line_loses_parts_as_it_narrows)
{
    char text[512];
    assert_string_equal(progress_format_line(&half_way, 110, false, text, sizeof text),
                        " 45.2 %  |##################......................|  10 h 48 min of 24 h  345 "
                        "Mnode-steps/s  1 min 20 s left");
    assert_string_equal(progress_format_line(&half_way, 64, false, text, sizeof text),
                        " 45.2 %  |######.........|  10 h 48 min of 24 h  1 min 20 s left");
    assert_string_equal(progress_format_line(&half_way, 40, false, text, sizeof text),
                        " 45.2 %  |#####.......|  1 min 20 s left");
    assert_string_equal(progress_format_line(&half_way, 24, false, text, sizeof text),
                        " 45.2 %  |#####........|");
    assert_string_equal(progress_format_line(&half_way, 12, false, text, sizeof text), " 45.2 %");
    assert_string_equal(progress_format_line(&half_way, 3, false, text, sizeof text), " 45");
    for (size_t columns = 0; columns < 220; columns++)
        assert_true(strlen(progress_format_line(&half_way, columns, false, text, sizeof text)) <= columns);
}

// Columns of a UTF-8 text: bytes that do not continue a character.
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

TEST(test_utf8_bar_is_finer_and_as_wide)
{
    char text[512];
    struct progress_view view = half_way;
    view.fraction = 0.5 + 1.0 / 8.0 / 12.0; // one eighth of a cell more than half of 12 cells
    assert_string_equal(progress_format_line(&view, 23, true, text, sizeof text), " 51.0 %  |██████▏     |");
    view.fraction = 1.0;
    assert_string_equal(progress_format_line(&view, 23, true, text, sizeof text), "100.0 %  |████████████|");
    for (size_t columns = 0; columns < 220; columns++)
        assert_true(width_of(progress_format_line(&half_way, columns, true, text, sizeof text)) <= columns);
}

TEST(test_fractions_out_of_range)
{
    char text[256];
    struct progress_view view = half_way;
    const double wrong[] = {-0.5, NAN, 1.5};
    const char *expected[] = {"  0.0 %", "  0.0 %", "100.0 %"};
    for (int i = 0; i < 3; i++) {
        view.fraction = wrong[i];
        assert_string_equal(progress_format_line(&view, 10, false, text, sizeof text), expected[i]);
        progress_format_line(&view, 100, true, text, sizeof text);
    }
}

static size_t read_now(int descriptor, char *text, size_t bytes)
{
    size_t used = 0;
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    for (ssize_t got; used + 1 < bytes && (got = read(descriptor, text + used, bytes - used - 1)) > 0;)
        used += (size_t)got;
    text[used] = '\0';
    return used;
}

TEST(test_plain_lines_on_a_pipe)
{
    int ends[2];
    char text[4096];
    assert_int_equal(pipe(ends), 0);
    struct progress_options options = {.enabled = true,
                                       .descriptor = ends[1],
                                       .duration_s = 100,
                                       .work_unit = "steps/s",
                                       .seconds_between_lines = 0.05};
    struct progress progress;
    progress_start(&progress, &options, 20.0);
    for (int i = 1; i <= 1000; i++) // faster than the interval: nothing is drawn
        progress_update(&progress, 20.0, i);
    assert_int_equal(read_now(ends[0], text, sizeof text), 0);
    test_clock_advance(0.06);
    progress_update(&progress, 60.0, 2000);
    read_now(ends[0], text, sizeof text);
    assert_non_null(strstr(text, "fathom: 60.0 %, model time 1 min of 1 min 40 s, "));
    assert_non_null(strstr(text, "ksteps/s, 0.0")); // half of the rest is done: as long again as it took
    assert_int_equal(text[strlen(text) - 1], '\n');
    assert_null(strchr(text, '\033'));
    progress_update(&progress, 100.0, 4000);
    progress_finish(&progress, "done");
    read_now(ends[0], text, sizeof text);
    assert_non_null(strstr(text, "100.0 %"));
    assert_non_null(strstr(text, ", done in 0.0"));
    progress_update(&progress, 100.0, 4001); // after the end: silent
    progress_finish(&progress, "done");
    assert_int_equal(read_now(ends[0], text, sizeof text), 0);
    close(ends[0]);
    close(ends[1]);
}

// A part of a run says what it is, and nothing at all as long as it has not taken the time that is waited
// for.
TEST(test_part_of_a_run)
{
    int ends[2];
    char text[4096];
    assert_int_equal(pipe(ends), 0);
    struct progress_options options = {.enabled = true,
                                       .descriptor = ends[1],
                                       .duration_s = 80,
                                       .time_unit = "rows of the source",
                                       .time_name = "uplift:",
                                       .patience_s = 1e9};
    struct progress progress;
    progress_start(&progress, &options, 0);
    progress_update(&progress, 40, 40);
    progress_finish(&progress, "done");
    assert_int_equal(read_now(ends[0], text, sizeof text), 0);
    assert_int_equal(setenv("FATHOM_PROGRESS_PATIENCE_S", "0", 1), 0);
    progress_start(&progress, &options, 0);
    assert_int_equal(unsetenv("FATHOM_PROGRESS_PATIENCE_S"), 0);
    progress_update(&progress, 40, 40);
    read_now(ends[0], text, sizeof text);
    assert_non_null(strstr(text, "fathom: 50.0 %, uplift: 40 of 80 rows of the source, "));
    assert_null(strstr(text, "model time"));
    progress_update(&progress, 80, 80);
    progress_finish(&progress, "done");
    read_now(ends[0], text, sizeof text);
    assert_non_null(strstr(text, "100.0 %, uplift: 80 of 80 rows of the source, done in "));
    close(ends[0]);
    close(ends[1]);
}

TEST(test_switched_off)
{
    int ends[2];
    char text[64];
    assert_int_equal(pipe(ends), 0);
    struct progress_options options = {
        .enabled = false, .descriptor = ends[1], .duration_s = 1, .seconds_between_lines = 1e-9};
    struct progress progress;
    progress_start(&progress, &options, 0.0);
    progress_update(&progress, 0.5, 1);
    progress_finish(&progress, "done");
    assert_int_equal(read_now(ends[0], text, sizeof text), 0);
    close(ends[0]);
    close(ends[1]);
}

TEST(test_reader_that_goes_away)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    close(ends[0]);
    struct progress_options options = {
        .enabled = true, .descriptor = ends[1], .duration_s = 1, .seconds_between_lines = 1e-9};
    struct progress progress;
    progress_start(&progress, &options, 0.0);
    test_clock_advance(0.001);
    progress_update(&progress, 0.5, 1);
    assert_true(progress.is_broken);
    progress_finish(&progress, "done");
    close(ends[1]);
    signal(SIGPIPE, before);
}

TEST(test_terminal_rewrites_one_line)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
        print_message("skipped: no pseudo-terminal here\n");
        skip();
    }
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0);
    struct winsize size = {.ws_row = 24, .ws_col = 60};
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
    setenv("TERM", "xterm", 1);
    struct progress_options options = {.enabled = true, .descriptor = terminal, .duration_s = 100};
    struct progress progress;
    progress_start(&progress, &options, 0.0);
    assert_true(progress.is_terminal);
    int lines = 0;
    char text[8192];
    for (int i = 0; i < 60; i++) { // 0.3 s: at most three lines at ten a second
        test_clock_advance(0.005);
        progress_update(&progress, i, i);
    }
    read_now(master, text, sizeof text);
    for (const char *at = text; (at = strstr(at, "\r\033[K")); at++)
        lines++;
    assert_in_range(lines, 1, 3);
    assert_null(strchr(text, '\n'));
    const char *last = strrchr(text, 'K') + 1;
    assert_true(width_of(last) < 60);
    progress_finish(&progress, "stopped");
    read_now(master, text, sizeof text);
    assert_non_null(strstr(text, "stopped in "));
    assert_int_equal(text[strlen(text) - 1], '\n');
    close(terminal);
    close(master);
}
