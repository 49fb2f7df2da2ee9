import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { situations } from './situations.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

situations(puppet, 'exec', [], {
  'arrays with blanks, quotes, dollars and glob signs': `
    exec { 'a': command => ['/bin/echo', '$HOME', '*', "it's", '"q"', ''], logoutput => true }
    exec { 'b': command => ['/bin/sh', '-c', 'echo "$0" "$1"', 'x y', 'z'], logoutput => true }`,
  'an array of one element': "exec { 'a': command => ['/bin/true'] } exec { 'b': command => ['/bin/echo one'] }",
  'an array whose program is looked up in path': `
    exec { 'a': command => ['echo', 'found'], path => '/bin', logoutput => true }
    exec { 'b': command => ['nothing-of-that-name', 'x'], path => '/bin' }`,
  'an array whose program is not qualified': "exec { 'a': command => ['echo', 'x'] }",
  'an array with numbers': "exec { 'a': command => ['/bin/echo', 1, 2.5, true], logoutput => true }",
  'an array as command of the shell provider':
    "exec { 'a': command => ['echo', 'a  b', '$HOME'], provider => shell, path => '/bin', logoutput => true }",
  'an array as refresh': `
    notify { 'n': } ~> exec { 'a': command => '/bin/echo first', refresh => ['/bin/echo', 'then  two'], logoutput => true }`,
  'nested arrays of onlyif and unless': `
    Exec { path => '/bin:/usr/bin', logoutput => true }
    exec { 'echo a': onlyif => [['test', '-n', 'a b'], ['test', '1', '=', '1']] }
    exec { 'echo b': unless => [['test', '-n', ''], ['false']] }
    exec { 'echo c': onlyif => [] }
    exec { 'echo d': unless => [] }
    exec { 'echo e': onlyif => ['true', 'false'] }
    exec { 'echo f': unless => [['test', '-z', '']] }`,
  'output of checks in debug and on failure': `
    exec { '/bin/echo a': onlyif => '/bin/sh -c "echo from check; exit 0"', logoutput => true }
    exec { '/bin/echo b': unless => '/bin/sh -c "echo from check; exit 1"', logoutput => on_failure }`,
  'environment with odd names and values': `
    Exec { path => '/bin:/usr/bin', logoutput => true, provider => shell }
    exec { 'echo "[$A]"': environment => 'A==x=' }
    exec { 'echo "[$B]"': environment => ['B= lead'] }
    exec { 'echo "[$C]$D"': environment => ["C=two\\nlines", 'D='] }
    exec { 'env | grep dotted': environment => ['dotted.name=1'] }
    exec { 'echo "[$ü]"; env | grep x1': environment => ['ü=x1'] }`,
  'environment that changes PATH, HOME and LANG': `
    Exec { logoutput => true, provider => shell }
    exec { 'a': command => 'echo $PATH', path => '/bin', environment => 'PATH=/usr/bin' }
    exec { 'b': command => '/bin/echo $HOME $LANG $LC_ALL', environment => ['HOME=/x', 'LANG=de_DE', 'LC_ALL=C'] }
    exec { 'c': command => '/bin/echo "$USER|$LOGNAME"' }`,
  'environment with a blank before the equals sign': "exec { '/bin/true': environment => ['A =x'] }",
  'environment without a name': "exec { '/bin/true': environment => ['=x'] }",
  'environment that is a hash': "exec { '/bin/true': environment => { 'A' => 'x' } }",
  'environment that is empty': "exec { '/bin/true': environment => [] } exec { '/bin/echo': environment => '' }",
  'environment in the check and in the refresh': `
    notify { 'n': }
    ~> exec { 'a': command => 'echo $A', refresh => 'echo refreshed $A', onlyif => 'test "$A" = b', environment => 'A=b',
      provider => shell, logoutput => true, path => '/bin:/usr/bin' }`,
  'timeouts as words': `
    exec { 'a': command => '/bin/sleep 3', timeout => '0.2' }
    exec { 'b': command => '/bin/true', timeout => -1 }
    exec { 'c': command => '/bin/true', timeout => '' }`,
  'a timeout of undef and of an array':
    "exec { 'a': command => '/bin/true', timeout => undef } exec { 'b': command => '/bin/true', timeout => [5] }",
  'a timeout in a check': "exec { '/bin/touch @/made': onlyif => '/bin/sleep 3', timeout => 0.2 }",
  'a timeout in an unless': "exec { '/bin/touch @/made': unless => '/bin/sleep 3', timeout => 0.2 }",
  'a timeout with tries':
    'exec { "/bin/sh -c \'echo x >> @/tries; sleep 3\'": timeout => 0.2, tries => 2, try_sleep => 0 }',
  'a child that outlives its parent with a timeout':
    'exec { "/bin/sh -c \'sleep 2 & echo done\'": timeout => 5, logoutput => true }',
  'tries as words': `
    exec { 'a': command => '/bin/sh -c "echo x >> @/a; exit 1"', tries => '2', try_sleep => '0' }
    exec { 'b': command => '/bin/sh -c "echo x >> @/b; exit 0"', tries => 5 }
    exec { 'c': command => '/bin/sh -c "echo x >> @/c; exit 3"', tries => 3, returns => [3] }`,
  'tries of zero': "exec { '/bin/false': tries => 0 }",
  'tries of undef': "exec { '/bin/true': tries => undef }",
  'tries with a program that is missing': "exec { 'nothing-of-that-name': path => '/bin', tries => 2, try_sleep => 0 }",
  'tries in a refresh': `
    notify { 'n': } ~> exec { '/bin/sh -c "echo x >> @/tries; exit 1"': refreshonly => true, tries => 2, try_sleep => 0 }`,
  'output with bytes that are not UTF-8, not logged': `
    exec { 'a': command => '/usr/bin/printf "caf\\\\351"', logoutput => false }`,
  'words that are not ASCII': `
    exec { 'a': command => ['/bin/echo', 'grün', "\\u{1F600}"], logoutput => true }
    exec { '/bin/echo straße > /dev/null': } exec { "/bin/echo 'ünï' | cat": logoutput => true }`,
  'output with tabs, returns and escapes': `
    Exec { logoutput => true, provider => shell, path => '/bin:/usr/bin' }
    exec { 'a': command => 'printf "one\\\\r\\\\ntwo\\\\r"' } exec { 'b': command => 'printf "\\\\txred\\\\n\\\\n\\\\nend"' }
    exec { 'c': command => 'printf "  lead\\\\n   \\\\ntrail  "' } exec { 'd': command => 'printf "%%s %%d"' }`,
  'returns as words, ranges and wrong values': `
    exec { 'a': command => '/bin/sh -c "exit 3"', returns => '3' }
    exec { 'b': command => '/bin/sh -c "exit 3"', returns => ['0', '3', '255'] }
    exec { 'c': command => '/bin/sh -c "exit 255"', returns => 255 }
    exec { 'd': command => '/bin/sh -c "exit 1"', returns => 256 }`,
  'returns that are no numbers': "exec { '/bin/true': returns => 'x' }",
  'a command that a signal ends': `
    exec { 'a': command => '/bin/sh -c "kill -9 $$"' }
    exec { 'b': command => '/bin/sh -c "kill -TERM $$"', returns => [0, 143] }`,
  'names with line breaks and blanks': `
    exec { "/bin/echo a\\n/bin/echo b": logoutput => true }
    exec { ' /bin/echo lead': logoutput => true }
    exec { "/bin/echo trail \\n": logoutput => true }`,
  'redirections and pipes of the posix provider': `
    exec { '/bin/echo x > @/out': } exec { '/bin/cat < @/out | /usr/bin/tr x y > @/two': } exec { '/bin/false || /bin/true': }
    exec { '/bin/true && /bin/false': } exec { '/bin/echo $((1+1)) > @/sum; exit 0': }`,
  'shell words of the posix provider': `
    Exec { path => '/bin:/usr/bin' }
    exec { 'exit 0': } exec { 'cd / && pwd': } exec { 'test -e / && echo x': logoutput => true } exec { '[ 1 = 1 ]': }`,
  'a quoted program': `
    exec { '"/bin/echo" quoted': logoutput => true } exec { "'/bin/echo' single": logoutput => true }
    exec { '"/bin/no such" x': }`,
  'a program with blanks in its name': {
    files: { 'my prog': '#!/bin/sh\necho ran "$@"\n' },
    modes: { 'my prog': 0o755 },
    manifest: `
      exec { 'a': command => ['@/my prog', 'x'], logoutput => true }
      exec { 'b': command => '"@/my prog" y', logoutput => true }
      exec { 'c': command => '@/my prog z' }`,
  },
  'creates with odd values': {
    files: { there: 'x', dead: '-> /nowhere' },
    manifest: `
      exec { 'a': command => '/bin/echo a', creates => '@/dead', logoutput => true }
      exec { 'b': command => '/bin/echo b', creates => [], logoutput => true }
      exec { 'c': command => '/bin/echo c', creates => '@/../f//there' }
      exec { 'd': command => '/bin/echo d', creates => '@/*' }`,
  },
  'cwd that is a file, a link, or with a trailing slash': {
    files: { plain: 'x', 'd/x': 'x', l: '-> @/d' },
    manifest: `
      Exec { path => '/bin', logoutput => true }
      exec { 'pwd': cwd => '@/l' } exec { 'a': command => 'pwd', cwd => '@/d/' } exec { 'b': command => 'pwd', cwd => '@/plain' }`,
  },
  'a cwd that an earlier command makes': `
    exec { '/bin/mkdir @/made': creates => '@/made' } -> exec { '/bin/touch here': cwd => '@/made', creates => '@/made/here' }`,
  'umasks as words': `
    Exec { path => '/bin:/usr/bin' }
    exec { 'touch @/a': umask => '077' } exec { 'touch @/b': umask => '0000' } exec { 'touch @/c': umask => 22 }
    exec { 'touch @/d': umask => '1777' }`,
  'path in each form': `
    exec { 'echo a': path => ['/none:/bin', '/usr/bin'], logoutput => true }
    exec { 'echo b': path => '/none:/bin:', logoutput => true }
    exec { 'echo c': path => [] }
    exec { 'd': command => '/bin/sh -c "echo $PATH"', path => ['/a', '/b:/c'], logoutput => true }`,
  'a relative path': "exec { 'echo x': path => 'bin' }",
  'noop with each check': {
    noop: true,
    files: { there: 'x' },
    manifest: `
      exec { '/bin/echo a': creates => '@/there' } exec { '/bin/echo b': onlyif => '/bin/false' }
      exec { '/bin/echo c': unless => '/bin/touch @/touched' } exec { '/bin/echo d': refreshonly => true }
      exec { '/bin/echo e': tries => 3, returns => [1, 2] }`,
  },
  'a failing refresh and its dependents': `
    notify { 'n': } ~> exec { '/bin/false': refreshonly => true } -> notify { 'after': }
    exec { 'r': command => '/bin/true', refresh => '/bin/false', subscribe => Notify['n'] } ~> exec { '/bin/echo': refreshonly => true }`,
})
