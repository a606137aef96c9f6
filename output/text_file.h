/* A text that grows with a run, as far as its file has it: more is put behind what is there before each checkpoint, which says how
 * much that is (output/receipt.h), and a run that goes on takes that much of the file. */
#pragma once
#include "output/checksum.h"
#include "output/text.h"

/* Zero-initialise. */
typedef struct TextFile {
  char *path; /* owned */
  Checksum sum;
} TextFile;

/* Takes over `path`. */
void text_file_begin(TextFile *file, char *path);
/* What a checkpoint knows of becomes all of the file, and the text. ERR_RESTART: it is missing or damaged. */
Status text_file_continue(TextFile *file, const void *receipt, int64_t n_receipt, Text *text);
/* On the disk is all of the text then, *n_byte with this checksum; nothing is touched where it is empty. ERR_IO. */
Status text_file_sync(TextFile *file, const Text *text, int64_t *n_byte, uint64_t *sum);
void text_file_release(TextFile *file);
