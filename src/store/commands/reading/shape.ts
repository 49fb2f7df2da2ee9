import { fail, type Issue } from '../../../base/issue.ts'
import { type ExactJson, type ExactObject, entriesOf, isExactObject, memberOf } from '../../../base/json/exact-json.ts'
import { clojureText, valueName } from '../../clojure-text.ts'

/** A check of a value; returns the mismatch in the words of PuppetDB's schemas. */
export type Shape = (value: ExactJson | undefined) => Misfit | undefined

/** The mismatch of a value; for an object, the mismatches of its members; for a list, those of its items. */
export type Misfit =
  | string
  | { readonly members: readonly (readonly [key: string, misfit: Misfit])[] }
  | { readonly items: readonly (Misfit | undefined)[] }

/** The required and the optional members of an object; no others are allowed. */
export interface Members {
  readonly required: Readonly<Record<string, Shape>>
  readonly optional?: Readonly<Record<string, Shape>>
}

/** A string. */
export const text = instance('String', (value) => typeof value === 'string')

/** A boolean. */
export const boolean = instance('Boolean', (value) => typeof value === 'boolean')

/** Any number. */
export const anyNumber = instance('Number', (value) => isWhole(value) || isFloat(value))

/** A whole number. */
export const integer: Shape = (value) => (isWhole(value) ? undefined : `(not (integer? ${valueName(value)}))`)

/** Any JSON value. */
export const anything: Shape = () => undefined

/** One of the given strings. */
export function oneOf(...texts: readonly string[]): Shape {
  const set = `#{${texts.map(clojureText).join(' ')}}`
  return (value) => (texts.includes(value as string) ? undefined : `(not (${set} ${valueName(value)}))`)
}

/** Accepts null and every value that the shape accepts. */
export function nullable(shape: Shape): Shape {
  return (value) => (value === null ? undefined : shape(value))
}

/** A value for which `accepts` returns true; `rule` is PuppetDB's name of this check. */
export function accepted(rule: string, accepts: (value: ExactJson | undefined) => boolean): Shape {
  return (value) => (accepts(value) ? undefined : `(not (${rule} ${valueName(value)}))`)
}

/** A list of items; null is accepted, too, as in PuppetDB. */
export function listOf(shape: Shape): Shape {
  return (value) => {
    if (value === null) return undefined
    if (!Array.isArray(value)) return `(not (sequential? ${valueName(value)}))`
    const items = value.map((each) => shape(each))
    return items.some((each) => each !== undefined) ? { items } : undefined
  }
}

/** An object with these members. */
export function objectOf({ required, optional = {} }: Members): Shape {
  return (value) => {
    if (!isExactObject(value)) return `(not (map? ${valueName(value)}))`
    const members: (readonly [string, Misfit])[] = []
    const look = (key: string, misfit: Misfit | undefined) => misfit !== undefined && members.push([key, misfit])
    for (const [key, shape] of Object.entries(required)) {
      const member = memberOf(value, key)
      look(key, member === undefined ? 'missing-required-key' : shape(member))
    }
    for (const [key, shape] of Object.entries(optional)) {
      const member = memberOf(value, key)
      if (member !== undefined) look(key, shape(member))
    }
    for (const [key] of entriesOf(value))
      if (!Object.hasOwn(required, key) && !Object.hasOwn(optional, key)) look(key, 'disallowed-key')
    return members.length > 0 ? { members } : undefined
  }
}

/** Formats a mismatch in PuppetDB's words: `{:certname (not (instance? String 5))}`. */
export function misfitText(misfit: Misfit | undefined): string {
  if (misfit === undefined) return 'nil'
  if (typeof misfit === 'string') return misfit
  if ('items' in misfit) return `[${misfit.items.map(misfitText).join(' ')}]`
  return `{${misfit.members.map(([key, each]) => `:${key} ${misfitText(each)}`).join(', ')}}`
}

/** Returns the value if it matches the shape; otherwise throws the given error with the mismatch. */
export function shaped(value: ExactJson, shape: Shape, issue: Issue<{ misfit: string }>): ExactObject {
  const misfit = shape(value)
  if (misfit !== undefined) fail(issue, { misfit: misfitText(misfit) })
  return value as ExactObject
}

function instance(name: string, is: (value: ExactJson | undefined) => boolean): Shape {
  return (value) => (is(value) ? undefined : `(not (instance? ${name} ${valueName(value)}))`)
}

function isWhole(value: ExactJson | undefined): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
}

function isFloat(value: ExactJson | undefined): boolean {
  return value instanceof Number || typeof value === 'number'
}
