! What asks for images is an error, in words that ask for no option.
! RUN: (cufc -c -fcoarray=single %s -o %t.o 2>&1 || true) | FileCheck %s
! CHECK: error: not supported yet: coarrays and images [CUF0901]
! CHECK-NOT: -fcoarray
program images
  print *, this_image(), num_images()
end program
