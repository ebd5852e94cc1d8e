// isl contexts, and moving names between parameters and dimensions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/isl.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace gridspan::model {
namespace {

// An isl object from a raw call. The bindings' own `manage` says "NULL input" for any null; the
// context knows better (a reached limit, above all).
template <typename Raw>
auto checked(isl::ctx context, Raw* object) {
  if (object == nullptr) isl::exception::throw_last_error(context);
  return isl::manage(object);
}

std::string dimension_name(const isl::set& set, isl_dim_type type, unsigned position) {
  const char* name = isl_set_get_dim_name(set.get(), type, position);
  return name == nullptr ? std::string() : std::string(name);
}

unsigned dimension_count(const isl::set& set, isl_dim_type type) {
  return static_cast<unsigned>(isl_set_dim(set.get(), type));
}

isl::map with_input(isl::map map, const std::string& name) {
  const isl::ctx context = map.ctx();
  const auto inputs = static_cast<unsigned>(isl_map_dim(map.get(), isl_dim_in));
  const int parameter = isl_map_find_dim_by_name(map.get(), isl_dim_param, name.c_str());
  isl_map* raw = map.release();
  raw = parameter < 0 ? isl_map_insert_dims(raw, isl_dim_in, inputs, 1)
                      : isl_map_move_dims(raw, isl_dim_in, inputs, isl_dim_param,
                                          static_cast<unsigned>(parameter), 1);
  return checked(context, isl_map_set_dim_name(raw, isl_dim_in, inputs, name.c_str()));
}

}  // namespace

IslContext::IslContext() : context_(isl_ctx_alloc()) {
  check_isl_version();
  isl_options_set_on_error(context_, ISL_ON_ERROR_CONTINUE);
}

IslContext::~IslContext() { isl_ctx_free(context_); }

void check_isl_version() {
  const auto object_of = [](const void* address) {
    Dl_info info{};
    return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
  };
  const void* theirs = object_of(reinterpret_cast<const void*>(&isl_version));
  const void* ours = object_of(reinterpret_cast<const void*>(&check_isl_version));
  // Polly's copy is built over IMath.
  const bool other_copy = std::string(isl_version()).find("IMath") != std::string::npos;
  if (theirs == ours && !other_copy) return;
  std::fprintf(stderr,
               "gridspan: internal error: calls to isl reach another library's copy (%s)\n"
               "please report this: cmake/GridspanIsl.cmake says how it should be linked\n",
               isl_version());
  std::abort();
}

isl::set parameters_to_dimensions(isl::set params, const std::vector<std::string>& names) {
  isl::ctx context = params.ctx();
  isl_set* raw = params.release();
  if (isl_set_is_params(raw) == isl_bool_true) raw = isl_set_from_params(raw);
  for (const std::string& name : names) {
    const auto end = static_cast<unsigned>(isl_set_dim(raw, isl_dim_set));
    const int parameter = isl_set_find_dim_by_name(raw, isl_dim_param, name.c_str());
    raw = parameter < 0 ? isl_set_insert_dims(raw, isl_dim_set, end, 1)
                        : isl_set_move_dims(raw, isl_dim_set, end, isl_dim_param,
                                            static_cast<unsigned>(parameter), 1);
    raw = isl_set_set_dim_name(raw, isl_dim_set, end, name.c_str());
  }
  return checked(context, raw);
}

isl::map parameters_to_dimensions(isl::map map, const std::vector<std::string>& names) {
  for (const std::string& name : names) map = with_input(map, name);
  return map;
}

isl::set dimensions_to_parameters(isl::map map) {
  isl::ctx context = map.ctx();
  isl_map* raw = map.release();
  const auto inputs = static_cast<unsigned>(isl_map_dim(raw, isl_dim_in));
  const auto parameters = static_cast<unsigned>(isl_map_dim(raw, isl_dim_param));
  raw = isl_map_move_dims(raw, isl_dim_param, parameters, isl_dim_in, 0, inputs);
  return checked(context, isl_map_range(raw));
}

namespace {

// How many constraints a set made of these has at most once the parameter at `position` is
// eliminated (Fourier and Motzkin): every lower bound of it with every upper bound.
int constraints_without(const isl::basic_set& set, int position) {
  constexpr int few = 24;
  const int count = isl_basic_set_n_constraint(set.get());
  if (count <= few) return count;
  int lower = 0, upper = 0;
  bool is_replaced = false;  // by what it equals
  for_each_constraint(set, [&](isl_constraint* constraint) {
    const isl::val factor =
        isl::manage(isl_constraint_get_coefficient_val(constraint, isl_dim_param, position));
    if (factor.is_zero()) return;
    if (isl_constraint_is_equality(constraint)) is_replaced = true;
    ++(factor.is_pos() ? lower : upper);
  });
  return is_replaced ? count : count - lower - upper + lower * upper;
}

// isl counts steps, but with many constraints each step takes long: beyond this many, one
// elimination is a matter of seconds. Throws where a limit is in force.
void check_constraints(const isl::set& set, int position) {
  constexpr int most = 100;
  if (isl_ctx_get_max_operations(set.ctx().get()) == 0) return;
  set.foreach_basic_set([&](const isl::basic_set& piece) {
    if (constraints_without(piece, position) <= most) return;
    isl::exception::throw_error(isl_error_quota, "too many constraints", __FILE__, __LINE__);
  });
}

}  // namespace

isl::set project_out_parameters(isl::set set, const std::vector<std::string>& names) {
  isl::ctx context = set.ctx();
  for (const std::string& name : names) {
    const int position = isl_set_find_dim_by_name(set.get(), isl_dim_param, name.c_str());
    if (position < 0) continue;
    check_constraints(set, position);
    set = checked(context, isl_set_project_out(set.release(), isl_dim_param,
                                               static_cast<unsigned>(position), 1));
  }
  return set;
}

std::vector<std::string> involved_parameters(const isl::set& set) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < dimension_count(set, isl_dim_param); ++i) {
    if (is_true(set.ctx(), isl_set_involves_dims(set.get(), isl_dim_param, i, 1))) {
      names.push_back(dimension_name(set, isl_dim_param, i));
    }
  }
  return names;
}

std::vector<std::string> involved_parameters(const isl::pw_aff& value) {
  std::vector<std::string> names;
  const auto count = static_cast<unsigned>(isl_pw_aff_dim(value.get(), isl_dim_param));
  for (unsigned i = 0; i < count; ++i) {
    if (is_true(value.ctx(), isl_pw_aff_involves_dims(value.get(), isl_dim_param, i, 1))) {
      names.emplace_back(isl_pw_aff_get_dim_name(value.get(), isl_dim_param, i));
    }
  }
  return names;
}

bool is_true(isl::ctx context, isl_bool answer) {
  if (answer == isl_bool_error) isl::exception::throw_last_error(context);
  return answer == isl_bool_true;
}

void for_each_constraint(const isl::basic_set& set,
                         const std::function<void(isl_constraint*)>& visit) {
  struct Loop {
    const std::function<void(isl_constraint*)>& visit;
    std::exception_ptr failure;
  } loop{visit, {}};
  const isl_stat all = isl_basic_set_foreach_constraint(
      set.get(),
      [](isl_constraint* constraint, void* user) {
        auto& around = *static_cast<Loop*>(user);
        try {
          around.visit(constraint);
        } catch (...) {
          around.failure = std::current_exception();
        }
        isl_constraint_free(constraint);
        return around.failure ? isl_stat_error : isl_stat_ok;
      },
      &loop);
  if (loop.failure) std::rethrow_exception(loop.failure);
  if (all != isl_stat_ok) isl::exception::throw_last_error(set.ctx());
}

isl::pw_aff parameter_value(isl::ctx context, const std::string& name) {
  isl_id* id = isl_id_alloc(context.get(), name.c_str(), nullptr);
  isl_space* space = isl_space_params_alloc(context.get(), 0);
  space = isl_space_add_param_id(space, isl_id_copy(id));
  return checked(context, isl_pw_aff_from_aff(isl_aff_param_on_domain_space_id(space, id)));
}

isl::pw_aff constant_value(isl::ctx context, long value) {
  isl_local_space* space = isl_local_space_from_space(isl_space_params_alloc(context.get(), 0));
  isl_val* number = isl_val_int_from_si(context.get(), value);
  return checked(context, isl_pw_aff_from_aff(isl_aff_val_on_domain(space, number)));
}

}  // namespace gridspan::model
