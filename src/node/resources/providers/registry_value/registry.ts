import { changeRegistry, readRegistryKey } from '../../../../machine/registry/registry.ts'
import {
  decodeRegistryData,
  encodeDword,
  encodeQword,
  encodeRegistryText,
  encodeRegistryTexts,
  type RegistryValue,
  registryTypes,
} from '../../../../machine/registry/registry-data.ts'
import type { RegistryKey } from '../../../../machine/registry/registry-file.ts'
import { failWithMessage } from '../../issues.ts'
import type { AnyResource } from '../../managed-resource.ts'
import { defineProvider, type ProviderWork } from '../../provider.ts'
import { parseRegistryValuePath, type RegistryValuePath } from '../../types/registry-path.ts'
import { type RegistryDatum, type RegistryValueAttributes, registryValue } from '../../types/registry-value.ts'

interface State {
  /** The key when it was read; undefined if it does not exist. */
  key: RegistryKey | undefined
}

type ValueWork = ProviderWork<RegistryValueAttributes, State>

/** Names of types in manifests. */
const typeNames: Readonly<Record<number, string>> = {
  [registryTypes.none]: 'none',
  [registryTypes.string]: 'string',
  [registryTypes.expandableString]: 'expand',
  [registryTypes.binary]: 'binary',
  [registryTypes.dword]: 'dword',
  [registryTypes.qword]: 'qword',
  [registryTypes.strings]: 'array',
}

const missingKey =
  'Cannot write to the registry. The parent key does not exist. detail: (The system cannot find the file specified.) Puppet Error ID: AC99C7C6-98D6-4E91-A75E-970F4064BF95'

/** The provider of `registry_value`. */
export const registryValueRegistry = defineProvider<RegistryValueAttributes, State>(registryValue, 'registry', {
  doc: 'Manages values of keys with reg.exe.',
  suitable: { facts: { kernel: ['windows'] } },
  defaultFor: { kernel: ['windows'] },
  begin: () => ({ key: undefined }),
  async read(work) {
    const { key, view } = getPath(work.resource)
    work.state.key = await readRegistryKey(work.system, key, view)
    const value = findValue(work)
    if (!value) return { ensure: 'absent', type: 'absent', data: 'absent' }
    return { ensure: 'present', type: typeNames[value.type] ?? 'absent', data: decode(value) }
  },
  set: { type: write, data: write },
  create: write,
  async remove(work) {
    const { key, view } = getPath(work.resource)
    const { name } = findValue(work) ?? failWithMessage(`Failed to delete registry value at ${key}`)
    await changeRegistry(work.system, [{ key, removedValues: [name] }], view)
  },
})

function getPath({ name }: AnyResource): RegistryValuePath {
  const path = parseRegistryValuePath(name)
  return typeof path === 'string' ? failWithMessage(path) : path
}

function findValue({ resource, state }: ValueWork): RegistryValue | undefined {
  const name = getPath(resource).valueName.toLowerCase()
  return state.key?.values.find((value) => value.name.toLowerCase() === name)
}

/** Data in the form of manifests. Puppet reads no other types than those. */
function decode(value: RegistryValue): readonly RegistryDatum[] | 'absent' {
  const data = decodeRegistryData(value)
  if (data === undefined) return failWithMessage(`Type ${value.type} is not supported.`)
  if (value.type === registryTypes.binary) return [(data as Buffer).toString('hex').replace(/..(?=.)/g, '$& ')]
  if (Buffer.isBuffer(data)) return [data.toString('latin1')]
  return Array.isArray(data) ? data : [data as RegistryDatum]
}

async function write({ resource, state, system }: ValueWork): Promise<void> {
  const { key, view, valueName } = getPath(resource)
  if (!state.key) failWithMessage(missingKey)
  const data = (resource.get('data') ?? []) as readonly RegistryDatum[]
  const value = { name: valueName, ...encode(resource.get('type') ?? 'string', data) }
  await changeRegistry(system, [{ key, values: [value] }], view)
}

function encode(type: string, data: readonly RegistryDatum[]): Pick<RegistryValue, 'type' | 'data'> {
  const [first = ''] = data
  switch (type) {
    case 'array':
      return { type: registryTypes.strings, data: encodeRegistryTexts(data.map(String)) }
    case 'dword':
      return { type: registryTypes.dword, data: encodeDword(BigInt(first)) }
    case 'qword':
      return { type: registryTypes.qword, data: encodeQword(BigInt(first)) }
    case 'binary':
      return { type: registryTypes.binary, data: Buffer.from(String(first).replaceAll(' ', ''), 'hex') }
    case 'expand':
      return { type: registryTypes.expandableString, data: encodeRegistryText(String(first)) }
    default:
      return { type: registryTypes.string, data: encodeRegistryText(String(first)) }
  }
}
