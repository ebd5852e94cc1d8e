// Recordings by hand, replayed: what is planned, and what makes no sense.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each replay has a process of its own, as it has in life: it keeps its devices to the end.
#include "hand_program.h"
#include "runtime/record/log_file.h"
#include "runtime/record/replayer.h"
#include "temporary_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstring>

namespace gridspan::tests {
namespace {

using namespace runtime::record;
using support::Replay;

void nothing(abi::ThreadContext*) {}

constexpr std::uint64_t place = 0x100000000000;  // no memory is there, and none is needed to plan

class ReplayTest : public testing::Test {
 protected:
  ReplayTest() {
    program_.add_kernel<nothing>("nothing", {pointer_parameter()});
    program_.load();
  }
  ~ReplayTest() override { program_.unload(); }

  ModuleNote module() {
    const abi::ModuleId& id = program_.module().id;
    return {{id.words[0], id.words[1]}, "", {{"nothing", {{0, 8, true}}}}, {}};
  }
  static LaunchNote launch(std::uint64_t command, std::uint64_t pointer) {
    std::string bytes(sizeof pointer, '\0');
    std::memcpy(bytes.data(), &pointer, sizeof pointer);
    return {command, 0, 0, {4, 1, 1}, {32, 1, 1}, 0, {bytes}};
  }

  /// The error, or nothing.
  std::string replay(const std::vector<Record>& records, Replay::Mode mode = Replay::Mode::plan) {
    {
      auto writer = LogWriter::open(recording_.name());
      for (const Record& record : records) writer->write(record);
    }
    const pid_t child = fork();
    if (child == 0) {
      support::Options options;
      options.devices = *support::parse_devices("cpu:2x1");
      options.replay = {mode, recording_.name()};
      options.record = replayed_.name();
      const auto done = replay_recording(options);
      error_.write(done ? "" : done.error().message);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    return error_.read();
  }

  /// What the replay's own recording holds of one kind.
  template <class Note>
  std::vector<Note> replayed() const {
    std::vector<Note> found;
    auto reader = LogReader::open(replayed_.name());
    EXPECT_TRUE(reader);
    for (auto record = reader->next(); record && *record; record = reader->next()) {
      if (const auto* note = std::get_if<Note>(&**record)) found.push_back(*note);
    }
    return found;
  }

  HandProgram program_;
  TemporaryFile recording_, replayed_, error_;
};
using ReplayRecording = ReplayTest;

TEST_F(ReplayRecording, PlansWithoutMemory) {
  const Record in = CopyNote{1, {place, 0, 0, false}, {8, 0, 0, true}, {4096, 1, 1}, {}};
  const Record out = CopyNote{7, {8, 0, 0, true}, {place, 0, 0, false}, {4096, 1, 1}, {}};
  EXPECT_EQ(replay({Header{}, module(), MemoryNote{place, 4096, 0, 0, true}, in, launch(5, place),
                    out, FillNote{8, {place, 0, 0, false}, {16, 1, 1}, 3}, EndNote{}}),
            "");
  const auto planned = replayed<PlannedNote>();
  ASSERT_EQ(planned.size(), 1u);
  EXPECT_EQ(planned[0].command, 5u);  // numbers are those of the recording
  EXPECT_EQ(replayed<PlanNote>().at(0).why, "has no model");
  std::vector<std::uint64_t> commands, from_host, to_host;
  for (const PassedNote& passed : replayed<PassedNote>()) {
    commands.push_back(passed.command);
    from_host.push_back(passed.moved.host_to_device);
    to_host.push_back(passed.moved.device_to_host);
  }
  EXPECT_EQ(commands, (std::vector<std::uint64_t>{1, 5, 7, 8}));
  EXPECT_EQ(from_host, (std::vector<std::uint64_t>{4096, 0, 0, 0}));
  EXPECT_EQ(to_host, (std::vector<std::uint64_t>{0, 0, 4096, 0}));
  EXPECT_EQ(replayed<Header>().at(0).devices.size(), 2u);
  EXPECT_EQ(replayed<EndNote>().size(), 1u);
}

TEST_F(ReplayRecording, MemoryThatIsGoneIsGone) {
  EXPECT_EQ(replay({Header{}, module(), MemoryNote{place, 4096, 0, 0, true}, launch(1, place),
                    MemoryNote{place, 4096, 0, 0, false}, MemoryNote{place, 8192, 0, 0, true},
                    launch(2, place), EndNote{}}),
            "");
  std::vector<std::pair<std::uint64_t, bool>> seen;
  for (const MemoryNote& memory : replayed<MemoryNote>())
    seen.push_back({memory.size, memory.held});
  EXPECT_EQ(seen, (std::vector<std::pair<std::uint64_t, bool>>{
                      {4096, true}, {4096, false}, {8192, true}}));
}

TEST_F(ReplayRecording, NonsenseIsTold) {
  const auto error = [this](const std::vector<Record>& records) {
    const std::string line = replay(records);
    EXPECT_EQ(line.find(recording_.name() + ": makes no sense: "), 0u) << line;
    return line;
  };
  ModuleNote other = module();
  other.id[0] ^= 1;
  EXPECT_NE(error({Header{}, other, launch(1, place)}).find("not in this program"),
            std::string::npos);
  ModuleNote renamed = module();
  renamed.kernels[0].name = "something";
  EXPECT_NE(error({Header{}, renamed, launch(1, place)}).find("not in this program"),
            std::string::npos);
  error({Header{}, launch(1, place)});
  error({Header{}, module(), launch(2, place), launch(2, place)});
  error({Header{}, module(), MemoryNote{place, 1, 77, 0, true}});
  error({Header{}, ImageNote{3, {}}});
  error({Header{}, module(), ImageNote{0, {1, 2, 3}}});
  LaunchNote short_of_arguments = launch(1, place);
  short_of_arguments.arguments.bytes.pop_back();
  error({Header{}, module(), short_of_arguments});
  LaunchNote beyond = launch(1, place);
  beyond.kernel = 1;
  error({Header{}, module(), beyond});
}

TEST_F(ReplayRecording, RunningNeedsContents) {
  EXPECT_NE(replay({Header{}, EndNote{}}, Replay::Mode::run).find("gridspan record --data"),
            std::string::npos);
}

}  // namespace
}  // namespace gridspan::tests
