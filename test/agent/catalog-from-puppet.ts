import { Hash } from '../../src/language/values/hash.ts'
import { Sensitive } from '../../src/language/values/sensitive.ts'
import type { Value } from '../../src/language/values/value.ts'
import type { Catalog } from '../../src/model/catalog.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON of real Puppet
export function catalogFromPuppet(json: any): Catalog {
  return {
    name: json.name,
    version: json.version,
    codeId: undefined,
    catalogUuid: json.catalog_uuid,
    environment: json.environment,
    tags: json.tags,
    classes: json.classes,
    edges: json.edges,
    metadata: new Map(),
    recursiveMetadata: new Map(),
    // biome-ignore lint/suspicious/noExplicitAny: JSON of real Puppet
    resources: json.resources.map((each: any) => ({
      type: each.type,
      title: each.title,
      tags: each.tags,
      file: each.file,
      line: each.line,
      exported: each.exported,
      kind: each.kind ?? 'unknown',
      parameters: new Map(
        Object.entries(each.parameters ?? {}).map(([name, value]) => [
          name,
          each.sensitive_parameters?.includes(name) ? new Sensitive(valueFrom(value)) : valueFrom(value),
        ]),
      ),
    })),
  }
}

function valueFrom(json: unknown): Value {
  if (json === null) return undefined
  if (Array.isArray(json)) return json.map(valueFrom)
  if (typeof json === 'object') return Hash.of(Object.entries(json).map(([key, value]) => [key, valueFrom(value)]))
  return json as Value
}
