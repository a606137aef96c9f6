/* The mesh of the block and its two input files, see block.h. */
#include "tests/reference/block.h"
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NX = 2 * BLOCK_CELLS, NY = 4, NZ = 4 }; /* the doubled grid: corners at even, mid-nodes at odd indices */

/* Corners of a cell in the order of a hexahedron, and the six tetrahedra around its diagonal 0-6. */
static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                 {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
static const int tet[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
/* Edges whose middles follow the corners, in the order of Abaqus. */
static const int tet_edge[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
static const int hex_edge[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                    {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
/* Faces by number S1, S2, ... of CalculiX: corners and mid-nodes, seen from outside. */
static const int tet_face[4][6] = {{0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {2, 0, 3, 6, 7, 9}};
static const int hex_face[6][8] = {{0, 3, 2, 1, 11, 10, 9, 8},   {4, 5, 6, 7, 12, 13, 14, 15},
                                   {0, 1, 5, 4, 8, 17, 12, 16},  {1, 2, 6, 5, 9, 18, 13, 17},
                                   {2, 3, 7, 6, 10, 19, 14, 18}, {3, 0, 4, 7, 11, 16, 15, 19}};
/* Gmsh's node i of an element is Abaqus' node order[i]. */
static const int order_tet10[10] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
static const int order_hex20[20] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 9, 17, 10, 18, 19, 12, 15, 13, 14};

static int grid_id(const int i[3]) { return i[0] + (NX + 1) * (i[1] + (NY + 1) * i[2]); }

/* A corner's place: on the grid at the surface, moved inside by a fixed rule. Rounded to 6 decimals, so that few digits
 * say it exactly: CalculiX reads 20 characters per number. */
static void corner_place(const int i[3], double x[3]) {
  const int last[3] = {NX, NY, NZ};
  for (int c = 0; c < 3; ++c) {
    x[c] = 0.5 * i[c] * (c ? 0.5 : 1);
    if (i[c] > 0 && i[c] < last[c]) x[c] += 0.06 * sin(1.7 * i[0] + 2.3 * i[1] + 3.1 * i[2] + c);
    x[c] = round(x[c] * 1e6) / 1e6;
  }
}

/* A mid-node lies half-way between the corners around it. */
static void node_place(const int i[3], double x[3]) {
  const int odd[3] = {i[0] % 2, i[1] % 2, i[2] % 2};
  double a[3], b[3];
  corner_place((int[]){i[0] - odd[0], i[1] - odd[1], i[2] - odd[2]}, a);
  corner_place((int[]){i[0] + odd[0], i[1] + odd[1], i[2] + odd[2]}, b);
  for (int c = 0; c < 3; ++c) x[c] = (a[c] + b[c]) / 2;
}

static int node_at(Block *block, int *number, const int i[3]) {
  int *n = &number[grid_id(i)];
  if (*n < 0) {
    *n = block->n_node++;
    node_place(i, block->x[*n]);
  }
  return *n;
}

static void add_element(Block *block, int *number, const int cell[3], const int *corners, const int edges[][2],
                        int n_edge) {
  int place[8][3], *element = block->element[block->n_element];
  for (int a = 0; a < block->n_corner; ++a) {
    for (int c = 0; c < 3; ++c) place[a][c] = 2 * (cell[c] + corner[corners ? corners[a] : a][c]);
    element[a] = node_at(block, number, place[a]);
  }
  for (int e = 0; e < n_edge; ++e) {
    int middle[3];
    for (int c = 0; c < 3; ++c) middle[c] = (place[edges[e][0]][c] + place[edges[e][1]][c]) / 2;
    element[block->n_corner + e] = node_at(block, number, middle);
  }
  block->in_rubber[block->n_element++] = cell[0] >= BLOCK_CELLS / 2;
}

void block_create(BlockKind kind, Block *out) {
  static const char *const names[] = {"tet4", "tet10", "hex20"};
  memset(out, 0, sizeof *out);
  out->kind = kind;
  out->name = names[kind];
  out->n_corner = kind == BLOCK_HEX20 ? 8 : 4;
  out->per_element = kind == BLOCK_TET4 ? 4 : kind == BLOCK_TET10 ? 10 : 20;
  int number[(NX + 1) * (NY + 1) * (NZ + 1)];
  for (size_t i = 0; i < sizeof number / sizeof *number; ++i) number[i] = -1;
  for (int k = 0; k < NZ / 2; ++k)
    for (int j = 0; j < NY / 2; ++j)
      for (int i = 0; i < NX / 2; ++i) {
        if (kind == BLOCK_HEX20) add_element(out, number, (int[]){i, j, k}, NULL, hex_edge, 12);
        else
          for (int t = 0; t < 6; ++t)
            add_element(out, number, (int[]){i, j, k}, tet[t], tet_edge, kind == BLOCK_TET10 ? 6 : 0);
      }
}

static int faces(const Block *block) { return block->kind == BLOCK_HEX20 ? 6 : 4; }
static int face_nodes(const Block *block) { return block->kind == BLOCK_TET4 ? 3 : block->kind == BLOCK_TET10 ? 6 : 8; }
static const int *face(const Block *block, int f) { return block->kind == BLOCK_HEX20 ? hex_face[f] : tet_face[f]; }

/* True when all nodes of face f lie in the plane x[axis] = value. */
static bool face_in_plane(const Block *block, int e, int f, int axis, double value) {
  for (int a = 0; a < face_nodes(block); ++a)
    if (fabs(block->x[block->element[e][face(block, f)[a]]][axis] - value) > 1e-12) return false;
  return true;
}

static FILE *create(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  if (!file) fail_msg("cannot write '%s'", path);
  return file;
}

/* Writes the faces in a plane as elements of a group; returns the next element number. Counts only when file is NULL.
 */
static int write_faces(const Block *block, FILE *file, int next, int axis, double value, int group) {
  static const int type[] = {2, 9, 16}; /* tri3, tri6, quad8 */
  for (int e = 0; e < block->n_element; ++e)
    for (int f = 0; f < faces(block); ++f) {
      if (!face_in_plane(block, e, f, axis, value)) continue;
      if (file) {
        fprintf(file, "%d %d 2 %d %d", next, type[block->kind], group, group);
        for (int a = 0; a < face_nodes(block); ++a) fprintf(file, " %d", block->element[e][face(block, f)[a]] + 1);
        fputc('\n', file);
      }
      ++next;
    }
  return next;
}

static void write_msh(const Block *block, const char *folder) {
  static const int type[] = {4, 11, 17};
  FILE *file = create(folder, "block.msh");
  fprintf(file,
          "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n2 1 \"clamped\"\n2 2 \"top\"\n3 3 \"steel\"\n"
          "3 4 \"rubber\"\n$EndPhysicalNames\n$Nodes\n%d\n",
          block->n_node);
  for (int i = 0; i < block->n_node; ++i)
    fprintf(file, "%d %.17g %.17g %.17g\n", i + 1, block->x[i][0], block->x[i][1], block->x[i][2]);
  int next = write_faces(block, NULL, write_faces(block, NULL, 1, 0, 0, 1), 2, 1, 2);
  fprintf(file, "$EndNodes\n$Elements\n%d\n", next - 1 + block->n_element);
  next = write_faces(block, file, write_faces(block, file, 1, 0, 0, 1), 2, 1, 2);
  for (int e = 0; e < block->n_element; ++e) {
    fprintf(file, "%d %d 2 %d %d", next++, type[block->kind], 3 + block->in_rubber[e], 3 + block->in_rubber[e]);
    for (int a = 0; a < block->per_element; ++a) {
      const int b = block->kind == BLOCK_TET10 ? order_tet10[a] : block->kind == BLOCK_HEX20 ? order_hex20[a] : a;
      fprintf(file, " %d", block->element[e][b] + 1);
    }
    fputc('\n', file);
  }
  fprintf(file, "$EndElements\n");
  fclose(file);
}

void block_write_sinew(const Block *block, const char *folder, const BlockShake *shake) {
  char analysis[256] = "", text[2048];
  write_msh(block, folder);
  if (shake)
    snprintf(analysis, sizeof analysis,
             "analysis: {type: harmonic, frequency: [%g, %g], damping: {loss-factor: %g, alpha: %g, beta: %g}}\n",
             shake->frequency[0], shake->frequency[1], shake->loss, shake->alpha, shake->beta);
  snprintf(text, sizeof text,
           "version: 1\nmesh: {file: block.msh}\nphysics: elasticity\nmodel: 3d\n%s"
           "materials:\n  - {on: steel, young: 2000, poisson: 0.3, density: 2}\n  - {on: rubber, young: 500, poisson: "
           "0.4, density: 1}\n"
           "boundary:\n  - {on: clamped, fix: all}\n  - {on: top, pressure: 1.5}\n"
           "body:\n  - {on: steel, gravity: [0, 3, 0]}\n  - {on: rubber, gravity: [0, 3, 0]}\n"
           "solver: {rtol: 1e-11}\noutput: {fields: [displacement]}\n",
           analysis);
  put_text(folder, "case.yaml", text);
}

static void write_elements(const Block *block, FILE *file, bool rubber) {
  static const char *const type[] = {"C3D4", "C3D10", "C3D20"};
  fprintf(file, "*ELEMENT, TYPE=%s, ELSET=%s\n", type[block->kind], rubber ? "RUBBER" : "STEEL");
  for (int e = 0; e < block->n_element; ++e) {
    if (block->in_rubber[e] != rubber) continue;
    fprintf(file, "%d", e + 1);
    for (int a = 0; a < block->per_element; ++a) fprintf(file, a == 14 ? ",\n%d" : ", %d", block->element[e][a] + 1);
    fputc('\n', file);
  }
}

static void write_loads(const Block *block, FILE *file) {
  fprintf(file, "*DLOAD\nSTEEL, GRAV, 3, 0, 1, 0\nRUBBER, GRAV, 3, 0, 1, 0\n");
  for (int e = 0; e < block->n_element; ++e)
    for (int f = 0; f < faces(block); ++f)
      if (face_in_plane(block, e, f, 2, 1)) fprintf(file, "%d, P%d, 1.5\n", e + 1, f + 1);
}

/* As many modes as CalculiX finds: ARPACK's basis of five times as many vectors must fit into the unknowns. */
static int modes(const Block *block) {
  int n_free = 0;
  for (int i = 0; i < block->n_node; ++i) n_free += fabs(block->x[i][0]) > 1e-12;
  return 3 * n_free / 5;
}

/* Modes, then the response at nearly 0 Hz and at the frequencies. */
static void write_shake(const Block *block, FILE *file, const BlockShake *shake) {
  fprintf(file, "*STEP\n*FREQUENCY, STORAGE=YES\n%d\n*END STEP\n", modes(block));
  for (int k = -1; k < BLOCK_FREQUENCIES; ++k) {
    const double f = k < 0 ? 1e-6 : shake->frequency[k];
    fprintf(file, "*STEP\n*STEADY STATE DYNAMICS\n%g, %g, 1\n", f, f);
    if (!(shake->loss > 0)) fprintf(file, "*MODAL DAMPING, RAYLEIGH\n,, %g, %g\n", shake->alpha, shake->beta);
    write_loads(block, file);
    fprintf(file, "*NODE PRINT, NSET=ALL\nU\n*END STEP\n");
  }
}

void block_write_calculix(const Block *block, const char *folder, const BlockShake *shake) {
  FILE *file = create(folder, "block.inp");
  char damping[64] = "";
  if (shake && shake->loss > 0) snprintf(damping, sizeof damping, "*DAMPING, STRUCTURAL=%g\n", shake->loss);
  fprintf(file, "*NODE, NSET=ALL\n");
  for (int i = 0; i < block->n_node; ++i)
    fprintf(file, "%d, %.9f, %.9f, %.9f\n", i + 1, block->x[i][0], block->x[i][1], block->x[i][2]);
  write_elements(block, file, false);
  write_elements(block, file, true);
  fprintf(file,
          "*MATERIAL, NAME=MSTEEL\n*ELASTIC\n2000, 0.3\n*DENSITY\n2\n%s*MATERIAL, NAME=MRUBBER\n*ELASTIC\n500, 0.4\n"
          "*DENSITY\n1\n%s*SOLID SECTION, ELSET=STEEL, MATERIAL=MSTEEL\n*SOLID SECTION, ELSET=RUBBER, "
          "MATERIAL=MRUBBER\n*BOUNDARY\n",
          damping, damping);
  for (int i = 0; i < block->n_node; ++i)
    if (fabs(block->x[i][0]) < 1e-12) fprintf(file, "%d, 1, 3\n", i + 1);
  fprintf(file, "*STEP\n*STATIC\n");
  write_loads(block, file);
  fprintf(file, "*NODE PRINT, NSET=ALL\nU\n*END STEP\n");
  if (shake) write_shake(block, file, shake);
  fclose(file);
}
