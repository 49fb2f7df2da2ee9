import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from './apply-both.ts'
import type { ApplyCase } from './apply-case.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

/** A service manager whose services run when the file `running` has them; the verb and the name stand as told. */
const manager = (verb: string, name: string) => `
verb="${verb}" name="${name}"
case "$verb" in
  status) grep -qx "$name" "$f/running" || exit 3;;
  start) [ "$name" = broken ] && { echo "no such service" >&2; exit 5; }; echo "$name" >> "$f/running";;
  stop) sed -i "/^$name$/d" "$f/running";;
esac`

const manifest = `
  service { 'up': ensure => running, enable => true } service { 'down': ensure => stopped, enable => false }
  service { 'start': ensure => running, enable => true } service { 'stop': ensure => stopped, enable => false }
  service { 'enable': enable => true } service { 'disable': enable => false }
  service { 'broken': ensure => running, enable => true } service { 'stuck': enable => true }
  service { 'own': ensure => running, start => 'echo own >> @/running', status => 'grep -qx own @/running', restart => 'echo again >> @/ran' }
  notify { 'change': } ~> Service['up', 'own', 'down'] service { 'quick': ensure => running, hasrestart => true, subscribe => Notify['change'] }`

const named = (name: string, family: string, major = '14.04') => ({
  operatingsystem: name,
  osfamily: family,
  operatingsystemmajrelease: major,
  os: { name, family, release: { major, full: major } },
})

const ubuntu = named('Ubuntu', 'Debian')

const upstartPrograms = (version: string) => ({
  initctl: `[ "$1" = --version ] && echo 'initctl (upstart ${version})'; exit 0`,
  status: `
[ "$1" = mute ] && { echo 'status: Unknown job: mute' >&2; exit 1; }
if grep -qx "$1" "$f/running"; then echo "$1 start/running, process 12"; else echo "$1 stop/waiting"; fi`,
  start: `[ "$1" = broken ] && { echo 'start: Job failed to start' >&2; exit 1; }; echo "$1" >> "$f/running"`,
  stop: `sed -i "/^$1$/d" "$f/running"`,
  restart: 'true',
  service: 'grep -qx "$1" "$f/running"',
  'update-rc.d': 'true',
  'invoke-rc.d': 'true',
})

/** Jobs, and a script, under an upstart of a version. */
function upstartCase(version: string): ApplyCase {
  return {
    manifest: `Service { provider => upstart, path => ['@/etc/init', '@/init.d'] } ${manifest}
      service { 'many INSTANCE=1': ensure => running, enable => false }
      service { 'paren': enable => false } service { 'comment': enable => true } service { 'shown': enable => true }
      service { 'bare': enable => true } service { 'over': enable => true } service { 'last': enable => false }
      service { 'script': ensure => running } service { 'again': ensure => running, hasrestart => true }
      service { 'ps': ensure => stopped, hasstatus => false, pattern => 'no such process' }
      Notify['change'] ~> Service['again']`,
    facts: ubuntu,
    files: {
      running: 'up\nstop\nquick\nagain\n',
      ...Object.fromEntries(
        ['up', 'stop', 'start', 'quick', 'broken', 'stuck', 'disable', 'many', 'again', 'ps', 'own'].map((name) => [
          `etc/init/${name}.conf`,
          `# ${name}\nstart on runlevel [2345]\n\nexec /bin/${name}\n`,
        ]),
      ),
      'etc/init/down.conf': 'exec /bin/down\n',
      'etc/init/enable.conf': 'start on x\n\n  manual  \n\nexec y\n',
      'etc/init/paren.conf': 'start on (a # (not\n  and (b or c)\n)\nstop on z\n',
      'etc/init/comment.conf': '#start on (a # why\n# or b)\n# not this\nexec z',
      'etc/init/shown.conf': 'start on (a\n  or b)\nexec z\n',
      'etc/init/shown.override': 'manual\nenv X=1\n',
      'etc/init/bare.conf': 'exec z\n',
      'etc/init/over.conf': 'exec z\n',
      'etc/init/over.override': 'start on b\n\nmanual\n\n',
      'etc/init/last.conf': 'manual\nstart on b\n',
      'init.d/script': '#!/bin/sh\ngrep -q started $0 || echo "# started" >> $0\n',
    },
    modes: { ...executable, 'etc/init/comment.conf': 0o600, 'init.d/script': 0o755 },
    programs: upstartPrograms(version),
  }
}

const scriptNames = ['up', 'down', 'start', 'stop', 'enable', 'disable', 'broken', 'stuck', 'own', 'quick']

const script = `#!/bin/sh
f=$(dirname $0)/.. name=$(basename $0)
echo "$name $1" >> $f/ran
case "$1" in
  status) grep -qx $name $f/running;;
  start) [ $name = broken ] && { echo "no such service" >&2; exit 5; }; echo $name >> $f/running;;
  stop) sed -i "/^$name$/d" $f/running;;
  enabled) grep -qx $name $f/on;;
  enable) [ $name = stuck ] || echo $name >> $f/on;;
  disable) sed -i "/^$name$/d" $f/on;;
esac
`

const scripts = Object.fromEntries(scriptNames.map((name) => [`init.d/${name}`, script]))
const executable = Object.fromEntries(scriptNames.map((name) => [`init.d/${name}`, 0o755]))

applyBoth(puppet, 'services', [], {
  redhat: {
    manifest: `Service { provider => redhat } ${manifest}`,
    files: { running: 'up\nstop\nquick\n', on: 'up\nstop\ndisable\n' },
    programs: {
      service: manager('$2', '$1'),
      chkconfig: `
case "$*" in
  *stuck*) echo "error reading information on service stuck" >&2; exit 1;;
  --add*) ;;
  *" on") echo "$1" >> "$f/on";;
  *" off") sed -i "/^$3$/d" "$f/on";;
  *) grep -qx "$1" "$f/on";;
esac`,
    },
  },
  openrc: {
    manifest: `Service { provider => openrc } ${manifest}`,
    files: { running: 'up\nstop\nquick\n', on: 'up\nstop\ndisable\n' },
    programs: {
      'rc-service': manager('$2', '$1'),
      'rc-status': `
echo 'Runlevel: default'
sed 's/.*/ &                     [  started  ]/' "$f/on"
echo 'Dynamic Runlevel: hotplugged'
echo 'Runlevel: sysinit'
echo ' dmesg [ started 01:02:03 (0) ]'
echo 'Dynamic Runlevel: manual'
echo ' enable [  started  ]'`,
      'rc-update': `
case "$*" in
  *stuck) echo ' * rc-update: service stuck does not exist' >&2; exit 1;;
  *add*) echo "$last" >> "$f/on";;
  *del*) sed -i "/^$last$/d" "$f/on";;
esac`,
    },
  },
  'upstart without a word for what does not start': upstartCase('0.6.5'),
  'upstart with a line manual': upstartCase('0.8'),
  'upstart with overrides': upstartCase('1.12.1'),
  'upstart, asked for what is not there': {
    manifest: `Service { provider => upstart, path => ['@/etc/init'] }
      service { 'none': ensure => running } service { 'nothing': enable => true } service { 'mute': ensure => running }`,
    facts: ubuntu,
    files: { 'etc/init/mute.conf': 'start on x\n' },
    programs: upstartPrograms('1.5'),
  },
  gentoo: {
    manifest: `Service { provider => gentoo, path => ['@/init.d'], hasrestart => true } ${manifest}`,
    facts: { ...named('Gentoo', 'Gentoo'), kernel: 'Linux' },
    files: { running: 'up\nstop\nquick\n', on: 'up\nstop\ndisable\n', ...scripts },
    modes: executable,
    programs: {
      'rc-update': `
case "$1 $2" in
  "show "*) sed 's/.*/    & | default/' "$f/on"; echo ' enable | shutdown';;
  *stuck) echo ' * rc-update: service stuck does not exist' >&2; exit 1;;
  add*) echo "$2" >> "$f/on";;
  del*) sed -i "/^$2$/d" "$f/on";;
esac`,
    },
  },
  openwrt: {
    manifest: `Service { provider => openwrt, path => ['@/init.d'], status => 'false' } ${manifest}`,
    facts: named('OpenWrt', 'OpenWrt'),
    files: { running: 'up\nstop\nquick\n', on: 'up\nstop\ndisable\n', ...scripts },
    modes: executable,
    programs: {},
  },
})
