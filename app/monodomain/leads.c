/* What leads are made of: weights of the potential at the nodes, which an electrode at a point sees (lead_field.h). Without
 * `medium:` sources are -D grad V; with it they are those of the conductivities inside the cells, over that of the medium
 * (Gima and Rudy 2002, Circulation Research 90, 889-896): in mV. */
#include "app/monodomain/heart.h"
#include "assembly/monodomain/lead_field.h"
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
void intra_tensor(const CaseTissue *tissue, const double D[6], double out[6]) {
  static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2},
                   at[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  const CaseDiffusivity *given = &tissue->diffusivity;
  const double d[3] = {given->along.value, given->across.value, given->normal.value};
  const double *s = tissue->conductivity.intra.value;
  int p, q;
  const bool two = two_values(d, tissue->conductivity.intra.n, &p, &q);
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
  const Heart *h;
  const DiffusionParams *part;
  const double (*tensor)[6]; /* of the sources */
  double (*own)[6];          /* owned; NULL: the diffusivity */
  double factor;             /* 1 over the conductivity of the medium */
  double *weight;            /* owned, [n_read], mesh order of the part */
} Leads;

/* Tensors of the sources. */
static Status leads_begin(const Heart *h, Leads *l) {
  const HeartSetup *own = heart_setup(h->part);
  const NumberValue *medium = &h->c->output.medium;
  *l = (Leads){.h = h, .part = &own->diffusion, .tensor = own->diffusion.tensor, .factor = 1};
  ALLOC(l->weight, h->n_read, "weights of a lead");
  if (!place_given(medium->place)) return OK;
  const int32_t n = l->part->mesh->n_element - setup_first_solved(l->part->mesh);
  ALLOC(l->own, n, "conductivities inside the cells");
#pragma omp parallel for schedule(static)
  for (int32_t e = 0; e < n; ++e)
    intra_tensor(heart_tissue(h->c, own->monodomain.element_region[e]), own->diffusion.tensor[e], l->own[e]);
  l->tensor = (const double(*)[6])l->own;
  l->factor = 1 / medium->value;
  return OK;
}

/* What an electrode sees, added to weight times factor; at the nodes that this rank works on, all of its own elements' parts
 * are there. */
static Status see(const Leads *l, const VectorValue *given, double factor) {
  const Mesh *whole = l->h->mesh;
  const double height = whole->x[mesh_nodes_of(whole, setup_first_solved(whole))[0]][2];
  double electrode[3];
  for (int k = 0; k < 3; ++k) electrode[k] = k < given->n ? given->value[k] : height;
  char where[1024];
  const Status status = lead_field_add(l->part->mesh, l->tensor, electrode, factor * l->factor, l->weight);
  return status == OK ? OK
                      : status_context(status, "while preparing the electrode of %s",
                                       place_text(l->h->c->path, given->place, where, sizeof where));
}

/* row[n] += factor times the weights, by rows of the system. */
static void add_rows(const Leads *l, double factor, double *row) {
  for (int64_t i = 0; i < l->h->n; ++i) row[i] += factor * l->weight[diffusion_node(l->h->diffusion, i)];
}

static void forget(const Leads *l) { memset(l->weight, 0, (size_t)l->h->n_read * sizeof *l->weight); }

static Status twelve_leads(const Leads *l, double *whole) {
  for (int k = 0; k < ELECTRODES; ++k) {
    forget(l);
    TRY(see(l, &l->h->c->output.electrodes.at[k], 1));
    for (int lead = 0; lead < STANDARD_LEADS; ++lead) {
      double factor[ELECTRODES];
      lead_factors(lead, factor);
      if (factor[k] != 0) add_rows(l, factor[k], whole + lead * l->h->n);
    }
  }
  return OK;
}

Status heart_leads(const Heart *h, double *whole) {
  const Case *c = h->c;
  Leads l;
  Status status = leads_begin(h, &l);
  for (int32_t i = 0; status == OK && i < c->output.ecg.n; ++i) {
    const CaseLead *lead = case_lead(c, i);
    forget(&l);
    status = see(&l, &lead->positive, 1);
    if (status == OK && lead->negative.n) status = see(&l, &lead->negative, -1);
    add_rows(&l, 1, whole + i * h->n);
  }
  if (status == OK && place_given(c->output.electrodes.place))
    status = twelve_leads(&l, whole + c->output.ecg.n * h->n);
  FREE(l.own);
  FREE(l.weight);
  return status;
}
