/* XML as models of cells and VTK's files need it: elements, attributes and text, read into lists. No document type with
 * entities of its own is read, so that a file stands for itself. */
#pragma once
#include "core/name.h"
#include "core/status.h"

typedef struct XmlAttribute {
  Name name, value;
} XmlAttribute;

typedef struct XmlPlace {
  const char *at;       /* in the text */
  int32_t line, column; /* from 1; 0 where lines are not counted */
} XmlPlace;

typedef struct XmlNode {
  Name name;        /* without its prefix; n 0: a text */
  const char *text; /* of a text, without blanks around; of an element, behind its tag */
  int64_t n_text;
  XmlPlace place;
  int32_t parent, first, last, next; /* -1: there is none */
  int32_t attribute, n_attribute;
} XmlNode;

typedef struct Xml {
  XmlNode *node;           /* owned, [n_node]; the first is the root */
  XmlAttribute *attribute; /* owned, [n_attribute] */
  int32_t n_node, n_attribute;
} Xml;

typedef struct XmlParams {
  char *
      text; /* [size + 1], a NUL behind the last; references such as &lt; are replaced in it, names are views into it */
  int64_t size;
  /* NULL, or the element of a file of numbers whose content is no XML: reading ends behind its tag or that of the root, texts
   * stay as they are, and lines are not counted. */
  const char *data;
  const void *reader;
  Status (*fail)(const void *reader, const XmlPlace *place, const char *message);
} XmlParams;

/* Fails by `fail`: what is no XML, an entity of its own, or nested more than XML_DEEPEST deep. ERR_MEMORY. */
enum { XML_DEEPEST = 256 };
Status xml_parse(const XmlParams *params, Xml *out);
void xml_release(Xml *xml);
/* The first child element of a name (NULL: any) behind `after` (-1: from the beginning); -1. */
int32_t xml_child(const Xml *xml, int32_t node, const char *name, int32_t after);
/* text NULL: there is none. */
Name xml_attribute(const Xml *xml, int32_t node, const char *name);
/* The text within an element; n 0: none. part: the how manyth piece between elements and comments. */
Name xml_text(const Xml *xml, int32_t node, int part);
bool xml_blank(char c);
