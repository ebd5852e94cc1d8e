; What holds for the lanes that are here need not hold for the others, nor for the first.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; CHECK: ; inner_guard.region.0: vectors
; CHECK: ; ways_out.region.0: vectors
; CHECK: ; bytes.region.0: vectors
; CHECK: ; distance.region.0: vectors
; CHECK: ; powers.region.0: vectors

; The inner condition would be assumed to hold for all lanes, were it not for the outer one.
define void @inner_guard(ptr %p, ptr %q, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %at = getelementptr i32, ptr %p, i64 %w
  %v = load i32, ptr %at
  %bit = and i32 %v, 1
  %odd = icmp eq i32 %bit, 1
  br i1 %odd, label %left, label %right
left:
  %big = icmp ugt i32 %v, 1000
  br i1 %big, label %inner, label %after
inner:
  %same = load i32, ptr %q
  br label %after
after:
  %s = phi i32 [ 0, %left ], [ %same, %inner ]
  %sw = zext i32 %s to i64
  %sat = getelementptr i32, ptr %p, i64 %sw
  %x = load i32, ptr %sat
  br label %end
right:
  %next = getelementptr i32, ptr %at, i64 1
  %y = load i32, ptr %next
  %yy = mul i32 %y, %v
  br label %end
end:
  %r = phi i32 [ %x, %after ], [ %yy, %right ]
  store i32 %r, ptr %at
  ret void
}
; CHECK-LABEL: define internal void @inner_guard.region.0
; CHECK: inner.lanes:
; CHECK: load i32, ptr %q
; CHECK: select <16 x i1> %{{.*}}, <16 x i32>
; CHECK: {{^}}inner.lanes
; CHECK: load i32, ptr %q
; CHECK: select <16 x i1> %{{.*}}, <16 x i32>

; A lane that stays in the loop may leave by a way that lies before the one the others took.
define void @ways_out(ptr %p, ptr %q, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %at = getelementptr i32, ptr %p, i64 %w
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %next, %again ]
  %full = icmp eq i32 %k, %n
  br i1 %full, label %first_way, label %again
again:
  %next = add i32 %k, 1
  %v = load i32, ptr %at
  %found = icmp eq i32 %v, %k
  br i1 %found, label %second_way, label %head
first_way:
  store i32 5, ptr %q
  br label %end
second_way:
  %to = getelementptr i32, ptr %q, i64 %w
  store i32 %k, ptr %to
  br label %end
end:
  %r = phi i32 [ 1, %first_way ], [ 2, %second_way ]
  store i32 %r, ptr %at
  ret void
}
; CHECK-LABEL: define internal void @ways_out.region.0
; CHECK: select <16 x i1> %second_way.mask.0, <16 x i32> <i32 2,

; Sixteen lanes go round a byte once or twice: nothing to assume.
define void @bytes(ptr %p, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %scaled = mul i32 %t, 18
  %sum = add i32 %scaled, %m
  %narrow = trunc i32 %sum to i8
  %byte = getelementptr i8, ptr %p, i64 %w
  %wide = sext i8 %narrow to i32
  %other = getelementptr i32, ptr %p, i64 %w
  %at = getelementptr i8, ptr %other, i64 4096
  store i8 %narrow, ptr %byte
  store i32 %wide, ptr %at
  ret void
}
; CHECK-LABEL: define internal void @bytes.region.0
; CHECK: sext <16 x i8> %{{.*}} to <16 x i32>

; Where t < m the difference wraps and nobody wants it.
define void @distance(ptr %p, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 0, ptr %p
  %w = zext i32 %t to i64
  %d = sub nuw i32 %t, %m
  %wide = zext i32 %d to i64
  %near = icmp ult i32 %t, %m
  %x = select i1 %near, i64 7, i64 %wide
  %at = getelementptr i64, ptr %p, i64 %w
  store i64 %x, ptr %at
  ret void
}
; CHECK-LABEL: define internal void @distance.region.0
; CHECK: vectors:
; CHECK: sub i32
; CHECK: zext <16 x i32> %{{.*}} to <16 x i64>

; There are no vectors of exponents.
define void @powers(ptr %p, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %at = getelementptr float, ptr %p, i64 %w
  %v = load float, ptr %at
  %same = call float @llvm.powi.f32.i32(float %v, i32 %m)
  %u = fadd float %v, %same
  %u2 = fmul float %u, %v
  %u3 = fadd float %u2, 1.0
  %u4 = fmul float %u3, %u2
  %u5 = fadd float %u4, %u3
  %u6 = fmul float %u5, %u4
  %u7 = fadd float %u6, %u5
  %e = and i32 %t, 7
  %own = call float @llvm.powi.f32.i32(float %u7, i32 %e)
  store float %own, ptr %at
  ret void
}
; CHECK-LABEL: define internal void @powers.region.0
; CHECK: call <16 x float> @llvm.powi.v16f32.i32(<16 x float> %{{.*}}, i32 %m
; CHECK: lane:
; CHECK: call float @llvm.powi.f32.i32(float %{{.*}}, i32 %{{.*}})

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.powi.f32.i32(float, i32)

!nvvm.annotations = !{!0, !1, !2, !3, !4}
!0 = !{ptr @inner_guard, !"kernel", i32 1}
!1 = !{ptr @ways_out, !"kernel", i32 1}
!2 = !{ptr @bytes, !"kernel", i32 1}
!3 = !{ptr @distance, !"kernel", i32 1}
!4 = !{ptr @powers, !"kernel", i32 1}
