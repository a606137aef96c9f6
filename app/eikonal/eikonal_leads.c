/* See eikonal_leads.h. */
#include "app/eikonal/eikonal_leads.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/heart.h"
#include "app/monodomain/prepace.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

static const double FINE = 0.02; /* ms, at most, between values of an action potential */
static const double WIDEST =
    20; /* ms: a front that takes longer to cross an element is as coarse as one that does not */
static const double LATEST = 20; /* ms from the stimulus of a cell to its upstroke */
static const CellPacing START = {52, 1, PREPACE_STEP};
enum { BLOCK = 64 }; /* samples, of which one thread makes all leads */

/* I(t), the integral of V - V(0) from 0 on, of a cell that is stimulated at 0. Rows are samples, with `pad` before the first one
 * and behind the last one: I(r step + p fine) = at[p][pad + r]. */
typedef struct Wave {
  IonicConstants of;
  double upstroke; /* ms */
  double *at;      /* owned, [per][rows] */
} Wave;

struct EikonalLeads {
  const Case *c;
  const Mesh *mesh; /* borrowed */
  int32_t n_lead, n_tissue, per;
  int64_t n_sample, pad, rows;
  double step, fine;
  Wave *wave;           /* owned, [n_tissue], as all here */
  double (*sources)[6]; /* [n_solved], what the weights were made of (lead_sources); NULL: there are none */
  double *weight;       /* [n_node][n_lead] */
  int32_t *tissue;      /* [n_node], -1: none */
  double *spread;       /* [n_node], ms */
  double *lead;         /* [n_sample][n_lead] */
};

void eikonal_leads_destroy(EikonalLeads **leads) {
  EikonalLeads *l = *leads;
  if (!l) return;
  for (int32_t t = 0; l->wave && t < l->n_tissue; ++t) FREE(l->wave[t].at);
  FREE(l->wave);
  FREE(l->sources);
  FREE(l->weight);
  FREE(l->tissue);
  FREE(l->spread);
  FREE(l->lead);
  FREE(*leads);
}

/* ---- action potentials ---- */

typedef struct Seen {
  EikonalLeads *l;
  Wave *wave;
  int64_t n;
  double first, before, sum; /* V at 0 and at the value before; the integral */
} Seen;

/* The next value, `fine` behind the one before. */
static void see_cell(void *context, double t, const SingleCell *cell) {
  Seen *s = context;
  EikonalLeads *l = s->l;
  (void)t;
  if (s->n == 0) s->first = cell->V;
  else s->sum += 0.5 * l->fine * (cell->V + s->before - 2 * s->first);
  s->before = cell->V;
  const int64_t row = l->pad + s->n / l->per;
  if (row < l->rows) s->wave->at[s->n % l->per * l->rows + row] = s->sum;
  ++s->n;
}

static Status pace_wave(EikonalLeads *l, int32_t t, Wave *wave) {
  const bool paced = place_given(l->c->prepace.place);
  const char *name = heart_tissue(l->c, t)->on.item[0].text;
  const double length = (double)(l->rows - l->pad) * l->step;
  Prepace prepace = {.pacing = START};
  SingleCell cell;
  CellBeat beat;
  bool stored;
  if (paced) prepace = prepace_of(l->c);
  single_cell_start(&wave->of, &cell);
  if (paced) TRY(prepace_cell(&prepace, name, &cell, &stored));
  prepace.pacing.step = l->fine / ceil(l->fine / PREPACE_STEP * (1 - 1e-12));
  TRY(prepace_check_step(&wave->of, prepace.pacing.step));
  Seen seen = {.l = l, .wave = wave};
  const CellWatch watch = {see_cell, &seen, l->fine};
  TRY_CONTEXT(single_cell_beat(&cell, &prepace.pacing, length, &watch, &beat), "in the action potential of '%s'", name);
  CHECK(beat.upstroke < LATEST, ERR_NUMERIC,
        "%g mV/ms for %g ms starts no action potential in the cells of '%s', which leads need\n  remedy: 'prepace: "
        "{cycle: 1000, beats: 1, amplitude: ..}' with more of it, or a longer cycle",
        prepace.pacing.amplitude, prepace.pacing.duration, name);
  wave->upstroke = beat.upstroke;
  return OK;
}

static Status make_waves(EikonalLeads *l) {
  for (int32_t t = 0; t < l->n_tissue; ++t) {
    const IonicConstants of = monodomain_constants_of(&heart_tissue(l->c, t)->ionic);
    Wave *wave = &l->wave[t];
    int32_t same = 0;
    if (wave->at && ionic_same(&of, &wave->of)) continue;
    FREE(wave->at);
    ALLOC(wave->at, l->per * l->rows, "an action potential");
    wave->of = of;
    while (same < t && !ionic_same(&of, &l->wave[same].of)) ++same;
    if (same == t) TRY(pace_wave(l, t, wave));
    else {
      memcpy(wave->at, l->wave[same].at, (size_t)(l->per * l->rows) * sizeof *wave->at);
      wave->upstroke = l->wave[same].upstroke;
    }
  }
  return OK;
}

/* ---- weights ---- */

/* Nodes between tissues have the cells of that with the most elements there. */
static Status find_tissues(EikonalLeads *l, const Setup *setup) {
  const Mesh *mesh = l->mesh;
  int32_t *count = NULL;
  ALLOC(count, (int64_t)mesh->n_node * l->n_tissue, "tissues of the nodes");
  for (int32_t e = setup_first_solved(mesh); e < mesh->n_element; ++e) {
    const int32_t *nodes = mesh_nodes_of(mesh, e), n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) ++count[(int64_t)nodes[a] * l->n_tissue + setup->element_material[e]];
  }
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const int32_t *of = count + (int64_t)i * l->n_tissue;
    int32_t most = 0;
    for (int32_t t = 1; t < l->n_tissue; ++t) most = of[t] > of[most] ? t : most;
    l->tissue[i] = of[most] ? most : -1;
  }
  FREE(count);
  return OK;
}

/* Are these the sources that the weights were made of, but for rounding? */
static bool same_sources(const EikonalLeads *l, const double (*sources)[6]) {
  const int64_t n = 6 * (int64_t)(l->mesh->n_element - setup_first_solved(l->mesh));
  const double *a = l->sources ? l->sources[0] : NULL, *b = sources[0];
  double most = 0, off = 0;
  for (int64_t i = 0; a && i < n; ++i) most = fmax(most, fabs(a[i])), off = fmax(off, fabs(a[i] - b[i]));
  return a && off <= 1e-13 * most;
}

/* Of points that differ in where, when and how fast fronts run alone the sources are the same, where conductivities are given. */
static Status make_weights(EikonalLeads *l, const Setup *setup) {
  const int64_t n = l->mesh->n_node;
  const LeadPlace at = {.c = l->c, .whole = l->mesh, .mesh = l->mesh, .setup = setup, .n_read = n, .n = n};
  double *whole = NULL, (*sources)[6] = NULL;
  TRY(lead_sources(&at, &sources));
  if (same_sources(l, (const double(*)[6])sources)) {
    FREE(sources);
    return OK;
  }
  FREE(l->sources);
  l->sources = sources;
  ALLOC(whole, l->n_lead * n, "weights of leads");
  const Status status = lead_weights(&at, whole);
  for (int64_t i = 0; i < n && status == OK; ++i)
    for (int32_t k = 0; k < l->n_lead; ++k) l->weight[i * l->n_lead + k] = whole[k * n + i];
  FREE(whole);
  return status;
}

static Status leads_create(const Run *run, EikonalLeads **out) {
  const CaseTime *time = &run->c->time;
  const int32_t n_node = run->mesh->n_node;
  EikonalLeads *l = NULL;
  ALLOC(l, 1, "leads");
  *out = l;
  *l = (EikonalLeads){
      .mesh = run->mesh, .n_lead = case_leads(run->c), .n_tissue = run->c->materials.n, .step = time->step.value};
  l->per = (int32_t)ceil(l->step / FINE * (1 - 1e-12));
  l->fine = l->step / l->per;
  l->n_sample = (int64_t)floor(time->end.value / l->step * (1 + 1e-12)) + 1;
  l->pad = (int64_t)ceil((WIDEST + LATEST) / l->step) + 3;
  l->rows = l->n_sample + 2 * l->pad;
  ALLOC(l->wave, l->n_tissue, "action potentials");
  ALLOC(l->weight, (int64_t)n_node * l->n_lead, "weights of leads");
  ALLOC(l->tissue, n_node, "tissues of the nodes");
  ALLOC(l->spread, n_node, "crossing times of the elements");
  ALLOC(l->lead, l->n_sample * l->n_lead, "leads");
  return OK;
}

Status eikonal_leads_bind(const Run *run, const Setup *setup, EikonalLeads **leads) {
  if (*leads && (*leads)->n_tissue != run->c->materials.n) eikonal_leads_destroy(leads);
  if (!*leads) {
    const Status status = leads_create(run, leads);
    if (status != OK) eikonal_leads_destroy(leads);
    TRY(status);
  }
  (*leads)->c = run->c;
  (*leads)->mesh = run->mesh;
  TRY(find_tissues(*leads, setup));
  TRY(make_weights(*leads, setup));
  return run->rehearsed ? OK : make_waves(*leads);
}

/* ---- a map ---- */

/* How long the front takes through an element at each node, in the mean of those. */
static void find_spread(EikonalLeads *l, const double *time, int32_t *count) {
  const Mesh *mesh = l->mesh;
  memset(l->spread, 0, (size_t)mesh->n_node * sizeof *l->spread);
  for (int32_t e = setup_first_solved(mesh); e < mesh->n_element; ++e) {
    const int32_t *nodes = mesh_nodes_of(mesh, e), n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
    double least = INFINITY, most = -INFINITY;
    for (int32_t a = 0; a < n; ++a) least = fmin(least, time[nodes[a]]), most = fmax(most, time[nodes[a]]);
    for (int32_t a = 0; a < n && least >= 0; ++a) l->spread[nodes[a]] += most - least, ++count[nodes[a]];
  }
  for (int32_t i = 0; i < mesh->n_node; ++i)
    l->spread[i] = fmin(WIDEST, fmax(2 * l->fine, count[i] ? l->spread[i] / count[i] : 0));
}

/* I at `when` before or behind each sample: row and the two columns between which it lies, and where. */
typedef struct Between {
  int64_t row[2];
  const double *at[2];
  double share;
} Between;

static Between between(const EikonalLeads *l, const Wave *wave, double when) {
  const double x = when / l->fine, whole = floor(x);
  Between b = {.share = x - whole};
  for (int k = 0; k < 2; ++k) {
    const int64_t j = (int64_t)whole + k, row = (int64_t)floor((double)j / l->per);
    b.row[k] = l->pad + row;
    b.at[k] = wave->at + (j - row * l->per) * l->rows;
  }
  return b;
}

static double value_at(const Between *b, int64_t sample) {
  return (1 - b->share) * b->at[0][b->row[0] + sample] + b->share * b->at[1][b->row[1] + sample];
}

/* Samples [begin, end) of all leads. */
static void fill_block(EikonalLeads *l, const double *time, int64_t begin, int64_t end) {
  const int32_t n_lead = l->n_lead;
  memset(l->lead + begin * n_lead, 0, (size_t)((end - begin) * n_lead) * sizeof *l->lead);
  for (int32_t i = 0; i < l->mesh->n_node; ++i) {
    if (l->tissue[i] < 0 || time[i] < 0) continue;
    const Wave *wave = &l->wave[l->tissue[i]];
    const double *w = l->weight + (int64_t)i * n_lead, wide = l->spread[i], middle = wave->upstroke - time[i];
    const Between late = between(l, wave, middle + 0.5 * wide), early = between(l, wave, middle - 0.5 * wide);
    double V[BLOCK];
    const int64_t reached = l->pad - late.row[1]; /* before, all is at rest */
    const int64_t first = reached > begin ? reached : begin;
    for (int64_t s = first; s < end; ++s) V[s - begin] = (value_at(&late, s) - value_at(&early, s)) / wide;
    for (int64_t s = first; s < end; ++s)
      for (int32_t k = 0; k < n_lead; ++k) l->lead[s * n_lead + k] += V[s - begin] * w[k];
  }
}

Status eikonal_leads_fill(EikonalLeads *l, const double *time) {
  int32_t *count = NULL;
  ALLOC(count, l->mesh->n_node, "elements at nodes");
  find_spread(l, time, count);
  FREE(count);
#pragma omp parallel for schedule(dynamic)
  for (int64_t b = 0; b < (l->n_sample + BLOCK - 1) / BLOCK; ++b)
    fill_block(l, time, b * BLOCK, (b + 1) * BLOCK < l->n_sample ? (b + 1) * BLOCK : l->n_sample);
  return OK;
}

int64_t eikonal_leads_samples(const EikonalLeads *l) { return l->n_sample; }
const double *eikonal_leads_at(const EikonalLeads *l, int64_t sample) { return l->lead + sample * l->n_lead; }
