; More numbers that all lanes share than half of the registers hold are loaded where a loop over vectors uses them,
; but for those used most, unless the loop may change them.
; RUN: %gridspan-lower %s -pass=sink-splats | FileCheck %s

; CHECK-LABEL: define void @many(
; CHECK: loop:
; CHECK-NOT: load float
; CHECK: fmul <4 x float> %{{.*}}, %s6
; CHECK: %[[W:.*]] = load float, ptr %p7
; CHECK: %[[I:.*]] = insertelement <4 x float> poison, float %[[W]], i64 0
; CHECK: %[[S:.*]] = shufflevector <4 x float> %[[I]]
; CHECK: fmul <4 x float> %{{.*}}, %[[S]]
; CHECK: load float, ptr %p8
; CHECK: fmul <4 x float> %{{.*}}, %s9
; CHECK: fmul <4 x float> %{{.*}}, %s9
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
  %twice = fmul <4 x float> %f9, %s9
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
  %to = getelementptr float, ptr %out, i64 %v
  store <4 x float> %f7, ptr %to
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
  %to = getelementptr float, ptr %s, i64 %v
  store <4 x float> %f9, ptr %to
  %next = add i64 %v, 4
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

