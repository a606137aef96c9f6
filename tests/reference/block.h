/* A cantilever block of two materials that Sinew and CalculiX both solve: [0,4] x [0,1] x [0,1], inner nodes moved off
 * the grid, clamped at x = 0, pressure on top and gravity across. One mesh, written in both programs' formats. */
#pragma once
#include "tests/testing.h"

typedef enum BlockKind { BLOCK_TET4, BLOCK_TET10, BLOCK_HEX20, N_BLOCK_KINDS } BlockKind;

enum { BLOCK_CELLS = 4, BLOCK_GRID = 2 * 2 * BLOCK_CELLS * 25 + 1000, BLOCK_NODES = 20 };
enum { BLOCK_FREQUENCIES = 2 };

typedef struct Block {
  BlockKind kind;
  const char *name; /* "tet10" */
  int n_node, n_element, n_corner, per_element;
  double x[BLOCK_GRID][3];       /* [n_node] */
  int element[512][BLOCK_NODES]; /* [n_element][per_element], 0-based, Abaqus (CalculiX) order */
  int in_rubber[512];            /* [n_element], 1 where x > 2 */
} Block;

/* How it vibrates when the loads are amplitudes: docs/theory/harmonic.md has the symbols. */
typedef struct BlockShake {
  double loss, alpha, beta;            /* loss, or alpha and beta: CalculiX does not mix them */
  double frequency[BLOCK_FREQUENCIES]; /* Hz, rising */
} BlockShake;

void block_create(BlockKind kind, Block *out);
/* folder/block.msh in MSH 2.2 with groups clamped, top, steel, rubber; folder/case.yaml; folder/block.inp. `shake` is
 * NULL in statics. */
void block_write_sinew(const Block *block, const char *folder, const BlockShake *shake);
void block_write_calculix(const Block *block, const char *folder, const BlockShake *shake);

/* Displacements [n_node][3] in the block's order. From Sinew's result, by running it: every node must be found again by
 * its coordinates. From CalculiX, by running `ccx`. From a committed file. */
void block_solve_sinew(const Block *block, const char *folder, double (*u)[3]);
void block_solve_calculix(const Block *block, const char *folder, double (*u)[3]);
/* u[frequency][0: real part, 1: imaginary part][n_node]. CalculiX superposes modes,
 *   u = sum_i phi_i (phi_i^T F) / (omega_i^2 (1 + i loss) - omega^2 + i omega (alpha + beta omega_i^2)),
 * which with all modes solves Sinew's equation, for mode i then is an eigenvector of all of its matrices. It finds at
 * most a fifth of them, so what static loads leave to the others is added, divided by 1 + i (loss + omega beta) instead
 * of 1 + i loss: an error of (omega / omega_n)^2 of that small part, n the first mode left out (mode acceleration:
 * Craig, Structural Dynamics). */
void block_shake_sinew(const Block *block, const char *folder, const BlockShake *shake, double (*u)[2][BLOCK_GRID][3]);
void block_shake_calculix(const Block *block, const char *folder, const BlockShake *shake,
                          double (*u)[2][BLOCK_GRID][3]);
void block_read_reference(const Block *block, const char *path, double (*u)[3]);
void block_write_reference(const Block *block, const char *path, const char *made_by, double (*u)[3]);
/* Fails the test unless the largest difference is at most 2e-6 of the largest displacement (CalculiX prints 7 digits).
 */
void block_compare(const Block *block, double (*u)[3], double (*reference)[3]);
/* "" or the version that `ccx -v` prints, in text[size]. */
const char *calculix_version(char *text, size_t size);
