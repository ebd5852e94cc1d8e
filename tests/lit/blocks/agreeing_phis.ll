; A phi that is the same number whichever way a thread came is that number, as LLVM's elimination of partial
; redundancies leaves them.
; RUN: %gridspan-lower %s -pass=agreeing-phis | FileCheck %s

; CHECK: ; same: changed
; CHECK: ; chain: changed
; CHECK: ; different: kept
; CHECK: ; loaded: kept
; CHECK: ; rounds: kept

; CHECK-LABEL: define void @same(
; CHECK: after:
; CHECK-NOT: phi
; Promises are those of both.
; CHECK-NEXT: %[[N:.*]] = zext i32 %t to i64
; CHECK-NEXT: getelementptr i32, ptr %a, i64 %[[N]]
define void @same(ptr %a, i32 %t) {
  %few = icmp ult i32 %t, 16
  br i1 %few, label %yes, label %no
yes:
  %n = zext nneg i32 %t to i64
  %p = getelementptr i32, ptr %a, i64 %n
  store i32 0, ptr %p
  br label %after
no:
  %m = zext i32 %t to i64
  br label %after
after:
  %i = phi i64 [ %n, %yes ], [ %m, %no ]
  %q = getelementptr i32, ptr %a, i64 %i
  store i32 1, ptr %q
  ret void
}

; CHECK-LABEL: define i64 @chain(
; CHECK: after:
; CHECK-NEXT: %[[N:.*]] = zext i32 %t to i64
; CHECK-NEXT: %[[I:.*]] = shl i64 %[[N]], 2
; CHECK-NEXT: ret i64 %[[I]]
define i64 @chain(i32 %t, i1 %way) {
  br i1 %way, label %yes, label %no
yes:
  %n = zext i32 %t to i64
  %n4 = shl nuw i64 %n, 2
  br label %after
no:
  %m = zext i32 %t to i64
  %m4 = shl nsw i64 %m, 2
  br label %after
after:
  %i = phi i64 [ %n4, %yes ], [ %m4, %no ]
  ret i64 %i
}

define i64 @different(i32 %t, i1 %way) {
  br i1 %way, label %yes, label %no
yes:
  %n = zext i32 %t to i64
  br label %after
no:
  %m = sext i32 %t to i64
  br label %after
after:
  %i = phi i64 [ %n, %yes ], [ %m, %no ]
  ret i64 %i
}

; Memory may change between, and a division may trap.
define i32 @loaded(ptr %a, i32 %t, i1 %way) {
  br i1 %way, label %yes, label %no
yes:
  %n = load i32, ptr %a
  %x = udiv i32 %t, %t
  br label %after
no:
  %m = load i32, ptr %a
  %y = udiv i32 %t, %t
  br label %after
after:
  %i = phi i32 [ %n, %yes ], [ %m, %no ]
  %j = phi i32 [ %x, %yes ], [ %y, %no ]
  %sum = add i32 %i, %j
  ret i32 %sum
}

; The number of the round before is another one.
define i32 @rounds(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %leave
leave:
  ret i32 %i
}
