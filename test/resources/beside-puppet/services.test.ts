import { applyBoth } from './apply-both.ts'

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

applyBoth('services', [], {
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
})
