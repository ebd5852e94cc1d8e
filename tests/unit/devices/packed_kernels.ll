; Kernels whose packed clones are run on the CPU, by packed_kernels_test.cpp: what would be thread
; indices are arguments.

; Visits places of two arrays in any order: b[to] = a[from] * 3 + b[to], a[from] += 1.
define void @visit(ptr %a, ptr %from, ptr %b, i64 %count, ptr %to) {
entry:
  %any = icmp sgt i64 %count, 0
  br i1 %any, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from.at = getelementptr i32, ptr %from, i64 %i
  %from.i = load i32, ptr %from.at, align 4
  %to.at = getelementptr i32, ptr %to, i64 %i
  %to.i = load i32, ptr %to.at, align 4
  %a.at = getelementptr i32, ptr %a, i32 %from.i
  %b.at = getelementptr i32, ptr %b, i32 %to.i
  %value = load i32, ptr %a.at, align 4
  %thrice = mul i32 %value, 3
  %old = load i32, ptr %b.at, align 4
  %sum = add i32 %thrice, %old
  store i32 %sum, ptr %b.at, align 4
  %before = atomicrmw add ptr %a.at, i32 1 seq_cst, align 4
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Walks through an array in steps of any length, forth or back, beyond the ends of rows.
define void @walk(ptr %a, i64 %start, i64 %step, i64 %count) {
entry:
  %first = getelementptr i32, ptr %a, i64 %start
  br label %loop
loop:
  %p = phi ptr [ %first, %entry ], [ %q, %loop ]
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %n = trunc i64 %i to i32
  %value = load i32, ptr %p, align 4
  %even = and i32 %n, 1
  %is.even = icmp eq i32 %even, 0
  %other = select i1 %is.even, ptr %p, ptr %first
  %changed = add i32 %value, %n
  store i32 %changed, ptr %other, align 4
  %q = getelementptr i32, ptr %p, i64 %step
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %loop, label %end
end:
  ret void
}

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @visit, !"kernel", i32 1}
!1 = !{ptr @walk, !"kernel", i32 1}
