// Brute force: every block, every thread, every element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference.h"

#include "model/factors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace gridspan::model::test {
namespace {

const char* const axes[] = {"x", "y", "z"};

void for_each_index(const Index& first, const Index& last,
                    const std::function<void(const Index&)>& body) {
  Index i;
  for (i[2] = first[2]; i[2] <= last[2]; ++i[2])
    for (i[1] = first[1]; i[1] <= last[1]; ++i[1])
      for (i[0] = first[0]; i[0] <= last[0]; ++i[0]) body(i);
}

isl::set fixed_values(isl::ctx context, const std::map<std::string, long>& values) {
  std::ostringstream text;
  text << "[";
  for (auto it = values.begin(); it != values.end(); ++it)
    text << (it == values.begin() ? "" : ", ") << it->first;
  text << "] -> { : ";
  for (auto it = values.begin(); it != values.end(); ++it)
    text << (it == values.begin() ? "" : " and ") << it->first << " = " << it->second;
  text << " }";
  return isl::set(context, text.str());
}

void add_points(const isl::set& set, Elements& found) {
  const isl::set concrete = set.project_out_all_params();
  concrete.foreach_point([&](const isl::point& point) {
    Element element;
    const auto rank = static_cast<int>(isl_set_dim(set.get(), isl_dim_set));
    for (int i = 0; i < rank; ++i) {
      element.push_back(
          isl::manage(isl_point_get_coordinate_val(point.get(), isl_dim_set, i)).num_si());
    }
    found.insert(element);
  });
}

std::string shown(const Elements& elements) {
  std::string text;
  for (const Element& element : elements) {
    text += "[";
    for (long i : element) text += std::to_string(i) + " ";
    text += "]";
    if (text.size() > 300) return text + "...";
  }
  return text;
}

std::string shown(const Launch& launch, const Part& part) {
  std::ostringstream text;
  const auto index = [&](const Index& i) {
    text << "(" << i[0] << "," << i[1] << "," << i[2] << ")";
  };
  text << "grid ";
  index(launch.grid);
  text << " block ";
  index(launch.block);
  for (const auto& [name, value] : launch.arguments) text << " " << name << "=" << value;
  text << " part ";
  index(part.first);
  text << " to ";
  index(part.last);
  return text.str();
}

}  // namespace

TestKernel::TestKernel(isl::ctx context) {
  kernel.name = "test";
  std::string names, condition;
  for (unsigned axis = 0; axis < 3; ++axis) {
    for (const auto kind : {Parameter::Kind::grid_dim, Parameter::Kind::block_dim}) {
      Parameter parameter;
      parameter.kind = kind;
      parameter.axis = axis;
      parameter.name =
          (kind == Parameter::Kind::grid_dim ? "gridDim_" : "blockDim_") + std::string(axes[axis]);
      names += (names.empty() ? "" : ", ") + parameter.name;
      condition += (condition.empty() ? "1 <= " : " and 1 <= ") + parameter.name +
                   (kind == Parameter::Kind::block_dim ? " <= 1024" : " <= 2147483647");
      kernel.parameters.push_back(parameter);
    }
    for (const auto kind : {Dimension::Kind::block, Dimension::Kind::thread}) {
      Dimension dimension;
      dimension.kind = kind;
      dimension.axis = axis;
      dimension.name =
          (kind == Dimension::Kind::block ? "blockIdx_" : "threadIdx_") + std::string(axes[axis]);
      kernel.dimensions.push_back(dimension);
    }
  }
  kernel.context = isl::set(context, "[" + names + "] -> { : " + condition + " }");
}

TestKernel& TestKernel::argument(const std::string& name, long smallest, long largest) {
  Parameter parameter;
  parameter.name = name;
  kernel.parameters.push_back(parameter);
  arguments_[name] = {smallest, largest};
  return *this;
}

TestKernel& TestKernel::product_parameter(const std::string& name,
                                          const std::vector<std::string>& factors) {
  Parameter parameter;
  parameter.name = name;
  parameter.kind = Parameter::Kind::product;
  parameter.factors = factors;
  kernel.parameters.push_back(parameter);
  return *this;
}

TestKernel& TestKernel::loop(const std::string& name) {
  Dimension dimension;
  dimension.name = name;
  kernel.dimensions.push_back(dimension);
  return *this;
}

TestKernel& TestKernel::product(const std::string& name, const std::string& factor,
                                const std::string& base) {
  Dimension dimension;
  dimension.name = name;
  dimension.kind = Dimension::Kind::product;
  dimension.factor = factor;
  dimension.base = base;
  kernel.dimensions.push_back(dimension);
  add_bounding_products(kernel, dimension);
  return *this;
}

TestKernel& TestKernel::context(const std::string& condition) {
  kernel.context = kernel.context.intersect(isl::set(kernel.context.ctx(), condition));
  return *this;
}

Array& TestKernel::array(const std::string& name) {
  const auto found = std::ranges::find(kernel.arrays, name, &Array::name);
  if (found != kernel.arrays.end()) return *found;
  Array array;
  array.name = name;
  array.element_bytes = 4;
  kernel.arrays.push_back(array);
  return kernel.arrays.back();
}

const AccessSet& TestKernel::set(const std::string& name, SetKind kind) {
  static const AccessSet none;
  for (const AccessSet& set : array(name).sets) {
    if (set.kind == kind) return set;
  }
  ADD_FAILURE() << name << " has no set of this kind";
  return none;
}

Access& TestKernel::access(const std::string& name, AccessKind kind, const std::string& relation,
                           const Body& body, bool exact) {
  std::string parameters;
  for (const Parameter& parameter : kernel.parameters)
    parameters += (parameters.empty() ? "" : ", ") + parameter.name;
  Access access;
  access.kind = kind;
  access.exact = exact;
  access.bytes = 4;
  const isl::map plain(kernel.context.ctx(), "[" + parameters + "] -> { " + relation + " }");
  std::vector<std::string> names;
  for (unsigned i = 0; i < static_cast<unsigned>(isl_map_dim(plain.get(), isl_dim_in)); ++i)
    names.emplace_back(isl_map_get_dim_name(plain.get(), isl_dim_in, i));
  access.relation = plain.intersect_domain(isl::manage(isl_set_reset_tuple_id(
      parameters_to_dimensions(dimension_facts(kernel, names), names).release())));
  for (unsigned i = 0; i < names.size(); ++i) {
    access.relation =
        isl::manage(isl_map_set_dim_name(access.relation.copy(), isl_dim_in, i, names[i].c_str()));
  }
  Array& target = array(name);
  target.extents.resize(static_cast<unsigned>(isl_map_dim(plain.get(), isl_dim_out)) - 1,
                        constant_value(kernel.context.ctx(), 1000));
  access.where = {"test.cu", static_cast<unsigned>(10 + target.accesses.size()), 1};
  target.accesses.push_back(access);
  bodies_[name].push_back(body);
  return target.accesses.back();
}

void TestKernel::prove() { model::prove(kernel); }

Launch TestKernel::random_launch() {
  const auto number = [&](long low, long high) {
    return std::uniform_int_distribution<long>(low, high)(random_);
  };
  for (int tries = 0; tries < 1000; ++tries) {
    Launch launch;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const bool used = std::ranges::any_of(kernel.arrays, [&](const Array& each) {
        return std::ranges::any_of(each.accesses, [&](const Access& access) {
          if (access.unbounded) return false;
          for (const char* name : {"blockIdx_", "threadIdx_"}) {
            for (int i = 0; i < isl_map_dim(access.relation.get(), isl_dim_in); ++i) {
              const Dimension* root =
                  root_of(kernel, isl_map_get_dim_name(access.relation.get(), isl_dim_in,
                                                       static_cast<unsigned>(i)));
              if (root->name == name + std::string(axes[axis])) return true;
            }
          }
          return false;
        });
      });
      launch.grid[axis] = number(1, used ? most_blocks : 2);
      launch.block[axis] = number(1, used ? most_threads : 2);
    }
    for (const auto& [name, range] : arguments_)
      launch.arguments[name] = number(range.smallest, range.largest);
    if (!kernel.context.intersect(fixed_values(kernel.context.ctx(), values(launch))).is_empty())
      return launch;
  }
  ADD_FAILURE() << "no launch fits the context";
  return {};
}

Part TestKernel::random_part(const Launch& launch) {
  Part part;
  for (unsigned axis = 0; axis < 3; ++axis) {
    std::uniform_int_distribution<long> block(0, launch.grid[axis] - 1);
    const long a = block(random_), b = block(random_);
    part.first[axis] = std::min(a, b);
    part.last[axis] = std::max(a, b);
  }
  return part;
}

std::map<std::string, long> TestKernel::values(const Launch& launch) const {
  std::map<std::string, long> result = launch.arguments;
  for (const Parameter& parameter : kernel.parameters) {
    if (parameter.kind == Parameter::Kind::grid_dim)
      result[parameter.name] = launch.grid[parameter.axis];
    if (parameter.kind == Parameter::Kind::block_dim)
      result[parameter.name] = launch.block[parameter.axis];
    if (parameter.kind != Parameter::Kind::product) continue;
    long product = 1;
    for (const std::string& factor : parameter.factors) product *= result.at(factor);
    result[parameter.name] = product;
  }
  return result;
}

Elements TestKernel::touched(const std::string& name, unsigned access, const Launch& launch,
                             const Part& part) const {
  Elements elements;
  const Body& body = bodies_.at(name)[access];
  for_each_index(part.first, part.last, [&](const Index& block) {
    for_each_index({0, 0, 0}, {launch.block[0] - 1, launch.block[1] - 1, launch.block[2] - 1},
                   [&](const Index& thread) {
                     body(launch, block, thread, [&](Element e) { elements.insert(std::move(e)); });
                   });
  });
  return elements;
}

Elements TestKernel::image(const AccessSet& set, const Launch& launch, const Part& part) const {
  std::map<std::string, long> known = values(launch);
  for (const Dimension& dimension : kernel.dimensions) {
    const Dimension* root = root_of(kernel, dimension.name);
    if (root->kind != Dimension::Kind::block) continue;
    const auto value = [&](long block) {
      long result = block;
      for (const Dimension* d = &dimension; d != root; d = find_dimension(kernel, d->base))
        result *= known.at(d->factor);
      return result;
    };
    known[part_first(dimension.name)] = value(part.first[root->axis]);
    known[part_last(dimension.name)] = value(part.last[root->axis]);
  }
  const isl::ctx context = kernel.context.ctx();
  Elements elements;
  for (const FootprintPiece& piece : set.pieces) {
    const std::function<void(std::size_t, std::map<std::string, long>)> run =
        [&](std::size_t depth, std::map<std::string, long> all) {
          if (depth == piece.loops.size()) {
            Elements found;
            add_points(piece.image.intersect_params(fixed_values(context, all)), found);
            elements.insert(found.begin(), found.end());
            return;
          }
          const NativeLoop& loop = piece.loops[depth];
          const isl::val last = isl::manage(isl_pw_aff_max_val(isl_pw_aff_intersect_params(
              loop.last.copy(), fixed_values(context, known).release())));
          if (!last.is_int()) return;
          for (long i = 0; i <= last.num_si(); ++i) {
            all[loop.counter] = i;
            for (const Dimension& product : loop.products)
              all[product.name] = all.at(product.factor) * all.at(product.base);
            run(depth + 1, all);
          }
        };
    run(0, known);
  }
  return elements;
}

void TestKernel::check_set(const Array& target, const AccessSet& set, const Launch& launch,
                           const Part& part) {
  if (set.unbounded) return;
  Elements expected;
  for (unsigned access : set.accesses) {
    const Elements more = touched(target.name, access, launch, part);
    expected.insert(more.begin(), more.end());
  }
  const Elements found = image(set, launch, part);
  const bool exact = part.first == part.last ? set.exact_block : set.exact_part;
  if (exact) {
    ASSERT_EQ(found, expected) << target.name << " of " << shown(launch, part) << "\nimage    "
                               << shown(found) << "\nexpected " << shown(expected);
  } else {
    ASSERT_TRUE(std::ranges::includes(found, expected))
        << target.name << " of " << shown(launch, part) << "\nimage    " << shown(found)
        << "\nexpected " << shown(expected);
  }
}

bool TestKernel::may_meet(const Array& target, unsigned first, unsigned second) const {
  const Access &a = target.accesses[first], &b = target.accesses[second];
  if (a.kind == AccessKind::reduction && b.kind == AccessKind::reduction) return a.op == b.op;
  return a.same_value && b.same_value &&
         (first == second || (!a.stored_value.empty() && a.stored_value == b.stored_value));
}

void TestKernel::check_axis(unsigned axis, const Launch& launch) {
  const AxisSplit& split = kernel.axes[axis];
  const isl::set here = fixed_values(kernel.context.ctx(), values(launch));
  const bool legal = !split.legal.intersect(here).is_empty();
  // Slices of the grid that must not collide.
  const long slices = (launch.grid[axis] + split.granularity - 1) / split.granularity;
  const auto slice = [&](long index) {
    Part part{{0, 0, 0}, {launch.grid[0] - 1, launch.grid[1] - 1, launch.grid[2] - 1}};
    part.first[axis] = index * split.granularity;
    part.last[axis] = std::min(launch.grid[axis], (index + 1) * split.granularity) - 1;
    return part;
  };
  for (const Array& target : kernel.arrays) {
    std::vector<std::vector<Elements>> by_access(target.accesses.size());
    for (unsigned i = 0; i < target.accesses.size(); ++i) {
      for (long s = 0; s < slices; ++s)
        by_access[i].push_back(touched(target.name, i, launch, slice(s)));
    }
    for (unsigned i = 0; i < target.accesses.size(); ++i) {
      for (unsigned j = 0; j < target.accesses.size(); ++j) {
        const bool i_writes = target.accesses[i].kind != AccessKind::read;
        const bool j_writes = target.accesses[j].kind != AccessKind::read;
        if (!j_writes || (i_writes && may_meet(target, i, j))) continue;
        for (long s = 0; s < slices; ++s) {
          for (long t = 0; t < slices; ++t) {
            if (s == t) continue;
            const bool common = std::ranges::any_of(
                by_access[i][static_cast<std::size_t>(s)], [&](const Element& element) {
                  return by_access[j][static_cast<std::size_t>(t)].contains(element);
                });
            if (!common) continue;
            const std::string where =
                target.name + " along " + axes[axis] + ", " + shown(launch, slice(s));
            if (i_writes) ASSERT_FALSE(legal) << "blocks collide in " << where;
            if (!i_writes) ASSERT_TRUE(split.read_write_overlap) << "a race on " << where;
          }
        }
      }
    }
  }
}

void TestKernel::check(unsigned launches, unsigned seed) {
  prove();
  random_.seed(seed);
  for (unsigned i = 0; i < launches; ++i) {
    const Launch launch = random_launch();
    const Part part = random_part(launch);
    const Part block{part.first, part.first};
    for (const Array& target : kernel.arrays) {
      for (const AccessSet& set : target.sets) {
        check_set(target, set, launch, part);
        check_set(target, set, launch, block);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
    for (unsigned axis = 0; axis < 3; ++axis) check_axis(axis, launch);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace gridspan::model::test
