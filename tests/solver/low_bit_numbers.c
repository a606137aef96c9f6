/* Numbers in 16 and 8 bits: every half, every middle between two of them, blocks of 8-bit integers with a power of
 * two. */
#include "tests/solver/problems.h"
#include "algebra/extra_bits.h"
#include "algebra/low_bit_rows.h"
#include "tests/testing.h"

#include <math.h>

/* A half by its definition. */
static double half_value(uint32_t h) {
  const double sign = h & 0x8000 ? -1 : 1;
  const int exponent = (int)(h >> 10 & 31), fraction = (int)(h & 1023);
  return sign * (exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24));
}

static void all_halves_there_and_back(void **state) {
  (void)state;
  for (uint32_t h = 0; h < 65536; ++h) {
    const float f = half_to_float((uint16_t)h);
    const uint16_t back = half_from_double((double)f);
    if ((h & 0x7fff) > 0x7c00) {
      assert_true(isnan(f) && (back & 0x7fff) > 0x7c00);
    } else {
      assert_true((h & 0x7fff) == 0x7c00 ? isinf(f) : (double)f == half_value(h));
      assert_int_equal(signbit(f) != 0, h >> 15);
      assert_int_equal(back, h);
    }
  }
}

/* Between neighbours: the middle goes to the even one, the next double on either side to the nearer one. */
static void halves_round_to_nearest_even(void **state) {
  (void)state;
  for (uint32_t sign = 0; sign <= 0x8000; sign += 0x8000)
    for (uint32_t h = 0; h < 0x7c00; ++h) {
      const double here = half_value(sign | h),
                   next = h == 0x7bff ? (sign ? -65536.0 : 65536.0) : half_value(sign | (h + 1));
      const double middle = 0.5 * (here + next);
      const uint32_t low = sign | h, high = sign | (h + 1);
      assert_int_equal(half_from_double(middle), h % 2 ? high : low);
      assert_int_equal(half_from_double(nextafter(middle, here)), low);
      assert_int_equal(half_from_double(nextafter(middle, next)), high);
      assert_int_equal(half_from_double(nextafter(here, next)), low);
    }
  assert_int_equal(half_from_double(1e300), 0x7c00);
  assert_int_equal(half_from_double(-(double)INFINITY), 0xfc00);
  assert_int_equal(half_from_double(4.9e-324), 0);
  assert_int_equal(half_from_double(-1e-300), 0x8000);
}

static double bfloat_value(uint32_t h) { return (double)bfloat_to_float((uint16_t)h); }

/* The same for all bfloat16. */
static void bfloats_there_and_back(void **state) {
  (void)state;
  assert_true(bfloat_value(0x3f80) == 1 && bfloat_value(0xc0a0) == -5 && bfloat_value(1) == 0x1p-133);
  for (uint32_t h = 0; h < 65536; ++h) {
    const float f = bfloat_to_float((uint16_t)h);
    const uint16_t back = bfloat_from_double((double)f);
    if ((h & 0x7fff) > 0x7f80) {
      assert_true(isnan(f) && (back & 0x7fff) > 0x7f80);
      continue;
    }
    assert_int_equal(back, h);
    if ((h & 0x7fff) >= 0x7f80) continue;
    const double here = bfloat_value(h), next = (h & 0x7fff) == 0x7f7f ? copysign(0x1p128, here) : bfloat_value(h + 1);
    const double middle = 0.5 * (here + next);
    assert_int_equal(bfloat_from_double(middle), h % 2 ? h + 1 : h);
    assert_int_equal(bfloat_from_double(nextafter(middle, here)), h);
    assert_int_equal(bfloat_from_double(nextafter(middle, next)), h + 1);
  }
  assert_int_equal(bfloat_from_double(1e300), 0x7f80);
  assert_int_equal(bfloat_from_double(-4.9e-324), 0x8000);
}

static void eight_bits_by_powers_of_two(void **state) {
  (void)state;
  for (int turn = 0; turn < 20000; ++turn) {
    double t[9], largest = 0;
    for (int e = 0; e < 9; ++e) {
      t[e] = ldexp(problem_number(9 * turn + e), turn % 200 - 100);
      largest = fmax(largest, fabs(t[e]));
    }
    if (turn % 7 == 0) t[3] = largest = ldexp(turn % 2 ? 127.5 : nextafter(127.5, 0), turn % 50 - 25);
    int8_t q[9];
    const double scale = (double)low_bit_scale_of(low_bit_round(t, 3, q));
    int power, most = 0;
    assert_true(frexp(scale, &power) == 0.5);
    for (int e = 0; e < 9; ++e) {
      assert_true(fabs(q[e] * scale - t[e]) <= 0.5 * scale);
      if (abs(q[e]) > most) most = abs(q[e]);
    }
    assert_in_range(most, 64, 127);
  }
  static const struct {
    double t;
    uint32_t exponent;
    int q;
  } known[] = {{0, 0, 0},      {1, 121, 64},     {-1, 121, -64}, {127, 127, 127}, {127.5, 128, 64},  {-128, 128, -64},
               {1e-300, 1, 0}, {0x1p-126, 1, 1}, {1e39, 255, 0}, {NAN, 255, 0},   {INFINITY, 255, 0}};
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
    int8_t q;
    assert_int_equal(low_bit_round(&known[k].t, 1, &q), known[k].exponent);
    assert_int_equal(q, known[k].q);
  }
  assert_true(isinf(low_bit_scale_of(255)) && low_bit_scale_of(0) == 0 && low_bit_scale_of(127) == 1);
}

/* A float and 8 bits more: within 2^-32 of the number, its float as it would be alone, and the extremes as floats. */
static void floats_with_eight_more_bits(void **state) {
  (void)state;
  double worst = 0;
  for (int64_t i = 0; i < 200000; ++i) {
    const double x = ldexp(lanczos_random(i), (int)(i % 200) - 100);
    float high = 0;
    int8_t extra = 0;
    const double stored = extra_write_f(&high, &extra, 0, x);
    assert_true(high == (float)x && extra_read_f(&high, &extra, 0) == stored);
    assert_true(extra_read_f(&high, NULL, 0) == (double)high);
    worst = fmax(worst, fabs(stored - x) / fabs(x));
  }
  assert_true(worst < 0x1p-31 && worst > 0x1p-34);
  static const double odd[] = {0, -0.0, 1e-320, -1e-40, 3e38, -3.4028234e38, 1e39, -INFINITY, NAN};
  for (size_t k = 0; k < sizeof odd / sizeof *odd; ++k) {
    float high = 0;
    int8_t extra = 0;
    const double stored = extra_write_f(&high, &extra, 0, odd[k]), read = extra_read_f(&high, &extra, 0);
    assert_true(isnan(odd[k]) ? isnan(read) : read == stored);
    if (isfinite((float)odd[k])) assert_true(fabs(read - odd[k]) <= fabs((double)(float)odd[k] - odd[k]));
    else assert_true(isnan(odd[k]) || read == (double)(float)odd[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_halves_there_and_back),   cmocka_unit_test(halves_round_to_nearest_even),
      cmocka_unit_test(bfloats_there_and_back),      cmocka_unit_test(eight_bits_by_powers_of_two),
      cmocka_unit_test(floats_with_eight_more_bits),
  };
  return cmocka_run_group_tests_name("solver/low_bit_numbers", tests, NULL, NULL);
}
