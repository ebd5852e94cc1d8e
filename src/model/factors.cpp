// Factors of products.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/factors.h"

#include "model/facts.h"

#include <algorithm>

namespace gridspan::model {
namespace {

// blockDim_x_gridDim_x, or with a number behind it if that is taken.
std::string free_name(const Kernel& kernel, const std::vector<std::string>& factors) {
  std::string name;
  for (const std::string& factor : factors) name += (name.empty() ? "" : "_") + factor;
  std::string candidate = name;
  for (unsigned i = 2;
       find_parameter(kernel, candidate) != nullptr || find_dimension(kernel, candidate) != nullptr;
       ++i) {
    candidate = name + "_" + std::to_string(i);
  }
  return candidate;
}

void ensure_product(Kernel& kernel, const std::vector<std::string>& factors) {
  if (product_of(kernel, factors) != nullptr) return;
  Parameter product;
  product.kind = Parameter::Kind::product;
  product.factors = elementary_factors(kernel, factors);
  product.name = free_name(kernel, product.factors);
  kernel.parameters.push_back(product);
}

void ensure_extent(Kernel& kernel, const Dimension& dimension) {
  Parameter extent;
  extent.name = extent_of(kernel, dimension);
  if (find_parameter(kernel, extent.name) != nullptr) return;
  extent.kind = dimension.kind == Dimension::Kind::block ? Parameter::Kind::grid_dim
                                                         : Parameter::Kind::block_dim;
  extent.axis = dimension.axis;
  kernel.parameters.push_back(extent);
}

// The factors that make `product` out of its root.
std::vector<std::string> factors_to_root(const Kernel& kernel, const Dimension& product) {
  std::vector<std::string> factors;
  for (const Dimension* dimension = &product;
       dimension != nullptr && dimension->kind == Dimension::Kind::product;
       dimension = find_dimension(kernel, dimension->base)) {
    factors.push_back(dimension->factor);
  }
  return factors;
}

}  // namespace

const Parameter* find_parameter(const Kernel& kernel, const std::string& name) {
  const auto found = std::ranges::find(kernel.parameters, name, &Parameter::name);
  return found == kernel.parameters.end() ? nullptr : &*found;
}

const Dimension* find_dimension(const Kernel& kernel, const std::string& name) {
  const auto found = std::ranges::find(kernel.dimensions, name, &Dimension::name);
  return found == kernel.dimensions.end() ? nullptr : &*found;
}

std::vector<std::string> elementary_factors(const Kernel& kernel,
                                            const std::vector<std::string>& factors) {
  std::vector<std::string> all;
  for (const std::string& factor : factors) {
    const Parameter* parameter = find_parameter(kernel, factor);
    if (parameter != nullptr && parameter->kind == Parameter::Kind::product) {
      std::ranges::copy(elementary_factors(kernel, parameter->factors), std::back_inserter(all));
    } else {
      all.push_back(factor);
    }
  }
  std::ranges::sort(all);
  return all;
}

bool proved_positive(const Kernel& kernel, const std::string& name) {
  const Parameter* parameter = find_parameter(kernel, name);
  if (parameter != nullptr) {
    using Kind = Parameter::Kind;
    if (parameter->kind == Kind::grid_dim || parameter->kind == Kind::block_dim) return true;
    if (parameter->kind == Kind::product &&
        std::ranges::all_of(parameter->factors,
                            [&](const std::string& f) { return proved_positive(kernel, f); })) {
      return true;
    }
  }
  const int position = isl_set_find_dim_by_name(kernel.context.get(), isl_dim_param, name.c_str());
  if (position < 0) return false;
  return isl::manage(isl_set_upper_bound_si(kernel.context.copy(), isl_dim_param,
                                            static_cast<unsigned>(position), 0))
      .is_empty();
}

bool is_natural(const Kernel& kernel, const std::string& name) {
  const Dimension* dimension = find_dimension(kernel, name);
  if (dimension == nullptr) return false;
  return dimension->kind != Dimension::Kind::product ||
         (proved_positive(kernel, dimension->factor) && is_natural(kernel, dimension->base));
}

const Dimension* root_of(const Kernel& kernel, const std::string& name) {
  const Dimension* dimension = find_dimension(kernel, name);
  while (dimension != nullptr && dimension->kind == Dimension::Kind::product) {
    dimension = find_dimension(kernel, dimension->base);
  }
  return dimension;
}

std::vector<std::string> multiples(const Kernel& kernel, const std::string& name) {
  std::vector<std::string> names;
  for (const Dimension* dimension = find_dimension(kernel, name); dimension != nullptr;
       dimension = dimension->kind == Dimension::Kind::product
                       ? find_dimension(kernel, dimension->base)
                       : nullptr) {
    names.push_back(dimension->name);
  }
  return names;
}

const Parameter* step_of(const Kernel& kernel, const Dimension& product) {
  return product_of(kernel, factors_to_root(kernel, product));
}

std::string extent_of(const Kernel& kernel, const Dimension& dimension) {
  const bool block = dimension.kind == Dimension::Kind::block;
  const auto kind = block ? Parameter::Kind::grid_dim : Parameter::Kind::block_dim;
  for (const Parameter& parameter : kernel.parameters) {
    if (parameter.kind == kind && parameter.axis == dimension.axis) return parameter.name;
  }
  return std::string(block ? "gridDim_" : "blockDim_") + "xyz"[dimension.axis % 3];
}

const Parameter* product_of(const Kernel& kernel, std::vector<std::string> factors) {
  if (factors.size() == 1) return find_parameter(kernel, factors.front());
  const std::vector<std::string> wanted = elementary_factors(kernel, factors);
  for (const Parameter& parameter : kernel.parameters) {
    if (parameter.kind == Parameter::Kind::product &&
        elementary_factors(kernel, parameter.factors) == wanted) {
      return &parameter;
    }
  }
  return nullptr;
}

const Parameter* bound_of(const Kernel& kernel, const Dimension& product) {
  const Dimension* root = root_of(kernel, product.name);
  if (root == nullptr || root->kind == Dimension::Kind::loop) return nullptr;
  std::vector<std::string> factors = factors_to_root(kernel, product);
  factors.push_back(extent_of(kernel, *root));
  return product_of(kernel, factors);
}

void add_bounding_products(Kernel& kernel, const Dimension& dimension) {
  if (dimension.kind != Dimension::Kind::product) return;
  const Dimension* root = root_of(kernel, dimension.base);
  if (root == nullptr || root->kind == Dimension::Kind::loop) return;
  const Dimension index = *root;
  std::vector<std::string> factors = factors_to_root(kernel, dimension);
  ensure_product(kernel, factors);
  ensure_extent(kernel, index);
  factors.push_back(extent_of(kernel, index));
  ensure_product(kernel, factors);
}

}  // namespace gridspan::model
