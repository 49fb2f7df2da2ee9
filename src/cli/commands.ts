import type { Command } from './command.ts'

/** A word of the command line; its module is loaded only when it is said. */
export interface CommandEntry {
  readonly name: string
  /** One line for the table of commands. */
  readonly summary: string
  load(): Promise<Command>
}

/** Every command, in the order that help lists them. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'catalog',
    summary: 'Compiles, compares and shows catalogs.',
    load: async () => (await import('./catalog.ts')).catalog,
  },
  {
    name: 'config',
    summary: 'Shows and changes settings.',
    load: async () => (await import('./config.ts')).config,
  },
  {
    name: 'ca',
    summary: 'Manages the certificate authority.',
    load: async () => (await import('./ca/ca.ts')).ca,
  },
  {
    name: 'parser',
    summary: 'Checks manifests, and shows their syntax trees.',
    load: async () => (await import('./parser.ts')).parser,
  },
  {
    name: 'epp',
    summary: 'Checks EPP templates, and shows their syntax trees.',
    load: async () => (await import('./epp.ts')).epp,
  },
  {
    name: 'demo',
    summary: 'Shows the whole line at work: push, catalog, agent, push again.',
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'lookup',
    summary: 'Looks up data, and explains where it comes from.',
    load: async () => (await import('./lookup.ts')).lookup,
  },
  {
    name: 'server',
    summary: 'Runs the code server: environments from a Git repository, catalogs, files, certificates.',
    load: async () => (await import('./server.ts')).server,
  },
  {
    name: 'code',
    summary: 'Shows what code is served, and checks what a push would bring.',
    load: async () => (await import('./code.ts')).code,
  },
  {
    name: 'audit',
    summary: 'Shows and proves the audit log: who got which catalog, who pushed what.',
    load: async () => (await import('./audit.ts')).audit,
  },
  {
    name: 'node',
    summary: 'Shows what is known of nodes, and cleans it up.',
    load: async () => (await import('./node.ts')).node,
  },
  {
    name: 'module',
    summary: 'Shows the modules of an environment, and what they need.',
    load: async () => (await import('./module-list.ts')).module,
  },
  {
    name: 'device',
    summary: 'Configures devices that have no agent of their own, from here.',
    load: async () => (await import('./device.ts')).device,
  },
  {
    name: 'query',
    summary: 'Asks the store, in the language of PuppetDB.',
    load: async () => (await import('./query.ts')).query,
  },
  {
    name: 'store',
    summary: 'Looks after the store of nodes: status, backups, archives, migration.',
    load: async () => (await import('./store/store.ts')).store,
  },
  {
    name: 'environment',
    summary: 'Shows the environments of the repository, or of the environmentpath.',
    load: async () => (await import('./environment.ts')).environment,
  },
  {
    name: 'token',
    summary: 'Makes, lists and revokes tokens: passwords of tools that ask the store.',
    load: async () => (await import('./token.ts')).token,
  },
  {
    name: 'doctor',
    summary: 'Looks at this installation, and says what is wrong and what to do.',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'migrate',
    summary: 'Takes over what another server has.',
    load: async () => (await import('./migrate.ts')).migrate,
  },
  {
    name: 'ssl',
    summary: "Manages this host's keys and certificates.",
    load: async () => (await import('./ssl.ts')).ssl,
  },
  {
    name: 'facts',
    summary: 'Shows what this machine says of itself.',
    load: async () => (await import('./facts.ts')).facts,
  },
  {
    name: 'agent',
    summary: 'Fetches the catalog of this node and applies it.',
    load: async () => (await import('./agent.ts')).agent,
  },
  {
    name: 'apply',
    summary: 'Compiles a manifest and applies it to this machine, without a server.',
    load: async () => (await import('./apply.ts')).apply,
  },
  {
    name: 'script',
    summary: 'Runs a manifest as a script, without a catalog.',
    load: async () => (await import('./script.ts')).script,
  },
  {
    name: 'resource',
    summary: "Shows things of this machine in Puppet's language, and changes single ones.",
    load: async () => (await import('./resource.ts')).resource,
  },
  {
    name: 'describe',
    summary: 'Shows the built-in resource types: what they take, and their providers.',
    load: async () => (await import('./describe.ts')).describe,
  },
  {
    name: 'hiera',
    summary: 'Looks up data as the program hiera does.',
    load: async () => (await import('./names/hiera.ts')).hiera,
  },
  {
    name: 'names',
    summary: 'Makes the names puppet, facter and hiera mean this program.',
    load: async () => (await import('./names/names.ts')).names,
  },
  {
    name: 'filebucket',
    summary: 'Keeps and gives back old versions of files.',
    load: async () => (await import('./filebucket/filebucket.ts')).filebucket,
  },
  {
    name: 'plugin',
    summary: "Fetches the modules' plug-ins from the server.",
    load: async () => (await import('./plugin.ts')).plugin,
  },
]
