import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { buildCompileRequest, emptyClassification } from '../../../../src/cli/input/compile-options.ts'
import { openCommandLineCode } from '../../../../src/code/environments/environment-opener.ts'
import { compile } from '../../../../src/compiler/compile.ts'
import { loadSettings } from '../../../../src/machine/settings/settings.ts'
import { localSystem } from '../../../../src/machine/system/local-system.ts'
import { applyCatalog } from '../../../../src/node/agent/catalog-application.ts'
import { createModuleSources } from '../../../../src/node/agent/file-sources.ts'
import { createLog, type LogLine } from '../../../../src/node/agent/log.ts'
import type { RunLimits } from '../../../../src/node/agent/process/run-timeout.ts'
import { createRubyOptions } from '../../../../src/node/agent/ruby/ruby-options.ts'
import { nativeRuby } from '../../../support/native-ruby.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

const scratch = scratchFolder('snares')
const modules = join(scratch, 'modules')
mkdirSync(modules)
mkdirSync(join(scratch, 'state'))
symlinkSync(join(import.meta.dirname, '..', 'beside-puppet', 'modules', 'things'), join(modules, 'things'))

type Limits = Partial<RunLimits>

/** Applies snares, one after the other; failures by title, and all lines of the log. */
export async function spring(
  codes: readonly string[],
  value = "'new'",
  { system = localSystem, ...limits }: Limits = {},
) {
  const manifest = codes
    .map((code, index) => `snare { '${index}': code => '${code.replaceAll("'", "\\'")}', value => ${value} }`)
    .join('\n')
  const settings = loadSettings({ given: { confdir: join(scratch, 'etc'), vardir: scratch, certname: 'vm' } })
  const environment = openCommandLineCode({ name: 'production', modulepath: [modules], manifest: { text: manifest } })
  const request = buildCompileRequest({ node: 'vm', facts: {}, classified: emptyClassification }, environment, settings)
  const lines: LogLine[] = []
  const applied = await applyCatalog(compile(request).catalog, {
    settings: { ...settings, statedir: scratch },
    system,
    machine: localSystem,
    facts: {},
    sources: createModuleSources(localSystem.files, []),
    log: createLog({ write: (line) => void lines.push(line) }),
    ruby: {
      ...createRubyOptions({ settings, facts: {}, loadPath: [join(modules, 'things', 'lib')] }),
      nativeRuby,
      ...(limits.end && { deadline: limits.end.at }),
    },
    ...(limits.stopRequested && { stopRequested: limits.stopRequested }),
    timeOver: limits.end?.signal,
  })
  const failed = applied.statuses.filter((status) => status.failed).map(({ entry }) => entry.title)
  const skipped = applied.statuses.filter((status) => status.skipped).map(({ entry }) => entry.title)
  const report = JSON.stringify(applied.statuses.map(({ events }) => events))
  return {
    applied: applied.applied,
    failed,
    skipped,
    report,
    lines: lines.map(({ level, message }) => `${level}: ${message}`),
  }
}
