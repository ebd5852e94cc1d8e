; What is left of a row is a vector under a mask if enough threads are left. Short code of few lanes (here
; of doubles), whose masked stores are slow on some CPUs, takes more of them.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; s[t] += s[t + d]
define void @tree(ptr %s, i32 %d) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %wd = zext i32 %d to i64
  %far = add i64 %w, %wd
  %to = getelementptr double, ptr %s, i64 %w
  %from = getelementptr double, ptr %s, i64 %far
  %a = load double, ptr %to
  %b = load double, ptr %from
  %c = fadd double %a, %b
  store double %c, ptr %to
  ret void
}
; CHECK-LABEL: define internal void @tree.region.0
; CHECK: %in_vectors = and i32 %run, -8
; CHECK: %[[REST:.*]] = sub i32 %run, %in_vectors
; CHECK: icmp ult i32 %[[REST]], 5

define void @long(ptr %s, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %from = getelementptr double, ptr %s, i64 %w
  %to = getelementptr double, ptr %out, i64 %w
  %a = load double, ptr %from
  %a2 = fmul double %a, %a
  %a3 = fmul double %a2, %a
  %a4 = fmul double %a3, %a
  %a5 = fmul double %a4, %a
  %b = fadd double %a, %a2
  %c = fadd double %b, %a3
  %d = fadd double %c, %a4
  %e = fadd double %d, %a5
  %b2 = fmul double %e, %e
  %b3 = fmul double %b2, %e
  %b4 = fmul double %b3, %e
  %b5 = fmul double %b4, %e
  %f = fadd double %b2, %b3
  %g = fadd double %f, %b4
  %h = fadd double %g, %b5
  store double %h, ptr %to
  ret void
}
; CHECK-LABEL: define internal void @long.region.0
; CHECK: %[[REST:.*]] = sub i32 %run, %in_vectors
; CHECK: icmp ult i32 %[[REST]], 4

; Masked stores of 16 lanes are those of AVX-512.
define void @floats(ptr %s, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %from = getelementptr float, ptr %s, i64 %w
  %to = getelementptr float, ptr %out, i64 %w
  %a = load float, ptr %from
  %b = fmul float %a, %a
  store float %b, ptr %to
  ret void
}
; CHECK-LABEL: define internal void @floats.region.0
; CHECK: %[[REST:.*]] = sub i32 %run, %in_vectors
; CHECK: icmp ult i32 %[[REST]], 8

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @tree, !"kernel", i32 1}
!1 = !{ptr @long, !"kernel", i32 1}
!2 = !{ptr @floats, !"kernel", i32 1}
