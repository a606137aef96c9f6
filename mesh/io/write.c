/* A mesh into a file: Sinew's own, a deck, Gmsh's or Salome's. */
#include "mesh/io/write.h"
#include "mesh/io/write_private.h"
#include "core/list_text.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

typedef struct Format {
  const char *ending;
  Status (*write)(const Mesh *mesh, FILE *file);          /* to a stream, or NULL */
  Status (*write_h5)(const Mesh *mesh, const char *path); /* by HDF5 */
  bool fields;                                            /* carries them */
} Format;

static const Format formats[] = {{".h5", NULL, mesh_write_h5, true},
                                 {".inp", mesh_write_inp, NULL, false},
                                 {".med", NULL, mesh_write_med, true},
                                 {".msh", mesh_write_msh, NULL, true}};
enum { N_FORMATS = sizeof formats / sizeof *formats };

static const Format *format_of(const char *path) {
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < N_FORMATS; ++i)
    if (!strcasecmp(dot, formats[i].ending)) return &formats[i];
  return NULL;
}

bool mesh_writes(const char *path) { return format_of(path) != NULL; }

void mesh_write_endings(char *text, size_t size) {
  *text = 0;
  for (size_t i = 0; i < N_FORMATS; ++i)
    list_text_add(text, size, i == 0, i + 1 == N_FORMATS, " or ", formats[i].ending);
}

bool mesh_writes_fields(const char *path) {
  const Format *format = format_of(path);
  return format && format->fields;
}

Status mesh_write(const Mesh *mesh, const char *path) {
  const Format *format = format_of(path);
  char endings[80];
  mesh_write_endings(endings, sizeof endings);
  CHECK(format, ERR_USAGE, "'%s' must end in %s", path, endings);
  if (format->write_h5) return format->write_h5(mesh, path);
  FILE *file = fopen(path, "w");
  CHECK(file, ERR_IO, "cannot write '%s': %s", path, strerror(errno));
  const Status status = format->write(mesh, file);
  const bool good = !ferror(file);
  const int ended = fclose(file);
  if (status != OK || !good || ended) remove(path);
  if (status != OK) return status_context(status, "'%s'", path);
  CHECK(good && !ended, ERR_IO, "cannot write '%s': %s", path, strerror(errno));
  return OK;
}
