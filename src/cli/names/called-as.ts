import { basename } from 'node:path'
import { foldersVariable } from '../../machine/settings/places.ts'

/** Names that people type, and scripts: of links to this program. */
export const names = ['puppet', 'facter', 'hiera', 'puppetserver'] as const

/** The name by which this program was called. */
export type Name = 'plumb' | (typeof names)[number]

/** The name of a path by which the program was started: `puppet` of a link of that name. */
export function nameOf(path: string | undefined): Name {
  const base = basename(path ?? '')
  return names.find((each) => each === base) ?? 'plumb'
}

/** Sets up the environment of the process, and so of all that it starts, for a name that is not our own. */
export function takeFoldersOf(name: Name, env: NodeJS.ProcessEnv): void {
  if (name !== 'plumb') env[foldersVariable] = 'puppet'
}

/** The words of our own command line that do what the words say under another name. */
export function wordsOf(name: Name, words: readonly string[]): readonly string[] {
  // Asked for help or the version, a program speaks for itself.
  const [first, ...rest] = words
  switch (name) {
    case 'plumb':
      return words
    case 'facter':
      return first === 'help' ? ['help', 'facts'] : isVersion(first) ? ['--version'] : ['facts', ...words]
    case 'hiera':
      return isVersion(first) ? ['--version'] : ['hiera', ...words]
    case 'puppetserver':
      return first === 'foreground' ? ['server', ...rest] : words
    case 'puppet':
      return first === undefined
        ? words
        : [...((Object.hasOwn(puppetWords, first) && puppetWords[first]?.(rest)) || [first, ...rest])]
  }
}

const isVersion = (word: string | undefined): boolean => word === '--version' || word === '-V' || word === '-v'

const factsActions = ['show', 'find', 'upload', 'diff']

/** Commands that Puppet has, or once had, by other words. */
const puppetWords: Readonly<Record<string, ((words: readonly string[]) => readonly string[]) | undefined>> = {
  cert: (words) => ['ca', ...words.map((word) => (word === '-a' ? '--all' : word))],
  master: (words) => ['server', ...words],
  man: (words) => ['help', ...words],
  // Ours prints as facter does; Puppet's shows JSON, unless another action is named.
  facts: (words) => ['facts', ...(factsActions.includes(words[0] ?? '') ? [] : ['show']), ...words],
}
