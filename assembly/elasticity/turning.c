#include "assembly/elasticity/turning.h"
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"
#include "core/vec3.h"

bool elasticity_has_turning(const Elasticity *p) { return p->equations.n_rigid_all > 0; }
Status elasticity_keep_turning(Elasticity *p) { return rigid_groups_keep(&p->equations.groups); }
Status elasticity_rotate_at_time(Elasticity *p, double time) {
  return rigid_groups_at_time(&p->equations.groups, time, NULL);
}
Status elasticity_rotate(Elasticity *p, double *u) {
  TRY(space_bring_halo(p->space, u));
  return equations_follow_turning(&p->equations, p->gap, u);
}
Status elasticity_rotate_along(Elasticity *p, double *d) {
  TRY(space_bring_halo(p->space, d));
  return equations_follow(&p->equations, 0, d);
}
Status elasticity_rotate_reduce(Elasticity *p, double *r) { return equations_reduce(&p->equations, r); }
Status elasticity_reduce_others(Elasticity *p, double *r) {
  TRY(elasticity_local_frame_whole(p, r));
  return equations_reduce_others(&p->equations, r);
}
Status elasticity_rotate_take(const Elasticity *p, const double *from, double *to) {
  return rigid_groups_take(&p->equations.groups, from, to);
}

Status elasticity_rotated_places(Elasticity *p, double time, double *u, RigidPlace *place) {
  const RigidGroups *r = &p->equations.groups;
  TRY(elasticity_rotate_at_time(p, time));
  TRY(elasticity_rotate(p, u));
  return r->n ? exec_download(r->exec, place, r->place, (size_t)r->n * sizeof *place) : OK;
}

Status elasticity_rotate_renew(Elasticity *p) { return rigid_groups_renew(p->space, &p->equations.groups); }

Status elasticity_rotate_again(Elasticity *p, const ElasticityParams *params) {
  const bool kept = p->equations.groups.keeps;
  equations_release(&p->equations);
  TRY(contacts_equations(p, params->equations));
  TRY(equations_upload(p->space, &p->supports, &p->equations));
  TRY(equations_pattern(p->space, &p->supports, &p->equations));
  TRY(equations_rigid(p->space, &p->equations));
  return kept ? rigid_groups_keep(&p->equations.groups) : OK;
}

Status elasticity_turned_most(const Elasticity *p, double *degrees, const char **where) {
  static const double DEGREES = 57.29577951308232;
  const RigidGroups *r = &p->equations.groups;
  RigidPlace *place = NULL;
  *degrees = 0, *where = NULL;
  if (!r->n) return OK;
  ALLOC(place, r->n, "rigid groups");
  const Status status = exec_download(r->exec, place, r->place, (size_t)r->n * sizeof *place);
  for (int32_t g = 0; status == OK && g < r->n; ++g) {
    const double angle = DEGREES * vec3_distance(place[g].vector, r->item[g].group.from);
    if (r->item[g].group.n_slot > 0 && angle > *degrees) *degrees = angle, *where = r->item[g].where;
  }
  FREE(place);
  return status;
}
