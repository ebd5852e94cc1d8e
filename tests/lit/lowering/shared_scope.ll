; Arguments of kernels do not point into shared memory: a sum kept in memory becomes a register in a loop over the tile.
; RUN: %gridspan-lower %s -pass=shared-scope | FileCheck %s --check-prefix=SCOPES
; RUN: %gridspan-lower %s -pass=shared-scope -pass=blocks -pass=tidy | FileCheck %s

define void @sum(ptr %out, ptr %from) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = zext nneg i32 %t to i64
  %own = getelementptr float, ptr %out, i64 %at
  %tile = call ptr @gridspan.shared(i64 0, i64 1024)
  %either = getelementptr ptr, ptr %from, i64 %at
  %unknown = load ptr, ptr %either
  br label %round
round:
  %j = phi i64 [ 0, %entry ], [ %next, %round ]
  %in = getelementptr float, ptr %tile, i64 %j
  %v = load float, ptr %in
  %s = load float, ptr %own
  %more = fadd float %s, %v
  store float %more, ptr %own
  %next = add nuw nsw i64 %j, 1
  %last = icmp eq i64 %next, 256
  br i1 %last, label %end, label %round
end:
  store float %v, ptr %unknown
  ret void
}
; SCOPES-LABEL: define void @sum(
; SCOPES: load ptr, ptr %either, align 8, !alias.scope ![[OUT:[0-9]+]], !noalias ![[IN:[0-9]+]]
; SCOPES: load float, ptr %in, align 4, !alias.scope ![[IN]], !noalias ![[OUT]]
; SCOPES: load float, ptr %own, align 4, !alias.scope ![[OUT]], !noalias ![[IN]]
; SCOPES: store float %more, ptr %own, align 4, !alias.scope ![[OUT]], !noalias ![[IN]]
; SCOPES: store float %v, ptr %unknown, align 4{{$}}

; CHECK-LABEL: define internal void @sum.region.0(
; CHECK: round:
; CHECK-NOT: store
; CHECK: br i1 %last
; CHECK: store float

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare ptr @gridspan.shared(i64, i64)

!nvvm.annotations = !{!0}
!0 = !{ptr @sum, !"kernel", i32 1}
