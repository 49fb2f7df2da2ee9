import { join } from 'node:path'
import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import { isMissingFileError } from '../../base/system-error.ts'
import type { Files } from '../../machine/system/system.ts'
import { checkFileName } from '../../model/indirector/file-name.ts'
import type { Request } from '../../model/indirector/request.ts'
import type { Terminus } from '../../model/indirector/terminus.ts'
import type { FileFormat } from './file-format.ts'

/** Options of file storage for one kind of model. */
export interface ModelFiles<Model> {
  /** Name of the indirection, for messages. */
  readonly indirection: string
  readonly directory: string
  readonly format: FileFormat
  readonly files: Pick<Files, 'readWithin' | 'list' | 'write' | 'makeDirectory' | 'remove'>
  /** Maximum size of a file to read, in bytes. */
  readonly largest: number
  /** Parses a model from JSON in UTF-8. */
  parse(json: Uint8Array): Model | Promise<Model>
  /** Prints a model as JSON in UTF-8. */
  print(model: Model): Uint8Array | Promise<Uint8Array>
}

const issues = defineIssues({
  MODEL_UNREADABLE: {
    // Message of Puppet: indirector/yaml.rb, json.rb, msgpack.rb
    text: (a: { format: string; indirection: string; key: string; reason: string }) =>
      `Could not parse ${a.format} data for ${a.indirection} ${a.key}: ${a.reason}`,
  },
})

/**
 * Terminus that stores each model in `<directory>/<key>.<extension>`; files are replaced
 * atomically.
 */
export function createFileTerminus<Model>(options: ModelFiles<Model>): Required<Terminus<Model>> {
  const { indirection, directory, files, format } = options
  const ending = `.${format.extension}`
  const getModelPath = (key: string) => join(directory, `${checkFileName(indirection, key)}${ending}`)
  return {
    find: async ({ key }: Request) => readModel(options, getModelPath(key), key),
    async search() {
      const names = (await files.list(directory)) ?? []
      const models: Model[] = []
      for (const name of names) {
        if (name.startsWith('.') || !name.endsWith(ending)) continue
        const key = name.slice(0, -ending.length)
        const model = await readModel(options, getModelPath(key), key)
        if (model !== undefined) models.push(model)
      }
      return models
    },
    save: async (model, { key }) => writeModel(options, getModelPath(key), model),
    destroy: async ({ key }) => files.remove(getModelPath(key)),
  }
}

/**
 * Reads a model from a file, after checking its size; `undefined` if the file is missing. Throws
 * MODEL_UNREADABLE.
 */
export async function readModel<Model>(
  { indirection, files, format, largest, parse }: ModelFiles<Model>,
  path: string,
  key: string,
): Promise<Model | undefined> {
  try {
    const bytes = await files.readWithin(path, largest)
    return bytes && (await parse(await format.toJson(bytes)))
  } catch (error) {
    if (!(error instanceof PuppetError) && !(error instanceof SyntaxError)) throw error
    const reason = error instanceof PuppetError ? error.diagnostic.message : error.message
    return throwIssue(issues.MODEL_UNREADABLE, { format: format.name, indirection, key, reason })
  }
}

/** Writes a model to a file atomically. */
export async function writeModel<Model>(
  { directory, files, format, print }: ModelFiles<Model>,
  path: string,
  model: Model,
): Promise<void> {
  const bytes = await format.fromJson(await print(model))
  const writeBytes = () => files.write(path, bytes, 0o640)
  await writeBytes().catch(async (error: unknown) => {
    if (!isMissingFileError(error)) throw error
    await files.makeDirectory(directory, 0o750)
    await writeBytes()
  })
}
