// What the nodes of the dataset say of themselves.
import { readFileSync } from 'node:fs'
import { timeOf } from './nodes.js'

/** Facts that a real Facter found. */
const recorded = JSON.parse(readFileSync(new URL('../../oracle/facts.json', import.meta.url), 'utf8'))

const systems = {
  debian: { name: 'Debian', family: 'Debian', full: '12.11', major: '12', minor: '11', codename: 'bookworm' },
  ubuntu: { name: 'Ubuntu', family: 'Debian', full: '24.04', major: '24.04', minor: null, codename: 'noble' },
  redhat: { name: 'RedHat', family: 'RedHat', full: '9.4', major: '9', minor: '4', codename: 'Plow' },
  rocky: { name: 'Rocky', family: 'RedHat', full: '8.10', major: '8', minor: '10', codename: 'Green Obsidian' },
  sles: { name: 'SLES', family: 'Suse', full: '15.6', major: '15', minor: '6', codename: 'n/a' },
  windows: { name: 'windows', family: 'windows', full: '2022', major: '2022', minor: null, codename: null },
  freebsd: { name: 'FreeBSD', family: 'FreeBSD', full: '14.1-RELEASE', major: '14', minor: '1', codename: null },
  darwin: { name: 'Darwin', family: 'Darwin', full: '23.6.0', major: '23', minor: '6', codename: null },
}

const kernels = { windows: 'windows', freebsd: 'FreeBSD', darwin: 'Darwin' }

/** The facts of a node, as a command's payload of version 5 or 4. */
export function factsOf(node, round = 0) {
  return {
    certname: node.certname,
    environment: node.environment,
    producer_timestamp: timeOf(node, round * 24),
    ...(node.versions?.facts !== 4 && { producer: node.producer }),
    values: valuesOf(node, round),
    ...(node.tells.includes('packages') && { package_inventory: packagesOf(node) }),
  }
}

function valuesOf(node, round) {
  const { certname, index, profile } = node
  const [hostname, ...rest] = certname.split('.')
  const domain = rest.join('.')
  const network = networkOf(node, hostname, domain)
  return {
    hostname,
    domain,
    fqdn: certname,
    clientcert: certname,
    clientversion: index % 3 === 0 ? '7.23.0' : '8.10.0',
    kernel: kernels[profile] ?? 'Linux',
    ipaddress: network.ip,
    networking: network,
    os: osOf(profile),
    osfamily: systems[profile].family,
    operatingsystem: systems[profile].name,
    is_virtual: index % 4 !== 0,
    virtual: ['physical', 'kvm', 'docker', 'vmware'][index % 4],
    processorcount: 1 + (index % 5),
    processors: { ...recorded.processors, count: 1 + (index % 5) },
    memory: { system: { ...recorded.memory.system, total_bytes: 4294967296 * (1 + (index % 6)) } },
    memorysize_mb: 4096.5 * (1 + (index % 6)),
    load_averages: { '1m': 0.05 * index, '5m': 1.5, '15m': round + 0.25 },
    uptime_seconds: 86400 * index + round,
    system_uptime: { days: index, hours: 24 * index, seconds: 86400 * index + round, uptime: `${index} days` },
    timezone: index % 2 ? 'UTC' : 'CET',
    path: recorded.path,
    trusted: trustedOf(node, hostname, domain),
    ...oddFactsOf(node),
  }
}

function osOf(profile) {
  const { name, family, full, major, minor, codename } = systems[profile]
  const distro = { codename, description: `${name} ${full}`, id: name, release: { full, major } }
  return {
    ...recorded.os,
    architecture: profile === 'windows' ? 'x64' : 'amd64',
    family,
    name,
    release: minor === null ? { full, major } : { full, major, minor },
    distro,
    selinux: { enabled: family === 'RedHat' },
  }
}

function networkOf({ index }, hostname, domain) {
  const ip = `192.0.2.${10 + index}`
  const mac = `02:fc:00:00:00:${(16 + index).toString(16)}`
  const eth0 = {
    ...recorded.networking.interfaces.eth0,
    ip,
    mac,
    bindings: [{ address: ip, netmask: '255.255.255.0' }],
  }
  return {
    hostname,
    domain,
    fqdn: `${hostname}.${domain}`,
    ip,
    mac,
    mtu: 1400 + 100 * (index % 2),
    primary: 'eth0',
    interfaces: { eth0, lo: { ip: '127.0.0.1', mtu: 65536 }, 'eth0.100': { mtu: 1400 + index } },
  }
}

function trustedOf({ certname, index }, hostname, domain) {
  const role = ['web', 'db', 'mail'][index % 3]
  return {
    authenticated: 'remote',
    certname,
    hostname,
    domain,
    extensions:
      index % 4 === 3 ? {} : { pp_role: role, pp_datacenter: `dc-${index % 2}`, '1.3.6.1.4.1.34380.1.2.1': 'x' },
    external: {},
  }
}

/** Values and names that are hard on a store: every node has some of them. */
function oddFactsOf({ index }) {
  const odd = [
    { unicode: 'Grüße, 世界 🚀', 'naïve name': 'é' },
    {
      big: '<json 9007199254740993>',
      whole_float: '<json 1.0>',
      exponent: '<json 1.5e30>',
      negative: -42,
      zero: 0,
      tiny: 0.000001,
      large: 12345678.125,
      whole: 3.5,
    },
    { empty_hash: {}, empty_array: [], empty_string: '', nothing: { at: { all: null } } },
    { 'dotted.name': { 'inner.name': 1, plain: 'p' }, 'with "quotes"': "it's", 'back\\slash': 'a\\b' },
    {
      mixed: [1, 'two', true, null, 3.5, [4, ['five']], { six: 6 }],
      deep: { a: { b: { c: { d: { e: 'bottom' } } } } },
    },
    { lines: 'one\ntwo\n', tab: 'a\tb', percent: '100%', underscore: 'a_b', star: '*' },
    { number_text: '42', float_text: '4.2', true_text: 'true', null_text: 'null', flag: false },
    {
      disks: {
        sda: { size_bytes: 274877906944 + index, type: 'ssd' },
        sdb: { size_bytes: 1099511627776, type: 'hdd' },
      },
    },
    {
      'key with spaces': { 'x y': 1 },
      0: 'digit',
      mountpoints: { '/': { size: '10 GiB' }, '/var/lib': { size: '1 TiB' } },
    },
  ]
  return { ...odd[index % odd.length], ...odd[(index * 2 + 1) % odd.length], site: { index, even: index % 2 === 0 } }
}

function packagesOf({ index, profile }) {
  const provider = { debian: 'apt', ubuntu: 'apt', sles: 'zypper', windows: 'windows' }[profile] ?? 'yum'
  const common = [
    ['openssl', index % 2 ? '3.0.16-1' : '3.0.15-1', provider],
    ['puppet-agent', '8.10.0-1', provider],
    ['zlib', '1:1.2.13.dfsg-1', provider],
    ['rake', '13.0.6', 'gem'],
    ['requests', '2.28.1', 'pip'],
  ]
  return [...common, [`package-of-${index}`, `${index}.0`, provider], ['naïve', '1.0~rc1+b2', provider]]
}

export { systems }
