// What each thread has for itself, made when it first asks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pthread.h>

#include <cstdio>
#include <cstdlib>

namespace gridspan::support {

/// Like a thread_local that has a destructor. To announce such a destructor the C library takes the
/// lock that dlopen and dlclose have while libraries begin and end; and a library that ends waits
/// for kernels, whose threads may be about to announce one. This takes no lock.
///
/// Never destroyed. Destructors run when the thread ends, those of the main thread never.
template <class T>
class PerThread {
 public:
  PerThread() {
    if (pthread_key_create(&key_, [](void* own) { delete static_cast<T*>(own); }) == 0) return;
    std::fputs("gridspan: error: the process has no thread-specific keys left\n", stderr);
    std::abort();
  }
  PerThread(const PerThread&) = delete;
  PerThread& operator=(const PerThread&) = delete;
  ~PerThread() = delete;

  /// `make` returns a new T.
  template <class Make>
  T& get(Make make) {
    if (void* const known = pthread_getspecific(key_)) return *static_cast<T*>(known);
    T* const made = make();
    pthread_setspecific(key_, made);
    return *made;
  }

 private:
  pthread_key_t key_{};
};

}  // namespace gridspan::support
