/* Grey PNG by libpng: every depth, interlaced or not, its numbers as they stand (no gamma). libpng allocates through
 * core/memory.h and leaves by longjmp, so nothing of ours is taken while it works. */
#include "mesh/io/image.h"

#ifdef SINEW_HAVE_PNG
#include "core/memory.h"

#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

typedef struct Source {
  const char *name;
  const uint8_t *at, *end;
  bool no_memory;
  char why[200];
  jmp_buf escape;
} Source;

static png_voidp image_png_take(png_structp png, png_alloc_size_t n) {
  Source *s = png_get_mem_ptr(png);
  void *p = NULL;
  if (n > INT64_MAX || mem_alloc((int64_t)n, 1, "reading a PNG image", &p) != OK) s->no_memory = true;
  return p;
}
static void give_back(png_structp png, png_voidp p) {
  (void)png;
  mem_free(&p);
}

static void image_png_failed(png_structp png, png_const_charp message) {
  Source *s = png_get_error_ptr(png);
  size_t n = 0;
  for (; message[n] && n < sizeof s->why - 1; ++n) s->why[n] = message[n];
  s->why[n] = 0;
  longjmp(s->escape, 1);
}
static void image_png_warned(png_structp png, png_const_charp message) { (void)png, (void)message; }

static void read_bytes(png_structp png, png_bytep to, size_t n) {
  Source *s = png_get_io_ptr(png);
  if ((size_t)(s->end - s->at) < n) png_error(png, "it is truncated");
  memcpy(to, s->at, n);
  s->at += n;
}

/* The head, checked; false: libpng refused, source->why says why. */
static bool read_head(png_structp png, png_infop info, Source *s) {
  if (setjmp(s->escape)) return false;
  png_set_user_limits(png, IMAGE_PIXELS_MAX, IMAGE_PIXELS_MAX);
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  png_set_read_fn(png, s, read_bytes);
  png_read_info(png, info);
  return true;
}

static Status check_colour(png_structp png, png_infop info, const char *name) {
  const int colour = png_get_color_type(png, info);
  const char *what = colour & PNG_COLOR_MASK_PALETTE                                            ? "with a palette"
                     : colour & PNG_COLOR_MASK_COLOR                                            ? "in colour (RGB)"
                     : colour & PNG_COLOR_MASK_ALPHA || png_get_valid(png, info, PNG_INFO_tRNS) ? "with transparency"
                                                                                                : NULL;
  CHECK(!what, ERR_MESH,
        "%s: is a PNG image %s; a grey image is expected\n"
        "  convert it, for instance with ImageMagick: convert IMAGE -alpha off -colorspace Gray grey.pgm",
        name, what);
  return OK;
}

/* All rows, as bytes or as 16-bit numbers with the high byte first. */
static bool read_rows(png_structp png, Source *s, png_bytep *row) {
  if (setjmp(s->escape)) return false;
  png_read_image(png, row);
  png_read_end(png, NULL);
  return true;
}

static bool image_png_prepare(png_structp png, png_infop info, Source *s) {
  if (setjmp(s->escape)) return false;
  png_set_expand_gray_1_2_4_to_8(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  return true;
}

static Status image_png_broken(const Source *s) {
  if (s->no_memory) return FAIL(ERR_MEMORY, "not enough memory to read the PNG image '%s'", s->name);
  return FAIL(ERR_MESH, "%s: is a damaged PNG image: %s", s->name, s->why);
}

static Status read_pixels(png_structp png, png_infop info, Source *s, Image *out, uint8_t *bytes, png_bytep *row) {
  const int32_t depth = png_get_bit_depth(png, info) == 16 ? 2 : 1;
  const int64_t n = (int64_t)out->width * out->height;
  for (int32_t j = 0; j < out->height; ++j) row[j] = bytes + (int64_t)j * out->width * depth;
  if (!read_rows(png, s, row)) return image_png_broken(s);
  for (int64_t i = 0; i < n; ++i)
    out->value[i] = depth == 1 ? bytes[i] / 255.0 : (bytes[2 * i] << 8 | bytes[2 * i + 1]) / 65535.0;
  return OK;
}

static Status read_image(png_structp png, png_infop info, Source *s, Image *out) {
  if (!read_head(png, info, s)) return image_png_broken(s);
  TRY(check_colour(png, info, s->name));
  if (!image_png_prepare(png, info, s)) return image_png_broken(s);
  TRY(image_reserve(s->name, png_get_image_width(png, info), png_get_image_height(png, info), out));
  uint8_t *bytes = NULL;
  png_bytep *row = NULL;
  const int64_t width = (int64_t)png_get_rowbytes(png, info);
  Status status = mem_alloc(width * out->height, 1, "pixels of a PNG image", (void **)&bytes);
  if (status == OK) status = mem_alloc(out->height, sizeof *row, "rows of a PNG image", (void **)(void *)&row);
  if (status == OK) status = read_pixels(png, info, s, out, bytes, row);
  FREE(bytes);
  mem_free((void **)(void *)&row);
  return status;
}

Status image_read_png(const char *name, const uint8_t *bytes, size_t n, Image *out) {
  Source source = {.name = name, .at = bytes, .end = bytes + n};
  png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &source, image_png_failed, image_png_warned,
                                             &source, image_png_take, give_back);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  const Status status = info ? read_image(png, info, &source, out)
                             : FAIL(ERR_MEMORY, "not enough memory to read the PNG image '%s'", name);
  png_destroy_read_struct(&png, &info, NULL);
  return status;
}
#else
Status image_read_png(const char *name, const uint8_t *bytes, size_t n, Image *out) {
  (void)bytes, (void)n, (void)out;
  return FAIL(ERR_MESH,
              "%s: is a PNG image, and this Sinew was built without libpng: it reads PGM only\n"
              "  convert it, for instance with ImageMagick: convert IMAGE -colorspace Gray grey.pgm\n"
              "  or install libpng-dev and build again",
              name);
}
#endif
