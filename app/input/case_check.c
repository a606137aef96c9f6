/* Checks of values of the case against each other, which the tables cannot express. */
#include "app/input/case_tables.h"
#include "app/input/case_format.h"
#include "app/input/units.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "solver/precond/precond.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 128, STORED_MAX = 1000000 };

double case_every(const Case *c) {
  if (c->output.every.value > 0) return c->output.every.value;
  const double plain = case_adapts(&c->time) ? c->time.end.value / 100 : c->time.step.value;
  const double sample = c->output.sample.value;
  return sample > 0 ? sample * fmax(1, ceil(plain / sample * (1 - 1e-9))) : plain; /* a multiple of it */
}

int case_dim(const Case *c) {
  if (!c->model.text) return 0;
  return case_axisymmetric(c) ? 2 : elastic_model_dim((ElasticModel)c->model.value);
}

bool case_axisymmetric(const Case *c) { return c->model.text && strcmp(c->model.text, "axisymmetric") == 0; }

static const char *letters_of(const Case *c, const CaseSum *sum) {
  return c->physics->sum_letters ? c->physics->sum_letters(c, sum) : "";
}

int sum_columns(const Case *c, const CaseSum *sum) {
  const char *letters = letters_of(c, sum);
  return *letters ? (int)strlen(letters) : 1;
}

const char *sum_column(const Case *c, const CaseSum *sum, int i, char *text, int size) {
  const char *name = sum->name.text ? sum->name.text : "", *letters = letters_of(c, sum);
  const char letter[] = {'-', *letters ? letters[i] : 0, 0};
  snprintf(text, (size_t)size, "%s%s", name, *letters ? letter : "");
  return text;
}

void case_check_directions(const Case *c, const char *key, int32_t n, Place place, Diagnostics *out) {
  if (n > 0 && case_dim(c) && n != case_dim(c))
    report_error(out, place, "%s has %d entries; model '%s' has %d directions", key, n, c->model.text, case_dim(c));
}

static void check_grid(const CaseMesh *m, Diagnostics *out) {
  const int32_t n = m->image.text ? 2 : m->grid.n, dim = m->element.value < 2 ? 2 : 3;
  for (int32_t k = 0; k < m->grid.n; ++k) {
    const double nodes = m->grid.value[k];
    if (nodes >= 2 && nodes <= INT32_MAX && nodes == floor(nodes)) continue;
    report_error(out, m->grid.place, "grid has %.10g nodes in direction %c, must be a whole number from 2 to %d", nodes,
                 "xyz"[k], INT32_MAX);
  }
  if (m->size.n == 1 && n)
    report_error(out, m->size.place, "size of a grid is a list of %d lengths, one per direction", n);
  else if (m->size.n && n && m->size.n != n)
    report_error(out, m->size.place, "size has %d lengths, the grid has %d directions", m->size.n, n);
  for (int32_t k = 0; k < m->size.n; ++k)
    if (!(m->size.value[k] > 0) && m->size.n == 1)
      report_error(out, m->size.place, "size is %g, must be > 0", m->size.value[k]);
    else if (!(m->size.value[k] > 0))
      report_error(out, m->size.place, "size is %g in direction %c, must be > 0", m->size.value[k], "xyz"[k]);
  if (m->element.text && n && dim != n)
    report_error(out, m->element.place, "a grid of %d directions cannot be made of %s", n, m->element.text);
}

static void check_region(const CaseMesh *m, int32_t i, Diagnostics *out) {
  const CaseMeshRegion *r = mesh_region(&m->regions, i);
  const bool field = place_given(r->field.place), limits = place_given(r->above.place) || place_given(r->below.place);
  const bool random = place_given(r->share.place);
  const Place more = place_given(r->size.place) ? r->size.place : r->seed.place;
  if (!field && !random && !limits)
    report_error(out, r->place, "a region needs 'field' with 'above' or 'below', or 'share', or both");
  if (field != limits)
    report_error(out, r->place,
                 field ? "field needs 'above' or 'below': a value that parts the elements"
                       : "above and below are values of a 'field', which is not given");
  if (place_given(r->above.place) && place_given(r->below.place) && !(r->above.value < r->below.value))
    report_error(out, r->above.place, "above is %g, must be less than below, %g", r->above.value, r->below.value);
  if (!random && place_given(more)) report_error(out, more, "size and seed go with a 'share', which is not given");
  const double zero[3] = {0}, value = expr_value(&r->share.expr, zero, 0);
  if (random && expr_is_constant(&r->share.expr) && !(value >= 0 && value <= 1))
    report_error(out, r->share.place, "share is %g, must lie in [0, 1]", value);
  if (random && expr_is_timed(&r->share.expr))
    report_error(out, r->share.place, "share depends on t, and a region stays what it is");
  for (int32_t k = 0; k < i; ++k)
    if (r->name.text && mesh_region(&m->regions, k)->name.text &&
        strcmp(r->name.text, mesh_region(&m->regions, k)->name.text) == 0)
      report_error(out, r->name.place, "there are two regions '%s'", r->name.text);
}

static void check_parameters(const CaseMesh *m, Diagnostics *out) {
  const char *dot = m->file.text ? strrchr(m->file.text, '.') : NULL;
  if (!place_given(m->gmsh.place)) return;
  if (!dot || strcmp(dot, ".geo") != 0)
    report_error(out, m->gmsh.place,
                 "gmsh has parameters of a geometry\n  allowed: with 'file' a .geo, whose DefineConstant they are of");
  if (m->gmsh.n > MESH_NUMBERS)
    report_error(out, m->gmsh.place, "gmsh has %d parameters; at most %d are allowed", m->gmsh.n, MESH_NUMBERS);
}

static void check_mesh(const Case *c, Diagnostics *out) {
  const CaseMesh *m = &c->mesh;
  for (int32_t i = 0; i < m->regions.n; ++i) check_region(m, i, out);
  if (!place_given(m->place) || error_reported_at(out, m->place)) return;
  const int forms = (m->file.text != NULL) + place_given(m->grid.place) + (m->image.text != NULL);
  if (forms == 0 && !place_given(m->file.place) && !place_given(m->image.place))
    report_error(
        out, m->place,
        "mesh needs one of the keys file (path of the mesh), grid (nodes per direction) and image (a node per pixel)");
  if (forms > 1) report_error(out, m->place, "mesh has more than one of file, grid and image");
  check_grid(m, out);
  check_parameters(m, out);
  if (m->file.text && forms == 1 && m->size.n > 1)
    report_error(
        out, m->size.place,
        "a list of lengths belongs to a grid or image\n  of a file, size is one number: the largest size of an element "
        "that Gmsh makes; scale multiplies all coordinates");
  if (m->file.text && forms == 1 && m->element.text)
    report_error(out, m->element.place, "element belongs to a grid or image; the file has its own");
}

/* A step of no more of the whole run cannot be distinguished from none. */
static const double STEP_SHORTEST = 1e-12;
void case_check_adaptive(const CaseAdaptive *a, double step, double end, Diagnostics *out) {
  const NumberValue *const lengths[] = {&a->min, &a->max};
  for (int k = 0; k < 2; ++k)
    if (place_given(lengths[k]->place) && lengths[k]->value < STEP_SHORTEST * end)
      report_error(out, lengths[k]->place,
                   "%s is %g, must be at least %g: shorter steps are lost in the rounding of times up to %g",
                   k ? "max" : "min", lengths[k]->value, STEP_SHORTEST * end, end);
  if (place_given(a->min.place) && place_given(a->max.place) && a->min.value > a->max.value)
    report_error(out, a->min.place, "min is %g, larger than max, %g", a->min.value, a->max.value);
  else if (place_given(a->min.place) && a->min.value > step * (1 + 1e-9))
    report_error(out, a->min.place, "min is %g, longer than step, %g, with which the run begins", a->min.value, step);
  if (place_given(a->cut.place) && !a->cut.value && (place_given(a->min.place) || place_given(a->max.place)))
    report_error(out, a->cut.place,
                 "cut: false means steps of one length, which have no min and max\n  remedy: leave 'cut' out, or write "
                 "'adaptive: false'");
}

static void check_time(const Case *c, Diagnostics *out) {
  const CaseTime *t = &c->time;
  const CaseAdaptive *a = &t->adaptive;
  const NumberValue *every = &c->output.every;
  if (!place_given(t->place)) {
    if (place_given(every->place)) report_error(out, every->place, "every needs 'time:'; a steady case has one result");
    return;
  }
  if (!(t->end.value > 0 && t->step.value > 0)) return; /* said already */
  if (t->step.value > t->end.value && !c->steps.n)      /* each of `steps` is held against its own length */
    report_error(out, t->step.place, "step is %g, longer than the whole time %g", t->step.value, t->end.value);
  case_check_adaptive(a, t->step.value, t->end.value, out);
  if (place_given(every->place) && every->value > t->end.value)
    report_error(out, every->place, "every is %g, longer than the whole time %g", every->value, t->end.value);
  if (case_every(c) > 0 && case_stored(c) > STORED_MAX)
    report_error(out, place_given(every->place) ? every->place : t->step.place,
                 "%.3g steps would be stored, at most %d are possible; use a longer 'every:' under 'output:'",
                 case_stored(c), STORED_MAX);
}

static void check_initial(Case *c, Diagnostics *out) {
  CaseInitial *i = &c->initial;
  if (!place_given(i->place) || error_reported_at(out, i->place)) return;
  const bool image = place_given(i->image.place);
  bool value = place_given(i->value.place) || i->displacement.n || i->velocity.n;
  for (int k = 0; k < N_IONIC_STATES; ++k) value |= place_given(i->state[k].place);
  if (!place_given(c->time.place) && !error_reported_at(out, c->time.place))
    report_error(out, i->place, "initial needs 'time:'; a steady case has no beginning");
  const bool field = place_given(i->field.place);
  if (value + image + field > 1) report_error(out, i->place, "initial needs one of value, field and image");
  if (!value && !image && !field && !out->n) report_error(out, i->place, "initial is empty");
  if (!image && (place_given(i->low.place) || place_given(i->high.place)))
    report_error(out, i->place, "low and high belong to an image");
  if (image && !place_given(i->low.place)) i->low = (NumberValue){0, i->image.place};
  if (image && !place_given(i->high.place)) i->high = (NumberValue){1, i->image.place};
}

/* Names of columns: taken ones, to find what is twice and what a row of expect: may mean. */
typedef struct Columns {
  int n, n_probe, n_sum, n_ecg; /* probes come first, then sums, leads and velocities */
  char (*name)[NAME_BYTES];     /* owned */
  const char **list;            /* owned, views into name */
} Columns;

static void check_preconditioner(const CasePreconditioner *given, Diagnostics *out) {
  const PrecondType *type = precond_type(given->type.value - 1); /* word 0 is auto, which has no parameters */
  if (type && place_given(given->degree.place) && !error_reported_at(out, given->degree.place) &&
      precond_check_degree(given->type.value - 1, given->degree.value) != OK)
    report_error(out, given->degree.place, "%s", status_message());
  for (int32_t k = 0; type && k < type->n_param; ++k)
    if (place_given(given->value[k].place) && param_check(&type->param[k], given->value[k].value) != OK)
      report_error(out, given->value[k].place, "%s", status_message());
}

/* Each parameter by itself, in the order of mat_param_name. */
static void check_format(const CaseFormat *f, Diagnostics *out) {
  const char *type = f->type.text;
  const struct {
    Place place;
    MatParams params;
  } given[] = {{f->variant.place, {.format = type, .variant = f->variant.text}},
               {f->slice.place, {.format = type, .slice = (int32_t)f->slice.value}},
               {f->threads.place, {.format = type, .threads = (int32_t)f->threads.value}},
               {f->threshold.place, {.format = type, .threshold = (int32_t)f->threshold.value}},
               {f->window.place, {.format = type, .window = (int32_t)f->window.value}}};
  for (size_t k = 0; k < sizeof given / sizeof *given; ++k)
    if (place_given(given[k].place) && !error_reported_at(out, given[k].place) &&
        mat_params_check(&given[k].params) != OK)
      report_error(out, given[k].place, "%s", status_message());
}

/* In the order of the words of `method`. */
enum { METHOD_AUTO, METHOD_ITERATIVE, METHOD_DIRECT };

/* A direct solve is conjugate gradients with the factorisation of the whole matrix for a preconditioner. */
static void check_method(const Case *c, CaseSolver *s, Diagnostics *out) {
  WordValue *type = &s->preconditioner.type;
  const PrecondType *given = precond_type(type->value - 1);
  const bool named = given || place_given(s->preconditioner.degree.place);
  if (s->method.value == METHOD_DIRECT && named)
    report_error(out, s->method.place,
                 "method: direct needs no preconditioner, and '%s' is given\n  leave one of them out",
                 given ? type->text : "degree");
  if (s->method.value == METHOD_ITERATIVE && given && given->host)
    report_error(out, s->method.place,
                 "method: iterative, and preconditioner '%s' is a direct solve\n  leave one of them out", type->text);
  if (s->method.value == METHOD_DIRECT && !named)
    for (int32_t i = 0; i < precond_count(); ++i)
      if (precond_type(i)->host) *type = (WordValue){i + 1, precond_name(i), type->place};
  check_format(&s->format, out);
  const bool direct = case_is_direct(c);
  if (direct && place_given(s->precision.place))
    report_error(out, s->precision.place,
                 "precision is of iterative solves; a direct one works in double\n  leave it out");
  if (direct && c->physics->own_solver)
    report_error(out, place_given(s->method.place) ? s->method.place : type->place,
                 "direct solves are for elasticity and heat; %s has a solver of its own\n  leave it out",
                 c->physics->name);
}

static bool case_check_have(int n, const char *const *list, const char *name) {
  for (int i = 0; i < n; ++i)
    if (strcmp(list[i], name) == 0) return true;
  return false;
}

static void add_column(Columns *columns, const char *name, Place place, Diagnostics *out) {
  if (case_check_have(columns->n, columns->list, name) || strcmp(name, "time") == 0)
    report_error(out, place, "the column '%s' of probes.csv exists already; choose another name", name);
  snprintf(columns->name[columns->n], NAME_BYTES, "%s", name);
  columns->list[columns->n] = columns->name[columns->n];
  ++columns->n;
}

static bool name_is_fine(const TextValue *name, Diagnostics *out) {
  if (!name->text) return false;
  bool fine = strlen(name->text) < NAME_BYTES - 8 && strpbrk(name->text, ",\";\n\r\t") == NULL;
  if (!fine)
    report_error(out, name->place, "a name is at most %d bytes and has no comma, semicolon, quote or line break",
                 NAME_BYTES - 8);
  return fine;
}

static void collect_probes(const Case *c, Columns *columns, Diagnostics *out) {
  for (int32_t i = 0; i < c->output.probes.n; ++i) {
    const CaseProbe *p = case_probe(c, i);
    if (name_is_fine(&p->name, out)) add_column(columns, p->name.text, p->name.place, out);
    if (p->at.n) case_check_directions(c, "at", p->at.n, p->at.place, out);
  }
}

static void collect_sums(const Case *c, Columns *columns, Diagnostics *out) {
  for (int32_t i = 0; i < c->output.sums.n; ++i) {
    const CaseSum *s = case_sum(c, i);
    char name[NAME_BYTES];
    if (!name_is_fine(&s->name, out)) continue;
    for (int k = 0; k < sum_columns(c, s); ++k)
      add_column(columns, sum_column(c, s, k, name, sizeof name), s->name.place, out);
  }
}

static void collect_names(const Case *c, Columns *columns, Diagnostics *out) {
  for (int32_t i = 0; i < case_leads(c); ++i) {
    const TextValue *name = case_lead_title(c, i);
    const Place place = i < c->output.ecg.n ? name->place : c->output.electrodes.place;
    if (name_is_fine(name, out)) add_column(columns, name->text, place, out), ++columns->n_ecg;
  }
  for (int32_t i = 0; i < c->output.velocity.n; ++i) {
    const CaseVelocity *velocity = case_velocity(c, i);
    if (name_is_fine(&velocity->name, out)) add_column(columns, velocity->name.text, velocity->name.place, out);
  }
}

static void check_row_name(const char *what, const TextValue *name, int n, const char *const *known, Diagnostics *out) {
  if (!name->text || case_check_have(n, known, name->text)) return;
  char list[1024] = "", seen[SEEN_BYTES];
  for (int i = 0; i < n; ++i)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", known[i]);
  const char *near = nearest_name(name->text, n, known);
  report_error(out, name->place, "unknown %s '%s'\n  known: %s%s%s%s", what, seen_text(name->text, seen),
               n ? list : "none", near ? "\n  did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void check_expect(const Case *c, const Columns *columns, Diagnostics *out) {
  const char *const *probes = columns->list, *const *sums = probes + columns->n_probe;
  const char *const *leads = sums + columns->n_sum, *const *velocities = leads + columns->n_ecg;
  const int n_velocity = columns->n - columns->n_probe - columns->n_sum - columns->n_ecg;
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const CaseExpect *e = case_expect(c, i);
    const int forms = place_given(e->probe.place) + place_given(e->sum.place) + place_given(e->quantity.place) +
                      place_given(e->ecg.place) + place_given(e->velocity.place);
    const bool interval = e->ecg.text && e->quantity.text; /* of a lead: the physics knows which */
    if (forms != 1 + interval)
      report_error(out, e->place, "an expect row needs exactly one of probe, sum, %squantity; this one has %s",
                   case_leads(c) > 0 || place_given(c->output.velocity.place) ? "ecg, velocity, " : "",
                   forms ? "more" : "none");
    if (place_given(e->rtol.place) && place_given(e->atol.place))
      report_error(out, e->place, "an expect row has rtol or atol, not both");
    if (place_given(e->rtol.place) && place_given(e->value.place) && e->value.value == 0)
      report_error(out, e->rtol.place, "rtol has no meaning for an expected 0; use atol");
    if (place_given(e->time.place) && !place_given(c->time.place))
      report_error(out, e->time.place, "time of a row needs 'time:'; a steady case has none");
    else if (place_given(e->time.place) && c->time.end.value > 0 && e->time.value > c->time.end.value)
      report_error(out, e->time.place, "time is %g, after the end at %g", e->time.value, c->time.end.value);
    else if (place_given(e->time.place) && place_given(e->quantity.place))
      report_error(out, e->time.place, "a quantity belongs to the whole run; it has no time");
    check_row_name("probe", &e->probe, columns->n_probe, probes, out);
    check_row_name("sum", &e->sum, columns->n_sum, sums, out);
    check_row_name("lead", &e->ecg, columns->n_ecg, leads, out);
    check_row_name("velocity", &e->velocity, n_velocity, velocities, out);
  }
}

static Status check_columns(const Case *c, Columns *columns, Diagnostics *out) {
  const int64_t most = c->output.probes.n + 3 * (int64_t)c->output.sums.n + case_leads(c) + c->output.velocity.n;
  ALLOC(columns->name, most, "names of columns");
  TRY(mem_alloc(most, sizeof *columns->list, "names of columns", (void **)(void *)&columns->list));
  collect_probes(c, columns, out);
  columns->n_probe = columns->n;
  collect_sums(c, columns, out);
  columns->n_sum = columns->n - columns->n_probe;
  collect_names(c, columns, out);
  check_expect(c, columns, out);
  return OK;
}

Status case_check(Case *c, Diagnostics *out) {
  units_check(c, out);
  case_fill_time(c, out);
  check_mesh(c, out);
  check_time(c, out);
  check_initial(c, out);
  check_preconditioner(&c->solver.preconditioner, out);
  check_method(c, &c->solver, out);
  c->physics->check(c, out);
  Columns columns = {0};
  const Status status = check_columns(c, &columns, out);
  FREE(columns.name);
  mem_free((void **)(void *)&columns.list);
  return status;
}
