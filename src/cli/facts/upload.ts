import type { Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { toRequestFacts } from '../../node/agent/catalog/request-catalog.ts'
import type { FactValues } from '../../node/facts/fact.ts'
import type { CommandInvocation } from '../command/command.ts'
import { withServerSession } from '../connection/server-session.ts'

/** Sends the facts of this machine to the server, like `puppet facts upload`. Puppet: face/facts.rb. */
export async function uploadFacts(
  values: FactValues,
  settings: Settings,
  invocation: Pick<CommandInvocation, 'io' | 'options'>,
): Promise<number> {
  const { node_name_value: nodeName, environment, server } = settings
  const facts = toRequestFacts({ facts: values, nodeName, settings, system: localSystem })
  await withServerSession(settings, invocation, (session) => {
    invocation.io.err(`Notice: Uploading facts for '${nodeName}' to '${server}'\n`)
    return session.puppet.facts(environment, facts)
  })
  return 0
}
