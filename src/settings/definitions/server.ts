import { budgets } from '../../base/budgets.ts'
import { boolean, directory, duration, file, integer, searchPath, text, words } from '../kinds.ts'

/** The code server. */
export const server = {
  bindaddress: text({ default: '*', doc: 'The address to listen on.' }),
  code_repo: directory({
    doc: 'A bare Git repository whose branches are the environments. Empty: directory environments.',
  }),
  environment_timeout: text({ default: '0', doc: 'Kept for environment.conf; a commit never grows stale.' }),
  static_catalogs: boolean({ default: 'true', doc: 'Whether catalogs hold the metadata of their files.' }),
  rich_data: boolean({ default: 'true', doc: 'Whether catalogs keep the types of their values.' }),
  config_version: file({ doc: 'A program that prints the version of a configuration.' }),
  eyaml_keydirs: searchPath({
    default: '$confdir/eyaml:/etc/puppetlabs/puppet/eyaml:/etc/puppet/eyaml',
    doc: 'Folders whose private keys a hiera.yaml may name, to decrypt data. No other file of the machine is read for it.',
  }),
  generators: searchPath({
    doc: 'Programs of the server that generate() may run, by their full paths. Who may push code decides with which words.',
  }),
  node_terminus: text({ default: 'plain', doc: 'Where nodes are classified.' }),
  node_cache_terminus: text({ doc: 'Where classifications are kept.' }),
  external_nodes: text({
    default: 'none',
    doc: 'The program that classifies nodes (node_terminus = exec), with its arguments; the name of the node comes last.',
  }),
  facts_terminus: text({ default: 'json', doc: 'Where the server keeps facts.' }),
  catalog_terminus: text({ default: 'compiler', doc: 'Where catalogs come from.' }),
  storeconfigs: boolean({
    default: 'false',
    doc: 'Whether what nodes export is kept, for others to collect: @@file, File <<| |>>.',
  }),
  storeconfigs_backend: text({
    default: 'json',
    doc: 'Where it is kept: in a file for each node (json), or until the server ends (memory).',
  }),
  catalog_cache_terminus: text({ doc: 'Where the server keeps catalogs.' }),
  reports: words({ default: 'store', doc: 'What is done with reports: store, log.' }),
  reportdir: directory({ default: '$vardir/reports', doc: 'Where reports are stored.' }),
  server_datadir: directory({
    default: '$vardir/server_data',
    doc: 'Where the server keeps facts, nodes and catalogs.',
  }),
  bucketdir: directory({ default: '$vardir/bucket', doc: 'The file bucket.' }),
  auth_conf: file({ default: '$confdir/auth.conf', doc: 'Who may do what. The rules of Puppet Server when absent.' }),
  trusted_external_command: text({ doc: 'A program that tells more of a node, as $trusted.external.' }),
  compile_workers: integer({
    default: '0',
    doc: 'How many catalogs are compiled at once; 0 is one less than there are cores, at least one.',
  }),
  compile_timeout: duration({ default: '5m', doc: 'How long one catalog may take.' }),
  ruby_timeout: duration({ default: '30s', doc: 'How long one call of Ruby code of a module may take.' }),
  max_queued_requests: integer({
    default: '0',
    doc: 'How many compilations may wait before agents are told to retry; 0 is no bound.',
  }),
  max_connections: integer({
    default: String(budgets.connection.total.bound),
    doc: 'How many connections there may be at once. Where the process may open fewer files, most of those.',
  }),
  max_connections_per_address: integer({
    default: String(budgets.connection.perAddress.bound),
    doc: 'How many of them may come from one address: half of all at most.',
  }),
  max_retry_delay: duration({ default: '30m', doc: 'The longest delay agents are told to wait.' }),
  code_id_command: file({ doc: 'Prints the code_id of an environment, where there is no Git repository.' }),
  code_content_command: file({ doc: 'Prints a file of a code_id, where there is no Git repository.' }),
} as const
