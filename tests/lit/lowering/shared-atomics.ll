; One block runs on one core: its shared memory needs no locked instructions. Global memory does.
; RUN: %gridspan-lower %s -pass=shared-atomics -pass=plain-atomics | FileCheck %s
; RUN: %gridspan-lower %s -pass=shared-atomics -pass=regions -pass=plain-atomics | FileCheck %s --check-prefix=LOOP

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

; Threads depend on each other through what was an atomic: it must not look parallel. (A vectoriser
; that believes so adds only the last lane of each vector.)
; LOOP-LABEL: define internal void @count.region.0
; LOOP: load i32, ptr %{{.*}}, align 4
; LOOP-NOT: access.group
; LOOP: store i32 %{{.*}}, ptr %{{.*}}, align 4
; LOOP-NOT: access.group
; LOOP: store i32 7, ptr %{{.*}}, align 4, !llvm.access.group
define void @count(ptr %p) {
  %bin = call ptr @gridspan.shared(i64 64, i64 256)
  %old = atomicrmw add ptr %bin, i32 1 monotonic
  store i32 7, ptr %p
  ret void
}

declare ptr @gridspan.shared(i64, i64)
declare ptr @gridspan.dynamic_shared(i64)

!nvvm.annotations = !{!0}
!0 = !{ptr @count, !"kernel", i32 1}
