/* What the output tests share: a mesh with cells of the kinds asked for, made by hand, and a folder of its own. */
#pragma once
#include "mesh/mesh.h"
#include "output/writer.h"

/* One reference cell of each kind, side by side (4 apart in x, no shared nodes), and two lines that are no cells. Kinds
 * of one dimension, in order. */
Mesh *sample_mesh(int n, const ElementKind *kinds);

/* Groups "first" (number 7: the first cell) and "all" (number 9: every cell), and one of lines. */
void sample_groups(Mesh *mesh);

/* A new folder under /tmp, removed with all in it by sample_clean; not counted by core/memory.h. */
const char *sample_folder(void);
/* "FOLDER/name"; static, of the last few calls. */
const char *sample_path(const char *name);
void sample_clean(void);
/* The whole of a file, zero-terminated, to be freed; NULL when it is not there. */
char *sample_text(const char *name);

/* The value that tests store: exact in binary, different for every field, step, row and component. */
double sample_value(int field, int step, int row, int component);
/* Fields "displacement" [3] nodes, "von-mises" [1] nodes, "stress" [6] cells, "activation" [1] nodes once. */
enum { SAMPLE_FIELDS = 4 };
extern const WriterField sample_field[SAMPLE_FIELDS];
/* How results are stored: bit 0 single, bit 1 packed; 0 at first. */
extern int sample_storage;
/* Parameters of a writer into sample_folder(). */
WriterParams sample_params(const Mesh *mesh, int64_t n_step);
/* Values of step k in memory that sample_release frees; the field written once is left out in step 1. */
void sample_values(const Mesh *mesh, int k, const double *values[SAMPLE_FIELDS]);
void sample_release(const double *values[SAMPLE_FIELDS]);
/* Stores step k (from 0) at time k / 2. */
Status sample_step(Writer *writer, const Mesh *mesh, int k);
/* Checks results.hdf in the sample folder: opens, holds at least `least` and at most `most` steps, each with the right
 * time and values. Answers the steps, -1 when there is no such file. */
int sample_check(const Mesh *mesh, int least, int most);
