/* Building the tree from libyaml's events: one pass, so that the depth limit acts before the parser gets slow. */
#include "app/input/tree.h"
#include "core/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

enum { DEPTH_MAX = 64 };

typedef struct Builder {
  Tree *tree;
  Diagnostics *diagnostics;
  const char *option;
  int32_t open[DEPTH_MAX]; /* lists and maps around the current place */
  int depth;
  int skipped; /* levels inside a list or map that stands where a key should: only counted */
  int32_t root;
  int documents;
  bool has_key; /* a map waits for the value of this key */
  char *key;    /* owned until a node takes it */
  Place key_place;
} Builder;

static Status add_node(Tree *tree, TreeNode node, int32_t *out) {
  if (tree->n == tree->capacity) {
    const int32_t capacity = tree->capacity ? 2 * tree->capacity : 64;
    RESIZE(tree->node, capacity, "the case file");
    tree->capacity = capacity;
  }
  node.first = node.last = node.next = -1;
  tree->node[tree->n] = node;
  *out = tree->n++;
  return OK;
}

static void append_child(Tree *tree, int32_t parent, int32_t child) {
  TreeNode *p = &tree->node[parent];
  if (p->last >= 0) tree->node[p->last].next = child;
  else p->first = child;
  p->last = child;
  ++p->n;
}

static Place place_of(const Builder *b, yaml_mark_t mark) {
  return (Place){(int32_t)mark.line + 1, (int32_t)mark.column + 1, b->option, NULL};
}

/* Adds a node where the builder stands: as root, list item or value of the waiting key. */
static Status place_node(Builder *b, TreeNode node, int32_t *out) {
  if (b->has_key) {
    node.key = b->key;
    node.key_place = b->key_place;
  }
  TRY(add_node(b->tree, node, out));
  if (b->has_key) b->has_key = false, b->key = NULL;
  if (b->depth) append_child(b->tree, b->open[b->depth - 1], *out);
  else b->root = *out;
  return OK;
}

static bool wants_key(const Builder *b) {
  return b->depth && b->tree->node[b->open[b->depth - 1]].kind == TREE_MAP && !b->has_key;
}

static Status take_scalar(Builder *b, const yaml_event_t *event, bool *go_on) {
  const char *value = (const char *)event->data.scalar.value;
  const size_t length = event->data.scalar.length;
  const Place place = place_of(b, event->start_mark);
  if (strlen(value) != length) {
    report_error(b->diagnostics, place, "a zero byte inside a text");
    *go_on = false;
    return OK;
  }
  if (wants_key(b)) {
    /* Writers of YAML 1.1 take the key `on` for a truth value and write it as `true`. */
    const bool is_on = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && strcmp(value, "true") == 0;
    TRY(mem_text_part(is_on ? "on" : value, is_on ? 2 : length, "text of the case file", &b->key));
    b->has_key = true;
    b->key_place = place;
    return OK;
  }
  TreeNode node = {.kind = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? TREE_PLAIN : TREE_QUOTED,
                   .place = place};
  TRY(mem_text_part(value, length, "text of the case file", &node.text));
  int32_t index;
  const Status status = place_node(b, node, &index);
  if (status != OK) FREE(node.text);
  return status;
}

static Status open_node(Builder *b, const yaml_event_t *event, TreeKind kind, bool *go_on) {
  const Place place = place_of(b, event->start_mark);
  *go_on = b->depth + b->skipped < DEPTH_MAX;
  if (!*go_on) {
    report_error(b->diagnostics, place, "nested deeper than %d levels", DEPTH_MAX);
    return OK;
  }
  if (b->skipped || wants_key(b)) {
    if (!b->skipped++) report_error(b->diagnostics, place, "a list or map as a key; keys are plain words");
    return OK;
  }
  int32_t index;
  TRY(place_node(b, (TreeNode){.kind = kind, .place = place}, &index));
  b->open[b->depth++] = index;
  return OK;
}

static void close_node(Builder *b, bool *go_on) {
  if (b->skipped) *go_on = --b->skipped > 0; /* the error is reported; what follows has lost its key */
  else --b->depth;
}

static bool is_decorated(const Builder *b, const yaml_event_t *event) {
  const yaml_char_t *anchor = NULL, *tag = NULL;
  if (event->type == YAML_SCALAR_EVENT) anchor = event->data.scalar.anchor, tag = event->data.scalar.tag;
  if (event->type == YAML_SEQUENCE_START_EVENT)
    anchor = event->data.sequence_start.anchor, tag = event->data.sequence_start.tag;
  if (event->type == YAML_MAPPING_START_EVENT)
    anchor = event->data.mapping_start.anchor, tag = event->data.mapping_start.tag;
  const Place place = place_of(b, event->start_mark);
  char seen[SEEN_BYTES];
  if (event->type == YAML_ALIAS_EVENT)
    report_error(b->diagnostics, place, "alias '*%s': aliases are not allowed in a case file\n  write the value out%s",
                 seen_text((const char *)event->data.alias.anchor, seen),
                 isdigit(*event->data.alias.anchor) ? "; put a factor in quotes, \"*0.5\"" : "");
  else if (anchor)
    report_error(b->diagnostics, place, "anchor '&%s': anchors are not allowed in a case file\n  write the value out",
                 seen_text((const char *)anchor, seen));
  else if (tag)
    report_error(b->diagnostics, place, "tag '%s': tags are not allowed in a case file",
                 seen_text((const char *)tag, seen));
  else return false;
  return true;
}

static Status take_event(Builder *b, const yaml_event_t *event, bool *go_on) {
  *go_on = true;
  if (is_decorated(b, event)) {
    *go_on = false;
    return OK;
  }
  switch (event->type) {
  case YAML_STREAM_END_EVENT: *go_on = false; return OK;
  case YAML_DOCUMENT_START_EVENT:
    if (b->documents++ == 0) return OK;
    report_error(b->diagnostics, place_of(b, event->start_mark), "a second document ('---'); a case is one document");
    *go_on = false;
    return OK;
  case YAML_SCALAR_EVENT: return b->skipped ? OK : take_scalar(b, event, go_on);
  case YAML_SEQUENCE_START_EVENT: return open_node(b, event, TREE_LIST, go_on);
  case YAML_MAPPING_START_EVENT: return open_node(b, event, TREE_MAP, go_on);
  case YAML_SEQUENCE_END_EVENT:
  case YAML_MAPPING_END_EVENT: close_node(b, go_on); return OK;
  default: return OK;
  }
}

/* libyaml gives a byte offset instead of a mark when the bytes are no text at all. */
static Place place_of_byte(const char *bytes, size_t n, size_t offset, const char *option) {
  Place place = {1, 1, option, NULL};
  for (size_t i = 0; i < n && i < offset; ++i) {
    if (bytes[i] == '\n') ++place.line, place.column = 1;
    else if (((unsigned char)bytes[i] & 0xc0) != 0x80) ++place.column;
  }
  return place;
}

/* What to do about libyaml's words: the first row whose two parts are in the problem and in the character at it. */
static const char *syntax_remedy(const char *problem, const char *context, char at) {
  static const struct Remedy {
    const char *problem, *context, *character, *remedy;
  } remedies[] = {
      {"cannot start any token", "", "\t", "a tab: indent with spaces"},
      {"tab character", "", "", "indent with spaces"},
      {"cannot start any token", "", "%@`", "a text that begins with this character needs quotes"},
      {"cannot start any token", "", "", "a text that begins with a special character needs quotes"},
      {"mapping values are not allowed", "", "",
       "a text with ': ' inside needs quotes; or the line is indented by too much"},
      {"expected ',' or '}'", "", "", "close the '{' with '}', and put commas between the keys"},
      {"expected ',' or ']'", "", "", "close the '[' with ']', and put commas between the items"},
      {"could not find expected ':'", "", "", "write 'key: value', with a space after the colon"},
      {"expected key", "", "", "keys of one map begin in one column: look at the indent of this line and those above"},
      {"expected '-' indicator", "", "",
       "items of one list begin with '- ' in one column: look at the indent of this line"},
      {"expected <document start>", "", "",
       "lines at the outermost level are 'key: value' and begin in the first column"},
      {"unexpected end of stream", "quoted scalar", "", "close the quotation mark"},
      {"unexpected document indicator", "quoted scalar", "", "close the quotation mark"},
      {"escape character", "", "", "in double quotes a backslash is written \\\\; or use single quotes"},
      {"block sequence entries", "", "", "a list begins on a line of its own: 'key:', then '- ...' below it"},
      {"block mapping entries", "", "", "write 'key: value' on a line of its own"},
  };
  for (size_t i = 0; i < sizeof remedies / sizeof *remedies; ++i) {
    const struct Remedy *r = &remedies[i];
    if (strstr(problem, r->problem) && strstr(context, r->context) &&
        (!*r->character || (at && strchr(r->character, at))))
      return r->remedy;
  }
  return "compare with an example of docs/case-file.md: indents, brackets, quotation marks";
}

static void report_syntax(Builder *b, const yaml_parser_t *parser, const char *bytes, size_t n) {
  const char *problem = parser->problem ? parser->problem : "not YAML";
  const size_t index = parser->problem_mark.index;
  const char *remedy = syntax_remedy(problem, parser->context ? parser->context : "", index < n ? bytes[index] : 0);
  if (parser->error == YAML_READER_ERROR)
    report_error(b->diagnostics, place_of_byte(bytes, n, parser->problem_offset, b->option),
                 "not a text file: %s\n  save it as plain text in UTF-8", problem);
  else if (parser->context)
    report_error(b->diagnostics, place_of(b, parser->problem_mark),
                 "not valid YAML: %s\n  %s that starts at line %zu\n  %s", problem, parser->context,
                 parser->context_mark.line + 1, remedy);
  else report_error(b->diagnostics, place_of(b, parser->problem_mark), "not valid YAML: %s\n  %s", problem, remedy);
}

Status tree_parse(Tree *tree, const char *bytes, size_t n, const char *option, Diagnostics *diagnostics,
                  int32_t *root) {
  Builder b = {.tree = tree, .diagnostics = diagnostics, .option = option, .root = -1};
  const int32_t before = diagnostics->n;
  *root = -1;
  yaml_parser_t parser;
  CHECK(yaml_parser_initialize(&parser), ERR_MEMORY, "not enough memory for the YAML parser");
  yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, n);
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  Status status = OK;
  for (bool go_on = true; go_on && status == OK;) {
    yaml_event_t event;
    if (!yaml_parser_parse(&parser, &event)) {
      if (parser.error == YAML_MEMORY_ERROR) status = FAIL(ERR_MEMORY, "not enough memory for the YAML parser");
      else report_syntax(&b, &parser, bytes, n);
      break;
    }
    status = take_event(&b, &event, &go_on);
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  FREE(b.key);
  if (status == OK && diagnostics->n == before && diagnostics->broken == OK) *root = b.root;
  return status;
}

int32_t tree_member(const Tree *tree, int32_t map, const char *key) {
  if (map < 0 || tree->node[map].kind != TREE_MAP) return -1;
  for (int32_t i = tree->node[map].first; i >= 0; i = tree->node[i].next)
    if (strcmp(tree->node[i].key, key) == 0) return i;
  return -1;
}

Status tree_add(Tree *tree, int32_t parent, TreeKind kind, const char *key, Place place, int32_t *out) {
  TreeNode node = {.kind = kind, .place = place, .key_place = place};
  if (key) TRY(mem_text(key, "text of the case file", &node.key));
  Status status = kind == TREE_PLAIN ? mem_text("", "text of the case file", &node.text) : OK;
  if (status == OK) status = add_node(tree, node, out);
  if (status == OK) {
    append_child(tree, parent, *out);
    return OK;
  }
  FREE(node.text);
  FREE(node.key);
  return status;
}

void tree_replace(Tree *tree, int32_t at, int32_t value) {
  TreeNode *to = &tree->node[at], *from = &tree->node[value];
  FREE(to->text);
  to->kind = from->kind, to->place = from->place, to->text = from->text;
  to->first = from->first, to->last = from->last, to->n = from->n;
  from->text = NULL;
}

void tree_join(Tree *tree, int32_t list, int32_t value) {
  TreeNode *to = &tree->node[list], *from = &tree->node[value];
  if (from->first < 0) return;
  if (to->last >= 0) tree->node[to->last].next = from->first;
  else to->first = from->first;
  to->last = from->last, to->n += from->n;
  from->first = from->last = -1, from->n = 0;
}

Status tree_wrap(Tree *tree, int32_t at, TreeKind kind, const char *key) {
  int32_t inner;
  const Place place = tree->node[at].place;
  TreeNode outer = {.kind = kind, .place = place};
  TRY(add_node(tree, outer, &inner)); /* holds what was there, without neighbours */
  tree_replace(tree, inner, at);
  TreeNode *node = &tree->node[at];
  node->kind = kind, node->first = node->last = -1, node->n = 0;
  if (key) TRY(mem_text(key, "text of the case file", &tree->node[inner].key));
  tree->node[inner].key_place = place;
  append_child(tree, at, inner);
  return OK;
}

const char *tree_seen(const Tree *tree, int32_t node, char text[64]) {
  const TreeNode *t = &tree->node[node];
  char seen[SEEN_BYTES];
  if (t->kind == TREE_LIST) snprintf(text, 64, "a list of %d", t->n);
  else if (t->kind == TREE_MAP) snprintf(text, 64, "a map of %d keys", t->n);
  else if (!*t->text) snprintf(text, 64, "nothing");
  else snprintf(text, 64, "'%s'", seen_text(t->text, seen));
  return text;
}

void tree_release(Tree *tree) {
  for (int32_t i = 0; i < tree->n; ++i) {
    FREE(tree->node[i].text);
    FREE(tree->node[i].key);
  }
  FREE(tree->node);
  *tree = (Tree){0};
}
