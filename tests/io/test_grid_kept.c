// Grids that a process keeps from run to run: read once, found again only where nothing that they depend on
// differs, and given up for others within the bound.
#include "io/grid/kept.h"
#include "io/path.h"
#include "tests/io/grid_fixture.h"
#include "tests/support/statuses.h"
#include "tests/support/test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);

enum { NX = 5, NY = 4 };

OWNED(own_sampler, struct grid_sampler, grid_sampler_close);

// Depths of `first`, first + 1, ...; "9" is one digit as "1", so that both files have the same length.
static const char *write_file(const char *name, int first)
{
    char text[400];
    int length = snprintf(text, sizeof text, "5 4\n140\n141\n142\n143\n144\n33\n32\n31\n30\n");
    for (int k = 0; k < NX * NY; k++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%d%c", first + k,
                           k % NX == NX - 1 ? '\n' : ' ');
    return file_of_text(name, text);
}

// A file that was changed just now could be changed again under the same time.
static void let_settle(void)
{
    const struct timespec pause = {.tv_sec = 3, .tv_nsec = 200000000};
    (void)nanosleep(&pause, NULL);
}

struct view {
    struct grid_file *file;
    struct grid_window window;
    struct grid_window_request request;
    struct grid_sampler *sampler;
};

static struct view open_view(const char *path, double spacing)
{
    const struct grid_request request = request_of(path, GRID_AS_FILE);
    struct view view = {
        .file = must_open(&request),
        .request = {.spacing = {spacing, spacing}, .missing_value = NAN, .outside_value = NAN}};
    assert_ok(grid_window_resolve(view.file, &view.request, &view.window));
    assert_ok(grid_sampler_open(view.file, &view.window, &view.request, &view.sampler));
    own_sampler(view.sampler);
    return view;
}

static struct grid_kept_key key_of(const struct view *view)
{
    return (struct grid_kept_key){.file = view->file,
                                  .nx = view->window.nx,
                                  .ny = view->window.ny,
                                  .x = view->window.x,
                                  .y = view->window.y,
                                  .missing_value = view->request.missing_value,
                                  .outside_value = view->request.outside_value,
                                  .keeps_missing = view->request.keeps_missing};
}

// How many rows are kept of what this key finds.
static size_t kept_rows(const struct grid_kept_key *key)
{
    struct grid_kept *kept = grid_kept_take(key);
    size_t count = 0;
    for (size_t row = 0; kept && row < key->ny; row++)
        count += kept->has_row[row];
    grid_kept_release(kept);
    return count;
}

static double read_all(struct view *view)
{
    double *row = owned_zeros(view->window.nx, sizeof *row), first = NAN;
    for (size_t k = view->window.ny; k-- > 0;) {
        assert_ok(grid_sampler_row(view->sampler, k, row));
        first = row[0]; // of the southernmost row at last
    }
    return first;
}

static void close_view(struct view *view)
{
    grid_window_free(&view->window);
    owned_end(view->sampler);
    owned_end(view->file);
}

TEST(rows_are_found_again_by_all_that_they_depend_on)
{
    const char *path = write_file("a.most", 10);
    let_settle();
    kept_begin(1 << 20);
    struct view first = open_view(path, 0);
    assert_true(read_all(&first) == 25);
    close_view(&first);
    struct view again = open_view(path, 0), finer = open_view(path, 0.5);
    struct grid_kept_key key = key_of(&again);
    assert_int_equal(kept_rows(&key), NY);
    assert_true(read_all(&again) == 25);
    // Another window, another value for what is missing, another unit: not the same values.
    const struct grid_kept_key other = key_of(&finer);
    assert_int_equal(kept_rows(&other), 0);
    assert_true(read_all(&finer) == 25);
    assert_int_equal(kept_rows(&other), 2 * NY - 1);
    key.missing_value = 0;
    assert_int_equal(kept_rows(&key), 0);
    struct grid_request request = request_of(path, GRID_AS_FILE);
    request.target_units = "km";
    key = key_of(&again);
    key.file = must_open(&request);
    assert_int_equal(kept_rows(&key), 0);
    close_view(&finer);
    close_view(&again);
}

// With the same length, and the time of the last writing set back.
TEST(a_changed_file_is_read_again)
{
    const char *path = write_file("b.most", 10);
    let_settle();
    kept_begin(1 << 20);
    struct view before = open_view(path, 0);
    assert_true(read_all(&before) == 25);
    close_view(&before);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    (void)write_file("b.most", 40);
    assert_int_equal(utimensat(AT_FDCWD, path, (struct timespec[]){about.st_atim, about.st_mtim}, 0), 0);
    for (int turn = 0; turn < 2; turn++) { // just changed, and settled
        struct view after = open_view(path, 0);
        assert_true(read_all(&after) == 55);
        close_view(&after);
        let_settle();
    }
    uint64_t plain, kept;
    for (int turn = 0; turn < 2; turn++) {
        assert_ok(path_hash(path, &plain));
        assert_ok(kept_hash(path, &kept));
        assert_true(plain == kept);
    }
}

TEST(the_oldest_gives_way_and_nothing_that_is_in_use)
{
    enum { BYTES = (NX * NY + NX + NY) * sizeof(double) };
    const char *paths[3];
    for (int k = 0; k < 3; k++)
        paths[k] = write_file(format_text("c%d.most", k), 10);
    let_settle();
    kept_begin(2 * BYTES);
    struct view views[3];
    for (int k = 0; k < 2; k++) {
        views[k] = open_view(paths[k], 0);
        (void)read_all(&views[k]);
    }
    views[2] = open_view(paths[2], 0); // both are in use: it is read, and not kept
    assert_true(read_all(&views[2]) == 25);
    struct grid_kept_key keys[3];
    for (int k = 0; k < 3; k++)
        keys[k] = key_of(&views[k]);
    assert_null(grid_kept_take(&keys[2]));
    owned_end(views[0].sampler);
    assert_int_equal(kept_rows(&keys[2]), 0); // takes the place of the first
    assert_int_equal(kept_rows(&keys[1]), NY);
    for (int k = 0; k < 3; k++)
        grid_window_free(&views[k].window);
}
