// What one access touches in a part: its relation with blocks bounded and threads projected out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/block_rows.h"
#include "model/instances.h"
#include "model/prove.h"

namespace gridspan::model {

struct PartImage {
  FootprintPiece piece;
  /// Nothing but what the relation's instances touch: in a part of one block, in every part.
  bool exact_block = true, exact_part = true;
  bool is_coarse = false;           // larger also where the relation is exact
  std::vector<std::string> blocks;  // block indices and their products that it depends on
  /// Parts for which `piece` is not exact, but this is: then exact_part holds.
  std::optional<BlockRows> rows;
  std::optional<FootprintPiece> by_rows;
};

/// The image of a part under an access. Never too small. Not yet made disjoint.
/// The flags say what an exact access would make of it.
PartImage part_image(const Kernel& kernel, Instances& instances, const Access& access);

/// What the access touches at fixed values of the dimensions `kept`; the others run.
isl::set image_at(const Kernel& kernel, Instances& instances, const Access& access,
                  const std::vector<std::string>& kept);

enum class Pieces { one_hull, one_by_one };

/// The image without loops and in a hurry: larger, both flags false. Of the hull of the relation's
/// pieces, or of each: that is smaller, and takes longer.
PartImage coarse_part_image(const Kernel& kernel, Instances& instances, const Access& access,
                            Pieces pieces = Pieces::one_hull);

/// The images of a kernel's accesses, made once for each shape within the limits.
class PartImages {
 public:
  PartImages(const Kernel& kernel, Instances& instances, ProofLimits& limits)
      : kernel_(kernel), instances_(instances), limits_(limits) {}

  /// The image in full, or in a hurry; null: unbounded, as far as anybody knows.
  std::optional<PartImage> of(const Access& access);

 private:
  std::optional<PartImage> make(const Access& access);

  const Kernel& kernel_;
  Instances& instances_;
  ProofLimits& limits_;
  std::map<unsigned, std::optional<PartImage>> made_;  // by shape, as if accesses were exact
};

}  // namespace gridspan::model
