import type { ExactJson } from '../../../src/base/json/exact-json.ts'
import { buildCompileRequest, emptyClassification } from '../../../src/cli/input/compile-options.ts'
import { openCommandLineCode } from '../../../src/code/environments/environment-opener.ts'
import { compile } from '../../../src/compiler/compile.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import type { System } from '../../../src/machine/system/system.ts'
import { applyCatalog } from '../../../src/node/agent/catalog-application.ts'
import { createModuleSources } from '../../../src/node/agent/file-sources.ts'
import { createLog, type LogLine } from '../../../src/node/agent/log.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** The log lines, from notices up, of a manifest that is applied to a system. */
export async function saysOf(
  manifest: string,
  system: System,
  facts: Readonly<Record<string, ExactJson>> = { kernel: 'Linux', os: { family: 'Debian' } },
  modulepath: readonly string[] = [],
): Promise<readonly string[]> {
  const folder = scratchFolder('says')
  const settings = loadSettings({ given: { confdir: folder, vardir: folder, certname: 'node' } })
  await localSystem.files.makeDirectory(settings.statedir)
  const environment = openCommandLineCode({ name: 'production', modulepath, manifest: { text: manifest } })
  const { catalog } = compile(
    buildCompileRequest({ node: 'node', facts: undefined, classified: emptyClassification }, environment, settings),
  )
  const says: string[] = []
  const write = ({ level, message, source }: LogLine) => {
    if (level === 'info' || level === 'debug') return
    says.push(
      source === undefined || source === 'Puppet' ? message : `${source.replace('/Stage[main]/Main/', '')}: ${message}`,
    )
  }
  const sources = createModuleSources(system.files, [])
  await applyCatalog(catalog, { settings, system, machine: localSystem, facts, sources, log: createLog({ write }) })
  return says.filter((line) => !line.startsWith('Applied catalog'))
}
