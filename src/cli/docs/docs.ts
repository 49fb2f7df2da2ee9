import { existsSync, lstatSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { type ExactJson, getMember } from '../../base/json/exact-json.ts'
import { toPrintableJson, toPrintableLine } from '../../base/text/printable.ts'
import { Digests } from '../../code/environments/digests.ts'
import { openFolderTree } from '../../code/environments/folder-tree.ts'
import { readBoundedFile } from '../../machine/system/bounded-file.ts'
import { localFiles } from '../../machine/system/files.ts'
import { requireOutputPath } from '../../machine/system/writable-file.ts'
import { createRubySandbox } from '../../ruby/ruby-sandbox.ts'
import { ownRuby } from '../../ruby/worker-share.ts'
import { formatJson } from '../../workbench/docs/json.ts'
import { formatReference } from '../../workbench/docs/markdown/markdown.ts'
import type { ModuleDocs } from '../../workbench/docs/model.ts'
import { readModuleDocs } from '../../workbench/docs/module-docs.ts'
import { createRubyParser } from '../../workbench/docs/ruby-source/ripper.ts'
import { formatPage, type ModuleTitle } from '../../workbench/docs/site/page.ts'
import { findUndocumented, formatDocProblem } from '../../workbench/docs/undocumented.ts'
import { type CommandInvocation, defineCommand, type Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { type Option, renderAs } from '../command/options.ts'

const issues = defineIssues({
  DOCS_LINK: {
    text: (a: { folder: string }) => `The directory ${a.folder} is a symbolic link`,
    hint: () => 'Name the file with --output.',
  },
  DOCS_NO_MODULE: {
    text: (a: { directory: string }) => `${a.directory} is not a module`,
    hint: () =>
      'Run plumb docs in the directory of a module: it has metadata.json, or a directory manifests, lib, functions, types, tasks or plans.',
  },
  DOCS_OPTIONS: { text: (a: { one: string; other: string }) => `${a.one} cannot be used with ${a.other}` },
})

const options = [
  {
    flags: '--format <format>',
    doc: 'Format: markdown, json, or html for a page with search.',
    choices: ['markdown', 'json', 'html'],
    default: 'markdown',
  },
  {
    flags: '--output <path>',
    doc: 'Path of the file to write. Default: REFERENCE.md for markdown, doc/index.html for html, standard output for json.',
  },
  { flags: '--stdout', doc: 'Print the documentation instead of writing a file.' },
  { flags: '--check', doc: 'Write nothing; exit with 1 if the file differs from the documentation.' },
  { flags: '--undocumented', doc: 'List the parts without documentation; exit with 1 if there are any.' },
  renderAs,
] as const satisfies readonly Option[]

type Invocation = CommandInvocation<typeof options>

/** Files and directories of which a module has at least one. */
const moduleParts = ['metadata.json', 'manifests', 'lib', 'functions', 'types', 'tasks', 'plans']

/** The file of each format, from the root of the module; undefined for standard output. */
const defaultFiles = { markdown: 'REFERENCE.md', json: undefined, html: 'doc/index.html' } as const

/** The command `plumb docs`. */
export const docsCommand = defineCommand({
  name: 'docs',
  summary: 'Write the reference of a module from its documentation comments.',
  description: `Writes REFERENCE.md in the directory of a module, or in the current directory, in the form of
'puppet strings generate --format markdown'. Reads classes, defined types, functions, types, providers, tasks and plans
with their comments and tags, such as @summary and @param; Ruby code is parsed, not run. Exits with 0; with 1 for
errors, for a difference with --check, and for undocumented parts with --undocumented.

  plumb docs
  plumb docs --check                        # in CI: is REFERENCE.md up to date?
  plumb docs --undocumented modules/ntp
  plumb docs --format json --output ntp.json modules/ntp
  plumb docs --format html                  # writes doc/index.html`,
  usage: '[directory]',
  options,
  run: writeDocs,
})

async function writeDocs({ args, options: given, io }: Invocation): Promise<number> {
  checkOptions(given)
  const directory = resolve(args[0] ?? '.')
  checkModule(directory, args[0] ?? '.')
  const tree = openFolderTree({ directory }, new Digests())
  const docs = readModuleDocs(tree, () => createRubyParser(createRubySandbox(ownRuby.image(), {})))
  if (given.undocumented === true) return listUndocumented(docs, given.renderAs, io)
  const text = await formatDocs(docs, given.format, directory)
  const file = getOutputFile(directory, given)
  if (given.check === true && file !== undefined) return checkFile(file, text, io)
  if (file === undefined) io.out(text)
  else {
    const folder = dirname(file)
    // A module from elsewhere must not choose where files are written.
    if (
      given.output === undefined &&
      folder !== directory &&
      lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()
    )
      throwIssue(issues.DOCS_LINK, { folder })
    await localFiles.makeDirectory(folder)
    await requireOutputPath(file)
    await localFiles.write(file, text)
  }
  return 0
}

function checkOptions(given: Invocation['options']): void {
  const conflicts = [
    ['--stdout', given.stdout, '--output', given.output],
    ['--stdout', given.stdout, '--check', given.check],
    ['--undocumented', given.undocumented, '--check', given.check],
    ['--undocumented', given.undocumented, '--output', given.output],
  ] as const
  for (const [one, isOne, other, isOther] of conflicts)
    if (isOne && isOther) throwIssue(issues.DOCS_OPTIONS, { one, other })
  if (given.check && given.format === 'json' && given.output === undefined)
    throwIssue(issues.DOCS_OPTIONS, { one: '--check', other: '--format json without --output' })
}

function checkModule(directory: string, shown: string): void {
  const isModule =
    statSync(directory, { throwIfNoEntry: false })?.isDirectory() &&
    moduleParts.some((part) => existsSync(join(directory, part)))
  if (!isModule) throwIssue(issues.DOCS_NO_MODULE, { directory: shown })
}

function getOutputFile(directory: string, { format, output, stdout }: Invocation['options']): string | undefined {
  if (stdout) return undefined
  if (output !== undefined) return resolve(output)
  const file = defaultFiles[format]
  return file === undefined ? undefined : join(directory, file)
}

async function formatDocs(docs: ModuleDocs, format: keyof typeof defaultFiles, directory: string): Promise<string> {
  if (format === 'json') return formatJson(docs)
  return format === 'html' ? formatPage(docs, await readTitle(directory)) : formatReference(docs)
}

/** Name and version from metadata.json; the name of the directory if they are missing. */
async function readTitle(directory: string): Promise<ModuleTitle> {
  const metadata = await readMetadata(join(directory, 'metadata.json'))
  const [name, version] = [getMember(metadata, 'name'), getMember(metadata, 'version')]
  return {
    name: typeof name === 'string' ? name : basename(directory),
    version: typeof version === 'string' ? version : undefined,
  }
}

async function readMetadata(file: string): Promise<ExactJson | undefined> {
  if (!existsSync(file)) return undefined
  const { file: characters, metadata: items } = budgets.documentation
  const bytes = await readBoundedFile(file, characters.bound)
  return parseBoundedJson(bytes.toString('utf8'), { characters: characters.bound, items: items.bound })
}

async function checkFile(file: string, text: string, io: Io): Promise<number> {
  const present = existsSync(file) ? await localFiles.readText(file) : undefined
  if (present === text) return 0
  const what = present === undefined ? 'does not exist' : 'differs from the documentation of the module'
  printMessage('Error', `${file} ${what}`, io, 'Run plumb docs to write it.')
  return 1
}

function listUndocumented(docs: ModuleDocs, format: Invocation['options']['renderAs'], io: Io): number {
  const problems = findUndocumented(docs)
  if (format === 'json') io.out(`${toPrintableJson(JSON.stringify(problems, undefined, 2))}\n`)
  else for (const problem of problems) io.out(`${toPrintableLine(formatDocProblem(problem))}\n`)
  return problems.length > 0 ? 1 : 0
}
