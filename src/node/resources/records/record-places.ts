import { isUtf8 } from 'node:buffer'
import { reasonText } from '../../../language/ruby-semantics/errno.ts'
import { followLinks } from '../file-tree.ts'
import { complain } from '../issues.ts'
import type { RunLog, Services } from '../provider.ts'

/** Storage of texts with records. */
export interface RecordPlace {
  /** The text of a target; undefined if it is missing. */
  read(target: string): Promise<string | undefined>
  write(target: string, text: string): Promise<void>
  /** Backs up the text before the first change. */
  readonly backUp?: (target: string) => Promise<void>
}

/**
 * Default mode of a new file, readable only for root. Puppet's files have this mode because Puppet
 * copies a temporary file.
 */
const usualMode = 0o600

/** Throws an error about a file in Puppet's words, and logs it before the resource's own error. */
export function trouble(log: RunLog, doing: string, path: string, why: string): never {
  const message = `Puppet::Util::FileType::FileTypeFlat could not ${doing} ${path}: ${why}`
  log('err', message)
  return complain(message)
}

/** Storage for targets that are file paths. Puppet: util/filetype.rb, `flat`. */
export function flatFiles({ system: { files }, buckets }: Services, log: RunLog, newMode = usualMode): RecordPlace {
  return {
    async read(path) {
      const bytes = await files
        .read(path)
        .catch((error: unknown) => trouble(log, 'read', path, `${reasonText(error)} @ rb_sysopen - ${path}`))
      if (bytes === undefined) return undefined
      // Invalid bytes would change when written again.
      return isUtf8(bytes) ? bytes.toString() : trouble(log, 'read', path, 'invalid byte sequence in UTF-8')
    },
    async write(path, text) {
      // Writes to the target of a link; the link remains.
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
