; Tiles of shared memory that are copies of an array are read through, and their barriers go.
; RUN: %gridspan-lower %s -pass=read-through | FileCheck %s

; CHECK: ; sum: read through in blocks of 32 x 1 x 1
; CHECK: ; neighbour: kept
; CHECK: ; some_fill: kept
; CHECK: ; early: kept
; CHECK: ; stored: kept
; CHECK: ; no_barrier: kept
; CHECK: ; column: kept
; CHECK: ; computed: kept
; CHECK: ; other_way: read through in blocks of 8 x 16 x 1

declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare ptr @gridspan.shared(i64, i64) nounwind willreturn memory(none)

; tile[x] = a[m * 32 + x]; barrier; for (k < 32) sum += tile[k]; barrier
define void @sum(ptr %a, ptr %c, i64 %rounds) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wx = zext i32 %x to i64
  %tile = call ptr @gridspan.shared(i64 0, i64 128)
  %mine = getelementptr float, ptr %tile, i64 %wx
  br label %fill
fill:
  %m = phi i64 [ 0, %entry ], [ %next_m, %used ]
  %before = phi float [ 0.0, %entry ], [ %new, %used ]
  %first = shl i64 %m, 5
  %i = add i64 %first, %wx
  %from = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %from
  store float %v, ptr %mine
  call void @llvm.nvvm.barrier0()
  br label %use
use:
  %k = phi i64 [ 0, %fill ], [ %next, %use ]
  %sum = phi float [ %before, %fill ], [ %new, %use ]
  %p = getelementptr float, ptr %tile, i64 %k
  %u = load float, ptr %p
  %new = fadd float %sum, %u
  %next = add nuw nsw i64 %k, 1
  %more = icmp ne i64 %next, 32
  br i1 %more, label %use, label %used
used:
  call void @llvm.nvvm.barrier0()
  %next_m = add nuw nsw i64 %m, 1
  %again = icmp ult i64 %next_m, %rounds
  br i1 %again, label %fill, label %leave
leave:
  %to = getelementptr float, ptr %c, i64 %wx
  store float %new, ptr %to
  ret void
}
; CHECK-LABEL: define dso_local void @sum.through(
; CHECK-NOT: call void @llvm.nvvm.barrier0
; CHECK-NOT: gridspan.shared
; CHECK: use:
; CHECK: %[[K:.*]] = phi i64 [ 0, %fill ]
; CHECK: %[[I:.*]] = add i64 %first, %[[K]]
; CHECK: %[[P:.*]] = getelementptr float, ptr %a, i64 %[[I]]
; CHECK: load float, ptr %[[P]]
; CHECK: ret void

; Nobody fills the place after the last thread's.
define void @neighbour(ptr %a, ptr %c) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wx = zext i32 %x to i64
  %tile = call ptr @gridspan.shared(i64 0, i64 128)
  %mine = getelementptr float, ptr %tile, i64 %wx
  %from = getelementptr float, ptr %a, i64 %wx
  %v = load float, ptr %from
  store float %v, ptr %mine
  call void @llvm.nvvm.barrier0()
  %right = add i64 %wx, 1
  %p = getelementptr float, ptr %tile, i64 %right
  %u = load float, ptr %p
  %to = getelementptr float, ptr %c, i64 %wx
  store float %u, ptr %to
  ret void
}

; What the others would have read may be out of bounds.
define void @some_fill(ptr %a, ptr %c) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wx = zext i32 %x to i64
  %tile = call ptr @gridspan.shared(i64 0, i64 128)
  %mine = getelementptr float, ptr %tile, i64 %wx
  %from = getelementptr float, ptr %a, i64 %wx
  %few = icmp ult i32 %x, 8
  br i1 %few, label %fill, label %wait
fill:
  %v = load float, ptr %from
  store float %v, ptr %mine
  br label %wait
wait:
  call void @llvm.nvvm.barrier0()
  %u = load float, ptr %tile
  %to = getelementptr float, ptr %c, i64 %wx
  store float %u, ptr %to
  ret void
}

; Threads that have left fill nothing.
define void @early(ptr %a, ptr %c, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wx = zext i32 %x to i64
  %out = icmp uge i32 %x, %n
  br i1 %out, label %leave, label %fill
fill:
  %tile = call ptr @gridspan.shared(i64 0, i64 128)
  %mine = getelementptr float, ptr %tile, i64 %wx
  %from = getelementptr float, ptr %a, i64 %wx
  %v = load float, ptr %from
  store float %v, ptr %mine
  call void @llvm.nvvm.barrier0()
  %u = load float, ptr %tile
  %to = getelementptr float, ptr %c, i64 %wx
  store float %u, ptr %to
  br label %leave
leave:
  ret void
}

; The barrier also lets what was stored to c pass.
define void @stored(ptr %a, ptr %c) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wx = zext i32 %x to i64
  %tile = call ptr @gridspan.shared(i64 0, i64 128)
  %mine = getelementptr float, ptr %tile, i64 %wx
  %from = getelementptr float, ptr %a, i64 %wx
  %v = load float, ptr %from
  store float %v, ptr %mine
  %to = getelementptr float, ptr %c, i64 %wx
  store float %v, ptr %to
  call void @llvm.nvvm.barrier0()
  %u = load float, ptr %tile
  %w = load float, ptr %c
  %r = fadd float %u, %w
  call void @llvm.nvvm.barrier0()
  store float %r, ptr %to
  ret void
}

define void @no_barrier(ptr %a, ptr %c) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wx = zext i32 %x to i64
  %tile = call ptr @gridspan.shared(i64 0, i64 128)
  %mine = getelementptr float, ptr %tile, i64 %wx
  %from = getelementptr float, ptr %a, i64 %wx
  %v = load float, ptr %from
  call void @llvm.nvvm.barrier0()
  store float %v, ptr %mine
  %u = load float, ptr %tile
  %to = getelementptr float, ptr %c, i64 %wx
  store float %u, ptr %to
  ret void
}

; Threads side by side would read rows of the array: that is what tiles are for.
define void @column(ptr %a, ptr %c, i64 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %wx = zext i32 %x to i64
  %wy = zext i32 %y to i64
  %tile = call ptr @gridspan.shared(i64 0, i64 1024)
  %mine = getelementptr [16 x float], ptr %tile, i64 %wy, i64 %wx
  %row = mul i64 %wy, %n
  %i = add i64 %row, %wx
  %from = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %from
  store float %v, ptr %mine
  call void @llvm.nvvm.barrier0()
  %other = getelementptr [16 x float], ptr %tile, i64 %wx, i64 %wy
  %u = load float, ptr %other
  %to = getelementptr float, ptr %c, i64 %i
  store float %u, ptr %to
  ret void
}

define void @computed(ptr %a, ptr %c) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wx = zext i32 %x to i64
  %tile = call ptr @gridspan.shared(i64 0, i64 128)
  %mine = getelementptr float, ptr %tile, i64 %wx
  %from = getelementptr float, ptr %a, i64 %wx
  %v = load float, ptr %from
  %root = call float @llvm.sqrt.f32(float %v)
  store float %root, ptr %mine
  call void @llvm.nvvm.barrier0()
  %u = load float, ptr %tile
  %to = getelementptr float, ptr %c, i64 %wx
  store float %u, ptr %to
  ret void
}
declare float @llvm.sqrt.f32(float)

; Stored by columns, read by columns: the place of (x, y) is 16 * x + y.
define void @other_way(ptr %a, ptr %c, i64 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %wx = zext i32 %x to i64
  %wy = zext i32 %y to i64
  %tile = call ptr @gridspan.shared(i64 0, i64 512)
  %mine = getelementptr [16 x float], ptr %tile, i64 %wx, i64 %wy
  %row = mul i64 %wy, %n
  %i = add i64 %row, %wx
  %from = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %from
  store float %v, ptr %mine
  call void @llvm.nvvm.barrier0()
  %other = getelementptr [16 x float], ptr %tile, i64 7, i64 %wy
  %u = load float, ptr %other
  %to = getelementptr float, ptr %c, i64 %i
  store float %u, ptr %to
  ret void
}
; CHECK-LABEL: define dso_local void @other_way.through(
; CHECK: %[[I:.*]] = add i64 %row, 7
; CHECK: %[[P:.*]] = getelementptr float, ptr %a, i64 %[[I]]
; CHECK: load float, ptr %[[P]]

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7, !8}
!0 = !{ptr @sum, !"kernel", i32 1}
!1 = !{ptr @neighbour, !"kernel", i32 1}
!2 = !{ptr @some_fill, !"kernel", i32 1}
!3 = !{ptr @early, !"kernel", i32 1}
!4 = !{ptr @stored, !"kernel", i32 1}
!5 = !{ptr @no_barrier, !"kernel", i32 1}
!6 = !{ptr @column, !"kernel", i32 1}
!7 = !{ptr @computed, !"kernel", i32 1}
!8 = !{ptr @other_way, !"kernel", i32 1}
