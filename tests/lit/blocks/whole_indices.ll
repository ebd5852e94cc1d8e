; Sums in which a quotient and its remainder meet again become the number that was divided.
; RUN: %gridspan-lower %s -pass=whole-indices | FileCheck %s

; CHECK: ; plain: changed
; CHECK: ; guarded: changed
; CHECK: ; unsigned: changed
; CHECK: ; widened: changed
; CHECK: ; digits: changed
; CHECK: ; constants: changed
; CHECK: ; other_divisor: kept
; CHECK: ; other_factor: kept
; CHECK: ; other_sign: kept
; CHECK: ; unguarded_quotient: kept

; CHECK-LABEL: define i32 @plain(
; CHECK-NEXT: %[[R:.*]] = add nsw i32 %i, 1
; CHECK-NEXT: ret i32 %[[R]]
define i32 @plain(i32 %i, i32 %n) {
  %x = srem i32 %i, %n
  %y = sdiv i32 %i, %n
  %right = add nsw i32 %x, 1
  %row = mul nsw i32 %y, %n
  %sum = add nsw i32 %right, %row
  ret i32 %sum
}

; As hardware-semantics and LLVM leave divisions. (x - 1) + (y + 1) * n: it may wrap.
; CHECK-LABEL: define i32 @guarded(
; CHECK: %[[S:.*]] = add i32 %{{.*}}, %{{.*}}
; CHECK-NOT: mul
; CHECK: ret i32
define i32 @guarded(i32 %i, i32 %n) {
  %zero = icmp eq i32 %n, 0
  %minus = icmp eq i32 %n, -1
  %next = add i32 %n, 1
  %either = icmp ult i32 %next, 2
  %safe = select i1 %either, i32 1, i32 %n
  %rem = srem i32 %i, %safe
  %x = select i1 %zero, i32 %i, i32 %rem
  %div = sdiv i32 %i, %safe
  %negative = sub i32 0, %i
  %signed = select i1 %minus, i32 %negative, i32 %div
  %y = select i1 %zero, i32 -1, i32 %signed
  %left = add i32 %x, -1
  %below = add i32 %y, 1
  %row = mul i32 %n, %below
  %sum = add i32 %row, %left
  ret i32 %sum
}

; CHECK-LABEL: define i32 @unsigned(
; CHECK-NEXT: ret i32 %i
define i32 @unsigned(i32 %i, i32 %n) {
  %zero = icmp eq i32 %n, 0
  %safe = call i32 @llvm.umax.i32(i32 %n, i32 1)
  %rem = urem i32 %i, %safe
  %x = select i1 %zero, i32 %i, i32 %rem
  %div = udiv i32 %i, %safe
  %y = select i1 %zero, i32 -1, i32 %div
  %row = mul i32 %y, %n
  %sum = add i32 %x, %row
  ret i32 %sum
}

; CHECK-LABEL: define i64 @widened(
; CHECK-NEXT: %[[W:.*]] = sext i32 %i to i64
; CHECK-NEXT: ret i64 %[[W]]
define i64 @widened(i32 %i, i32 %n) {
  %x = srem i32 %i, %n
  %y = sdiv i32 %i, %n
  %wx = sext i32 %x to i64
  %wy = sext i32 %y to i64
  %wn = sext i32 %n to i64
  %row = mul nsw i64 %wy, %wn
  %sum = add nsw i64 %row, %wx
  ret i64 %sum
}

; (z * h + y) * w + x
; CHECK-LABEL: define i32 @digits(
; CHECK-NEXT: ret i32 %i
define i32 @digits(i32 %i, i32 %h, i32 %w) {
  %x = urem i32 %i, %w
  %rows = udiv i32 %i, %w
  %y = urem i32 %rows, %h
  %z = udiv i32 %rows, %h
  %zh = mul i32 %z, %h
  %zy = add i32 %zh, %y
  %zyw = mul i32 %zy, %w
  %sum = add i32 %zyw, %x
  ret i32 %sum
}

; CHECK-LABEL: define i32 @constants(
; CHECK-NEXT: %[[T:.*]] = mul i32 %i, 4
; CHECK-NEXT: ret i32 %[[T]]
define i32 @constants(i32 %i) {
  %x = srem i32 %i, 12
  %y = sdiv i32 %i, 12
  %bytes = shl i32 %x, 2
  %row = mul i32 %y, 48
  %sum = add i32 %bytes, %row
  ret i32 %sum
}

define i32 @other_divisor(i32 %i, i32 %n, i32 %m) {
  %x = srem i32 %i, %n
  %y = sdiv i32 %i, %m
  %row = mul i32 %y, %n
  %sum = add i32 %x, %row
  ret i32 %sum
}
define i32 @other_factor(i32 %i, i32 %n, i32 %m) {
  %x = srem i32 %i, %n
  %y = sdiv i32 %i, %n
  %row = mul i32 %y, %m
  %sum = add i32 %x, %row
  ret i32 %sum
}
define i32 @other_sign(i32 %i, i32 %n) {
  %x = srem i32 %i, %n
  %y = udiv i32 %i, %n
  %row = mul i32 %y, %n
  %sum = add i32 %x, %row
  ret i32 %sum
}
; For n = -1 it is i - n rather than i.
define i32 @unguarded_quotient(i32 %i, i32 %n) {
  %zero = icmp eq i32 %n, 0
  %next = add i32 %n, 1
  %either = icmp ult i32 %next, 2
  %safe = select i1 %either, i32 1, i32 %n
  %rem = srem i32 %i, %safe
  %x = select i1 %zero, i32 %i, i32 %rem
  %div = sdiv i32 %i, %safe
  %row = mul i32 %div, %n
  %sum = add i32 %x, %row
  ret i32 %sum
}
declare i32 @llvm.umax.i32(i32, i32)
