! REFACTOR: fixed-to-free
C     Comments, continuations, labels and what stands behind column 72.
      program fixed
      integer i, n
      real a(10)
* a comment with a star
      n = 10
      do 10 i = 1, n
        a(i) = i
     &       + 0.5   ! half
     1       + 1.0                                                      IGNORED
   10 continue
      if (n .eq. 10) then
        print *, 'it''s ',
     &    a(1), a(n)
      end if
      end
