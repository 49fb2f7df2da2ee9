import { join } from 'node:path'
import { budgets } from '../../../base/budgets/budgets.ts'
import { toBufferView } from '../../../base/bytes/buffer-view.ts'
import { type FactsDocument, formatFactsDocument } from '../../../model/facts.ts'
import type { Terminus, TerminusDefinition } from '../../../model/indirector/terminus.ts'
import { rubyTags } from '../../../model/model-readers.ts'
import { createYamlFormat, type FileFormat, jsonFormat } from '../file-format.ts'
import { createMigratingTerminus } from '../migrating-terminus.ts'
import { createFileTerminus } from '../model-files.ts'
import type { FactsRequest, FactsServices } from './index.ts'

type FactsFiles = TerminusDefinition<FactsDocument, FactsServices, FactsRequest>

/** Facts in JSON, in Puppet's file layout: `<server_datadir>/facts/<name>.json`. */
export const json: FactsFiles = {
  doc: 'Stores the facts of each node in a JSON file.',
  create: (services) => shareReads(createJsonFiles(services)),
}

/**
 * Facts in YAML, in Puppet's file layout: `<yamldir>/facts/<name>.yaml`. Earlier versions of this
 * server wrote JSON, which is read as well.
 */
export const yaml: FactsFiles = {
  doc: 'Stores the facts of each node in a YAML file in yamldir, as Puppet does.',
  create: (services) => {
    const { settings, readText } = services
    const own = createFactsFiles(join(settings.yamldir, 'facts'), createYamlFormat(rubyTags.facts, readText), services)
    // The JSON file is kept, because another terminus may use it with this terminus as its cache.
    return shareReads({ ...createMigratingTerminus(own, createJsonFiles(services)), save: own.save })
  },
}

function createJsonFiles(services: FactsServices): Required<Terminus<FactsDocument>> {
  return createFactsFiles(getFactsDirectory(services.settings), jsonFormat, services)
}

function createFactsFiles(directory: string, format: FileFormat, { files, read }: FactsServices) {
  return createFileTerminus<FactsDocument>({
    indirection: 'facts',
    directory,
    format,
    files,
    largest: budgets.request.modelFile.bound,
    parse: (text) => read(toBufferView(text)),
    print: (facts) => Buffer.concat(formatFactsDocument(facts)),
  })
}

/** Folder of facts in JSON, one file per node. */
export function getFactsDirectory({ server_datadir }: { readonly server_datadir: string }): string {
  return join(server_datadir, 'facts')
}

/**
 * Shares one read among concurrent requests for the same facts, since facts may be large. A read that started before
 * a change is not shared with requests after the change.
 */
function shareReads(terminus: Required<Terminus<FactsDocument>>): Required<Terminus<FactsDocument>> {
  const underWay = new Map<string, Promise<FactsDocument | undefined>>()
  const applyChange = async (key: string, change: Promise<void>) => {
    try {
      await change
    } finally {
      underWay.delete(key)
    }
  }
  return {
    ...terminus,
    find(request) {
      const known = underWay.get(request.key)
      if (known) return known
      const found = terminus.find(request).finally(() => {
        if (underWay.get(request.key) === found) underWay.delete(request.key)
      })
      underWay.set(request.key, found)
      return found
    },
    save: (facts, request) => applyChange(request.key, terminus.save(facts, request)),
    destroy: (request) => applyChange(request.key, terminus.destroy(request)),
  }
}
