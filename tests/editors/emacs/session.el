;;; session.el --- what a user does in Emacs; prints "ok ..." or "FAILED ..." for each  -*- lexical-binding: t; -*-

(load (expand-file-name "common.el" (file-name-directory load-file-name)) nil t)

(defun diagnostics ()
  ;; Without a terminal no idle timer runs, which starts flymake and has eglot report.
  (flymake-start)
  (flymake-diagnostics))
(defun text-of (name) (and (get-buffer name) (with-current-buffer name (buffer-string))))

(defun opening ()
  (find-file "main.cuf")
  (check "major mode" (eq major-mode 'cuda-fortran-mode) major-mode)
  (font-lock-ensure)
  (goto-char (point-min)) (search-forward "<<<")
  (check "launch is highlighted" (eq (get-text-property (1- (point)) 'face) 'font-lock-keyword-face)
         (get-text-property (1- (point)) 'face))
  (apply #'eglot (eglot--guess-contact))
  (check "eglot manages the file" (eglot-managed-p)))

(defun errors-while-typing ()
  (goto-char (point-min)) (search-forward "cudaDeviceSynchronize")
  (replace-match "cudaDeviceSinchronize" t)
  (eglot--signal-textDocument/didChange)
  (check "error is shown" (wait-for #'diagnostics) (list eglot--diagnostics flymake-mode (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))
  (check "it stands once" (= 1 (length (diagnostics))) (mapcar #'flymake-diagnostic-text (diagnostics)))
  (check "its text" (string-match "did you mean" (flymake-diagnostic-text (car (diagnostics))))
         (mapcar #'flymake-diagnostic-text (diagnostics)))
  (let ((actions (jsonrpc-request (eglot--current-server-or-lose) :textDocument/codeAction
                                  (eglot--code-action-params-for-test))))
    (check "a fix is offered" (seq-find (lambda (action) (string-match "synchronize" (plist-get action :title))) actions)
           actions))
  (undo-boundary) (primitive-undo 1 buffer-undo-list)
  (goto-char (point-min)) (when (search-forward "Sinchronize" nil t) (replace-match "Synchronize" t))
  (eglot--signal-textDocument/didChange)
  (check "error is gone" (wait-for (lambda () (null (diagnostics)))) (diagnostics)))

(defun eglot--code-action-params-for-test ()
  (let ((at (eglot--pos-to-lsp-position (- (point) 3))))
    (list :textDocument (eglot--TextDocumentIdentifier) :range (list :start at :end at)
          :context (list :diagnostics (vconcat (mapcar (lambda (d) (cdr (assoc 'eglot-lsp-diag (flymake-diagnostic-data d))))
                                                       (diagnostics)))))))

(defun hover-and-completion ()
  (goto-char (point-min)) (search-forward "call scale") (backward-char 2)
  (let ((hover (request :textDocument/hover)))
    (check "hover of a kernel" (string-match "Multiplies each element" (format "%s" hover)) hover))
  (goto-char (point-min)) (search-forward "cudaDeviceSy") (backward-char 2)
  (let ((hover (request :textDocument/hover)))
    (check "hover of a routine" (string-match "cudaDeviceSynchronize" (format "%s" hover)) hover))
  (goto-char (point-min)) (search-forward "  h = x\n") (insert "  status = cudaDeviceSy")
  (eglot--signal-textDocument/didChange)
  (let* ((capf (eglot-completion-at-point))
         (found (all-completions "cudaDeviceSy" (nth 2 capf))))
    (check "completion" (member "cudaDeviceSynchronize" (mapcar #'substring-no-properties found)) found))
  (delete-region (line-beginning-position) (point))
  (eglot--signal-textDocument/didChange))

(defun rename-over-files ()
  (goto-char (point-min)) (search-forward "call scale") (backward-char 2)
  (eglot-rename "multiply")
  (check "rename here" (string-match "call multiply<<<" (buffer-string)))
  (let ((other (find-buffer-visiting "kernels.cuf")))
    (check "rename in the other file"
           (and other (with-current-buffer other (string-match "end subroutine multiply" (buffer-string))))))
  (save-some-buffers t))

;; The last line of a compilation comes after all that the program printed; the process itself is dead earlier.
(defun finished (name)
  (string-match "^Compilation \\(finished\\|exited\\|interrupt\\|killed\\|terminated\\)" (or (text-of name) "")))

(defun commands ()
  (cufls-run nil)
  (wait-for (lambda () (finished "*cufls run*")))
  (check "cufls-run" (string-match "^PASS" (text-of "*cufls run*")) (text-of "*cufls run*"))
  (goto-char (point-min)) (search-forward "  h = x") (replace-match "  h = y")
  (cufls-build)
  (wait-for (lambda () (finished "*cufls build*")))
  (with-current-buffer "*cufls build*"
    (compilation--ensure-parse (point-max))
    (goto-char (point-min))
    (check "errors of cufls-build can be visited"
           (and (ignore-errors (compilation-next-error 1)) (string-match "main.cuf:[0-9]+:7: " (buffer-string)))
           (buffer-string)))
  (cufls-explain "CUF0203")
  (wait-for (lambda () (finished "*cufls explain*")))
  (check "cufls-explain" (string-match "CUF0203" (text-of "*cufls explain*")))
  (let* ((cufls-program "/nowhere/cufls") (said (condition-case failure (progn (cufls-explain "CUF0203") nil)
                                                  (user-error (cadr failure)))))
    (check "a program that is not there is said" (and said (string-match "/nowhere/cufls is not" said)) said)))

(run-session (lambda () (opening) (errors-while-typing) (hover-and-completion) (rename-over-files) (commands)))
;;; session.el ends here
