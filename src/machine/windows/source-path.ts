import { posix } from 'node:path'
import { trimTrailingSlashes } from '../../base/text/trailing-characters.ts'
import { isAbsolutePath, isWindows, toSlashes } from './machine-path.ts'

/** Scheme and authority at the start of a source. */
export const sourceStart = /^[^:/]+:(?:\/\/[^/]*)?/

/**
 * The absolute path of a source. It is not URL-encoded: `#`, `?` and `%` are part of the file name,
 * as in a manifest.
 */
export function getSourcePath(source: string): string {
  return posix.normalize(`/${source.replace(sourceStart, '')}`)
}

/** The path of a local source. On Windows, `file:///C:/x` is `C:/x`, and `file://server/share/x` is `//server/share/x`. */
export function getLocalSourcePath(source: string, onWindows: boolean = isWindows): string {
  const path = getSourcePath(source)
  if (!onWindows) return path
  const server = sourceStart.exec(source)?.[0].replace(/^[^:/]+:(?:\/\/)?/, '')
  return server ? `//${server}${path}` : path.slice(1)
}

/** The URL of an absolute path; undefined for other sources. Puppet: util.rb, `path_to_uri`. */
export function toFileUrl(path: string, onWindows: boolean = isWindows): string | undefined {
  if (!isAbsolutePath(path, onWindows)) return undefined
  if (!onWindows) return `file://${trimTrailingSlashes(path)}`
  const whole = trimTrailingSlashes(toSlashes(path))
  return whole.startsWith('//') ? `file:${whole}` : `file:///${whole}`
}
