import { describe, expect, it } from 'vitest'
import { formatFlameGraph } from '../../../../src/cli/catalog/profile/flame-graph.ts'
import { type ScriptedWork, scriptedProfile } from '../../../compiler/profile/scripted-profile.ts'

/** An element of a parsed document, with its text. */
interface Element {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  text: string
  readonly children: Element[]
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`' }

function unescapeXml(text: string): string {
  return text.replace(/&([^;]*);?/g, (all, name: string) => {
    const char = all.endsWith(';') ? entities[name] : undefined
    if (char === undefined) throw new Error(`not an entity: ${all}`)
    return char
  })
}

/** Parses XML strictly: elements, attributes in double quotes, and text with the five entities. */
function parseXml(text: string): Element {
  const root: Element = { name: '', attributes: new Map(), text: '', children: [] }
  const open = [root]
  const token = /<(\/)?([a-z]+)((?: [a-zA-Z-]+="[^"<]*")*)(\/)?>|([^<]+)/gy
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [all, closes, name = '', given = '', isEmpty, content] = match
    // Control characters are no part of XML.
    if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(all))
      throw new Error(`not a character of XML: ${all}`)
    const current = open.at(-1)!
    if (content !== undefined) current.text += unescapeXml(content)
    else if (closes) {
      if (open.pop()!.name !== name) throw new Error(`</${name}> ends nothing`)
    } else {
      const pairs = Array.from(
        given.matchAll(/ ([a-zA-Z-]+)="([^"]*)"/g),
        ([, key = '', value = '']) => [key, unescapeXml(value)] as const,
      )
      if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error(`two equal attributes: ${given}`)
      const element: Element = { name, attributes: new Map(pairs), text: '', children: [] }
      current.children.push(element)
      if (!isEmpty) open.push(element)
    }
    if (token.lastIndex === text.length) {
      expect(open).toEqual([root])
      expect(root.children.map((each) => each.name)).toEqual(['svg'])
      return root.children[0]!
    }
  }
  throw new Error('not XML')
}

/** Title, x and width of each frame, and the label in it. */
function frames(svg: Element): string[] {
  return svg.children
    .filter(({ name }) => name === 'g')
    .map(({ children: [title, rect, label] }) =>
      [title!.text, rect!.attributes.get('x'), rect!.attributes.get('width'), label?.text ?? ''].join(' | '),
    )
}

const draw = (...works: readonly ScriptedWork[]) => parseXml(formatFlameGraph(scriptedProfile(...works), 'Title'))

describe('a flame graph', () => {
  it('has a frame for each place, as wide as its total time, the widest first', () => {
    const svg = draw(['phase', 'evaluate', ['class', 'small', 10], ['class', 'large', 20, ['function', 'f', 60]], 10])
    expect(frames(svg)).toEqual([
      'all: 100.00 ms (100.0 %), own 0.00 ms, calls: 1 | 0.0 | 1200.0 | all',
      'phase evaluate: 100.00 ms (100.0 %), own 10.00 ms, calls: 1 | 0.0 | 1200.0 | evaluate',
      'class large: 80.00 ms (80.0 %), own 20.00 ms, calls: 1 | 0.0 | 960.0 | large',
      'function f: 60.00 ms (60.0 %), own 60.00 ms, calls: 1 | 0.0 | 720.0 | f',
      'class small: 10.00 ms (10.0 %), own 10.00 ms, calls: 1 | 960.0 | 120.0 | small',
    ])
  })

  const names: readonly string[] = [
    '<script>alert(1)</script>',
    '"><rect onload="x"/>',
    "a & b ' ` ]]>",
    'line\nbreak\u0000\u001b[31m',
    'reordered \u202e text, half a pair \ud83d',
    '😀'.repeat(400),
  ]

  it.each(names)('shows a name as text: %j', (name) => {
    const svg = draw(['template', name, 10])
    const [, frame] = frames(svg)
    expect(svg.children.filter((each) => each.name !== 'g').map((each) => each.name)).not.toContain('script')
    expect(frame).toContain(name.startsWith('line') ? 'line\nbreak\\x00\\x1b[31m' : `template ${name.slice(0, 9)}`)
  })

  it('escapes its own title', () => {
    const svg = parseXml(formatFlameGraph(scriptedProfile(), 'Catalog of <a> & "b"'))
    expect(svg.children.find(({ name }) => name === 'text')?.text).toBe('Catalog of <a> & "b": 0.0 ms')
  })

  it('leaves out frames that are too narrow to be seen', () => {
    const svg = draw([
      'class',
      'a',
      10_000,
      ...Array.from({ length: 50 }, (_, at) => ['function', `f${at}`, 1] as const),
    ])
    expect(frames(svg)).toHaveLength(2)
  })

  it('truncates a label to its frame', () => {
    const [, , label] = frames(draw(['class', 'a', ['class', 'a_very_long_name', 5], 95]))
    expect(label).toMatch(/^class a_very_long_name: .* \| 60\.0 \| a_very_…$/)
  })
})
