import { join } from 'node:path'
import { budgets } from '../../../base/budgets/budgets.ts'
import { bufferView } from '../../../base/bytes/buffer-view.ts'
import { type FactsDocument, factsDocumentText } from '../../../model/facts.ts'
import type { Terminus, TerminusDefinition } from '../../../model/indirector/terminus.ts'
import { rubyTags } from '../../../model/text-readings.ts'
import { type FileFormat, jsonFormat, yamlFormat } from '../file-format.ts'
import { modelFiles } from '../model-files.ts'
import { movedFrom } from '../moved-from.ts'
import type { FactsRequest, FactsServices } from './index.ts'

type FactsFiles = TerminusDefinition<FactsDocument, FactsServices, FactsRequest>

/** Facts in JSON, in the files of real Puppet: `<server_datadir>/facts/<name>.json`. */
export const json: FactsFiles = {
  doc: 'One JSON file for each node.',
  create: (services) => foundOnce(inJson(services)),
}

/** Facts in YAML, in the files of real Puppet: `<yamldir>/facts/<name>.yaml`; earlier versions of this server wrote JSON. */
export const yaml: FactsFiles = {
  doc: "One YAML file for each node in yamldir, as Puppet's.",
  create: (services) => {
    const { settings, readText } = services
    const own = filesIn(join(settings.yamldir, 'facts'), yamlFormat(rubyTags.facts, readText), services)
    // The JSON stays: it may be another terminus's, to which this one is the cache.
    return foundOnce({ ...movedFrom(own, inJson(services)), save: own.save })
  },
}

function inJson(services: FactsServices): Required<Terminus<FactsDocument>> {
  return filesIn(factsDirectory(services.settings), jsonFormat, services)
}

function filesIn(directory: string, format: FileFormat, { files, read }: FactsServices) {
  return modelFiles<FactsDocument>({
    indirection: 'facts',
    directory,
    format,
    files,
    largest: budgets.request.modelFile.bound,
    parse: (text) => read(bufferView(text)),
    print: (facts) => Buffer.concat(factsDocumentText(facts)),
  })
}

/** The folder of facts in JSON, a file for each node. */
export function factsDirectory({ server_datadir }: { readonly server_datadir: string }): string {
  return join(server_datadir, 'facts')
}

/** Who asks for the same facts while they are read gets the same: they may be large. What was read before a change is not. */
function foundOnce(terminus: Required<Terminus<FactsDocument>>): Required<Terminus<FactsDocument>> {
  const underWay = new Map<string, Promise<FactsDocument | undefined>>()
  const changed = async (key: string, change: Promise<void>) => {
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
    save: (facts, request) => changed(request.key, terminus.save(facts, request)),
    destroy: (request) => changed(request.key, terminus.destroy(request)),
  }
}
