#include <sqlite3.h>

// A macro with a cast, which Swift does not import: SQLite copies what is bound.
static inline sqlite3_destructor_type shim_SQLITE_TRANSIENT(void) { return SQLITE_TRANSIENT; }
