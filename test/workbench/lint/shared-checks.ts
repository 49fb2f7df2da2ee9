import { builtInChecks } from '../../../src/workbench/lint/checks/built-in-checks.ts'

/** Checks that puppet-lint has changed or added since 3.0.1, the version that Debian has. */
const changed: ReadonlySet<string> = new Set([
  // The column of arrows in nested groups.
  'arrow_alignment',
  // The message.
  'code_on_top_scope',
  // Since 4.0 and 4.3.
  'legacy_facts',
  'top_scope_facts',
  'space_before_arrow',
])

/** The checks that are the same in puppet-lint 3.0.1 and 4.3.0. */
export const sharedChecks: readonly string[] = builtInChecks
  .map(({ name }) => name)
  .filter((name) => !changed.has(name))
