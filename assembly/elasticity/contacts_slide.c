/* Contact whose surfaces slide: normals, what is opposite to what, and the equations of that, anew in each step. */
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

Status contacts_slide_create(Elasticity *p) {
  ElasticitySlide *s = &p->slide;
  if (!contact_slides(&p->contact)) return OK;
  s->time = s->target = p->time;
  TRY(contact_past_create(&p->contact, p->space->mesh, &s->past));
  TRY(mem_alloc(p->space->n_node, sizeof *s->begun, "displacement of surfaces", (void **)(void *)&s->begun));
  return mem_alloc(p->space->n_node, sizeof *s->moved, "displacement of surfaces", (void **)(void *)&s->moved);
}

void contacts_slide_release(Elasticity *p) {
  contact_past_release(&p->slide.past);
  mem_free((void **)(void *)&p->slide.moved);
  mem_free((void **)(void *)&p->slide.begun);
}

const double (*elasticity_slide_at(const Elasticity *p))[3] { return (const double(*)[3])p->slide.begun; }
bool elasticity_slides(const Elasticity *p) { return p->slide.moved != NULL; }

double elasticity_slide_turned(const Elasticity *p, bool between) {
  double turned = between ? p->slide.turned : 0;
  for (int32_t i = 0; i < p->contact.n_item && !between; ++i)
    if (p->contact.item[i].slides) turned = fmax(turned, contact_state(&p->contact, i).turned);
  return turned;
}

double elasticity_slide_lag(const Elasticity *p) { return p->slide.lag; }

/* What a checkpoint keeps. */
typedef struct SlidePart {
  void *at;
  int64_t bytes;
} SlidePart;
enum { SLIDE_PARTS = 15 };
static int slide_parts(const Elasticity *p, SlidePart part[SLIDE_PARTS]) {
  const ElasticitySlide *s = &p->slide;
  const int64_t n = s->past.n, number = sizeof(double);
  const SlidePart all[SLIDE_PARTS] = {{(void *)(uintptr_t)&s->time, number},
                                      {(void *)(uintptr_t)&s->target, number},
                                      {(void *)(uintptr_t)&s->dt, number},
                                      {s->moved, 3 * (int64_t)p->space->n_node * number},
                                      {s->begun, 3 * (int64_t)p->space->n_node * number},
                                      {p->contact.drift, 3 * (int64_t)p->contact.n_item * number},
                                      {(void *)(uintptr_t)p->contact.borne, sizeof p->contact.borne},
                                      {s->past.of, n * (int64_t)sizeof *s->past.of},
                                      {s->past.ease, n * number},
                                      {s->past.path, n * number},
                                      {s->past.swerve, n * number},
                                      {s->past.kept, n},
                                      {s->past.grip, n},
                                      {s->past.force, 3 * n * number},
                                      {s->past.normal, 3 * n * number}};
  memcpy(part, all, sizeof all);
  return s->moved ? SLIDE_PARTS : 0;
}

int64_t contacts_slide_bytes(const Elasticity *p) {
  SlidePart part[SLIDE_PARTS];
  int64_t n = 0;
  for (int k = slide_parts(p, part); k-- > 0;) n += part[k].bytes;
  return n;
}

void contacts_slide_save(const Elasticity *p, uint8_t *host) {
  SlidePart part[SLIDE_PARTS];
  const int n = slide_parts(p, part);
  for (int k = 0; k < n; host += part[k++].bytes) memcpy(host, part[k].at, (size_t)part[k].bytes);
}

/* ---- anew ---- */

/* Displacements at the nodes, in the global frame, to the host. */
static Status nodes_read(const Elasticity *p, const double *u, double (*out)[3]) {
  const Space *s = p->space;
  double *all = NULL;
  Status status = OK;
  ALLOC_DONE(all, s->n_dof, "displacement of surfaces");
  TRY_DONE(exec_download(s->exec, all, u, (size_t)s->n_dof * sizeof *all));
  for (int32_t i = 0; i < s->n_node; ++i)
    for (int32_t d = 0; d < p->dim; ++d) out[i][d] = all[(int64_t)p->dim * numbering_rank(&s->numbering, i) + d];
done:
  FREE(all);
  return status;
}

Status contacts_press_now(const Elasticity *p, const double *u, double *pressure) {
  const int32_t n = p->contact.nodes.n;
  double(*now)[3] = NULL, *stretch = NULL;
  Status status = OK;
  if (!n || !p->points.finite) return OK;
  TRY_DONE(mem_alloc(p->space->n_node, sizeof *now, "displacement of surfaces", (void **)(void *)&now));
  ALLOC_DONE(stretch, n, "areas of contact");
  TRY_DONE(nodes_read(p, u, now));
  TRY_DONE(contact_stretches(&p->contact, p->space->mesh, p->model == MODEL_AXISYMMETRIC,
                             (const double(*)[3])p->slide.moved, (const double(*)[3])now, stretch));
  for (int32_t k = 0; k < n; ++k) pressure[k] = stretch[k] > 0 ? pressure[k] / stretch[k] : 0;
done:
  mem_free((void **)(void *)&now);
  FREE(stretch);
  return status;
}

/* Where the step begins, and where surfaces that slide are likely to be when it ends, if they go on as in the last one, or with this
 * velocity (NULL: the former). */
static Status places_read(Elasticity *p, double factor, const double *u, const double *velocity) {
  ElasticitySlide *s = &p->slide;
  const int32_t n = p->space->n_node;
  double(*way)[3] = NULL;
  Status status = OK;
  TRY_DONE(mem_alloc(n, sizeof *way, "motion of a step", (void **)(void *)&way));
  for (int32_t i = 0; i < n; ++i)
    for (int32_t d = 0; d < 3; ++d) way[i][d] = -s->begun[i][d];
  TRY_DONE(nodes_read(p, u, s->begun));
  for (int32_t i = 0; i < n; ++i)
    for (int32_t d = 0; d < 3; ++d) way[i][d] += s->begun[i][d];
  if (velocity) TRY_DONE(nodes_read(p, velocity, way));
  memset(s->moved, 0, (size_t)n * sizeof *s->moved);
  contact_drift(&p->contact, p->space->mesh, factor, velocity != NULL, (const double(*)[3])way, s->moved);
  for (int32_t i = 0; i < n; ++i)
    for (int32_t d = 0; d < 3; ++d) s->moved[i][d] += s->begun[i][d];
done:
  mem_free((void **)(void *)&way);
  return status;
}

/* Normals of bodies where the step ended that p->slide.past is of. */
static Status lag_find(Elasticity *p, const ElasticityParams *params) {
  ElasticitySlide *s = &p->slide;
  const Contact contact = p->contact;
  double(*moved)[3] = s->moved;
  bool between = false;
  s->turned = s->lag = 0;
  for (int32_t i = 0; i < contact.n_item; ++i)
    between |= contact.item[i].slides && contact.item[i].kind == OBSTACLE_BODY;
  if (!between) return OK;
  p->contact = (Contact){0}, s->moved = s->begun;
  Status status = elasticity_make_contact(p, params);
  if (status == OK) s->turned = contact_turned(&p->contact, &s->past), s->lag = contact_lag(&p->contact, &contact);
  if (status == ERR_INPUT) status_clear(), status = OK; /* no place for surfaces, which is told where it matters */
  contact_release(&p->contact);
  p->contact = contact, s->moved = moved;
  return status;
}

/* All that follows from p->slide. */
static Status make_all(Elasticity *p, const ElasticityParams *params) {
  Exec *exec = p->space->exec;
  contacts_release(p);
  equations_release(&p->equations);
  supports_release(&p->supports);
  TRY(elasticity_make_held(p, params));
  TRY(contacts_check(p, params));
  TRY(contacts_equations(p, params->equations));
  TRY(supports_upload(p->space, &p->supports));
  TRY(equations_upload(p->space, &p->supports, &p->equations));
  if (p->equations.n) TRY(equations_pattern(p->space, &p->supports, &p->equations));
  TRY(contacts_upload(p));
  TRY(equations_rigid(p->space, &p->equations));
  if (!p->work && (p->supports.n_frame || p->equations.n))
    EXEC_ALLOC(exec, p->work, p->space->n_read, "displacement in the global frame");
  return OK;
}

/* The same, with what is counted and told of the whole run, and how far bodies slid in the last step. */
static Status make_again(Elasticity *p, const ElasticityParams *params) {
  const int64_t updates = p->contact.n_update, changes = p->contact.n_change;
  const bool told = p->contact.friction.told;
  double borne[N_BORNE];
  memcpy(borne, p->contact.borne, sizeof borne);
  double(*drift)[3] = p->contact.drift;
  p->contact.drift = NULL;
  const Status status = make_all(p, params);
  mem_free((void **)(void *)&p->contact.drift);
  p->contact.drift = drift;
  memcpy(p->contact.borne, borne, sizeof borne);
  p->contact.n_update = updates, p->contact.n_change = changes, p->contact.friction.told = told;
  return status;
}

/* Where all is at a displacement in the global frame: friction goes on from there. */
static Status observe(Elasticity *p, const double *u) {
  Contact *c = &p->contact;
  if (!c->nodes.n) return OK;
  TRY(contact_begin(c, p->slide.time));
  TRY(toggles_see(p->space, &c->nodes, u, NULL, c->seen));
  TRY(toggles_across(p->space, &c->nodes, c->across));
  friction_from_here(c);
  contact_jumps(c);
  return OK;
}

/* From the global frame to those of nodes; local frames of places are without what supports prescribe. */
static Status to_local(Elasticity *p, SlideKind kind, double *v) {
  if (kind == SLIDE_RATE) return supports_to_local_whole(&p->supports, v);
  TRY(supports_to_local(&p->supports, v));
  return kind == SLIDE_PLACE ? supports_at_time(p->space, &p->supports, p->slide.time, v) : OK;
}

Status elasticity_slide(Elasticity *p, const ElasticityParams *params, const double time[2], double factor, int n,
                        double *const *v, const SlideKind *kind) {
  const bool moves = n > 1 && kind[1] == SLIDE_RATE;
  const size_t bytes = (size_t)p->space->n_read * sizeof **v;
  const double *u = v[0];
  TRY(elasticity_global_frame(p, &u));
  if (u != v[0]) TRY(exec_copy(p->space->exec, v[0], u, bytes));
  for (int k = 1; k < n; ++k) TRY(supports_to_global(&p->supports, v[k]));
  TRY(places_read(p, factor, v[0], moves ? v[1] : NULL));
  p->slide.time = time[0], p->slide.target = time[1];
  contact_remember(&p->contact, &p->slide.past);
  TRY(lag_find(p, params));
  Status status = make_again(p, params);
  if (status == ERR_INPUT && factor != 0) {
    memcpy(p->slide.moved, p->slide.begun, (size_t)p->space->n_node * sizeof *p->slide.moved);
    status = make_again(p, params);
  }
  TRY(status);
  TRY(observe(p, v[0]));
  if (moves) TRY(contacts_bend(p, v[1]));
  if (moves) TRY(contacts_swerve_find(p, v[1]));
  for (int k = 0; k < n; ++k) TRY(to_local(p, kind[k], v[k]));
  return OK;
}

Status elasticity_slid(Elasticity *p) {
  TRY(elasticity_load_at_time(p, p->slide.time));
  return contacts_keep(p);
}

void elasticity_slide_end(Elasticity *p) {
  if (p->slide.moved) contact_drifts_find(&p->contact);
}

Status elasticity_slide_back(Elasticity *p, const ElasticityParams *params, const void *host) {
  SlidePart part[SLIDE_PARTS];
  const uint8_t *from = (const uint8_t *)host + point_state_bytes(&p->points.state);
  const int n = slide_parts(p, part);
  for (int k = 0; k < n; from += part[k++].bytes) memcpy(part[k].at, from, (size_t)part[k].bytes);
  return make_again(p, params);
}
