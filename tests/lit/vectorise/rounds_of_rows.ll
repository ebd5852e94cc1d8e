; A tile with its halo is filled row by row, each row by the lanes together. That they begin each row
; together is checked once, before the first row: afterwards nothing could start over.
; RUN: %gridspan-lower %s -pass=regions -pass=tidy -pass=vectorise | FileCheck %s

; CHECK: ; fill.region.0: vectors
; CHECK-LABEL: define {{.*}} @fill.region.0(
; The check, where the condition is found; then the rows, whose rounds have no masks.
; CHECK: %[[ALL:.*]] = icmp ult i32 %threadIdx.x{{.*}}, %{{.*}}
; CHECK-NEXT: br i1 %[[ALL]], label %holds, label %thread.split.lanes
; CHECK: cell.together.split.lanes{{.*}}:
; CHECK-NOT: masked
; CHECK: load <16 x i32>
; CHECK: store <16 x i32>
; CHECK-NOT: masked
; CHECK: rounds.done.lanes{{.*}}:
define void @fill(ptr %in, ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp ult i32 %t, 36
  br label %row
row:
  %y = phi i32 [ 0, %entry ], [ %y.next, %row.end ]
  br i1 %any, label %begin, label %row.end
begin:
  %line = mul i32 %y, 36
  br label %cell
cell:
  %x = phi i32 [ %t, %begin ], [ %x.next, %cell ]
  %at = add nuw nsw i32 %x, %line
  %wide = zext i32 %at to i64
  %from = getelementptr i32, ptr %in, i64 %wide
  %v = load i32, ptr %from
  %to = getelementptr i32, ptr %out, i64 %wide
  store i32 %v, ptr %to
  %x.next = add nuw nsw i32 %x, 32
  %again = icmp ult i32 %x.next, 36
  br i1 %again, label %cell, label %row.end
row.end:
  %y.next = add i32 %y, 1
  %more = icmp slt i32 %y.next, %n
  br i1 %more, label %row, label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0}
!0 = !{ptr @fill, !"kernel", i32 1}
