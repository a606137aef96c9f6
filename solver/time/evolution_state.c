/* What a checkpoint needs: a head, the vectors of history, the states of the problem. */
#include "solver/time/evolution_private.h"

#include <string.h>

enum { VECTORS = 2 * EVOLUTION_PAST + 3 };

typedef struct Head {
  char magic[8];
  int64_t n, state_bytes;
  int32_t scheme, gauss, n_history, n_smooth;
  double h[EVOLUTION_PAST], raise;
  EvolutionLearned learned;
  StepControl control; /* its params are not looked at */
} Head;

static const char MAGIC[8] = "evolve4";

/* Values in the order of their age, wherever they lie. *n: how many there are. */
static void list_vectors(const Evolution *e, double *vector[VECTORS], int *n) {
  *n = 0;
  vector[(*n)++] = e->before;
  vector[(*n)++] = e->K_before;
  for (int k = 0; k < EVOLUTION_PAST; ++k) {
    vector[(*n)++] = e->past[(e->head + k) % EVOLUTION_PAST];
    vector[(*n)++] = e->K_past[(e->head + k) % EVOLUTION_PAST];
  }
  if (e->R_before) vector[(*n)++] = e->R_before;
}

int64_t evolution_state_bytes(const Evolution *e) {
  return (int64_t)sizeof(Head) + (VECTORS - !e->R_before) * e->n * (int64_t)sizeof(double) + e->problem.state_bytes;
}

Status evolution_save(Evolution *e, void *host) {
  CHECK(e->u, ERR_BUG, "evolution_save before evolution_start");
  double *vector[VECTORS];
  char *at = host;
  Head head;
  memset(&head, 0, sizeof head);
  memcpy(head.magic, MAGIC, sizeof MAGIC);
  head.n = e->n;
  head.state_bytes = e->problem.state_bytes;
  head.scheme = (int32_t)e->params.scheme;
  head.gauss = e->problem.mass_matrix != NULL;
  head.n_history = e->n_history;
  head.n_smooth = e->n_smooth;
  memcpy(head.h, e->h, sizeof head.h);
  head.learned = e->learned;
  head.raise = e->raise;
  head.control = e->control;
  memset(&head.control.params, 0, sizeof head.control.params);
  memcpy(at, &head, sizeof head);
  at += sizeof head;
  int n;
  list_vectors(e, vector, &n);
  for (int k = 0; k < n; ++k, at += (size_t)e->n * sizeof(double))
    TRY(exec_download(e->exec, at, vector[k], (size_t)e->n * sizeof(double)));
  return e->problem.state_bytes ? e->problem.save(e->problem.context, at) : OK;
}

Status evolution_restore(Evolution *e, double *u, const void *host) {
  const char *at = host;
  Head head;
  memcpy(&head, at, sizeof head);
  at += sizeof head;
  CHECK(!memcmp(head.magic, MAGIC, sizeof MAGIC), ERR_RESTART, "this is no state of nonlinear time stepping");
  CHECK(head.n == e->n && head.state_bytes == e->problem.state_bytes, ERR_RESTART,
        "the state holds %lld unknowns and %lld bytes of the cells, this run has %lld and %lld", (long long)head.n,
        (long long)head.state_bytes, (long long)e->n, (long long)e->problem.state_bytes);
  CHECK(head.scheme == (int32_t)e->params.scheme && head.gauss == (e->problem.mass_matrix != NULL), ERR_RESTART,
        "the state was saved with another scheme in time or another treatment of the reaction");
  CHECK(head.control.next_event >= 0 && head.control.next_event <= e->control.params.n_event && head.n_history >= 0 &&
            head.n_history <= EVOLUTION_PAST,
        ERR_RESTART, "the state does not belong to this run: it has passed %d of %d times to be hit",
        (int)head.control.next_event, (int)e->control.params.n_event);
  /* as a new run first, so that what is not saved is clean */
  double *vector[VECTORS];
  int n;
  TRY(exec_upload(e->exec, u, at, (size_t)e->n * sizeof(double)));
  TRY(evolution_start(e, u));
  list_vectors(e, vector, &n);
  const StepControlParams params = e->control.params;
  e->control = head.control;
  e->control.params = params;
  e->n_history = head.n_history;
  e->n_smooth = head.n_smooth;
  memcpy(e->h, head.h, sizeof head.h);
  e->learned = head.learned;
  e->raise = head.raise;
  for (int k = 0; k < n; ++k, at += (size_t)e->n * sizeof(double))
    TRY(exec_upload(e->exec, vector[k], at, (size_t)e->n * sizeof(double)));
  return e->problem.state_bytes ? e->problem.restore(e->problem.context, at) : OK;
}
