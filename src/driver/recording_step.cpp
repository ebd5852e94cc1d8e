// A recording build: container in, shared object out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/recording_step.h"

#include "abi/container.h"
#include "driver/cleanup.h"
#include "driver/device_step.h"
#include "driver/files.h"
#include "driver/installation.h"
#include "driver/messages.h"
#include "driver/process.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Compression.h>
#include <llvm/Support/Endian.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/JSON.h>
#include <algorithm>
#include <cstring>
#include <optional>

namespace gridspan::driver {
namespace {

using support::fail;
using support::Result;

/// What the container of one object holds for us.
struct Source {
  abi::ModuleId id;
  std::string bitcode;
  std::string cpu;  // the original was compiled for it
};

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

std::string cpu_of(std::string_view options) {
  auto parsed = llvm::json::parse(llvm::StringRef(options.data(), options.size()));
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return {};
  }
  const llvm::json::Object* object = parsed->getAsObject();
  return object ? object->getString("cpu").value_or("").str() : std::string();
}

Result<Source> read_container(const std::string& path) {
  auto file = read_file(path);
  if (!file) return fail(file.error());
  const std::string_view bytes = *file;
  abi::ContainerHeader header{};
  if (bytes.size() < sizeof header) return fail("'" + path + "' is not a Gridspan container");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, "GRIDSPC", sizeof header.magic) != 0)
    return fail("'" + path + "' is not a Gridspan container");
  if (header.version != abi::version)
    return fail("'" + path + "' was made by another version of gridcc");
  Source source;
  source.id = header.id;
  for (std::uint32_t i = 0; i < header.entry_count; ++i) {
    const std::size_t at = sizeof header + i * sizeof(abi::ContainerEntry);
    abi::ContainerEntry entry{};
    if (at + sizeof entry > bytes.size()) return fail("'" + path + "' is cut short");
    std::memcpy(&entry, bytes.data() + at, sizeof entry);
    if (entry.offset > bytes.size() || entry.size > bytes.size() - entry.offset)
      return fail("'" + path + "' is cut short");
    const std::string_view payload = bytes.substr(entry.offset, entry.size);
    if (entry.kind == abi::ContainerKind::options) source.cpu = cpu_of(payload);
    if (entry.kind != abi::ContainerKind::bitcode) continue;
    auto bitcode = unpack(payload);
    if (!bitcode) return fail(bitcode.error());
    source.bitcode = std::move(*bitcode);
  }
  if (source.bitcode.empty()) return fail("'" + path + "' holds no device code");
  return source;
}

codegen::DeviceRequest request_for(const Source& source, const Workspace& workspace) {
  codegen::DeviceRequest request;
  request.bitcode_path = workspace.path() + "/device.bc";
  request.object_path = workspace.path() + "/recording.o";
  request.id = source.id;
  request.target_cpu = source.cpu;
  request.opt_level = 1;
  request.records_accesses = true;
  return request;
}

/// The shared object is linked in the workspace and then copied, because the output may be
/// something no linker can replace, such as /dev/fd/4.
Result<void> build(const InternalStep& step) {
  auto installation = find_installation("gridcc");
  if (!installation) return fail(installation.error());
  auto source = read_container(step.container);
  if (!source) return fail(source.error());
  auto workspace = Workspace::create();
  if (!workspace) return fail(workspace.error());
  const codegen::DeviceRequest request = request_for(*source, *workspace);
  if (auto written = write_file(request.bitcode_path, source->bitcode); !written)
    return fail(written.error());
  if (!run_device_compiler(request, {.no_warnings = true})) return fail("");
  const std::string product = workspace->path() + "/recording.so";
  const Command link{installation->linker,
                     {"-shared", "-o", product, request.object_path,
                      installation->library_directory + "/libgridspan.so"}};
  const Outcome outcome = run(link);
  if (!outcome.ok()) return fail("'" + to_line(link) + "' failed: " + outcome.trouble);
  auto bytes = read_file(product);
  if (!bytes) return fail(bytes.error());
  return write_file(step.output, *bytes);
}

}  // namespace

int run_recording_step(const InternalStep& step) {
  if (step.output.empty()) return print_error("this step needs '-o'"), 1;
  auto built = build(step);
  if (built) return 0;
  if (!built.error().message.empty()) print_error(built.error().message);
  return 1;
}

}  // namespace gridspan::driver
