;;; cufls.el --- CUDA Fortran with the compiler cufc and its language server  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages, tools

;;; Commentary:

;; A major mode for .cuf and .CUF, derived from `f90-mode', for which eglot starts the server cufls.
;; In the init file:
;;
;;   (add-to-list 'load-path "/usr/share/cufc/editors/emacs")
;;   (require 'cufls)
;;   (add-hook 'cuda-fortran-mode-hook #'eglot-ensure)
;;
;; C-c C-b builds the project, C-c C-r runs the file, C-c C-o shows occupancy, C-c C-e explains.

;;; Code:

(require 'compile)
(require 'f90)

(defgroup cufls nil "CUDA Fortran." :group 'languages)

(defcustom cufls-program "cufls"
  "The program cufls, by name or with its path."
  :type 'string)

(defconst cufls-font-lock-keywords
  '(("\\<attributes *(\\([^)\n]*\\))" (0 font-lock-preprocessor-face t))
    ("\\<\\(launch_bounds\\|cluster_dims\\|grid_global\\)\\>" . font-lock-preprocessor-face)
    (", *\\(device\\|shared\\|constant\\|managed\\|pinned\\|texture\\)\\> *\\(?:,\\|::\\)" (1 font-lock-type-face t))
    ("\\<\\(threadIdx\\|blockIdx\\|blockDim\\|gridDim\\|warpsize\\)\\>" . font-lock-constant-face)
    ("\\<\\(syncthreads\\(?:_and\\|_or\\|_count\\)?\\|syncwarp\\|threadfence\\w*\\)\\>" . font-lock-builtin-face)
    ("<<<\\|>>>" (0 font-lock-keyword-face t))
    ("^[ \t]*!\\(?:\\$cuf\\|@cuf\\).*$" (0 font-lock-preprocessor-face t)))
  "What `cuda-fortran-mode' highlights beside Fortran.")

;; cufc's messages: file:line:column: error: ...
(add-to-list 'compilation-error-regexp-alist-alist
             '(cufc "^\\([^:\n ]+\\):\\([0-9]+\\):\\([0-9]+\\): \\(?:error\\|\\(warning\\)\\|\\(note\\)\\):" 1 2 3 (4 . 5)))
(add-to-list 'compilation-error-regexp-alist 'cufc)

(defun cufls--file ()
  "The file of this buffer, saved."
  (unless buffer-file-name (user-error "This text has no file"))
  (save-buffer)
  buffer-file-name)

(defun cufls--compile (name &rest arguments)
  "Run cufls with ARGUMENTS in a compilation buffer called NAME."
  (unless (executable-find cufls-program)
    (user-error "%s is not on `exec-path'; customise `cufls-program'" cufls-program))
  (compilation-start (mapconcat #'shell-quote-argument (cons cufls-program arguments) " ")
                     nil (lambda (_) (format "*cufls %s*" name))))

(defun cufls-build ()
  "Build the project of the current folder."
  (interactive)
  (when buffer-file-name (save-buffer))
  (let ((default-directory (or (locate-dominating-file default-directory "cufls.json") default-directory)))
    (cufls--compile "build" "build")))

(defun cufls-run (on-cpu)
  "Build and run this file; with a prefix argument (ON-CPU) on the CPU."
  (interactive "P")
  (apply #'cufls--compile "run" "run" (cufls--file) (and on-cpu '("--device=host"))))

(defun cufls-occupancy ()
  "Show the occupancy of the kernels of this file."
  (interactive)
  (cufls--compile "occupancy" "occupancy" (cufls--file)))

(defun cufls-explain (code)
  "Show what the diagnostic CODE means."
  (interactive (list (read-string "Code: " (thing-at-point 'symbol))))
  (cufls--compile "explain" "explain" code))

(defvar cuda-fortran-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map f90-mode-map)
    (define-key map (kbd "C-c C-b") #'cufls-build)
    (define-key map (kbd "C-c C-r") #'cufls-run)
    (define-key map (kbd "C-c C-o") #'cufls-occupancy)
    (define-key map (kbd "C-c C-e") #'cufls-explain)
    map)
  "Keys of `cuda-fortran-mode'.")

;;;###autoload
(define-derived-mode cuda-fortran-mode f90-mode "CUDA Fortran"
  "CUDA Fortran in free form."
  (setq-local compile-command (concat cufls-program " build"))
  (font-lock-add-keywords nil cufls-font-lock-keywords 'append))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(?:cuf\\|CUF\\)\\'" . cuda-fortran-mode))

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs
               `(cuda-fortran-mode . ,(lambda (&rest _) (list cufls-program)))))

(provide 'cufls)
;;; cufls.el ends here
