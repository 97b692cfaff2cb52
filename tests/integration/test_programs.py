# SPDX-License-Identifier: MIT
"""Real programs at real work inside the strict fence, without any network.

A row is a program, a shell line that uses it, and a part of what it must say.
What they do with an allowed site is in test_clients.py; with a terminal, in
test_life.py.
"""

import shutil

import pytest

C = "printf '#include <stdio.h>\\nint main(void){puts(\"built\");}\\n' >a.c; "
JAVA = ("printf 'class A{public static void main(String[] a)"
        "{System.out.println(6*7);}}\\n' >A.java; ")
TABLE = [
    ("git", "git init -q r && cd r && git -c user.name=a -c user.email=a@b commit"
            " -q --allow-empty -m first && git log --format=%s", "first"),
    ("python3", "python3 -m venv v && v/bin/python -c 'import sys; "
                "print(sys.prefix != sys.base_prefix)'", "True"),
    ("pip3", "pip3 --version && pip3 list 2>&1 | head -1", "pip"),
    ("node", "node -e 'require(\"fs\").writeFileSync(\"x\",\"1\");"
             "console.log(process.version, 6*7)'", "42"),
    ("npm", "npm init -y >/dev/null && npm pkg get version", "1.0.0"),
    ("cargo", "cargo new --vcs none -q c && cd c && cargo -q --offline run",
     "Hello, world!"),
    ("rustc", "echo 'fn main(){println!(\"{}\",6*7)}' >m.rs && rustc m.rs && ./m",
     "42"),
    ("go", "printf 'package main\\nfunc main(){println(6*7)}\\n' >m.go && "
           "go run m.go 2>&1", "42"),
    ("javac", JAVA + "javac A.java && java A", "42"),
    ("java", JAVA + "java A.java", "42"),
    ("mvn", "mvn -v", "Apache Maven"),
    ("ruby", "ruby -e 'puts 6*7'", "42"),
    ("perl", "perl -MIO::File -e 'print 6*7'", "42"),
    ("php", "php -r 'echo 6*7;'", "42"),
    ("lua", "lua -e 'print(6*7)'", "42"),
    ("tclsh", "echo 'puts [expr 6*7]' | tclsh", "42"),
    ("gcc", C + "gcc a.c -o a && ./a", "built"),
    ("g++", "echo 'int main(){return 42;}' >a.cc; g++ a.cc -o a; ./a; echo $?", "42"),
    ("clang", C + "clang a.c -o a && ./a", "built"),
    ("make", "printf 'all:\\n\\t@echo made-$$((6*7))\\n' >Makefile && make", "made-42"),
    ("cmake", C + "printf 'cmake_minimum_required(VERSION 3.5)\\nproject(a C)\\n"
              "add_executable(a a.c)\\n' >CMakeLists.txt && cmake -B b >/dev/null && "
              "cmake --build b >/dev/null && b/a", "built"),
    ("ninja", "printf 'rule r\\n command = echo 42 >$out\\nbuild o: r\\n' >build.ninja"
              " && ninja >/dev/null && cat o", "42"),
    ("nm", C + "cc -c a.c && nm a.o", "T main"),
    ("gdb", C + "cc -g a.c -o a && gdb -q -batch -ex 'break main' -ex run -ex bt a",
     "main"),
    ("strace", "strace -f -e trace=execve true 2>&1", "execve("),
    ("curl", "echo fine >f && curl -s file://$PWD/f", "fine"),
    ("wget", "wget --version | head -1", "GNU Wget"),
    ("ssh", "ssh -G example.com | grep -c '^hostname'", "1"),
    ("ssh-keygen", "ssh-keygen -q -t ed25519 -N '' -f k && cat k.pub", "ssh-ed25519"),
    ("gpg", "test $(echo text | gpg --print-md SHA256 | tr -d ' \\n' | tr A-F a-f) ="
            " $(echo text | sha256sum | cut -d' ' -f1) && echo same", "same"),
    ("openssl", "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=a -keyout k "
                "-out c 2>/dev/null && openssl x509 -in c -noout -subject", "CN"),
    ("rsync", "mkdir s && echo 1 >s/f && rsync -a s/ t && cat t/f", "1"),
    ("tar", "echo 1 >f && tar czf f.tgz f && rm f && tar xzf f.tgz && cat f", "1"),
    ("xz", "echo 1 | xz | xz -d", "1"),
    ("zip", "echo 1 >f && zip -q f.zip f && unzip -p f.zip", "1"),
    ("jq", "echo '{\"a\":42}' | jq .a", "42"),
    ("sqlite3", "sqlite3 d.db 'create table t(a); insert into t values(42); "
                "select a from t'", "42"),
    ("psql", "psql --version", "psql (PostgreSQL)"),
    ("vim", "vim -u NONE -es -c 'call setline(1,\"typed\")' -c 'wq' f; cat f", "typed"),
    ("less", "seq 3 | less -FX | tail -1", "3"),
    ("man", "touch a.conf; printf '.TH A 1\\n.SH NAME\\na \\\\- b\\n' >a.1 && man -C a.conf ./a.1 | cat", "NAME"),
    ("awk", "seq 8 | awk '{s+=$1} END {print s+6}'", "42"),
    ("find", "mkdir -p a/b && touch a/b/c && find a -name c | xargs ls", "a/b/c"),
    ("patch", "echo a >f; printf -- '--- f\\n+++ f\\n@@ -1 +1 @@\\n-a\\n+b\\n' | "
              "patch -s f && cat f", "b"),
    ("bash", "bash -c 'cat <(echo 42); a=(1 2); echo ${#a[@]}'", "42"),
    ("dash", "dash -c 'echo $((6*7))'", "42"),
    ("tmux", "tmux -L x new-session -d 'echo 42 >f; tmux -L x wait -S done' \\; "
             "wait done; cat f", "42"),
    ("bc", "echo '6*7' | bc", "42"),
    ("groff", "echo hello | groff -Tascii | head -1", "hello"),
    ("valgrind", C + "cc -g a.c -o a && valgrind -q ./a", "built"),
    ("redis-server", "redis-server --port 0 --unixsocket $PWD/s --daemonize yes "
                     ">/dev/null; for i in 1 2 3 4 5 6 7 8 9; do redis-cli -s s ping "
                     "2>/dev/null && break; sleep 0.2; done", "PONG"),
    ("chromium", "echo '<p>page-42</p>' >p.html && /usr/lib/chromium/chromium "
                 "--headless --no-sandbox --disable-gpu --dump-dom "
                 "file://$PWD/p.html 2>/dev/null", "page-42"),
    ("ps", "ps -o comm= -p $$", "sh"),
]


@pytest.mark.parametrize("program, line, wanted", TABLE,
                         ids=[row[0] for row in TABLE])
def test_works_inside_the_strict_fence(exeat, program, line, wanted):
    if not shutil.which(program, path=exeat.env["PATH"]):
        pytest.skip(f"{program} is missing")
    result = exeat.run([], ["sh", "-c", line], timeout=120)
    assert result.returncode == 0 and wanted in result.stdout, result


def test_table_is_long_enough():
    assert len({row[0] for row in TABLE}) >= 40
