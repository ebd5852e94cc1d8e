; What a block loads is prefetched for the next blocks along x: the rows of a tile, those it stores to as
; well, and of blocks of one row what is loaded once. Further rounds of a loop the CPU follows by itself.
; RUN: %gridspan-lower %s -pass=blocks | FileCheck %s
; RUN: %gridspan-lower %s -pass=blocks -pass=tidy -pass=vectorise | FileCheck %s --check-prefix=LINES

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
; CHECK: mul i64 %{{.*}}, 8
; CHECK: call void @llvm.prefetch
; CHECK-LABEL: define internal void @flat.segment.1(
; CHECK-NOT: llvm.prefetch

; s[t] = in[(b * d + t) * 2] + in[(b * d + t) * 2 + 1]: one prefetch of both, two lines for 16 lanes. A
; load that all threads share, or one in a loop, has none.
define void @pairs(ptr %in, ptr %sums, ptr %out, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %shared = call ptr @gridspan.shared(i64 0, i64 4096)
  %begin = mul i32 %b, %d
  %at = add i32 %begin, %x
  %wat = sext i32 %at to i64
  %from = getelementptr [2 x i32], ptr %in, i64 %wat
  %v = load i32, ptr %from
  %second = getelementptr i8, ptr %from, i64 4
  %w = load i32, ptr %second
  %wb = sext i32 %b to i64
  %sum.at = getelementptr i32, ptr %sums, i64 %wb
  %u = load i32, ptr %sum.at
  %first = add i32 %v, %w
  %start = add i32 %first, %u
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %i.next, %loop ]
  %sum = phi i32 [ %start, %entry ], [ %sum.next, %loop ]
  %place = add i32 %begin, %i
  %wplace = sext i32 %place to i64
  %more.at = getelementptr i32, ptr %sums, i64 %wplace
  %more = load i32, ptr %more.at
  %sum.next = add i32 %sum, %more
  %i.next = add i32 %i, 16
  %go = icmp slt i32 %i.next, %n
  br i1 %go, label %loop, label %done
done:
  %wx = sext i32 %x to i64
  %to = getelementptr i32, ptr %shared, i64 %wx
  store i32 %sum.next, ptr %to
  call void @llvm.nvvm.barrier0()
  %r = load i32, ptr %to
  %o = getelementptr i32, ptr %out, i64 %wat
  store i32 %r, ptr %o
  ret void
}
; CHECK-LABEL: define internal void @pairs.segment.0(
; CHECK: call void @llvm.prefetch
; CHECK-NOT: call void @llvm.prefetch
; CHECK-LABEL: define internal void @pairs.segment.
; LINES-LABEL: define internal void @pairs.segment.0(
; LINES: call void @llvm.prefetch.p0(ptr %[[FIRST:next.*]], i32 0, i32 3, i32 1)
; LINES-NEXT: %[[SECOND:.*]] = getelementptr i8, ptr %[[FIRST]], i64 64
; LINES-NEXT: call void @llvm.prefetch.p0(ptr %[[SECOND]], i32 0, i32 3, i32 1)

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.smin.i32(i32, i32)
declare void @llvm.nvvm.barrier0()
declare ptr @gridspan.shared(i64, i64) #0

attributes #0 = { nounwind willreturn speculatable memory(none) }

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @tile, !"kernel", i32 1}
!1 = !{ptr @flat, !"kernel", i32 1}
!2 = !{ptr @pairs, !"kernel", i32 1}
