import { budgets } from '../budgets/budgets.ts'
import { defineIssues, throwIssue } from '../issue.ts'
import { type ExactJson, isExactObject } from './exact-json.ts'

/** JSON data. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/** Error definitions for external data of the wrong shape. */
export const wireIssues = defineIssues({
  WIRE_SHAPE: { text: (a: { what: string; expected: string }) => `${a.what} must be ${a.expected}` },
  WIRE_NESTING: { text: (a: { depth: number }) => `nesting of ${a.depth} is too deep` },
})

/**
 * Checks that external data is a JSON object. Throws WIRE_SHAPE, in which `what` names the data. The order of keys may
 * be lost.
 */
export function checkJsonObject(value: unknown, what: string): Record<string, unknown> {
  if (!isExactObject(value as ExactJson)) throwIssue(wireIssues.WIRE_SHAPE, { what, expected: 'an object' })
  return value instanceof Map ? Object.fromEntries(value) : (value as Record<string, unknown>)
}

/** The members of external data that is a JSON object; none for other data. */
export function toJsonRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isExactObject((value ?? null) as ExactJson) ? checkJsonObject(value, '') : {}
}

/** Checks that external data is an array. */
export function checkJsonArray(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throwIssue(wireIssues.WIRE_SHAPE, { what, expected: 'an array' })
  return value
}

/** Maximum nesting; far below the depth at which recursion would exhaust the stack. */
const deepest = budgets.request.jsonDepth.bound

/** Returns the value after checking its nesting. Throws WIRE_NESTING. */
export function checkNesting<Value>(value: Value, level = 1): Value {
  if (typeof value !== 'object' || value === null) return value
  if (level > deepest) throwIssue(wireIssues.WIRE_NESTING, { depth: level })
  for (const each of value instanceof Map ? value.values() : Object.values(value)) checkNesting(each, level + 1)
  return value
}

/** Checks that external data is a string. */
export function checkJsonString(value: unknown, what: string): string {
  if (typeof value !== 'string') throwIssue(wireIssues.WIRE_SHAPE, { what, expected: 'a string' })
  return value
}

/** Checks that external data is a string, null or undefined. */
export function checkOptionalString(value: unknown, what: string): string | undefined {
  return value === undefined || value === null ? undefined : checkJsonString(value, what)
}

/** Checks that external data is a number. */
export function checkJsonNumber(value: unknown, what: string): number {
  if (typeof value !== 'number' && !(value instanceof Number))
    throwIssue(wireIssues.WIRE_SHAPE, { what, expected: 'a number' })
  return Number(value)
}
