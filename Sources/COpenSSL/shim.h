#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Only what Swift cannot import. Swift sees neither function-like macros nor macros whose value
// is made with a cast; every function here stands for one of those.

// Function-like macro (SSL_CTX_ctrl).
static inline int shim_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
  return (int)SSL_CTX_set_min_proto_version(context, version);
}

// Function-like macro (SSL_CTX_ctrl).
static inline void shim_SSL_CTX_set_mode(SSL_CTX *context, long mode) {
  SSL_CTX_set_mode(context, mode);
}

// Function-like macro (SSL_CTX_ctrl).
static inline void shim_SSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode) {
  SSL_CTX_set_session_cache_mode(context, mode);
}

// Function-like macro (SSL_CTX_ctrl). Takes a reference of its own.
static inline int shim_SSL_CTX_add1_chain_cert(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

// Function-like macro (SSL_ctrl) that casts away the const of the name.
static inline int shim_SSL_set_tlsext_host_name(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}

// Macros over SSL_set_ex_data and SSL_get_ex_data.
static inline int shim_SSL_set_app_data(SSL *ssl, void *data) {
  return SSL_set_app_data(ssl, data);
}
static inline void *shim_SSL_get_app_data(const SSL *ssl) { return SSL_get_app_data(ssl); }

// Values made by the macro SSL_OP_BIT, which casts.
static inline uint64_t shim_SSL_OP_NO_RENEGOTIATION(void) { return SSL_OP_NO_RENEGOTIATION; }
static inline uint64_t shim_SSL_OP_NO_TICKET(void) { return SSL_OP_NO_TICKET; }

// Macros over BIO_set_flags and BIO_clear_flags.
static inline void shim_BIO_set_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
static inline void shim_BIO_clear_retry_flags(BIO *bio) { BIO_clear_retry_flags(bio); }
