import type { ExactJson } from '../../../base/json/exact-json.ts'

/**
 * Nests `a or b or c …` like PuppetDB. PuppetDB's grammar is ambiguous; this is the first tree that
 * its parser finds. After the first operand follows either one operand or a pair, so that 1, 4, 7,
 * … operands remain, which form a tree of the same kind.
 */
export function nestOperands(operator: string, operands: readonly (readonly ExactJson[])[]): readonly ExactJson[] {
  let at = operands.length
  let tree = operands[--at]!
  // Starts at the end: each round wraps the tree in `[operator, a, [operator, b, c], tree]`.
  while (at > 3) {
    at -= 3
    tree = [operator, operands[at]!, [operator, operands[at + 1]!, operands[at + 2]!], tree]
  }
  if (at === 3) return [operator, operands[0]!, [operator, operands[1]!, operands[2]!], tree]
  if (at === 2) return [operator, operands[0]!, operands[1]!, tree]
  return at === 1 ? [operator, operands[0]!, tree] : tree
}
