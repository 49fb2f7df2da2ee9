import { createRequire } from 'node:module'
import { join } from 'node:path'
import { budgets } from '../../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { toPrintable } from '../../../base/text/printable.ts'
import type { Files } from '../../../machine/system/system.ts'

/** A loaded plug-in file. */
export interface PlugIn {
  readonly name: string
  readonly path: string
  readonly exports: Readonly<Record<string, unknown>>
}

/** File access needed to find plug-ins. */
export type PlugInFiles = Pick<Files, 'list' | 'stat'>

const issues = defineIssues({
  PLUG_IN_OPEN: {
    text: (a: { path: string }) => `Other users than the server's user and root can change the plug-in ${a.path}`,
    hint: () =>
      "Plug-ins run with the rights of the server. Run 'chown root' and 'chmod go-w' on the file and its directories.",
  },
  PLUG_IN_NAME: {
    text: (a: { path: string }) =>
      `The name of the plug-in ${a.path} must contain only lowercase letters, digits and underscores`,
  },
  PLUG_IN_BROKEN: {
    text: (a: { path: string; why: string }) => `The plug-in ${a.path} cannot be loaded: ${a.why}`,
  },
  PLUG_IN_LACKS: {
    text: (a: { path: string; what: string }) => `The plug-in ${a.path} does not export the function ${a.what}`,
    hint: () => 'See docs/plug-ins.md for an example.',
  },
  PLUG_INS_MANY: {
    text: (a: { folder: string; most: number }) =>
      `The plug-in directory ${a.folder} contains more than ${a.most} files`,
  },
})

const ending = /\.m?js$/
const nameOfFile = /^([a-z][a-z0-9_]{0,63})\.m?js$/

/**
 * Loads the JavaScript plug-ins in a folder; empty if the folder is missing. Throws PLUG_IN_OPEN,
 * PLUG_IN_NAME, PLUG_IN_BROKEN.
 */
export async function loadPlugIns(folder: string, files: PlugInFiles): Promise<readonly PlugIn[]> {
  const found = await listPlugInNames(folder, files, ending, nameOfFile)
  return found.map((file) => ({ ...file, exports: loadModule(file.path) }))
}

/**
 * Names and paths of the plug-ins with an ending, after checking their owner and mode. Throws
 * PLUG_IN_OPEN, PLUG_IN_NAME.
 */
export async function listPlugInNames(
  folder: string,
  files: PlugInFiles,
  ending: RegExp,
  pattern: RegExp,
): Promise<readonly Pick<PlugIn, 'name' | 'path'>[]> {
  const names = ((await files.list(folder)) ?? []).filter((name) => ending.test(name))
  if (names.length > 0) await checkOwner(folder, files)
  return Promise.all(
    names.map(async (file) => {
      const path = join(folder, file)
      const name = pattern.exec(file)?.[1] ?? throwIssue(issues.PLUG_IN_NAME, { path })
      await checkOwner(path, files)
      return { name, path }
    }),
  )
}

/**
 * Checks that a folder, its subfolders and all files with an ending in them belong to the server or
 * root. Throws PLUG_IN_OPEN, PLUG_INS_MANY.
 */
export async function checkTreeOwner(folder: string, files: PlugInFiles, ending: RegExp): Promise<void> {
  const most = budgets.plugIn.files.bound
  const waiting = [folder]
  for (let seen = 0; waiting.length > 0; seen++) {
    if (seen >= most) throwIssue(issues.PLUG_INS_MANY, { folder, most })
    const path = waiting.pop()!
    const kind = (await files.stat(path))?.kind
    // Links are checked as well, since their targets may belong to others.
    if (kind !== 'file' || ending.test(path)) await checkOwner(path, files)
    if (kind === 'directory') waiting.push(...((await files.list(path)) ?? []).map((name) => join(path, name)))
  }
}

/** A function exported by a plug-in. Throws PLUG_IN_LACKS. */
export function getExport({ path, exports }: PlugIn, what: string): (...given: readonly unknown[]) => unknown {
  const found = exports[what]
  return typeof found === 'function'
    ? (found as (...given: readonly unknown[]) => unknown)
    : throwIssue(issues.PLUG_IN_LACKS, { path, what })
}

async function checkOwner(path: string, files: Pick<Files, 'stat'>): Promise<void> {
  const stat = await files.stat(path)
  const isOwn = stat && (stat.uid === 0 || stat.uid === process.getuid?.()) && (stat.mode & 0o022) === 0
  if (!isOwn) throwIssue(issues.PLUG_IN_OPEN, { path })
}

/**
 * Loads a module with `require`, which loads CommonJS and ES modules, except ES modules with a
 * top-level await.
 */
function loadModule(path: string): PlugIn['exports'] {
  try {
    return createRequire(import.meta.url)(path) as PlugIn['exports']
  } catch (error) {
    return throwIssue(issues.PLUG_IN_BROKEN, {
      path,
      why: toPrintable(String((error as Error)?.message ?? error)).slice(0, 500),
    })
  }
}
