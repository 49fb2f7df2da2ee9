import { describe, expect, it } from 'vitest'
import type { CommandResult } from '../../../../src/machine/system/system.ts'
import { recordingSystem } from '../recording-system.ts'
import { saysOf } from '../says-of.ts'

const passwd = 'root:x:0:0:root:/root:/bin/bash\nann:x:1000:1000:Ann:/home/ann:/bin/bash\n'
const group = 'root:x:0:\nann:x:1000:\nadm:x:4:ann\nweb:x:50:\n'
const texts = { '/etc/passwd': passwd, '/etc/group': group, '/bin/zsh': '', '/proc/1/comm': 'systemd\n' }
const installed = { status: 0, stdout: 'install ok installed vim 2:9.0-1\n' }

interface Case {
  readonly manifest: string
  readonly answers?: Readonly<Record<string, Partial<CommandResult>>>
  /** Those that change something, in order. */
  readonly runs: readonly string[]
  readonly says: readonly string[]
}

const cases: Readonly<Record<string, Case>> = {
  'a new group': {
    manifest: "group { 'new': gid => 77, system => true }",
    runs: ['groupadd -g 77 -r new'],
    says: ['Group[new]/ensure: created'],
  },
  'another number': {
    manifest: "group { 'web': gid => 51, allowdupe => true }",
    runs: ['groupmod -g 51 -o web'],
    says: ['Group[web]/gid: gid changed 50 to 51'],
  },
  'a group too many': {
    manifest: "group { 'web': ensure => absent } group { 'none': ensure => absent }",
    runs: ['groupdel web'],
    says: ['Group[web]/ensure: removed'],
  },
  'groups that are not in the catalog': {
    manifest: "resources { 'group': purge => true } group { ['root', 'adm', 'ann']: }",
    runs: ['groupdel web'],
    says: ['Group[web]/ensure: removed'],
  },
  'users who are not in the catalog': {
    manifest: "resources { 'user': purge => true, unless_system_user => 500 }",
    runs: ['userdel ann'],
    says: ['User[ann]/ensure: removed', 'User[ann]/uid: audit change: newly-recorded value 1000'],
  },
  'a new user': {
    manifest: `user { 'bob': uid => 1001, gid => 'web', groups => ['adm'], home => '/srv/bob', shell => '/bin/zsh',
      comment => 'Bob', managehome => true, password => Sensitive('$6$x'), password_max_age => 90 }`,
    runs: [
      'useradd -c Bob -g web -G adm -d /srv/bob -s /bin/zsh -u 1001 -m bob',
      'chage -M 90 bob',
      'chpasswd -e < bob:$6$x',
    ],
    says: ['User[bob]/ensure: created'],
  },
  'a user who changes': {
    manifest: "user { 'ann': comment => 'Ann A', groups => ['web'], shell => '/bin/zsh', uid => 1000 }",
    runs: ['usermod -c Ann A ann', 'usermod -s /bin/zsh ann', 'usermod -G adm,web ann'],
    says: [
      "User[ann]/comment: comment changed 'Ann' to 'Ann A'",
      "User[ann]/shell: shell changed '/bin/bash' to '/bin/zsh'",
      "User[ann]/groups: groups changed adm to ['adm', 'web']",
    ],
  },
  'a user with those groups only': {
    manifest: "user { 'ann': groups => ['adm'], membership => inclusive } user { 'root': groups => [] }",
    runs: [],
    says: [],
  },
  'a shell that is not there': {
    manifest: "user { 'ann': shell => '/bin/none' }",
    runs: [],
    says: [
      'Shell /bin/none must exist',
      "User[ann]/shell: change from '/bin/bash' to '/bin/none' failed: Shell /bin/none must exist",
    ],
  },
  'a new package': {
    manifest: "package { 'vim': ensure => installed, install_options => ['--no-install-recommends'] }",
    answers: { 'dpkg-query': { status: 1 } },
    runs: [
      'apt-get -q -y -o DPkg::Options::=--force-confold --no-install-recommends install vim',
      'apt-mark manual vim',
    ],
    says: ['Package[vim]/ensure: created'],
  },
  'a package that is there': {
    manifest: "package { 'vim': ensure => installed }",
    answers: { 'dpkg-query': installed },
    runs: [],
    says: [],
  },
  'the newest package': {
    manifest: "package { 'vim': ensure => latest }",
    answers: { 'dpkg-query': installed, 'apt-cache policy': { stdout: '  Candidate: 2:9.1-1\n' } },
    runs: ['apt-get -q -y -o DPkg::Options::=--force-confold install vim', 'apt-mark manual vim'],
    says: ["Package[vim]/ensure: ensure changed '2:9.0-1' to '2:9.1-1'"],
  },
  'a certain version, held': {
    manifest: "package { 'vim': ensure => '2:8.0-1', mark => hold }",
    answers: { 'dpkg-query': installed },
    runs: [
      'apt-get -q -y -o DPkg::Options::=--force-confold --allow-downgrades --allow-change-held-packages install vim=2:8.0-1',
      'dpkg --set-selections < vim hold',
      'apt-mark manual vim',
    ],
    says: ["Package[vim]/ensure: ensure changed '2:9.0-1' to '2:8.0-1'"],
  },
  'a version of a range': {
    manifest: "package { 'vim': ensure => '>=2:8.0 <2:9.0-1' }",
    answers: {
      'dpkg-query': installed,
      'apt-cache madison vim': {
        stdout: [
          'vim | 2:9.1-1 | http://deb.debian.org/debian bookworm/main amd64 Packages',
          'vim | 2:8.0-1+b2 | http://deb.debian.org/debian bookworm/main amd64 Packages',
          'vim | 2:8.0-10~rc1 | http://deb.debian.org/debian bookworm/main amd64 Packages',
          'vim | 2:8.0-2 | http://deb.debian.org/debian bookworm/main amd64 Packages',
          'vim | 1:9.0 | http://deb.debian.org/debian bookworm/main Sources',
        ].join('\n'),
      },
    },
    runs: [
      'apt-get -q -y -o DPkg::Options::=--force-confold --allow-downgrades --allow-change-held-packages install vim=2:8.0-10~rc1',
      'apt-mark manual vim',
    ],
    says: ["Package[vim]/ensure: ensure changed '2:9.0-1' to '>=2:8.0 <2:9.0-1'"],
  },
  'a version within its range': {
    manifest: "package { 'vim': ensure => '<=2:9.0-1' } package { 'vi': ensure => '>2:9.0-1~' }",
    answers: { 'dpkg-query': installed },
    runs: [],
    says: [],
  },
  'a range of which there is no version': {
    manifest: "package { 'vim': ensure => '<2:1' }",
    answers: { 'dpkg-query': installed, 'apt-get': { status: 100, output: 'E: none' } },
    runs: [
      'apt-get -q -y -o DPkg::Options::=--force-confold --allow-downgrades --allow-change-held-packages install vim=<2:1',
    ],
    says: [
      "Could not update: Execution of '/usr/bin/apt-get -q -y -o DPkg::Options::=--force-confold --allow-downgrades --allow-change-held-packages install vim=<2:1' returned 100: E: none",
      "Package[vim]/ensure: change from '2:9.0-1' to '<2:1' failed: Could not update: Execution of '/usr/bin/apt-get -q -y -o DPkg::Options::=--force-confold --allow-downgrades --allow-change-held-packages install vim=<2:1' returned 100: E: none",
    ],
  },
  'a package that apt refuses': {
    manifest: "package { 'vim': ensure => purged }",
    answers: { 'dpkg-query': installed, 'apt-get': { status: 100, output: 'E: no' } },
    runs: ['apt-get -y -q remove --purge vim'],
    says: [
      "Execution of '/usr/bin/apt-get -y -q remove --purge vim' returned 100: E: no",
      "Package[vim]/ensure: change from '2:9.0-1' to 'purged' failed: Execution of '/usr/bin/apt-get -y -q remove --purge vim' returned 100: E: no",
    ],
  },
  'packages of npm': {
    manifest: `Package { provider => npm } package { 'new': ensure => '2.0.0', install_options => [{ 'registry' => 'http://r' }] }
      package { 'there': } package { 'old': ensure => latest } package { 'gone': ensure => absent }`,
    answers: {
      'npm list': {
        stdout:
          'npm warn x\n{"dependencies":{"there":{"version":"1.0.0"},"old":{"version":"1.0.0"},"gone":{"version":"1"},"lost":{}}}',
      },
      'npm view': { stdout: '2.0.0\n' },
    },
    runs: [
      'npm install --global --registry http://r new@2.0.0',
      'npm install --global old@latest',
      'npm uninstall --global gone',
    ],
    says: [
      'Package[new]/ensure: created',
      "Package[old]/ensure: ensure changed '1.0.0' to '2.0.0'",
      'Package[gone]/ensure: removed',
    ],
  },
  'packages of snap': {
    manifest: `Package { provider => snap } package { 'new': install_options => ['--classic'] } package { 'there': mark => hold }
      package { 'tracked': ensure => 'latest/stable' } package { 'other': ensure => 'latest/edge' }
      package { 'old': ensure => latest } package { 'gone': ensure => purged } package { 'held': mark => hold }
      package { 'branch': ensure => 'latest/stable/ubuntu-22.04' } package { 'risk': ensure => 'stable' }
      package { 'risky': ensure => 'edge' } package { 'track': ensure => '8' } package { 'pinned': ensure => '8/edge' }`,
    answers: {
      'snap list': {
        stdout: [
          'Name Version Rev Tracking Publisher Notes',
          'held 1.0 7 latest/stable someone disabled,held',
          'branch 1.0 7 latest/stable/... someone -',
          'track 8.1 7 8/stable someone -',
          'pinned 8.1 7 8/stable someone -',
          ...['there', 'risk', 'risky', 'tracked', 'other', 'old', 'gone'].map(
            (name) => `${name} 1.0 7 latest/stable someone -`,
          ),
        ].join('\n'),
      },
      'snap info': {
        stdout:
          'name: old\nchannels:\n  latest/stable:    2.0 2026-01-01 (8) 20MB -\n  latest/edge: 3.0 2026 (9) 1MB -\n',
      },
    },
    runs: [
      'snap install --classic new',
      'snap refresh --hold there',
      'snap refresh --channel=latest/edge other',
      'snap refresh old',
      'snap remove --purge gone',
      'snap refresh --channel=edge risky',
      'snap refresh --channel=8/edge pinned',
    ],
    says: [
      'Package[new]/ensure: created',
      "Package[there]/mark: mark changed 'none' to 'hold'",
      "Package[other]/ensure: ensure changed '1.0' to 'latest/edge'",
      "Package[old]/ensure: ensure changed '1.0' to '2.0'",
      'Package[gone]/ensure: purged',
      "Package[risky]/ensure: ensure changed '1.0' to 'edge'",
      "Package[pinned]/ensure: ensure changed '8.1' to '8/edge'",
    ],
  },
  // Puppet 7.23 prints `[nil]` in place of pip's own words.
  'a package of pip without a network': {
    manifest: `Package { provider => pip3 } package { 'offline': ensure => latest } package { 'ranged': ensure => '>1.0' }
      package { 'cloned': ensure => 'abc' }`,
    answers: {
      '/usr/bin/pip3 --version': { output: 'pip 23.0.1 from /usr/lib/python3 (python 3.11)\n' },
      '/usr/bin/pip3 freeze': { output: 'offline==1.0\nranged==1.0\ncloned @ git+https://x/cloned.git@abc\n' },
      '/usr/bin/pip3 install': { status: 1, output: 'ERROR: no network\n' },
    },
    runs: [],
    says: [
      "Could not get latest version: Execution of '/usr/bin/pip3 install offline==versionplease' returned 1: ERROR: no network",
      "Package[offline]/ensure: change from '1.0' to 'latest' failed: Could not get latest version: Execution of '/usr/bin/pip3 install offline==versionplease' returned 1: ERROR: no network",
      "Could not update: Execution of '/usr/bin/pip3 install ranged==versionplease' returned 1: ERROR: no network",
      "Package[ranged]/ensure: change from '1.0' to '>1.0' failed: Could not update: Execution of '/usr/bin/pip3 install ranged==versionplease' returned 1: ERROR: no network",
    ],
  },
  // Puppet 8.11: a message that names module and stream. Puppet 7.23 recognizes only the name of the module.
  'streams of dnf without a default profile': {
    manifest: `Package { provider => dnfmodule, ensure => '5' } package { 'bare': } package { 'broken': }
      package { 'flavored': flavor => 'min' } package { 'other': }`,
    answers: {
      'dnf --version': { stdout: '4.7.0\n' },
      'dnf module install -y bare': {
        status: 1,
        output: 'Error: Problems in request:\nmissing groups or modules: bare:5',
      },
      'dnf module install -y broken': {
        status: 1,
        output: 'Error: Problems in request:\nbroken groups or modules: broken:5',
      },
      'dnf module install -y flavored': { status: 1, output: 'missing groups or modules: flavored:5/min' },
      'dnf module install -y other': { status: 1, output: 'missing groups or modules: other' },
    },
    runs: ['bare:5', 'broken:5', 'flavored:5/min', 'other:5'].flatMap((what) => [
      `dnf module install -y ${what}`,
      ...(/^b/.test(what) ? [`dnf module enable -y ${what}`] : []),
    ]),
    says: [
      'Package[bare]/ensure: created',
      'Package[broken]/ensure: created',
      ...['flavored:5/min', 'other:5'].flatMap((what) => {
        const name = what.replace(/:.*/, '')
        const why = `Could not update: Execution of '/usr/bin/dnf module install -y ${what}' returned 1: missing groups or modules: ${name === 'other' ? name : what}`
        return [why, `Package[${name}]/ensure: change from 'purged' to '5' failed: ${why}`]
      }),
    ],
  },
  'packages of flatpak': {
    manifest: `Package { provider => flatpak } package { 'org.new': source => 'flathub' } package { 'org.there': mark => hold }
      package { 'org.old': ensure => latest } package { 'org.gone': ensure => purged } package { 'org.held': mark => hold }`,
    answers: {
      'flatpak list': { stdout: 'org.there\tabc\norg.old\tabc\norg.gone\tabc\norg.held\tabc\n' },
      'flatpak remote-ls': { stdout: 'org.old\tdef\n' },
      'flatpak mask --system': { stdout: '  org.held\n' },
    },
    runs: [
      'flatpak install --system --noninteractive -y flathub org.new',
      'flatpak mask --system org.there',
      'flatpak install --system --noninteractive -y --or-update org.old',
      'flatpak uninstall --system --noninteractive -y --delete-data org.gone',
    ],
    says: [
      'Package[org.new]/ensure: created',
      "Package[org.there]/mark: mark changed 'none' to 'hold'",
      "Package[org.old]/ensure: ensure changed 'abc' to 'def'",
      'Package[org.gone]/ensure: purged',
    ],
  },
  'a service to start and enable': {
    manifest: "service { 'web': ensure => running, enable => true }",
    answers: {
      'systemctl is-active': { status: 3 },
      'systemctl is-enabled': { status: 1, stdout: 'disabled\n' },
      'systemctl show': { stdout: 'NeedDaemonReload=yes\n' },
    },
    runs: [
      'systemctl daemon-reload',
      'systemctl unmask -- web',
      'systemctl start -- web',
      'systemctl unmask -- web',
      'systemctl enable -- web',
    ],
    says: ["Service[web]/ensure: ensure changed 'stopped' to 'running'"],
  },
  'a service that restarts when told to': {
    manifest: "notify { 'change': } ~> service { 'web': ensure => running, enable => true }",
    answers: { 'systemctl is-enabled': { stdout: 'enabled\n' } },
    runs: ['systemctl restart -- web'],
    says: [
      'change',
      "Notify[change]/message: defined 'message' as 'change'",
      "Service[web]: Triggered 'refresh' from 1 event",
    ],
  },
  'a service with commands of its own': {
    manifest: "service { 'own': provider => base, ensure => stopped, status => 'ask', stop => 'halt now' }",
    runs: ['/bin/sh -c halt now'],
    says: ["Service[own]/ensure: ensure changed 'running' to 'stopped'"],
  },
  'a service that is looked for among the processes': {
    manifest: `service { 'own++': provider => base, ensure => stopped, hasstatus => false, stop => 'halt now' }
      service { 'web': provider => base, ensure => stopped, hasstatus => false, pattern => '(a+)+d$', stop => 'halt web' }`,
    answers: { 'ps -ef': { stdout: `root 1 0 /sbin/own++ -d\nroot 2 0 ${'a'.repeat(5000)}\n` } },
    runs: ['/bin/sh -c halt now'],
    says: ["Service[own++]/ensure: ensure changed 'running' to 'stopped'"],
  },
  'a service whose pattern no linear engine has': {
    manifest: "service { 'own': provider => base, ensure => stopped, hasstatus => false, pattern => 'own(?!er)' }",
    runs: [],
    says: [
      "Service[own]: Could not evaluate: The regular expression 'own(?!er)' cannot be used: lookaround is not supported: `(?!`",
    ],
  },
}

const asking =
  /^(ps -ef|rpm |dnf (--version|module list)|\/usr\/bin\/pip3 |dpkg-query|apt-cache|npm (list|view)|apk (info|policy)|snap (list|info)|flatpak (list|remote|mask --system$)|systemctl (is-|show|cat)|\/bin\/sh -c ask)/

async function applied({ manifest, answers = {} }: Case) {
  const system = recordingSystem(texts, answers)
  const says = await saysOf(manifest, system)
  return { runs: system.commandsRun.filter((line) => !asking.test(line)), says }
}

describe('providers run these commands and say what they did', () => {
  it.each(Object.entries(cases))('%s', async (_, each) => {
    expect(await applied(each)).toEqual({ runs: each.runs, says: each.says })
  })
})
