; Two loops become one where the inner one's rounds go on in the next round of the outer one.
; RUN: %gridspan-lower %s -pass=flatten | FileCheck %s

; CHECK: ; goes_on: changed
; CHECK: ; starts_over: kept
; CHECK: ; other_step: kept
; CHECK: ; reads_outside: kept
; CHECK: ; unknown_count: kept
; CHECK: ; weighted: kept
; CHECK: ; whole_numbers: changed

; sum += a[m * 16 + k]
define float @goes_on(ptr %a, i64 %rounds) {
entry:
  br label %outer
outer:
  %m = phi i64 [ 0, %entry ], [ %next_m, %latch ]
  %before = phi float [ 0.0, %entry ], [ %new, %latch ]
  %first = shl i64 %m, 4
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %next, %inner ]
  %sum = phi float [ %before, %outer ], [ %new, %inner ]
  %wide = zext i32 %k to i64
  %i = add nuw i64 %first, %wide
  %p = getelementptr inbounds float, ptr %a, i64 %i
  %u = load float, ptr %p
  %new = fadd float %sum, %u
  %next = add nuw nsw i32 %k, 1
  %more = icmp ne i32 %next, 16
  br i1 %more, label %inner, label %latch
latch:
  %next_m = add nuw nsw i64 %m, 1
  %again = icmp ult i64 %next_m, %rounds
  br i1 %again, label %outer, label %leave
leave:
  ret float %new
}
; The counter of 32 bits may wrap now.
; CHECK-LABEL: define float @goes_on(
; CHECK: %[[ALL:.*]] = shl i64 %{{.*}}, 4
; CHECK: inner:
; CHECK: %round = phi i64 [ 0, %outer ], [ %[[NEXT:.*]], %inner ]
; CHECK: add i32 %k, 1
; CHECK: %[[NEXT]] = add nuw nsw i64 %round, 1
; CHECK: icmp ne i64 %[[NEXT]], %[[ALL]]
; CHECK: latch:
; CHECK: br i1 false, label %outer, label %leave

; Each round of the outer loop begins at 0 again.
define float @starts_over(ptr %a, i64 %rounds) {
entry:
  br label %outer
outer:
  %m = phi i64 [ 0, %entry ], [ %next_m, %latch ]
  %before = phi float [ 0.0, %entry ], [ %new, %latch ]
  br label %inner
inner:
  %k = phi i64 [ 0, %outer ], [ %next, %inner ]
  %sum = phi float [ %before, %outer ], [ %new, %inner ]
  %p = getelementptr inbounds float, ptr %a, i64 %k
  %u = load float, ptr %p
  %new = fadd float %sum, %u
  %next = add nuw nsw i64 %k, 1
  %more = icmp ne i64 %next, 16
  br i1 %more, label %inner, label %latch
latch:
  %next_m = add nuw nsw i64 %m, 1
  %again = icmp ult i64 %next_m, %rounds
  br i1 %again, label %outer, label %leave
leave:
  ret float %new
}

; m * 17 + k
define float @other_step(ptr %a, i64 %rounds) {
entry:
  br label %outer
outer:
  %m = phi i64 [ 0, %entry ], [ %next_m, %latch ]
  %before = phi float [ 0.0, %entry ], [ %new, %latch ]
  %first = mul i64 %m, 17
  br label %inner
inner:
  %k = phi i64 [ 0, %outer ], [ %next, %inner ]
  %sum = phi float [ %before, %outer ], [ %new, %inner ]
  %i = add i64 %first, %k
  %p = getelementptr inbounds float, ptr %a, i64 %i
  %u = load float, ptr %p
  %new = fadd float %sum, %u
  %next = add nuw nsw i64 %k, 1
  %more = icmp ne i64 %next, 16
  br i1 %more, label %inner, label %latch
latch:
  %next_m = add nuw nsw i64 %m, 1
  %again = icmp ult i64 %next_m, %rounds
  br i1 %again, label %outer, label %leave
leave:
  ret float %new
}

; The outer loop has something to do itself.
define float @reads_outside(ptr %a, ptr %b, i64 %rounds) {
entry:
  br label %outer
outer:
  %m = phi i64 [ 0, %entry ], [ %next_m, %latch ]
  %before = phi float [ 0.0, %entry ], [ %new, %latch ]
  %first = shl i64 %m, 4
  %f = load float, ptr %b
  br label %inner
inner:
  %k = phi i64 [ 0, %outer ], [ %next, %inner ]
  %sum = phi float [ %before, %outer ], [ %new, %inner ]
  %i = add i64 %first, %k
  %p = getelementptr inbounds float, ptr %a, i64 %i
  %u = load float, ptr %p
  %v = fmul float %u, %f
  %new = fadd float %sum, %v
  %next = add nuw nsw i64 %k, 1
  %more = icmp ne i64 %next, 16
  br i1 %more, label %inner, label %latch
latch:
  %next_m = add nuw nsw i64 %m, 1
  %again = icmp ult i64 %next_m, %rounds
  br i1 %again, label %outer, label %leave
leave:
  ret float %new
}

define float @unknown_count(ptr %a, i64 %rounds, i64 %n) {
entry:
  br label %outer
outer:
  %m = phi i64 [ 0, %entry ], [ %next_m, %latch ]
  %before = phi float [ 0.0, %entry ], [ %new, %latch ]
  %first = mul i64 %m, %n
  br label %inner
inner:
  %k = phi i64 [ 0, %outer ], [ %next, %inner ]
  %sum = phi float [ %before, %outer ], [ %new, %inner ]
  %i = add i64 %first, %k
  %p = getelementptr inbounds float, ptr %a, i64 %i
  %u = load float, ptr %p
  %new = fadd float %sum, %u
  %next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %inner, label %latch
latch:
  %next_m = add nuw nsw i64 %m, 1
  %again = icmp ult i64 %next_m, %rounds
  br i1 %again, label %outer, label %leave
leave:
  ret float %new
}

; sum += a[m * 16 + k] * (k + 1), in whole numbers: the weight begins at 1 again.
define i32 @weighted(ptr %a, i64 %rounds) {
entry:
  br label %outer
outer:
  %m = phi i64 [ 0, %entry ], [ %next_m, %latch ]
  %before = phi i32 [ 0, %entry ], [ %new, %latch ]
  %first = shl i64 %m, 4
  br label %inner
inner:
  %k = phi i64 [ 0, %outer ], [ %next, %inner ]
  %sum = phi i32 [ %before, %outer ], [ %new, %inner ]
  %i = add i64 %first, %k
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  %u = load i32, ptr %p
  %next = add nuw nsw i64 %k, 1
  %weight = trunc i64 %next to i32
  %v = mul i32 %u, %weight
  %new = add i32 %sum, %v
  %more = icmp ne i64 %next, 16
  br i1 %more, label %inner, label %latch
latch:
  %next_m = add nuw nsw i64 %m, 1
  %again = icmp ult i64 %next_m, %rounds
  br i1 %again, label %outer, label %leave
leave:
  ret i32 %new
}

define i32 @whole_numbers(ptr %a, i64 %rounds) {
entry:
  br label %outer
outer:
  %m = phi i64 [ 0, %entry ], [ %next_m, %latch ]
  %before = phi i32 [ 0, %entry ], [ %new, %latch ]
  %first = shl i64 %m, 4
  br label %inner
inner:
  %k = phi i64 [ 0, %outer ], [ %next, %inner ]
  %sum = phi i32 [ %before, %outer ], [ %new, %inner ]
  %i = add i64 %first, %k
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  %u = load i32, ptr %p
  %new = add i32 %sum, %u
  %next = add nuw nsw i64 %k, 1
  %more = icmp ne i64 %next, 16
  br i1 %more, label %inner, label %latch
latch:
  %next_m = add nuw nsw i64 %m, 1
  %again = icmp ult i64 %next_m, %rounds
  br i1 %again, label %outer, label %leave
leave:
  ret i32 %new
}
