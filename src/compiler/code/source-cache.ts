import { LRUCache } from 'lru-cache'
import { PuppetError } from '../../base/issue.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import { getUnwatchedTree, WatchedTree } from '../../code/environments/watched-tree.ts'
import type { ParseResult, ParserOptions } from '../../language/syntax/parser/parser.ts'
import { parseAndValidate, type ValidationOptions } from '../../language/syntax/validation/validate.ts'
import { VerbatimError } from '../../language/values/verbatim-error.ts'

/** Options for parsing and validating one source. */
export type CodeOptions = Pick<ParserOptions & ValidationOptions, 'strict' | 'tasks' | 'moduleFile'>

/** Parsed manifests by content, displayed name and options; shared by all compilations of this thread. */
const programs = new LRUCache<string, ParseResult>({ max: 5000 })

/** Parses and validates a manifest; the result includes warnings. Returns `undefined` if the file does not exist. */
export function parseFile(tree: CodeTree, path: string, options: CodeOptions): ParseResult | undefined {
  if (tree instanceof WatchedTree) tree.watcher.readsSyntax(path, options.moduleFile)
  const plain = getUnwatchedTree(tree)
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

/** Parses code; syntax errors are thrown unchanged. */
export function parseText(text: string, file: string | undefined, options: CodeOptions): ParseResult {
  try {
    return parseAndValidate({ file, text }, options)
  } catch (error) {
    if (error instanceof PuppetError) throw new VerbatimError(error.diagnostic, { cause: error })
    throw error
  }
}
