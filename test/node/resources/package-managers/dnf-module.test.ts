import { applyWithManagers } from './compare-managers.ts'
import { redHat } from './systems.ts'

const module = (name: string, attributes: string): string =>
  `package { '${name}': provider => dnfmodule, ${attributes} }`
const dnf = (words: string): string => `dnf -q -y module ${words} >/dev/null 2>&1`

applyWithManagers(
  import.meta.filename,
  'modules of dnf',
  redHat,
  {
    present: module('tool', ''),
    'a stream': module('tool', "ensure => '2'"),
    'a stream with a profile': module('tool', "ensure => '2', flavor => 'minimal'"),
    'a profile': module('tool', "flavor => 'minimal'"),
    'another profile': { setup: dnf('install tool:1'), manifest: module('tool', "ensure => '1', flavor => 'minimal'") },
    'another stream': { setup: dnf('install tool:1'), manifest: module('tool', "ensure => '2'") },
    'the same stream': { setup: dnf('install tool:1'), manifest: module('tool', "ensure => '1'") },
    'the same stream and profile': {
      setup: dnf('install tool:2/minimal'),
      manifest: module('tool', "ensure => '2', flavor => 'minimal'"),
    },
    'two profiles': {
      setup: dnf('install tool:1/common tool:1/minimal'),
      manifest: module('tool', "flavor => 'common'"),
    },
    'a stream that is only enabled': module('tool', "ensure => '2', enable_only => true"),
    'another stream that is only enabled': {
      setup: dnf('enable tool:1'),
      manifest: module('tool', "ensure => '2', enable_only => true"),
    },
    'a module that is enabled and not installed': { setup: dnf('enable tool:1'), manifest: module('tool', '') },
    disabled: module('tool', 'ensure => disabled'),
    'disabled after an installation': { setup: dnf('install tool:1'), manifest: module('tool', 'ensure => disabled') },
    'disabled already': { setup: dnf('disable tool'), manifest: module('tool', 'ensure => disabled') },
    'present after it was disabled': { setup: dnf('disable tool'), manifest: module('tool', '') },
    absent: { setup: dnf('install tool:1'), manifest: module('tool', 'ensure => absent') },
    'absent, but never installed': module('tool', 'ensure => absent'),
    purged: { setup: dnf('install tool:1'), manifest: module('tool', 'ensure => purged') },
    latest: { setup: dnf('install tool:1'), manifest: module('tool', 'ensure => latest') },
    'a stream without a default profile': module('bare', "ensure => '5'"),
    'present without a default profile': module('bare', ''),
    'a module without a default stream': module('nodefault', ''),
    'a missing stream': module('tool', "ensure => '9'"),
    'a missing profile': module('tool', "flavor => 'nosuch'"),
    'a missing module': module('nosuch', ''),
    'a package of a stream': `${module('tool', "ensure => '2', enable_only => true")} -> package { 'tool': }`,
    'a profile of a disabled module': module('tool', "ensure => disabled, flavor => 'minimal'"),
    'no changes': {
      manifest: module('tool', "ensure => '2', flavor => 'minimal'"),
      noop: true,
    },
  },
  'OpenVox 8.28.1',
)
