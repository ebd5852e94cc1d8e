; What all lanes of a warp find alike, though each from its own number (row = threadIdx.x / 32), the warps' skeleton
; computes from the first lane's; behind a barrier it does so again. Warps are counted along each axis.
; RUN: %gridspan-lower %s -pass=blocks -pass=tidy -pass=guard | FileCheck %s

define void @rows(ptr %in, ptr %out, i32 %rows) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = lshr i32 %t, 5
  %inside = icmp ult i32 %row, %rows
  %at = zext nneg i32 %t to i64
  br i1 %inside, label %work, label %after
work:
  %from = getelementptr float, ptr %in, i64 %at
  %v = load float, ptr %from
  %a = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v, i32 16, i32 31)
  store float %a, ptr %from
  br label %after
after:
  call void @llvm.nvvm.barrier0()
  %first = icmp ult i32 %t, 32
  br i1 %first, label %last, label %end
last:
  %to = getelementptr float, ptr %out, i64 %at
  %w = load float, ptr %to
  %b = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %w, i32 8, i32 31)
  store float %b, ptr %to
  br label %end
end:
  ret void
}
; Nothing is found by the threads.
; CHECK-NOT: .found
; CHECK-LABEL: define internal void @rows.warps.0(
; CHECK: %[[X:x.*]] = phi i32 [ 0, %entry ], [ %[[NEXT:.*]], %next_warp ]
; CHECK: %[[ROW:.*]] = lshr i32 %[[X]], 5
; CHECK: %[[INSIDE:.*]] = icmp ult i32 %[[ROW]], %rows
; CHECK: br i1 %[[INSIDE]], label %work
; CHECK: next_warp:
; CHECK: %[[MOVED:.*]] = add nuw nsw i32 %[[X]], 32
; CHECK: %[[END:.*]] = icmp eq i32 %[[MOVED]], %blockDim.x
; CHECK: %[[NEXT]] = select i1 %[[END]], i32 0, i32 %[[MOVED]]
; CHECK: define internal void @rows.warps.
; CHECK: %[[X2:x.*]] = phi i32 [ 0, %entry ]
; CHECK: %[[FIRST:.*]] = icmp ult i32 %[[X2]], 32
; CHECK: br i1 %[[FIRST]], label %last
; CHECK-NOT: .found

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)
declare void @llvm.nvvm.barrier0()

!nvvm.annotations = !{!0}
!0 = !{ptr @rows, !"kernel", i32 1}
