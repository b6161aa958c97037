;;; typing.el --- completion as fingers use it: what stands in the text afterwards  -*- lexical-binding: t; -*-

(load (expand-file-name "common.el" (file-name-directory load-file-name)) nil t)

;; Text, the candidate that is chosen (nil: the only one), and the line then. `|' is the cursor.
(defconst cases
  '(("status = cudaDeviceSy" nil "status = cudaDeviceSynchronize|")
    ("status = cudaStreamCr" "cudaStreamCreate" "status = cudaStreamCreate|")
    ("call sca" nil "call scale|")
    ("call sca|<<<1, n>>>(x, 2.0, n)" nil "call scale|<<<1, n>>>(x, 2.0, n)")
    ("h(1:statu|) = 0" nil "h(1:status|) = 0")
    ("real, dev" nil "real, device|")
    ("use cudaf" nil "use cudafor|")
    ("use cudafor, only: cudaEventRec" "cudaEventRecord" "use cudafor, only: cudaEventRecord|")
    ("type(di" nil "type(dim3|")))

(defun complete (before choice after)
  (goto-char (point-min)) (search-forward "  status = cudaDeviceSynchronize()\n") (forward-line -1)
  (insert "  \n") (backward-char)
  (let ((parts (split-string before "|")))
    (execute-kbd-macro (string-to-vector (car parts)))
    (save-excursion (insert (or (cadr parts) ""))))
  (let ((completion-auto-help t)) (ignore-errors (kill-buffer "*Completions*"))
    (execute-kbd-macro (kbd "C-M-i"))
    (when (and choice (get-buffer "*Completions*"))
      (with-current-buffer "*Completions*"
        (goto-char (point-min))
        (while (and (re-search-forward (concat "\\_<" (regexp-quote choice) "\\_>"))
                    (not (get-text-property (match-beginning 0) 'completion--string))
                    (not (get-text-property (match-beginning 0) 'mouse-face))))
        (goto-char (match-beginning 0))
        (choose-completion))))
  (let ((found (concat (buffer-substring (line-beginning-position) (point)) "|" (buffer-substring (point) (line-end-position)))))
    (check (format "%s: %s" before after) (equal (string-trim-left found) after) found))
  (delete-region (line-beginning-position) (1+ (line-end-position))))

(run-session (lambda ()
               (find-file "main.cuf")
               (apply #'eglot (eglot--guess-contact))
               (dolist (case cases) (apply #'complete case))))
;;; typing.el ends here
