/* CellML: the files of a model, its components and what is connected. */
#include "physics/import/cellml.h"
#include "core/memory.h"

#include <stdio.h>
#include <string.h>

enum { PARTS_MOST = 10000, FILES_MOST = 64, DEEPEST = 16 };

static ModelPlace place_of(int32_t file, const XmlPlace *place) {
  return (ModelPlace){place->line, place->column, file};
}
ModelPlace cellml_place(const Cellml *c, int32_t doc, int32_t node) {
  return place_of(c->doc[doc].file, &c->doc[doc].xml.node[node].place);
}
static Status xml_fail(const void *reader, const XmlPlace *place, const char *message) {
  const Cellml *c = reader; /* the file is its last */
  return model_fail(c->model, place_of(c->doc[c->n_doc - 1].file, place), "%s", message);
}

static Name attribute(const Cellml *c, int32_t doc, int32_t node, const char *key) {
  return xml_attribute(&c->doc[doc].xml, node, key);
}

static Status needed(const Cellml *c, int32_t doc, int32_t node, const char *key, Name *out) {
  *out = attribute(c, doc, node, key);
  const Name element = c->doc[doc].xml.node[node].name;
  if (out->text && out->n) return OK;
  return CELLML_FAIL(c, doc, node, "<%.*s> needs the attribute '%s'", element.n, element.text, key);
}

static int32_t child(const Cellml *c, int32_t doc, int32_t node, const char *name, int32_t after) {
  return xml_child(&c->doc[doc].xml, node, name, after);
}

Status cellml_open(Cellml *c, int32_t file, const char *path, char *text, int32_t *doc) {
  if (model_list_full(c->n_doc)) RESIZE(c->doc, model_list_grown(c->n_doc), "files of a cell model");
  *doc = c->n_doc++;
  c->doc[*doc] = (CellmlFile){.path = path, .file = file};
  const XmlParams params = {.text = text, .size = (int64_t)strlen(text), .reader = c, .fail = xml_fail};
  TRY(xml_parse(&params, &c->doc[*doc].xml));
  const Name root = c->doc[*doc].xml.node[0].name, id = attribute(c, *doc, 0, "xmlns");
  if (!name_is(root, "model") || (id.text && !memmem(id.text, (size_t)id.n, "cellml", 6)))
    return CELLML_FAIL(
        c, *doc, 0, "<%.*s> is not a model of CellML; expected: <model xmlns=\"http://www.cellml.org/cellml/2.0#\" ..>",
        root.n, root.text);
  return OK;
}

/* "folder/this.cellml" and "other.cellml" to "folder/other.cellml"; owned by the caller. */
static Status path_beside(const char *path, Name href, char **out) {
  const char *slash = strrchr(path, '/');
  const int folder = slash ? (int)(slash - path) + 1 : 0;
  ALLOC(*out, folder + href.n + 1, "the path of a cell model");
  snprintf(*out, (size_t)(folder + href.n + 1), "%.*s%.*s", folder, path, href.n, href.text);
  return OK;
}

Status cellml_imported(Cellml *c, int32_t doc, int32_t node, int32_t *out) {
  Name href;
  char *path = NULL, *text = NULL;
  int32_t file = 0;
  TRY(needed(c, doc, node, "href", &href));
  if (href.text[0] == '/' || memmem(href.text, (size_t)href.n, "://", 3))
    return CELLML_FAIL(c, doc, node, "'%.*s' is not beside this file; a file is imported by its relative path", href.n,
                       href.text);
  TRY(path_beside(c->doc[doc].path, href, &path));
  for (int32_t k = 0; k < c->n_doc; ++k) {
    if (strcmp(c->doc[k].path, path) != 0) continue;
    FREE(path);
    *out = k;
    return OK;
  }
  Status status = c->n_doc < FILES_MOST ? model_file_text(path, &text)
                                        : CELLML_FAIL(c, doc, node, "more than %d files are imported", FILES_MOST);
  if (status == ERR_INPUT && c->n_doc < FILES_MOST)
    status = CELLML_FAIL(c, doc, node, "cannot import '%.*s': %s", href.n, href.text, status_message());
  if (status == OK) status = model_keep(c->model, path, text, &file);
  if (status != OK) {
    FREE(path);
    FREE(text);
    return status;
  }
  return cellml_open(c, file, path, text, out);
}

static Status see(Cellml *c, int32_t scope, Name name, int32_t part) {
  for (int32_t k = 0; k < c->n_seen; ++k)
    if (c->seen[k].scope == scope && name_same(c->seen[k].name, name))
      return CELLML_FAIL(c, c->part[part].doc, c->part[part].node, "component '%.*s' is defined twice", name.n,
                         name.text);
  if (model_list_full(c->n_seen)) RESIZE(c->seen, model_list_grown(c->n_seen), "components of a cell model");
  c->seen[c->n_seen++] = (CellmlSeen){scope, part, name};
  return OK;
}

static int32_t part_of(const Cellml *c, int32_t scope, Name name) {
  for (int32_t k = 0; k < c->n_seen; ++k)
    if (c->seen[k].scope == scope && name_same(c->seen[k].name, name)) return c->seen[k].part;
  return NONE;
}

static Status take_variable(Cellml *c, int32_t part, int32_t node) {
  const int32_t doc = c->part[part].doc;
  const int32_t index = c->n_variable;
  CellmlVariable v = {.part = part,
                      .node = node,
                      .joined = index,
                      .equation = NONE,
                      .by = NONE,
                      .definer = NONE,
                      .starter = NONE,
                      .variable = NONE,
                      .initial = attribute(c, doc, node, "initial_value")};
  Name units;
  TRY(needed(c, doc, node, "name", &v.name));
  TRY(needed(c, doc, node, "units", &units));
  if (index == 4 * MODEL_VARIABLES) return CELLML_FAIL(c, doc, node, "more than %d variables", index);
  if (cellml_find(c, part, v.name) >= 0)
    return CELLML_FAIL(c, doc, node, "variable '%.*s' is defined twice in this component", v.name.n, v.name.text);
  TRY(cellml_unit(c, doc, c->part[part].node, units, node, &v.unit));
  if (model_list_full(index)) RESIZE(c->variable, model_list_grown(index), "variables of a cell model");
  c->variable[c->n_variable++] = v;
  ++c->part[part].n;
  return OK;
}

/* A name that no component has so far: "name", else "first_name". */
static Status free_name(Cellml *c, Name first, Name *name) {
  bool taken = false;
  for (int32_t k = 0; k < c->model->n_component; ++k) taken |= name_same(c->model->component[k], *name);
  if (!taken) return OK;
  char *text = NULL;
  int32_t file;
  const int32_t n = first.n + name->n + 1;
  ALLOC(text, n + 1, "the name of a component");
  snprintf(text, (size_t)n + 1, "%.*s_%.*s", first.n, first.text, name->n, name->text);
  const Status status = model_keep(c->model, NULL, text, &file);
  if (status != OK) FREE(text);
  *name = (Name){text, n};
  return status;
}

/* <component> of a file, called `name`, and its variables. */
static Status take_component(Cellml *c, int32_t doc, int32_t node, Name first, Name name, int32_t *out) {
  static const char *const refused[] = {"reaction", "reset"};
  CellmlPart part = {.doc = doc, .node = node, .first = c->n_variable};
  if (c->n_part == PARTS_MOST) return CELLML_FAIL(c, doc, node, "more than %d components", PARTS_MOST);
  for (size_t k = 0; k < sizeof refused / sizeof *refused; ++k) {
    const int32_t bad = child(c, doc, node, refused[k], NONE);
    if (bad < 0) continue;
    const Name of = attribute(c, doc, bad, "variable");
    return CELLML_FAIL(c, doc, bad,
                       "<%s>%s%.*s%s is not read; write it as an equation, with <piecewise> where it "
                       "depends on others",
                       refused[k], of.text ? " of '" : "", of.n, of.text ? of.text : "", of.text ? "'" : "");
  }
  TRY(free_name(c, first, &name));
  TRY(model_add_component(c->model, name, &part.component));
  if (model_list_full(c->n_part)) RESIZE(c->part, model_list_grown(c->n_part), "components of a cell model");
  *out = c->n_part++;
  c->part[*out] = part;
  for (int32_t k = child(c, doc, node, "variable", NONE); k >= 0; k = child(c, doc, node, "variable", k))
    TRY(take_variable(c, *out, k));
  return OK;
}

static Status take_imported(Cellml *c, int32_t doc, int32_t import, int32_t component, Name first, int32_t scope,
                            int deep);

/* What a file calls `ref`, be it imported there, into `scope` under `as`, and all that is encapsulated in it. */
static Status take_one(Cellml *c, int32_t doc, Name ref, Name first, Name as, int32_t scope, int deep, bool *found) {
  *found = true;
  for (int32_t k = child(c, doc, 0, "component", NONE); k >= 0; k = child(c, doc, 0, "component", k)) {
    int32_t part;
    if (!name_same(attribute(c, doc, k, "name"), ref)) continue;
    TRY(take_component(c, doc, k, first, as, &part));
    return see(c, scope, ref, part);
  }
  for (int32_t i = child(c, doc, 0, "import", NONE); i >= 0; i = child(c, doc, 0, "import", i))
    for (int32_t k = child(c, doc, i, "component", NONE); k >= 0; k = child(c, doc, i, "component", k))
      if (name_same(attribute(c, doc, k, "name"), ref)) return take_imported(c, doc, i, k, first, scope, deep + 1);
  *found = false;
  return OK;
}

/* Those below a <component_ref>, all the way down. */
static Status take_below(Cellml *c, int32_t doc, int32_t ref, Name first, int32_t scope, int deep) {
  for (int32_t k = child(c, doc, ref, "component_ref", NONE); k >= 0; k = child(c, doc, ref, "component_ref", k)) {
    bool found;
    Name name;
    TRY(needed(c, doc, k, "component", &name));
    if (part_of(c, scope, name) < 0) {
      TRY(take_one(c, doc, name, first, name, scope, deep, &found));
      if (!found) return CELLML_FAIL(c, doc, k, "there is no component '%.*s'", name.n, name.text);
    }
    TRY(take_below(c, doc, k, first, scope, deep));
  }
  return OK;
}

/* <group> of 1.0 and 1.1 with relationship="encapsulation", <encapsulation> of 2.0. */
static bool encapsulates(const Cellml *c, int32_t doc, int32_t node) {
  const int32_t how = child(c, doc, node, "relationship_ref", NONE);
  return name_is(c->doc[doc].xml.node[node].name, "encapsulation") ||
         (how >= 0 && name_is(attribute(c, doc, how, "relationship"), "encapsulation"));
}

static Status take_encapsulated(Cellml *c, int32_t doc, Name ref, Name first, int32_t scope, int deep) {
  const Xml *x = &c->doc[doc].xml;
  for (int32_t k = 0; k < c->doc[doc].xml.n_node; ++k) {
    x = &c->doc[doc].xml; /* files are added on the way */
    int32_t group = k;
    if (!name_is(x->node[k].name, "component_ref") || !name_same(xml_attribute(x, k, "component"), ref)) continue;
    while (group >= 0 && name_is(x->node[group].name, "component_ref")) group = x->node[group].parent;
    if (group >= 0 && encapsulates(c, doc, group)) TRY(take_below(c, doc, k, first, scope, deep));
  }
  return OK;
}

/* <component name= component_ref=> within <import>: a scope of its own, whose first component the importing one sees. */
static Status take_imported(Cellml *c, int32_t doc, int32_t import, int32_t component, Name first, int32_t scope,
                            int deep) {
  Name name, ref;
  int32_t other;
  bool found;
  const int32_t own = ++c->n_scope;
  if (deep > DEEPEST)
    return CELLML_FAIL(c, doc, import, "files import each other in a circle, or more than %d deep", DEEPEST);
  TRY(needed(c, doc, component, "name", &name));
  TRY(needed(c, doc, component, "component_ref", &ref));
  TRY(cellml_imported(c, doc, import, &other));
  TRY(take_one(c, other, ref, first.n ? first : name, name, own, deep, &found));
  if (!found)
    return CELLML_FAIL(c, doc, component, "there is no component '%.*s' in %s", ref.n, ref.text, c->doc[other].path);
  TRY(take_encapsulated(c, other, ref, name, own, deep));
  TRY(cellml_connections(c, other, own));
  return see(c, scope, name, part_of(c, own, ref));
}

Status cellml_components(Cellml *c) {
  for (int32_t k = child(c, 0, 0, "component", NONE); k >= 0; k = child(c, 0, 0, "component", k)) {
    int32_t part;
    Name name;
    TRY(needed(c, 0, k, "name", &name));
    TRY(take_component(c, 0, k, name, name, &part));
    TRY(see(c, 0, name, part));
  }
  for (int32_t i = child(c, 0, 0, "import", NONE); i >= 0; i = child(c, 0, 0, "import", i))
    for (int32_t k = child(c, 0, i, "component", NONE); k >= 0; k = child(c, 0, i, "component", k))
      TRY(take_imported(c, 0, i, k, (Name){"", 0}, 0, 1));
  return cellml_connections(c, 0, 0);
}

int32_t cellml_find(const Cellml *c, int32_t part, Name name) {
  const CellmlPart *p = &c->part[part];
  for (int32_t k = p->first; k < p->first + p->n; ++k)
    if (name_same(c->variable[k].name, name)) return k;
  return NONE;
}

int32_t cellml_first(Cellml *c, int32_t v) {
  while (c->variable[v].joined != v) v = c->variable[v].joined = c->variable[c->variable[v].joined].joined;
  return v;
}

/* One <map_variables> between two parts. */
static Status connect(Cellml *c, int32_t doc, int32_t map, const int32_t part[2]) {
  static const char *const key[] = {"variable_1", "variable_2"};
  int32_t v[2];
  for (int k = 0; k < 2; ++k) {
    Name name;
    TRY(needed(c, doc, map, key[k], &name));
    const Name component = c->model->component[c->part[part[k]].component];
    v[k] = cellml_find(c, part[k], name);
    if (v[k] < 0)
      return CELLML_FAIL(c, doc, map, "there is no variable '%.*s' in component '%.*s'", name.n, name.text, component.n,
                         component.text);
    v[k] = cellml_first(c, v[k]);
  }
  if (v[0] != v[1]) c->variable[v[0] > v[1] ? v[0] : v[1]].joined = v[0] > v[1] ? v[1] : v[0];
  return OK;
}

Status cellml_connections(Cellml *c, int32_t doc, int32_t scope) {
  static const char *const key[] = {"component_1", "component_2"};
  for (int32_t k = child(c, doc, 0, "connection", NONE); k >= 0; k = child(c, doc, 0, "connection", k)) {
    const int32_t inside = child(c, doc, k, "map_components", NONE);
    int32_t part[2];
    for (int i = 0; i < 2; ++i) {
      Name name;
      TRY(needed(c, doc, inside >= 0 ? inside : k, key[i], &name));
      part[i] = part_of(c, scope, name);
      if (part[i] < 0 && !scope) return CELLML_FAIL(c, doc, k, "there is no component '%.*s'", name.n, name.text);
    }
    if (part[0] < 0 || part[1] < 0) continue; /* of what is not imported */
    for (int32_t map = child(c, doc, k, "map_variables", NONE); map >= 0; map = child(c, doc, k, "map_variables", map))
      TRY(connect(c, doc, map, part));
  }
  return OK;
}
