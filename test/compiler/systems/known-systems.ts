import type { ExactJson } from '../../../src/base/json/exact-json.ts'

type Facts = Readonly<Record<string, ExactJson>>

/** Facts of a node with Windows, as its agent sends them. */
function windows(major: string, build: number, more: { readonly type?: string; readonly name: string }): Facts {
  const kernel = build < 10_000 ? '6.3' : '10.0'
  return {
    kernel: 'windows',
    kernelmajversion: kernel,
    kernelrelease: `${kernel}.${build}`,
    kernelversion: `${kernel}.${build}`,
    env_windows_installdir: 'C:\\Program Files\\Puppet Labs\\Puppet',
    identity: { privileged: true, user: 'CORP\\svc_puppet' },
    networking: { hostname: 'win01', domain: 'corp.example.test', fqdn: 'win01.corp.example.test' },
    os: {
      architecture: 'x64',
      family: 'windows',
      hardware: 'x86_64',
      name: 'windows',
      release: { full: major, major },
      windows: { installation_type: more.type ?? 'Server', product_name: more.name, system32: 'C:\\Windows\\system32' },
    },
    path: 'C:\\Program Files\\Puppet Labs\\Puppet\\bin;C:\\Windows\\system32;C:\\Windows',
    ruby: { platform: 'x64-mingw32', version: '2.7.7' },
  }
}

/** Facts of a node with macOS, as its agent sends them. */
function macos(version: string, darwin: string, architecture: string): Facts {
  const [major, minor] = version.split('.')
  return {
    kernel: 'Darwin',
    kernelmajversion: darwin.replace(/\.\d+$/, ''),
    kernelrelease: darwin,
    kernelversion: darwin,
    identity: { privileged: true, user: 'root', uid: 0, gid: 0 },
    networking: { hostname: 'mac01', domain: 'corp.example.test', fqdn: 'mac01.corp.example.test' },
    os: {
      architecture,
      family: 'Darwin',
      hardware: architecture,
      name: 'Darwin',
      release: { full: darwin, major: darwin.split('.')[0]!, minor: darwin.split('.')[1]! },
      macosx: { build: '20A1', product: 'macOS', version: { full: version, major: major!, minor: minor! } },
    },
    path: '/opt/puppetlabs/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    ruby: { platform: 'arm64-darwin21', version: '2.7.7' },
  }
}

/** Legacy facts, which agents of Puppet 8 do not send. */
function withLegacyFacts(facts: Facts): Facts {
  const os = facts['os'] as { family: string; name: string; release: { full: string } }
  return {
    ...facts,
    osfamily: os.family,
    operatingsystem: os.name,
    operatingsystemrelease: os.release.full,
    ...(os.family === 'windows' && { system32: 'C:\\Windows\\system32' }),
  }
}

/** Facts by the name of a system. */
export const knownSystems: Readonly<Record<string, Facts>> = {
  'windows-10': withLegacyFacts(windows('10', 19_045, { type: 'Client', name: 'Windows 10 Enterprise' })),
  'windows-11': withLegacyFacts(windows('11', 26_100, { type: 'Client', name: 'Windows 11 Enterprise' })),
  'windows-2012r2': withLegacyFacts(windows('2012 R2', 9_600, { name: 'Windows Server 2012 R2 Standard' })),
  'windows-2016': withLegacyFacts(windows('2016', 14_393, { name: 'Windows Server 2016 Standard' })),
  'windows-2019': withLegacyFacts(windows('2019', 17_763, { name: 'Windows Server 2019 Standard' })),
  'windows-2022': withLegacyFacts(windows('2022', 20_348, { name: 'Windows Server 2022 Standard' })),
  'windows-2022-core': withLegacyFacts(
    windows('2022', 20_348, { type: 'Server Core', name: 'Windows Server 2022 Standard' }),
  ),
  'windows-2025': windows('2025', 26_100, { name: 'Windows Server 2025 Standard' }),
  'macos-12': withLegacyFacts(macos('12.7', '21.6.0', 'x86_64')),
  'macos-15': macos('15.1', '24.1.0', 'arm64'),
}
