import { LRUCache } from 'lru-cache'
import { PuppetError } from '../base/issue.ts'
import type { CodeTree } from '../environments/code-tree.ts'
import type { Program } from '../language/ast/nodes.ts'
import { VerbatimError } from '../language/evaluator/evaluation-error.ts'
import { parseManifest } from '../language/parser/parser.ts'

/** Parsed manifests by content and by the name that messages give them; shared by all that this thread compiles. */
const programs = new LRUCache<string, Program>({ max: 5000 })

/** The syntax tree of a manifest; `undefined` when there is no such file. */
export function parseFile(tree: CodeTree, path: string): Program | undefined {
  const entry = tree.entry(path)
  if (entry?.kind !== 'file') return undefined
  const file = `${tree.root}/${path}`
  const key = `${entry.oid}\0${file}`
  const known = programs.get(key)
  if (known) return known
  const program = parseText(tree.readText(path) ?? '', file)
  programs.set(key, program)
  return program
}

/** The syntax tree of code; a syntax error is said as it is. */
export function parseText(text: string, file: string | undefined): Program {
  try {
    return parseManifest({ file, text })
  } catch (error) {
    if (error instanceof PuppetError) throw new VerbatimError(error.diagnostic, { cause: error })
    throw error
  }
}
