; How many rows go together, and how wide vectors are, may be asked for (gridcc --tune).
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise -rows=2 | FileCheck %s --check-prefix=TWO
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise -rows=6 | FileCheck %s --check-prefix=SIX
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise -rows=1 | FileCheck %s --check-prefix=ONE
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise -vector-bits=256 | FileCheck %s --check-prefix=NARROW

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

; TWO-LABEL: define internal void @product.region.0
; TWO: br i1 %{{.*}}, label %{{.*}}.rows, label %rows.broken
; TWO: load <16 x float>
; TWO-NOT: load <16 x float>
; TWO-COUNT-2: fmul <16 x float>
; TWO-NOT: fmul <16 x float>
; TWO-COUNT-2: store <16 x float>

; SIX-LABEL: define internal void @product.region.0
; Four rows, for what six leave.
; SIX-COUNT-4: store <16 x float>
; SIX: load <16 x float>
; SIX-NOT: load <16 x float>
; SIX-COUNT-6: fmul <16 x float>
; SIX-NOT: fmul <16 x float>
; SIX-COUNT-6: store <16 x float>

; ONE-LABEL: define internal void @product.region.0
; ONE-NOT: %alone
; ONE: fmul <16 x float>
; ONE-NOT: %alone
; ONE: ret void

; NARROW-LABEL: define internal void @product.region.0
; NARROW-NOT: <16 x float>
; NARROW: fmul <8 x float>
; NARROW-NOT: <16 x float>
; NARROW: ret void

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()

!nvvm.annotations = !{!0}
!0 = !{ptr @product, !"kernel", i32 1}
