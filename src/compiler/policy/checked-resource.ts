import { type ExactJson, exactObject } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'
import { fromRichData, toRichData } from '../../language/rich-data/rich-data.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import type { Resource } from '../../model/catalog.ts'
import { withoutSecrets } from '../../model/without-secrets.ts'
import { plainData } from './plain-data.ts'

/** A resource in the form that rules check. Sensitive values are present, but redacted. */
export interface CheckedResource {
  readonly resource: Resource
  /** Returns the resource as JSON, for schemas. */
  readonly data: () => Readonly<Record<string, unknown>> & { readonly parameters: Readonly<Record<string, unknown>> }
  /** Returns the resource as a Hash, for functions. */
  readonly value: () => Hash
}

/** Converts a resource; its JSON and its Hash are created on first use. */
export function checkedResource(resource: Resource): CheckedResource {
  return { resource, data: once(() => dataOf(resource)), value: once(() => hashOf(resource)) }
}

function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function dataOf(resource: Resource): ReturnType<CheckedResource['data']> {
  const { type, title, tags, file = null, line = null, exported } = resource
  const parameters = Array.from(resource.parameters, ([name, value]) => [name, jsonOf(value)] as const)
  const json = { type, title, tags, file, line, exported, parameters: exactObject(parameters) }
  return plainData(json) as ReturnType<CheckedResource['data']>
}

function hashOf(resource: Resource): Hash {
  const { type, title, tags, file, line, exported } = resource
  const parameters = Hash.of(Array.from(resource.parameters, ([name, value]) => [name, withoutSecret(value)]))
  return Hash.from({ type, title, tags, file, line, exported, parameters })
}

function jsonOf(value: Value): ExactJson {
  return withoutSecrets(toRichData(value, { richData: true, bytes: 'binary', warn() {} }), hidden)
}

/** Returns a value unchanged, or with its Sensitive parts redacted. */
function withoutSecret(value: Value): Value {
  if (typeof value !== 'object') return value
  const json = toRichData(value, { richData: true, bytes: 'binary', warn() {} })
  const bare = withoutSecrets(json, hidden)
  return printJson(bare) === printJson(json) ? value : fromRichData(bare)
}

/** Returns a redacted Sensitive value. */
const hidden = (): ExactJson => ({ __ptype: 'Sensitive', __pvalue: '[redacted]' })
