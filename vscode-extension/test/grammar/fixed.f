! SYNTAX TEST "source.cuda-fortran-fixed" "fixed form: comments, labels, continuations, directives"
C     a comment
! <---------------- comment.line.cuda-fortran
* another
! <-------- comment.line.cuda-fortran
      attributes(global) subroutine add(a, n)
!     ^^^^^^^^^^ storage.modifier.attributes.cuda-fortran
!                ^^^^^^ storage.modifier.cuda.cuda-fortran
!                                   ^^^ entity.name.function.cuda-fortran
      real, device :: a(n)
!           ^^^^^^ storage.modifier.cuda.cuda-fortran
  100 continue
! ^^^ constant.numeric.label.cuda-fortran
      call add<<<1,
!     ^^^^ keyword.control.cuda-fortran
!          ^^^ entity.name.function.kernel.cuda-fortran
     &  32>>>(a, n)
!    ^ punctuation.separator.continuation.cuda-fortran
!         ^^^ punctuation.section.launch.end.cuda-fortran
      end
!     ^^^ keyword.control.flow.cuda-fortran
