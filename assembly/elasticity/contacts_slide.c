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
  return mem_alloc(p->space->n_node, sizeof *s->moved, "displacement of surfaces", (void **)(void *)&s->moved);
}

void contacts_slide_release(Elasticity *p) {
  contact_past_release(&p->slide.past);
  mem_free((void **)(void *)&p->slide.moved);
}

const double (*elasticity_slide_at(const Elasticity *p))[3] { return (const double(*)[3])p->slide.moved; }
bool elasticity_slides(const Elasticity *p) { return p->slide.moved != NULL; }

double elasticity_slide_turned(const Elasticity *p) {
  double turned = p->slide.turned;
  for (int32_t i = 0; i < p->contact.n_item; ++i)
    if (p->contact.item[i].slides) turned = fmax(turned, contact_state(&p->contact, i).turned);
  return turned;
}

/* What a checkpoint keeps. */
typedef struct SlidePart {
  void *at;
  int64_t bytes;
} SlidePart;
enum { SLIDE_PARTS = 9 };
static int slide_parts(const Elasticity *p, SlidePart part[SLIDE_PARTS]) {
  const ElasticitySlide *s = &p->slide;
  const int64_t n = s->past.n, number = sizeof(double);
  const SlidePart all[SLIDE_PARTS] = {{(void *)(uintptr_t)&s->time, number},
                                      {(void *)(uintptr_t)&s->target, number},
                                      {s->moved, 3 * (int64_t)p->space->n_node * number},
                                      {s->past.ease, n * number},
                                      {s->past.path, n * number},
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
static Status moved_read(Elasticity *p, const double *u) {
  const Space *s = p->space;
  double *all = NULL;
  Status status = OK;
  ALLOC_DONE(all, s->n_dof, "displacement of surfaces");
  TRY_DONE(exec_download(s->exec, all, u, (size_t)s->n_dof * sizeof *all));
  for (int32_t i = 0; i < s->n_node; ++i)
    for (int32_t d = 0; d < p->dim; ++d)
      p->slide.moved[i][d] = all[(int64_t)p->dim * numbering_rank(&s->numbering, i) + d];
done:
  FREE(all);
  return status;
}

/* All that follows from p->slide. */
static Status make_again(Elasticity *p, const ElasticityParams *params) {
  Exec *exec = p->space->exec;
  const int64_t updates = p->contact.n_update, changes = p->contact.n_change;
  const bool told = p->contact.friction.told;
  contacts_release(p);
  equations_release(&p->equations);
  supports_release(&p->supports);
  TRY(elasticity_make_contact(p, params));
  TRY(elasticity_make_supports(p, params, &p->supports));
  TRY(contacts_check(p, params));
  TRY(contacts_equations(p, params->equations));
  p->contact.n_update = updates, p->contact.n_change = changes, p->contact.friction.told = told;
  TRY(supports_upload(p->space, &p->supports));
  TRY(equations_upload(p->space, &p->supports, &p->equations));
  if (p->equations.n) TRY(equations_pattern(p->space, &p->supports, &p->equations));
  TRY(contacts_upload(p));
  TRY(equations_rigid(p->space, &p->equations));
  if (!p->work && (p->supports.n_frame || p->equations.n))
    EXEC_ALLOC(exec, p->work, p->space->n_read, "displacement in the global frame");
  return OK;
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

Status elasticity_slide(Elasticity *p, const ElasticityParams *params, const double time[2], int n, double *const *v) {
  const size_t bytes = (size_t)p->space->n_read * sizeof **v;
  const double *u = v[0];
  TRY(elasticity_global_frame(p, &u));
  if (u != v[0]) TRY(exec_copy(p->space->exec, v[0], u, bytes));
  for (int k = 1; k < n; ++k) TRY(supports_to_global(&p->supports, v[k]));
  TRY(moved_read(p, v[0]));
  p->slide.time = time[0], p->slide.target = time[1];
  contact_remember(&p->contact, &p->slide.past);
  TRY(make_again(p, params));
  TRY(observe(p, v[0]));
  for (int k = 0; k < n; ++k) { /* local frames are without what supports prescribe */
    TRY(supports_to_local(&p->supports, v[k]));
    TRY(supports_at_time(p->space, &p->supports, p->slide.time, v[k]));
  }
  return OK;
}

Status elasticity_slid(Elasticity *p) {
  TRY(elasticity_load_at_time(p, p->slide.time));
  return contacts_keep(p);
}

Status elasticity_slide_back(Elasticity *p, const ElasticityParams *params, const void *host) {
  SlidePart part[SLIDE_PARTS];
  const uint8_t *from = (const uint8_t *)host + point_state_bytes(&p->points.state);
  const int n = slide_parts(p, part);
  for (int k = 0; k < n; from += part[k++].bytes) memcpy(part[k].at, from, (size_t)part[k].bytes);
  return make_again(p, params);
}
