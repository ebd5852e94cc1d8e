// Looks every pointer of a copy up before a byte moves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/copy_checks.h"

namespace gridspan::runtime {

namespace {

/// What the kind says about one side.
enum class Claim : std::uint8_t { host, device, any };

struct Claims {
  Claim to, from;
};

std::optional<Claims> claims_of(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return Claims{Claim::host, Claim::host};
    case cudaMemcpyHostToDevice:
      return Claims{Claim::device, Claim::host};
    case cudaMemcpyDeviceToHost:
      return Claims{Claim::host, Claim::device};
    case cudaMemcpyDeviceToDevice:
      return Claims{Claim::device, Claim::device};
    case cudaMemcpyDefault:
      return Claims{Claim::any, Claim::any};
  }
  return std::nullopt;
}

Side side_of(const Lookup& found) {
  if (!found.is_live()) return Side::pageable;
  return is_host_kind(found.allocation.kind) ? Side::visible : Side::device;
}

Status check_range(const char* role, const Pitched& memory, const Extent& extent,
                   const Allocation& allocation) {
  const Span span = span_of(memory, extent);
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(memory.base) - allocation.base;
  if (!span.overflows && span.bytes <= allocation.size - offset) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "%s %p + %zu bytes leaves its allocation of %zu bytes at %p",
                role, static_cast<void*>(memory.base), span.bytes, allocation.size,
                reinterpret_cast<void*>(allocation.base));
}

Status check_side(Runtime& state, const char* role, const Pitched& memory, const Extent& extent,
                  Claim claim, Side& side) {
  if (!memory.base) return refuse(cudaErrorInvalidValue, "%s is null", role);
  const Lookup found = state.memory.table().find(memory.base);
  side = side_of(found);
  if (found.is_live()) {
    if (claim == Claim::host && side == Side::device) {
      support::log(support::LogLevel::info, "%s %p is device memory, but the kind says host", role,
                   static_cast<void*>(memory.base));
    }
    return check_range(role, memory, extent, found.allocation);
  }
  // Freed memory may have become the C library's, so "freed" says nothing about a host pointer.
  if (claim != Claim::device) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "%s %p %s", role, static_cast<void*>(memory.base),
                found.is_freed() ? "was freed before" : "is not device memory");
}

}  // namespace

Status check_copy(Runtime& state, const Pitched& to, const Pitched& from, const Extent& extent,
                  cudaMemcpyKind kind, CheckedCopy& checked) {
  const auto claims = claims_of(kind);
  if (!claims) {
    return refuse(cudaErrorInvalidMemcpyDirection, "%d is not a cudaMemcpyKind",
                  static_cast<int>(kind));
  }
  GRIDSPAN_TRY(check_side(state, "destination", to, extent, claims->to, checked.to));
  GRIDSPAN_TRY(check_side(state, "source", from, extent, claims->from, checked.from));
  return cudaSuccess;
}

Status check_fill(Runtime& state, const Pitched& to, const Extent& extent, Side& side) {
  return check_side(state, "destination", to, extent, Claim::device, side);
}

}  // namespace gridspan::runtime
