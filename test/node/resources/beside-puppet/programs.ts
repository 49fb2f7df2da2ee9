import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const lastWord = `for last; do :; done; name=$(echo "$last" | sed 's/=.*//') version=$(echo "$last" | sed 's/.*=//')`

/**
 * Programs that only a case has, by name: what a shell does for each. `$f` is the folder of the case, `$last` the last
 * word, `$name` and `$version` its parts before and after `=`.
 */
export type Programs = Readonly<Record<string, string>>

/**
 * How often the state is asked for does not matter. Real Puppet asks for versions, and whether rpm is a package of apt's, whenever it loads a provider; it asks apt who
 * asked for each package, and makes a note of those that it has just purged.
 */
const unheard = `''|-l|--version|'version --quiet'|'-ql rpm'|showmanual*|'manual purged'*`

/** Programs in place of functions that real Puppet calls: it runs none of them. */
const inPlaceOfFunctions = new Set(['stat', 'matchpathcon', 'chcon'])

/** Quotes that nobody means, the `-y` of Puppet 8, and what apt calls otherwise by now: docs/differences.md. */
const equal = `sed "s/'//g; s/module list -y/module list/; s/--force-yes/--allow-downgrades --allow-change-held-packages/"`

/**
 * Makes the programs, each of which writes into the file `ran` what it was called with and in which locale. Answers
 * the folder that is to come first in the search path.
 */
export function makePrograms(base: string, folder: string, programs: Programs): string {
  const place = join(base, 'bin')
  mkdirSync(place)
  for (const [name, body] of Object.entries(programs)) {
    const path = join(place, name)
    writeFileSync(path, programText(folder, name, body))
    chmodSync(path, 0o755)
  }
  return place
}

/** A program as a shell runs it. */
export function programText(folder: string, name: string, body: string): string {
  const note = inPlaceOfFunctions.has(name)
    ? ''
    : `case "$*" in ${unheard});; *) echo "${name} $* [$LC_ALL]" | ${equal} >> "$f/ran"; esac`
  return `#!/bin/sh\nf=${folder}\n${note}\n${lastWord}\n${body}\n`
}
