/* A small JSON writer for reports: nested objects and arrays, indented, in the order of the calls.
 *   Json *json; TRY(json_create(&json));            the whole is one object
 *   json_number(json, "true_residual", 1e-9);  json_object(json, "seconds");  json_number(json, "solve", 0.2);
 *   json_end(json);  status = json_save(json, path);  json_destroy(&json);
 * Keys are given inside objects and NULL inside arrays. Failures (memory, a missing or unwanted key, an unmatched end)
 * are kept and handed up by json_save and json_text. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Json Json;
Status json_create(Json **out);
/* Accepts NULL, sets NULL. */
void json_destroy(Json **json);

void json_object(Json *json, const char *key); /* opens an object */
void json_array(Json *json, const char *key);  /* opens an array */
/* Opens an object that stands once: where it is comes {"$ref": "#/definitions/3"}, and equal ones are the same. The whole then has
 * them as its last member, "definitions". */
void json_shared(Json *json, const char *key);
void json_end(Json *json); /* closes the innermost one */
/* UTF-8; control characters are escaped, bytes that are not UTF-8 become U+FFFD. NULL text is null. */
void json_string(Json *json, const char *key, const char *text);
/* Shortest of %.15g, %.16g, %.17g that reads back to the same bits; null for NaN and infinity, which JSON lacks. */
void json_number(Json *json, const char *key, double value);
void json_integer(Json *json, const char *key, int64_t value);
void json_bool(Json *json, const char *key, bool value);
void json_null(Json *json, const char *key);

/* Closes what is open; *text (borrowed, until the next call) is the document. ERR_BUG, ERR_MEMORY as above. */
Status json_text(Json *json, const char **text);
/* Closes what is open and writes the file by temporary file, fsync and rename. ERR_IO with the path. */
Status json_save(Json *json, const char *path);
