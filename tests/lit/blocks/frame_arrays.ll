; What threads have of their own in arrays across barriers lies element by element beside other threads', where each load
; and store is of a whole element; else array by array.
; RUN: %gridspan-lower %s -pass=blocks -pass=tidy | FileCheck %s
; RUN: %gridspan-lower %s -pass=blocks -pass=tidy -pass=vectorise | FileCheck %s --check-prefix=VECTORS

define void @items(ptr %in, ptr %out, i32 %i, i32 %k) {
entry:
  %mine = alloca [8 x i32], align 16
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = zext nneg i32 %t to i64
  %from = getelementptr i32, ptr %in, i64 %at
  %v = load i32, ptr %from
  %i64 = sext i32 %i to i64
  %one = getelementptr inbounds [8 x i32], ptr %mine, i64 0, i64 %i64
  store i32 %v, ptr %one, align 16
  call void @llvm.nvvm.barrier0()
  %k64 = sext i32 %k to i64
  %other = getelementptr inbounds [8 x i32], ptr %mine, i64 0, i64 %k64
  %w = load i32, ptr %other, align 4
  %to = getelementptr i32, ptr %out, i64 %at
  store i32 %w, ptr %to
  ret void
}
; CHECK-LABEL: define internal void @items.segment.0(
; CHECK: %[[THREADS:.*]] = zext i32 %padded to i64
; CHECK: %[[FIRST:.*]] = shl nsw i64 %{{.*}}, 2
; CHECK: mul i64 %[[FIRST]], %[[THREADS]]
; CHECK: %[[OWN:.*]] = shl nuw nsw i64 %{{.*}}, 2
; CHECK: %[[PLACE:.*]] = getelementptr i8, ptr %{{.*}}, i64 %[[OWN]]
; CHECK: store i32 %v, ptr %[[PLACE]], align 4
; VECTORS-LABEL: define internal void @items.segment.1(
; VECTORS: %[[W:.*]] = load <16 x i32>, ptr
; VECTORS: store <16 x i32> %[[W]]

define void @bytes(ptr %in, ptr %out, i32 %k) {
entry:
  %mine = alloca [8 x i32], align 16
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = zext nneg i32 %t to i64
  %from = getelementptr i64, ptr %in, i64 %at
  %v = load i64, ptr %from
  store i64 %v, ptr %mine, align 8
  call void @llvm.nvvm.barrier0()
  %k64 = sext i32 %k to i64
  %other = getelementptr inbounds [8 x i32], ptr %mine, i64 0, i64 %k64
  %w = load i32, ptr %other, align 4
  %to = getelementptr i32, ptr %out, i64 %at
  store i32 %w, ptr %to
  ret void
}
; CHECK-LABEL: define internal void @bytes.segment.0(
; CHECK: %[[OWN:.*]] = shl nuw nsw i64 %{{.*}}, 5
; CHECK: store i64 %v

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @items, !"kernel", i32 1}
!1 = !{ptr @bytes, !"kernel", i32 1}
