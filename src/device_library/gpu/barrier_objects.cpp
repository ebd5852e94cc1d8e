// mbarrier objects: on sm_90 and later in shared memory those of the GPU, so that cuda::barrier and
// inline PTX can share them; else words of ours.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States are ours in either case: the phase's parity in bit 63, arrivals to come in the lower bits.
#include "../barrier_words.h"
#include "gpu.h"

using namespace gridspan::device_library::barrier_words;

namespace {

#define HELPER static inline __attribute__((always_inline))

HELPER bool is_the_gpus(const volatile Word* place) {
  return reflected("__CUDA_ARCH") >= 900 && __nvvm_isspacep_shared(const_cast<const Word*>(place));
}

HELPER unsigned address_of(const volatile Word* place) {
  using Shared = __attribute__((address_space(3))) const volatile Word*;
  return static_cast<unsigned>(reinterpret_cast<unsigned long long>((Shared)place));
}

HELPER unsigned test(unsigned address, unsigned parity) {
  unsigned is_over;
  __asm__ volatile(
      "{\n\t.reg .pred p;\n\tmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
      "selp.u32 %0, 1, 0, p;\n\t}"
      : "=r"(is_over)
      : "r"(address), "r"(parity)
      : "memory");
  return is_over;
}

}  // namespace

DEVICE_FUNCTION void __gridspan_mbarrier_init(Word* place, unsigned count) {
  if (!is_the_gpus(place)) return init(place, count);
  __asm__ volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
                   :
                   : "r"(address_of(place)), "r"(count)
                   : "memory");
}

DEVICE_FUNCTION Word __gridspan_mbarrier_arrive(Word* place, unsigned count, unsigned dropped,
                                                unsigned more) {
  if (!is_the_gpus(place)) return arrive(place, count, dropped, more);
  const unsigned address = address_of(place);
  // This thread's phase: it is not over before the thread arrives. When the even one is over, an
  // odd one goes on.
  const Word parity = test(address, 0);
  if (more != 0)
    __asm__ volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
                     :
                     : "r"(address), "r"(more)
                     : "memory");
  Word state = 0;
  if (dropped != 0)
    __asm__ volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1], %2;"
                     : "=l"(state)
                     : "r"(address), "r"(dropped)
                     : "memory");
  if (count != dropped)
    __asm__ volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;"
                     : "=l"(state)
                     : "r"(address), "r"(count - dropped)
                     : "memory");
  unsigned left;
  __asm__("mbarrier.pending_count.b64 %0, %1;" : "=r"(left) : "l"(state));
  return parity << 63 | left;
}

DEVICE_FUNCTION void __gridspan_mbarrier_transaction(Word* place, int more) {
  if (!is_the_gpus(place)) return transaction(place, more);
  const unsigned address = address_of(place);
  if (more > 0) {
    __asm__ volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
                     :
                     : "r"(address), "r"(more)
                     : "memory");
    return;
  }
  __nvvm_membar_cta();  // what was copied is seen by those who wait
  __asm__ volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
                   :
                   : "r"(address), "r"(-more)
                   : "memory");
}

DEVICE_FUNCTION unsigned __gridspan_mbarrier_test_parity(const volatile Word* place,
                                                         unsigned parity) {
  return is_the_gpus(place) ? test(address_of(place), parity & 1) : is_over(place, parity);
}
DEVICE_FUNCTION unsigned __gridspan_mbarrier_test(const volatile Word* place, Word state) {
  return __gridspan_mbarrier_test_parity(place, parity_of(state));
}

/// Until the phase with the parity in the lowest bit is over.
DEVICE_FUNCTION void gridspan_phase_wait(Word address_and_parity) {
  const auto* place = reinterpret_cast<const volatile Word*>(address_and_parity & ~7ull);
  const auto parity = static_cast<unsigned>(address_and_parity & 1);
  if (!is_the_gpus(place)) {
    while (!is_over(place, parity)) {
    }
    __nvvm_membar_cta();
    return;
  }
  const unsigned address = address_of(place);
  unsigned is_over;
  do {  // sleeps for a while
    __asm__ volatile(
        "{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
        "selp.u32 %0, 1, 0, p;\n\t}"
        : "=r"(is_over)
        : "r"(address), "r"(parity)
        : "memory");
  } while (is_over == 0);
}
