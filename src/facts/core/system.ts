import { createHash } from 'node:crypto'
import { loadavg, uptime as secondsUp } from 'node:os'
import { type ExactJson, exactFloat } from '../../base/exact-json.ts'
import { accountGroups, accounts } from '../../system/accounts.ts'
import { type FactSource, line, present } from '../fact.ts'
import { timezone } from './timezone.ts'

/** The version of Facter whose facts ours are like. */
const facterversion = '4.10.0'

/** As whom we run. */
export const identity: FactSource = {
  name: 'identity',
  async find({ files }) {
    const uid = process.geteuid?.() ?? 0
    const gid = process.getegid?.() ?? 0
    const user = (await accounts(files)).find((each) => each.uid === uid)?.name
    const group = (await accountGroups(files)).find((each) => each.gid === gid)?.name
    return { identity: present({ gid, group, privileged: uid === 0, uid, user }) }
  },
}

/** Time since the machine started. */
export const uptime: FactSource = {
  name: 'uptime',
  async find() {
    const seconds = Math.floor(secondsUp())
    const hours = Math.floor(seconds / 3600)
    const days = Math.floor(hours / 24)
    return { system_uptime: { days, hours, seconds, uptime: uptimeText(seconds, hours, days) } }
  },
}

function uptimeText(seconds: number, hours: number, days: number): string {
  if (days > 1) return `${days} days`
  if (days === 1) return '1 day'
  return `${hours}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')} hours`
}

/** Small things. */
export const miscellany: FactSource = {
  name: 'miscellany',
  async find(system) {
    const [one = 0, five = 0, fifteen = 0] = loadavg()
    const round = (value: number) => exactFloat(Math.round(value * 100) / 100)
    const kinds = ((await system.files.readText('/proc/filesystems')) ?? '')
      .split('\n')
      .filter((row) => row !== '' && !row.startsWith('nodev'))
      .map((row) => row.trim())
      .filter((kind) => kind !== 'fuseblk')
    return {
      facterversion,
      ...present({ timezone: await timezone(system) }),
      path: process.env['PATH'] ?? '',
      load_averages: { '1m': round(one), '5m': round(five), '15m': round(fifteen) },
      filesystems: kinds.sort().join(','),
      fips_enabled: (await line(system, '/proc/sys/crypto/fips_enabled')) === '1',
    }
  },
}

const keyKinds = { dsa: 2, ecdsa: 3, ed25519: 4, rsa: 1 } as const

/** Host keys of the SSH server, with their fingerprints as in SSHFP records. */
export const ssh: FactSource = {
  name: 'ssh',
  async find({ files }) {
    const found: Record<string, ExactJson> = {}
    for (const [name, number] of Object.entries(keyKinds)) {
      const [type, key] = ((await files.readText(`/etc/ssh/ssh_host_${name}_key.pub`)) ?? '').split(' ')
      if (type === undefined || key === undefined) continue
      const digest = (algorithm: string) => createHash(algorithm).update(Buffer.from(key, 'base64')).digest('hex')
      const fingerprints = {
        sha1: `SSHFP ${number} 1 ${digest('sha1')}`,
        sha256: `SSHFP ${number} 2 ${digest('sha256')}`,
      }
      found[name] = { fingerprints, key: key.trim(), type }
    }
    return present({ ssh: Object.keys(found).length === 0 ? undefined : found })
  },
}
