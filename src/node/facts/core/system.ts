import { createHash } from 'node:crypto'
import { createExactFloat, type ExactJson } from '../../../base/json/exact-json.ts'
import { listAccountGroups, listAccounts } from '../../../machine/system/accounts.ts'
import { defineFacts, readTextFile, readTrimmedText } from '../fact.ts'
import type { Machine } from '../machine.ts'
import { readConfiguredTimezone, readTimezone } from './timezone.ts'
import { detectContainer } from './virtual.ts'

/** The version of Facter with which these facts are compatible. */
export const facterVersion = '4.10.0'

/** The current user and group. */
export const identityFacts = defineFacts(
  ['identity.gid', 'identity.group', 'identity.privileged', 'identity.uid', 'identity.user'],
  async ({ files, user: { uid, gid } }) => ({
    'identity.gid': gid,
    'identity.group': (await listAccountGroups(files)).find((each) => each.gid === gid)?.name,
    'identity.privileged': uid === 0,
    'identity.uid': uid,
    'identity.user': (await listAccounts(files)).find((each) => each.uid === uid)?.name,
  }),
)

/** Names of the uptime facts. */
export const uptimeNames = [
  ...['system_uptime.days', 'system_uptime.hours', 'system_uptime.seconds', 'system_uptime.uptime'],
] as const

/** Time since boot; in Docker, time since the start of the container. */
export const uptime = defineFacts(uptimeNames, async (machine) => {
  const machineUp = Number.parseFloat((await readTextFile(machine, '/proc/uptime')) ?? '')
  if (Number.isNaN(machineUp)) return {}
  if ((await machine.once(detectContainer))?.kind !== 'docker') return createUptimeFacts(Math.floor(machineUp))
  const fields = ((await readTextFile(machine, '/proc/1/stat')) ?? '').replace(/^.*\)/s, '').trim().split(' ')
  return createUptimeFacts(Math.floor(machineUp - Number(fields[19] ?? 0) / ticks))
})

/** Clock ticks per second (USER_HZ), which are the same on all current Linux platforms. */
const ticks = 100

/** The uptime facts for a number of seconds. */
export function createUptimeFacts(seconds: number) {
  const hours = Math.floor(seconds / 3600)
  const days = Math.floor(hours / 24)
  return {
    'system_uptime.days': days,
    'system_uptime.hours': hours,
    'system_uptime.seconds': seconds,
    'system_uptime.uptime': formatUptime(seconds, hours, days),
  }
}

function formatUptime(seconds: number, hours: number, days: number): string {
  if (days > 1) return `${days} days`
  if (days === 1) return '1 day'
  return `${hours}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')} hours`
}

/** Load averages. */
export const loadAverages = defineFacts(['load_averages'], async (machine) => {
  const words = (await readTextFile(machine, '/proc/loadavg'))?.split(' ').map(Number)
  return { load_averages: words && toLoadAverages(words) }
})

/** Load averages over 1, 5 and 15 minutes. */
export function toLoadAverages([one = 0, five = 0, fifteen = 0]: readonly number[]): ExactJson {
  return { '1m': createExactFloat(one), '5m': createExactFloat(five), '15m': createExactFloat(fifteen) }
}

/** File system types that the kernel can mount from a block device. */
export const filesystems = defineFacts(['filesystems'], async (machine) => {
  const rows = (await readTextFile(machine, '/proc/filesystems'))?.split('\n').map((row) => row.trim())
  const kinds = rows?.filter((row) => /^\S+$/.test(row) && row !== 'fuseblk')
  return { filesystems: kinds?.sort().join(',') }
})

/** Miscellaneous facts: versions, time zone, search path and FIPS mode. */
export const miscellany = defineFacts(
  ['facterversion', 'timezone', 'path', 'fips_enabled', 'aio_agent_version', 'augeas.version'],
  async (machine) => ({
    facterversion: facterVersion,
    timezone: await readTimezone(machine),
    path: machine.variables['PATH'],
    fips_enabled:
      machine.kernel === 'Linux'
        ? (await readTrimmedText(machine, '/proc/sys/crypto/fips_enabled')) === '1'
        : undefined,
    aio_agent_version: await readBundleVersion(machine),
    'augeas.version': await machine.once(readAugeasVersion),
  }),
)

/** Miscellaneous facts of a system that is not running. */
export const installedMiscellany = defineFacts(['facterversion', 'timezone', 'aio_agent_version'], async (machine) => ({
  facterversion: facterVersion,
  timezone: await readConfiguredTimezone(machine),
  aio_agent_version: await readBundleVersion(machine),
}))

/** The version of Puppet's package that contains Ruby and all programs. */
export async function readBundleVersion(
  machine: Machine,
  path = '/opt/puppetlabs/puppet/VERSION',
): Promise<string | undefined> {
  const text = (await readTextFile(machine, path)) ?? ''
  return /^\d+\.\d+\.\d+(?:\.\d+){0,2}/.exec(text)?.[0]
}

/** The version of Augeas, which `augparse` prints to standard error. */
async function readAugeasVersion(machine: Machine): Promise<string | undefined> {
  const bundled = '/opt/puppetlabs/puppet/bin/augparse'
  const program = (await machine.files.stat(bundled)) ? bundled : 'augparse'
  return /^augparse (\d+\.\d+\.\d+)/m.exec(await machine.output([program, '--version'], { errors: true }))?.[1]
}

/** Platform and version of the Ruby that executes the code of modules. */
export const rubyAbout = { 'ruby.platform': 'wasm32-wasi', 'ruby.version': '3.4.1' } as const

/** Facts about the Ruby that executes the code of modules, collected without starting it. */
export const ruby = defineFacts(['ruby.platform', 'ruby.version'], async () => rubyAbout)

const numbers = { dsa: 2, ecdsa: 3, ed25519: 4, rsa: 1 } as const
const kindsOfKeys: Readonly<Record<string, keyof typeof numbers>> = {
  'ssh-dss': 'dsa',
  'ecdsa-sha2-nistp256': 'ecdsa',
  'ecdsa-sha2-nistp384': 'ecdsa',
  'ecdsa-sha2-nistp521': 'ecdsa',
  'ssh-ed25519': 'ed25519',
  'ssh-rsa': 'rsa',
}
const keyFolders = ['/etc/ssh', '/usr/local/etc/ssh', '/etc', '/usr/local/etc', '/etc/opt/ssh']

/** Public host keys of the SSH server. */
export const ssh = defineFacts(['ssh'], async (machine) => ({ ssh: await readSshKeys(machine, keyFolders) }))

/** The public host keys in folders, with fingerprints as in SSHFP records; undefined without keys. */
export async function readSshKeys(machine: Machine, folders: readonly string[]): Promise<ExactJson | undefined> {
  const found: Record<string, ExactJson> = {}
  for (const folder of folders)
    for (const file of ['rsa', 'dsa', 'ecdsa', 'ed25519']) {
      const [type = '', key] = ((await readTextFile(machine, `${folder}/ssh_host_${file}_key.pub`)) ?? '')
        .trim()
        .split(/\s+/)
      const name = kindsOfKeys[type]
      if (name === undefined || key === undefined) continue
      const computeDigest = (algorithm: string) =>
        createHash(algorithm).update(Buffer.from(key, 'base64')).digest('hex')
      const fingerprints = {
        sha1: `SSHFP ${numbers[name]} 1 ${computeDigest('sha1')}`,
        sha256: `SSHFP ${numbers[name]} 2 ${computeDigest('sha256')}`,
      }
      found[name] = { fingerprints, key, type }
    }
  return Object.keys(found).length === 0 ? undefined : found
}
