// A cursor over untrusted JSON that knows where it stands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/text_names.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gridspan::model {

/// Thrown and caught within the reader of models.
struct Wrong {
  std::string message;
};

/// A value and the way to it, such as kernels[0].arrays[1].name.
class Reader {
 public:
  using Json = nlohmann::ordered_json;

  Reader(isl::ctx context, const Json& json, std::string path)
      : context_(context), json_(&json), path_(std::move(path)) {}

  [[noreturn]] void refuse(const std::string& why) const {
    throw Wrong{(path_.empty() ? "" : path_ + ": ") + why};
  }

  /// An object with none but these keys.
  void expect_object(std::initializer_list<std::string_view> keys) const {
    if (!json_->is_object()) refuse(std::string("expected an object, found ") + json_->type_name());
    for (const auto& [key, value] : json_->items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        refuse("unknown field '" + key + "'");
  }

  bool has(const char* key) const { return json_->contains(key); }

  Reader at(const char* key) const {
    auto found = json_->find(key);
    if (found == json_->end()) refuse(std::string("field '") + key + "' is missing");
    return Reader(context_, *found, path_.empty() ? key : path_ + "." + key);
  }

  template <class Visit>
  void each(Visit visit) const {
    if (!json_->is_array()) refuse(std::string("expected an array, found ") + json_->type_name());
    for (std::size_t i = 0; i < json_->size(); ++i)
      visit(Reader(context_, (*json_)[i], path_ + "[" + std::to_string(i) + "]"));
  }

  std::string text() const {
    if (!json_->is_string()) refuse(std::string("expected a string, found ") + json_->type_name());
    return json_->get<std::string>();
  }

  bool truth() const {
    if (!json_->is_boolean())
      refuse(std::string("expected true or false, found ") + json_->type_name());
    return json_->get<bool>();
  }

  unsigned number(unsigned limit = std::numeric_limits<unsigned>::max()) const {
    if (!json_->is_number_unsigned() || json_->get<std::uint64_t>() > limit)
      refuse("expected a whole number from 0 to " + std::to_string(limit) + ", found " +
             json_->dump());
    return json_->get<unsigned>();
  }

  /// An index into a list of `count`.
  unsigned index(std::size_t count, const char* list) const {
    unsigned value = number();
    if (value >= count)
      refuse(std::to_string(value) + " is no index into the " + std::to_string(count) + " " + list);
    return value;
  }

  template <class Enum>
  Enum name() const {
    if (auto value = value_of<Enum>(text())) return *value;
    std::string known;
    for (const auto& [value, name] : Names<Enum>::table)
      known += (known.empty() ? "" : ", ") + std::string(name);
    refuse("'" + text() + "' is none of " + known);
  }

  unsigned axis() const {
    std::string name = text();
    for (unsigned i = 0; i < 3; ++i)
      if (name == axis_names[i]) return i;
    refuse("'" + name + "' is none of x, y, z");
  }

  SourcePoint where() const {
    SourcePoint point;
    std::string whole = text();
    std::size_t column = whole.rfind(':');
    std::size_t line = column ? whole.rfind(':', column - 1) : std::string::npos;
    if (column == std::string::npos || line == std::string::npos ||
        !parse(whole.substr(line + 1, column - line - 1), point.line) ||
        !parse(whole.substr(column + 1), point.column))
      refuse("expected file:line:column, found '" + whole + "'");
    point.file = whole.substr(0, line);
    return point;
  }

  template <class Isl>
  Isl isl_value(const char* what) const {
    try {
      return Isl(context_, text());
    } catch (const isl::exception& error) {
      refuse(std::string("isl does not read this as a ") + what + ": " + error.what());
    }
  }

  void read(std::string& into) const { into = text(); }
  void read(bool& into) const { into = truth(); }
  void read(unsigned& into) const { into = number(); }
  void read(SourcePoint& into) const { into = where(); }
  void read(isl::set& into) const { into = isl_value<isl::set>("set"); }
  void read(isl::map& into) const { into = isl_value<isl::map>("map"); }
  void read(isl::pw_aff& into) const { into = isl_value<isl::pw_aff>("piecewise expression"); }

  /// Leaves `into` at its default when the field is absent.
  template <class T>
  void maybe(const char* key, T& into) const {
    if (has(key)) at(key).read(into);
  }

  template <class T, class Read>
  void list(const char* key, std::vector<T>& into, Read read_one) const {
    if (has(key)) at(key).each([&](const Reader& item) { into.push_back(read_one(item)); });
  }

 private:
  static bool parse(std::string_view digits, unsigned& into) {
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), into);
    return error == std::errc() && end == digits.data() + digits.size() && !digits.empty();
  }

  isl::ctx context_;
  const Json* json_;
  std::string path_;
};

}  // namespace gridspan::model
