import { createHash } from 'node:crypto'
import { defineIssues, throwIssue } from '../base/issue.ts'
import { checkJsonArray, checkJsonObject, checkJsonString, wireIssues } from '../base/json/json-checks.ts'

/** A mount of plug-ins: `plugins` contains code for agents, `pluginfacts` contains external facts. */
export type PluginMount = 'plugins' | 'pluginfacts'

/** All mounts of plug-ins, in the order in which agents synchronize them. */
export const pluginMounts: readonly PluginMount[] = ['pluginfacts', 'plugins']

/** A file or directory of an environment's plug-ins. */
export interface PluginFile {
  readonly mount: PluginMount
  /** Path below the mount: `puppet/type/vcsrepo.rb`, or `.` for the mount itself. */
  readonly path: string
  /** Content of a file; `undefined` for a directory. */
  readonly content: Uint8Array | undefined
  readonly mode: number
}

/** Errors of a damaged download of plug-ins. */
export const pluginIssues = defineIssues({
  PLUGINS_TORN: {
    text: (a: { why: string }) => `The downloaded plug-ins are damaged: ${a.why}`,
  },
})

/**
 * Encodes all plug-ins for transfer: a line of JSON that lists the files, followed by their
 * concatenated contents.
 */
export function pluginTreeToWire(files: readonly PluginFile[]): Buffer {
  const entries = files.map(({ mount, path, mode, content }) => ({ mount, path, mode, size: content?.length }))
  const contents = files.flatMap(({ content }) => content ?? [])
  return Buffer.concat([Buffer.from(`${JSON.stringify({ entries })}\n`), ...contents])
}

/** Returns the SHA-256 of an encoded tree, which identifies the tree. */
export function computePluginTreeDigest(wire: Uint8Array): string {
  return createHash('sha256').update(wire).digest('hex')
}

/**
 * Decodes the plug-ins in a response. Throws PLUGINS_TORN if the digest differs, and WIRE_SHAPE if the format is wrong.
 */
export function pluginTreeFromWire(wire: Buffer, digest: string): readonly PluginFile[] {
  const actual = computePluginTreeDigest(wire)
  if (actual !== digest) throwIssue(pluginIssues.PLUGINS_TORN, { why: `the digest is ${actual} instead of ${digest}` })
  const end = wire.indexOf('\n')
  const { entries } = checkJsonObject(parseFileList(wire.subarray(0, end)), 'plug-ins')
  let at = end + 1
  const files = checkJsonArray(entries, 'entries').map((each): PluginFile => {
    const { mount, path, mode, size } = checkJsonObject(each, 'entry')
    const known = pluginMounts.find((name) => name === mount)
    if (known === undefined || !Number.isInteger(mode))
      throwIssue(wireIssues.WIRE_SHAPE, { what: 'entry', expected: 'a file' })
    const content = size === undefined ? undefined : wire.subarray(at, at + Number(size))
    if (content && content.length !== size) throwIssue(pluginIssues.PLUGINS_TORN, { why: `${path} is truncated` })
    at += content?.length ?? 0
    return { mount: known, path: checkJsonString(path, 'path'), mode: Number(mode), content }
  })
  if (at !== wire.length)
    throwIssue(pluginIssues.PLUGINS_TORN, { why: `there are ${wire.length - at} extra bytes at the end` })
  return files
}

function parseFileList(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch (error) {
    return throwIssue(pluginIssues.PLUGINS_TORN, { why: (error as Error).message })
  }
}
