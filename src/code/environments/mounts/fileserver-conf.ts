import { createPuppetError, defineIssues, throwIssue } from '../../../base/issue.ts'
import { parseIniLines } from '../../../base/text/ini.ts'
import { toPrintable } from '../../../base/text/printable.ts'
import { isBuiltInMount } from '../file-serving.ts'

/** Errors in fileserver.conf, worded as in Puppet: file_serving/configuration/parser.rb. */
export const fileserverIssues = defineIssues({
  FILESERVER_ENTRY: {
    text: (a: { text: string; place: string }) => `Invalid entry at ${a.place}: '${a.text}'`,
    hint: () => "Write a line [NAME], followed by a line 'path DIRECTORY'.",
  },
  FILESERVER_ARGUMENT: {
    text: (a: { name: string; place: string }) => `Invalid argument '${a.name}' at ${a.place}`,
    hint: () => 'A mount has only a path. Access is controlled by auth.conf.',
  },
  FILESERVER_SEPARATOR: { text: (_: object) => "Fileserver configuration file does not use '=' as a separator" },
  FILESERVER_TWICE: {
    text: (a: { name: string; place: string }) => `mount[${a.name}] is already mounted at ${a.name} at ${a.place}`,
  },
  MOUNT_WITHOUT_PATH: { text: (_: object) => 'Mounts without paths are not usable' },
})

/** A mounted folder outside of all environments; the path may contain `%h`, `%H` and `%d`. */
export interface FolderMount {
  readonly name: string
  readonly path: string
}

/** The mounts of a fileserver.conf, and messages about skipped lines. */
export interface FileserverConf {
  readonly mounts: readonly FolderMount[]
  readonly complaints: readonly { readonly level: 'warn' | 'error'; readonly message: string }[]
}

/** Patterns of the lines in fileserver.conf, such as `path /srv/files # ours`. */
const syntax = {
  blank: /^\s*(?:#|$)/,
  header: /\[(?<section>[-\w]+)\]/,
  setting: /^\s*(?<name>\w+)\s+(?<value>\S[^#]*)/,
}

/** Parses a fileserver.conf. Throws errors that invalidate the whole file, as in Puppet. */
export function parseFileserverConf(text: string, file: string): FileserverConf {
  const paths = new Map<string, string | undefined>()
  const complaints: { level: 'warn' | 'error'; message: string }[] = []
  let mount: string | undefined
  for (const line of parseIniLines(text, syntax)) {
    const place = `(file: ${file}, line: ${line.number})`
    if (line.kind === 'blank') continue
    if (line.kind === 'header') {
      mount = line.section
      if (paths.has(mount)) throwIssue(fileserverIssues.FILESERVER_TWICE, { name: mount, place })
      paths.set(mount, undefined)
      continue
    }
    if (line.kind !== 'setting' || mount === undefined)
      return throwIssue(fileserverIssues.FILESERVER_ENTRY, { text: toPrintable(line.text), place })
    const { name: key, value } = line
    if (value.startsWith('=')) throwIssue(fileserverIssues.FILESERVER_SEPARATOR, {})
    if (key === 'allow' || key === 'deny') {
      const message = `Entry '${toPrintable(line.text)}' is unsupported and will be ignored at ${place}`
      if (key === 'deny' || value !== '*') complaints.push({ level: 'error', message })
    } else if (key !== 'path') throwIssue(fileserverIssues.FILESERVER_ARGUMENT, { name: key, place })
    else if (isBuiltInMount(mount))
      complaints.push({
        level: 'warn',
        message: `The '${mount}' module can not have a path. Ignoring attempt to set it`,
      })
    else paths.set(mount, value)
  }
  const mounts = [...paths]
    .filter(([name]) => !isBuiltInMount(name))
    .map(([name, path]) => {
      if (path === undefined) throw createPuppetError(fileserverIssues.MOUNT_WITHOUT_PATH, {})
      return { name, path }
    })
  return { mounts, complaints }
}
