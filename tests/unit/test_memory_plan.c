// core/memory_plan: pitches, totals, overflow, refusals, and the plan's own check of itself.
#include "tests/support/test.h"

#include "core/memory_plan.h"
#include "core/memory_spare.h"
#include "tests/support/statuses.h"

static const enum element elements[] = {ELEMENT_F32, ELEMENT_F64, ELEMENT_I32, ELEMENT_I64, ELEMENT_U8};

// Its arrays are static: their pointers are set to NULL by `release`, after the test.
static struct memory_plan plan;

static int begin(void **state)
{
    status_clear();
    memory_plan_begin(&plan);
    return 0;
}

static int release(void **state)
{
    memory_plan_release(&plan);
    status_clear();
    return 0;
}

TEST_SUITE(.setup = begin, .teardown = release);

TEST(test_pitch_rules)
{
    for (size_t e = 0; e < sizeof elements / sizeof *elements; e++)
        for (size_t columns = 1; columns <= 9000; columns++) {
            const size_t pitch = memory_pitch(columns, elements[e]),
                         bytes = pitch * element_bytes(elements[e]);
            assert_true(pitch >= columns);
            assert_int_equal(bytes % 256, 0);
            assert_false(bytes >= 4096 && (bytes & (bytes - 1)) == 0);
            assert_true(bytes < columns * element_bytes(elements[e]) + 512); // no more than it must
        }
    assert_int_equal(memory_pitch(64, ELEMENT_F32), 64);          // 256 bytes already
    assert_int_equal(memory_pitch(512, ELEMENT_F32), 512);        // 2048: a small power of two may stay
    assert_int_equal(memory_pitch(1024, ELEMENT_F32), 1024 + 64); // 4096: may not
    assert_int_equal(memory_pitch(1000, ELEMENT_F64), 1024 + 32); // rounds up to 8192, one unit more
    assert_int_equal(memory_pitch(2879, ELEMENT_F32), 2880);      // 11520 bytes
}

TEST(test_totals_and_offsets)
{
    static void *a, *b, *c, *d;
    assert_ok(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_F32, 3, 100, &a, "a"));
    assert_ok(memory_plan_add(&plan, MEMORY_PINNED, ELEMENT_F64, 1, 1, &b, "b %d", 7));
    assert_ok(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_U8, 1, 257, &c, "c"));
    assert_ok(memory_plan_add(&plan, MEMORY_DEVICE, ELEMENT_I32, 2, 64, &d, "d"));
    assert_ok(memory_plan_add_library(&plan, 1000, "library"));
    assert_ok(memory_plan_add_device_library(&plan, 600, "library of the device"));
    assert_null(a);
    assert_int_equal(plan.total[MEMORY_HOST], 1280 + 512);
    assert_int_equal(plan.total[MEMORY_PINNED], 256);
    assert_int_equal(plan.arrays[2].offset, 1280);
    assert_string_equal(plan.arrays[1].name, "b 7");
    assert_int_equal(memory_plan_host_bytes(&plan), 1280 + 512 + 256 + 1024);
    assert_int_equal(memory_plan_device_bytes(&plan), 512 + 768);
    assert_int_equal(memory_plan_array_bytes(&plan), 1280 + 512 + 256 + 512);
    assert_true(memory_plan_has(&plan, "library of the device") && !memory_plan_has(&plan, "lib"));
    assert_int_equal(memory_plan_used_bytes(&plan), 0);
    assert_true(memory_plan_is_valid(&plan));
}

TEST(test_reserve_gives_zeroed_disjoint_arrays_and_release_takes_them_back)
{
    enum { ARRAYS = 9 };
    static void *pointers[ARRAYS];
    for (int k = 0; k < ARRAYS; k++)
        assert_ok(memory_plan_add(&plan, k % 2 ? MEMORY_PINNED : MEMORY_HOST, ELEMENT_F64, (size_t)k + 1, 77,
                                  &pointers[k], "array %d", k));
    assert_ok(memory_plan_add_library(&plan, 4096, "library"));
    assert_ok(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX));
    assert_true(memory_plan_is_valid(&plan));
    assert_int_equal(memory_plan_used_bytes(&plan), plan.total[MEMORY_HOST] + plan.total[MEMORY_PINNED]);
    for (int k = 0; k < ARRAYS; k++) {
        assert_int_equal((uintptr_t)pointers[k] % MEMORY_ALIGNMENT, 0);
        const size_t bytes = ((size_t)k + 1) * 77 * sizeof(double);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(((unsigned char *)pointers[k])[i], 0);
        memset(pointers[k], k + 1, bytes);
    }
    for (int k = 0; k < ARRAYS; k++)
        for (size_t i = 0; i < ((size_t)k + 1) * 77 * sizeof(double); i++)
            assert_int_equal(((unsigned char *)pointers[k])[i], k + 1);
    memory_plan_release(&plan);
    for (int k = 0; k < ARRAYS; k++)
        assert_null(pointers[k]);
    assert_int_equal(memory_plan_used_bytes(&plan), 0);
    assert_true(memory_plan_is_valid(&plan));
    memory_plan_release(&plan); // twice is fine
}

TEST(test_held_rows_keep_the_indices_of_the_whole_array)
{
    enum { FIRST = 1000, END = 1010, COLUMNS = 70 };
    static double *rows;
    static void *before, *behind;
    assert_ok(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_U8, 1, 256, &before, "before"));
    assert_ok(
        memory_plan_add_rows(&plan, MEMORY_HOST, ELEMENT_F64, FIRST, END, COLUMNS, (void **)&rows, "rows"));
    assert_ok(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_U8, 1, 256, &behind, "behind"));
    assert_int_equal(plan.arrays[1].bytes,
                     10 * COLUMNS * sizeof(double) / 256 * 256 + 256); // 10 rows, not 1010
    assert_ok(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX));
    assert_true(memory_plan_is_valid(&plan));
    assert_int_equal(memory_plan_used_bytes(&plan), plan.total[MEMORY_HOST]);
    const uintptr_t first_row = (uintptr_t)rows + FIRST * COLUMNS * sizeof(double);
    assert_true(first_row == (uintptr_t)before + 256);
    assert_int_equal(first_row % MEMORY_ALIGNMENT, 0);
    for (size_t row = FIRST; row < END; row++)
        for (size_t column = 0; column < COLUMNS; column++)
            rows[row * COLUMNS + column] = 1;
    for (int k = 0; k < 256; k++)
        assert_true(((char *)before)[k] == 0 && ((char *)behind)[k] == 0);
}

TEST(test_overflow_is_refused)
{
    static void *pointer;
    const size_t shapes[][2] = {
        {SIZE_MAX, 2}, {(size_t)1 << 33, (size_t)1 << 31}, {1, SIZE_MAX / 8 + 1}, {SIZE_MAX / 8, 1}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        assert_failure(
            memory_plan_add(&plan, MEMORY_HOST, ELEMENT_F64, shapes[k][0], shapes[k][1], &pointer, "huge"),
            STATUS_CONFIGURATION, "'huge'", "too large");
    }
    assert_int_equal(plan.count, 0);
    // Each of them could be addressed, their sum not.
    const size_t quarter = SIZE_MAX / 4 - 1024;
    status_clear();
    assert_ok(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_U8, 1, quarter, &pointer, "first"));
    assert_ok(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_U8, 1, quarter, &pointer, "second"));
    assert_failure(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_U8, 1, quarter, &pointer, "third"),
                   STATUS_CONFIGURATION, "'third'");
}

TEST(test_too_many_arrays)
{
    static void *pointers[MEMORY_ARRAYS_MAX + 1];
    for (int k = 0; k < MEMORY_ARRAYS_MAX; k++)
        assert_ok(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_U8, 1, 1, &pointers[k], "%d", k));
    assert_int_equal(
        memory_plan_add(&plan, MEMORY_HOST, ELEMENT_U8, 1, 1, &pointers[MEMORY_ARRAYS_MAX], "one more"),
        STATUS_CONFIGURATION);
    assert_true(memory_plan_is_valid(&plan));
}

// One byte less than the plan needs is refused, naming the three largest (in order) and no other; exactly
// enough is not.
TEST(test_limit_to_the_byte)
{
    static void *pointers[5];
    const size_t sizes[5] = {1000, 5000, 3000, 9000, 2000};
    for (int k = 0; k < 5; k++)
        assert_ok(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_F64, sizes[k], 100, &pointers[k], "array-%zu",
                                  sizes[k]));
    const size_t planned = memory_plan_host_bytes(&plan);
    assert_int_equal(memory_plan_reserve(&plan, planned - 1, SIZE_MAX), STATUS_SYSTEM);
    const char *message = status_message();
    const char *first = strstr(message, "array-9000"), *second = strstr(message, "array-5000"),
               *third = strstr(message, "array-3000");
    assert_true(first && second && third && first < second && second < third);
    assert_null(strstr(message, "array-2000"));
    assert_null(strstr(message, "array-1000"));
    assert_non_null(strstr(message, "1 byte more than"));
    assert_non_null(strstr(message, "memory.host"));
    const char *number = format_text("(%zu bytes)", planned);
    assert_non_null(strstr(message, number));
    for (int k = 0; k < 5; k++)
        assert_null(pointers[k]);
    status_clear();
    assert_ok(memory_plan_reserve(&plan, planned, SIZE_MAX));
}

// A library's ceiling counts against the limit though it is not reserved here.
TEST(test_library_counts_against_the_limit)
{
    static void *pointer;
    assert_ok(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_U8, 1, 256, &pointer, "array"));
    assert_ok(memory_plan_add_library(&plan, 2560, "library"));
    assert_failure(memory_plan_reserve(&plan, 2815, SIZE_MAX), STATUS_SYSTEM, "library (library");
    assert_ok(memory_plan_reserve(&plan, 2816, SIZE_MAX));
    assert_int_equal(memory_plan_used_bytes(&plan), 256);
}

// A device of a few bytes, that counts what it gives and takes.
struct fake_device {
    size_t available, reserved, released;
    bool refuses;
};

static enum status fake_reserve(void *context, size_t bytes, void **block)
{
    struct fake_device *device = context;
    if (device->refuses)
        return FAIL(STATUS_SYSTEM, "the fake device refuses");
    *block = aligned_alloc(MEMORY_ALIGNMENT, bytes);
    if (!*block)
        return FAIL(STATUS_SYSTEM, "no memory for the fake device");
    memset(*block, 0, bytes);
    device->reserved += bytes;
    return STATUS_OK;
}

static void fake_release(void *context, void *block, size_t bytes)
{
    ((struct fake_device *)context)->released += bytes;
    free(block);
}

static size_t fake_available(void *context)
{
    return ((struct fake_device *)context)->available;
}

TEST(test_device_and_machine_limits)
{
    struct fake_device device = {.available = 1023};
    plan.allocators[MEMORY_DEVICE] =
        (struct memory_allocator){&device, fake_reserve, fake_release, fake_available, NULL, NULL};
    static void *on_device, *on_host;
    assert_ok(memory_plan_add(&plan, MEMORY_DEVICE, ELEMENT_F32, 1, 256, &on_device, "on device"));
    // Larger than any, and not named: it is not the device's.
    assert_ok(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_F32, 9000, 64, &on_host, "on host"));
    assert_failure(memory_plan_reserve(&plan, SIZE_MAX, 1023), STATUS_SYSTEM, "memory.device");
    assert_failure(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX), STATUS_SYSTEM, "the device has free");
    assert_int_equal(device.reserved, 0);
    // Refused in the middle: the host's block, already reserved, goes back.
    status_clear();
    device.available = SIZE_MAX;
    device.refuses = true;
    assert_int_equal(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX), STATUS_SYSTEM);
    assert_string_equal(status_message(), "the fake device refuses");
    assert_null(plan.blocks[MEMORY_HOST]);
    assert_null(on_host);
    status_clear();
    device.refuses = false;
    assert_ok(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX));
    assert_non_null(on_device);
    assert_true(memory_plan_is_valid(&plan));
    memory_plan_release(&plan);
    assert_int_equal(device.reserved, 1024);
    assert_int_equal(device.released, 1024);
}

// Short by one byte on the device, by the job's limit and by what the device has: refused with the three
// largest, exit code 71, and nothing of any kind taken. With that byte it goes.
TEST(test_device_limit_to_the_byte)
{
    struct fake_device device = {.available = SIZE_MAX};
    plan.allocators[MEMORY_DEVICE] =
        (struct memory_allocator){&device, fake_reserve, fake_release, fake_available, NULL, NULL};
    static const size_t sizes[4] = {1000, 4000, 3000, 2000};
    static void *pointers[4], *on_host;
    for (int k = 0; k < 4; k++)
        assert_ok(memory_plan_add(&plan, MEMORY_DEVICE, ELEMENT_F32, sizes[k], 64, &pointers[k], "array-%zu",
                                  sizes[k]));
    // Larger than any, and not named: it is not the device's.
    assert_ok(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_F32, 9000, 64, &on_host, "on host"));
    const size_t needed = 256 * (1000 + 4000 + 3000 + 2000);
    assert_int_equal(memory_plan_device_bytes(&plan), needed);
    for (int is_machine = 0; is_machine < 2; is_machine++) {
        status_clear();
        device.available = is_machine ? needed - 1 : SIZE_MAX;
        const enum status status = memory_plan_reserve(&plan, SIZE_MAX, is_machine ? SIZE_MAX : needed - 1);
        assert_int_equal(status_exit_code(status), 71);
        assert_non_null(strstr(status_message(),
                               "the run needs 2.56 MB of device memory (2560000 bytes), 1 byte more than"));
        assert_non_null(strstr(status_message(), is_machine ? "the device has free" : "memory.device"));
        assert_non_null(strstr(status_message(),
                               "(2.56 MB, 2559999 bytes); largest: array-4000 (device, 1.0 MB), "
                               "array-3000 (device, 0.8 MB), array-2000 (device, 0.5 MB)"));
        assert_int_equal(device.reserved, 0);
        assert_null(plan.blocks[MEMORY_HOST]);
        assert_null(on_host);
    }
    status_clear();
    device.available = needed;
    assert_ok(memory_plan_reserve(&plan, SIZE_MAX, needed));
    assert_int_equal(device.reserved, needed);
    memory_plan_release(&plan);
    assert_int_equal(device.released, needed);
}

TEST(test_more_than_the_machine_has)
{
    static void *pointer;
    assert_ok(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_F64, (size_t)1 << 25, (size_t)1 << 25, &pointer,
                              "depths"));
    assert_failure(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX), STATUS_SYSTEM, "this machine has free",
                   "depths");
}

TEST(test_seal_is_seen_and_ends_with_release)
{
    static void *pointer;
    assert_ok(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_U8, 1, 1, &pointer, "array"));
    assert_ok(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX));
    assert_false(memory_is_sealed);
    memory_plan_seal(&plan);
    assert_true(memory_is_sealed);
    memory_plan_release(&plan);
    assert_false(memory_is_sealed);
}

// What validity must find: every single field that can be wrong.
TEST(test_validity_finds_faults)
{
    static void *a, *b;
    assert_ok(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_F32, 2, 64, &a, "a"));
    assert_ok(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_F32, 2, 64, &b, "b"));
    assert_ok(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX));
    assert_true(memory_plan_is_valid(&plan));
    void *const right = b;
    b = a; // overlap
    assert_false(memory_plan_is_valid(&plan));
    b = NULL;
    assert_false(memory_plan_is_valid(&plan));
    b = right;
    plan.arrays[1].offset -= 256;
    assert_false(memory_plan_is_valid(&plan));
    plan.arrays[1].offset += 256;
    plan.arrays[0].rows = 3;
    assert_false(memory_plan_is_valid(&plan));
    plan.arrays[0].rows = 2;
    plan.total[MEMORY_HOST] += 256;
    assert_false(memory_plan_is_valid(&plan));
    plan.total[MEMORY_HOST] -= 256;
    plan.arrays[1].bytes -= 1;
    assert_false(memory_plan_is_valid(&plan));
    plan.arrays[1].bytes += 1;
    assert_true(memory_plan_is_valid(&plan));
}

TEST(test_print_lists_arrays_and_totals)
{
    static void *pointer;
    assert_ok(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_F64, 30, 41, &pointer, "depth"));
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    memory_plan_print(&plan, stream);
    fclose(stream);
    assert_non_null(strstr(text, "depth"));
    assert_non_null(strstr(text, "float64"));
    assert_non_null(strstr(text, "9984")); // 30 × 41 × 8 rounded up to 256
    assert_non_null(strstr(text, "total"));
    free(text);
}

static enum status fake_renew(void *context, size_t had_bytes, size_t bytes, void **block)
{
    fake_release(context, *block, had_bytes);
    return fake_reserve(context, bytes, block);
}

// Fills all of a plan's memory with ones, and releases it.
static void soil_and_release(void)
{
    for (int k = 0; k < plan.count; k++)
        memset(*plan.arrays[k].pointer, 0xff, plan.arrays[k].rows * plan.arrays[k].columns);
    memory_plan_release(&plan);
    memory_plan_begin(&plan);
}

static void plan_bytes(size_t bytes, unsigned char **array)
{
    assert_ok(memory_plan_add(&plan, MEMORY_HOST, ELEMENT_U8, 1, bytes, (void **)array, "array"));
    assert_ok(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX));
    for (size_t k = 0; k < bytes; k++)
        assert_int_equal((*array)[k], 0);
}

// A later plan gets the block of the one before, all zeros, larger or smaller; what is kept counts as free.
TEST(test_later_plan_has_zeros)
{
    static unsigned char *array;
    memory_spare_begin(64 << 20);
    plan_bytes(5000000, &array);
    soil_and_release();
    assert_true(memory_spare_host_bytes() >= 5000000);
    assert_true(memory_plan_available(&plan, MEMORY_HOST) >=
                plan.allocators[MEMORY_HOST].available(NULL) / 2 + 5000000);
    const size_t sizes[] = {5000000, 9000000, 300000, 6000000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        plan_bytes(sizes[k], &array);
        assert_int_equal(memory_spare_host_bytes(), 0);
        soil_and_release();
    }
    assert_true(memory_spare_host_bytes() >= 6000000);
    memory_spare_release();
    assert_int_equal(memory_spare_host_bytes(), 0);
    memory_spare_begin(5000000); // a larger block is not kept
    plan_bytes(6000000, &array);
    soil_and_release();
    assert_int_equal(memory_spare_host_bytes(), 0);
    memory_spare_begin(0);
}

// A device's block is kept for that device, while it has sixteen times as much free.
TEST(test_device_block_is_kept)
{
    struct fake_device device = {.available = 16 * 4096};
    static void *array;
    memory_spare_begin(64 << 20);
    for (int k = 0; k < 3; k++) {
        plan.allocators[MEMORY_DEVICE] =
            (struct memory_allocator){&device, fake_reserve, fake_release, fake_available, NULL, fake_renew};
        device.available = k == 2 ? 16 * 4096 - 16 : device.available;
        assert_ok(memory_plan_add(&plan, MEMORY_DEVICE, ELEMENT_U8, 1, 4096, &array, "array"));
        assert_ok(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX));
        soil_and_release();
        assert_int_equal(device.reserved - device.released, k == 2 ? 0 : 4096);
    }
    memory_spare_release();
    memory_spare_begin(0);
}
