import { createExactObject, type ExactJson } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { readRichData, toRichData } from '../../language/rich-data/rich-data.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import type { Resource } from '../../model/catalog.ts'
import { redactSecrets } from '../../model/secret-redaction.ts'
import { toValidatorData } from './validator-data.ts'

/** A resource in the form that rules check. Sensitive values are present, but redacted. */
export interface CheckedResource {
  readonly resource: Resource
  /** Returns the resource as JSON, for schemas. */
  readonly data: () => Readonly<Record<string, unknown>> & { readonly parameters: Readonly<Record<string, unknown>> }
  /** Returns the resource as a Hash, for functions. */
  readonly value: () => Hash
}

/** Converts a resource; its JSON and its Hash are created on first use. */
export function createCheckedResource(resource: Resource): CheckedResource {
  return { resource, data: memoize(() => toPlainResource(resource)), value: memoize(() => toResourceHash(resource)) }
}

function memoize<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function toPlainResource(resource: Resource): ReturnType<CheckedResource['data']> {
  const { type, title, tags, file = null, line = null, exported } = resource
  const parameters = Array.from(resource.parameters, ([name, value]) => [name, toRedactedJson(value)] as const)
  const json = { type, title, tags, file, line, exported, parameters: createExactObject(parameters) }
  return toValidatorData(json) as ReturnType<CheckedResource['data']>
}

function toResourceHash(resource: Resource): Hash {
  const { type, title, tags, file, line, exported } = resource
  const parameters = Hash.of(Array.from(resource.parameters, ([name, value]) => [name, redactValue(value)]))
  return Hash.from({ type, title, tags, file, line, exported, parameters })
}

function toRedactedJson(value: Value): ExactJson {
  return redactSecrets(toRichData(value, { richData: true, bytes: 'binary', warn() {} }), createRedactedValue)
}

/** Returns a value unchanged, or with its Sensitive parts redacted. */
function redactValue(value: Value): Value {
  if (typeof value !== 'object') return value
  const json = toRichData(value, { richData: true, bytes: 'binary', warn() {} })
  const bare = redactSecrets(json, createRedactedValue)
  return formatExactJson(bare) === formatExactJson(json) ? value : readRichData(bare)
}

/** Returns a redacted Sensitive value. */
const createRedactedValue = (): ExactJson => ({ __ptype: 'Sensitive', __pvalue: '[redacted]' })
