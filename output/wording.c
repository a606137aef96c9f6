/* Thousands separators, units of memory and time, shortest digits. */
#include "output/wording.h"

#include <stdio.h>
#include <stdlib.h>

const char *count_text(int64_t n, char out[32]) {
  char digits[32];
  const int length = snprintf(digits, sizeof digits, "%lld", (long long)n);
  int k = 0;
  for (int i = 0; i < length; ++i) {
    if (i && (length - i) % 3 == 0 && digits[i - 1] != '-') out[k++] = ',';
    out[k++] = digits[i];
  }
  out[k] = 0;
  return out;
}

const char *bytes_text(double bytes, char out[32]) {
  static const char *const unit[] = {"B", "kB", "MB", "GB", "TB"};
  int u = 0;
  while (bytes >= 999.95 && u < 4) bytes /= 1000, ++u;
  snprintf(out, 32, u ? "%.1f %s" : "%.0f %s", bytes, unit[u]);
  return out;
}

const char *double_text(double value, char out[32]) {
  for (int digits = 6; digits <= 17; ++digits) {
    snprintf(out, 32, "%.*g", digits, value);
    if (strtod(out, NULL) == value) break;
  }
  return out;
}

const char *seconds_text(double seconds, char out[32]) {
  if (seconds < 0.9995e-3) snprintf(out, 32, "%.0f us", 1e6 * seconds);
  else if (seconds < 0.9995) snprintf(out, 32, "%.3g ms", 1e3 * seconds);
  else if (seconds < 99.95) snprintf(out, 32, "%.3g s", seconds);
  else snprintf(out, 32, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
  return out;
}
