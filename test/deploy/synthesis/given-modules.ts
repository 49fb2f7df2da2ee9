import { once } from 'node:events'
import { defineIssues, throwIssue } from '../../../src/base/issue.ts'
import type { GitPlace } from '../../../src/code/git/git-command.ts'
import { writeFolder, writeObject } from '../../../src/code/git/object-writer.ts'
import type { FetchedModule, FetchRequest, ModuleFetcher } from '../../../src/deploy/modules/fetched-module.ts'
import type { DeclaredModule, Puppetfile } from '../../../src/deploy/puppetfile/module-declaration.ts'

const issues = defineIssues({ NO_SUCH_MODULE: { text: (a: { title: string }) => `There is no module ${a.title}` } })

/** The files of a module: paths and texts. */
export type ModuleFiles = Readonly<Record<string, string>>

/** A fetcher of modules that are given as files, and what it was asked for. */
export interface GivenModules extends ModuleFetcher {
  /** Titles in the order in which they were asked for. */
  readonly asked: string[]
  /** By title, or `title@version`. */
  readonly modules: Map<string, ModuleFiles>
  /** Held up until this is done. */
  until: Promise<void>
}

/** Puts trees of given modules into a repository. */
export function givenModules(place: GitPlace, given: Readonly<Record<string, ModuleFiles>>): GivenModules {
  const asked: string[] = []
  const modules = new Map(Object.entries(given))
  return {
    ...{ place, asked, modules, until: Promise.resolve() },
    async fetch(module: DeclaredModule, { branch, locked, signal }: FetchRequest): Promise<FetchedModule> {
      asked.push(module.title)
      await Promise.race([this.until, signal && once(signal, 'abort')])
      signal?.throwIfAborted()
      const word = wordOf(module, branch)
      const resolved = locked?.resolved ?? word
      const files = modules.get(`${module.title}@${resolved}`) ?? modules.get(module.title)
      if (!files) return throwIssue(issues.NO_SUCH_MODULE, { title: module.title })
      return { module, tree: await treeOf(place, files), resolved }
    },
  }
}

function wordOf({ source }: DeclaredModule, branch: string): string {
  if (source.kind === 'forge') return source.version
  if (source.kind === 'git') return 'name' in source.wanted ? source.wanted.name : branch
  return source.kind
}

/** Writes files as a tree. */
export async function treeOf(place: GitPlace, files: ModuleFiles): Promise<string> {
  const folders = new Map<string, [string, string][]>()
  const entries = []
  for (const [path, text] of Object.entries(files)) {
    const [name = '', ...rest] = path.split('/')
    if (rest.length === 0)
      entries.push({ mode: '100644', type: 'blob', oid: await writeObject(place, 'blob', text), name })
    else folders.set(name, [...(folders.get(name) ?? []), [rest.join('/'), text]])
  }
  for (const [name, inside] of folders)
    entries.push({ mode: '040000', type: 'tree', oid: await treeOf(place, Object.fromEntries(inside)), name })
  return writeFolder(place, entries)
}

/** Reads the lines of a Puppetfile that need no Ruby: `mod 'NAME', 'VERSION'`, `mod 'NAME', branch: 'B'`, `mod 'NAME', local`. */
export async function readLines(bytes: Uint8Array): Promise<Puppetfile> {
  const content = Buffer.from(bytes).toString()
  const modules = content.split('\n').flatMap((line, index): DeclaredModule[] => {
    const [, title, word, given] = /^mod '([^']+)'(?:, (?:(branch|at): )?'([^']*)')?/.exec(line) ?? []
    if (title === undefined) return []
    const name = title.split('/').at(-1)!
    const path = word === 'at' ? given! : `modules/${name}`
    const source: DeclaredModule['source'] = line.includes(', local')
      ? { kind: 'local' }
      : word === 'branch'
        ? {
            kind: 'git',
            url: `https://git.example.test/${name}`,
            wanted: given === '' ? { kind: 'control_branch' } : { kind: 'branch', name: given! },
            defaultBranch: undefined,
          }
        : { kind: 'forge', version: word === 'at' ? '1.0.0' : (given ?? 'latest') }
    return [{ title, owner: undefined, name, path, source, excludesSpec: false, line: index + 1 }]
  })
  return { moduledir: 'modules', forge: undefined, modules }
}
