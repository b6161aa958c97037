// Of what USE makes visible the procedure keeps what it names.
// RUN: cufc-opt --cufc-unused-variables %s | FileCheck %s

fir.global @_QMmEa : i32
fir.global @_QMmEb : i32
func.func @_QMmPs(%arg0: !fir.ref<i32> {fir.bindc_name = "x"}) {
  %0 = fir.dummy_scope : !fir.dscope
  %1 = fir.address_of(@_QMmEa) : !fir.ref<i32>
  %2:2 = hlfir.declare %1 {uniq_name = "_QMmEa"} : (!fir.ref<i32>) -> (!fir.ref<i32>, !fir.ref<i32>)
  %3 = fir.address_of(@_QMmEb) : !fir.ref<i32>
  %4:2 = hlfir.declare %3 {uniq_name = "_QMmEb"} : (!fir.ref<i32>) -> (!fir.ref<i32>, !fir.ref<i32>)
  %5:2 = hlfir.declare %arg0 dummy_scope %0 arg 1 {uniq_name = "_QMmFsEx"} : (!fir.ref<i32>, !fir.dscope) -> (!fir.ref<i32>, !fir.ref<i32>)
  %6 = fir.load %2#0 : !fir.ref<i32>
  hlfir.assign %6 to %5#0 : i32, !fir.ref<i32>
  return
}

// CHECK-LABEL: func.func @_QMmPs
// CHECK: fir.address_of(@_QMmEa)
// CHECK-NOT: fir.address_of(@_QMmEb)
