; One block runs on one core: its shared memory needs no locked instructions. Global memory does.
; RUN: %gridspan-lower %s -pass=shared-atomics | FileCheck %s

; CHECK-LABEL: define i32 @shared
; CHECK-NOT: atomicrmw
; CHECK: %[[OLD:.*]] = load i32, ptr %bin
; CHECK: add i32 %[[OLD]], 1
; CHECK: store i32
define i32 @shared(i64 %i) {
  %base = call ptr @gridspan.shared(i64 64, i64 256)
  %bin = getelementptr i32, ptr %base, i64 %i
  %old = atomicrmw add ptr %bin, i32 1 monotonic
  ret i32 %old
}

; CHECK-LABEL: define i32 @global
; CHECK: atomicrmw add
define i32 @global(ptr %p) {
  %old = atomicrmw add ptr %p, i32 1 monotonic
  ret i32 %old
}

; Might be either: stays atomic.
; CHECK-LABEL: define i32 @unknown
; CHECK: atomicrmw add
define i32 @unknown(ptr %p, i1 %c) {
  %base = call ptr @gridspan.dynamic_shared(i64 4)
  %q = select i1 %c, ptr %p, ptr %base
  %old = atomicrmw add ptr %q, i32 1 monotonic
  ret i32 %old
}

declare ptr @gridspan.shared(i64, i64)
declare ptr @gridspan.dynamic_shared(i64)
