import { spawnSync } from 'node:child_process'
import { describe } from 'vitest'
import { applyBoth, liveAnswers } from './apply-both.ts'

const hasAugeas =
  spawnSync('augtool', ['--version']).status === 0 && spawnSync('ruby', ['-e', "require 'augeas'"]).status === 0

const hosts = '127.0.0.1 localhost\n10.0.0.1 a b c\n# note\n10.0.0.2 d\n'
const sshd = 'Port 22\nAcceptEnv LANG LC_*\nMatch User x\n  X11Forwarding no\n'

describe.skipIf(!hasAugeas)('trees of files (needs augtool and ruby-augeas)', () => {
  applyBoth(liveAnswers, 'augeas', ['augeas_core'], {
    'with a lens and a file': {
      manifest: `
        Augeas { root => '@', lens => 'Hosts.lns', incl => '/etc/hosts' }
        augeas { 'set': changes => ['set 2/ipaddr 10.0.0.9', "set 2/canonical 'new name'"] }
        augeas { 'in order': changes => 'set 1/canonical localhost' }
        augeas { 'text': changes => "set 01/ipaddr 10.1.1.1\\nset 01/canonical e\\n\\nset 01/alias[1] f" }
        augeas { 'remove': changes => ['rm *[canonical = "d"]', 'rm none'] }
        augeas { 'insert': changes => ['ins alias before 2/alias[1]', 'set 2/alias[1] first', 'ins #comment after 1', 'set #comment[1] "it\\'s"'] }
        augeas { 'moved': changes => ['defvar h 2', 'mv 2/alias[3] 2/alias[2]', 'touch 1/alias', 'set 1/alias local'] }
        augeas { 'setm': changes => ['setm *[ipaddr]/alias . x'], onlyif => 'match */alias size > 9' }
        augeas { 'quiet': changes => 'set 1/alias l2', show_diff => false }
        augeas { 'loud': changes => 'set 1/alias l3', loglevel => warning }
        augeas { 'noop': changes => 'set 1/alias l4', noop => true }
        augeas { 'wrong path': changes => ['set 1/alias l5', 'set *[ipaddr]/canonical x'] }
        augeas { 'wrong command': changes => 'frobnicate x' } augeas { 'wrong question': changes => 'get x == y' }
        augeas { 'no save': changes => 'set 1/odd 1' } augeas { 'no path': changes => 'set' } augeas { 'no text': changes => 'set x' }
        augeas { 'no file': incl => '/etc/none', changes => 'set 1/ipaddr 1.1.1.1' }`,
      files: { 'etc/hosts': hosts },
    },
    'with a lens and no file': {
      manifest: "augeas { 'one of two': lens => 'Hosts.lns' }",
      once: 'a resource that is refused',
    },
    'with the lenses of a context': {
      manifest: `
        Augeas { root => '@' }
        augeas { 'yes': context => '/files/etc/ssh/sshd_config', onlyif => "values AcceptEnv/* == ['LANG', \\"LC_*\\"]", changes => ['ins PermitRootLogin before Match', 'set PermitRootLogin no', 'set Match/Settings/X11Forwarding yes'] }
        augeas { 'less': context => '/files/etc/ssh/sshd_config', onlyif => 'get Port < 3', changes => 'set Port 23' }
        augeas { 'like': context => '/files/etc/ssh/sshd_config', onlyif => 'get Port =~ ^9', changes => 'set Port 23' }
        augeas { 'no list': context => '/files/etc/ssh/sshd_config', onlyif => 'values AcceptEnv/* == LANG', changes => 'set Port 23' }
        augeas { 'size': context => '/files/etc/ssh/sshd_config', onlyif => 'match AcceptEnv/* size != 2', changes => 'set Port 23' }
        augeas { 'include': context => '/files/etc/ssh/sshd_config', onlyif => 'match AcceptEnv/* include /x', changes => 'set Port 23' }
        augeas { 'bad file': context => '/files/etc/hosts', changes => 'set 1/ipaddr 1.1.1.1' }`,
      files: { 'etc/ssh/sshd_config': sshd, 'etc/hosts': 'nonsense\n' },
      nightly: true,
    },
  })
})
