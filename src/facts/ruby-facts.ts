import { join } from 'node:path'
import { printable } from '../base/printable.ts'
import type { Files } from '../system/system.ts'

/** `Facter.add(:apache_version)`, `Facter.add('is_pe', …)`; a name that is only known when the code runs is not caught. */
const addition = /\bFacter\.add\b(?:[ (]{0,4}(?::["']?|["'])([A-Za-z_][\w-]{0,200})(?=["'),\s]))?/g

/** Names in the warning, and characters of each. */
const maxNames = 20
const maxNameLength = 80

/**
 * A warning that names the facts in Ruby below some folders of plug-ins, none of which is run; nothing where there are
 * none. A file is named where its code alone knows what its facts are called.
 */
export async function rubyFactsWarning(
  files: Pick<Files, 'list' | 'readText'>,
  folders: readonly string[],
): Promise<string | undefined> {
  const names = new Set<string>()
  for (const folder of folders)
    for (const name of (await files.list(join(folder, 'facter'))) ?? []) {
      if (!name.endsWith('.rb')) continue
      const code = (await files.readText(join(folder, 'facter', name))) ?? ''
      for (const each of factsIn(code, `facter/${name}`)) names.add(each)
    }
  if (names.size === 0) return undefined
  const shown = [...names]
    .sort()
    .slice(0, maxNames)
    .map((name) => printable(name.slice(0, maxNameLength)))
  const rest = names.size > maxNames ? ` and ${names.size - maxNames} more` : ''
  return `Facts that modules bring in Ruby are not run yet, and catalogs are made without them: ${shown.join(', ')}${rest}`
}

function factsIn(code: string, file: string): string[] {
  const running = code
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
  if (running.trim() === '') return []
  const names = Array.from(running.matchAll(addition), ([, name]) => name ?? file)
  return names.length > 0 ? names : [file]
}
