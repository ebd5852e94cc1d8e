; Subscripts clamped to an array are clamped for few vectors: the fastest version looks at the first
; and the last lane, and hands over to one with gathers.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; CHECK: ; neighbours.region.0: vectors
; CHECK: ; ring.region.0: vectors
; CHECK: ; falling.region.0: vectors
; CHECK: ; window.region.0: vectors
; CHECK: ; bytes.region.0: vectors

; if (i < n) out[i] = in[max(i - 1, 0)] + in[i == n - 1 ? n - 1 : i + 1], as InstCombine leaves it
define void @neighbours(ptr %in, ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %o = mul i32 %b, %d
  %i = add i32 %o, %t
  %last = add nsw i32 %n, -1
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %then, label %end
then:
  %w = sext i32 %i to i64
  %less = add nsw i32 %i, -1
  %l = call i32 @llvm.smax.i32(i32 %less, i32 0)
  %wl = sext i32 %l to i64
  %is_last = icmp eq i32 %i, %last
  %more = add nsw i32 %i, 1
  %r = select i1 %is_last, i32 %last, i32 %more
  %wr = sext i32 %r to i64
  %pl = getelementptr float, ptr %in, i64 %wl
  %pr = getelementptr float, ptr %in, i64 %wr
  %po = getelementptr float, ptr %out, i64 %w
  %vl = load float, ptr %pl
  %vr = load float, ptr %pr
  %sum = fadd float %vl, %vr
  store float %sum, ptr %po
  br label %end
end:
  ret void
}
; CHECK-LABEL: define internal void @neighbours.region.0
; The version between gathers what is clamped; its output is one store.
; CHECK: call <16 x float> @llvm.masked.gather
; CHECK: store <16 x float>
; The fastest: the guard also tells that the lanes' numbers do not wrap.
; CHECK: %[[LIMIT:.*]] = call i32 @llvm.ssub.sat.i32(i32 %n, i32 15)
; CHECK: icmp slt i32 %{{.*}}, %[[LIMIT]]
; CHECK-NOT: masked
; CHECK: icmp sge i32 %{{.*}}, 1
; CHECK: br i1 %{{.*}}, label %holds{{.*}}, label %thread.split.lanes
; CHECK: icmp ugt i32 %{{.*}}, 15
; CHECK: br i1 %{{.*}}, label %holds{{.*}}, label %thread.split.lanes
; CHECK-NOT: masked
; CHECK: load <16 x float>
; CHECK: load <16 x float>
; CHECK: store <16 x float>
; CHECK: thread:

; out[t] = in[t - 1 < 0 ? t - 1 + n : t - 1]: lanes agree, whichever it is.
define void @ring(ptr %in, ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %less = add nsw i32 %t, -1
  %below = icmp slt i32 %less, 0
  %turn = select i1 %below, i32 %n, i32 0
  %at = add nsw i32 %less, %turn
  %wa = sext i32 %at to i64
  %pi = getelementptr float, ptr %in, i64 %wa
  %po = getelementptr float, ptr %out, i64 %w
  %v = load float, ptr %pi
  store float %v, ptr %po
  ret void
}
; CHECK-LABEL: define internal void @ring.region.0
; CHECK: llvm.masked.gather
; CHECK: %[[FIRST:.*]] = icmp sgt i32 %[[AT:.*]], 0
; CHECK: %[[LAST:.*]] = icmp sgt i32 %{{.*}}, 0
; CHECK: icmp eq i1 %[[FIRST]], %[[LAST]]
; CHECK: br i1 %{{.*}}, label %holds
; CHECK-NOT: masked
; CHECK: select i1 %{{.*}}, i32 0, i32 %n
; CHECK: load <16 x float>
; CHECK: thread:

; Numbers that fall from lane to lane: the first decides about the smaller bound, and lanes below it
; have wrapped.
define void @falling(ptr %in, ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %m = sub i32 %n, %t
  %at = call i32 @llvm.smin.i32(i32 %m, i32 1000)
  %wa = sext i32 %at to i64
  %pi = getelementptr float, ptr %in, i64 %wa
  %po = getelementptr float, ptr %out, i64 %w
  %v = load float, ptr %pi
  store float %v, ptr %po
  ret void
}
; CHECK-LABEL: define internal void @falling.region.0
; CHECK: %[[HERE:.*]] = icmp sle i32 %[[M:.*]], 1000
; CHECK: %[[WRAPS:.*]] = icmp sge i32 %[[M]], -2147483633
; CHECK: and i1 %[[HERE]], %[[WRAPS]]

; In a loop that changes nothing, too.
define void @window(ptr %in, ptr %out, i32 %n, i32 %r) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %i = add i32 %t, %k
  %at = call i32 @llvm.umin.i32(i32 %i, i32 %n)
  %wa = zext i32 %at to i64
  %pi = getelementptr float, ptr %in, i64 %wa
  %v = load float, ptr %pi
  %sum = fadd float %s, %v
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %r
  br i1 %more, label %loop, label %done
done:
  %po = getelementptr float, ptr %out, i64 %w
  store float %sum, ptr %po
  ret void
}
; CHECK-LABEL: define internal void @window.region.0
; CHECK: llvm.masked.gather
; CHECK: %[[END:.*]] = call i32 @llvm.usub.sat.i32(i32 %n, i32 14)
; CHECK: icmp ult i32 %{{.*}}, %[[END]]
; CHECK-NOT: masked
; CHECK: load <16 x float>
; CHECK: thread:

; Lanes reach further than a byte tells: nothing to assume.
define void @bytes(ptr %in, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %scaled = mul i32 %t, 3
  %byte = trunc i32 %scaled to i8
  %at = call i8 @llvm.smax.i8(i8 %byte, i8 0)
  %wa = zext i8 %at to i64
  %pi = getelementptr float, ptr %in, i64 %wa
  %po = getelementptr float, ptr %out, i64 %w
  %v = load float, ptr %pi
  store float %v, ptr %po
  ret void
}
; CHECK-LABEL: define internal void @bytes.region.0
; CHECK: vectors:
; CHECK-NOT: label %holds
; CHECK: llvm.masked.gather
; CHECK-NOT: label %holds
; CHECK: thread:

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i8 @llvm.smax.i8(i8, i8)

!nvvm.annotations = !{!0, !1, !2, !3, !4}
!0 = !{ptr @neighbours, !"kernel", i32 1}
!1 = !{ptr @ring, !"kernel", i32 1}
!2 = !{ptr @falling, !"kernel", i32 1}
!3 = !{ptr @window, !"kernel", i32 1}
!4 = !{ptr @bytes, !"kernel", i32 1}
