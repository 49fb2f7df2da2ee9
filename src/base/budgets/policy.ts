import { createBudget, MiB } from './budget.ts'

/** Budgets of policies, the rules of an environment for its catalogs. */
// biome-ignore format: one line per budget
export const policyBudgets = {
  files: createBudget(500, 'items', 'files of rules and exceptions of an environment', 'a site has one for each subject', 'no catalog is checked, and the reason is reported'),
  fileBytes: createBudget(MiB, 'bytes', 'one file of rules or exceptions', 'some thousand exceptions', 'no catalog is checked, and the reason is reported'),
  rules: createBudget(1000, 'items', 'rules of an environment', 'each rule checks each resource of its types; large sites have some dozen', 'no catalog is checked, and the reason is reported'),
  exceptions: createBudget(10_000, 'items', 'exceptions of an environment', 'each is compared with each finding of its rule', 'no catalog is checked, and the reason is reported'),
  schemaParts: createBudget(5000, 'items', 'parts of a JSON Schema, with the target of each $ref counted each time', 'each part may check each value of a resource; references multiply', 'the rule is rejected with a reason'),
  schemaLevels: createBudget(64, 'levels', 'nesting of a JSON Schema, including the targets of each $ref', 'each level is a level of generated code', 'the rule is rejected with a reason'),
  findings: createBudget(1000, 'items', 'findings of one rule in one catalog', 'nobody reads more', 'the others are counted, with the severity of the rule'),
  message: createBudget(1000, 'characters', 'the message of a function in the Puppet language about a resource', 'one line', 'the message is truncated'),
  time: createBudget(60_000, 'ms', 'reading all rules and checking one catalog', 'a hundred rules take two seconds for 10,000 resources; reading a thousand rules takes one second', 'the check fails with a reason'),
}
