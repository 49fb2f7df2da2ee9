import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import { formatTar, type TarEntry } from '../../machine/archive/tar-writer.ts'
import { localFiles } from '../../machine/system/files.ts'
import { listFilesBelow } from '../../machine/system/folder-walk.ts'
import { type CliCommand, type CommandInvocation, defineCommand } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { readModuleMetadata } from './module-metadata.ts'

const buildOptions = [
  { flags: '--target-dir <dir>', doc: 'Directory of the archive; default: pkg in the module.' },
  renderAs,
] as const

const issues = defineIssues({
  BUILD_LINK: {
    text: (a: { path: string }) => `The file ${a.path} is a symbolic link, which the Forge does not accept in modules`,
    hint: () => 'Replace the link by a copy of its target.',
  },
  BUILD_TOO_LARGE: {
    text: (a: { what: string; most: number }) => `The module has more than ${a.most} ${a.what}`,
    hint: () => 'Remove files that do not belong to the module.',
  },
})

/** The command `plumb module build`. */
export const buildCommand: CliCommand = defineCommand({
  name: 'build',
  summary: 'Pack a module as an archive for the Forge.',
  description: `Writes pkg/OWNER-NAME-VERSION.tar.gz with the files that belong to a module: metadata.json, hiera.yaml, README, REFERENCE,
CHANGELOG, LICENSE, and the directories data, docs, examples, facts.d, files, functions, lib, locales, manifests, plans,
scripts, tasks, templates and types. Tests and files of tools are left out. Equal files give equal bytes.

  plumb module build
  plumb module build ../ntp --target-dir /tmp

Exits with 0, or with 1 if metadata.json is not valid or the module contains symbolic links.`,
  usage: '[directory]',
  options: buildOptions,
  run: runBuild,
})

/** Names of files and directories at the top of a module that are packed. */
const packedFiles =
  /^(?:metadata\.json|hiera\.yaml|bolt_plugin\.json|(?:readme|changelog|reference|license|notice)(?:\.(?:md|markdown|txt|rst))?)$/i
const packedFolders: ReadonlySet<string> = new Set([
  ...['data', 'docs', 'examples', 'facts.d', 'files', 'functions', 'lib', 'locales', 'manifests', 'plans'],
  ...['scripts', 'tasks', 'templates', 'types'],
])

/** Modification time of all entries: 1980-01-01, which all programs accept. */
const entryTime = 315_532_800

async function runBuild({ args, options, io }: CommandInvocation<typeof buildOptions>): Promise<number> {
  const folder = realpathSync(args[0] ?? '.')
  const { owner, name, version } = readModuleMetadata(folder)
  const slug = `${owner}-${name}-${version}`
  const archive = gzipSync(formatTar(listEntries(folder, slug), entryTime), { level: 9 })
  const directory = resolve(options.targetDir ?? join(folder, 'pkg'))
  await mkdir(directory, { recursive: true })
  const path = join(directory, `${slug}.tar.gz`)
  await localFiles.replace(path, archive, { mode: 0o644 })
  const sha256 = createHash('sha256').update(archive).digest('hex')
  if (options.renderAs === 'json') io.out(`${JSON.stringify({ path, sha256 }, undefined, 2)}\n`)
  else io.out(`Module built: ${path}\nSHA-256: ${sha256}\n`)
  return 0
}

function listEntries(folder: string, root: string): readonly TarEntry[] {
  const { files: mostFiles, bytes: mostBytes } = budgets.module
  const isSkipped = (name: string) => name === '.git' || name === 'node_modules'
  const files = listFilesBelow(folder, budgets.workbench.folderEntries.bound, isSkipped)
    .map((path) => relative(folder, path))
    .filter((path) => (path.includes('/') ? packedFolders.has(path.split('/', 1)[0]!) : packedFiles.test(path)))
  if (files.length > mostFiles.bound) throwIssue(issues.BUILD_TOO_LARGE, { what: 'files', most: mostFiles.bound })
  const folders = new Set<string>([''])
  for (const file of files) for (let at = dirname(file); at !== '.'; at = dirname(at)) folders.add(at)
  let left = mostBytes.bound
  const entries = [...folders, ...files].sort(compareCodeUnits).map((path): TarEntry => {
    const whole = path === '' ? root : `${root}/${path}`
    if (folders.has(path)) return { path: whole, mode: 0o755, content: undefined }
    const stat = lstatSync(join(folder, path))
    if (!stat.isFile()) throwIssue(issues.BUILD_LINK, { path })
    left -= stat.size
    if (left < 0) throwIssue(issues.BUILD_TOO_LARGE, { what: 'bytes', most: mostBytes.bound })
    return { path: whole, mode: stat.mode & 0o111 ? 0o755 : 0o644, content: readFileSync(join(folder, path)) }
  })
  return entries
}
