/* Data that the runs of all analyses share; run_elasticity.c is their common pipeline. */
#pragma once
#include "app/elasticity/analysis.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/elastic_fields.h"
#include "app/elasticity/elastic_system.h"
#include "app/run/ranks.h"
#include "app/run/result_stream.h"

/* "point-stress-3": the third integration point of each element, of a row. */
typedef struct PointField {
  char name[64];
  int32_t row, q;
} PointField;

/* Cells beside the body, in the same run. */
typedef struct ElasticCells {
  void *context;
  Status (*drive)(void *context,
                  double time); /* tells muscle what it goes by (elasticity_drive); NULL: there are none */
  Status (*take)(void *context, CellField field, double *room); /* of now, in the mesh's order, on the Exec */
  int32_t n_lead, first_lead;                   /* numbers behind others of a sample, which `leads` writes; 0: none */
  Status (*leads)(void *context, double *room); /* of now, on the Exec */
  bool watched;  /* stretches and tensions of a muscle are looked at, with cells or without: */
  int32_t first; /* of the states that are recovered: fiber-stretch, and behind it tension */
} ElasticCells;

/* What probes within elements see at interfaces (steps_sides.c), and sums of contact (contact_sums.c): numbers of a sample. */
typedef struct ElasticSides {
  bool there;                                    /* probes have some, on some rank */
  int64_t n_sum;                                 /* the last ones of n: three of each sum of contact */
  int64_t n, first;                              /* numbers, all on rank 0, and what is ahead of them in a sample, */
  Status (*sample)(void *context, double *room); /* which this takes; NULL: nothing is */
  Status (*gather)(void *context, const double *mine, double *whole); /* and this, of several ranks */
  double *value; /* owned, [n], of the time that is stored: the nodes of each probe in turn; NaN: what the node has */
} ElasticSides;

struct ElasticRun {
  Run *run; /* borrowed */
  const Analysis *analysis;
  Setup setup; /* of the mesh, as is all below owned */
  LinearParams linear;
  Elasticity *elasticity;
  int64_t n; /* unknowns that are here, halo included */
  Mat *a;
  double *u; /* on the Exec, [n] */
  LinearSolver *solver;
  const SumParts *parts;   /* of sums in the solve */
  Stepper *stepper;        /* NULL: there are no steps in time */
  FieldBits needed;        /* FIELD_... of the files */
  ElasticFields fields;    /* what is recovered of the time that is stored, */
  ElasticFields motion[2]; /* of velocity and of acceleration, where there is inertia */
  int32_t *state;          /* of rows of states: the first, second ... that is recovered */
  ElasticSpread spread;
  ResultStream *stream;
  Text tables;          /* of the stream's thread, where it has one */
  int64_t *point_start; /* NULL: nothing is of integration points */
  PointField *point;    /* fields of the files that are the k-th point of each element, behind the rows */
  ElasticCells cells;
  ElasticSides sides;
  bool stored; /* the last step goes to the files, or is in them */
  void *own;   /* of the analysis, Analysis.own bytes that were 0 */
};
static inline ElasticityParams *elastic_run_params(ElasticRun *r) {
  return &elastic_setup(run_setup(r->run, &r->setup))->params;
}
/* r->u, with the prescribed values of the start. */
Status elastic_run_u(ElasticRun *r);
/* Gives back what is in an ElasticRun, and closes its files. */
Status elastic_run_release(void *run);
/* ---- run_steps_output.c: results.hdf, probes.csv, and the rows of `expect:` that name a time; or those of the run that is
 * resumed go on ---- */
/* `params` has the columns of the history, and a sample where there is one; r is its context. */
Status elastic_run_stream(ElasticRun *r, StreamParams *params);
/* One time, the report's, to the files, or for peaks alone: displacement, velocity and acceleration, on the Exec; no velocity: there
 * is no inertia. */
Status elastic_run_store(ElasticRun *r, const double *const u[3]);
/* ---- run_peaks.c ---- */
/* What has to be recovered of each step for peaks of all; 0: there are none. What elastic_run_store has recovered to them, collective;
 * and in the end all of them to the report. */
FieldBits elastic_peaks_needed(const ElasticRun *r);
Status elastic_peaks_see(ElasticRun *r);
void elastic_peaks_tell(const ElasticRun *r);
/* ---- steps_sides.c ---- */
/* Adds them to the sample of the stream. Collective. */
Status elastic_sides_open(ElasticRun *r, StreamParams *params);
/* Of the fields that are recovered. Collective. */
Status elastic_sides_take(ElasticRun *r);
/* What a probe shows of a field; *side: its numbers of the sample, and then those of the next. */
double elastic_sides_at(const ElasticRun *r, int32_t probe, const double *of, const double **side);
/* ---- contact_sums.c ---- */
/* How many sums are of contact; what they are now, value[3 each]; and of these columns of all sums. */
int32_t contact_sums(const Case *c);
Status contact_sums_take(ElasticRun *r, double *value);
void contact_sums_columns(const Case *c, const double *sample, double *value);
