import { type Issue, throwIssue } from '../../../base/issue.ts'
import {
  type ExactJson,
  type ExactObject,
  getEntries,
  getMember,
  isExactObject,
} from '../../../base/json/exact-json.ts'
import { formatClojure, formatValueName } from '../../clojure-text.ts'

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

/** Accepts a string. */
export const textShape = createTypeShape('String', (value) => typeof value === 'string')

/** Accepts a boolean. */
export const booleanShape = createTypeShape('Boolean', (value) => typeof value === 'boolean')

/** Accepts any number. */
export const numberShape = createTypeShape('Number', (value) => isWholeNumber(value) || isFloat(value))

/** Accepts a whole number. */
export const matchInteger: Shape = (value) =>
  isWholeNumber(value) ? undefined : `(not (integer? ${formatValueName(value)}))`

/** Accepts any JSON value. */
export const matchAnything: Shape = () => undefined

/** Accepts only the given strings. */
export function createChoiceShape(...texts: readonly string[]): Shape {
  const set = `#{${texts.map(formatClojure).join(' ')}}`
  return (value) => (texts.includes(value as string) ? undefined : `(not (${set} ${formatValueName(value)}))`)
}

/** Accepts null and every value that the shape accepts. */
export function allowNull(shape: Shape): Shape {
  return (value) => (value === null ? undefined : shape(value))
}

/** Accepts a value for which `accepts` returns true; `rule` is PuppetDB's name of this check. */
export function createPredicateShape(rule: string, accepts: (value: ExactJson | undefined) => boolean): Shape {
  return (value) => (accepts(value) ? undefined : `(not (${rule} ${formatValueName(value)}))`)
}

/** Accepts a list of items, and null, as PuppetDB does. */
export function createListShape(shape: Shape): Shape {
  return (value) => {
    if (value === null) return undefined
    if (!Array.isArray(value)) return `(not (sequential? ${formatValueName(value)}))`
    const items = value.map((each) => shape(each))
    return items.some((each) => each !== undefined) ? { items } : undefined
  }
}

/** Accepts an object with these members. */
export function createObjectShape({ required, optional = {} }: Members): Shape {
  return (value) => {
    if (!isExactObject(value)) return `(not (map? ${formatValueName(value)}))`
    const members: (readonly [string, Misfit])[] = []
    const addMisfit = (key: string, misfit: Misfit | undefined) => misfit !== undefined && members.push([key, misfit])
    for (const [key, shape] of Object.entries(required)) {
      const member = getMember(value, key)
      addMisfit(key, member === undefined ? 'missing-required-key' : shape(member))
    }
    for (const [key, shape] of Object.entries(optional)) {
      const member = getMember(value, key)
      if (member !== undefined) addMisfit(key, shape(member))
    }
    for (const [key] of getEntries(value))
      if (!Object.hasOwn(required, key) && !Object.hasOwn(optional, key)) addMisfit(key, 'disallowed-key')
    return members.length > 0 ? { members } : undefined
  }
}

/** Formats a mismatch in PuppetDB's words: `{:certname (not (instance? String 5))}`. */
export function formatMisfit(misfit: Misfit | undefined): string {
  if (misfit === undefined) return 'nil'
  if (typeof misfit === 'string') return misfit
  if ('items' in misfit) return `[${misfit.items.map(formatMisfit).join(' ')}]`
  return `{${misfit.members.map(([key, each]) => `:${key} ${formatMisfit(each)}`).join(', ')}}`
}

/** Returns the value if it matches the shape; otherwise throws the given error with the mismatch. */
export function checkShape(value: ExactJson, shape: Shape, issue: Issue<{ misfit: string }>): ExactObject {
  const misfit = shape(value)
  if (misfit !== undefined) throwIssue(issue, { misfit: formatMisfit(misfit) })
  return value as ExactObject
}

function createTypeShape(name: string, is: (value: ExactJson | undefined) => boolean): Shape {
  return (value) => (is(value) ? undefined : `(not (instance? ${name} ${formatValueName(value)}))`)
}

function isWholeNumber(value: ExactJson | undefined): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
}

function isFloat(value: ExactJson | undefined): boolean {
  return value instanceof Number || typeof value === 'number'
}
