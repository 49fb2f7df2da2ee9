import type { Pattern, RegexpNode, Repeat } from './nodes.ts'

/** Degree to which JavaScript's matches of a pattern equal Ruby's. */
export interface Faithfulness {
  /** True if JavaScript and Ruby always find the same position and length. */
  readonly place: boolean
  /** True if JavaScript and Ruby also capture the same groups. */
  readonly groups: boolean
}

/**
 * Checks that JavaScript matches a pattern as Ruby does. Known differences: a back-reference to an unset group fails in
 * Ruby; an empty iteration ends a loop in Ruby but is discarded in JavaScript; a group inside a loop keeps its text
 * from an earlier iteration only in Ruby; Ruby's lookbehind supports only fixed lengths.
 */
export function checkFaithfulness({ root, callsGroups }: Pattern): Faithfulness {
  const place = findSetGroups(root, new Set()) !== undefined && checkEveryNode(root, hasSamePlace)
  return { place, groups: !callsGroups && checkEveryNode(root, hasSameGroups) }
}

function checkEveryNode(node: RegexpNode, holds: (node: RegexpNode) => boolean): boolean {
  return holds(node) && getChildren(node).every((child) => checkEveryNode(child, holds))
}

function getChildren(node: RegexpNode): readonly RegexpNode[] {
  if (node.kind === 'Sequence') return node.parts
  if (node.kind === 'Alternatives') return node.branches
  return 'body' in node ? [node.body] : []
}

function hasSamePlace(node: RegexpNode): boolean {
  if (node.kind === 'Repeat') return isEmptyLast(node.body)
  return node.kind !== 'Look' || node.direction === 'ahead' || getBranches(node.body).every(isFlat)
}

function getBranches(node: RegexpNode): readonly RegexpNode[] {
  return node.kind === 'Alternatives' ? node.branches : [node]
}

/** True if the node contains only characters, and anchors that Ruby allows in lookbehind. */
function isFlat(node: RegexpNode): boolean {
  if (node.kind === 'Sequence') return node.parts.every(isFlat)
  return node.kind === 'Characters' || (node.kind === 'Anchor' && node.at.endsWith('start'))
}

function hasSameGroups(node: RegexpNode): boolean {
  if (node.kind !== 'Repeat') return true
  const captures = listCaptures(node.body)
  if (captures.length === 0) return true
  if (canBeEmpty(node.body)) return false
  return node.max <= 1 || captures.every((number) => isAlwaysCaptured(node.body, number))
}

function listCaptures(node: RegexpNode): number[] {
  return [...(node.kind === 'Capture' ? [node.number] : []), ...getChildren(node).flatMap(listCaptures)]
}

function isAlwaysCaptured(node: RegexpNode, number: number): boolean {
  return findSetGroups(node, new Set())?.has(number) ?? false
}

/** Numbers of the groups that are set after the node; `undefined` if the node refers to a group that may not be set. */
function findSetGroups(node: RegexpNode, before: ReadonlySet<number>): ReadonlySet<number> | undefined {
  switch (node.kind) {
    case 'BackReference':
      return before.has(node.number) ? before : undefined
    case 'Sequence':
      return node.parts.reduce<ReadonlySet<number> | undefined>((set, part) => set && findSetGroups(part, set), before)
    case 'Alternatives': {
      const sets = node.branches.map((branch) => findSetGroups(branch, before))
      return sets.every((set) => set !== undefined)
        ? new Set([...sets[0]!].filter((number) => sets.every((set) => set!.has(number))))
        : undefined
    }
    case 'Capture': {
      const inside = findSetGroups(node.body, before)
      return inside && new Set([...inside, node.number])
    }
    case 'Repeat': {
      // Groups inside the loop; JavaScript resets them at each iteration.
      const own = new Set(listCaptures(node.body))
      const inside = findSetGroups(node.body, new Set([...before].filter((number) => !own.has(number))))
      return inside && (node.min > 0 ? new Set([...before, ...inside]) : before)
    }
    case 'Look': {
      const inside = findSetGroups(node.body, before)
      return inside && (node.negated ? before : inside)
    }
    case 'Atomic':
      return findSetGroups(node.body, before)
    default:
      return before
  }
}

function canBeEmpty(node: RegexpNode): boolean {
  switch (node.kind) {
    case 'Characters':
      return false
    case 'Sequence':
      return node.parts.every(canBeEmpty)
    case 'Alternatives':
      return node.branches.some(canBeEmpty)
    case 'Repeat':
      return node.min === 0 || canBeEmpty(node.body)
    case 'Capture':
    case 'Atomic':
      return canBeEmpty(node.body)
    default:
      return true
  }
}

/** True if the node tries the empty string only as its last alternative. */
function isEmptyLast(node: RegexpNode): boolean {
  if (!canBeEmpty(node)) return true
  switch (node.kind) {
    case 'Sequence':
      return node.parts.every(isEmptyLast)
    case 'Alternatives':
      return node.branches.every((branch, index) =>
        index === node.branches.length - 1 ? isEmptyLast(branch) : !canBeEmpty(branch),
      )
    case 'Repeat':
      return isGreedy(node) && isEmptyLast(node.body)
    case 'Capture':
    case 'Atomic':
      return isEmptyLast(node.body)
    default:
      return true
  }
}

function isGreedy({ lazy, max }: Repeat): boolean {
  return !lazy || max === 0
}
