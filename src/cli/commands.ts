import type { CliCommand } from './command/command.ts'

/** A command whose module is loaded on demand. */
export interface CommandEntry {
  readonly name: string
  readonly group: keyof typeof commandGroups
  /** One line for the table of commands. */
  readonly summary: string
  load(): Promise<CliCommand>
}

/** The groups of commands, in the order of `plumb help`. */
const commandGroups = {
  common: 'Common',
  access: 'Certificates and access',
  state: 'Environments and the store',
  language: 'Language and modules',
  machine: 'This machine',
  shell: 'Other names and the shell',
} as const

/** All commands, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'catalog',
    group: 'common',
    summary: 'Compile, compare and print catalogs.',
    load: async () => (await import('./catalog/catalog.ts')).catalogCommand,
  },
  {
    name: 'config',
    group: 'common',
    summary: 'Print and change settings.',
    load: async () => (await import('./config/config.ts')).config,
  },
  {
    name: 'ca',
    group: 'access',
    summary: 'Manage the certificate authority.',
    load: async () => (await import('./ca/ca.ts')).caCommand,
  },
  {
    name: 'parser',
    group: 'language',
    summary: 'Validate manifests and print their syntax trees.',
    load: async () => (await import('./parser/parser.ts')).parser,
  },
  {
    name: 'format',
    group: 'language',
    summary: 'Format manifests in the style of the Puppet style guide.',
    load: async () => (await import('./format/format.ts')).formatCommand,
  },
  {
    name: 'epp',
    group: 'language',
    summary: 'Validate, render and print EPP templates.',
    load: async () => (await import('./parser/epp.ts')).eppCommand,
  },
  {
    name: 'lint',
    group: 'language',
    summary: 'Check manifests against the style guide, and correct them.',
    load: async () => (await import('./lint/lint.ts')).lintCommand,
  },
  {
    name: 'demo',
    group: 'common',
    summary: 'Demonstrate a push, a catalog, an agent run and a second push in a scratch directory.',
    load: async () => (await import('./demo/demo.ts')).demo,
  },
  {
    name: 'lookup',
    group: 'common',
    summary: 'Look up data and explain its source.',
    load: async () => (await import('./lookup/lookup.ts')).lookupCommand,
  },
  {
    name: 'server',
    group: 'common',
    summary: 'Run the code server, which serves catalogs, files and certificates from environments in Git.',
    load: async () => (await import('./server/server.ts')).serverCommand,
  },
  {
    name: 'code',
    group: 'common',
    summary: 'Print the served code, and check, fetch and compare code.',
    load: async () => (await import('./code/code.ts')).codeCommand,
  },
  {
    name: 'bundle',
    group: 'common',
    summary: 'Carry code, modules, gems and catalogs to a site without network.',
    load: async () => (await import('./bundle/bundle.ts')).bundleCommand,
  },
  {
    name: 'rollout',
    group: 'common',
    summary: 'Print and control rollouts, which give a commit to nodes in waves.',
    load: async () => (await import('./rollout/rollout.ts')).rolloutCommand,
  },
  {
    name: 'audit',
    group: 'access',
    summary: 'Print and verify the audit log of catalogs and pushes.',
    load: async () => (await import('./audit/audit.ts')).auditCommand,
  },
  {
    name: 'node',
    group: 'common',
    summary: 'Print, deactivate and clean up the nodes of the server.',
    load: async () => (await import('./node/node.ts')).nodeCommand,
  },
  {
    name: 'run',
    group: 'common',
    summary: 'Order nodes to run their agents now.',
    load: async () => (await import('./run/run.ts')).runCommand,
  },
  {
    name: 'module',
    group: 'language',
    summary: 'Create, check, build, install, upgrade and list modules.',
    load: async () => (await import('./module/module.ts')).moduleCommand,
  },
  {
    name: 'test',
    group: 'language',
    summary: 'Run the tests of a module or a control repository.',
    load: async () => (await import('./test/test.ts')).testCommand,
  },
  {
    name: 'language-server',
    group: 'language',
    summary: 'Serve editors by the Language Server Protocol.',
    load: async () => (await import('./language-server/language-server.ts')).languageServerCommand,
  },
  {
    name: 'gem',
    group: 'machine',
    summary: 'Install, list and uninstall gems for Ruby code on this node.',
    load: async () => (await import('./gem/gem.ts')).gemCommand,
  },
  {
    name: 'device',
    group: 'machine',
    summary: 'Configure network devices that have no agent of their own.',
    load: async () => (await import('./agent/device.ts')).device,
  },
  {
    name: 'query',
    group: 'common',
    summary: 'Query the store, in the query language of PuppetDB.',
    load: async () => (await import('./query/query.ts')).queryCommand,
  },
  {
    name: 'store',
    group: 'state',
    summary: 'Print the status of the store, and back up, archive and migrate the store.',
    load: async () => (await import('./store/store.ts')).storeCommand,
  },
  {
    name: 'environment',
    group: 'state',
    summary: 'List the environments of the repository or the environmentpath.',
    load: async () => (await import('./environment/environment.ts')).environmentCommand,
  },
  {
    name: 'token',
    group: 'access',
    summary: 'Create, list and revoke tokens for tools that query the store and for users who push code.',
    load: async () => (await import('./token/token.ts')).tokenCommand,
  },
  {
    name: 'service',
    group: 'machine',
    summary: 'Run the agent as a service of Windows.',
    load: async () => (await import('./service/service.ts')).serviceCommand,
  },
  {
    name: 'doctor',
    group: 'common',
    summary: 'Examine this installation, and print each fault with its remedy.',
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
  {
    name: 'migrate',
    group: 'state',
    summary: 'Migrate the CA, settings and code of a Puppet Server.',
    load: async () => (await import('./migration/migrate.ts')).migrateCommand,
  },
  {
    name: 'plan',
    group: 'state',
    summary: 'Predict the machines that a site needs.',
    load: async () => (await import('./plan/plan.ts')).planCommand,
  },
  {
    name: 'ssl',
    group: 'access',
    summary: "Manage this host's keys and certificates.",
    load: async () => (await import('./ssl/ssl.ts')).sslCommand,
  },
  {
    name: 'facts',
    group: 'machine',
    summary: 'Print the facts of this machine.',
    load: async () => (await import('./facts/facts.ts')).factsCommand,
  },
  {
    name: 'agent',
    group: 'common',
    summary: 'Fetch the catalog of this node and apply it.',
    load: async () => (await import('./agent/agent.ts')).agentCommand,
  },
  {
    name: 'apply',
    group: 'common',
    summary: 'Compile a manifest and apply it to this machine without a server.',
    load: async () => (await import('./apply/apply.ts')).apply,
  },
  {
    name: 'script',
    group: 'language',
    summary: 'Run a manifest as a script, without a catalog.',
    load: async () => (await import('./apply/script.ts')).script,
  },
  {
    name: 'resource',
    group: 'machine',
    summary: 'Print or change resources on this machine, in Puppet syntax.',
    load: async () => (await import('./resource/resource.ts')).resourceCommand,
  },
  {
    name: 'describe',
    group: 'language',
    summary: 'Print the documentation of resource types and their providers.',
    load: async () => (await import('./describe/describe.ts')).describeCommand,
  },
  {
    name: 'docs',
    group: 'language',
    summary: 'Write the reference of a module from its documentation comments.',
    load: async () => (await import('./docs/docs.ts')).docsCommand,
  },
  {
    name: 'hiera',
    group: 'shell',
    summary: 'Look up data as the hiera program does.',
    load: async () => (await import('./names/hiera.ts')).hieraCommand,
  },
  {
    name: 'names',
    group: 'shell',
    summary: 'Install `puppet`, `facter` and `hiera` as aliases for `plumb`.',
    load: async () => (await import('./names/names.ts')).namesCommand,
  },
  {
    name: 'filebucket',
    group: 'machine',
    summary: 'Store, list and restore old versions of files.',
    load: async () => (await import('./filebucket/filebucket.ts')).filebucketCommand,
  },
  {
    name: 'plugin',
    group: 'machine',
    summary: "Download the modules' plug-ins from the server.",
    load: async () => (await import('./module/plugin.ts')).plugin,
  },
  {
    name: 'generate',
    group: 'language',
    summary: "Accept the commands of 'puppet generate', for compatibility.",
    load: async () => (await import('./generate/generate.ts')).generateTypesCommand,
  },
  {
    name: 'doc',
    group: 'language',
    summary: 'Print a reference of settings, types or metaparameters.',
    load: async () => (await import('./describe/doc.ts')).doc,
  },
  {
    name: 'completion',
    group: 'shell',
    summary: 'Print the completion script of a shell.',
    load: async () => (await import('./completion/completion.ts')).completion,
  },
  {
    name: 'man',
    group: 'shell',
    summary: 'Print the manual page of the program or of one command.',
    load: async () => (await import('./manual/man-command.ts')).man,
  },
]

/** The commands of each group, in the order of `plumb help`. */
export function listCommandGroups(): readonly { readonly title: string; readonly members: readonly CommandEntry[] }[] {
  return Object.entries(commandGroups).map(([group, title]) => ({
    title,
    members: commands.filter((each) => each.group === group),
  }))
}

/** A command or an action: the words of its path, and its definition. */
export interface CommandPath {
  readonly path: readonly string[]
  readonly command: CliCommand
}

/** Every command and action, loaded. */
export async function loadCommandPaths(): Promise<readonly CommandPath[]> {
  const listPathsBelow = (command: CliCommand, path: readonly string[]): CommandPath[] => [
    { path, command },
    ...(command.commands ?? []).flatMap((each) => listPathsBelow(each, [...path, each.name])),
  ]
  const loaded = await Promise.all(commands.map(async ({ name, load }) => listPathsBelow(await load(), [name])))
  return loaded.flat()
}
