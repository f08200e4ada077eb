// A small parser of XML. Nodes lie in blocks, so that they keep their place.
#include "io/xml_read.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_NODES = 512, NODES_MAX = 1 << 20, LEVELS_MAX = 100 };
static const char blanks[] = " \t\r\n";

struct block {
    struct block *before;
    size_t count;
    struct xml_node nodes[BLOCK_NODES];
};

struct xml_document {
    struct block *last;
    size_t count;
    struct xml_node *root;
};

struct parser {
    const char *path;
    char *at;
    size_t line;
    struct xml_document *document;
    struct {
        struct xml_node *node;
        struct xml_node *last; // its child that was read last
        char *text_end;        // where its text is gathered
        bool has_elements;     // the text after the first of them is left out
    } levels[LEVELS_MAX + 1];  // levels[0] holds the root
    int level;
};

static enum status add_node(struct parser *p, const char *name, struct xml_node **node)
{
    struct xml_document *d = p->document;
    if (d->count == NODES_MAX)
        return FAIL(STATUS_DATA, "%s: line %zu: more than %d elements and attributes", p->path, p->line,
                    NODES_MAX);
    if (!d->last || d->last->count == BLOCK_NODES) {
        struct block *block = calloc(1, sizeof *block);
        if (!block)
            return FAIL(STATUS_SYSTEM, "%s: no memory for its elements", p->path);
        block->before = d->last;
        d->last = block;
    }
    *node = &d->last->nodes[d->last->count++];
    d->count++;
    **node = (struct xml_node){.name = name, .text = "", .line = p->line, .parent = p->levels[p->level].node};
    if (p->levels[p->level].last)
        p->levels[p->level].last->next = *node;
    else if (p->levels[p->level].node)
        p->levels[p->level].node->child = *node;
    p->levels[p->level].last = *node;
    return STATUS_OK;
}

// Moves past `count` characters.
static void pass(struct parser *p, size_t count)
{
    for (; count > 0; count--)
        p->line += *p->at++ == '\n';
}

static void pass_blanks(struct parser *p)
{
    pass(p, strspn(p->at, blanks));
}

// Moves past the next `end`.
static enum status pass_until(struct parser *p, const char *end, const char *what)
{
    char *found = strstr(p->at, end);
    if (!found)
        return FAIL(STATUS_DATA, "%s: line %zu: %s without its end", p->path, p->line, what);
    pass(p, (size_t)(found - p->at) + strlen(end));
    return STATUS_OK;
}

// A code point as UTF-8; returns the bytes written.
static size_t put_utf8(unsigned long code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    const size_t count = code < 0x10000 ? 3 : 4;
    out[0] = (char)(count == 3 ? 0xe0 | code >> 12 : 0xf0 | code >> 18);
    for (size_t k = 1; k < count; k++)
        out[k] = (char)(0x80 | (code >> 6 * (count - 1 - k) & 0x3f));
    return count;
}

// Copies text up to `end` to *out, entities replaced, which never makes it longer.
static enum status copy_text(struct parser *p, const char *end, char **out)
{
    static const struct {
        const char *entity;
        char character;
    } entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    while (p->at < end) {
        if (*p->at != '&') {
            *(*out)++ = *p->at;
            pass(p, 1);
            continue;
        }
        size_t k = 0;
        while (k < 5 && strncmp(p->at, entities[k].entity, strlen(entities[k].entity)) != 0)
            k++;
        if (k < 5) {
            *(*out)++ = entities[k].character;
            pass(p, strlen(entities[k].entity));
            continue;
        }
        const bool is_hex = p->at[1] == '#' && p->at[2] == 'x';
        char *stop = p->at;
        const unsigned long code =
            p->at[1] == '#' ? strtoul(p->at + (is_hex ? 3 : 2), &stop, is_hex ? 16 : 10) : 0;
        if (code == 0 || code > 0x10ffff || *stop != ';' || stop - p->at < 4)
            return FAIL(STATUS_DATA, "%s: line %zu: \"%.12s\" is no entity of XML", p->path, p->line, p->at);
        pass(p, (size_t)(stop + 1 - p->at));
        *out += put_utf8(code, *out);
    }
    return STATUS_OK;
}

// Ends a name in place and returns it without its prefix.
static char *end_name(char *name, size_t length)
{
    name[length] = '\0';
    char *colon = strchr(name, ':');
    return colon ? colon + 1 : name;
}

// One attribute; p->at is at its name.
static enum status read_attribute(struct parser *p)
{
    struct xml_node *node;
    char *name = p->at;
    const size_t length = strcspn(p->at, " \t\r\n=<>/");
    pass(p, length);
    pass_blanks(p);
    if (length == 0 || *p->at != '=')
        return FAIL(STATUS_DATA, "%s: line %zu: expected an attribute, name=\"value\"", p->path, p->line);
    pass(p, 1);
    pass_blanks(p);
    const char quote = *p->at;
    char *end = quote == '"' || quote == '\'' ? strchr(p->at + 1, quote) : NULL;
    if (!end)
        return FAIL(STATUS_DATA, "%s: line %zu: an attribute's value without its quotes", p->path, p->line);
    pass(p, 1);
    CHECK(add_node(p, end_name(name, length), &node));
    char *out = p->at;
    node->text = out;
    CHECK(copy_text(p, end, &out));
    pass(p, 1);
    *out = '\0';
    return STATUS_OK;
}

static void trim(struct parser *p)
{
    struct xml_node *node = p->levels[p->level].node;
    char *end = p->levels[p->level].text_end;
    if (!end)
        return;
    while (end > node->text && strchr(blanks, end[-1]))
        end--;
    *end = '\0';
    node->text += strspn(node->text, blanks);
}

// A start tag; p->at is behind '<'.
static enum status open_element(struct parser *p)
{
    struct xml_node *node;
    char *name = p->at;
    const size_t length = strcspn(p->at, " \t\r\n<>/");
    if (length == 0)
        return FAIL(STATUS_DATA, "%s: line %zu: an element without a name", p->path, p->line);
    if (p->level == LEVELS_MAX)
        return FAIL(STATUS_DATA, "%s: line %zu: more than %d levels of elements", p->path, p->line,
                    LEVELS_MAX);
    if (p->level == 0 && p->document->root)
        return FAIL(STATUS_DATA, "%s: line %zu: a second root element", p->path, p->line);
    CHECK(add_node(p, name, &node));
    p->levels[p->level].has_elements = true;
    p->level++;
    p->levels[p->level].has_elements = false;
    p->levels[p->level].node = node;
    p->levels[p->level].last = NULL;
    p->levels[p->level].text_end = NULL;
    if (p->level == 1)
        p->document->root = node;
    pass(p, length);
    pass_blanks(p);
    while (*p->at && *p->at != '>' && *p->at != '/') {
        CHECK(read_attribute(p));
        pass_blanks(p);
    }
    const bool is_empty = *p->at == '/';
    if (is_empty)
        pass(p, 1);
    if (*p->at != '>')
        return FAIL(STATUS_DATA, "%s: line %zu: a tag without its end", p->path, p->line);
    pass(p, 1);
    node->name = end_name(name, length);
    if (is_empty)
        p->level--;
    return STATUS_OK;
}

// An end tag; p->at is behind "</".
static enum status close_element(struct parser *p)
{
    const size_t length = strcspn(p->at, " \t\r\n<>");
    char *name = p->at;
    pass(p, length);
    pass_blanks(p);
    if (*p->at != '>')
        return FAIL(STATUS_DATA, "%s: line %zu: a tag without its end", p->path, p->line);
    pass(p, 1);
    name = end_name(name, length);
    if (p->level == 0 || strcmp(p->levels[p->level].node->name, name) != 0)
        return FAIL(STATUS_DATA, "%s: line %zu: </%.60s> closes %s%.60s", p->path, p->line, name,
                    p->level == 0 ? "nothing" : "", p->level == 0 ? "" : p->levels[p->level].node->name);
    trim(p);
    p->level--;
    return STATUS_OK;
}

// Text of an element, which is gathered at its first place.
static enum status gather(struct parser *p, char *end, bool has_entities)
{
    char **out = &p->levels[p->level].text_end;
    if (p->level == 0) {
        if (p->at + strspn(p->at, blanks) < end)
            return FAIL(STATUS_DATA, "%s: line %zu: text outside of the document's element", p->path,
                        p->line);
        pass(p, (size_t)(end - p->at));
        return STATUS_OK;
    }
    if (p->levels[p->level].has_elements) {
        pass(p, (size_t)(end - p->at));
        return STATUS_OK;
    }
    if (!*out) {
        p->levels[p->level].node->text = p->at;
        *out = p->at;
    }
    if (has_entities)
        return copy_text(p, end, out);
    while (p->at < end) {
        *(*out)++ = *p->at;
        pass(p, 1);
    }
    return STATUS_OK;
}

// What begins with '<'.
static enum status read_markup(struct parser *p)
{
    if (strncmp(p->at, "<!--", 4) == 0)
        return pass_until(p, "-->", "a comment");
    if (strncmp(p->at, "<?", 2) == 0)
        return pass_until(p, "?>", "an instruction");
    if (strncmp(p->at, "<![CDATA[", 9) == 0) {
        pass(p, 9);
        char *end = strstr(p->at, "]]>");
        if (!end)
            return FAIL(STATUS_DATA, "%s: line %zu: CDATA without its end", p->path, p->line);
        CHECK(gather(p, end, false));
        pass(p, 3);
        return STATUS_OK;
    }
    if (strncmp(p->at, "<!", 2) == 0)
        return FAIL(STATUS_DATA, "%s: line %zu: a document type: expected elements only", p->path, p->line);
    const bool is_end = p->at[1] == '/';
    pass(p, is_end ? 2 : 1);
    return is_end ? close_element(p) : open_element(p);
}

static enum status parse(struct parser *p)
{
    if (strncmp(p->at, "\xef\xbb\xbf", 3) == 0)
        p->at += 3;
    while (*p->at) {
        if (*p->at == '<') {
            CHECK(read_markup(p));
            continue;
        }
        char *end = strchr(p->at, '<');
        CHECK(gather(p, end ? end : p->at + strlen(p->at), true));
    }
    if (p->level > 0)
        return FAIL(STATUS_DATA, "%s: line %zu: <%.60s> of line %zu is not closed: is the file cut short?",
                    p->path, p->line, p->levels[p->level].node->name, p->levels[p->level].node->line);
    if (!p->document->root)
        return FAIL(STATUS_DATA, "%s: no element: expected an XML document", p->path);
    return STATUS_OK;
}

enum status xml_read(const char *path, char *text, struct xml_document **document)
{
    *document = calloc(1, sizeof **document);
    struct parser *parser = calloc(1, sizeof *parser);
    enum status status = STATUS_OK;
    if (!*document || !parser) {
        status = FAIL(STATUS_SYSTEM, "%s: no memory to read it", path);
    } else {
        *parser = (struct parser){.path = path, .at = text, .line = 1, .document = *document};
        status = parse(parser);
    }
    free(parser);
    if (status != STATUS_OK) {
        xml_free(*document);
        *document = NULL;
    }
    return status;
}

void xml_free(struct xml_document *document)
{
    if (!document)
        return;
    for (struct block *block = document->last; block;) {
        struct block *before = block->before;
        free(block);
        block = before;
    }
    free(document);
}

const struct xml_node *xml_root(const struct xml_document *document)
{
    return document->root;
}

const struct xml_node *xml_child(const struct xml_node *node, const char *path)
{
    while (node && *path) {
        const size_t length = strcspn(path, "/");
        const struct xml_node *child = node->child;
        while (child && (strncmp(child->name, path, length) != 0 || child->name[length]))
            child = child->next;
        node = child;
        path += length + (path[length] == '/');
    }
    return node;
}

const struct xml_node *xml_next(const struct xml_node *node)
{
    const struct xml_node *next = node->next;
    while (next && strcmp(next->name, node->name) != 0)
        next = next->next;
    return next;
}

const char *xml_child_text(const struct xml_node *node, const char *path)
{
    const struct xml_node *child = xml_child(node, path);
    return child ? child->text : "";
}
