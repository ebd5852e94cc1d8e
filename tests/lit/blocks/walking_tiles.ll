; A loop that walks along a matrix's row from where the block's begins (matrixMul of the CUDA samples): its rounds are
; counted from zero, and subscripts are written with positions, so that neighbouring blocks can be joined.
; RUN: %gridspan-lower %s -pass=read-through -pass=positions | FileCheck %s

; CHECK: ; walk: read through in blocks of 16 x 16 x 1
; CHECK: ; triangle: read through in blocks of 16 x 16 x 1

declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare ptr @gridspan.shared(i64, i64) nounwind willreturn memory(none)

; for (a = w * 16 * by; a < w * 16 * by + w; a += 16) { tile[y][x] = A[a + w * y + x]; for (k < 16) sum += tile[y][k] * other[k][x]; }
define void @walk(ptr %A, ptr %B, ptr %c, i32 %w) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %wx = zext nneg i32 %x to i64
  %wy = zext nneg i32 %y to i64
  %w16 = shl i32 %w, 4
  %begin = mul i32 %w16, %by
  %end = add nsw i32 %begin, %w
  %below = mul i32 %w, %y
  %tile = call ptr @gridspan.shared(i64 0, i64 1024)
  %mine = getelementptr [16 x float], ptr %tile, i64 %wy, i64 %wx
  %other = call ptr @gridspan.shared(i64 1024, i64 1024)
  %my_other = getelementptr [16 x float], ptr %other, i64 %wy, i64 %wx
  %in_b = getelementptr [16 x float], ptr %B, i64 %wy, i64 %wx
  %any = icmp sgt i32 %w, 0
  br i1 %any, label %start, label %leave
start:
  br label %fill
fill:
  %a = phi i32 [ %begin, %start ], [ %next_a, %used ]
  %before = phi float [ 0.0, %start ], [ %new, %used ]
  %down = add i32 %a, %below
  %right = add i32 %down, %x
  %i = sext i32 %right to i64
  %from = getelementptr float, ptr %A, i64 %i
  %v = load float, ptr %from
  store float %v, ptr %mine
  %b = load float, ptr %in_b
  store float %b, ptr %my_other
  call void @llvm.nvvm.barrier0()
  br label %use
use:
  %k = phi i64 [ 0, %fill ], [ %next, %use ]
  %sum = phi float [ %before, %fill ], [ %new, %use ]
  %p = getelementptr [16 x float], ptr %tile, i64 %wy, i64 %k
  %u = load float, ptr %p
  %q = getelementptr [16 x float], ptr %other, i64 %k, i64 %wx
  %r = load float, ptr %q
  %product = fmul float %u, %r
  %new = fadd float %sum, %product
  %next = add nuw nsw i64 %k, 1
  %more = icmp ne i64 %next, 16
  br i1 %more, label %use, label %used
used:
  call void @llvm.nvvm.barrier0()
  %next_a = add i32 %a, 16
  %again = icmp slt i32 %next_a, %end
  br i1 %again, label %fill, label %leave
leave:
  %all = phi float [ 0.0, %entry ], [ %new, %used ]
  %first_row = shl i32 %by, 4
  %row = add i32 %first_row, %y
  %to_row = sext i32 %row to i64
  %to = getelementptr float, ptr %c, i64 %to_row
  store float %all, ptr %to
  ret void
}
; CHECK-LABEL: define dso_local void @walk.through(
; CHECK: %position = add i32
; CHECK: mul i32 %position, %w
; CHECK: fill:
; CHECK: %place = phi i64
; CHECK: use:
; CHECK: load float
; CHECK: %[[NEXT:.*]] = add nuw nsw i64 %place, 16
; CHECK: icmp slt i64 %[[NEXT]], %{{.*}}
; CHECK: ret void

; Blocks further down have more rounds: they stay as they are.
define void @triangle(ptr %A, ptr %B, ptr %c, i32 %w) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %wx = zext nneg i32 %x to i64
  %wy = zext nneg i32 %y to i64
  %w16 = shl i32 %w, 4
  %begin = mul i32 %w16, %by
  %wide = shl i32 %by, 4
  %end = add nsw i32 %begin, %wide
  %below = mul i32 %w, %y
  %tile = call ptr @gridspan.shared(i64 0, i64 1024)
  %mine = getelementptr [16 x float], ptr %tile, i64 %wy, i64 %wx
  %other = call ptr @gridspan.shared(i64 1024, i64 1024)
  %my_other = getelementptr [16 x float], ptr %other, i64 %wy, i64 %wx
  %in_b = getelementptr [16 x float], ptr %B, i64 %wy, i64 %wx
  %any = icmp sgt i32 %w, 0
  br i1 %any, label %start, label %leave
start:
  br label %fill
fill:
  %a = phi i32 [ %begin, %start ], [ %next_a, %used ]
  %before = phi float [ 0.0, %start ], [ %new, %used ]
  %down = add i32 %a, %below
  %right = add i32 %down, %x
  %i = sext i32 %right to i64
  %from = getelementptr float, ptr %A, i64 %i
  %v = load float, ptr %from
  store float %v, ptr %mine
  %b = load float, ptr %in_b
  store float %b, ptr %my_other
  call void @llvm.nvvm.barrier0()
  br label %use
use:
  %k = phi i64 [ 0, %fill ], [ %next, %use ]
  %sum = phi float [ %before, %fill ], [ %new, %use ]
  %p = getelementptr [16 x float], ptr %tile, i64 %wy, i64 %k
  %u = load float, ptr %p
  %q = getelementptr [16 x float], ptr %other, i64 %k, i64 %wx
  %r = load float, ptr %q
  %product = fmul float %u, %r
  %new = fadd float %sum, %product
  %next = add nuw nsw i64 %k, 1
  %more = icmp ne i64 %next, 16
  br i1 %more, label %use, label %used
used:
  call void @llvm.nvvm.barrier0()
  %next_a = add i32 %a, 16
  %again = icmp slt i32 %next_a, %end
  br i1 %again, label %fill, label %leave
leave:
  %all = phi float [ 0.0, %entry ], [ %new, %used ]
  %first_row = shl i32 %by, 4
  %row = add i32 %first_row, %y
  %to_row = sext i32 %row to i64
  %to = getelementptr float, ptr %c, i64 %to_row
  store float %all, ptr %to
  ret void
}
; CHECK-LABEL: define dso_local void @triangle.through(
; CHECK-NOT: %place = phi
; CHECK: icmp slt i32 %{{.*}}, %end

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @walk, !"kernel", i32 1}
!1 = !{ptr @triangle, !"kernel", i32 1}
