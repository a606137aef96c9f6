#include "tests/app/strips.h"
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <stdio.h>

/* Two strips, one on the other, whose meshes do not match: n by m squares each, cut in two in the upper one. */
typedef struct Strip {
  int n, m, first; /* number of its first node */
  double y;
} Strip;

static int node_of(const Strip *s, int i, int j) { return s->first + j * (s->n + 1) + i; }

static void write_nodes(FILE *f, const Strip *s) {
  for (int j = 0; j <= s->m; ++j)
    for (int i = 0; i <= s->n; ++i)
      fprintf(f, "%d %.17g %.17g 0\n", node_of(s, i, j), 2.0 * i / s->n, s->y + (double)j / s->m);
}

static void write_line(FILE *f, const Strip *s, int *number, int j, int tag) {
  for (int i = 0; i < s->n; ++i)
    fprintf(f, "%d 1 2 %d %d %d %d\n", (*number)++, tag, tag, node_of(s, i, j), node_of(s, i + 1, j));
}

static void write_squares(FILE *f, const Strip *s, int *number, bool halves, int tag) {
  for (int j = 0; j < s->m; ++j)
    for (int i = 0; i < s->n; ++i) {
      const int a = node_of(s, i, j), b = node_of(s, i + 1, j), c = node_of(s, i + 1, j + 1), d = node_of(s, i, j + 1);
      if (!halves) fprintf(f, "%d 3 2 %d %d %d %d %d %d\n", (*number)++, tag, tag, a, b, c, d);
      if (halves) fprintf(f, "%d 2 2 %d %d %d %d %d\n", (*number)++, tag, tag, a, b, c);
      if (halves) fprintf(f, "%d 2 2 %d %d %d %d %d\n", (*number)++, tag, tag, a, c, d);
    }
}

void strips_write_apart(const char *folder, double gap) {
  static const char *const GROUPS =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n6\n1 1 \"bottom\"\n1 2 \"below\"\n"
      "1 3 \"above\"\n1 4 \"top\"\n2 5 \"low\"\n2 6 \"high\"\n$EndPhysicalNames\n";
  const Strip low = {60, 31, 1, 0}, high = {47, 40, 61 * 32 + 1, 1 + gap};
  const int n_node = 61 * 32 + 48 * 41, n_element = 2 * 60 + 2 * 47 + 60 * 31 + 2 * 47 * 40;
  int number = 1;
  FILE *f = fopen(scratch_path(folder, "strips.msh"), "w");
  assert_non_null(f);
  fprintf(f, "%s$Nodes\n%d\n", GROUPS, n_node);
  write_nodes(f, &low);
  write_nodes(f, &high);
  fprintf(f, "$EndNodes\n$Elements\n%d\n", n_element);
  write_line(f, &low, &number, 0, 1);
  write_line(f, &low, &number, low.m, 2);
  write_line(f, &high, &number, 0, 3);
  write_line(f, &high, &number, high.m, 4);
  write_squares(f, &low, &number, false, 5);
  write_squares(f, &high, &number, true, 6);
  fprintf(f, "$EndElements\n");
  assert_int_equal(fclose(f), 0);
  assert_int_equal(number, n_element + 1);
}

void strips_write(const char *folder) { strips_write_apart(folder, 0); }
