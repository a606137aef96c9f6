/* Writes meshes as .vtu files in every way that VTK has: for the tests of the reader. */
#pragma once
#include "tests/mesh/derived_mesh.h"

#include <stdio.h>
#include <zlib.h>

typedef enum VtuWay { WAY_ASCII, WAY_BASE64, WAY_RAW, WAY_APPENDED_BASE64, N_VTU_WAYS } VtuWay;

typedef struct VtuWriter {
  FILE *file;
  VtuWay way;
  int head;               /* 4 or 8 */
  bool zlib, swap, apart; /* apart: base64 of counts in a stream of its own though not compressed */
  char *appended;
  size_t n_appended;
} VtuWriter;

static inline void vtu_put_base64(char **to, const unsigned char *p, size_t n) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    const size_t left = n - i;
    const unsigned v = (unsigned)p[i] << 16 | (left > 1 ? (unsigned)p[i + 1] << 8 : 0) | (left > 2 ? p[i + 2] : 0u);
    *(*to)++ = digits[v >> 18 & 63];
    *(*to)++ = digits[v >> 12 & 63];
    *(*to)++ = left > 1 ? digits[v >> 6 & 63] : '=';
    *(*to)++ = left > 2 ? digits[v & 63] : '=';
  }
  **to = 0;
}

static inline void vtu_put_count(const VtuWriter *w, unsigned char **to, uint64_t count) {
  for (int i = 0; i < w->head; ++i) *(*to)++ = (unsigned char)(count >> 8 * (w->swap ? w->head - 1 - i : i));
}

/* Counts and bytes of an array as they stand in the file; *n of them, n_counts of those are counts. */
static inline unsigned char *vtu_blocks(const VtuWriter *w, const unsigned char *bytes, size_t size, size_t *n,
                                        size_t *n_counts) {
  enum { BLOCK = 1000 };
  const size_t blocks = (size + BLOCK - 1) / BLOCK;
  unsigned char *all = malloc(2 * size + 64 * (blocks + 4)), *p = all;
  if (!w->zlib) {
    vtu_put_count(w, &p, size);
    memcpy(p, bytes, size);
    *n_counts = (size_t)w->head;
    *n = (size_t)w->head + size;
    return all;
  }
  *n_counts = (blocks ? 3 + blocks : 1) * (size_t)w->head;
  unsigned char *body = all + *n_counts;
  vtu_put_count(w, &p, blocks);
  if (blocks) vtu_put_count(w, &p, BLOCK), vtu_put_count(w, &p, size % BLOCK);
  for (size_t b = 0; b < blocks; ++b) {
    const size_t here = b + 1 < blocks || size % BLOCK == 0 ? BLOCK : size % BLOCK;
    uLongf made = (uLongf)(here + 64);
    assert_int_equal(compress(body, &made, bytes + b * BLOCK, here), Z_OK);
    vtu_put_count(w, &p, made);
    body += made;
  }
  *n = (size_t)(body - all);
  return all;
}

static inline void vtu_append(VtuWriter *w, const void *bytes, size_t n) {
  w->appended = realloc(w->appended, w->n_appended + n + 1);
  memcpy(w->appended + w->n_appended, bytes, n);
  w->n_appended += n;
}

/* An array of n values: doubles ("Float64"), floats ("Float32") or int32 ("Int32"). */
static inline void vtu_put_array(VtuWriter *w, const char *name, const char *type, int n_component, int64_t n,
                                 const void *values) {
  const size_t bytes = strcmp(type, "Float64") == 0 ? 8 : 4, size = bytes * (size_t)n;
  static const char *const forms[] = {"ascii", "binary", "appended", "appended"};
  fprintf(w->file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"%s\" offset=\"%zu\">\n", type,
          name, n_component, forms[w->way], w->n_appended);
  if (w->way == WAY_ASCII) {
    for (int64_t i = 0; i < n; ++i)
      if (bytes == 8) fprintf(w->file, "%.17g ", ((const double *)values)[i]);
      else if (type[0] == 'F') fprintf(w->file, "%.9g ", (double)((const float *)values)[i]);
      else fprintf(w->file, "%d%s", ((const int32_t *)values)[i], i % 7 ? " " : "\n");
  } else {
    unsigned char *turned = malloc(size + 1);
    for (size_t i = 0; i < size; ++i)
      turned[i] = ((const unsigned char *)values)[w->swap ? i / bytes * bytes + bytes - 1 - i % bytes : i];
    size_t all, counts;
    unsigned char *blocks = vtu_blocks(w, turned, size, &all, &counts);
    char *text = malloc(2 * all + 16), *to = text;
    if (w->way == WAY_RAW) vtu_append(w, blocks, all);
    else if (w->zlib || w->apart)
      vtu_put_base64(&to, blocks, counts), vtu_put_base64(&to, blocks + counts, all - counts);
    else vtu_put_base64(&to, blocks, all);
    if (w->way == WAY_BASE64) fputs(text, w->file);
    if (w->way == WAY_APPENDED_BASE64) vtu_append(w, text, (size_t)(to - text));
    free(text);
    free(blocks);
    free(turned);
  }
  fprintf(w->file,
          "\n<InformationKey name=\"L2_NORM_RANGE\"><Value index=\"0\">1</Value></InformationKey></DataArray>\n");
}

static inline void vtu_begin(VtuWriter *w, const char *path, int n_point, int n_cell) {
  w->file = fopen(path, "w");
  assert_non_null(w->file);
  fprintf(w->file,
          "<?xml version=\"1.0\"?>\n<!-- a > b -->\n<VTKFile type=\"UnstructuredGrid\" version=\"2.2\" "
          "byte_order=\"%sEndian\" header_type='UInt%d'%s>\n<UnstructuredGrid><FieldData><DataArray type=\"String\" "
          "Name=\"note\"> 65 </DataArray></FieldData><Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n",
          w->swap ? "Big" : "Little", 8 * w->head, w->zlib ? " compressor=\"vtkZLibDataCompressor\"" : "", n_point,
          n_cell);
}

static inline void vtu_end(VtuWriter *w) {
  fprintf(w->file, "</Piece></UnstructuredGrid>");
  if (w->way >= WAY_RAW) {
    fprintf(w->file, "<AppendedData encoding=\"%s\">\n  _", w->way == WAY_RAW ? "raw" : "base64");
    fwrite(w->appended, 1, w->n_appended, w->file);
    fprintf(w->file, "</AppendedData>");
  }
  fprintf(w->file, "</VTKFile>\n");
  assert_int_equal(fclose(w->file), 0);
  free(w->appended);
}

/* Nodes and the elements of the last block, in VTK's order of nodes, as cells of `vtk_type`, 0: the usual one. Fields
 * "warmth" and "stress" (6 components) on nodes, "share" (floats) on cells; numbers "part" of cells and "end" of points. */
static inline void vtu_write(VtuWriter w, const Mesh *mesh, int vtk_type, const char *path) {
  const ElementBlock *block = &mesh->block[mesh->n_block - 1];
  const ElementType *type = element_type(block->kind);
  const int n = type->n_node, n_cell = block->n, n_point = mesh->n_node;
  int32_t *numbers = testing_array(n * n_cell + n_point, sizeof *numbers);
  double *values = testing_array(6 * n_point, sizeof *values);
  float *shares = testing_array(n_cell, sizeof *shares);
  vtu_begin(&w, path, n_point, n_cell);
  fprintf(w.file, "<PointData Scalars=\"warmth\">\n");
  for (int i = 0; i < n_point; ++i) values[i] = 100 * mesh->x[i][0];
  vtu_put_array(&w, "warmth", "Float64", 1, n_point, values);
  for (int i = 0; i < 6 * n_point; ++i) values[i] = i;
  vtu_put_array(&w, "stress", "Float64", 6, 6 * n_point, values);
  for (int i = 0; i < n_point; ++i) numbers[i] = mesh->x[i][0] == 0;
  vtu_put_array(&w, "end", "Int32", 1, n_point, numbers);
  fprintf(w.file, "</PointData><CellData>\n");
  for (int i = 0; i < n_cell; ++i) numbers[i] = i % 3 - 1, shares[i] = (float)i / 4;
  vtu_put_array(&w, "part", "Int32", 1, n_cell, numbers);
  vtu_put_array(&w, "share &amp; &lt;more&gt;", "Float32", 1, n_cell, shares);
  for (int i = 0; i < n_cell; ++i) numbers[i] = i; /* more than a thousand different ones: no groups */
  vtu_put_array(&w, "number", "Int32", 1, n_cell, numbers);
  fprintf(w.file, "</CellData><Points>\n");
  vtu_put_array(&w, "", "Float64", 3, 3 * n_point, mesh->x);
  fprintf(w.file, "</Points><Cells>\n");
  const bool voxel = vtk_type == 8 || vtk_type == 11;
  for (int i = 0; i < n_cell; ++i)
    for (int a = 0; a < n; ++a) {
      const int from = voxel && a % 4 > 1 ? a ^ 1 : a;
      numbers[i * n + a] = block->nodes[i * n + type->vtk_order[from]];
    }
  vtu_put_array(&w, "connectivity", "Int32", 1, n * n_cell, numbers);
  for (int i = 0; i < n_cell; ++i) numbers[i] = n * (i + 1);
  vtu_put_array(&w, "offsets", "Int32", 1, n_cell, numbers);
  for (int i = 0; i < n_cell; ++i) numbers[i] = vtk_type ? vtk_type : type->vtk_type;
  vtu_put_array(&w, "types", "Int32", 1, n_cell, numbers);
  fprintf(w.file, "</Cells>");
  vtu_end(&w);
  FREE(shares);
  FREE(values);
  FREE(numbers);
}
