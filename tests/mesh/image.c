/* Grey images: pixels of all kinds, and what is refused. */
#include "core/memory.h"
#include "mesh/io/image.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Small PNG files: 3 x 2 in 8 bits, 2 x 1 in 16, 3 x 1 in 1, 2 x 2 interlaced; colour, transparency, a palette. */
/* clang-format off */
static const unsigned char grey8[] = {137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 3, 0, 0, 0, 2, 8, 0, 0, 0, 0, 184, 31, 57, 198, 0, 0, 0, 16, 73, 68, 65, 84, 120, 218, 99, 96, 48, 254, 207, 144, 54, 243, 12, 0, 9, 101, 2, 254, 73, 118, 51, 102, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130};
static const unsigned char grey16[] = {137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 2, 0, 0, 0, 1, 16, 0, 0, 0, 0, 129, 217, 252, 21, 0, 0, 0, 13, 73, 68, 65, 84, 120, 218, 99, 248, 255, 95, 200, 4, 0, 7, 86, 2, 69, 190, 106, 195, 55, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130};
static const unsigned char grey1[] = {137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 3, 0, 0, 0, 1, 1, 0, 0, 0, 0, 51, 155, 41, 25, 0, 0, 0, 10, 73, 68, 65, 84, 120, 218, 99, 88, 0, 0, 0, 162, 0, 161, 113, 5, 203, 65, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130};
static const unsigned char interlaced[] = {137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 2, 0, 0, 0, 2, 8, 0, 0, 0, 1, 32, 218, 98, 110, 0, 0, 0, 15, 73, 68, 65, 84, 120, 218, 99, 96, 96, 248, 207, 96, 156, 6, 0, 4, 207, 1, 153, 133, 173, 146, 86, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130};
static const unsigned char colour[] = {137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 144, 119, 83, 222, 0, 0, 0, 12, 73, 68, 65, 84, 120, 218, 99, 96, 100, 98, 6, 0, 0, 14, 0, 7, 233, 146, 55, 212, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130};
static const unsigned char alpha[] = {137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1, 0, 0, 0, 1, 8, 4, 0, 0, 0, 181, 28, 12, 2, 0, 0, 0, 11, 73, 68, 65, 84, 120, 218, 99, 96, 100, 2, 0, 0, 7, 0, 4, 229, 237, 148, 207, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130};
static const unsigned char palette[] = {137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1, 0, 0, 0, 1, 8, 3, 0, 0, 0, 40, 203, 52, 187, 0, 0, 0, 3, 80, 76, 84, 69, 1, 2, 3, 13, 135, 100, 213, 0, 0, 0, 10, 73, 68, 65, 84, 120, 218, 99, 96, 0, 0, 0, 2, 0, 1, 229, 39, 222, 252, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130};
/* clang-format on */

static char path[64];

static Status load(const void *bytes, size_t n, Image *out) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
  return image_load(path, out);
}

static void holds(const void *bytes, size_t n, int32_t width, int32_t height, const double *value) {
  Image image;
  assert_ok(load(bytes, n, &image));
  assert_int_equal(image.width, width);
  assert_int_equal(image.height, height);
  for (int32_t i = 0; i < width * height; ++i) assert_near(image.value[i], value[i], 1e-15);
  image_release(&image);
}
#define HOLDS(bytes, n, width, height, ...) holds(bytes, n, width, height, (const double[]){__VA_ARGS__})

static void pgm(void **state) {
  (void)state;
  const char plain[] = "P2 # grey\n3 2\n# more\n10\n0 1 2\n3 10 5 # end\n", raw[] = "P5\n2 1\n255\n\x33\xff",
             wide[] = "P5 1 2 1000\n\x03\xe8\x00\x64";
  HOLDS(plain, sizeof plain - 1, 3, 2, 0, 0.1, 0.2, 0.3, 1, 0.5);
  HOLDS(raw, sizeof raw - 1, 2, 1, 0.2, 1);
  HOLDS(wide, sizeof wide - 1, 1, 2, 1, 0.1);
}

static bool no_png(void) {
  Image image;
  const Status status = load(grey8, sizeof grey8, &image);
  if (status == OK) image_release(&image);
  return status != OK && strstr(status_message(), "without libpng");
}

static void png(void **state) {
  (void)state;
  if (no_png()) skip();
  HOLDS(grey8, sizeof grey8, 3, 2, 0, 0.2, 1, 0.4, 0.6, 0.8);
  HOLDS(grey16, sizeof grey16, 2, 1, 1, 0x1234 / 65535.0);
  HOLDS(grey1, sizeof grey1, 3, 1, 1, 0, 1);
  HOLDS(interlaced, sizeof interlaced, 2, 2, 0, 1, 0.2, 0.4);
}

static void refuses(const void *bytes, size_t n, const char *said) {
  Image image;
  assert_fails(load(bytes, n, &image), ERR_MESH, said);
  assert_null(image.value);
}
#define REFUSES(text, said) refuses(text, sizeof text - 1, said)

static void bad_files(void **state) {
  (void)state;
  Image image;
  assert_fails(image_load("/nowhere/image.png", &image), ERR_MESH, "cannot open the image");
  assert_fails(image_load("/tmp", &image), ERR_MESH, "is a folder");
  refuses("", 0, "is empty");
  REFUSES("hello", "no image that is known; a grey image as PNG or PGM is expected");
  REFUSES("P6 1 1 255\n123", "is a colour image (PPM)");
  REFUSES("\xff\xd8\xff\xe0 rest", "is a JPEG image");
  REFUSES("GIF89a", "is a GIF image");
  REFUSES("P5\n0 5\n255\n", "0 x 5 pixels; it needs at least one");
  REFUSES("P5\n2 2\n255\nabc", "2 x 2 pixels need 4 bytes, 3 are left: the image is truncated");
  REFUSES("P5\n1 1\n255\nabc", "has 2 bytes after the last of 1 x 1 pixels");
  REFUSES("P5\n1 1\n7\n\x08", "a pixel is 8, larger than the maximum 7");
  REFUSES("P5\n1 1\n0\n\x00", "the largest value is 0");
  REFUSES("P5\n1 1\n65536\n\x00", "the largest value is larger than 65535");
  REFUSES("P5\n1", "ends where the height is expected");
  REFUSES("P5\n2000000000 2000000000\n255\nx", "are left: the image is truncated");
  REFUSES("P2\n2 1\n9\n1 10\n", "a pixel is larger than 9");
  REFUSES("P2\n2 1\n9\n1 -1\n", "a pixel is expected, a number; this is byte 0x2d");
  REFUSES("P2\n2 2\n9\n1 1 1   \n", "ends where a pixel is expected");
  REFUSES("P2\n1 1\n9\n1 1\n", "unexpected data after the last of 1 x 1 pixels");
  REFUSES("P25 1\n9\n1\n", "the width is expected");
}

static void bad_png(void **state) {
  (void)state;
  if (no_png()) skip();
  refuses(colour, sizeof colour, "is a PNG image in colour (RGB)");
  refuses(alpha, sizeof alpha, "is a PNG image with transparency");
  refuses(palette, sizeof palette, "is a PNG image with a palette");
  unsigned char damaged[sizeof grey8];
  for (size_t n = 8; n < sizeof grey8; ++n) refuses(grey8, n, "is a damaged PNG image");
  for (size_t i = 8; i < sizeof grey8; ++i) { /* every byte behind the signature is under a checksum or a length */
    memcpy(damaged, grey8, sizeof grey8);
    damaged[i] ^= 0x55;
    Image image;
    const Status status = load(damaged, sizeof damaged, &image);
    assert_int_equal(status, ERR_MESH);
  }
}

/* Every allocation fails once: an answer, nothing lost. */
static void allocations(void **state) {
  (void)state;
  const char raw[] = "P5\n2 1\n255\n\x33\xff";
  for (int kind = 0; kind < (no_png() ? 1 : 2); ++kind) {
    Image image;
    testing_fail_each_of(kind ? load(grey8, sizeof grey8, &image) : load(raw, sizeof raw - 1, &image),
                         image_release(&image));
  }
}

static void interpolates(void **state) {
  (void)state;
  double value[] = {0, 1, 2, 4};
  const Image image = {2, 2, value};
  assert_near(image_at(&image, 0, 1), 0, 1e-15);
  assert_near(image_at(&image, 1, 1), 1, 1e-15);
  assert_near(image_at(&image, 0, 0), 2, 1e-15);
  assert_near(image_at(&image, 1, 0), 4, 1e-15);
  assert_near(image_at(&image, 0.5, 0.5), 1.75, 1e-15);
  assert_near(image_at(&image, -1, 2), 0, 1e-15);
  const Image point = {1, 1, value + 3};
  assert_near(image_at(&point, 0.3, 0.7), 4, 1e-15);
}

static int make_path(void **state) {
  (void)state;
  strcpy(path, "/tmp/sinew-image-XXXXXX");
  const int file = mkstemp(path);
  return file < 0 || close(file);
}
static int remove_path(void **state) {
  (void)state;
  return unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pgm),         cmocka_unit_test(png),
                                     cmocka_unit_test(bad_files),   cmocka_unit_test(bad_png),
                                     cmocka_unit_test(allocations), cmocka_unit_test(interpolates)};
  return cmocka_run_group_tests(tests, make_path, remove_path);
}
