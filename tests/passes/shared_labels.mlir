// A call without an interface goes by the address of the procedure with the label.
// RUN: cufc-opt --cufc-shared-labels %s | FileCheck %s

func.func @_QPs(%arg0: !fir.ref<i32>, %arg1: !fir.ref<f32>) {
  fir.call @sumup_(%arg0) : (!fir.ref<i32>) -> ()
  fir.call @_QPsumup(%arg1) : (!fir.ref<f32>) -> ()
  return
}
func.func private @sumup_(!fir.ref<i32>) attributes {fir.bindc_name = "sumup_", fir.proc_attrs = #fir.proc_attrs<bind_c>}
func.func private @_QPsumup(!fir.ref<f32>)

// CHECK: fir.call @sumup_(%arg0)
// CHECK: %[[A:.*]] = fir.address_of(@sumup_)
// CHECK: %[[F:.*]] = fir.convert %[[A]]
// CHECK: fir.call %[[F]](%arg1)
// CHECK-NOT: func.func private @_QPsumup
