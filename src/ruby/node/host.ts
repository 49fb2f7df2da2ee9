import {
  chmodSync,
  chownSync,
  closeSync,
  fchmodSync,
  lchownSync,
  lstatSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { availableParallelism, hostname, machine, release, type, version } from 'node:os'
import { budgets } from '../../base/budgets/budgets.ts'
import type { Json } from '../../base/json/json-checks.ts'
import { getOwnValue } from '../../base/own-property.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { throwArgumentError } from '../../language/ruby-semantics/argument-error.ts'
import { parseType } from '../../language/types/from-code/type-parser.ts'
import { describeMismatch } from '../../language/types/mismatch/mismatch.ts'
import { compareVersions } from '../../language/values/compare-versions.ts'
import { SemVer, SemVerRange } from '../../language/values/semver.ts'
import type { Value } from '../../language/values/value.ts'
import { fromRuby } from '../tagged-json.ts'
import { toDiskKind } from '../wasi/machine-disk.ts'
import { ourMask, type ProgramOrder, runHostProgram, startProgram } from './programs.ts'

/** A line that Ruby logs. */
export interface RubyLine {
  readonly level: string
  readonly message: string
  /** Source of the line; undefined if the source is Puppet. */
  readonly source?: string
}

/** Options for the replies to Ruby's queries: the root folder, settings and facts. */
export interface HostOptions {
  /** Folder that acts as the root of all files; empty for the machine's own root. */
  readonly root: string
  readonly settings: Readonly<Record<string, Json>>
  readonly facts: Readonly<Record<string, Json>>
  /** Resource types that this program implements itself, by name, for Ruby code that inspects them. */
  readonly builtinTypes?: Readonly<Record<string, Json>>
  /** Time in milliseconds since 1970 at which running programs are killed. */
  readonly deadline?: number
}

/** Replies to Ruby's queries on a node, by name. */
export type HostAnswers = Readonly<Record<string, (args: readonly Json[]) => Json>>

/**
 * Returns the replies about the machine: files, programs, users, zones. System errors are returned
 * as data.
 */
export function createHostAnswers(options: HostOptions): HostAnswers {
  const toPath = (path: Json) => `${options.root}${String(path)}`
  return {
    ...createFileAnswers(toPath),
    ...createMachineAnswers(options),
    run: ([order]) => {
      const { cwd, seconds, ...rest } = order as unknown as ProgramOrder
      return runHostProgram({ ...rest, cwd: toPath(cwd), seconds: limitSeconds(options.deadline, seconds) })
    },
    start: ([order]) => startProgram(order as unknown as ProgramOrder),
    kill: ([signal, pid]) => {
      const name = String(signal)
      process.kill(Number(pid), /^\d+$/.test(name) ? Number(name) : (`SIG${name}` as NodeJS.Signals))
      return null
    },
  }
}

/** Returns the time limit of a program in seconds, which is not after the deadline; `null` for no limit. */
function limitSeconds(deadline: number | undefined, seconds: number | null): number | null {
  if (deadline === undefined) return seconds
  return Math.min(seconds ?? Number.POSITIVE_INFINITY, Math.max(0, (deadline - Date.now()) / 1000))
}

/** Returns the reply, or a system error as data. */
export function answerOrSystemError(answer: () => Json): Json {
  try {
    return answer()
  } catch (error) {
    const code = getSystemErrorCode(error)
    if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) throw error
    const { path, syscall } = error as NodeJS.ErrnoException
    return { errno: code, path: path ?? syscall?.replace(/^spawnSync /, '') ?? null }
  }
}

function createFileAnswers(at: (path: Json) => string): HostAnswers {
  return {
    stat: ([path, follows]) => statPath(at(path!), follows === true),
    chmod: ([path, mode]) => returnNull(chmodSync(at(path!), Number(mode))),
    chown: ([path, uid, gid, follows]) =>
      returnNull((follows === true ? chownSync : lchownSync)(at(path!), Number(uid), Number(gid))),
    create: ([path, excludes, mode]) => returnNull(createFile(at(path!), excludes === true, Number(mode))),
  }
}

function createMachineAnswers({ root, settings, facts, builtinTypes = {} }: HostOptions): HostAnswers {
  return {
    identity: () => ({
      pid: process.pid,
      ppid: process.ppid,
      uid: process.getuid?.() ?? 0,
      euid: process.geteuid?.() ?? 0,
      gid: process.getgid?.() ?? 0,
      egid: process.getegid?.() ?? 0,
      groups: process.getgroups?.() ?? [],
      processors: availableParallelism(),
    }),
    umask: () => ourMask,
    hostname: () => hostname(),
    uname: () => ({
      sysname: type(),
      nodename: hostname(),
      release: release(),
      version: version(),
      machine: machine(),
    }),
    zone: ([seconds]) => getTimeZone(Number(seconds)),
    accounts: ([database, key]) => listAccounts(root, String(database), key ?? null),
    setting: ([name]) => getOwnValue(settings, String(name)) ?? null,
    fact: ([name]) => getOwnValue(facts, String(name)) ?? null,
    all_facts: () => facts,
    builtin_type: ([name]) => getOwnValue(builtinTypes, String(name)) ?? null,
    versioncmp: ([one, other]) => compareVersions(String(one), String(other)),
    type_mismatch: ([type, tagged, subject]) =>
      describeMismatch(String(subject), parseType(String(type)), readCheckedValue(String(tagged))) || null,
    version_in_range: ([range, version]) => {
      const parsed = SemVer.parse(String(version))
      return parsed !== undefined && (SemVerRange.parse(String(range))?.includes(parsed) ?? false)
    },
    noted: () => null,
    quiet: () => null,
  }
}

/** Reads a value of a resource from tagged form (see tagged-json.ts). Objects of Ruby match no type of Puppet. */
function readCheckedValue(tagged: string): Value {
  return fromRuby(JSON.parse(tagged) as Json, {
    keep: () => 0,
    kept: () => undefined,
    getScopeNumber: () => 0,
    block: () => throwArgumentError('A Ruby block cannot be a value of a resource'),
    resolve: () => undefined,
  })
}

function returnNull(_: unknown): null {
  return null
}

function statPath(path: string, follows: boolean): Json {
  const stats = (follows ? statSync : lstatSync)(path, { bigint: true })
  return {
    kind: toDiskKind(stats),
    mode: Number(stats.mode),
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    size: Number(stats.size),
    ino: Number(stats.ino),
    dev: Number(stats.dev),
    rdev: Number(stats.rdev),
    nlink: Number(stats.nlink),
    blksize: Number(stats.blksize),
    blocks: Number(stats.blocks),
    atime: String(stats.atimeNs),
    mtime: String(stats.mtimeNs),
    ctime: String(stats.ctimeNs),
    birthtime: String(stats.birthtimeNs),
  }
}

/** Creates a missing file with exactly this mode. An existing file stays unchanged; with `excludes`, it is an error. */
function createFile(path: string, excludes: boolean, mode: number): void {
  try {
    const file = openSync(path, 'wx', mode)
    fchmodSync(file, mode)
    closeSync(file)
  } catch (error) {
    if (excludes || getSystemErrorCode(error) !== 'EEXIST') throw error
  }
}

/** Returns the offset from UTC in seconds (positive to the east), and the short name of the zone. */
function getTimeZone(seconds: number): Json {
  const date = new Date(seconds * 1000)
  const name = /GMT|UTC/.exec(date.toLocaleTimeString('en-US', { timeZoneName: 'short' }))
  return [-date.getTimezoneOffset() * 60, name ? 'UTC' : getZoneName(date)]
}

function getZoneName(date: Date): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' }).formatToParts(date)
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
}

/**
 * Returns the fields of all users or groups, or of a single user or group by name or number. Runs `getent` for a name
 * or number that the files do not contain.
 */
function listAccounts(root: string, database: string, key: Json): Json {
  const lines = readAccountLines(root, database)
  if (key === null) return lines
  const found = lines.filter((fields) => (typeof key === 'number' ? fields[2] === String(key) : fields[0] === key))
  return found.length > 0 || root !== '' ? found.slice(0, 1) : queryNameService(database, String(key))
}

function readAccountLines(root: string, database: string): string[][] {
  for (const path of [`${root}/etc/${database}`, `/etc/${database}`]) {
    try {
      const lines = readFileSync(path, 'utf8').split('\n')
      return lines.filter((line) => line.includes(':') && !line.startsWith('#')).map((line) => line.split(':'))
    } catch (error) {
      if (getSystemErrorCode(error) === undefined) throw error
    }
  }
  return []
}

function queryNameService(database: string, key: string): Json {
  try {
    const command = ['getent', database, key]
    const order = { command, out: 'pipe', err: 'null', input: null, env: { PATH: process.env['PATH'] ?? null } }
    const { status, out } = runHostProgram({
      ...order,
      cwd: '/',
      seconds: budgets.machine.accountLookup.bound / 1000,
      umask: ourMask,
    }) as {
      status: number
      out: string
    }
    return status === 0 ? [Buffer.from(out, 'base64').toString().trim().split(':')] : []
  } catch (error) {
    if (getSystemErrorCode(error) === undefined) throw error
    return []
  }
}
