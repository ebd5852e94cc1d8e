; Which kernels need fibers, and the line given as reason. In loops of others that wait, threads let others run.
; RUN: %gridspan-lower %s -pass=executor | FileCheck %s

; CHECK: ; plain: regions
define void @plain(ptr %p) {
  store i32 1, ptr %p
  ret void
}

; CHECK: ; spin_lock: regions, {{.*}}: loop waits for another thread's atomic update
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
; CHECK: ; lock_with_flag: regions, {{.*}}: loop waits for another thread's atomic update
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
; CHECK: ; polls: regions, {{.*}}: loop waits for another thread's atomic update
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

; What the exchange finds decides what is done in a round, not how many there are: a row of a graph.
; CHECK: ; neighbours: regions
define void @neighbours(ptr %begin, ptr %target, ptr %depth, ptr %next, ptr %count) {
entry:
  %end.at = getelementptr i32, ptr %begin, i64 1
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %latch ]
  %target.at = getelementptr i32, ptr %target, i64 %k
  %to = load i32, ptr %target.at
  %depth.at = getelementptr i32, ptr %depth, i32 %to
  %pair = cmpxchg ptr %depth.at, i32 -1, i32 7 monotonic monotonic
  %won = extractvalue { i32, i1 } %pair, 1
  br i1 %won, label %found, label %latch
found:
  %place = atomicrmw add ptr %count, i32 1 monotonic
  %next.at = getelementptr i32, ptr %next, i32 %place
  store i32 %to, ptr %next.at
  br label %latch
latch:
  %k.next = add nsw i64 %k, 1
  %end = load i32, ptr %end.at
  %end.wide = sext i32 %end to i64
  %more = icmp slt i64 %k.next, %end.wide
  br i1 %more, label %loop, label %done
done:
  ret void
}

; A list, whose end is found in memory that the loop leaves alone.
; CHECK: ; list: regions
define void @list(ptr %next, ptr %owner, i32 %first) {
entry:
  br label %loop
loop:
  %node = phi i32 [ %first, %entry ], [ %follower, %latch ]
  %owner.at = getelementptr i32, ptr %owner, i32 %node
  %old = atomicrmw xchg ptr %owner.at, i32 1 monotonic
  %free = icmp eq i32 %old, 0
  br i1 %free, label %work, label %latch
work:
  store i32 2, ptr %owner
  br label %latch
latch:
  %next.at = getelementptr i32, ptr %next, i32 %node
  %follower = load i32, ptr %next.at
  %more = icmp sge i32 %follower, 0
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK: ; queue_of_locks: regions
define void @queue_of_locks(ptr %next, ptr %owner, i32 %n) {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr %next, i32 1 monotonic
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %owner.at = getelementptr i32, ptr %owner, i32 %i
  %old = atomicrmw xchg ptr %owner.at, i32 1 monotonic
  %free = icmp eq i32 %old, 0
  br i1 %free, label %work, label %loop
work:
  store i32 2, ptr %owner
  br label %loop
end:
  ret void
}

; The flag that ends the loop is in memory, written by whoever got the lock.
; CHECK: ; flag_in_memory: regions, {{.*}}: loop waits for another thread's atomic update
define void @flag_in_memory(ptr %lock, ptr %done) {
entry:
  br label %loop
loop:
  %old = atomicrmw xchg ptr %lock, i32 1 monotonic
  %free = icmp eq i32 %old, 0
  br i1 %free, label %work, label %latch
work:
  store i32 1, ptr %done
  %released = atomicrmw xchg ptr %lock, i32 0 monotonic
  br label %latch
latch:
  %flag = load i32, ptr %done
  %ready = icmp ne i32 %flag, 0
  br i1 %ready, label %end, label %loop
end:
  ret void
}

; Patience is not endless, but the loop waits all the same.
; CHECK: ; patient: regions, {{.*}}: loop waits for another thread's atomic update
define void @patient(ptr %lock, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %old = atomicrmw xchg ptr %lock, i32 1 monotonic
  %free = icmp eq i32 %old, 0
  br i1 %free, label %end, label %latch
latch:
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The same with a flag in memory.
; CHECK: ; patient_flag: regions, {{.*}}: loop waits for another thread's atomic update
define void @patient_flag(ptr %lock, ptr %done, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %flag = load i32, ptr %done
  %ready = icmp ne i32 %flag, 0
  br i1 %ready, label %end, label %try
try:
  %old = atomicrmw xchg ptr %lock, i32 1 monotonic
  %free = icmp eq i32 %old, 0
  br i1 %free, label %work, label %latch
work:
  store i32 1, ptr %done
  br label %latch
latch:
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Counts only the rounds in which the lock was free.
; CHECK: ; counts_successes: regions, {{.*}}: loop waits for another thread's atomic update
define void @counts_successes(ptr %lock, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %old = atomicrmw xchg ptr %lock, i32 1 monotonic
  %free = icmp eq i32 %old, 0
  br i1 %free, label %work, label %latch
work:
  %more.i = add i32 %i, 1
  br label %latch
latch:
  %i.next = phi i32 [ %more.i, %work ], [ %i, %loop ]
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Waits for a word that others write, as far as anyone can see.
; CHECK: ; watches: regions, {{.*}}: loop waits for another thread's atomic update
define void @watches(ptr %lock, ptr %flag, ptr %out) {
entry:
  br label %loop
loop:
  %old = atomicrmw xchg ptr %lock, i32 1 monotonic
  %free = icmp eq i32 %old, 0
  br i1 %free, label %work, label %latch
work:
  store i32 1, ptr %out
  br label %latch
latch:
  %now = load i32, ptr %flag
  %more = icmp eq i32 %now, 0
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

; What is read was written before a barrier, and is written again behind one.
; CHECK: ; settled: regions
define void @settled(ptr %out) {
  %s = call ptr @gridspan.shared(i64 0, i64 128)
  store i32 1, ptr %s
  call void @llvm.nvvm.barrier0()
  %v = load volatile i32, ptr %s
  store i32 %v, ptr %out
  call void @llvm.nvvm.barrier0()
  store i32 2, ptr %s
  ret void
}

; Lanes of a warp exchange numbers.
; CHECK: ; exchanges: fibers, {{.*}}: volatile load: threads may watch
define void @exchanges(ptr %out) {
  %s = call ptr @gridspan.shared(i64 0, i64 128)
  store i32 1, ptr %s
  %v = load volatile i32, ptr %s
  call void @llvm.nvvm.barrier0()
  store i32 %v, ptr %out
  ret void
}

; Others may write before the thread has read.
; CHECK: ; overwrites: fibers, {{.*}}: volatile load: threads may watch
define void @overwrites(ptr %out) {
  %s = call ptr @gridspan.shared(i64 0, i64 128)
  call void @llvm.nvvm.barrier0()
  %v = load volatile i32, ptr %s
  store i32 1, ptr %s
  ret void
}

; It looks a thousand times, and nothing else happens.
; CHECK: ; looks_again: regions, {{.*}}: loop waits for what another thread writes
define void @looks_again(ptr %out) {
entry:
  %s = call ptr @gridspan.shared(i64 0, i64 128)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load volatile i32, ptr %s
  %next = add i32 %i, 1
  %none = icmp eq i32 %v, 0
  %more = icmp slt i32 %next, 1000
  %again = and i1 %none, %more
  br i1 %again, label %loop, label %end
end:
  store i32 %v, ptr %out
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
declare ptr @gridspan.shared(i64, i64)

; Waits for a flag, whichever thread looks first.
; CHECK: ; waits_for_flag: regions, {{.*}}: loop waits for what another thread writes
define void @waits_for_flag(ptr %flag, ptr %out) {
entry:
  br label %loop
loop:
  %now = load volatile i32, ptr %flag
  %more = icmp eq i32 %now, 0
  br i1 %more, label %loop, label %end
end:
  store i32 %now, ptr %out
  ret void
}

; Lanes in step may exchange numbers in each round.
; CHECK: ; exchanges_in_rounds: fibers, {{.*}}: volatile load: threads may watch
define void @exchanges_in_rounds(ptr %mine, ptr %yours) {
entry:
  br label %loop
loop:
  %sum = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %sum, ptr %mine
  %other = load volatile i32, ptr %yours
  %next = add i32 %sum, %other
  %more = icmp slt i32 %next, 100
  br i1 %more, label %loop, label %end
end:
  ret void
}

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7, !8, !9, !10, !11, !12, !13, !14, !15, !16, !17, !18, !19, !20, !21, !22}
!0 = !{ptr @plain, !"kernel", i32 1}
!1 = !{ptr @spin_lock, !"kernel", i32 1}
!2 = !{ptr @float_max, !"kernel", i32 1}
!3 = !{ptr @lock_with_flag, !"kernel", i32 1}
!4 = !{ptr @work_queue, !"kernel", i32 1}
!5 = !{ptr @polls, !"kernel", i32 1}
!6 = !{ptr @volatile_load, !"kernel", i32 1}
!7 = !{ptr @private_volatile, !"kernel", i32 1}
!8 = !{ptr @recursive_barrier, !"kernel", i32 1}
!9 = !{ptr @neighbours, !"kernel", i32 1}
!10 = !{ptr @list, !"kernel", i32 1}
!11 = !{ptr @queue_of_locks, !"kernel", i32 1}
!12 = !{ptr @flag_in_memory, !"kernel", i32 1}
!13 = !{ptr @patient, !"kernel", i32 1}
!14 = !{ptr @patient_flag, !"kernel", i32 1}
!15 = !{ptr @counts_successes, !"kernel", i32 1}
!16 = !{ptr @watches, !"kernel", i32 1}
!17 = !{ptr @settled, !"kernel", i32 1}
!18 = !{ptr @exchanges, !"kernel", i32 1}
!19 = !{ptr @overwrites, !"kernel", i32 1}
!20 = !{ptr @looks_again, !"kernel", i32 1}
!21 = !{ptr @waits_for_flag, !"kernel", i32 1}
!22 = !{ptr @exchanges_in_rounds, !"kernel", i32 1}
