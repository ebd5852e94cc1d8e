; The rows of a block's tile are prefetched for the next block along x, those it stores to as well;
; blocks of one row are not, the CPU does that by itself.
; RUN: %gridspan-lower %s -pass=blocks | FileCheck %s

; s[y][x] = in[y * n + min(blockIdx.x * blockDim.x + x, n - 1)]
define void @tile(ptr %in, ptr %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %shared = call ptr @gridspan.shared(i64 0, i64 4096)
  %begin = mul i32 %b, %d
  %col = add i32 %begin, %x
  %last = add i32 %n, -1
  %clamped = call i32 @llvm.smin.i32(i32 %col, i32 %last)
  %row = mul i32 %y, %n
  %at = add i32 %row, %clamped
  %wat = sext i32 %at to i64
  %from = getelementptr i32, ptr %in, i64 %wat
  %v = load i32, ptr %from
  %line = mul i32 %y, %d
  %own = add i32 %line, %x
  %wown = sext i32 %own to i64
  %to = getelementptr i32, ptr %shared, i64 %wown
  store i32 %v, ptr %to
  call void @llvm.nvvm.barrier0()
  %r = load i32, ptr %to
  %o = getelementptr i32, ptr %out, i64 %wat
  store i32 %r, ptr %o
  ret void
}
; CHECK-LABEL: define internal void @tile.segment.0(
; CHECK: %[[WIDTH:.*]] = sext i32 %d to i64
; CHECK-NEXT: %[[BYTES:.*]] = mul i64 %[[WIDTH]], 4
; CHECK-NEXT: %next = getelementptr i8, ptr %from, i64 %[[BYTES]]
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr %next, i32 0, i32 3, i32 1)
; CHECK-NEXT: load i32, ptr %from
; CHECK-NOT: llvm.prefetch
; CHECK-LABEL: define internal void @tile.segment.1(
; CHECK: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 1, i32 3, i32 1)
; CHECK-NEXT: store i32 %r

define void @flat(ptr %in, ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %shared = call ptr @gridspan.shared(i64 0, i64 4096)
  %begin = mul i32 %b, %d
  %at = add i32 %begin, %x
  %wat = sext i32 %at to i64
  %from = getelementptr i32, ptr %in, i64 %wat
  %v = load i32, ptr %from
  %wx = sext i32 %x to i64
  %to = getelementptr i32, ptr %shared, i64 %wx
  store i32 %v, ptr %to
  call void @llvm.nvvm.barrier0()
  %r = load i32, ptr %to
  %o = getelementptr i32, ptr %out, i64 %wat
  store i32 %r, ptr %o
  ret void
}
; CHECK-LABEL: define internal void @flat.segment.0(
; CHECK-NOT: llvm.prefetch
; CHECK-LABEL: define internal void @flat.segment.1(

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.smin.i32(i32, i32)
declare void @llvm.nvvm.barrier0()
declare ptr @gridspan.shared(i64, i64) #0

attributes #0 = { nounwind willreturn speculatable memory(none) }

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @tile, !"kernel", i32 1}
!1 = !{ptr @flat, !"kernel", i32 1}
