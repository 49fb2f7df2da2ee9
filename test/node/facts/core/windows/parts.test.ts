import { describe, expect, it } from 'vitest'
import { defineWindowsCloudFacts } from '../../../../../src/node/facts/core/windows/hardware.ts'
import { inventoryCommand, parseInventory } from '../../../../../src/node/facts/core/windows/inventory.ts'
import { findRelease } from '../../../../../src/node/facts/core/windows/os.ts'
import { parseRegistryValues } from '../../../../../src/node/facts/core/windows/registry.ts'
import type { FactSource } from '../../../../../src/node/facts/fact.ts'
import { fc } from '../../../../support/properties.ts'
import { windowsFacts, windowsMachine } from './windows-machine.ts'

/** Facter: util/facts/windows_release_finder.rb */
it.each([
  ['6.0.6002', 'Vista', '2008'],
  ['6.1.7601', '7', '2008 R2'],
  ['6.2.9200', '8', '2012'],
  ['6.3.9600', '8.1', '2012 R2'],
  ['10.0.14393', '10', '2016'],
  ['10.0.17622', '10', '2016'],
  ['10.0.17763', '10', '2019'],
  ['10.0.20348', '10', '2022'],
  ['10.0.22631', '11', '2022'],
  ['10.0.26100', '11', '2025'],
  ['7.0.1', '7.0', '7.0'],
])('the release of kernel %s is %s, or %s of a server', (kernelRelease, client, server) => {
  expect([findRelease(kernelRelease, true), findRelease(kernelRelease, false)]).toEqual([client, server])
})

/** Facter: resolvers/windows/virtualization.rb, facts/windows/hypervisors */
it.each([
  ['VMware, Inc.', 'VMware Virtual Platform', 'Phoenix', { virtual: 'vmware', hypervisors: { vmware: {} } }],
  ['VMware, Inc.', 'x', 'VMware, Inc.', { virtual: 'physical', hypervisors: { vmware: {} } }],
  ['QEMU', 'Standard PC (Q35)', 'SeaBIOS', { virtual: 'kvm', hypervisors: { kvm: {} } }],
  ['Amazon EC2', 't3.micro', 'Amazon EC2', { virtual: 'kvm', hypervisors: { kvm: { amazon: true } } }],
  ['Xen', 'HVM domU', 'Xen', { virtual: 'xen', hypervisors: { xen: { context: 'hvm' } } }],
  ['Xen', 'PV', 'Xen', { virtual: 'xen', hypervisors: { xen: { context: 'pv' } } }],
  ['Google', 'Google Compute Engine', 'Google', { virtual: 'gce', hypervisors: undefined }],
  ['OpenStack', 'OpenStack Nova', 'SeaBIOS', { virtual: 'openstack', hypervisors: undefined }],
  ['Nutanix', 'AHV', 'Nutanix', { virtual: 'ahv', hypervisors: undefined }],
  ['Microsoft Corporation', 'Virtual Machine', 'AMI', { virtual: 'hyperv', hypervisors: { hyperv: {} } }],
  ['Microsoft Corporation', 'Surface', 'Microsoft Corporation', { virtual: 'physical', hypervisors: { hyperv: {} } }],
  ['Dell Inc.', 'Latitude', 'Dell Inc.', { virtual: 'physical', hypervisors: undefined }],
])('the hypervisor of %s, %s', async (Manufacturer, Model, bios, { virtual, hypervisors }) => {
  const inventory = JSON.stringify({
    bios: { Manufacturer: bios, SerialNumber: '' },
    product: { Name: Model, UUID: 'X' },
    system: { Manufacturer, Model, OEMStringArray: null },
  })
  const found = await windowsFacts({ inventory })
  expect(found['virtual']).toBe(virtual)
  expect(found['is_virtual']).toBe(virtual !== 'physical')
  expect(found['hypervisors']).toEqual(hypervisors)
  expect(found['dmi']).toEqual({ manufacturer: bios, product: { name: Model, uuid: 'X' } })
})

it('sees KVM by its network driver', async () => {
  const system = [{ Manufacturer: 'Red Hat', Model: 'RHEL' }]
  const product = [{ Name: 'OpenStack Compute', UUID: 'X' }]
  const found = await windowsFacts({ inventory: JSON.stringify({ system, product, netkvm: [true] }) })
  expect(found['hypervisors']).toEqual({ kvm: { openstack: true } })
})

/** Facter: resolvers/windows/processors.rb */
it.each([
  [1, 2, 4, { count: 4, cores: 2, threads: 2, physicalcount: 1 }],
  [2, 8, 16, { count: 32, cores: 8, threads: 2, physicalcount: 2 }],
  [2, 2, 2, { count: 4, cores: 2, threads: 1, physicalcount: 2 }],
  [1, 4, 4, { count: 4, cores: 4, threads: 1, physicalcount: 1 }],
  [4, 1, null, { count: 4, cores: 1, threads: 1, physicalcount: 4 }],
])('%d processors with %d cores and %s threads', async (sockets, NumberOfCores, NumberOfLogicalProcessors, facts) => {
  const each = { Name: 'CPU  ', Architecture: 9, NumberOfCores, NumberOfLogicalProcessors }
  const found = await windowsFacts({ inventory: JSON.stringify({ processors: new Array(sockets).fill(each) }) })
  expect(found['processors']).toEqual({ ...facts, isa: 'x64', models: new Array(sockets).fill('CPU  ') })
})

it('has names that are not ASCII, and legacy facts of an interface whose name has a space', async () => {
  const adapter = { Name: 'Local Area Connection 2', Type: 71, Status: 1, Mac: '', Mtu: 1400, Dhcp: '255.255.255.255' }
  const other = { ...adapter, Name: 'Réseau', Suffix: 'example.net', Dhcp: '192.0.2.1', Addresses: '192.0.2.7/26' }
  const adapters = [{ ...adapter, Addresses: ['169.254.3.4/16'] }, other]
  const text = JSON.stringify({ adapters, user: 'FOO\\José', timezone: ['Mitteleuropäische Zeit'] })
  const inventory = text.replace(/[^ -~]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const found = await windowsFacts({ inventory }, true)
  expect(found).toMatchObject({
    identity: { user: 'FOO\\José' },
    timezone: 'Mitteleuropäische Zeit',
    fqdn: 'foo.example.net',
    networking: { primary: 'Réseau', ip: '192.0.2.7', network: '192.0.2.0', netmask: '255.255.255.192' },
    ipaddress_Réseau: '192.0.2.7',
    'ipaddress_Local Area Connection 2': '169.254.3.4',
    dhcp_servers: { system: '192.0.2.1', Réseau: '192.0.2.1' },
    interfaces: 'Local Area Connection 2,Réseau',
    operatingsystem: 'windows',
    osfamily: 'windows',
    operatingsystemrelease: '10',
    id: 'FOO\\José',
  })
})

/** Recorded with Wine 8, which has neither PowerShell nor firmware. */
it('uses the registry and the kernel without PowerShell', async () => {
  const zone = String.raw`SYSTEM\CurrentControlSet\Control\TimeZoneInformation`
  const bios = String.raw`HARDWARE\DESCRIPTION\System\BIOS`
  const addresses = () => [
    { interface: 'lo', address: '127.0.0.1', netmask: '255.0.0.0', mac: '00:00:00:00:00:00' },
    { interface: 'eth0', address: 'fe80::fc:ff:fe00:1', netmask: 'ffff:ffff:ffff:ffff::', mac: '02:fc:00:00:00:01' },
    { interface: 'eth0', address: '192.0.2.2', netmask: '255.255.255.0', mac: '02:fc:00:00:00:01' },
  ]
  const found = await windowsFacts({
    registry: {
      [zone]: `\r\nHKEY_LOCAL_MACHINE\\${zone}\r\n    Bias    REG_DWORD    0x168\r\n    ActiveTimeBias    REG_DWORD    0x12c\r\n    TimeZoneKeyName    REG_SZ    Central Standard Time\r\n\r\n`,
      [bios]: `\r\nHKEY_LOCAL_MACHINE\\${bios}\r\n    BIOSVendor    REG_SZ    SeaBIOS\r\n    BaseBoardProduct    REG_SZ    \r\n    SystemManufacturer    REG_SZ    QEMU\r\n    SystemProductName    REG_SZ    Standard PC\r\n\r\n`,
    },
    windows: { models: ['Xeon', 'Xeon'], userName: 'SYSTEM', isPrivileged: true },
    host: { addresses, variables: { USERDOMAIN: 'WORKGROUP' } },
  })
  expect(found).toMatchObject({
    timezone: 'Central Daylight Time',
    virtual: 'kvm',
    dmi: { manufacturer: 'SeaBIOS', product: { name: 'Standard PC' } },
    processors: { count: 2, models: ['Xeon'] },
    identity: { user: 'NT AUTHORITY\\SYSTEM', privileged: true },
    fips_enabled: false,
    networking: { primary: 'eth0', ip: '192.0.2.2', mac: '02:FC:00:00:00:01', domain: '', fqdn: 'foo' },
  })
  expect(Object.keys((found['networking'] as { interfaces: object }).interfaces)).toEqual(['eth0'])
})

describe('the cloud', () => {
  const cases = [
    ['Microsoft Corporation', 'Virtual Machine', 'azure', ['az_metadata']],
    ['Amazon EC2', 't3.micro', 'aws', ['ec2_metadata', 'ec2_userdata']],
    ['Google', 'Google Compute Engine', 'gce', ['gce']],
    ['Dell Inc.', 'Latitude', undefined, []],
  ] as const
  it.each(cases)('of %s, %s is %s', async (Manufacturer, Model, provider, names) => {
    const asked: string[] = []
    const source: FactSource = defineWindowsCloudFacts(async (url) => {
      asked.push(url)
      return new Response(url.endsWith('/latest/meta-data/') ? 'ami-id\n' : url.includes('latest') ? 'x' : '{"a": 1}')
    })
    const inventory = JSON.stringify({ system: { Manufacturer, Model } })
    const found = await source.find(windowsMachine({ inventory }))
    expect(found['cloud.provider']).toBe(provider)
    const given = Object.keys(found).filter((name) => name !== 'cloud.provider' && found[name] !== undefined)
    expect(given.sort()).toEqual(names)
    if (provider === undefined) expect(asked).toEqual([])
  })
})

it('fits in a command line of Windows, and is ASCII', () => {
  expect(inventoryCommand.join(' ').length).toBeLessThan(16_000)
  const script = Buffer.from(inventoryCommand.at(-1)!, 'base64').toString('utf16le')
  expect(script).toMatch(/^[\n -~]+$/)
})

describe('what the programs print', () => {
  it('is read by columns of four spaces', () => {
    const rows = [
      'HKEY_LOCAL_MACHINE\\X',
      '    (Default)    REG_SZ    a  b',
      '    A b    REG_DWORD    0x1',
      '    C    REG_SZ',
    ]
    expect(parseRegistryValues(rows.join('\r\n'))).toEqual({ '(default)': 'a  b', 'a b': '0x1', c: '' })
  })

  it('can be anything', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.string(), async (json, text) => {
        expect(parseInventory(text)).toSatisfy((found) => found === undefined || typeof found === 'object')
        parseRegistryValues(text)
        await windowsFacts({ inventory: json, registry: { 'HARDWARE\\DESCRIPTION\\System\\BIOS': text } })
      }),
      { numRuns: 50 },
    )
    const item = fc.dictionary(
      fc.constantFrom('Name', 'Type', 'Status', 'Mac', 'Mtu', 'Dhcp', 'Addresses', 'Suffix', 'Model', 'NumberOfCores'),
      fc.oneof(fc.jsonValue(), fc.constantFrom(1, 6, '192.0.2.1/99', ['::1/129', '1.2.3.4/24'], 'a')),
    )
    const parts = fc.constantFrom('bios', 'product', 'system', 'processors', 'adapters', 'user', 'netkvm', 'timezone')
    await fc.assert(
      fc.asyncProperty(fc.dictionary(parts, fc.oneof(item, fc.array(item), fc.jsonValue())), async (found) => {
        await windowsFacts({ inventory: JSON.stringify(found) }, true)
      }),
      { numRuns: 100 },
    )
  })
})
