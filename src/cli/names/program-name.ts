import { basename } from 'node:path'
import { foldersVariable } from '../../machine/settings/standard-folders.ts'

/** Names of Puppet's programs, for links to this program. */
export const programNames = ['puppet', 'facter', 'hiera', 'puppetserver'] as const

/** The name under which this program was called. */
export type ProgramName = 'plumb' | (typeof programNames)[number]

/** The name in the path by which the program was started, such as `puppet` for a link of that name. */
export function getProgramName(path: string | undefined): ProgramName {
  const base = basename(path ?? '')
  return programNames.find((each) => each === base) ?? 'plumb'
}

/**
 * Selects Puppet's directories for this process and its child processes, if the program was called by a name of a
 * Puppet program.
 */
export function selectPuppetFolders(name: ProgramName, env: NodeJS.ProcessEnv): void {
  if (name !== 'plumb') env[foldersVariable] = 'puppet'
}

/** Translates the command line of a Puppet program to ours. */
export function translateCommandLine(name: ProgramName, words: readonly string[]): readonly string[] {
  // `help` and `--version` print the help and version of the called program.
  const [first, ...rest] = words
  switch (name) {
    case 'plumb':
      return words
    case 'facter':
      return first === 'help' ? ['help', 'facts'] : isVersionOption(first) ? ['--version'] : ['facts', ...words]
    case 'hiera':
      return isVersionOption(first) ? ['--version'] : ['hiera', ...words]
    case 'puppetserver':
      return first === 'foreground' ? ['server', ...rest] : words
    case 'puppet':
      return first === undefined
        ? words
        : [...((Object.hasOwn(puppetWords, first) && puppetWords[first]?.(rest)) || [first, ...rest])]
  }
}

const isVersionOption = (word: string | undefined): boolean => word === '--version' || word === '-V' || word === '-v'

const factsActions = ['show', 'find', 'upload', 'diff']

/** Commands of current and earlier Puppet versions that have another name or other options here. */
const puppetWords: Readonly<Record<string, ((words: readonly string[]) => readonly string[]) | undefined>> = {
  cert: (words) => ['ca', ...words.map((word) => (word === '-a' ? '--all' : word))],
  master: (words) => ['server', ...words],
  man: (words) => ['help', ...words],
  // `plumb facts` prints the output of facter, `puppet facts` prints JSON.
  facts: (words) => ['facts', ...(factsActions.includes(words[0] ?? '') ? [] : ['show']), ...words],
}
