// Spelling of the API's own types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/call_arguments.h"

#include "support/format.h"

#include <span>

namespace gridspan::runtime::record {

namespace {

using support::formatted;

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Two hexadecimal digits a byte.
std::string digits(std::span<const char> bytes) {
  std::string all;
  for (const char byte : bytes) all += formatted("%02x", static_cast<unsigned char>(byte));
  return all;
}

}  // namespace

/// `record::address(arguments), shared_bytes` gives `arguments`.
std::string CallArguments::take_name(std::string_view& names) {
  const std::size_t comma = names.find(',');
  std::string_view name = trim(names.substr(0, comma));
  names = comma == std::string_view::npos ? std::string_view() : names.substr(comma + 1);
  if (const std::size_t open = name.find('('); open != std::string_view::npos) {
    name = trim(name.substr(open + 1, name.rfind(')') - open - 1));
  }
  return std::string(name);
}

std::string CallArguments::hexadecimal(const void* pointer) {
  return pointer ? formatted("%p", pointer) : "null";
}

std::string CallArguments::text(const char* words) const {
  return succeeded_ && words ? "\"" + std::string(words) + "\"" : hexadecimal(words);
}

std::string CallArguments::text(cudaMemcpyKind kind) const {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return "HostToHost";
    case cudaMemcpyHostToDevice:
      return "HostToDevice";
    case cudaMemcpyDeviceToHost:
      return "DeviceToHost";
    case cudaMemcpyDeviceToDevice:
      return "DeviceToDevice";
    case cudaMemcpyDefault:
      return "Default";
  }
  return std::to_string(static_cast<int>(kind));
}

std::string CallArguments::text(const dim3& extents) const {
  return formatted("(%u, %u, %u)", extents.x, extents.y, extents.z);
}

std::string CallArguments::text(const cudaExtent& extent) const {
  return formatted("(%zu, %zu, %zu)", extent.width, extent.height, extent.depth);
}

std::string CallArguments::text(const cudaPos& position) const {
  return formatted("(%zu, %zu, %zu)", position.x, position.y, position.z);
}

std::string CallArguments::text(const cudaMemLocation& location) const {
  return formatted("{type=%d, id=%d}", static_cast<int>(location.type), location.id);
}

std::string CallArguments::text(const cudaIpcEventHandle_t& handle) const {
  return digits(handle.reserved);
}

std::string CallArguments::text(const cudaIpcMemHandle_t& handle) const {
  return digits(handle.reserved);
}

std::string CallArguments::text(const cudaPitchedPtr& memory) const {
  return formatted("{ptr=%p, pitch=%zu, xsize=%zu, ysize=%zu}", memory.ptr, memory.pitch,
                   memory.xsize, memory.ysize);
}

std::string CallArguments::text(const cudaMemcpy3DParms* parameters) const {
  if (!parameters) return "null";
  return "{dstPtr=" + text(parameters->dstPtr) + ", dstPos=" + text(parameters->dstPos) +
         ", srcPtr=" + text(parameters->srcPtr) + ", srcPos=" + text(parameters->srcPos) +
         ", extent=" + text(parameters->extent) + ", kind=" + text(parameters->kind) + "}";
}

std::string CallArguments::text(const cudaMemcpy3DPeerParms* parameters) const {
  if (!parameters) return "null";
  return "{dstPtr=" + text(parameters->dstPtr) + ", dstPos=" + text(parameters->dstPos) +
         ", srcPtr=" + text(parameters->srcPtr) + ", srcPos=" + text(parameters->srcPos) +
         ", extent=" + text(parameters->extent) + "}";
}

std::string CallArguments::text(const cudaLaunchConfig_t* config) const {
  if (!config) return "null";
  return "{grid=" + text(config->gridDim) + ", block=" + text(config->blockDim) +
         ", shared=" + text(config->dynamicSmemBytes) + ", stream=" + text(config->stream) + "}";
}

}  // namespace gridspan::runtime::record
