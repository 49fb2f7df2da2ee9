import { budgets } from '../budgets/budgets.ts'
import { defineIssues, isCatalogIssue, throwIssue } from '../issue.ts'
import type { ExactJson } from './exact-json.ts'
import { wireIssues } from './json-checks.ts'
import { isEscaped, parseJson } from './json-text.ts'

/** Error definitions for JSON that exceeds its limits. */
export const jsonIssues = defineIssues({
  JSON_SIZE: { text: (a: { most: number }) => `it exceeds ${a.most} characters` },
  JSON_ITEMS: { text: (a: { most: number }) => `it exceeds ${a.most} values` },
  JSON_LONG_NUMBER: { text: (a: { most: number }) => `it contains a number of more than ${a.most} characters` },
  JSON_LARGE_NUMBER: { text: (a: { number: string }) => `the number ${a.number} is too large` },
})

const { jsonDepth, jsonNumber } = budgets.request

/** Limits on a JSON text. */
export interface JsonBounds {
  readonly characters: number
  /** Number of values, including nested ones. */
  readonly items: number
  /** Maximum levels of nesting; by default the budget of a request body. */
  readonly depth?: number
}

/**
 * Parses external JSON. Length, depth and number of values are checked before any value is created.
 */
export function parseBoundedJson(text: string, { characters, items, depth = jsonDepth.bound }: JsonBounds): ExactJson {
  if (text.length > characters) throwIssue(jsonIssues.JSON_SIZE, { most: characters })
  checkJsonSize(text, { items, depth })
  return parseJson(text)
}

/** True for an error about JSON that exceeds its limits, false for a syntax error. */
export function isJsonLimitError(error: unknown): boolean {
  return isCatalogIssue(error, jsonIssues)
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Counts values and levels in one pass; syntax errors are left to the parser. */
function checkJsonSize(text: string, { items: most, depth: deepest }: Required<Omit<JsonBounds, 'characters'>>): void {
  let depth = 0
  let items = 1
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) {
      at = findStringEnd(text, at)
    } else if (char === comma) {
      items++
    } else if (char === openBrace || char === openBracket) {
      items++
      if (++depth > deepest) throwIssue(wireIssues.WIRE_NESTING, { depth })
    } else if (char === closeBrace || char === closeBracket) {
      depth--
    } else if (isDigit(char)) {
      const end = findNumberEnd(text, at)
      checkJsonNumber(text.slice(at, end))
      at = end - 1
    }
    if (items > most) throwIssue(jsonIssues.JSON_ITEMS, { most })
  }
}

/**
 * Limits the digits of a number, and rejects Floats that would become infinite, which JSON cannot
 * represent.
 */
function checkJsonNumber(number: string): void {
  if (number.length > jsonNumber.bound) throwIssue(jsonIssues.JSON_LONG_NUMBER, { most: jsonNumber.bound })
  if (!Number.isFinite(Number(number)) && /[.eE]/.test(number)) throwIssue(jsonIssues.JSON_LARGE_NUMBER, { number })
}

function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function findNumberEnd(text: string, start: number): number {
  let end = start
  while (end < text.length && isNumberCharacter(text.charCodeAt(end))) end++
  return end
}

/** True for a digit, `.`, `e`, `E`, `+` or `-`. */
function isNumberCharacter(char: number): boolean {
  return isDigit(char) || char === 0x2e || char === 0x65 || char === 0x45 || char === 0x2b || char === 0x2d
}

function isDigit(char: number): boolean {
  return char >= 0x30 && char <= 0x39
}
