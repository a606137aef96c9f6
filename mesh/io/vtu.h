/* A VTK XML file of an unstructured grid (.vtu) as its tags describe it: pieces and their arrays, in text, base64 or
 * appended bytes, compressed by zlib or not. An XML library would stumble over appended raw bytes, which are no XML. */
#pragma once
#include "core/status.h"
#include "core/text_source.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum VtuSection { VTU_POINT_DATA, VTU_CELL_DATA, VTU_POINTS, VTU_CELLS, VTU_OTHER } VtuSection;
typedef enum VtuForm { VTU_ASCII, VTU_BASE64, VTU_APPENDED } VtuForm;
/* What a value is: 1 to 8 bytes; floats have 4 or 8. bytes 0: text or bits, which nobody asks for. */
typedef struct VtuType {
  int8_t bytes;
  bool is_float, is_signed;
} VtuType;

enum { VTU_NAME = 200 };
typedef struct VtuArray {
  char name[VTU_NAME]; /* "" where it has none */
  VtuSection section;
  VtuType type;
  VtuForm form;
  int64_t n_component;
  int64_t at;         /* byte of its tag, for messages */
  int64_t begin, end; /* the text between its tags */
  int64_t offset;     /* appended: from the byte behind the underscore */
} VtuArray;

typedef struct VtuPiece {
  int64_t n_point, n_cell, at;
  int32_t first, n; /* in Vtu.array */
} VtuPiece;

typedef struct Vtu {
  TextSource source;
  int64_t version; /* 203 for "2.3" */
  bool swap;       /* bytes of the other order */
  bool zlib;
  int head;                       /* bytes of a count before the data: 4 or 8 */
  int64_t appended, appended_end; /* bytes of the appended data; 0: none */
  bool appended_raw;              /* else base64 */
  int32_t n_piece, n_array;
  VtuPiece *piece; /* owned */
  VtuArray *array; /* owned */
} Vtu;

/* Reads the file and its tags. ERR_MESH with file and line. */
Status vtu_open(const char *path, Vtu *out);
void vtu_close(Vtu *vtu);
/* NULL: the piece has no such array. */
const VtuArray *vtu_array(const Vtu *vtu, const VtuPiece *piece, VtuSection section, const char *name);
/* ERR_MESH with the place of the array and its name. */
Status vtu_fail(const Vtu *vtu, const VtuArray *array, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- vtu_bytes.c ---- */
/* The bytes of an array that is not in text, uncompressed: *bytes points into the file or to *owned, which the caller
 * frees. Nothing is believed before the file was seen to hold it. */
Status vtu_bytes(const Vtu *vtu, const VtuArray *array, const char **bytes, int64_t *size, char **owned);

/* ---- vtu_values.c: by all threads ---- */
/* All values of an array; *out owned by the caller. n: how many there must be, -1: any number, which *count says (may
 * be NULL). Doubles may be NaN. */
Status vtu_doubles(const Vtu *vtu, const VtuArray *array, int64_t n, double **out);
Status vtu_integers(const Vtu *vtu, const VtuArray *array, int64_t n, int64_t **out, int64_t *count);
