/* What a checkpoint of a linear problem in time needs: a head, u and the last two increments. All else follows from
 * them: the matrix from its factors, loads and prescribed values from the time. */
#include "solver/time/transient_private.h"

#include <math.h>
#include <string.h>

enum { VECTORS = 3 };

typedef struct Head {
  char magic[8];
  int64_t n;
  int32_t scheme, n_history, n_smooth;
  LinearState linear;
  double made_with[2], first_with[2], h1, h2, reference, mean_start;
  StepControl control; /* its params are not looked at */
} Head;

static const char MAGIC[8] = "linear2";

int64_t transient_state_bytes(const Transient *t) {
  return (int64_t)sizeof(Head) + VECTORS * t->n * (int64_t)sizeof(double);
}

Status transient_save(Transient *t, void *host) {
  CHECK(t->u, ERR_BUG, "transient_save before transient_start");
  char *at = host;
  Head head;
  memset(&head, 0, sizeof head);
  memcpy(head.magic, MAGIC, sizeof MAGIC);
  head.n = t->n;
  head.scheme = (int32_t)t->params.scheme;
  head.n_history = t->n_history;
  head.n_smooth = t->n_smooth;
  head.linear = linear_state(t->solver);
  for (int k = 0; k < 2; ++k) head.made_with[k] = t->made_with[k], head.first_with[k] = t->first_with[k];
  head.h1 = t->h1;
  head.h2 = t->h2;
  head.reference = t->reference;
  head.mean_start = t->mean_start;
  head.control = t->control;
  memset(&head.control.params, 0, sizeof head.control.params);
  memcpy(at, &head, sizeof head);
  at += sizeof head;
  const double *vector[VECTORS] = {t->u, t->last, t->older};
  for (int k = 0; k < VECTORS; ++k, at += (size_t)t->n * sizeof(double))
    TRY(exec_download(t->exec, at, vector[k], (size_t)t->n * sizeof(double)));
  return OK;
}

static Status check(const Transient *t, const Head *head) {
  CHECK(!memcmp(head->magic, MAGIC, sizeof MAGIC), ERR_RESTART, "this is no state of linear time stepping");
  CHECK(head->n == t->n, ERR_RESTART, "the state holds %lld unknowns, this run has %lld", (long long)head->n,
        (long long)t->n);
  CHECK(head->scheme == (int32_t)t->params.scheme, ERR_RESTART, "the state was saved with another scheme in time");
  CHECK(head->control.next_event >= 0 && head->control.next_event <= t->control.params.n_event &&
            head->n_history >= 0 && head->n_history <= 2,
        ERR_RESTART, "the state does not belong to this run: it has passed %d of %d times to be hit",
        (int)head->control.next_event, (int)t->control.params.n_event);
  return OK;
}

/* The matrix as it was, with the solver's way to it: first the one that its preconditioner began with. */
static Status restore_matrix(Transient *t, const Head *head) {
  if (isnan(head->made_with[0])) return OK;
  const bool moved = head->first_with[0] != head->made_with[0] || head->first_with[1] != head->made_with[1];
  TRY(transient_matrix(t, head->first_with));
  if (moved) TRY(transient_matrix(t, head->made_with));
  return linear_restore(t->solver, &head->linear);
}

Status transient_restore(Transient *t, double *u, const void *host) {
  const char *at = host;
  const size_t bytes = (size_t)t->n * sizeof *u;
  Head head;
  memcpy(&head, at, sizeof head);
  at += sizeof head;
  TRY(check(t, &head));
  const StepControlParams params = t->control.params;
  t->control = head.control;
  t->control.params = params;
  TRY(exec_upload(t->exec, u, at, bytes));
  TRY(transient_start(t, u)); /* load and prescribed values at that time */
  double *vector[VECTORS] = {u, t->last, t->older};
  for (int k = 0; k < VECTORS; ++k, at += bytes) TRY(exec_upload(t->exec, vector[k], at, bytes));
  t->n_history = head.n_history;
  t->n_smooth = head.n_smooth;
  t->h1 = head.h1;
  t->h2 = head.h2;
  t->reference = head.reference;
  t->mean_start = head.mean_start;
  return restore_matrix(t, &head);
}
