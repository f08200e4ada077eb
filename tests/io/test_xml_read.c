// The reader of XML: what it makes of a document, and how broken ones are refused.
#include "tests/support/test.h"

#include "io/xml_read.h"
#include "tests/support/owned.h"
#include "tests/support/statuses.h"

#include <stdio.h>
#include <string.h>

OWNED(own_document, struct xml_document, xml_free);

static const struct xml_node *read_root(const char *text)
{
    struct xml_document *document;
    assert_ok(xml_read("a.xml", owned_take(strdup(text)), &document));
    return xml_root(own_document(document));
}

static void refuse(const char *text, const char *a, const char *b)
{
    struct xml_document *document;
    assert_failure(xml_read("a.xml", owned_take(strdup(text)), &document), STATUS_DATA, "a.xml: ", a, b);
    assert_null(document);
    status_clear();
}

TEST(elements_attributes_and_texts)
{
    const struct xml_node *root = read_root(
        "\xef\xbb\xbf<?xml version='1.0'?>\n<!-- <no> -->\n<q:root xmlns:q=\"u\" q:id = 'a&quot;b'>\n"
        "  <a>\n 1.5 \n</a><b/><a n='2'>x<!-- y -->z<![CDATA[<&>]]></a>\n  <e>&lt;&#65;&#x20ac;&amp;</e>\n"
        "</q:root>\n<!-- end -->\n");
    assert_string_equal(root->name, "root");
    assert_string_equal(xml_child_text(root, "id"), "a\"b");
    assert_string_equal(xml_child_text(root, "xmlns"), "");
    assert_string_equal(xml_child_text(root, "q"), "u"); // the name behind its prefix
    const struct xml_node *a = xml_child(root, "a");
    assert_string_equal(a->text, "1.5");
    assert_int_equal(a->line, 4);
    assert_string_equal(xml_child(root, "b")->text, "");
    const struct xml_node *second = xml_next(a);
    assert_string_equal(second->text, "xz<&>");
    assert_string_equal(xml_child_text(second, "n"), "2");
    assert_null(xml_next(second));
    assert_string_equal(xml_child_text(root, "e"), "<A\xe2\x82\xac&");
    assert_null(xml_child(root, "c/d"));
    assert_string_equal(xml_child_text(NULL, "a"), "");
}

// The text is what stands before the first element; what follows it does not overwrite the elements' names.
TEST(texts_among_elements)
{
    const struct xml_node *root =
        read_root("<r>  head <a>1</a> tail that is longer than the tag <bbbb>2</bbbb> end</r>");
    assert_string_equal(root->text, "head");
    assert_string_equal(xml_child_text(root, "a"), "1");
    assert_string_equal(xml_child_text(root, "bbbb"), "2");
    assert_string_equal(xml_child_text(read_root("<r><a><b><c>deep</c></b></a></r>"), "a/b/c"), "deep");
}

TEST(broken_documents)
{
    refuse("", "no element", "");
    refuse("text", "line 1: text outside", "");
    refuse("<a>\n<b></a>", "line 2: </a> closes b", "");
    refuse("<a>\n<b>", "line 2: <b> of line 2 is not closed", "cut short");
    refuse("<a></a><b/>", "second root", "");
    refuse("</a>", "</a> closes nothing", "");
    refuse("<a x></a>", "expected an attribute", "");
    refuse("<a x=1></a>", "without its quotes", "");
    refuse("<a x='1></a>", "without its quotes", "");
    refuse("<a", "a tag without its end", "");
    refuse("<a>&what;</a>", "no entity", "&what;");
    refuse("<a>&#0;</a>", "no entity", "");
    refuse("<a><!-- b</a>", "a comment without its end", "");
    refuse("<a><![CDATA[ b</a>", "CDATA without its end", "");
    refuse("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "a document type", "");
    refuse("< a/>", "an element without a name", "");
    char deep[700] = "";
    for (int k = 0; k < 101; k++)
        strcat(deep, "<abc>");
    refuse(deep, "more than 100 levels", "");
}
