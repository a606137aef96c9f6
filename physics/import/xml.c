#include "physics/import/xml.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct Scan {
  const CellModel *model; /* for messages */
  char *at, *line_start;
  int32_t line, file;
  int32_t open, depth; /* the element at hand; NONE: none */
  Xml *out;
} Scan;

static ModelPlace here(const Scan *s) {
  return (ModelPlace){.line = s->line, .column = (int32_t)(s->at - s->line_start) + 1, .file = s->file};
}

/* On to a later byte. */
static void go(Scan *s, char *to) {
  for (; s->at < to; ++s->at)
    if (*s->at == '\n') ++s->line, s->line_start = s->at + 1;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static void skip_blanks(Scan *s) {
  char *p = s->at;
  while (is_blank(*p)) ++p;
  go(s, p);
}

/* Over something that ends with `end`, whose beginning is `n` bytes long. */
static Status skip_to(Scan *s, size_t n, const char *end, const char *what) {
  char *stop = strstr(s->at + n, end);
  if (!stop) return model_fail(s->model, here(s), "%s that does not end; '%s' is expected", what, end);
  go(s, stop + strlen(end));
  return OK;
}

static bool is_name_byte(char c) { return c && !is_blank(c) && !strchr("<>/=\"'&!?", c); }

/* prefix:name to name. */
static Status take_name(Scan *s, Name *out) {
  const char *from = s->at;
  char *p = s->at;
  for (; is_name_byte(*p); ++p)
    if (*p == ':') from = p + 1;
  *out = (Name){from, (int32_t)(p - from)};
  if (out->n <= 0) return model_fail(s->model, here(s), "a name is expected behind '<' or before '='");
  go(s, p);
  return OK;
}

static char *put_utf8(char *to, unsigned long c) {
  if (c < 0x80) return *to++ = (char)c, to;
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
  *to++ = (char)(unsigned char)(lead[more] | (c >> (6 * more)));
  for (int k = more - 1; k >= 0; --k) *to++ = (char)(unsigned char)(0x80 | ((c >> (6 * k)) & 0x3F));
  return to;
}

/* &lt; and the like from `p`, to *to; NULL: none that is known. */
static const char *take_reference(const char *p, const char *end, char **to) {
  static const struct Entity {
    const char *name, byte;
  } known[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
    const size_t n = strlen(known[k].name);
    if ((size_t)(end - p) < n || strncmp(p, known[k].name, n)) continue;
    *(*to)++ = known[k].byte;
    return p + n;
  }
  if (end - p < 4 || p[1] != '#') return NULL;
  const bool hex = p[2] == 'x';
  char *stop;
  const unsigned long c = strchr("+- ", p[2 + hex]) ? 0 : strtoul(p + 2 + hex, &stop, hex ? 16 : 10);
  if (!c || c > 0x10FFFF || stop >= end || *stop != ';') return NULL;
  *to = put_utf8(*to, c);
  return stop + 1;
}

/* References within a text are replaced in their place, which is never longer. */
static Status replace_references(Scan *s, char *from, const char *end, Name *out) {
  char *to = from;
  for (const char *p = from; p < end;) {
    if ((unsigned char)*p < 0x20 && !is_blank(*p))
      return model_fail(s->model, here(s), "a byte 0x%02x within a text", (unsigned char)*p);
    if (*p != '&') {
      *to++ = *p++;
      continue;
    }
    const char *next = take_reference(p, end, &to);
    if (!next)
      return model_fail(s->model, here(s),
                        "'%.*s' stands for nothing known\n  allowed: &lt; &gt; &amp; &quot; &apos; and numbers, &#181;",
                        (int)strcspn(p, "; \n<") < 20 ? (int)strcspn(p, "; \n<") + 1 : 20, p);
    p = next;
  }
  *out = (Name){from, (int32_t)(to - from)};
  while (to < end) *to++ = ' '; /* lines are counted over it */
  return OK;
}

static Status add_node(Scan *s, XmlNode node, int32_t *out) {
  Xml *x = s->out;
  if (model_list_full(x->n_node)) RESIZE(x->node, model_list_grown(x->n_node), "elements of a cell model");
  node.parent = s->open;
  node.first = node.last = node.next = NONE;
  *out = x->n_node++;
  x->node[*out] = node;
  if (s->open < 0) return OK;
  XmlNode *parent = &x->node[s->open];
  if (parent->last >= 0) x->node[parent->last].next = *out;
  else parent->first = *out;
  parent->last = *out;
  return OK;
}

static Status take_attribute(Scan *s) {
  XmlAttribute a;
  Xml *x = s->out;
  TRY(take_name(s, &a.name));
  skip_blanks(s);
  if (*s->at != '=')
    return model_fail(s->model, here(s), "'=' is expected behind the attribute '%.*s'", a.name.n, a.name.text);
  go(s, s->at + 1);
  skip_blanks(s);
  const char quote = *s->at;
  char *end = quote == '"' || quote == '\'' ? strchr(s->at + 1, quote) : NULL;
  if (!end)
    return model_fail(s->model, here(s), "the value of '%.*s' stands between quotes, %.*s=\"..\"", a.name.n,
                      a.name.text, a.name.n, a.name.text);
  if (memchr(s->at, '<', (size_t)(end - s->at)))
    return model_fail(s->model, here(s), "the value of '%.*s' has no closing quote", a.name.n, a.name.text);
  TRY(replace_references(s, s->at + 1, end, &a.value));
  go(s, end + 1);
  if (model_list_full(x->n_attribute))
    RESIZE(x->attribute, model_list_grown(x->n_attribute), "attributes of a cell model");
  x->attribute[x->n_attribute++] = a;
  return OK;
}

/* <name a="b"> or <name a="b"/>. */
static Status take_element(Scan *s) {
  XmlNode node = {.place = here(s), .attribute = s->out->n_attribute};
  int32_t index;
  if (s->depth == XML_DEEPEST)
    return model_fail(s->model, node.place, "elements are nested more than %d deep", XML_DEEPEST);
  if (s->open < 0 && s->out->n_node) return model_fail(s->model, node.place, "a second element beside the first one");
  go(s, s->at + 1);
  TRY(take_name(s, &node.name));
  for (skip_blanks(s); is_name_byte(*s->at); skip_blanks(s)) TRY(take_attribute(s));
  node.n_attribute = s->out->n_attribute - node.attribute;
  TRY(add_node(s, node, &index));
  const bool empty = *s->at == '/';
  if (s->at[empty] != '>')
    return model_fail(s->model, here(s), "<%.*s in line %d is not closed; '>' is expected", node.name.n, node.name.text,
                      (int)node.place.line);
  go(s, s->at + 1 + empty);
  if (!empty) s->open = index, ++s->depth;
  return OK;
}

static Status take_end(Scan *s) {
  const ModelPlace place = here(s);
  Name name;
  go(s, s->at + 2);
  TRY(take_name(s, &name));
  skip_blanks(s);
  if (*s->at != '>') return model_fail(s->model, here(s), "'>' is expected");
  go(s, s->at + 1);
  if (s->open < 0) return model_fail(s->model, place, "</%.*s> closes nothing", name.n, name.text);
  const XmlNode *open = &s->out->node[s->open];
  if (!name_same(open->name, name))
    return model_fail(s->model, place, "</%.*s> where </%.*s> is expected, of line %d", name.n, name.text, open->name.n,
                      open->name.text, (int)open->place.line);
  s->open = open->parent;
  --s->depth;
  return OK;
}

static Status take_text(Scan *s, char *end) {
  XmlNode node = {.place = here(s)};
  int32_t index;
  TRY(replace_references(s, s->at, end, &node.text));
  int32_t blank = 0;
  while (blank < node.text.n && is_blank(node.text.text[blank])) ++blank;
  const bool empty = blank == node.text.n;
  if (!empty && s->open < 0)
    return model_fail(s->model, node.place,
                      s->out->n_node ? "text behind the last element" : "no XML: it begins with <");
  go(s, end);
  return empty ? OK : add_node(s, node, &index);
}

/* What a < begins. */
static Status take_markup(Scan *s) {
  if (!strncmp(s->at, "<!--", 4)) return skip_to(s, 4, "-->", "a remark");
  if (!strncmp(s->at, "<?", 2)) return skip_to(s, 2, "?>", "an instruction");
  if (!strncmp(s->at, "<![CDATA[", 9)) {
    const char *end = strstr(s->at, "]]>");
    if (!end || s->open < 0)
      return model_fail(s->model, here(s), "a CDATA section that does not end, or outside of all");
    XmlNode node = {.place = here(s), .text = {s->at + 9, (int32_t)(end - s->at) - 9}};
    int32_t index;
    TRY(add_node(s, node, &index));
    return skip_to(s, 9, "]]>", "a CDATA section");
  }
  if (!strncmp(s->at, "<!", 2)) {
    const char *end = s->at + strcspn(s->at, "[>");
    if (*end != '>')
      return model_fail(s->model, here(s),
                        "a document type with declarations of its own, which is not read; take it out");
    return skip_to(s, 2, ">", "a document type");
  }
  return s->at[1] == '/' ? take_end(s) : take_element(s);
}

static Status scan(Scan *s) {
  if (!strncmp(s->at, "\xef\xbb\xbf", 3)) s->at += 3, s->line_start += 3; /* byte order mark */
  while (*s->at) {
    char *markup = s->at + strcspn(s->at, "<");
    if (markup > s->at) TRY(take_text(s, markup));
    if (*s->at) TRY(take_markup(s));
  }
  if (s->open >= 0) {
    const XmlNode *open = &s->out->node[s->open];
    return model_fail(s->model, here(s), "the file ends within <%.*s> of line %d", open->name.n, open->name.text,
                      (int)open->place.line);
  }
  if (!s->out->n_node) return model_fail(s->model, here(s), "there is no element in this file");
  return OK;
}

Status xml_parse(const CellModel *model, int32_t file, char *text, Xml *out) {
  Scan s = {.model = model, .at = text, .line_start = text, .line = 1, .file = file, .open = NONE, .out = out};
  *out = (Xml){0};
  const Status status = scan(&s);
  if (status != OK) xml_release(out);
  return status;
}

void xml_release(Xml *xml) {
  FREE(xml->node);
  FREE(xml->attribute);
  *xml = (Xml){0};
}

int32_t xml_child(const Xml *xml, int32_t node, const char *name, int32_t after) {
  int32_t k = after >= 0 ? xml->node[after].next : xml->node[node].first;
  while (k >= 0 && (!xml->node[k].name.n || (name && !name_is(xml->node[k].name, name)))) k = xml->node[k].next;
  return k;
}

Name xml_attribute(const Xml *xml, int32_t node, const char *name) {
  const XmlNode *n = &xml->node[node];
  for (int32_t k = 0; k < n->n_attribute; ++k)
    if (name_is(xml->attribute[n->attribute + k].name, name)) return xml->attribute[n->attribute + k].value;
  return (Name){NULL, 0};
}

Name xml_text(const Xml *xml, int32_t node, int part) {
  for (int32_t k = xml->node[node].first; k >= 0; k = xml->node[k].next) {
    Name text = xml->node[k].text;
    while (text.n && is_blank(*text.text)) ++text.text, --text.n;
    while (text.n && is_blank(text.text[text.n - 1])) --text.n;
    if (text.n && !xml->node[k].name.n && part-- == 0) return text;
  }
  return (Name){"", 0};
}
