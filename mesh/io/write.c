/* A mesh into a file: Sinew's own, a deck or Gmsh's. */
#include "mesh/io/write.h"
#include "mesh/io/write_private.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

typedef struct Format {
  const char *ending;
  Status (*write)(const Mesh *mesh, FILE *file); /* NULL: by HDF5 */
  bool fields;                                   /* carries them */
} Format;

static const Format formats[] = {{".h5", NULL, true}, {".inp", mesh_write_inp, false}, {".msh", mesh_write_msh, true}};

static const Format *format_of(const char *path) {
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof formats / sizeof *formats; ++i)
    if (!strcasecmp(dot, formats[i].ending)) return &formats[i];
  return NULL;
}

bool mesh_writes(const char *path) { return format_of(path) != NULL; }

bool mesh_writes_fields(const char *path) {
  const Format *format = format_of(path);
  return format && format->fields;
}

Status mesh_write(const Mesh *mesh, const char *path) {
  const Format *format = format_of(path);
  CHECK(format, ERR_USAGE, "'%s' must end in .h5, .inp or .msh", path);
  if (!format->write) return mesh_write_h5(mesh, path);
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
