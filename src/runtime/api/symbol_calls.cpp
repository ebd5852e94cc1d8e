// __device__ and __constant__ variables by the address of their host shadow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/copy_calls.h"
#include "runtime/api/registry.h"
#include "runtime/api/symbols.h"

using namespace gridspan;
using namespace gridspan::runtime;

namespace {

struct Place {
  char* address;
  std::size_t size;
};

Status find_symbol(Runtime& state, const void* shadow, Place& place) {
  const auto variable = registry().find_variable(shadow);
  if (!variable) {
    return refuse(cudaErrorInvalidSymbol, "no device variable is registered for host address %p",
                  shadow);
  }
  const abi::Symbol& symbol = variable->loaded->module->symbols[variable->index];
  void* const* addresses = symbol_addresses(*variable->loaded, state.memory, current_device());
  if (!addresses) return refuse(cudaErrorMemoryAllocation, "no room for '%s'", symbol.name);
  place = {static_cast<char*>(addresses[variable->index]), symbol.size};
  return cudaSuccess;
}

}  // namespace

Status gridspan::runtime::find_part(Runtime& state, const void* shadow, std::size_t count,
                                    std::size_t offset, char*& address) {
  Place place{};
  GRIDSPAN_TRY(find_symbol(state, shadow, place));
  if (offset > place.size || count > place.size - offset) {
    return refuse(cudaErrorInvalidValue, "%zu bytes at offset %zu leave the variable's %zu bytes",
                  count, offset, place.size);
  }
  address = place.address + offset;
  return cudaSuccess;
}

namespace {

Status check_kind(cudaMemcpyKind kind, cudaMemcpyKind host_kind) {
  if (kind == host_kind || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault) {
    return cudaSuccess;
  }
  return refuse(cudaErrorInvalidMemcpyDirection, "kind %d does not fit a device variable",
                static_cast<int>(kind));
}

Status copy_to(Runtime& state, const void* shadow, const void* source, std::size_t count,
               std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
               Asynchrony asynchrony) {
  GRIDSPAN_TRY(check_kind(kind, cudaMemcpyHostToDevice));
  char* address = nullptr;
  GRIDSPAN_TRY(find_part(state, shadow, count, offset, address));
  return copy(state, flat(address), flat(source), {count}, kind, stream, asynchrony);
}

Status copy_from(Runtime& state, void* destination, const void* shadow, std::size_t count,
                 std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                 Asynchrony asynchrony) {
  GRIDSPAN_TRY(check_kind(kind, cudaMemcpyDeviceToHost));
  char* address = nullptr;
  GRIDSPAN_TRY(find_part(state, shadow, count, offset, address));
  return copy(state, flat(destination), flat(address), {count}, kind, stream, asynchrony);
}

}  // namespace

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  GRIDSPAN_CALL(pointer, symbol) {
    if (!pointer) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    Place place{};
    GRIDSPAN_TRY(find_symbol(state, symbol, place));
    *pointer = place.address;
    return cudaSuccess;
  });
}

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  GRIDSPAN_CALL(size, symbol) {
    if (!size) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    Place place{};
    GRIDSPAN_TRY(find_symbol(state, symbol, place));
    *size = place.size;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, size_t count, size_t offset,
                               cudaMemcpyKind kind) {
  GRIDSPAN_CALL(symbol, source, count, offset, kind) {
    return copy_to(state, symbol, source, count, offset, kind, nullptr, Asynchrony::no);
  });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, size_t count,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  GRIDSPAN_CALL(symbol, source, count, offset, kind, stream) {
    return copy_to(state, symbol, source, count, offset, kind, stream, Asynchrony::yes);
  });
}

cudaError_t cudaMemcpyFromSymbol(void* destination, const void* symbol, size_t count, size_t offset,
                                 cudaMemcpyKind kind) {
  GRIDSPAN_CALL(destination, symbol, count, offset, kind) {
    return copy_from(state, destination, symbol, count, offset, kind, nullptr, Asynchrony::no);
  });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const void* symbol, size_t count,
                                      size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  GRIDSPAN_CALL(destination, symbol, count, offset, kind, stream) {
    return copy_from(state, destination, symbol, count, offset, kind, stream, Asynchrony::yes);
  });
}
