// io/journal: what was appended comes back after every cut and every changed bit, or is found to be damaged.
#include "tests/support/test.h"

#include "batch/journal_file.h"
#include "io/path.h"
#include "tests/support/folder.h"
#include "tests/support/statuses.h"

#include <cjson/cJSON.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { RECORDS = 3, READ_MAX = 64 };

// What a reading brought.
struct got {
    size_t count;
    int numbers[READ_MAX];
};

static enum status take(void *context, const struct cJSON *record, size_t line)
{
    struct got *got = context;
    assert_true(got->count < READ_MAX);
    assert_int_equal(line, got->count + 1);
    got->numbers[got->count++] = (int)cJSON_GetObjectItem(record, "number")->valuedouble;
    return STATUS_OK;
}

static enum status read_back(struct got *got)
{
    *got = (struct got){0};
    status_clear();
    return journal_file_read(folder_path("j"), take, got);
}

static void append_number(struct journal_file *journal, int number)
{
    cJSON *record = cJSON_CreateObject();
    cJSON_AddNumberToObject(record, "number", number);
    cJSON_AddStringToObject(record, "text", "a \"quoted\" word,\na line, a control \x01, ä");
    // Some wait for the next one, and the last for the end.
    assert_ok(number % 3 == 1 ? journal_file_write(journal, record) : journal_file_append(journal, record));
    cJSON_Delete(record);
}

// Records 0 … RECORDS − 1; the file's bytes are the caller's.
static char *make_journal(size_t *length)
{
    struct journal_file *journal;
    assert_ok(journal_file_open(folder_path("j"), true, &journal));
    for (int k = 0; k < RECORDS; k++)
        append_number(journal, k);
    for (int k = 0; k < 2; k++) // also where nothing waits
        assert_ok(journal_file_sync(journal));
    journal_file_close(journal);
    return folder_read("j", length);
}

static size_t whole_lines(const char *bytes, size_t length)
{
    size_t lines = 0;
    for (size_t k = 0; k < length; k++)
        lines += bytes[k] == '\n';
    return lines;
}

static void assert_first(const struct got *got, size_t count)
{
    assert_int_equal(got->count, count);
    for (size_t k = 0; k < count; k++)
        assert_int_equal(got->numbers[k], (int)k);
}

TEST_SUITE(.group_setup = folder_make, .group_teardown = folder_remove);

TEST(test_what_was_appended_comes_back)
{
    size_t length;
    struct got got;
    char *bytes = make_journal(&length);
    assert_ok(read_back(&got));
    assert_first(&got, RECORDS);
    // A line is what the header says: 16 digits, a blank, JSON without line breaks.
    assert_int_equal(whole_lines(bytes, length), RECORDS);
    assert_int_equal(strspn(bytes, "0123456789abcdef"), 16);
    assert_memory_equal(bytes + 16, " {\"number\":0,", 13);
    // Goes on where it was; a new beginning replaces it.
    struct journal_file *journal;
    assert_ok(journal_file_open(folder_path("j"), false, &journal));
    append_number(journal, RECORDS);
    journal_file_close(journal);
    assert_ok(read_back(&got));
    assert_first(&got, RECORDS + 1);
    assert_ok(journal_file_open(folder_path("j"), true, &journal));
    journal_file_close(journal);
    assert_ok(read_back(&got));
    assert_first(&got, 0);
    assert_false(folder_has("j.part"));
    journal_file_close(NULL);
}

TEST(test_every_truncation_leaves_the_whole_lines)
{
    size_t length;
    struct got got;
    char *bytes = make_journal(&length);
    for (size_t cut = 0; cut <= length; cut++) {
        folder_write("j", bytes, cut);
        const size_t whole = whole_lines(bytes, cut);
        assert_ok(read_back(&got));
        assert_first(&got, whole);
        // A writer cuts the rest off, and what it appends can be read.
        struct journal_file *journal;
        assert_ok(journal_file_open(folder_path("j"), false, &journal));
        append_number(journal, (int)whole);
        journal_file_close(journal);
        assert_ok(read_back(&got));
        assert_first(&got, whole + 1);
    }
}

// A changed bit is found, or it lies in the last line and costs that one at most; never does a wrong record
// come back.
TEST(test_every_changed_bit_is_found)
{
    size_t length, found = 0, passed_over = 0;
    struct got got;
    char *bytes = make_journal(&length);
    const size_t last_line = (size_t)((char *)memrchr(bytes, '\n', length - 1) - bytes) + 1;
    for (size_t bit = 0; bit < 8 * length; bit++) {
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
        folder_write("j", bytes, length);
        const enum status status = read_back(&got);
        if (status == STATUS_OK) {
            assert_true(bit / 8 >= last_line);
            assert_first(&got, RECORDS - 1);
            passed_over++;
        } else {
            assert_int_equal(status, STATUS_DATA);
            const char *line = format_text("line %zu ", whole_lines(bytes, bit / 8) + 1);
            assert_non_null(strstr(status_message(), line));
            assert_non_null(strstr(status_message(), folder_path("j")));
            found++;
        }
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
    }
    assert_true(found > 8 * last_line - 1);
    assert_true(passed_over > 0);
}

TEST(test_a_damaged_one_is_not_appended_to)
{
    size_t length;
    struct journal_file *journal;
    char *bytes = make_journal(&length);
    bytes[30] ^= 1;
    folder_write("j", bytes, length);
    assert_failure(journal_file_open(folder_path("j"), false, &journal), STATUS_DATA, "");
    assert_null(journal);
    size_t now;
    char *kept = folder_read("j", &now);
    assert_int_equal(now, length);
    assert_memory_equal(kept, bytes, length);
}

TEST(test_odd_contents)
{
    struct got got;
    // An empty line with something behind it.
    folder_write_text("j", "\n0000000000000000 {}\n");
    assert_int_equal(read_back(&got), STATUS_DATA);
    folder_write_text("j", "");
    assert_ok(read_back(&got));
    folder_write("j", "\0\0\0\0", 4); // blocks that a power cut left unwritten
    assert_ok(read_back(&got));
    // One endless line is refused, not read into memory.
    folder_shell("head -c 3000000 /dev/zero > %s", folder_path("j"));
    assert_int_equal(read_back(&got), STATUS_DATA);
    // More than a journal may have.
    folder_shell("truncate -s 2G %s", folder_path("j"));
    assert_int_equal(read_back(&got), STATUS_DATA);
    folder_delete("j");
}

TEST(test_what_is_no_journal)
{
    struct got got;
    struct journal_file *journal;
    assert_int_equal(read_back(&got), STATUS_NO_INPUT);
    assert_int_equal(mkdir(folder_path("j"), 0777), 0);
    assert_int_equal(read_back(&got), STATUS_NO_INPUT);
    assert_int_equal(journal_file_open(folder_path("j"), false, &journal), STATUS_CANNOT_CREATE);
    folder_delete("j");
    assert_int_equal(mkfifo(folder_path("j"), 0666), 0); // without a reader: must not wait
    assert_failure(read_back(&got), STATUS_NO_INPUT, "");
    assert_int_equal(journal_file_open(folder_path("j"), false, &journal), STATUS_CANNOT_CREATE);
    folder_delete("j");
    assert_failure(journal_file_open(folder_path("none/j"), false, &journal), STATUS_CANNOT_CREATE,
                   folder_path("none/j"));
}

TEST(test_no_permission)
{
    struct journal_file *journal;
    if (geteuid() == 0)
        skip();
    folder_write_text("j", "");
    assert_int_equal(chmod(folder_path("j"), 0444), 0);
    assert_int_equal(journal_file_open(folder_path("j"), false, &journal), STATUS_CANNOT_CREATE);
    folder_delete("j");
}

// In a child, whose files may not grow beyond `bytes`: appends until that fails, then once more with more
// room.
static int append_until_full(size_t bytes)
{
    struct journal_file *journal;
    struct rlimit limit = {bytes, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    cJSON *record = cJSON_CreateObject();
    cJSON_AddStringToObject(record, "text", "longer than what is left");
    cJSON_AddNumberToObject(record, "number", RECORDS);
    if (journal_file_open(folder_path("j"), false, &journal) != STATUS_OK ||
        setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 1;
    if (journal_file_append(journal, record) != STATUS_IO || !strstr(status_message(), folder_path("j")))
        return 2;
    struct got got;
    if (read_back(&got) != STATUS_OK || got.count != RECORDS)
        return 3;
    limit.rlim_cur = RLIM_INFINITY;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || journal_file_append(journal, record) != STATUS_OK)
        return 4;
    journal_file_close(journal);
    return read_back(&got) == STATUS_OK && got.count == RECORDS + 1 ? 0 : 5;
}

TEST(test_what_did_not_fit_is_cut_off_again)
{
    for (size_t more = 0; more < 60; more += 7) {
        size_t length;
        make_journal(&length);
        const pid_t child = fork();
        if (child == 0)
            _exit(append_until_full(length + more));
        int end;
        assert_int_equal(waitpid(child, &end, 0), child);
        assert_true(WIFEXITED(end));
        assert_int_equal(WEXITSTATUS(end), 0);
        assert_int_equal(folder_count(""), 1);
        struct stat about;
        assert_int_equal(stat(folder_path("j"), &about), 0);
        assert_true((size_t)about.st_size > length);
    }
}

TEST(test_a_record_that_is_too_long)
{
    struct got got;
    struct journal_file *journal;
    size_t length;
    make_journal(&length);
    char *text = owned_zeros(JOURNAL_FILE_LINE_BYTES_MAX + 1, 1);
    memset(text, 'x', JOURNAL_FILE_LINE_BYTES_MAX);
    text[JOURNAL_FILE_LINE_BYTES_MAX] = '\0';
    cJSON *record = cJSON_CreateObject();
    cJSON_AddNumberToObject(record, "number", RECORDS);
    cJSON_AddStringToObject(record, "text", text);
    assert_ok(journal_file_open(folder_path("j"), false, &journal));
    assert_int_equal(journal_file_append(journal, record), STATUS_IO);
    // The longest that is taken can be read, with another one behind it.
    text[JOURNAL_FILE_LINE_BYTES_MAX - 100] = '\0';
    cJSON_ReplaceItemInObject(record, "text", cJSON_CreateString(text));
    status_clear();
    assert_ok(journal_file_append(journal, record));
    append_number(journal, RECORDS + 1);
    journal_file_close(journal);
    assert_ok(read_back(&got));
    assert_first(&got, RECORDS + 2);
    cJSON_Delete(record);
}

TEST(test_one_writer_at_a_time)
{
    struct journal_file *first, *second;
    struct got got;
    assert_ok(journal_file_open(folder_path("j"), true, &first));
    append_number(first, 0);
    assert_failure(journal_file_open(folder_path("j"), false, &second), STATUS_CANNOT_CREATE, "in use");
    assert_ok(read_back(&got)); // a reader may look on
    assert_first(&got, 1);
    journal_file_close(first);
    assert_ok(journal_file_open(folder_path("j"), false, &second));
    journal_file_close(second);
}

static enum status refuse_third(void *context, const struct cJSON *record, size_t line)
{
    return line == 3 ? FAIL(STATUS_CONFIGURATION, "the third") : STATUS_OK;
}

TEST(test_the_visitor_can_end_it)
{
    size_t length;
    make_journal(&length);
    assert_failure(journal_file_read(folder_path("j"), refuse_third, NULL), STATUS_CONFIGURATION, "");
    assert_ok(journal_file_read(folder_path("j"), NULL, NULL));
    status_clear();
}
