/* CellML: what variables mean by their annotations, as the Cardiac Electrophysiology Web Lab and Chaste have them: an id of the
 * variable, or a description that says of an id that it is such a thing. */
#include "physics/import/cellml.h"
#include "core/memory.h"

#include <string.h>

static const struct Meaning {
  const char *term;
  ModelRole role;
} meanings[] = {{"membrane_voltage", ROLE_POTENTIAL}, {"membrane_stimulus_current", ROLE_PACE}};

static bool ends_with(Name text, const char *word) {
  const int32_t n = (int32_t)strlen(word);
  return text.n > n && text.text[text.n - n - 1] == '#' && !strncmp(text.text + text.n - n, word, (size_t)n);
}

/* Does <rdf:Description rdf:about="#id"> say <bqbiol:is rdf:resource="..#term">? */
static bool described(const Xml *x, Name id, const char *term) {
  for (int32_t k = 0; k < x->n_node; ++k) {
    if (!name_is(x->node[k].name, "is") || !ends_with(xml_attribute(x, k, "resource"), term)) continue;
    const Name about = xml_attribute(x, x->node[k].parent, "about");
    if (about.n == id.n + 1 && about.text[0] == '#' && !strncmp(about.text + 1, id.text, (size_t)id.n)) return true;
  }
  return false;
}

static Status find_roles(Cellml *c) {
  for (int32_t k = 0; k < c->n_variable; ++k) {
    const CellmlVariable *v = &c->variable[k];
    const Xml *x = &c->doc[c->part[v->part].doc].xml;
    const Name id = xml_attribute(x, v->node, "id");
    const int32_t definer = c->variable[cellml_first(c, k)].definer;
    if (!id.text || definer < 0 || c->variable[definer].variable < 0) continue;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; ++i) {
      ModelVariable *m = &c->model->variable[c->variable[definer].variable];
      if (!name_is(id, meanings[i].term) && !described(x, id, meanings[i].term)) continue;
      for (int32_t o = 0; o < c->model->n_variable; ++o)
        if (c->model->variable[o].role == meanings[i].role && &c->model->variable[o] != m)
          return CELLML_FAIL(c, c->part[v->part].doc, v->node,
                             "'%s' is given to two variables, first to that in line %d", meanings[i].term,
                             (int)c->model->variable[o].place.line);
      if (m->role == ROLE_NONE) m->role = meanings[i].role;
    }
  }
  return OK;
}

Status cellml_parse(CellModel *model) {
  Cellml c = {.model = model, .time = NONE};
  int32_t doc;
  Status status = cellml_open(&c, 0, model->path, model->text, &doc);
  if (status == OK) status = cellml_components(&c);
  if (status == OK) status = cellml_equations(&c);
  if (status == OK) status = cellml_variables(&c);
  if (status == OK) status = find_roles(&c);
  for (int32_t k = 0; k < c.n_doc; ++k) xml_release(&c.doc[k].xml);
  FREE(c.doc);
  FREE(c.part);
  FREE(c.seen);
  FREE(c.variable);
  return status;
}
