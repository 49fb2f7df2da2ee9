import type { ReadText } from '../../model/model-readers.ts'

/** Converts between a file format and JSON, the internal form of models. */
export interface FileFormat {
  readonly extension: 'json' | 'yaml' | 'msgpack'
  /** Name of the format, for messages. */
  readonly name: string
  toJson(bytes: Buffer): Promise<Uint8Array>
  fromJson(json: Uint8Array): Promise<Uint8Array>
}

/** JSON files, without conversion. */
export const jsonFormat: FileFormat = {
  extension: 'json',
  name: 'JSON',
  toJson: async (bytes) => bytes,
  fromJson: async (json) => json,
}

/**
 * YAML whose document has the given Ruby class tag; other classes are rejected. Puppet:
 * indirector/yaml.rb.
 */
export function createYamlFormat(tag: string, read: ReadText): FileFormat {
  return {
    extension: 'yaml',
    name: 'YAML',
    toJson: (bytes) => read('jsonOfYaml', bytes, tag),
    fromJson: (json) => read('yamlOfJson', json, tag),
  }
}

/** MessagePack. Puppet: indirector/msgpack.rb. */
export function createMsgpackFormat(read: ReadText): FileFormat {
  return {
    extension: 'msgpack',
    name: 'MessagePack',
    toJson: (bytes) => read('jsonOfMsgpack', bytes, ''),
    fromJson: (json) => read('msgpackOfJson', json, ''),
  }
}
