/* The registry of preconditioners, the scaling that all of them share, and the two diagonal ones. */
#include "solver/precond/precond.h"
#include "solver/precond/precond_choice.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "algebra/graph/sparse_direct.h"
#include "algebra/rows.h"
#include "solver/precond/rows.h"

#include <stdio.h>
#include <string.h>

#define PRECONDITIONER(id, name, meaning) extern const PrecondType id##_precond;
#include "solver/precond/preconditioners.def"
#undef PRECONDITIONER
static const struct {
  const PrecondType *type;
  const char *meaning;
} TYPES[] = {
#define PRECONDITIONER(id, name, meaning) {&id##_precond, meaning},
#include "solver/precond/preconditioners.def"
#undef PRECONDITIONER
};
static const char *const NAMES[] = {
#define PRECONDITIONER(id, name, meaning) name,
#include "solver/precond/preconditioners.def"
#undef PRECONDITIONER
};
enum { N_TYPE = (int)(sizeof NAMES / sizeof *NAMES) };

const PrecondType jacobi_precond = {.diagonal = true, .ranks = true};
const PrecondType none_precond = {.diagonal = true, .unit = true, .ranks = true};

int32_t precond_count(void) { return N_TYPE; }
const char *precond_name(int32_t i) { return i >= 0 && i < N_TYPE ? NAMES[i] : ""; }
const char *precond_meaning(int32_t i) { return i >= 0 && i < N_TYPE ? TYPES[i].meaning : ""; }
const PrecondType *precond_type(int32_t i) { return i >= 0 && i < N_TYPE ? TYPES[i].type : NULL; }

const PrecondType *precond_named(const char *name) {
  for (int32_t i = 0; i < N_TYPE; ++i)
    if (!strcmp(NAMES[i], name)) return TYPES[i].type;
  return NULL;
}

bool precond_works(const PrecondType *type) { return !type->host || sparse_direct_there(); }

bool precond_works_on(int32_t i, const Exec *exec) {
  const PrecondType *type = precond_type(i);
  return precond_works(type) && (exec_is_host(exec) || !type->host);
}

bool precond_is_auto(const char *name) { return !name || !strcmp(name, "auto"); }

static Status find_type(const char *name, int *out) {
  for (*out = 0; *out < N_TYPE; ++*out)
    if (!strcmp(name, NAMES[*out])) return OK;
  char list[256] = "auto";
  for (int i = 0; i < N_TYPE; ++i) {
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, ", %s", NAMES[i]);
  }
  const char *near = nearest_name(name, N_TYPE, NAMES);
  return FAIL(ERR_INPUT, "unknown preconditioner '%s'\n  preconditioners: %s%s%s%s", name, list,
              near ? "\n  did you mean '" : "", near ? near : "", near ? "'?" : "");
}

Status precond_check_degree(int32_t i, int64_t degree) {
  const PrecondType *type = precond_type(i);
  char list[256] = "";
  if (degree == 0) return OK;
  if (type->degree_max) {
    CHECK(degree >= 1 && degree <= type->degree_max, ERR_INPUT,
          "degree of preconditioner '%s' is %lld, must lie in [1, %d]", precond_name(i), (long long)degree,
          type->degree_max);
    return OK;
  }
  for (int k = 0; k < N_TYPE; ++k) {
    const size_t used = strlen(list);
    if (TYPES[k].type->degree_max) snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", NAMES[k]);
  }
  return FAIL(ERR_INPUT,
              "preconditioner '%s' has no degree (%lld is given)\n  leave it out, or take one that has a degree: %s",
              precond_name(i), (long long)degree, list);
}

/* Degree and parameters in range; defaults where nothing is given (degree 0, no values). */
static Status take_params(Precond *m, int32_t index, const PrecondParams *params, bool automatic) {
  const PrecondType *type = m->type;
  if (type->degree_max || !automatic) TRY(precond_check_degree(index, params->degree));
  if (type->degree_max) m->degree = params->degree ? params->degree : type->degree_default;
  for (int32_t k = 0; k < type->n_param; ++k) {
    m->value[k] = params->value && !automatic ? params->value[k] : type->param[k].value;
    TRY_CONTEXT(param_check(&type->param[k], m->value[k]), "in preconditioner '%s'", m->name);
  }
  return OK;
}

static void precond_drop(const Mat *a, const PrecondParams *params) {
  if (!params->pattern_once || !params->pattern) return;
  pattern_leave_exec(params->pattern);
  slot_map_leave_exec(mat_slots(a));
}

const char *precond_stronger(const Precond *m) {
  return m->degree < m->type->degree_max ? "a preconditioner of higher degree"
                                         : "a stronger preconditioner ('amg', or 'chebyshev' with a degree)";
}

Status precond_create(const Mat *a, const PrecondParams *params, Krylov *krylov, Precond **out) {
  *out = NULL;
  const bool automatic = precond_is_auto(params->name);
  int type = -1;
  TRY(find_type(automatic ? precond_choice(&(PrecondFacts){.rows = mat_whole(a)}) : params->name, &type));
  const PrecondType *const is = TYPES[type].type;
  const char *const name = NAMES[type];
  CHECK(!is->graph || !mat_numbering(a), ERR_INPUT,
        "preconditioner '%s' uses the graph of the matrix, whose variant of format '%s' renumbers the unknowns; "
        "use "
        "variant '%s'",
        name, mat_format(a), mat_natural_variant(a));
  CHECK(is->ranks || mat_whole(a) == mat_rows(a), ERR_INPUT,
        "preconditioner '%s' works on one rank only%s%s; take a polynomial, jacobi or block-jacobi", name,
        is->alone ? ": " : "", is->alone ? is->alone : "");
  Precond *m = NULL;
  ALLOC(m, 1, "a preconditioner");
  *m = (Precond){.exec = mat_exec(a),
                 .a = a,
                 .krylov = krylov,
                 .type = is,
                 .name = name,
                 .degree = params->degree,
                 .bound_factor = params->bound_factor,
                 .n = mat_rows(a),
                 .pattern = params->pattern,
                 .near_null = params->near_null,
                 .n_near_null = params->n_near_null,
                 .places = params->places,
                 .lower = params->lower,
                 .n_lower = params->n_lower,
                 .may_be_indefinite = params->may_be_indefinite,
                 .must_be_definite = params->must_be_definite,
                 .tiles = params->tiles,
                 .inner = params->inner};
  m->storage = params->storage > params->precision ? params->storage : params->precision;
  m->precision = m->storage == PRECISION_DOUBLE ? PRECISION_DOUBLE : PRECISION_FLOAT;
  Status status = take_params(m, type, params, automatic);
  if (status == OK) status = exec_alloc(m->exec, mat_columns(a), sizeof(double), "scaling", (void **)&m->scale);
  if (!is->graph) precond_drop(a, params); /* before anything else takes memory */
  if (status == OK && m->type->create) status = m->type->create(m);
  precond_drop(a, params);
  m->pattern = NULL;
  m->near_null = NULL;
  m->lower = NULL;
  if (status != OK) precond_destroy(&m);
  *out = m;
  return status;
}

void precond_destroy(Precond **m) {
  if (!*m) return;
  if ((*m)->type->destroy) (*m)->type->destroy(*m);
  EXEC_RELEASE((*m)->exec, (*m)->blocks, mat_columns((*m)->a) * mat_block((*m)->a));
  EXEC_RELEASE((*m)->exec, (*m)->scale, mat_columns((*m)->a));
  FREE(*m);
}

static BlockArgs block_args(const Precond *m) {
  return (BlockArgs){m->blocks, m->scale, m->residual,     m->low == m->residual ? NULL : m->low,
                     m->result, m->extra, mat_block(m->a), m->krylov};
}

Status precond_use_blocks(Precond *m) {
  if (!mat_knows_blocks(m->a)) return OK;
  EXEC_ALLOC(m->exec, m->blocks, mat_columns(m->a) * mat_block(m->a), "diagonal blocks");
  return OK;
}

Status precond_scale(const Precond *m, Mat *to) { return mat_scale_blocks(m->a, m->scale, m->blocks, to); }

Status precond_record_forward(const Precond *m) {
  const BlockArgs args = block_args(m);
  return m->blocks ? exec_rows(m->exec, &block_forward_kernel, &args, m->n / args.block) : OK;
}

Status precond_record_back(const Precond *m) {
  const BlockArgs args = block_args(m);
  return m->blocks ? exec_rows(m->exec, &block_back_kernel, &args, m->n / args.block) : OK;
}

double precond_block_bytes(const Precond *m) {
  const double small = (double)precision_bytes(m->precision);
  if (!m->blocks) return 0;
  return (double)m->n * (16.0 * mat_block(m->a) + 16 + (small < 8 ? small : 0) + 2 * small + (m->extra ? 2 : 0));
}

/* Block Jacobi: one kernel; where the format does not know blocks, the diagonal. */
static void block_jacobi_destroy(Precond *m) {
  EXEC_RELEASE(m->exec, m->residual, m->n);
  exec_release(m->exec, m->n, sizeof(double), &m->result);
}

static Status block_jacobi_create(Precond *m) {
  m->precision = m->storage = PRECISION_DOUBLE;
  TRY(precond_use_blocks(m));
  EXEC_ALLOC(m->exec, m->residual, m->n, "preconditioner workspace");
  TRY(exec_alloc(m->exec, m->n, sizeof(double), "preconditioner workspace", &m->result));
  m->low = m->residual;
  m->bytes = 8.0 * (double)m->n * (2 + (m->blocks ? mat_block(m->a) : 0));
  return OK;
}

static Status block_jacobi_record(Precond *m) {
  const BlockArgs args = block_args(m);
  return exec_rows(m->exec, &block_jacobi_kernel, &args, m->n / args.block);
}

const PrecondType block_jacobi_precond = {.block_diagonal = true,
                                          .ranks = true,
                                          .create = block_jacobi_create,
                                          .destroy = block_jacobi_destroy,
                                          .record = block_jacobi_record};

Status precond_setup(Precond *m, double *work, int64_t *n_bad, double *mean_scale) {
  if (m->blocks) TRY(mat_diagonal_blocks(m->a, work, m->blocks));
  else TRY(mat_diagonal(m->a, work));
  TRY(exec_rows(m->exec, &scaling_kernel, &(ScalingArgs){work, m->scale, m->type->unit, m->krylov}, m->n));
  Krylov k;
  TRY(exec_download(m->exec, &k, m->krylov, sizeof k));
  *n_bad = (int64_t)k.sum[0];
  *mean_scale = m->n ? k.sum[1] / (double)mat_whole(m->a) : 1;
  if (m->blocks && *n_bad == 0) {
    const BlockArgs args = block_args(m);
    TRY(exec_rows(m->exec, &block_factor_kernel, &args, m->n / args.block));
    TRY(exec_download(m->exec, &k, m->krylov, sizeof k));
    *n_bad = (int64_t)k.sum[0];
  }
  return *n_bad == 0 && m->type->setup ? m->type->setup(m) : OK;
}
