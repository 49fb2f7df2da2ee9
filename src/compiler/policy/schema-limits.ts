import { budgets } from '../../base/budgets/budgets.ts'

const { schemaParts, schemaLevels } = budgets.policy

/**
 * Keywords that are rejected, because they refer to other schemas, or because they make the target of a $ref depend on
 * the validation at run time.
 */
const refused = [
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$async',
  '$vocabulary',
]

/**
 * Returns the reason to reject a schema; `undefined` for a valid schema. A valid schema has no recursive $ref, and is
 * small even after the expansion of each $ref. Each part is therefore checked at most once for each value, so that the
 * duration of a check is bounded by the size of the data.
 */
export function findSchemaProblem(schema: unknown): string | undefined {
  let parts = 0
  const within: unknown[] = []
  const checkPart = (part: unknown, level: number): string | undefined => {
    if (++parts > schemaParts.bound)
      return `it has more than ${schemaParts.bound} parts, counting the target of each $ref`
    if (typeof part !== 'object' || part === null) return undefined
    if (level > schemaLevels.bound) return `it is nested more than ${schemaLevels.bound} levels deep`
    if (within.includes(part)) return 'it contains a recursive $ref'
    within.push(part)
    for (const [key, value] of Object.entries(part)) {
      const problem =
        findMemberProblem(schema, key, value) ?? checkPart(resolveSubschema(schema, key, value), level + 1)
      if (problem !== undefined) return problem
    }
    within.pop()
    return undefined
  }
  return checkPart(schema, 1)
}

function findMemberProblem(schema: unknown, key: string, value: unknown): string | undefined {
  if (refused.includes(key)) return `${key} is not supported`
  if (key === '$schema' && value !== draft) return `its $schema is not ${draft}`
  if (key !== '$ref' || typeof value !== 'string') return undefined
  if (!value.startsWith('#'))
    return `the $ref '${value.slice(0, 200)}' points outside the schema; external schemas are not fetched`
  return resolveJsonPointer(schema, value) === undefined ? `the $ref '${value.slice(0, 200)}' has no target` : undefined
}

const draft = 'https://json-schema.org/draft/2020-12/schema'

/** Returns the schema in a member; for a $ref, returns the schema that it refers to. */
function resolveSubschema(schema: unknown, key: string, value: unknown): unknown {
  return key === '$ref' && typeof value === 'string' ? resolveJsonPointer(schema, value) : value
}

/** Resolves a URL fragment that is a JSON pointer, such as `#/$defs/mode` (RFC 6901). */
function resolveJsonPointer(schema: unknown, reference: string): unknown {
  if (reference === '#') return schema
  if (!reference.startsWith('#/') || reference.includes('%')) return undefined
  let part = schema
  for (const step of reference.slice(2).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) return undefined
    part = (part as Record<string, unknown>)[key]
  }
  return part
}
