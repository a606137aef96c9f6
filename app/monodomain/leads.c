/* What leads are made of: weights of the potential at the nodes. In a torso they are solved for (conductor.h). Else they are
 * what an electrode at a point of an infinite medium sees (lead_field.h): without
 * `medium:` sources are -D grad V; with it they are those of the conductivities inside the cells, over that of the medium
 * (Gima and Rudy 2002, Circulation Research 90, 889-896): in mV. */
#include "app/monodomain/conductor.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/heart.h"
#include "assembly/monodomain/lead_field.h"
#include "core/clock.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum { RA, LA, LL, V1 };

/* The twelve leads by their electrodes, RA LA LL V1 to V6: those of Einthoven, of Goldberger, and of Wilson against the mean
 * of the limbs. */
static void lead_factors(int lead, double factor[ELECTRODES]) {
  static const double limb[6][3] = {{-1, 1, 0},      {-1, 0, 1},      {0, -1, 1},
                                    {1, -0.5, -0.5}, {-0.5, 1, -0.5}, {-0.5, -0.5, 1}};
  memset(factor, 0, ELECTRODES * sizeof *factor);
  for (int k = RA; k <= LL; ++k) factor[k] = lead < 6 ? limb[lead][k] : -1.0 / 3;
  if (lead >= 6) factor[V1 + lead - 6] = 1;
}

/* p and q, of three values of D: those that are not alike; false: all are different. */
static bool two_values(const double d[3], int32_t n, int *p, int *q) {
  *p = 0, *q = n > 1 ? 1 : 0;
  if (n < 3) return true;
  if (d[1] == d[2]) return true;
  *q = d[0] == d[1] ? 2 : 1;
  return d[0] == d[1] || d[0] == d[2];
}

/* The polynomial of the matrix D through values s of the conductivity at the values d that D has along its axes. */
void conductivity_tensor(int32_t n, const double d[3], const double s[3], const double D[6], double out[6]) {
  static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2},
                   at[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  int p, q;
  const bool two = two_values(d, n, &p, &q);
  for (int i = 0; i < 6; ++i) {
    const double one = row[i] == column[i];
    double square = 0;
    for (int k = 0; k < 3; ++k) square += D[at[row[i]][k]] * D[at[k][column[i]]];
    out[i] = two && d[p] == d[q] ? s[p] * one
             : two               ? s[q] * one + (s[p] - s[q]) / (d[p] - d[q]) * (D[i] - d[q] * one)
                                 : 0;
    for (int k = 0; !two && k < 3; ++k) {
      const double e = d[(k + 1) % 3], f = d[(k + 2) % 3];
      out[i] += s[k] * (square - (e + f) * D[i] + e * f * one) / ((d[k] - e) * (d[k] - f));
    }
  }
}

typedef struct Leads {
  const LeadPlace *place;
  const DiffusionParams *part;
  const double (*tensor)[6]; /* of the sources */
  double (*own)[6];          /* owned; NULL: the diffusivity */
  double factor;             /* 1 over the conductivity of the medium */
  double *weight;            /* owned, [n_read], mesh order of the part */
} Leads;

/* Tensors of the sources. */
static Status leads_begin(const LeadPlace *at, Leads *l) {
  const HeartSetup *own = heart_setup(at->setup);
  const NumberValue *medium = &at->c->output.medium;
  *l = (Leads){.place = at, .part = &own->diffusion, .tensor = own->diffusion.tensor, .factor = 1};
  ALLOC(l->weight, at->n_read, "weights of a lead");
  if (!place_given(medium->place)) return OK;
  const bool squares = at->c->physics->by_velocity;
  const int32_t first = setup_first_solved(at->mesh), n = at->mesh->n_element - first;
  const int32_t *region = own->monodomain.element_region; /* fronts alone have none */
  ALLOC(l->own, n, "conductivities inside the cells");
#pragma omp parallel for schedule(static)
  for (int32_t e = 0; e < n; ++e) {
    const int32_t t = region ? region[e] : at->setup->element_material[first + e];
    const TissueNumbers *number = heart_numbers(own, t, e);
    double D[3];
    for (int k = 0; k < 3; ++k) D[k] = squares ? number->D[k] * number->D[k] : number->D[k];
    conductivity_tensor(heart_tissue(at->c, t)->conductivity.intra.n, D, number->intra, own->diffusion.tensor[e],
                        l->own[e]);
  }
  l->tensor = (const double(*)[6])l->own;
  l->factor = 1 / medium->value;
  return OK;
}

/* What an electrode sees, added to weight times factor; at the nodes that this rank works on, all of its own elements' parts
 * are there. */
static Status see(const Leads *l, const VectorValue *given, double factor) {
  const Mesh *whole = l->place->whole;
  const double height = whole->x[mesh_nodes_of(whole, setup_first_solved(whole))[0]][2];
  double electrode[3];
  for (int k = 0; k < 3; ++k) electrode[k] = k < given->n ? given->value[k] : height;
  char where[1024];
  const Status status =
      lead_field_add(l->place->mesh, l->tensor, l->part->thickness, electrode, factor * l->factor, l->weight);
  return status == OK ? OK
                      : status_context(status, "while preparing the electrode of %s",
                                       place_text(l->place->c->path, given->place, where, sizeof where));
}

/* row[n] += factor times the weights, by rows of the system. */
static void add_rows(const Leads *l, double factor, double *row) {
  const LeadPlace *at = l->place;
  for (int64_t i = 0; i < at->n; ++i)
    row[i] += factor * l->weight[at->diffusion ? diffusion_node(at->diffusion, i) : i];
}

static void forget(const Leads *l) { memset(l->weight, 0, (size_t)l->place->n_read * sizeof *l->weight); }

static Status twelve_leads(const Leads *l, double *whole) {
  for (int k = 0; k < ELECTRODES; ++k) {
    forget(l);
    TRY(see(l, &l->place->c->output.electrodes.at[k], 1));
    for (int lead = 0; lead < STANDARD_LEADS; ++lead) {
      double factor[ELECTRODES];
      lead_factors(lead, factor);
      if (factor[k] != 0) add_rows(l, factor[k], whole + lead * l->place->n);
    }
  }
  return OK;
}

/* Of a torso they are there; a rehearsal has none. */
static void torso_leads(const Heart *h, const HeartSetup *own, double *whole) {
  for (int32_t k = 0; own->lead && k < own->n_lead; ++k)
    for (int64_t i = 0; i < h->n; ++i) whole[k * h->n + i] = own->lead[k * h->n_read + diffusion_node(h->diffusion, i)];
}

Status lead_sources(const LeadPlace *at, double (**out)[6]) {
  const int64_t n = at->mesh->n_element - setup_first_solved(at->mesh);
  Leads l;
  Status status = leads_begin(at, &l);
  *out = NULL;
  if (status == OK && !l.own) status = mem_alloc(n, sizeof **out, "sources of leads", (void **)(void *)out);
  if (status == OK && *out) memcpy(*out, l.tensor, (size_t)n * sizeof **out);
  if (status == OK && l.own) *out = l.own, l.own = NULL;
  FREE(l.own);
  FREE(l.weight);
  return status;
}

Status lead_weights(const LeadPlace *at, double *whole) {
  const Case *c = at->c;
  Leads l;
  Status status = leads_begin(at, &l);
  for (int32_t i = 0; status == OK && i < c->output.ecg.n; ++i) {
    const CaseLead *lead = case_lead(c, i);
    forget(&l);
    status = see(&l, &lead->positive, 1);
    if (status == OK && lead->negative.n) status = see(&l, &lead->negative, -1);
    add_rows(&l, 1, whole + i * at->n);
  }
  if (status == OK && place_given(c->output.electrodes.place))
    status = twelve_leads(&l, whole + c->output.ecg.n * at->n);
  FREE(l.own);
  FREE(l.weight);
  return status;
}

Status heart_leads(const Heart *h, double *whole) {
  const HeartSetup *own = heart_setup(h->part);
  const LeadPlace at = {h->c, h->mesh, own->diffusion.mesh, h->part, h->n_read, h->n, h->diffusion};
  if (!own->n_lead) return lead_weights(&at, whole);
  torso_leads(h, own, whole);
  return OK;
}

/* ---- in a torso ---- */

/* Electrodes of the twelve leads against one of them, then leads of `ecg:`. */
static int32_t list_pairs(const Case *c, const HeartSetup *own, ConductorPair *pair) {
  const int32_t nine = place_given(c->output.electrodes.place) ? ELECTRODES : 0;
  const Electrode *e = own->electrode;
  int32_t n = 0;
  for (int k = 0; k < nine; ++k)
    if (k != LL) pair[n++] = (ConductorPair){&e[k], &e[LL]};
  for (int32_t i = 0; i < c->output.ecg.n; ++i) {
    const Electrode *to = &e[nine + 2 * i + 1];
    pair[n++] = (ConductorPair){&e[nine + 2 * i], to->n ? to : NULL};
  }
  return n;
}

/* lead[leads][n], those of `ecg:` first, from weights of pairs. */
static void join_pairs(const Case *c, int64_t n, const double *weight, double *lead) {
  const int32_t n_ecg = c->output.ecg.n, n_twelve = case_leads(c) - n_ecg;
  memcpy(lead, weight + (n_twelve ? ELECTRODES - 1 : 0) * n, (size_t)(n_ecg * n) * sizeof *lead);
  for (int32_t l = 0; l < n_twelve; ++l) {
    double factor[ELECTRODES], *to = lead + (n_ecg + l) * n;
    lead_factors(l, factor);
    for (int k = 0; k < ELECTRODES; ++k)
      for (int64_t i = 0; k != LL && factor[k] != 0 && i < n; ++i)
        to[i] += factor[k] * weight[(k > LL ? k - 1 : k) * n + i];
  }
}

static Status solve_leads(const Case *c, const Mesh *mesh, Exec *exec, Setup *setup, ConductorPair *pair,
                          double **weight) {
  const double begin = clock_seconds();
  HeartSetup *own = heart_setup(setup);
  Conductor *conductor = NULL;
  const int32_t n = list_pairs(c, own, pair);
  const int64_t n_node = mesh->n_node;
  ALLOC(*weight, n * (n_node + own->n_shock), "weights of leads"); /* of nodes, then of electrodes */
  ALLOC(own->lead, own->n_lead * n_node, "weights of leads");
  ALLOC(own->lead_shock, own->n_lead * (int64_t)own->n_shock, "weights of leads");
  Status status = conductor_create(exec, c, mesh, setup, n, NULL, &conductor);
  if (status == OK && bidomain_means_tissue(c)) status = conductor_mean_over_heart(conductor);
  if (status == OK) status = conductor_leads(conductor, n, pair, *weight, *weight + n * n_node);
  if (status == OK) conductor_work(conductor, &own->lead_solves, &own->lead_iterations);
  conductor_destroy(&conductor);
  if (status == OK) join_pairs(c, n_node, *weight, own->lead);
  if (status == OK) join_pairs(c, own->n_shock, *weight + n * n_node, own->lead_shock);
  own->lead_seconds = clock_seconds() - begin;
  return status;
}

Status setup_leads(const Case *c, const Mesh *mesh, Exec *exec, Setup *setup) {
  const HeartSetup *own = heart_setup(setup);
  ConductorPair *pair = NULL;
  double *weight = NULL;
  if (own->n_lead == 0) return OK;
  ALLOC(pair, own->n_electrode, "leads");
  const Status status = solve_leads(c, mesh, exec, setup, pair, &weight);
  FREE(pair);
  FREE(weight);
  return status == OK ? OK : status_context(status, "while solving for the leads in the torso");
}

/* ---- what that takes of memory, on a part of the heart that stands for the torso ---- */

static Status rehearse_leads(Conductor *conductor, const Case *c, int32_t n_node) {
  const int32_t n_electrode = ELECTRODES + 2 * c->output.ecg.n;
  HeartSetup own = {0};
  ConductorPair *pair = NULL;
  double *weight = NULL;
  Status status = OK;
  ALLOC_DONE(own.electrode, n_electrode, "electrodes");
  ALLOC_DONE(pair, n_electrode, "leads");
  for (int32_t k = 0; k < n_electrode; ++k) own.electrode[k] = (Electrode){.n = 1, .node = {k % n_node}, .share = {1}};
  const int32_t n = list_pairs(c, &own, pair);
  ALLOC_DONE(weight, n * (int64_t)n_node, "weights of leads");
  status = conductor_leads(conductor, n, pair, weight, weight); /* no electrodes act here */
done:
  FREE(own.electrode);
  FREE(pair);
  FREE(weight);
  return status;
}

static Status rehearse_outside(Conductor *conductor, Exec *exec, int32_t n_node) {
  double *v = NULL;
  EXEC_ALLOC(exec, v, 2 * (int64_t)n_node, "extracellular potential");
  const Status status = conductor_potential(conductor, v, v + n_node);
  EXEC_RELEASE(exec, v, 2 * (int64_t)n_node);
  return status;
}

Status rehearse_torso(const Case *c, const Mesh *part, Exec *exec, Setup *setup, bool kept) {
  Conductor *conductor = NULL;
  if (kept ? !case_has_extracellular(c) : case_leads(c) == 0) return OK;
  Status status = conductor_create(exec, c, part, setup, ELECTRODES, NULL, &conductor);
  if (status == OK)
    status = kept ? rehearse_outside(conductor, exec, part->n_node) : rehearse_leads(conductor, c, part->n_node);
  conductor_destroy(&conductor);
  return status;
}
