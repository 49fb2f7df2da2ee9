import { createBudget } from './budget.ts'

/** Budgets of an external pattern: a glob or a regular expression. */
// biome-ignore format: one line per budget
export const patternBudgets = {
  globLength: createBudget(4096, 'characters', 'a glob in a modulepath, in hiera.yaml or in `ignore` of a file search', 'the maximum length of a path in Linux', '400 for a request; the environment or the catalog fails with a reason'),
  globAlternatives: createBudget(256, 'items', 'alternatives of the braces in a glob', 'braces multiply: twenty pairs would expand to a million', 'the environment or the catalog fails with a reason'),
  globBraces: createBudget(64, 'items', 'opening braces in a glob, including nested ones', 'each is expanded with everything inside it; a pattern has two or three', 'the environment or the catalog fails with a reason'),
  globSteps: createBudget(20_000_000, 'items', 'steps of matching the globs of a modulepath, a Hiera level or a file search', 'a hundred thousand names with a few wildcards take a tenth of it; all steps take a third of a second', '400 for a request; the environment or the catalog fails with a reason'),
  ignored: createBudget(256, 'items', 'globs in `ignore` of a file search', 'each is matched with each name; `pluginsignore` has four', '400'),
  expressionLength: createBudget(4096, 'characters', 'a regular expression in auth.conf or in `pattern` of a service', 'a thousand certnames are better written as rules of their own', 'the rule or the resource fails with a reason'),
  expressionSize: createBudget(2000, 'items', 'steps of such a regular expression, with repetitions expanded', 'each step may run for each character: a path of 16 KiB takes half a second', 'the rule or the resource fails with a reason'),
}
