import { isAbsolute } from 'node:path'
import { defineIssues, isIssue, PuppetError, throwIssue } from '../../../base/issue.ts'
import { YamlError } from '../../../language/ruby-semantics/yaml/yaml-error.ts'
import type { Commands } from '../../../machine/system/system.ts'
import { checkFileName } from '../../../model/indirector/file-name.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import type { PuppetNode } from '../../../model/node.ts'
import { parseClassification } from './classification.ts'
import { mergeFacts } from './fact-merge.ts'
import type { NodeRequest, NodeServices } from './index.ts'

const issues = defineIssues({
  NO_EXTERNAL_NODES: {
    text: (_: object) => "You must set the 'external_nodes' parameter to use the external node terminus",
  },
  EXTERNAL_NODES_RELATIVE: {
    text: (_: object) => 'You must set the exec parameter to a fully qualified command',
    hint: () => "Set 'external_nodes' to an absolute path.",
  },
  EXTERNAL_NODE: {
    text: (a: { name: string; reason: string }) => `Could not load external node results for ${a.name}: ${a.reason}`,
  },
  EXTERNAL_NODE_FAILED: {
    text: (a: { name: string; reason: string; stderr?: string }) => `Failed to find ${a.name} via exec: ${a.reason}`,
    hint: (a) => (a.stderr ? `Its standard error: ${a.stderr}` : undefined),
  },
})

/** True for the error of a failed classifier. Its hint contains the classifier's standard error. */
export function isClassifierFailure(error: unknown): boolean {
  return isIssue(error, issues.EXTERNAL_NODE_FAILED)
}

/** Time limit of a classifier, in seconds. */
const patience = 120
/** Maximum output of a classifier, in bytes. */
const largest = 16 * 1024 * 1024

/** Runs the external node classifier `external_nodes`, which prints YAML. Puppet: node/exec.rb. */
export const exec: TerminusDefinition<PuppetNode, NodeServices, NodeRequest> = {
  doc: 'Runs the program in external_nodes.',
  create({ facts, system, settings }) {
    const command = settings.external_nodes.split(/\s+/).filter((word) => word !== '')
    if (command.length === 0 || settings.external_nodes === 'none') throwIssue(issues.NO_EXTERNAL_NODES, {})
    if (!isAbsolute(command[0]!)) throwIssue(issues.EXTERNAL_NODES_RELATIVE, {})
    return {
      async find(request) {
        // Validates the name, so that the classifier cannot interpret it as an option.
        const name = checkFileName('node', request.key)
        const output = await runClassifier([...command, name], name, system.commands)
        return output.trim() === '' ? undefined : mergeFacts(parseClassifierOutput(request, output), request, facts)
      },
    }
  },
}

async function runClassifier(command: readonly string[], name: string, commands: Commands): Promise<string> {
  const failClassifier = (reason: string, stderr?: string): never =>
    throwIssue(issues.EXTERNAL_NODE_FAILED, { name, reason, stderr })
  const words = `Execution of '${command.join(' ')}'`
  try {
    const result = await commands.run(command, { timeout: patience, maxOutput: largest })
    const { status, stdout, stderr, timedOut, overflowed } = result
    if (timedOut) return failClassifier(`${words} took longer than ${patience} seconds`)
    if (overflowed) return failClassifier(`${words} printed more than ${largest / 1024 / 1024} MiB`)
    return status === 0
      ? stdout
      : failClassifier(`${words} returned ${status}: ${stdout.trim()}`, stderr.trim().slice(0, 1000))
  } catch (error) {
    if (!(error instanceof PuppetError) || isClassifierFailure(error)) throw error
    return failClassifier(error.diagnostic.message)
  }
}

function parseClassifierOutput({ key }: NodeRequest, output: string): PuppetNode {
  try {
    return parseClassification(output, key)
  } catch (error) {
    if (!(error instanceof PuppetError) && !(error instanceof YamlError)) throw error
    return throwIssue(issues.EXTERNAL_NODE, { name: key, reason: formatReason(error) })
  }
}

function formatReason(error: PuppetError | YamlError): string {
  return error instanceof PuppetError ? error.diagnostic.message : error.inFile('<unknown>')
}
