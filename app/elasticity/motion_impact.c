/* Motion of nodes that meet an obstacle: their rates, what is lost then, and what obstacles and friction do. docs/theory/dynamics.md. */
#include "app/elasticity/motion_run.h"
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/turning.h"
#include "core/memory.h"
#include "core/vec.h"

static MotionRun *own(const ElasticRun *w) { return w->own; }

static Status motion_stop(void *context, double velocity, double acceleration, double *v) {
  return elasticity_contact_stop(((const ElasticRun *)context)->elasticity, velocity, acceleration, v);
}
static Status motion_bend(void *context, const double *v) {
  return elasticity_contact_bend(((const ElasticRun *)context)->elasticity, v);
}
/* What inertia and dampers leave of forces, in force[0], in the global frame. */
Status motion_inertia_find(ElasticRun *w) {
  Exec *exec = w->run->device.exec;
  const double *v, *a;
  double *all = own(w)->force[0], *part = own(w)->force[1];
  const int64_t n = elasticity_rows(w->elasticity);
  stepper_motion(w->stepper, &v, &a);
  TRY(elasticity_mass_force(own(w)->of.mass, a, all));
  TRY(elasticity_mass_force(own(w)->of.mass, v, part));
  TRY(vec_axpy(exec, n, w->run->c->analysis.damping.alpha.value, part, all));
  if (motion_swerves(own(w))) TRY(vec_axpy(exec, n, 1, motion_swerves(own(w)), all));
  if (!own(w)->of.C) return OK;
  TRY(elasticity_viscous_force(w->elasticity, w->u, v, part));
  return vec_axpy(exec, n, 1, part, all);
}
/* -(M a + C v) of nodes that are held. */
static Status motion_borne(ElasticRun *w) {
  TRY(motion_inertia_find(w));
  return elasticity_contact_borne(w->elasticity, own(w)->force[0], own(w)->finite.borne);
}
/* Of a step that begins where finite_slide has not found it. */
Status motion_bear_begin(ElasticRun *w) { return own(w)->finite.borne && !own(w)->finite.bear ? motion_borne(w) : OK; }
/* all -= what the old end takes of forces at nodes that are held, over that of the new one; global frame. */
Status motion_borne_leave(ElasticRun *w, double share, double *part, double *all) {
  if (!own(w)->rub[0]) return OK;
  TRY(elasticity_contact_borne_global(w->elasticity, own(w)->finite.borne, part));
  return vec_axpy(w->run->device.exec, elasticity_rows(w->elasticity), (share - 1) / share, part, all);
}
static Status motion_bear(void *context, double share, double *r) {
  const ElasticRun *w = context;
  return vec_axpy(w->run->device.exec, elasticity_rows(w->elasticity), -share, own(w)->finite.borne, r);
}
/* By how much velocities change at once of nodes that have met obstacle i, -1: any. */
static Status change_find(const ElasticRun *w, int32_t i, const double *before, double *change) {
  Exec *exec = w->run->device.exec;
  TRY(exec_copy(exec, change, before, (size_t)w->n * sizeof *change));
  TRY(elasticity_contact_arrive(w->elasticity, i, change));
  return vec_axpy(exec, w->n, -1, before, change);
}
/* What dampers take in a step at nodes that obstacles carry along: these are in no sum over unknowns. */
static Status carried_damping(const ElasticRun *w, const double *before, const double *v, double *taken) {
  Exec *exec = w->run->device.exec;
  double *mean = own(w)->force[0], *r = own(w)->force[1], part;
  *taken = 0;
  if (!elasticity_contact_moves(w->elasticity)) return OK;
  TRY(exec_copy(exec, mean, before, (size_t)w->n * sizeof *mean));
  TRY(vec_axpy(exec, w->n, 1, v, mean));
  TRY(elasticity_mass_force(own(w)->of.mass, mean, r));
  TRY(elasticity_contact_gives(w->elasticity, r, w->run->report->time, false, &part));
  *taken -= 0.5 * w->run->c->analysis.damping.alpha.value * part;
  if (!own(w)->of.C) return OK;
  TRY(elasticity_viscous_force(w->elasticity, w->u, mean, r));
  TRY(elasticity_contact_gives(w->elasticity, r, w->run->report->time, false, &part));
  *taken -= 0.5 * part;
  return OK;
}
/* -f_int and -(M a + C v) at all nodes now, in the global frame: together less the loads there and what obstacles press with. */
static Status pressed_find(ElasticRun *w, double *const pressed[2]) {
  TRY(motion_inertia_find(w));
  TRY(exec_copy(w->run->device.exec, pressed[1], own(w)->force[0], (size_t)w->n * sizeof *pressed[1]));
  elasticity_set_step(w->elasticity, 0);
  return elasticity_internal_force(w->elasticity, w->u, pressed[0]);
}
Status motion_press_begin(ElasticRun *w) {
  MotionRun *o = own(w);
  if (!o->pressed[0][0] || o->presses) return OK;
  o->presses = true;
  return pressed_find(w, o->pressed[0]);
}
/* Nodes with friction that meet an obstacle that moves: V . M change, with the sum of M change, -M of what they have lost. */
static Status caught_push(ElasticRun *w, const double *before, const double *v, double *pushed) {
  MotionRun *o = own(w);
  const int dim = case_dim(w->run->c);
  double *host = NULL, velocity[3];
  Status status = OK;
  if (!elasticity_contact_carries(w->elasticity)) return OK;
  ALLOC_DONE(host, w->n, "momentum of the body");
  for (int32_t i = 0; i < elasticity_contacts(w->elasticity); ++i) {
    bool caught = false;
    TRY_DONE(elasticity_contact_caught(w->elasticity, CAUGHT_BY_OBSTACLE, i, before, v, o->force[0], &caught));
    elasticity_contact_velocity(w->elasticity, i, velocity);
    for (int k = 0; k < 2 && caught; ++k) {
      TRY_DONE(k ? elasticity_mass_force(o->of.mass, v, o->force[1])
                 : elasticity_mass_force_global(o->of.mass, o->force[0], o->force[1]));
      TRY_DONE(exec_download(w->run->device.exec, host, o->force[1], (size_t)w->n * sizeof *host));
      for (int64_t r = 0; r < w->n; ++r) *pushed += (k ? -1 : 1) * velocity[r % dim] * host[r];
    }
  }
done:
  FREE(host);
  return status;
}
/* What obstacles that move have done in the step, and loads on nodes that they carry along, by the forces of both ends; those of a node
 * that has met one in it begin at 0. And what of it the material has taken. */
static Status carried_work(ElasticRun *w, double *work, double *internal) {
  MotionRun *o = own(w);
  double done[2] = {0}, part;
  if (o->pressed[0][0]) TRY(pressed_find(w, o->pressed[1]));
  for (int k = 0; k < 4 && o->pressed[0][0]; ++k) {
    TRY(elasticity_contact_gives(w->elasticity, o->pressed[k / 2][k % 2], w->run->report->time, k / 2 == 0, &part));
    done[k % 2] -= 0.5 * part;
  }
  for (int k = 0; k < 2; ++k) {
    double *was = o->pressed[0][k];
    o->pressed[0][k] = o->pressed[1][k], o->pressed[1][k] = was;
  }
  *internal = done[0], *work = done[0] + done[1];
  return OK;
}
/* Seen from an obstacle that moves by V it is an impact on one at rest: V . M change is what the obstacle does, and the kinetic energy
 * that is lost beside it is dissipated. */
static Status motion_lost(void *context, const double *before, const double *v, double *energy, double *work,
                          double *internal) {
  ElasticRun *w = context;
  Exec *exec = w->run->device.exec;
  double *moved = own(w)->force[0], *r = own(w)->force[1], with, without, part, pushed = 0;
  TRY(caught_push(w, before, v, &pushed));
  for (int32_t i = 0; i < elasticity_contacts(w->elasticity) && elasticity_contact_moves(w->elasticity); ++i) {
    double velocity[3];
    elasticity_contact_velocity(w->elasticity, i, velocity);
    TRY(change_find(w, i, before, moved));
    for (int c = 0; c < case_dim(w->run->c); ++c) {
      TRY(elasticity_dot(w->elasticity, own(w)->carried[c], moved, &part));
      pushed -= velocity[c] * part;
    }
  }
  TRY(change_find(w, -1, before, moved));
  TRY(vec_axpy(exec, w->n, -1, v, moved));
  TRY(elasticity_kinetic_energy(own(w)->of.mass, moved, r, &with));
  TRY(elasticity_kinetic_energy(own(w)->of.mass, v, r, &without));
  double taken;
  TRY(carried_damping(w, before, v, &taken));
  *energy = with - without + pushed + taken;
  for (int by = CAUGHT_BY_OBSTACLE; by <= CAUGHT_BY_BODY && own(w)->hit[0];
       ++by) { /* bodies are pushed by what is lost */
    const double *now = by == CAUGHT_BY_BODY ? before : v;
    bool caught = false;
    TRY(elasticity_contact_caught(w->elasticity, (CaughtBy)by, -1, before, now, moved, &caught));
    if (caught) TRY(elasticity_kinetic_energy_global(own(w)->of.mass, moved, r, &with));
    if (caught) TRY(elasticity_kinetic_energy(own(w)->of.mass, now, r, &without));
    if (caught) *energy += with - without;
  }
  TRY(carried_work(w, work, internal));
  *work += pushed;
  return OK;
}
/* Of the sets that there are. dt: of the step, 0: that of the last. */
static Status swerve_find(ElasticRun *w, double dt) {
  MotionRun *o = own(w);
  o->swerves = false;
  if (!o->swerve[0]) return OK;
  TRY(elasticity_contact_swerve(w->elasticity, dt, o->force[0], &o->swerves));
  if (!o->swerves) return OK;
  TRY(elasticity_mass_force_global(o->of.mass, o->force[0], o->swerve[0]));
  TRY(exec_copy(w->run->device.exec, o->swerve[1], o->swerve[0], (size_t)w->n * sizeof *o->swerve[0]));
  return elasticity_reduce(w->elasticity, o->swerve[1]);
}
Status motion_catch(ElasticRun *w) {
  MotionRun *o = own(w);
  Exec *exec = w->run->device.exec;
  const double *v, *a;
  if (!o->hit[0]) return OK;
  TRY(swerve_find(w, o->dt));
  stepper_motion(w->stepper, &v, &a);
  TRY(elasticity_contact_caught(w->elasticity, CAUGHT_NOW, -1, v, v, o->force[0], &o->hits));
  if (!o->hits) return OK;
  TRY(elasticity_mass_force(o->of.mass, v, o->force[1]));
  TRY(elasticity_mass_force_global(o->of.mass, o->force[0], o->hit[0]));
  TRY(vec_axpy(exec, elasticity_rows(w->elasticity), -1, o->force[1], o->hit[0]));
  TRY(exec_copy(exec, o->hit[1], o->hit[0], (size_t)w->n * sizeof *o->hit[0]));
  return elasticity_reduce(w->elasticity, o->hit[1]);
}
static Status motion_hit(void *context, bool first, double *r) {
  ElasticRun *w = context;
  MotionRun *o = own(w);
  Exec *exec = w->run->device.exec;
  const int64_t n = elasticity_rows(w->elasticity);
  if (first) o->hits = false, o->dt = stepper_control(w->stepper)->dt;
  if (first) TRY(swerve_find(w, o->dt));
  if (o->swerves) TRY(vec_axpy(exec, n, 1, o->swerve[1], r));
  return o->hits ? vec_axpy(exec, n, -1 / o->dt, o->hit[1], r) : OK;
}
/* What friction does as obstacles move, in a step that has ended. */
static double rubbed_along(ElasticRun *w) {
  double sum = 0;
  for (int32_t i = 0; own(w)->rubbed && i < elasticity_contacts(w->elasticity); ++i) {
    double now[3], way[3], *was = own(w)->rubbed[i];
    elasticity_contact_rubbed(w->elasticity, i, now);
    elasticity_contact_way(w->elasticity, i, w->run->report->time, way);
    for (int d = 0; d < 3; ++d) sum += 0.5 * (was[d] + now[d]) * way[d], was[d] = now[d];
  }
  return sum;
}
/* Half the forces of both ends times the way against the obstacle. */
static Status motion_rub(void *context, const double *d, double *work, double *dissipated) {
  ElasticRun *w = context;
  double **rub = own(w)->rub, part[2], *now = rub[1];
  if (own(w)->hits) TRY(elasticity_dot(w->elasticity, own(w)->hit[1], d, &part[0]));
  if (own(w)->hits) *dissipated += part[0] / own(w)->dt;
  if (!now) return OK;
  TRY(elasticity_contact_rub(w->elasticity, now));
  for (int k = 0; k < 2; ++k) TRY(elasticity_dot(w->elasticity, rub[k], d, &part[k]));
  const double carried = rubbed_along(w);
  *work -= 0.5 * (part[0] + part[1]) - carried, *dissipated -= 0.5 * (part[0] + part[1]) - carried;
  rub[1] = rub[0], rub[0] = now;
  return OK;
}
/* Less the momentum of the body that moves as a whole by 1 along each axis, at its nodes. */
Status motion_carried_find(ElasticRun *w) {
  Exec *exec = w->run->device.exec;
  const int dim = case_dim(w->run->c);
  double *host = NULL, *moves = own(w)->force[0];
  Status status = OK;
  if (!elasticity_contact_moves(w->elasticity)) return OK;
  ALLOC_DONE(host, w->n, "momentum of the body");
  for (int c = 0; c < dim; ++c) {
    for (int64_t k = 0; k < w->n; ++k) host[k] = k % dim == c;
    if (!own(w)->carried[c])
      TRY_DONE(exec_alloc(exec, w->n, sizeof *host, "momentum of the body", (void **)&own(w)->carried[c]));
    TRY_DONE(exec_upload(exec, moves, host, (size_t)w->n * sizeof *host));
    TRY_DONE(elasticity_local_frame_whole(w->elasticity, moves));
    TRY_DONE(elasticity_mass_force(own(w)->of.mass, moves, own(w)->carried[c]));
    TRY_DONE(elasticity_reduce_others(w->elasticity, own(w)->carried[c]));
  }
done:
  FREE(host);
  return status;
}

ImpactPart motion_impact(const ElasticRun *w) {
  const bool slides = elasticity_slides(w->elasticity), follows = elasticity_contact_follows(w->elasticity);
  return (ImpactPart){motion_stop,
                      slides ? motion_bend : NULL,
                      slides || elasticity_contact_rubs(w->elasticity) ? motion_bear : NULL,
                      follows ? motion_rub : NULL,
                      follows ? motion_hit : NULL,
                      motion_lost};
}

Status motion_impact_begin(ElasticRun *w) {
  Exec *exec = w->run->device.exec;
  if (elasticity_slides(w->elasticity) || elasticity_contact_rubs(w->elasticity)) {
    EXEC_ALLOC(exec, own(w)->finite.borne, w->n, "forces of inertia");
    TRY(exec_zero(exec, own(w)->finite.borne, (size_t)w->n * sizeof(double)));
  }
  own(w)->finite.bear = elasticity_slides(w->elasticity) ? motion_borne : NULL;
  for (int k = 0; k < 2 && elasticity_contact_follows(w->elasticity); ++k)
    EXEC_ALLOC(exec, own(w)->hit[k], w->n, "pushes of nodes that are caught");
  for (int k = 0; k < 2 && elasticity_slides(w->elasticity) && own(w)->hit[0]; ++k)
    EXEC_ALLOC(exec, own(w)->swerve[k], w->n, "forces of inertia");
  for (int k = 0; k < 2 && elasticity_contact_rubs(w->elasticity); ++k)
    EXEC_ALLOC(exec, own(w)->rub[k], w->n, "forces of friction");
  own(w)->finite.rub = own(w)->rub;
  TRY(elasticity_contact_say(w->elasticity));
  if (elasticity_contact_carries(w->elasticity))
    TRY(mem_alloc(elasticity_contacts(w->elasticity), sizeof *own(w)->rubbed, "forces of friction",
                  (void **)(void *)&own(w)->rubbed));
  for (int k = 0; k < 4 && elasticity_contact_moves(w->elasticity); ++k)
    EXEC_ALLOC(exec, own(w)->pressed[k / 2][k % 2], w->n, "forces on nodes of contact");
  return motion_carried_find(w);
}

Status motion_impact_next(ElasticRun *w) {
  TRY(elasticity_contact_say(w->elasticity)); /* of surfaces that were found anew */
  StepControl next = *stepper_control(w->stepper);
  (void)step_control_next(&next);
  if (finite_rests_at(w->run->c, next.target)) return OK;
  return elasticity_contact_begins(w->elasticity, w->u, next.target, false);
}

Status motion_impact_rest(ElasticRun *w) {
  TRY(swerve_find(w, 0));
  for (int32_t i = 0; own(w)->rubbed && i < elasticity_contacts(w->elasticity); ++i)
    elasticity_contact_rubbed(w->elasticity, i, own(w)->rubbed[i]);
  return own(w)->rub[0] ? elasticity_contact_rub(w->elasticity, own(w)->rub[0]) : OK;
}

void motion_impact_release(ElasticRun *w) {
  Exec *exec = w->run->device.exec;
  mem_free((void **)(void *)&own(w)->rubbed);
  if (!exec) return;
  EXEC_RELEASE(exec, own(w)->finite.borne, w->n);
  for (int k = 0; k < 2; ++k) EXEC_RELEASE(exec, own(w)->rub[k], w->n);
  for (int k = 0; k < 2; ++k) EXEC_RELEASE(exec, own(w)->hit[k], w->n);
  for (int k = 0; k < 4; ++k) EXEC_RELEASE(exec, own(w)->pressed[k / 2][k % 2], w->n);
  for (int k = 0; k < 2; ++k) EXEC_RELEASE(exec, own(w)->swerve[k], w->n);
  for (int k = 0; k < 3; ++k) EXEC_RELEASE(exec, own(w)->carried[k], w->n);
}
