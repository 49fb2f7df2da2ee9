import { budget, MiB } from './budget.ts'

/** Budgets of policies: rules of an environment about its catalogs. */
// biome-ignore format: one line per budget
export const policy = {
  files: budget(500, 'items', 'files of rules and exceptions of an environment', 'a site has one for each subject', 'no catalog is checked, in words'),
  fileBytes: budget(MiB, 'bytes', 'one such file', 'some thousand exceptions', 'no catalog is checked, in words'),
  rules: budget(1000, 'items', 'the rules of an environment', 'each is asked of each resource of its types; large sites have some dozen', 'no catalog is checked, in words'),
  exceptions: budget(10_000, 'items', 'the exceptions of an environment', 'each is compared with each finding of its rule', 'no catalog is checked, in words'),
  schemaParts: budget(5000, 'items', 'the parts of a JSON Schema, those behind each $ref counted each time', 'each may be asked of each value of a resource; references multiply', 'the rule is refused in words'),
  schemaLevels: budget(64, 'levels', 'the nesting of a JSON Schema, that behind each $ref included', 'each is a level of code that is made of it', 'the rule is refused in words'),
  findings: budget(1000, 'items', 'what one rule finds in one catalog', 'nobody reads more of them', 'the others are counted, with the severity of the rule'),
  message: budget(1000, 'characters', 'what a function in the Puppet language says of a resource', 'it is a line', 'it is cut'),
  time: budget(60_000, 'ms', 'reading all rules, and asking them of one catalog', 'a hundred rules take two seconds for 10,000 resources, and thousand rules one second to be read', 'the check fails in words'),
}
