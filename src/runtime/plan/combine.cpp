// One plain loop for each operation and type, for the compiler to vectorise.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/combine.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridspan::runtime {

namespace {

template <class T>
struct Add {
  static constexpr T identity = 0;
  static T together(T a, T b) { return static_cast<T>(a + b); }
};
template <class T>
struct FloatAdd {
  static constexpr T identity = T(-0.0);  // x + 0.0 would turn -0.0 into 0.0
  /// What nobody has updated keeps its bits: a sum would make another NaN of a signalling one.
  static T together(T a, T b) { return b == 0 && std::signbit(b) ? a : a + b; }
};
template <class T>
struct Min {
  static constexpr T identity = std::numeric_limits<T>::max();
  static T together(T a, T b) { return std::min(a, b); }
};
template <class T>
struct Max {
  static constexpr T identity = std::numeric_limits<T>::lowest();
  static T together(T a, T b) { return std::max(a, b); }
};
/// Like the updates themselves these prefer any number to NaN.
template <class T>
struct FloatMin {
  static constexpr T identity = std::numeric_limits<T>::quiet_NaN();
  static T together(T a, T b) { return std::isnan(b) ? a : std::fmin(a, b); }
};
template <class T>
struct FloatMax {
  static constexpr T identity = std::numeric_limits<T>::quiet_NaN();
  static T together(T a, T b) { return std::isnan(b) ? a : std::fmax(a, b); }
};
template <class T>
struct And {
  static constexpr T identity = static_cast<T>(~T(0));
  static T together(T a, T b) { return a & b; }
};
template <class T>
struct Or {
  static constexpr T identity = 0;
  static T together(T a, T b) { return a | b; }
};
template <class T>
struct Xor {
  static constexpr T identity = 0;
  static T together(T a, T b) { return a ^ b; }
};

template <class T, template <class> class Op>
Combiner loops() {
  return {[](char* elements, std::size_t count) {
            std::fill_n(reinterpret_cast<T*>(elements), count, Op<T>::identity);
          },
          [](char* to, const char* from, std::size_t count) {
            T* const out = reinterpret_cast<T*>(to);
            const T* const in = reinterpret_cast<const T*>(from);
            for (std::size_t i = 0; i < count; ++i) out[i] = Op<T>::together(out[i], in[i]);
          }};
}

template <template <class> class Op>
Combiner unsigned_loops(std::uint32_t bytes) {
  if (bytes == 1) return loops<std::uint8_t, Op>();
  if (bytes == 2) return loops<std::uint16_t, Op>();
  if (bytes == 4) return loops<std::uint32_t, Op>();
  if (bytes == 8) return loops<std::uint64_t, Op>();
  return {};
}

template <template <class> class Op>
Combiner signed_loops(std::uint32_t bytes) {
  if (bytes == 1) return loops<std::int8_t, Op>();
  if (bytes == 2) return loops<std::int16_t, Op>();
  if (bytes == 4) return loops<std::int32_t, Op>();
  if (bytes == 8) return loops<std::int64_t, Op>();
  return {};
}

template <template <class> class Op>
Combiner float_loops(std::uint32_t bytes) {
  if (bytes == 4) return loops<float, Op>();
  if (bytes == 8) return loops<double, Op>();
  return {};
}

}  // namespace

Combiner combiner(abi::ReductionOp op, std::uint32_t bytes) {
  using abi::ReductionOp;
  switch (op) {
    case ReductionOp::add:
      return unsigned_loops<Add>(bytes);
    case ReductionOp::float_add:
      return float_loops<FloatAdd>(bytes);
    case ReductionOp::min:
      return signed_loops<Min>(bytes);
    case ReductionOp::unsigned_min:
      return unsigned_loops<Min>(bytes);
    case ReductionOp::float_min:
      return float_loops<FloatMin>(bytes);
    case ReductionOp::max:
      return signed_loops<Max>(bytes);
    case ReductionOp::unsigned_max:
      return unsigned_loops<Max>(bytes);
    case ReductionOp::float_max:
      return float_loops<FloatMax>(bytes);
    case ReductionOp::bit_and:
      return unsigned_loops<And>(bytes);
    case ReductionOp::bit_or:
      return unsigned_loops<Or>(bytes);
    case ReductionOp::bit_xor:
      return unsigned_loops<Xor>(bytes);
    case ReductionOp::none:
    case ReductionOp::increment:  // what n counts make of a value depends on their limit
    case ReductionOp::decrement:
      break;
  }
  return {};
}

}  // namespace gridspan::runtime
