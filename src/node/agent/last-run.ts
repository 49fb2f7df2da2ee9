import { getMember } from '../../base/json/exact-json.ts'
import { convertYamlToJson } from '../../language/ruby-semantics/yaml/yaml-data.ts'
import { formatYaml, formatYamlParts } from '../../language/ruby-semantics/yaml/yaml-text.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import type { Report } from '../../model/report.ts'
import { type AppliedCatalog, isContainer } from './applied-catalog.ts'
import { buildRunSummary, type SummarizedRun } from './run-summary.ts'

/** Environments of the previous run, at its start and at its end. */
export interface LastEnvironments {
  readonly initial: string
  readonly converged: string
}

/** Reads the environments from last_run_summary.yaml; undefined if the file cannot be read. */
export async function readLastEnvironments(files: Files, path: string): Promise<LastEnvironments | undefined> {
  try {
    const application = getMember(convertYamlToJson((await files.readText(path)) ?? '{}', {}), 'application')
    const initial = getMember(application, 'initial_environment')
    const converged = getMember(application, 'converged_environment')
    return typeof initial === 'string' && typeof converged === 'string' ? { initial, converged } : undefined
  } catch {
    return undefined
  }
}

/** Writes the summary of a run, and its report if `report` is true, for monitoring and for the next run. */
export async function saveLastRun(
  files: Files,
  settings: Pick<Settings, 'lastrunfile' | 'lastrunreport' | 'report'>,
  report: Report,
  run: SummarizedRun,
): Promise<void> {
  await files.write(settings.lastrunfile, formatYaml(buildRunSummary(report, run)), 0o640)
  if (settings.report) await files.write(settings.lastrunreport, encodeTexts(formatYamlParts(report)), 0o640)
}

/** Encodes each text only when the writer requests it. */
async function* encodeTexts(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
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
    joinLines(named.map(({ reference }) => reference.replace(/^\w+/, (type) => type.toLowerCase()))),
    0o640,
  )
}

/** Writes classes.txt. */
export async function saveClasses(
  files: Files,
  { classfile }: Pick<Settings, 'classfile'>,
  classes: readonly string[],
): Promise<void> {
  await files.write(classfile, joinLines(classes), 0o640)
}

function joinLines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('')
}
