// Which sanitizer this is built with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GRIDSPAN_ADDRESS_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer)
#define GRIDSPAN_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define GRIDSPAN_ADDRESS_SANITIZER 1
#endif
#if defined(__SANITIZE_THREAD__)
#define GRIDSPAN_THREAD_SANITIZER 1
#endif
