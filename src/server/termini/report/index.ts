import { budgets } from '../../../base/budgets/budgets.ts'
import type { Files } from '../../../machine/system/system.ts'
import type { Request } from '../../../model/indirector/request.ts'
import type { IndirectionDefinition } from '../../../model/indirector/terminus.ts'
import type { ReadText } from '../../../model/model-readers.ts'
import type { ReceivedReport } from '../../../model/report.ts'
import type { HttpClient } from '../../../network/client/http-client.ts'
import { createMemoryTerminus } from '../memory-terminus.ts'
import type { RemoteServerSettings } from '../remote-server.ts'
import type { StoreServices } from '../store-recorder.ts'
import { lastReport } from './files.ts'
import { type Processor, processor } from './processor.ts'
import { rest } from './rest.ts'

/** Dependencies of the report termini. */
export interface ReportServices extends StoreServices {
  readonly files: Files
  readonly readText: ReadText
  /** Creates an HTTP client for the processor `http`; the caller closes it. */
  web(): Promise<Pick<HttpClient, 'send' | 'close'>>
  /** Logs for the processor `log`, and errors of other processors. */
  log(level: string, message: string, report: ReceivedReport): void
  /** Report processors from plug-ins, by name. */
  readonly own?: ReadonlyMap<string, Processor>
  readonly settings: RemoteServerSettings & {
    readonly report_server: string
    readonly report_port: number
    readonly environment: string
    readonly reports: readonly string[]
    readonly reportdir: string
    readonly lastrunreport: string
    readonly reporturl: string
    readonly report_min_free_space: number
  }
}

/** Reports of agent runs. */
export const report: IndirectionDefinition<ReceivedReport, ReportServices, Request> = {
  name: 'report',
  doc: 'Reports of agent runs.',
  termini: {
    processor,
    rest,
    ...lastReport,
    memory: {
      doc: 'Stores the last report of each node in memory.',
      create: () =>
        createMemoryTerminus({
          bytes: budgets.request.modelsInMemory.bound,
          sizeOf: ({ text, yaml }) => text.length + (yaml?.length ?? 0) + 1,
        }),
    },
  },
}
