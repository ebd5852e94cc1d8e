; Warp operations: what all lanes of a warp do together is a skeleton of its own, in a loop over warps.
; A shuffle is a permutation of what 32 lanes left in a column; a vote is a comparison, one for all.
; Barriers and shuffles leave no call behind.
; RUN: %gridspan-lower %s -pass=blocks -pass=tidy -pass=guard | FileCheck %s
; RUN: %gridspan-lower %s -pass=blocks -pass=vectorise -pass=optimise | FileCheck %s --check-prefix=CODE

; CHECK: ; sum: {{.*}} regions
define void @sum(ptr %in, ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = lshr i32 %t, 5
  %inside = icmp ult i32 %warp, %n
  br i1 %inside, label %work, label %end
work:
  %wt = zext nneg i32 %t to i64
  %at = getelementptr float, ptr %in, i64 %wt
  %v = load float, ptr %at
  %a = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v, i32 16, i32 31)
  %b = fadd float %v, %a
  %c = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %b, i32 1, i32 31)
  %d = fadd float %b, %c
  %negative = fcmp olt float %d, 0.0
  %any = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %negative)
  br i1 %any, label %store, label %end
store:
  %to = getelementptr float, ptr %out, i64 %wt
  store float %d, ptr %to
  br label %end
end:
  ret void
}

; The warps' skeleton: `n` warps work, the others leave together.
; CHECK-LABEL: define internal void @sum.warps.0(
; CHECK: %first = phi i32
; CHECK: br i1 %{{.*}}, label %work
; CHECK: work:
; CHECK: call void @sum.segment.
; CHECK: load <32 x float>
; CHECK: shufflevector <32 x float> {{.*}} <i32 16, i32 17,
; CHECK: store <32 x float>
; CHECK: shufflevector <32 x float> {{.*}} <i32 1, i32 0, i32 3, i32 2,
; CHECK: call void @sum.segment.
; CHECK: icmp ne <32 x i32>
; CHECK: bitcast <32 x i1> {{.*}} to i32
; CHECK: %[[ANY:.*]] = icmp ne i32
; CHECK: call void @sum.segment.{{[0-9]+}}({{.*}}, i1 %[[ANY]],
; CHECK: add nuw nsw i32 %first, 32

; In the end lanes are registers: nothing is stored between the operations.
; CODE-LABEL: define {{.*}} @sum.block(
; CODE-NOT: call void @sum
; CODE-NOT: alloca [128
; CODE: ret void

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)

!nvvm.annotations = !{!0}
!0 = !{ptr @sum, !"kernel", i32 1}
