import { createExactObject, type ExactJson, getEntries, isExactObject } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import type { ParameterDiff } from '../../model/catalog-diff.ts'
import { formatLinePatch } from './line-patch.ts'
import type { ParameterChange } from './node-change.ts'
import type { FilePair } from './static-sources.ts'

/** Maximum length of a displayed value in characters. Longer values are truncated. */
const mostCharacters = 2000

/**
 * Placeholder for a secret in the output of `model/catalog-diff.ts`. It contains a digest, by which
 * secrets are compared.
 */
const digest = /\[redacted [0-9a-f]{8}\]/g
const redacted = '[redacted]'

/**
 * Describes the change of a parameter without secrets. The result does not reveal if two secrets
 * are equal.
 */
export function describeParameterChange(
  { name, from, to }: ParameterDiff,
  files: FilePair | undefined,
): ParameterChange {
  const [before, after] = [removeDigests(from), removeDigests(to)]
  // A changed secret is shown without values.
  if (formatExactJson(before ?? null) === formatExactJson(after ?? null) && from !== undefined && to !== undefined)
    return { name, from: before, to: after, secret: true }
  const patch = isString(before) && isString(after) ? createPatch(before, after) : undefined
  if (patch !== undefined) return { name, from: undefined, to: undefined, patch }
  return { name, from: toDisplayValue(before), to: toDisplayValue(after), ...(files && { files }) }
}

/** Returns a value for display: truncated and without secrets. */
export function toDisplayValue(value: ExactJson | undefined): ExactJson | undefined {
  const plain = removeDigests(value)
  if (plain === undefined) return undefined
  if (isString(plain)) return truncateText(plain)
  const text = formatExactJson(plain)
  return text.length > mostCharacters ? truncateText(text) : plain
}

function truncateText(text: string): string {
  if (text.length <= mostCharacters) return text
  return `${text.slice(0, mostCharacters)}… (${text.length} characters)`
}

function createPatch(from: string, to: string): string | undefined {
  return from.includes('\n') || to.includes('\n') ? formatLinePatch(from, to) : undefined
}

function isString(value: ExactJson | undefined): value is string {
  return typeof value === 'string'
}

function removeDigests(value: ExactJson | undefined): ExactJson | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return value.replace(digest, redacted)
  if (Array.isArray(value)) return value.map((each) => removeDigests(each)!)
  if (!isExactObject(value)) return value
  return createExactObject([...getEntries(value)].map(([key, each]) => [key, removeDigests(each ?? null)!]))
}
