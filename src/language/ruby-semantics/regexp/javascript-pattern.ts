import { formatAsciiClass } from './character-set.ts'
import type { Anchor, Pattern, RegexpNode, Repeat } from './nodes.ts'
import { wordClass } from './properties.ts'

/** A JavaScript pattern, either for ASCII strings or for all strings. */
export interface Script {
  readonly text: string
  /** JavaScript's number for each of Ruby's groups, from 1. */
  readonly groups: readonly number[]
}

/** Translates a pattern to JavaScript, without flags for ASCII strings and with flag `v` for other strings. */
export function writePattern({ root, groupCount }: Pattern, reach: 'ascii' | 'unicode'): Script {
  const writer = new Writer(reach === 'ascii')
  const text = writer.write(root)
  return { text, groups: Array.from({ length: groupCount }, (_, index) => writer.numbers.get(index + 1) ?? 0) }
}

const anchors: Readonly<Record<Anchor['at'], string>> = {
  start: '^',
  end: '$',
  'last line end': '(?=\\n?$)',
  'line start': '(?:^|(?<=\\n)(?!$))',
  'line end': '(?=\\n|$)',
  'word bound': `(?:(?<=${wordClass})(?!${wordClass})|(?<!${wordClass})(?=${wordClass}))`,
  inside: `(?:(?<=${wordClass})(?=${wordClass})|(?<!${wordClass})(?!${wordClass}))`,
}

class Writer {
  /** JavaScript's group number for each of Ruby's groups. They differ because atomic groups need extra groups. */
  readonly numbers = new Map<number, number>()
  readonly #inAscii: boolean
  #opened = 0

  constructor(inAscii: boolean) {
    this.#inAscii = inAscii
  }

  write(node: RegexpNode): string {
    switch (node.kind) {
      case 'Characters':
        return this.#inAscii ? formatAsciiClass(node.set) : node.set.unicode
      case 'Sequence':
        return node.parts.map((part) => this.#closed(part)).join('')
      case 'Alternatives':
        return node.branches.map((branch) => this.write(branch)).join('|')
      case 'Repeat':
        return this.#repeat(node)
      case 'Capture':
        this.numbers.set(node.number, ++this.#opened)
        return `(${this.write(node.body)})`
      case 'Atomic': {
        const number = ++this.#opened
        return `(?:(?=(${this.write(node.body)}))\\${number})`
      }
      case 'Look':
        return `(?${node.direction === 'behind' ? '<' : ''}${node.negated ? '!' : '='}${this.write(node.body)})`
      case 'Anchor':
        return this.#anchor(node)
      case 'BackReference':
        return `(?:\\${this.numbers.get(node.number)})`
    }
  }

  #anchor({ at }: Anchor): string {
    if (this.#inAscii && (at === 'word bound' || at === 'inside')) return at === 'inside' ? '\\B' : '\\b'
    return anchors[at]
  }

  #repeat({ body, min, max, lazy }: Repeat): string {
    const closed = body.kind === 'Characters' || body.kind === 'Capture' ? this.write(body) : `(?:${this.write(body)})`
    return `${closed}${formatCount(min, max)}${lazy ? '?' : ''}`
  }

  #closed(node: RegexpNode): string {
    return node.kind === 'Alternatives' ? `(?:${this.write(node)})` : this.write(node)
  }
}

function formatCount(min: number, max: number): string {
  if (max === 1 && min === 0) return '?'
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  return min === max ? `{${min}}` : `{${min},${max}}`
}
