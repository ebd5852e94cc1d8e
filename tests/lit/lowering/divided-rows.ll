; The loop over threads ends where a quotient of the thread's number changes; within a row nobody divides.
; RUN: %gridspan-lower %s -pass=regions -pass=tidy -pass=divided-rows | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; A row and a column: one loop more, and the column counts.
define void @elements(ptr %data, i32 %w, i32 %pitch) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %divisor = call i32 @llvm.umax.i32(i32 %w, i32 1)
  %row = udiv i32 %t, %divisor
  %column = urem i32 %t, %divisor
  %first = mul i32 %row, %pitch
  %place = add i32 %first, %column
  %at = getelementptr i32, ptr %data, i32 %place
  store i32 %t, ptr %at
  ret void
}
; CHECK-LABEL: define internal void @elements.region.0
; CHECK: icmp ult i32 %{{.*}}, 2
; CHECK: br i1 %{{.*}}, label %{{.*}}.short_rows, label
; CHECK: divided_row:
; CHECK: udiv i32
; CHECK: call i64 @llvm.umin.i64
; CHECK: thread:
; CHECK-NOT: {{udiv|urem}}
; CHECK: store i32
; CHECK: br i1 %{{.*}}, label %thread, label %divided_row_end, !llvm.loop

; The plane that a row belongs to is the row's, and found once.
define void @planes(ptr %data, i32 %w, i32 %h) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %divisor = call i32 @llvm.umax.i32(i32 %w, i32 1)
  %rows = call i32 @llvm.umax.i32(i32 %h, i32 1)
  %row = udiv i32 %t, %divisor
  %plane = udiv i32 %row, %rows
  %at = getelementptr i32, ptr %data, i32 %t
  store i32 %plane, ptr %at
  ret void
}
; CHECK-LABEL: define internal void @planes.region.0
; CHECK: divided_row:
; CHECK-COUNT-2: udiv i32
; CHECK: thread:
; CHECK-NOT: {{udiv|urem}}
; CHECK: store i32

; A remainder that is divided again: rows end for both, nobody divides within them.
define void @places(ptr %data, i32 %w, i32 %area, i1 %known) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %divisor = call i32 @llvm.umax.i32(i32 %area, i32 1)
  %width = call i32 @llvm.umax.i32(i32 %w, i32 1)
  %rest = urem i32 %t, %divisor
  %in_plane = select i1 %known, i32 %t, i32 %rest
  %column = urem i32 %in_plane, %width
  %at = getelementptr i32, ptr %data, i32 %t
  store i32 %column, ptr %at
  ret void
}
; CHECK-LABEL: define internal void @places.region.0
; CHECK: divided_row:
; CHECK: udiv i32
; CHECK: udiv i32
; CHECK: thread:
; CHECK-NOT: {{udiv|urem}}
; CHECK: store i32

; Some threads alone divide, perhaps by zero: nobody else may do so for them.
define void @some(ptr %data, i32 %w, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %data, i32 %t
  %given = load i32, ptr %at
  %divides = icmp slt i32 %given, %n
  br i1 %divides, label %then, label %end
then:
  %row = sdiv i32 %t, %w
  store i32 %row, ptr %at
  br label %end
end:
  ret void
}
; CHECK-LABEL: define internal void @some.region.0
; CHECK-NOT: divided_row
; CHECK: sdiv i32

; What grows by more than one from thread to thread, and a short row that is known, are left alone.
define void @others(ptr %data, i32 %w) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %divisor = call i32 @llvm.umax.i32(i32 %w, i32 1)
  %twice = shl i32 %t, 1
  %row = udiv i32 %twice, %divisor
  %third = udiv i32 %t, 3
  %sum = add i32 %row, %third
  %at = getelementptr i32, ptr %data, i32 %t
  store i32 %sum, ptr %at
  ret void
}
; CHECK-LABEL: define internal void @others.region.0
; CHECK-NOT: divided_row
; CHECK: udiv i32
; CHECK-NOT: divided_row

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.umax.i32(i32, i32)

!nvvm.annotations = !{!0, !1, !2, !3, !4}
!0 = !{ptr @elements, !"kernel", i32 1}
!1 = !{ptr @planes, !"kernel", i32 1}
!2 = !{ptr @some, !"kernel", i32 1}
!3 = !{ptr @others, !"kernel", i32 1}
!4 = !{ptr @places, !"kernel", i32 1}
