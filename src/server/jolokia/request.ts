import { defineIssues, throwIssue } from '../../base/issue.ts'

/** A Jolokia request. The response contains a copy of it. */
export interface JolokiaRequest {
  readonly type: 'version' | 'list' | 'read' | 'search'
  /** Name of a bean, or a pattern. */
  readonly mbean?: string
  readonly attribute?: string | readonly string[]
  /** Path to a part of an attribute's value or of the list of beans. */
  readonly path?: string
}

/** Errors of requests, with Jolokia's messages. */
export const jolokiaIssues = defineIssues({
  JOLOKIA_TYPE: { text: (a: { type: string }) => `No type with name '${a.type}' exists` },
  JOLOKIA_PATH: {
    text: (a: { type: string }) => `Invalid arguments in pathinfo /${a.type} for command ${a.type.toUpperCase()}`,
  },
  JOLOKIA_JSON: { text: (a: { what: string }) => `Invalid JSON request ${a.what}` },
  JOLOKIA_BULK: { text: (a: { most: number }) => `More than ${a.most} requests at once` },
})

const types = ['version', 'list', 'read', 'search'] as const

function parseType(word: string): JolokiaRequest['type'] {
  const type = types.find((each) => each === word.toLowerCase())
  return type ?? throwIssue(jolokiaIssues.JOLOKIA_TYPE, { type: word.slice(0, 100) })
}

/** Parses the path behind `/metrics/v2/`, where `!` escapes a slash. Throws JOLOKIA_TYPE and JOLOKIA_PATH. */
export function parsePathRequest(text: string): JolokiaRequest {
  const [word = 'version', ...rest] = splitPath(text)
  const type = parseType(word)
  if (type === 'version') return { type }
  if (type === 'list') return { type, ...toPathMember(rest) }
  const [mbean = '', attribute, ...path] = rest
  if (mbean === '') return throwIssue(jolokiaIssues.JOLOKIA_PATH, { type })
  if (type === 'search' || attribute === undefined) return { type, mbean }
  return { type, mbean, attribute: attribute.includes(',') ? attribute.split(',') : attribute, ...toPathMember(path) }
}

function toPathMember(parts: readonly string[]): { readonly path?: string } {
  return parts.length === 0 ? {} : { path: parts.map((part) => part.replace(/[!/]/g, '!$&')).join('/') }
}

/** Parses a request in JSON. Throws JOLOKIA_TYPE and JOLOKIA_JSON. */
export function parseJsonRequest(json: unknown): JolokiaRequest {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return throwIssue(jolokiaIssues.JOLOKIA_JSON, { what: String(json).slice(0, 100) })
  const { type: word, mbean, attribute, path } = json as Readonly<Record<string, unknown>>
  const type = parseType(String(word))
  const isNamed = type === 'read' || type === 'search'
  if (isNamed && typeof mbean !== 'string') return throwIssue(jolokiaIssues.JOLOKIA_JSON, { what: 'without an mbean' })
  return {
    type,
    ...(isNamed && { mbean: mbean as string }),
    ...(isAttribute(attribute) && { attribute }),
    ...(typeof path === 'string' && { path }),
  }
}

function isAttribute(given: unknown): given is string | readonly string[] {
  if (!Array.isArray(given)) return typeof given === 'string' && given !== ''
  return given.length > 0 && given.every((each) => typeof each === 'string')
}

/** Splits a path at unescaped slashes. */
export function splitPath(path: string): readonly string[] {
  const parts = Array.from(path.matchAll(/((?:!.|[^/])*)(?:\/|$)/gsu), ([, part = '']) => part.replace(/!(.)/gsu, '$1'))
  while (parts.at(-1) === '') parts.pop()
  return parts
}
