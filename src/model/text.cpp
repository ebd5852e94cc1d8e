// Writing models as JSON. docs/model-format.md describes every field; text_reader.cpp reads them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/text.h"

#include "model/text_names.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

namespace gridspan::model {
namespace {

using Json = nlohmann::ordered_json;

/// A string isl allocated.
std::string take(char* allocated) {
  std::unique_ptr<char, void (*)(void*)> text(allocated, std::free);
  return text ? text.get() : "";
}

/// Fields at their default are left out.
template <class T>
void put(Json& object, const char* key, const T& value, const T& usual = T()) {
  if (value != usual) object[key] = value;
}

template <class Enum>
void put_name(Json& object, const char* key, Enum value, Enum usual) {
  if (value != usual) object[key] = name_of(value);
}

/// "file:line:column", as compilers write it.
void put(Json& object, const char* key, const SourcePoint& where) {
  if (where == SourcePoint()) return;
  object[key] = where.file + ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
}

std::string plain_text(const isl::set& value) { return take(isl_set_to_str(value.get())); }
std::string plain_text(const isl::map& value) { return take(isl_map_to_str(value.get())); }
std::string plain_text(const isl::pw_aff& value) { return take(isl_pw_aff_to_str(value.get())); }

/// isl's text of a value that was read from text can differ from the text: constraints move. What
/// we write is a text that isl gives back unchanged, so that a second writing is equal to the
/// first.
template <class Isl>
std::string settled(const Isl& value) {
  constexpr int attempts = 8;  // one suffices nearly always
  std::string text = plain_text(value);
  for (int i = 0; i < attempts; ++i) {
    std::string next = plain_text(Isl(value.ctx(), text));
    if (next == text) break;
    text = std::move(next);
  }
  return text;
}

template <class Isl>
void put_isl(Json& object, const char* key, const OrNull<Isl>& value) {
  if (!value.is_null()) object[key] = settled<Isl>(value);
}

template <class T, class Write>
void put_list(Json& object, const char* key, const std::vector<T>& list, Write write) {
  if (list.empty()) return;
  Json& array = object[key] = Json::array();
  for (const T& item : list) array.push_back(write(item));
}

Json write_parameter(const Parameter& parameter) {
  Json json{{"name", parameter.name}, {"kind", name_of(parameter.kind)}};
  switch (parameter.kind) {
    case Parameter::Kind::grid_dim:
    case Parameter::Kind::block_dim:
      json["axis"] = axis_names[std::min(parameter.axis, 2u)];
      break;
    case Parameter::Kind::argument:
      json["argument"] = parameter.argument;
      put(json, "offset", parameter.offset);
      json["bytes"] = parameter.bytes;
      break;
    case Parameter::Kind::product:
    case Parameter::Kind::quotient:
      json["factors"] = parameter.factors;
      break;
    case Parameter::Kind::expression:
      json["expression"] = parameter.expression;
      break;
  }
  return json;
}

Json write_dimension(const Dimension& dimension) {
  Json json{{"name", dimension.name}, {"kind", name_of(dimension.kind)}};
  if (dimension.kind == Dimension::Kind::block || dimension.kind == Dimension::Kind::thread)
    json["axis"] = axis_names[std::min(dimension.axis, 2u)];
  if (dimension.kind == Dimension::Kind::product) {
    json["factor"] = dimension.factor;
    json["base"] = dimension.base;
  }
  put(json, "where", dimension.where);
  return json;
}

Json write_access(const Access& access) {
  Json json{{"kind", name_of(access.kind)}};
  put_name(json, "op", access.op, ReductionOp::none);
  json["bytes"] = access.bytes;
  json["exact"] = access.exact;
  put(json, "unbounded", access.unbounded);
  put(json, "same_value", access.same_value);
  put(json, "volatile", access.is_volatile);
  put(json, "where", access.where);
  put(json, "reason", access.reason);
  put(json, "reason_where", access.reason_where);
  put(json, "assumptions", access.assumptions);
  put_isl(json, "relation", access.relation);
  return json;
}

Json write_loop(const NativeLoop& loop) {
  Json json{{"counter", loop.counter}};
  put_isl(json, "last", loop.last);
  put_list(json, "products", loop.products, write_dimension);
  return json;
}

Json write_piece(const FootprintPiece& piece) {
  Json json = Json::object();
  put_list(json, "loops", piece.loops, write_loop);
  put_isl(json, "image", piece.image);
  return json;
}

Json write_set(const AccessSet& set) {
  Json json{{"kind", name_of(set.kind)}};
  put_name(json, "op", set.op, ReductionOp::none);
  put(json, "update_bytes", set.update_bytes);
  put(json, "unbounded", set.unbounded);
  json["exact_block"] = set.exact_block;
  json["exact_part"] = set.exact_part;
  json["accesses"] = set.accesses;
  put(json, "assumptions", set.assumptions);
  put_list(json, "pieces", set.pieces, write_piece);
  return json;
}

Json write_array(const Array& array) {
  Json json{{"name", array.name}, {"space", name_of(array.space)}};
  if (array.argument >= 0) json["argument"] = array.argument;
  put(json, "offset", array.offset);
  put(json, "symbol", array.symbol);
  json["element_bytes"] = array.element_bytes;
  put(json, "element_type", array.element_type);
  put_list(json, "extents", array.extents, settled<isl::pw_aff>);
  put_list(json, "accesses", array.accesses, write_access);
  put_list(json, "sets", array.sets, write_set);
  return json;
}

Json write_assumption(const Assumption& assumption) {
  Json json{{"kind", name_of(assumption.kind)}, {"text", assumption.text}};
  put(json, "where", assumption.where);
  put_isl(json, "condition", assumption.condition);
  put_isl(json, "domain", assumption.domain);
  put_isl(json, "value", assumption.value);
  put(json, "minimum", assumption.minimum);
  put(json, "maximum", assumption.maximum);
  return json;
}

Json write_remark(const Remark& remark) {
  Json json{{"obstacle", name_of(remark.obstacle)}, {"text", remark.text}};
  put(json, "where", remark.where);
  return json;
}

Json write_axis(const AxisSplit& axis) {
  Json json = Json::object();
  put_isl(json, "legal", axis.legal);
  put(json, "granularity", axis.granularity, 1u);
  put(json, "reason", axis.reason);
  put(json, "reason_where", axis.reason_where);
  put(json, "read_write_overlap", axis.read_write_overlap);
  put(json, "race", axis.race);
  put(json, "race_where", axis.race_where);
  put(json, "cost", axis.cost);
  return json;
}

Json write_arguments(const Kernel& kernel) {
  Json list = Json::array();
  std::size_t count = std::max(kernel.argument_names.size(), kernel.argument_types.size());
  for (std::size_t i = 0; i < count; ++i)
    list.push_back({{"name", i < kernel.argument_names.size() ? kernel.argument_names[i] : ""},
                    {"type", i < kernel.argument_types.size() ? kernel.argument_types[i] : ""}});
  return list;
}

/// `analysis_milliseconds` stays out: the same source must give the same object.
Json write_kernel(const Kernel& kernel) {
  Json json{{"name", kernel.name}, {"readable", kernel.readable}};
  put(json, "where", kernel.where);
  json["arguments"] = write_arguments(kernel);
  json["rung"] = name_of(kernel.rung);
  put(json, "rung_reason", kernel.rung_reason);
  if (kernel.suggested_axis >= 0) json["suggested_axis"] = axis_names[kernel.suggested_axis % 3];
  put(json, "barriers", kernel.barriers);
  put(json, "static_shared", kernel.static_shared);
  put(json, "max_threads", kernel.max_threads);
  put(json, "min_blocks", kernel.min_blocks);
  put_list(json, "parameters", kernel.parameters, write_parameter);
  put_list(json, "dimensions", kernel.dimensions, write_dimension);
  put_isl(json, "context", kernel.context);
  put_list(json, "arrays", kernel.arrays, write_array);
  put_list(json, "assumptions", kernel.assumptions, write_assumption);
  put_list(json, "remarks", kernel.remarks, write_remark);
  Json& axes = json["axes"] = Json::object();
  for (int i = 0; i < 3; ++i) axes[axis_names[i]] = write_axis(kernel.axes[i]);
  return json;
}

}  // namespace

std::string to_text(const Module& module) {
  Json json{{"format", "gridspan-model"}, {"version", text_version}, {"source", module.source}};
  json["kernels"] = Json::array();
  for (const Kernel& kernel : module.kernels) json["kernels"].push_back(write_kernel(kernel));
  // Names from source files may hold any bytes.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gridspan::model
