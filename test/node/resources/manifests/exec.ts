import { type Manifests, wrongValues } from './table.ts'

/** Commands. */
export const exec: Manifests = {
  'commands as lines, as lists, by their names': `
    exec { '/bin/echo line': logoutput => true } exec { 'list': command => ['/bin/echo', 'a  b'], logoutput => true }
    exec { 'echo named': path => '/usr/bin:/bin', logoutput => true }
    exec { 'paths': command => 'echo paths', path => ['/usr/bin', '/bin'], logoutput => true }`,
  'commands with quotes and signs': `
    Exec { logoutput => true, path => '/bin:/usr/bin' }
    exec { 'echo "a  b" \\'c d\\'': } exec { 'echo $HOME LICENS* | cat': }
    exec { 'shell': command => 'echo $((1 + 2)) | tr 3 x; exit 0', provider => shell }
    exec { 'for i in 1 2; do echo $i; done': provider => shell }`,
  'a command that is not qualified': "exec { 'echo x': }",
  'a command that is not there': "exec { '/none/program': } exec { 'nothing-of-that-name x': path => '/bin' }",
  'a command that is a folder, or may not be run': {
    files: { plain: 'x' },
    manifest: "exec { '/etc': } exec { '@/plain': }",
  },
  'exit statuses': `
    Exec { path => '/bin:/usr/bin', provider => shell }
    exec { 'exit 0': } exec { 'exit 1': } exec { 'exit 2': returns => 2 } exec { 'exit 3': returns => [0, '3'] }
    exec { 'none': command => 'exit 0', returns => 7 } exec { 'text': command => 'echo out; echo err >&2; exit 9' }
    exec { 'none of them': command => 'exit 1', returns => [] }`,
  'output, logged or not': `
    Exec { path => '/bin:/usr/bin', provider => shell }
    exec { 'echo always': logoutput => true } exec { 'echo never; exit 1': logoutput => false }
    exec { 'echo fails; exit 1': logoutput => on_failure } exec { 'echo fine': logoutput => on_failure }
    exec { 'echo loud': logoutput => true, loglevel => warning } exec { 'echo louder': logoutput => true, loglevel => err }
    exec { 'printf "two\\nlines\\n\\nand more"': logoutput => true }`,
  creates: {
    files: { there: 'x' },
    manifest: `
      exec { '/bin/true': creates => '@/there' } exec { '/bin/touch @/new': creates => '@/new' }
      exec { 'several': command => '/bin/echo', creates => ['@/there', '@/none'] }
      exec { 'several that are there': command => '/bin/echo', creates => ['@/there', '@/'] }`,
  },
  'onlyif and unless': {
    files: { there: 'x' },
    manifest: `
      Exec { path => '/bin:/usr/bin' }
      exec { 'a': command => 'true', onlyif => 'test -e @/there' } exec { 'b': command => 'true', onlyif => 'test -e @/none' }
      exec { 'c': command => 'true', unless => 'test -e @/there' } exec { 'd': command => 'true', unless => 'test -e @/none' }
      exec { 'e': command => 'true', onlyif => [['test', '-e', '@/there'], 'true'] }
      exec { 'f': command => 'true', unless => ['false', ['test', '-e', '@/none']] }
      exec { 'g': command => 'true', onlyif => 'true', unless => 'true' }
      exec { 'h': command => 'true', onlyif => 'nothing-of-that-name' } exec { 'i': command => 'true', unless => '/none/x' }
      exec { 'j': command => 'true', onlyif => 'exit 0', provider => shell }
      exec { 'k': command => 'echo $A', onlyif => 'test "$A" = b', environment => 'A=b', provider => shell, logoutput => true }`,
  },
  'folders and variables': `
    Exec { path => '/bin:/usr/bin', logoutput => true, provider => shell }
    exec { 'pwd': cwd => '/' } exec { 'in a folder': command => 'pwd', cwd => '@/../f/' }
    exec { 'echo $A-$B': environment => ['A=1', 'B=x=y'] } exec { 'echo "$E"': environment => 'E=' }
    exec { 'one and the other': command => 'echo $A', environment => ['A=1', 'A=2'] }`,
  'a folder that is not there': "exec { '/bin/pwd': cwd => '@/none' }",
  'users, groups and umasks': `
    Exec { path => '/bin:/usr/bin', logoutput => true }
    exec { 'id -un': user => 'daemon' } exec { 'id -gn': group => 'daemon' } exec { 'id -u': user => '1', group => '2' }
    exec { 'touch @/made && stat -c %a @/made': umask => '027', provider => shell }`,
  'a user who is nobody':
    "exec { '/bin/true': user => 'nobody-of-that-name' } exec { '/bin/false': group => 'none-such' }",
  times: `
    exec { '/bin/sleep 5': timeout => 0.3 } exec { '/bin/sleep 0.1': timeout => 0 }
    exec { 'again': command => '/bin/sh -c "echo x >> @/tries; exit 1"', tries => 3, try_sleep => 0 }
    exec { 'at last': command => '/bin/sh -c "echo x >> @/count; test $(wc -l < @/count) -ge 2"', tries => 3, try_sleep => 0.01 }`,
  'refreshed, only or otherwise': `
    Exec { path => '/bin:/usr/bin', logoutput => true }
    notify { 'change': } ~> exec { 'echo only': refreshonly => true }
    exec { 'echo both': subscribe => Notify['change'] }
    exec { 'echo first': refresh => 'echo then', subscribe => Notify['change'] }
    exec { 'echo never': refreshonly => true }
    exec { 'fails': command => 'echo no; exit 1', refreshonly => true, subscribe => Notify['change'], provider => shell }
    exec { 'guarded': command => 'echo guarded', refreshonly => true, onlyif => 'false', subscribe => Notify['change'] }
    exec { 'after': command => 'echo after', refreshonly => true, subscribe => Exec['fails'] }`,
  'a chain of refreshes': `
    Exec { path => '/bin', refreshonly => true }
    notify { 'start': } ~> exec { 'true': } ~> exec { 'echo second': } ~> exec { 'echo third': logoutput => true }`,
  'a refresh in noop': {
    noop: true,
    manifest:
      "notify { 'x': } ~> exec { '/bin/true': refreshonly => true } exec { '/bin/echo': onlyif => '/bin/true' }",
  },
  'a command in noop of its own': `
    exec { '/bin/false': noop => true } ~> exec { '/bin/true': refreshonly => true }
    exec { '/bin/echo x': noop => true, unless => '/bin/true' }`,
  secrets: `
    exec { 'a': command => Sensitive('/bin/echo secret-one'), logoutput => true }
    exec { 'b': command => '/bin/echo', unless => Sensitive('/bin/sh -c "echo secret-two; exit 1"') }
    exec { 'c': command => Sensitive('/bin/sh -c "echo secret-three; exit 1"') }`,
  'one command by two titles': "exec { 'a': command => '/bin/true' } exec { 'b': command => '/bin/true' }",
  'aliases and tags': {
    tags: 'x',
    manifest: `
      exec { 'a': command => '/bin/true', alias => 'other', tag => 'x' } exec { '/bin/echo not': }
      exec { 'b': command => '/bin/echo b', require => Exec['other'], tag => ['y', 'x'], logoutput => true }`,
  },
  ...wrongValues('exec', '/bin/true', {
    timeout: ["'long'"],
    tries: ["'x'", '0', "'-1'"],
    try_sleep: ["'x'", "'-1'"],
    umask: ["'9'", "'u=rwx'"],
    environment: ["'PATH'"],
    returns: ["'-1'"],
    logoutput: ["'maybe'"],
    refreshonly: ["'yes'"],
    cwd: ["'relative'"],
    creates: ["'relative'"],
    onlyif: ["'relative'"],
    unless: ["['/bin/true', 'relative']"],
    refresh: ["'relative'"],
    command: ['5', "'true'"],
    user: ["''"],
  }),
}
