import { hash } from 'node:crypto'

/** Refs that keep modules from being pruned; hidden from clients, as all below `refs/plumb/` are. */
export const modulesPrefix = 'refs/plumb/modules/'

/** The ref of the tree of an archive, by what it was asked by: a Forge, a module and its version, or a digest. */
export function archiveRef(...words: readonly string[]): string {
  return `${modulesPrefix}archive/${hash('sha256', JSON.stringify(words), 'hex').slice(0, 40)}`
}
