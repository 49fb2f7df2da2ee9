import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { ExactJson } from '../../../../src/base/json/exact-json.ts'
import { firstAccounts } from './accounts.ts'
import { makePrograms, type Programs, programText } from './programs.ts'
import { hasRecords } from './system-of.ts'

/** A manifest and what is there before it; `@` stands for the folder. */
export interface ApplyCase {
  /** A single one is applied twice; of several, each once. */
  readonly manifest: string | readonly string[]
  /**
   * Bytes as latin1, or `-> target`. Providers of entries of text files take those below `etc` for the machine's.
   */
  readonly files?: Readonly<Record<string, string>>
  readonly modes?: Readonly<Record<string, number>>
  readonly noop?: true
  /** A shell script for between the runs. */
  readonly between?: string
  /** The run remembers what it sets, as the agent does, and reports corrective changes. */
  readonly remembers?: true
  readonly tags?: string
  /** Programs that come first in the search path; what each was called with is in the file `ran`. */
  readonly programs?: Programs
  /** Facts of another system. */
  readonly facts?: Readonly<Record<string, ExactJson>>
  /** The machine's /etc is a copy, for either, with the accounts of `accounts.ts`: they may be changed. */
  readonly ownEtc?: true
  /** Only the first of the runs: what a second one does is not the same by intention. */
  readonly once?: string
  /** Too long for every run. */
  readonly nightly?: true
  /** Tags are not compared: they are not the same by intention. */
  readonly withoutTags?: string
  /** Parts of log lines that differ by intention, each told of in docs/differences.md. */
  readonly unlike?: RegExp
}

/** A case that is refused as a whole, so that one run tells all. */
export const refused = (manifest: string): ApplyCase => ({ manifest, once: 'nothing is applied' })

/** All that the recorded answer of real Puppet to a case depends on. */
export function questionOf(modules: readonly string[], each: ApplyCase): unknown {
  const { once, withoutTags, unlike, programs = {}, nightly: _, ...question } = each
  return {
    ...question,
    isOnce: once !== undefined,
    hasTags: withoutTags === undefined,
    unlike: unlike?.source,
    programs: Object.entries(programs).map(([name, body]) => programText('@', name, body)),
    accounts: each.ownEtc && firstAccounts,
    modules: modules.map((name) => (isAbsolute(name) ? filesBelow(name) : name)),
  }
}

function filesBelow(folder: string): readonly (readonly [path: string, text: string])[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return paths
    .filter((path) => !statSync(join(folder, path)).isDirectory())
    .map((path) => [path, readFileSync(join(folder, path), 'latin1')])
}

/** Where one of the two applies a case. */
export interface Place {
  readonly folder: string
  readonly vardir: string
  /** Each run's. */
  readonly manifests: readonly string[]
  readonly bin: string | undefined
  /** The folder that stands for /etc. */
  readonly etc: string | undefined
}

/** Puts in place what a case begins with. */
export function prepare(scratch: string, name: string, who: string, each: ApplyCase): Place {
  const { files = {}, modes = {}, manifest, programs, once, ownEtc } = each
  const base = join(
    scratch,
    `${name.replace(/\W+/g, '-').slice(0, 60)}-${createHash('sha256').update(name).digest('hex').slice(0, 6)}-${who}`,
  )
  const folder = join(base, 'f')
  mkdirSync(folder, { recursive: true })
  // Of all: two that are written one after the other may be of two seconds, and checksums may be times.
  const time = Date.now() / 1000
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    if (content.startsWith('-> ')) symlinkSync(content.slice(3).replaceAll('@', folder), join(folder, path))
    else {
      writeFileSync(join(folder, path), content, { encoding: 'latin1', mode: modes[path] ?? 0o644 })
      utimesSync(join(folder, path), time, time)
    }
  }
  // The provider of hosts works only where there is such a file.
  const hosts = join(folder, 'etc/hosts')
  if (hasRecords(each) && !existsSync(hosts)) {
    mkdirSync(join(folder, 'etc/ssh'), { recursive: true })
    writeFileSync(hosts, '')
  }
  const bin = programs && makePrograms(base, folder, programs)
  const single = typeof manifest === 'string' ? [manifest] : manifest
  const twice = typeof manifest === 'string' && once === undefined ? [manifest, manifest] : single
  const manifests = twice.map((text) => text.replaceAll('@', folder))
  const etc = ownEtc ? copyOfEtc(base) : undefined
  return { folder, vardir: join(base, 'var'), manifests, bin, etc }
}

function copyOfEtc(base: string): string {
  const etc = join(base, 'etc')
  execFileSync('cp', ['-a', '/etc', etc])
  // Their owners and modes stay.
  for (const [name, text] of Object.entries(firstAccounts)) writeFileSync(join(etc, name), text)
  return etc
}
