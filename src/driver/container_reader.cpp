// Unpacking of containers, with every length checked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/container_reader.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Compression.h>
#include <llvm/Support/Endian.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/JSON.h>
#include <cstring>
#include <optional>

namespace gridspan::driver {
namespace {

using support::fail;
using support::Result;

/// The size that a zstd frame says it unpacks to.
std::optional<std::uint64_t> unpacked_size(std::string_view frame) {
  using namespace llvm::support;
  constexpr std::uint32_t magic = 0xfd2fb528;
  if (frame.size() < 18 || endian::read32le(frame.data()) != magic) return std::nullopt;
  const auto descriptor = static_cast<unsigned char>(frame[4]);
  const bool single_segment = (descriptor >> 5 & 1) != 0;
  constexpr std::size_t dictionary_bytes[] = {0, 1, 2, 4};
  const char* size = frame.data() + 5 + (single_segment ? 0 : 1) + dictionary_bytes[descriptor & 3];
  switch (descriptor >> 6) {
    case 0:
      if (!single_segment) return std::nullopt;
      return static_cast<unsigned char>(*size);
    case 1:
      return endian::read16le(size) + 256u;
    case 2:
      return endian::read32le(size);
    default:
      return endian::read64le(size);
  }
}

Result<std::string> unpack(std::string_view packed) {
  constexpr std::uint64_t most = std::uint64_t{4} << 30;
  const auto size = unpacked_size(packed);
  if (!size || *size > most) return fail("the bitcode in the container is damaged");
  llvm::SmallVector<std::uint8_t> bytes;
  const llvm::StringRef frame(packed.data(), packed.size());
  if (llvm::Error error =
          llvm::compression::zstd::decompress(llvm::arrayRefFromStringRef(frame), bytes, *size))
    return fail("the bitcode in the container is damaged: " + llvm::toString(std::move(error)));
  return std::string(bytes.begin(), bytes.end());
}

void read_facts(std::string_view facts, DeviceSource& source) {
  auto parsed = llvm::json::parse(llvm::StringRef(facts.data(), facts.size()));
  if (!parsed) return llvm::consumeError(parsed.takeError());
  const llvm::json::Object* object = parsed->getAsObject();
  const llvm::json::Array* kernels = object ? object->getArray("kernels") : nullptr;
  if (!kernels) return;
  for (const llvm::json::Value& kernel : *kernels) {
    const llvm::json::Object* one = kernel.getAsObject();
    if (!one) continue;
    const std::string name = one->getString("name").value_or("").str();
    if (one->getArray("scalar_reasons")) source.scalar_kernels.push_back(name);
    if (const llvm::json::Array* cpus = one->getArray("vector_math"))
      for (const llvm::json::Value& cpu : *cpus)
        source.vector_math.push_back({name, cpu.getAsString().value_or("").str()});
  }
}

void read_options(std::string_view options, DeviceSource& source) {
  auto parsed = llvm::json::parse(llvm::StringRef(options.data(), options.size()));
  if (!parsed) return llvm::consumeError(parsed.takeError());
  const llvm::json::Object* object = parsed->getAsObject();
  if (!object) return;
  source.source = object->getString("source").value_or("").str();
  source.cpu = object->getString("cpu").value_or("").str();
  source.ptx = object->getString("ptx").value_or("").str();
  source.debug_info = object->getBoolean("debug").value_or(false);
  source.optimised = object->getBoolean("optimised").value_or(true);
}

}  // namespace

Result<DeviceSource> read_container(std::string_view bytes, const std::string& origin) {
  abi::ContainerHeader header{};
  if (bytes.size() >= sizeof header) std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, "GRIDSPC", sizeof header.magic) != 0)
    return fail("'" + origin + "' is not a Gridspan container");
  if (header.version != abi::version)
    return fail("'" + origin + "' was made by another version of gridcc");
  DeviceSource source;
  source.id = header.id;
  source.size = header.total_size;
  if (header.total_size < sizeof header || header.total_size > bytes.size())
    return fail("'" + origin + "' is cut short");
  for (std::uint32_t i = 0; i < header.entry_count; ++i) {
    const std::size_t at = sizeof header + i * sizeof(abi::ContainerEntry);
    abi::ContainerEntry entry{};
    if (at + sizeof entry > bytes.size()) return fail("'" + origin + "' is cut short");
    std::memcpy(&entry, bytes.data() + at, sizeof entry);
    if (entry.offset > bytes.size() || entry.size > bytes.size() - entry.offset)
      return fail("'" + origin + "' is cut short");
    const std::string_view payload = bytes.substr(entry.offset, entry.size);
    if (entry.kind == abi::ContainerKind::options) read_options(payload, source);
    if (entry.kind == abi::ContainerKind::facts) read_facts(payload, source);
    if (entry.kind == abi::ContainerKind::sequences) source.sequences = payload;
    if (entry.kind == abi::ContainerKind::model) source.models = payload;
    if (entry.kind != abi::ContainerKind::bitcode) continue;
    auto bitcode = unpack(payload);
    if (!bitcode) return fail("'" + origin + "': " + bitcode.error().message);
    source.bitcode = std::move(*bitcode);
  }
  if (source.bitcode.empty()) return fail("'" + origin + "' holds no device code");
  return source;
}

}  // namespace gridspan::driver
