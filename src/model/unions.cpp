// Unions of images.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Example: A[2*o + t] and A[2*o + P + t] with the offset o = P*b. Each alone leaves out every other
// run of P elements. The step of a product is made dense for all members at once:
//
//     B_i(z)  ⊆  ⋃_j B_j(m) ∪ B_j(m + P)     for all i and all m < z < m + P
//
// and so for one product after the other, whatever the values of the later ones.
#include "model/unions.h"

#include "model/density.h"
#include "model/factors.h"
#include "model/relations.h"

#include <algorithm>
#include <set>

namespace gridspan::model {
namespace {

using NameList = std::vector<std::string>;

constexpr int most_pieces = 2;  // of what is covered: the question is only worth a short look

NameList blocks_of(const std::vector<Member>& members) {
  std::set<std::string> names;
  for (const Member& member : members)
    names.insert(member.image.blocks.begin(), member.image.blocks.end());
  return {names.begin(), names.end()};
}

long symbols_along(const Kernel& kernel, const Member& member, const Dimension* block) {
  return std::ranges::count_if(member.image.blocks,
                               [&](auto& name) { return root_of(kernel, name) == block; });
}

// Exact over a block, one symbol for each axis, no loops: then the image is a function of those.
bool is_plain(const Kernel& kernel, const Member& member) {
  return member.access->exact && member.image.exact_block && member.image.piece.loops.empty() &&
         !member.image.rows && std::ranges::all_of(member.image.blocks, [&](auto& name) {
           return symbols_along(kernel, member, root_of(kernel, name)) == 1;
         });
}

bool depends_on(const Member& member, const std::string& name) {
  return std::ranges::count(member.image.blocks, name) != 0;
}

// One for each shape.
std::vector<Member> distinct(Instances& instances, const std::vector<Member>& members) {
  std::set<unsigned> shapes;
  std::vector<Member> found;
  for (const Member& member : members) {
    if (shapes.insert(instances.of(*member.access).shape).second) found.push_back(member);
  }
  return found;
}

class Union {
 public:
  Union(const Kernel& kernel, Instances& instances, const std::vector<Member>& members)
      : kernel_(kernel), instances_(instances), members_(members), blocks_(blocks_of(members)) {
    for (const Member& member : members_)
      here_.push_back(image_at(kernel, instances, *member.access, blocks_));
  }

  bool is_dense_in(const Dimension& product) const;
  bool is_dense() const {
    return std::ranges::all_of(blocks_, [&](const std::string& name) {
      const Dimension& dimension = *find_dimension(kernel_, name);
      return dimension.kind != Dimension::Kind::product || is_dense_in(dimension);
    });
  }

 private:
  const Kernel& kernel_;
  Instances& instances_;
  const std::vector<Member>& members_;
  NameList blocks_;
  std::vector<isl::set> here_;  // of each member, with all of blocks_ kept
};

// Members that depend on the axis through another symbol fill no gaps of this one: which of their
// values go with a multiple is not known.
bool Union::is_dense_in(const Dimension& product) const {
  if (step_of(kernel_, product) == nullptr) return false;
  const Gaps gaps(kernel_, instances_, product, blocks_);
  isl::set beside = isl::set::empty(here_.front().space());
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const bool comparable =
        depends_on(members_[i], product.name) ||
        symbols_along(kernel_, members_[i], root_of(kernel_, product.name)) == 0;
    if (comparable) beside = beside.unite(gaps.beside(here_[i]));
  }
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const bool open = depends_on(members_[i], product.name) && !members_[i].image.exact_part;
    if (open && !gaps.inside(here_[i]).is_subset(beside)) return false;
  }
  return true;
}

}  // namespace

bool dense_together(const Kernel& kernel, Instances& instances,
                    const std::vector<Member>& members) {
  const auto plain = [&](const Member& member) { return is_plain(kernel, member); };
  if (members.empty() || !std::ranges::all_of(members, plain)) return false;
  const std::vector<Member> some = distinct(instances, members);
  return Union(kernel, instances, some).is_dense();
}

bool is_covered(const Kernel& kernel, Instances& instances, const Access& access,
                const std::vector<Member>& members) {
  const unsigned shape = instances.of(access).shape;
  const auto covers_alone = [&](const Member& member) {
    return instances.of(*member.access).shape == shape;
  };
  if (std::ranges::any_of(members, covers_alone)) return true;
  if (instances.of(access).touched.n_basic_set() > most_pieces) return false;
  std::vector<Member> useful = distinct(instances, members);
  std::erase_if(useful, [](const Member& member) { return !member.image.piece.loops.empty(); });
  if (useful.empty()) return false;
  NameList kept = blocks_of(useful);
  for (const std::string& name : instances.of(access).involved) {
    const bool block = root_of(kernel, name)->kind == Dimension::Kind::block;
    if (block && std::ranges::count(kept, name) == 0) kept.push_back(name);
  }
  const isl::set touched = image_at(kernel, instances, access, kept)
                               .intersect_params(instances.facts(kept))
                               .intersect_params(kernel.context);
  isl::set rest = touched;
  for (const Member& member : useful)
    rest = rest.subtract(image_at(kernel, instances, *member.access, kept));
  return rest.is_empty();
}

}  // namespace gridspan::model
