import { recordedAnswers } from '../../../support/recorded-answers.ts'
import type { ApplyCase } from '../beside-puppet/apply-case.ts'
import { situations } from './situations.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

/**
 * Services of systemd in a file `units`: a line `NAME ACTIVE ENABLED`. A unit of which the name has `broken`, `stuck` or
 * `locked` does not start, stop or change whether it is enabled; `changed` has a unit file that is newer than what is
 * loaded. The note of a question is dropped: neither its order nor its number matters.
 */
const programs = {
  systemctl: `
    case "$1" in is-active|is-enabled) sed -i '$d' "$f/ran" ;; esac
    unit=\${last%.service}
    row=$(grep "^$unit " "$f/units") active=$(echo "$row" | cut -d' ' -f2) enabled=$(echo "$row" | cut -d' ' -f3)
    set_to() { sed -i "s/^$unit [a-z]* [a-z-]*$/$unit $1 $2/" "$f/units"; }
    case "$1" in
      show) case "$unit" in changed*) echo NeedDaemonReload=yes ;; *) echo NeedDaemonReload=no ;; esac; exit 0 ;;
      daemon-reload|daemon-reexec) exit 0 ;;
      is-enabled)
        [ -n "$row" ] || { echo "Failed to get unit file state for $last.service: No such file or directory" >&2; exit 1; }
        echo "$enabled"
        case "$enabled" in enabled|enabled-runtime|static|indirect|alias|generated) exit 0 ;; *) exit 1 ;; esac ;;
      is-active)
        [ -n "$row" ] || { echo inactive; exit 4; }
        echo "$active"
        [ "$active" = active ] || [ "$active" = reloading ] || exit 3
        exit 0 ;;
      unmask) [ "$enabled" = masked ] && set_to "$active" disabled; exit 0 ;;
    esac
    [ -n "$row" ] || { echo "Unit $last.service not found." >&2; exit 5; }
    case "$1 $unit" in
      'start broken'*|'restart broken'*) set_to failed "$enabled"; echo "Job for $last failed. See journalctl." >&2; exit 1 ;;
      'stop stuck'*) echo "Job for $last timed out." >&2; exit 1 ;;
      'enable locked'*|'disable locked'*|'mask locked'*) echo "Failed to $1 unit: Access denied" >&2; exit 1 ;;
    esac
    case "$1" in
      start|restart) [ "$enabled" = masked ] && { echo "Unit $last is masked." >&2; exit 1; }; set_to active "$enabled" ;;
      stop) set_to inactive "$enabled" ;;
      enable) [ "$enabled" = disabled ] && set_to "$active" enabled; exit 0 ;;
      disable) [ "$enabled" = enabled ] && set_to "$active" disabled; exit 0 ;;
      mask) set_to "$active" masked ;;
    esac`,
  journalctl: 'echo "-- No entries --"',
  ps: 'echo "root 1 0 0 00:00 ? 00:00:00 /sbin/init"; echo "root 77 1 0 00:00 ? 00:00:00 /usr/sbin/seen --flag"',
}

const units = `up active enabled
down inactive disabled
fallen failed enabled
rising activating disabled
again reloading enabled
fixed inactive static
linked inactive indirect
hidden inactive masked
shown active masked
other active alias
made inactive generated
brief inactive enabled-runtime
broken inactive disabled
broken-up active enabled
stuck active enabled
locked inactive disabled
locked-on active enabled
changed inactive disabled
changed-up active enabled
many@one inactive disabled
dotted.name inactive disabled
`
const machine: Omit<ApplyCase, 'manifest'> = {
  programs,
  files: { units, comm: 'systemd\n' },
  facts: { osfamily: 'RedHat', os: { family: 'RedHat', name: 'RedHat', release: { major: '9', full: '9.1' } } },
}
/** What systemctl says of it, which real Puppet leaves out: docs/differences.md. */
const unlike = /(?:Unit \S+ not found\.|Failed to \w+ unit: Access denied)/
const of = (manifest: string): ApplyCase => ({ ...machine, manifest: `Service { provider => systemd } ${manifest}` })
const service = (name: string, attributes: string): ApplyCase => of(`service { '${name}': ${attributes} }`)
const refreshed = (name: string, attributes: string): ApplyCase =>
  of(`notify { 'n': } ~> service { '${name}': ${attributes} }`)

situations(puppet, 'services', [], {
  'running that is': service('up', 'ensure => running'),
  'running that is not': service('down', 'ensure => running'),
  'running that failed': service('fallen', 'ensure => running'),
  'running that is about to': service('rising', 'ensure => running'),
  'running that reloads': service('again', 'ensure => running'),
  'running that is missing': service('none', 'ensure => running'),
  'running that is masked': service('hidden', 'ensure => running'),
  'running that is masked, and is to be': service('hidden', 'ensure => running, enable => mask'),
  'running as true': service('down', 'ensure => true'),
  'running as a text of another word': service('down', "ensure => 'started'"),
  'stopped that runs': service('up', 'ensure => stopped'),
  'stopped that is': service('down', 'ensure => stopped'),
  'stopped that failed': service('fallen', 'ensure => stopped'),
  'stopped that is about to run': service('rising', 'ensure => stopped'),
  'stopped that is missing': service('none', 'ensure => stopped'),
  'stopped as false': service('up', 'ensure => false'),
  'enabled that is, and that is not': of("service { 'up': enable => true } service { 'down': enable => true }"),
  'enabled of what is static': service('fixed', 'enable => true'),
  'enabled of what is indirect': service('linked', 'enable => true'),
  'enabled of what is masked': service('hidden', 'enable => true'),
  'enabled of an alias': service('other', 'enable => true'),
  'enabled of what is generated': service('made', 'enable => true'),
  'enabled of what is enabled until the next boot': service('brief', 'enable => true'),
  'enabled that is missing': { ...service('none', 'enable => true'), unlike },
  'disabled that is, and that is not': of("service { 'up': enable => false } service { 'down': enable => false }"),
  'disabled of what is static': service('fixed', 'enable => false'),
  'disabled of what is indirect': service('linked', 'enable => false'),
  'disabled of what is masked': service('hidden', 'enable => false'),
  'disabled of an alias': service('other', 'enable => false'),
  'disabled of what is generated': service('made', 'enable => false'),
  'disabled that is missing': service('none', 'enable => false'),
  'masked of what is enabled': service('up', 'enable => mask'),
  'masked of what is disabled': service('down', "enable => 'mask'"),
  'masked of what is static': service('fixed', 'enable => mask'),
  'masked of what is indirect': service('linked', 'enable => mask'),
  'masked that is': service('hidden', 'enable => mask'),
  'masked that is missing': { ...service('none', 'enable => mask'), unlike },
  'masked and stopped': service('up', 'enable => mask, ensure => stopped'),
  'enabled by hand': service('down', 'enable => manual'),
  'enabled late': service('down', 'enable => delayed'),
  'enabled as another word': service('down', "enable => 'yes'"),
  'running and enabled': service('down', 'ensure => running, enable => true'),
  'running and disabled': service('down', 'ensure => running, enable => false'),
  'stopped and enabled': service('down', 'ensure => stopped, enable => true'),
  'stopped and disabled of what is neither': service('up', 'ensure => stopped, enable => false'),
  'running and static': service('fixed', 'ensure => running, enable => true'),
  'running and indirect': service('linked', 'ensure => running, enable => true'),
  'running by a command of its own': service('down', "ensure => running, start => 'echo own >> @/done'"),
  'running by a command that fails': service('down', "ensure => running, start => 'echo no >&2; exit 3'"),
  'stopped by a command of its own': service(
    'up',
    'ensure => stopped, stop => \'sed -i "s/^up active/up inactive/" @/units\'',
  ),
  'stopped by a command that fails': service('up', "ensure => stopped, stop => 'false'"),
  'a status of its own that says it runs': service('down', "ensure => running, status => 'true'"),
  'a status of its own that says it does not': service('up', "ensure => running, status => 'test -e @/none'"),
  'hasstatus => false': of(
    "service { 'up': ensure => running, hasstatus => false } service { 'down': ensure => running, hasstatus => false }",
  ),
  'hasstatus => false with a pattern': service('down', "ensure => running, hasstatus => false, pattern => 'seen'"),
  'hasrestart => false': refreshed('up', 'ensure => running, hasrestart => false'),
  'refreshed that runs': refreshed('up', 'ensure => running'),
  'refreshed that does not run': refreshed('down', ''),
  'refreshed that is to be stopped': refreshed('up', 'ensure => stopped'),
  'refreshed that was started': refreshed('down', 'ensure => running'),
  'refreshed without ensure': refreshed('up', 'enable => true'),
  'refreshed by a command of its own': refreshed('up', "ensure => running, restart => 'echo own >> @/done'"),
  'refreshed by a command that fails': refreshed('up', "ensure => running, restart => 'exit 2'"),
  'refreshed that fails to restart': refreshed('broken-up', 'ensure => running'),
  'refreshed with a changed unit': refreshed('changed-up', 'ensure => running'),
  'started with a changed unit': service('changed', 'ensure => running'),
  'that does not start': of("service { 'broken': ensure => running } -> notify { 'after': }"),
  'that does not start and is to be enabled': service('broken', 'ensure => running, enable => true'),
  'that does not stop': service('stuck', 'ensure => stopped, enable => false'),
  'that cannot be enabled': { ...service('locked', 'enable => true'), unlike },
  'that cannot be disabled': { ...service('locked-on', 'enable => false'), unlike },
  'that cannot be masked': { ...service('locked-on', 'enable => mask'), unlike },
  'that starts and cannot be enabled': { ...service('locked', 'ensure => running, enable => true'), unlike },
  'an instance of a template': service('many@one', 'ensure => running, enable => true'),
  'an instance of a template that is missing': service('many@two', 'ensure => running'),
  'a name with .service': service('down.service', 'ensure => running, enable => true'),
  'a name with a dot': service('dotted.name', 'ensure => running'),
  'a name with a space': service('a b', 'ensure => running'),
  'an empty name': service('', 'ensure => running'),
  'a name beside the title': service('some title', "name => 'down', ensure => running"),
  'two titles of one name': of("service { 'a': name => 'up' } service { 'b': name => 'up' }"),
  'no attributes': service('down', ''),
  'a parameter that systemd has not': service('down', "ensure => running, flags => '-x', control => 'C', timeout => 4"),
  'a binary, a path and a manifest': service(
    'down',
    "ensure => running, binary => '/bin/x', path => '/a:/b', manifest => 'm'",
  ),
  'noop of each kind': {
    ...of(`
      service { 'down': ensure => running, enable => true } service { 'up': ensure => stopped, enable => mask }
      service { 'none': enable => false } notify { 'n': } ~> service { 'again': ensure => running }`),
    noop: true,
  },
  'noop of one': refreshed('down', 'ensure => running, enable => true, noop => true'),
  'a machine without systemd': { ...service('up', 'ensure => running'), files: { units, comm: 'init\n' } },
  'corrective changes': {
    ...service('down', 'ensure => running, enable => true'),
    remembers: true,
    between: "sed -i 's/^down .*/down failed disabled/' @/units",
  },
  'logged and audited': service('up', 'ensure => stopped, loglevel => warning, audit => enable'),
})
