// mma, ldmatrix, stmatrix, movmatrix: work of all lanes of a warp on small matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers go to the thread's matrix data, a function of the device library sees the data of all
// lanes (transforms/warp_calls.h), and registers come back from there.
#include "transforms/inline_ptx/lowering.h"
#include "transforms/warp_calls.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace gridspan::transforms::ptx {

using namespace llvm;

static constexpr unsigned most_words = 32;  // of A, B and C: mma.m16n8k16 of double

static StructType* data_type_of(LLVMContext& context) {
  Type* words = ArrayType::get(Type::getInt32Ty(context), most_words);
  return StructType::get(context, {PointerType::get(context, 0), words});
}

AllocaInst* FunctionState::matrix_data() {
  if (!matrix) matrix = variable(data_type_of(function.getContext()), "ptx.matrix");
  return matrix;
}

namespace {

/// The thread's words, before and after the call.
class MatrixData {
 public:
  explicit MatrixData(Lowering& lowering) : l_(lowering), data_(lowering.state().matrix_data()) {}

  Value* word(unsigned index) {
    return l_.builder.CreateConstInBoundsGEP2_32(words(), place(), 0, index);
  }
  void put(unsigned index, Value* value) { l_.builder.CreateStore(value, word(index)); }
  Value* get(unsigned index, Type* type) {
    return l_.builder.CreateAlignedLoad(type, word(index), Align(4));
  }
  void call(StringRef function) {
    call_warp_function(l_.builder, function, l_.builder.getInt32(~0u), data_);
  }

 private:
  Type* words() { return data_->getAllocatedType()->getStructElementType(1); }
  Value* place() { return l_.builder.CreateStructGEP(data_->getAllocatedType(), data_, 1); }

  Lowering& l_;
  AllocaInst* data_;
};

/// The registers of an operand: { a, b, ... }, or one without braces.
ArrayRef<Operand> registers(const Operand& operand) {
  return operand.kind == Operand::Kind::vector ? ArrayRef(operand.parts) : ArrayRef(operand);
}

const StringSet<>& products() {
  static const StringSet<> all = [] {
    StringSet<> made;
    for (const char* real :
         {"m16n8k8_f16_f16_f16_f16", "m16n8k16_f16_f16_f16_f16", "m16n8k8_f32_f16_f16_f32",
          "m16n8k16_f32_f16_f16_f32", "m16n8k8_f32_bf16_bf16_f32", "m16n8k16_f32_bf16_bf16_f32",
          "m16n8k4_f32_tf32_tf32_f32", "m16n8k8_f32_tf32_tf32_f32", "m8n8k4_f64_f64_f64_f64",
          "m16n8k4_f64_f64_f64_f64", "m16n8k8_f64_f64_f64_f64", "m16n8k16_f64_f64_f64_f64"})
      made.insert(real);
    auto pairs = [&](StringRef shape, StringRef sum, StringRef one, StringRef other) {
      for (StringRef a : {one, other})
        for (StringRef b : {one, other})
          made.insert((shape + "_" + sum + "_" + a + "_" + b + "_" + sum).str());
    };
    pairs("m16n8k32", "f32", "e4m3", "e5m2");
    for (const char* shape : {"m8n8k16", "m16n8k16", "m16n8k32"}) pairs(shape, "s32", "s8", "u8");
    for (const char* shape : {"m8n8k32", "m16n8k32", "m16n8k64"}) pairs(shape, "s32", "s4", "u4");
    for (const char* shape : {"m8n8k128", "m16n8k128", "m16n8k256"})
      made.insert((shape + StringRef("_s32_b1_b1_s32")).str());
    return made;
  }();
  return all;
}

/// Words of one register that holds elements of this type.
unsigned words_of(StringRef type) { return type == "f64" ? 2 : 1; }

void put_registers(Lowering& l, MatrixData& data, const Operand& operand, StringRef type,
                   unsigned& at) {
  for (const Operand& one : registers(operand)) {
    if (at + words_of(type) > most_words) return void(l.fail("too many registers"));
    data.put(at, l.integer(one, 32 * words_of(type)));
    at += words_of(type);
  }
}

/// mma.sync.aligned.m16n8k16.row.col{.satfinite}.f32.f16.f16.f32{.and.popc} d, a, b, c
void multiply_matrices(Lowering& l) {
  const bool is_known = l.take("sync");
  l.take("aligned");
  const std::string shape = l.take_any().value_or("");
  const bool in_order = l.take("row") && l.take("col");
  const bool saturates = l.take("satfinite");
  const bool counts = l.take("popc");
  const bool with_and = l.take("and"), with_xor = l.take("xor");
  std::string types[4];
  for (std::string& type : types) type = l.take_any().value_or("");
  std::string name = shape + "_" + types[0] + "_" + types[1] + "_" + types[2] + "_" + types[3];
  const bool is_bits = types[1] == "b1";
  const bool is_integer = types[0] == "s32" && !is_bits;
  if (!is_known || !in_order || !products().contains(name) || (saturates && !is_integer) ||
      counts != is_bits || (with_and || with_xor) != is_bits) {
    l.fail("no such product of matrices is");
    return;
  }
  if (saturates) name += "_satfinite";
  if (is_bits) name += with_and ? "_and" : "_xor";
  MatrixData data(l);
  unsigned at = 0;
  for (unsigned i : {1, 2, 3}) put_registers(l, data, l.operand(i), types[i], at);
  if (l.failed()) return;
  data.call("mma_" + name);
  Type* type = l.builder.getIntNTy(32 * words_of(types[0]));
  at = 0;
  for (const Operand& one : registers(l.operand(0))) {
    l.set(one, data.get(at, type));
    at += words_of(types[0]);
  }
}

/// x1, x2 or x4; 0 otherwise.
unsigned take_count(Lowering& l) {
  if (l.take("x1")) return 1;
  if (l.take("x2")) return 2;
  return l.take("x4") ? 4 : 0;
}

/// Runs `body` in the lanes that have a row of the first `matrices`: 8 each.
template <class Body>
void in_lanes_with_rows(Lowering& l, unsigned matrices, Body body) {
  if (matrices == 4) return body();
  IRBuilder<>& b = l.builder;
  Function* function = &l.state().function;
  BasicBlock* has_row = BasicBlock::Create(b.getContext(), "ptx.row", function);
  BasicBlock* next = BasicBlock::Create(b.getContext(), "ptx.rows", function);
  Value* lane = l.intrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid);
  b.CreateCondBr(b.CreateICmpULT(lane, b.getInt32(8 * matrices)), has_row, next);
  b.SetInsertPoint(has_row);
  body();
  b.CreateBr(next);
  b.SetInsertPoint(next);
}

struct MatrixAccess {
  unsigned count;
  std::string name;  // with "_trans" where it is asked for
  std::string space;
};

std::optional<MatrixAccess> take_access(Lowering& l, const Operand& matrices) {
  MatrixAccess access{0, l.name(), take_space(l)};
  const bool is_known = l.take("sync");
  l.take("aligned");
  const bool is_square = l.take("m8n8");
  access.count = take_count(l);
  if (l.take("trans")) access.name += "_trans";
  if (!is_known || !is_square || !l.take("b16") || access.count == 0 ||
      registers(matrices).size() != access.count) {
    l.fail("only forms of .m8n8 and .b16 are");
    return std::nullopt;
  }
  return access;
}

constexpr unsigned words_of_row = 4;

/// Element `index` of the row whose address the operand has.
Value* row_word(Lowering& l, Value* row, unsigned index) {
  return l.builder.CreatePtrAdd(row, l.builder.getInt64(4 * index));
}

/// ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {a, b, c, d}, [row]
void load_matrices(Lowering& l) {
  const auto access = take_access(l, l.operand(0));
  if (!access) return;
  Value* row = address(l, l.operand(1), access->space);
  if (l.failed()) return;
  MatrixData data(l);
  Type* i32 = l.builder.getInt32Ty();
  if (access->count < 4)
    for (unsigned i = 0; i < words_of_row; ++i) data.put(i, l.builder.getInt32(0));
  in_lanes_with_rows(l, access->count, [&] {
    for (unsigned i = 0; i < words_of_row; ++i)
      data.put(i, l.builder.CreateAlignedLoad(i32, row_word(l, row, i), Align(4)));
  });
  data.call(access->name);
  unsigned at = 0;
  for (const Operand& one : registers(l.operand(0))) l.set(one, data.get(at++, i32));
}

/// stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [row], {a, b, c, d}
void store_matrices(Lowering& l) {
  const auto access = take_access(l, l.operand(1));
  if (!access) return;
  Value* row = address(l, l.operand(0), access->space);
  if (l.failed()) return;
  MatrixData data(l);
  Type* i32 = l.builder.getInt32Ty();
  unsigned at = 0;
  for (const Operand& one : registers(l.operand(1))) data.put(at++, l.integer(one, 32));
  for (; at < words_of_row; ++at) data.put(at, l.builder.getInt32(0));
  data.call(access->name);
  in_lanes_with_rows(l, access->count, [&] {
    for (unsigned i = 0; i < words_of_row; ++i)
      l.builder.CreateAlignedStore(data.get(i, i32), row_word(l, row, i), Align(4));
  });
}

/// movmatrix.sync.aligned.m8n8.trans.b16 d, a
void move_matrix(Lowering& l) {
  for (const char* modifier : {"sync", "aligned", "m8n8", "trans", "b16"})
    if (!l.take(modifier)) l.fail();
  if (l.failed()) return;
  MatrixData data(l);
  data.put(0, l.integer(l.operand(1), 32));
  data.call("movmatrix");
  l.set(l.operand(0), data.get(0, l.builder.getInt32Ty()));
}

}  // namespace

void add_matrices(Handlers& handlers) {
  handlers["mma"] = multiply_matrices;
  handlers["ldmatrix"] = load_matrices;
  handlers["stmatrix"] = store_matrices;
  handlers["movmatrix"] = move_matrix;
}

}  // namespace gridspan::transforms::ptx
