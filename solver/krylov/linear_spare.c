/* A direct solver in the place of conjugate gradients that do not converge, or that have taken longer than a factorisation
 * would. Counted in iterations by the prices of precond_choice.c, not in seconds: the same run decides the same. One that
 * was chosen at the start refuses tangents that are indefinite until then, as conjugate gradients do. */
#include "solver/krylov/linear_solver.h"

#include <stdio.h>

/* LinearState.precision, where it is no precision. */
enum { IN_USE = -2, IN_USE_INDEFINITE = -3 };

static bool is_direct(const LinearSolver *s) { return s->m->type == precond_named("direct"); }

bool linear_can_factor(const LinearParams *params, const Mat *a) {
  return params->spare && precond_works(precond_named("direct")) && mat_whole(a) == mat_rows(a) && !mat_numbering(a);
}

void linear_spare_create(LinearSolver *s, const LinearParams *params, const PrecondFacts *facts) {
  const bool can = linear_can_factor(params, s->a);
  s->spare = can ? params->spare : NULL;
  s->spare_after = can ? precond_choice_worth(facts) : 0;
  s->facts = *facts;
}

int64_t linear_most_iterations(const LinearSolver *s) {
  const int64_t most = s->iterations_before + s->spare_after;
  const bool can = s->spare && !is_direct(s) && !s->pcg.n_border;
  return can && most < s->params.max_iterations ? most : s->params.max_iterations;
}

static Status create_direct(LinearSolver *s, bool indefinite, Precond **out) {
  const bool may = s->params.may_be_indefinite;
  const PrecondParams params = {.name = "direct",
                                .pattern = s->spare,
                                .may_be_indefinite = may && indefinite,
                                .must_be_definite = may && !indefinite};
  return precond_create(s->a, &params, s->krylov, out);
}

/* `indefinite`: for such matrices too, after which nothing is left to be tried. next NULL: what is in use stays. */
static void put_in_place(LinearSolver *s, bool indefinite, Precond *next) {
  const bool may = s->params.may_be_indefinite;
  if (next) {
    pcg_use(&s->pcg, next);
    precond_destroy(&s->m);
    s->m = next;
  }
  s->m->may_be_indefinite = may && indefinite, s->m->must_be_definite = may && !indefinite;
  if (indefinite || !may) s->spare = NULL;
  s->spare_state = indefinite ? IN_USE_INDEFINITE : IN_USE;
  s->is_set_up = s->chosen = s->automatic = s->kept = s->held = false;
  s->first_rate = 0;
}

static Status take_spare(LinearSolver *s, bool indefinite, const char *why, bool *taken) {
  *taken = false;
  if (!s->spare || s->pcg.n_border) return OK;
  Precond *next = NULL;
  const Status status = is_direct(s) ? OK : create_direct(s, indefinite, &next);
  if (status == ERR_MEMORY) {
    status_warn("%s, and there is no room for a direct solver:\n  %s", why, status_message());
    status_clear();
    s->spare = NULL;
    return OK;
  }
  TRY_CONTEXT(status, "while a direct solver takes the place of conjugate gradients");
  put_in_place(s, indefinite, next);
  snprintf(s->why, sizeof s->why, "%s", why);
  *taken = true;
  return OK;
}

Status linear_take_spare(LinearSolver *s, const char *why, bool *taken) { return take_spare(s, true, why, taken); }

Status linear_rescue(LinearSolver *s, const LinearReport *report, bool *taken) {
  char why[PRECOND_CHOICE_TEXT];
  *taken = false;
  if (is_direct(s)) return OK;
  snprintf(why, sizeof why, "%lld iterations of %s came to a residual of %.1e only", (long long)report->iterations,
           s->m->name, report->true_residual);
  TRY(take_spare(s, false, why, taken));
  if (*taken) TRY(linear_setup_precond(s));
  s->is_set_up = true;
  return OK;
}

/* What its factor takes is known when its structure is, which is made only where it may pay. */
Status linear_offer(LinearSolver *s, int64_t iterations, int64_t left) {
  if (!s->spare || is_direct(s) || s->pcg.n_border || !exec_is_host(s->exec)) return OK;
  const PrecondType *type = s->m->type;
  const double iterative =
      (double)left * (double)iterations * precond_choice_iteration(&s->facts, type->diagonal, type->graph);
  if (iterative <= precond_choice_factor(&s->facts, 0, left)) return OK;
  Precond *next = NULL;
  const Status status = create_direct(s, false, &next);
  if (status == ERR_MEMORY) status_clear();
  else TRY(status);
  if (!next) return OK;
  if (iterative <= precond_choice_factor(&s->facts, next->factor_entries, left)) {
    precond_destroy(&next);
    return OK;
  }
  put_in_place(s, false, next);
  snprintf(s->why, sizeof s->why, "a factor takes less than %lld iterations for each of %lld more steps",
           (long long)iterations, (long long)left);
  return linear_setup(s);
}

int32_t linear_spare_state(const LinearSolver *s, int32_t precision) {
  return s->spare_state ? s->spare_state : precision;
}

Status linear_restore_spare(LinearSolver *s, const LinearState *state) {
  const bool indefinite = state->precision == IN_USE_INDEFINITE;
  bool taken;
  if (state->precision != IN_USE && !indefinite) return OK;
  return take_spare(s, indefinite, "so it was before the checkpoint", &taken);
}
