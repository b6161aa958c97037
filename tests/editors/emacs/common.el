;;; common.el --- what sessions in Emacs share: packages, checks that print "ok ..." or "FAILED ...", the end  -*- lexical-binding: t; -*-

(let ((default-directory "/usr/share/emacs/site-lisp/elpa/"))
  (when (file-directory-p default-directory) (normal-top-level-add-subdirs-to-load-path)))
(add-to-list 'load-path (getenv "CUFLS_EL"))
(require 'eglot)
(require 'cufls)
(require 'flymake)
(setq eglot-sync-connect 10 make-backup-files nil create-lockfiles nil compilation-always-kill t)

;; Events of watched files count as keys, which nobody reads without a terminal; while one waits, Emacs says of no
;; process that it has ended.
(advice-add 'file-notify-add-watch :override #'ignore)
;; The question whether to change two files.
(advice-add 'y-or-n-p :override #'always)
(defvar failures 0)
(defun check (name good &optional detail)
  (unless good (setq failures (1+ failures)))
  (princ (format "%s %s %s%s\n" (if good "ok" "FAILED") emacs-version name (if good "" (format ": %S" detail)))))
(defun wait-for (condition)
  ;; The server needs a second of a core for its first answer, and a loaded machine gives it that late.
  (let ((end (+ (float-time) 60)) result)
    (while (and (not (setq result (funcall condition))) (< (float-time) end)) (accept-process-output nil 0.05))
    result))
(defun request (method) (jsonrpc-request (eglot--current-server-or-lose) method (eglot--TextDocumentPositionParams)))

(defun run-session (session)
  "Call SESSION, say whether all checks passed, and end Emacs."
  (condition-case failure (funcall session)
    (error (check "session" nil failure)))
  (dolist (buffer (buffer-list)) (with-current-buffer buffer (set-buffer-modified-p nil)))
  (ignore-errors (eglot-shutdown (eglot-current-server) nil 2))
  (princ (if (= failures 0) "PASS\n" (format "%d failed\n" failures)))
  (kill-emacs (if (= failures 0) 0 1)))
;;; common.el ends here
