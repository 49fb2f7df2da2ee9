import { join } from 'node:path'
import { isMissing } from '../base/system-error.ts'
import { fileName } from '../indirector/file-name.ts'
import type { Request } from '../indirector/request.ts'
import type { Terminus } from '../indirector/terminus.ts'
import type { FileContent, Files } from '../system/system.ts'

/** The format of the files that keep models of one kind. */
export interface ModelFiles<Model> {
  /** For messages. */
  readonly indirection: string
  readonly directory: string
  readonly extension: 'json' | 'yaml'
  readonly files: Files
  /** From UTF-8. */
  parse(text: Buffer): Model | Promise<Model>
  print(model: Model): FileContent
}

/** A terminus that keeps each model in a file of its own: `<directory>/<key>.<extension>`, whole or not at all. */
export function modelFiles<Model>(options: ModelFiles<Model>): Required<Terminus<Model>> {
  const { indirection, directory, files } = options
  const ending = `.${options.extension}`
  const path = (key: string) => join(directory, `${fileName(indirection, key)}${ending}`)
  const load = async (key: string) => {
    const text = await files.read(path(key))
    return text === undefined ? undefined : options.parse(text)
  }
  return {
    find: ({ key }: Request) => load(key),
    async search() {
      const names = (await files.list(directory)) ?? []
      const keys = names
        .filter((name) => !name.startsWith('.') && name.endsWith(ending))
        .map((name) => name.slice(0, -ending.length))
      const models = await Promise.all(keys.map(load))
      return models.filter((model) => model !== undefined)
    },
    async save(model, { key }) {
      const place = path(key)
      const write = () => files.write(place, options.print(model), 0o640)
      await write().catch(async (error: unknown) => {
        if (!isMissing(error)) throw error
        await files.makeDirectory(directory, 0o750)
        await write()
      })
    },
    destroy: ({ key }) => files.remove(path(key)),
  }
}
