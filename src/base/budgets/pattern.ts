import type { Budgets } from './budget.ts'

/** Budgets of a pattern from outside: a glob or a regular expression. */
export const pattern = {
  globLength: {
    bound: 4096,
    unit: 'characters',
    of: 'a glob: of a modulepath, a hiera.yaml, `ignore` of a file search',
    reason: 'as long as a path of Linux may be',
    beyond: '400 for a request; the environment or the catalog fails in words',
  },
  globAlternatives: {
    bound: 256,
    unit: 'items',
    of: 'the alternatives that the braces of a glob stand for',
    reason: 'braces multiply: twenty pairs would stand for a million',
    beyond: 'the environment or the catalog fails in words',
  },
  globBraces: {
    bound: 64,
    unit: 'items',
    of: 'the opening braces of a glob, those within others, too',
    reason: 'each is taken apart anew, with all that is within it; a pattern has two or three',
    beyond: 'the environment or the catalog fails in words',
  },
  globSteps: {
    bound: 20_000_000,
    unit: 'items',
    of: 'the steps of finding what the globs of a modulepath, of a level of Hiera or of a file search mean',
    reason: 'a hundred thousand names with a few wildcards take a tenth of it; all of it takes a third of a second',
    beyond: '400 for a request; the environment or the catalog fails in words',
  },
  ignored: {
    bound: 256,
    unit: 'items',
    of: 'the globs in `ignore` of a file search',
    reason: 'each is tried with each name; `pluginsignore` has four',
    beyond: '400',
  },
  expressionLength: {
    bound: 4096,
    unit: 'characters',
    of: 'a regular expression of auth.conf, or of a `pattern` of a service',
    reason: 'a thousand certnames would be written as rules of their own',
    beyond: 'the rule, or the resource, fails in words',
  },
  expressionSize: {
    bound: 2000,
    unit: 'items',
    of: 'the steps that such an expression stands for, repetitions written out',
    reason: 'each may be taken for each character: with a path of 16 KiB it takes half a second',
    beyond: 'the rule, or the resource, fails in words',
  },
} as const satisfies Budgets
