import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { checkFileName } from '../../model/indirector/file-name.ts'
import type { FactValues } from '../facts/fact.ts'

const issues = defineIssues({
  TWO_NODE_NAMES: { text: () => 'Cannot specify both the node_name_value and node_name_fact settings' },
  NO_NAMING_FACT: {
    text: (a: { fact: string }) => `Could not find the fact '${a.fact}'`,
    hint: () => 'Set node_name_fact to a fact whose value is a string.',
  },
})

/** The node name in requests and reports: node_name_value, the fact node_name_fact, or by default the certname. */
export function resolveNodeName(
  { certname, node_name_value, node_name_fact }: Pick<Settings, 'certname' | 'node_name_value' | 'node_name_fact'>,
  facts: FactValues | undefined,
): string {
  if (node_name_fact === '' || facts === undefined) return checkFileName('node', node_name_value)
  if (node_name_value !== certname) throwIssue(issues.TWO_NODE_NAMES, {})
  const name = facts[node_name_fact]
  return typeof name === 'string' && name !== ''
    ? checkFileName('node', name)
    : throwIssue(issues.NO_NAMING_FACT, { fact: node_name_fact })
}
