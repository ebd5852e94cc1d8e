; Lanes that are beside each other more often than not: where it cannot be assumed (after a side
; effect, under a mask), it is tested on the spot, and gathers and scatters are for the rest.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; CHECK: ; clamped.region.0: vectors
; CHECK: ; may_wrap.region.0: vectors
; CHECK: ; rounds.region.0: vectors

; first[t] = 1; out[t] = in[max(t - 1, 0)]
define void @clamped(ptr %first, ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %f = getelementptr i32, ptr %first, i64 %w
  store i32 1, ptr %f
  %less = add nsw i32 %t, -1
  %l = call i32 @llvm.smax.i32(i32 %less, i32 0)
  %wl = sext i32 %l to i64
  %p = getelementptr i32, ptr %in, i64 %wl
  %v = load i32, ptr %p
  %o = getelementptr i32, ptr %out, i64 %w
  store i32 %v, ptr %o
  ret void
}
; CHECK-LABEL: define internal void @clamped.region.0
; CHECK: %[[FIRST:.*]] = freeze i32
; CHECK: %[[SPLAT:.*]] = insertelement <16 x i32> poison, i32 %[[FIRST]]
; CHECK: %[[SAME:.*]] = icmp eq <16 x i32>
; CHECK: br i1 %{{.*}}, label %beside{{.*}}, label %scattered
; CHECK: beside
; CHECK: load <16 x i32>
; CHECK: scattered
; CHECK: call <16 x i32> @llvm.masked.gather

; first[t] = 1; out[n + t] = in[n - 5 + t]: the sums may wrap.
define void @may_wrap(ptr %first, ptr %in, ptr %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %f = getelementptr i32, ptr %first, i64 %w
  store i32 1, ptr %f
  %begin = add i32 %n, -5
  %i = add i32 %begin, %t
  %wi = sext i32 %i to i64
  %p = getelementptr i32, ptr %in, i64 %wi
  %v = load i32, ptr %p
  %j = add i32 %n, %t
  %wj = sext i32 %j to i64
  %o = getelementptr i32, ptr %out, i64 %wj
  store i32 %v, ptr %o
  ret void
}
; CHECK-LABEL: define internal void @may_wrap.region.0
; CHECK: icmp sle i32 %{{.*}}, 2147483632
; CHECK: br i1 %{{.*}}, label %beside{{.*}}, label %scattered
; CHECK: load <16 x i32>
; CHECK: call <16 x i32> @llvm.masked.gather
; CHECK: icmp sle i32 %{{.*}}, 2147483632
; CHECK: br i1 %{{.*}}, label %beside{{.*}}, label %scattered
; CHECK: store <16 x i32>
; CHECK: call void @llvm.masked.scatter

; Eight lanes: where masked stores are slow, all lanes store together while all are here.
; for (i = t; i < n; i += 32) out[i] = 1.0
define void @rounds(ptr %out, i64 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  br label %loop
loop:
  %i = phi i64 [ %w, %entry ], [ %next, %loop ]
  %o = getelementptr double, ptr %out, i64 %i
  %v = sitofp i64 %i to double
  %x = fmul double %v, 3.0
  store double %x, ptr %o
  %next = add i64 %i, 32
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: define internal void @rounds.region.0
; CHECK: %[[BITS:.*]] = bitcast <8 x i1> %[[MASK:.*]] to i8
; CHECK: %[[ALL:.*]] = icmp eq i8 %{{.*}}, -1
; CHECK: br i1 %[[ALL]], label %beside{{.*}}, label %scattered
; CHECK: store <8 x double>
; CHECK: call void @llvm.masked.store

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.smax.i32(i32, i32)

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @clamped, !"kernel", i32 1}
!1 = !{ptr @may_wrap, !"kernel", i32 1}
!2 = !{ptr @rounds, !"kernel", i32 1}
