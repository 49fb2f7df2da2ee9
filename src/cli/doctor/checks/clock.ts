import { mkdtemp, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatUtcDate } from '../../../base/time/utc-text.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { requestServerStatus } from '../../../network/client/status-request.ts'
import { type DoctorFinding, defineFaults } from '../finding.ts'
import { type Check, type Installation, listRoleSettings } from '../installation.ts'

const faults = defineFaults('clock', {
  CLOCK_FILES: {
    severity: 'warning',
    what: (a: { file: string; time: string; now: string }) =>
      `${a.file} was written in the future, on ${a.time}; the local clock is ${a.now}`,
    why: 'The clock was wrong when the file was written, or is wrong now. Certificates and caches depend on it.',
    fix: (a) => `Run 'timedatectl set-ntp true'. When the clock is correct, run 'touch ${a.file}'.`,
  },
  CLOCK_FILE_SYSTEM: {
    severity: 'warning',
    what: (a: { folder: string; seconds: number }) =>
      `The clock of the file system of ${a.folder} differs from that of this machine by ${a.seconds} seconds`,
    why: 'Changes are detected by file times, and may be missed.',
    fix: () => "Synchronize the clocks of this machine and its file server with NTP: 'timedatectl set-ntp true'.",
  },
  CLOCK_PEER: {
    severity: 'error',
    what: (a: { server: string; seconds: number }) =>
      `The clock of ${a.server} differs from that of this machine by ${a.seconds} seconds`,
    why: 'The validity of certificates and revocation lists, and the times of reports, depend on the clocks.',
    fix: () => "Run 'timedatectl set-ntp true' on both machines.",
  },
  TIME_ZONE: {
    severity: 'warning',
    what: (a: { zone: string }) => `Unknown time zone: ${a.zone}`,
    why: 'Logs, schedules and the fact timezone use UTC.',
    fix: () => "Install the package tzdata, and run 'timedatectl set-timezone ZONE'.",
  },
})

/** Maximum difference of two clocks in seconds that is not reported. */
const tolerance = 60
/** Timeout of a request in milliseconds. Another check reports an unreachable server. */
const patienceMs = 5_000

/** Compares the clock with files, file systems and the server, and checks the time zone. */
export const clockCheck: Check = {
  name: 'clock',
  doc: 'the clock compared to files, file systems and the server; the time zone',
  async run(installation) {
    const zone = await findUnknownZone()
    return [
      ...(zone === undefined ? [] : [faults.TIME_ZONE({ zone })]),
      ...(await checkFileTimes(installation)),
      ...(await checkFileSystemClocks(installation)),
      ...(installation.agent ? await checkServerClock(installation.agent, installation.system.now()) : []),
    ]
  },
}

async function findUnknownZone(): Promise<string | undefined> {
  const named = process.env['TZ']?.replace(/^:/, '')
  if (named !== undefined && named !== '' && !named.startsWith('/'))
    return isKnownZone(named) ? undefined : `'${named}' (in TZ)`
  const target = await readlink('/etc/localtime').catch(() => undefined)
  const isThere = target === undefined || (await stat('/etc/localtime').catch(() => undefined)) !== undefined
  return isThere ? undefined : `'${target}' (in /etc/localtime)`
}

function isKnownZone(name: string): boolean {
  // POSIX zones contain their offset: CET-1CEST.
  if (/^[A-Za-z]{3,}[+-]?\d/.test(name)) return true
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** Checks files that the server and the agent write regularly. */
async function checkFileTimes(installation: Installation): Promise<DoctorFinding[]> {
  const now = installation.system.now()
  const names = listRoleSettings(installation).flatMap((settings) => [
    settings.hostcert,
    settings.hostcrl,
    settings.lastrunfile,
    settings.config,
    join(settings.cadir, 'inventory.txt'),
    join(settings.cadir, 'serial'),
  ])
  const found: DoctorFinding[] = []
  for (const file of new Set(names)) {
    const seen = await installation.system.files.stat(file)
    if (seen && seen.modified > now + tolerance * 1000)
      found.push(
        faults.CLOCK_FILES({ file, time: formatUtcDate(new Date(seen.modified)), now: formatUtcDate(new Date(now)) }),
      )
  }
  return found
}

async function checkFileSystemClocks(installation: Installation): Promise<DoctorFinding[]> {
  const folders = new Set(listRoleSettings(installation).map(({ vardir }) => vardir))
  const found: DoctorFinding[] = []
  for (const folder of folders) {
    const seconds = await measureClockDifference(folder)
    if (seconds !== undefined && Math.abs(seconds) > tolerance)
      found.push(faults.CLOCK_FILE_SYSTEM({ folder, seconds: Math.round(seconds) }))
  }
  return found
}

/** Seconds by which the clock of a file system is ahead; `undefined` if the folder is not writable. */
async function measureClockDifference(folder: string): Promise<number | undefined> {
  const own = await mkdtemp(join(folder, '.doctor-')).catch(() => undefined)
  if (own === undefined) return undefined
  try {
    const file = join(own, 'now')
    await writeFile(file, '')
    const now = Date.now()
    return ((await stat(file)).mtimeMs - now) / 1000
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

async function checkServerClock({ server, serverport }: Settings, now: number): Promise<DoctorFinding[]> {
  const { date = Number.NaN } = (await requestServerStatus({ host: server, port: serverport }, patienceMs)) ?? {}
  if (Number.isNaN(date)) return []
  const seconds = Math.round((date - now) / 1000)
  return Math.abs(seconds) > tolerance ? [faults.CLOCK_PEER({ server, seconds })] : []
}
