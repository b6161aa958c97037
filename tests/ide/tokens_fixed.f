C Fixed form: comments in column 1, labels, continuation, what stands behind column 72.
      PROGRAM P
      REAL X(10)
*     another comment
      DO 10 I = 1, 10
        X(I) = 1.0 +
     &         2.0
10    CONTINUE
      PRINT *, 'a string that goes on to the next line of the text and
     & ends there'                                                      behind
      CALL S(X,
     1       10)
      END
!! textDocument/semanticTokens/full
!| 1: C Fixed form: comments in column 1, labels, continuation, what stands behind column 72. comment
!| 2: PROGRAM keyword; P namespace.declaration.definition
!| 3: REAL keyword; X variable.declaration; 10 number
!| 4: *     another comment comment
!| 5: DO keyword; 10 number; I variable.declaration; = operator; 1 number; 10 number
!| 6: X variable.modification; I variable; = operator; 1.0 number; + operator
!| 7: 2.0 number
!| 8: 10 label; CONTINUE keyword
!| 9: PRINT keyword; * operator; 'a string that goes on to the next line of the text and string
!| 10:  ends there' string; behind comment
!| 11: CALL keyword; S function; X variable.modification
!| 12: 10 number
!| 13: END keyword
