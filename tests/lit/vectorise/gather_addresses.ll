; Gathers and scatters have one address for all lanes and a small number for each, whatever LLVM's optimisations
; make of them.
; RUN: %gridspan-lower %s -pass=gather-addresses | FileCheck %s

; A vector of addresses that was moved out of a loop. What is the same in all lanes is one number.
; CHECK-LABEL: define <4 x i32> @invariant(
; CHECK: %[[ROW:.*]] = mul i64 %row, 132
; CHECK: %[[COLUMN:.*]] = mul i64 %column, 4
; CHECK: %[[SUM:.*]] = add i64 %[[ROW]], %[[COLUMN]]
; CHECK: %[[BASE:.*]] = getelementptr i8, ptr %a, i64 %[[SUM]]
; CHECK: %[[PLACES:.*]] = getelementptr i32, ptr %[[BASE]], <4 x i64> <i64 0, i64 -32, i64 -64, i64 -96>
; CHECK: masked.gather.v4i32.v4p0(<4 x ptr> %[[PLACES]]
define <4 x i32> @invariant(ptr %a, i64 %row, i64 %column) {
  %all = getelementptr i8, ptr %a, <4 x i64> <i64 0, i64 -128, i64 -256, i64 -384>
  %places = getelementptr [33 x [33 x i32]], <4 x ptr> %all, i64 0, i64 %row, i64 %column
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %places, i32 4, <4 x i1> splat (i1 true), <4 x i32> poison)
  ret <4 x i32> %v
}

; Outside shared memory a lane's number keeps its 64 bits.
; CHECK-LABEL: define <4 x i32> @outside(
; CHECK: %[[PLACES:.*]] = getelementptr i32, ptr %a, <4 x i64> %i
; CHECK: masked.gather.v4i32.v4p0(<4 x ptr> %[[PLACES]]
define <4 x i32> @outside(ptr %a, <4 x i64> %i) {
  %places = getelementptr i32, ptr %a, <4 x i64> %i
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %places, i32 4, <4 x i1> splat (i1 true), <4 x i32> poison)
  ret <4 x i32> %v
}

; In shared memory it has 32 bits.
; CHECK-LABEL: define void @shared(
; CHECK: %[[J:.*]] = trunc <4 x i64> %j to <4 x i32>
; CHECK: %[[I:.*]] = mul <4 x i32> %i, <i32 8, i32 8, i32 8, i32 8>
; CHECK: %[[SUM:.*]] = add <4 x i32> %[[J]], %[[I]]
; CHECK: %[[PLACES:.*]] = getelementptr i32, ptr %array, <4 x i32> %[[SUM]]
; CHECK: masked.scatter.v4i32.v4p0(<4 x i32> %v, <4 x ptr> %[[PLACES]]
define void @shared(ptr %block, <4 x i32> %i, <4 x i64> %j, <4 x i32> %v) {
  %s = load ptr, ptr %block, !gridspan.shared_memory !1
  %array = getelementptr inbounds i8, ptr %s, i64 64
  %wide = zext <4 x i32> %i to <4 x i64>
  %rows = getelementptr [8 x i32], ptr %array, <4 x i64> %wide
  %places = getelementptr i32, <4 x ptr> %rows, <4 x i64> %j
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %v, <4 x ptr> %places, i32 4, <4 x i1> splat (i1 true))
  ret void
}

; A number all lanes share may be far from the array, and lanes' numbers as far: both modulo 2^32.
; CHECK-LABEL: define <4 x i32> @far(
; CHECK: %[[FAR:.*]] = trunc i64 %far to i32
; CHECK: %[[I:.*]] = trunc <4 x i64> %i to <4 x i32>
; CHECK: %[[FARS:.*]] = shufflevector
; CHECK: %[[SUM:.*]] = add <4 x i32> %[[I]], %[[FARS]]
; CHECK: %[[PLACES:.*]] = getelementptr i32, ptr %s, <4 x i32> %[[SUM]]
; CHECK: masked.gather.v4i32.v4p0(<4 x ptr> %[[PLACES]]
define <4 x i32> @far(ptr %block, i64 %far, <4 x i64> %i) {
  %s = load ptr, ptr %block, !gridspan.shared_memory !1
  %outside = getelementptr i32, ptr %s, i64 %far
  %places = getelementptr i32, ptr %outside, <4 x i64> %i
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %places, i32 4, <4 x i1> splat (i1 true), <4 x i32> poison)
  ret <4 x i32> %v
}

; An address within the array is near enough.
; CHECK-LABEL: define <4 x i32> @near(
; CHECK: %within = getelementptr inbounds i32, ptr %s, i64 %near
; CHECK: %[[I:.*]] = trunc <4 x i64> %i to <4 x i32>
; CHECK: %[[PLACES:.*]] = getelementptr i32, ptr %within, <4 x i32> %[[I]]
; CHECK: masked.gather.v4i32.v4p0(<4 x ptr> %[[PLACES]]
define <4 x i32> @near(ptr %block, i64 %near, <4 x i64> %i) {
  %s = load ptr, ptr %block, !gridspan.shared_memory !1
  %within = getelementptr inbounds i32, ptr %s, i64 %near
  %places = getelementptr i32, ptr %within, <4 x i64> %i
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %places, i32 4, <4 x i1> splat (i1 true), <4 x i32> poison)
  ret <4 x i32> %v
}

declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, i32, <4 x i1>)

!1 = !{}
