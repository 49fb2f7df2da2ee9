import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import type { ReceivedReport } from '../../../model/report.ts'
import { createRemoteServer } from '../remote-server.ts'
import type { ReportServices } from './index.ts'

/** Forwards reports unchanged to `report_server`. Puppet: indirector/report/rest.rb. */
export const rest: TerminusDefinition<ReceivedReport, ReportServices> = {
  doc: 'Forwards reports to report_server.',
  create({ settings, files }) {
    const { report_server: host, report_port: port } = settings
    const remote = createRemoteServer({ settings, files, host, port, what: 'report server', setting: 'report_server' })
    return {
      async save({ text }, { key, environment = settings.environment }) {
        await remote.ask(
          (http, origin) =>
            http.send(new URL(`/puppet/v3/report/${encodeURIComponent(key)}`, origin), {
              method: 'PUT',
              query: { environment },
              headers: { accept: 'application/json', 'content-type': 'application/json' },
              body: Buffer.from(text),
            }),
          true,
        )
      },
    }
  },
}
