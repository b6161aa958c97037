// ALLOCATE looks whether the variable is allocated, and whether memory came; DEALLOCATE where flang does not compare with null itself.
// RUN: cufc-opt --cufc-allocation-checks %s | FileCheck %s

func.func @_QPs(%arg0: !fir.ref<!fir.box<!fir.heap<!fir.array<?xf32>>>> {fir.bindc_name = "a"}, %n: index) {
  %0 = fir.dummy_scope : !fir.dscope
  %1:2 = hlfir.declare %arg0 dummy_scope %0 arg 1 {fortran_attrs = #fir.var_attrs<allocatable>, uniq_name = "_QFsEa"} : (!fir.ref<!fir.box<!fir.heap<!fir.array<?xf32>>>>, !fir.dscope) -> (!fir.ref<!fir.box<!fir.heap<!fir.array<?xf32>>>>, !fir.ref<!fir.box<!fir.heap<!fir.array<?xf32>>>>)
  %2 = fir.allocmem !fir.array<?xf32>, %n {fir.must_be_heap = true, uniq_name = "_QFsEa.alloc"}
  %3 = fir.shape %n : (index) -> !fir.shape<1>
  %4 = fir.embox %2(%3) : (!fir.heap<!fir.array<?xf32>>, !fir.shape<1>) -> !fir.box<!fir.heap<!fir.array<?xf32>>>
  fir.store %4 to %1#0 : !fir.ref<!fir.box<!fir.heap<!fir.array<?xf32>>>>
  %5 = fir.load %1#0 : !fir.ref<!fir.box<!fir.heap<!fir.array<?xf32>>>>
  %6 = fir.box_addr %5 : (!fir.box<!fir.heap<!fir.array<?xf32>>>) -> !fir.heap<!fir.array<?xf32>>
  fir.freemem %6 : !fir.heap<!fir.array<?xf32>>
  %7 = fir.load %1#0 : !fir.ref<!fir.box<!fir.heap<!fir.array<?xf32>>>>
  %8 = fir.box_addr %7 : (!fir.box<!fir.heap<!fir.array<?xf32>>>) -> !fir.heap<!fir.array<?xf32>>
  %9 = fir.convert %8 : (!fir.heap<!fir.array<?xf32>>) -> i64
  %c0 = arith.constant 0 : i64
  %10 = arith.cmpi ne, %9, %c0 : i64
  fir.if %10 {
    %11 = fir.load %1#0 : !fir.ref<!fir.box<!fir.heap<!fir.array<?xf32>>>>
    %12 = fir.box_addr %11 : (!fir.box<!fir.heap<!fir.array<?xf32>>>) -> !fir.heap<!fir.array<?xf32>>
    fir.freemem %12 : !fir.heap<!fir.array<?xf32>>
  }
  return
}

// CHECK: fir.call @cufrt_is_allocated
// CHECK: fir.call @cufrt_no_memory
// CHECK: fir.allocmem
// CHECK: fir.call @cufrt_no_memory
// CHECK: fir.call @cufrt_is_not_allocated
// CHECK: fir.freemem
// CHECK-NOT: fir.call @cufrt_is_not_allocated
// CHECK: fir.freemem
