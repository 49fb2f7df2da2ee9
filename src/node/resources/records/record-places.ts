import { isUtf8 } from 'node:buffer'
import { reasonText } from '../../../language/ruby-semantics/errno.ts'
import { followLinks } from '../file-tree.ts'
import { complain } from '../issues.ts'
import type { RunLog, Services } from '../provider.ts'

/** The place where texts with records are kept. */
export interface RecordPlace {
  /** The text of a target; nothing when there is none. */
  read(target: string): Promise<string | undefined>
  write(target: string, text: string): Promise<void>
  /** Keeps what is there, before the first change. */
  readonly backUp?: (target: string) => Promise<void>
}

/** Only root's own, until somebody gives it another mode: Puppet copies a temporary file. */
const usualMode = 0o600

/** Throws what went wrong with a file, in Puppet's words; it is told of the file before it is of the resource. */
export function trouble(log: RunLog, doing: string, path: string, why: string): never {
  const message = `Puppet::Util::FileType::FileTypeFlat could not ${doing} ${path}: ${why}`
  log('err', message)
  return complain(message)
}

/** Targets that are paths of files. Puppet: util/filetype.rb, `flat`. */
export function flatFiles({ system: { files }, buckets }: Services, log: RunLog, newMode = usualMode): RecordPlace {
  return {
    async read(path) {
      const bytes = await files
        .read(path)
        .catch((error: unknown) => trouble(log, 'read', path, `${reasonText(error)} @ rb_sysopen - ${path}`))
      if (bytes === undefined) return undefined
      // Written back it would be another text.
      return isUtf8(bytes) ? bytes.toString() : trouble(log, 'read', path, 'invalid byte sequence in UTF-8')
    },
    async write(path, text) {
      // A link stays, and what it leads to is written.
      const place = await followLinks(files, path)
      const mode = (await files.stat(place)) ? undefined : newMode
      await files
        .write(place, text, mode)
        .catch((error: unknown) => trouble(log, 'write', path, `${reasonText(error)} @ rb_sysopen - ${path}`))
    },
    async backUp(path) {
      const content = await files.read(path)
      if (content) await buckets.backup('puppet', path, content)
    },
  }
}
