/* Supports and loads of a case, and of each of its load cases: a value prescribed on a group by a load case replaces
 * that of the case. */
#include "app/elasticity/acts.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "core/memory.h"

#include <string.h>

/* Room for all that these lists can make. */
static Status acts_alloc(const Case *c, const MapsValue *boundary, const MapsValue *body, ElasticActs *out) {
  ALLOC(out->support, (int64_t)elastic_acts.n * boundary->n, "supports");
  ALLOC(out->load, ((int64_t)elastic_acts.n + 2 * CASE_SUM_PARTS) * boundary->n + 2 * (int64_t)body->n + c->cavities.n,
        "loads");
  return OK;
}

static Status acts_bind(const Case *c, const Mesh *mesh, const MapsValue *boundary, const MapsValue *body, Setup *setup,
                        ElasticActs *acts, Diagnostics *diagnostics) {
  TRY(acts_alloc(c, boundary, body, acts));
  TRY(elastic_bind_boundary(c, mesh, boundary, setup, acts, diagnostics));
  if (boundary == case_acting(c)) TRY(elastic_bind_cavities(c, mesh, setup, acts, diagnostics));
  return setup_body(c, mesh, body, setup, acts, diagnostics);
}

void elastic_acts_release(ElasticActs *acts) {
  FREE(acts->support);
  FREE(acts->load);
}

static bool same_group(const Group *a, const Group *b) {
  return a == b || (a->dim == b->dim && a->n == b->n && strcmp(a->name, b->name) == 0);
}

/* Supports of the whole case with the values of a load case. */
static Status supports_join(const ElasticSetup *own, ElasticActs *acts) {
  Support *all = NULL;
  const int32_t n_common = own->params.n_support;
  ALLOC(all, (int64_t)n_common + acts->n_support, "supports of a load case");
  for (int32_t i = 0; i < n_common; ++i) {
    all[i] = own->support[i];
    for (int32_t k = 0; k < acts->n_support; ++k)
      for (int c = 0; c < 3 && same_group(all[i].on, acts->support[k].on) && !all[i].symmetry; ++c)
        if (expr_given(&acts->support[k].value[c])) all[i].value[c] = (Expr){0};
  }
  memcpy(all + n_common, acts->support, (size_t)acts->n_support * sizeof *all);
  FREE(acts->support);
  acts->support = all;
  acts->n_support += n_common;
  return OK;
}

/* Springs, which are part of the stiffness, and the loads of the first load case. */
static Status loads_join(ElasticSetup *own) {
  const ElasticActs *first = &own->act[0];
  Load *all = NULL;
  ALLOC(all, (int64_t)own->params.n_load + first->n_load, "loads");
  memcpy(all, own->load, (size_t)own->params.n_load * sizeof *all);
  memcpy(all + own->params.n_load, first->load, (size_t)first->n_load * sizeof *all);
  FREE(own->load);
  own->load = all;
  own->params.n_load += first->n_load;
  return OK;
}

static Status load_cases_bind(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  ElasticSetup *own = elastic_setup(setup);
  bool moved = false;
  ALLOC(own->act, c->load_cases.n, "load cases");
  own->n_act = c->load_cases.n;
  for (int32_t i = 0; i < own->n_act; ++i) {
    const CaseLoadCase *load = case_load_case(c, i);
    own->act[i].name = load->name.text;
    TRY(setup_where(c, load->place, setup, &own->act[i].where));
    TRY(acts_bind(c, mesh, &load->boundary, &load->body, setup, &own->act[i], diagnostics));
    moved = moved || own->act[i].n_support > 0;
  }
  for (int32_t i = 0; i < own->n_act; ++i) {
    if (moved) TRY(supports_join(own, &own->act[i]));
    else FREE(own->act[i].support);
  }
  return loads_join(own);
}

/* What acts a quarter of a period before the rest, where anything does. */
static Status ahead_alloc(const Case *c, ElasticSetup *own) {
  if (!case_has_phases(c)) return OK;
  ALLOC(own->act, 1, "loads ahead of others");
  own->n_act = 1;
  own->act[0].name = "a quarter of a period ahead";
  own->act[0].where = c->path;
  return acts_alloc(c, &c->boundary, &c->body, &own->act[0]);
}

Status setup_acts(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  ElasticActs common = {0};
  ElasticSetup *own = elastic_setup(setup);
  TRY(ahead_alloc(c, own));
  const Status status = acts_bind(c, mesh, case_acting(c), case_acting_body(c), setup, &common, diagnostics);
  own->support = common.support, own->load = common.load;
  own->params.n_support = common.n_support, own->params.n_load = common.n_load;
  TRY(status);
  if (c->load_cases.n) TRY(load_cases_bind(c, mesh, setup, diagnostics));
  own->params.support = own->support;
  own->params.load = own->load;
  own->params.no_load |= case_has_phases(c); /* all may be ahead */
  if (!c->load_cases.n || !own->act[0].support) return OK;
  own->params.support = own->act[0].support;
  own->params.n_support = own->act[0].n_support;
  return OK;
}
