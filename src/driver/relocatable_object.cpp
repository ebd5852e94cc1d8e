// The objects' sections and symbols, with LLVM's object library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/relocatable_object.h"

#include "abi/relocatable.h"
#include "codegen/container_writer.h"
#include "codegen/launch_sequences.h"
#include "driver/files.h"
#include "driver/module_id.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/ObjCopy/ConfigManager.h>
#include <llvm/ObjCopy/ObjCopy.h>
#include <llvm/Object/Archive.h>
#include <llvm/Object/Binary.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/raw_ostream.h>
#include <filesystem>
#include <functional>
#include <map>

namespace gridspan::driver {
namespace {

using llvm::object::ObjectFile;
using llvm::object::SymbolRef;
using support::fail;
using support::Result;

/// "__cudaRegisterLinkedBinary_a_cu_0123…": says in a linker's message which source it is.
std::string registration_of(const std::string& source, abi::ModuleId id) {
  std::string name = std::filesystem::path(source).filename();
  for (char& c : name)
    if (!llvm::isAlnum(c)) c = '_';
  return abi::unit_prefix + name + "_" + to_text(id);
}

std::string read_name(const SymbolRef& symbol) {
  llvm::Expected<llvm::StringRef> name = symbol.getName();
  if (name) return name->str();
  llvm::consumeError(name.takeError());
  return {};
}

/// Clang's names of the function that registers the object and of the data it passes. Both come
/// from the source's path alone: two objects of one source would clash.
void rename_clang_symbols(const ObjectFile& object, const std::string& registration,
                          llvm::objcopy::ConfigManager& config, llvm::StringSet<>& names) {
  for (const SymbolRef& symbol : object.symbols()) {
    const std::string name = read_name(symbol);
    if (name.starts_with(abi::unit_prefix))
      config.Common.SymbolsToRename[name] = registration;
    else if (name.starts_with("__fatbinwrap_"))
      llvm::cantFail(
          config.Common.SymbolsToLocalize.addMatcher(llvm::objcopy::NameOrPattern::create(
              names.insert(name).first->getKey(), llvm::objcopy::MatchStyle::Literal,
              [](llvm::Error error) { return error; })));
  }
}

/// Calls `see` with every object of the file: itself, or the archive's members.
void for_each_object(
    const std::string& path,
    const std::function<void(const ObjectFile&, const std::string& origin, bool is_member)>& see) {
  auto binary = llvm::object::createBinary(path);
  if (!binary) return llvm::consumeError(binary.takeError());
  if (const auto* object = llvm::dyn_cast<ObjectFile>(binary->getBinary()))
    return see(*object, path, false);
  const auto* archive = llvm::dyn_cast<llvm::object::Archive>(binary->getBinary());
  if (!archive) return;
  llvm::Error error = llvm::Error::success();
  for (const auto& child : archive->children(error)) {
    auto member = child.getAsBinary();
    auto name = child.getName();
    if (!member || !name) {
      llvm::consumeError(member.takeError());
      llvm::consumeError(name.takeError());
      continue;
    }
    if (const auto* object = llvm::dyn_cast<ObjectFile>(member->get()))
      see(*object, path + "(" + name->str() + ")", true);
  }
  llvm::consumeError(std::move(error));
}

/// The containers' bytes; empty if the object has none.
std::string section_named(const ObjectFile& object, llvm::StringRef wanted) {
  for (const auto& section : object.sections()) {
    auto name = section.getName();
    if (!name) {
      llvm::consumeError(name.takeError());
      continue;
    }
    if (*name != wanted) continue;
    auto bytes = section.getContents();
    if (bytes) return bytes->str();
    llvm::consumeError(bytes.takeError());
  }
  return {};
}

std::string relocatable_section(const ObjectFile& object) {
  return section_named(object, abi::relocatable_section);
}

/// Registrations that the object defines: it is the product of a device link.
void collect_done(const ObjectFile& object, llvm::StringSet<>& done) {
  for (const SymbolRef& symbol : object.symbols()) {
    auto flags = symbol.getFlags();
    if (!flags) {
      llvm::consumeError(flags.takeError());
      continue;
    }
    const std::string name = read_name(symbol);
    if ((*flags & SymbolRef::SF_Undefined) == 0 && name.starts_with(abi::unit_prefix))
      done.insert(name);
  }
}

}  // namespace

Result<void> make_relocatable_object(const RelocatableParts& parts, const std::string& output) {
  auto bitcode = read_file(parts.bitcode_path);
  if (!bitcode) return fail(bitcode.error());
  auto binary = llvm::object::createBinary(parts.host_object);
  if (!binary) return fail(parts.host_object + ": " + llvm::toString(binary.takeError()));
  auto* object = llvm::dyn_cast<ObjectFile>(binary->getBinary());
  if (!object) return fail(parts.host_object + ": not an object file");

  const std::string registration = registration_of(parts.source, parts.id);
  std::vector<codegen::ContainerPart> carried = {
      {abi::ContainerKind::bitcode, codegen::compress(*bitcode)},
      {abi::ContainerKind::options, parts.options_json}};
  const std::string sequences = codegen::launch_sequences(parts.sequences_path);
  if (!sequences.empty()) carried.push_back({abi::ContainerKind::sequences, sequences});
  const std::string container = codegen::write_container(parts.id, carried);
  llvm::objcopy::ConfigManager config;
  llvm::StringSet<> names;
  rename_clang_symbols(*object, registration, config, names);
  config.Common.InputFilename = parts.host_object;
  config.Common.OutputFilename = output;
  config.Common.AddSection.push_back(
      {abi::relocatable_section, llvm::MemoryBuffer::getMemBuffer(container, "", false)});
  config.Common.SetSectionFlags[abi::relocatable_section] = {
      abi::relocatable_section, static_cast<llvm::objcopy::SectionFlag>(llvm::objcopy::SecReadonly |
                                                                        llvm::objcopy::SecExclude)};
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (llvm::Error error = llvm::objcopy::executeObjcopyOnBinary(config, *object, stream))
    return fail(output + ": " + llvm::toString(std::move(error)));
  return write_file(output, bytes);
}

bool holds_relocatable_code(const std::vector<std::string>& files) {
  bool found = false;
  for (const std::string& file : files)
    if (!found)
      for_each_object(file, [&](const ObjectFile& object, const std::string&, bool) {
        found = found || !relocatable_section(object).empty();
      });
  return found;
}

Result<std::vector<RelocatableCode>> read_relocatable_code(const std::vector<std::string>& files,
                                                           bool modules) {
  std::vector<RelocatableCode> all;
  llvm::StringSet<> done;
  support::Result<void> status;
  for (const std::string& file : files)
    for_each_object(file, [&](const ObjectFile& object, const std::string& origin, bool is_member) {
      collect_done(object, done);
      std::string section = relocatable_section(object);
      if (section.empty() && modules) section = section_named(object, abi::kernel_section);
      for (std::string_view bytes = section; status && !bytes.empty();) {
        auto device = read_container(bytes, origin);
        if (!device) {
          status = fail(device.error());
          break;
        }
        bytes.remove_prefix(device->size);
        std::string registration = registration_of(device->source, device->id);
        all.push_back({origin, is_member, std::move(*device), std::move(registration)});
      }
    });
  if (!status) return fail(status.error());
  std::erase_if(all, [&](const RelocatableCode& code) { return done.contains(code.registration); });
  return all;
}

}  // namespace gridspan::driver
