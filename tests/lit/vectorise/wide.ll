; Threads take turns in a sum: where a row is whole vectors of 32 (or 256, since the step is not known), these go
; together, so that each round reads whole cache lines and has several sums. Other rows, and vectors that break an
; assumption, are the narrow vectors'.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; CHECK-LABEL: define {{.*}} @sums.region.0(
; CHECK: %[[REST:.*]] = and i32 %run, 31
; CHECK: %[[WHOLE:.*]] = icmp eq i32 %[[REST]], 0
; CHECK: and i32 %run, 255
; CHECK: {{^}}wide:
; CHECK: {{^}}next_wide:
; CHECK: br i1 {{.*}}, label %wide, label %next_row
; CHECK: {{^}}wide.broken:
; CHECK-NEXT: br label %vectors
; CHECK: br i1 %[[WHOLE]], label %wide, label %not_wide
; CHECK: loop.together.split.lanes{{.*}}:
; CHECK: load <32 x float>
; CHECK: load <32 x float>
; CHECK: call <32 x float> @llvm.fmuladd.v32f32
define void @sums(ptr %a, ptr %x, ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %dim = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %wt = zext i32 %t to i64
  %wdim = zext i32 %dim to i64
  %wn = zext i32 %n to i64
  %any = icmp ult i32 %t, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i64 [ %wt, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %pa = getelementptr float, ptr %a, i64 %i
  %va = load float, ptr %pa
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %more = call float @llvm.fmuladd.f32(float %va, float %vx, float %sum)
  %next = add nuw nsw i64 %i, %wdim
  %again = icmp ult i64 %next, %wn
  br i1 %again, label %loop, label %end
end:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  %to = getelementptr float, ptr %out, i64 %wt
  store float %all, ptr %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare float @llvm.fmuladd.f32(float, float, float)

!nvvm.annotations = !{!0}
!0 = !{ptr @sums, !"kernel", i32 1}
