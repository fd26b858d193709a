#include "CConsoleDocuments.h"

static const unsigned char openapi[] = {
#embed "openapi.json"
};

CConsoleDocument c_console_openapi(void) {
  return (CConsoleDocument){openapi, sizeof openapi};
}
