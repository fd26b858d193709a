// What the console serves as it is: files of this folder, embedded when it is compiled. SwiftPM's own
// way to embed a file takes minutes for one of this size.
#ifndef CCONSOLEDOCUMENTS_H
#define CCONSOLEDOCUMENTS_H

#include <stddef.h>

typedef struct {
  const unsigned char *bytes;
  size_t count;
} CConsoleDocument;

// openapi.json: the API of the console.
CConsoleDocument c_console_openapi(void);

#endif
