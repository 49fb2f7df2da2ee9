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

  constructor(workspace: CodeWorkspace, given: readonly string[]) {
    this.#workspace = workspace
    this.#given = new Set(given)
  }

  has(name: string): boolean {
    if (/^\d+$/.test(name) || reserved.has(name) || this.#given.has(name) || isLegacyFact(name)) return true
    const { facts, siteVariables } = this.#workspace.index.names
    return facts.has(name) || siteVariables.has(name)
  }
}
