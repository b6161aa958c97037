// y(0:5) is shifted as a section, whose bounds begin at 1.
// RUN: cufc-opt --cufc-shifted-arrays %s | FileCheck %s

func.func @_QPs(%arg0: !fir.ref<!fir.array<6xi32>> {fir.bindc_name = "z"}, %arg1: !fir.ref<!fir.array<6xi32>> {fir.bindc_name = "y"}) {
  %0 = fir.dummy_scope : !fir.dscope
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %1 = fir.shape_shift %c0, %c6 : (index, index) -> !fir.shapeshift<1>
  %2:2 = hlfir.declare %arg1(%1) dummy_scope %0 arg 2 {uniq_name = "_QFsEy"} : (!fir.ref<!fir.array<6xi32>>, !fir.shapeshift<1>, !fir.dscope) -> (!fir.box<!fir.array<6xi32>>, !fir.ref<!fir.array<6xi32>>)
  %c6_0 = arith.constant 6 : index
  %3 = fir.shape %c6_0 : (index) -> !fir.shape<1>
  %4:2 = hlfir.declare %arg0(%3) dummy_scope %0 arg 1 {uniq_name = "_QFsEz"} : (!fir.ref<!fir.array<6xi32>>, !fir.shape<1>, !fir.dscope) -> (!fir.ref<!fir.array<6xi32>>, !fir.ref<!fir.array<6xi32>>)
  %c2_i32 = arith.constant 2 : i32
  %5 = hlfir.cshift %2#0 %c2_i32 : (!fir.box<!fir.array<6xi32>>, i32) -> !hlfir.expr<6xi32>
  hlfir.assign %5 to %4#0 : !hlfir.expr<6xi32>, !fir.ref<!fir.array<6xi32>>
  hlfir.destroy %5 : !hlfir.expr<6xi32>
  return
}

// CHECK: %[[Y:.*]]:2 = hlfir.declare %arg1
// CHECK: %[[SECTION:.*]] = hlfir.designate %[[Y]]#0
// CHECK: hlfir.cshift %[[SECTION]]
