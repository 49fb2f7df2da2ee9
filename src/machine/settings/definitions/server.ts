import { budgets } from '../../../base/budgets/budgets.ts'
import {
  boolean,
  directory,
  duration,
  file,
  integer,
  nameOf,
  namesOf,
  oneOf,
  port,
  searchPath,
  text,
  words,
} from '../kinds.ts'
import { storeName, webAddress } from './checks.ts'

const nodeTermini = ['plain', 'exec', 'json', 'msgpack', 'yaml', 'memory', 'ldap', 'puppetdb', 'rest'] as const

const catalogTermini = ['compiler', 'json', 'msgpack', 'yaml', 'memory', 'puppetdb', 'rest'] as const

/** The code server. */
export const server = {
  server_config: directory({
    doc: "The folder conf.d of a Puppet Server, whose webserver.conf, puppetserver.conf, ca.conf and auth.conf a server of ours takes, before what puppet.conf says. Called by Puppet's names: that of its packages.",
  }),
  bindaddress: text({ takes: 'an address of this machine, or *', default: '*', doc: 'The address to listen on.' }),
  code_repo: directory({
    withSources: '$vardir/sources/code.git',
    doc: 'A bare Git repository whose branches are the environments. Empty: directory environments. With code_sources it is where what is fetched is kept, and is not set.',
  }),
  max_environments: integer({
    default: String(budgets.environment.served.bound),
    doc: 'How many branches are served. A push of one more is refused.',
  }),
  max_environment_files: integer({
    default: String(budgets.push.files.bound),
    doc: 'How many files and folders a commit may have to be served. A push of more is refused.',
  }),
  max_environment_bytes: integer({
    default: String(budgets.push.bytes.bound),
    doc: 'How many bytes of a commit are loaded: all but files/ and what is larger than 1 MiB. A push of more is refused.',
  }),
  max_code_file_bytes: integer({
    default: String(budgets.push.codeFile.bound),
    doc: 'How large a manifest, a template, a file of data or of settings may be. A push of a larger one is refused.',
  }),
  git_repositories: words({
    takes: 'names of sources',
    default: '',
    doc: 'Sources of code_sources whose repositories, of this machine, are served over HTTPS beside the code repository: /git/SOURCE.git.',
  }),
  max_push_bytes: integer({
    default: String(budgets.git.pack.bound),
    doc: 'How many bytes a push over HTTPS may have. A push of more is refused.',
  }),
  max_served_files: integer({
    default: String(budgets.environment.files.bound),
    doc: 'How many files all environments may have together. What comes beyond stays at its old commit.',
  }),
  max_served_bytes: integer({
    default: String(budgets.environment.bytes.bound),
    doc: 'How many bytes of all environments may be loaded together. What comes beyond stays at its old commit.',
  }),
  environment_load_timeout: duration({
    default: `${budgets.environment.loadTime.bound / 1000}s`,
    doc: 'How long loading one commit may take, and as long again checking it.',
  }),
  max_pinned_commits: integer({
    default: String(budgets.environment.pins.bound),
    doc: 'How many commits are kept from being pruned, so that agents can ask for their files, besides those that catalogs in the store name.',
  }),
  shutdown_delay: duration({
    default: '0',
    doc: 'How long a server that is told to end still answers while its status says that it stops: the time in which a balancer sees it. With 0 it takes no more requests at once.',
  }),
  environment_timeout: duration({ default: '0', doc: 'Kept for environment.conf; a commit never grows stale.' }),
  static_catalogs: boolean({ default: 'true', doc: 'Whether catalogs hold the metadata of their files.' }),
  static_catalogs_scope: oneOf(
    'auto',
    'puppet',
    'modules',
    'all',
  )({
    default: 'auto',
    doc: 'Which files static catalogs name by their commit: puppet, what Puppet Server does; modules, those of every module of the commit; all, plug-ins and other mounts of modules too. auto: modules for a repository, puppet for folders.',
  }),
  legacy_routes: boolean({
    default: 'false',
    doc: 'Whether the URLs of Puppet 3, /ENVIRONMENT/INDIRECTION/KEY, are taken for those of today.',
  }),
  rich_data: boolean({ default: 'true', doc: 'Whether catalogs keep the types of their values.' }),
  config_version: file({ doc: 'A program that prints the version of a configuration.' }),
  eyaml_keydirs: searchPath({
    live: true,
    default: '$confdir/eyaml:/etc/puppetlabs/puppet/eyaml:/etc/puppet/eyaml',
    doc: 'Folders whose private keys a hiera.yaml may name, to decrypt data. No other file of the machine is read for it.',
  }),
  generators: searchPath({
    live: true,
    doc: 'Programs of the server that generate() may run, by their full paths. Who may push code decides with which words.',
  }),
  node_terminus: nameOf(...nodeTermini)({ default: 'plain', doc: 'Where nodes are classified.' }),
  node_cache_terminus: nameOf(...nodeTermini)({ doc: 'Where classifications are kept.' }),
  external_nodes: text({
    takes: 'a command, or none',
    default: 'none',
    doc: 'The program that classifies nodes (node_terminus = exec), with its arguments; the name of the node comes last.',
  }),
  facts_terminus: nameOf(
    'json',
    'yaml',
    'memory',
    'puppetdb',
    'rest',
  )({
    default: 'json',
    withStore: 'puppetdb',
    doc: 'Where the server keeps facts: in a file for each node (json, yaml), until it ends (memory), or in the store (puppetdb).',
  }),
  catalog_terminus: nameOf(...catalogTermini)({
    default: 'compiler',
    doc: 'Where catalogs come from; on an agent, rest.',
  }),
  storeconfigs: boolean({
    default: 'false',
    doc: 'Whether what nodes export is kept, for others to collect: @@file, File <<| |>>.',
  }),
  storeconfigs_backend: oneOf(
    'json',
    'memory',
    'puppetdb',
  )({
    default: 'json',
    withStore: 'puppetdb',
    doc: 'Where it is kept: in a file for each node (json), until the server ends (memory), or in the store (puppetdb).',
  }),
  catalog_cache_terminus: nameOf(...catalogTermini)({
    doc: 'Where the server keeps catalogs (json, or puppetdb: the store, which is where they go if there is one), and the agent its last one: json there, or yaml.',
  }),
  store: storeName({
    default: 'none',
    ofServer: 'sqlite',
    doc: 'The store of facts, catalogs and reports, for queries, history and the console: sqlite (a file below server_datadir), the address of a PostgreSQL (postgresql://user@host/database), puppetdb (the PuppetDBs in puppetdb.conf of confdir), or none.',
  }),
  token_file: file({
    default: '$server_datadir/tokens.json',
    doc: "What the server knows of the tokens that 'plumb token' makes: digests, and never a token. Times of use stand beside it.",
  }),
  unresponsive_after: duration({
    default: '2h',
    doc: 'How long a node may send no report before the pages call it unresponsive.',
  }),
  puppetdb_port: port({
    default: '0',
    doc: 'A port with nothing but /pdb, /metrics and /status, over TLS, for clients that know PuppetDB by its own: 8081 there; 0 is none. Besides what auth.conf says, or puppetdb_certificate_allowlist, it is as serverport.',
  }),
  puppetdb_plain_port: port({
    default: '0',
    doc: 'The same without TLS, on the loopback interface, for clients on this machine: 8080 there; 0 is none. Every user of this machine may then ask the store; nobody tells it anything.',
  }),
  puppetdb_certificate_allowlist: file({
    doc: "A file with a certname in each line: who may ask and tell all on puppetdb_port, and nobody else but by a token, as PuppetDB's certificate-allowlist has it. Without it auth.conf decides there, too.",
  }),
  server_plugins: directory({
    doc: "A folder of the server's owner with termini and report processors in JavaScript or Ruby: termini/node/NAME.js, termini/facts/NAME.js, reports/NAME.js; puppet/indirector/node/NAME.rb, puppet/reports/NAME.rb. What stands there runs as the server does; none comes with a push.",
  }),
  reports: namesOf(
    'store',
    'puppetdb',
    'http',
    'log',
    'none',
  )({
    default: 'store',
    withStore: 'store,puppetdb',
    doc: 'What is done with reports, by a server and by plumb apply: store (files in reportdir), puppetdb (the store), http (posted to reporturl), log, or none.',
  }),
  reporturl: webAddress({
    live: true,
    default: 'http://localhost:3000/reports/upload',
    doc: 'Where reports are posted to as YAML (reports = http); a user and a password may stand in it.',
  }),
  report_include_system_store: boolean({
    live: true,
    default: 'false',
    doc: 'Whether the authorities of the machine are trusted there, beside our own.',
  }),
  node_ttl: duration({
    default: '7d',
    doc: 'How long nothing is heard of a node before the store takes it for expired; 0 for ever.',
  }),
  node_purge_ttl: duration({
    default: '14d',
    doc: 'How long the store keeps a node that was deactivated or expired; 0 for ever.',
  }),
  report_ttl: duration({ default: '14d', doc: 'How long the store keeps reports; 0 for ever.' }),
  resource_events_ttl: duration({
    default: '$report_ttl',
    doc: 'How long it keeps the events of reports: not longer than those.',
  }),
  catalog_history_ttl: duration({
    default: '2y',
    doc: 'How long the store keeps catalogs that a node had before its last one; 0 for ever.',
  }),
  fact_history_ttl: duration({
    default: '90d',
    doc: 'How long the store keeps what facts were before they changed; 0 for ever.',
  }),
  gc_interval: duration({
    default: '1h',
    doc: 'How often the store removes what is too old, and what nobody refers to; 0 for never.',
  }),
  reportdir: directory({ default: '$vardir/reports', doc: 'Where reports are stored.' }),
  server_datadir: directory({
    default: '$vardir/server_data',
    doc: 'Where the server keeps facts, nodes and catalogs.',
  }),
  yamldir: directory({
    default: '$vardir/yaml',
    doc: 'Where nodes stand as YAML, as Puppet keeps them: node/NAME.yaml (node_terminus = yaml).',
  }),
  bucketdir: directory({ default: '$vardir/bucket', doc: 'The file bucket.' }),
  catalog_signing: boolean({
    default: 'true',
    doc: 'Whether catalogs are signed, where the server has a key for that (catalog_signer).',
  }),
  audit: boolean({
    default: 'true',
    doc: 'Whether the server keeps an audit log: which node got which catalog, who pushed what, what was served.',
  }),
  auditdir: directory({ default: '$vardir/audit', doc: 'The audit log, in segments.' }),
  audit_segment_size: integer({
    default: '16777216',
    doc: 'How many bytes a segment of the audit log has before the next one begins.',
  }),
  audit_ttl: duration({ default: '2y', doc: 'How long segments of the audit log are kept; 0 for ever.' }),
  auth_conf: file({
    live: true,
    default: '$confdir/auth.conf',
    doc: 'Who may do what. The rules of Puppet Server when absent.',
  }),
  auth_default_rules: boolean({
    live: true,
    default: 'true',
    doc: 'Whether an auth.conf is extended by the default rules of the endpoints that Puppet Server does not have; `plumb config auth --defaults` prints them.',
  }),
  trusted_external_command: text({
    takes: 'a command, or a folder of commands',
    live: true,
    doc: 'A program that prints a JSON object about a node for $trusted.external; in a directory, each executable file, under its name without extension.',
  }),
  compile_workers: integer({
    default: '0',
    doc: 'How many catalogs are compiled at once; 0 is one less than there are cores, at least one.',
  }),
  compile_slow_after: duration({
    default: '3s',
    doc: 'When a catalog takes long at the latest: if others wait, it then leaves its thread to them. Three times what is usual in its environment is long before that, though never less than a second. A node whose last two catalogs took that long begins among such.',
  }),
  compile_slow_workers: integer({
    default: String(budgets.environment.slowThreads.bound),
    doc: 'How many threads there may be for catalogs that take long, beside compile_workers; each takes 100 MiB and more.',
  }),
  catalog_traces: boolean({
    default: 'true',
    doc: 'Whether a catalog is answered without compiling while all that its compilation read (code, data, facts, answers) is as it was. The catalogs and what they read are kept below server_datadir.',
  }),
  catalog_trace_checks: integer({
    default: '100',
    doc: 'One of so many catalogs that need not be compiled is compiled nevertheless, and compared; 0 for none. Where the two differ, the environment has no traces any more: see `plumb code traces`.',
  }),
  compile_ahead_workers: integer({
    default: '1',
    doc: 'How many threads compile ahead, beside compile_workers, each of 100 MiB and more: after a push the catalogs of nodes that it changes are compiled before their agents ask, with what requests leave of the machine. 0 for none.',
  }),
  compile_timeout: duration({ default: '5m', doc: 'How long one catalog may take.' }),
  ruby_timeout: duration({ default: '30s', doc: 'How long one call of Ruby code of a module may take.' }),
  max_queued_requests: integer({
    default: '0',
    doc: 'How many compilations may wait before agents are told to retry; 0 is no bound but that of memory.',
  }),
  max_connections: integer({
    live: true,
    default: String(budgets.connection.total.bound),
    doc: 'How many connections there may be at once. Where the process may open fewer files, most of those.',
  }),
  max_connections_per_address: integer({
    live: true,
    default: String(budgets.connection.perAddress.bound),
    doc: 'How many of them may come from one address: half of all at most.',
  }),
  max_retry_delay: duration({ live: true, default: '30m', doc: 'The longest delay agents are told to wait.' }),
  max_requests_per_minute: integer({
    live: true,
    default: String(budgets.node.requests.bound),
    doc: 'How many requests of one node are answered in a minute. Beyond it: 429, and when to come again.',
  }),
  max_requests_at_once: integer({
    live: true,
    default: String(budgets.node.requestsAtOnce.bound),
    doc: 'How many requests of one node may be under way at once. Beyond it: 429, and when to come again.',
  }),
  bucket_max_file_size: integer({
    live: true,
    default: String(budgets.request.bucketFile.bound),
    doc: 'The largest file that the file bucket takes, in bytes.',
  }),
  bucket_min_free_space: integer({
    live: true,
    default: String(budgets.request.bucketFreeSpace.bound),
    doc: 'How many bytes of its disk the file bucket leaves free: beyond it uploads are refused.',
  }),
  report_min_free_space: integer({
    live: true,
    default: String(budgets.request.reportFreeSpace.bound),
    doc: 'How many bytes of their disk stored reports leave free: beyond it reports are refused.',
  }),
  code_id_command: file({ doc: 'Prints the code_id of an environment, where there is no Git repository.' }),
  code_content_command: file({ doc: 'Prints a file of a code_id, where there is no Git repository.' }),
} as const
