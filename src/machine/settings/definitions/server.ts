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
import { definePostgresUrls, defineStoreName, defineWebAddress } from './validated-kinds.ts'

const nodeTermini = ['plain', 'exec', 'json', 'msgpack', 'yaml', 'memory', 'ldap', 'puppetdb', 'rest'] as const

const catalogTermini = ['compiler', 'json', 'msgpack', 'yaml', 'memory', 'puppetdb', 'rest'] as const

/** Settings of the code server. */
export const serverSettings = {
  server_config: defineDirectory({
    doc: 'Directory `conf.d` of a Puppet Server. The files webserver.conf, puppetserver.conf, ca.conf and auth.conf in this directory override puppet.conf. Default: none, or if this program is called as `puppet`, the directory of the Puppet packages.',
  }),
  bindaddress: defineText({
    takes: 'an IP address of this machine, or *',
    default: '*',
    doc: 'IP address that the server listens on; `*` for all addresses.',
  }),
  code_repo: defineDirectory({
    withSources: '$vardir/sources/code.git',
    doc: 'Bare Git repository whose branches are the environments. If unset, the environments are directories in environmentpath. Do not set both code_repo and code_sources: with code_sources, the default is the repository of the fetched code.',
  }),
  max_environments: defineInteger({
    default: String(budgets.environment.served.bound),
    doc: 'Maximum number of branches that are served. A push that exceeds the limit is rejected.',
  }),
  max_environment_files: defineInteger({
    default: String(budgets.push.files.bound),
    doc: 'Maximum number of files and directories in a commit. A push that exceeds the limit is rejected.',
  }),
  max_environment_bytes: defineInteger({
    default: String(budgets.push.bytes.bound),
    doc: 'Maximum number of bytes that are loaded from a commit. Directories named `files`, and single files larger than 1 MiB, do not count. A push that exceeds the limit is rejected.',
  }),
  max_code_file_bytes: defineInteger({
    default: String(budgets.push.codeFile.bound),
    doc: 'Maximum size of a manifest, template, data file or configuration file, in bytes. A push that exceeds the limit is rejected.',
  }),
  git_repositories: defineWords({
    takes: 'source names',
    default: '',
    doc: 'Names of code sources to serve over HTTPS at /git/SOURCE.git, in addition to the code repository. The repositories of these sources must be on this machine.',
  }),
  max_push_bytes: defineInteger({
    default: String(budgets.git.pack.bound),
    doc: 'Maximum size of a push over HTTPS, in bytes. A larger push is rejected.',
  }),
  max_served_files: defineInteger({
    default: String(budgets.environment.files.bound),
    doc: 'Maximum number of files in all environments. A new commit that exceeds the limit is not served; its environment keeps the current commit.',
  }),
  max_served_bytes: defineInteger({
    default: String(budgets.environment.bytes.bound),
    doc: 'Maximum number of loaded bytes in all environments. A new commit that exceeds the limit is not served; its environment keeps the current commit.',
  }),
  environment_load_timeout: defineDuration({
    default: `${budgets.environment.loadTime.bound / 1000}s`,
    doc: 'Maximum time to load a commit. The same limit applies to the check of a commit.',
  }),
  max_pinned_commits: defineInteger({
    default: String(budgets.environment.pins.bound),
    doc: 'Maximum number of commits that are protected from pruning, so that agents can still download files of these commits. Commits of catalogs in the store do not count.',
  }),
  shutdown_delay: defineDuration({
    default: '0',
    doc: 'Time that a server continues to serve requests after a stop signal, so that a load balancer can remove the server. Its status is `stopping` during this time. With 0, the server rejects new requests at once.',
  }),
  environment_timeout: defineDuration({
    default: '0',
    doc: 'Cache lifetime of a directory environment; environment.conf can override it. The setting does not apply to environments from Git, because the code of a commit never changes.',
  }),
  static_catalogs: defineBoolean({
    default: 'true',
    doc: 'Compile static catalogs, which contain the metadata of files.',
  }),
  static_catalogs_scope: defineChoice(
    'auto',
    'puppet',
    'modules',
    'all',
  )({
    default: 'auto',
    doc: 'Files that static catalogs identify by commit: the same files as in Puppet Server (`puppet`), the files of all modules in the commit (`modules`), or these files with plug-ins and other module mounts (`all`). `auto` selects `modules` for a Git repository and `puppet` for directories.',
  }),
  legacy_routes: defineBoolean({
    default: 'false',
    doc: 'Accept the URLs of Puppet 3 (/ENVIRONMENT/INDIRECTION/KEY).',
  }),
  rich_data: defineBoolean({ default: 'true', doc: 'Preserve the data types of values in catalogs.' }),
  config_version: defineFile({
    doc: 'Executable that prints the version of the configuration, for catalogs and reports.',
  }),
  eyaml_keydirs: defineSearchPath({
    live: true,
    default: '$confdir/eyaml:/etc/puppetlabs/puppet/eyaml:/etc/puppet/eyaml',
    doc: 'Directories of the private keys and GnuPG homes that a hiera.yaml may use to decrypt data. Keys in other directories are not read.',
  }),
  generators: defineSearchPath({
    live: true,
    doc: 'Full paths of the executables that generate() may run on the server. Anyone who can push code chooses their arguments.',
  }),
  node_terminus: definePluginName(...nodeTermini)({ default: 'plain', doc: 'Source of node classifications.' }),
  node_cache_terminus: definePluginName(...nodeTermini)({ doc: 'Terminus that caches the classifications of nodes.' }),
  external_nodes: defineText({
    takes: 'a command, or none',
    default: 'none',
    doc: 'Command of the external node classifier, with arguments, for node_terminus = `exec`. The node name is added as the last argument.',
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
    doc: 'Storage of facts on the server: one file per node (`json` or `yaml`), memory (`memory`), or the store (`puppetdb`).',
  }),
  catalog_terminus: definePluginName(...catalogTermini)({
    default: 'compiler',
    doc: 'Source of catalogs. An agent uses `rest`.',
  }),
  storeconfigs: defineBoolean({
    default: 'false',
    doc: 'Store exported resources (`@@file`), so that other nodes can collect them (`File <<| |>>`).',
  }),
  storeconfigs_backend: defineChoice(
    'json',
    'memory',
    'puppetdb',
  )({
    default: 'json',
    withStore: 'puppetdb',
    doc: 'Storage of exported resources: one file per node (`json`), memory (`memory`), or the store (`puppetdb`).',
  }),
  catalog_cache_terminus: definePluginName(...catalogTermini)({
    doc: 'Cache of catalogs. On a server: `json`, or `puppetdb` for the store (the default if a store exists). On an agent: `json` or `yaml`.',
  }),
  store: defineStoreName({
    default: 'none',
    ofServer: 'sqlite',
    doc: 'Store of facts, catalogs and reports, for queries, history and the console: `sqlite` (a file in server_datadir), the URL of a PostgreSQL server (`postgresql://user@host/database`), `puppetdb` (the PuppetDB servers in $confdir/puppetdb.conf), or `none`.',
  }),
  store_replicas: definePostgresUrls({
    default: '',
    doc: 'URLs of read replicas (streaming standby servers) of the PostgreSQL server in `store`, separated by commas. The console, `/pdb/query` and `plumb query` read from them; all other queries read from `store`. A replica that does not respond or is more than 10 seconds behind is skipped.',
  }),
  token_file: defineFile({
    default: '$server_datadir/tokens.json',
    doc: 'File with digests of the access tokens that `plumb token` creates. The tokens themselves are not stored. A second file in the same directory records the time of the last use of each token.',
  }),
  unresponsive_after: defineDuration({
    default: '2h',
    doc: 'Time without a report after which the console shows a node as unresponsive.',
  }),
  puppetdb_port: definePort({
    default: '0',
    doc: 'Port for PuppetDB clients, which serves only /pdb, /metrics and /status, over TLS. PuppetDB uses port 8081; 0 disables the port. The rules of auth.conf, or puppetdb_certificate_allowlist, control access.',
  }),
  puppetdb_plain_port: definePort({
    default: '0',
    doc: 'Port on the loopback interface for PuppetDB clients without TLS, which serves the same paths as puppetdb_port. PuppetDB uses port 8080; 0 disables the port. Every user of this machine can query the store. Commands are rejected.',
  }),
  puppetdb_certificate_allowlist: defineFile({
    doc: 'File with one certname on each line, like `certificate-allowlist` of PuppetDB. Only these clients, and clients with a token, have access to puppetdb_port. If unset, the rules of auth.conf control access.',
  }),
  server_plugins: defineDirectory({
    doc: 'Directory of termini and report processors in JavaScript (termini/node/NAME.js, termini/facts/NAME.js, reports/NAME.js) or Ruby (puppet/indirector/node/NAME.rb, puppet/reports/NAME.rb). The plug-ins run with the permissions of the server. A push cannot add plug-ins.',
  }),
  reports: definePluginNames(
    'store',
    'puppetdb',
    'http',
    'log',
    'none',
  )({
    default: 'store',
    inVersion: { openvox9: 'none' },
    withStore: 'store,puppetdb',
    doc: 'Report processors of a server and of `plumb apply`: `store` (files in reportdir), `puppetdb` (the store), `http` (a POST request to reporturl), `log` (the log), or `none`.',
  }),
  reporturl: defineWebAddress({
    live: true,
    default: 'http://localhost:3000/reports/upload',
    doc: 'URL to which the report processor `http` sends reports, as YAML in a POST request. The URL may contain a user name and a password.',
  }),
  report_include_system_store: defineBoolean({
    live: true,
    default: 'false',
    doc: 'Trust the CA certificates of the operating system for reporturl, in addition to localcacert.',
  }),
  node_ttl: defineDuration({
    default: '7d',
    doc: 'Time without any data from a node after which the store marks the node as expired; 0 disables expiration.',
  }),
  node_purge_ttl: defineDuration({
    default: '14d',
    doc: 'Time that the store keeps a node after its deactivation or expiration; 0 keeps the node forever.',
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
    doc: 'Interval at which the store deletes expired and unreferenced data; 0 disables deletion.',
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
    doc: 'Sign catalogs if the server has a signing key (see catalog_signer).',
  }),
  catalog_secrets: defineChoice(
    'plain',
    'encrypt',
  )({
    default: 'plain',
    live: true,
    doc: 'With `encrypt`, encrypt the Sensitive values of a catalog for the certificate of its node, so that caches, backups and proxies contain no plain text. Only agents of Plumbline can decrypt them; other agents receive plain text.',
  }),
  audit: defineBoolean({
    default: 'true',
    doc: 'Keep an audit log of compiled catalogs, pushes and deployed commits (see `plumb audit`).',
  }),
  auditdir: defineDirectory({ default: '$vardir/audit', doc: 'Directory of the segments of the audit log.' }),
  audit_segment_size: defineInteger({
    default: '16777216',
    doc: 'Size of a segment of the audit log, in bytes, at which the server starts a new segment.',
  }),
  audit_ttl: defineDuration({ default: '2y', doc: 'Time that audit log segments are kept; 0 keeps them forever.' }),
  auth_conf: defineFile({
    live: true,
    default: '$confdir/auth.conf',
    doc: 'File of authorization rules. If the file does not exist, the default rules of Puppet Server apply.',
  }),
  auth_default_rules: defineBoolean({
    live: true,
    default: 'true',
    doc: 'Extend auth.conf with default rules for endpoints that do not exist in Puppet Server. `plumb config auth --defaults` prints these rules.',
  }),
  trusted_external_command: defineText({
    takes: 'the path of an executable or of a directory of executables',
    live: true,
    doc: "Executable that prints a JSON object about a node, the value of `$trusted['external']`. For a directory, this value contains the output of each executable in the directory, under the name of the executable without its extension.",
  }),
  compile_workers: defineInteger({
    default: '0',
    doc: 'Number of catalogs that compile at the same time. With 0, the number of CPU cores minus one, but at least one.',
  }),
  compile_slow_after: defineDuration({
    default: '3s',
    doc: 'Compilation time after which a catalog counts as slow. If other catalogs wait, a slow catalog moves to one of compile_slow_workers. A catalog also counts as slow after three times the usual time of its environment, but not before one second. If the last two catalogs of a node were slow, the next catalog of this node starts in one of compile_slow_workers.',
  }),
  compile_slow_workers: defineInteger({
    default: String(budgets.environment.slowThreads.bound),
    doc: 'Maximum number of additional threads for slow catalogs. Each thread uses at least 100 MiB of memory.',
  }),
  catalog_traces: defineBoolean({
    default: 'true',
    doc: 'Recall the last catalog of a node, without compilation, if the inputs of that catalog (code, data, facts, query results) are unchanged. The recorded inputs and catalogs are in server_datadir.',
  }),
  catalog_trace_checks: defineInteger({
    default: '100',
    doc: 'Recompile one in N recalled catalogs (see catalog_traces) and compare both versions; 0 disables the check. If they differ, the server turns off the traces of the environment (see `plumb code traces`).',
  }),
  compile_ahead_workers: defineInteger({
    default: '1',
    doc: 'Maximum number of additional threads that compile catalogs ahead of requests: after a push, they compile the changed catalogs at low priority, and pause while requests occupy all threads of compile_workers. 0 disables compilation ahead of requests. Each thread uses at least 100 MiB of memory.',
  }),
  compile_timeout: defineDuration({ default: '5m', doc: 'Maximum compilation time of a catalog.' }),
  ruby_timeout: defineDuration({ default: '30s', doc: 'Maximum time of one call to Ruby code of a module.' }),
  max_queued_requests: defineInteger({
    default: '0',
    doc: 'Maximum number of waiting compilations. Further requests are rejected with a Retry-After header. With 0, only memory limits the number.',
  }),
  max_connections: defineInteger({
    live: true,
    default: String(budgets.connection.total.bound),
    doc: 'Maximum number of open connections. A lower limit on the open files of the process reduces this number.',
  }),
  max_connections_per_address: defineInteger({
    live: true,
    default: String(budgets.connection.perAddress.bound),
    doc: 'Maximum number of open connections from one IP address, at most half of max_connections.',
  }),
  max_retry_delay: defineDuration({
    live: true,
    default: '30m',
    doc: 'Maximum delay in the Retry-After header, after which an agent repeats a rejected request.',
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
    doc: 'Minimum free disk space for the file bucket, in bytes. With less free space, uploads are rejected.',
  }),
  report_min_free_space: defineInteger({
    live: true,
    default: String(budgets.request.reportFreeSpace.bound),
    doc: 'Minimum free disk space for stored reports, in bytes. With less free space, reports are rejected.',
  }),
  code_id_command: defineFile({
    doc: 'Executable that prints the code_id of an environment, if no Git repository is used.',
  }),
  code_content_command: defineFile({
    doc: 'Executable that prints the content of a file at a code_id, if no Git repository is used.',
  }),
} as const
