import { join } from 'node:path'
import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from './apply-both.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const late = join(import.meta.dirname, 'modules/late')

/** Puts a program that a file holds into the first folder of the search path. */
const install = (name: string) =>
  `exec { 'install ${name}': command => '/usr/bin/install -m 755 @/${name} @/../bin/${name}', creates => '@/../bin/${name}' }`

/** A program that keeps names in the file `kept`. */
const tool = `#!/bin/sh
kept=$(dirname "$0")/../f/kept
case "$1" in
  exists) grep -qx "$2" "$kept" && echo yes || echo no;;
  create) echo "$2" >> "$kept";;
  destroy) sed -i "/^$2$/d" "$kept";;
esac
`

const pip = `#!/bin/sh
wheels=$(dirname "$0")/../f/wheels
case "$*" in
  --version) echo 'pip 23.0.1 from /usr/lib/python3 (python 3.11)';;
  freeze*) cat "$wheels";;
  install*) for last; do :; done; echo "$last==1.0" >> "$wheels";;
esac
`

applyBoth(puppet, 'a provider whose program the run installs', [late], {
  "a module's own provider": {
    manifest: `${install('late-tool')} -> late { 'new': ensure => present } -> late { 'old': ensure => absent }`,
    files: { kept: 'old\n', 'late-tool': tool },
    programs: { other: ':' },
  },
  "a module's own provider whose program comes too late": {
    manifest: `late { 'new': ensure => present } -> ${install('late-tool')}`,
    files: { kept: '', 'late-tool': tool },
    programs: { other: ':' },
  },
  'a built-in provider': {
    manifest: `${install('pip2')} -> package { 'new': provider => pip2 }`,
    files: { wheels: 'there==1.0\n', pip2: pip },
    programs: { other: ':' },
  },
})
