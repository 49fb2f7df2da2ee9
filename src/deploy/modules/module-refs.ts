import { hash } from 'node:crypto'

/**
 * Prefix of the refs that protect modules from pruning; hidden from clients, like everything below
 * `refs/plumb/`.
 */
export const modulesPrefix = 'refs/plumb/modules/'

/** Returns the ref of an archive's tree, from its key: Forge, module and version, or digest. */
export function formatArchiveRef(...words: readonly string[]): string {
  return `${modulesPrefix}archive/${hash('sha256', JSON.stringify(words), 'hex').slice(0, 40)}`
}
