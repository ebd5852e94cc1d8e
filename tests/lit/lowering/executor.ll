; Which kernels need fibers, and the line given as reason.
; RUN: %gridspan-lower %s -pass=executor | FileCheck %s

; CHECK: ; plain: regions
define void @plain(ptr %p) {
  store i32 1, ptr %p
  ret void
}

; CHECK: ; spin_lock: fibers, {{.*}}: loop waits for another thread's atomic update
define void @spin_lock(ptr %lock) {
entry:
  br label %loop
loop:
  %pair = cmpxchg ptr %lock, i32 0, i32 1 monotonic monotonic
  %won = extractvalue { i32, i1 } %pair, 1
  br i1 %won, label %end, label %loop
end:
  ret void
}

; Retrying with the value just read is progress, not waiting.
; CHECK: ; float_max: regions
define void @float_max(ptr %p, i32 %mine) {
entry:
  %first = load i32, ptr %p
  br label %loop
loop:
  %seen = phi i32 [ %first, %entry ], [ %now, %loop ]
  %pair = cmpxchg ptr %p, i32 %seen, i32 %mine monotonic monotonic
  %now = extractvalue { i32, i1 } %pair, 0
  %won = extractvalue { i32, i1 } %pair, 1
  br i1 %won, label %end, label %loop
end:
  ret void
}

; The condition depends on the exchange only through control flow.
; CHECK: ; lock_with_flag: fibers
define void @lock_with_flag(ptr %lock) {
entry:
  br label %loop
loop:
  %done = phi i1 [ false, %entry ], [ %now_done, %latch ]
  %old = atomicrmw xchg ptr %lock, i32 1 monotonic
  %free = icmp eq i32 %old, 0
  br i1 %free, label %work, label %latch
work:
  %released = atomicrmw xchg ptr %lock, i32 0 monotonic
  br label %latch
latch:
  %now_done = phi i1 [ true, %work ], [ false, %loop ]
  br i1 %now_done, label %end, label %loop
end:
  ret void
}

; CHECK: ; work_queue: regions
define void @work_queue(ptr %next, i32 %n) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr %next, i32 1 monotonic
  %more = icmp slt i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Adding nothing only looks.
; CHECK: ; polls: fibers
define void @polls(ptr %count, i32 %n) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr %count, i32 0 monotonic
  %more = icmp slt i32 %i, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK: ; volatile_load: fibers, {{.*}}: volatile load
define void @volatile_load(ptr %p) {
  %v = load volatile i32, ptr %p
  store i32 %v, ptr %p
  ret void
}

; CHECK: ; private_volatile: regions
define void @private_volatile() {
  %x = alloca i32
  %v = load volatile i32, ptr %x
  ret void
}

; CHECK: ; recursive_barrier: fibers, {{.*}}: barrier or warp operation in a function
define void @recursive_barrier(i32 %n) {
  call void @recurse(i32 %n)
  ret void
}
define internal void @recurse(i32 %n) {
  %again = icmp sgt i32 %n, 0
  br i1 %again, label %more, label %end
more:
  call void @llvm.nvvm.barrier0()
  %less = sub i32 %n, 1
  call void @recurse(i32 %less)
  br label %end
end:
  ret void
}
declare void @llvm.nvvm.barrier0()

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7, !8}
!0 = !{ptr @plain, !"kernel", i32 1}
!1 = !{ptr @spin_lock, !"kernel", i32 1}
!2 = !{ptr @float_max, !"kernel", i32 1}
!3 = !{ptr @lock_with_flag, !"kernel", i32 1}
!4 = !{ptr @work_queue, !"kernel", i32 1}
!5 = !{ptr @polls, !"kernel", i32 1}
!6 = !{ptr @volatile_load, !"kernel", i32 1}
!7 = !{ptr @private_volatile, !"kernel", i32 1}
!8 = !{ptr @recursive_barrier, !"kernel", i32 1}
