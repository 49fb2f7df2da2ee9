import { LRUCache } from 'lru-cache'
import { PuppetError } from '../base/issue.ts'
import type { CodeTree } from '../environments/code-tree.ts'
import { VerbatimError } from '../language/evaluator/evaluation-error.ts'
import type { Parsed } from '../language/parser/parser.ts'
import { parseAndValidate } from '../language/validation/validate.ts'

/** Parsed manifests by content and by the name that messages give them; shared by all that this thread compiles. */
const programs = new LRUCache<string, Parsed>({ max: 5000 })

/** The syntax tree of a manifest, checked, and what is odd in it; `undefined` when there is no such file. */
export function parseFile(tree: CodeTree, path: string, moduleFile?: string): Parsed | undefined {
  const entry = tree.entry(path)
  if (entry?.kind !== 'file') return undefined
  const file = `${tree.root}/${path}`
  const key = `${entry.oid}\0${file}`
  const known = programs.get(key)
  if (known) return known
  const program = parseText(tree.readText(path) ?? '', file, moduleFile)
  programs.set(key, program)
  return program
}

/** The syntax tree of code; a syntax error is said as it is. */
export function parseText(text: string, file: string | undefined, moduleFile?: string): Parsed {
  try {
    return parseAndValidate({ file, text }, { moduleFile })
  } catch (error) {
    if (error instanceof PuppetError) throw new VerbatimError(error.diagnostic, { cause: error })
    throw error
  }
}
