/* Words of a schema from a row of core/field_type.h: FIELD_WORDS_P(word, numbers) and so on of `output.fields`, PROBE_WORDS_P
 * of probes. */
#pragma once
#include "app/input/schema.h"
#include "core/field_type.h"

/* clang-format off */
#define SCHEMA_WORD(word, only) {word, only},
#define FIELD_WORDS_Y(word, parts) SCHEMA_WORD(word, 0)
#define FIELD_WORDS_P(word, parts) SCHEMA_WORD(word, 0)
#define FIELD_WORDS_N(word, parts)
#define PROBE_WORDS_Y(word, parts)
#define PROBE_WORDS_P(word, parts) FIELD_##parts(word, SCHEMA_WORD, 0)
#define PROBE_WORDS_N(word, parts)
/* clang-format on */
