import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PuppetError, throwIssue } from '../../base/issue.ts'
import { formatExactJson, parseJson } from '../../base/json/json-text.ts'
import { convertYamlToJson } from '../../language/ruby-semantics/yaml/yaml-data.ts'
import { YamlError } from '../../language/ruby-semantics/yaml/yaml-error.ts'
import { localFiles } from '../../machine/system/files.ts'
import { factsFromWire, factsToWire } from '../../model/facts.ts'
import { checkFileName } from '../../model/indirector/file-name.ts'
import { copyTree } from './directory-copy.ts'
import { migrationIssues as issues } from './issues.ts'

/** The facts file of a node. */
export interface FactsFile {
  readonly path: string
  /** The certname, from the file name. */
  readonly node: string
}

/** The tag in Puppet's YAML files, which is removed before parsing. */
const tag = '!ruby/object:Puppet::Node::Facts'
const maxFileBytes = 64 * 1024 * 1024

/**
 * Finds the facts files in the vardir of a Puppet Server. If a node has a JSON and a YAML file,
 * uses the newer file.
 */
export async function findFactsFiles(vardir: string): Promise<readonly FactsFile[]> {
  const folders = [join(vardir, 'yaml/facts'), join(vardir, 'server_data/facts')]
  const newest = new Map<string, FactsFile & { readonly modified: number }>()
  for (const folder of folders)
    for (const name of (await localFiles.list(folder)) ?? []) {
      const [, node] = /^([^.].*)\.(?:json|yaml)$/.exec(name) ?? []
      if (node === undefined) continue
      const path = join(folder, name)
      const modified = (await stat(path)).mtimeMs
      if (modified >= (newest.get(node)?.modified ?? 0)) newest.set(node, { path, node, modified })
    }
  return [...newest.values()].sort((one, other) => (one.node < other.node ? -1 : 1))
}

/**
 * Writes the directory `folder` with a copy of the facts in the directory `before`, and with the
 * facts in `files`. Returns the errors of unreadable files.
 */
export async function writeFactsFolder(
  files: readonly FactsFile[],
  before: string,
  folder: string,
): Promise<readonly string[]> {
  if ((await localFiles.stat(before)) === undefined) await mkdir(folder, { mode: 0o750 })
  else await copyTree(before, folder)
  const failed: string[] = []
  for (const file of files)
    try {
      const path = join(folder, `${checkFileName('facts', file.node)}.json`)
      await localFiles.write(path, formatExactJson(factsToWire(await readFactsDocument(file))), 0o640, 'later')
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      failed.push(error.message)
    }
  await localFiles.sync(folder)
  return failed
}

/** Reads the facts of a node. Throws FACTS_FILE_UNREADABLE. */
async function readFactsDocument({ path, node }: FactsFile) {
  const failUnreadable = (why: string) => throwIssue(issues.FACTS_FILE_UNREADABLE, { file: path, why })
  if (((await localFiles.stat(path))?.size ?? 0) > maxFileBytes)
    failUnreadable(`the file is larger than ${maxFileBytes} bytes`)
  const text = (await localFiles.readText(path)) ?? failUnreadable('the file no longer exists')
  try {
    const bare = text.startsWith(`--- ${tag}\n`) ? `---\n${text.slice(text.indexOf('\n') + 1)}` : text
    const facts = factsFromWire(
      path.endsWith('.json')
        ? parseJson(text)
        : convertYamlToJson(bare, { Time: (time) => time, Symbol: (name) => name }),
    )
    return facts.name === node ? facts : failUnreadable(`the facts are of node '${facts.name}'`)
  } catch (error) {
    if (error instanceof YamlError || error instanceof SyntaxError) return failUnreadable(error.message)
    throw error
  }
}
