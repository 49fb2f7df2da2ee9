import type { ReadText } from '../../model/text-readings.ts'

/** A format of files, beside the JSON that models are here. */
export interface FileFormat {
  readonly extension: 'json' | 'yaml' | 'msgpack'
  /** For messages. */
  readonly name: string
  toJson(bytes: Buffer): Promise<Uint8Array>
  fromJson(json: Uint8Array): Promise<Uint8Array>
}

/** JSON itself. */
export const jsonFormat: FileFormat = {
  extension: 'json',
  name: 'JSON',
  toJson: async (bytes) => bytes,
  fromJson: async (json) => json,
}

/** YAML whose document has the tag of a class of Puppet's; no object of another class is read. Puppet: indirector/yaml.rb. */
export function yamlFormat(tag: string, read: ReadText): FileFormat {
  return {
    extension: 'yaml',
    name: 'YAML',
    toJson: (bytes) => read('jsonOfYaml', bytes, tag),
    fromJson: (json) => read('yamlOfJson', json, tag),
  }
}

/** MessagePack. Puppet: indirector/msgpack.rb. */
export function msgpackFormat(read: ReadText): FileFormat {
  return {
    extension: 'msgpack',
    name: 'MessagePack',
    toJson: (bytes) => read('jsonOfMsgpack', bytes, ''),
    fromJson: (json) => read('msgpackOfJson', json, ''),
  }
}
