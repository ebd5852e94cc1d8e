// What the compiler records of each kernel, and what `gridspan explain` says of it: two tables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     a stage of the compiler      facts.set("joins_blocks", true)
//     the container, --json        "joins_blocks": true             `known_facts`
//     gridspan explain             "neighbouring blocks along x run as one"    `sentences`
//
// A new sentence is a row in each table. The stage that records the fact names it in its own row
// (codegen/pipeline.cpp). A name that is not in the table does not compile.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gridspan::support {

class KernelFacts;

struct Fact {
  std::string_view key;         // in the container; "gpu.x": x in its object "gpu"
  std::string_view shown = {};  // in `explain --json`; empty: not there
};

/// In the order of `explain --json`.
inline constexpr Fact known_facts[] = {
    {"name"},  // mangled
    {"file"},
    {"line"},
    {"executor", "executor"},                      // "regions" or "fibers"
    {"reason", "reason"},                          // for fibers
    {"regions", "regions"},                        // how many
    {"waiting_loop", "waiting_loop"},              // where threads wait for others, as regions
    {"cut_reason", "cut_reason"},                  // why its barriers end regions
    {"scalar_reasons", "scalar_reasons"},          // why threads do not run as vectors
    {"own_tiles", "own_tiles"},                    // where each thread's sums run as vectors
    {"steps", "steps"},                            // where lanes of a warp are kept in step
    {"whole_warps", "whole_warps"},                // a form for blocks with rows of whole warps
    {"joins_blocks", "joins_blocks"},              // neighbours along x run as one
    {"joins_rows", "joins_rows"},                  // and along y
    {"grid_rounds", "grid_rounds"},                // rows of threads go over an array together
    {"has_distinct_form", "has_distinct_form"},    // for arguments that are different arrays
    {"has_small_form", "has_small_form"},          // for arrays of less than 2 GiB
    {"row_length", "row_length"},                  // of blocks that there is a form for
    {"launched_as", "launched_as"},                // "16 x 16": blocks that there is a form for
    {"linear_threads", "linear_threads"},          // "2 x 64", "any": narrow blocks, the same
    {"reads_through", "reads_through"},            // "16 x 16": no shared memory needed there
    {"launch_values", "launch_values"},            // computed once for all blocks
    {"tuned", "tuned"},                            // settings that a search found
    {"baseline_on_fibers", "baseline_on_fibers"},  // too much code for CPUs without AVX2
    {"tuning_is_stale", "tuning_is_stale"},        // settings for earlier code
    {"kept_calls", "kept_calls"},                  // arithmetic that is not inlined
    {"short_of_work", "short_of_work"},            // place: its model had less than others have
    {"gpu.ptx", "ptx"},                            // a GPU can run it
    {"gpu.reason", "no_ptx"},                      // why not
    {"gpu.earlier_reason", "no_earlier_ptx"},      // why not GPUs before those named last
    {"gpu.part_reason", "no_part"},                // why it cannot run a part of the grid alone
    {"gpu.packed", "packed"},                      // arrays of which it may hold a packed box
    {"gpu.packed_reason", "no_packed"},            // why there are none although some have rows
    {"block_barriers", "block_barriers"},
    {"warp_operations", "warp_operations"},
    {"static_shared", "static_shared"},  // bytes a block
    {"frame_bytes", "frame_bytes"},      // bytes a thread kept across barriers
    {"parameters"},
    {"vector_math"},  // CPUs whose vectors call our math functions
};
inline constexpr std::size_t fact_count = std::size(known_facts);

/// A fact, by its name in the container.
class FactKey {
 public:
  consteval FactKey(const char* key) : index_(find(key)) {}
  static std::optional<FactKey> named(std::string_view key);
  /// The one at that place of the table.
  explicit constexpr FactKey(std::size_t index) : index_(index) {}

  constexpr std::size_t index() const { return index_; }
  constexpr std::uint64_t bit() const { return std::uint64_t{1} << index_; }
  constexpr const Fact& fact() const { return known_facts[index_]; }

 private:
  static constexpr std::size_t find(std::string_view key) {
    for (std::size_t i = 0; i < fact_count; ++i)
      if (known_facts[i].key == key) return i;
    throw "no fact has this name";
  }

  std::size_t index_;
};
static_assert(fact_count <= 64);

/// std::monostate: not known.
using FactValue =
    std::variant<std::monostate, bool, std::uint64_t, std::string, std::vector<std::string>>;

/// Of one kernel. What is not known, or of another type than asked for, reads as false, 0, empty.
class KernelFacts {
 public:
  void set(FactKey key, FactValue value) { values_[key.index()] = std::move(value); }
  /// Those of `more` come over these.
  void add(const KernelFacts& more);

  bool has(FactKey key) const { return values_[key.index()].index() != 0; }
  const FactValue& value(FactKey key) const { return values_[key.index()]; }
  bool flag(FactKey key) const;
  std::uint64_t number(FactKey key) const;
  const std::string& text(FactKey key) const;
  const std::vector<std::string>& texts(FactKey key) const;

 private:
  std::array<FactValue, fact_count> values_;
};

/// What `explain` says where a fact is there, and neither false nor empty: `begins`, the value,
/// `ends`. A list gives a sentence for each of its texts.
struct Sentence {
  enum class Executor : std::uint8_t { any, regions, fibers };

  FactKey key;
  std::string_view begins, ends = {};
  Executor executor = Executor::any;
  /// Where the value itself is not what stands there.
  std::string (*value)(const KernelFacts&) = nullptr;
  /// Where more must hold.
  bool (*holds)(const KernelFacts&) = nullptr;
};

/// "3 regions", "no barriers".
std::string counted(unsigned long long count, const char* one, const char* many);
/// "a, b, c"
std::string listed(const std::vector<std::string>& names);
/// "1 block barrier, no warp operations"
std::string sync_points(const KernelFacts& facts);

/// In the order of `explain`.
inline constexpr Sentence sentences[] = {
    {.key = "executor",
     .begins = "runs on fibers, one a thread (slow): ",
     .executor = Sentence::Executor::fibers,
     .value =
         [](const KernelFacts& f) { return f.text("reason").empty() ? "?" : f.text("reason"); }},
    {.key = "executor", .begins = "", .executor = Sentence::Executor::fibers, .value = sync_points},
    {.key = "regions",
     .begins = "runs as ",
     .executor = Sentence::Executor::regions,
     .value =
         [](const KernelFacts& f) {
           return counted(f.number("regions"), "region", "regions") + "; " + sync_points(f);
         }},
    {.key = "waiting_loop",
     .begins = "threads wait for others, which run in between: ",
     .executor = Sentence::Executor::regions},
    {.key = "joins_blocks",
     .begins = "neighbouring blocks along x ",
     .ends = "run as one",
     .executor = Sentence::Executor::regions,
     .value =
         [](const KernelFacts& f) { return std::string(f.flag("joins_rows") ? "and y " : ""); }},
    {.key = "grid_rounds",
     .begins = "rows of threads go over its array together, ",
     .ends = "round by round",
     .executor = Sentence::Executor::regions},
    {.key = "has_distinct_form",
     .begins = "faster if its arguments are different allocations: ",
     .ends = "loops then keep stored elements in registers",
     .executor = Sentence::Executor::regions},
    {.key = "reads_through",
     .begins = "without its tiles in shared memory, and barriers, in blocks of ",
     .ends = " if its arguments are different allocations",
     .executor = Sentence::Executor::regions},
    {.key = "row_length",
     .begins = "faster where blockDim.x is ",
     .ends = ", as the kernel's own numbers have it",
     .executor = Sentence::Executor::regions},
    {.key = "launched_as",
     .begins = "faster in blocks of ",
     .ends = ", as its launches in this source have it",
     .executor = Sentence::Executor::regions},
    {.key = "linear_threads",
     .begins = "as one region, threads numbered through, in blocks of narrow rows",
     .executor = Sentence::Executor::regions,
     .value = [](const KernelFacts&) { return std::string(); },
     .holds = [](const KernelFacts& f) { return f.text("linear_threads") == "any"; }},
    {.key = "linear_threads",
     .begins = "with threads numbered through in blocks of ",
     .ends = ", as its launches in this source have it",
     .executor = Sentence::Executor::regions,
     .holds = [](const KernelFacts& f) { return f.text("linear_threads") != "any"; }},
    {.key = "has_small_form",
     .begins = "faster if its arguments are smaller than 2 GiB: ",
     .ends = "their subscripts cannot wrap",
     .executor = Sentence::Executor::regions},
    {.key = "launch_values",
     .begins = "computes once per launch, not in each block: ",
     .executor = Sentence::Executor::regions,
     .value =
         [](const KernelFacts& f) {
           return counted(f.number("launch_values"), "value", "values");
         }},
    {.key = "whole_warps",
     .begins = "as one region where blockDim.x is a multiple of 32",
     .executor = Sentence::Executor::regions},
    {.key = "cut_reason",
     .begins = "cut at its barriers (slower): ",
     .executor = Sentence::Executor::regions},
    {.key = "own_tiles",
     .begins = "sums that each thread keeps in an array run as vectors of its elements: ",
     .executor = Sentence::Executor::regions},
    {.key = "scalar_reasons",
     .begins = "threads run one by one (slower): ",
     .executor = Sentence::Executor::regions},
    {.key = "baseline_on_fibers",
     .begins = "on CPUs without AVX2 ",
     .ends = " on fibers (slow): too much code",
     .executor = Sentence::Executor::regions,
     .value =
         [](const KernelFacts& f) {
           return std::string(f.flag("whole_warps") ? "blocks that are no whole warps may run"
                                                    : "runs");
         }},
    {.key = "tuned", .begins = "tuned: ", .executor = Sentence::Executor::regions},
    {.key = "tuning_is_stale",
     .begins = "was tuned before it changed; ",
     .ends = "'gridcc --tune' tunes it again",
     .executor = Sentence::Executor::regions},
    {.key = "steps", .begins = "a race without __syncwarp(), lanes of a warp are kept in step: "},
    {.key = "kept_calls", .begins = "too large to have all its arithmetic inlined (slower): "},
    {.key = "short_of_work",
     .begins = "its model may be coarse, since the large kernels of a source share a limit: "},
    {.key = "parameters",
     .begins = "",
     .value =
         [](const KernelFacts& f) {
           std::string text = counted(f.number("parameters"), "parameter", "parameters");
           if (const auto bytes = f.number("static_shared"))
             text += "; " + counted(bytes, "byte", "bytes") + " of shared memory a block";
           if (const auto bytes = f.number("frame_bytes"))
             text += "; " + counted(bytes, "byte", "bytes") + " a thread kept across barriers";
           return text;
         }},
    {.key = "gpu.reason", .begins = "not for GPUs: "},
    {.key = "gpu.earlier_reason", .begins = "not for all GPUs, "},
    {.key = "gpu.part_reason", .begins = "on GPUs only in one piece: "},
    {.key = "gpu.packed",
     .begins = "on GPUs short of memory in packed boxes of ",
     .value = [](const KernelFacts& f) { return listed(f.texts("gpu.packed")); }},
    {.key = "gpu.packed_reason", .begins = "on GPUs never in packed boxes: "},
};

/// Those that hold, as lines.
std::vector<std::string> said_of(const KernelFacts& facts);

}  // namespace gridspan::support
