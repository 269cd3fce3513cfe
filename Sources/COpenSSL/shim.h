// The parts of OpenSSL's libcrypto that decrypt a page: AES-256-CBC and HMAC-SHA224.
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
