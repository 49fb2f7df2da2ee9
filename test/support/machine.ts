import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { debianModules } from './debian-modules.ts'
import { whyNotMount } from './may-mount.ts'
import type { Need } from './needs.ts'

/** Programs that suites need, by their kind. */
const programs: Readonly<Record<string, readonly string[]>> = { 'in-process': ['git'], e2e: ['git', 'openssl', 'ps'] }

/** Before the tests of a kind: a home without anything of the user's, and a look at what this machine has to compare with. */
export default function setUp(project: Pick<TestProject, 'provide' | 'name'>): () => void {
  const needed = (programs[project.name] ?? []).filter((program) => !isOnPath(program))
  if (needed.length > 0) throw new Error(`The tests need ${needed.join(', ')} on the path; see CONTRIBUTING.md`)
  const home = ownHome()
  // In CI nothing may be missing: a suite then fails rather than be left out.
  const missing = process.env['CI'] === 'true' || project.name === 'in-process' ? [] : missingHere()
  if (missing.length > 0)
    process.stderr.write(`Suites that need ${missing.join(', ')} are left out: not on this machine; CONTRIBUTING.md\n`)
  project.provide('missing', missing)
  return () => rmSync(home, { recursive: true, force: true })
}

/** Settings that a user may have made, by the beginning of the name: none is for tests, but for the switch of traces. */
const ofTheUser = /^(?:PLUMB_(?!TRACES$)|PUPPET_|FACTER_|GIT_|XDG_|EYAML_|npm_config_)/i

/** An empty home, which all processes of the tests take for theirs. */
function ownHome(): string {
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'plumb-home-'))
  for (const name of Object.keys(process.env)) if (ofTheUser.test(name)) delete process.env[name]
  // Of root, too, nothing is read from below /etc.
  const places = { PLUMB_CONFDIR: join(home, '.plumb/etc'), PLUMB_VARDIR: join(home, '.plumb/var') }
  Object.assign(process.env, { HOME: home, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...places })
  // Real Puppet makes no more than the last folder of the path.
  mkdirSync(join(home, '.puppet/cache'), { recursive: true })
  return home
}

function missingHere(): Need[] {
  const ruby = librariesOfRuby()
  const here: Readonly<Record<Need, boolean>> = {
    'real Puppet 7.23': /^7\.23\./.test(String(ruby.puppet)) && isOnPath('puppet'),
    'puppet-terminus-puppetdb': ruby['puppet-terminus-puppetdb'] === true,
    'hiera-eyaml': ruby['hiera-eyaml'] === true && isOnPath('eyaml'),
    'ruby-msgpack': ruby['ruby-msgpack'] === true,
    RSpec: ruby['RSpec'] === true && isOnPath('rspec'),
    'rspec-puppet 2.9': /^2\.9\./.test(String(ruby['rspec-puppet'])),
    puppetlabs_spec_helper: typeof ruby['puppetlabs_spec_helper'] === 'string',
    Facter: isOnPath('facter'),
    "Debian's modules": existsSync(debianModules) && readdirSync(debianModules).length > 90,
    PostgreSQL: existsSync('/usr/lib/postgresql'),
    pypuppetdb: existsSync('/usr/lib/python3/dist-packages/pypuppetdb/__init__.py'),
    'Puppet Server 7.9.5': existsSync('/usr/share/puppetserver/puppetserver.jar'),
    'PuppetDB 7.12': existsSync('/usr/share/puppetdb/puppetdb.jar'),
    Chromium: existsSync('/usr/bin/chromium'),
    OpenLDAP: existsSync('/usr/sbin/slapd'),
    r10k: isOnPath('r10k'),
    fish: isOnPath('fish'),
    SoftHSM: isOnPath('softhsm2-util') && isOnPath('pkcs11-tool'),
    GnuPG: isOnPath('gpg') && isOnPath('gpg-agent'),
    'puppet-lint 3.0.1': existsSync('/usr/share/rubygems-integration/all/specifications/puppet-lint-3.0.1.gemspec'),
    age: isOnPath('age') && isOnPath('age-keygen'),
    Neovim: isOnPath('nvim'),
    // dnf, zypper, rpm and pacman, unpacked by test/node/resources/package-managers/unpack-tools.sh, and a root for them.
    'package managers':
      existsSync('/var/cache/plumb-package-managers/usr/bin/zypper') &&
      process.getuid?.() === 0 &&
      whyNotMount() === '',
    // Prepared by test/support/windows/install.sh.
    'Windows (Wine)': existsSync('/var/cache/plumb-windows/prefix/system.reg') && existsSync('/usr/lib/wine/wine64'),
    'Emacs with Eglot': ['eglot', 'puppet-mode'].every((name) => hasEmacsPackage(name)),
  }
  return (Object.keys(here) as Need[]).filter((need) => !here[need])
}

/** True for a package of Emacs that Debian installed. */
function hasEmacsPackage(name: string): boolean {
  const folder = '/usr/share/emacs/site-lisp/elpa-src'
  return isOnPath('emacs') && existsSync(folder) && readdirSync(folder).some((each) => each.startsWith(`${name}-`))
}

function librariesOfRuby(): Readonly<Record<string, unknown>> {
  const { status, stdout } = spawnSync('ruby', [resolve(import.meta.dirname, '../oracle/found.rb')], {
    encoding: 'utf8',
  })
  return status === 0 ? JSON.parse(stdout) : {}
}

function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}
