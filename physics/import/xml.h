/* XML as far as models need it: elements, attributes and text, read into lists. Names are without their prefix. No document type
 * with entities of its own is read, so that a file stands for itself. */
#pragma once
#include "physics/import/cell_model.h"

typedef struct XmlAttribute {
  Name name, value;
} XmlAttribute;

typedef struct XmlNode {
  Name name; /* n 0: a text */
  Name text; /* of a text */
  ModelPlace place;
  int32_t parent, first, last, next; /* NONE: there is none */
  int32_t attribute, n_attribute;
} XmlNode;

typedef struct Xml {
  XmlNode *node;           /* owned, [n_node]; the first is the root */
  XmlAttribute *attribute; /* owned, [n_attribute] */
  int32_t n_node, n_attribute;
} Xml;

/* Reads a text, in which references such as &lt; are replaced on the way; names are views into it. `file`: of places. ERR_INPUT
 * with line and column: what is no XML, an entity of its own, or nested more than XML_DEEPEST deep. */
enum { XML_DEEPEST = 256 };
Status xml_parse(const CellModel *model, int32_t file, char *text, Xml *out);
void xml_release(Xml *xml);
/* The first child element of a name (NULL: any) behind `after` (NONE: from the beginning); NONE. */
int32_t xml_child(const Xml *xml, int32_t node, const char *name, int32_t after);
/* text NULL: there is none. */
Name xml_attribute(const Xml *xml, int32_t node, const char *name);
/* The text within an element without blanks around; n 0: none. part: the how manyth piece between elements and remarks. */
Name xml_text(const Xml *xml, int32_t node, int part);
