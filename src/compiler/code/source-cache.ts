import { LRUCache } from 'lru-cache'
import { PuppetError } from '../../base/issue.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import { plainTree, WatchedTree } from '../../code/environments/watched-tree.ts'
import type { Parsed, ParserOptions } from '../../language/syntax/parser/parser.ts'
import { parseAndValidate, type ValidationOptions } from '../../language/syntax/validation/validate.ts'
import { VerbatimError } from '../../language/values/verbatim-error.ts'

/** Options of the parser and the validator for one source. */
export type CodeOptions = Pick<ParserOptions & ValidationOptions, 'strict' | 'tasks' | 'moduleFile'>

/** Parsed manifests by content, by the name that messages give them, and by what they are checked for; shared by all that this thread compiles. */
const programs = new LRUCache<string, Parsed>({ max: 5000 })

/** The syntax tree of a manifest, checked, and what is odd in it; `undefined` when there is no such file. */
export function parseFile(tree: CodeTree, path: string, options: CodeOptions): Parsed | undefined {
  if (tree instanceof WatchedTree) tree.watcher.readsSyntax(path, options.moduleFile)
  const plain = plainTree(tree)
  const entry = plain.entry(path)
  if (entry?.kind !== 'file') return undefined
  const file = `${tree.root}/${path}`
  const key = [entry.oid, file, options.strict, options.tasks, options.moduleFile].join('\0')
  const known = programs.get(key)
  if (known) return known
  const program = parseText(plain.readText(path) ?? '', file, options)
  programs.set(key, program)
  return program
}

/** The syntax tree of code; a syntax error is said as it is. */
export function parseText(text: string, file: string | undefined, options: CodeOptions): Parsed {
  try {
    return parseAndValidate({ file, text }, options)
  } catch (error) {
    if (error instanceof PuppetError) throw new VerbatimError(error.diagnostic, { cause: error })
    throw error
  }
}
