/* Between the files of elasticity's runs: from a solution to what the user asked for. */
#pragma once
#include "app/run/run.h"
#include "app/setup/mesh_sample.h"
#include "app/setup/setup.h"
#include "assembly/elasticity/elasticity.h"

#include <assert.h>

typedef struct ElasticSetup {
  ElasticityParams params;  /* points into the arrays below */
  MaterialValues *material; /* owned, one per entry of `materials:` */
  double (**axes)[9];       /* owned with its items, one per entry: [n_solved] where they are data of the mesh */
  MaterialVarying *varying; /* owned, of all materials */
  ScalarSource *density;    /* owned, one per material */
  ScalarSource temperature; /* above the reference */
  double **numbers;         /* owned with its items, [n_numbers]: of sources that the mesh does not hold */
  int32_t n_numbers;
  Support *support; /* owned */
  Load *load;       /* owned */
} ElasticSetup;
void elastic_setup_release(void *own);
static inline ElasticSetup *elastic_setup(const Setup *setup) {
  assert(setup->own && setup->own_release == elastic_setup_release);
  return (ElasticSetup *)setup->own;
}
/* setup_axes.c: axes of the materials with directions, to material[m].axes. */
Status setup_axes(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* setup_body.c: loads in the inside of the body. */
Status setup_body(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* setup_thermal.c: what varies with the place, parameters of materials and the temperature. */
Status setup_varying(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* The next of setup->numbers. */
Status elastic_numbers(ElasticSetup *setup, int64_t n, const char *what, double **out);
Status setup_thermal(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* setup_elasticity.c: a load on a group (NULL: nothing to do). */
Status elastic_add_load(const Case *c, LoadKind kind, const Group *on, const ExprsValue *value, Place place,
                        Setup *setup);
/* setup_advice.c: warns of elements that give too small displacements. */
void setup_elastic_advice(const Case *c, const Mesh *mesh, const Setup *setup);

/* Bits of assembly's FIELD_... that the case's fields, probes and sums need. */
unsigned results_needed(const Case *c);
/* Values of all probes, then of all sums. */
Status results_columns(const Case *c, const Mesh *mesh, const Setup *setup, const ElasticFields *fields, double *value);
/* results.hdf, results.xdmf and probes.csv. They are made, with the mesh, before the fields are there; `fields`, which
 * are read by results_store, stays where it is until they are closed. Whatever comes, results_close follows: it accepts NULL and sets NULL. */
typedef struct StaticOutput StaticOutput;
Status results_open(Run *run, const Setup *setup, const ElasticFields *fields, StaticOutput **out);
/* The one step; the run's report gives the history. */
Status results_store(StaticOutput *output);
Status results_close(StaticOutput **output);
/* elastic_collect.c: the fields of this rank's share to those of the whole, on rank 0; elsewhere *to is empty. The
 * energies of elements are among them. Whatever comes, elastic_collect_release puts *to away. */
Status elastic_collect(const Run *run, const ElasticFields *from, ElasticFields *to);
void elastic_collect_release(ElasticFields *fields);
/* elastic_cut.c: Physics.cut. */
Status elastic_cut(const Setup *whole, const MeshSample *sample, Setup *part);
