import type { Machine } from '../machine.ts'

/** Nonempty `lsblk` columns of block devices, by device path. */
export async function readLsblk(machine: Machine): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const columns = 'NAME,FSTYPE,UUID,LABEL,PARTUUID,PARTLABEL,PARTTYPE,SERIAL,WWN'
  const printed = await machine.output(['lsblk', '-p', '-P', '-o', columns])
  const devices = printed.split('\n').map((row) => {
    const pairs = Array.from(row.matchAll(/\b(\w{1,64})="((?:[^"\\]|\\.)*)"/g), ([, key = '', value = '']) => [
      key,
      value,
    ])
    return Object.fromEntries(pairs.filter(([, value]) => value !== '')) as Readonly<Record<string, string>>
  })
  return new Map(devices.flatMap(({ NAME: name, ...about }) => (name === undefined ? [] : [[name, about]])))
}
