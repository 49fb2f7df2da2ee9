import { formatIdentity } from '../ingest/identity.ts'
import { type Ast, isQueryNode, type QueryNode } from './ast.ts'
import type { Connective, Leaf } from './condition-nesting.ts'
import type { Entity } from './entity.ts'
import { parseSelectedEntity } from './validation.ts'

/** Minimum number of operands to merge. */
const fewest = 10

/** A condition that can be merged with conditions that differ from it in only one part. */
interface Variant {
  /** Key that is equal for all conditions that can be merged. */
  readonly key: string
  readonly part: Ast
  /** Returns the merged condition for several values of the differing part. */
  merge(parts: QueryNode): QueryNode
}

/**
 * Merges equalities of the same field into a list, and subqueries on the same rows into one
 * subquery: SQLite would take seconds to plan thousands of them.
 */
export function mergeLeaves(entity: Entity, wanted: Connective, leaves: readonly Leaf[]): readonly Leaf[] {
  if (leaves.length < fewest) return leaves
  const groups = new Map<string, { variant: Variant; parts: Ast[] }>()
  const others: Leaf[] = []
  for (const leaf of leaves) {
    const isUnion = (wanted === 'or') === (leaf.negation === 'none')
    const variant = isUnion && isQueryNode(leaf.node) ? findVariant(entity, leaf) : undefined
    if (!variant) others.push(leaf)
    else {
      const group = groups.get(variant.key)
      if (group) group.parts.push(variant.part)
      else groups.set(variant.key, { variant, parts: [variant.part] })
    }
  }
  const negation = wanted === 'or' ? 'none' : 'direct'
  const merged = [...groups.values()].map(({ variant, parts }): Leaf => ({ node: variant.merge(parts), negation }))
  return [...merged, ...others]
}

function findVariant(entity: Entity, { node, negation }: Leaf): Variant | undefined {
  const [operator, ...operands] = node as QueryNode
  if (operator === 'in' && operands.length === 2) return findMembershipVariant(operands)
  if (operator === 'subquery' && operands.length === 2 && operands[1] !== null) {
    const [name, condition] = operands as [Ast, Ast]
    return {
      key: `subquery ${formatIdentity(name)}`,
      part: condition,
      merge: (all) => ['subquery', name, ['or', ...all]],
    }
  }
  const [field, value] = operands
  if (operator !== '=' || operands.length !== 2 || typeof value !== 'string') return undefined
  if (isQueryNode(field) && field[0] === 'fact' && field.length === 2 && entity.fields['certname']) {
    const inner = ['=', `facts.${String(field[1])}`, value]
    return findMembershipVariant(['certname', ['extract', 'certname', ['select_inventory', inner]]])
  }
  if (typeof field !== 'string' || !isListable(entity, field, negation === 'none')) return undefined
  return { key: `= ${field}`, part: value, merge: (all) => ['in', field, ['array', all]] }
}

/** Merges `in` with `["extract", FIELDS, ["select_ENTITY", CONDITION]]`. */
function findMembershipVariant([fields, source]: QueryNode): Variant | undefined {
  if (!isQueryNode(source) || source[0] !== 'extract' || source.length !== 3) return undefined
  const [, columns, select] = source as [Ast, Ast, Ast]
  if (!isQueryNode(select) || select.length !== 2 || select[1] === null || parseSelectedEntity(select[0]) === undefined)
    return undefined
  const [name, condition] = select as readonly [Ast, Ast]
  return {
    key: `in ${formatIdentity([fields!, columns, name])}`,
    part: condition,
    merge: (all) => ['in', fields!, ['extract', columns, [name, ['or', ...all]]]],
  }
}

/**
 * True if `field = text` is equivalent to `field in [text]`: the field is a text column, or a path
 * without patterns.
 */
function isListable({ fields, dotted }: Entity, name: string, isPathListable: boolean): boolean {
  const field = fields[name]
  if (!field) return isPathListable && !name.includes('match(') && dotted.some((top) => name.startsWith(`${top}.`))
  if (field.type !== 'string' || !field.sql || field.reading === 'boolean' || field.reading === 'time') return false
  return !['tag', 'type', 'new_value', 'old_value'].includes(name)
}
