// What tells device code apart, and whose number an object has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/device_cache.h"

#include "support/scratch_folder.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <set>
#include <tuple>

namespace gridspan::driver {
namespace {

using codegen::DeviceRequest;

struct DeviceKey : testing::Test {
  DeviceKey() {
    for (const char* name : {"code", "other", "shapes", "sequences"})
      EXPECT_TRUE(folder.write("", name, std::string("it is ") + name));
    plain.bitcode_path = folder.path("code");
    plain.object_path = folder.path("object");
    plain.id = {{1, 2}};
    plain.target_cpu = "x86-64-v3";
    plain.options_json = "{}";
    plain.ptx.level = 75;
  }
  support::ScratchFolder folder = *support::ScratchFolder::make();
  DeviceRequest plain;
};

TEST_F(DeviceKey, IsNotOfTheModulesNumberAndPlace) {
  DeviceRequest other = plain;
  other.id = {{3, 4}};
  other.object_path = folder.path("elsewhere");
  ASSERT_TRUE(folder.write("", "copy", "it is code"));
  other.bitcode_path = folder.path("copy");
  ASSERT_TRUE(device_key(plain));
  EXPECT_EQ(device_key(other), device_key(plain));
}

TEST_F(DeviceKey, IsOfAllElse) {
  const std::vector<std::function<void(DeviceRequest&)>> changes = {
      [&](DeviceRequest& r) { r.bitcode_path = folder.path("other"); },
      [](DeviceRequest& r) { r.target_triple = "aarch64-linux-gnu"; },
      [](DeviceRequest& r) { r.target_cpu = "x86-64-v4"; },
      [](DeviceRequest& r) { r.options_json = "{\"a\":1}"; },
      [](DeviceRequest& r) { r.opt_level = 0; },
      [](DeviceRequest& r) { r.debug_info = true; },
      [](DeviceRequest& r) { r.position_independent = false; },
      [](DeviceRequest& r) { r.registrations = {{"f", "s"}}; },
      [](DeviceRequest& r) { r.registrations = {{"f", "t"}}; },
      [&](DeviceRequest& r) { r.launch_shapes_path = folder.path("shapes"); },
      [&](DeviceRequest& r) { r.sequences_path = folder.path("sequences"); },
      [&](DeviceRequest& r) { r.lowered_names_path = folder.path("names"); },
      [](DeviceRequest& r) { r.without = {"joins"}; },
      [](DeviceRequest& r) { r.vector_math = {"k"}; },
      [](DeviceRequest& r) { r.tuned = {{"k", "", "", "", {}}}; },
      [](DeviceRequest& r) { r.ptx.level = 0; },
      [](DeviceRequest& r) { r.ptx.level = 80; },
      [](DeviceRequest& r) { r.ptx.below = 90; },
      [](DeviceRequest& r) { r.ptx.follows_others = true; },
      [](DeviceRequest& r) { r.ptx.contracts = false; },
      [](DeviceRequest& r) { r.ptx.max_registers = 40; },
      [](DeviceRequest& r) { r.ptx.opt_level = 0; },
      [&](DeviceRequest& r) { r.ptx.libdevice = folder.path("other"); },
      [](DeviceRequest& r) { r.ptx.machine = {90}; },
      [&](DeviceRequest& r) { r.ptx.assembler = folder.path("other"); },
      [&](DeviceRequest& r) { r.editions = {{folder.path("other"), 75, 80}}; },
      [&](DeviceRequest& r) { r.editions = {{folder.path("other"), 75, 90}}; },
      [&](DeviceRequest& r) { r.editions = {{folder.path("code"), 75, 80}}; },
  };
  std::set<std::string> keys = {device_key(plain).value_or("none")};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    DeviceRequest changed = plain;
    changes[i](changed);
    const auto key = device_key(changed);
    ASSERT_TRUE(key) << i;
    EXPECT_TRUE(keys.insert(*key).second) << "change " << i;
  }
}

TEST_F(DeviceKey, ChangesWithFilesThatAreRead) {
  plain.launch_shapes_path = folder.path("shapes");
  plain.sequences_path = folder.path("sequences");
  plain.ptx.assembler = folder.path("other");
  std::set<std::string> keys = {device_key(plain).value_or("none")};
  for (const char* name : {"code", "shapes", "sequences", "other"}) {
    ASSERT_TRUE(folder.write("", name, std::string("it is another ") + name));
    EXPECT_TRUE(keys.insert(device_key(plain).value_or("none")).second) << name;
  }
  ASSERT_TRUE(folder.write("", "shapes", ""));
  EXPECT_TRUE(keys.insert(device_key(plain).value_or("none")).second);
  plain.launch_shapes_path = folder.path("missing");
  EXPECT_TRUE(keys.insert(device_key(plain).value_or("none")).second);
}

TEST_F(DeviceKey, ThereIsNoneWhereMoreThanAnObjectIsWanted) {
  const std::vector<std::function<void(DeviceRequest&)>> changes = {
      [](DeviceRequest& r) { r.kernel_done = [](const codegen::CompiledKernel&) {}; },
      [](DeviceRequest& r) { r.forms_only = true; },
      [](DeviceRequest& r) { r.records_accesses = true; },
      [](DeviceRequest& r) { r.special.emplace(); },
      [&](DeviceRequest& r) { r.bitcode_path = folder.path("missing"); },
      [&](DeviceRequest& r) { r.editions = {{folder.path("missing"), 75, 80}}; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    DeviceRequest changed = plain;
    changes[i](changed);
    EXPECT_FALSE(device_key(changed)) << i;
  }
}

TEST(DeviceEntry, ReadsAsItWasWritten) {
  using Kind = codegen::Diagnostic::Kind;
  const CompiledDevice made{
      {{0xfedcba9876543210, 7}},
      {{Kind::warning, "a \"b\".cu", 3, 14, "line\nend"}, {Kind::remark, "", 0, 0, "\xff"}},
      "1 _Z1kPf\n",
      std::string("object\n\0{}\n", 11)};
  const auto read = parse_entry(entry_text(made));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->id, made.id);
  EXPECT_EQ(read->names, made.names);
  EXPECT_EQ(read->object, made.object);
  ASSERT_EQ(read->diagnostics.size(), made.diagnostics.size());
  for (std::size_t i = 0; i < made.diagnostics.size(); ++i) {
    const codegen::Diagnostic &a = read->diagnostics[i], &b = made.diagnostics[i];
    EXPECT_EQ(std::tie(a.kind, a.file, a.line, a.column, a.text),
              std::tie(b.kind, b.file, b.line, b.column, b.text));
  }
}

TEST(DeviceEntry, OthersAreNone) {
  const CompiledDevice made{
      {{1, 2}}, {{codegen::Diagnostic::Kind::warning, "a", 1, 2, "b"}}, "n", "o"};
  const std::string text = entry_text(made);
  for (std::size_t size = 0; size < text.size(); ++size) {
    // One without the message is an entry, too.
    const auto read = parse_entry(std::string_view(text).substr(0, size));
    EXPECT_EQ(read.has_value(), text.substr(0, size) == entry_text({{{1, 2}}, {}, "n", "o"}))
        << size;
  }
  for (const char* other : {"x:", "-1:", "99999999999999999999:a", "2:ab1:c1:d", ":::"})
    EXPECT_FALSE(parse_entry(other)) << other;
}

TEST(ReplaceId, AtAnyPlace) {
  const abi::ModuleId from{{0x1122334455667788, 0x99aabbccddeeff00}}, to{{1, 2}};
  const auto bytes = [](const abi::ModuleId& id) {
    return std::string(reinterpret_cast<const char*>(&id), sizeof id);
  };
  std::string object = "x" + bytes(from) + bytes(from) + "yz" + bytes(from).substr(1) + bytes(from);
  replace_id(object, from, to);
  EXPECT_EQ(object, "x" + bytes(to) + bytes(to) + "yz" + bytes(from).substr(1) + bytes(to));
  std::string none = "nothing";
  replace_id(none, from, to);
  EXPECT_EQ(none, "nothing");
  // One that ends as it begins.
  const abi::ModuleId zero{{0, 0}};
  std::string zeros(40, '\0');
  replace_id(zeros, zero, from);
  EXPECT_EQ(zeros, bytes(from) + bytes(from) + std::string(8, '\0'));
}

}  // namespace
}  // namespace gridspan::driver
