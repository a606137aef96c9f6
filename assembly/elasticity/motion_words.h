/* Rigid motions in words: "translation in x; rotation about z". */
#pragma once
#include <stddef.h>

/* free[m][6]: orthonormal motions, translation and rotation times a length. text: `size` bytes, cut where it is
 * full. */
void motion_words(int m, double free[6][6], char *text, size_t size);
/* Appends text to a buffer of `size` bytes, cut where it is full. */
void motion_say(char *to, size_t size, const char *text);
