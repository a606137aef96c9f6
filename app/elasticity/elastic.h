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
  Support *support;         /* owned */
  Load *load;               /* owned */
} ElasticSetup;
void elastic_setup_release(void *own);
static inline ElasticSetup *elastic_setup(const Setup *setup) {
  assert(setup->own && setup->own_release == elastic_setup_release);
  return (ElasticSetup *)setup->own;
}
/* setup_axes.c: axes of the materials with directions, to material[m].axes. */
Status setup_axes(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
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
/* elastic_cut.c: Physics.cut. */
Status elastic_cut(const Setup *whole, const MeshSample *sample, Setup *part);
