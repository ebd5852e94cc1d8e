; Inline PTX becomes plain code: guards are branches, carries a variable, loads are loads.
; RUN: %gridspan-lower %s -pass=inline-ptx | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @guarded
; CHECK-NOT: asm
; CHECK: [[IS_LESS:%.*]] = icmp slt i32
; CHECK: br i1 {{%.*}}, label %ptx.guarded, label %ptx.next
; CHECK: ptx.guarded:
; CHECK: load float, ptr
; CHECK: ptx.next:
define float @guarded(ptr %p, i32 %x) {
  %v = call float asm "{ .reg .pred q; setp.lt.s32 q, $2, 5; @q ld.global.f32 $0, [$1+8]; }", "=f,l,r"(ptr %p, i32 %x)
  ret float %v
}

; The carry that one function leaves and another reads: both are inlined.
; CHECK-LABEL: @sum
; CHECK: %ptx.carry = alloca i1
; CHECK: add i64
; CHECK: store i1
; CHECK: load i1, ptr %ptx.carry
; CHECK-NOT: call
; CHECK: ret i32
define internal i32 @add_cc(i32 %a, i32 %b) {
  %r = call i32 asm sideeffect "add.cc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}
define internal i32 @addc(i32 %a, i32 %b) {
  %r = call i32 asm sideeffect "addc.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %r
}
define i32 @sum(i32 %a, i32 %b) {
  %low = call i32 @add_cc(i32 %a, i32 %b)
  %high = call i32 @addc(i32 %a, i32 %b)
  %r = xor i32 %low, %high
  ret i32 %r
}

; A statement without text and operands is a fence for the compiler.
; CHECK-LABEL: @fence
; CHECK: call void asm sideeffect "", "~{memory}"()
define void @fence() {
  call void asm sideeffect "", "~{memory}"()
  ret void
}

; A flag beside its value must not come apart, and is no reason to think that threads wait.
; CHECK-LABEL: @flag_and_value
; CHECK: load volatile <2 x i64>, ptr {{.*}}, align 16, !gridspan.whole
; CHECK: store volatile <2 x i64> {{.*}}, align 16, !gridspan.whole
; CHECK: load volatile <4 x i32>, ptr {{.*}}, align 16{{$}}
; CHECK-COUNT-2: load float, ptr
define void @flag_and_value(ptr %p, ptr %q) {
  %v = call { i64, i64 } asm sideeffect "ld.cg.v2.u64 {$0, $1}, [$2];", "=l,=l,l"(ptr %p)
  %a = extractvalue { i64, i64 } %v, 0
  %b = extractvalue { i64, i64 } %v, 1
  call void asm sideeffect "st.cg.v2.u64 [$0], {$1, $2};", "l,l,l"(ptr %q, i64 %a, i64 %b)
  %w = call { i32, i32, i32, i32 } asm sideeffect "ld.volatile.v4.u32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l"(ptr %p)
  %f = call { float, float } asm "ld.global.nc.v2.f32 {$0, $1}, [$2];", "=f,=f,l"(ptr %p)
  ret void
}
