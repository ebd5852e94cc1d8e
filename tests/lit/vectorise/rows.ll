; Rows of threads that read the same go together, in groups of eight or four; a group that a guard
; breaks goes row by row.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; CHECK: ; product.region.0: vectors
; CHECK: ; by_row.region.0: vectors

; c[y * n + x] += sum over k of a[y * n + k] * b[k * n + x]
define void @product(ptr %a, ptr %b, ptr %c, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %inside.x = icmp slt i32 %x, %n
  %inside.y = icmp slt i32 %y, %n
  %inside = and i1 %inside.x, %inside.y
  br i1 %inside, label %begin, label %end
begin:
  %wn = zext i32 %n to i64
  %wx = zext i32 %x to i64
  %wy = zext i32 %y to i64
  %row = mul i64 %wy, %wn
  br label %loop
loop:
  %k = phi i64 [ 0, %begin ], [ %next, %loop ]
  %sum = phi float [ 0.0, %begin ], [ %new, %loop ]
  %ia = add i64 %row, %k
  %pa = getelementptr float, ptr %a, i64 %ia
  %va = load float, ptr %pa
  %column = mul i64 %k, %wn
  %ib = add i64 %column, %wx
  %pb = getelementptr float, ptr %b, i64 %ib
  %vb = load float, ptr %pb
  %product = fmul float %va, %vb
  %new = fadd float %sum, %product
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %wn
  br i1 %more, label %loop, label %leave
leave:
  %ic = add i64 %row, %wx
  %pc = getelementptr float, ptr %c, i64 %ic
  %old = load float, ptr %pc
  %result = fadd float %old, %new
  store float %result, ptr %pc
  br label %end
end:
  ret void
}
; CHECK-LABEL: define internal void @product.region.0
; CHECK: row:
; CHECK: %alone = phi i32
; CHECK: %from = phi i32
; Four rows: all guards hold, or every row goes alone.
; CHECK: and i1
; CHECK: br i1 %{{.*}}, label %{{.*}}.rows, label %rows.broken
; CHECK: load <16 x float>
; CHECK-NOT: load <16 x float>
; CHECK-COUNT-4: fmul <16 x float>
; CHECK-NOT: fmul <16 x float>
; CHECK-COUNT-4: store <16 x float>
; Eight rows.
; CHECK: load <16 x float>
; CHECK-NOT: load <16 x float>
; CHECK-COUNT-8: fmul <16 x float>
; CHECK-NOT: fmul <16 x float>
; CHECK-COUNT-8: store <16 x float>
; CHECK: ret void

; Rows go different ways.
define void @by_row(ptr %a, ptr %b) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %wx = zext i32 %x to i64
  %from = getelementptr float, ptr %a, i64 %wx
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %new, %loop ]
  %v = load float, ptr %from
  %new = fadd float %sum, %v
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %y
  br i1 %more, label %loop, label %leave
leave:
  %to = getelementptr float, ptr %b, i64 %wx
  store float %new, ptr %to
  ret void
}
; CHECK-LABEL: define internal void @by_row.region.0
; CHECK-NOT: %alone
; CHECK: ret void

; What vectors under masks find in front of a loop, for behind it, does not outlive them: it is not
; carried around the loop over rows, which has its counters only.
define void @tile(ptr %a, ptr %b, ptr %c) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %wx = zext i32 %x to i64
  %wy = zext i32 %y to i64
  %row = shl i64 %wy, 4
  %ic = add i64 %row, %wx
  %pc = getelementptr float, ptr %c, i64 %ic
  %old = load float, ptr %pc
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ %old, %entry ], [ %new, %loop ]
  %ia = add i64 %row, %k
  %pa = getelementptr float, ptr %a, i64 %ia
  %va = load float, ptr %pa
  %column = shl i64 %k, 4
  %ib = add i64 %column, %wx
  %pb = getelementptr float, ptr %b, i64 %ib
  %vb = load float, ptr %pb
  %product = fmul float %va, %vb
  %new = fadd float %sum, %product
  %next = add i64 %k, 1
  %more = icmp ne i64 %next, 16
  br i1 %more, label %loop, label %leave
leave:
  store float %new, ptr %pc
  ret void
}
; CHECK-LABEL: define internal void @tile.region.0
; CHECK: row:
; CHECK-NEXT: %alone = phi i32
; CHECK-NEXT: %from = phi i32
; CHECK-NEXT: %t = phi i32
; CHECK-COUNT-5: load <16 x float>
; CHECK-NOT: load <16 x float>
; CHECK-COUNT-4: fmul <16 x float>
; CHECK: ret void

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @product, !"kernel", i32 1}
!1 = !{ptr @by_row, !"kernel", i32 1}
!2 = !{ptr @tile, !"kernel", i32 1}
