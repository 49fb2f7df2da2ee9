import type { Mark } from './cursor.ts'
import { YamlScanner } from './scanner.ts'
import type { YamlToken } from './token.ts'
import { YamlError } from './yaml-error.ts'

/** Path of a node from the document root: mapping keys and sequence indexes. */
export type YamlPath = readonly (string | number)[]

/** A node and the position of its start. */
export interface NodePosition {
  readonly path: YamlPath
  readonly mark: Mark
}

/** An open mapping or sequence. A sequence that is not indented below its key has no end token. */
interface Container {
  readonly kind: 'mapping' | 'sequence' | 'indentless'
  step: string | number | undefined
}

/**
 * Returns the positions of mapping keys and sequence items in the first document, by `toNodeKey`; paths have at most
 * `depth` steps. Empty if the text is not valid YAML.
 */
export function readNodeMarks(text: string, depth: number): ReadonlyMap<string, NodePosition> {
  const found = new Map<string, NodePosition>()
  try {
    readMarks(new YamlScanner(text), depth, found)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    found.clear()
  }
  return found
}

/** Key of a path in the result of `readNodeMarks`. */
export function toNodeKey(path: YamlPath): string {
  return path.join('\n')
}

function readMarks(scanner: YamlScanner, depth: number, found: Map<string, NodePosition>): void {
  const open: Container[] = []
  /** Kind of node that the next token starts. */
  let begins: 'key' | 'item' | undefined
  const recordMark = (step: string | number, mark: Mark): void => {
    const inside = open.at(-1)
    // The scanner accepts an item outside of a sequence, after a document that ended early.
    if (inside === undefined) return
    inside.step = step
    // Paths are built only down to `depth`: paths of N nested nodes would have up to N steps each.
    if (open.length > depth) return
    // A key that is not a scalar has no step in a path.
    const path = open.flatMap((container) => container.step ?? [])
    if (path.length === open.length) found.set(toNodeKey(path), { path, mark })
  }
  for (let token = scanner.next(); token.kind !== 'stream-end'; token = scanner.next()) {
    const { kind, mark } = token
    if (kind === 'document-end' || (kind === 'document-start' && found.size > 0)) return
    if (open.at(-1)?.kind === 'indentless' && (kind === 'key' || kind === 'block-end')) open.pop()
    if (kind === 'block-entry' && open.at(-1)?.kind === 'mapping') open.push({ kind: 'indentless', step: undefined })
    if (kind === 'block-entry' || (begins === 'item' && kind !== 'flow-sequence-end'))
      recordMark(computeNextIndex(open), mark)
    if (begins === 'key' && kind === 'scalar') recordMark(token.value, mark)
    if (kind.endsWith('mapping-start')) open.push({ kind: 'mapping', step: undefined })
    else if (kind.endsWith('sequence-start')) open.push({ kind: 'sequence', step: undefined })
    else if (kind.endsWith('-end')) open.pop()
    if (kind === 'key' && open.at(-1)?.kind === 'mapping') open.at(-1)!.step = undefined
    begins = getNextPart(token, begins, open.at(-1))
  }
}

function computeNextIndex(open: readonly Container[]): number {
  const step = open.at(-1)?.step
  return typeof step === 'number' ? step + 1 : 0
}

function getNextPart({ kind }: YamlToken, before: 'key' | 'item' | undefined, inside: Container | undefined) {
  if (kind === 'key') return inside?.kind === 'mapping' ? 'key' : undefined
  if (kind === 'flow-sequence-start' || (kind === 'flow-entry' && inside?.kind === 'sequence')) return 'item'
  // An anchor or a tag can precede the key.
  return before === 'key' && (kind === 'anchor' || kind === 'tag') ? before : undefined
}
