import { defineIssues, fail } from '../../base/issue.ts'

/** A question to Jolokia. */
export interface JolokiaRequest {
  readonly type: 'version' | 'list' | 'read' | 'search' | 'exec' | 'write'
  /** The name of a bean, or a pattern. */
  readonly mbean?: string
  readonly attribute?: string | readonly string[]
  /** The way into a value, or into the list. */
  readonly path?: string
  readonly operation?: string
  readonly value?: unknown
}

/** Faults of a question, in Jolokia's words. */
export const requestIssues = defineIssues({
  JOLOKIA_TYPE: { text: (a: { type: string }) => `No type with name '${a.type}' exists` },
  JOLOKIA_PATH: {
    text: (a: { type: string }) => `Invalid arguments in pathinfo /${a.type} for command ${a.type.toUpperCase()}`,
  },
  JOLOKIA_JSON: { text: (a: { what: string }) => `Invalid JSON request ${a.what}` },
  JOLOKIA_BULK: { text: (a: { most: number }) => `More than ${a.most} requests at once` },
})

const types = ['version', 'list', 'read', 'search', 'exec', 'write'] as const

function typeOf(word: string): JolokiaRequest['type'] {
  const type = types.find((each) => each === word.toLowerCase())
  return type ?? fail(requestIssues.JOLOKIA_TYPE, { type: word.slice(0, 100) })
}

/** The question of a path behind `/metrics/v2/`. `!` stands before what means itself. Throws what is wrong with it. */
export function requestOfPath(path: string): JolokiaRequest {
  const [word = '', ...rest] = partsOf(path)
  if (word === '') return { type: 'version' }
  const type = typeOf(word)
  const [mbean, second, ...further] = rest
  if (type === 'version') return { type }
  if (type === 'list') return rest.length === 0 ? { type } : { type, path: joined(rest) }
  if (mbean === undefined || mbean === '') return fail(requestIssues.JOLOKIA_PATH, { type })
  if (type === 'search' || second === undefined) return { type, mbean }
  if (type === 'exec') return { type, mbean, operation: second }
  if (type === 'write') return { type, mbean, attribute: second, value: further[0] }
  const attribute = second.includes(',') ? second.split(',') : second
  return { type, mbean, attribute, ...(further.length > 0 && { path: joined(further) }) }
}

/** The question that a JSON object is. Throws what is wrong with it. */
export function requestOfJson(json: unknown): JolokiaRequest {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return fail(requestIssues.JOLOKIA_JSON, { what: String(json).slice(0, 100) })
  const { type: word, mbean, attribute, path, operation, value } = json as Readonly<Record<string, unknown>>
  const type = typeOf(typeof word === 'string' ? word : String(word))
  const isNamed = type !== 'version' && type !== 'list'
  if (isNamed && typeof mbean !== 'string') return fail(requestIssues.JOLOKIA_JSON, { what: 'without an mbean' })
  return {
    type,
    ...(isNamed && { mbean: mbean as string }),
    ...(attributeOf(attribute) && { attribute: attributeOf(attribute)! }),
    ...(typeof path === 'string' && { path }),
    ...(typeof operation === 'string' && { operation }),
    ...(type === 'write' && { value }),
  }
}

function attributeOf(given: unknown): string | readonly string[] | undefined {
  if (typeof given === 'string' && given !== '') return given
  return Array.isArray(given) && given.length > 0 && given.every((each) => typeof each === 'string') ? given : undefined
}

/** The parts between slashes of a path. */
export function partsOf(path: string): readonly string[] {
  const parts = ['']
  for (let at = 0; at < path.length; at++) {
    const char = path[at]!
    if (char === '/') parts.push('')
    else parts[parts.length - 1] += char === '!' && at + 1 < path.length ? path[++at]! : char
  }
  return parts.at(-1) === '' ? parts.slice(0, -1) : parts
}

function joined(parts: readonly string[]): string {
  return parts.map((part) => part.replace(/[!/]/g, '!$&')).join('/')
}
