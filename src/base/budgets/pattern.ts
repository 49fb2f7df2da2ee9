import { budget } from './budget.ts'

/** Budgets of a pattern from outside: a glob or a regular expression. */
// biome-ignore format: one line per budget
export const pattern = {
  globLength: budget(4096, 'characters', 'a glob: of a modulepath, a hiera.yaml, `ignore` of a file search', 'as long as a path of Linux may be', '400 for a request; the environment or the catalog fails in words'),
  globAlternatives: budget(256, 'items', 'the alternatives that the braces of a glob stand for', 'braces multiply: twenty pairs would stand for a million', 'the environment or the catalog fails in words'),
  globBraces: budget(64, 'items', 'the opening braces of a glob, those within others, too', 'each is taken apart anew, with all that is within it; a pattern has two or three', 'the environment or the catalog fails in words'),
  globSteps: budget(20_000_000, 'items', 'the steps of finding what the globs of a modulepath, of a level of Hiera or of a file search mean', 'a hundred thousand names with a few wildcards take a tenth of it; all of it takes a third of a second', '400 for a request; the environment or the catalog fails in words'),
  ignored: budget(256, 'items', 'the globs in `ignore` of a file search', 'each is tried with each name; `pluginsignore` has four', '400'),
  expressionLength: budget(4096, 'characters', 'a regular expression of auth.conf, or of a `pattern` of a service', 'a thousand certnames would be written as rules of their own', 'the rule, or the resource, fails in words'),
  expressionSize: budget(2000, 'items', 'the steps that such an expression stands for, repetitions written out', 'each may be taken for each character: with a path of 16 KiB it takes half a second', 'the rule, or the resource, fails in words'),
}
