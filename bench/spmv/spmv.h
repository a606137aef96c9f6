/* What the files of `sinew bench spmv` share. bench_spmv.c goes through the matrices, spmv_sources.c lists them,
 * spmv_generated.c makes those of the ELL-WARP paper's character, spmv_graphs.c the sets, spmv_variants.c says what is tried, spmv_measure.c
 * times and checks one variant, spmv_report.c prints and writes, spmv_verdict.c judges the choice. */
#pragma once
#include "bench/measure.h"
#include "output/json.h"
#include "algebra/format_choice.h"

enum { SPMV_VARIANTS = 96, SPMV_TEXT = 160, SPMV_NAME = 64, SPMV_PATH = 1024 };

/* Where a matrix comes from. */
typedef enum SpmvFamily { SPMV_BOX, SPMV_GMSH, SPMV_HEART, SPMV_GENERATED, SPMV_GRAPH, SPMV_MARKET } SpmvFamily;
typedef struct SpmvSource {
  char name[SPMV_NAME];
  SpmvFamily family;
  int32_t index;         /* of the box problem or the generated matrix */
  int32_t refine;        /* of a mesh file */
  bool judged;           /* the rule of the choice was not fitted on it */
  bool shuffled, healed; /* a box whose nodes are numbered at random, and as `numbering: auto` has it after that */
  char path[SPMV_PATH];  /* of a mesh file; "" when it has to be made */
} SpmvSource;

/* The matrices that `params` ask for; owned by the caller (core/memory.h). ERR_IO when --meshes names no folder,
 * ERR_USAGE when nothing is left by --only. */
Status spmv_sources(const BenchParams *params, SpmvSource **out, int *n);
/* Its pattern, owned by the caller. *out is NULL with a reason in why[SPMV_TEXT] when it cannot be made here. */
Status spmv_pattern(const BenchParams *params, const SpmvSource *source, Pattern **out, char *why);
/* Takes the first line of the message chain into why[SPMV_TEXT] and forgets the chain. */
void spmv_why(char *why);
/* Matrices with the row lengths of the ELL-WARP paper's Table II: name, or NULL past the end. */
const char *spmv_generated_name(int i);
Status spmv_generated(int i, int32_t percent, Pattern **out);
/* Matrices of many characters, in sets. */
const char *spmv_graph_name(int i);
bool spmv_graph_judged(int i);
Status spmv_graph(int i, int32_t percent, Pattern **out);
/* A permutation, the same every time. */
void spmv_shuffle(int32_t n, int32_t *rank);

/* One way to store a matrix, and what came of it; by Precision. Half and int8 are copies that SBELL makes; 0 elsewhere.
 */
enum { SPMV_PRECISIONS = 4 };
typedef struct SpmvFigure {
  MatParams params;
  char label[SPMV_NAME];
  char cannot[SPMV_TEXT];          /* why it was not measured; "" when it was */
  bool natural;                    /* vectors keep their numbering: what a solver can use as it is */
  double padding;                  /* values stored per entry */
  double build;                    /* s on the host, upload included */
  double bytes[SPMV_PRECISIONS];   /* of one product: matrix and both vectors */
  double seconds[SPMV_PRECISIONS]; /* of one product */
  double refresh[2];               /* s for new values from CSR order, on the Exec */
  double error[SPMV_PRECISIONS];   /* largest |y - Ax| / (|A||x|) of a row */
  double predicted[2];             /* s, by format_predict; 0: not in the model */
} SpmvFigure;

typedef struct SpmvRun {
  Exec *exec;
  const BenchParams *params;
  FormatMachine machine;
  double copy; /* GB/s */
  const SpmvSource *source;
  const Pattern *pattern;
  RowProfile profile;
  int64_t n, entries;        /* scalar rows, scalar entries */
  double *value;             /* on the Exec, [entries] in the pattern's order of blocks */
  double *x, *wanted, *size; /* on the host, [n]: vector, product, |A||x| */
  void *there_x, *there_y;   /* on the Exec, double[n], also used for floats */
  double *here;              /* on the host, [n] */
  SpmvFigure *figure;        /* [n_figure] */
  int n_figure;
  int choice[2]; /* which of them format_choose picks; -1: it could not be measured */
  RivalTimes rival[2];
} SpmvRun;

/* Fills run->figure with all variants to be tried, those of the choice among them. */
Status spmv_variants(SpmvRun *run);
/* s, by the model; 0: not in it. And the most with which it is measured. */
double spmv_predicted(const SpmvRun *run, const SpmvFigure *figure);
double spmv_limit(const SpmvRun *run);
/* Values, vectors and the reference product; released by spmv_run_release, also after a failure. */
Status spmv_run_create(SpmvRun *run);
void spmv_run_release(SpmvRun *run);
/* Times and checks one. What the format refuses goes into figure->cannot; ERR_NUMERIC when a product is wrong. */
Status spmv_measure(SpmvRun *run, SpmvFigure *figure);
Status spmv_rivals(SpmvRun *run);

/* The fastest measured one, only of natural numbering when `natural`; -1: none. */
int spmv_best(const SpmvRun *run, int precision, bool natural);
/* Seconds of the vendor's best product; 0 when there is none. */
double spmv_vendor(const SpmvRun *run, int precision);
/* Products after which `spent` seconds are won back against `rival`; 0: never. */
double spmv_paid_off(double spent, double seconds, double rival);
/* The table of a matrix; as Markdown when `markdown`. */
void spmv_print(const SpmvRun *run, bool markdown, FILE *out);
void spmv_write(const SpmvRun *run, Json *json);

/* What came of one matrix in one precision. */
typedef struct SpmvVerdict {
  char matrix[SPMV_NAME], best_label[SPMV_NAME], chosen_label[SPMV_NAME];
  int precision;
  bool judged;
  double best, chosen, vendor; /* s; vendor 0: none */
} SpmvVerdict;
enum { SPMV_VERDICTS = 512 };
typedef struct SpmvVerdicts {
  SpmvVerdict verdict[SPMV_VERDICTS];
  int n;
} SpmvVerdicts;
void spmv_verdict_add(SpmvVerdicts *all, const SpmvRun *run);
/* The table of all and the regret over each half. */
void spmv_verdict_report(const SpmvVerdicts *all, FILE *out, Json *json);

/* Every product of a matrix and what the rule sees of it, as lines with commas. */
void spmv_dump_head(FILE *file);
void spmv_dump(const SpmvRun *run, FILE *file);
