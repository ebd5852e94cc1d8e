// Spelling of parameters, dimensions and isl values for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/notation.h"

#include "model/factors.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <tuple>

namespace gridspan::tools {
namespace {

using model::Dimension;
using model::Kernel;
using model::Parameter;

bool starts_identifier(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continues_identifier(char c) {
  return starts_identifier(c) || std::isdigit(static_cast<unsigned char>(c));
}

/// The block index a dimension is a multiple of, or null.
const Dimension* block_of(const Kernel& kernel, const Dimension& dimension) {
  const Dimension* base = &dimension;
  for (int depth = 0; base && base->kind == Dimension::Kind::product && depth < 8; ++depth)
    base = model::find_dimension(kernel, base->base);
  return base && base->kind == Dimension::Kind::block ? base : nullptr;
}

std::string join(const std::vector<std::string>& parts, const char* between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

isl::set always(const Kernel& kernel, isl::ctx context,
                const std::vector<std::string>& block_symbols) {
  std::vector<std::string> names, facts;
  for (const Parameter& parameter : kernel.parameters)
    if (parameter.kind == Parameter::Kind::grid_dim ||
        parameter.kind == Parameter::Kind::block_dim) {
      names.push_back(parameter.name);
      facts.push_back(parameter.name + " >= 1");
    }
  for (const std::string& symbol : block_symbols) {
    names.push_back(symbol);
    facts.push_back(symbol + " >= 0");
    std::string extent = "gridDim" + symbol.substr(std::min<std::size_t>(symbol.size(), 8));
    if (std::find(names.begin(), names.end(), extent) != names.end())
      facts.push_back(symbol + " < " + extent);
  }
  isl::set set(context, "[" + join(names, ",") +
                            "] -> { : " + (facts.empty() ? "" : join(facts, " and ")) + " }");
  return kernel.context.is_null() ? set : set.intersect(kernel.context);
}

/// floor((n+7)/8) for isl's floord(n+7, 8).
std::string with_floors(std::string text) {
  const std::string name = "floord(";
  for (std::size_t at; (at = text.find(name)) != std::string::npos;) {
    std::size_t begin = at + name.size(), comma = std::string::npos, end = begin;
    for (int depth = 1; end < text.size(); ++end) {
      depth += text[end] == '(';
      depth -= text[end] == ')';
      if (text[end] == ',' && depth == 1) comma = end;
      if (depth == 0) break;
    }
    if (comma == std::string::npos || end == text.size()) break;
    text = text.substr(0, at) + "floor((" + text.substr(begin, comma - begin) + ")/" +
           text.substr(comma + 2, end - comma - 2) + text.substr(end);
  }
  return text;
}

/// What is too complicated to simplify is too complicated to show.
template <class Work>
void limited(isl::ctx context, const Work& work) {
  constexpr unsigned long operations = 200'000;
  try {
    model::within_limit(context, operations, work);
  } catch (const isl::exception&) {
  }
}

template <class Build>
std::string c_text(const isl::set& context, const Build& expression) {
  isl::ast_expr built = expression(isl::ast_build::from_context(context));
  std::unique_ptr<char, void (*)(void*)> text(isl_ast_expr_to_C_str(built.get()), std::free);
  return text ? text.get() : "?";
}

/// Some isl context a kernel's values live in; the kernel has at least one of them.
isl::ctx context_of(const Kernel& kernel) {
  if (!kernel.context.is_null()) return kernel.context.ctx();
  for (const model::AxisSplit& axis : kernel.axes)
    if (!axis.legal.is_null()) return axis.legal.ctx();
  for (const model::Array& array : kernel.arrays)
    for (const model::Access& access : array.accesses)
      if (!access.relation.is_null()) return access.relation.ctx();
  return isl::ctx(nullptr);
}

}  // namespace

std::string replace_identifiers(std::string_view text,
                                const std::function<std::string(std::string_view)>& spell) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (!starts_identifier(text[i])) {
      bool is_number = std::isdigit(static_cast<unsigned char>(text[i]));
      while (is_number && end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
        ++end;
      result += text.substr(i, end - i);
      // isl writes 32n for 32*n.
      if (is_number && end < text.size() && starts_identifier(text[end])) result += '*';
    } else {
      while (end < text.size() && continues_identifier(text[end])) ++end;
      bool is_member = i > 0 && text[i - 1] == '.' && (i < 2 || text[i - 2] != '.');
      result += is_member ? std::string(text.substr(i, end - i)) : spell(text.substr(i, end - i));
    }
    i = end;
  }
  return result;
}

std::string compact(std::string_view expression) {
  std::string result;
  for (char c : expression) {
    if (c == ' ') continue;
    result += c;
    if (c == ',') result += ' ';
  }
  return result;
}

Notation::Notation(const Kernel& kernel) {
  for (const Parameter& parameter : kernel.parameters) add_parameter(parameter);
  for (const Dimension& dimension : kernel.dimensions) add_dimension(kernel, dimension);
  if (isl::ctx context = context_of(kernel); context.get())
    context_ = always(kernel, context, block_symbols_);
}

void Notation::add_parameter(const Parameter& parameter) {
  std::string& text = names_[parameter.name];
  switch (parameter.kind) {
    case Parameter::Kind::grid_dim:
      text = std::string("gridDim.") + axis_letters[parameter.axis % 3];
      break;
    case Parameter::Kind::block_dim:
      text = std::string("blockDim.") + axis_letters[parameter.axis % 3];
      break;
    case Parameter::Kind::argument:
      text = parameter.name;
      break;
    case Parameter::Kind::product:
      for (const std::string& factor : parameter.factors)
        text += (text.empty() ? "" : "*") + name(factor);
      break;
    case Parameter::Kind::quotient:
      text = "(" + name(parameter.factors.at(0)) + "/" + name(parameter.factors.at(1)) + ")";
      break;
    case Parameter::Kind::expression: {
      std::size_t begin = parameter.expression.find("[(");
      std::size_t end = parameter.expression.rfind(")]");
      bool is_plain = begin != std::string::npos && end != std::string::npos && begin < end &&
                      parameter.expression.find(';') == std::string::npos;
      text = is_plain ? "(" + spelt(parameter.expression.substr(begin + 2, end - begin - 2)) + ")"
                      : parameter.name;
      break;
    }
  }
}

void Notation::add_dimension(const Kernel& kernel, const Dimension& dimension) {
  std::string text = dimension.name;
  is_dimension_.insert(dimension.name);
  if (dimension.kind == Dimension::Kind::block)
    text = std::string("blockIdx.") + axis_letters[dimension.axis % 3];
  if (dimension.kind == Dimension::Kind::thread)
    text = std::string("threadIdx.") + axis_letters[dimension.axis % 3];
  if (dimension.kind == Dimension::Kind::product)
    text = name(dimension.base) + "*" + name(dimension.factor);
  if (block_of(kernel, dimension)) {
    block_symbols_.push_back(dimension.name);
    if (std::string brief = short_name(kernel, dimension); !brief.empty()) {
      short_names_[brief] = text;
      text = brief;
    }
  }
  // The bounds of a part are those of its only block, and `cut` is where two parts meet.
  for (const std::string& symbol :
       {dimension.name, model::part_first(dimension.name), model::part_last(dimension.name)})
    names_[symbol] = text;
  names_["cut_" + dimension.name] = "cut";
}

/// x for blockIdx.x*blockDim.x, unless something of the kernel is called x.
std::string Notation::short_name(const Kernel& kernel, const Dimension& dimension) const {
  const Dimension* base = model::find_dimension(kernel, dimension.base);
  if (dimension.kind != Dimension::Kind::product || !base || base->kind != Dimension::Kind::block)
    return "";
  std::string axis = axis_letters[base->axis % 3];
  if (dimension.factor != "blockDim_" + axis) return "";
  bool is_taken = names_.contains(axis) ||
                  std::count(kernel.argument_names.begin(), kernel.argument_names.end(), axis) ||
                  std::any_of(kernel.arrays.begin(), kernel.arrays.end(),
                              [&](const model::Array& array) { return array.name == axis; });
  return is_taken ? axis + "0" : axis;
}

std::string Notation::name(const std::string& symbol) const {
  if (auto found = names_.find(symbol); found != names_.end()) return found->second;
  // gridDim_z and the like need not be among the kernel's parameters.
  for (const char* vector : {"gridDim", "blockDim", "blockIdx", "threadIdx"})
    for (const char* axis : axis_letters)
      if (symbol == std::string(vector) + "_" + axis) return std::string(vector) + "." + axis;
  return symbol;
}

std::string Notation::spelt(std::string_view text) const {
  return replace_identifiers(text, [&](std::string_view word) { return name(std::string(word)); });
}

int Notation::rank(const std::string& symbol) const {
  if (std::count(block_symbols_.begin(), block_symbols_.end(), symbol)) return 0;
  return is_dimension_.contains(symbol) ? 1 : 2;
}

/// Symbols of the block first, then loop counters, parameters and the constant: x+2*n-1.
std::string Notation::sum(const isl::aff& value) const {
  struct Term {
    int rank;
    long factor;
    std::string name;
  };
  std::vector<Term> terms;
  isl_size count = isl_aff_dim(value.get(), isl_dim_param);
  for (isl_size i = 0; i < count; ++i) {
    isl::val factor = isl::manage(isl_aff_get_coefficient_val(value.get(), isl_dim_param, i));
    if (factor.is_zero()) continue;
    const char* symbol_name =
        isl_aff_get_dim_name(value.get(), isl_dim_param, static_cast<unsigned>(i));
    std::string symbol = symbol_name ? symbol_name : "?";
    terms.push_back({rank(symbol), factor.num_si(), name(symbol)});
  }
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
    return std::tuple(a.factor < 0, a.rank, a.name) < std::tuple(b.factor < 0, b.rank, b.name);
  });
  std::string text;
  for (const Term& term : terms) {
    text += term.factor < 0 ? "-" : text.empty() ? "" : "+";
    long size = std::labs(term.factor);
    text += (size == 1 ? "" : std::to_string(size) + "*") + term.name;
  }
  isl::val constant = isl::manage(isl_aff_get_constant_val(value.get()));
  if (text.empty() || !constant.is_zero())
    text += (constant.is_neg() || text.empty() ? "" : "+") + std::to_string(constant.num_si());
  return text;
}

std::string Notation::simplified(const isl::pw_aff& value) const {
  isl::pw_aff simple = value.gist_params(context_).coalesce();
  if (simple.isa_aff()) {
    isl::aff sole = simple.as_aff();
    isl::val denominator = isl::manage(isl_aff_get_denominator_val(sole.get()));
    if (denominator.is_one() && isl_aff_involves_locals(sole.get()) == isl_bool_false)
      return sum(sole);
  }
  std::string text =
      c_text(context_, [&](const isl::ast_build& build) { return build.expr_from(simple); });
  return with_floors(spelt(compact(text)));
}

std::string Notation::value(const isl::pw_aff& value) const {
  std::string text = "...";
  limited(value.ctx(), [&] { text = simplified(value); });
  return text;
}

std::string Notation::condition(const isl::set& set) const {
  std::string text = "...";
  limited(set.ctx(), [&] {
    isl::set simple = set.gist_params(context_).coalesce();
    text = spelt(
        c_text(context_, [&](const isl::ast_build& build) { return build.expr_from(simple); }));
  });
  return text;
}

std::vector<std::string> Notation::legend(std::string_view text) const {
  std::vector<std::string> lines;
  for (const auto& [brief, meaning] : short_names_) {
    bool occurs = false;
    replace_identifiers(text, [&](std::string_view word) {
      occurs = occurs || word == brief;
      return "";
    });
    if (occurs) lines.push_back(brief + " = " + meaning);
  }
  return lines;
}

}  // namespace gridspan::tools
