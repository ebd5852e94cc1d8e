; Members of structures in an array: wide loads and stores, shuffled, in the fast version. Under masks
; lanes gather.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; CHECK: ; swap.region.0: vectors
; CHECK: ; one_of_three.region.0: vectors
; CHECK: ; store_between.region.0: vectors

; b[t] = {a[t].y, a[t].x}
define void @swap(ptr %a, ptr %b) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %pa = getelementptr {float, float}, ptr %a, i64 %w
  %pb = getelementptr {float, float}, ptr %b, i64 %w
  %x = load float, ptr %pa
  %pay = getelementptr i8, ptr %pa, i64 4
  %y = load float, ptr %pay
  %pby = getelementptr i8, ptr %pb, i64 4
  store float %x, ptr %pby
  store float %y, ptr %pb
  ret void
}
; CHECK-LABEL: define internal void @swap.region.0
; CHECK: llvm.masked.gather
; CHECK: %[[ALL:.*]] = load <32 x float>, ptr
; CHECK-NOT: masked
; CHECK: shufflevector <32 x float> %[[ALL]], <32 x float> poison, <16 x i32> <i32 0, i32 2,
; CHECK: shufflevector <32 x float> %[[ALL]], <32 x float> poison, <16 x i32> <i32 1, i32 3,
; CHECK: shufflevector <{{.*}}, <32 x i32> <i32 0, i32 16, i32 1, i32 17,
; CHECK: store <32 x float>
; CHECK-NOT: masked
; CHECK: thread:

; What is behind the last lane's member is not read.
define void @one_of_three(ptr %a, ptr %b) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %pa = getelementptr [3 x float], ptr %a, i64 %w
  %pb = getelementptr float, ptr %b, i64 %w
  %x = load float, ptr %pa
  store float %x, ptr %pb
  ret void
}
; CHECK-LABEL: define internal void @one_of_three.region.0
; CHECK: call <48 x float> @llvm.masked.load.v48f32.p0(ptr %{{.*}}, i32 4, <48 x i1> <{{.*}}i1 true, i1 false, i1 false>,
; CHECK: shufflevector <48 x float> %{{.*}}, <16 x i32> <i32 0, i32 3,

; No load moves over a store that may change what it reads.
define void @store_between(ptr %a, ptr %c) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr {i32, i32}, ptr %a, i64 %w
  %py = getelementptr i8, ptr %p, i64 4
  %pc = getelementptr i32, ptr %c, i64 %w
  %x = load i32, ptr %p
  store i32 %x, ptr %pc
  %y = load i32, ptr %py
  %sum = add i32 %y, %x
  store i32 %sum, ptr %pc
  ret void
}
; CHECK-LABEL: define internal void @store_between.region.0
; CHECK: call <32 x i32> @llvm.masked.load
; CHECK: store <16 x i32>
; CHECK: call <32 x i32> @llvm.masked.load
; CHECK: store <16 x i32>
; CHECK: thread:

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @swap, !"kernel", i32 1}
!1 = !{ptr @one_of_three, !"kernel", i32 1}
!2 = !{ptr @store_between, !"kernel", i32 1}
