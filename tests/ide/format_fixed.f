c     Fixed form: only whole statements move, between column 7 and 72.
      subroutine s(a,n)
      real a(n)
      do 10 i=1,n
      if (a(i).gt.0.) then
      a(i)=
     &  2.*a(i)
      print *,'a long statement that would not fit in the columns ab'
      endif
10    continue
c  a comment
      ! another
	x = 1
      end
!! formatting {"options": {"tabSize": 3, "insertSpaces": true}}
!| c     Fixed form: only whole statements move, between column 7 and 72.
!|       subroutine s(a,n)
!|          real a(n)
!|          do 10 i=1,n
!|             if (a(i).gt.0.) then
!|       a(i)=
!|      &  2.*a(i)
!|       print *,'a long statement that would not fit in the columns ab'
!|             endif
!| 10       continue
!| c  a comment
!|       ! another
!| 	x = 1
!|       end
