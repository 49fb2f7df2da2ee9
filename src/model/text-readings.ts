import { budgets } from '../base/budgets/budgets.ts'
import { bufferView } from '../base/bytes/buffer-view.ts'
import { defineIssues, fail } from '../base/issue.ts'
import type { ExactJson } from '../base/json/exact-json.ts'
import { parseJson, printJson } from '../base/json/json-text.ts'
import { printMsgpack, readMsgpack } from '../base/json/msgpack.ts'
import { list, optionalText, record, text } from '../base/json/wire.ts'
import { symbolsAsNames } from '../language/ruby-semantics/yaml/permitted-classes.ts'
import { yamlToJson } from '../language/ruby-semantics/yaml/yaml-data.ts'
import { YamlError } from '../language/ruby-semantics/yaml/yaml-error.ts'
import { yamlText } from '../language/ruby-semantics/yaml/yaml-text.ts'
import { type FileMetadata, fileMetadataFromWire } from './file-metadata.ts'
import { type Node, nodeFromWire } from './node.ts'
import { type ReceivedReport, reportFromWire } from './report.ts'

/** A report, but for its text. */
export type ReportHead = Omit<ReceivedReport, 'text'>

/** The head of a stored catalog. */
export interface CatalogAbout {
  readonly name: string | undefined
  readonly environment: string
  readonly codeId: string | undefined
}

/** The classes of Puppet whose objects stand in YAML files, as the tags of their documents. */
export const rubyTags = {
  node: '!ruby/object:Puppet::Node',
  facts: '!ruby/object:Puppet::Node::Facts',
  catalog: '!ruby/object:Puppet::Resource::Catalog',
  report: '!ruby/object:Puppet::Transaction::Report',
} as const

const issues = defineIssues({
  // One place for words that are Psych's.
  YAML_UNREADABLE: { text: (a: { reason: string }) => a.reason },
})

/** Readings of the text of models in files: from bytes, and an argument. They take time in proportion to the text. */
export const textReadings = {
  /** JSON of MessagePack. */
  jsonOfMsgpack: (bytes: Uint8Array, _: string): Uint8Array =>
    Buffer.from(printJson(readMsgpack(bytes, { items: budgets.request.reportItems.bound }))),

  /** MessagePack of JSON. */
  msgpackOfJson: (text: Uint8Array, _: string): Uint8Array => printMsgpack(parseJson(decoded(text))),

  /** JSON of YAML whose document may have the tag that is the argument; no other object of Ruby's is read. Throws YAML_UNREADABLE. */
  jsonOfYaml(text: Uint8Array, tag: string): Uint8Array {
    try {
      return Buffer.from(printJson(yamlToJson(decoded(text), { ...symbolsAsNames, root: tag })))
    } catch (error) {
      // A thread hands on what is an issue.
      if (!(error instanceof YamlError)) throw error
      return fail(issues.YAML_UNREADABLE, { reason: error.message })
    }
  },

  /** YAML of JSON, as a document of the tag that is the argument. */
  yamlOfJson: (text: Uint8Array, tag: string): Uint8Array =>
    Buffer.from(yamlText(parseJson(decoded(text)), tag as `!${string}`)),

  /** The head of a catalog in JSON. */
  storedCatalog(json: Uint8Array, _: string): CatalogAbout {
    const { name, environment, code_id } = record(parseJson(decoded(json)), 'catalog')
    return {
      name: optionalText(name, 'catalog.name'),
      environment: text(environment, 'catalog.environment'),
      codeId: optionalText(code_id, 'catalog.code_id'),
    }
  },

  /** A node as it stands on the wire. */
  wireNode: (json: Uint8Array, _: string): Node => nodeFromWire(parseJson(decoded(json))),

  /** The metadata of a list of files as it stands on the wire. */
  wireFiles: (json: Uint8Array, _: string): readonly FileMetadata[] =>
    list(parseJson(decoded(json)), 'file metadatas').map(fileMetadataFromWire),

  /** A text as the field of a form that is encoded once more by itself, as agents send facts. */
  formField: (text: Uint8Array, name: string): Uint8Array =>
    Buffer.from(`${name}=${encodeURIComponent(encodeURIComponent(decoded(text)))}`),

  /** The head of a report in JSON, with its log. */
  storedReport: (json: Uint8Array, _: string): ReportHead => reportFromWire(parseJson(decoded(json)) as ExactJson),
} as const

/** Names of the readings. */
export type TextReading = keyof typeof textReadings

/** Reads the text of a model; on another thread where it is long. */
export type ReadText = <Name extends TextReading>(
  name: Name,
  bytes: Uint8Array,
  argument: string,
) => Promise<ReturnType<(typeof textReadings)[Name]>>

/** Reads the text of a model here and now: for a process that does nothing else. */
export const readTextHere: ReadText = async (name, bytes, argument) =>
  textReadings[name](bytes, argument) as ReturnType<(typeof textReadings)[typeof name]>

function decoded(text: Uint8Array): string {
  return bufferView(text).toString('utf8')
}
