import { mkdtemp, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { utcText } from '../../../base/time/utc-text.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { defineFaults, type Finding } from '../finding.ts'
import { type Check, type Installation, rolesOf } from '../installation.ts'

const faults = defineFaults('clock', {
  CLOCK_FILES: {
    severity: 'warning',
    what: (a: { file: string; time: string; now: string }) =>
      `${a.file} was written in the future, on ${a.time}: the clock here says ${a.now}`,
    why: 'The clock went back, or was wrong when it was written; certificates and caches go by it.',
    fix: (a) => `'timedatectl set-ntp true'; when the clock is right, 'touch ${a.file}'.`,
  },
  CLOCK_FILE_SYSTEM: {
    severity: 'warning',
    what: (a: { folder: string; seconds: number }) =>
      `The file system of ${a.folder} has another clock than this machine, ${a.seconds} seconds away`,
    why: 'What changed is seen by the time of files; a change may be missed.',
    fix: () => "Set the clocks of this machine and of its file server by NTP: 'timedatectl set-ntp true'.",
  },
  CLOCK_PEER: {
    severity: 'error',
    what: (a: { server: string; seconds: number }) => `The clock of ${a.server} is ${a.seconds} seconds away from ours`,
    why: 'Certificates, revocation lists and reports count in time.',
    fix: () => "'timedatectl set-ntp true' on both.",
  },
  TIME_ZONE: {
    severity: 'warning',
    what: (a: { zone: string }) => `The time zone ${a.zone} is unknown here`,
    why: 'Times of logs, schedules and the fact timezone are then those of UTC.',
    fix: () => "'timedatectl set-timezone Europe/Vienna', with your own; the package is tzdata.",
  },
})

/** Seconds by which two clocks may differ before it is said. */
const tolerance = 60
/** Milliseconds for the answer of a server; what cannot be reached is another check's. */
const patienceMs = 5_000

/** The clock against files, the file system and the server; the time zone. */
export const clock: Check = {
  name: 'clock',
  doc: 'the clock against files, file systems and the server; the time zone',
  async run(installation) {
    const zone = await unknownZone()
    return [
      ...(zone === undefined ? [] : [faults.TIME_ZONE({ zone })]),
      ...(await ofFiles(installation)),
      ...(await ofFileSystems(installation)),
      ...(installation.agent ? await ofPeer(installation.agent, installation.system.now()) : []),
    ]
  },
}

async function unknownZone(): Promise<string | undefined> {
  const named = process.env['TZ']?.replace(/^:/, '')
  if (named !== undefined && named !== '' && !named.startsWith('/'))
    return isZone(named) ? undefined : `'${named}' of TZ`
  const target = await readlink('/etc/localtime').catch(() => undefined)
  const isThere = target === undefined || (await stat('/etc/localtime').catch(() => undefined)) !== undefined
  return isThere ? undefined : `that /etc/localtime is a link to, '${target}',`
}

function isZone(name: string): boolean {
  // POSIX has zones of their own offsets: CET-1CEST.
  if (/^[A-Za-z]{3,}[+-]?\d/.test(name)) return true
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** Files that processes of ours write now and then. */
async function ofFiles(installation: Installation): Promise<Finding[]> {
  const now = installation.system.now()
  const names = rolesOf(installation).flatMap((settings) => [
    settings.hostcert,
    settings.hostcrl,
    settings.lastrunfile,
    settings.config,
    join(settings.cadir, 'inventory.txt'),
    join(settings.cadir, 'serial'),
  ])
  const found: Finding[] = []
  for (const file of new Set(names)) {
    const seen = await installation.system.files.stat(file)
    if (seen && seen.modified > now + tolerance * 1000)
      found.push(faults.CLOCK_FILES({ file, time: utcText(new Date(seen.modified)), now: utcText(new Date(now)) }))
  }
  return found
}

async function ofFileSystems(installation: Installation): Promise<Finding[]> {
  const folders = new Set(rolesOf(installation).map(({ vardir }) => vardir))
  const found: Finding[] = []
  for (const folder of folders) {
    const seconds = await differenceIn(folder)
    if (seconds !== undefined && Math.abs(seconds) > tolerance)
      found.push(faults.CLOCK_FILE_SYSTEM({ folder, seconds: Math.round(seconds) }))
  }
  return found
}

/** Seconds by which a file system's clock is ahead; `undefined` where nothing can be written. */
async function differenceIn(folder: string): Promise<number | undefined> {
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

async function ofPeer({ server, serverport }: Settings, now: number): Promise<Finding[]> {
  const date = await dateOf(server, serverport)
  if (date === undefined) return []
  const seconds = Math.round((date - now) / 1000)
  return Math.abs(seconds) > tolerance ? [faults.CLOCK_PEER({ server, seconds })] : []
}

/** The time that a server says, by anybody's leave and with anybody's certificate: it is compared, and not believed. */
function dateOf(host: string, port: number): Promise<number | undefined> {
  return new Promise((done) => {
    const asking = request({
      host,
      port,
      path: '/status/v1/simple',
      method: 'GET',
      rejectUnauthorized: false,
      agent: false,
      timeout: patienceMs,
      signal: AbortSignal.timeout(patienceMs),
    })
    asking.on('response', (answer) => {
      const time = Date.parse(answer.headers.date ?? '')
      answer.destroy()
      done(Number.isNaN(time) ? undefined : time)
    })
    asking.on('error', () => done(undefined))
    asking.on('timeout', () => asking.destroy())
    asking.end()
  })
}
