// mbarrier objects in any memory, by the names that device code calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "barrier_words.h"
#include "device_library.h"

using namespace gridspan::device_library::barrier_words;

DEVICE_FUNCTION void __gridspan_mbarrier_init(Word* place, unsigned count) { init(place, count); }
DEVICE_FUNCTION Word __gridspan_mbarrier_arrive(Word* place, unsigned count, unsigned dropped,
                                                unsigned more) {
  return arrive(place, count, dropped, more);
}
DEVICE_FUNCTION void __gridspan_mbarrier_transaction(Word* place, int more) {
  transaction(place, more);
}
/// The phase of `state` is over.
DEVICE_FUNCTION unsigned __gridspan_mbarrier_test(const volatile Word* place, Word state) {
  return is_over(place, parity_of(state));
}
DEVICE_FUNCTION unsigned __gridspan_mbarrier_test_parity(const volatile Word* place,
                                                         unsigned parity) {
  return is_over(place, parity);
}
DEVICE_FUNCTION unsigned __gridspan_mbarrier_pending(Word state) { return pending(state); }
