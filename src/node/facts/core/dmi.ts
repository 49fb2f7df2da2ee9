import { defineFacts, readTrimmedText } from '../fact.ts'
import type { Machine } from '../machine.ts'

const folder = '/sys/class/dmi/id'

/** Reads a firmware value of the machine from a file in /sys/class/dmi/id. */
export const readDmiValue = (machine: Machine, name: string): Promise<string | undefined> =>
  readTrimmedText(machine, `${folder}/${name}`)

/** Names of chassis types (SMBIOS 7.4.1), starting with type 1. */
const chassis = [
  ...['Other', undefined, 'Desktop', 'Low Profile Desktop', 'Pizza Box', 'Mini Tower', 'Tower', 'Portable', 'Laptop'],
  ...['Notebook', 'Hand Held', 'Docking Station', 'All in One', 'Sub Notebook', 'Space-Saving', 'Lunch Box'],
  ...['Main System Chassis', 'Expansion Chassis', 'SubChassis', 'Bus Expansion Chassis', 'Peripheral Chassis'],
  ...['Storage Chassis', 'Rack Mount Chassis', 'Sealed-Case PC', 'Multi-system', 'CompactPCI', 'AdvancedTCA', 'Blade'],
  ...['Blade Enclosure', 'Tablet', 'Convertible', 'Detachable'],
]

const files = {
  'dmi.bios.release_date': 'bios_date',
  'dmi.bios.vendor': 'bios_vendor',
  'dmi.bios.version': 'bios_version',
  'dmi.board.asset_tag': 'board_asset_tag',
  'dmi.board.manufacturer': 'board_vendor',
  'dmi.board.product': 'board_name',
  'dmi.board.serial_number': 'board_serial',
  'dmi.chassis.asset_tag': 'chassis_asset_tag',
  'dmi.chassis.type': 'chassis_type',
  'dmi.manufacturer': 'sys_vendor',
  'dmi.product.name': 'product_name',
  'dmi.product.serial_number': 'product_serial',
  'dmi.product.uuid': 'product_uuid',
  'dmi.product.version': 'product_version',
} as const

/** Manufacturer, product and other DMI data. */
export const dmi = defineFacts(Object.keys(files) as (keyof typeof files)[], async (machine) => {
  const pairs = await Promise.all(
    Object.entries(files).map(async ([name, file]) => [name, await readDmiValue(machine, file)] as const),
  )
  const found = Object.fromEntries(pairs)
  const type = found['dmi.chassis.type']
  return { ...found, 'dmi.chassis.type': type === undefined ? undefined : chassis[Number.parseInt(type, 10) - 1] }
})
