// What accesses of joined launches touch, as boxes of numbers at launches as programs make them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fusion/joined.h"
#include "model/cut.h"
#include "model/experiment.h"

#include <array>
#include <optional>
#include <set>
#include <string>

namespace gridspan::fusion {

/// Indices along x, y and z.
using Block = std::array<long, 3>;

/// A box at launches of the experiment.
using SampledBox = model::BoxOf<model::Samples>;

struct Extent {
  std::vector<SampledBox> boxes;
  bool is_exact = true;     // all their elements are touched
  bool is_followed = true;  // at all launches of the experiment; else at the first one only
};

/// Whether reasons are to have blocks and elements as an example, which takes most of the work.
enum class Examples : std::uint8_t { find, spare };

class Footprints {
 public:
  /// `joined` must stay where it is. Where examples are spared, nothing is known of anything.
  Footprints(const Joined& joined, model::Instances& instances, model::ProofLimits& limits,
             Examples examples = Examples::find);

  bool spares_examples() const { return examples_ == Examples::spare; }
  const model::Experiment& experiment() const { return experiment_; }
  /// Of the whole grid; nothing: not known.
  std::optional<Extent> whole(std::size_t array, std::size_t access) const;
  /// Arguments and extents that the array's footprints depend on.
  std::set<std::string> sources(std::size_t array) const;
  /// The elements that a block touches at the first launch of the experiment.
  std::optional<isl::set> of_block(std::size_t array, std::size_t access, const Block& block) const;
  /// What a launch reads of an array in a block in the middle of that launch's grid.
  std::optional<isl::set> read_in_the_middle(std::size_t array, unsigned launch) const;
  /// Blocks of that launch along each axis; zeros where no launch is known.
  Block grid() const;

 private:
  const model::Touched* touched(std::size_t array, std::size_t access) const;
  model::Values part(const model::Values& launch, const Block& first, const Block& last) const;
  Block last_block(const model::Values& launch) const;

  const Joined& joined_;
  const Examples examples_;
  std::vector<std::vector<std::optional<model::Touched>>> touched_;  // by array and access
  model::Experiment experiment_;
};

}  // namespace gridspan::fusion
