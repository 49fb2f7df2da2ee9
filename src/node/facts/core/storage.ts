import type { ExactJson } from '../../../base/json/exact-json.ts'
import { defineFacts, formatBytes, omitUndefined, readTextFile, readTrimmedText } from '../fact.ts'
import type { Machine } from '../machine.ts'
import { readLsblk } from './lsblk.ts'

const sysBlock = '/sys/block'

/** Disks in /sys/block. */
export const disks = defineFacts(['disks'], async (machine) => {
  const found: Record<string, ExactJson> = {}
  for (const name of (await machine.files.list(sysBlock)) ?? []) {
    const at = `${sysBlock}/${name}`
    if (!(await machine.files.stat(`${at}/device`))) continue
    const size = Number((await readTrimmedText(machine, `${at}/size`)) ?? 0) * 512
    const rotational = await readTrimmedText(machine, `${at}/queue/rotational`)
    const { SERIAL: serial, WWN: wwn } = (await machine.once(readLsblk)).get(`/dev/${name}`) ?? {}
    found[name] = omitUndefined({
      model: await readTrimmedText(machine, `${at}/device/model`),
      serial,
      size: formatBytes(size),
      size_bytes: size,
      type: rotational === undefined ? undefined : rotational === '0' ? 'ssd' : 'hdd',
      vendor: await readTrimmedText(machine, `${at}/device/vendor`),
      wwn,
    })
  }
  return { disks: Object.keys(found).length === 0 ? undefined : found }
})

interface Mount {
  readonly device: string
  readonly path: string
  readonly filesystem: string
  readonly options: readonly string[]
}

/** Mounted file systems, including virtual ones such as tmpfs, but none below /proc and /sys. */
async function readMounts(machine: Machine): Promise<readonly Mount[]> {
  const rows = ((await readTextFile(machine, '/proc/self/mounts')) ?? '').split('\n').filter(Boolean)
  const all = rows.map((row) => {
    const [device = '', path = '', filesystem = '', options = ''] = row.split(' ').map(decodeOctalEscapes)
    return { device, path, filesystem, options: options.split(',') }
  })
  const shown = all.filter(
    ({ path, filesystem }) => filesystem !== 'autofs' && !(/^\/(?:proc|sys)/.test(path) && filesystem !== 'tmpfs'),
  )
  return Promise.all(
    shown.map(async (mount) =>
      mount.device === '/dev/root' ? { ...mount, device: (await findRootDevice(machine)) ?? '/dev/root' } : mount,
    ),
  )
}

/** Decodes the octal escapes of getmntent(3), such as `\040` for a space. */
const decodeOctalEscapes = (word: string): string =>
  word.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))

/** The root device, from `root=` on the kernel command line. */
async function findRootDevice(machine: Machine): Promise<string | undefined> {
  const root = /root=(\S+)/.exec((await readTextFile(machine, '/proc/cmdline')) ?? '')?.[1]
  if (root?.includes('=') !== true) return root
  const id = root.slice(root.lastIndexOf('=') + 1)
  const rows = (await machine.output(['blkid'])).split('\n')
  return rows.find((row) => row.includes(id))?.split(':')[0] ?? root
}

/** Mounted file systems. */
export const mountpoints = defineFacts(['mountpoints'], async (machine) => {
  const entries = await Promise.all(
    (await machine.once(readMounts)).map(async ({ device, path, filesystem, options }) => {
      const { size, available, used } = (await machine.space(path)) ?? { size: 0, available: 0, used: 0 }
      const shown = {
        device,
        filesystem,
        options,
        size_bytes: size,
        available_bytes: available,
        used_bytes: used,
        capacity: formatCapacity(used, used + available),
        size: formatBytes(size),
        available: formatBytes(available),
        used: formatBytes(used),
      }
      return [path, shown] as const
    }),
  )
  return { mountpoints: entries.length === 0 ? undefined : Object.fromEntries(entries) }
})

/** The used share of a file system, in percent. */
export function formatCapacity(used: number, total: number): string {
  if (used === total) return '100%'
  return used > 0 ? `${((used / total) * 100).toFixed(2)}%` : '0%'
}

/** Partitions, logical volumes and loop devices. */
export const partitions = defineFacts(['partitions'], async (machine) => {
  const devices = (await machine.files.list(sysBlock)) ?? []
  if (devices.length === 0) return {}
  const found: Record<string, Record<string, ExactJson>> = {}
  for (const device of devices) {
    const at = `${sysBlock}/${device}`
    if (await machine.files.stat(`${at}/device`)) {
      for (const name of ((await machine.files.list(at)) ?? []).filter((each) => each.includes(device)))
        if ((await machine.files.stat(`${at}/${name}`))?.kind === 'directory')
          found[`/dev/${name}`] = await describePartition(machine, `/dev/${name}`, `${at}/${name}`)
    } else if (await machine.files.stat(`${at}/dm`)) {
      const mapped = await readTrimmedText(machine, `${at}/dm/name`)
      const name = mapped === undefined ? `/dev/${device}` : `/dev/mapper/${mapped}`
      found[name] = await describePartition(machine, name, at)
    } else if (await machine.files.stat(`${at}/loop`)) {
      const file = await readTrimmedText(machine, `${at}/loop/backing_file`)
      found[`/dev/${device}`] = await describePartition(machine, `/dev/${device}`, at, file)
    }
  }
  for (const { device, path } of [...(await machine.once(readMounts))].reverse())
    if (found[device]) found[device]['mount'] = path
  return { partitions: Object.keys(found).length === 0 ? undefined : found }
})

async function describePartition(
  machine: Machine,
  name: string,
  at: string,
  file?: string,
): Promise<Record<string, ExactJson>> {
  const size = Number((await readTrimmedText(machine, `${at}/size`)) ?? 0) * 512
  const { SERIAL: _, WWN: __, ...listed } = (await machine.once(readLsblk)).get(name) ?? {}
  const about = Object.keys(listed).length > 0 ? listed : ((await machine.once(readBlkid)).get(name) ?? {})
  return omitUndefined({
    size_bytes: size,
    size: formatBytes(size),
    backing_file: file,
    filesystem: about['FSTYPE'] ?? about['TYPE'],
    uuid: about['UUID'],
    label: about['LABEL'],
    partuuid: about['PARTUUID'],
    partlabel: about['PARTLABEL'],
    parttype: about['PARTTYPE'],
  })
}

/** Columns of `blkid`, used if `lsblk` prints none. */
async function readBlkid(machine: Machine): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const rows = (await machine.output(['blkid'])).split('\n').filter((row) => row.includes(': '))
  return new Map(
    rows.map((row) => {
      const colon = row.indexOf(': ')
      const pairs = Array.from(row.slice(colon).matchAll(/ ([^= ]+)="([^"]*)"/g), ([, key = '', value = '']) => [
        key,
        value,
      ])
      return [row.slice(0, colon), Object.fromEntries(pairs)] as const
    }),
  )
}
