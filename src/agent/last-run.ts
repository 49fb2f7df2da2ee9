import { memberOf } from '../base/exact-json.ts'
import { puppetVersion } from '../base/puppet-version.ts'
import type { Report } from '../model/report.ts'
import { yamlToJson } from '../ruby-semantics/yaml/yaml-data.ts'
import { yamlText } from '../ruby-semantics/yaml/yaml-text.ts'
import type { Settings } from '../settings/settings.ts'
import type { Files } from '../system/system.ts'
import { type AppliedCatalog, isContainer } from './applied-catalog.ts'

/** The environments of the run before: the one it began with and the one it ended with. */
export interface LastEnvironments {
  readonly initial: string
  readonly converged: string
}

/** Environments in last_run_summary.yaml; `undefined` when the file cannot be read. */
export async function lastEnvironments(files: Files, path: string): Promise<LastEnvironments | undefined> {
  try {
    const application = memberOf(yamlToJson((await files.readText(path)) ?? '{}', {}), 'application')
    const initial = memberOf(application, 'initial_environment')
    const converged = memberOf(application, 'converged_environment')
    return typeof initial === 'string' && typeof converged === 'string' ? { initial, converged } : undefined
  } catch {
    return undefined
  }
}

/** Writes the summary of a run, and its report where the setting `report` wants one, for monitoring and for the next run. */
export async function saveLastRun(
  files: Files,
  settings: Pick<Settings, 'lastrunfile' | 'lastrunreport' | 'report'>,
  report: Report,
  { initialEnvironment, runMode, now }: { initialEnvironment: string; runMode: string; now: number },
): Promise<void> {
  const summary: Record<string, Record<string, unknown>> = {
    version: { config: report.configuration_version, puppet: puppetVersion },
    application: {
      run_mode: runMode,
      initial_environment: initialEnvironment,
      converged_environment: report.environment,
    },
  }
  for (const { name, values } of Object.values(report.metrics)) {
    summary[name] = Object.fromEntries(values.map(([key, , value]) => [key, value]))
    if (name !== 'time') summary[name]!['total'] ??= 0
  }
  summary['time'] = { ...summary['time'], last_run: Math.floor(now / 1000) }
  await files.write(settings.lastrunfile, yamlText(summary), 0o640)
  if (settings.report) await files.write(settings.lastrunreport, yamlText(report), 0o640)
}

/** Writes classes.txt and resources.txt. */
export async function saveNames(
  files: Files,
  settings: Pick<Settings, 'classfile' | 'resourcefile'>,
  classes: readonly string[],
  catalog: AppliedCatalog,
): Promise<void> {
  const named = catalog.entries().filter((entry) => !isContainer(entry) && entry.container !== undefined)
  await saveClasses(files, settings, classes)
  await files.write(
    settings.resourcefile,
    lines(named.map(({ reference }) => reference.replace(/^\w+/, (type) => type.toLowerCase()))),
    0o640,
  )
}

/** Writes classes.txt. */
export async function saveClasses(
  files: Files,
  { classfile }: Pick<Settings, 'classfile'>,
  classes: readonly string[],
): Promise<void> {
  await files.write(classfile, lines(classes), 0o640)
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('')
}
