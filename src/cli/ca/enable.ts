import type { Command, Invocation } from '../command/command.ts'
import { authorityOf, exitCodes } from './asked.ts'

const options = [{ flags: '--infracrl', doc: 'A revocation list of infrastructure nodes alone.' }] as const

/** `plumb ca enable` */
export const enable: Command = {
  name: 'enable',
  summary: 'Begins the revocation list of infrastructure nodes.',
  description: `Write the certnames of your servers into infra_inventory.txt in the folder of the authority, one a line. This begins
infra_crl.pem; whoever of them is revoked from then on stands in both lists. With the setting enable-infra-crl agents
get that list, which stays short: they talk to servers alone.

  plumb ca enable --infracrl`,
  options,
  run,
}

async function run(invocation: Invocation<typeof options>): Promise<number> {
  if (!invocation.options.infracrl) return exitCodes.done
  const authority = await authorityOf(invocation)
  await authority.beginInfraList()
  invocation.io.out('Infra CRL files created.\n')
  return exitCodes.done
}
