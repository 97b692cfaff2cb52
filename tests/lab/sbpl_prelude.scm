; SPDX-License-Identifier: MIT
; The words of a Seatbelt profile as bindings of this Scheme: a rule, when it is
; evaluated, writes itself down. A word that is not here is an unbound variable
; and ends the evaluation, as it ends the compilation on macOS.

(define has-version #f)

(define (stop message)
  (display "error: ") (display message) (newline)
  (quit 65))

(define (version number)
  (if has-version (stop "only one version may be given"))
  (if (not (= number 1)) (stop "unknown version"))
  (set! has-version #t))

(define (rule verdict parts)
  (if (not has-version) (stop "no version specified"))
  (write (cons verdict parts))
  (newline))

(define (allow . parts) (rule 'allow parts))
(define (deny . parts) (rule 'deny parts))

(define (a-string what value)
  (if (not (string? value)) (stop (string-append what ": expected a string")))
  value)

(define (literal path) (list 'literal (a-string "literal" path)))
(define (subpath path) (list 'subpath (a-string "subpath" path)))
(define (regex text) (list 'regex (a-string "regex" text)))
(define (global-name name) (list 'global-name (a-string "global-name" name)))
(define (target what) (list 'target what))
(define (remote protocol address)
  (list 'remote protocol (a-string "remote" address)))
(define (local protocol address)
  (list 'local protocol (a-string "local" address)))

(define tcp 'tcp) (define udp 'udp) (define ip 'ip)
(define others 'others) (define self 'self)

; Operations, each a name for itself.
(define default 'default)
(define file-read* 'file-read*)
(define file-read-data 'file-read-data)
(define file-read-metadata 'file-read-metadata)
(define file-write* 'file-write*)
(define file-write-unlink 'file-write-unlink)
(define file-link 'file-link)
(define file-clone 'file-clone)
(define file-mount 'file-mount)
(define file-unmount 'file-unmount)
(define network* 'network*)
(define network-outbound 'network-outbound)
(define network-inbound 'network-inbound)
(define network-bind 'network-bind)
(define mach-lookup 'mach-lookup)
(define appleevent-send 'appleevent-send)
(define lsopen 'lsopen)
(define pseudo-tty 'pseudo-tty)
(define system-socket 'system-socket)
(define process-info* 'process-info*)
(define signal 'signal)
