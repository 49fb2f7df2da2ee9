import { createBudget, MiB } from '../budget.ts'

/** Budgets of the documentation of a module. */
// biome-ignore format: one line per budget
export const documentationBudgets = {
  file: createBudget(4 * MiB, 'bytes', 'a file with documentation comments', 'the largest files of Forge modules have 300 KiB', '`plumb docs` fails with a reason'),
  files: createBudget(20_000, 'items', 'files of a module that can contain documentation', 'the largest modules have 2,000', '`plumb docs` fails with a reason'),
  rubyNodes: createBudget(400_000, 'items', 'expressions in the documented calls of a Ruby file', 'the largest types of Forge modules have 5,000', '`plumb docs` fails with a reason'),
  rubyTime: createBudget(20_000, 'ms', 'the time for parsing a Ruby file, including the start of the interpreter', 'a file takes some ms, the interpreter a second on a busy machine', '`plumb docs` fails with a reason'),
  metadata: createBudget(100_000, 'items', 'values in the metadata of a task', 'a task has some dozen parameters with a few fields', '`plumb docs` fails with a reason'),
}
