import { isUtf8 } from 'node:buffer'
import { formatErrorReason } from '../../../language/ruby-semantics/errno.ts'
import { followLinks } from '../file-tree.ts'
import { failWithMessage } from '../issues.ts'
import type { ProviderServices, RunLog } from '../provider.ts'

/** Storage of texts that contain records; a target is the name of a text, usually a file path. */
export interface RecordStorage {
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
export function failFileAccess(log: RunLog, doing: string, path: string, why: string): never {
  const message = `Puppet::Util::FileType::FileTypeFlat could not ${doing} ${path}: ${why}`
  log('err', message)
  return failWithMessage(message)
}

/** Storage for targets that are file paths. Puppet: util/filetype.rb, `flat`. */
export function createFlatFileStorage(
  { system: { files }, buckets, facts }: ProviderServices,
  log: RunLog,
  newMode = usualMode,
): RecordStorage {
  // Files of Windows have lines that end with CRLF, which Ruby hides from Puppet.
  const hasCrlf = facts['kernel'] === 'windows'
  return {
    async read(path) {
      const bytes = await files
        .read(path)
        .catch((error: unknown) =>
          failFileAccess(log, 'read', path, `${formatErrorReason(error)} @ rb_sysopen - ${path}`),
        )
      if (bytes === undefined) return undefined
      // Invalid bytes would change when written again.
      if (!isUtf8(bytes)) failFileAccess(log, 'read', path, 'invalid byte sequence in UTF-8')
      return hasCrlf ? bytes.toString().replaceAll('\r\n', '\n') : bytes.toString()
    },
    async write(path, lines) {
      const text = hasCrlf ? lines.replaceAll('\n', '\r\n') : lines
      // Writes to the target of a link; the link remains.
      const place = await followLinks(files, path)
      const mode = (await files.stat(place)) ? undefined : newMode
      await files
        .write(place, text, mode)
        .catch((error: unknown) =>
          failFileAccess(log, 'write', path, `${formatErrorReason(error)} @ rb_sysopen - ${path}`),
        )
    },
    async backUp(path) {
      const content = await files.read(path)
      if (content) await buckets.backup('puppet', path, content)
    },
  }
}
