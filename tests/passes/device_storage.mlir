// A character has its whole size, and its memory is the runtime's.
// RUN: cufc-opt --cufc-device-storage %s | FileCheck %s

module attributes {dlti.dl_spec = #dlti.dl_spec<i64 = dense<64> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, "dlti.endianness" = "little">, fir.defaultkind = "a1c4d8i4l4r4", fir.kindmap = "", llvm.data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", llvm.target_triple = "x86_64-pc-linux-gnu"} {
func.func @_QPs() {
  %0 = fir.dummy_scope : !fir.dscope
  %c8 = arith.constant 8 : index
  %1 = cuf.alloc !fir.char<1,8>(%c8 : index) {bindc_name = "d", data_attr = #cuf.cuda<device>, uniq_name = "_QFsEd"} -> !fir.ref<!fir.char<1,8>>
  %2:2 = hlfir.declare %1 typeparams %c8 {data_attr = #cuf.cuda<device>, uniq_name = "_QFsEd"} : (!fir.ref<!fir.char<1,8>>, index) -> (!fir.ref<!fir.char<1,8>>, !fir.ref<!fir.char<1,8>>)
  cuf.free %2#0 : !fir.ref<!fir.char<1,8>> {data_attr = #cuf.cuda<device>}
  return
}
}

// CHECK-NOT: cuf.alloc
// CHECK: fir.box_elesize
// CHECK: %[[BYTES:.*]] = arith.muli
// CHECK: fir.call @cufrt_allocate_variable(%[[BYTES]]
// CHECK-NOT: cuf.free
// CHECK: fir.call @cufrt_free_variable
