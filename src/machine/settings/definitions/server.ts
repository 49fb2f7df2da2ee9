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

/** Settings of the code server. */
export const server = {
  server_config: directory({
    doc: 'Directory conf.d of a Puppet Server. The server reads webserver.conf, puppetserver.conf, ca.conf and auth.conf in it; they override puppet.conf. If this program runs as `puppet`, the default is the directory of the packages of Puppet.',
  }),
  bindaddress: text({ takes: 'an IP address of this machine, or *', default: '*', doc: 'Address to listen on.' }),
  code_repo: directory({
    withSources: '$vardir/sources/code.git',
    doc: 'Bare Git repository whose branches are the environments. Empty: directory environments. With code_sources, this is the repository of fetched code; do not set it.',
  }),
  max_environments: integer({
    default: String(budgets.environment.served.bound),
    doc: 'Maximum number of branches that are served. A push that exceeds it is rejected.',
  }),
  max_environment_files: integer({
    default: String(budgets.push.files.bound),
    doc: 'Maximum number of files and directories in a commit. A push that exceeds it is rejected.',
  }),
  max_environment_bytes: integer({
    default: String(budgets.push.bytes.bound),
    doc: 'Maximum number of bytes that are loaded from a commit. Directories named files and files above 1 MiB do not count. A push that exceeds it is rejected.',
  }),
  max_code_file_bytes: integer({
    default: String(budgets.push.codeFile.bound),
    doc: 'Maximum size of a manifest, template, data file or configuration file, in bytes. A push that exceeds it is rejected.',
  }),
  git_repositories: words({
    takes: 'source names',
    default: '',
    doc: 'Names of sources in code_sources whose local repositories are served over HTTPS as /git/SOURCE.git, in addition to the code repository.',
  }),
  max_push_bytes: integer({
    default: String(budgets.git.pack.bound),
    doc: 'Maximum size of a push over HTTPS, in bytes. A larger push is rejected.',
  }),
  max_served_files: integer({
    default: String(budgets.environment.files.bound),
    doc: 'Maximum number of files in all environments. An environment that would exceed it keeps its current commit.',
  }),
  max_served_bytes: integer({
    default: String(budgets.environment.bytes.bound),
    doc: 'Maximum number of loaded bytes in all environments. An environment that would exceed it keeps its current commit.',
  }),
  environment_load_timeout: duration({
    default: `${budgets.environment.loadTime.bound / 1000}s`,
    doc: 'Maximum time to load a commit, and maximum time to check it.',
  }),
  max_pinned_commits: integer({
    default: String(budgets.environment.pins.bound),
    doc: 'Maximum number of commits that are protected from pruning, so that agents can download their files. Commits of catalogs in the store do not count.',
  }),
  shutdown_delay: duration({
    default: '0',
    doc: 'Time that a stopping server still serves requests while its status is stopping, so that a load balancer can remove it. With 0, it rejects new requests at once.',
  }),
  environment_timeout: duration({
    default: '0',
    doc: 'Cache lifetime of a directory environment, as in environment.conf. The code of a commit never changes and is cached without it.',
  }),
  static_catalogs: boolean({ default: 'true', doc: 'Add the metadata of files to catalogs.' }),
  static_catalogs_scope: oneOf(
    'auto',
    'puppet',
    'modules',
    'all',
  )({
    default: 'auto',
    doc: 'Files that static catalogs identify by commit: puppet, as Puppet Server; modules, the files of all modules of the commit; all, also plug-ins and other module mounts. auto is modules for a Git repository and puppet for directories.',
  }),
  legacy_routes: boolean({
    default: 'false',
    doc: 'Accept the URLs of Puppet 3 (/ENVIRONMENT/INDIRECTION/KEY).',
  }),
  rich_data: boolean({ default: 'true', doc: 'Preserve the data types of values in catalogs.' }),
  config_version: file({ doc: 'Executable that prints the configuration version.' }),
  eyaml_keydirs: searchPath({
    live: true,
    default: '$confdir/eyaml:/etc/puppetlabs/puppet/eyaml:/etc/puppet/eyaml',
    doc: 'Directories of private keys that a hiera.yaml may name to decrypt data. Keys in other directories are not read.',
  }),
  generators: searchPath({
    live: true,
    doc: 'Full paths of the executables that generate() may run on the server. Anyone who can push code chooses their arguments.',
  }),
  node_terminus: nameOf(...nodeTermini)({ default: 'plain', doc: 'Source of node classifications.' }),
  node_cache_terminus: nameOf(...nodeTermini)({ doc: 'Cache of node classifications.' }),
  external_nodes: text({
    takes: 'a command, or none',
    default: 'none',
    doc: 'External node classifier (node_terminus = exec), with its arguments. The node name is appended.',
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
    doc: 'Storage of facts on the server: one file per node (json, yaml), memory, or the store (puppetdb).',
  }),
  catalog_terminus: nameOf(...catalogTermini)({
    default: 'compiler',
    doc: 'Source of catalogs. An agent uses rest.',
  }),
  storeconfigs: boolean({
    default: 'false',
    doc: 'Store exported resources, for other nodes to collect: @@file, File <<| |>>.',
  }),
  storeconfigs_backend: oneOf(
    'json',
    'memory',
    'puppetdb',
  )({
    default: 'json',
    withStore: 'puppetdb',
    doc: 'Storage of exported resources: one file per node (json), memory, or the store (puppetdb).',
  }),
  catalog_cache_terminus: nameOf(...catalogTermini)({
    doc: 'Cache of catalogs. On a server: json or puppetdb (the store, and the default if a store exists). On an agent: json or yaml.',
  }),
  store: storeName({
    default: 'none',
    ofServer: 'sqlite',
    doc: 'Store of facts, catalogs and reports, for queries, history and the console: sqlite (a file in server_datadir), the URL of a PostgreSQL server (postgresql://user@host/database), puppetdb (the PuppetDB servers in puppetdb.conf of confdir), or none.',
  }),
  token_file: file({
    default: '$server_datadir/tokens.json',
    doc: 'File with digests of the access tokens that `plumb token` creates. The tokens are not stored. A second file next to it records when they were used.',
  }),
  unresponsive_after: duration({
    default: '2h',
    doc: 'Time without a report after which the console shows a node as unresponsive.',
  }),
  puppetdb_port: port({
    default: '0',
    doc: 'Port that serves only /pdb, /metrics and /status, over TLS, for PuppetDB clients (PuppetDB uses 8081); 0 disables it. Access depends on auth.conf or puppetdb_certificate_allowlist.',
  }),
  puppetdb_plain_port: port({
    default: '0',
    doc: 'Like puppetdb_port, without TLS, on the loopback interface (PuppetDB uses 8080); 0 disables it. Every user of this machine can query the store; commands are rejected.',
  }),
  puppetdb_certificate_allowlist: file({
    doc: 'File with one certname per line: the only clients with access to puppetdb_port, besides those with a token, as certificate-allowlist of PuppetDB. Empty: auth.conf decides.',
  }),
  server_plugins: directory({
    doc: 'Directory of termini and report processors in JavaScript or Ruby: termini/node/NAME.js, termini/facts/NAME.js, reports/NAME.js; puppet/indirector/node/NAME.rb, puppet/reports/NAME.rb. They run with the rights of the server. Pushed code cannot add any.',
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
    doc: 'Report processors of a server and of `plumb apply`: store (files in reportdir), puppetdb (the store), http (a POST request to reporturl), log, or none.',
  }),
  reporturl: webAddress({
    live: true,
    default: 'http://localhost:3000/reports/upload',
    doc: 'URL to which reports are posted as YAML (reports = http). It may contain a user name and a password.',
  }),
  report_include_system_store: boolean({
    live: true,
    default: 'false',
    doc: 'Trust the CA certificates of the machine for reporturl, in addition to localcacert.',
  }),
  node_ttl: duration({
    default: '7d',
    doc: 'Time without any data from a node after which the store marks it as expired; 0 disables it.',
  }),
  node_purge_ttl: duration({
    default: '14d',
    doc: 'Time after which the store deletes a deactivated or expired node; 0 keeps it forever.',
  }),
  report_ttl: duration({ default: '14d', doc: 'Time that the store keeps reports; 0 keeps them forever.' }),
  resource_events_ttl: duration({
    default: '$report_ttl',
    doc: 'Time that the store keeps the events of reports, at most report_ttl.',
  }),
  catalog_history_ttl: duration({
    default: '2y',
    doc: 'Time that the store keeps earlier catalogs of a node; 0 keeps them forever.',
  }),
  fact_history_ttl: duration({
    default: '90d',
    doc: 'Time that the store keeps earlier values of facts; 0 keeps them forever.',
  }),
  gc_interval: duration({
    default: '1h',
    doc: 'Interval between deletions of expired and unreferenced data from the store; 0 disables them.',
  }),
  reportdir: directory({ default: '$vardir/reports', doc: 'Directory of stored reports.' }),
  server_datadir: directory({
    default: '$vardir/server_data',
    doc: 'Directory of facts, nodes and catalogs on the server.',
  }),
  yamldir: directory({
    default: '$vardir/yaml',
    doc: 'Directory of node definitions in YAML: node/NAME.yaml (node_terminus = yaml).',
  }),
  bucketdir: directory({ default: '$vardir/bucket', doc: 'Directory of the file bucket.' }),
  catalog_signing: boolean({
    default: 'true',
    doc: 'Sign catalogs if the server has a key for it (catalog_signer).',
  }),
  audit: boolean({
    default: 'true',
    doc: 'Keep an audit log of the catalogs that nodes received, pushes, and served commits.',
  }),
  auditdir: directory({ default: '$vardir/audit', doc: 'Directory of the segments of the audit log.' }),
  audit_segment_size: integer({
    default: '16777216',
    doc: 'Size of an audit log segment, in bytes, after which a new segment starts.',
  }),
  audit_ttl: duration({ default: '2y', doc: 'Time that audit log segments are kept; 0 keeps them forever.' }),
  auth_conf: file({
    live: true,
    default: '$confdir/auth.conf',
    doc: 'File of authorization rules. If it does not exist, the rules of Puppet Server apply.',
  }),
  auth_default_rules: boolean({
    live: true,
    default: 'true',
    doc: 'Add the default rules of endpoints that Puppet Server does not have to auth.conf. `plumb config auth --defaults` prints them.',
  }),
  trusted_external_command: text({
    takes: 'the path of an executable or of a directory of executables',
    live: true,
    doc: 'Executable that prints a JSON object about a node, for $trusted.external. In a directory, the output of each executable is stored under its name without extension.',
  }),
  compile_workers: integer({
    default: '0',
    doc: 'Number of catalogs that compile at the same time; 0 is the number of cores minus one, at least one.',
  }),
  compile_slow_after: duration({
    default: '3s',
    doc: 'Compilation time after which a catalog counts as slow: if other catalogs wait, it moves to one of compile_slow_workers. A catalog also counts as slow after three times the usual time of its environment, but at least one second. A node whose last two catalogs were slow starts there.',
  }),
  compile_slow_workers: integer({
    default: String(budgets.environment.slowThreads.bound),
    doc: 'Maximum number of additional threads for slow catalogs. Each uses at least 100 MiB of memory.',
  }),
  catalog_traces: boolean({
    default: 'true',
    doc: 'Serve a catalog without compilation if nothing that its last compilation read (code, data, facts, query results) has changed. The recorded inputs and catalogs are in server_datadir.',
  }),
  catalog_trace_checks: integer({
    default: '100',
    doc: 'Compile one of N catalogs that need no compilation, and compare the results; 0 disables the check. If they differ, all traces of the environment are discarded (see `plumb code traces`).',
  }),
  compile_ahead_workers: integer({
    default: '1',
    doc: 'Maximum number of additional threads that compile the catalogs changed by a push before agents request them, while the CPU is otherwise idle; 0 disables it. Each uses at least 100 MiB of memory.',
  }),
  compile_timeout: duration({ default: '5m', doc: 'Maximum compilation time of a catalog.' }),
  ruby_timeout: duration({ default: '30s', doc: 'Maximum time of one call to Ruby code of a module.' }),
  max_queued_requests: integer({
    default: '0',
    doc: 'Maximum number of waiting compilations; further agents are told to retry later. With 0, only memory limits it.',
  }),
  max_connections: integer({
    live: true,
    default: String(budgets.connection.total.bound),
    doc: 'Maximum number of open connections. The limit on open files of the process may lower it.',
  }),
  max_connections_per_address: integer({
    live: true,
    default: String(budgets.connection.perAddress.bound),
    doc: 'Maximum number of open connections from one IP address, at most half of max_connections.',
  }),
  max_retry_delay: duration({
    live: true,
    default: '30m',
    doc: 'Maximum delay that agents are told to wait before a retry.',
  }),
  max_requests_per_minute: integer({
    live: true,
    default: String(budgets.node.requests.bound),
    doc: 'Maximum number of requests per minute from one node. Further requests get status 429 and a Retry-After header.',
  }),
  max_requests_at_once: integer({
    live: true,
    default: String(budgets.node.requestsAtOnce.bound),
    doc: 'Maximum number of concurrent requests from one node. Further requests get status 429 and a Retry-After header.',
  }),
  bucket_max_file_size: integer({
    live: true,
    default: String(budgets.request.bucketFile.bound),
    doc: 'Maximum size of a file in the file bucket, in bytes.',
  }),
  bucket_min_free_space: integer({
    live: true,
    default: String(budgets.request.bucketFreeSpace.bound),
    doc: 'Minimum free disk space for the file bucket, in bytes. Below it, uploads are rejected.',
  }),
  report_min_free_space: integer({
    live: true,
    default: String(budgets.request.reportFreeSpace.bound),
    doc: 'Minimum free disk space for stored reports, in bytes. Below it, reports are rejected.',
  }),
  code_id_command: file({ doc: 'Executable that prints the code_id of an environment, if no Git repository is used.' }),
  code_content_command: file({ doc: 'Executable that prints a file at a code_id, if no Git repository is used.' }),
} as const
