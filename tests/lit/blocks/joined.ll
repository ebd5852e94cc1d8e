; Neighbouring blocks run as one where threads know only blockIdx.x * width + threadIdx.x. Rows are
; as long as the run time says.
; RUN: %gridspan-lower %s -pass=blocks | FileCheck %s
; RUN: %gridspan-lower %s -pass=blocks -joined-width=256 -joined-height=48 | FileCheck %s --check-prefix=ASKED

; How long and how many may be asked for, not whether.
; ASKED: ; plain: {{.*}}; joined to rows of 256{{$}}
; ASKED: ; first_thread: 1 regions, 0 frame bytes, successors exit{{$}}
; ASKED: ; columns: {{.*}}; joined to rows of 256, 48 of them where blocks are 8 high

; CHECK: ; plain: 1 regions, 0 frame bytes, successors exit; joined to rows of 1024
; CHECK: ; tile: 1 regions, 0 frame bytes, successors exit; joined to rows of 1024 where blocks are 16 wide
; CHECK: ; shifted: 1 regions, 0 frame bytes, successors exit; joined to rows of 1024
; CHECK: ; loops: 1 regions, 0 frame bytes, successors exit; joined to rows of 32
; CHECK: ; first_thread: 1 regions, 0 frame bytes, successors exit{{$}}
; CHECK: ; row_of_block: 1 regions, 0 frame bytes, successors exit{{$}}
; CHECK: ; double_width: 1 regions, 0 frame bytes, successors exit{{$}}
; CHECK: ; extended: 1 regions, 0 frame bytes, successors exit{{$}}
; CHECK: ; difference: 1 regions, 0 frame bytes, successors exit{{$}}
; CHECK: ; barrier: 1 regions, 0 frame bytes, successors exit{{$}}
; CHECK: ; one_lane: 1 regions, 0 frame bytes, successors exit{{$}}
; CHECK: ; two_widths: 1 regions, 0 frame bytes, successors exit{{$}}
; CHECK: ; columns: 1 regions, 0 frame bytes, successors exit; joined to rows of 96, 384 of them where blocks are 8 high
; CHECK: ; knows_row: 1 regions, 0 frame bytes, successors exit; joined to rows of 32{{$}}
; CHECK: ; own_rows: 1 regions, 0 frame bytes, successors exit; joined to rows of 32{{$}}

; CHECK-LABEL: define internal void @plain.region.0(
; CHECK: %[[FIELD:.*]] = getelementptr inbounds i8, ptr %0, i64 104
; CHECK-NEXT: %row_threads = load i32, ptr %[[FIELD]]
; CHECK: %[[LEFT:.*]] = sub i32 %row_threads, %x
; CHECK: call i32 @llvm.umin.i32(i32 %[[LEFT]],
define void @plain(ptr %out) {
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %begin = mul i32 %b, %w
  %i = add i32 %begin, %t
  %wi = sext i32 %i to i64
  %to = getelementptr i32, ptr %out, i64 %wi
  store i32 %i, ptr %to
  ret void
}

; What was disjoint in one block is not in several.
; CHECK-LABEL: define internal void @tile.region.0(
; CHECK: %begin = shl i32 %{{.*}}, 4
; CHECK: add i32 %begin, %threadIdx.x
; CHECK-NOT: or disjoint
define void @tile(ptr %out) {
  %t = call range(i32 0, 16) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %begin = shl i32 %b, 4
  %i = or disjoint i32 %begin, %t
  %wi = zext i32 %i to i64
  %to = getelementptr i32, ptr %out, i64 %wi
  store i32 1, ptr %to
  ret void
}

; CHECK-LABEL: define internal void @shifted.region.0(
; CHECK: %more = add i64 %{{.*}}, -3
; CHECK: add i64 %more, %begin
define void @shifted(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %wt = zext i32 %t to i64
  %wb = zext i32 %b to i64
  %ww = zext i32 %w to i64
  %more = add nsw i64 %wt, -3
  %begin = mul nuw nsw i64 %wb, %ww
  %i = add nsw i64 %more, %begin
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 1, ptr %to
  ret void
}

define void @loops(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %begin = mul i32 %b, %w
  %first = add i32 %begin, %t
  %size = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %step = mul i32 %size, %w
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %wi = sext i32 %i to i64
  %to = getelementptr i32, ptr %out, i64 %wi
  store i32 1, ptr %to
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @first_thread(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %begin = mul i32 %b, %w
  %i = add i32 %begin, %t
  %wi = sext i32 %i to i64
  %to = getelementptr i32, ptr %out, i64 %wi
  %is_first = icmp eq i32 %t, 0
  %v = select i1 %is_first, i32 1, i32 2
  store i32 %v, ptr %to
  ret void
}

define void @row_of_block(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %begin = mul i32 %b, %w
  %i = add i32 %begin, %t
  %wi = sext i32 %i to i64
  %to = getelementptr i32, ptr %out, i64 %wi
  store i32 %b, ptr %to
  ret void
}

define void @double_width(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %both = shl i32 %w, 1
  %begin = mul i32 %b, %both
  %i = add i32 %begin, %t
  %wi = sext i32 %i to i64
  %to = getelementptr i32, ptr %out, i64 %wi
  store i32 1, ptr %to
  ret void
}

; threadIdx.x - 1 of the first thread is no small number.
define void @extended(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %before = add i32 %t, -1
  %wt = zext i32 %before to i64
  %begin = mul i32 %b, %w
  %wb = zext i32 %begin to i64
  %i = add i64 %wb, %wt
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 1, ptr %to
  ret void
}

define void @difference(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %begin = mul i32 %b, %w
  %i = add i32 %begin, %t
  %other = sub i32 %begin, %t
  %wi = sext i32 %i to i64
  %to = getelementptr i32, ptr %out, i64 %wi
  store i32 %other, ptr %to
  ret void
}

define void @barrier(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %begin = mul i32 %b, %w
  %i = add i32 %begin, %t
  call void @llvm.nvvm.barrier0()
  %wi = sext i32 %i to i64
  %to = getelementptr i32, ptr %out, i64 %wi
  store i32 1, ptr %to
  ret void
}

define void @one_lane(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %begin = mul i32 %b, %w
  %i = add i32 %begin, %t
  %linear = call i32 @gridspan.linear_thread()
  %wi = sext i32 %i to i64
  %to = getelementptr i32, ptr %out, i64 %wi
  store i32 %linear, ptr %to
  ret void
}

define void @two_widths(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %begin = mul i32 %b, %w
  %i = add i32 %begin, %t
  %tile = shl i32 %b, 4
  %j = add i32 %tile, %t
  %wi = sext i32 %i to i64
  %to = getelementptr i32, ptr %out, i64 %wi
  store i32 %j, ptr %to
  ret void
}

; All threads of a column load the same in their loop: rows of blocks that are eight high are joined, too.
; CHECK-LABEL: define internal void @columns.region.0(
; CHECK: %rows = load i32, ptr
; CHECK: %begin.y = shl i32 %{{.*}}, 3
; CHECK: add i32 %begin.y, %y
define void @columns(ptr %in, ptr %out, i32 %n) {
entry:
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %wx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %begin.x = mul i32 %bx, %wx
  %x = add i32 %begin.x, %tx
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %begin.y = shl i32 %by, 3
  %y = or disjoint i32 %begin.y, %ty
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %loop ]
  %row = mul i32 %k, %n
  %at = add i32 %row, %x
  %wat = sext i32 %at to i64
  %from = getelementptr i32, ptr %in, i64 %wat
  %v = load i32, ptr %from
  %sum.next = add i32 %sum, %v
  %k.next = add i32 %k, 1
  %more = icmp slt i32 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  %tag = add i32 %sum.next, %n
  %line = mul i32 %y, %n
  %place = add i32 %line, %x
  %wplace = sext i32 %place to i64
  %to = getelementptr i32, ptr %out, i64 %wplace
  store i32 %tag, ptr %to
  ret void
}

; threadIdx.y by itself.
define void @knows_row(ptr %in, ptr %out, i32 %n) {
entry:
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %wx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %begin.x = mul i32 %bx, %wx
  %x = add i32 %begin.x, %tx
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %begin.y = shl i32 %by, 3
  %y = or disjoint i32 %begin.y, %ty
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %loop ]
  %row = mul i32 %k, %n
  %at = add i32 %row, %x
  %wat = sext i32 %at to i64
  %from = getelementptr i32, ptr %in, i64 %wat
  %v = load i32, ptr %from
  %sum.next = add i32 %sum, %v
  %k.next = add i32 %k, 1
  %more = icmp slt i32 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  %tag = add i32 %sum.next, %ty
  %line = mul i32 %y, %n
  %place = add i32 %line, %x
  %wplace = sext i32 %place to i64
  %to = getelementptr i32, ptr %out, i64 %wplace
  store i32 %tag, ptr %to
  ret void
}

; Each row loads its own.
define void @own_rows(ptr %in, ptr %out, i32 %n) {
entry:
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %wx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %begin.x = mul i32 %bx, %wx
  %x = add i32 %begin.x, %tx
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %begin.y = shl i32 %by, 3
  %y = or disjoint i32 %begin.y, %ty
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %loop ]
  %row = mul i32 %k, %n
  %at = add i32 %row, %y
  %wat = sext i32 %at to i64
  %from = getelementptr i32, ptr %in, i64 %wat
  %v = load i32, ptr %from
  %sum.next = add i32 %sum, %v
  %k.next = add i32 %k, 1
  %more = icmp slt i32 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  %tag = add i32 %sum.next, %n
  %line = mul i32 %y, %n
  %place = add i32 %line, %x
  %wplace = sext i32 %place to i64
  %to = getelementptr i32, ptr %out, i64 %wplace
  store i32 %tag, ptr %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare void @llvm.nvvm.barrier0()
declare i32 @gridspan.linear_thread()

declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7, !8, !9, !10, !11, !12, !13, !14}
!0 = !{ptr @plain, !"kernel", i32 1}
!1 = !{ptr @tile, !"kernel", i32 1}
!2 = !{ptr @shifted, !"kernel", i32 1}
!3 = !{ptr @loops, !"kernel", i32 1}
!4 = !{ptr @first_thread, !"kernel", i32 1}
!5 = !{ptr @row_of_block, !"kernel", i32 1}
!6 = !{ptr @double_width, !"kernel", i32 1}
!7 = !{ptr @extended, !"kernel", i32 1}
!8 = !{ptr @difference, !"kernel", i32 1}
!9 = !{ptr @barrier, !"kernel", i32 1}
!10 = !{ptr @one_lane, !"kernel", i32 1}
!11 = !{ptr @two_widths, !"kernel", i32 1}
!12 = !{ptr @columns, !"kernel", i32 1}
!13 = !{ptr @knows_row, !"kernel", i32 1}
!14 = !{ptr @own_rows, !"kernel", i32 1}
