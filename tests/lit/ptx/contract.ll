; Products and sums become fused multiply-adds before kernels may become one: nothing else makes any.
; RUN: %gridspan-lower %s -pass=contract | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define float @sums(
; CHECK: [[S:%.*]] = call float @llvm.fma.f32(float %a, float %b, float %c)
; CHECK: [[N:%.*]] = fneg float [[S]]
; CHECK: [[D:%.*]] = call float @llvm.fma.f32(float %a, float %c, float [[N]])
; CHECK: [[M:%.*]] = fneg float %b
; CHECK: call float @llvm.fma.f32(float [[M]], float %c, float [[D]])
; CHECK-NOT: fmul
; CHECK: ret float
define float @sums(float %a, float %b, float %c) {
  %ab = fmul contract float %a, %b
  %s = fadd contract float %ab, %c
  %ac = fmul contract float %a, %c
  %d = fsub contract float %ac, %s
  %bc = fmul contract float %b, %c
  %e = fsub contract float %d, %bc
  ret float %e
}

; Of two products the one that nothing else needs.
; CHECK-LABEL: define float @products(
; CHECK: [[AB:%.*]] = fmul float %a, %b
; CHECK: store float [[AB]], ptr %p
; CHECK: call float @llvm.fma.f32(float %c, float %c, float [[AB]])
define float @products(float %a, float %b, float %c, ptr %p) {
  %ab = fmul contract float %a, %b
  store float %ab, ptr %p, align 4
  %cc = fmul contract float %c, %c
  %s = fadd contract float %ab, %cc
  ret float %s
}

; What may not be contracted, or is of another block, stays; and may not be contracted later on.
; CHECK-LABEL: define double @none(
; CHECK: fmul double %a, %b
; CHECK: fadd double
; CHECK: fmul double %b, %b
; CHECK: fadd double
; CHECK-NOT: contract
; CHECK: ret double
define double @none(double %a, double %b) {
  %ab = fmul double %a, %b
  %s = fadd contract double %ab, %a
  %bb = fmul contract double %b, %b
  br label %next
next:
  %t = fadd contract double %bb, %s
  ret double %t
}

; LLVM makes fma(a, b, fma(c, d, e)) of these.
; CHECK-LABEL: define float @fast(
; CHECK: fmul reassoc contract
; CHECK: fmul reassoc contract
; CHECK: fadd reassoc contract
; CHECK: fadd reassoc contract
define float @fast(float %a, float %b, float %c, float %d, float %e) {
  %ab = fmul reassoc contract float %a, %b
  %cd = fmul reassoc contract float %c, %d
  %s = fadd reassoc contract float %ab, %cd
  %t = fadd reassoc contract float %s, %e
  ret float %t
}

; CHECK-LABEL: define <2 x half> @pairs(
; CHECK: call <2 x half> @llvm.fma.v2f16(
define <2 x half> @pairs(<2 x half> %a, <2 x half> %b) {
  %ab = fmul contract <2 x half> %a, %b
  %s = fadd contract <2 x half> %ab, %a
  ret <2 x half> %s
}

; Of numbers that LLVM comes to know later it would make two operations.
; CHECK-LABEL: define float @either(
; CHECK: [[F:%.*]] = call float @llvm.fma.f32(float %a, float %b, float %c)
; CHECK: call reassoc float @llvm.fmuladd.f32(float %a, float %b, float [[F]])
define float @either(float %a, float %b, float %c) {
  %s = call float @llvm.fmuladd.f32(float %a, float %b, float %c)
  %t = call reassoc float @llvm.fmuladd.f32(float %a, float %b, float %s)
  ret float %t
}
declare float @llvm.fmuladd.f32(float, float, float)
