/* Values that vary with the place, in the case file: expressions, data of the mesh, tables by regions. */
#include "app/input/schema.h"
#include "app/input/schema_value.h"

#include <string.h>

static const Word by_words[] = {{"region", 0}, {NULL, 0}};
static const Key place_keys[] = {
    {"field", VALUE_TEXT, false, offsetof(VaryingValue, field), .meaning = "data of the mesh, 1 component"},
    {"table", VALUE_TEXT, false, offsetof(VaryingValue, table), .meaning = "a file: a line for each region"},
    {"by", VALUE_WORD, false, offsetof(VaryingValue, by), .words = by_words, .meaning = "region"}};
static const Schema place_schema = {.what = "a value that varies",
                                    .n = sizeof place_keys / sizeof *place_keys,
                                    .key = place_keys,
                                    .size = sizeof(VaryingValue)};

bool varying_is_map(const Tree *tree, int32_t node) {
  return tree->node[node].kind == TREE_MAP &&
         (tree_member(tree, node, "field") >= 0 || tree_member(tree, node, "table") >= 0);
}

static void read_place_map(Reader *r, const char *name, int32_t node, VaryingValue *out) {
  const int before = r->diagnostics->n;
  read_map(r, &place_schema, node, out);
  if (r->diagnostics->n > before) return;
  const bool field = place_given(out->field.place), table = place_given(out->table.place);
  if (field == table)
    report_error(r->diagnostics, out->place, "%s needs either field or table%s", name,
                 field ? "; both are given" : ", or a number or an expression in place of the map");
  else if (table != place_given(out->by.place))
    report_error(r->diagnostics, table ? out->table.place : out->by.place,
                 table ? "%s: a table needs 'by: region': its lines have the name of a region and a number"
                       : "%s: 'by' goes with a table; leave it out",
                 name);
}

bool varying_read(Reader *r, const char *name, int32_t node, VaryingValue *out) {
  const TreeNode *t = &r->tree->node[node];
  const Key key = {.name = name, .type = VALUE_EXPR};
  const bool formula = t->kind == TREE_QUOTED || (t->kind == TREE_PLAIN && strpbrk(t->text, "*/^("));
  if (t->kind != TREE_MAP && !formula) return false;
  if (t->kind == TREE_MAP) {
    read_place_map(r, name, node, out);
    return true;
  }
  value_read(r, &key, node, &out->expr);
  out->place = t->place;
  return true;
}

void varying_echo(const VaryingValue *varying, Text *out) {
  if (varying->field.text) text_add(out, "{field: "), echo_text(varying->field.text, out), text_add(out, "}");
  else if (varying->table.text)
    text_add(out, "{table: "), echo_text(varying->table.text, out), text_add(out, ", by: region}");
  else if (varying->relative) text_add(out, "\"*%s\"", varying->expr.text);
  else if (varying->expr.text) echo_expr(&varying->expr, out);
}
