; Shifts, divisions and float-to-integer conversions get the meaning PTX gives them.
; RUN: %gridspan-lower %s -pass=hardware-semantics | FileCheck %s

; CHECK-LABEL: define i32 @shift_left
; CHECK: %[[OK:.*]] = icmp ult i32 %n, 32
; CHECK: %[[SAFE:.*]] = select i1 %[[OK]], i32 %n, i32 0
; CHECK: shl i32 %x, %[[SAFE]]
; CHECK: select i1 %[[OK]], i32 %{{.*}}, i32 0
define i32 @shift_left(i32 %x, i32 %n) {
  %r = shl nsw i32 %x, %n
  ret i32 %r
}

; A signed shift right keeps the sign: the amount saturates.
; CHECK-LABEL: define i64 @shift_sign
; CHECK: call i64 @llvm.umin.i64(i64 %n, i64 63)
; CHECK: ashr i64 %x
define i64 @shift_sign(i64 %x, i64 %n) {
  %r = ashr i64 %x, %n
  ret i64 %r
}

; CHECK-LABEL: define i32 @constant_shift
; CHECK-NEXT: shl i32 %x, 3
; CHECK-NEXT: ret
define i32 @constant_shift(i32 %x) {
  %r = shl i32 %x, 3
  ret i32 %r
}

; CHECK-LABEL: define i32 @divide
; CHECK-DAG: %[[ZERO:.*]] = icmp eq i32 %b, 0
; CHECK-DAG: %[[MINUS:.*]] = icmp eq i32 %b, -1
; CHECK: %[[DIVISOR:.*]] = select i1 %{{.*}}, i32 1, i32 %b
; CHECK: sdiv i32 %a, %[[DIVISOR]]
; CHECK: select i1 %[[MINUS]]
; CHECK: select i1 %[[ZERO]], i32 -1
define i32 @divide(i32 %a, i32 %b) {
  %r = sdiv i32 %a, %b
  ret i32 %r
}

; CHECK-LABEL: define i32 @remainder
; CHECK: %[[ZERO:.*]] = icmp eq i32 %b, 0
; CHECK: urem i32 %a, %{{.*}}
; CHECK: select i1 %[[ZERO]], i32 %a
define i32 @remainder(i32 %a, i32 %b) {
  %r = urem i32 %a, %b
  ret i32 %r
}

; CHECK-LABEL: define i32 @divide_by_seven
; CHECK-NEXT: sdiv i32 %a, 7
; CHECK-NEXT: ret
define i32 @divide_by_seven(i32 %a) {
  %r = sdiv i32 %a, 7
  ret i32 %r
}

; CHECK-LABEL: define i32 @to_int
; CHECK: call i32 @llvm.fptosi.sat.i32.f32(float %f)
define i32 @to_int(float %f) {
  %r = fptosi float %f to i32
  ret i32 %r
}

; Narrow results are the low bits of the 32-bit conversion.
; CHECK-LABEL: define i8 @to_char
; CHECK: %[[WIDE:.*]] = call i32 @llvm.fptoui.sat.i32.f64(double %f)
; CHECK: fcmp uno double %f, %f
; CHECK: %[[DEFINED:.*]] = select i1 %{{.*}}, i32 -2147483648, i32 %[[WIDE]]
; CHECK: trunc i32 %[[DEFINED]] to i8
define i8 @to_char(double %f) {
  %r = fptoui double %f to i8
  ret i8 %r
}
