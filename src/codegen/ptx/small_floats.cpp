// Finds the headers' functions and writes them anew.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/small_floats.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

enum class Operation {
  none,
  widen,
  narrow,
  add,
  subtract,
  multiply,
  fuse,
  minimum,
  maximum,
  atomic_add,
  to_byte,
  from_byte
};

struct Meaning {
  Operation operation = Operation::none;
  bool is_bfloat = false;
  bool is_pair = false;
};

bool is_of_bytes(Operation operation) {
  return operation == Operation::to_byte || operation == Operation::from_byte;
}

constexpr StringRef space = "gridspan_small_float::";

/// "__hadd2_rn" without "__h" and "_rn".
Operation arithmetic(StringRef name) {
  return StringSwitch<Operation>(name)
      .Case("add", Operation::add)
      .Case("sub", Operation::subtract)
      .Case("mul", Operation::multiply)
      .Case("fma", Operation::fuse)
      .Case("min", Operation::minimum)
      .Case("max", Operation::maximum)
      .Default(Operation::none);
}

/// By the name as C++ writes it, with the arguments' types.
Meaning meaning_of(StringRef text) {
  Meaning meaning;
  meaning.is_bfloat = text.contains("bfloat16") || text.contains("Bfloat");
  auto [name, types] = text.split('(');
  if (name == "__nv_cvt_float_to_fp8") meaning.operation = Operation::to_byte;
  if (name == "__nv_cvt_fp8_to_halfraw") meaning.operation = Operation::from_byte;
  if (is_of_bytes(meaning.operation)) return meaning;
  if (name.consume_front("unsigned short ")) {
    if (name.consume_front(space) && name.starts_with("narrow<"))
      meaning.operation = Operation::narrow;
    return meaning;
  }
  if (name.consume_front(space)) {
    if (name == "fused") meaning.operation = Operation::fuse;
    if (name == "lesser") meaning.operation = Operation::minimum;
    if (name == "greater") meaning.operation = Operation::maximum;
    if (name.ends_with("::widen")) meaning.operation = Operation::widen;
    return meaning;
  }
  if (name == "atomicAdd") {
    meaning.is_pair = types.starts_with("__half2*") || types.starts_with("__nv_bfloat162*");
    if (types.starts_with("__half") || types.starts_with("__nv_bfloat16"))
      meaning.operation = Operation::atomic_add;
    return meaning;
  }
  if (!name.consume_front("__h")) return meaning;
  name.consume_back("_rn");
  meaning.is_pair = name.consume_back("2");
  // Not those that people write for types of their own.
  if (types.starts_with(meaning.is_pair ? "__half2," : "__half,") ||
      types.starts_with(meaning.is_pair ? "__nv_bfloat162," : "__nv_bfloat16,"))
    meaning.operation = arithmetic(name);
  return meaning;
}

Meaning meaning_of(const Function& function) {
  const StringRef name = function.getName();
  if (function.isDeclaration() || !name.starts_with("_Z")) return {};
  if (none_of(ArrayRef<StringRef>{"small_float", "__half", "bfloat16", "__nv_cvt_"},
              [name](StringRef part) { return name.contains(part); }))
    return {};
  return meaning_of(demangle(name));
}

bool flushes_floats(const Function& function) {
  return function.getDenormalMode(APFloat::IEEEsingle()).Output == DenormalMode::PreserveSign;
}

/// GPUs have what is meant. Halfs that LLVM would flush stay as the header has them.
bool is_there(const Meaning& meaning, unsigned architecture, const Function& function) {
  constexpr unsigned has_bfloats = 80, has_bytes = 90, adds_bfloats_in_memory = 90;
  if (is_of_bytes(meaning.operation)) return architecture >= has_bytes;
  const bool chooses =
      meaning.operation == Operation::minimum || meaning.operation == Operation::maximum;
  if (!meaning.is_bfloat) return !chooses || !flushes_floats(function);
  return architecture >=
         (meaning.operation == Operation::atomic_add ? adds_bfloats_in_memory : has_bfloats);
}

class Writer {
 public:
  Writer(Function& function, const Meaning& meaning)
      : function_(function), meaning_(meaning), builder_(function.getContext()) {
    number_ = meaning.is_bfloat ? builder_.getBFloatTy() : builder_.getHalfTy();
    if (meaning.is_pair) number_ = FixedVectorType::get(number_, 2);
  }

  void write() {
    if (meaning_.operation == Operation::narrow) return narrow();
    if (meaning_.operation == Operation::to_byte) return to_byte();
    const GlobalValue::LinkageTypes linkage = function_.getLinkage();
    function_.deleteBody();
    function_.setLinkage(linkage);
    builder_.SetInsertPoint(BasicBlock::Create(function_.getContext(), "entry", &function_));
    switch (meaning_.operation) {
      case Operation::widen:
        builder_.CreateRet(builder_.CreateFPExt(
            builder_.CreateBitCast(function_.getArg(0), number_), builder_.getFloatTy()));
        return;
      case Operation::add:
        return finish(flushes() ? fma(operand(0), constant(1), operand(1))
                                : builder_.CreateFAdd(operand(0), operand(1)));
      case Operation::subtract:
        return finish(flushes() ? fma(operand(1), constant(-1), operand(0))
                                : builder_.CreateFSub(operand(0), operand(1)));
      case Operation::multiply:
        return finish(flushes() ? fma(operand(0), operand(1), constant(-0.0))
                                : builder_.CreateFMul(operand(0), operand(1)));
      case Operation::minimum:
        return finish(builder_.CreateMinNum(operand(0), operand(1)));
      case Operation::maximum:
        return finish(builder_.CreateMaxNum(operand(0), operand(1)));
      case Operation::atomic_add:
        return finish(atomic_add());
      case Operation::from_byte:
        return from_byte();
      default:
        return finish(fma(operand(0), operand(1), operand(2)));
    }
  }

 private:
  /// if (argument 1 is `value`) here comes what is written next; else what the function does.
  void begin_where(std::uint64_t value) {
    BasicBlock& entry = function_.getEntryBlock();
    BasicBlock* others = entry.splitBasicBlock(entry.getFirstNonPHIOrDbgOrAlloca(), "others");
    BasicBlock* here = BasicBlock::Create(function_.getContext(), "here", &function_, others);
    entry.getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(&entry);
    Argument* choice = function_.getArg(1);
    builder_.CreateCondBr(builder_.CreateICmpEQ(choice, ConstantInt::get(choice->getType(), value)),
                          here, others);
    builder_.SetInsertPoint(here);
  }

  void narrow() {
    begin_where(0);  // to the nearest
    builder_.CreateRet(builder_.CreateBitCast(builder_.CreateFPTrunc(function_.getArg(0), number_),
                                              function_.getReturnType()));
  }

  /// Of two formats, by an argument that nearly always is a constant: which of these to call.
  Value* by_format(Argument* format, StringRef e4m3, StringRef e5m2, FunctionType* type,
                   StringRef constraints, ArrayRef<Value*> operands) {
    const auto call = [&](StringRef text) {
      return builder_.CreateCall(InlineAsm::get(type, text, constraints, /*hasSideEffects=*/false),
                                 operands);
    };
    Value* const first = call(e4m3);
    Value* const second = call(e5m2);
    return builder_.CreateSelect(
        builder_.CreateICmpEQ(format, ConstantInt::get(format->getType(), 0)), first, second);
  }

  /// The second number of the pair is the low byte.
  void to_byte() {
    begin_where(1);  // what is too large becomes the largest
    Type* const real = builder_.getFloatTy();
    Value* const pair = by_format(function_.getArg(2), "cvt.rn.satfinite.e4m3x2.f32 $0, $1, $2;",
                                  "cvt.rn.satfinite.e5m2x2.f32 $0, $1, $2;",
                                  FunctionType::get(builder_.getInt16Ty(), {real, real}, false),
                                  "=h,f,f", {ConstantFP::get(real, 0), function_.getArg(0)});
    Value* const byte = builder_.CreateTrunc(pair, builder_.getInt8Ty());
    builder_.CreateRet(builder_.CreateZExtOrTrunc(byte, function_.getReturnType()));
  }
  void from_byte() {
    Type* const half_pair = builder_.getInt32Ty();
    Value* const byte = builder_.CreateTrunc(function_.getArg(0), builder_.getInt8Ty());
    Value* const pair =
        by_format(function_.getArg(1), "cvt.rn.f16x2.e4m3x2 $0, $1;", "cvt.rn.f16x2.e5m2x2 $0, $1;",
                  FunctionType::get(half_pair, {builder_.getInt16Ty()}, false), "=r,h",
                  {builder_.CreateZExt(byte, builder_.getInt16Ty())});
    Value* const bits = builder_.CreateTrunc(pair, builder_.getInt16Ty());
    builder_.CreateRet(
        builder_.CreateInsertValue(PoisonValue::get(function_.getReturnType()), bits, 0));
  }

  /// Subnormal floats, but LLVM would flush half's with them. Inline PTX does not, and an fma
  /// rounds sums and products alike.
  bool flushes() const { return !meaning_.is_bfloat && flushes_floats(function_); }
  Value* fma(Value* a, Value* b, Value* c) {
    if (!flushes()) return builder_.CreateIntrinsic(Intrinsic::fma, number_, {a, b, c});
    Type* bits = meaning_.is_pair ? builder_.getInt32Ty() : builder_.getInt16Ty();
    InlineAsm* instruction = InlineAsm::get(
        FunctionType::get(bits, {bits, bits, bits}, false),
        meaning_.is_pair ? "fma.rn.f16x2 $0, $1, $2, $3;" : "fma.rn.f16 $0, $1, $2, $3;",
        meaning_.is_pair ? "=r,r,r,r" : "=h,h,h,h", /*hasSideEffects=*/false);
    SmallVector<Value*> operands;
    for (Value* operand : {a, b, c}) operands.push_back(builder_.CreateBitCast(operand, bits));
    return builder_.CreateBitCast(builder_.CreateCall(instruction, operands), number_);
  }
  Value* atomic_add() {
    Type* bits = meaning_.is_pair ? builder_.getInt32Ty() : builder_.getInt16Ty();
    const StringRef type = meaning_.is_bfloat ? "bf16" : "f16";
    const std::string text =
        ("atom.add.noftz." + type + (meaning_.is_pair ? "x2" : "") + " $0, [$1], $2;").str();
    Value* address = function_.getArg(0);
    InlineAsm* instruction =
        InlineAsm::get(FunctionType::get(bits, {address->getType(), bits}, false), text,
                       meaning_.is_pair ? "=r,l,r,~{memory}" : "=h,l,h,~{memory}",
                       /*hasSideEffects=*/true);
    return builder_.CreateBitCast(
        builder_.CreateCall(instruction, {address, builder_.CreateBitCast(operand(1), bits)}),
        number_);
  }
  Constant* constant(double value) const { return ConstantFP::get(number_, value); }

  /// All are passed by address.
  Value* operand(unsigned index) {
    return builder_.CreateAlignedLoad(number_, function_.getArg(index),
                                      meaning_.is_pair ? Align(4) : Align(2));
  }

  /// { i16 }, or two of these.
  void finish(Value* result) {
    Value* made = PoisonValue::get(function_.getReturnType());
    if (!meaning_.is_pair) {
      Value* bits = builder_.CreateBitCast(result, builder_.getInt16Ty());
      builder_.CreateRet(builder_.CreateInsertValue(made, bits, 0));
      return;
    }
    Value* bits = builder_.CreateBitCast(result, FixedVectorType::get(builder_.getInt16Ty(), 2));
    for (unsigned i = 0; i < 2; ++i)
      made = builder_.CreateInsertValue(made, builder_.CreateExtractElement(bits, i), {i, 0});
    builder_.CreateRet(made);
  }

  Function& function_;
  const Meaning& meaning_;
  IRBuilder<> builder_;
  Type* number_;
};

}  // namespace

bool has_newer_floats(const Module& module) {
  return any_of(module, [](const Function& function) {
    const Meaning meaning = meaning_of(function);
    return is_of_bytes(meaning.operation) ||
           (meaning.operation != Operation::none && meaning.is_bfloat);
  });
}

void use_small_floats(Module& module, unsigned architecture) {
  for (Function& function : module) {
    const Meaning meaning = meaning_of(function);
    if (meaning.operation == Operation::none || !is_there(meaning, architecture, function))
      continue;
    Writer(function, meaning).write();
  }
}

}  // namespace gridspan::codegen::ptx
