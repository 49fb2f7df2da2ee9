import { join } from 'node:path'
import type { CodeWorkspace } from '../../code-index/code-workspace.ts'
import { isLegacyFact } from '../../lint/checks/facts/structured-facts.ts'

/** Variables that Puppet sets in the scope of each class and defined type. */
export const scopeVariables: readonly string[] = ['title', 'name', 'module_name', 'caller_module_name']

/** Variables that Puppet sets in every scope, and facts without a structured counterpart. */
const reserved: ReadonlySet<string> = new Set([
  ...scopeVariables,
  ...['facts', 'trusted', 'server_facts', 'environment'],
  ...['serverversion', 'servername', 'serverip', 'serverip6', 'settings', 'clientcert', 'clientversion', 'clientnoop'],
  ...['agent_specified_environment', 'kernel', 'kernelversion', 'kernelrelease', 'kernelmajversion', 'virtual'],
  ...[
    'is_virtual',
    'timezone',
    'facterversion',
    'puppetversion',
    'aio_agent_version',
    'path',
    'env_windows_installdir',
  ],
  ...['filesystems', 'partitions', 'mountpoints', 'disks', 'networking', 'os', 'memory', 'processors', 'dmi', 'ssh'],
  ...['identity', 'ruby', 'load_averages', 'system_uptime', 'augeas', 'fips_enabled', 'cloud', 'ec2_metadata'],
  ...['ec2_userdata', 'gce', 'az_metadata', 'hypervisors', 'xen', 'zones', 'nim_type', 'root_home', 'package_provider'],
  ...['service_provider', 'puppet_vardir', 'puppet_environmentpath', 'puppet_server', 'pe_version', 'is_pe'],
  ...['pe_server_version', 'compile_masters', 'platform_tag', 'osfamily', 'operatingsystem'],
])

/** Names of variables at top scope: of Puppet, facts, classifiers and site manifests. */
export class TopScope {
  readonly #workspace: CodeWorkspace
  readonly #given: ReadonlySet<string>
  #found: ReadonlySet<string> | undefined

  constructor(workspace: CodeWorkspace, given: readonly string[]) {
    this.#workspace = workspace
    this.#given = new Set(given)
  }

  has(name: string): boolean {
    if (/^\d+$/.test(name) || reserved.has(name) || this.#given.has(name) || isLegacyFact(name)) return true
    this.#found ??= new Set([...this.#listFacts(), ...this.#listSiteVariables()])
    return this.#found.has(name)
  }

  /** Facts that modules define: the names of their files, and the literal names in them. */
  *#listFacts(): Generator<string> {
    for (const { folder } of this.#workspace.modules.values()) {
      for (const path of [...this.#workspace.files.listBelow(join(folder, 'lib/facter'))]) {
        yield getFactName(path)
        const text = this.#workspace.text(path) ?? ''
        for (const [, name] of text.matchAll(/Facter\.add\(?[ \t]*[:"']{1,2}(\w+)/g)) yield name!
      }
      for (const path of this.#workspace.files.listBelow(join(folder, 'facts.d'))) {
        yield getFactName(path)
        for (const [, name] of (this.#workspace.text(path) ?? '').matchAll(/^[ \t"'{]*(\w+)["']?[ \t]*[=:]/gm))
          yield name!
      }
    }
  }

  /** Variables that manifests set at top scope or in node definitions. */
  *#listSiteVariables(): Generator<string> {
    const folder = join(this.#workspace.root, 'manifests/')
    const isModule = [...this.#workspace.modules.values()].some((each) => each.folder === this.#workspace.root)
    for (const path of isModule ? [] : this.#workspace.manifests.filter((each) => each.startsWith(folder)))
      for (const { kind, name, isDefinition } of this.#workspace.file(path)?.occurrences ?? [])
        if (kind === 'variable' && isDefinition && !name.includes('::')) yield name.replace(/@\d+$/, '')
  }
}

/** The name of a file without its folder and endings. */
function getFactName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).split('.', 1)[0]!
}
