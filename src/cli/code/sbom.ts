import { defineCommand } from '../command/command.ts'
import type { Option } from '../command/options.ts'
import { codeSettings, openCodeRepository, repositoryOption } from '../input/code-source.ts'
import { puppetfileModules } from '../input/puppetfile-modules.ts'

const options = [repositoryOption] as const satisfies readonly Option[]

/** `plumb code sbom` */
export const codeSbom = defineCommand({
  name: 'sbom',
  summary: "Lists a Puppetfile's modules as a bill of materials.",
  description: `Prints a bill of materials as JSON of CycloneDX 1.6: the modules of a branch's Puppetfile with versions, licences, digests
of archives, commits, and what they need of each other. The same commit with the same modules gives the same text.
Dependencies that no module meets are warned of.

  plumb code sbom production > production.cdx.json`,
  usage: '[ref]',
  options,
  async run(invocation) {
    const { args, io } = invocation
    const settings = codeSettings(invocation)
    const source = await openCodeRepository(settings)
    try {
      const { environment, commit, modules } = await puppetfileModules({ source, ref: args[0] ?? 'HEAD' }, settings, io)
      // The library is large, and no other command needs it.
      const { billOfMaterials } = await import('../../deploy/modules/bill-of-materials.ts')
      io.out(billOfMaterials(modules, { name: environment, commit, time: await source.commitTime(commit) }))
      return 0
    } finally {
      await source.close()
    }
  },
})
