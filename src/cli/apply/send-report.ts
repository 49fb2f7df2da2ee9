import type { ExactObject } from '../../base/json/exact-json.ts'
import { parseJson, printJson } from '../../base/json/json-text.ts'
import type { LogLevel } from '../../language/host.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Files } from '../../machine/system/system.ts'
import { type ReceivedReport, type Report, reportFromWire, reportYaml } from '../../model/report.ts'
import { readTextHere } from '../../model/text-readings.ts'
import type { Log } from '../../node/agent/log.ts'
import { moduleProcessor } from '../../server/termini/plug-ins/plug-ins.ts'
import type { ReportServices } from '../../server/termini/report/index.ts'
import { type Processor, processorNamed, reportProcessors } from '../../server/termini/report/processor.ts'
import { reportClient } from '../../server/termini/report/report-client.ts'
import { reportPayload } from '../../store/commands/writing/report.ts'
import { tellStore } from './tell-store.ts'

interface Sending {
  /** The `lib` folders of modules, which may contain report processors. */
  readonly libraries: readonly string[]
  readonly settings: Settings
  readonly files: Files
  readonly log: Log
}

/** Runs the report processors of the setting `reports` on this machine. Errors of a processor are logged. */
export async function processReport(report: Report, { libraries, settings, files, log }: Sending): Promise<void> {
  const body = parseJson(printJson(report)) as ExactObject
  const received: ReceivedReport = {
    ...reportFromWire(body),
    text: Buffer.from(printJson(report)),
    yaml: reportYaml(body),
  }
  const services: ReportServices = {
    files,
    readText: readTextHere,
    settings,
    web: () => reportClient(settings, files),
    log: (level, message) => log[level as LogLevel](message),
  }
  for (const name of reportProcessors(settings.reports)) {
    const process = processorNamed(name)
    const done = !process ? byModule(name) : name === 'puppetdb' ? inStore(process, body) : process(received, services)
    await done.catch((error: unknown) => log.err(`Report processor failed: ${errorText(error)}`))
  }

  async function byModule(name: string): Promise<void> {
    const say = (level: string, message: string) => log[level as LogLevel](message)
    const found = await moduleProcessor(name, libraries, { settings, files, log: say })
    if (!found) return log.warning(`No report named '${name}'`)
    try {
      await found.process(received, services)
    } finally {
      await found.close()
    }
  }

  function inStore(process: Processor, body: ExactObject): Promise<void> {
    return tellStore('reports', { settings, log }, (recorder) => {
      const sending = { ...recorder.sending(), includeUnchanged: recorder.includesUnchanged }
      const payload = Buffer.from(printJson(reportPayload(body, sending)))
      return process({ ...received, stored: { payload } }, { ...services, store: { recorder } })
    })
  }
}
