// Sequences of launches in host code, as far as the compiler has seen them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host pass writes them (src/host_plugin), containers carry them (ContainerKind::sequences),
// `gridspan explain` lists them. A text of lines; words are separated by one space, names of files
// stand last:
//
//     gridspan-sequences 1
//     sequence 12 _Z3runPfS_i app.cu          a function: line, mangled name, file
//     loop -1 30 app.cu                       outer loop or -1, line, file
//     step launch 0 always 31 app.cu          kind, loop or -1, whether each turn has it, place
//     from 44 app.cu                          who calls the function that this step is in; repeated
//     kernel _Z1kPfi                          mangled; ? is not known
//     grid v5 #1 #1                           values, see below
//     block #256 #1 #1
//     shared #0
//     stream #0
//     arguments v1 v2 ?
//     fresh v1                                a value that is new memory, no other fresh one
//     derived v2 v1                           v2 is, or has, pointers that are made of v1 and of
//                                             none but those named; none: they may point anywhere
//     apart v2 v3                             in no turn of a loop are v2 and v3 made of the same
//     pair 0 1 -1 always closed               steps, loop whose turn ends between or -1, see below
//     equal 0 1                               argument 0 of the first is argument 1 of the second
//     same grid block shared stream           what both have in common
//     between wait 32 cudaDeviceSynchronize app.cu
//     end 2                                   of the sequence: how many steps
//
// Files of several objects may follow one another. What follows `step` and `pair` belongs to it.
#pragma once

#include "support/result.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gridspan::support {

/// A line of source; 0: not known.
struct SourcePlace {
  std::string file;
  unsigned line = 0;
  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

/// What an argument or a size is. Texts: `?`, `v7`, `#256` (the bits of a constant).
/// Equal ones are equal at run time, in the same turns of all loops that have both steps.
struct SequenceValue {
  enum class Kind : std::uint8_t { unknown, value, constant };
  Kind kind = Kind::unknown;
  std::uint64_t number = 0;

  /// Never true of what is not known.
  bool is_same(const SequenceValue& other) const {
    return kind != Kind::unknown && kind == other.kind && number == other.number;
  }
  friend bool operator==(const SequenceValue&, const SequenceValue&) = default;
};

/// A command that runs on a device.
struct LaunchStep {
  enum class Kind : std::uint8_t {
    launch,
    cooperative,  // a launch whose blocks may wait for each other
    copy,         // inside a device; arguments: to, from, bytes
    fill,         // arguments: to, byte, bytes
  };
  Kind kind = Kind::launch;
  int loop = -1;        // the innermost that it is in
  bool always = false;  // each turn of that loop, or else each run of the function, has it
  SourcePlace place;
  std::vector<SourcePlace> from;  // calls that lead there, innermost first
  std::string kernel;             // mangled; empty: not known
  std::array<SequenceValue, 3> grid, block;
  SequenceValue shared, stream;
  std::vector<SequenceValue> arguments;  // by parameter of the kernel

  bool is_launch() const { return kind == Kind::launch || kind == Kind::cooperative; }
};

/// What happens between two steps, on any way from one to the other.
struct Between {
  enum class Kind : std::uint8_t {
    free,           // cudaFree: waits after it has said that the memory is dead
    event,          // may take a time
    stream,         // orders streams, or makes another device or context current
    query,          // asks whether something is finished
    wait,           // waits for the device
    host_copy,      // to or from the host, or of a kind not known
    host_function,  // has the host called
    graph,          // launches or records a graph
    call,           // not known: may do anything
  };
  Kind kind = Kind::call;
  SourcePlace place;
  std::string name;  // of the function that is called; mangled; empty: through a pointer
};

/// Two steps of which the second may be the next one after the first.
struct Neighbours {
  unsigned first = 0, second = 0;  // LaunchSequence::steps
  int turn = -1;                   // the second is in the next turn of this loop
  bool always = false;             // the second follows whenever the first was there
  bool open = false;               // on some way, or all, nothing is between them
  std::vector<std::pair<unsigned, unsigned>> equal_arguments;
  bool same_grid = false, same_block = false, same_shared = false, same_stream = false;
  std::vector<Between> between;  // as a program meets them; harmless calls are not listed
};

/// What one function of the host does, calls into its own source included.
struct LaunchSequence {
  struct Loop {
    int outer = -1;
    SourcePlace place;
  };
  std::string function;  // mangled
  SourcePlace place;
  std::vector<Loop> loops;
  std::vector<LaunchStep> steps;     // in the order of the code
  std::vector<std::uint64_t> fresh;  // values that are new memory, each another
  /// A value that is a pointer made of others, or a struct with pointers.
  struct Derived {
    std::uint64_t value = 0;
    std::vector<std::uint64_t> from;  // what they are made of; none: they may point anywhere
    friend bool operator==(const Derived&, const Derived&) = default;
  };
  std::vector<Derived> derived;
  /// Derived pointers that are never made of the same value at the same time.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> apart;
  std::vector<Neighbours> neighbours;  // sorted by first, second
};

/// Errors name the line that is wrong. All numbers in the result lead somewhere.
Result<std::vector<LaunchSequence>> parse_sequences(std::string_view text);

/// "launch", "wait": as in the text.
std::string_view to_text(LaunchStep::Kind kind);
std::string_view to_text(Between::Kind kind);

}  // namespace gridspan::support
