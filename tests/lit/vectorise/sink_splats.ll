; More numbers that all lanes share than registers hold are loaded where a loop over vectors uses them, but for the
; sixteen used most, unless the loop may change them.
; RUN: %gridspan-lower %s -pass=sink-splats | FileCheck %s

; CHECK-LABEL: define void @many(
; CHECK: loop:
; CHECK-NOT: load float
; CHECK: fmul <4 x float> %{{.*}}, %s14
; CHECK: %[[W:.*]] = load float, ptr %p15
; CHECK: %[[I:.*]] = insertelement <4 x float> poison, float %[[W]], i64 0
; CHECK: %[[S:.*]] = shufflevector <4 x float> %[[I]]
; CHECK: fmul <4 x float> %{{.*}}, %[[S]]
; CHECK: load float, ptr %p16
; CHECK: fmul <4 x float> %{{.*}}, %s17
; CHECK: fmul <4 x float> %{{.*}}, %s17
define void @many(ptr noalias %s, ptr %a, ptr noalias %out, i64 %n) {
entry:
  %p0 = getelementptr float, ptr %s, i64 0
  %w0 = load float, ptr %p0
  %i0 = insertelement <4 x float> poison, float %w0, i64 0
  %s0 = shufflevector <4 x float> %i0, <4 x float> poison, <4 x i32> zeroinitializer
  %p1 = getelementptr float, ptr %s, i64 1
  %w1 = load float, ptr %p1
  %i1 = insertelement <4 x float> poison, float %w1, i64 0
  %s1 = shufflevector <4 x float> %i1, <4 x float> poison, <4 x i32> zeroinitializer
  %p2 = getelementptr float, ptr %s, i64 2
  %w2 = load float, ptr %p2
  %i2 = insertelement <4 x float> poison, float %w2, i64 0
  %s2 = shufflevector <4 x float> %i2, <4 x float> poison, <4 x i32> zeroinitializer
  %p3 = getelementptr float, ptr %s, i64 3
  %w3 = load float, ptr %p3
  %i3 = insertelement <4 x float> poison, float %w3, i64 0
  %s3 = shufflevector <4 x float> %i3, <4 x float> poison, <4 x i32> zeroinitializer
  %p4 = getelementptr float, ptr %s, i64 4
  %w4 = load float, ptr %p4
  %i4 = insertelement <4 x float> poison, float %w4, i64 0
  %s4 = shufflevector <4 x float> %i4, <4 x float> poison, <4 x i32> zeroinitializer
  %p5 = getelementptr float, ptr %s, i64 5
  %w5 = load float, ptr %p5
  %i5 = insertelement <4 x float> poison, float %w5, i64 0
  %s5 = shufflevector <4 x float> %i5, <4 x float> poison, <4 x i32> zeroinitializer
  %p6 = getelementptr float, ptr %s, i64 6
  %w6 = load float, ptr %p6
  %i6 = insertelement <4 x float> poison, float %w6, i64 0
  %s6 = shufflevector <4 x float> %i6, <4 x float> poison, <4 x i32> zeroinitializer
  %p7 = getelementptr float, ptr %s, i64 7
  %w7 = load float, ptr %p7
  %i7 = insertelement <4 x float> poison, float %w7, i64 0
  %s7 = shufflevector <4 x float> %i7, <4 x float> poison, <4 x i32> zeroinitializer
  %p8 = getelementptr float, ptr %s, i64 8
  %w8 = load float, ptr %p8
  %i8 = insertelement <4 x float> poison, float %w8, i64 0
  %s8 = shufflevector <4 x float> %i8, <4 x float> poison, <4 x i32> zeroinitializer
  %p9 = getelementptr float, ptr %s, i64 9
  %w9 = load float, ptr %p9
  %i9 = insertelement <4 x float> poison, float %w9, i64 0
  %s9 = shufflevector <4 x float> %i9, <4 x float> poison, <4 x i32> zeroinitializer
  %p10 = getelementptr float, ptr %s, i64 10
  %w10 = load float, ptr %p10
  %i10 = insertelement <4 x float> poison, float %w10, i64 0
  %s10 = shufflevector <4 x float> %i10, <4 x float> poison, <4 x i32> zeroinitializer
  %p11 = getelementptr float, ptr %s, i64 11
  %w11 = load float, ptr %p11
  %i11 = insertelement <4 x float> poison, float %w11, i64 0
  %s11 = shufflevector <4 x float> %i11, <4 x float> poison, <4 x i32> zeroinitializer
  %p12 = getelementptr float, ptr %s, i64 12
  %w12 = load float, ptr %p12
  %i12 = insertelement <4 x float> poison, float %w12, i64 0
  %s12 = shufflevector <4 x float> %i12, <4 x float> poison, <4 x i32> zeroinitializer
  %p13 = getelementptr float, ptr %s, i64 13
  %w13 = load float, ptr %p13
  %i13 = insertelement <4 x float> poison, float %w13, i64 0
  %s13 = shufflevector <4 x float> %i13, <4 x float> poison, <4 x i32> zeroinitializer
  %p14 = getelementptr float, ptr %s, i64 14
  %w14 = load float, ptr %p14
  %i14 = insertelement <4 x float> poison, float %w14, i64 0
  %s14 = shufflevector <4 x float> %i14, <4 x float> poison, <4 x i32> zeroinitializer
  %p15 = getelementptr float, ptr %s, i64 15
  %w15 = load float, ptr %p15
  %i15 = insertelement <4 x float> poison, float %w15, i64 0
  %s15 = shufflevector <4 x float> %i15, <4 x float> poison, <4 x i32> zeroinitializer
  %p16 = getelementptr float, ptr %s, i64 16
  %w16 = load float, ptr %p16
  %i16 = insertelement <4 x float> poison, float %w16, i64 0
  %s16 = shufflevector <4 x float> %i16, <4 x float> poison, <4 x i32> zeroinitializer
  %p17 = getelementptr float, ptr %s, i64 17
  %w17 = load float, ptr %p17
  %i17 = insertelement <4 x float> poison, float %w17, i64 0
  %s17 = shufflevector <4 x float> %i17, <4 x float> poison, <4 x i32> zeroinitializer
  br label %loop
loop:
  %v = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %a, i64 %v
  %x = load <4 x float>, ptr %at
  %f0 = fmul <4 x float> %x, %s0
  %f1 = fmul <4 x float> %f0, %s1
  %f2 = fmul <4 x float> %f1, %s2
  %f3 = fmul <4 x float> %f2, %s3
  %f4 = fmul <4 x float> %f3, %s4
  %f5 = fmul <4 x float> %f4, %s5
  %f6 = fmul <4 x float> %f5, %s6
  %f7 = fmul <4 x float> %f6, %s7
  %f8 = fmul <4 x float> %f7, %s8
  %f9 = fmul <4 x float> %f8, %s9
  %f10 = fmul <4 x float> %f9, %s10
  %f11 = fmul <4 x float> %f10, %s11
  %f12 = fmul <4 x float> %f11, %s12
  %f13 = fmul <4 x float> %f12, %s13
  %f14 = fmul <4 x float> %f13, %s14
  %f15 = fmul <4 x float> %f14, %s15
  %f16 = fmul <4 x float> %f15, %s16
  %f17 = fmul <4 x float> %f16, %s17
  %twice = fmul <4 x float> %f17, %s17
  %to = getelementptr float, ptr %out, i64 %v
  store <4 x float> %twice, ptr %to
  %next = add i64 %v, 4
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define void @few(
; CHECK: loop:
; CHECK-NOT: load float
define void @few(ptr noalias %s, ptr %a, ptr noalias %out, i64 %n) {
entry:
  %p0 = getelementptr float, ptr %s, i64 0
  %w0 = load float, ptr %p0
  %i0 = insertelement <4 x float> poison, float %w0, i64 0
  %s0 = shufflevector <4 x float> %i0, <4 x float> poison, <4 x i32> zeroinitializer
  %p1 = getelementptr float, ptr %s, i64 1
  %w1 = load float, ptr %p1
  %i1 = insertelement <4 x float> poison, float %w1, i64 0
  %s1 = shufflevector <4 x float> %i1, <4 x float> poison, <4 x i32> zeroinitializer
  %p2 = getelementptr float, ptr %s, i64 2
  %w2 = load float, ptr %p2
  %i2 = insertelement <4 x float> poison, float %w2, i64 0
  %s2 = shufflevector <4 x float> %i2, <4 x float> poison, <4 x i32> zeroinitializer
  %p3 = getelementptr float, ptr %s, i64 3
  %w3 = load float, ptr %p3
  %i3 = insertelement <4 x float> poison, float %w3, i64 0
  %s3 = shufflevector <4 x float> %i3, <4 x float> poison, <4 x i32> zeroinitializer
  %p4 = getelementptr float, ptr %s, i64 4
  %w4 = load float, ptr %p4
  %i4 = insertelement <4 x float> poison, float %w4, i64 0
  %s4 = shufflevector <4 x float> %i4, <4 x float> poison, <4 x i32> zeroinitializer
  %p5 = getelementptr float, ptr %s, i64 5
  %w5 = load float, ptr %p5
  %i5 = insertelement <4 x float> poison, float %w5, i64 0
  %s5 = shufflevector <4 x float> %i5, <4 x float> poison, <4 x i32> zeroinitializer
  %p6 = getelementptr float, ptr %s, i64 6
  %w6 = load float, ptr %p6
  %i6 = insertelement <4 x float> poison, float %w6, i64 0
  %s6 = shufflevector <4 x float> %i6, <4 x float> poison, <4 x i32> zeroinitializer
  %p7 = getelementptr float, ptr %s, i64 7
  %w7 = load float, ptr %p7
  %i7 = insertelement <4 x float> poison, float %w7, i64 0
  %s7 = shufflevector <4 x float> %i7, <4 x float> poison, <4 x i32> zeroinitializer
  %p8 = getelementptr float, ptr %s, i64 8
  %w8 = load float, ptr %p8
  %i8 = insertelement <4 x float> poison, float %w8, i64 0
  %s8 = shufflevector <4 x float> %i8, <4 x float> poison, <4 x i32> zeroinitializer
  %p9 = getelementptr float, ptr %s, i64 9
  %w9 = load float, ptr %p9
  %i9 = insertelement <4 x float> poison, float %w9, i64 0
  %s9 = shufflevector <4 x float> %i9, <4 x float> poison, <4 x i32> zeroinitializer
  %p10 = getelementptr float, ptr %s, i64 10
  %w10 = load float, ptr %p10
  %i10 = insertelement <4 x float> poison, float %w10, i64 0
  %s10 = shufflevector <4 x float> %i10, <4 x float> poison, <4 x i32> zeroinitializer
  %p11 = getelementptr float, ptr %s, i64 11
  %w11 = load float, ptr %p11
  %i11 = insertelement <4 x float> poison, float %w11, i64 0
  %s11 = shufflevector <4 x float> %i11, <4 x float> poison, <4 x i32> zeroinitializer
  %p12 = getelementptr float, ptr %s, i64 12
  %w12 = load float, ptr %p12
  %i12 = insertelement <4 x float> poison, float %w12, i64 0
  %s12 = shufflevector <4 x float> %i12, <4 x float> poison, <4 x i32> zeroinitializer
  %p13 = getelementptr float, ptr %s, i64 13
  %w13 = load float, ptr %p13
  %i13 = insertelement <4 x float> poison, float %w13, i64 0
  %s13 = shufflevector <4 x float> %i13, <4 x float> poison, <4 x i32> zeroinitializer
  %p14 = getelementptr float, ptr %s, i64 14
  %w14 = load float, ptr %p14
  %i14 = insertelement <4 x float> poison, float %w14, i64 0
  %s14 = shufflevector <4 x float> %i14, <4 x float> poison, <4 x i32> zeroinitializer
  %p15 = getelementptr float, ptr %s, i64 15
  %w15 = load float, ptr %p15
  %i15 = insertelement <4 x float> poison, float %w15, i64 0
  %s15 = shufflevector <4 x float> %i15, <4 x float> poison, <4 x i32> zeroinitializer
  br label %loop
loop:
  %v = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %a, i64 %v
  %x = load <4 x float>, ptr %at
  %f0 = fmul <4 x float> %x, %s0
  %f1 = fmul <4 x float> %f0, %s1
  %f2 = fmul <4 x float> %f1, %s2
  %f3 = fmul <4 x float> %f2, %s3
  %f4 = fmul <4 x float> %f3, %s4
  %f5 = fmul <4 x float> %f4, %s5
  %f6 = fmul <4 x float> %f5, %s6
  %f7 = fmul <4 x float> %f6, %s7
  %f8 = fmul <4 x float> %f7, %s8
  %f9 = fmul <4 x float> %f8, %s9
  %f10 = fmul <4 x float> %f9, %s10
  %f11 = fmul <4 x float> %f10, %s11
  %f12 = fmul <4 x float> %f11, %s12
  %f13 = fmul <4 x float> %f12, %s13
  %f14 = fmul <4 x float> %f13, %s14
  %f15 = fmul <4 x float> %f14, %s15
  %to = getelementptr float, ptr %out, i64 %v
  store <4 x float> %f15, ptr %to
  %next = add i64 %v, 4
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; What the loop stores may be what it loads.
; CHECK-LABEL: define void @changing(
; CHECK: loop:
; CHECK-NOT: load float
define void @changing(ptr noalias %s, ptr %a, ptr noalias %out, i64 %n) {
entry:
  %p0 = getelementptr float, ptr %s, i64 0
  %w0 = load float, ptr %p0
  %i0 = insertelement <4 x float> poison, float %w0, i64 0
  %s0 = shufflevector <4 x float> %i0, <4 x float> poison, <4 x i32> zeroinitializer
  %p1 = getelementptr float, ptr %s, i64 1
  %w1 = load float, ptr %p1
  %i1 = insertelement <4 x float> poison, float %w1, i64 0
  %s1 = shufflevector <4 x float> %i1, <4 x float> poison, <4 x i32> zeroinitializer
  %p2 = getelementptr float, ptr %s, i64 2
  %w2 = load float, ptr %p2
  %i2 = insertelement <4 x float> poison, float %w2, i64 0
  %s2 = shufflevector <4 x float> %i2, <4 x float> poison, <4 x i32> zeroinitializer
  %p3 = getelementptr float, ptr %s, i64 3
  %w3 = load float, ptr %p3
  %i3 = insertelement <4 x float> poison, float %w3, i64 0
  %s3 = shufflevector <4 x float> %i3, <4 x float> poison, <4 x i32> zeroinitializer
  %p4 = getelementptr float, ptr %s, i64 4
  %w4 = load float, ptr %p4
  %i4 = insertelement <4 x float> poison, float %w4, i64 0
  %s4 = shufflevector <4 x float> %i4, <4 x float> poison, <4 x i32> zeroinitializer
  %p5 = getelementptr float, ptr %s, i64 5
  %w5 = load float, ptr %p5
  %i5 = insertelement <4 x float> poison, float %w5, i64 0
  %s5 = shufflevector <4 x float> %i5, <4 x float> poison, <4 x i32> zeroinitializer
  %p6 = getelementptr float, ptr %s, i64 6
  %w6 = load float, ptr %p6
  %i6 = insertelement <4 x float> poison, float %w6, i64 0
  %s6 = shufflevector <4 x float> %i6, <4 x float> poison, <4 x i32> zeroinitializer
  %p7 = getelementptr float, ptr %s, i64 7
  %w7 = load float, ptr %p7
  %i7 = insertelement <4 x float> poison, float %w7, i64 0
  %s7 = shufflevector <4 x float> %i7, <4 x float> poison, <4 x i32> zeroinitializer
  %p8 = getelementptr float, ptr %s, i64 8
  %w8 = load float, ptr %p8
  %i8 = insertelement <4 x float> poison, float %w8, i64 0
  %s8 = shufflevector <4 x float> %i8, <4 x float> poison, <4 x i32> zeroinitializer
  %p9 = getelementptr float, ptr %s, i64 9
  %w9 = load float, ptr %p9
  %i9 = insertelement <4 x float> poison, float %w9, i64 0
  %s9 = shufflevector <4 x float> %i9, <4 x float> poison, <4 x i32> zeroinitializer
  %p10 = getelementptr float, ptr %s, i64 10
  %w10 = load float, ptr %p10
  %i10 = insertelement <4 x float> poison, float %w10, i64 0
  %s10 = shufflevector <4 x float> %i10, <4 x float> poison, <4 x i32> zeroinitializer
  %p11 = getelementptr float, ptr %s, i64 11
  %w11 = load float, ptr %p11
  %i11 = insertelement <4 x float> poison, float %w11, i64 0
  %s11 = shufflevector <4 x float> %i11, <4 x float> poison, <4 x i32> zeroinitializer
  %p12 = getelementptr float, ptr %s, i64 12
  %w12 = load float, ptr %p12
  %i12 = insertelement <4 x float> poison, float %w12, i64 0
  %s12 = shufflevector <4 x float> %i12, <4 x float> poison, <4 x i32> zeroinitializer
  %p13 = getelementptr float, ptr %s, i64 13
  %w13 = load float, ptr %p13
  %i13 = insertelement <4 x float> poison, float %w13, i64 0
  %s13 = shufflevector <4 x float> %i13, <4 x float> poison, <4 x i32> zeroinitializer
  %p14 = getelementptr float, ptr %s, i64 14
  %w14 = load float, ptr %p14
  %i14 = insertelement <4 x float> poison, float %w14, i64 0
  %s14 = shufflevector <4 x float> %i14, <4 x float> poison, <4 x i32> zeroinitializer
  %p15 = getelementptr float, ptr %s, i64 15
  %w15 = load float, ptr %p15
  %i15 = insertelement <4 x float> poison, float %w15, i64 0
  %s15 = shufflevector <4 x float> %i15, <4 x float> poison, <4 x i32> zeroinitializer
  %p16 = getelementptr float, ptr %s, i64 16
  %w16 = load float, ptr %p16
  %i16 = insertelement <4 x float> poison, float %w16, i64 0
  %s16 = shufflevector <4 x float> %i16, <4 x float> poison, <4 x i32> zeroinitializer
  %p17 = getelementptr float, ptr %s, i64 17
  %w17 = load float, ptr %p17
  %i17 = insertelement <4 x float> poison, float %w17, i64 0
  %s17 = shufflevector <4 x float> %i17, <4 x float> poison, <4 x i32> zeroinitializer
  br label %loop
loop:
  %v = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %a, i64 %v
  %x = load <4 x float>, ptr %at
  %f0 = fmul <4 x float> %x, %s0
  %f1 = fmul <4 x float> %f0, %s1
  %f2 = fmul <4 x float> %f1, %s2
  %f3 = fmul <4 x float> %f2, %s3
  %f4 = fmul <4 x float> %f3, %s4
  %f5 = fmul <4 x float> %f4, %s5
  %f6 = fmul <4 x float> %f5, %s6
  %f7 = fmul <4 x float> %f6, %s7
  %f8 = fmul <4 x float> %f7, %s8
  %f9 = fmul <4 x float> %f8, %s9
  %f10 = fmul <4 x float> %f9, %s10
  %f11 = fmul <4 x float> %f10, %s11
  %f12 = fmul <4 x float> %f11, %s12
  %f13 = fmul <4 x float> %f12, %s13
  %f14 = fmul <4 x float> %f13, %s14
  %f15 = fmul <4 x float> %f14, %s15
  %f16 = fmul <4 x float> %f15, %s16
  %f17 = fmul <4 x float> %f16, %s17
  %to = getelementptr float, ptr %s, i64 %v
  store <4 x float> %f17, ptr %to
  %next = add i64 %v, 4
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

