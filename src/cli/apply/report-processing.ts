import type { ExactObject } from '../../base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import type { LogLevel } from '../../language/host.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import { readModelText } from '../../model/model-readers.ts'
import { formatReportYaml, type ReceivedReport, type Report, reportFromWire } from '../../model/report.ts'
import type { Log } from '../../node/agent/log.ts'
import { loadModuleProcessor } from '../../server/termini/plug-ins/plug-ins.ts'
import type { ReportServices } from '../../server/termini/report/index.ts'
import { findProcessor, listActiveProcessors, type Processor } from '../../server/termini/report/processor.ts'
import { createReportClient } from '../../server/termini/report/report-client.ts'
import { buildReportPayload } from '../../store/commands/writing/report.ts'
import { withStoreRecorder } from './store-recorder.ts'

interface Sending {
  /** The `lib` folders of modules, which may contain report processors. */
  readonly libraries: readonly string[]
  readonly settings: Settings
  readonly files: Files
  readonly log: Log
}

/** Runs the report processors of the setting `reports` on this machine. Errors of a processor are logged. */
export async function processReport(report: Report, { libraries, settings, files, log }: Sending): Promise<void> {
  const body = parseJson(formatExactJson(report)) as ExactObject
  const received: ReceivedReport = {
    ...reportFromWire(body),
    text: Buffer.from(formatExactJson(report)),
    yaml: formatReportYaml(body),
  }
  const services: ReportServices = {
    files,
    readText: readModelText,
    settings,
    web: () => createReportClient(settings, files),
    log: (level, message) => log[level as LogLevel](message),
  }
  for (const name of listActiveProcessors(settings.reports)) {
    const process = findProcessor(name)
    const done = !process
      ? processWithModule(name)
      : name === 'puppetdb'
        ? processWithStore(process, body)
        : process(received, services)
    await done.catch((error: unknown) => log.err(`Report processor failed: ${formatError(error)}`))
  }

  async function processWithModule(name: string): Promise<void> {
    const logMessage = (level: string, message: string) => log[level as LogLevel](message)
    const found = await loadModuleProcessor(name, libraries, { settings, files, log: logMessage })
    if (!found) return log.warning(`No report named '${name}'`)
    try {
      await found.process(received, services)
    } finally {
      await found.close()
    }
  }

  function processWithStore(process: Processor, body: ExactObject): Promise<void> {
    return withStoreRecorder('reports', { settings, log }, (recorder) => {
      const sending = { ...recorder.sending(), includeUnchanged: recorder.includesUnchanged }
      const payload = Buffer.from(formatExactJson(buildReportPayload(body, sending)))
      return process({ ...received, stored: { payload } }, { ...services, store: { recorder } })
    })
  }
}
