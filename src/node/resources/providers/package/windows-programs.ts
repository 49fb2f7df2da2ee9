import { readRegistryKey, readRegistryTree } from '../../../../machine/registry/registry.ts'
import { decodeRegistryData } from '../../../../machine/registry/registry-data.ts'
import type { RegistryKey } from '../../../../machine/registry/registry-file.ts'
import type { System } from '../../../../machine/system/system.ts'

/** A program that Windows lists as installed. */
export interface InstalledProgram {
  readonly name: string
  readonly version: string | undefined
  /** GUID of an MSI package; undefined for other installers. */
  readonly productCode: string | undefined
  readonly uninstallString: string
}

const uninstallKey = 'Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall'

const productKeys = [
  'HKEY_LOCAL_MACHINE\\Software\\Classes\\Installer\\Products',
  'HKEY_CURRENT_USER\\Software\\Microsoft\\Installer\\Products',
]

const guid = /^\{[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}$/i

/** The installed programs of this machine and of the current user, from the 64-bit and the 32-bit view. */
export async function listInstalledPrograms(system: System): Promise<readonly InstalledProgram[]> {
  const found: InstalledProgram[] = []
  for (const hive of ['HKEY_LOCAL_MACHINE', 'HKEY_CURRENT_USER'])
    for (const view of [64, 32] as const) {
      const [parent, ...keys] = await readRegistryTree(system, `${hive}\\${uninstallKey}`, view)
      const depth = parent === undefined ? 0 : parent.path.split('\\').length + 1
      for (const key of keys) {
        const program = key.path.split('\\').length === depth ? parseUninstallKey(key) : undefined
        if (program) found.push(program)
      }
    }
  return found
}

/** A program from its key; undefined for updates and for entries without a name or a way to uninstall them. */
export function parseUninstallKey({ path, values }: RegistryKey): InstalledProgram | undefined {
  const read = (name: string): unknown => {
    const value = values.find((each) => each.name.toLowerCase() === name.toLowerCase())
    return value && decodeRegistryData(value)
  }
  const readText = (name: string): string => {
    const value = read(name)
    return typeof value === 'string' ? value : ''
  }
  const code = path.slice(path.lastIndexOf('\\') + 1)
  const name = readText('DisplayName') || readText('QuietDisplayName')
  if (name === '') return undefined
  const uninstallString = readText('UninstallString')
  const known = { name, version: readText('DisplayVersion') || undefined, uninstallString }
  if (read('WindowsInstaller') === 1n) return guid.test(code) ? { ...known, productCode: code } : undefined
  const isUpdate = ['ParentKeyName', 'Security Update', 'Update Rollup', 'Hotfix'].some(
    (each) => read(each) !== undefined,
  )
  if (uninstallString === '' || isUpdate || /^KB\d{6}/.test(code)) return undefined
  return { ...known, productCode: undefined }
}

/** The package code of an installed MSI package. */
export async function findPackageCode(system: System, productCode: string): Promise<string | undefined> {
  for (const key of productKeys) {
    const found = await readRegistryKey(system, `${key}\\${packGuid(productCode)}`)
    const value = found?.values.find(({ name }) => name === 'PackageCode')
    const code = value && decodeRegistryData(value)
    if (typeof code === 'string') return unpackGuid(code)
  }
  return undefined
}

/** Lengths of the parts of a GUID whose characters Windows Installer stores in reverse order. */
const packedParts = [8, 4, 4, 2, 2, 2, 2, 2, 2, 2, 2]

/** A GUID as Windows Installer writes it in names of keys: without signs, and with the characters of each part reversed. */
export function packGuid(text: string): string {
  let rest = text.replace(/[{}-]/g, '').toUpperCase()
  return packedParts
    .map((length) => {
      const part = rest.slice(0, length)
      rest = rest.slice(length)
      return [...part].reverse().join('')
    })
    .join('')
}

/** The GUID that `packGuid` packed. */
function unpackGuid(packed: string): string {
  const hex = packGuid(packed)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
  return `{${parts.join('-')}}`
}
