import { type ExactJson, entriesOf, exactObject, isExactObject } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'
import type { ChangedParameter } from '../../model/catalog-diff.ts'
import { linePatch } from './line-patch.ts'
import type { ParameterChange } from './node-change.ts'
import type { FilePair } from './static-sources.ts'

/** Maximum length of a displayed value in characters. Longer values are truncated. */
const mostCharacters = 2000

/** Digest of a secret, which `model/catalog-diff.ts` compares. */
const digest = /\[redacted [0-9a-f]{8}\]/g
const redacted = '[redacted]'

/** Returns the change of a parameter without secrets. The result does not reveal if two secrets are equal. */
export function parameterChange({ name, from, to }: ChangedParameter, files: FilePair | undefined): ParameterChange {
  const [before, after] = [withoutDigests(from), withoutDigests(to)]
  // A changed secret is shown without values.
  if (printJson(before ?? null) === printJson(after ?? null) && from !== undefined && to !== undefined)
    return { name, from: before, to: after, secret: true }
  const patch = isText(before) && isText(after) ? patchOf(before, after) : undefined
  if (patch !== undefined) return { name, from: undefined, to: undefined, patch }
  return { name, from: shownValue(before), to: shownValue(after), ...(files && { files }) }
}

/** Returns a value for display: truncated and without secrets. */
export function shownValue(value: ExactJson | undefined): ExactJson | undefined {
  const plain = withoutDigests(value)
  if (plain === undefined) return undefined
  if (isText(plain)) return cut(plain)
  const text = printJson(plain)
  return text.length > mostCharacters ? cut(text) : plain
}

function cut(text: string): string {
  if (text.length <= mostCharacters) return text
  return `${text.slice(0, mostCharacters)}… (${text.length} characters)`
}

function patchOf(from: string, to: string): string | undefined {
  return from.includes('\n') || to.includes('\n') ? linePatch(from, to) : undefined
}

function isText(value: ExactJson | undefined): value is string {
  return typeof value === 'string'
}

function withoutDigests(value: ExactJson | undefined): ExactJson | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return value.replace(digest, redacted)
  if (Array.isArray(value)) return value.map((each) => withoutDigests(each)!)
  if (!isExactObject(value)) return value
  return exactObject([...entriesOf(value)].map(([key, each]) => [key, withoutDigests(each ?? null)!]))
}
