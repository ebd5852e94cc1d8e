// Measurements: by place, by device, as text, remembered.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/make_devices.h"
#include "devices/measure/measure.h"
#include "devices/measure/probe.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace gridspan::devices {
namespace {

DeviceFacts device(const char* place, std::uint32_t workers = 4, std::uint32_t shares = 1) {
  DeviceFacts facts;
  facts.processor = "a processor";
  facts.place = place;
  facts.workers = workers;
  facts.shares = shares;
  return facts;
}

Measurements two_places() {
  Measurements made = places_of(std::vector{device("there"), device("here"), device("there")});
  made.memory = {{0, 1e9}, {1, 3e9}};
  made.links = {{{0, 1}, {1e-5, 2e8}}, {{1, 0}, {2e-5, 4e8}}, {{1, 1}, {0, 5e8}}};
  return made;
}

/// A home of the test's own.
class Remembered : public testing::Test {
 protected:
  Remembered() {
    std::string name = testing::TempDir() + "gridspan-XXXXXX";
    home_ = mkdtemp(name.data());
    setenv("XDG_CACHE_HOME", home_.c_str(), 1);
  }
  ~Remembered() override {
    unsetenv("XDG_CACHE_HOME");
    std::filesystem::remove_all(home_);
  }
  std::string home_;
};

TEST(Measurements, PlacesAreDifferentAndInOrder) {
  EXPECT_EQ(two_places().places, (std::vector<std::string>{"here", "there"}));
  EXPECT_EQ(two_places().index_of("there"), 1u);
}

TEST(Measurements, AreReadAsTheyWereWritten) {
  const auto read = Measurements::parse(two_places().to_text());
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, two_places());
}

TEST(Measurements, OtherTextsAreRefused) {
  const std::string text = two_places().to_text();
  for (const char* line :
       {"memory 2 1", "memory 0 0", "memory 0 nan", "memory 0", "memory x 1", "link 0 1 1 -1",
        "link 0 2 1 1", "link 0 1 -1 1", "link 0 1 1", "what", "memory 0 inf"})
    EXPECT_FALSE(Measurements::parse(text + line + "\n")) << line;
  EXPECT_FALSE(Measurements::parse(""));
  EXPECT_FALSE(Measurements::parse("gridspan measurements 2\n"));
}

TEST(Measurements, DevicesHaveWhatTheirPlacesHave) {
  const std::vector devices{device("there", 4), device("here", 8), device("there", 4, 2)};
  const auto all = by_device(two_places(), devices);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->memory, (std::vector{3e9, 1e9, 1.5e9}));
  EXPECT_EQ(all->links[0][1], (Link{2e-5, 4e8}));
  EXPECT_EQ(all->links[1][2], (Link{1e-5, 2e8}));
  EXPECT_EQ(all->links[2][0], (Link{0, 5e8}));
  Measurements less = two_places();
  less.links.erase({1, 1});
  EXPECT_FALSE(by_device(less, devices));
  EXPECT_TRUE(by_device(less, std::span(devices).first(2)));
  less.memory.erase(0);
  EXPECT_FALSE(by_device(less, devices));
}

TEST(Measurements, DevicesThatAreDescribedAlikeAreAlike) {
  const auto all = by_device(two_places(), std::vector{device("there"), device("here")});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->memory, (std::vector{2e9, 2e9}));
}

/// Virtual devices of a GPU show what several GPUs would do.
TEST(Measurements, GpusTakeTimeToBegin) {
  std::vector devices{device("there"), device("here")};
  EXPECT_EQ(by_device(two_places(), devices)->begin_seconds, 0);
  devices[1].host_reaches_memory = false;
  EXPECT_GT(by_device(two_places(), devices)->begin_seconds, 1e-7);
  EXPECT_LT(by_device(two_places(), devices)->begin_seconds, 1e-4);
  devices[1].shares = 2;
  EXPECT_EQ(by_device(two_places(), devices)->begin_seconds, 0);
}

TEST_F(Remembered, ForLaterProcesses) {
  const Measurements found = two_places(), places{found.places, {}, {}};
  EXPECT_EQ(recall(places), places);
  ASSERT_TRUE(remember(found));
  EXPECT_EQ(recall(places), found);
  const Measurements others{{"here"}, {}, {}};
  EXPECT_EQ(recall(others), others);
}

TEST_F(Remembered, NotWhatIsDamagedOrSomebodyElses) {
  const Measurements found = two_places(), places{found.places, {}, {}};
  ASSERT_TRUE(remember(found));
  const std::filesystem::path folder = home_ + "/gridspan/measured";
  const auto file = std::filesystem::directory_iterator(folder)->path();
  std::filesystem::permissions(file, std::filesystem::perms::all);
  EXPECT_EQ(recall(places), places);
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  EXPECT_EQ(recall(places), found);
  std::ofstream(file) << "gridspan measurements 1\nplace here\n";
  EXPECT_EQ(recall(places), places);
}

TEST(Probes, FindPlausibleNumbers) {
  support::Options options;
  for (const auto mode : {support::CpuMode::regions, support::CpuMode::interpret}) {
    options.devices = *support::parse_devices("cpu:2x1");
    options.cpu = mode;
    const auto made = make_devices(options);
    ASSERT_TRUE(made);
    const auto memory = probe_memory(*made->front());
    ASSERT_TRUE(memory) << memory.error().message;
    EXPECT_GT(*memory, 1e7);
    EXPECT_LT(*memory, 1e13);
    const auto link = probe_link(*(*made)[0], *(*made)[1]);
    ASSERT_TRUE(link) << link.error().message;
    EXPECT_GT(link->bytes_per_second, 1e7);
    EXPECT_LT(link->seconds, 1);
    // Where there is no GPU nothing is measured.
    EXPECT_FALSE(measure(*made, support::Measure::again).is_known());
  }
}

}  // namespace
}  // namespace gridspan::devices
