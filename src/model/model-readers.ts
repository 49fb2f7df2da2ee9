import { budgets } from '../base/budgets/budgets.ts'
import { toBufferView } from '../base/bytes/buffer-view.ts'
import { defineIssues, throwIssue } from '../base/issue.ts'
import type { ExactJson } from '../base/json/exact-json.ts'
import { checkJsonArray, checkJsonObject, checkJsonString, checkOptionalString } from '../base/json/json-checks.ts'
import { formatExactJson, parseJson } from '../base/json/json-text.ts'
import { decodeMsgpack, encodeMsgpack } from '../base/json/msgpack.ts'
import { symbolsAsNames } from '../language/ruby-semantics/yaml/permitted-classes.ts'
import { convertYamlToJson } from '../language/ruby-semantics/yaml/yaml-data.ts'
import { YamlError } from '../language/ruby-semantics/yaml/yaml-error.ts'
import { formatYaml } from '../language/ruby-semantics/yaml/yaml-text.ts'
import { type FileMetadata, fileMetadataFromWire } from './file-metadata.ts'
import { nodeFromWire, type PuppetNode } from './node.ts'
import { type ReceivedReport, reportFromWire } from './report.ts'

/** The fields of a report, without the complete text. */
export type ReportHead = Omit<ReceivedReport, 'text'>

/** The main fields of a stored catalog. */
export interface StoredCatalogFields {
  readonly name: string | undefined
  readonly environment: string
  readonly codeId: string | undefined
}

/** YAML tags of the Puppet classes whose instances are stored in YAML files. */
export const rubyTags = {
  node: '!ruby/object:Puppet::Node',
  facts: '!ruby/object:Puppet::Node::Facts',
  catalog: '!ruby/object:Puppet::Resource::Catalog',
  report: '!ruby/object:Puppet::Transaction::Report',
} as const

const issues = defineIssues({
  // The message is from Psych, Ruby's YAML library.
  YAML_UNREADABLE: { text: (a: { reason: string }) => a.reason },
})

/**
 * Functions that convert the text of models; each has the bytes and an argument as parameters. Their duration is
 * proportional to the size of the text.
 */
export const modelReaders = {
  /** Converts MessagePack to JSON. */
  jsonOfMsgpack: (bytes: Uint8Array, _: string): Uint8Array =>
    Buffer.from(formatExactJson(decodeMsgpack(bytes, { items: budgets.request.reportItems.bound }))),

  /** Converts JSON to MessagePack. */
  msgpackOfJson: (text: Uint8Array, _: string): Uint8Array => encodeMsgpack(parseJson(decodeText(text))),

  /**
   * Converts YAML to JSON. The document may have the tag in `tag`; other Ruby objects are rejected. Throws
   * YAML_UNREADABLE.
   */
  jsonOfYaml(text: Uint8Array, tag: string): Uint8Array {
    try {
      return Buffer.from(formatExactJson(convertYamlToJson(decodeText(text), { ...symbolsAsNames, root: tag })))
    } catch (error) {
      // Between threads, only errors that are issues can be passed on.
      if (!(error instanceof YamlError)) throw error
      return throwIssue(issues.YAML_UNREADABLE, { reason: error.message })
    }
  },

  /** Converts JSON to a YAML document with the tag in `tag`. */
  yamlOfJson: (text: Uint8Array, tag: string): Uint8Array =>
    Buffer.from(formatYaml(parseJson(decodeText(text)), tag as `!${string}`)),

  /** Parses a catalog in JSON and returns its main fields. */
  storedCatalog(json: Uint8Array, _: string): StoredCatalogFields {
    const { name, environment, code_id } = checkJsonObject(parseJson(decodeText(json)), 'catalog')
    return {
      name: checkOptionalString(name, 'catalog.name'),
      environment: checkJsonString(environment, 'catalog.environment'),
      codeId: checkOptionalString(code_id, 'catalog.code_id'),
    }
  },

  /** Parses a node in wire format. */
  wireNode: (json: Uint8Array, _: string): PuppetNode => nodeFromWire(parseJson(decodeText(json))),

  /** Parses a list of file metadata in wire format. */
  wireFiles: (json: Uint8Array, _: string): readonly FileMetadata[] =>
    checkJsonArray(parseJson(decodeText(json)), 'file metadatas').map(fileMetadataFromWire),

  /** Formats text as a form field; the value is URL-encoded twice, as agents send facts. */
  formField: (text: Uint8Array, name: string): Uint8Array =>
    Buffer.from(`${name}=${encodeURIComponent(encodeURIComponent(decodeText(text)))}`),

  /** Parses a report in JSON and returns its main fields and its log. */
  storedReport: (json: Uint8Array, _: string): ReportHead => reportFromWire(parseJson(decodeText(json)) as ExactJson),
} as const

/** The names of the conversions in `modelReaders`. */
export type ModelReaderName = keyof typeof modelReaders

/** Converts the text of a model, on another thread if it is long. */
export type ReadText = <Name extends ModelReaderName>(
  name: Name,
  bytes: Uint8Array,
  argument: string,
) => Promise<ReturnType<(typeof modelReaders)[Name]>>

/** Converts the text of a model on the current thread, for a process that has no other work. */
export const readModelText: ReadText = async (name, bytes, argument) =>
  modelReaders[name](bytes, argument) as ReturnType<(typeof modelReaders)[typeof name]>

function decodeText(text: Uint8Array): string {
  return toBufferView(text).toString('utf8')
}
