#include "output/slab.h"

#include "core/memory.h"
#include "output/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Status stored_numbers(bool single, const char *field, const double *values, int64_t n, float *room, const void **out) {
  int32_t lost = 0;
  *out = single ? (const void *)room : values;
  if (!single) return OK;
#pragma omp parallel for schedule(static) reduction(| : lost) if (n > LAYOUT_SERIAL)
  for (int64_t i = 0; i < n; ++i) {
    room[i] = (float)values[i];
    lost |= isinf(room[i]) && isfinite(values[i]);
  }
  CHECK(!lost, ERR_NUMERIC,
        "field '%s' has numbers beyond 3.4e38, which single precision does not hold; use 'precision: double' under "
        "'output:', or other units",
        field);
  return OK;
}

int slab_open(const SlabSite *site) {
  struct stat file;
  const int descriptor = open(site->path, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  if (fstat(descriptor, &file) == 0 && (uint64_t)file.st_dev == site->device && (uint64_t)file.st_ino == site->inode)
    return descriptor;
  close(descriptor);
  return -1;
}

Status slab_write(const SlabSite *site, int descriptor, int32_t f, const WriterField *field, int64_t first, int64_t n,
                  const double *values) {
  const int64_t piece = site->single ? SLAB_ROWS : n, size = site->single ? 4 : 8;
  Status status = OK;
  float *room = NULL;
  if (site->single) ALLOC(room, piece < n ? piece : n, "floats");
  for (int64_t at = 0; at < n && status == OK; at += piece) {
    const int64_t now = n - at < piece ? n - at : piece;
    const void *numbers;
    status = stored_numbers(site->single, field->name, values + at, now, room, &numbers);
    if (status == OK && !h5_write_place(descriptor, site->place[f] + (first + at) * size, now * size, numbers))
      status = FAIL(ERR_IO, "cannot write '%s' of step %lld to '%s': %s", field->name, (long long)site->step + 1,
                    site->path, strerror(errno));
  }
  FREE(room);
  return status;
}
