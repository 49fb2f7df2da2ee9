import {
  defineBoolean,
  defineChoice,
  defineDirectory,
  defineDuration,
  defineFile,
  defineInteger,
  definePort,
  defineText,
  defineWords,
} from '../kinds.ts'
import {
  defineAddress,
  defineChoices,
  defineHeaders,
  defineHostsWithPorts,
  defineUrlPassword,
} from './validated-kinds.ts'

/** The checksum types that OpenVox supports: defaults.rb, valid_file_checksum_types. Puppet has no `etag`. */
const checksumTypes = [
  'sha256',
  'sha256lite',
  'sha384',
  'sha512',
  'sha224',
  'sha1',
  'sha1lite',
  'md5',
  'md5lite',
  'mtime',
  'ctime',
  'etag',
] as const

/** Settings of the agent and its connections to servers. */
export const agentSettings = {
  server: defineText({ takes: 'a host name', default: 'puppet', doc: 'Host name of the server.' }),
  serverport: definePort({
    default: '8140',
    doc: 'Port of the server. On a server, the port that it listens on; 0 selects a free port. Former name: `masterport`.',
  }),
  ca_server: defineText({ takes: 'a host name', default: '$server', doc: 'Host name of the CA server.' }),
  ca_port: definePort({ default: '$serverport', doc: 'Port of the CA server.' }),
  report_server: defineText({
    takes: 'a host name',
    default: '$server',
    doc: 'Host name of the server that receives reports.',
  }),
  report_port: definePort({ default: '$serverport', doc: 'Port of the server that receives reports.' }),
  server_list: defineHostsWithPorts({ doc: 'Servers to try in order, as HOST or HOST:PORT.' }),
  use_srv_records: defineBoolean({ default: 'false', doc: 'Find servers by DNS SRV records.' }),
  srv_domain: defineText({
    takes: 'a DNS domain',
    doc: 'Domain of the SRV records. Default: the domain of this host.',
  }),
  node_name_value: defineText({
    takes: 'a node name',
    default: '$certname',
    doc: 'Node name that the agent sends in requests. The server must allow requests with this name.',
  }),
  node_name_fact: defineText({
    takes: 'a fact name',
    doc: 'Fact that contains the node name for requests, instead of node_name_value.',
  }),
  http_connect_timeout: defineDuration({ default: '2m', doc: 'Timeout of a connection attempt.' }),
  http_read_timeout: defineDuration({ default: '10m', doc: 'Maximum time to wait for a response.' }),
  http_keepalive_timeout: defineDuration({ default: '4s', doc: 'Maximum time that an idle connection stays open.' }),
  http_user_agent: defineText({ takes: 'text', doc: 'User-Agent header of requests.' }),
  http_extra_headers: defineHeaders({
    doc: 'Headers of each request, as NAME:VALUE; not sent after a redirect to another origin.',
  }),
  sourceaddress: defineAddress({ doc: 'Local IP address for connections to servers.' }),
  http_proxy_host: defineText({
    takes: 'a host name, or none',
    default: 'none',
    doc: 'Host name of the HTTP proxy; `none` for no proxy. The environment variables http_proxy and HTTP_PROXY override this setting.',
  }),
  http_proxy_port: definePort({ default: '3128', doc: 'Port of the HTTP proxy.' }),
  http_proxy_user: defineText({ takes: 'a user name, or none', default: 'none', doc: 'User name for the HTTP proxy.' }),
  http_proxy_password: defineUrlPassword({ default: 'none', doc: 'Password for the HTTP proxy.' }),
  no_proxy: defineText({
    takes: 'host names and domain suffixes, separated by commas',
    default: 'localhost, 127.0.0.1',
    doc: 'Hosts and domain suffixes that are reached without the proxy. The environment variables no_proxy and NO_PROXY override this setting.',
  }),
  orders: defineChoice(
    'server',
    'none',
  )({
    default: 'server',
    doc: 'Orders that the agent service accepts: `server` keeps a connection to the server, which can order a run with `plumb run`; `none` opens no connection.',
  }),
  runinterval: defineDuration({ default: '30m', doc: 'Interval between agent runs.' }),
  splay: defineBoolean({ default: 'false', doc: 'Wait a random time before the first run.' }),
  splaylimit: defineDuration({ default: '$runinterval', doc: 'Maximum random time to wait before the first run.' }),
  daemonize: defineBoolean({ default: 'true', doc: 'Run the agent in the background.' }),
  pidfile: defineFile({ default: '$rundir/agent.pid', doc: 'File with the process ID of the agent daemon.' }),
  runtimeout: defineDuration({ default: '1h', doc: 'Maximum duration of a run; 0 disables the limit.' }),
  onetime: defineBoolean({ default: 'false', doc: 'Run the agent once and exit.' }),
  usecacheonfailure: defineBoolean({
    default: 'true',
    doc: 'Apply the cached catalog if the server provides no new catalog.',
  }),
  use_cached_catalog: defineBoolean({
    default: 'false',
    doc: 'Apply the cached catalog without requesting a new catalog.',
  }),
  catalog_signature: defineChoice(
    'check',
    'require',
    'off',
  )({
    default: 'check',
    doc: 'Verification of catalog signatures: `require` rejects new and cached catalogs without a valid signature; `check` accepts unsigned catalogs and rejects invalid signatures; `off` disables verification.',
  }),
  use_last_environment: defineBoolean({ default: 'true', doc: 'Start a run in the environment of the previous run.' }),
  strict_environment_mode: defineBoolean({
    default: 'false',
    doc: 'Fail the run if the server assigns an environment other than the requested one.',
  }),
  pluginsync: defineBoolean({ default: 'true', doc: 'Download plug-ins before a run.' }),
  plugindest: defineDirectory({ default: '$libdir', doc: 'Directory of downloaded plug-ins.' }),
  pluginfactdest: defineDirectory({ default: '$vardir/facts.d', doc: 'Directory of downloaded external facts.' }),
  pluginsignore: defineText({
    takes: 'file names and globs, separated by spaces',
    default: '.svn CVS .git .hg',
    doc: 'Names and globs of plug-in files that are not downloaded.',
  }),
  ignore_plugin_errors: defineBoolean({ default: 'false', doc: 'Continue a run if the download of plug-ins fails.' }),
  libdir: defineDirectory({ default: '$vardir/lib', doc: 'Directory from which plug-ins are loaded.' }),
  ruby_provider: defineChoice(
    'builtin',
    'native',
  )({
    default: 'builtin',
    doc: "Ruby that runs modules' facts, types, providers and functions on this node: `builtin` for the Ruby in Plumbline, `native` for an installed Ruby (3.1 or later), which loads gems with C extensions.",
  }),
  ruby_path: defineText({
    takes: 'a program',
    default: '',
    doc: 'Ruby program for `ruby_provider = native`. Empty: the Ruby of the Puppet agent in /opt/puppetlabs, or else `ruby` in `PATH`.',
  }),
  gem_path: defineText({
    takes: 'directories, separated by `:`; `*` matches a directory name',
    default:
      '$vardir/gems:/opt/puppetlabs/puppet/lib/ruby/vendor_gems:/opt/puppetlabs/puppet/lib/ruby/gems/*:/var/lib/gems/*:/usr/local/lib/ruby/gems/*:/usr/share/rubygems-integration/*:/usr/lib/*/rubygems-integration/*',
    doc: 'Directories of gems for Ruby code on this node. Gems in pure Ruby can be loaded; earlier directories have precedence.',
  }),
  gem_sources: defineWords({
    takes: 'URLs of gem servers',
    default: 'https://rubygems.org',
    doc: 'Gem servers from which `plumb gem install` and the package provider `puppet_gem` install gems. The servers must offer the compact index.',
  }),
  include_legacy_facts: defineBoolean({
    default: 'false',
    inVersion: { puppet7: 'true' },
    doc: 'Send the legacy facts, such as `osfamily`, in addition to the structured facts. Default as in Puppet 8: `false`.',
  }),
  fact_name_length_soft_limit: defineInteger({
    default: '2560',
    doc: 'Length of a fact name with its path, in characters, above which a warning is logged.',
  }),
  fact_value_length_soft_limit: defineInteger({
    default: '4096',
    doc: 'Length of a fact value, in characters, above which a warning is logged.',
  }),
  top_level_facts_soft_limit: defineInteger({
    default: '512',
    doc: 'Number of top-level facts above which a warning is logged.',
  }),
  number_of_facts_soft_limit: defineInteger({
    default: '10240',
    inVersion: { puppet7: '2048' },
    doc: 'Total number of fact values above which a warning is logged.',
  }),
  payload_soft_limit: defineInteger({
    default: '16777216',
    doc: 'Size of the facts in a request, in bytes, above which a warning is logged.',
  }),
  report: defineBoolean({ default: 'true', doc: 'Send a report after each run.' }),
  exclude_unchanged_resources: defineBoolean({
    default: 'true',
    inVersion: { puppet7: 'false' },
    doc: 'Omit unchanged resources from reports. Default as in Puppet 8: `true`.',
  }),
  resubmit_facts: defineBoolean({ default: 'false', doc: 'Collect and send the facts again after a run.' }),
  show_diff: defineBoolean({ default: 'false', doc: 'Show the differences of changed files.' }),
  summarize: defineBoolean({ default: 'false', doc: 'Print a summary after a run.' }),
  evaltrace: defineBoolean({ default: 'false', doc: 'Log each resource when it is evaluated.' }),
  ignoremissingtypes: defineBoolean({
    default: 'false',
    doc: 'Accepted for compatibility, without effect: a missing type is looked up once per commit.',
  }),
  preprocess_deferred: defineBoolean({
    default: 'false',
    inVersion: { puppet7: 'true', openvox9: 'true' },
    doc: 'Resolve all Deferred values before the first resource is applied. If `false`, each value is resolved when its resource is applied.',
  }),
  graph: defineBoolean({ default: 'false', doc: 'Write the catalog as Graphviz files (.dot).' }),
  graphdir: defineDirectory({ default: '$statedir/graphs', doc: 'Directory of the Graphviz files.' }),
  tags: defineWords({ takes: 'tags', doc: 'Apply only resources with one of these tags.' }),
  skip_tags: defineWords({ takes: 'tags', doc: 'Skip resources with one of these tags.' }),
  ignoreschedules: defineBoolean({ default: 'false', doc: 'Ignore schedules.' }),
  prerun_command: defineText({
    takes: 'a command',
    doc: 'Command to run before each run. If it fails, the run stops.',
  }),
  postrun_command: defineText({
    takes: 'a command',
    doc: 'Command to run after each run. If it fails, the run counts as failed.',
  }),
  supported_checksum_types: defineChoices(...checksumTypes)({
    default: 'sha256,sha384,sha512,sha224,md5',
    doc: 'Checksum types that the agent supports, in order of preference.',
  }),
  agent_root: defineDirectory({ doc: 'Root directory for all changes of a run, instead of /, for experiments.' }),
  agent_catalog_run_lockfile: defineFile({
    default: '$statedir/agent_catalog_run.lock',
    doc: 'Lock file that exists during a run.',
  }),
  agent_disabled_lockfile: defineFile({
    default: '$statedir/agent_disabled.lock',
    doc: 'File that disables agent runs while it exists.',
  }),
  waitforlock: defineDuration({
    default: '0',
    doc: 'Interval between attempts to start while another run is in progress. With 0, the agent exits without waiting.',
  }),
  maxwaitforlock: defineDuration({ default: '1m', doc: 'Maximum time to wait for another run to finish.' }),
  deviceconfig: defineFile({
    default: '$confdir/device.conf',
    doc: 'Configuration file of the devices for `plumb device`.',
  }),
  devicedir: defineDirectory({
    default: '$vardir/devices',
    doc: 'Directory of the state of devices, with one subdirectory for each device.',
  }),
  deviceconfdir: defineDirectory({
    default: '$confdir/devices',
    doc: 'Directory of the certificates of devices, with one subdirectory for each device.',
  }),
  client_datadir: defineDirectory({ default: '$vardir/client_data', doc: 'Directory of cached catalogs.' }),
  clientyamldir: defineDirectory({
    default: '$vardir/client_yaml',
    doc: 'Directory of cached catalogs if the cache format is YAML.',
  }),
  clientbucketdir: defineDirectory({ default: '$vardir/clientbucket', doc: 'Directory of backups of changed files.' }),
  write_catalog_summary: defineBoolean({ default: 'true', doc: 'Write classfile and resourcefile after a run.' }),
  classfile: defineFile({ default: '$statedir/classes.txt', doc: 'File with the classes of the last catalog.' }),
  resourcefile: defineFile({ default: '$statedir/resources.txt', doc: 'File with the resources of the last catalog.' }),
  statefile: defineFile({
    default: '$statedir/state.yaml',
    doc: 'File with the times at which each resource was last checked and changed.',
  }),
  transactionstorefile: defineFile({
    default: '$statedir/transactionstore.yaml',
    doc: 'File with the last applied value of each property, from which the agent identifies corrective changes.',
  }),
  lastrunfile: defineFile({
    default: '$publicdir/last_run_summary.yaml',
    doc: 'File with the summary of the last run.',
  }),
  lastrunreport: defineFile({
    default: '$statedir/last_run_report.yaml',
    doc: 'File with the report of the last run.',
  }),
} as const
