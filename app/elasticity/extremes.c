/* The largest displacement and stress, where they are, numbers that are none, and the error of the stress. */
#include "app/elasticity/elastic.h"
#include "app/run/ranks.h"
#include "core/memory.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

/* Also of displacements whose squares vanish or overflow, as elastic_von_mises. */
static double length_of(const double u[3]) {
  const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  if (square >= 1e-280 && square <= 1e280) return sqrt(square);
  const double most = fmax(fabs(u[0]), fmax(fabs(u[1]), fabs(u[2])));
  if (!(most > 0)) return square; /* 0 or NaN */
  const double a = u[0] / most, b = u[1] / most, c = u[2] / most;
  return most * sqrt(a * a + b * b + c * c);
}

static double node_size(const ElasticFields *fields, bool stress, int32_t i) {
  return stress ? fields->von_mises[i] : length_of(fields->displacement[i]);
}

/* Nodes of others that are here too are theirs to search. */
static bool is_mine(const LocalMesh *local, int32_t i) { return !local || local->solver[i] < local->n_own; }

/* Chunk by chunk, so that the sum has the same bits for any number of threads. */
static void add_stress(const Mesh *mesh, const LocalMesh *local, const double *stress, ElasticPeaks *out) {
  enum { CHUNK = 1 << 12, ROUND = 1 << 8 };
  double sum[ROUND], count[ROUND];
  for (int64_t first = 0; first < mesh->n_node; first += (int64_t)CHUNK * ROUND) {
    const int n =
        (int)((mesh->n_node - first + CHUNK - 1) / CHUNK < ROUND ? (mesh->n_node - first + CHUNK - 1) / CHUNK : ROUND);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < n; ++k) {
      const int64_t begin = first + (int64_t)k * CHUNK,
                    end = begin + CHUNK < mesh->n_node ? begin + CHUNK : mesh->n_node;
      sum[k] = count[k] = 0;
      for (int64_t i = begin; i < end; ++i)
        if (is_mine(local, (int32_t)i)) sum[k] += stress[i], ++count[k];
    }
    for (int k = 0; k < n; ++k) out->sum += sum[k], out->count += count[k];
  }
}

/* The largest value and the first node that has it. */
static void find_largest(const Mesh *mesh, const LocalMesh *local, const ElasticFields *fields, bool stress,
                         ElasticPeaks *out) {
  double most = -1;
  int32_t at = INT32_MAX;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (is_mine(local, i)) most = fmax(most, node_size(fields, stress, i));
#pragma omp parallel for schedule(static) reduction(min : at)
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (i < at && node_size(fields, stress, i) == most && is_mine(local, i)) at = i;
  out->most[stress] = most;
  out->at[stress] = at == INT32_MAX ? -1 : local ? local->node[at] : at;
  if (!stress) return;
  out->here = at == INT32_MAX ? -1 : at;
  add_stress(mesh, local, fields->von_mises, out);
}

/* The smallest safety factor, and the first node that has it. At interfaces each material has its own. */
static void find_safety(const LocalMesh *local, const ElasticFields *fields, int32_t n_node, ElasticPeaks *out) {
  double least = HUGE_VAL;
  int32_t at = INT32_MAX;
#pragma omp parallel for schedule(static) reduction(min : least)
  for (int32_t i = 0; i < n_node; ++i)
    if (is_mine(local, i) && fields->safety[i] >= 0) least = fmin(least, fields->safety[i]);
  for (int64_t k = 0; k < fields->n_other; ++k)
    if (is_mine(local, fields->other[k].node) && fields->other[k].safety >= 0)
      least = fmin(least, fields->other[k].safety);
#pragma omp parallel for schedule(static) reduction(min : at)
  for (int32_t i = 0; i < n_node; ++i)
    if (i < at && fields->safety[i] == least && is_mine(local, i)) at = i;
  for (int64_t k = 0; k < fields->n_other; ++k) {
    const OtherStress *other = &fields->other[k];
    if (other->node < at && other->safety == least && is_mine(local, other->node)) at = other->node;
  }
  out->safety = least;
  out->unsafe = at == INT32_MAX ? -1 : local ? local->node[at] : at;
}

/* The largest error of the elements at a node. */
static double error_at(const Mesh *mesh, int32_t node, const ElasticFields *fields) {
  double most = -1;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const int32_t n = element_type(block->kind)->n_node, first = block->first - setup_first_solved(mesh);
    if (element_type(block->kind)->dim != mesh->dim) continue;
#pragma omp parallel for schedule(static) reduction(max : most)
    for (int32_t e = 0; e < block->n; ++e)
      for (int32_t a = 0; a < n; ++a)
        if (block->nodes[(int64_t)e * n + a] == node) most = fmax(most, fields->stress_error[first + e]);
  }
  return most;
}

static int32_t first_not_finite(const Mesh *mesh, const LocalMesh *local, const ElasticFields *fields, int32_t field) {
  const double *value = elastic_field_value(fields, field);
  const int32_t width = elastic_field[field].width;
  for (int32_t i = 0; value && i < mesh->n_node; ++i)
    for (int c = 0; c < width; ++c)
      if (!isfinite(value[(int64_t)i * width + c]) && is_mine(local, i)) return local ? local->node[i] : i;
  return INT32_MAX;
}

/* Larger values and first nodes of ranks in their order, which need not be that of nodes. */
static void peaks_add(const ElasticPeaks *from, ElasticPeaks *to) {
  for (int s = 0; s < 2; ++s) {
    const bool equal = from->most[s] == to->most[s];
    if (from->at[s] < 0 || (to->at[s] >= 0 && (equal ? from->at[s] > to->at[s] : from->most[s] < to->most[s])))
      continue;
    to->most[s] = from->most[s], to->at[s] = from->at[s];
    if (s == 1) to->off = from->off;
  }
  if (from->unsafe >= 0 && (from->safety < to->safety || (from->safety == to->safety && from->unsafe < to->unsafe)))
    to->safety = from->safety, to->unsafe = from->unsafe;
  for (int k = 0; k < N_ELASTIC_FIELDS; ++k)
    if (from->bad[k] < to->bad[k]) to->bad[k] = from->bad[k];
  to->sum += from->sum, to->count += from->count;
}

Status elastic_find_peaks(const Run *run, const ElasticFields *mine, ElasticPeaks *out) {
  const LocalMesh *local = run->share ? &run->share->local : NULL;
  const Mesh *mesh = run_mesh(run);
  const int n = comm_size(run->params->comm);
  ElasticPeaks *all = NULL;
  *out = (ElasticPeaks){.most = {-1, -1}, .off = -1, .at = {-1, -1}, .safety = HUGE_VAL, .unsafe = -1};
  if (mine->displacement) find_largest(mesh, local, mine, false, out);
  if (mine->von_mises) find_largest(mesh, local, mine, true, out);
  if (mine->safety) find_safety(local, mine, mesh->n_node, out);
  if (mine->stress_error && out->at[1] >= 0) out->off = error_at(mesh, out->here, mine);
  for (int32_t k = 0; k < N_ELASTIC_FIELDS; ++k) {
    const bool suspect = !mine->finite && elastic_field[k].of == k && field_at_nodes(&elastic_field[k]);
    out->bad[k] = suspect ? first_not_finite(mesh, local, mine, k) : INT32_MAX;
  }
  if (n == 1) return OK;
  ALLOC(all, n, "what ranks see in their fields");
  const Status status = comm_gather(run->params->comm, out, sizeof *out, all);
  out->sum = out->count = 0;
  for (int r = 0; r < n && status == OK; ++r) peaks_add(&all[r], out);
  FREE(all);
  return status;
}

/* The energy, which is a square, may overflow. */
static Status check_finite(const Mesh *mesh, const ElasticPeaks *peaks) {
  for (int k = 0; k < N_ELASTIC_FIELDS; ++k) {
    const int32_t at = peaks->bad[k];
    CHECK(at == INT32_MAX, ERR_NUMERIC,
          "'%s' is not a number at node %lld (%g, %g, %g): it is beyond 1.8e308\n  remedy: smaller loads, or "
          "consistent units in which they are",
          elastic_field[k].word, (long long)mesh->node_tag[at], mesh->x[at][0], mesh->x[at][1], mesh->x[at][2]);
  }
  return OK;
}

/* Small-strain theory takes the body as it was; a displacement near its size is most often a matter of units. */
static const double LARGE = 0.1;

void elastic_spread_add(const Mesh *mesh, int n, const double *const *u, double at, ElasticSpread *spread) {
  double square = 0;
  for (int c = 0; c < 3; ++c) {
    double most = 0;
    for (int part = 0; part < n; ++part) {
      double low = HUGE_VAL, high = -HUGE_VAL;
#pragma omp parallel for schedule(static) reduction(min : low) reduction(max : high)
      for (int64_t i = 0; i < mesh->n_node; ++i)
        low = fmin(low, u[part][3 * i + c]), high = fmax(high, u[part][3 * i + c]);
      most = fmax(most, high - low);
    }
    square += most * most;
  }
  if (sqrt(square) > spread->most) *spread = (ElasticSpread){sqrt(square), at};
}

void elastic_spread_warn(const Run *run, const ElasticSpread *spread, const char *when, const char *remedy) {
  char text[64];
  if (!run || !run_is_root(run) || run->rehearsed || !(spread->most > LARGE * mesh_size(run->mesh))) return;
  snprintf(text, sizeof text, when, spread->at);
  status_warn("displacements differ by up to %.3g over the body %s, and the body is %.3g large: small-displacement "
              "theory, which is used here, does not hold then\n  %s",
              spread->most, text, mesh_size(run->mesh), remedy);
  warnings_print();
}

static void warn_of_size(const Mesh *mesh, const ElasticPeaks *peaks) {
  const double size = mesh_size(mesh), largest = peaks->most[0];
  if (peaks->at[0] < 0 || !(largest > LARGE * size)) return;
  const double *x = mesh->x[peaks->at[0]];
  status_warn("the displacement reaches %.3g at (%g, %g, %g), and the body is %.3g large: small-displacement theory, "
              "which is used here, does not hold then\n  check the units of young, loads and mesh, and the supports",
              largest, x[0], x[1], x[2], size);
  warnings_print();
}

Status elastic_check_peaks(const Run *run, const ElasticPeaks *peaks) {
  const Status finite = check_finite(run->mesh, peaks);
  run->report->converged = finite == OK;
  TRY(finite);
  warn_of_size(run->mesh, peaks);
  return OK;
}

/* The first solved element at a node; -1: none. */
static int32_t element_at(const Mesh *mesh, int32_t node) {
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const int32_t n = element_type(block->kind)->n_node;
    int32_t first = INT32_MAX;
    if (element_type(block->kind)->dim != mesh->dim) continue;
#pragma omp parallel for schedule(static) reduction(min : first)
    for (int32_t e = 0; e < block->n; ++e)
      for (int32_t a = 0; a < n; ++a)
        if (block->nodes[(int64_t)e * n + a] == node && e < first) first = e;
    if (first < INT32_MAX) return block->first + first;
  }
  return -1;
}

/* The first group of cells that has the element. */
static void group_name(const Mesh *mesh, int32_t element, char out[EXTREME_GROUP]) {
  *out = 0;
  for (int32_t g = 0; g < mesh->n_group && element >= 0; ++g) {
    const Group *group = &mesh->group[g];
    if (group->dim != mesh->dim) continue;
    for (int32_t i = 0; i < group->n; ++i)
      if (group->element[i] == element) {
        snprintf(out, EXTREME_GROUP, "%s", group->name);
        return;
      }
  }
}

static Extreme extreme_at(const Mesh *mesh, const char *name, UnitKind kind, double value, int32_t node) {
  Extreme e = {.name = name, .kind = kind, .value = value};
  for (int c = 0; c < 3; ++c) e.x[c] = mesh->x[node][c];
  group_name(mesh, element_at(mesh, node), e.group);
  return e;
}

static void add_safety(const Mesh *mesh, const ElasticPeaks *peaks, Extremes *out) {
  out->has_safety = peaks->unsafe >= 0;
  if (out->has_safety) out->safety = extreme_at(mesh, "safety", UNIT_NONE, peaks->safety, peaks->unsafe);
}

static void error_add(Extremes *out, const Mesh *mesh, const ElasticFields *fields) {
  const int32_t element = setup_first_solved(mesh) + fields->error_element;
  const int32_t *nodes = mesh_nodes_of(mesh, element), n = element_type(mesh_block_of(mesh, element)->kind)->n_node;
  out->has_error = true;
  out->error = (Extreme){.name = "stress-error", .value = fields->error};
  for (int32_t a = 0; a < n; ++a)
    for (int c = 0; c < 3; ++c) out->error.x[c] += mesh->x[nodes[a]][c] / n;
  group_name(mesh, element, out->error.group);
}

/* The error at a node of a surface is larger than the mean over the elements there: measured (docs/results.md). */
static const double AT_NODE = 1.4;

void elastic_extremes(const Mesh *mesh, const ElasticPeaks *peaks, const ElasticFields *fields, Extremes *out) {
  *out = (Extremes){0};
  for (int stress = 0; stress < 2; ++stress) {
    if (peaks->at[stress] < 0) continue;
    out->item[out->n++] = extreme_at(mesh, stress ? "von-mises" : "displacement", stress ? UNIT_STRESS : UNIT_LENGTH,
                                     peaks->most[stress], peaks->at[stress]);
  }
  add_safety(mesh, peaks, out);
  if (fields->error >= 0) error_add(out, mesh, fields);
  if (out->has_error && peaks->off >= 0 && peaks->most[1] > 0) out->at_largest = AT_NODE * peaks->off / peaks->most[1];
}
