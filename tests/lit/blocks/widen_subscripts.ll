; Subscripts of 32 bits that go on by a step in each round of a loop become 64 bits wide.
; RUN: %gridspan-lower %s -pass=widen-subscripts | FileCheck %s

; CHECK: ; unsigned: changed
; CHECK: ; now_and_then: kept
; CHECK: ; of_a_local: kept

; sum += a[base + k * n], without sign
define float @unsigned(ptr %a, i32 %base, i32 %n, i32 %rounds) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %new, %loop ]
  %far = mul i32 %k, %n
  %i = add i32 %base, %far
  %wide = zext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  %u = load float, ptr %p
  %new = fadd float %sum, %u
  %next = add nuw i32 %k, 1
  %more = icmp ult i32 %next, %rounds
  br i1 %more, label %loop, label %leave
leave:
  ret float %new
}
; CHECK-LABEL: define float @unsigned(
; CHECK: %[[START:.*]] = zext i32 %base to i64
; CHECK: %[[STEP:.*]] = sext i32 %n to i64
; CHECK: loop:
; CHECK: %[[ROUND:.*]] = phi i64 [ %{{.*}}, %loop ], [ 0, %entry ]
; CHECK: %[[FAR:.*]] = mul i64 %[[STEP]], %[[ROUND]]
; CHECK: %[[I:.*]] = add i64 %[[START]], %[[FAR]]
; CHECK: getelementptr inbounds float, ptr %a, i64 %[[I]]

; In rounds between the subscript may be anything.
define float @now_and_then(ptr %a, ptr %flags, i32 %base, i32 %n, i32 %rounds) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi float [ 0.0, %entry ], [ %new, %latch ]
  %far = mul i32 %k, %n
  %i = add i32 %base, %far
  %wide = zext i32 %i to i64
  %wk = zext i32 %k to i64
  %pf = getelementptr inbounds i8, ptr %flags, i64 %wk
  %flag = load i1, ptr %pf
  br i1 %flag, label %read, label %latch
read:
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  %u = load float, ptr %p
  %sum2 = fadd float %sum, %u
  br label %latch
latch:
  %new = phi float [ %sum, %loop ], [ %sum2, %read ]
  %next = add nuw i32 %k, 1
  %more = icmp ult i32 %next, %rounds
  br i1 %more, label %loop, label %leave
leave:
  ret float %new
}

; Nobody knows how large it is.
define float @of_a_local(i32 %base, i32 %n, i32 %rounds) {
entry:
  %a = alloca [64 x float]
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %new, %loop ]
  %far = mul i32 %k, %n
  %i = add i32 %base, %far
  %wide = zext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %wide
  %u = load float, ptr %p
  %new = fadd float %sum, %u
  %next = add nuw i32 %k, 1
  %more = icmp ult i32 %next, %rounds
  br i1 %more, label %loop, label %leave
leave:
  ret float %new
}
