import { createGrowingLru } from '../../base/lru-cache.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import { type CodeOptions, parseFile } from '../code/source-cache.ts'
import { computeSyntaxDigest, getLoggedWarningParts } from './syntax-digest.ts'

/** Digests of syntax trees by file, content and options. */
const digests = createGrowingLru<string>(20_000)

/**
 * Returns a digest of a module manifest's content; empty if the file does not exist. Throws syntax errors, and the
 * error for a definition that the file must not contain.
 */
export function computeManifestDigest(
  tree: CodeTree,
  path: string,
  { strict, moduleFile }: Pick<CodeOptions, 'strict' | 'moduleFile'>,
): string {
  const entry = tree.entry(path)
  if (entry?.kind !== 'file') return ''
  const key = [entry.oid, tree.root, path, strict, moduleFile].join('\0')
  const known = digests.get(key)
  if (known !== undefined) return known
  const { program, warnings } = parseFile(tree, path, { strict, tasks: false, moduleFile })!
  const digest = computeSyntaxDigest([program.body, program.definitions, getLoggedWarningParts(warnings)])
  digests.set(key, digest)
  return digest
}
