// Reading models from JSON. Text comes from files, so everything is checked; errors name the place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/text.h"
#include "model/text_cursor.h"

namespace gridspan::model {
namespace {

Parameter read_parameter(const Reader& reader) {
  reader.expect_object(
      {"name", "kind", "axis", "argument", "offset", "bytes", "factors", "expression"});
  Parameter parameter;
  parameter.name = reader.at("name").text();
  parameter.kind = reader.at("kind").name<Parameter::Kind>();
  switch (parameter.kind) {
    case Parameter::Kind::grid_dim:
    case Parameter::Kind::block_dim:
      parameter.axis = reader.at("axis").axis();
      break;
    case Parameter::Kind::argument:
      parameter.argument = reader.at("argument").number();
      reader.maybe("offset", parameter.offset);
      parameter.bytes = reader.at("bytes").number();
      break;
    case Parameter::Kind::product:
      reader.at("factors").each(
          [&](const Reader& item) { parameter.factors.push_back(item.text()); });
      break;
    case Parameter::Kind::quotient:
      reader.at("factors").each(
          [&](const Reader& item) { parameter.factors.push_back(item.text()); });
      if (parameter.factors.size() != 2)
        reader.at("factors").refuse("a quotient has a dividend and a divisor");
      break;
    case Parameter::Kind::expression:
      parameter.expression = reader.at("expression").text();
      break;
  }
  return parameter;
}

Dimension read_dimension(const Reader& reader) {
  reader.expect_object({"name", "kind", "axis", "where", "factor", "base"});
  Dimension dimension;
  dimension.name = reader.at("name").text();
  dimension.kind = reader.at("kind").name<Dimension::Kind>();
  if (dimension.kind == Dimension::Kind::block || dimension.kind == Dimension::Kind::thread)
    dimension.axis = reader.at("axis").axis();
  if (dimension.kind == Dimension::Kind::product) {
    dimension.factor = reader.at("factor").text();
    dimension.base = reader.at("base").text();
  }
  reader.maybe("where", dimension.where);
  return dimension;
}

Access read_access(const Reader& reader, const Kernel& kernel, const Array& array) {
  reader.expect_object({"kind", "op", "bytes", "exact", "unbounded", "same_value", "volatile",
                        "where", "reason", "reason_where", "assumptions", "relation"});
  Access access;
  access.kind = reader.at("kind").name<AccessKind>();
  if (reader.has("op")) access.op = reader.at("op").name<ReductionOp>();
  access.bytes = reader.at("bytes").number();
  access.exact = reader.at("exact").truth();
  reader.maybe("unbounded", access.unbounded);
  reader.maybe("same_value", access.same_value);
  reader.maybe("volatile", access.is_volatile);
  reader.maybe("where", access.where);
  reader.maybe("reason", access.reason);
  reader.maybe("reason_where", access.reason_where);
  reader.list("assumptions", access.assumptions, [&](const Reader& item) {
    return item.index(kernel.assumptions.size(), "assumptions");
  });
  reader.maybe("relation", access.relation);
  if (access.relation.is_null()) {
    if (!access.unbounded) reader.refuse("an access without relation must be unbounded");
  } else if (access.relation.range_tuple_dim() != array.rank()) {
    reader.at("relation").refuse("the array has " + std::to_string(array.rank()) + " subscripts");
  }
  return access;
}

NativeLoop read_loop(const Reader& reader) {
  reader.expect_object({"counter", "last", "products"});
  NativeLoop loop;
  loop.counter = reader.at("counter").text();
  reader.at("last").read(loop.last);
  reader.list("products", loop.products, read_dimension);
  return loop;
}

FootprintPiece read_piece(const Reader& reader, const Array& array) {
  reader.expect_object({"loops", "image"});
  FootprintPiece piece;
  reader.list("loops", piece.loops, read_loop);
  reader.at("image").read(piece.image);
  if (piece.image.tuple_dim() != array.rank())
    reader.at("image").refuse("the array has " + std::to_string(array.rank()) + " subscripts");
  return piece;
}

AccessSet read_set(const Reader& reader, const Kernel& kernel, const Array& array) {
  reader.expect_object({"kind", "op", "update_bytes", "unbounded", "exact_block", "exact_part",
                        "accesses", "assumptions", "pieces"});
  AccessSet set;
  set.kind = reader.at("kind").name<SetKind>();
  if (reader.has("op")) set.op = reader.at("op").name<ReductionOp>();
  reader.maybe("update_bytes", set.update_bytes);
  reader.maybe("unbounded", set.unbounded);
  set.exact_block = reader.at("exact_block").truth();
  set.exact_part = reader.at("exact_part").truth();
  reader.list("accesses", set.accesses, [&](const Reader& item) {
    return item.index(array.accesses.size(), "accesses of the array");
  });
  reader.list("assumptions", set.assumptions, [&](const Reader& item) {
    return item.index(kernel.assumptions.size(), "assumptions");
  });
  reader.list("pieces", set.pieces, [&](const Reader& item) { return read_piece(item, array); });
  return set;
}

Array read_array(const Reader& reader, const Kernel& kernel) {
  reader.expect_object({"name", "space", "argument", "offset", "symbol", "element_bytes",
                        "element_type", "extents", "accesses", "sets"});
  Array array;
  array.name = reader.at("name").text();
  array.space = reader.at("space").name<AddressSpace>();
  if (reader.has("argument"))
    array.argument =
        static_cast<int>(reader.at("argument").index(kernel.argument_names.size(), "arguments"));
  reader.maybe("offset", array.offset);
  reader.maybe("symbol", array.symbol);
  reader.at("element_bytes").read(array.element_bytes);
  reader.maybe("element_type", array.element_type);
  reader.list("extents", array.extents, [](const Reader& item) {
    isl::pw_aff extent;
    item.read(extent);
    return extent;
  });
  reader.list("accesses", array.accesses,
              [&](const Reader& item) { return read_access(item, kernel, array); });
  reader.list("sets", array.sets,
              [&](const Reader& item) { return read_set(item, kernel, array); });
  return array;
}

Assumption read_assumption(const Reader& reader) {
  reader.expect_object(
      {"kind", "text", "where", "condition", "domain", "value", "minimum", "maximum"});
  Assumption assumption;
  assumption.kind = reader.at("kind").name<Assumption::Kind>();
  assumption.text = reader.at("text").text();
  reader.maybe("where", assumption.where);
  reader.maybe("condition", assumption.condition);
  reader.maybe("domain", assumption.domain);
  reader.maybe("value", assumption.value);
  reader.maybe("minimum", assumption.minimum);
  reader.maybe("maximum", assumption.maximum);
  return assumption;
}

Remark read_remark(const Reader& reader) {
  reader.expect_object({"obstacle", "text", "where"});
  Remark remark;
  remark.obstacle = reader.at("obstacle").name<Obstacle>();
  remark.text = reader.at("text").text();
  reader.maybe("where", remark.where);
  return remark;
}

AxisSplit read_axis(const Reader& reader) {
  reader.expect_object({"legal", "granularity", "reason", "reason_where", "read_write_overlap",
                        "race", "race_where", "cost"});
  AxisSplit axis;
  reader.maybe("legal", axis.legal);
  reader.maybe("granularity", axis.granularity);
  reader.maybe("reason", axis.reason);
  reader.maybe("reason_where", axis.reason_where);
  reader.maybe("read_write_overlap", axis.read_write_overlap);
  reader.maybe("race", axis.race);
  reader.maybe("race_where", axis.race_where);
  reader.maybe("cost", axis.cost);
  return axis;
}

Kernel read_kernel(const Reader& reader) {
  reader.expect_object({"name", "readable", "where", "arguments", "rung", "rung_reason",
                        "suggested_axis", "barriers", "static_shared", "max_threads", "min_blocks",
                        "parameters", "dimensions", "context", "arrays", "assumptions", "remarks",
                        "axes", "cpu"});  // `cpu`: for people, from gridspan explain --json
  Kernel kernel;
  kernel.name = reader.at("name").text();
  kernel.readable = reader.at("readable").text();
  reader.maybe("where", kernel.where);
  reader.at("arguments").each([&](const Reader& item) {
    item.expect_object({"name", "type"});
    kernel.argument_names.push_back(item.at("name").text());
    kernel.argument_types.push_back(item.at("type").text());
  });
  kernel.rung = reader.at("rung").name<Rung>();
  reader.maybe("rung_reason", kernel.rung_reason);
  if (reader.has("suggested_axis"))
    kernel.suggested_axis = static_cast<int>(reader.at("suggested_axis").axis());
  reader.maybe("barriers", kernel.barriers);
  reader.maybe("static_shared", kernel.static_shared);
  reader.maybe("max_threads", kernel.max_threads);
  reader.maybe("min_blocks", kernel.min_blocks);
  reader.list("parameters", kernel.parameters, read_parameter);
  reader.list("dimensions", kernel.dimensions, read_dimension);
  reader.maybe("context", kernel.context);
  reader.list("assumptions", kernel.assumptions, read_assumption);
  reader.list("arrays", kernel.arrays,
              [&](const Reader& item) { return read_array(item, kernel); });
  reader.list("remarks", kernel.remarks, read_remark);
  Reader axes = reader.at("axes");
  axes.expect_object({"x", "y", "z"});
  for (int i = 0; i < 3; ++i) kernel.axes[i] = read_axis(axes.at(axis_names[i]));
  return kernel;
}

Module read_module(const Reader& reader) {
  if (reader.at("format").text() != "gridspan-model")
    reader.at("format").refuse("expected 'gridspan-model'");
  if (unsigned version = reader.at("version").number(); version != text_version)
    reader.at("version").refuse(std::to_string(version) + "; this program reads version " +
                                std::to_string(text_version));
  reader.expect_object({"format", "version", "source", "kernels"});
  Module module;
  module.source = reader.at("source").text();
  reader.at("kernels").each(
      [&](const Reader& item) { module.kernels.push_back(read_kernel(item)); });
  return module;
}

}  // namespace

support::Result<Module> from_text(isl::ctx context, std::string_view text) {
  try {
    const auto json = nlohmann::ordered_json::parse(text);
    return read_module(Reader(context, json, ""));
  } catch (const nlohmann::ordered_json::exception& error) {
    return support::fail(std::string("not JSON: ") + error.what());
  } catch (const Wrong& wrong) {
    return support::fail(wrong.message);
  }
}

}  // namespace gridspan::model
