// The parts of OpenSSL's libcrypto that encrypt pages, and that decrypt those of a .realm file.
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
// The random numbers of the system, which Swift's module of the C library does not have.
#include <sys/random.h>
// Core dumps.
#include <sys/prctl.h>

static inline void kennel_forbid_core_dumps(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
