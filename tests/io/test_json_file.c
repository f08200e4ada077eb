// io/json_file.c: whole small files, how large they may be, what is no text and no JSON, and where.
#include "tests/support/test.h"

#include "io/json_file.h"
#include "tests/support/fresh.h"
#include "tests/support/statuses.h"

#include <cjson/cJSON.h>

static void refuses(size_t bytes_max, enum status expected, const char *fragment)
{
    cJSON *document;
    assert_failure(json_file_read(folder_path("a.json"), bytes_max, &document), expected, "a.json", fragment);
    assert_null(document);
}

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);

TEST(documents)
{
    cJSON *document;
    folder_write_text("a.json", "{\"a\": [1, 2]}\n \n");
    assert_int_equal(json_file_read(folder_path("a.json"), 16, &document), STATUS_OK);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(document, "a")), 2);
    cJSON_Delete(document);
    refuses(15, STATUS_DATA, "larger than 15 B");
    folder_write_text("a.json", "{\"a\": 1,\n \"b\" 2}");
    refuses(1000, STATUS_DATA, "not valid JSON at line 2, column 6");
    folder_write_text("a.json", "{\"a\": 1} {");
    refuses(1000, STATUS_DATA, "not valid JSON at line 1, column 10");
    folder_write("a.json", "{}\0{}", 5);
    refuses(1000, STATUS_DATA, "binary data");
    folder_write_text("a.json", "");
    refuses(1000, STATUS_DATA, "not valid JSON at line 1, column 1");
    folder_delete("a.json");
    refuses(1000, STATUS_NO_INPUT, "cannot be opened");
}

// Longer than one piece of reading, to the byte.
TEST(long_texts)
{
    enum { BYTES = 200001 };
    static char written[BYTES];
    for (size_t k = 0; k < BYTES; k++)
        written[k] = (char)('a' + k % 23);
    folder_write("text", written, BYTES);
    char *text;
    size_t length;
    assert_int_equal(text_file_read(folder_path("text"), BYTES, &text, &length), STATUS_OK);
    owned_take(text);
    assert_int_equal(length, BYTES);
    assert_memory_equal(text, written, BYTES);
    assert_int_equal(text[BYTES], 0);
    assert_int_equal(text_file_read(folder_path("text"), BYTES - 1, &text, &length), STATUS_DATA);
    assert_null(text);
}

// Written whole or not at all, and read back.
TEST(written)
{
    cJSON *document = cJSON_Parse("{\"a\": [1, 2.5], \"b\": \"text\"}"), *back;
    folder_write_text("a.json", "old");
    assert_int_equal(json_file_write(folder_path("a.json"), document), STATUS_OK);
    assert_int_equal(json_file_read(folder_path("a.json"), 1000, &back), STATUS_OK);
    assert_true(cJSON_Compare(document, back, true));
    assert_int_equal(folder_count(""), 1);
    assert_failure(json_file_write(folder_path("no/such/a.json"), document), STATUS_CANNOT_CREATE, "");
    cJSON_Delete(document);
    cJSON_Delete(back);
}

TEST_WITH(unknown_keys, NULL, NULL)
{
    static const char *const known[] = {"name", "x"};
    cJSON *object = cJSON_Parse("{\"x\": 1, \"name\": 2, \"X\": 3, \"y\": 4}");
    assert_string_equal(json_unknown_key(object, known, 2), "X");
    assert_string_equal(json_unknown_key(object, known, 1), "x");
    cJSON_DeleteItemFromObjectCaseSensitive(object, "X");
    cJSON_DeleteItemFromObjectCaseSensitive(object, "y");
    assert_null(json_unknown_key(object, known, 2));
    cJSON_Delete(object);
}
