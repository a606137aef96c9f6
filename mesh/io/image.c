/* From a file to an image: what can be said of its kind before a reader looks at it. */
#include "mesh/io/image.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double FILE_MAX = 2147483647;

static Status check_kind(const char *path, const struct stat *info) {
  CHECK(!S_ISDIR(info->st_mode), ERR_MESH, "%s: is a folder; an image is expected", path);
  CHECK(S_ISREG(info->st_mode), ERR_MESH, "%s: is not a regular file (a pipe or device); an image is expected", path);
  CHECK(info->st_size > 0, ERR_MESH, "%s: is empty; an image is expected", path);
  CHECK((double)info->st_size <= FILE_MAX, ERR_MESH, "%s: has %lld bytes; an image has at most 2 GiB", path,
        (long long)info->st_size);
  return OK;
}

/* The whole file; a pipe is refused without waiting for it. */
static Status read_file(const char *path, uint8_t **bytes, size_t *n) {
  *bytes = NULL, *n = 0;
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  CHECK(file >= 0, ERR_MESH, "%s: cannot open the image: %s", path, strerror(errno));
  struct stat info;
  Status status = fstat(file, &info) == 0 ? check_kind(path, &info) : FAIL(ERR_MESH, "%s: %s", path, strerror(errno));
  if (status == OK) status = mem_alloc((int64_t)info.st_size, 1, "the bytes of an image", (void **)bytes);
  while (status == OK && *n < (size_t)info.st_size) {
    const ssize_t got = read(file, *bytes + *n, (size_t)info.st_size - *n);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) status = FAIL(ERR_MESH, "%s: cannot read: %s", path, strerror(errno));
    if (got <= 0) break;
    *n += (size_t)got;
  }
  close(file);
  if (status != OK) FREE(*bytes);
  return status;
}

Status image_reserve(const char *name, int64_t width, int64_t height, Image *out) {
  CHECK(width > 0 && height > 0, ERR_MESH, "%s: is an image of %lld x %lld pixels; it needs at least one", name,
        (long long)width, (long long)height);
  CHECK(width <= IMAGE_PIXELS_MAX / height, ERR_MESH,
        "%s: is an image of %lld x %lld pixels, more than 2^28; scale it down", name, (long long)width,
        (long long)height);
  ALLOC(out->value, width * height, "pixels of an image");
  out->width = (int32_t)width, out->height = (int32_t)height;
  return OK;
}

static bool image_starts(const uint8_t *bytes, size_t n, const char *with, size_t length) {
  return n >= length && memcmp(bytes, with, length) == 0;
}

/* Kinds that are no grey PNG or PGM, by their first bytes. */
static Status image_refuse(const char *path, const uint8_t *bytes, size_t n) {
  static const struct {
    const char *with, *what;
  } known[] = {{"P1", "a bitmap (PBM)"},
               {"P4", "a bitmap (PBM)"},
               {"P3", "a colour image (PPM)"},
               {"P6", "a colour image (PPM)"},
               {"P7", "a PAM image"},
               {"\xff\xd8\xff", "a JPEG image"},
               {"GIF8", "a GIF image"},
               {"BM", "a BMP image"},
               {"II*", "a TIFF image"},
               {"MM", "a TIFF image"},
               {"RIFF", "a WebP image or other RIFF file"}};
  const char *what = "no image that is known";
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (image_starts(bytes, n, known[i].with, strlen(known[i].with))) what = known[i].what;
  return FAIL(ERR_MESH,
              "%s: is %s; a grey image as PNG or PGM is expected\n"
              "  convert it, for instance with ImageMagick: convert IMAGE -colorspace Gray grey.pgm",
              path, what);
}

Status image_load(const char *path, Image *out) {
  uint8_t *bytes = NULL;
  size_t n = 0;
  *out = (Image){0};
  TRY(read_file(path, &bytes, &n));
  Status status;
  if (image_starts(bytes, n, "\x89PNG\r\n\x1a\n", 8)) status = image_read_png(path, bytes, n, out);
  else if (image_starts(bytes, n, "P2", 2) || image_starts(bytes, n, "P5", 2))
    status = image_read_pgm(path, bytes, n, out);
  else status = image_refuse(path, bytes, n);
  FREE(bytes);
  if (status != OK) image_release(out);
  return status;
}

void image_release(Image *image) {
  FREE(image->value);
  *image = (Image){0};
}

/* The pixel at or before position s of n, and how far s is beyond it. */
static int32_t pixel_before(double s, int32_t n, double *beyond) {
  const double at = fmin(fmax(s, 0), 1) * (n - 1), whole = fmin(floor(at), n > 1 ? n - 2 : 0);
  *beyond = at - whole;
  return (int32_t)whole;
}

double image_at(const Image *image, double u, double v) {
  double right, down;
  const int32_t i = pixel_before(u, image->width, &right), j = pixel_before(1 - v, image->height, &down);
  const int32_t i1 = i + (image->width > 1), j1 = j + (image->height > 1);
  const double *top = image->value + (int64_t)j * image->width, *bottom = image->value + (int64_t)j1 * image->width;
  const double above = top[i] + right * (top[i1] - top[i]), below = bottom[i] + right * (bottom[i1] - bottom[i]);
  return above + down * (below - above);
}
