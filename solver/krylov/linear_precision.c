/* Which precision the preconditioner's matrix is stored in: names, where `auto` starts and how it goes up
 * (docs/theory/precision.md). */
#include "core/nearest.h"
#include "solver/krylov/linear_solver.h"
#include "algebra/mat_format.h"
#include "solver/precond/precond_choice.h"
#include "algebra/rows.h"
#include "solver/krylov/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* B = s(A') with a copy that is off by d in the norm meets spectrum down to -d, where s is larger by this factor at
 * most. Measured: up to 1.11 no or 2 % more iterations, 1.17 to 1.18 5 to 22 %, 1.43 28 %. */
static const double GAIN_GROWTH = 1.15;

static const char *const WORDS[] = {"double", "mixed", "auto", "float", "half", "bfloat16", "int8", NULL};
static const LinearInner INNERS[] = {LINEAR_INNER_DOUBLE, LINEAR_INNER_FLOAT,    LINEAR_INNER_AUTO, LINEAR_INNER_FLOAT,
                                     LINEAR_INNER_HALF,   LINEAR_INNER_BFLOAT16, LINEAR_INNER_INT8};
enum { N_WORD = (int)(sizeof INNERS / sizeof *INNERS) };

const char *const *linear_precision_words(void) { return WORDS; }

Status linear_params_precision(LinearParams *params, const char *word) {
  for (int i = 0; i < N_WORD; ++i)
    if (!strcmp(word, WORDS[i])) {
      params->inner = INNERS[i];
      params->mixed = INNERS[i] != LINEAR_INNER_DOUBLE;
      return OK;
    }
  const char *near = nearest_name(word, N_WORD, WORDS);
  return FAIL(ERR_INPUT, "unknown precision '%s'\n  precisions: double, mixed, auto, float, half, bfloat16, int8%s%s%s",
              word, near ? "\n  did you mean '" : "", near ? near : "", near ? "'?" : "");
}

const char *linear_precision_text(const LinearReport *report, const char *asked, char text[LINEAR_PRECISION_TEXT]) {
  const char *used = precision_name(report->precision), *first = precision_name(report->first_precision);
  if (strcmp(asked, "auto") != 0) snprintf(text, LINEAR_PRECISION_TEXT, "%s", asked);
  else if (report->precision == report->first_precision) snprintf(text, LINEAR_PRECISION_TEXT, "auto (%s)", used);
  else snprintf(text, LINEAR_PRECISION_TEXT, "auto (%s after %s)", used, first);
  return text;
}

bool linear_is_automatic(const LinearParams *params) {
  return params->inner == LINEAR_INNER_AUTO || params->inner == LINEAR_INNER_LOWEST;
}

/* Measured on CPUs: low precision spends on unpacking what it saves on reading; floats too where vectors have 8 bits more
 * (extra_bits.h), as those of polynomials do: 32 s against 12 on 200 x 200 quad4. */
static Precision first_on_host(const char *precond) {
  const PrecondType *type = precond_named(precond);
  return type && type->bounded ? PRECISION_DOUBLE : PRECISION_FLOAT;
}

Precision linear_first_precision(const LinearParams *params, const Mat *a, const char *precond) {
  if (params->inner == LINEAR_INNER_BY_MIXED) return params->mixed ? PRECISION_FLOAT : PRECISION_DOUBLE;
  if (!linear_is_automatic(params)) return (Precision)(params->inner - LINEAR_INNER_DOUBLE);
  if (params->inner == LINEAR_INNER_AUTO && exec_is_host(mat_exec(a))) return first_on_host(precond);
  /* Of products with several vectors most bytes are those of the vectors, which come through the caches whatever the matrix is
   * in: eight load cases of 0.46 M unknowns on an H200 take 0.072 s in float and 0.086 to 0.102 in 8 bits. */
  if (params->inner == LINEAR_INNER_AUTO && params->together > 1) return PRECISION_FLOAT;
  /* 8 bits of a scalar take as much room as half, which is more exact */
  const Precision lowest = mat_block(a) > 1 ? PRECISION_INT8 : PRECISION_HALF;
  return mat_allows(a, lowest) ? lowest : PRECISION_FLOAT;
}

Precision precision_above(Precision precision) {
  switch (precision) {
  case PRECISION_INT8: return PRECISION_HALF;
  case PRECISION_BFLOAT16:
  case PRECISION_HALF: return PRECISION_FLOAT;
  default: return PRECISION_DOUBLE;
  }
}

Status linear_setup_precond(LinearSolver *s) {
  s->raised = 0;
  TRY_CONTEXT(precond_setup(s->m, s->pcg.r, &s->n_bad, &s->mean_scale), "while setting up preconditioner '%s'",
              s->m->name);
  return OK;
}

Status linear_raise(LinearSolver *s) {
  s->raised += 1;
  return s->m->type->raise(s->m, LINEAR_RAISE);
}

static Status linear_replace(LinearSolver *s, const PrecondParams *params) {
  Precond *next = NULL;
  TRY(precond_create(s->a, params, s->krylov, &next));
  next->strict = s->m->strict;
  pcg_use(&s->pcg, next);
  precond_destroy(&s->m);
  s->m = next;
  return linear_setup_precond(s);
}

/* Another copy of the same preconditioner, set up. */
static Status change_precision(LinearSolver *s, Precision to) {
  const PrecondParams params = {.name = s->m->name,
                                .degree = s->m->degree,
                                .value = s->m->value,
                                .storage = to,
                                .bound_factor = s->m->bound_factor};
  TRY_CONTEXT(linear_replace(s, &params), "while going to precision %s", precision_name(to));
  return OK;
}

Status linear_raise_precision(LinearSolver *s, Precision to, const char *why) {
  status_warn("precision %s is replaced by %s: %s", precision_name(s->m->storage), precision_name(to), why);
  s->fallbacks += 1;
  return change_precision(s, to);
}

LinearState linear_state(const LinearSolver *s) {
  const int32_t precision = s->m->stored || s->m->type->graph ? (int32_t)s->m->storage : -1;
  return (LinearState){linear_spare_state(s, precision), s->raised};
}

Status linear_restore(LinearSolver *s, const LinearState *state) {
  if (s->m->stored && state->precision >= 0 && s->m->storage != (Precision)state->precision)
    TRY(change_precision(s, (Precision)state->precision));
  else if (s->m->type->graph && s->m->type->raise && state->precision >= 0 &&
           s->m->storage != (Precision)state->precision)
    TRY(linear_raise(s)); /* a hierarchy's first step up is out of low precision */
  while (s->m->type->raise && s->raised < state->raised) TRY(linear_raise(s));
  return OK;
}

Status linear_fall_back(LinearSolver *s) {
  const char *choice = precond_choice(&(PrecondFacts){.rows = mat_whole(s->a)}); /* what a name left open stands for */
  const PrecondParams params = {
      .name = choice, .storage = linear_first_precision(&s->params, s->a, choice), .bound_factor = s->m->bound_factor};
  status_warn("preconditioner '%s' cannot be set up for this matrix: another one is used", s->m->name);
  *s->why = 0;
  TRY(linear_replace(s, &params));
  s->automatic = linear_is_automatic(&s->params) && s->m->stored;
  s->first_precision = s->m->stored ? s->m->storage : PRECISION_DOUBLE;
  return OK;
}

/* One product with the copy and one with the matrix; PCG's and the preconditioner's vectors are free. */
static Status measure_stored(LinearSolver *s) {
  const Precond *m = s->m;
  const StoredArgs args = {m->low,    s->pcg.p,        s->pcg.q,  m->scale,       m->blocks,
                           m->result, mat_block(s->a), s->krylov, mat_first(s->a)};
  TRY(exec_rows(s->exec, &stored_begin_kernel, &args, m->n / args.block));
  TRY(mat_apply(m->stored, m->low, m->result));
  TRY(mat_apply(s->a, s->pcg.p, s->pcg.q));
  TRY(exec_rows(s->exec, &stored_error_kernel, &args, m->n / args.block));
  Krylov k;
  TRY(exec_download(s->exec, &k, s->krylov, sizeof k));
  s->stored_error = k.sum[1] > 0 ? sqrt(k.sum[0] / k.sum[1]) : 0;
  return OK;
}

Status linear_check_stored(LinearSolver *s) {
  while (precision_is_low(s->m->storage)) {
    TRY(measure_stored(s));
    /* NaN in the matrix is told by the solve */
    if (!(s->m->gain(s->m, -s->stored_error) > GAIN_GROWTH * s->m->gain(s->m, 1e-9)) || !isfinite(s->stored_error))
      return OK;
    char why[128];
    snprintf(why, sizeof why, "the stored matrix is off by %.1e of its norm, too much for degree %d", s->stored_error,
             s->m->degree);
    TRY(linear_raise_precision(s, precision_above(s->m->storage), why));
  }
  return OK;
}
