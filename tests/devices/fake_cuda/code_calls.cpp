// Modules and launches: the kernels' CPU code stands in for their PTX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/ptx.h"
#include "devices/cuda/ptx_names.h"
#include "devices/device.h"
#include "packed_boxes.h"
#include "state.h"
#include "streams.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

using namespace fake_cuda;
using gridspan::abi::Symbol;
using gridspan::devices::Fault;
using gridspan::devices::cuda::managed_name, gridspan::devices::cuda::name_in_ptx;

namespace {

constexpr std::string_view part_suffix = "$part", packed_suffix = "$packed";

bool take_suffix(std::string_view& name, std::string_view suffix) {
  const bool has_it = name.ends_with(suffix);
  if (has_it) name.remove_suffix(suffix.size());
  return has_it;
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

/// The text has `before` and then exactly `name`.
bool mentions(std::string_view text, std::string_view before, std::string_view name) {
  const std::string wanted = std::string(before) + std::string(name);
  for (std::size_t at = text.find(wanted); at != text.npos; at = text.find(wanted, at + 1)) {
    const std::size_t end = at + wanted.size();
    const bool begins = !before.empty() || at == 0 || !is_name_character(text[at - 1]);
    if (begins && (end == text.size() || !is_name_character(text[end]))) return true;
  }
  return false;
}

/// A text with clones of kernels and no kernel.
bool has_only_clones(std::string_view text) {
  constexpr std::string_view entry = ".entry ";
  bool has_any = false;
  for (std::size_t at = text.find(entry); at != text.npos; at = text.find(entry, at)) {
    at += entry.size();
    const std::size_t end =
        std::find_if_not(text.begin() + at, text.end(), is_name_character) - text.begin();
    if (!gridspan::devices::cuda::is_clone_name(text.substr(at, end - at))) return false;
    has_any = true;
  }
  return has_any;
}

bool is_managed(const Symbol& symbol) {
  return (symbol.flags & gridspan::abi::symbol_managed) != 0;
}
std::size_t size_of(const Symbol& symbol) {
  return is_managed(symbol) ? sizeof(void*) : symbol.size;
}

/// Room for each variable that the text has, as the driver finds it in the code's own image.
Result place_variables(FakeModule& made) {
  constexpr std::size_t alignment = 256;
  const gridspan::abi::Module& module = *made.module;
  std::vector<std::size_t> offsets;
  for (std::uint32_t i = 0; i < module.symbol_count; ++i) {
    offsets.push_back(made.bytes);
    const std::size_t size = std::max<std::size_t>(size_of(module.symbols[i]), 1);
    made.bytes += (size + alignment - 1) / alignment * alignment;
  }
  made.variables.assign(module.symbol_count, nullptr);
  const std::size_t list_offset = made.bytes;
  const bool has_list = mentions(made.text, "", gridspan::abi::child_list_variable);
  if (has_list) made.bytes += alignment;
  if (made.bytes == 0) return success;
  made.bytes = (made.bytes + granularity - 1) / granularity * granularity;
  made.base = arena().reserve(made.bytes);
  if (made.base == 0 || !arena().map(made.base, made.bytes, made.gpu->number))
    return error_out_of_memory;
  arena().allow(made.base, made.bytes, made.gpu->number);
  for (const FakeGpu& other : gpus()) {
    if (other.peers.contains(made.gpu->number)) arena().allow(made.base, made.bytes, other.number);
  }
  if (has_list) made.child_list = made.base + list_offset;
  for (std::uint32_t i = 0; i < module.symbol_count; ++i) {
    const Symbol& symbol = module.symbols[i];
    made.variables[i] = reinterpret_cast<void*>(made.base + offsets[i]);
    char* const image = arena().inside(made.base + offsets[i]);
    if (is_managed(symbol)) continue;
    if (symbol.initial) std::memcpy(image, symbol.initial, symbol.size);
    for (std::uint32_t k = 0; k < symbol.relocation_count; ++k) {
      const gridspan::abi::SymbolRelocation& relocation = symbol.relocations[k];
      if (is_managed(module.symbols[relocation.target])) continue;  // no PTX has its address
      const Address target =
          made.base + offsets[relocation.target] + static_cast<Address>(relocation.addend);
      std::memcpy(image + relocation.offset, &target, sizeof target);
    }
  }
  return success;
}

/// Where kernels find the variables. Empty if some managed one is not where a GPU reaches it.
std::vector<void*> symbols_of(const FakeModule& made) {
  std::vector<void*> symbols = made.variables;
  for (std::uint32_t i = 0; i < made.module->symbol_count; ++i) {
    const Symbol& symbol = made.module->symbols[i];
    if (!is_managed(symbol)) continue;
    const auto place = reinterpret_cast<Address>(symbols[i]);
    std::memcpy(&symbols[i], arena().inside(place), sizeof symbols[i]);
    const bool is_on_gpu = arena().is_inside(reinterpret_cast<Address>(symbols[i]));
    if (!is_on_gpu && !is_page_locked(symbols[i], symbol.size)) return {};
  }
  return symbols;
}

/// Null: there is none, or the program did not say where.
gridspan::abi::ChildList* child_list_of(const FakeModule& made) {
  Address list = 0;
  if (made.child_list != 0) std::memcpy(&list, arena().inside(made.child_list), sizeof list);
  return reinterpret_cast<gridspan::abi::ChildList*>(list);
}

Result error_of(Fault fault) {
  switch (fault) {
    case Fault::none:
      return success;
    case Fault::illegal_address:
      return error_illegal_address;
    case Fault::assertion:
      return error_assert;
    case Fault::stack_overflow:
      return error_hardware_stack;
    default:
      return error_launch_failed;
  }
}

/// As the driver does, before anything runs.
bool is_legal(const FakeFunction& function, const gridspan::abi::Dim& grid,
              const gridspan::abi::Dim& block, unsigned shared) {
  constexpr std::uint32_t usual = 48 << 10;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  const bool fits = grid.x != 0 && grid.y != 0 && grid.z != 0 && grid.y <= 65535 &&
                    grid.z <= 65535 && grid.x <= 0x7fffffff;
  return fits && threads != 0 && threads <= 1024 && block.z <= 64 &&
         (function.kernel->static_shared + shared <= usual ||
          shared <= function.dynamic_limit.load());
}

struct alignas(64) Chunk {
  char bytes[64];
};

/// A launch, kept until its turn comes.
struct Launch {
  const FakeFunction* function;
  gridspan::abi::Dim grid, block;
  unsigned shared;
  PartOfGrid part;
  std::vector<std::vector<Chunk>> values = {};  // of the kernel's parameters
  std::vector<gridspan::devices::PackedArray> boxes = {};
  std::vector<PackedPlace> places = {};  // of the kernel's pointers, if it works on boxes
};

Result run(Launch& launch) {
  const Gpu gpu = launch.function->module->gpu->number;
  UnpackedBoxes unpacked;
  if (!unpacked.unpack(*launch.function->kernel, launch.boxes, launch.places, gpu))
    return error_illegal_address;
  std::vector<const void*> arguments;
  for (auto& value : launch.values) {
    unpacked.move(static_cast<std::uint32_t>(arguments.size()), value.data());
    arguments.push_back(value.data());
  }
  const auto& [first, reserved, grid, reserved2] = launch.part;
  const std::vector<void*> symbols = symbols_of(*launch.function->module);
  if (symbols.size() != launch.function->module->variables.size()) {
    std::fprintf(stderr, "fake_cuda: a managed variable is not in page-locked memory\n");
    return error_illegal_address;
  }
  const gridspan::abi::LaunchContext context{.version = gridspan::abi::version,
                                             .dynamic_shared = launch.shared,
                                             .grid = {grid[0], grid[1], grid[2]},
                                             .block = launch.block,
                                             .first_block = {first[0], first[1], first[2]},
                                             .block_count = launch.grid,
                                             .arguments = arguments.data(),
                                             .symbols = symbols.data(),
                                             .arrays = nullptr,
                                             .scratch = nullptr,
                                             .distinct_arguments = false,
                                             .small_arguments = false};
  char message[512] = "";
  const Arena::Open open(arena());
  const auto fault = static_cast<Fault>(hooks().run(launch.function->kernel, &context,
                                                    child_list_of(*launch.function->module),
                                                    message, sizeof message));
  if (fault != Fault::none && *message) std::fprintf(stderr, "fake_cuda: %s\n", message);
  if (fault == Fault::none && !unpacked.pack()) return error_illegal_address;
  return error_of(fault);
}

Result launch(FunctionHandle handle, const gridspan::abi::Dim& grid,
              const gridspan::abi::Dim& block, unsigned shared, Stream stream_handle,
              void** parameters) {
  const FakeFunction& function = *reinterpret_cast<FakeFunction*>(handle);
  FakeStream* const stream = find_stream(stream_handle);
  if (!stream || function.module->gpu != current()) return error_invalid_handle;
  if (!is_legal(function, grid, block, shared)) return error_invalid_value;
  if (block.x * block.y * block.z > static_cast<unsigned>(most_threads(*function.kernel)))
    return error_too_many_resources;
  Launch made{&function, grid, block, shared, {{0, 0, 0}, 0, {grid.x, grid.y, grid.z}, 0}};
  const gridspan::abi::Kernel& kernel = *function.kernel;
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    const std::size_t bytes = kernel.parameters[i].size;
    made.values.emplace_back((bytes + sizeof(Chunk) - 1) / sizeof(Chunk));
    std::memcpy(made.values.back().data(), parameters[i], bytes);
  }
  if (function.is_part)
    std::memcpy(&made.part, parameters[kernel.parameter_count], sizeof made.part);
  if (function.is_packed) {
    const auto boxes = hooks().packed();
    made.boxes.assign(boxes.begin(), boxes.end());
    const auto* const places = static_cast<PackedPlace*>(parameters[kernel.parameter_count + 1]);
    made.places.assign(places, places + pointers_before(kernel, kernel.parameter_count));
  }
  // What runs is a copy: graphs launch it again.
  stream->push([made = std::move(made)] {
    Launch once = made;
    return run(once);
  });
  return success;
}

}  // namespace

/// Of the text: CUDA 12.4 is 12040 and knows PTX 8.4. 0 if it does not say.
static int cuda_version_of(const char* text) {
  constexpr char word[] = "\n.version ";
  const char* const found = std::strstr(text, word);
  int major = 0, minor = 0;
  if (!found || std::sscanf(found + sizeof word - 1, "%d.%d", &major, &minor) != 2) return 0;
  return (major + 4) * 1000 + minor * 10;
}

/// Of a real GPU. What tests have instead is a text behind the same four bytes.
static bool is_machine_code(const char* image) {
  constexpr char elf[] = "\177ELF";
  return std::strncmp(image, elf, sizeof elf - 1) == 0 && image[sizeof elf - 1] != '\n';
}

FAKE_EXPORT Result cuModuleLoadDataEx(ModuleHandle* module, const void* image, unsigned,
                                      LoadOption*, void**) {
  FAKE_BEGIN();
  const auto* const loaded = hooks().loading();
  if (!loaded || !image || is_machine_code(static_cast<const char*>(image)))
    return error_invalid_image;
  if (cuda_version_of(static_cast<const char*>(image)) > version())
    return error_unsupported_ptx_version;
  auto made = std::make_unique<FakeModule>();
  made->gpu = current();
  made->module = loaded;
  made->text = static_cast<const char*>(image);
  if (has_only_clones(made->text)) compile_clones();
  compile_for(*made->gpu);
  if (const Result wrong = place_variables(*made)) return wrong;
  *module = reinterpret_cast<ModuleHandle>(made.release());
  return success;
}

FAKE_EXPORT Result cuModuleUnload(ModuleHandle module) {
  FAKE_BEGIN();
  const std::unique_ptr<FakeModule> gone(reinterpret_cast<FakeModule*>(module));
  if (gone->bytes == 0) return success;
  arena().unmap(gone->base, gone->bytes);
  arena().release(gone->base, gone->bytes);
  return success;
}

FAKE_EXPORT Result cuModuleGetFunction(FunctionHandle* function, ModuleHandle handle,
                                       const char* name) {
  FAKE_BEGIN();
  auto& module = *reinterpret_cast<FakeModule*>(handle);
  std::string_view plain = name;
  const bool is_packed = take_suffix(plain, packed_suffix);
  const bool is_part = is_packed || take_suffix(plain, part_suffix);
  if (!mentions(module.text, ".entry ", name)) return error_not_found;
  const auto* const end = module.module->kernels + module.module->kernel_count;
  const auto* const kernel = std::find_if(
      module.module->kernels, end, [&](const auto& one) { return name_in_ptx(one.name) == plain; });
  if (kernel == end) return error_not_found;
  *function =
      reinterpret_cast<FunctionHandle>(new FakeFunction{kernel, &module, is_part, is_packed, {0}});
  return success;
}

FAKE_EXPORT Result cuModuleGetGlobal_v2(Address* address, std::size_t* bytes, ModuleHandle handle,
                                        const char* name) {
  FAKE_BEGIN();
  const auto& module = *reinterpret_cast<FakeModule*>(handle);
  if (!mentions(module.text, "", name)) return error_not_found;
  if (std::string_view(name) == gridspan::abi::child_list_variable) {
    *address = module.child_list;
    *bytes = sizeof(Address);
    return success;
  }
  for (std::uint32_t i = 0; i < module.module->symbol_count; ++i) {
    const Symbol& symbol = module.module->symbols[i];
    if ((is_managed(symbol) ? managed_name(symbol.name) : name_in_ptx(symbol.name)) != name)
      continue;
    *address = reinterpret_cast<Address>(module.variables[i]);
    *bytes = size_of(symbol);
    return success;
  }
  return error_not_found;
}

FAKE_EXPORT Result cuFuncGetAttribute(int* value, FunctionAttribute attribute,
                                      FunctionHandle function) {
  FAKE_BEGIN();
  const gridspan::abi::Kernel& kernel = *reinterpret_cast<FakeFunction*>(function)->kernel;
  switch (attribute) {
    case FunctionAttribute::most_threads:
      *value = most_threads(kernel);
      return success;
    case FunctionAttribute::static_shared:
      *value = static_cast<int>(kernel.static_shared);
      return success;
    case FunctionAttribute::constant_bytes:
      *value = 8;
      return success;
    case FunctionAttribute::local_bytes:
      *value = local_bytes(kernel);
      return success;
    case FunctionAttribute::registers:
      *value = 65536 / most_threads(kernel);
      return success;
    case FunctionAttribute::ptx_version:
      *value = 70;
      return success;
    case FunctionAttribute::binary_version:
      *value = 90;
      return success;
    case FunctionAttribute::dynamic_shared_limit:
      break;
  }
  return error_invalid_value;
}

FAKE_EXPORT Result cuFuncSetAttribute(FunctionHandle function, FunctionAttribute, int value) {
  FAKE_BEGIN();
  if (value < 0 || value > 227 << 10) return error_invalid_value;
  reinterpret_cast<FakeFunction*>(function)->dynamic_limit = static_cast<std::uint32_t>(value);
  return success;
}

FAKE_EXPORT Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, FunctionHandle function,
                                                               int threads, std::size_t shared) {
  FAKE_BEGIN();
  const std::size_t bytes =
      reinterpret_cast<FakeFunction*>(function)->kernel->static_shared + shared;
  const int by_shared = bytes == 0 ? processor_blocks : static_cast<int>(processor_shared / bytes);
  *blocks = std::min({processor_blocks, processor_threads / threads, by_shared});
  return success;
}

FAKE_EXPORT Result cuLaunchKernel(FunctionHandle function, unsigned grid_x, unsigned grid_y,
                                  unsigned grid_z, unsigned block_x, unsigned block_y,
                                  unsigned block_z, unsigned shared, Stream stream,
                                  void** parameters, void**) {
  FAKE_BEGIN();
  note_launch();
  return launch(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream,
                parameters);
}

FAKE_EXPORT Result cuLaunchCooperativeKernel(FunctionHandle function, unsigned grid_x,
                                             unsigned grid_y, unsigned grid_z, unsigned block_x,
                                             unsigned block_y, unsigned block_z, unsigned shared,
                                             Stream stream, void** parameters) {
  int most = 0;
  const int threads = static_cast<int>(block_x * block_y * block_z);
  if (const Result error =
          cuOccupancyMaxActiveBlocksPerMultiprocessor(&most, function, threads, shared);
      error != success)
    return error;
  if (std::size_t{grid_x} * grid_y * grid_z > std::size_t{processors} * static_cast<unsigned>(most))
    return error_cooperative_launch_too_large;
  FAKE_BEGIN();
  return launch(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream,
                parameters);
}
