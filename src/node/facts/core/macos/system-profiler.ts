import { defineFacts } from '../../fact.ts'
import type { Machine } from '../../machine.ts'

/** Facts with their keys in the output of `system_profiler`. */
const rows = {
  'system_profiler.boot_mode': 'boot_mode',
  'system_profiler.boot_rom_version': 'boot_rom_version',
  'system_profiler.boot_volume': 'boot_volume',
  'system_profiler.computer_name': 'computer_name',
  'system_profiler.cores': 'total_number_of_cores',
  'system_profiler.hardware_uuid': 'hardware_uuid',
  'system_profiler.kernel_version': 'kernel_version',
  'system_profiler.l2_cache_per_core': 'l2_cache_per_core',
  'system_profiler.l3_cache': 'l3_cache',
  'system_profiler.memory': 'memory',
  'system_profiler.model_identifier': 'model_identifier',
  'system_profiler.model_name': 'model_name',
  'system_profiler.processor_name': 'processor_name',
  'system_profiler.processor_speed': 'processor_speed',
  'system_profiler.processors': 'number_of_processors',
  'system_profiler.secure_virtual_memory': 'secure_virtual_memory',
  'system_profiler.serial_number': 'serial_number_system',
  'system_profiler.smc_version': 'smc_version_system',
  'system_profiler.system_version': 'system_version',
  'system_profiler.uptime': 'time_since_boot',
  'system_profiler.username': 'user_name',
} as const

/** Rows of some sections of `system_profiler`: `Serial Number (system): …` has the key `serial_number_system`. */
async function readProfile(machine: Machine): Promise<Readonly<Record<string, string | undefined>>> {
  const parts = ['SPHardwareDataType', 'SPSoftwareDataType', 'SPEthernetDataType']
  const printed = await Promise.all(parts.map((part) => machine.output(['system_profiler', part])))
  const pairs = printed.flatMap((text) =>
    text.split('\n').flatMap((row) => {
      const at = row.indexOf(': ')
      return at === -1 ? [] : [[toProfileKey(row.slice(0, at)), row.slice(at + 2).trim()] as const]
    }),
  )
  return Object.fromEntries(pairs)
}

const toProfileKey = (words: string): string => words.trim().toLowerCase().replaceAll(' ', '_').replace(/[()]/g, '')

/** Hardware and software data from `system_profiler`. */
export const systemProfiler = defineFacts(Object.keys(rows) as (keyof typeof rows)[], async (machine) => {
  const found = await machine.once(readProfile)
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, found[row]]))
})

/** The facts `virtual` and `is_virtual`: the type of virtual machine. */
export const virtual = defineFacts(['virtual', 'is_virtual'], async (machine) => {
  const { model_identifier = '', boot_rom_version = '', subsystem_vendor_id = '' } = await machine.once(readProfile)
  const kind = model_identifier.startsWith('VMware')
    ? 'vmware'
    : boot_rom_version.startsWith('VirtualBox')
      ? 'virtualbox'
      : subsystem_vendor_id.startsWith('0x1ab8')
        ? 'parallels'
        : 'physical'
  return { virtual: kind, is_virtual: kind !== 'physical' }
})
