/// FLINT keeps a pool of integers per thread, which is lost with a thread that does not give it back.
#pragma once

#include <flint/flint.h>

namespace schedproof {

/// The pool of this thread is given back when the thread ends. To be called wherever FLINT's integers are made.
inline void give_back_flint_pool() {
    struct Pool {
        ~Pool() { flint_cleanup(); }
    };
    thread_local const Pool pool;
    (void)pool;
}

}  // namespace schedproof
