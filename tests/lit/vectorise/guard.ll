; if (i < n) y[i] = x[i] + y[i], i computed in 32 bits: whole vectors run without masks; a vector
; that crosses the guard, or whose numbers wrap, starts over under masks.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; CHECK: ; guard.region.0: vectors
define void @guard(ptr %x, ptr %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %o = mul i32 %b, %d
  %i = add i32 %o, %t
  %in = icmp slt i32 %i, %n
  br i1 %in, label %then, label %end
then:
  %w = sext i32 %i to i64
  %px = getelementptr float, ptr %x, i64 %w
  %py = getelementptr float, ptr %y, i64 %w
  %vx = load float, ptr %px
  %vy = load float, ptr %py
  %sum = fadd float %vx, %vy
  store float %sum, ptr %py
  br label %end
end:
  ret void
}

; CHECK-LABEL: define internal void @guard.region.0
; A loop over vectors comes first; a rest of less than half a vector is not worth
; one.
; CHECK: %in_vectors = and i32 %run, -16
; CHECK: %[[REST:.*]] = sub i32 %run, %in_vectors
; CHECK: icmp ult i32 %[[REST]], 8
; CHECK: vectors:
; CHECK: %v = phi i32
; CHECK: icmp ult i32 %v, %in_vectors
; CHECK: br i1 %{{.*}}, label %thread.split.lanes{{.*}}, label %part, !prof
; The general version is the only one with masks, and the fast one comes after it. Of a rest that is
; no whole vector, lanes beyond its end do not go in.
; CHECK: icmp ult <16 x i32> %{{.*}}, %
; CHECK: br i1 %{{.*}}, label %holds{{.*}}, label %by_threads
; CHECK: call <16 x float> @llvm.masked.load
; CHECK: call void @llvm.masked.store
; Fast: the last lane goes in, so all do, and their numbers do not wrap; nothing is masked.
; CHECK: %[[LIMIT:.*]] = call i32 @llvm.ssub.sat.i32(i32 %n, i32 15)
; CHECK: icmp slt i32 %{{.*}}, %[[LIMIT]]
; CHECK-NOT: masked
; CHECK: load <16 x float>, ptr
; CHECK: load <16 x float>, ptr
; CHECK: fadd <16 x float>
; CHECK: store <16 x float>
; CHECK-NOT: masked.
; What is left runs thread by thread.
; CHECK: thread:
; CHECK: load float

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

!nvvm.annotations = !{!0}
!0 = !{ptr @guard, !"kernel", i32 1}
