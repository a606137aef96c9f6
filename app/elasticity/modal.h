/* Modal analysis and buckling: keys, driver and results. */
#pragma once
#include "app/elasticity/elastic_run.h"
#include "solver/eigen/eigen.h"

/* In the order of the first words of quantities in case_elasticity.c; those from MODAL_FREQUENCY on are of a mode. */
typedef enum ModalQuantity {
  MODAL_UNKNOWNS,
  MODAL_ITERATIONS,
  MODAL_RIGID,
  MODAL_FREQUENCY,
  MODAL_PARTICIPATION,
  MODAL_EFFECTIVE_MASS = MODAL_PARTICIPATION + 3,
  MODAL_LOAD_FACTOR = MODAL_EFFECTIVE_MASS + 3,
  N_MODAL_QUANTITIES
} ModalQuantity;

/* Nodal diameter i of `diameters:`, checked, and how many modes there are in all. */
int32_t modal_diameter(const Case *c, int32_t i);
int32_t modal_count(const Case *c);
/* Factors of the load, not frequencies. */
#define MODAL_RTOL 1e-6 /* the error of a value is about the square of this */
bool modal_buckles(const Case *c);
/* There is a load that counts: of buckling, or of modes of a body under stress. */
bool modal_loaded(const Case *c);
void modal_check(Case *c, Diagnostics *out);
/* Of rows of `expect:`, that those which are of a mode say which, and no others do. */
void modal_check_expected(const Case *c, Diagnostics *out);

/* ---- modal_basis.c ---- */
/* eigen_begin; ERR_INPUT where unknowns have no mass, with the place of the density in the case. */
Status modal_begin(const Case *c, EigenSolver *solver);

/* ---- modal_rigid.c ---- */
/* Rigid motions that supports leave free; ERR_INPUT where pieces can fold, or where fewer unknowns than modes are
 * left, with the place in the case. */
Status modal_motions(const Case *c, const Elasticity *elasticity, int32_t *n);
/* A warning of each part that can move freely although ties, rigid groups or equations join it. ERR_MEMORY. */
Status joined_motions_warn(const Elasticity *elasticity);
/* They are deflated. */
Status modal_deflate(const Elasticity *elasticity, EigenSolver *solver);
/* Columns of translations, host [rows][8], owned by the caller. */
Status modal_translations(const Elasticity *elasticity, double **out);

/* ---- modal_prestress.c ---- */
typedef struct ModalMasses {
  ElasticityMass *geometric, *turning; /* borrowed: has the pairs of elements; has the density of what turns */
} ModalMasses;
/* The displacement under the load and its stress at integration points, k being the stiffness, the run with sums over the parts of its
 * unknowns. Not `stressed`: the body follows its
 * load and its heat without stress, but for rounding. Whatever comes, `out` is to be released. */
Status modal_stress(const Run *run, Elasticity *elasticity, const Mat *k, const LinearParams *linear, double *u,
                    ElasticFields *out, bool *stressed);
/* to = the geometric stiffness of that; from then on modal_forget. */
Status modal_stressed(Elasticity *elasticity, const ModalMasses *masses, const ElasticFields *stress, Mat *to);
/* Modes stretch what is heated and stressed already. */
Status modal_forget(Elasticity *elasticity);

/* ---- run_modal_output.c ---- */
typedef struct ModalOutput {
  Run *run; /* borrowed, as are the next two */
  const Setup *setup;
  Elasticity *elasticity;
  FieldBits needed;     /* FIELD_... */
  int64_t mode;         /* being stored, from 1 */
  double last;          /* time of the one before */
  ElasticFields own;    /* owned, of what is here */
  ElasticFields fields; /* the same of the whole mesh: views, of several ranks owned, on rank 0 */
  ResultStream *stream; /* owned */
} ModalOutput;
/* Makes the files; `out` stays where it is until it is closed. */
Status modal_output_create(Run *run, const Setup *setup, Elasticity *elasticity, ModalOutput *out);
/* ERR_IO when the last flush failed. */
Status modal_output_close(ModalOutput *output);
/* The next mode: its vector on the Exec and its row of the report, whose participation gets the sign of the shape. */
Status modal_output_store(ModalOutput *output, const double *u, ModeRow *row);
/* The shapes of all modes of the solver about a state, `state` [n_node][3] being its displacement, to modes/results.hdf; `out` as of
 * _create, and u, on the Exec, is room for a vector. */
Status modal_shapes_save(ModalOutput *out, const double (*state)[3], EigenSolver *solver, double *u);
/* modes.csv of all modes. */
Status modal_output_table(const ModalOutput *output);
/* ---- analysis_modal.c ---- */
double modal_iterations(const Case *c);
/* Modes of small motions about w->u, with all that load steps have left: to the report, modes.csv and modes/results.hdf. The matrix of the steps
 * is that of these modes then, and w->u is lost. ERR_INPUT: the body is not held; ERR_NUMERIC: it has no frequencies. */
Status modal_of_state(ElasticRun *w);
void modal_save_modes(const RunReport *report, Json *json);
void modal_print_modes(const RunReport *report, const Case *c);
