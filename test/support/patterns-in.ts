import { parseAst } from 'rolldown/parseAst'

/** A regular expression of a source file. */
export interface FoundPattern {
  /** File and line. */
  readonly place: string
  /** What the program says. */
  readonly expression: string
  /** `undefined` when only the running program knows it. */
  readonly source: string | undefined
  readonly flags: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** The regular expressions of a TypeScript file: literals, and what `RegExp` makes of constants of the file. */
export function patternsIn(file: string, text: string): readonly FoundPattern[] {
  const nodes = [...nodesBelow(parseAst(text, { lang: 'ts' }))]
  const constants = new Map<string, Node>()
  for (const { type, id, init } of nodes)
    if (type === 'VariableDeclarator' && isNode(init) && isNode(id) && id.type === 'Identifier')
      constants.set(id['name'] as string, init)
  const textOf = (node: Node): string => text.slice(node.start, node.end)
  const placeOf = ({ start }: Node): string => `${file}:${text.slice(0, start).split('\n').length}`
  return nodes.flatMap((node): FoundPattern[] => {
    const literal = regexOf(node)
    if (literal)
      return [{ place: placeOf(node), expression: textOf(node), source: literal.pattern, flags: literal.flags }]
    const { callee } = node
    if (!isNode(callee) || callee.type !== 'Identifier' || callee['name'] !== 'RegExp') return []
    const [source, flags] = node['arguments'] as readonly Node[]
    const given = flags === undefined ? '' : textValue(flags, constants)
    return [
      {
        place: placeOf(node),
        expression: source ? textOf(source) : '',
        source: source && given !== undefined ? textValue(source, constants) : undefined,
        flags: given ?? '',
      },
    ]
  })
}

/** The text that an expression of constants gives; `undefined` when it holds anything else. */
function textValue(node: Node, constants: ReadonlyMap<string, Node>, depth = 0): string | undefined {
  const again = (each: unknown) => (isNode(each) && depth < 20 ? textValue(each, constants, depth + 1) : undefined)
  switch (node.type) {
    case 'Literal':
      return typeof node['value'] === 'string' ? node['value'] : undefined
    case 'Identifier': {
      const constant = constants.get(node['name'] as string)
      return constant && again(constant)
    }
    case 'MemberExpression': {
      const { object, property } = node as unknown as { object: Node; property: Node }
      const target = object.type === 'Identifier' ? constants.get(object['name'] as string) : object
      return property['name'] === 'source' && target ? regexOf(target)?.pattern : undefined
    }
    case 'BinaryExpression':
      return joined([again(node['left']), again(node['right'])])
    case 'TaggedTemplateExpression': {
      const { tag, quasi } = node as unknown as { tag: Node; quasi: Node }
      const isRaw = isNode(tag['object']) && tag['object']['name'] === 'String'
      return isRaw ? templateOf(quasi, again, 'raw') : undefined
    }
    case 'TemplateLiteral':
      return templateOf(node, again, 'cooked')
    default:
      return undefined
  }
}

function templateOf(node: Node, textValue: (each: unknown) => string | undefined, kind: 'raw' | 'cooked') {
  const texts = (node['quasis'] as readonly { readonly value: Record<string, string> }[]).map(
    ({ value }) => value[kind],
  )
  const values = (node['expressions'] as readonly Node[]).map(textValue)
  return joined(texts.flatMap((each, at) => (at < values.length ? [each, values[at]] : [each])))
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join('')
}

function regexOf(node: Node): { readonly pattern: string; readonly flags: string } | undefined {
  return node.type === 'Literal' ? (node['regex'] as { pattern: string; flags: string } | undefined) : undefined
}

function* nodesBelow(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const each of value) yield* nodesBelow(each)
  if (!isNode(value)) return
  yield value
  for (const [key, each] of Object.entries(value)) if (key !== 'regex') yield* nodesBelow(each)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
