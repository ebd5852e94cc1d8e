; Guards in a row are tested together: a vector whose lanes pass them all stores whole structures.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; CHECK: ; pairs.region.0: vectors
define void @pairs(ptr %in, ptr %out, i64 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %first = shl nuw nsw i64 %w, 1
  %in0 = icmp slt i64 %first, %n
  br i1 %in0, label %load0, label %next0
load0:
  %p0 = getelementptr i32, ptr %in, i64 %first
  %x0 = load i32, ptr %p0
  br label %next0
next0:
  %y0 = phi i32 [ %x0, %load0 ], [ 0, %entry ]
  %second = or disjoint i64 %first, 1
  %in1 = icmp slt i64 %second, %n
  br i1 %in1, label %load1, label %sums
load1:
  %p1 = getelementptr i32, ptr %in, i64 %second
  %x1 = load i32, ptr %p1
  br label %sums
sums:
  %y1 = phi i32 [ %x1, %load1 ], [ 0, %next0 ]
  %sum = add i32 %y0, %y1
  %in2 = icmp slt i64 %first, %n
  br i1 %in2, label %store0, label %next1
store0:
  %q0 = getelementptr i32, ptr %out, i64 %first
  store i32 %y0, ptr %q0
  br label %next1
next1:
  %in3 = icmp sge i64 %second, %n
  br i1 %in3, label %end, label %store1
store1:
  %q1 = getelementptr i32, ptr %out, i64 %second
  store i32 %sum, ptr %q1
  br label %end
end:
  ret void
}
; CHECK-LABEL: define internal void @pairs.region.0
; The general version keeps each guard.
; CHECK: call void @llvm.masked.scatter
; CHECK: call void @llvm.masked.scatter
; CHECK: load <32 x i32>
; CHECK: shufflevector <32 x i32>
; CHECK: store <32 x i32>
; CHECK: joint:

; What was loaded tells nothing of other lanes: nothing is joined.
define void @loaded(ptr %in, ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %in, i64 %w
  %x = load i32, ptr %p
  %low = icmp slt i32 %x, %n
  br i1 %low, label %store0, label %next
store0:
  %q0 = getelementptr i32, ptr %out, i64 %w
  store i32 1, ptr %q0
  br label %next
next:
  %y = add i32 %x, 7
  %also = icmp slt i32 %y, %n
  br i1 %also, label %store1, label %end
store1:
  store i32 2, ptr %p
  br label %end
end:
  ret void
}
; CHECK-LABEL: define internal void @loaded.region.0
; CHECK-NOT: joint
; CHECK: ret void

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @pairs, !"kernel", i32 1}
!1 = !{ptr @loaded, !"kernel", i32 1}
