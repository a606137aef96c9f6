#include "core/xml.h"
#include "core/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Scan {
  const XmlParams *params;
  char *at, *end, *line_start;
  int32_t line;
  int32_t open, depth; /* the element at hand; -1: none */
  Xml *out;
} Scan;

static XmlPlace here(const Scan *s) {
  return (XmlPlace){s->at, s->params->data ? 0 : s->line, s->params->data ? 0 : (int32_t)(s->at - s->line_start) + 1};
}

static Status fail(const Scan *s, XmlPlace place, const char *format, ...) __attribute__((format(printf, 3, 4)));
static Status fail(const Scan *s, XmlPlace place, const char *format, ...) {
  char text[1400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return s->params->fail(s->params->reader, &place, text);
}

/* " of line 3", where lines are counted. */
static const char *since(const XmlNode *open, char *text, size_t size) {
  snprintf(text, size, open->place.line ? " of line %d" : "", (int)open->place.line);
  return text;
}
#define SINCE(open) since((open), (char[24]){0}, 24)

/* On to a later byte. */
static void go(Scan *s, char *to) {
  for (; !s->params->data && s->at < to; ++s->at)
    if (*s->at == '\n') ++s->line, s->line_start = s->at + 1;
  s->at = to;
}

bool xml_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static void skip_blanks(Scan *s) {
  char *p = s->at;
  while (xml_blank(*p)) ++p;
  go(s, p);
}

/* Over something that ends with `end`, whose beginning is `n` bytes long. */
static Status skip_to(Scan *s, size_t n, const char *end, const char *what) {
  char *stop = strstr(s->at + n, end);
  if (!stop) return fail(s, here(s), "%s that does not end; '%s' is expected", what, end);
  go(s, stop + strlen(end));
  return OK;
}

static bool is_name_byte(char c) { return c && !xml_blank(c) && !strchr("<>/=\"'&!?", c); }

/* prefix:name to name. */
static Status take_name(Scan *s, Name *out) {
  const char *from = s->at;
  char *p = s->at;
  for (; is_name_byte(*p); ++p)
    if (*p == ':') from = p + 1;
  *out = (Name){from, (int32_t)(p - from)};
  if (out->n <= 0) return fail(s, here(s), "a name is expected behind '<' or before '='");
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
static Status replace_references(Scan *s, char *from, char **text_end) {
  const char *end = *text_end;
  char *to = from;
  for (const char *p = from; p < end;) {
    if ((unsigned char)*p < 0x20 && !xml_blank(*p))
      return fail(s, here(s), "a byte 0x%02x within a text", (unsigned char)*p);
    if (*p != '&') {
      *to++ = *p++;
      continue;
    }
    const char *next = take_reference(p, end, &to);
    if (!next)
      return fail(s, here(s),
                  "'%.*s' stands for nothing known\n  allowed: &lt; &gt; &amp; &quot; &apos; and numbers, &#181;",
                  (int)strcspn(p, "; \n<") < 20 ? (int)strcspn(p, "; \n<") + 1 : 20, p);
    p = next;
  }
  *text_end = to;
  while (to < end) *to++ = ' '; /* lines are counted over it */
  return OK;
}

/* Lists grow by doubling. */
static bool is_full(int32_t n) { return (n & (n - 1)) == 0; }

static Status add_node(Scan *s, XmlNode node, int32_t *out) {
  Xml *x = s->out;
  if (is_full(x->n_node)) RESIZE(x->node, 2 * x->n_node + !x->n_node, "elements of an XML file");
  node.parent = s->open;
  node.first = node.last = node.next = -1;
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
  if (*s->at != '=') return fail(s, here(s), "'=' is expected behind the attribute '%.*s'", a.name.n, a.name.text);
  go(s, s->at + 1);
  skip_blanks(s);
  const char quote = *s->at;
  char *end = quote == '"' || quote == '\'' ? strchr(s->at + 1, quote) : NULL;
  if (!end)
    return fail(s, here(s), "the value of '%.*s' stands between quotes, %.*s=\"..\"", a.name.n, a.name.text, a.name.n,
                a.name.text);
  if (memchr(s->at, '<', (size_t)(end - s->at)))
    return fail(s, here(s), "the value of '%.*s' has no closing quote", a.name.n, a.name.text);
  char *stop = end;
  TRY(replace_references(s, s->at + 1, &stop));
  a.value = (Name){s->at + 1, (int32_t)(stop - s->at) - 1};
  go(s, end + 1);
  if (is_full(x->n_attribute)) RESIZE(x->attribute, 2 * x->n_attribute + !x->n_attribute, "attributes of an XML file");
  x->attribute[x->n_attribute++] = a;
  return OK;
}

/* <name a="b"> or <name a="b"/>. */
static Status take_element(Scan *s) {
  XmlNode node = {.place = here(s), .attribute = s->out->n_attribute};
  int32_t index;
  if (s->depth == XML_DEEPEST) return fail(s, node.place, "elements are nested more than %d deep", XML_DEEPEST);
  if (s->open < 0 && s->out->n_node) return fail(s, node.place, "a second element beside the first one");
  go(s, s->at + 1);
  TRY(take_name(s, &node.name));
  for (skip_blanks(s); is_name_byte(*s->at); skip_blanks(s)) TRY(take_attribute(s));
  node.n_attribute = s->out->n_attribute - node.attribute;
  TRY(add_node(s, node, &index));
  const bool empty = *s->at == '/';
  if (s->at[empty] != '>')
    return fail(s, here(s), "<%.*s%s is not closed; '>' is expected", node.name.n, node.name.text, SINCE(&node));
  go(s, s->at + 1 + empty);
  s->out->node[index].text = s->at;
  if (!empty) s->open = index, ++s->depth;
  if (s->params->data && s->depth == 2 && name_is(node.name, s->params->data)) s->open = -1;
  return OK;
}

static Status take_end(Scan *s) {
  const XmlPlace place = here(s);
  Name name;
  go(s, s->at + 2);
  TRY(take_name(s, &name));
  skip_blanks(s);
  if (*s->at != '>') return fail(s, here(s), "'>' is expected");
  go(s, s->at + 1);
  if (s->open < 0) return fail(s, place, "</%.*s> closes nothing", name.n, name.text);
  const XmlNode *open = &s->out->node[s->open];
  if (!name_same(open->name, name))
    return fail(s, place, "</%.*s> where </%.*s>%s is expected", name.n, name.text, open->name.n, open->name.text,
                SINCE(open));
  s->open = open->parent;
  --s->depth;
  return OK;
}

static Status add_text(Scan *s, XmlPlace place, const char *from, const char *to) {
  int32_t index;
  while (from < to && xml_blank(*from)) ++from;
  while (to > from && xml_blank(to[-1])) --to;
  return from == to ? OK : add_node(s, (XmlNode){.place = place, .text = from, .n_text = to - from}, &index);
}

static Status take_text(Scan *s, char *end) {
  const XmlPlace place = here(s);
  char *first = s->at, *stop = end;
  while (first < end && xml_blank(*first)) ++first;
  if (first < end && s->open < 0)
    return fail(s, place, s->out->n_node ? "text after the last element" : "no XML: it begins with <");
  if (!s->params->data) TRY(replace_references(s, s->at, &stop));
  const char *from = s->at;
  go(s, end);
  return add_text(s, place, from, stop);
}

/* What a < begins. */
static Status take_markup(Scan *s) {
  if (!strncmp(s->at, "<!--", 4)) return skip_to(s, 4, "-->", "a comment");
  if (!strncmp(s->at, "<?", 2)) return skip_to(s, 2, "?>", "an instruction");
  if (s->params->data && s->at[1] == '!')
    return fail(s, here(s), "'<!' does not begin a comment here; files of numbers have no such declarations");
  if (!strncmp(s->at, "<![CDATA[", 9)) {
    const char *end = strstr(s->at, "]]>");
    if (!end || s->open < 0) return fail(s, here(s), "a CDATA section that does not end, or outside the root");
    TRY(add_text(s, here(s), s->at + 9, end));
    return skip_to(s, 9, "]]>", "a CDATA section");
  }
  if (!strncmp(s->at, "<!", 2)) {
    const char *end = s->at + strcspn(s->at, "[>");
    if (*end != '>')
      return fail(s, here(s), "a document type with declarations of its own, which is not read; take it out");
    return skip_to(s, 2, ">", "a document type");
  }
  return s->at[1] == '/' ? take_end(s) : take_element(s);
}

static Status scan(Scan *s) {
  if (!strncmp(s->at, "\xef\xbb\xbf", 3)) s->at += 3, s->line_start += 3; /* byte order mark */
  while (s->at < s->end && !(s->params->data && s->open < 0 && s->out->n_node)) {
    char *markup = memchr(s->at, '<', (size_t)(s->end - s->at));
    if (!markup) markup = s->end;
    if (markup > s->at) TRY(take_text(s, markup));
    if (s->at < s->end) TRY(take_markup(s));
  }
  if (s->open >= 0) {
    const XmlNode *open = &s->out->node[s->open];
    return fail(s, here(s), "the file ends within <%.*s>%s; it was cut", open->name.n, open->name.text, SINCE(open));
  }
  if (!s->out->n_node) return fail(s, here(s), "there is no element in this file");
  return OK;
}

Status xml_parse(const XmlParams *params, Xml *out) {
  Scan s = {.params = params,
            .at = params->text,
            .end = params->text + params->size,
            .line_start = params->text,
            .line = 1,
            .open = -1,
            .out = out};
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
  for (int32_t k = xml->node[node].first; k >= 0; k = xml->node[k].next)
    if (!xml->node[k].name.n && part-- == 0) return (Name){xml->node[k].text, (int32_t)xml->node[k].n_text};
  return (Name){"", 0};
}
