import {
  defineBoolean,
  defineDirectory,
  defineDuration,
  defineFile,
  defineInteger,
  defineSearchPath,
  defineText,
  defineWords,
} from '../kinds.ts'

const doc = 'Accepted for compatibility with Puppet, without effect.'
const anyText = { takes: 'text', doc }

const fixedAuthority = 'The CA keeps this file at its standard path in cadir.'
const oldServer = 'Puppet no longer uses this setting, or used it only in its former Ruby server.'
const oneTransport = 'Plug-ins, locales and files come from the server of the run.'
const noLimit = 'At most 10 messages of each kind are reported for each file.'
const fixedTls = 'Node.js chooses the ciphers.'

/** Settings of Puppet 7 and 8 that are accepted and have no effect. Puppet: defaults.rb. */
export const unusedSettings = {
  allow_pson_serialization: defineBoolean({ default: 'false', unused: 'Catalogs are JSON.', doc }),
  always_retry_plugins: defineBoolean({ default: 'true', unused: 'A missing plug-in is looked up in each run.', doc }),
  autoflush: defineBoolean({ default: 'true', unused: 'Log files are written line by line.', doc }),
  binder_config: defineFile({ unused: oldServer, doc }),
  cacert: defineFile({ default: '$cadir/ca_crt.pem', unused: fixedAuthority, doc }),
  cacrl: defineFile({ default: '$cadir/ca_crl.pem', unused: fixedAuthority, doc }),
  cakey: defineFile({ default: '$cadir/ca_key.pem', unused: fixedAuthority, doc }),
  capub: defineFile({ default: '$cadir/ca_pub.pem', unused: fixedAuthority, doc }),
  cert_inventory: defineFile({ default: '$cadir/inventory.txt', unused: fixedAuthority, doc }),
  ciphers: defineText({ ...anyText, unused: fixedTls }),
  code: defineText({ ...anyText, unused: 'Use `plumb apply --execute`.' }),
  config_file_name: defineText({
    ...anyText,
    default: 'puppet.conf',
    unused: 'Use `config`, which sets the whole path.',
  }),
  configprint: defineText({ ...anyText, unused: 'Use `plumb config print`.' }),
  csrdir: defineDirectory({ default: '$cadir/requests', unused: fixedAuthority, doc }),
  data_binding_terminus: defineText({
    ...anyText,
    default: 'hiera',
    unused: 'Class parameters always come from Hiera.',
  }),
  default_file_terminus: defineText({ ...anyText, default: 'rest', unused: oneTransport }),
  default_manifest: defineText({ ...anyText, default: './manifests', unused: 'Set `manifest` in environment.conf.' }),
  default_schedules: defineBoolean({ default: 'true', unused: 'The default schedules always exist.', doc }),
  diff: defineText({ ...anyText, default: 'diff', unused: 'Differences are computed internally.' }),
  diff_args: defineText({ ...anyText, default: '-u', unused: 'Differences are always unified.' }),
  disable_per_environment_manifest: defineBoolean({ default: 'false', unused: 'A commit contains its manifest.', doc }),
  disable_warnings: defineWords({ ...anyText, takes: 'kinds of warnings', unused: 'Warnings are always logged.' }),
  document_all: defineBoolean({ default: 'false', unused: oldServer, doc }),
  environment_data_provider: defineText({ ...anyText, unused: oldServer }),
  factpath: defineSearchPath({
    default: '$vardir/lib/facter:$vardir/facts',
    unused: 'Use `plumb facts --custom-dir`.',
    doc,
  }),
  filetimeout: defineDuration({ default: '15s', unused: 'Files are read on each use.', doc }),
  forge_authorization: defineText({
    ...anyText,
    unused: 'Use `forge_token_file`, which keeps the token out of puppet.conf.',
  }),
  freeze_main: defineBoolean({ default: 'false', unused: oldServer, doc }),
  genconfig: defineBoolean({ default: 'false', unused: 'Use `plumb agent --genconfig`.', doc }),
  genmanifest: defineBoolean({ default: 'false', unused: oldServer, doc }),
  http_debug: defineBoolean({ default: 'false', unused: 'Use `--debug`.', doc }),
  localedest: defineDirectory({ default: '$vardir/locales', unused: 'Messages are English.', doc }),
  localesource: defineText({ ...anyText, default: 'puppet:///locales', unused: 'Messages are English.' }),
  location_trusted: defineBoolean({ default: 'false', unused: 'Credentials are never sent to another host.', doc }),
  manage_internal_file_permissions: defineBoolean({
    default: 'true',
    unused: 'Files get their modes when they are created.',
    doc,
  }),
  max_deprecations: defineInteger({ default: '10', unused: noLimit, doc }),
  max_errors: defineInteger({ default: '10', unused: noLimit, doc }),
  max_warnings: defineInteger({ default: '10', unused: noLimit, doc }),
  maximum_uid: defineInteger({
    default: '4294967290',
    unused: 'The system rejects IDs that it does not support.',
    doc,
  }),
  merge_dependency_warnings: defineBoolean({ default: 'false', unused: 'Warnings are always logged.', doc }),
  mkusers: defineBoolean({ default: 'false', unused: 'The package creates users.', doc }),
  module_groups: defineText({ ...anyText, unused: oldServer }),
  module_working_dir: defineDirectory({
    default: '$vardir/puppet-module',
    unused: 'Modules come from a Puppetfile.',
    doc,
  }),
  name: defineText({ ...anyText, unused: 'The command name is fixed.' }),
  passfile: defineFile({ default: '$privatedir/password', unused: 'Keys have no password.', doc }),
  path: defineText({ ...anyText, default: 'none', unused: 'Commands use the PATH of the process.' }),
  pluginfactsource: defineText({ ...anyText, default: 'puppet:///pluginfacts', unused: oneTransport }),
  pluginsource: defineText({ ...anyText, default: 'puppet:///plugins', unused: oneTransport }),
  preferred_serialization_format: defineText({ ...anyText, default: 'json', unused: 'Catalogs are JSON.' }),
  preview_outputdir: defineDirectory({ default: '$vardir/preview', unused: oldServer, doc }),
  priority: defineText({ ...anyText, unused: 'Use `nice`, or `Nice=` in the systemd unit.' }),
  privatedir: defineDirectory({ default: '$ssldir/private', unused: 'Keys have no password.', doc }),
  profile: defineBoolean({
    default: 'false',
    unused: "'plumb catalog compile --profile' measures a compilation; the server exports metrics.",
    doc,
  }),
  puppet_trace: defineBoolean({ default: 'false', unused: 'Use `trace`.', doc }),
  puppetdlog: defineFile({ default: '$logdir/puppetd.log', unused: 'Use `logdest`.', doc }),
  report_configured_environmentpath: defineBoolean({
    default: 'true',
    unused: 'Reports do not contain the path.',
    doc,
  }),
  serial: defineFile({ default: '$cadir/serial', unused: fixedAuthority, doc }),
  settings_catalog: defineBoolean({
    default: 'true',
    unused: 'The program creates directories itself, without a settings catalog.',
    doc,
  }),
  signeddir: defineDirectory({ default: '$cadir/signed', unused: fixedAuthority, doc }),
  skip_logging_catalog_request_destination: defineBoolean({
    default: 'false',
    unused: 'The destination is logged at level `info`.',
    doc,
  }),
  ssl_client_header: defineText({
    ...anyText,
    default: 'HTTP_X_CLIENT_DN',
    unused: 'Use `allow-header-cert-info` in auth.conf.',
  }),
  ssl_client_verify_header: defineText({
    ...anyText,
    default: 'HTTP_X_CLIENT_VERIFY',
    unused: 'Use `allow-header-cert-info` in auth.conf.',
  }),
  ssl_trust_store: defineFile({ unused: 'Set the environment variable NODE_EXTRA_CA_CERTS.', doc }),
  statettl: defineDuration({
    default: '32d',
    unused: 'The state of resources that are no longer in the catalog is kept.',
    doc,
  }),
  tasks: defineBoolean({ default: 'false', unused: 'Use `plumb script`.', doc }),
  vendormoduledir: defineDirectory({
    default: '/opt/puppetlabs/puppet/vendor_modules',
    unused: 'Types of vendored modules are built in.',
    doc,
  }),
  versioned_environment_dirs: defineBoolean({ default: 'false', unused: 'A commit identifies the code.', doc }),
} as const
