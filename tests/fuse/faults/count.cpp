// Preloaded, counts what a program and its libraries ask the C library for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cstddef>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
}

namespace {

std::atomic<long> allocations, locks, threads;

template <class Function>
Function* behind(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  ++allocations;
  return __libc_realloc(memory, size);
}
int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  ++locks;
  static auto* const lock = behind<int(pthread_mutex_t*)>("pthread_mutex_lock");
  return lock(mutex);
}
int pthread_rwlock_rdlock(pthread_rwlock_t* mutex) noexcept {
  ++locks;
  static auto* const lock = behind<int(pthread_rwlock_t*)>("pthread_rwlock_rdlock");
  return lock(mutex);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                   void* argument) noexcept {
  ++threads;
  static auto* const create = behind<decltype(pthread_create)>("pthread_create");
  return create(thread, attributes, body, argument);
}

/// Allocations, locks, threads.
void asked_for(long* counts) {
  counts[0] = allocations;
  counts[1] = locks;
  counts[2] = threads;
}
}
