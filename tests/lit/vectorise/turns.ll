; Lanes that take turns load what only their turn needs: no vector is made to be taken apart.
; RUN: %gridspan-lower %s -pass=shared-atomics -pass=regions -pass=tidy -pass=vectorise | FileCheck %s

; CHECK: ; histogram.region.0: vectors
; CHECK: ; known.region.0: vectors
; CHECK: ; written_between.region.0: vectors
; CHECK: ; guarded_shift.region.0: vectors

; atomicAdd(&bins[(keys[t] >> 4) & 15], weights[t])
define void @histogram(ptr %keys, ptr %weights, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bins = call ptr @gridspan.shared(i64 0, i64 64)
  %w = zext i32 %t to i64
  %key.at = getelementptr i32, ptr %keys, i64 %w
  %key = load i32, ptr %key.at
  %high = lshr i32 %key, 4
  %digit = and i32 %high, 15
  %wide = zext i32 %digit to i64
  %bin = getelementptr i32, ptr %bins, i64 %wide
  %weight.at = getelementptr i32, ptr %weights, i64 %w
  %weight = load i32, ptr %weight.at
  %old = atomicrmw add ptr %bin, i32 %weight monotonic
  ret void
}
; CHECK-LABEL: define internal void @histogram.region.0
; CHECK: vectors:
; CHECK: %[[AT:.*]] = getelementptr i8, ptr %{{.*}}, i64 60
; CHECK-NEXT: %[[KEY:.*]] = load i32, ptr %[[AT]]
; CHECK-NEXT: %[[HIGH:.*]] = lshr i32 %[[KEY]], 4
; CHECK-NEXT: %[[DIGIT:.*]] = and i32 %[[HIGH]], 15
; CHECK-NEXT: %[[WIDE:.*]] = zext {{.*}}i32 %[[DIGIT]] to i64
; CHECK-NEXT: %[[BIN:.*]] = getelementptr i32, ptr %{{.*}}, i64 %[[WIDE]]
; CHECK-NEXT: %[[PLACE:.*]] = getelementptr i8, ptr %{{.*}}, i64 60
; CHECK-NEXT: %[[WEIGHT:.*]] = load i32, ptr %[[PLACE]]
; CHECK-NEXT: atomicrmw add ptr %[[BIN]], i32 %[[WEIGHT]]

; The key is wanted elsewhere, too: it is loaded once.
define void @known(ptr %keys, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bins = call ptr @gridspan.shared(i64 0, i64 64)
  %w = zext i32 %t to i64
  %key.at = getelementptr i32, ptr %keys, i64 %w
  %key = load i32, ptr %key.at
  %wide = zext i32 %key to i64
  %bin = getelementptr i32, ptr %bins, i64 %wide
  %old = atomicrmw add ptr %bin, i32 1 monotonic
  %to = getelementptr i32, ptr %out, i64 %w
  store i32 %key, ptr %to
  ret void
}
; CHECK-LABEL: define internal void @known.region.0
; CHECK: vectors:
; CHECK-NOT: load i32
; CHECK: extractelement <16 x ptr>
; CHECK: atomicrmw
; CHECK: thread:

; What is loaded may change before the turn.
define void @written_between(ptr %keys, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bins = call ptr @gridspan.shared(i64 0, i64 64)
  %w = zext i32 %t to i64
  %key.at = getelementptr i32, ptr %keys, i64 %w
  %key = load i32, ptr %key.at
  %to = getelementptr i32, ptr %out, i64 %w
  store i32 0, ptr %to
  %wide = zext i32 %key to i64
  %bin = getelementptr i32, ptr %bins, i64 %wide
  %old = atomicrmw add ptr %bin, i32 1 monotonic
  ret void
}
; CHECK-LABEL: define internal void @written_between.region.0
; CHECK: vectors:
; CHECK-NOT: load i32
; CHECK: extractelement <16 x ptr>
; CHECK: atomicrmw
; CHECK: thread:

; Shifts by 32 or more are selects.
define void @guarded_shift(ptr %keys, i32 %shift) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bins = call ptr @gridspan.shared(i64 0, i64 64)
  %w = zext i32 %t to i64
  %key.at = getelementptr i32, ptr %keys, i64 %w
  %key = load i32, ptr %key.at
  %high = lshr i32 %key, %shift
  %small = icmp ult i32 %shift, 32
  %digit = and i32 %high, 15
  %shifted = select i1 %small, i32 %digit, i32 0
  %wide = zext i32 %shifted to i64
  %bin = getelementptr i32, ptr %bins, i64 %wide
  %old = atomicrmw add ptr %bin, i32 1 monotonic
  ret void
}
; CHECK-LABEL: define internal void @guarded_shift.region.0
; CHECK: vectors:
; CHECK-NOT: extractelement
; CHECK: %[[KEY:.*]] = load i32
; CHECK: %[[HIGH:.*]] = lshr i32 %[[KEY]], %shift
; CHECK: atomicrmw
; CHECK: thread:

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare ptr @gridspan.shared(i64, i64) #0

attributes #0 = { nounwind willreturn speculatable memory(none) }

!nvvm.annotations = !{!0, !1, !2, !3}
!0 = !{ptr @histogram, !"kernel", i32 1}
!1 = !{ptr @known, !"kernel", i32 1}
!2 = !{ptr @written_between, !"kernel", i32 1}
!3 = !{ptr @guarded_shift, !"kernel", i32 1}
