import { defineCommand } from '../command/command.ts'
import type { Option } from '../command/options.ts'
import { loadCodeSettings, openCodeRepository, repositoryOption } from '../input/code-source.ts'
import { fetchPuppetfileModules } from '../input/puppetfile-modules.ts'

const options = [repositoryOption] as const satisfies readonly Option[]

/** The command `plumb code sbom`. */
export const codeSbom = defineCommand({
  name: 'sbom',
  summary: 'Print a software bill of materials of the modules of a Puppetfile.',
  description: `Prints CycloneDX 1.6 JSON: the modules of a branch's Puppetfile with versions, licenses, archive digests, commits and
dependencies. The output is reproducible for the same commit and modules. Prints warnings about unmet dependencies.

  plumb code sbom production > production.cdx.json`,
  usage: '[ref]',
  options,
  async run(invocation) {
    const { args, io } = invocation
    const settings = loadCodeSettings(invocation)
    const source = await openCodeRepository(settings)
    try {
      const { environment, commit, modules } = await fetchPuppetfileModules(
        { source, ref: args[0] ?? 'HEAD' },
        settings,
        io,
      )
      // Imported on demand, because the library is large.
      const { createBillOfMaterials } = await import('../../deploy/modules/bill-of-materials.ts')
      io.out(createBillOfMaterials(modules, { name: environment, commit, time: await source.commitTime(commit) }))
      return 0
    } finally {
      await source.close()
    }
  },
})
