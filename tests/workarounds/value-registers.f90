! RUN: real=$(realpath "$(type -P cufc)") && lib=$(dirname "$real")/../lib/cufc && mkdir -p home/bin home/lib/cufc && ln -f "$real" home/bin/cufc && ln -sfn "$lib"/* home/lib/cufc/ && ln -sfn "$lib" home/lib/cufc/aarch64-linux-gnu && PATH=$PWD/home/bin:$PATH && cufc --target=aarch64-linux-gnu -O1 --emit=llvm %s -o out.ll && grep '^declare i32 @nine' out.ll
! SYMPTOM: i32, ptr
! Modules of x86-64 do for this, where there is no build for aarch64.
module m
  use iso_c_binding
  type, bind(c) :: handle
    type(c_ptr) :: p
  end type
  interface
    integer(c_int) function nine(a, b, c, d, e, f, g, h, i) bind(c)
      import
      integer(c_int), value :: a, b, c, d, e, f, g, h
      type(handle), value :: i
    end function
  end interface
contains
  integer function ask(i)
    type(handle) :: i
    ask = nine(1, 2, 3, 4, 5, 6, 7, 8, i)
  end function
end module
