// Reads an XML document into a tree: elements, their attributes and texts. For the documents of other
// programs (QuakeML). No DTD, no entities but the five of XML and character references, names without their
// prefixes. Independent of their meaning.
#ifndef FATHOM_IO_XML_READ_H
#define FATHOM_IO_XML_READ_H

#include "core/status.h"

#include <stddef.h>

struct xml_node {
    const char *name; // of the element, without a prefix; of an attribute, too
    const char
        *text;   // before its first element, without blanks at the ends; "" without any; an attribute's value
    size_t line; // where it begins
    const struct xml_node *parent, *child, *next; // attributes come before elements
};

struct xml_document; // owns nodes; names and texts lie in the caller's text

// Converts a document that declares another encoding than UTF-8 (iconv_open(3) knows some hundred);
// *converted is NULL if it need not be, else the caller frees it. STATUS_DATA: an unknown encoding, or a byte
// that it does not have, with the line. STATUS_SYSTEM.
enum status xml_to_utf8(const char *path, const char *text, char **converted);

// Parses `text`, which is changed and must outlive the document. path: in messages. STATUS_DATA, with the
// line: no element, tags that do not match, a bad entity, more than a million nodes, more than 100 levels.
// STATUS_SYSTEM.
enum status xml_read(const char *path, char *text, struct xml_document **document);
void xml_free(struct xml_document *document); // NULL: does nothing

const struct xml_node *xml_root(const struct xml_document *document);

// The first child (or attribute) with this name, NULL without one or for a node that is NULL; by a path of
// names, "tensor/Mrr/value".
const struct xml_node *xml_child(const struct xml_node *node, const char *path);
// The next sibling of the same name.
const struct xml_node *xml_next(const struct xml_node *node);
// The text of xml_child; "" without one.
const char *xml_child_text(const struct xml_node *node, const char *path);

#endif
