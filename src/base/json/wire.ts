import { budgets } from '../budgets/budgets.ts'
import { defineIssues, fail } from '../issue.ts'
import { type ExactJson, isExactObject } from './exact-json.ts'

/** JSON data. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/** Why something from outside is not what it should be. */
export const wireIssues = defineIssues({
  WIRE_SHAPE: { text: (a: { what: string; expected: string }) => `${a.what} must be ${a.expected}` },
  WIRE_NESTING: { text: (a: { depth: number }) => `nesting of ${a.depth} is too deep` },
})

/** A JSON object from outside, for its keys and not their order. Throws WIRE_SHAPE, naming `what`. */
export function record(value: unknown, what: string): Record<string, unknown> {
  if (!isExactObject(value as ExactJson)) fail(wireIssues.WIRE_SHAPE, { what, expected: 'an object' })
  return value instanceof Map ? Object.fromEntries(value) : (value as Record<string, unknown>)
}

/** A JSON array from outside. */
export function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) fail(wireIssues.WIRE_SHAPE, { what, expected: 'an array' })
  return value
}

/** Whoever walks through something deeper would run out of stack far beyond. */
const deepest = budgets.request.jsonDepth.bound

/** The given value, proven not to be nested without end. Throws WIRE_NESTING. */
export function shallow<Value>(value: Value, level = 1): Value {
  if (typeof value !== 'object' || value === null) return value
  if (level > deepest) fail(wireIssues.WIRE_NESTING, { depth: level })
  for (const each of value instanceof Map ? value.values() : Object.values(value)) shallow(each, level + 1)
  return value
}

/** A string from outside. */
export function text(value: unknown, what: string): string {
  if (typeof value !== 'string') fail(wireIssues.WIRE_SHAPE, { what, expected: 'a string' })
  return value
}

/** A string, or nothing. */
export function optionalText(value: unknown, what: string): string | undefined {
  return value === undefined || value === null ? undefined : text(value, what)
}

/** A number from outside. */
export function number(value: unknown, what: string): number {
  if (typeof value !== 'number' && !(value instanceof Number))
    fail(wireIssues.WIRE_SHAPE, { what, expected: 'a number' })
  return Number(value)
}
