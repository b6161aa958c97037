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
