/* A grey image as numbers: PGM (P2 and P5) by our own strict reader, PNG by libpng where Sinew was built with it. */
#pragma once
#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Image {
  int32_t width, height; /* pixels, at least 1 */
  double *value;         /* owned, [height][width], 0 black to 1 white; the first row is the top one */
} Image;

/* At most this many pixels in all: 4096^2 sixteen times over. */
enum { IMAGE_PIXELS_MAX = 1 << 28 };

/* ERR_MESH with what is wrong and what to do: no such file, a folder or pipe, no image, another kind of image, colour,
 * transparency, truncated, more than there should be, an empty or far too large one, a value beyond its maximum. */
Status image_load(const char *path, Image *out);
void image_release(Image *image);
/* The value at u, v in [0, 1], from the left and from the bottom; the centres of the outermost pixels lie on the edges
 * of that square, and between centres it is bilinear. Outside: that of the nearest edge. */
double image_at(const Image *image, double u, double v);

/* ---- between the files of images ---- */
/* `name` is for messages; bytes[n] is the whole file. */
Status image_read_pgm(const char *name, const uint8_t *bytes, size_t n, Image *out);
Status image_read_png(const char *name, const uint8_t *bytes, size_t n, Image *out);
/* Checks the size and takes the space. */
Status image_reserve(const char *name, int64_t width, int64_t height, Image *out);
