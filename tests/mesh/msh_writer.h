/* Writes a Mesh as .msh in every variant that the reader knows: the other half of its tests. */
#pragma once
#include "mesh/mesh.h"

#include <stddef.h>

typedef struct MshVariant {
  const char *name;
  int format; /* 22 or 41 */
  bool binary, swap;
} MshVariant;

enum { N_MSH_VARIANTS = 6 };
extern const MshVariant msh_variants[N_MSH_VARIANTS];

typedef struct MshWriterOptions {
  int64_t tag_step; /* node i gets number tag_step * i + 1, element likewise; 0: as in the mesh */
  bool parametric;  /* 4.1: nodes of dimension 2 with two parameters each */
} MshWriterOptions;

/* The file's bytes, freed by free(). At most 60 groups. */
char *msh_write(const Mesh *mesh, const MshVariant *variant, const MshWriterOptions *options, size_t *size);

/* A path in a folder of the test's own, made on first use, removed by temporary_remove; good for the next 63 calls. */
const char *temporary_path(const char *name);
int temporary_remove(void **state); /* a teardown of cmocka; 0 */
void put_file(const char *path, const void *bytes, size_t size);
char *get_file(const char *path, size_t *size);
/* Reads text as a .msh file. */
Status read_text(const char *text, Mesh **out);
/* Parses a text that must be right. */
Mesh *mesh_of(const char *text);
/* Runs a program and its arguments (NULL ends them) silently; its exit code, 127 when it is not there. */
int run_program(const char *program, ...);

/* Unit square of two triangles and a quad4 beside it, points, curves, surfaces named and unnamed, an element in two
 * groups; $NodeData and $ElementData. Format 2.2, text. */
extern const char *const square_text;
