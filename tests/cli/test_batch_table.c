// The live table of a batch: its text in every size, and what a terminal and a pipe get.
#include "batch/batch.h"
#include "batch/table.h"
#include "core/clock.h"
#include "core/log.h"
#include "tests/support/test.h"
#include "tests/support/test_clock.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <time.h>
#include <wchar.h>

enum { RUNS = 3000 };

static struct batch_job jobs[RUNS];
static struct batch_run runs[RUNS];
static struct batch_queue queue;

// 5 passed, 2 failed, 3 running, 1 drawing, the others waiting.
static struct batch make_batch(size_t count)
{
    memset(jobs, 0, sizeof jobs);
    queue = (struct batch_queue){.path = "queue.json", .title = "Overnight", .jobs = jobs, .count = count};
    queue.limits.host_bytes = 16000000000u;
    for (size_t k = 0; k < count; k++) {
        snprintf(jobs[k].name, sizeof jobs[k].name, "run-%04zu", k);
        runs[k] = (struct batch_run){.device = -1, .fraction = NAN, .remaining_s = NAN};
        if (k < 5) {
            runs[k].state = BATCH_PASSED;
            runs[k].total_s = 10;
        } else if (k < 7) {
            runs[k].state = BATCH_FAILED;
            runs[k].cause = BATCH_CAUSE_EXIT;
            snprintf(runs[k].message, sizeof runs[k].message,
                     "job.json: \033[2Jno such\nkey \xff \xc3\xa4 %zu", k);
        } else if (k < 11) {
            runs[k].state = k < 10 ? BATCH_RUNNING : BATCH_DRAWING;
            runs[k].fraction = 0.5;
            runs[k].started_s = 1000;
            runs[k].cores = 2;
            runs[k].device = k == 9 ? 1 : -1;
            runs[k].needs.host_bytes = 1000000000;
            runs[k].remaining_s = k == 8 ? NAN : 80;
            snprintf(runs[k].needs.model, sizeof runs[k].needs.model, "tsunami");
            snprintf(runs[k].needs.backend, sizeof runs[k].needs.backend, "openmp");
        }
    }
    return (struct batch){.queue = &queue, .runs = runs, .started_s = 1000, .earlier_s = 0, .only = SIZE_MAX};
}

static struct batch_table_view make_view(size_t columns, size_t rows, bool is_utf8)
{
    return (struct batch_table_view){.columns = columns,
                                     .rows = rows,
                                     .is_utf8 = is_utf8,
                                     .now_s = 1060,
                                     .cores = 8,
                                     .failures = {5, 6},
                                     .failure_count = 2};
}

TEST(test_all_columns_are_written)
{
    char text[20000];
    struct batch batch = make_batch(40);
    struct batch_table_view view = make_view(120, 30, false);
    assert_int_equal(batch_table_format(&batch, &view, text, sizeof text), 3 + 4 + 2);
    assert_has(
        text, "Overnight\n7 of 40 done, 4 running, 29 waiting, 2 failed; 1 min, about ",
        "6 of 8 cores, 3 GB of 16 GB of memory in use\n",
        "\nrun-0007   50.0 %  |########.........|  1 min 20 s left  2 cores  tsunami, openmp\n",
        "\nrun-0009   50.0 %  |########.........|  1 min 20 s left  2 cores, device 1  tsunami, openmp\n",
        "\nrun-0010  drawing its report", "\nfailed: run-0005: job.json:  [2Jno such key ?");
}

static size_t width_of(const char *line, size_t length)
{
    wchar_t wide[1024];
    const size_t count = mbstowcs(wide, format_text("%.*s", (int)length, line), 1024);
    assert_true(count != (size_t)-1);
    return count == 0 ? 0 : (size_t)wcswidth(wide, count);
}

static void assert_fits(const struct batch *batch, size_t columns, size_t rows, bool is_utf8)
{
    static char text[1 << 17];
    struct batch_table_view view = make_view(columns, rows, is_utf8);
    const size_t lines = batch_table_format(batch, &view, text, sizeof text);
    size_t counted = 0;
    assert_true(lines <= rows);
    for (const char *line = text; *line; counted++) {
        const size_t length = strcspn(line, "\n");
        for (size_t k = 0; k < length; k++)
            assert_true((unsigned char)line[k] >= 0x20 && line[k] != 0x7F &&
                        (is_utf8 || (unsigned char)line[k] < 0x80));
        assert_true((is_utf8 ? width_of(line, length) : length) <= columns);
        line += length + 1;
    }
    assert_int_equal(counted, lines);
}

TEST(test_it_fits_every_terminal)
{
    const bool has_utf8 = setlocale(LC_CTYPE, "C.UTF-8") != NULL;
    for (size_t count = 12; count <= RUNS; count += RUNS - 12) {
        struct batch batch = make_batch(count);
        if (count == RUNS) // a great many at once, with wide characters in what they say
            for (size_t k = 11; k < RUNS; k++)
                runs[k] = runs[7];
        queue.title = "夜の計算 \xf0\x9f\x8c\x8a of the 22nd";
        for (size_t columns = 1; columns < 240; columns += columns < 130 ? 1 : 20)
            for (size_t rows = 0; rows < 60; rows += rows < 12 ? 1 : 15) {
                assert_fits(&batch, columns, rows, false);
                if (has_utf8)
                    assert_fits(&batch, columns, rows, true);
            }
    }
}

TEST(test_many_running_are_a_number)
{
    char text[20000];
    struct batch batch = make_batch(100);
    for (size_t k = 11; k < 100; k++)
        runs[k] = runs[7];
    struct batch_table_view view = make_view(100, 12, false);
    assert_int_equal(batch_table_format(&batch, &view, text, sizeof text), 12);
    assert_has(text, "\n... and 87 more running\n", "failed: run-0006");
}

TEST(test_estimate_of_the_end)
{
    struct batch batch = make_batch(40);
    // Three run, of which one reported nothing of its end: by its half that took 60 s. 29 wait; those that
    // passed took 10 s.
    assert_float_equal(batch_table_remaining_s(&batch, 1060), (80 + 60 + 80 + 29 * 10) / 3., 1e-9);
    // Not before the longest of those that run.
    runs[7].remaining_s = 5000;
    assert_float_equal(batch_table_remaining_s(&batch, 1060), 5000, 1e-9);
    // Nothing passed, nothing is known of those that run: unknown.
    for (size_t k = 0; k < 40; k++) {
        runs[k].state = k < 3 ? BATCH_RUNNING : BATCH_WAITING;
        runs[k].fraction = runs[k].remaining_s = NAN;
    }
    assert_true(isnan(batch_table_remaining_s(&batch, 1060)));
    // All done.
    for (size_t k = 0; k < 40; k++)
        runs[k].state = BATCH_PASSED;
    assert_float_equal(batch_table_remaining_s(&batch, 1060), 0, 0);
}

// ---- what standard error gets

static int saved_error = -1;

static void redirect(int descriptor)
{
    fflush(stderr);
    saved_error = dup(STDERR_FILENO);
    assert_true(saved_error >= 0);
    assert_int_equal(dup2(descriptor, STDERR_FILENO), STDERR_FILENO);
}

static void give_back(void)
{
    assert_int_equal(dup2(saved_error, STDERR_FILENO), STDERR_FILENO);
    close(saved_error);
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

TEST(test_a_pipe_gets_lines)
{
    int ends[2];
    char text[20000];
    struct batch batch = make_batch(40);
    batch.started_s = clock_now_s();
    assert_int_equal(pipe(ends), 0);
    redirect(ends[1]);
    batch_table_open(false);
    batch_table_draw(&batch); // too soon for a line
    batch_table_ended(&batch, 4);
    batch_table_ended(&batch, 5);
    runs[11].cause = BATCH_CAUSE_SIGNAL;
    runs[11].signal = 11;
    batch_table_ended(&batch, 11);
    batch_table_close(&batch);
    batch_table_draw(&batch); // closed: nothing
    give_back();
    read_now(ends[0], text, sizeof text);
    assert_null(strchr(text, '\033'));
    assert_has(text, "fathom: [7/40] run-0004 passed in 10 s\n", "fathom: [7/40] run-0005 failed: job.json:",
               "fathom: [7/40] run-0011 is retried: crashed: Segmentation fault (signal 11)\n",
               "fathom: 7 of 40 done, 4 running, 29 waiting, 2 failed; ");
    // Quiet: failures only.
    redirect(ends[1]);
    batch_table_open(true);
    batch_table_ended(&batch, 4);
    batch_table_ended(&batch, 6);
    give_back();
    read_now(ends[0], text, sizeof text);
    assert_null(strstr(text, "run-0004"));
    assert_has(text, "run-0006 failed");
    close(ends[0]);
    close(ends[1]);
}

// A terminal of a kind: rows of characters, and what the codes do that the table uses.
struct screen {
    char cells[200][128];
    size_t row, column;
    bool is_cursor_hidden;
};

static void clear_from_cursor(struct screen *screen, bool whole_screen)
{
    memset(screen->cells[screen->row] + screen->column, ' ', sizeof *screen->cells - screen->column);
    for (size_t row = screen->row + 1; whole_screen && row < 200; row++)
        memset(screen->cells[row], ' ', sizeof *screen->cells);
}

static const char *take_code(struct screen *screen, const char *at)
{
    char *end;
    if (strncmp(at, "?25", 3) == 0) {
        screen->is_cursor_hidden = at[3] == 'l';
        return at + 4;
    }
    const size_t number = strtoul(at, &end, 10);
    if (*end == 'A') {
        assert_true(number >= 1 && number <= screen->row); // or the real one would stop at the top
        screen->row -= number;
    } else if (*end == 'K' || *end == 'J')
        clear_from_cursor(screen, *end == 'J');
    else
        fail_msg("the table used a code that is not expected: %c", *end);
    return end + 1;
}

static void show(struct screen *screen, const char *text)
{
    for (const char *at = text; *at;) {
        if (*at == '\033') {
            assert_int_equal(at[1], '[');
            at = take_code(screen, at + 2);
            continue;
        }
        if (*at == '\r')
            screen->column = 0;
        else if (*at == '\n') { // the terminal's driver has put a '\r' before it
            assert_true(++screen->row < 200);
        } else {
            assert_true(screen->column < sizeof *screen->cells);
            screen->cells[screen->row][screen->column++] = *at;
        }
        at++;
    }
}

static bool row_begins(const struct screen *screen, size_t row, const char *text)
{
    return strncmp(screen->cells[row], text, strlen(text)) == 0;
}

TEST(test_a_terminal_shows_the_table_below_the_messages)
{
    static struct screen screen;
    static char text[1 << 16];
    struct batch batch = make_batch(40);
    struct winsize size = {.ws_row = 24, .ws_col = 100};
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        skip();
    const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    assert_int_equal(ioctl(slave, TIOCSWINSZ, &size), 0);
    memset(&screen, ' ', sizeof screen.cells);
    setlocale(LC_CTYPE, "C");
    setenv("TERM", "xterm", 1);
    redirect(slave);
    batch_table_open(false);
    batch_table_draw(&batch);
    batch_table_draw(&batch); // too soon
    log_info("a message");
    test_clock_advance(0.4);
    batch_table_draw(&batch);
    read_now(master, text, sizeof text);
    show(&screen, text);
    // The message stands, the table below it, once, and the cursor on its first line and visible.
    assert_true(row_begins(&screen, 0, "fathom: a message   "));
    assert_true(row_begins(&screen, 1, "Overnight   "));
    assert_true(row_begins(&screen, 2, "7 of 40 done"));
    assert_true(row_begins(&screen, 4, "run-0007 "));
    assert_true(row_begins(&screen, 8, "   "));
    assert_int_equal(screen.row, 1);
    assert_int_equal(screen.column, 0);
    assert_false(screen.is_cursor_hidden);
    // At the end it gives way to what came out.
    batch_table_close(&batch);
    give_back();
    read_now(master, text, sizeof text);
    show(&screen, text);
    assert_true(row_begins(&screen, 1, "fathom: failed: run-0005: "));
    assert_true(row_begins(&screen, 2, "fathom: failed: run-0006: "));
    assert_true(row_begins(&screen, 3, "fathom: 7 of 40 done, "));
    assert_true(row_begins(&screen, 4, "    "));
    assert_int_equal(screen.row, 4);
    assert_false(screen.is_cursor_hidden);
    close(slave);
    close(master);
}

TEST(test_a_reader_that_went_away_does_no_harm)
{
    int ends[2];
    struct batch batch = make_batch(40);
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    redirect(ends[1]);
    batch_table_open(false);
    batch_table_ended(&batch, 4);
    batch_table_ended(&batch, 4);
    batch_table_close(&batch);
    give_back();
    close(ends[1]);
}

TEST_MAIN(NULL, NULL)
