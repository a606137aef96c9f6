/* Phases and dominant frequencies of signals that are known. */
#include "core/memory.h"
#include "solver/time/dominant_frequency.h"
#include "solver/time/wave_phase.h"
#include "tests/testing.h"

#include <math.h>

enum { N = 5, LAG = 5, SAMPLES = 400 };
static const double PI = 3.14159265358979323846;
static Exec *exec;

static double *upload(const double u[N]) {
  double *at = NULL;
  assert_ok(exec_alloc_upload(exec, N, sizeof *at, u, "u", (void **)&at));
  return at;
}

/* A sine of 20 samples: what it was a quarter of a period ago makes the angle grow by 2 pi / 20 each. */
static void angles_of_sines(void **state) {
  (void)state;
  WavePhase *phase;
  double u[N] = {0}, angle[N], *out = upload(u);
  assert_ok(wave_phase_create(exec, N, LAG, 3, &phase));
  for (int k = 0; k < 60; ++k) {
    for (int i = 0; i < N; ++i) u[i] = 3 + (i + 1) * sin(2 * PI * k / 20 + i);
    double *at = upload(u);
    assert_ok(wave_phase_keep(phase, at));
    EXEC_RELEASE(exec, at, N);
    if (k == 30) { /* into another object */
      const int64_t n = wave_phase_state_size(phase);
      double saved[(LAG + 1) * N + 1];
      assert_int_equal(n, (LAG + 1) * N + 1);
      assert_ok(wave_phase_save(phase, saved));
      wave_phase_destroy(&phase);
      assert_ok(wave_phase_create(exec, N, LAG, 3, &phase));
      assert_ok(wave_phase_restore(phase, saved));
    }
    assert_ok(wave_phase_angle(phase, out));
    assert_ok(exec_download(exec, angle, out, sizeof angle));
    for (int i = 0; i < N; ++i) {
      const double turn = 2 * PI * k / 20 + i; /* atan2(-cos, sin) */
      if (k >= LAG) assert_within(remainder(angle[i] - (turn - PI / 2), 2 * PI), 0, 1e-12);
      else if (k == 0 && i > 0) assert_within(fabs(angle[i] - (sin(turn) > 0 ? PI / 4 : -3 * PI / 4)), 0, 1e-12);
    }
  }
  wave_phase_destroy(&phase);
  EXEC_RELEASE(exec, out, N);
}

/* On frequencies of the spectrum, between them, the larger of two, too small, none. */
static double signal(int i, double t) {
  switch (i) {
  case 0: return -60 + 20 * sin(2 * PI * 6 * t);
  case 1: return -60 + 20 * cos(2 * PI * 5.27 * t);
  case 2: return 500 + 3 * sin(2 * PI * 4 * t + 1) + 4 * cos(2 * PI * 11.5 * t);
  case 3: return -80 + 0.4 * sin(2 * PI * 7 * t);
  default: return -85.3;
  }
}

static void frequencies(void **state) {
  (void)state;
  const DominantFrequencyParams params = {.begin = 1, .end = 3, .from = 1, .to = 20, .least = 1};
  DominantFrequency *spectrum;
  double u[N] = {0}, peak[N], *out = upload(u);
  assert_int_equal(dominant_frequency_frequencies(&params), 39);
  assert_ok(dominant_frequency_create(exec, N, &params, &spectrum));
  for (int k = 0; k <= SAMPLES; ++k) { /* every 10 ms, from 0 to 4 */
    const double t = 4.0 * k / SAMPLES;
    for (int i = 0; i < N; ++i) u[i] = signal(i, t) + (t < 1 || t > 3 ? 1000 * sin(40 * t) : 0);
    double *at = upload(u);
    assert_ok(dominant_frequency_add(spectrum, t, at));
    EXEC_RELEASE(exec, at, N);
    if (k != 150) continue;
    assert_ok(dominant_frequency_peak(spectrum, t, out));
    assert_ok(exec_download(exec, peak, out, sizeof peak));
    for (int i = 0; i < N; ++i) assert_true(peak[i] == -1);
    const int64_t n = dominant_frequency_state_size(spectrum);
    double *saved = malloc((size_t)n * sizeof *saved);
    assert_ok(dominant_frequency_save(spectrum, saved));
    dominant_frequency_destroy(&spectrum);
    assert_ok(dominant_frequency_create(exec, N, &params, &spectrum));
    assert_ok(dominant_frequency_restore(spectrum, saved));
    free(saved);
  }
  assert_ok(dominant_frequency_peak(spectrum, 3, out));
  assert_ok(exec_download(exec, peak, out, sizeof peak));
  print_message("6, 5.27 and 11.5 Hz in 2 s: %.6f, %.6f, %.6f\n", peak[0], peak[1], peak[2]);
  assert_within(peak[0], 6, 1e-3);
  assert_within(peak[1], 5.27, 0.02); /* 0.04 of the distance of two frequencies */
  assert_within(peak[2], 11.5, 1e-3);
  assert_true(peak[3] == 0 && peak[4] == 0);
  dominant_frequency_destroy(&spectrum);
  EXEC_RELEASE(exec, out, N);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(angles_of_sines), cmocka_unit_test(frequencies)};
  return testing_run("solver/rhythm", tests, exec);
}
