// The part of a call in which ranks have to agree.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nccl.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace gridspan::libraries::nccl {

enum class Kind { reduce, broadcast, all_reduce, reduce_scatter, all_gather, send, receive, split };

/// The operation of all that ncclRedOpCreatePreMulSum makes: a sum, of which each rank has
/// multiplied its elements by a factor of its own.
constexpr ncclRedOp_t pre_mul_sum = ncclNumOps;

/// Plain data: other processes read it.
struct Asked {
  Kind kind;
  std::size_t count = 0;
  ncclDataType_t type = ncclInt8;
  ncclRedOp_t op = ncclSum;
  int peer = 0;              // or root
  int color = 0, key = 0;    // of a split
  std::uint64_t factor = 0;  // of pre_mul_sum: the bits of an element, from the lowest
};

/// "ncclAllReduce"
const char* name_of(Kind kind);

/// Bytes of an element.
std::size_t size_of(ncclDataType_t type);

inline bool combines(Kind kind) {
  return kind == Kind::reduce || kind == Kind::all_reduce || kind == Kind::reduce_scatter;
}

/// The reason, in words, for which two ranks' collectives do not belong together; empty: they do.
std::string difference(const Asked& a, const Asked& b);

}  // namespace gridspan::libraries::nccl
