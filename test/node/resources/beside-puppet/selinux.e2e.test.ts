import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from './apply-both.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

/** A policy module's file: a package of sections, of which the first is the module with its name and version. */
function moduleFile(version: string, magic = 0xf97cff8f): string {
  const number = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes.toString('latin1')
  }
  const text = (value: string) => `${number(value.length)}${value}`
  return `${number(magic)}${number(1)}${number(1)}${number(16)}${number(20)}${text('x')}${text('SE Linux Module')}${'\0'.repeat(14)}${text('name')}${text(version)}rest`
}

applyBoth(puppet, 'SELinux', ['selinux_core'], {
  'booleans and modules': {
    manifest: `
      selboolean { 'is_on': value => on } selboolean { 'turn_on': value => true, persistent => true }
      selboolean { 'turn_off': value => off } selboolean { 'stuck': value => on } selboolean { 'none': value => on }
      selboolean { 'odd': value => on }
      Selmodule { selmoduledir => '@/modules' }
      selmodule { ['there', 'new', 'bad']: ensure => present } selmodule { 'gone': ensure => absent }
      selmodule { 'same': ensure => present, syncversion => true } selmodule { 'older': ensure => present, syncversion => true }
      selmodule { 'nofile': ensure => present, syncversion => true } selmodule { 'magic': syncversion => true }
      selmodule { 'elsewhere': ensure => present, selmodulepath => '@/modules/new.pp' }
      file { '@/modules/new.pp': ensure => file, mode => '0644' }`,
    files: {
      booleans: 'is_on --> on\nturn_on --> off\nturn_off --> on\nstuck --> off\n',
      loaded: 'there\t1.0.0\nsame\t1.2.0\nolder 1.0.0\ngone 1\nnofile 1.0\nmagic 1.0\n',
      'modules/same.pp': moduleFile('1.2.0'),
      'modules/older.pp': moduleFile('1.1.0'),
      'modules/magic.pp': moduleFile('1.0', 7),
      'modules/new.pp': moduleFile('1.0'),
    },
    programs: {
      getsebool: `
[ "$1" = none ] && { echo "Error getting active value for none" >&2; exit 1; }
[ "$1" = odd ] && { echo "odd --> perhaps"; exit 0; }
grep "^$1 " "$f/booleans"`,
      setsebool: `
case "$*" in *stuck*) echo 'Could not change active booleans: Invalid argument' >&2; echo more >&2; exit 1;; esac
[ "$1" = -P ] && shift
sed -i "s/^$1 --> .*/$1 --> $2/" "$f/booleans"`,
      semodule: String.raw`
case "$*" in
  --list) cat "$f/loaded";;
  *bad*) echo 'semodule:  Failed on bad!' >&2; exit 1;;
  --install*) basename "$2" .pp >> "$f/loaded";;
  --remove*) sed -i "/^$2\\b/d" "$f/loaded";;
  --upgrade*older*) sed -i 's/^older 1.0.0/older 1.1.0/' "$f/loaded";;
esac`,
    },
  },
})
