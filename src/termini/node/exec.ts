import { defineIssues, fail, PuppetError } from '../../base/issue.ts'
import { record } from '../../base/wire.ts'
import type { TerminusDefinition } from '../../indirector/terminus.ts'
import { yamlToJson } from '../../language/values/psych.ts'
import { type Node, nodeFromWire } from '../../model/node.ts'
import type { NodeRequest, NodeServices } from './index.ts'
import { withFacts } from './with-facts.ts'

const issues = defineIssues({
  NO_EXTERNAL_NODES: {
    text: (_: object) => "You must set the 'external_nodes' parameter to use the external node terminus",
  },
  EXTERNAL_NODE: {
    text: (a: { name: string; reason: string }) => `Could not load external node results for ${a.name}: ${a.reason}`,
  },
  EXTERNAL_NODE_FAILED: {
    text: (a: { name: string; status: number; stderr: string }) =>
      `Failed to find ${a.name} via exec: Execution of the external node classifier returned ${a.status}: ${a.stderr}`,
  },
})

/** Asks the program of `external_nodes`, an external node classifier, which prints YAML. Puppet: node/exec.rb. */
export const exec: TerminusDefinition<Node, NodeServices, NodeRequest> = {
  doc: 'What the program of external_nodes says.',
  create({ facts, system, settings }) {
    const command = settings.external_nodes.split(/\s+/).filter((word) => word !== '')
    if (command.length === 0 || settings.external_nodes === 'none') fail(issues.NO_EXTERNAL_NODES, {})
    return {
      async find(request) {
        const { status, stdout, stderr } = await system.commands.run([...command, request.key], { timeout: 120 })
        if (status !== 0) fail(issues.EXTERNAL_NODE_FAILED, { name: request.key, status, stderr: stderr.trim() })
        if (stdout.trim() === '') return undefined
        return withFacts(classified(request, stdout), request, facts)
      },
    }
  },
}

function classified({ key, environment }: NodeRequest, output: string): Node {
  try {
    const said = record(yamlToJson(output), 'the output')
    return nodeFromWire({ environment, ...said, name: key })
  } catch (error) {
    const reason = error instanceof PuppetError ? error.diagnostic.message : (error as Error).message
    return fail(issues.EXTERNAL_NODE, { name: key, reason })
  }
}
