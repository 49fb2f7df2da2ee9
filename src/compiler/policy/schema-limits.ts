import { budgets } from '../../base/budgets/budgets.ts'

const { schemaParts, schemaLevels } = budgets.policy

/** Keywords that lead out of a schema, or make a $ref mean something that only a run can tell. */
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
 * Why a schema may not be used; `undefined` for a good one. A schema that passes stands for so many parts at most when each $ref
 * is written out, and no $ref leads into itself: each part is asked of a value once at most, so that data costs what it is large.
 */
export function schemaProblem(schema: unknown): string | undefined {
  let parts = 0
  const within: unknown[] = []
  const visit = (part: unknown, level: number): string | undefined => {
    if (++parts > schemaParts.bound)
      return `it stands for more than ${schemaParts.bound} parts, those behind each $ref counted each time`
    if (typeof part !== 'object' || part === null) return undefined
    if (level > schemaLevels.bound) return `it is nested more than ${schemaLevels.bound} levels deep`
    if (within.includes(part)) return 'a $ref in it leads into itself'
    within.push(part)
    for (const [key, value] of Object.entries(part)) {
      const problem = problemAt(schema, key, value) ?? visit(target(schema, key, value), level + 1)
      if (problem !== undefined) return problem
    }
    within.pop()
    return undefined
  }
  return visit(schema, 1)
}

function problemAt(schema: unknown, key: string, value: unknown): string | undefined {
  if (refused.includes(key)) return `${key} is not supported`
  if (key === '$schema' && value !== draft) return `its $schema is not ${draft}`
  if (key !== '$ref' || typeof value !== 'string') return undefined
  if (!value.startsWith('#')) return `the $ref '${value.slice(0, 200)}' leads out of it: nothing is fetched`
  return pointed(schema, value) === undefined ? `the $ref '${value.slice(0, 200)}' leads to nothing` : undefined
}

const draft = 'https://json-schema.org/draft/2020-12/schema'

/** The part that a member of a schema stands for: of a $ref, that to which it leads. */
function target(schema: unknown, key: string, value: unknown): unknown {
  return key === '$ref' && typeof value === 'string' ? pointed(schema, value) : value
}

/** The part of a schema that a JSON pointer in a fragment names, `#/$defs/mode` (RFC 6901). */
function pointed(schema: unknown, reference: string): unknown {
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
