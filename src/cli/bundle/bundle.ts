import type { CliCommand } from '../command/command.ts'
import { bundleApply } from './apply.ts'
import { bundleCreate } from './create.ts'
import { bundleImport } from './import.ts'
import { bundleShow, bundleVerify } from './show.ts'

/** The command `plumb bundle`. */
export const bundleCommand: CliCommand = {
  name: 'bundle',
  summary: 'Carry code, modules, gems and catalogs to a site without network.',
  description: `A bundle is one file with the commits of environments, their modules, gems, and signed catalogs of nodes. It is created
where the network is, and imported into a server, or applied to a machine, where there is none. Its signature covers
every byte, and is verified before anything is changed.

  plumb bundle create production -o site.bundle
  plumb bundle import site.bundle --trusted-ca ca.pem

docs/air-gap.md describes each step.`,
  commands: [bundleCreate, bundleShow, bundleVerify, bundleImport, bundleApply],
}
