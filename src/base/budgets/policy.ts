import { type Budgets, MiB } from './budget.ts'

/** Budgets of policies: rules of an environment about its catalogs. */
export const policy = {
  files: {
    bound: 500,
    unit: 'items',
    of: 'files of rules and exceptions of an environment',
    reason: 'a site has one for each subject',
    beyond: 'no catalog is checked, in words',
  },
  fileBytes: {
    bound: MiB,
    unit: 'bytes',
    of: 'one such file',
    reason: 'some thousand exceptions',
    beyond: 'no catalog is checked, in words',
  },
  rules: {
    bound: 1000,
    unit: 'items',
    of: 'the rules of an environment',
    reason: 'each is asked of each resource of its types; large sites have some dozen',
    beyond: 'no catalog is checked, in words',
  },
  exceptions: {
    bound: 10_000,
    unit: 'items',
    of: 'the exceptions of an environment',
    reason: 'each is compared with each finding of its rule',
    beyond: 'no catalog is checked, in words',
  },
  schemaParts: {
    bound: 5000,
    unit: 'items',
    of: 'the parts of a JSON Schema, those behind each $ref counted each time',
    reason: 'each may be asked of each value of a resource; references multiply',
    beyond: 'the rule is refused in words',
  },
  schemaLevels: {
    bound: 64,
    unit: 'levels',
    of: 'the nesting of a JSON Schema, that behind each $ref included',
    reason: 'each is a level of code that is made of it',
    beyond: 'the rule is refused in words',
  },
  findings: {
    bound: 1000,
    unit: 'items',
    of: 'what one rule finds in one catalog',
    reason: 'nobody reads more of them',
    beyond: 'the others are counted, with the severity of the rule',
  },
  message: {
    bound: 1000,
    unit: 'characters',
    of: 'what a function in the Puppet language says of a resource',
    reason: 'it is a line',
    beyond: 'it is cut',
  },
  time: {
    bound: 60_000,
    unit: 'ms',
    of: 'reading all rules, and asking them of one catalog',
    reason: 'a hundred rules take two seconds for 10,000 resources, and thousand rules one second to be read',
    beyond: 'the check fails in words',
  },
} as const satisfies Budgets
