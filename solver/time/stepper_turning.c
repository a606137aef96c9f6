/* Unknowns that follow others along bent paths (TurningPart), in stepper_motion.c: constraints of positions, whose forces S are those of
 * inertia that nothing else explains. The equation of a step has them at both ends, as all other forces: with S of the old end at all
 * of these unknowns, reduced by T^T of the new one, the method stays one of second order (Arnold and Bruels, Convergence of the
 * generalized-alpha scheme for constrained mechanical systems, Multibody System Dynamics 18, 2007). docs/theory/dynamics.md. */
#include "solver/time/stepper_private.h"

static Status copy(const Stepper *t, double *to, const double *from) {
  return exec_copy(t->exec, to, from, (size_t)t->n * sizeof *to);
}

/* Where all is at `time` if unknowns go on straight, less where it is now. */
static Status turning_way(Stepper *t, double time, double *out) {
  const Problem *p = &t->problem;
  TRY(copy(t, out, t->u));
  TRY(vec_axpy(t->exec, t->n, time - t->control.time, t->dynamic.v, out));
  if (p->constrain) TRY(p->constrain(p->context, time, out));
  TRY(p->motion.turning.rotate(p->context, time, out));
  return vec_axpy(t->exec, t->n, -1, t->u, out);
}

Status stepper_turning_start(Stepper *t, double step) {
  const StepDynamic *y = &t->dynamic;
  const double h = step / 3;
  const size_t bytes = (size_t)t->n * sizeof(double);
  double *way = y->stiff, *v = y->heavy, *a = y->r;
  TRY(stepper_turning_at(t, t->control.time));
  TRY(exec_zero(t->exec, v, bytes));
  TRY(exec_zero(t->exec, a, bytes));
  for (int k = 1; k < STEP_POINTS; ++k) {
    TRY(turning_way(t, t->control.time + k * h, way));
    TRY(vec_axpy(t->exec, t->n, stepper_velocity[k] / h, way, v));
    TRY(vec_axpy(t->exec, t->n, stepper_acceleration[k] / (h * h), way, a));
  }
  TRY(copy(t, y->v, v));
  return copy(t, y->a, a);
}

Status stepper_turning_at(Stepper *t, double time) {
  const Problem *p = &t->problem;
  return p->motion.turning.rotate ? p->motion.turning.rotate(p->context, time, t->u) : OK;
}

Status stepper_turning_bear(Stepper *t, double share, double *force) {
  const Problem *p = &t->problem;
  const StepDynamic *y = &t->dynamic;
  double *out = y->r;
  if (!p->motion.turning.rotate) return OK;
  TRY(exec_zero(t->exec, out, (size_t)t->n * sizeof *out));
  TRY(p->motion.inertia_everywhere(p->context, y->heavy, y->inertia));
  TRY(vec_axpy(t->exec, t->n, -1 / (1 - share), y->inertia, out));
  if (y->slow) TRY(p->motion.viscous_everywhere(p->context, y->stiff, y->slow, y->inertia));
  if (y->slow) TRY(vec_axpy(t->exec, t->n, -1 / (1 - share), y->inertia, out));
  if (share > 0) TRY(vec_axpy(t->exec, t->n, -share / (1 - share), y->force_old, out));
  return p->motion.turning.take(p->context, out, force);
}

Status stepper_turning_old(Stepper *t, const double **force) {
  const Problem *p = &t->problem;
  double *work = t->dynamic.stiff;
  if (!p->motion.turning.rotate) return OK;
  TRY(copy(t, work, *force));
  *force = work;
  return p->motion.turning.reduce(p->context, work);
}
