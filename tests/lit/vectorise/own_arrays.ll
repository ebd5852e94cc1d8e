; Arrays of each thread's own: lanes have their copies side by side. What all lanes read at one subscript is a vector, else
; they gather; fills are masked where not all lanes are there; small elements have 32 bits.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; CHECK: ; counts.region.0: vectors
; CHECK: ; bytes.region.0: vectors
; CHECK: ; large.region.0: an array of each thread's own that is large
; CHECK: ; kept.region.0: private memory whose address is passed on
; CHECK: ; handed_on.region.0: vectors
; CHECK: ; parts.region.0: vectors
; CHECK: ; odd.region.0: an array of each thread's own that is large, or not made of numbers

; CHECK-LABEL: define internal void @counts.region.0
; CHECK: alloca [208 x i32], align 64
; CHECK: vectors:
; The rest of a row fills its lanes'.
; CHECK: %[[NUMBER:.*]] = mul i64 %{{.*}}, 16
; CHECK: %[[FILLED:.*]] = getelementptr i32, ptr %[[OWN:.*]], i64 %[[NUMBER]]
; CHECK: call void @llvm.masked.store.v16i32.p0(<16 x i32> zeroinitializer, ptr %[[FILLED]]
; CHECK: store <16 x i32> zeroinitializer, ptr
; Each lane's own subscript, and the third of all lanes.
; CHECK: %[[SPREAD:.*]] = mul <16 x i64> %{{.*}}, {{.*}}16
; CHECK: %[[MINE:.*]] = getelementptr i8, ptr %[[OWN]], <16 x i64> <i64 0, i64 4, i64 8,
; CHECK: getelementptr i32, <16 x ptr> %[[MINE]], <16 x i64> %[[SPREAD]]
; CHECK: call <16 x i32> @llvm.masked.gather
; CHECK: call void @llvm.masked.scatter
; CHECK: %[[THIRD:.*]] = getelementptr i32, ptr %[[OWN]], i64 32
; CHECK: load <16 x i32>, ptr %[[THIRD]]
define void @counts(ptr %in, ptr %out) {
  %own = alloca [13 x i32]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @llvm.memset.p0.i64(ptr %own, i8 0, i64 52, i1 false)
  %a = getelementptr i32, ptr %in, i32 %t
  %i = load i32, ptr %a
  %at = getelementptr [13 x i32], ptr %own, i64 0, i32 %i
  %old = load i32, ptr %at
  %new = add i32 %old, 1
  store i32 %new, ptr %at
  %third = getelementptr i8, ptr %own, i64 8
  %seen = load i32, ptr %third
  %b = getelementptr i32, ptr %out, i32 %t
  store i32 %seen, ptr %b
  ret void
}

; CHECK-LABEL: define internal void @bytes.region.0
; CHECK: alloca [128 x i32]
; CHECK: %[[WORD:.*]] = zext <16 x i8> %{{.*}} to <16 x i32>
; CHECK: call void @llvm.masked.scatter.v16i32.v16p0(<16 x i32> %[[WORD]],
; CHECK: trunc <16 x i32> %{{.*}} to <16 x i8>
define void @bytes(ptr %in, ptr %out) {
  %own = alloca [8 x i8]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr %in, i32 %t
  %i = load i32, ptr %a
  %value = trunc i32 %t to i8
  %at = getelementptr i8, ptr %own, i32 %i
  store i8 %value, ptr %at
  %first = load i8, ptr %own
  %wide = zext i8 %first to i32
  %b = getelementptr i32, ptr %out, i32 %t
  store i32 %wide, ptr %b
  ret void
}

; 2064 bytes are 8256 where each has 32 bits.
define void @large(ptr %in, ptr %out) {
  %own = alloca [2064 x i8]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr %in, i32 %t
  %i = load i32, ptr %a
  %value = trunc i32 %t to i8
  %at = getelementptr i8, ptr %own, i32 %i
  store i8 %value, ptr %at
  %first = load i8, ptr %own
  %wide = zext i8 %first to i32
  %b = getelementptr i32, ptr %out, i32 %t
  store i32 %wide, ptr %b
  ret void
}

; Somebody else knows where it is.
define void @kept(ptr %out) {
  %own = alloca [8 x i32]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr [8 x i32], ptr %own, i32 0, i32 %t
  %b = getelementptr ptr, ptr %out, i32 %t
  store ptr %at, ptr %b
  ret void
}

; What nobody looks at has elements of 8 bytes, or of 4.
; CHECK-LABEL: define internal void @handed_on.region.0
; CHECK: alloca [{{[0-9]+}} x i64]
define void @handed_on(ptr %in, ptr %out) {
  %own = alloca [24 x i8]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr [24 x i8], ptr %in, i32 %t
  %to = getelementptr [24 x i8], ptr %out, i32 %t
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %own, ptr align 8 %from, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %own, i64 24, i1 false)
  ret void
}

; Four words, looked at as eight numbers of 16 bits each: elements are of the smaller size.
; CHECK-LABEL: define internal void @parts.region.0
; CHECK: alloca [128 x i32]
; CHECK: %[[HIGH:.*]] = lshr <16 x i32> %{{.*}}, {{.*}}16
; CHECK: trunc <16 x i32> %[[HIGH]] to <16 x i16>
; CHECK: shl <16 x i32> %{{.*}}, {{.*}}16
define void @parts(ptr %in, ptr %out) {
  %own = alloca [4 x i32]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr [4 x i32], ptr %in, i32 %t
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %own, ptr align 4 %from, i64 16, i1 false)
  %a = getelementptr i32, ptr %in, i32 %t
  %i = load i32, ptr %a
  %at = getelementptr [8 x i16], ptr %own, i32 0, i32 %i
  %part = load i16, ptr %at
  %more = add i16 %part, 7
  store i16 %more, ptr %at
  %to = getelementptr i32, ptr %own, i32 2
  %third = load i32, ptr %to
  %b = getelementptr i32, ptr %out, i32 %t
  store i32 %third, ptr %b
  ret void
}

define void @odd(ptr %in, ptr %out) {
  %own = alloca [23 x i8]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr [23 x i8], ptr %in, i32 %t
  %to = getelementptr [23 x i8], ptr %out, i32 %t
  call void @llvm.memcpy.p0.p0.i64(ptr %own, ptr %from, i64 23, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %own, i64 23, i1 false)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

!nvvm.annotations = !{!0, !1, !2, !3, !4, !6, !5}
!0 = !{ptr @counts, !"kernel", i32 1}
!1 = !{ptr @bytes, !"kernel", i32 1}
!2 = !{ptr @kept, !"kernel", i32 1}
!3 = !{ptr @large, !"kernel", i32 1}
!4 = !{ptr @handed_on, !"kernel", i32 1}
!5 = !{ptr @odd, !"kernel", i32 1}
!6 = !{ptr @parts, !"kernel", i32 1}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
