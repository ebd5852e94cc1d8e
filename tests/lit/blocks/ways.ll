; One of two ways has a barrier, the other has warp operations in a loop: the loop is the warps' own, and whether it runs at
; all is decided by what the block's skeleton knows.
; RUN: %gridspan-lower %s -pass=blocks | FileCheck %s

; CHECK: ; either: {{.*}} regions
define void @either(ptr %in, ptr %out, i32 %n, i32 %rounds) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wt = zext nneg i32 %t to i64
  %at = getelementptr float, ptr %in, i64 %wt
  %to = getelementptr float, ptr %out, i64 %wt
  %v = load float, ptr %at
  %together = icmp eq i32 %n, 0
  br i1 %together, label %block, label %warps
block:
  store float %v, ptr %to
  call void @llvm.nvvm.barrier0()
  store float 0.0, ptr %at
  br label %end
warps:
  %some = icmp sgt i32 %rounds, 0
  br i1 %some, label %loop, label %end
loop:
  %r = phi i32 [ 0, %warps ], [ %next, %loop ]
  %s = phi float [ %v, %warps ], [ %sum, %loop ]
  %down = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %s, i32 16, i32 31)
  %sum = fadd float %s, %down
  %next = add nsw i32 %r, 1
  %more = icmp slt i32 %next, %rounds
  br i1 %more, label %loop, label %store
store:
  store float %sum, ptr %to
  br label %end
end:
  ret void
}

; CHECK: define internal void @either.warps.{{[0-9]+}}({{.*}}, i1 %[[SOME:[0-9]+]])
; CHECK: br i1 %[[SOME]], label %loop.preheader, label %warps.end_crit_edge
; CHECK: shufflevector <32 x float>

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)

!nvvm.annotations = !{!0}
!0 = !{ptr @either, !"kernel", i32 1}
