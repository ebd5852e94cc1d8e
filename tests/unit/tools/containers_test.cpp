// Containers: good ones are read, damaged ones are refused, no bytes crash the reader.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/containers.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace gridspan::tools {
namespace {

/// A container with one payload of each given text, laid out as abi/container.h says.
std::string make_container(const std::vector<std::string>& payloads) {
  std::size_t begin = sizeof(abi::ContainerHeader) + payloads.size() * sizeof(abi::ContainerEntry);
  std::string entries, body;
  for (const std::string& payload : payloads) {
    abi::ContainerEntry entry{abi::ContainerKind::facts, 1, begin + body.size(), payload.size()};
    entries.append(reinterpret_cast<const char*>(&entry), sizeof entry);
    body += payload;
    body.resize((body.size() + 7) / 8 * 8);
  }
  body.resize(body.size() + (16 - (begin + body.size()) % 16) % 16);
  abi::ContainerHeader header{{'G', 'R', 'I', 'D', 'S', 'P', 'C', '\0'},
                              abi::version,
                              static_cast<std::uint32_t>(payloads.size()),
                              begin + body.size(),
                              {{1, 2}}};
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + entries + body;
}

TEST(Containers, ReadsSeveralBackToBackWithPadding) {
  std::string bytes = make_container({"first", "second"}) + std::string(48, '\0') +
                      make_container({}) + make_container({"third"}) + std::string(16, '\0');
  auto containers = parse_containers(bytes);
  ASSERT_TRUE(containers) << containers.error().message;
  ASSERT_EQ(containers->size(), 3u);
  EXPECT_EQ((*containers)[0].payload(abi::ContainerKind::facts), "first");
  EXPECT_EQ((*containers)[0].entries.at(1).payload, "second");
  EXPECT_EQ((*containers)[1].payload(abi::ContainerKind::facts), "");
  EXPECT_EQ((*containers)[2].payload(abi::ContainerKind::facts), "third");
  EXPECT_EQ((*containers)[2].id, (abi::ModuleId{{1, 2}}));
}

TEST(Containers, NothingIsNoContainer) {
  EXPECT_TRUE(parse_containers("")->empty());
  EXPECT_TRUE(parse_containers(std::string(40, '\0'))->empty());
}

TEST(Containers, EveryTruncationIsRefused) {
  std::string whole = make_container({"payload"});
  for (std::size_t size = 1; size < whole.size(); ++size)
    EXPECT_FALSE(parse_containers(whole.substr(0, size))) << size;
}

/// Damaged at random, the views that come out still lie inside the bytes that went in.
TEST(Containers, DamageNeverLeadsOutside) {
  std::mt19937 random(7);
  std::string whole = make_container({"one", "two"}) + make_container({"three"});
  for (int round = 0; round < 50000; ++round) {
    std::string bytes = whole;
    for (int i = 0; i < 4; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    auto containers = parse_containers(bytes);
    if (!containers) continue;
    for (const ContainerView& container : *containers)
      for (const ContainerView::Entry& entry : container.entries) {
        ASSERT_GE(entry.payload.data(), bytes.data());
        ASSERT_LE(entry.payload.data() + entry.payload.size(), bytes.data() + bytes.size());
      }
  }
}

}  // namespace
}  // namespace gridspan::tools
