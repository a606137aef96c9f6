#include "assembly/elasticity/turning.h"
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"

#include <math.h>

bool elasticity_has_turning(const Elasticity *p) { return p->equations.groups.n > 0; }
Status elasticity_keep_turning(Elasticity *p) { return rigid_groups_keep(&p->equations.groups); }
Status elasticity_rotate_at_time(Elasticity *p, double time) {
  return rigid_groups_at_time(&p->equations.groups, time, NULL);
}
Status elasticity_rotate(Elasticity *p, double *u) { return equations_follow_turning(&p->equations, p->gap, u); }
Status elasticity_rotate_along(Elasticity *p, double *d) { return equations_follow(&p->equations, 0, d); }
Status elasticity_rotate_reduce(Elasticity *p, double *r) { return equations_reduce(&p->equations, r); }
Status elasticity_reduce_others(Elasticity *p, double *r) {
  TRY(supports_to_local(&p->supports, r));
  return equations_reduce_others(&p->equations, r);
}
Status elasticity_rotate_take(const Elasticity *p, const double *from, double *to) {
  return rigid_groups_take(&p->equations.groups, from, to);
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
    const double *R = place[g].rotation, angle = DEGREES * acos(fmin(fmax((R[0] + R[4] + R[8] - 1) / 2, -1), 1));
    if (r->item[g].group.n_slot > 0 && angle > *degrees) *degrees = angle, *where = r->item[g].where;
  }
  FREE(place);
  return status;
}
