/* A heart on a part of the mesh: the same tissue, and of each stimulus the nodes that are there; on a rank's share initial
 * values too. */
#include "app/monodomain/setup_heart.h"
#include "app/setup/mesh_sample.h"
#include "core/ascending.h"
#include "core/memory.h"

#include <string.h>

static Status cut_stimulus(const MeshSample *sample, const MonodomainStimulus *from, MonodomainStimulus *to) {
  int32_t *node = NULL;
  double *share = NULL;
  *to = *from;
  to->n = 0, to->node = NULL, to->share = NULL;
  ALLOC(node, from->n, "stimulated nodes");
  to->node = node;
  if (from->share) ALLOC(share, from->n, "stimulated nodes");
  to->share = share;
  for (int32_t k = 0; k < from->n; ++k) {
    const int32_t i = (int32_t)ascending_find(sample->mesh->n_node, sample->node, from->node[k]);
    if (i < 0) continue;
    if (share) share[to->n] = from->share[k];
    node[to->n++] = i;
  }
  return OK;
}

/* Which parameters nodes have that differ from those of their tissue. */
static Status cut_cells(const HeartSetup *from, const MeshSample *sample, HeartSetup *to) {
  to->n_node = sample->mesh->n_node;
  to->n_region = from->n_region;
  if (from->point_region)
    TRY(setup_cut_elements(sample, setup_first_solved(from->diffusion.mesh), sizeof *from->point_region,
                           from->point_region, "cells that vary", (void **)(void *)&to->point_region));
  TRY(mem_alloc(from->n_tissue, sizeof *to->node_region, "cells that vary", (void **)(void *)&to->node_region));
  for (int32_t t = 0; t < from->n_tissue; ++t) {
    if (!from->node_region[t]) continue;
    ALLOC(to->node_region[t], to->n_node, "cells that vary");
    for (int32_t i = 0; i < to->n_node; ++i) to->node_region[t][i] = from->node_region[t][sample->node[i]];
  }
  if (from->monodomain.node_region) to->monodomain.node_region = (const int32_t *const *)to->node_region;
  return OK;
}

/* What leads need of fronts too. */
static Status cut_numbers(const HeartSetup *from, const MeshSample *sample, HeartSetup *to) {
  const int32_t first = setup_first_solved(from->diffusion.mesh);
  TRY(setup_cut_elements(sample, first, sizeof *from->number, from->number, "numbers of the tissues",
                         (void **)&to->number));
  TRY(setup_cut_elements(sample, first, sizeof *from->thickness, from->thickness, "thickness of the elements",
                         (void **)&to->thickness));
  to->diffusion.thickness = to->thickness;
  to->n_tissue = from->n_tissue;
  ALLOC(to->mean, from->n_tissue, "numbers of the tissues");
  memcpy(to->mean, from->mean, (size_t)from->n_tissue * sizeof *to->mean);
  return OK;
}

static Status cut_tissue(const HeartSetup *from, const MeshSample *sample, HeartSetup *to) {
  const int32_t n = from->monodomain.n_region;
  TRY(setup_cut_elements(sample, setup_first_solved(from->diffusion.mesh), sizeof *from->tensor, from->tensor,
                         "diffusivity of the elements", (void **)(void *)&to->tensor));
  TRY(cut_numbers(from, sample, to));
  TRY(cut_cells(from, sample, to));
  ALLOC(to->ionic, n, "ionic models of the tissue");
  memcpy(to->ionic, from->ionic, (size_t)n * sizeof *to->ionic);
  to->diffusion.tensor = (const double(*)[6])to->tensor;
  to->monodomain.region = to->ionic;
  if (!from->start) return OK;
  ALLOC(to->start, n, "cells that are paced");
  memcpy(to->start, from->start, (size_t)n * sizeof *to->start);
  to->monodomain.start = to->start;
  return OK;
}

static Status cut_value(const MeshSample *sample, const double *from, double **to) {
  if (!from) return OK;
  ALLOC(*to, sample->mesh->n_node, "initial values");
  for (int32_t i = 0; i < sample->mesh->n_node; ++i) (*to)[i] = from[sample->node[i]];
  return OK;
}

static Status cut_initial(const HeartSetup *from, const MeshSample *sample, HeartSetup *to) {
  TRY(cut_value(sample, from->initial, &to->initial));
  for (int k = 0; k < N_IONIC_STATES; ++k) TRY(cut_value(sample, from->initial_state[k], &to->initial_state[k]));
  return OK;
}

/* What a rank has of the weights of leads; a sample has none. */
static Status cut_leads(const HeartSetup *from, const MeshSample *sample, int32_t n_whole, HeartSetup *to) {
  const int32_t n = sample->mesh->n_node;
  to->n_lead = from->n_lead;
  if (!from->lead) return OK;
  ALLOC(to->lead, from->n_lead * (int64_t)n, "weights of leads");
  for (int32_t k = 0; k < from->n_lead; ++k)
    for (int32_t i = 0; i < n; ++i) to->lead[k * (int64_t)n + i] = from->lead[k * (int64_t)n_whole + sample->node[i]];
  return OK;
}

/* Of a rank, all with both ends here: more than the rows of its own nodes need, which changes nothing in them. */
static Status cut_links(const HeartSetup *from, const MeshSample *sample, HeartSetup *to) {
  static const char what[] = "links between nodes";
  ALLOC(to->link, from->n_link, what);
  ALLOC(to->link_region, from->n_link, what);
  if (from->link_cells) ALLOC(to->link_cells, from->n_link, what);
  if (from->link_cells) ALLOC(to->link_outside, from->n_link, what);
  for (int32_t k = 0; k < from->n_link; ++k) {
    DiffusionLink link = from->link[k];
    for (int a = 0; a < 2; ++a)
      link.node[a] = (int32_t)ascending_find(sample->mesh->n_node, sample->node, link.node[a]);
    if (link.node[0] < 0 || link.node[1] < 0) continue;
    to->link_region[to->n_link] = from->link_region[k];
    if (from->link_cells) to->link_cells[to->n_link] = from->link_cells[k];
    if (from->link_cells) to->link_outside[to->n_link] = from->link_outside[k];
    to->link[to->n_link++] = link;
  }
  to->diffusion.link = to->link;
  to->diffusion.n_link = to->n_link;
  to->monodomain.link_region = to->link_region;
  return OK;
}

static Status cut_stimuli(const HeartSetup *from, const MeshSample *sample, HeartSetup *to) {
  ALLOC(to->stimulus, from->monodomain.n_stimulus, "stimuli");
  to->monodomain.stimulus = to->stimulus;
  to->monodomain.n_stimulus = 0;
  for (int32_t i = 0; i < from->monodomain.n_stimulus; ++i) {
    ++to->monodomain.n_stimulus;
    TRY(cut_stimulus(sample, &from->stimulus[i], &to->stimulus[i]));
  }
  return OK;
}

Status front_cut(const Setup *whole, const MeshSample *sample, Setup *part) {
  const HeartSetup *from = heart_setup(whole);
  TRY(setup_take_own(part, sizeof(HeartSetup), heart_setup_release));
  HeartSetup *to = heart_setup(part);
  TRY(setup_cut_elements(sample, setup_first_solved(from->diffusion.mesh), sizeof *from->tensor, from->diffusion.tensor,
                         "velocities of the elements", (void **)(void *)&to->tensor));
  to->diffusion.tensor = (const double(*)[6])to->tensor;
  TRY(cut_numbers(from, sample, to));
  return cut_stimuli(from, sample, to);
}

Status heart_cut(const Setup *whole, const MeshSample *sample, Setup *part) {
  const HeartSetup *from = heart_setup(whole);
  TRY(setup_take_own(part, sizeof(HeartSetup), heart_setup_release));
  HeartSetup *to = heart_setup(part);
  to->diffusion = from->diffusion;
  to->diffusion.mesh = sample->mesh;
  to->diffusion.n_link = 0; /* a sample has no trees */
  to->diffusion.node_rank = part->node_rank;
  to->monodomain = from->monodomain;
  to->monodomain.element_region = part->element_material + setup_first_solved(sample->mesh);
  to->monodomain.stimulus = NULL, to->monodomain.n_stimulus = 0;
  TRY(cut_tissue(from, sample, to));
  TRY(cut_leads(from, sample, from->diffusion.mesh->n_node, to));
  if (sample->number) TRY(cut_initial(from, sample, to));
  if (sample->number) TRY(cut_links(from, sample, to));
  TRY(cut_stimuli(from, sample, to));
  ALLOC(to->bare, from->monodomain.n_stimulus, "stimuli");
  to->n_wave = from->n_wave;
  ALLOC(to->wave_start, from->n_wave, "times of arrival");
  if (from->n_wave) memcpy(to->wave_start, from->wave_start, (size_t)from->n_wave * sizeof *to->wave_start);
  return OK;
}
