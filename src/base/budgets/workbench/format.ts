import { createBudget, MiB } from '../budget.ts'

/** Budgets of the formatter. */
// biome-ignore format: one line per budget
export const formatBudgets = {
  manifest: createBudget(2 * MiB, 'bytes', 'a manifest that `plumb format` rewrites', 'seven times the largest manifest in 93 modules of Debian; a dense list of this size takes some seconds', 'the file is unchanged, and the error names it'),
  threadMs: createBudget(300_000, 'ms', 'the formatting of 16 manifests on a thread', 'the largest manifest takes some seconds', 'the manifests are formatted one by one, and a manifest that takes as long is unchanged, with an error'),
  output: createBudget(32 * MiB, 'characters', 'a formatted manifest', 'each level of nesting indents a line further; a real manifest grows by a tenth', 'the file is unchanged, and the error names it'),
  edits: createBudget(2000, 'items', 'different lines of a file for which `plumb format --diff` computes a minimal patch', 'the cost of the comparison is quadratic in them', 'the patch replaces all lines of the file'),
}
