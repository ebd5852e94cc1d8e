; Under a mask, a loop that all lanes in it leave together keeps its branches: no masks go round.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; CHECK: ; sums.region.0: vectors
define void @sums(ptr %a, ptr %b, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %a, i64 %w
  %first = load i32, ptr %p
  %odd = trunc i32 %first to i1
  br i1 %odd, label %loop, label %end
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %sum, %loop ]
  %v = load i32, ptr %p
  %sum = add i32 %s, %v
  store i32 %sum, ptr %p
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %r = phi i32 [ 7, %entry ], [ %sum, %loop ]
  %q = getelementptr i32, ptr %b, i64 %w
  store i32 %r, ptr %q
  ret void
}
; CHECK-LABEL: define internal void @sums.region.0
; CHECK: {{^}}loop.lanes{{.*}}:
; CHECK-NOT: <16 x i1>
; CHECK: add <16 x i32>
; CHECK: %[[MORE:.*]] = icmp slt i32
; CHECK: br i1 %[[MORE]], label %way
; What comes out is for those that went in.
; CHECK: call void @llvm.masked.store
; CHECK: select <16 x i1> %{{.*}}, <16 x i32>

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0}
!0 = !{ptr @sums, !"kernel", i32 1}
