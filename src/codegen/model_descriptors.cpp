// Writes abi::KernelModel and everything below it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/model_descriptors.h"

#include "codegen/constant_writer.h"
#include "codegen/footprints.h"
#include "codegen/launch_values.h"
#include "codegen/predicates.h"
#include "model/read_movers.h"
#include "transforms/source_points.h"

#include "abi/model.h"

namespace gridspan::codegen {

using namespace llvm;
using model::AddressSpace;
using transforms::source_point_value;
using transforms::string_address;

namespace {

/// isl operations for the extents of one array.
constexpr unsigned long descriptor_limit = 100'000;

class ModelWriter : ConstantWriter {
 public:
  ModelWriter(Module& module, const model::Kernel& kernel,
              const std::vector<transforms::DeviceSymbol>& symbols, model::Allowance& allowance)
      : ConstantWriter(module),
        kernel_(kernel),
        symbols_(symbols),
        allowance_(allowance),
        movers_(model::read_movers(kernel)) {}

  Constant* model();

 private:
  using List = SmallVector<Constant*>;

  /// A footprint of the kernel before its descriptor is written.
  struct Set {
    const model::AccessSet* set;
    const model::Array* array;
    Footprint footprint;
  };

  void make_footprints();
  void make_extents();
  List scalars();
  List arrays();
  Constant* array_of(const model::Array& array, Function* extents);
  Constant* set_of(const Set& set);
  Constant* assumption_list(const model::AccessSet& set);
  List assumptions();
  Constant* axis(const model::AxisSplit& split, char name);
  std::uint32_t obstacles() const;
  std::uint32_t read_movers() const;
  bool hides_memory() const { return (obstacles() & abi::hides_memory) != 0; }
  std::int32_t symbol_index(const std::string& name) const;
  Function* extents(const model::Array& array);
  void write_extents(const model::Array& array, Function& function);

  Constant* text(const std::string& string) { return string_address(module_, string); }
  Constant* where(const model::SourcePoint& point) {
    return source_point_value(module_, {point.file, point.line, point.column});
  }
  Constant* or_null(Function* function) { return function ? function : null(); }
  std::string name(StringRef what) const { return ("gridspan." + what + "." + kernel_.name).str(); }

  const model::Kernel& kernel_;
  const std::vector<transforms::DeviceSymbol>& symbols_;
  model::Allowance& allowance_;  // of footprints
  const std::set<std::string> movers_;
  std::vector<Set> sets_;
  std::vector<std::pair<const model::Array*, Function*>> arrays_;
  FitNeeds needs_;  // of footprints and extents
  Function* fit_ = nullptr;
};

static_assert(static_cast<std::uint32_t>(model::ReductionOp::decrement) + 1 ==
              abi::reduction_op_count);

bool is_described(const model::Array& array) { return array.space != AddressSpace::shared; }

void ModelWriter::make_extents() {
  for (const model::Array& array : kernel_.arrays)
    if (is_described(array)) arrays_.push_back({&array, hides_memory() ? nullptr : extents(array)});
}

/// Without extents subscripts mean nothing, so the sets of such an array are unbounded.
void ModelWriter::make_footprints() {
  for (auto [array, function] : arrays_)
    for (const model::AccessSet& set : array->sets) {
      sets_.push_back({&set, array, {}});
      if (!hides_memory() && (function || array->rank() == 1))
        sets_.back().footprint =
            make_footprint(module_, kernel_, set, *array, name("footprint"), allowance_, needs_);
    }
}

void ModelWriter::write_extents(const model::Array& array, Function& function) {
  LaunchValues values(kernel_, function);
  IRBuilder<> builder(values.start());
  IslCode code(
      builder, [&](const std::string& parameter) { return values(parameter); }, kernel_.context);
  for (std::size_t i = 0; i < array.extents.size(); ++i)
    builder.CreateStore(
        code.number(array.extents[i]).value,
        builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), function.getArg(1), i));
  builder.CreateRetVoid();
  values.close();
  needs_.add({values.used(), {}});
}

/// Null for arrays of rank 1, and where no code can be made.
Function* ModelWriter::extents(const model::Array& array) {
  if (array.extents.empty()) return nullptr;
  Type* pointer = PointerType::get(context_, 0);
  auto* type = FunctionType::get(Type::getVoidTy(context_), {pointer, pointer}, false);
  Function* function =
      Function::Create(type, GlobalValue::InternalLinkage, name("extents"), module_);
  mark_as_launch_code(*function);
  bool written = false;
  try {
    if (kernel_.context.is_null()) throw Unwritable("no context");
    written = model::within_limit(kernel_.context.ctx(), descriptor_limit,
                                  [&] { write_extents(array, *function); });
  } catch (const Unwritable&) {
  } catch (const isl::exception& error) {
    tell_isl_error(error, "the extents of an array", kernel_.name);
  }
  if (written) return function;
  function->eraseFromParent();
  return nullptr;
}

ModelWriter::List ModelWriter::scalars() {
  List list;
  for (const model::Parameter& parameter : kernel_.parameters)
    if (parameter.kind == model::Parameter::Kind::argument)
      list.push_back(structure<abi::ModelScalar>(
          {u32(parameter.argument), u32(parameter.offset), u32(parameter.bytes), u32(0)}));
  return list;
}

std::int32_t ModelWriter::symbol_index(const std::string& name) const {
  for (std::size_t i = 0; i < symbols_.size(); ++i)
    if (!name.empty() && symbols_[i].name == name) return static_cast<std::int32_t>(i);
  return -1;
}

ModelWriter::List ModelWriter::arrays() {
  List list;
  for (auto [array, function] : arrays_) list.push_back(array_of(*array, function));
  return list;
}

Constant* ModelWriter::array_of(const model::Array& array, Function* extents) {
  List sets;
  for (const Set& set : sets_)
    if (set.array == &array) sets.push_back(set_of(set));
  return structure<abi::ModelArray>(
      {text(array.name), u32(static_cast<std::uint32_t>(array.argument)), u32(array.offset),
       u32(static_cast<std::uint32_t>(symbol_index(array.symbol))), u32(array.element_bytes),
       u32(array.rank()), u32(sets.size()), or_null(extents),
       ConstantWriter::array(sets, name("sets"))});
}

/// The set's assumptions, and behind the kernel's own the one that parameters fit.
Constant* ModelWriter::assumption_list(const model::AccessSet& set) {
  List list;
  for (unsigned index : set.assumptions) list.push_back(u32(index));
  if (fit_) list.push_back(u32(kernel_.assumptions.size()));
  return array(list, name("set_assumptions"));
}

Constant* ModelWriter::set_of(const Set& one) {
  const model::AccessSet& set = *one.set;
  const Footprint& footprint = one.footprint;
  std::uint32_t flags = 0;
  model::SetKind kind = set.kind;
  if (kind == model::SetKind::must_write && !footprint.exact) kind = model::SetKind::may_write;
  if (set.exact_block && footprint.exact) flags |= abi::set_exact_block;
  if (set.exact_part && footprint.exact) flags |= abi::set_exact_part;
  if (footprint.overlap) flags |= abi::set_boxes_overlap;
  const bool is_moved = model::is_moved_by(movers_, kernel_, set);
  const model::SourcePoint first =
      set.accesses.empty() ? model::SourcePoint{} : one.array->accesses[set.accesses[0]].where;
  return structure<abi::ModelSet>(
      {or_null(footprint.function), u32(static_cast<std::uint32_t>(kind)),
       u32(static_cast<std::uint32_t>(set.op)), u32(set.update_bytes),
       u32((footprint.function ? flags : 0) | (is_moved ? abi::set_moved : 0)),
       u32(set.assumptions.size() + (fit_ ? 1 : 0)), assumption_list(set), where(first)});
}

ModelWriter::List ModelWriter::assumptions() {
  List list;
  auto add = [&](Function* holds, const std::string& what, const model::SourcePoint& place) {
    list.push_back(structure<abi::ModelAssumption>({holds, text(what), where(place)}));
  };
  for (const model::Assumption& assumption : kernel_.assumptions)
    add(make_assumption(module_, kernel_, assumption, name("assumption")), assumption.text,
        assumption.where);
  if (fit_) add(fit_, "sizes and their products are below 2^48", kernel_.where);
  return list;
}

/// What isl cannot tell is not allowed.
bool is_never_legal(const model::AxisSplit& split) {
  try {
    return split.legal.is_null() || split.legal.is_empty();
  } catch (const isl::exception&) {
    return true;
  }
}

Constant* ModelWriter::axis(const model::AxisSplit& split, char axis) {
  Function* legal =
      hides_memory() || is_never_legal(split) || kernel_.context.is_null()
          ? nullptr
          : make_condition(module_, kernel_, split.legal, name("legal") + "." + Twine(axis));
  return structure<abi::ModelAxis>({or_null(legal), u32(split.granularity), u32(0)});
}

std::uint32_t ModelWriter::obstacles() const {
  std::uint32_t bits = 0;
  for (const model::Remark& remark : kernel_.remarks)
    bits |= 1u << static_cast<unsigned>(remark.obstacle);
  return bits;
}

/// By the order of `scalars`.
std::uint32_t ModelWriter::read_movers() const {
  std::uint32_t bits = 0, bit = 1;
  for (const model::Parameter& parameter : kernel_.parameters) {
    if (parameter.kind != model::Parameter::Kind::argument) continue;
    if (movers_.contains(parameter.name)) bits |= bit;
    bit <<= 1;  // 0 from the 33rd on
  }
  return bits;
}

Constant* ModelWriter::model() {
  make_extents();
  make_footprints();
  fit_ = make_fit(module_, kernel_, needs_, name("fit"));
  const List scalar_list = scalars(), array_list = arrays(), assumption_list = assumptions();
  Constant* value = structure<abi::KernelModel>(
      {array(scalar_list, name("scalars")), array(array_list, name("arrays")),
       array(assumption_list, name("assumptions")), u32(scalar_list.size()), u32(array_list.size()),
       u32(assumption_list.size()), u32(obstacles()),
       ConstantStruct::getAnon(context_, {axis(kernel_.axes[0], 'x'), axis(kernel_.axes[1], 'y'),
                                          axis(kernel_.axes[2], 'z')}),
       u32(static_cast<std::uint32_t>(kernel_.suggested_axis)), u32(read_movers())});
  return global(value, name("model"));
}

}  // namespace

Constant* add_model(Module& module, const model::Kernel& kernel,
                    const std::vector<transforms::DeviceSymbol>& symbols,
                    model::Allowance& footprints) {
  return ModelWriter(module, kernel, symbols, footprints).model();
}

}  // namespace gridspan::codegen
