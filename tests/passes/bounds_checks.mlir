// Each subscript is compared with the bounds of its array.
// RUN: cufc-opt --cufc-bounds-checks %s | FileCheck %s

func.func @_QPs(%arg0: !fir.ref<!fir.array<10xf32>> {fir.bindc_name = "a"}, %arg1: !fir.ref<i32> {fir.bindc_name = "i"}) {
  %0 = fir.dummy_scope : !fir.dscope
  %c10 = arith.constant 10 : index
  %1 = fir.shape %c10 : (index) -> !fir.shape<1>
  %2:2 = hlfir.declare %arg0(%1) dummy_scope %0 arg 1 {uniq_name = "_QFsEa"} : (!fir.ref<!fir.array<10xf32>>, !fir.shape<1>, !fir.dscope) -> (!fir.ref<!fir.array<10xf32>>, !fir.ref<!fir.array<10xf32>>)
  %3:2 = hlfir.declare %arg1 dummy_scope %0 arg 2 {uniq_name = "_QFsEi"} : (!fir.ref<i32>, !fir.dscope) -> (!fir.ref<i32>, !fir.ref<i32>)
  %cst = arith.constant 1.000000e+00 : f32
  %4 = fir.load %3#0 : !fir.ref<i32>
  %5 = fir.convert %4 : (i32) -> i64
  %6 = hlfir.designate %2#0 (%5)  : (!fir.ref<!fir.array<10xf32>>, i64) -> !fir.ref<f32>
  hlfir.assign %cst to %6 : f32, !fir.ref<f32>
  return
}

// CHECK: %[[OUTSIDE:.*]] = arith.cmpi uge
// CHECK: fir.if %[[OUTSIDE]]
// CHECK: fir.call @cufrt_check_subscript
// CHECK: hlfir.designate
