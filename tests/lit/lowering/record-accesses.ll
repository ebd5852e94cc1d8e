; A recording build announces each access before it happens, with its block, its place and its size;
; a store with its value, too.
; RUN: %gridspan-lower %s -pass=record-accesses | FileCheck %s

; CHECK: ; 15 places
; Fields of a site: where, kind, operation, flags, index.
; kinds: 0 read, 1 write, 2 update, 3 atomic, 4 atomic read, 5 atomic write; operation 1: add;
; flag 1: optional.
; CHECK: @gridspan.site = {{.*}} { { ptr, i32, i32 } { ptr @gridspan.string.{{.*}}, i32 7, i32 3 }, i32 0, i32 0, i32 0, i32 0 }
; CHECK: @[[WRITE:gridspan.site.1]] = {{.*}} i32 1, i32 0, i32 0, i32 1 }
; CHECK: @[[UPDATE:gridspan.site.4]] = {{.*}} i32 2, i32 1, i32 0, i32 4 }
; CHECK: @[[USED:gridspan.site.5]] = {{.*}} i32 3, i32 1, i32 0, i32 5 }
; CHECK: @[[EXCHANGE:gridspan.site.7]] = {{.*}} i32 3, i32 0, i32 0, i32 7 }
; CHECK: @[[LOAD:gridspan.site.8]] = {{.*}} i32 4, i32 0, i32 0, i32 8 }
; CHECK: @[[DEAD:gridspan.site.9]] = {{.*}} i32 0, i32 0, i32 1, i32 9 }
; CHECK: @[[KNOWN:gridspan.site.11]] = {{.*}} i32 0, i32 0, i32 1, i32 11 }
; CHECK: @[[VOLATILE:gridspan.site.12]] = {{.*}} i32 0, i32 0, i32 0, i32 12 }

; CHECK-LABEL: define void @plain
; CHECK: call void @gridspan_record_access(ptr %{{.*}}, ptr @gridspan.site, ptr %x, i64 4)
; CHECK-NEXT: load float, ptr %x
; CHECK: %[[BLOCK:.*]] = call ptr @gridspan.block()
; CHECK-NEXT: %[[BITS:.*]] = bitcast double %{{.*}} to i64
; CHECK: call void @gridspan_record_store(ptr %[[BLOCK]], ptr @[[WRITE]], ptr %y, i64 8, i64 %{{.*}}, i64 {{.*}})
; CHECK-NEXT: store double
define void @plain(ptr %x, ptr %y) !dbg !3 {
  %v = load float, ptr %x, !dbg !6
  %w = fpext float %v to double
  store double %w, ptr %y
  ret void
}

; Stack, shared memory and by-value parameters are the block's own; symbols are not.
; CHECK-LABEL: define void @own
; CHECK: call ptr @gridspan.symbol
; CHECK-COUNT-1: call void @gridspan_record_store({{.*}}, i64 2, i64 3, i64 0)
; CHECK-NOT: gridspan_record_
define void @own(ptr byval(i64) %p, i64 %i) {
  %local = alloca [8 x i32]
  %q = getelementptr i32, ptr %local, i64 %i
  store i32 1, ptr %q
  %s = call ptr @gridspan.shared(i64 0, i64 64)
  store i32 1, ptr %s
  %d = call ptr @gridspan.dynamic_shared(i64 4)
  store i32 1, ptr %d
  %v = load i64, ptr %p
  %g = call ptr @gridspan.symbol(i32 0)
  store i16 3, ptr %g
  %n = load i64, ptr %local
  store i64 %n, ptr %d
  store i64 %v, ptr %d
  ret void
}

; May be shared memory or not: announced, the run time looks at the address.
; CHECK-LABEL: define void @either
; CHECK: call void @gridspan_record_store({{.*}}, ptr %q, i64 4, i64 1, i64 0)
define void @either(ptr %p, i1 %c) {
  %s = call ptr @gridspan.shared(i64 0, i64 64)
  %q = select i1 %c, ptr %p, ptr %s
  store i32 1, ptr %q
  ret void
}

; Only an atomic whose result nobody uses is an update.
; CHECK-LABEL: define void @atomics
; CHECK: call void @gridspan_record_access({{.*}}, ptr @[[UPDATE]], ptr %p, i64 4)
; CHECK-NEXT: atomicrmw add
; CHECK: call void @gridspan_record_access({{.*}}, ptr @[[USED]], ptr %p, i64 4)
; CHECK-NEXT: atomicrmw add
; CHECK: call void @gridspan_record_store({{.*}}, ptr %p, i64 4, i64 %{{.*}}, i64 {{.*}})
; CHECK-NEXT: store i32
; CHECK: call void @gridspan_record_access({{.*}}, ptr @[[EXCHANGE]], ptr %p, i64 4)
; CHECK-NEXT: cmpxchg
; CHECK: call void @gridspan_record_access({{.*}}, ptr @[[LOAD]], ptr %p, i64 4)
; CHECK-NEXT: load atomic
define void @atomics(ptr %p, i32 %v) {
  %unused = atomicrmw add ptr %p, i32 %v monotonic
  %dead = add i32 %unused, 1
  %old = atomicrmw add ptr %p, i32 %v monotonic
  store i32 %old, ptr %p
  %pair = cmpxchg ptr %p, i32 0, i32 %v monotonic monotonic
  %w = load atomic i32, ptr %p monotonic, align 4
  ret void
}

; A load nobody needs and a value known from the store before are optional; volatile ones are not.
; CHECK-LABEL: define i32 @redundant
; CHECK: call void @gridspan_record_access({{.*}}, ptr @[[DEAD]], ptr %p, i64 4)
; CHECK: call void @gridspan_record_store({{.*}}, ptr %q, i64 4, i64 %{{.*}}, i64 {{.*}})
; CHECK: call void @gridspan_record_access({{.*}}, ptr @[[KNOWN]], ptr %q, i64 4)
; CHECK: call void @gridspan_record_access({{.*}}, ptr @[[VOLATILE]], ptr %p, i64 4)
define i32 @redundant(ptr %p, ptr %q, i32 %v) {
  %dead = load i32, ptr %p
  store i32 %v, ptr %q
  %known = load i32, ptr %q
  %volatile = load volatile i32, ptr %p
  ret i32 %known
}

; A copy reads and writes, its length may be a variable.
; CHECK-LABEL: define void @copy
; CHECK: call void @gridspan_record_access({{.*}}, ptr %from, i64 %{{.*}})
; CHECK: call void @gridspan_record_access({{.*}}, ptr %to, i64 %{{.*}})
; CHECK-NEXT: call void @llvm.memcpy
define void @copy(ptr %to, ptr %from, i32 %n) {
  call void @llvm.memcpy.p0.p0.i32(ptr %to, ptr %from, i32 %n, i1 false)
  ret void
}

; What a caller makes of a function's result decides whether its load counts: functions are inlined.
; CHECK-LABEL: define void @caller
; CHECK-NOT: call {{.*}} @helper
define void @caller(ptr %p) {
  %v = call i32 @helper(ptr %p)
  ret void
}
; CHECK-NOT: @helper
define internal i32 @helper(ptr %p) noinline {
  %l = alloca i32
  store i32 1, ptr %l
  %v = load i32, ptr %l
  ret i32 %v
}

declare ptr @gridspan.shared(i64, i64) #0
declare ptr @gridspan.dynamic_shared(i64) #0
declare ptr @gridspan.symbol(i32) #0
declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
attributes #0 = { nounwind memory(none) speculatable willreturn }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "plain", file: !1, line: 5, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{null}
!6 = !DILocation(line: 7, column: 3, scope: !3)
