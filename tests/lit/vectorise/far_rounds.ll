; Rounds of a loop that read from pages of their own: lanes for a line of the cache (16 also where
; vectors are shorter), and a later round's first line asked for. Where rows are long enough, all that registers hold sums of;
; of large arrays, each line is asked for.
; RUN: %gridspan-lower %s -pass=regions -pass=vectorise | FileCheck %s

; CHECK-LABEL: define internal void @sums.region.0
; CHECK: %[[LARGE:.*]] = icmp ugt i32 %n, 4194304
; CHECK: %[[BOTH:.*]] = and i1 %{{.*}}, %[[LARGE]]
; CHECK: br i1 %[[BOTH]], label %[[WIDEST:wide[0-9]+]], label %[[OTHERS:not_wide[0-9]+]]
; CHECK: {{^}}[[OTHERS]]:
; CHECK-NEXT: br i1 %{{.*}}, label %wide{{[0-9]+}}, label %not_wide
; CHECK: %[[BYTES:.*]] = mul i64 %{{.*}}, 64
; CHECK: getelementptr i8, ptr %{{.*}}, i64 %[[BYTES]]
; CHECK: call void @llvm.prefetch.p0
; CHECK: call <16 x i32> @llvm.masked.load
; CHECK-NOT: i64 960
; CHECK: load <256 x i32>
; CHECK: getelementptr i8, ptr %{{.*}}, i64 896
; CHECK-NEXT: call void @llvm.prefetch.p0
; CHECK-NEXT: getelementptr i8, ptr %{{.*}}, i64 960
; CHECK-NEXT: call void @llvm.prefetch.p0
; CHECK-NEXT: load <256 x i32>
define void @sums(ptr %x, ptr %y, i32 %n, i32 %step) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp slt i32 %t, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %t, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %new, %loop ]
  %w = sext i32 %i to i64
  %px = getelementptr i32, ptr %x, i64 %w
  %v = load i32, ptr %px
  %new = add i32 %sum, %v
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %wt = zext i32 %t to i64
  %py = getelementptr i32, ptr %y, i64 %wt
  store i32 %new, ptr %py
  br label %end
end:
  ret void
}

; A small step is the CPU's own business.
; CHECK-LABEL: define internal void @near.region.0
; CHECK-NOT: <256 x
; CHECK-NOT: call void @llvm.prefetch
define void @near(ptr %x, ptr %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp slt i32 %t, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %t, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %new, %loop ]
  %w = sext i32 %i to i64
  %px = getelementptr i32, ptr %x, i64 %w
  %v = load i32, ptr %px
  %new = add i32 %sum, %v
  %next = add i32 %i, 32
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %wt = zext i32 %t to i64
  %py = getelementptr i32, ptr %y, i64 %wt
  store i32 %new, ptr %py
  br label %end
end:
  ret void
}

; 1024 bytes are not, nor are they if the counter has 64 bits.
; CHECK-LABEL: define internal void @far.region.0
; CHECK: getelementptr i8, ptr %{{.*}}, i64 16384
; CHECK: call void @llvm.prefetch.p0
define void @far(ptr %x, ptr %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp slt i32 %t, %n
  %first = zext i32 %t to i64
  %end_at = zext i32 %n to i64
  br i1 %any, label %loop, label %end
loop:
  %i = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %new, %loop ]
  %px = getelementptr i32, ptr %x, i64 %i
  %v = load i32, ptr %px
  %new = add i32 %sum, %v
  %next = add nuw nsw i64 %i, 256
  %more = icmp ult i64 %next, %end_at
  br i1 %more, label %loop, label %done
done:
  %py = getelementptr i32, ptr %y, i64 %first
  store i32 %new, ptr %py
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @sums, !"kernel", i32 1}
!1 = !{ptr @near, !"kernel", i32 1}
!2 = !{ptr @far, !"kernel", i32 1}
