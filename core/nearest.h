/* The known name nearest to a misspelt one, for "did you mean". */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
/* Edit distance (insert, drop, replace, swap of neighbours), case ignored. Names over 63 bytes count as far away. */
int nearest_distance(const char *a, const char *b);
/* The entry of names[n] nearest to `name`, one that only joins its words otherwise (GKs, g_ks and g-ks) or what other programs call it (core/other_words.def) before others, the first of equals; NULL when none is near, that is when more
 * than a third (rounded up) of the letters of the longer one would have to change, or when that has one letter. */
const char *nearest_name(const char *name, int n, const char *const *names);
#ifdef __cplusplus
}
#endif
