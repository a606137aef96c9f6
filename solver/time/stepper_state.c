/* What a checkpoint needs: a head, u, the vectors of history, the states of the problem. All else follows from them: a
 * matrix from its factors, loads and prescribed values from the time. */
#include "solver/time/stepper_private.h"

#include <string.h>

typedef struct StepHead {
  char magic[8], method[8];
  int64_t n, state_bytes;
  int32_t scheme, n_vector;
  StepMemory memory;
  StepControl control; /* its params are not looked at */
} StepHead;

static const char MAGIC[8] = "steps1";

static int32_t stepper_scheme(const Stepper *t) {
  for (int32_t k = 0; k < time_scheme_count(); ++k)
    if (time_scheme(k) == t->params.scheme) return k;
  return -1;
}

/* u is what a trial may have changed: behind it lies what steps have accepted. */
static int stepper_vectors(const Stepper *t, double **vector) {
  vector[0] = t->before ? t->before : t->u;
  return 1 + t->method->history(t, vector + 1);
}

int64_t stepper_state_bytes(const Stepper *t) {
  double *vector[STEPPER_HISTORY + 1];
  return (int64_t)sizeof(StepHead) + stepper_vectors(t, vector) * t->n * (int64_t)sizeof(double) +
         t->problem.state_bytes;
}

Status stepper_save(Stepper *t, void *host) {
  CHECK(t->u, ERR_BUG, "stepper_save before stepper_start");
  double *vector[STEPPER_HISTORY + 1];
  const size_t bytes = (size_t)t->n * sizeof(double);
  char *at = host;
  StepHead head;
  memset(&head, 0, sizeof head);
  memcpy(head.magic, MAGIC, sizeof MAGIC);
  strncpy(head.method, t->method->name, sizeof head.method - 1);
  head.n = t->n;
  head.state_bytes = t->problem.state_bytes;
  head.scheme = stepper_scheme(t);
  head.n_vector = stepper_vectors(t, vector);
  head.memory = t->memory;
  if (t->solver) head.memory.solver = linear_state(t->solver);
  head.control = t->control;
  memset(&head.control.params, 0, sizeof head.control.params);
  memcpy(at, &head, sizeof head);
  at += sizeof head;
  for (int k = 0; k < head.n_vector; ++k, at += bytes) TRY(exec_download(t->exec, at, vector[k], bytes));
  return t->problem.state_bytes ? t->problem.save(t->problem.context, at) : OK;
}

static Status stepper_check(const Stepper *t, const StepHead *head) {
  CHECK(!memcmp(head->magic, MAGIC, sizeof MAGIC), ERR_RESTART, "this is no state of a run in steps");
  CHECK(head->n == t->n && head->state_bytes == t->problem.state_bytes, ERR_RESTART,
        "the state has %lld unknowns and %lld bytes of point states, this run has %lld and %lld", (long long)head->n,
        (long long)head->state_bytes, (long long)t->n, (long long)t->problem.state_bytes);
  CHECK(head->scheme == stepper_scheme(t) && !strncmp(head->method, t->method->name, sizeof head->method), ERR_RESTART,
        "the state was saved with another scheme in time or another kind of problem");
  CHECK(head->control.next_event >= 0 && head->control.next_event <= t->control.params.n_event &&
            head->memory.n_history >= 0 && head->memory.n_history <= EVOLUTION_PAST,
        ERR_RESTART, "the state does not belong to this run: it has passed %d of %d times to be hit",
        (int)head->control.next_event, (int)t->control.params.n_event);
  return OK;
}

Status stepper_restore(Stepper *t, double *u, const void *host) {
  const char *at = host;
  const size_t bytes = (size_t)t->n * sizeof *u;
  double *vector[STEPPER_HISTORY + 1];
  StepHead head;
  memcpy(&head, at, sizeof head);
  at += sizeof head;
  TRY(stepper_check(t, &head));
  const StepControlParams params = t->control.params;
  t->control = head.control;
  t->control.params = params;
  /* as a new run first, so that what is not saved is clean */
  TRY(exec_upload(t->exec, u, at, bytes));
  TRY(stepper_start(t, u));
  TRY(exec_upload(t->exec, u, at, bytes));
  t->memory = head.memory;
  const int n = stepper_vectors(t, vector);
  for (int k = 0; k < n; ++k, at += bytes) TRY(exec_upload(t->exec, vector[k], at, bytes));
  if (t->method->restored) TRY(t->method->restored(t));
  return t->problem.state_bytes ? t->problem.restore(t->problem.context, at) : OK;
}
