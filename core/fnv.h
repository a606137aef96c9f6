/* Hashes of arrays and files: FNV-1a (Fowler, Noll, Vo) taken over 8-byte little-endian words instead of bytes; the last
 * word is filled up with zeros. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define FNV_BASIS UINT64_C(14695981039346656037)
enum { FNV_BLOCK = 1 << 18 };

/* Takes `bytes` bytes into the hash. */
uint64_t fnv_words(uint64_t hash, const void *data, size_t bytes);
/* The same where they are at most FNV_BLOCK. Of more, the hashes of the blocks are taken instead, from FNV_BASIS each,
 * which all threads find. */
uint64_t fnv_blocks(uint64_t hash, const void *data, size_t bytes);
