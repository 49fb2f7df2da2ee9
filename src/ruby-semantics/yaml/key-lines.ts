import { Scanner } from './scanner.ts'
import { YamlError } from './yaml-error.ts'

const opening: ReadonlySet<string> = new Set([
  ...['block-mapping-start', 'block-sequence-start', 'flow-mapping-start', 'flow-sequence-start'],
])
const closing: ReadonlySet<string> = new Set(['block-end', 'flow-mapping-end', 'flow-sequence-end'])

/** The keys of the outermost mapping of the first document, and the lines on which they begin; none where that is wrong. */
export function keyLinesOf(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  try {
    readKeys(new Scanner(text), found)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    found.clear()
  }
  return found
}

function readKeys(scanner: Scanner, found: Map<string, number>): void {
  let depth = 0
  let isKey = false
  for (
    let token = scanner.next();
    token.kind !== 'stream-end' && token.kind !== 'document-end';
    token = scanner.next()
  ) {
    if (token.kind === 'document-start' && found.size > 0) return
    if (opening.has(token.kind)) depth++
    else if (closing.has(token.kind)) depth--
    if (isKey && token.kind === 'scalar') found.set(token.value, token.mark.line + 1)
    // An anchor or a tag may stand before the key.
    isKey = token.kind === 'key' ? depth === 1 : isKey && (token.kind === 'anchor' || token.kind === 'tag')
  }
}
