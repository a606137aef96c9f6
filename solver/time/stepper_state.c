/* What a checkpoint needs: a head, u, the vectors of history, the states of the problem. All else follows from them: a
 * matrix from its factors, loads and prescribed values from the time. */
#include "core/memory.h"
#include "solver/time/stepper_private.h"

#include <string.h>

typedef struct StepHead {
  char magic[8], method[8];
  int64_t n, state_bytes, taken_bytes;
  int32_t scheme, n_vector;
  StepMemory memory;
  StepControl control; /* its params are not looked at */
} StepHead;

static const char MAGIC[8] = "steps7";

static int32_t stepper_scheme(const Stepper *t) {
  for (int32_t k = 0; k < time_scheme_count(); ++k)
    if (time_scheme(k) == t->params.scheme) return k;
  return -1;
}

int stepper_vectors(const Stepper *t, double **vector) {
  vector[0] = t->before ? t->before : t->u;
  return 1 + t->method->history(t, vector + 1);
}

/* Of a vector of all ranks. */
static int64_t vector_bytes(const Stepper *t) { return t->place.all * (int64_t)sizeof(double); }

static Status vector_save(const Stepper *t, const double *v, char *host) {
  return exec_collect(t->exec, &t->place, sizeof *v, v, host);
}

static Status vector_restore(const Stepper *t, double *v, const char *host) {
  return exec_deal(t->exec, &t->place, sizeof *v, host, v);
}

int64_t stepper_state_bytes(const Stepper *t) {
  double *vector[STEPPER_KEPT];
  return (int64_t)sizeof(StepHead) + stepper_vectors(t, vector) * vector_bytes(t) + t->problem.states.bytes;
}

static void head_fill(const Stepper *t, StepHead *head) {
  memset(head, 0, sizeof *head);
  memcpy(head->magic, MAGIC, sizeof MAGIC);
  strncpy(head->method, t->method->name, sizeof head->method - 1);
  head->n = t->place.all;
  head->state_bytes = t->problem.states.bytes;
  head->taken_bytes = t->problem.states.taken_bytes;
  head->scheme = stepper_scheme(t);
  head->memory = t->memory;
  if (t->solver) head->memory.solver = linear_state(t->solver);
  head->control = t->control;
  memset(&head->control.params, 0, sizeof head->control.params);
}

Status stepper_save(Stepper *t, void *host) {
  CHECK(t->u, ERR_BUG, "stepper_save before stepper_start");
  double *vector[STEPPER_KEPT];
  char *at = host;
  StepHead head;
  head_fill(t, &head);
  head.n_vector = stepper_vectors(t, vector);
  if (at) memcpy(at, &head, sizeof head), at += sizeof head;
  for (int k = 0; k < head.n_vector; ++k) {
    TRY(vector_save(t, vector[k], at));
    if (at) at += vector_bytes(t);
  }
  return t->problem.states.bytes ? t->problem.states.save(t->problem.context, at) : OK;
}

static Status stepper_check(const Stepper *t, const StepHead *head) {
  CHECK(!memcmp(head->magic, MAGIC, sizeof MAGIC), ERR_RESTART, "this is not a state of a run in steps");
  const int64_t n = t->place.all;
  CHECK(head->n == n && head->state_bytes == t->problem.states.bytes, ERR_RESTART,
        "the state has %lld unknowns and %lld bytes of point states, this run has %lld and %lld", (long long)head->n,
        (long long)head->state_bytes, (long long)n, (long long)t->problem.states.bytes);
  CHECK(head->scheme == stepper_scheme(t) && !strncmp(head->method, t->method->name, sizeof head->method), ERR_RESTART,
        "the state was saved with another time scheme or another kind of problem");
  CHECK(head->control.next_event >= 0 && head->control.next_event <= t->control.params.n_event &&
            head->memory.n_history >= 0 && head->memory.n_history <= EVOLUTION_PAST,
        ERR_RESTART, "the state does not belong to this run: it has passed %d of %d times to be hit",
        (int)head->control.next_event, (int)t->control.params.n_event);
  return OK;
}

/* Unknowns that others turn are known only with the states, and where they go on to with their velocities. */
static Status turning_restore(Stepper *t, const char *at) {
  double *vector[STEPPER_KEPT];
  const int n = stepper_vectors(t, vector);
  if (!t->problem.motion.turning.rotate || !t->problem.states.bytes) return OK;
  for (int k = 0; k < n; ++k, at += vector_bytes(t)) TRY(vector_restore(t, vector[k], at));
  return t->problem.states.restore(t->problem.context, at);
}

Status stepper_restore(Stepper *t, double *u, const void *host) {
  const char *at = host;
  double *vector[STEPPER_KEPT];
  StepHead head;
  memcpy(&head, at, sizeof head);
  at += sizeof head;
  TRY(stepper_check(t, &head));
  const StepControlParams params = t->control.params;
  t->control = head.control;
  t->control.params = params;
  step_control_restored(&t->control);
  /* as a new run first, so that what is not saved is clean */
  TRY(vector_restore(t, u, at));
  TRY(turning_restore(t, at));
  t->goes_on = t->problem.motion.turning.rotate != NULL;
  const Status status = stepper_start(t, u);
  t->goes_on = false;
  TRY(status);
  TRY(vector_restore(t, u, at));
  t->memory = head.memory;
  const int n = stepper_vectors(t, vector);
  for (int k = 0; k < n; ++k, at += vector_bytes(t)) TRY(vector_restore(t, vector[k], at));
  if (t->method->restored) TRY(t->method->restored(t));
  return t->problem.states.bytes ? t->problem.states.restore(t->problem.context, at) : OK;
}

Status stepper_take_over(Stepper *t, double *u, const void *host, int64_t n_byte) {
  const char *at = host;
  StepHead head;
  CHECK(n_byte >= (int64_t)sizeof head, ERR_RESTART, "this is not a state of a run in steps");
  memcpy(&head, at, sizeof head);
  CHECK(!memcmp(head.magic, MAGIC, sizeof MAGIC), ERR_RESTART, "this is not a state of a run in steps");
  CHECK(head.n == t->place.all && head.taken_bytes == t->problem.states.taken_bytes && head.n_vector > 0 &&
            t->problem.states.take &&
            n_byte == (int64_t)sizeof head + head.n_vector * vector_bytes(t) + head.state_bytes,
        ERR_RESTART,
        "the state has %lld unknowns and %lld bytes of states of cells, this run has %lld and %lld\n  mesh, ionic "
        "models, "
        "'reaction:' and 'scheme:' must be those of the run that it is from",
        (long long)head.n, (long long)head.taken_bytes, (long long)t->place.all,
        (long long)t->problem.states.taken_bytes);
  TRY(vector_restore(t, u, at + sizeof head));
  TRY(stepper_start(t, u));
  return t->problem.states.take(t->problem.context, at + n_byte - head.state_bytes);
}
