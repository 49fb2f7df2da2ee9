import type { CliCommand, CommandInvocation } from '../command/command.ts'
import { exitCodes, openCommandAuthority } from './ca-options.ts'

const options = [{ flags: '--infracrl', doc: 'Create the revocation list of infrastructure nodes.' }] as const

/** The command `plumb ca enable`. */
export const enableCommand: CliCommand = {
  name: 'enable',
  summary: 'Create the revocation list of infrastructure nodes.',
  description: `List the certnames of your servers in infra_inventory.txt in cadir, one on each line. This command creates
infra_crl.pem; servers that are revoked later are added to both lists. With enable-infra-crl, agents receive this short
list instead of the full one, because they connect to servers only.

  plumb ca enable --infracrl`,
  options,
  run: enableInfraCrl,
}

async function enableInfraCrl(invocation: CommandInvocation<typeof options>): Promise<number> {
  if (!invocation.options.infracrl) return exitCodes.done
  const authority = await openCommandAuthority(invocation)
  await authority.beginInfraList()
  invocation.io.out('Infra CRL files created.\n')
  return exitCodes.done
}
