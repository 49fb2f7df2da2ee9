import { metaparameterAttributes } from '../../node/resources/metaparameters.ts'
import { type CodeFile, parseCodeFile } from '../code-index/code-file.ts'
import type { Occurrence } from '../code-index/occurrence.ts'

const variableName = /^[a-z_]\w*$/

/** Names that the compiler sets, or that are attributes of every resource. */
const reservedNames: ReadonlySet<string> = new Set([
  ...['title', 'name', 'facts', 'trusted', 'server_facts'],
  ...Object.keys(metaparameterAttributes),
])

/** True for a name that a variable or a parameter may receive. */
export function isPermittedName(name: string): boolean {
  return variableName.test(name) && !reservedNames.has(name)
}

/** A part of a file's text, by its offsets. */
export interface RenamedPart {
  readonly start: number
  readonly end: number
}

/**
 * True if the renamed file uses the new name nowhere else in the same scope: no variable merges with another one, and
 * no inner scope hides it.
 */
export function keepsMeaning(file: CodeFile, parts: readonly RenamedPart[], newName: string): boolean {
  const { text } = file.source
  const oldEnds = new Set(parts.map(({ end }) => end))
  const newEnds = new Set<number>()
  let renamed = ''
  let from = 0
  for (const { start, end } of parts.toSorted((a, b) => a.start - b.start)) {
    renamed += text.slice(from, start) + newName
    newEnds.add(renamed.length)
    from = end
  }
  const after = parseCodeFile(file.path, renamed + text.slice(from))
  const before = listNames(file.occurrences, oldEnds)
  const names = listNames(after.occurrences, newEnds)
  const isElsewhere = (each: Occurrence) => names.has(getKey(each)) && !newEnds.has(each.span.end)
  return names.size === before.size && !after.occurrences.some(isElsewhere)
}

function listNames(occurrences: readonly Occurrence[], ends: ReadonlySet<number>): ReadonlySet<string> {
  return new Set(occurrences.filter(({ span }) => ends.has(span.end)).map(getKey))
}

function getKey({ kind, name }: Occurrence): string {
  return `${kind} ${name}`
}
