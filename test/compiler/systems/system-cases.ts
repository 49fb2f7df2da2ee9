import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { knownSystems } from './known-systems.ts'

/** A manifest for a node of one system. */
export interface SystemCase {
  readonly title: string
  readonly system: string
  readonly manifest: string
}

const folder = import.meta.dirname

/** All cases of a file, for each of their systems. See README.md. */
export function readSystemCases(name: string): readonly SystemCase[] {
  const [, ...parts] = withCarriageReturns(readFileSync(join(folder, name), 'utf8')).split(/^== /m)
  return parts.flatMap((part) => {
    const end = part.indexOf('\n')
    const [title = '', wanted = 'windows-2022'] = part.slice(0, end).split(' @ ')
    const manifest = part.slice(end + 1)
    return systemsOf(wanted).map((system) => ({ title: `${title} (${system})`, system, manifest }))
  })
}

/** Names of the files of cases. */
export const caseFiles: readonly string[] = readdirSync(folder).filter((name) => name.endsWith('.manifests'))

/** All code and data of the cases except their manifests, by path. */
export function readSharedFiles(): ReadonlyMap<string, string> {
  const below = ['modules', 'data'].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)),
  )
  const paths = ['hiera.yaml', ...below].sort()
  return new Map(paths.map((path) => [path, withCarriageReturns(readFileSync(join(folder, path), 'utf8'))]))
}

/** Writes files below a folder. */
export function writeFiles(target: string, files: Iterable<readonly [string, string]>): void {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    writeFileSync(join(target, path), content)
  }
}

function systemsOf(wanted: string): readonly string[] {
  const names = Object.keys(knownSystems)
  if (wanted === 'all') return names
  if (wanted === 'all-macos') return names.filter((name) => name.startsWith('macos-'))
  if (!names.includes(wanted)) throw new Error(`The system '${wanted}' is not in known-systems.ts`)
  return [wanted]
}

function withCarriageReturns(text: string): string {
  return text.replaceAll('␍', '\r')
}
