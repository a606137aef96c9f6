/* sinew schema */
#include "app/commands/commands.h"
#include "app/input/json_schema.h"

#include <stdio.h>

Status command_schema(void) {
  Json *json = NULL;
  const char *text = NULL;
  TRY(json_create(&json));
  json_schema_write(json);
  const Status status = json_text(json, &text);
  if (status == OK) printf("%s", text);
  json_destroy(&json);
  return status;
}
