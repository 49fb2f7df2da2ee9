import { budgets } from '../../../base/budgets/budgets.ts'
import {
  defineBoolean,
  defineChoice,
  defineDirectory,
  defineDuration,
  defineFile,
  defineInteger,
  definePluginName,
  definePluginNames,
  definePort,
  defineSearchPath,
  defineText,
  defineWords,
} from '../kinds.ts'
import { defineStoreName, defineWebAddress } from './validated-kinds.ts'

const nodeTermini = ['plain', 'exec', 'json', 'msgpack', 'yaml', 'memory', 'ldap', 'puppetdb', 'rest'] as const

const catalogTermini = ['compiler', 'json', 'msgpack', 'yaml', 'memory', 'puppetdb', 'rest'] as const

/** Settings of the code server. */
export const serverSettings = {
  server_config: defineDirectory({
    doc: 'Directory conf.d of a Puppet Server. The server reads webserver.conf, puppetserver.conf, ca.conf and auth.conf in it; they override puppet.conf. If this program runs as `puppet`, the default is the directory of the packages of Puppet.',
  }),
  bindaddress: defineText({ takes: 'an IP address of this machine, or *', default: '*', doc: 'Address to listen on.' }),
  code_repo: defineDirectory({
    withSources: '$vardir/sources/code.git',
    doc: 'Bare Git repository whose branches are the environments. Empty: directory environments. With code_sources, this is the repository of fetched code; do not set it.',
  }),
  max_environments: defineInteger({
    default: String(budgets.environment.served.bound),
    doc: 'Maximum number of branches that are served. A push that exceeds it is rejected.',
  }),
  max_environment_files: defineInteger({
    default: String(budgets.push.files.bound),
    doc: 'Maximum number of files and directories in a commit. A push that exceeds it is rejected.',
  }),
  max_environment_bytes: defineInteger({
    default: String(budgets.push.bytes.bound),
    doc: 'Maximum number of bytes that are loaded from a commit. Directories named files and files above 1 MiB do not count. A push that exceeds it is rejected.',
  }),
  max_code_file_bytes: defineInteger({
    default: String(budgets.push.codeFile.bound),
    doc: 'Maximum size of a manifest, template, data file or configuration file, in bytes. A push that exceeds it is rejected.',
  }),
  git_repositories: defineWords({
    takes: 'source names',
    default: '',
    doc: 'Names of sources in code_sources whose local repositories are served over HTTPS as /git/SOURCE.git, in addition to the code repository.',
  }),
  max_push_bytes: defineInteger({
    default: String(budgets.git.pack.bound),
    doc: 'Maximum size of a push over HTTPS, in bytes. A larger push is rejected.',
  }),
  max_served_files: defineInteger({
    default: String(budgets.environment.files.bound),
    doc: 'Maximum number of files in all environments. An environment that would exceed it keeps its current commit.',
  }),
  max_served_bytes: defineInteger({
    default: String(budgets.environment.bytes.bound),
    doc: 'Maximum number of loaded bytes in all environments. An environment that would exceed it keeps its current commit.',
  }),
  environment_load_timeout: defineDuration({
    default: `${budgets.environment.loadTime.bound / 1000}s`,
    doc: 'Maximum time to load a commit, and maximum time to check it.',
  }),
  max_pinned_commits: defineInteger({
    default: String(budgets.environment.pins.bound),
    doc: 'Maximum number of commits that are protected from pruning, so that agents can download their files. Commits of catalogs in the store do not count.',
  }),
  shutdown_delay: defineDuration({
    default: '0',
    doc: 'Time that a stopping server still serves requests while its status is stopping, so that a load balancer can remove it. With 0, it rejects new requests at once.',
  }),
  environment_timeout: defineDuration({
    default: '0',
    doc: 'Cache lifetime of a directory environment, as in environment.conf. The code of a commit never changes and is cached without it.',
  }),
  static_catalogs: defineBoolean({ default: 'true', doc: 'Add the metadata of files to catalogs.' }),
  static_catalogs_scope: defineChoice(
    'auto',
    'puppet',
    'modules',
    'all',
  )({
    default: 'auto',
    doc: 'Files that static catalogs identify by commit: puppet, as Puppet Server; modules, the files of all modules of the commit; all, also plug-ins and other module mounts. auto is modules for a Git repository and puppet for directories.',
  }),
  legacy_routes: defineBoolean({
    default: 'false',
    doc: 'Accept the URLs of Puppet 3 (/ENVIRONMENT/INDIRECTION/KEY).',
  }),
  rich_data: defineBoolean({ default: 'true', doc: 'Preserve the data types of values in catalogs.' }),
  config_version: defineFile({ doc: 'Executable that prints the configuration version.' }),
  eyaml_keydirs: defineSearchPath({
    live: true,
    default: '$confdir/eyaml:/etc/puppetlabs/puppet/eyaml:/etc/puppet/eyaml',
    doc: 'Directories of private keys that a hiera.yaml may name to decrypt data. Keys in other directories are not read.',
  }),
  generators: defineSearchPath({
    live: true,
    doc: 'Full paths of the executables that generate() may run on the server. Anyone who can push code chooses their arguments.',
  }),
  node_terminus: definePluginName(...nodeTermini)({ default: 'plain', doc: 'Source of node classifications.' }),
  node_cache_terminus: definePluginName(...nodeTermini)({ doc: 'Cache of node classifications.' }),
  external_nodes: defineText({
    takes: 'a command, or none',
    default: 'none',
    doc: 'External node classifier (node_terminus = exec), with its arguments. The node name is appended.',
  }),
  facts_terminus: definePluginName(
    'json',
    'yaml',
    'memory',
    'puppetdb',
    'rest',
  )({
    default: 'json',
    withStore: 'puppetdb',
    doc: 'Storage of facts on the server: one file per node (json, yaml), memory, or the store (puppetdb).',
  }),
  catalog_terminus: definePluginName(...catalogTermini)({
    default: 'compiler',
    doc: 'Source of catalogs. An agent uses rest.',
  }),
  storeconfigs: defineBoolean({
    default: 'false',
    doc: 'Store exported resources, for other nodes to collect: @@file, File <<| |>>.',
  }),
  storeconfigs_backend: defineChoice(
    'json',
    'memory',
    'puppetdb',
  )({
    default: 'json',
    withStore: 'puppetdb',
    doc: 'Storage of exported resources: one file per node (json), memory, or the store (puppetdb).',
  }),
  catalog_cache_terminus: definePluginName(...catalogTermini)({
    doc: 'Cache of catalogs. On a server: json or puppetdb (the store, and the default if a store exists). On an agent: json or yaml.',
  }),
  store: defineStoreName({
    default: 'none',
    ofServer: 'sqlite',
    doc: 'Store of facts, catalogs and reports, for queries, history and the console: sqlite (a file in server_datadir), the URL of a PostgreSQL server (postgresql://user@host/database), puppetdb (the PuppetDB servers in puppetdb.conf of confdir), or none.',
  }),
  token_file: defineFile({
    default: '$server_datadir/tokens.json',
    doc: 'File with digests of the access tokens that `plumb token` creates. The tokens are not stored. A second file next to it records when they were used.',
  }),
  unresponsive_after: defineDuration({
    default: '2h',
    doc: 'Time without a report after which the console shows a node as unresponsive.',
  }),
  puppetdb_port: definePort({
    default: '0',
    doc: 'Port that serves only /pdb, /metrics and /status, over TLS, for PuppetDB clients (PuppetDB uses 8081); 0 disables it. Access depends on auth.conf or puppetdb_certificate_allowlist.',
  }),
  puppetdb_plain_port: definePort({
    default: '0',
    doc: 'Like puppetdb_port, without TLS, on the loopback interface (PuppetDB uses 8080); 0 disables it. Every user of this machine can query the store; commands are rejected.',
  }),
  puppetdb_certificate_allowlist: defineFile({
    doc: 'File with one certname per line: the only clients with access to puppetdb_port, besides those with a token, as certificate-allowlist of PuppetDB. Empty: auth.conf decides.',
  }),
  server_plugins: defineDirectory({
    doc: 'Directory of termini and report processors in JavaScript or Ruby: termini/node/NAME.js, termini/facts/NAME.js, reports/NAME.js; puppet/indirector/node/NAME.rb, puppet/reports/NAME.rb. They run with the rights of the server. Pushed code cannot add any.',
  }),
  reports: definePluginNames(
    'store',
    'puppetdb',
    'http',
    'log',
    'none',
  )({
    default: 'store',
    withStore: 'store,puppetdb',
    doc: 'Report processors of a server and of `plumb apply`: store (files in reportdir), puppetdb (the store), http (a POST request to reporturl), log, or none.',
  }),
  reporturl: defineWebAddress({
    live: true,
    default: 'http://localhost:3000/reports/upload',
    doc: 'URL to which reports are posted as YAML (reports = http). It may contain a user name and a password.',
  }),
  report_include_system_store: defineBoolean({
    live: true,
    default: 'false',
    doc: 'Trust the CA certificates of the machine for reporturl, in addition to localcacert.',
  }),
  node_ttl: defineDuration({
    default: '7d',
    doc: 'Time without any data from a node after which the store marks it as expired; 0 disables it.',
  }),
  node_purge_ttl: defineDuration({
    default: '14d',
    doc: 'Time after which the store deletes a deactivated or expired node; 0 keeps it forever.',
  }),
  report_ttl: defineDuration({ default: '14d', doc: 'Time that the store keeps reports; 0 keeps them forever.' }),
  resource_events_ttl: defineDuration({
    default: '$report_ttl',
    doc: 'Time that the store keeps the events of reports, at most report_ttl.',
  }),
  catalog_history_ttl: defineDuration({
    default: '2y',
    doc: 'Time that the store keeps earlier catalogs of a node; 0 keeps them forever.',
  }),
  fact_history_ttl: defineDuration({
    default: '90d',
    doc: 'Time that the store keeps earlier values of facts; 0 keeps them forever.',
  }),
  gc_interval: defineDuration({
    default: '1h',
    doc: 'Interval between deletions of expired and unreferenced data from the store; 0 disables them.',
  }),
  reportdir: defineDirectory({ default: '$vardir/reports', doc: 'Directory of stored reports.' }),
  server_datadir: defineDirectory({
    default: '$vardir/server_data',
    doc: 'Directory of facts, nodes and catalogs on the server.',
  }),
  yamldir: defineDirectory({
    default: '$vardir/yaml',
    doc: 'Directory of node definitions in YAML: node/NAME.yaml (node_terminus = yaml).',
  }),
  bucketdir: defineDirectory({ default: '$vardir/bucket', doc: 'Directory of the file bucket.' }),
  catalog_signing: defineBoolean({
    default: 'true',
    doc: 'Sign catalogs if the server has a key for it (catalog_signer).',
  }),
  audit: defineBoolean({
    default: 'true',
    doc: 'Keep an audit log of the catalogs that nodes received, pushes, and served commits.',
  }),
  auditdir: defineDirectory({ default: '$vardir/audit', doc: 'Directory of the segments of the audit log.' }),
  audit_segment_size: defineInteger({
    default: '16777216',
    doc: 'Size of an audit log segment, in bytes, after which a new segment starts.',
  }),
  audit_ttl: defineDuration({ default: '2y', doc: 'Time that audit log segments are kept; 0 keeps them forever.' }),
  auth_conf: defineFile({
    live: true,
    default: '$confdir/auth.conf',
    doc: 'File of authorization rules. If it does not exist, the rules of Puppet Server apply.',
  }),
  auth_default_rules: defineBoolean({
    live: true,
    default: 'true',
    doc: 'Add the default rules of endpoints that Puppet Server does not have to auth.conf. `plumb config auth --defaults` prints them.',
  }),
  trusted_external_command: defineText({
    takes: 'the path of an executable or of a directory of executables',
    live: true,
    doc: 'Executable that prints a JSON object about a node, for $trusted.external. In a directory, the output of each executable is stored under its name without extension.',
  }),
  compile_workers: defineInteger({
    default: '0',
    doc: 'Number of catalogs that compile at the same time; 0 is the number of cores minus one, at least one.',
  }),
  compile_slow_after: defineDuration({
    default: '3s',
    doc: 'Compilation time after which a catalog counts as slow: if other catalogs wait, it moves to one of compile_slow_workers. A catalog also counts as slow after three times the usual time of its environment, but at least one second. A node whose last two catalogs were slow starts there.',
  }),
  compile_slow_workers: defineInteger({
    default: String(budgets.environment.slowThreads.bound),
    doc: 'Maximum number of additional threads for slow catalogs. Each uses at least 100 MiB of memory.',
  }),
  catalog_traces: defineBoolean({
    default: 'true',
    doc: 'Serve a catalog without compilation if nothing that its last compilation read (code, data, facts, query results) has changed. The recorded inputs and catalogs are in server_datadir.',
  }),
  catalog_trace_checks: defineInteger({
    default: '100',
    doc: 'Compile one of N catalogs that need no compilation, and compare the results; 0 disables the check. If they differ, all traces of the environment are discarded (see `plumb code traces`).',
  }),
  compile_ahead_workers: defineInteger({
    default: '1',
    doc: 'Maximum number of additional threads that compile the catalogs changed by a push before agents request them, while the CPU is otherwise idle; 0 disables it. Each uses at least 100 MiB of memory.',
  }),
  compile_timeout: defineDuration({ default: '5m', doc: 'Maximum compilation time of a catalog.' }),
  ruby_timeout: defineDuration({ default: '30s', doc: 'Maximum time of one call to Ruby code of a module.' }),
  max_queued_requests: defineInteger({
    default: '0',
    doc: 'Maximum number of waiting compilations; further agents are told to retry later. With 0, only memory limits it.',
  }),
  max_connections: defineInteger({
    live: true,
    default: String(budgets.connection.total.bound),
    doc: 'Maximum number of open connections. The limit on open files of the process may lower it.',
  }),
  max_connections_per_address: defineInteger({
    live: true,
    default: String(budgets.connection.perAddress.bound),
    doc: 'Maximum number of open connections from one IP address, at most half of max_connections.',
  }),
  max_retry_delay: defineDuration({
    live: true,
    default: '30m',
    doc: 'Maximum delay that agents are told to wait before a retry.',
  }),
  max_requests_per_minute: defineInteger({
    live: true,
    default: String(budgets.node.requests.bound),
    doc: 'Maximum number of requests per minute from one node. Further requests get status 429 and a Retry-After header.',
  }),
  max_requests_at_once: defineInteger({
    live: true,
    default: String(budgets.node.requestsAtOnce.bound),
    doc: 'Maximum number of concurrent requests from one node. Further requests get status 429 and a Retry-After header.',
  }),
  bucket_max_file_size: defineInteger({
    live: true,
    default: String(budgets.request.bucketFile.bound),
    doc: 'Maximum size of a file in the file bucket, in bytes.',
  }),
  bucket_min_free_space: defineInteger({
    live: true,
    default: String(budgets.request.bucketFreeSpace.bound),
    doc: 'Minimum free disk space for the file bucket, in bytes. Below it, uploads are rejected.',
  }),
  report_min_free_space: defineInteger({
    live: true,
    default: String(budgets.request.reportFreeSpace.bound),
    doc: 'Minimum free disk space for stored reports, in bytes. Below it, reports are rejected.',
  }),
  code_id_command: defineFile({
    doc: 'Executable that prints the code_id of an environment, if no Git repository is used.',
  }),
  code_content_command: defineFile({
    doc: 'Executable that prints a file at a code_id, if no Git repository is used.',
  }),
} as const
