import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { lineOf, type Span } from '../../base/source.ts'
import type { CodeTree } from '../../environments/code-tree.ts'
import type { Parsed } from '../../language/syntax/parser/parser.ts'
import { parseFile } from '../code/source-cache.ts'
import type { CompileRequest } from '../request/compile-request.ts'

/** Digests of syntax trees by file, content and options. */
const digests = new LRUCache<string, string>({ max: 20_000 })

/**
 * Names all that a manifest means: its syntax tree, with the lines that catalogs say, but not the columns. Empty where there
 * is no such file. Throws its syntax error.
 */
export function syntaxAnswer(tree: CodeTree, path: string, { strict }: Pick<CompileRequest, 'strict'>): string {
  const entry = tree.entry(path)
  if (entry?.kind !== 'file') return ''
  const key = [entry.oid, tree.root, path, strict].join('\0')
  const known = digests.get(key)
  if (known !== undefined) return known
  const digest = digestOf(parseFile(tree, path, { strict, tasks: false })!)
  digests.set(key, digest)
  return digest
}

function digestOf({ program, warnings }: Parsed): string {
  const said = warnings.map(({ message, span }) => [message, span && lineOf(span)])
  return hash('sha256', JSON.stringify([program.body, program.definitions, said], plain), 'base64')
}

function plain(key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { bigint: String(value) }
  if (value === undefined) return null
  return key === 'span' ? lineOf(value as Span) : value
}
