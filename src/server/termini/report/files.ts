import { dirname } from 'node:path'
import { budgets } from '../../../base/budgets/budgets.ts'
import { checkFileName } from '../../../model/indirector/file-name.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import { type ReadText, rubyTags } from '../../../model/model-readers.ts'
import type { ReceivedReport } from '../../../model/report.ts'
import { createMsgpackFormat, createYamlFormat, type FileFormat, jsonFormat } from '../file-format.ts'
import { readModel, writeModel } from '../model-files.ts'
import type { ReportServices } from './index.ts'

/**
 * The last received report of any node, in `lastrunreport`. Puppet: indirector/report/yaml.rb and
 * similar.
 */
export const lastReport = {
  yaml: createLastReport('YAML', (read) => createYamlFormat(rubyTags.report, read)),
  json: createLastReport('JSON', () => jsonFormat),
  msgpack: createLastReport('MessagePack', createMsgpackFormat),
} as const

function createLastReport(
  name: string,
  formatFor: (read: ReadText) => FileFormat,
): TerminusDefinition<ReceivedReport, ReportServices> {
  return {
    doc: `Stores the last report as ${name} in lastrunreport.`,
    create({ files, settings, readText }) {
      const path = settings.lastrunreport
      const place = {
        indirection: 'report',
        directory: dirname(path),
        format: formatFor(readText),
        files,
        largest: budgets.request.modelFile.bound,
        parse: async (text: Uint8Array) => ({ ...(await readText('storedReport', text, '')), text }),
        print: ({ text }: ReceivedReport) => text,
      }
      const findReport = async (key: string) => readModel<ReceivedReport>(place, path, checkFileName('report', key))
      return {
        find: ({ key }) => findReport(key),
        search: async ({ key }) => [await findReport(key || 'last')].filter((each) => each !== undefined),
        save: async (report) => writeModel(place, path, report),
        destroy: () => files.remove(path),
      }
    },
  }
}
